#!/usr/bin/env python3
"""One network as GraphML and as GML is the same map, apart from differences between the files.

Goal: what is called the same in both formats becomes the same; each difference that is left is
listed with what in the files explains it, and any other is a failure.
Method: `netml convert` of the networks of which $NETML_TEST_DATA/formats has both files (the
Internet Topology Zoo); nodes, links and all they say are compared as they stand in the NetML files.
"""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

GRENML = "{http://schemas.ogf.org/nml/2020/01/grenml}"


def fields(element):
    """Of an element of NetML: its texts by name, but for those of elements inside it."""
    found = collections.Counter()
    for child in element:
        name = child.tag.removeprefix(GRENML)
        if name == "Property":
            found["property " + child.get("name"), child.text or ""] += 1
        elif name == "Location":
            found.update((inner.tag.removeprefix(GRENML), inner.text) for inner in child)
        elif name not in ("Institution", "Node", "Link", "Topology", "node"):
            found[name, child.text or ""] += 1
    return found


class Map:
    def __init__(self, program, path, folder):
        out = folder / f"{path.name}.xml"
        subprocess.run([program, "convert", path, out], check=True, capture_output=True)
        root = tree.parse(out).getroot()
        self.network = root.get("id"), fields(root)
        self.nodes = {node.get("id"): fields(node) for node in root.iter(f"{GRENML}Node")}
        self.links = collections.defaultdict(list)  # by their ends
        for link in root.iter(f"{GRENML}Link"):
            ends = tuple(sorted(end.text for end in link.findall(f"{GRENML}node")))
            self.links[ends].append((link.get("id"), fields(link)))


class Comparison:
    def __init__(self, graphml, gml, gml_text):
        self.explained = collections.Counter()
        self.failures = []
        self.gml_text = gml_text
        self.compare_fields("network", graphml.network[1], gml.network[1])
        self.check("network", graphml.network[0] == gml.network[0], "has another identifier")
        self.check("nodes", graphml.nodes.keys() == gml.nodes.keys(), "are not the same")
        for node in graphml.nodes.keys() & gml.nodes.keys():
            self.compare_fields(f"node {node}", graphml.nodes[node], gml.nodes[node])
        self.check("ends", graphml.links.keys() == gml.links.keys(), "are not the same")
        for ends in graphml.links.keys() & gml.links.keys():
            self.compare_links(ends, graphml.links[ends], gml.links[ends])

    def check(self, what, holds, text):
        if not holds:
            self.failures.append(f"{what}: {text}")

    def compare_fields(self, what, in_graphml, in_gml):
        only_graphml, only_gml = in_graphml - in_gml, in_gml - in_graphml
        for name, text in only_graphml.elements():
            if name == "property id" and what.startswith("node "):
                self.check(what, f"\n    id {text}\n" in self.gml_text, "has another id in GML")
                self.explained["GraphML repeats the id of a node as a value"] += 1
            elif name == "property key" and what.startswith("link "):
                self.check(what, "\n    key " not in self.gml_text, "lacks its key")
                self.explained["edges of GML have no key"] += 1
            else:
                self.failures.append(f"{what}: only GraphML has {name} {text!r}")
        for name, text in only_gml.elements():
            self.failures.append(f"{what}: only GML has {name} {text!r}")

    def compare_links(self, ends, in_graphml, in_gml):
        self.check(ends, len(in_graphml) == len(in_gml), "not as many links")

        def order(link):  # without the key
            return sorted(field for field in link[1].elements() if field[0] != "property key")

        pairs = zip(sorted(in_graphml, key=order), sorted(in_gml, key=order))
        for (graphml_id, graphml), (gml_id, gml) in pairs:
            self.compare_fields(f"link {gml_id}", graphml, gml)
            if graphml_id == gml_id:
                continue
            self.check(f"link {gml_id}", len(in_gml) > 1, f"is called {graphml_id} by GraphML")
            self.explained["parallel links are known by their key, too, where they have one"] += 1


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    samples = pathlib.Path(os.environ.get("NETML_TEST_DATA", "absent")) / "formats"
    pairs = [(path, samples / "gml" / f"{path.stem}.gml")
             for path in sorted(samples.glob("graphml/*.graphml"))]
    pairs = [pair for pair in pairs if pair[1].exists()]
    if not pairs:
        print(f"no samples in {samples}: skipped")
        return 0
    failed = 0
    for graphml, gml in pairs:
        with tempfile.TemporaryDirectory() as name:
            maps = [Map(program, path, pathlib.Path(name)) for path in (graphml, gml)]
        comparison = Comparison(*maps, gml.read_text(encoding="utf-8"))
        links = sum(map(len, maps[1].links.values()))
        print(f"{gml.stem}: {len(maps[1].nodes)} nodes, {links} links")
        for text, count in sorted(comparison.explained.items()):
            print(f"  {count} x {text}")
        for text in comparison.failures:
            print(f"  FAILED {text}")
        failed += len(comparison.failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
