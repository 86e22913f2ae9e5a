"""GeoJSON: the leaves of features, with odd geometries, ends of links named in several ways."""

import json
import random
import re
import shutil
import subprocess

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".geojson"
SAMPLES = ["geojson/*.geojson"]
REFUSED = {}
LOST = {}
LOSSLESS = True


def elements(path):
    """By ogrinfo of GDAL."""
    if shutil.which("ogrinfo") is None:
        return None
    found = []
    for kind in ("node", "link"):
        done = subprocess.run(["ogrinfo", "-ro", "-al", "-so", "-where", f"kind = '{kind}'", path],
                              capture_output=True, text=True, check=False)
        layer = re.search(r"Feature Count: (\d+)", done.stdout)
        found.append(int(layer[1]) if layer else -1)
    return tuple(found)


class Generator:
    """A FeatureCollection of odd features, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.nodes = []  # names, identifiers as links name them, places

    def text(self):
        pieces = ["Oslo", "Bergen", "None", "", " ", "Århus", "<b>", "a & b", "\"", "\\", "?",
                  "10 GB/s", "ß", "\n", "@", "[]", "."]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def value(self, depth=0):
        kind = self.random.randrange(9 if depth < 3 else 6)
        if kind == 0:
            return None
        if kind == 1:
            return self.random.choice([True, False])
        if kind == 2:
            return self.random.choice([0, -1, 10, 1.5, 1e30, 4.976])
        if kind == 3 and self.random.random() < 0.1:
            return "x" * self.random.randint(513, 2000)
        if kind in (3, 4, 5):
            return self.text()
        if kind == 6:
            return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        return {f"m{i}": self.value(depth + 1) for i in range(self.random.randrange(4))}

    def others(self):
        names = ["note", "Tags", "kind", "a.b", "x@y", "l[]", "capacity", "", "geometry", "course",
                 "property.z", "status"]
        return {name: self.value() for name in self.random.sample(names, self.random.randrange(5))}

    def place(self):
        longitude = self.random.choice([self.random.uniform(-180, 180), 180, -180, 170, -170])
        return [round(longitude, 5), round(self.random.uniform(-90, 90), 5)]

    def node(self):
        number = len(self.nodes)
        place = self.place()
        properties = self.others()
        feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": place},
                   "properties": properties}
        odd = self.random.random()
        if odd < 0.1:
            feature["geometry"], place = None, None
        elif odd < 0.2:
            feature["geometry"]["coordinates"], place = [500, 99.5], None
        elif odd < 0.25:
            place = None
            feature["geometry"] = {"type": "Polygon", "coordinates": [[[1, 2], [3, 4]]]}
        elif odd < 0.4:
            feature["geometry"]["coordinates"] = place + [12.5]
        way = self.random.randrange(4)
        called = f"n{number}"
        if way == 0:
            feature["id"] = called
        elif way == 1:
            properties["id"] = called
        elif way == 2:
            properties["identifier"] = called
        else:
            properties["name"] = called
        if way != 3 and self.random.random() < 0.8:
            properties["name"] = f"a node {number}" + self.text()
        if self.random.random() < 0.02 and way != 3:
            properties["name"] = "x" * 200
            self.lost += 1
        if self.random.random() < 0.2:
            owners = ["GARR", "SURF", ["GARR", "SURF"], {"name": "X"}]
            properties["owner"] = self.random.choice(owners)
        self.nodes.append((called, place))
        return feature

    def line(self, places):
        if None in places:
            return None
        odd = self.random.random()
        if odd < 0.4:
            return {"type": "LineString", "coordinates": places}
        if odd < 0.8:
            way = [self.place() for _ in range(self.random.randint(1, 40))]
            return {"type": "LineString", "coordinates": [places[0], *way, places[1]]}
        if odd < 0.9:
            return {"type": "MultiLineString",
                    "coordinates": [[places[0], [180, 7]], [[-180, 7], places[1]]]}
        return {"type": "LineString", "coordinates": "none"}

    def link(self):
        ends = [self.random.choice(self.nodes) for _ in range(2)]
        names, places = [end[0] for end in ends], [end[1] for end in ends]
        geometry = self.line(places)
        properties = self.others()
        pair = self.random.choice([("source", "target"), ("from", "to"), ("start", "end")])
        broken = self.random.random() < 0.1
        if broken:
            names[0], geometry = "nobody", None
        properties.update(zip(pair, names))
        if geometry is None:
            properties["kind"] = "link"
        if self.random.random() < 0.3:
            properties["id"] = self.random.randrange(1000)
        feature = {"type": "Feature", "properties": properties, "geometry": geometry}
        if broken or names[0] == names[1]:
            self.lost += leaves(feature)
        return feature

    def file(self):
        features = [self.node() for _ in range(self.random.randint(1, 30))]
        features += [self.link() for _ in range(self.random.randint(0, 40))]
        self.random.shuffle(features)
        collection = {"type": "FeatureCollection", "features": features}
        if self.random.random() < 0.5:
            collection.update({"bbox": [-180, -90, 180, 90], "name": "Net", "x": self.value()})
        return json.dumps(collection, ensure_ascii=self.random.random() < 0.5,
                          indent=self.random.choice([None, 1]))
