#!/usr/bin/env python3
"""Measures the page that says how good the map is, with many sources (docs/quality.md).

Usage: bench/site/quality.py PROGRAM [ELEMENTS] [SOURCES] [POLLS]

PROGRAM is a release build. ELEMENTS (1000000), half nodes, half links, come in equal parts from
SOURCES (200) peers, which this program answers for. All are polled POLLS (25) times, with a
hundredth of the elements of each renamed. Then one after another is polled again, with none of its
elements renamed, a hundredth, and all, and after each poll the page is asked for. Times are those
of the client, over one connection; processor time is that of the server.
"""

import http.server
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading

from desk import Client, PASSWORD, show
from server import serving

RUNS = 9


class Peers(http.server.ThreadingHTTPServer):
    """The map of each peer, below its number."""

    daemon_threads = True

    def __init__(self, text, count):
        super().__init__(("127.0.0.1", 0), PeerAnswer)
        self.text, self.renamed = text, dict.fromkeys(range(1, count + 1), (0, 0))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def rename(self, peer, percent):
        """So many of its elements get another name than they had at any time."""
        self.renamed[peer] = (self.renamed[peer][0] + 1, percent)

    def map_of(self, peer):
        version, percent = self.renamed[peer]
        drawn = random.Random(peer * 10_000 + version)
        text = self.text.replace("urn:example:", f"urn:peer{peer}:")
        text = text.replace(">Network 0<", f">Network {peer}<")
        pattern = re.compile(r"(<grenml:(?:Node|Link) id=[^>]*>\s*<grenml:name>)")
        return pattern.sub(lambda found: found[0] if drawn.random() * 100 >= percent
                           else f"{found[1]}{version} {drawn.randrange(10**6)} ", text)


class PeerAnswer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.map_of(int(self.path.split("/")[1])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def prepare(program, folder, elements, sources):
    data, file = os.path.join(folder, "data"), os.path.join(folder, "map.xml")
    half = str(elements // sources // 2)
    for words, text in ((("generate", "--topologies", "1", "--nodes", half, "--links", half, "-o",
                          file), ""),
                        (("init", "--name", "Root", "--owner", "Owner", "--data", data), ""),
                        (("user", "create", "bench", "--role", "admin", "--password-stdin",
                          "--data", data), PASSWORD + "\n")):
        subprocess.run([program, *words], input=text, text=True, check=True,
                       stdout=subprocess.DEVNULL)
    with open(file, encoding="utf-8") as made:
        return data, Peers(made.read(), sources)


def poll(client, peers):
    names = [f"peer {peer}" for peer in peers]
    answer = json.loads(client.ask("POST", "polls", {"sources": names, "wait": True})[2])
    for report in answer["reports"]:
        if report["result"] not in ("imported", "unchanged"):
            raise RuntimeError(report)


def measure_after(client, peers, name, percent):
    took, spent = [], []
    for run in range(RUNS):
        peer = 1 + run * 7 % len(peers.renamed)
        if percent:
            peers.rename(peer, percent)
        poll(client, [peer])
        one = client.ask("GET", "quality")
        took.append(one[0])
        spent.append(one[1])
    show(f"quality, after {name}", took, spent)


def main():
    program = os.path.abspath(sys.argv[1])
    elements, sources, polls = (int(given) for given in
                                sys.argv[2:] + ["1000000", "200", "25"][len(sys.argv) - 2:])
    os.environ["NETML_POLL_ALLOW"] = "127.0.0.0/8"
    with tempfile.TemporaryDirectory() as folder:
        data, peers = prepare(program, folder, elements, sources)
        with serving(program, data) as (server, address):
            client = Client(address.split("//")[1].rstrip("/"), server)
            for peer in peers.renamed:
                client.ask("POST", "sources", {
                    "name": f"peer {peer}", "hostname": "127.0.0.1", "protocol": "http",
                    "plain_http": True, "port": peers.server_address[1], "path": f"{peer}/"})
            for round_number in range(polls):
                for peer in peers.renamed:
                    peers.rename(peer, 1 if round_number else 0)
                poll(client, peers.renamed)
            took, spent, answer = client.ask("GET", "quality")
            records = json.loads(answer)["records"]
            print(f"{sum(records.values())} records, {len(answer)} bytes")
            show("quality, first", [took], [spent])
            again = [client.ask("GET", "quality") for _ in range(RUNS)]
            show("quality, again", [each[0] for each in again], [each[1] for each in again])
            measure_after(client, peers, "a poll without changes", 0)
            measure_after(client, peers, "1 % of a source", 1)
            measure_after(client, peers, "all of a source", 100)
        with serving(program, data) as (server, address):
            client = Client(address.split("//")[1].rstrip("/"), server)
            client.ask("GET", "session")
            took, spent, _ = client.ask("GET", "quality")
            show("quality, first after a start", [took], [spent])


if __name__ == "__main__":
    main()
