"""Topologies of AtlanticWave-SDX: leaves, and empty lists and objects."""

import json
import random

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".sdx"
SAMPLES = ["sdx/*.json"]
REFUSED = {}
# Its only link joins ports of nodes that it does not have; statuses and losses are private.
LOST = {"ampath.json": 4, "ampath_v2.json": 14}
LOSSLESS = True


def elements(path):
    """Nodes, and links that join ports of them."""
    map_ = json.loads(path.read_text(encoding="utf-8"))
    ports = {port["id"] for node in map_["nodes"] for port in node["ports"] if "id" in port}
    nodes = {node["id"] for node in map_["nodes"]}

    def is_here(port):
        if isinstance(port, dict):
            return port.get("id") in ports or port.get("node") in nodes
        return port in ports

    links = [link for link in map_["links"] if all(map(is_here, link["ports"]))]
    return len(nodes), len({link["id"] for link in links})


class Generator:
    """A topology of either model, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.model = self.random.choice([1, 2])

    def text(self):
        pieces = ["Miami", "São Paulo", "", " ", "\"", "\\", "\n", "10 GB/s", "True", "7", "{", "é"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def hide(self, value):
        """Perhaps says that some of the members are private."""
        names = [name for name in value if name not in ("id", "ports", "node", "location")]
        if names and self.random.random() < 0.3:
            hidden = self.random.sample(names, self.random.randint(1, len(names)))
            value["private"] = hidden
            self.lost += sum(leaves(value[name]) for name in hidden)
        return value

    def port(self, name, node):
        port = {"id": name, "node": node, "name": self.text(), "status": "up"}
        if self.random.random() < 0.5:
            port["mtu"] = self.random.choice(["1500", 9000, 1.5, None])
        if self.model == 1:
            port["label_range"] = ["100-200", "1000"]
        else:
            port["services"] = {"l2vpn-ptp": {"vlan_range": [[1, 4095]]}}
            port["nni"] = self.random.choice(["", f"urn:sdx:port:y.net:{name}", "urn:sdx:link:x"])
        return self.hide(port)

    def node(self, i):
        node = f"urn:sdx:node:x.net:n{i}"
        value = {"id": node, "name": self.text(), "ports": [
            self.port(f"urn:sdx:port:x.net:n{i}:{j}", node)
            for j in range(self.random.randint(1, 4))]}
        if self.random.random() < 0.7:
            value["location"] = {"address": self.text(), "latitude": 25.5, "longitude": -80.25,
                                 "iso3166_2_lvl4": self.random.choice(["US-FL", "US-MIA", "BR-SP"])}
        if self.random.random() < 0.3:
            value["extra"] = self.random.choice([[], {}, {"a": [1, {"b": None}]}, ["x", "y"], True])
        return self.hide(value)

    def link(self, i, nodes):
        def end(node):
            port = self.random.choice(node["ports"])
            return port["id"] if self.model == 2 else {"id": port["id"], "node": port["node"]}
        a, b = self.random.sample(nodes, 2)
        link = {"id": f"urn:sdx:link:x.net:l{i}", "name": self.text(), "bandwidth": 10,
                "ports": [end(a), end(b)]}
        kind = self.random.random()
        if kind < 0.15:
            link["ports"][1] = f"urn:sdx:port:y.net:c:{i}"
        elif kind < 0.25:
            link["ports"] = [f"urn:sdx:port:y.net:c:{i}", f"urn:sdx:port:y.net:d:{i}"]
            self.lost += leaves(link)
            return link
        return self.hide(link)

    def file(self):
        nodes = [self.node(i) for i in range(self.random.randint(2, 10))]
        links = [self.link(i, nodes) for i in range(self.random.randint(0, 12))]
        map_ = {"id": "urn:sdx:topology:x.net", "name": "X", "version": 1, "nodes": nodes,
                "model_version": "1.0.0" if self.model == 1 else "2.0.0", "links": links,
                "timestamp": self.random.choice(["2024-07-18T15:33:12Z", "20210811-214909"])}
        if self.random.random() < 0.5:
            map_["domain_service"] = {"owner": "FIU"}
        self.random.shuffle(nodes)
        return json.dumps(map_, ensure_ascii=self.random.random() < 0.5,
                          indent=self.random.choice([None, 2]))
