#!/usr/bin/env python3
"""Asks a node with a large map what the map page asks, and prints what each answer costs.

Usage: bench/site/map_questions.py PROGRAM [ELEMENTS]

PROGRAM is a release build; there are 100000 nodes and as many links unless ELEMENTS says otherwise.
Two states of the map are imported; in the second one in a hundred links is gone and one in a
hundred nodes has another name. Each question is asked with nothing kept ("first") and once more
("again"). Processor time is that of the server, from /proc, and hardly depends on what else the
machine does.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from server import processor_seconds, serving



def second_state(text):
    """The same map, a little changed."""
    count = {"Link": 0, "Node": 0}

    def changed(match):
        kind = match.group(1)
        count[kind] += 1
        if count[kind] % 100:
            return match.group(0)
        if kind == "Link":
            return ""
        return match.group(0).replace("<grenml:name>", "<grenml:name>New ", 1)

    return re.sub(r"<grenml:(Link|Node) .*?</grenml:\1>\n?", changed, text, flags=re.S)


def import_states(program, folder, elements):
    data = os.path.join(folder, "data")
    files = [os.path.join(folder, name) for name in ("first.xml", "second.xml")]
    per_topology = str(elements // 10)
    subprocess.run([program, "generate", "--topologies", "10", "--nodes", per_topology, "--links",
                    per_topology, "-o", files[0]], check=True, stdout=subprocess.DEVNULL)
    with open(files[0], encoding="utf-8") as first, open(files[1], "w", encoding="utf-8") as second:
        second.write(second_state(first.read()))
    for year, file in zip((2020, 2021), files):
        subprocess.run([program, "import", file, "--data", data, "--date",
                        f"{year}-01-01T00:00:00Z"], check=True, stdout=subprocess.DEVNULL)
    return data


def ask(url, body=None):
    """Status and size of the answer."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    if body is not None:
        request.data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, len(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, len(error.read())


def measure(server, name, url, body=None):
    for when in ("first", "again"):
        spent, began = processor_seconds(server), time.monotonic()
        status, size = ask(url, body)
        print(f"{name:28} {when:6} {status} {time.monotonic() - began:8.3f} s "
              f"{processor_seconds(server) - spent:8.2f} s cpu {size:10} bytes")


def measure_crowd(server, url, bodies):
    """Many at once: a few are served, the others are asked to come back."""
    statuses = []
    spent = processor_seconds(server)
    crowd = [threading.Thread(target=lambda body=body: statuses.append(ask(url, body)[0]))
             for body in bodies]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    print(f"what-if, {len(bodies)} at once: {counts}, "
          f"{processor_seconds(server) - spent:.2f} s cpu")


def main():
    program = os.path.abspath(sys.argv[1])
    elements = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        data = import_states(program, folder, elements)
        with serving(program, data) as (server, address):
            base = address + "/api/v1/map"
            measure(server, "map", base)
            measure(server, "points in time", base + "/points-in-time")
            measure(server, "difference, 2 % changed", base + "/difference?from=2&to=3")
            measure(server, "difference, all is new", base + "/difference?from=1&to=3")
            with urllib.request.urlopen(base) as answer:
                nodes = json.load(answer)["nodes"]["number"]
            some = {"nodes": nodes[::1000], "links": []}
            measure(server, "what-if, 100 nodes fail", base + "/what-if", some)
            measure(server, "map of the past", base + "?at=2")
            measure(server, "nodes as GeoJSON", base + "/features/nodes.geojson")
            crowd = [{"nodes": [number], "links": []} for number in nodes[:24]]
            measure_crowd(server, base + "/what-if", crowd)


if __name__ == "__main__":
    main()
