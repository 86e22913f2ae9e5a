"""Network packages of the Open Fibre Data Standard."""

import json
import random

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".json"
SAMPLES = ["ofds/*.json"]
REFUSED = {"network-package-invalid.json": "/networks/0/contracts"}
LOST = {}
LOSSLESS = False
WRITTEN = False


class Generator:
    """A package of networks, in which some spans join no two nodes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def text(self):
        return self.random.choice(["Oslo", "a & b", "ß", "x" * 600, "\"", "1"])

    def provider(self):
        return {"id": "p", "name": self.random.choice(["FibreOne", "FibreTwo"])}

    def node(self, number):
        node = {"id": str(number), "name": f"node {number}", "power": True, "technologies": ["ip"]}
        if self.random.random() < 0.8:
            node["location"] = {"type": "Point", "coordinates": [number % 180, number % 90]}
        if self.random.random() < 0.5:
            node["physicalInfrastructureProvider"] = self.provider()
        if self.random.random() < 0.3:
            node["note"] = self.text()
        return node

    def span(self, number, nodes):
        ends = [self.random.randrange(nodes + 1) for _ in range(2)]
        span = {"id": str(number), "start": str(ends[0]), "end": str(ends[1]), "darkFibre": None,
                "phase": {"id": "1", "name": self.text()}}
        if self.random.random() < 0.5:
            span["networkProviders"] = [self.provider()]
        if self.random.random() < 0.2:
            del span["end"]
        if "end" not in span or ends[0] == ends[1] or nodes in ends:
            self.lost += leaves(span)
        return span

    def network(self, number):
        nodes = self.random.randrange(20)
        network = {"id": f"network-{number}", "name": "Net", "nodes": [], "spans": []}
        network["nodes"] = [self.node(i) for i in range(nodes)]
        network["spans"] = [self.span(i, nodes) for i in range(self.random.randrange(30))]
        network["phases"] = [{"id": "1", "name": self.text()}]
        network["contracts"] = [{"id": "1", "value": {"amount": 7}, "documents": []}]
        network["organisations"] = [dict(self.provider(), roles=["owner"])]
        return network

    def file(self):
        networks = [self.network(i) for i in range(self.random.choice([1, 1, 3]))]
        return json.dumps({"networks": networks, "links": {"next": "https://example.com"}})
