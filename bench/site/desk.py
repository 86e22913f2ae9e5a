#!/usr/bin/env python3
"""Measures what the administration does with a large map: lists, edits, the start page.

Usage: bench/site/desk.py PROGRAM [ELEMENTS]

PROGRAM is a release build; half of the ELEMENTS (1000000) are nodes, half links. Each list is asked
for with another search than the one before, so nothing is kept; the first page is what one waits
for. Edits change one node after another, as its form does, and each waits for the disk. Times are
those of the client, over one connection; processor time is that of the server, from /proc.
"""

import base64
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from server import processor_seconds, serving

PASSWORD = "a long password of the bench"
EDITS = 300
RUNS = 9


def prepare(program, folder, elements):
    data, file = os.path.join(folder, "data"), os.path.join(folder, "map.xml")
    per_topology = str(elements // 20)
    subprocess.run([program, "generate", "--topologies", "10", "--nodes", per_topology, "--links",
                    per_topology, "-o", file], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "import", file, "--data", data], check=True,
                   stdout=subprocess.DEVNULL)
    os.remove(file)
    subprocess.run([program, "user", "create", "bench", "--role", "admin", "--password-stdin",
                    "--data", data], input=PASSWORD + "\n", text=True, check=True,
                   stdout=subprocess.DEVNULL)
    return data


class Client:
    """One connection, signed in by password with each request."""

    def __init__(self, address, server):
        self.connection = http.client.HTTPConnection(address)
        self.server = server
        word = base64.b64encode(f"bench:{PASSWORD}".encode()).decode()
        self.headers = {"Authorization": f"Basic {word}", "Accept-Encoding": "gzip"}

    def ask(self, method, path, body=None):
        """Seconds, seconds of the server's processor, the answer."""
        headers = dict(self.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        spent, began = processor_seconds(self.server), time.monotonic()
        self.connection.request(method, "/api/v1/" + path, body and json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        took = time.monotonic() - began
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]}")
        return took, processor_seconds(self.server) - spent, content


def show(name, took, spent):
    took, spent = sorted(took), sorted(spent)
    high = took[min(len(took) - 1, len(took) * 99 // 100)]
    print(f"{name:36} median {statistics.median(took) * 1000:8.1f} ms, p99 {high * 1000:8.1f} ms, "
          f"{statistics.median(spent) * 1000:7.1f} ms cpu", flush=True)


def measure(client, name, paths):
    answers = [client.ask("GET", path) for path in paths]
    show(name, [took for took, _, _ in answers], [spent for _, spent, _ in answers])


def measure_edits(client):
    listed = json.loads(client.ask("GET", f"nodes?limit={EDITS}")[2])["items"]
    took, spent = [], []
    for place, item in enumerate(listed):
        node = json.loads(client.ask("GET", f"nodes/{item['number']}")[2])
        node["address"] = f"Pier {place}"
        one = client.ask("PUT", f"nodes/{item['number']}", node)
        took.append(one[0])
        spent.append(one[1])
    show("an edit", took, spent)


def main():
    program = os.path.abspath(sys.argv[1])
    elements = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(program, folder, elements)
        with serving(program, data) as (server, address):
            client = Client(address.split("//")[1].rstrip("/"), server)
            client.ask("GET", "session")
            runs = range(RUNS)
            measure(client, "list of nodes, by identifier", ["nodes?sort=id"] * RUNS)
            measure(client, "list of nodes, by name", ["nodes?sort=name"] * RUNS)
            measure(client, "list of nodes, by version, the last", ["nodes?sort=-version"] * RUNS)
            measure(client, "list of nodes, searched", [f"nodes?q=e%20{run}1" for run in runs])
            measure(client, "list of nodes, of a topology", ["nodes?topology=1"] * RUNS)
            measure_edits(client)
            measure(client, "overview, first", ["overview"])
            measure(client, "overview, again", ["overview"] * RUNS)
            measure(client, "quality, first", ["quality"])
            measure_edits(client)
            measure(client, "quality, after edits", ["quality"])
            measure(client, "quality, again", ["quality"] * RUNS)
            numbers = [item["number"] for item in
                       json.loads(client.ask("GET", "nodes?limit=100")[2])["items"]]
            body = {"numbers": numbers, "set": {"address": "Pier"}}
            took, spent, _ = client.ask("POST", "nodes/edit?preview=true", body)
            show("preview of an edit of 100", [took], [spent])
            took, spent, _ = client.ask("POST", "nodes/edit", body)
            show("an edit of 100", [took], [spent])


if __name__ == "__main__":
    main()
