"""NML, alone and in documents of NSI agents: attributes and texts of elements."""

import random
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape, quoteattr

ENDING = ".nml"
SAMPLES = ["nml/*.xml"]
REFUSED = {"invalid-merge-conflict.xml": ":2:2: Error: the file is not well-formed XML",
           "no-topology-netherlight-nsa.xml": "lacks a Topology"}
# The contact, and that there is one.
LOST = {"netherlight.net.xml": 5, "es.net.xml": 5, "czechlight.cesnet.cz.xml": 5}
LOSSLESS = True

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
NML = "http://schemas.ogf.org/nml/2013/05/base#"
BASE = "{" + NML + "}"
NSI = "http://schemas.ogf.org/nsi/2013/09/topology#"


def count(path):
    """Attributes, and texts that are not blank (docs/formats/README.md)."""
    count = 0
    for element in tree.parse(path).iter():
        count += sum(1 for attribute in element.attrib if not attribute.startswith(XSI))
        text = (element.text or "") + "".join(child.tail or "" for child in element)
        count += 1 if text.strip(" \t\r\n") else 0
    return count


def related(element, kind):
    """Identifiers that a Relation of this kind names."""
    return [child.get("id") for relation in element.findall(f"{BASE}Relation")
            if relation.get("type").endswith("#" + kind) for child in relation]


def check_rules(root):
    """What the standard says of a link: it joins ports, each of which has one direction."""
    parts = [f"{BASE}Port", f"{BASE}PortGroup"]
    sources, sinks, inbound, outbound = {}, {}, set(), set()
    for part in parts:
        for port in root.iter(part):
            for link in related(port, "isSource"):
                sources.setdefault(link, set()).add(port.get("id"))
            for link in related(port, "isSink"):
                sinks.setdefault(link, set()).add(port.get("id"))
    for node in root.iter(f"{BASE}Node"):
        inbound.update(related(node, "hasInboundPort"))
        outbound.update(related(node, "hasOutboundPort"))
    assert not inbound & outbound, "a one-way port has one direction"
    for port in root.iter(f"{BASE}BidirectionalPort"):
        ways = [child.get("id") for child in port if child.tag in parts]
        assert len(ways) == 2, "a port of both directions has two parts"
        assert sum(way in inbound for way in ways) == 1, "one of them is inbound"
        assert sum(way in outbound for way in ways) == 1, "and one outbound"
    for link in root.iter(f"{BASE}BidirectionalLink"):
        ways = [child.get("id") for child in link.findall(f"{BASE}Link")]
        if not ways:
            continue  # named, and described elsewhere
        assert len(ways) == 2, "a link of both directions has two parts"
        for way in ways:
            assert len(sources[way]) == len(sinks[way]) == 1, "each from one port to another"
            assert sources[way] <= outbound and sinks[way] <= inbound


def elements(path):
    """Nodes and links of what was written, which also keeps the rules of the standard."""
    root = tree.parse(path).getroot()
    check_rules(root)
    return tuple(len({element.get("id") for element in root.iter(BASE + kind)})
                 for kind in ("Node", "BidirectionalLink"))


class Generator:
    """Documents of both sorts: networks of NSI, and nodes with links, and how much must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def text(self):
        pieces = ["Oslo", "Bergen", "Århus", "<b>", "a & b", "\"", "'", "ß", "x"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def named(self):
        return f"<name>{escape(self.text())}</name>" if self.random.random() < 0.5 else ""

    def labels(self):
        ranges = sorted(self.random.sample(range(1, 4000), self.random.choice([2, 4, 60])))
        return ",".join(f"{first}-{last}" for first, last in zip(ranges[::2], ranges[1::2]))

    def relation(self, kind, body):
        return f"<Relation type='{NML}{kind}'>{body}</Relation>\n"

    def half(self, i):
        """A port that leads out."""
        labels = self.labels()
        out = f"<BidirectionalPort id='p{i}'>{self.named()}"
        out += f"<PortGroup id='p{i}:in'/><PortGroup id='p{i}:out'/></BidirectionalPort>\n"
        for way, back, kind in (("in", "out", "hasInboundPort"), ("out", "in", "hasOutboundPort")):
            if self.random.random() < 0.1:
                labels = self.labels()  # another one
            body = f"<LabelGroup labeltype='vlan'>{labels}</LabelGroup>"
            if self.random.random() < 0.8:
                body += self.relation("isAlias", f"<PortGroup id='urn:peer:{i}:{back}'/>")
            out += self.relation(kind, f"<PortGroup id='p{i}:{way}'>{body}</PortGroup>")
        return out

    def nsi(self):
        agent = "<nml:Location xmlns:nml='" + NML + "'><nml:lat>5</nml:lat></nml:Location>"
        if self.random.random() < 0.5:
            agent += f"<Relation type='{NSI}adminContact'>"
            agent += "<fn xmlns='urn:ietf:params:xml:ns:vcard-4.0'>"
            agent += "<text>Somebody</text></fn></Relation>"
            self.lost += 2
        ports = "".join(self.half(i) for i in range(self.random.randint(1, 9)))
        return (f"<NSA xmlns='{NSI}' id='urn:nsa'>{agent}<Topology xmlns='{NML}' id='urn:t'>"
                f"<name>T</name>{ports}</Topology></NSA>")

    def port(self, name, links):
        source, sink = links
        body = [self.relation("isSource", f"<Link id='{source}'/>"),
                self.relation("isSink", f"<Link id='{sink}'/>")]
        return (f"<Port id='{name}:out'>{body[0]}</Port><Port id='{name}:in'>{body[1]}</Port>"
                f"<BidirectionalPort id='{name}'><Port id='{name}:out'/><Port id='{name}:in'/>"
                "</BidirectionalPort>\n")

    def classic(self):
        count = self.random.randint(2, 12)
        ports = [[] for _ in range(count)]
        body = []
        for i in range(self.random.randint(0, 15)):
            a, b = self.random.sample(range(count), 2)
            for end, links in ((a, (f"l{i}:ab", f"l{i}:ba")), (b, (f"l{i}:ba", f"l{i}:ab"))):
                name = f"l{i}:{end}"
                ports[end].append(name)
                body.append(self.port(name, links))
            if self.random.random() < 0.5:
                body.append(f"<BidirectionalLink id='l{i}'>{self.named()}<Link id='l{i}:ab'/>"
                            f"<Link id='l{i}:ba'/></BidirectionalLink>\n")
        for i in range(count):
            has = "".join(self.relation("hasInboundPort", f"<Port id='{port}:in'/>") +
                          self.relation("hasOutboundPort", f"<Port id='{port}:out'/>")
                          for port in ports[i])
            place = ("<Location><lat>1.5</lat><long>2</long></Location>"
                     if self.random.random() < 0.5 else "")
            node = f"<Node id={quoteattr(f'n{i}')}>{self.named()}{place}{has}</Node>\n"
            body.append(self.relation("hasNode", node) if self.random.random() < 0.3 else node)
        if self.random.random() < 0.2:
            body.append("<Link id='nowhere'><name>n</name></Link>")
            self.lost += 2
        self.random.shuffle(body)
        return f"<Topology xmlns='{NML}' id='urn:t'><name>T</name>{''.join(body)}</Topology>"

    def file(self):
        body = self.nsi() if self.random.random() < 0.5 else self.classic()
        return "<?xml version='1.0' encoding='utf-8'?>\n" + body
