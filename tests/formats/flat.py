#!/usr/bin/env python3
"""What is written as DOT, GEXF and n2p is read by others, with all nodes and links.

Goal: other programs find as many nodes and links as the map has, and what the map holds is carried
or listed as lost.
Method: maps of accounts/, through `netml convert`; GEXF by networkx, DOT by Graphviz's gvpr, n2p
and GEXF by the XML parser of the standard library. What is not installed is passed over.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

from account import elements_of_netml
from accounts import gml, graphml

try:
    import networkx
except ImportError:
    networkx = None  # python3-networkx of Debian

GEXF = "{http://gexf.net/1.3}"
COUNT = 'BEGIN { int n = 0; int e = 0 } N { n++ } E { e++ } END { printf("%d %d", n, e) }'


def elements_of_dot(path):
    if shutil.which("gvpr") is None:
        return None
    done = subprocess.run(["gvpr", COUNT, path], capture_output=True, text=True, check=True)
    if done.stderr:
        raise ValueError(done.stderr)
    return tuple(int(number) for number in done.stdout.split())


def elements_of_gexf(path):
    root = tree.parse(path).getroot()
    counted = len(root.findall(f".//{GEXF}node")), len(root.findall(f".//{GEXF}edge"))
    if networkx is not None:
        graph = networkx.read_gexf(path, version="1.3")
        if (graph.number_of_nodes(), graph.number_of_edges()) != counted:
            raise ValueError("networkx finds other elements")
    return counted


def elements_of_n2p(path):
    """Each link there and back."""
    root = tree.parse(path).getroot()
    ids = [int(element.get("id")) for element in root.iter() if element.get("id")]
    if len(set(ids)) != len(ids) or max(ids) >= int(root.get("nextElementId")):
        raise ValueError("identifiers are not distinct")
    links = {link.get("id"): link for link in root.iter("link")}
    for link in links.values():
        back = links[link.get("bidirectionalPairId")]
        if back.get("originNodeId") != link.get("destinationNodeId"):
            raise ValueError("a link has no way back")
    keys = [len(element.findall("attribute"))
            - len({attribute.get("key") for attribute in element.findall("attribute")})
            for element in root.iter()]
    if any(keys):
        raise ValueError("a key is repeated")
    return len(root.findall("node")), len(links) // 2


READERS = {"dot": elements_of_dot, "gexf": elements_of_gexf, "n2p": elements_of_n2p}


def check(program, source, folder):
    """What is wrong with the files that are written of a map."""
    netml = folder / "map.xml"
    subprocess.run([program, "convert", source, netml], check=True, capture_output=True)
    for name, elements in READERS.items():
        written, losses = folder / f"map.{name}", folder / "losses.json"
        subprocess.run([program, "convert", netml, written, "--to", name, "--loss", losses],
                       check=True, capture_output=True)
        listed = json.loads(losses.read_text(encoding="utf-8"))["written"]
        if listed["carried"] + listed["lost"] != listed["present"]:
            yield f"{name}: carried and lost are not what is present"
        if any("pointer" not in loss for loss in listed["losses"]):
            yield f"{name}: a loss does not name its element"
        try:
            found = elements(written)
        except (ValueError, tree.ParseError) as error:
            yield f"{name}: {error}"
            continue
        if found not in (None, elements_of_netml(netml)):
            yield f"{name}: {found} nodes and links, and not {elements_of_netml(netml)}"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    maps = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    failed = 0
    for seed in range(1, maps + 1):
        for module in (gml, graphml):
            with tempfile.TemporaryDirectory() as name:
                source = pathlib.Path(name) / f"made{module.ENDING}"
                made = module.Generator(seed).file()
                source.write_bytes(made.encode() if isinstance(made, str) else made)
                for problem in check(program, source, pathlib.Path(name)):
                    print(f"FAILED {module.ENDING} {seed}: {problem}")
                    failed += 1
    print(f"{2 * maps} maps, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
