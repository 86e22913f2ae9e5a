"""Maps of ESnet's panel: leaves of JSON, also of the maps that a dashboard holds as texts."""

import json
import random

ENDING = ".json"
SAMPLES = ["esnet/panel-*.json", "esnet/grafana-*.json"]
REFUSED = {}
LOST = {"panel-three-sites.json": 21, "grafana-dashboard.json": 192}
LOSSLESS = True


class Members(list):
    """Names and values of an object; a name may be repeated."""


def parse(text):
    return json.loads(text, object_pairs_hook=Members)


def map_in(name, value):
    """The map that a text is, if it is one."""
    if not name.startswith("mapjson") or not isinstance(value, str):
        return None
    try:
        found = parse(value)
    except ValueError:
        return None
    is_map = isinstance(found, Members) and any(
        member in ("nodes", "edges") and type(content) is list for member, content in found)
    return found if is_map else None


def leaves(value):
    if not isinstance(value, list) or not value:
        return 1
    if not isinstance(value, Members):
        return sum(leaves(item) for item in value)
    maps = [(map_in(name, item), item) for name, item in value]
    return sum(leaves(item if found is None else found) for found, item in maps)


def count(path):
    return leaves(parse(path.read_text(encoding="utf-8")))


def elements(path):
    """Each edge that is written has ends."""
    written = json.loads(path.read_text(encoding="utf-8"))
    return len(written["nodes"]), len(written["edges"])


class Generator:
    """A map in either form, or a dashboard of several."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def chance(self, part):
        return self.random.random() < part

    def text(self):
        pieces = ["Oslo", "Bergen", "", " ", "Århus", "<b>", "a & b", "\"", "'", "\n", "ß", "0,0"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def position(self):
        """Degrees, pixels, or what stands for an unknown place."""
        kind = self.random.randrange(6)
        if kind == 0:
            return self.random.choice([[0, 0], ["0.0", "0.0"], None, []])
        if kind == 1:
            return [self.random.randint(100, 900), self.random.randint(0, 900)]
        place = [round(self.random.uniform(-90, 90), 5), round(self.random.uniform(-180, 180), 5)]
        return [str(number) for number in place] if kind == 2 else place

    def meta(self):
        meta = {"display_name": self.text(), "svg": ""}
        if self.chance(0.2):
            meta["tags"] = [self.text(), self.text(), self.text()]
        if self.chance(0.2):
            meta["more"] = {"a": [1, {"b": None}], "c": self.text()}
        if self.chance(0.2):
            meta["owners"] = self.random.sample(["GARR", "SURF", "CANARIE"], 2)
        if self.chance(0.1):
            meta["properties"] = {"name": self.text(), "a@b[]": ["x", "y"]}
        if self.chance(0.03):
            meta["long"] = "x" * self.random.randint(513, 700)
            self.lost += 1
        return meta

    def nodes(self, newer):
        nodes = []
        for i in range(self.random.randint(1, 20)):
            node = {"name": f"N{i}" + self.text().strip()}
            if self.chance(0.9):
                node["coordinate" if newer else "latLng"] = self.position()
            if newer or self.chance(0.1):
                node["meta"] = self.meta()
            nodes.append(node)
        if self.chance(0.2):
            nodes += [{"name": "twin", "meta": {"number": i}} for i in range(2)]
        return nodes

    def edge(self, nodes, newer):
        """One of which the ends are known, or all of it is lost."""
        ends = self.random.choices([node for node in nodes if node["name"] != "twin"], k=2)
        names = [end["name"] for end in ends]
        before = self.lost
        edge = {"name": "---".join(names)}
        if newer or self.chance(0.2):
            edge["meta"] = self.meta() | {"endpoint_identifiers": {"pops": [self.text()]}}
            edge["children"] = self.random.choice([[], [{"name": "child", "children": []}]])
        if newer and self.chance(0.7):
            edge["name"] = self.text()
            edge["meta"]["endpoint_identifiers"]["names"] = names
        elif self.chance(0.1):
            edge["name"] = self.random.choice(["none-a", "---", "twin---" + names[0], "x---y"])
            names = None
        places = [end.get("coordinate", end.get("latLng")) or [7, 7] for end in ends]
        ways = [[self.random.randint(-80, 80), 5.5] for _ in range(self.random.randint(0, 60))]
        if names is None:
            places = [[1.25, 1.25], [2.5, 2.5]]
        if self.chance(0.8):
            edge["coordinates" if newer else "latLngs"] = [places[0], *ways, places[1]]
        if names is None or names[0] == names[1]:
            self.lost = before + leaves(parse(json.dumps(edge)))
        return edge

    def map(self):
        newer = self.chance(0.5)
        nodes = self.nodes(newer)
        edges = [self.edge(nodes, newer) for _ in range(self.random.randint(0, 20))]
        made = {"edges": edges, "nodes": nodes}
        if self.chance(0.3):
            made["pathLayout"] = {"type": "curveBasis"}
        if self.chance(0.1):
            made["meta"] = {"name": "a map", "note": self.text()}
        return made

    def layer(self, name):
        self.lost += 2
        return {"name": name, "color": "red", "mapjson": json.dumps(self.map()),
                "edgeWidth": None}

    def dashboard(self):
        self.lost += 5
        layers = [self.layer(name) for name in ("a", "b", "a")]
        return {"title": self.text(), "uid": "u", "tags": [], "version": 3, "refresh": "5s",
                "panels": [{"id": 4, "title": "map", "options": {"layers": layers}},
                           {"id": 5, "mapjson": "", "targets": []}]}

    def file(self):
        if not self.chance(0.3):
            return json.dumps(self.map(), ensure_ascii=self.chance(0.5))
        return json.dumps(self.dashboard(), indent=self.random.choice([None, 1]))
