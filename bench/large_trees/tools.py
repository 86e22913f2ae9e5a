"""The programs that the benchmark runs: the product, our own measuring process, curl, nginx."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

STOP_SECONDS_MAX = 120


class Programs:
    """What was built, and a folder for everything that is measured."""

    def __init__(self, build, folder):
        self.netml_path = str(build / "netml")
        self.scenario_path = str(build / "bench" / "netml_scenario")
        self.folder = folder
        # Where the scenarios put their nodes: on the disk that the rest is measured on.
        self.environment = dict(os.environ, TMPDIR=str(folder))

    def scenario(self, *arguments):
        """Runs a part of ours; its line of JSON."""
        return self.parse(self._output(self.scenario_path, *arguments))

    @staticmethod
    def parse(line):
        return json.loads(line)

    def shapes(self):
        """Names and titles of the shapes."""
        lines = self._output(self.scenario_path, "shapes").splitlines()
        return [tuple(line.split("\t")) for line in lines]

    def netml(self, *arguments):
        return self._output(self.netml_path, *arguments)

    def readers(self, server, topology):
        command = [self.scenario_path, "readers", str(server.port), server.control, topology]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _output(self, *command):
        command = [str(word) for word in command]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
        return done.stdout


class Server:
    """`netml serve` on a data directory and a free port; a context manager."""

    def __init__(self, programs, data):
        self.programs = programs
        self.data = str(data)
        self.control = f"{self.data}/control.sock"
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [programs.netml_path, "serve", "--data", self.data, "--listen", "127.0.0.1:0",
             "--development"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS_MAX)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def seconds_to_first_export_byte(self):
        """Since the process was started."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/netml_export/")
        answer = connection.getresponse()
        assert answer.status == 200 and answer.read(1)
        seconds = time.perf_counter() - self.begun
        connection.close()
        return seconds

    def status(self):
        return json.loads(self.programs.netml("status", "--data", self.data, "--json"))

    def journal_bytes(self):
        return self.status()["journal_bytes"]

    def import_file(self, path, *options):
        """`netml import` while the server runs; seconds until it is durable and visible."""
        begin = time.perf_counter()
        self.programs.netml("import", path, "--data", self.data, *options)
        return time.perf_counter() - begin

    def checkpoint(self):
        """Returns when no checkpoint is due."""
        self.programs.netml("checkpoint", "--data", self.data)

    def upload(self, path, token):
        """Over HTTP; seconds until the 201."""
        form = f"file=@{path};type=application/xml"
        seconds, status = curl("-H", f"Authorization: Bearer {token}", "-H", "Expect:",
                               "-F", form, f"{self.url}/netml_import/upload/")
        assert status == 201, f"the upload was answered {status}"
        return seconds

    def export(self):
        return fetch(f"{self.url}/netml_export/")

    def memory(self):
        """Resident bytes now, and at most so far."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        kib = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}
        return int(kib["VmRSS"]) * 1024, int(kib["VmHWM"]) * 1024


def curl(*arguments):
    """Seconds and status of one request; the answer is thrown away."""
    command = ["curl", "--silent", "--show-error", "--output", "/dev/null",
               "--write-out", "%{time_total} %{http_code}", *arguments]
    seconds, status = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                     text=True).stdout.split()
    return float(seconds), int(status)


def fetch(url):
    """Seconds until all of it has arrived."""
    seconds, status = curl(url)
    assert status == 200, f"{url} was answered {status}"
    return seconds


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
