"""Maps that change step by step by chance, as files of the exchange format."""

from xml.sax.saxutils import escape, quoteattr

SPACES = ('xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" '
          'xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"')
NAMES = ["Oslo", "Zürich", "Łódź", "東京", "a \"b\" & <c>", "Ærø 🌊"]
KINDS = ("Institution", "Link", "Node")  # in the order of the format


class RandomMap:
    """A network with campuses below it. Each topology has its own elements and owns what they own;
    some nodes are listed by the network, too."""

    def __init__(self, dice):
        self.dice = dice
        self.made = 0
        self.topologies = {}
        self.add_topology("net")
        for _ in range(8):
            self.step()

    def add_topology(self, name):
        owner = f"urn:r:{name}:owner"
        self.topologies[name] = {"name": name, "properties": [], "elements": {
            ("Institution", owner): {"name": name}}}

    def new_id(self, kind, topology):
        self.made += 1
        return f"urn:r:{topology}:{kind.lower()}:{self.made}"

    def elements(self, topology, kind):
        return [id_ for kind_, id_ in self.topologies[topology]["elements"] if kind_ == kind]

    def add_element(self, topology):
        kind = self.dice.choice(KINDS)
        nodes = self.elements(topology, "Node")
        if kind == "Link" and len(nodes) < 2:
            kind = "Node"
        element = {"name": self.dice.choice(NAMES)}
        if kind == "Link":
            element["ends"] = self.dice.sample(nodes, 2)
        if kind != "Institution":
            institutions = self.elements(topology, "Institution")
            element["owners"] = self.dice.sample(institutions, self.dice.randint(0, 1))
        self.topologies[topology]["elements"][(kind, self.new_id(kind, topology))] = element

    def change_element(self, topology):
        key = self.dice.choice(sorted(self.topologies[topology]["elements"]))
        element = self.topologies[topology]["elements"][key]
        what = self.dice.randrange(5)
        if what == 0:
            element["name"] = self.dice.choice(NAMES)
        elif what == 1 and key[0] != "Link":
            element["place"] = (self.dice.randint(-90_000_000, 90_000_000),
                                self.dice.randint(-180_000_000, 180_000_000))
        elif what == 2 and key[0] != "Institution":
            start = self.dice.randint(1990, 2030)
            element["lifetime"] = (f"{start}-01-31T00:00:00Z", f"{start + 9}-12-31T23:59:59Z")
        elif what == 3:
            element["version"] = f"20{self.dice.randint(10, 30)}-02-03T04:05:06Z"
        else:
            count = self.dice.randint(0, 3)
            element["properties"] = [(self.dice.choice(["tag", "note"]), self.dice.choice(NAMES))
                                     for _ in range(count)]

    def delete_element(self, topology):
        elements = self.topologies[topology]["elements"]
        used = {id_ for element in elements.values()
                for id_ in element.get("ends", []) + element.get("owners", [])}
        free = sorted(key for key in elements if key[1] not in used and
                      not key[1].endswith(":owner"))
        if free:
            del elements[self.dice.choice(free)]

    def step(self):
        topology = self.dice.choice(sorted(self.topologies))
        what = self.dice.randrange(12)
        if what == 0 and len(self.topologies) < 4:
            self.made += 1
            self.add_topology(f"campus{self.made}")
        elif what == 1 and topology != "net" and self.dice.random() < 0.5:
            del self.topologies[topology]
        elif what == 2:
            self.topologies[topology]["name"] = self.dice.choice(NAMES)
        elif what < 6:
            self.add_element(topology)
        elif what < 8:
            self.delete_element(topology)
        else:
            self.change_element(topology)

    # ---- as a file ----

    def text(self):
        campuses = "".join(self.topology_text(name) for name in self.topologies if name != "net")
        return self.topology_text("net", campuses, SPACES)

    def topology_text(self, name, campuses="", spaces=""):
        topology = self.topologies[name]
        elements = "".join(self.element_text(kind, id_, element)
                           for kind in KINDS
                           for (kind_, id_), element in topology["elements"].items()
                           if kind_ == kind)
        return (f'<grenml:Topology id="urn:r:{name}" {spaces}>'
                f'<grenml:name>{escape(topology["name"])}</grenml:name>'
                f'<grenml:owner>urn:r:{name}:owner</grenml:owner>'
                f'{elements}{campuses}</grenml:Topology>\n')

    @staticmethod
    def element_text(kind, id_, element):
        version = f' version="{element["version"]}"' if "version" in element else ""
        parts = [f"<grenml:name>{escape(element['name'])}</grenml:name>"]
        parts += [f"<grenml:owner>{owner}</grenml:owner>" for owner in element.get("owners", [])]
        if "lifetime" in element:
            start, end = element["lifetime"]
            parts.append(f"<grenml:Lifetime><nml:start>{start}</nml:start><nml:end>{end}</nml:end>"
                         "</grenml:Lifetime>")
        elif kind != "Institution":
            parts.append("<grenml:Lifetime/>")
        if "place" in element or kind == "Node":
            latitude, longitude = element.get("place", (0, 0))
            parts.append(f"<grenml:Location><grenml:long>{longitude / 1e6:.6f}</grenml:long>"
                         f"<grenml:lat>{latitude / 1e6:.6f}</grenml:lat></grenml:Location>")
        parts += [f"<grenml:Property name={quoteattr(name)}>{escape(value)}</grenml:Property>"
                  for name, value in element.get("properties", [])]
        parts += [f"<grenml:node>{end}</grenml:node>" for end in element.get("ends", [])]
        return f'<grenml:{kind} id="{id_}"{version}>{"".join(parts)}</grenml:{kind}>'
