"""Networks by RFC 8345 as JSON: each leaf, and each empty object or list."""

import json
import random

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".json"
SAMPLES = ["rfc8345/*.json"]
REFUSED = {"invalid-empty-bf_l2s1.json": "invalid-empty-bf_l2s1.json is empty"}
LOST = {}
LOSSLESS = True

NETWORKS = "ietf-network:networks"
LINK = "ietf-network-topology:link"
POINT = "ietf-network-topology:termination-point"
PLACE = "ietf-geo-location:geo-location"


def way(link, source="source", destination="destination"):
    def side(name):
        there = link.get(name, {})
        start = "source" if name == "source" else "dest"
        return there.get(f"{start}-node"), there.get(f"{start}-tp")
    return side(source) + side(destination)


def elements(path):
    """Nodes that stand for no other one, and links that no other one goes back along."""
    nodes = links = 0
    with open(path, encoding="utf-8") as file:
        networks = json.load(file)[NETWORKS]["network"]
    for network in networks:
        nodes += sum(1 for node in network["node"] if "netml:copy" not in node)
        ways = {way(link) for link in network[LINK]}
        for one in ways:
            links += 0.5 if one[2:] + one[:2] in ways else 1
    return nodes, links


class Generator:
    """Networks with odd texts and forms, and how many of their fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def chance(self, share):
        return self.random.random() < share

    def text(self):
        pieces = ["eth0", "R1", "", " ", "/", "\"", "\\", "\u00c5rhus", "\u2192", "\n", "a:b",
                  "x" * 300]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def value(self, depth=3):
        kind = self.random.randint(0, 6 if depth else 3)
        if kind == 0:
            return self.random.choice([None, True, False])
        if kind == 1:
            return self.random.choice([0, -7, 1.5, 10**15, 1e-7])
        if kind <= 3:
            return self.text()
        if kind == 4:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        return {f"{self.random.choice('abc')}{i}": self.value(depth - 1)
                for i in range(self.random.randint(0, 3))}

    def more(self, into):
        for name in ("ietf-l3-unicast-topology:attributes", "x:flag", "plain", "supporting-node"):
            if self.chance(0.2):
                into[name] = self.value()
        return into

    def place(self):
        place = {"latitude": str(self.random.uniform(-100, 100)),
                 "longitude": str(self.random.uniform(-200, 200))}
        if self.chance(0.3):
            place["height"] = self.random.choice(["12.5", "99999", ""])
        if self.chance(0.3):
            body = self.random.choice(["earth", "moon"])
            place["reference-frame"] = {"astronomical-body": body}
        return place

    def node(self, name):
        node = self.more({"node-id": name})
        if self.chance(0.3):
            node[PLACE] = self.place()
        if self.chance(0.7):
            node[POINT] = [self.more({"tp-id": f"p{i}"}) for i in range(self.random.randint(0, 4))]
        return node

    def link(self, nodes):
        """One or both directions; some lead nowhere."""
        ends = [self.random.choice(nodes + (["nowhere"] if self.chance(0.1) else []))
                for _ in range(2)]
        points = [self.random.choice(["p0", "p1", "p2", None]) for _ in range(2)]

        def one_way(there, back):
            link = self.more({"source": {"source-node": ends[there]},
                              "destination": {"dest-node": ends[back]}})
            for side, name, point in (("source", "source-tp", points[there]),
                                      ("destination", "dest-tp", points[back])):
                if point is not None:
                    link[side][name] = point
            return link
        return [one_way(0, 1)] + ([one_way(1, 0)] if self.chance(0.7) else [])

    def network(self, name):
        nodes = [f"n{i}" for i in range(self.random.randint(1, 12))]
        links = [link for _ in range(self.random.randint(0, 15)) for link in self.link(nodes)]
        self.random.shuffle(links)
        for i, link in enumerate(links):
            link["link-id"] = f"l{i}"
            ends = way(link)
            if ends[0] == ends[2] or "nowhere" in ends:
                self.lost += leaves(link)
        network = self.more({"network-id": name, LINK: links,
                             "node": [self.node(node) for node in nodes]})
        if self.chance(0.5):
            network["network-types"] = {"m:l3": {}}
        return network

    def file(self):
        networks = {"network": [self.network(f"net{i}") for i in range(self.random.randint(1, 4))]}
        return json.dumps({NETWORKS: self.more(networks)}, ensure_ascii=self.chance(0.5),
                          indent=self.random.choice([None, 1]))
