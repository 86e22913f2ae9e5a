"""GraphML: attributes and texts of elements."""

import random
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape, quoteattr

from accounts._graphs import elements_by

ENDING = ".graphml"
SAMPLES = ["graphml/*.graphml"]
REFUSED = {}
LOST = {}
LOSSLESS = True

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def local(name):
    return name.rsplit("}", 1)[-1]


def count(path):
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


def elements(path):
    return elements_by("read_graphml", path, force_multigraph=True)


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
        is_directed = self.random.random() < 0.2
        self.lost += is_directed
        edges = "directed" if is_directed else "undirected"
        return (f'<?xml version="1.0"?>\n<graphml xmlns="{GRAPHML}">{keys}\n'
                f'<graph id="net" edgedefault="{edges}">\n{"".join(body)}</graph></graphml>\n')
