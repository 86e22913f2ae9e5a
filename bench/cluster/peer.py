"""A peer that the members poll: sends a small map, and notes who asked when."""

import http.server
import threading
import time

from clients import group_file

PORT = 8081


class Peer:
    """A context manager. What it notes goes to `record`, which may be exchanged between runs."""

    def __init__(self, network):
        self.record, self.machines = None, network.machines
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                peer.note(self.client_address[0])
                body = group_file("urn:peer:map", "of the peer")
                self.send_response(200)
                self.send_header("Content-Type", "application/xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments):
                pass

        self.server = http.server.ThreadingHTTPServer((network.harness, PORT), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)

    def note(self, address):
        members = [each.name for each in self.machines.values() if each.address == address]
        if self.record and members:
            now = time.monotonic()
            self.record.add({"kind": "poll", "member": members[0], "begin": now, "end": now})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
