"""Topologies of OSCARS: leaves of JSON. Read only."""

import json
import random

from accounts.esnet import leaves, parse

ENDING = ".json"
SAMPLES = ["esnet/oscars-*.json"]
REFUSED = {}
LOST = {"oscars-topology.json": 12}
LOSSLESS = False
WRITTEN = False


def count(path):
    return leaves(parse(path.read_text(encoding="utf-8")))


class Generator:
    """Devices and adjacencies in one file, or one of the three older files."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def place(self):
        return self.random.choice([("0.0", "0.0"), (0, 0), ("59.9", "10.75"), ("120", "10"),
                                   (None, None), (45.5, -75)])

    def device(self, i):
        latitude, longitude = self.place()
        ports = [{"urn": f"d{i}:{port}", "reservableIngressBw": 10 ** port, "ifces": [],
                  "tags": ["x" * 100], "reservableVlans": [{"floor": 2, "ceiling": 4095}]}
                 for port in range(self.random.randint(0, 8))]
        return {"urn": f"d{i}", "model": "JUNIPER_MX", "latitude": latitude,
                "longitude": longitude, "capabilities": ["ETHERNET", "MPLS"],
                "reservableVlans": [], "ports": ports, "locationId": i, "orch": None}

    def adjacencies(self, count, known):
        made = []
        for number in range(self.random.randint(1, 30)):
            devices = self.random.choices(range(count), k=2)
            if self.random.random() < 0.1:
                devices[0] = count
            a, z = ({"device": f"d{device}", "port": f"d{device}:{number}", "addr": f"10.0.0.{i}"}
                    for i, device in enumerate(devices))
            both = [{"a": a, "z": z, "metrics": {"MPLS": 10}, "orch": None}]
            if self.random.random() < 0.4:
                metric = self.random.choice([10, 20])
                both.append({"z": a, "a": z, "orch": None, "metrics": {"MPLS": metric}})
            if devices[0] == devices[1] or (known and count in devices):
                self.lost += leaves(parse(json.dumps(both)))
            made += both
        self.random.shuffle(made)
        return made

    def file(self):
        form = self.random.randrange(5)
        count = self.random.randint(1, 12)
        devices = [self.device(i) for i in range(count)]
        positions = {f"d{i}": {"x": 100 * i, "y": 0} for i in range(count)}
        if form == 0:
            return json.dumps(devices, indent=1)
        if form == 1:
            return json.dumps(self.adjacencies(count, known=False))
        if form == 2:
            return json.dumps({"positions": positions})
        made = {"devices": devices, "problems": [], "adjcies": self.adjacencies(count, known=True)}
        if form == 3:
            made["positions"] = positions | {"elsewhere": {"x": 1, "y": 2}}
            self.lost += 2
        return json.dumps(made)
