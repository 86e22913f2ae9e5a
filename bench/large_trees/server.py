"""`netml serve` on a data directory and a free port, and its clients."""

import http.client
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import usage

STOP_SECONDS_MAX = 600
REST_SECONDS_MAX = 60


class Server:
    """A context manager. What the clients below measure is theirs and the server's together."""

    def __init__(self, programs, data):
        self.programs = programs
        self.data = str(data)
        self.control = f"{self.data}/control.sock"
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [programs.netml_path, "serve", "--data", self.data, "--listen", "127.0.0.1:0",
             "--development", *programs.limits],
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

    def first_export_byte(self):
        """Seconds since the process was started, and what it used until then."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port)
            connection.request("GET", "/netml_export/")
            answer = connection.getresponse()
            if answer.status != 503:  # not ready yet counts as waiting
                break
            connection.close()
            time.sleep(0.001)
        assert answer.status == 200 and answer.read(1)
        seconds = time.perf_counter() - self.begun
        used = usage.of_process(self.process.pid)
        connection.close()
        return seconds, used

    def status(self):
        return json.loads(self.programs.netml("status", "--data", self.data, "--json"))

    def journal_bytes(self):
        return self.status()["journal_bytes"]

    def import_file(self, path, *options):
        """`netml import` while the server runs: seconds from start to exit, and the usage."""
        with usage.watched(self.process.pid, self.programs.counting) as watch:
            seconds, used = self.programs.netml_timed("import", path, "--data", self.data, *options)
        return seconds, used + watch.usage

    def checkpoint(self):
        """Returns when no checkpoint is due."""
        self.programs.netml("checkpoint", "--data", self.data)

    def upload(self, path, token):
        """Over HTTP: seconds until the 201, and what the server used."""
        form = f"file=@{path};type=application/xml"
        with usage.watched(self.process.pid, self.programs.counting) as watch:
            seconds, status = curl("-H", f"Authorization: Bearer {token}", "-H", "Expect:",
                                   "-F", form, f"{self.url}/netml_import/upload/")
        assert status == 201, f"the upload was answered {status}"
        return seconds, watch.usage

    def export(self):
        """Seconds until the last byte, and what the server used."""
        with usage.watched(self.process.pid, self.programs.counting) as watch:
            seconds = fetch(f"{self.url}/netml_export/")
        return seconds, watch.usage

    def memory(self):
        """Bytes of each kind, as /proc/PID/status names them."""
        return usage.memory(self.process.pid)

    def rest(self):
        """Waits until the server computes nothing any more."""
        end = time.monotonic() + REST_SECONDS_MAX
        quiet, before = 0, None
        while quiet < 2 and time.monotonic() < end:
            time.sleep(0.25)
            now = usage.processor_ticks(self.process.pid)
            quiet = quiet + 1 if now == before else 0
            before = now


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


def forget(folder):
    """Takes the files of a data directory out of the page cache."""
    for path in files(folder):
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def allocated(folder):
    """Bytes that the files below a folder take on the disk, by the folder or file at its top."""
    sizes = {}
    for path in files(folder):
        top = path.relative_to(folder).parts[0]
        sizes[top] = sizes.get(top, 0) + path.stat().st_blocks * 512
    return sizes


def files(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]
