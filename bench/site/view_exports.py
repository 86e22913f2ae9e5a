#!/usr/bin/env python3
"""Measures what an export through a view costs beside one of all of the map.

Usage: bench/site/view_exports.py PROGRAM [ELEMENTS [ROUNDS]]

PROGRAM is a release build; half of the ELEMENTS (100000) are nodes, half links, in 10 topologies.
Each round starts the server anew for each of the recipients in turns, another one first each time,
and fetches the export: first, again, and after one node got another name. Times are those of the
client, which reads and drops the bytes; the middle of ROUNDS (7) counts. The recipients: one sees
all; of the others, one lacks what has a tag and some properties, one sees rounded places, one
pseudonyms. Ratios are to the one who sees all in the same round.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from desk import Client, prepare
from server import processor_seconds, serving

VIEWS = {
    "without some": [{"drop": {"tag": "spare"}}, {"drop_properties": {"names": ["through*"]}}],
    "rounded places": [{"round": {"degrees": 0.5}}],
    "pseudonyms": [{"pseudonyms": {"fields": ["id", "name"], "key": "k"}}],
}
WHOLE = "all of the map"
TIMES = ("first", "again", "after a change")


def tokens(program, folder, data):
    """Of each recipient."""
    found = {}
    for name in (WHOLE, *VIEWS):
        words = [program, "token", "create", name, "--kind", "polling", "--data", data, "--json"]
        if name in VIEWS:
            file = os.path.join(folder, "view.json")
            with open(file, "w", encoding="utf-8") as text:
                json.dump({"steps": VIEWS[name]}, text)
            subprocess.run([program, "view", "create", name, file, "--data", data], check=True,
                           stdout=subprocess.DEVNULL)
            words += ["--view", name]
        answer = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        found[name] = json.loads(answer)["value"]
    return found


def fetch(connection, token):
    """Seconds, bytes."""
    began = time.monotonic()
    connection.request("GET", "/netml_export/", headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    size = 0
    while piece := answer.read(1 << 20):
        size += len(piece)
    if answer.status != 200:
        raise RuntimeError(f"the export: {answer.status}")
    return time.monotonic() - began, size


def rename_a_node(client, name):
    number = json.loads(client.ask("GET", "nodes?limit=1")[2])["items"][0]["number"]
    node = json.loads(client.ask("GET", f"nodes/{number}")[2])
    node["name"] = name
    client.ask("PUT", f"nodes/{number}", node)


def of_one_start(program, data, token, name):
    """Seconds, seconds of the processor, for each of TIMES; and bytes."""
    with serving(program, data) as (server, url):
        address = url.split("//")[1].rstrip("/")
        client = Client(address, server)
        client.ask("GET", "session")
        connection = http.client.HTTPConnection(address)
        took, spent = [], []
        for when in TIMES:
            if when == TIMES[2]:
                rename_a_node(client, name)
            before = processor_seconds(server)
            seconds, size = fetch(connection, token)
            took.append(seconds)
            spent.append(processor_seconds(server) - before)
        return took, spent, size


def main():
    program = os.path.abspath(sys.argv[1])
    elements = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(program, folder, elements)
        held = tokens(program, folder, data)
        names = list(held)
        taken = {name: [] for name in names}
        for number in range(rounds):
            for place in range(len(names)):
                name = names[(number + place) % len(names)]
                taken[name].append(of_one_start(program, data, held[name], f"{name} {number}"))
        print(f"exports of {elements} elements, {rounds} rounds")
        for name in names:
            print(f"{name}, {taken[name][-1][2] / 1e6:.1f} MB", flush=True)
            for place, when in enumerate(TIMES):
                took = [one[0][place] for one in taken[name]]
                spent = [one[1][place] for one in taken[name]]
                ratios = [mine[0][place] / whole[0][place]
                          for mine, whole in zip(taken[name], taken[WHOLE])]
                print(f"  {when:15} {statistics.median(took) * 1000:8.1f} ms, "
                      f"{statistics.median(spent) * 1000:8.1f} ms cpu, "
                      f"{statistics.median(ratios):6.2f} times ({min(ratios):.2f} to "
                      f"{max(ratios):.2f})")


if __name__ == "__main__":
    main()
