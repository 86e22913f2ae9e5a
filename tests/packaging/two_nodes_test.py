#!/usr/bin/env python3
"""The nodes of compose.yaml poll each other: what its set-up makes, served and polled here.

Usage: two_nodes_test.py NETML

Two nodes on two addresses of this machine stand for two containers. compose.yaml itself is read for
the options that they are served with.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETUP = ROOT / "docs/examples/two-nodes/setup.sh"
HOSTS = {"north": "127.0.0.1", "south": "127.0.0.2"}


def free_port():
    """A port that is free on both addresses, as each has the other's stored before it starts."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind((HOSTS["north"], 0))
            port = one.getsockname()[1]
            try:
                other.bind((HOSTS["south"], port))
            except OSError:
                continue
            return port


def options_of_compose(port, host):
    """Those of `command:`, with the addresses of here."""
    text = (ROOT / "compose.yaml").read_text()
    words = json.loads(re.search(r"command: (\[\"serve\".*?\])", text, re.S)[1])
    assert words[words.index("--listen") + 1] == "0.0.0.0:8080", words
    assert re.search(r"subnet: (\S+)", text)[1] == words[words.index("--poll-allow") + 1]
    for name, address in HOSTS.items():
        words[words.index(name)] = address
    words[words.index("--listen") + 1] = f"{host}:{port}"
    words[words.index("--poll-allow") + 1] = "127.0.0.0/8"
    return words


def attempt(netml, folder, port):
    """The exit code, or None where somebody took the port before both nodes had it."""
    (folder / "bin").mkdir()
    (folder / "bin/netml").symlink_to(netml)
    data = {node: folder / node for node in HOSTS}
    for path in data.values():
        path.mkdir(mode=0o700)
    for _ in range(2):  # it changes nothing where all is there
        subprocess.run(["sh", SETUP, *data.values(), *HOSTS.values(), str(port)], check=True,
                       env={"PATH": f"{folder}/bin:{os.environ['PATH']}"}, stdout=subprocess.PIPE)
    servers = []
    try:
        for node, host in HOSTS.items():
            log = folder / f"{node}.log"
            with open(log, "w") as errors:
                servers.append(subprocess.Popen(
                    [netml, *options_of_compose(port, host), "--data", data[node]],
                    stdout=subprocess.PIPE, stderr=errors, text=True))
            if not servers[-1].stdout.readline():
                assert "cannot listen" in log.read_text(), log.read_text()
                return None
        return poll_both(netml, data)
    finally:
        for server in servers:
            server.terminate()
            server.wait()


def main(netml):
    for _ in range(5):
        with tempfile.TemporaryDirectory(prefix="netml-two-") as name:
            status = attempt(netml, Path(name), free_port())
        if status is not None:
            return status
    print("no port stayed free")
    return 1


def poll_both(netml, data):
    for node, other in (("north", "South"), ("south", "North")):
        polled = subprocess.run([netml, "poll", "--data", data[node]], text=True,
                                stdout=subprocess.PIPE)
        if polled.returncode != 0:
            print(polled.stdout, data[node].with_suffix(".log").read_text())
            return 1
        held = subprocess.run([netml, "export", "--data", data[node]], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        if f"{other} Institute" not in held:
            print(f"{node} does not hold the map of {other} after a poll:\n{held}")
            return 1
    print("each holds the map of the other")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
