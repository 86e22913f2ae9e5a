#!/usr/bin/env python3
"""Measures how long "since when is X below the policy" takes over many versions of a large map.

Usage: bench/site/redundancy.py PROGRAM [ELEMENTS] [VERSIONS]

PROGRAM is a release build; half of the ELEMENTS (1000000) are nodes, half links. VERSIONS (1000)
links of one topology are laid elsewhere one after another; then is asked since when one node, and
since when all nodes of that topology, have fewer than three routes to its first ten nodes.
"""

import json
import os
import sys
import tempfile

from desk import Client, prepare, show
from server import serving

TARGETS = 10


def lay_elsewhere(client, count):
    """Each time another link of the first topology ends at another of its nodes."""
    links = json.loads(client.ask("GET", "links?topology=1&limit=500")[2])["items"]
    nodes = json.loads(client.ask("GET", "nodes?topology=1&limit=500")[2])["items"]
    for version in range(count):
        number = links[version % len(links)]["number"]
        link = json.loads(client.ask("GET", f"links/{number}")[2])
        end = nodes[(version * 7 + version // len(links) + 1) % len(nodes)]
        if end["number"] != link["node_a"]["number"]:
            link["node_b"] = end
        client.ask("PUT", f"links/{number}", link)
    return nodes


def main():
    program = os.path.abspath(sys.argv[1])
    elements = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    versions = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(program, folder, elements)
        with serving(program, data) as (server, address):
            client = Client(address.split("//")[1].rstrip("/"), server)
            nodes = lay_elsewhere(client, versions)
            ids = [node["id"] for node in nodes]
            policy = {"who": {"kind": "node", "ids": ids[TARGETS:]},
                      "to": {"kind": "node", "ids": ids[:TARGETS]}, "routes": 3}
            for name, path in (("one node", f"?element={ids[-1]}"), (f"{len(ids)} nodes", "")):
                took, spent, answer = client.ask("POST", "redundancy/history" + path, policy)
                found = json.loads(answer)
                show(f"since when, of {name}", [took], [spent])
                print(f"  {found['transactions']} transactions, {found['versions_checked']} "
                      f"versions checked, {len(found['items'])} changes")


if __name__ == "__main__":
    main()
