"""Networks of GNPy: each leaf, and each empty object or list."""

import json
import random

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".json"
SAMPLES = ["gnpy/*.json"]
REFUSED = {}
LOST = {}
LOSSLESS = False  # it has neither owners nor topologies, and a link is two fibres


class Generator:
    """A network with odd texts and forms, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.elements = []
        self.connections = []

    def chance(self, share):
        return self.random.random() < share

    def location(self):
        location = {"latitude": self.random.choice([0, 0.0, 2, 51.25, -99.739998, 200, None]),
                    "longitude": self.random.choice([0, 0.0, 3, 1.5, -0.0, "east"])}
        if self.chance(0.5):
            location["city"] = self.random.choice(["\u00c5rhus", "", "None"])
        return {"location": location}

    def element(self, uid, kind):
        element = {"uid": uid, "type": kind}
        if self.chance(0.5):
            element["metadata"] = self.random.choice(
                [self.location(), {}, None, {"note": "x" * 600}])
        if self.chance(0.4):
            element["type_variety"] = self.random.choice(["SSMF", None, ""])
        if self.chance(0.4):
            element["params"] = self.random.choice([
                {}, {"length": 80.5, "length_units": "km", "loss_coef": 0.2, "con_in": None},
                {"restrictions": {"preamp": [], "booster": ["y" * 700]}}, {"length": None}])
        if self.chance(0.3):
            element["operational"] = {"gain_target": None, "pumps": [{"power": 0.2}]}
        self.elements.append(element)
        return element

    def connect(self, first, second):
        connection = {"from_node": first, "to_node": second}
        if self.chance(0.05):
            connection["note"] = {"a": [1, 2]}
            self.lost += 2
        self.connections.append(connection)

    def file(self):
        nodes = [f"node \u2192 {i}" for i in range(self.random.randint(2, 12))]
        for node in nodes:
            self.element(node, self.random.choice(["Roadm", "Edfa", "Fused", "Transceiver"]))
        for i in range(self.random.randint(0, 15)):
            fiber = self.element(f"fibre {i}", self.random.choice(["Fiber", "RamanFiber"]))
            ends = [self.random.choice(nodes) for _ in range(2)]
            sides = self.random.choice([2, 2, 2, 2, 1, 3])  # how many connections it has
            self.connect(ends[0], fiber["uid"])
            if sides > 1:
                self.connect(fiber["uid"], ends[1])
            if sides > 2:
                self.connect(fiber["uid"], nodes[0])
            if sides != 2 or ends[0] == ends[1]:
                self.lost += leaves(fiber) + 2 * sides
        for _ in range(self.random.randint(0, 5)):
            self.connect(*self.random.sample(nodes, 2))
        self.random.shuffle(self.elements)
        self.random.shuffle(self.connections)
        return json.dumps({"elements": self.elements, "connections": self.connections},
                          ensure_ascii=self.chance(0.5), indent=self.random.choice([None, 1]))
