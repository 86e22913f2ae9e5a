#!/usr/bin/env python3
"""Counts the fields of files and holds the loss lists of `netml convert` against them.

Goal: carried + lost = present for every file, by a count that shares no code with the program, and
nothing is lost between the program's own files.
Method: samples, and maps made here from a seed, of which it is known how many fields must be lost.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape, quoteattr

try:
    import networkx
except ImportError:
    networkx = None  # python3-networkx of Debian

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
GRAPHML = "http://graphml.graphdrawing.org/xmlns"
GRENML = "{http://schemas.ogf.org/nml/2020/01/grenml}"


def local(name):
    return name.rsplit("}", 1)[-1]


def count_graphml(path):
    """Attributes and texts, but for declarations (docs/formats/graphml.md)."""
    count = 0
    for element in tree.parse(path).iter():
        name = local(element.tag)
        if name != "key":
            count += sum(1 for attribute in element.attrib
                         if not attribute.startswith(XSI)
                         and not (name == "data" and attribute == "key"))
        text = (element.text or "") + "".join(child.tail or "" for child in element)
        is_value = name in ("data", "default") and len(element) == 0
        count += 1 if is_value or text.strip(" \t\r\n") else 0
    return count


def elements_of_netml(path):
    root = tree.parse(path).getroot()
    return {kind: len(root.findall(f".//{GRENML}{kind}")) for kind in ("Node", "Link")}


class Generator:
    """A GraphML file with odd texts and forms, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.nodes = []

    def text(self):
        pieces = ["Oslo", "Bergen", "None", "", " ", "Århus", "<b>", "a & b", "\"", "'", "?",
                  "10 GB/s", "ß"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def data(self, key, value):
        return f"<data key={quoteattr(key)}>{escape(value)}</data>"

    def values(self, keys):
        out = []
        for key in keys:
            if self.random.random() < 0.5:
                continue
            if key in ("lat", "lon"):
                value = str(round(self.random.uniform(-100, 100), 4))
            elif key == "owner":
                value = self.random.choice(["GARR", "SURF"])
            elif self.random.random() < 0.03:
                value = "x" * self.random.randint(513, 700)
                self.lost += 1  # whatever it becomes, it is cut
            else:
                value = self.text()
            out.append(self.data(key, value))
        return "".join(out)

    def node(self):
        key = f"k{len(self.nodes)}"
        self.nodes.append(key)
        port = ""
        if self.random.random() < 0.1:
            port = '<port name="p"/>'
            self.lost += 1
        values = self.values(["label", "lat", "lon", "owner", "note"])
        return f'<node id="{key}">{values}{port}</node>\n'

    def edge(self):
        source, target = self.random.choice(self.nodes), self.random.choice(self.nodes)
        before = self.lost
        directed = self.random.random() < 0.1
        values = self.values(["speed", "name"])
        direction = ' directed="true"' if directed else ""
        text = f'<edge source="{source}" target="{target}"{direction}>{values}</edge>\n'
        self.lost += 1 if directed else 0
        if source == target:  # all of it
            self.lost = before + 2 + directed + values.count("<data")
        return text

    def hyperedge(self):
        self.lost += 2
        ends = "".join(f'<endpoint node="{node}"/>' for node in (self.nodes[0], self.nodes[-1]))
        return f"<hyperedge>{ends}</hyperedge>\n"

    def file(self):
        names = {"label": "label", "lat": "Latitude", "lon": "lng", "owner": "owner",
                 "note": "Note", "speed": "LinkSpeed", "name": "name"}
        keys = "".join(f'<key id="{key}" for="all" attr.name="{name}" attr.type="string"/>'
                       for key, name in names.items())
        body = [self.node() for _ in range(self.random.randint(1, 30))]
        body += [self.edge() for _ in range(self.random.randint(0, 40))]
        if self.random.random() < 0.2:
            body.append(self.hyperedge())
        nodes_first = self.random.random() < 0.5
        if not nodes_first:
            self.random.shuffle(body)
        return (f'<?xml version="1.0"?>\n<graphml xmlns="{GRAPHML}">{keys}\n'
                f'<graph id="net" edgedefault="undirected">\n{"".join(body)}</graph></graphml>\n')


class Account:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.failures = 0
        self.files = 0

    def fail(self, path, text):
        self.failures += 1
        print(f"FAILED {path}: {text}")

    def convert(self, source, target):
        losses = self.folder / "losses.json"
        done = subprocess.run([self.program, "convert", source, target, "--loss", losses],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.fail(source, f"is not converted: {done.stderr.strip()}")
            return None
        return json.loads(losses.read_text(encoding="utf-8"))

    def check_list(self, path, losses):
        if losses["carried"] + losses["lost"] != losses["present"]:
            self.fail(path, "carried and lost are not what is present")
        if len(losses["losses"]) + losses["omitted"] != losses["lost"]:
            self.fail(path, "the list and what it omits are not what is lost")
        if any("line" not in loss for loss in losses["losses"]):
            self.fail(path, "a loss has no place")

    def check(self, path, lost=None):
        """A GraphML file in, through NetML and back, without a further loss."""
        self.files += 1
        once, back, twice = (self.folder / name
                             for name in ("once.xml", "back.graphml", "twice.xml"))
        losses = self.convert(path, once)
        if losses is None:
            return
        read = losses["read"]
        self.check_list(path, read)
        present = count_graphml(path)
        if read["present"] != present:
            self.fail(path, f"{read['present']} fields are counted, there are {present}")
        if lost is not None and read["lost"] != lost:
            self.fail(path, f"{read['lost']} fields are lost, and not {lost}: {read['counts']}")
        there, again = self.convert(once, back), self.convert(back, twice)
        if there is None or again is None:
            return
        if there["written"]["lost"] or again["read"]["lost"]:
            self.fail(path, f"lost on the way back: {there['written']} {again['read']}")
        if again["read"]["present"] != count_graphml(back):
            self.fail(path, "the fields of what was written are counted otherwise")
        if once.read_bytes() != twice.read_bytes():
            self.fail(path, "the map is another one after it was written and read")
        self.check_with_networkx(path, once, back)

    def check_with_networkx(self, path, netml, graphml):
        if networkx is None:
            return
        graph = networkx.read_graphml(graphml, force_multigraph=True)
        there = elements_of_netml(netml)
        if (graph.number_of_nodes(), graph.number_of_edges()) != (there["Node"], there["Link"]):
            self.fail(path, f"networkx finds {graph}, and not {there}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--maps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        account = Account(options.program, pathlib.Path(name))
        samples = pathlib.Path(os.environ.get("NETML_TEST_DATA", "absent")) / "formats" / "graphml"
        for path in sorted(samples.glob("*.graphml")):
            account.check(path, lost=0)
        if not account.files:
            print(f"no samples in {samples}: skipped")
        for seed in range(options.seed, options.seed + options.maps):
            generator = Generator(seed)
            path = account.folder / f"made-{seed}.graphml"
            path.write_text(generator.file(), encoding="utf-8")
            account.check(path, lost=generator.lost)
        if networkx is None:
            print("networkx is not installed: what is written was not read by it")
        print(f"{account.files} files, {account.failures} failures")
    return 1 if account.failures else 0


if __name__ == "__main__":
    sys.exit(main())
