"""KML: attributes and texts of elements, but for declarations (docs/formats/kml.md)."""

import random
import re
import shutil
import subprocess
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape, quoteattr

ENDING = ".kml"
SAMPLES = ["kml/*.kml"]
REFUSED = {}
LOST = {}
LOSSLESS = True

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
KML = "{http://www.opengis.net/kml/2.2}"
BLANKS = " \t\r\n"
DECLARED = {"Data": ["name"], "SimpleData": ["name"], "SchemaData": ["schemaUrl"]}


def local(name):
    return name.rsplit("}", 1)[-1]


def text_of(element):
    return (element.text or "") + "".join(child.tail or "" for child in element)


def count_in(root):
    count = 0
    waiting = [(root, False)]
    while waiting:
        element, declares = waiting.pop()
        name = local(element.tag)
        declares = declares or name == "Schema"
        if not declares:
            count += sum(1 for attribute in element.attrib
                         if not attribute.startswith(XSI)
                         and attribute not in DECLARED.get(name, []))
        is_value = len(element) == 0 and not declares and name == "SimpleData"
        count += 1 if is_value or text_of(element).strip(BLANKS) else 0
        for child in element:
            if name == "Data" and local(child.tag) == "value" and len(child) == 0:
                count += 1
            else:
                waiting.append((child, declares))
    return count


def count(path):
    return count_in(tree.parse(path).getroot())


# ---- the standard ----

FEATURE = ["name", "visibility", "open", "address", "phoneNumber", "Snippet", "description",
           "LookAt", "TimeSpan", "styleUrl", "Style*", "Region", "ExtendedData"]
# Children in their order, "*" for those that may be repeated (OGC 07-147r2).
ORDER = {
    "kml": ["Document"],
    "Document": [*FEATURE, "Schema*", "Folder|Placemark*"],
    "Folder": [*FEATURE, "Folder|Placemark*"],
    "Placemark": [*FEATURE, "Point|LineString|MultiGeometry"],
    "MultiGeometry": ["Point|LineString*"],
    "Point": ["extrude", "altitudeMode", "coordinates"],
    "LineString": ["extrude", "tessellate", "altitudeMode", "coordinates"],
    "TimeSpan": ["begin", "end"],
    "ExtendedData": ["Data*", "SchemaData*"],
    "Data": ["displayName", "value"],
    "Style": ["IconStyle", "LabelStyle", "LineStyle", "PolyStyle"],
    "IconStyle": ["color", "colorMode", "scale", "heading", "Icon"],
    "LineStyle": ["color", "colorMode", "width"],
}
NUMBER = r"-?\d+(\.\d+)?"
TEXTS = {
    "coordinates": rf"{NUMBER},{NUMBER}(,{NUMBER})?([ \n\t]+{NUMBER},{NUMBER}(,{NUMBER})?)*",
    "begin": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)",
    "end": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)",
    "color": r"[0-9a-fA-F]{8}",
    "altitudeMode": "clampToGround|relativeToGround|absolute",
    "scale": r"\d+(\.\d+)?",
    "width": r"\d+(\.\d+)?",
    "styleUrl": r"#[^ ]+",
}
ATTRIBUTES = {"Placemark": {"id"}, "Style": {"id"}, "Data": {"name"}}
NEEDED = {"Data": "value", "Point": "coordinates", "LineString": "coordinates"}


def faults_of_children(element, name):
    place = 0
    for child in element:
        order = ORDER[name]
        while place < len(order) and local(child.tag) not in order[place].strip("*").split("|"):
            place += 1
        if place == len(order):
            yield f"{local(child.tag)} does not stand there in {name}"
            return
        if not order[place].endswith("*"):
            place += 1
    if name in NEEDED and not any(local(child.tag) == NEEDED[name] for child in element):
        yield f"{name} lacks {NEEDED[name]}"


def faults_in(root):
    ids = set()
    styles = {f"#{style.get('id')}" for style in root.iter(f"{KML}Style")}
    if root.tag != f"{KML}kml":
        yield f"the root is {root.tag}"
    for element in root.iter():
        name = local(element.tag)
        if not element.tag.startswith(KML):
            yield f"{element.tag} is of another namespace"
        if set(element.attrib) - ATTRIBUTES.get(name, set()):
            yield f"{name} has the attributes {sorted(element.attrib)}"
        if "id" in element.attrib:
            identifier = element.get("id")
            if identifier in ids or not re.fullmatch(r"[A-Za-z_][\w.-]*", identifier):
                yield f"the id {identifier} is none, or stands twice"
            ids.add(identifier)
        if name in ORDER:
            yield from faults_of_children(element, name)
            if text_of(element).strip(BLANKS):
                yield f"{name} holds text"
        elif len(element):
            yield f"{name} holds elements"
        if name in TEXTS and not re.fullmatch(TEXTS[name], element.text or ""):
            yield f"{name} is {element.text}"
        if name == "styleUrl" and element.text not in styles:
            yield f"there is no style {element.text}"
        if name == "Data" and "name" not in element.attrib:
            yield "Data lacks a name"


def faults(path):
    return list(faults_in(tree.parse(path).getroot()))


# ---- GDAL ----

def elements(path):
    """Nodes and links, as GDAL finds them with their values, if it also finds each geometry."""
    if shutil.which("ogrinfo") is None:
        return None
    done = subprocess.run(["ogrinfo", "-ro", "-al", "-geom=SUMMARY", path], capture_output=True,
                          text=True, check=False)
    nodes = links = points = lines = 0
    for feature in done.stdout.split("\nOGRFeature(")[1:]:
        points += bool(re.search(r"^  POINT", feature, re.MULTILINE))
        lines += bool(re.search(r"^  (MULTI)?LINESTRING", feature, re.MULTILINE))
        if re.search(r"^  kind \(String\) = institution$", feature, re.MULTILINE):
            continue
        if all(re.search(rf"^  {end} \(String\) = n\d+$", feature, re.MULTILINE)
               for end in ("source", "target")):
            links += 1
        else:
            nodes += 1
    placemarks = list(tree.parse(path).getroot().iter(f"{KML}Placemark"))
    drawn = [[placemark for placemark in placemarks
              if any(placemark.find(f"{KML}{geometry}") is not None for geometry in geometries)]
             for geometries in (["Point"], ["LineString", "MultiGeometry"])]
    if (points, lines) != (len(drawn[0]), len(drawn[1])):
        return f"{points} points, {lines} lines"
    return nodes, links


# ---- maps ----

class Generator:
    """A KML file with odd texts and forms, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.places = []  # of all nodes that have one
        self.ids = []

    def chance(self, part):
        return self.random.random() < part

    def text(self):
        pieces = ["Oslo", "Bergen", "None", "Århus", "<b>", "a & b", "\"", "'", "?", "10 GB/s", "ß"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def element(self, name, text):
        if "]]>" not in text and self.chance(0.2):
            return f"<{name}><![CDATA[{text}]]></{name}>"
        blank = self.random.choice(["", "\n  "])
        return f"<{name}>{blank}{escape(text)}{blank}</{name}>"

    def head(self):
        """Elements of a feature and its values; how many fields they are, and lost as such."""
        out, fields, lost = [], 0, 0
        for name, part, text in [
                ("name", 0.8, self.text()), ("visibility", 0.2, "1"), ("open", 0.1, "0"),
                ("address", 0.2, self.text()), ("description", 0.4, self.text() * 100),
                ("styleUrl", 0.3, "#s")]:
            if self.chance(part):
                out.append(self.element(name, text))
                fields += 1
                lost += name in ("visibility", "open", "styleUrl")
        if self.chance(0.2):
            out.append('<LookAt><longitude>5</longitude><range>9</range></LookAt>')
            fields, lost = fields + 2, lost + 2
        if self.chance(0.2):
            begin = self.random.choice(["2001-02-03T04:05:06Z", "2001", "soon"])
            out.append(f"<TimeSpan>{self.element('begin', begin)}</TimeSpan>")
            fields += 1
        return "".join(out), fields, lost

    def values(self, pairs):
        if not pairs:
            return ""
        data = "".join(f"<Data name={quoteattr(name)}><value>{escape(value)}</value></Data>"
                       for name, value in pairs)
        return f"<ExtendedData>{data}</ExtendedData>"

    def pairs(self):
        pairs = []
        for name in ("owner", "speed", "Note", "lat"):
            if self.chance(0.3):
                pairs.append((name, self.random.choice(["GARR", "", " 5 ", self.text()])))
        return pairs

    def placemark(self, head, pairs, geometry, identifier=""):
        extended = self.values(pairs)
        if extended and self.chance(0.3):
            typed = '<SchemaData schemaUrl="#s"><SimpleData name="x">1</SimpleData></SchemaData>'
            extended = extended.replace("<ExtendedData>", f"<ExtendedData>{typed}")
            pairs.append(("x", "1"))
        attribute = f' id="{identifier}"' if identifier else ""
        return f"<Placemark{attribute}>{head}{extended}{geometry}</Placemark>\n"

    def node(self):
        head, _, lost = self.head()
        self.lost += lost
        identifier = ""
        if self.chance(0.5):
            identifier = f"p{len(self.ids)}"
            self.ids.append(identifier)
        form = self.random.random()
        if form < 0.1:
            geometry = ""
        elif form < 0.2:
            geometry = "<Point><coordinates>10,95</coordinates></Point>"
        else:
            place = (f"{round(self.random.uniform(-180, 180), 5)},"
                     f"{round(self.random.uniform(-90, 90), 5)}")
            if self.places and self.chance(0.05):
                place = self.random.choice(self.places)
            self.places.append(place)
            height = self.random.choice(["", ",0", ",12.5"])
            geometry = f"<Point><coordinates>{place}{height}</coordinates></Point>"
            if self.chance(0.2):
                geometry = geometry.replace("<Point>", "<Point><extrude>1</extrude>")
                self.lost += 1
        return self.placemark(head, [pair for pair in self.pairs() if pair[0] != "lat"], geometry,
                              identifier)

    def line(self):
        """Between two places, or to where there may be none; what is at fault takes all of it."""
        head, fields, lost = self.head()
        pairs = self.pairs()
        named = len(self.ids) > 1 and self.chance(0.4)
        first, last = (self.random.choice(self.places or ["1,1"]) for _ in range(2))
        if self.chance(0.1):
            last = "0.5,0.5"
        way = self.random.choice(["", "", " 1,2 3,4"])
        geometry = f"<LineString><coordinates>{first}{way} {last}</coordinates></LineString>"
        texts = 1
        if named:
            ends = [self.random.choice([*self.ids, "nowhere"]) for _ in range(2)]
            pairs += [("source", ends[0]), ("target", ends[1])]
            if self.chance(0.3):
                geometry, texts = "", 0
        text = self.placemark(head, pairs, geometry)

        def is_lost():
            if named:
                return ends[0] == ends[1] or "nowhere" in ends
            return first == last or any(self.places.count(end) != 1 for end in (first, last))
        return text, lambda: fields + len(pairs) + texts if is_lost() else lost

    def area(self):
        head, fields, _ = self.head()
        pairs = self.pairs()
        ring = "<LinearRing><coordinates>0,0 1,1 1,0 0,0</coordinates></LinearRing>"
        point = "<Point><coordinates>1,1</coordinates></Point>"
        line = "<LineString><coordinates>1,1 2,2</coordinates></LineString>"
        geometry = self.random.choice([
            f"<Polygon><extrude>1</extrude><outerBoundaryIs>{ring}</outerBoundaryIs></Polygon>",
            f"<MultiGeometry>{ring}{point}</MultiGeometry>",
            f"<MultiGeometry>{point}{line}</MultiGeometry>"])
        text = self.placemark(head, pairs, geometry)
        self.lost += fields + len(pairs) + 2
        return text

    def other(self):
        self.lost += 2
        return self.random.choice([
            '<NetworkLink><name>n</name><Link><href>http://x.org/</href></Link></NetworkLink>',
            '<Style id="s"><LineStyle><color>ff0000ff</color></LineStyle></Style>',
            '<GroundOverlay><name>i</name><Icon><href>i.png</href></Icon></GroundOverlay>'])

    def folders(self, features):
        """Some of the features in folders, which are topologies or groups."""
        out, depth = [], 0
        for feature in features:
            if depth < 4 and self.chance(0.15):
                group = self.chance(0.3)
                kind = self.values([("kind", "group")]) if group else ""
                out.append(f"<Folder>{self.element('name', self.text())}{kind}")
                depth += 1
            out.append(feature)
            if depth > 0 and self.chance(0.15):
                out.append("</Folder>")
                depth -= 1
        return "".join(out) + depth * "</Folder>"

    def file(self):
        features = [self.node() for _ in range(self.random.randint(1, 25))]
        lines = [self.line() for _ in range(self.random.randint(0, 25))]
        self.lost += sum(lost() for _, lost in lines)
        features += [text for text, _ in lines]
        features += [self.area() for _ in range(self.random.randint(0, 2))]
        features += [self.other() for _ in range(self.random.randint(0, 2))]
        if self.chance(0.5):
            self.random.shuffle(features)
        schema = ('<Schema name="s" id="s"><SimpleField name="x" type="int"></SimpleField></Schema>'
                  if self.chance(0.5) else "")
        space = self.random.choice(["http://www.opengis.net/kml/2.2",
                                    "http://earth.google.com/kml/2.1"])
        return (f'<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="{space}"><Document>'
                f"{self.element('name', self.text())}{schema}{self.folders(features)}"
                "</Document></kml>\n")
