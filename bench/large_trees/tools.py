"""The programs that the benchmark runs: the product, our own measuring process, nginx."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time

import usage

STOP_SECONDS_MAX = 120


# What a map of ten million elements needs beyond the defaults; below them they change nothing.
LIMITS = {"xml_elements_max": 1_000_000_000, "upload_bytes_max": 1 << 34}


class Programs:
    """What was built, and a folder for everything that is measured."""

    def __init__(self, build, folder, counting=False):
        self.netml_path = str(build / "netml")
        self.scenario_path = str(build / "bench" / "netml_scenario")
        self.folder = folder
        self.counting = counting  # instructions, with perf; such a round gives no seconds
        self.limits = [word for name, value in LIMITS.items()
                       for word in ("--limit", f"{name}={value}")]
        # Where the scenarios put their nodes: on the disk that the rest is measured on.
        self.environment = dict(os.environ, TMPDIR=str(folder))

    def scenario(self, *arguments):
        """Runs a part of ours; its line of JSON."""
        return self.scenario_used(*arguments)[0]

    def scenario_used(self, *arguments):
        """The same, and what the whole process used."""
        output, _, used = self._run(self.scenario_path, *arguments)
        return self.parse(output), used

    @staticmethod
    def parse(line):
        return json.loads(line)

    def shapes(self):
        """Names and titles of the shapes."""
        lines = self._run(self.scenario_path, "shapes")[0].splitlines()
        return [tuple(line.split("\t")) for line in lines]

    def netml(self, *arguments):
        return self._run(self.netml_path, *arguments)[0]

    def netml_timed(self, *arguments):
        """Seconds from start to exit, and what the process used."""
        return self._run(self.netml_path, *arguments)[1:]

    def readers(self, server, topology):
        command = [self.scenario_path, "readers", str(server.port), server.control, topology]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _run(self, *command):
        return usage.run(command, self.environment, self.counting)


NGINX = """
{user} daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log stderr crit;
events {{ }}
http {{
  access_log off; sendfile on; tcp_nopush on;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


@contextlib.contextmanager
def nginx(folder, root):
    """Serves the files of `root`; gives its URL, or None where there is no nginx."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        yield None
        return
    folder.mkdir()
    port = free_port()
    config = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # else the files cannot be read
    config.write_text(NGINX.format(user=user, folder=folder, port=port, root=root),
                      encoding="ascii")
    process = subprocess.Popen([program, "-c", str(config)])
    try:
        wait_until_open(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(STOP_SECONDS_MAX)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_open(port, process):
    while process.poll() is None:
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.01)
    raise RuntimeError("nginx ended at once")
