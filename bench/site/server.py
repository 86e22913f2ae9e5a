"""A server of `netml` on a data directory, and what it costs."""

import contextlib
import os
import subprocess
import threading

TICKS = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def serving(program, data):
    """Its process, and its URL."""
    server = subprocess.Popen([program, "serve", "--data", data, "--listen", "127.0.0.1:0"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        line = server.stdout.readline()
        threading.Thread(target=server.stdout.read, daemon=True).start()
        yield server, line.split()[-1]
    finally:
        server.terminate()
        server.wait()


def processor_seconds(server):
    with open(f"/proc/{server.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
