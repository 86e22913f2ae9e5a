"""Proxies for TCP between machines that share one network. Each carries what one machine sends to
one port of another; a cut one drops what it carries and accepts nobody."""

import contextlib
import socket
import threading

BUFFER_BYTES = 1 << 16
CONNECT_SECONDS_MAX = 2


class Link:
    """The way from one machine to a port of another. Each connection has two threads of its own:
    one that does not take what it asked for stops no other. Flags may be set by any thread."""

    def __init__(self, source, target, address, port):
        self.source, self.target = source, target
        self.to = (address, port)
        self.is_cut = self.keeps_answers = False
        self.ends = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server((address, 0))
        self.entrance = self.listener.getsockname()[:2]
        self._begin(self._accept)

    @staticmethod
    def _begin(work, *arguments):
        threading.Thread(target=work, args=arguments, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:  # closed
                return
            self._begin(self._connect, client)

    def _connect(self, client):
        try:
            server = socket.create_connection(self.to, CONNECT_SECONDS_MAX)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        with self.lock:
            self.ends |= {client, server}
        if self.is_cut:
            self.drop()
        self._begin(self._carry, client, server, False)
        self._begin(self._carry, server, client, True)

    def _carry(self, begin, end, is_answer):
        with contextlib.suppress(OSError):
            while some := begin.recv(BUFFER_BYTES):
                if not (is_answer and self.keeps_answers):
                    end.sendall(some)
        for each in (begin, end):
            shut(each)  # so that the other thread ends, too, and closes the other end
        with self.lock:
            self.ends.discard(begin)
        begin.close()

    def drop(self):
        """Breaks what is open."""
        with self.lock:
            for end in self.ends:
                shut(end)

    def close(self):
        self.is_cut = True
        shut(self.listener)
        self.listener.close()
        self.drop()


def shut(end):
    with contextlib.suppress(OSError):  # it is already
        end.shutdown(socket.SHUT_RDWR)


class Proxies:
    """All links; made when a way is asked for."""

    def __init__(self):
        self.links = {}

    def between(self, source, target, port):
        """Address and port by which `source` reaches that port; source None: everybody else."""
        key = (source, target.name, port)
        if key not in self.links:
            self.links[key] = Link(source, target.name, target.address, port)
        return self.links[key].entrance

    def _cut(self, meant):
        for link in self.links.values():
            if meant(link):
                link.is_cut = True
                link.drop()

    def cut(self, names):
        self._cut(lambda link: {link.source, link.target} == names)

    def isolate(self, name):
        self._cut(lambda link: name in (link.source, link.target))

    def cut_answers(self, source, target):
        for link in self.links.values():
            link.keeps_answers |= (link.source, link.target) == (source, target)

    def heal(self):
        for link in self.links.values():
            if link.keeps_answers:  # whoever waits for those must not wait for ever
                link.drop()
            link.is_cut = link.keeps_answers = False

    def close(self):
        for link in self.links.values():
            link.close()
