"""GML: values that are no lists."""

import random
import re

from accounts._graphs import elements_by

ENDING = ".gml"
SAMPLES = ["gml/*.gml"]
REFUSED = {}
LOST = {}
LOSSLESS = True

TOKEN = re.compile(r'#[^\n]*|"[^"]*"|[\[\]]|[^\s\[\]"#]+')


def count(path):
    """Words and strings are keys and values in turn; a bracket is the value of a key."""
    count, is_key = 0, True
    for token in TOKEN.findall(path.read_bytes().decode("latin-1")):
        if token.startswith("#") or token == "]":
            continue
        if not is_key and token != "[":
            count += 1
        is_key = not is_key
    return count


def elements(path):
    return elements_by("read_gml", path)


class Generator:
    """A GML file with odd texts, lists and forms, and how many of its fields must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.nodes = []
        self.latin1 = self.random.random() < 0.3

    def text(self):
        pieces = ["Oslo", "Bergen", "None", "", " ", "Århus", "<b>", "a & b", "&amp;", "&#233;",
                  "&eacute;", "&unknown;", "[x]", "# no comment", "'", "?", "\\", "\n", "()", "[]"]
        return "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))

    def quoted(self, value):
        return '"' + value.replace('"', "&quot;") + '"'

    def values(self, keys):
        out = []
        for key in keys:
            if self.random.random() < 0.5:
                continue
            if key in ("Latitude", "lng"):
                value = str(round(self.random.uniform(-100, 100), 4))
            elif key == "owner":
                value = self.quoted(self.random.choice(["GARR", "SURF"]))
            elif key in ("Internal", "size"):
                value = self.random.choice(["1", "-0.5E3", "+INF", "NAN"])
            elif self.random.random() < 0.03:
                value = self.quoted("x" * self.random.randint(513, 700))
                self.lost += 1  # whatever it becomes, it is cut
            else:
                value = self.quoted(self.text())
            out.append(f"{key} {value}")
        if self.random.random() < 0.2:
            out.append(self.property())
        if self.random.random() < 0.2:
            out.append("more [ a 1 b [ c 2 ] empty [ ] ]")
        self.random.shuffle(out)
        return out

    def property(self):
        name = self.random.choice(["a b", "label", "", "x@y", "key", "1st", "plain"])
        fields = [f'name "{name}"', f"value {self.quoted(self.text())}", "other 5"]
        kept = self.random.sample(fields, self.random.randint(0, 3))
        return f"property [ {' '.join(kept)} ]"

    def drawing(self, kept):
        if self.random.random() > 0.2:
            return []
        self.lost += 2 if kept else 4
        return ['graphics [ x 1.5 y 2 fill "#FF0000" Line [ point [ z 3 ] ] ]']

    def list(self, name, items):
        space = self.random.choice([" ", "\n  ", "\r\n\t", " # ] comment \" [\n"])
        return f"{name} [{space}{space.join(items)}{space}]\n"

    def node(self):
        key = str(len(self.nodes) * 3 - 5)
        self.nodes.append(key)
        values = self.values(["label", "Latitude", "lng", "owner", "Note", "Internal"])
        return self.list("node", [f"id {key}"] + values + self.drawing(True))

    def edge(self):
        source, target = self.random.choice(self.nodes), self.random.choice(self.nodes)
        before = self.lost
        items = [f"source {source}", f"target {target}"]
        items += self.values(["LinkSpeed", "name", "size"]) + self.drawing(False)
        self.random.shuffle(items)
        text = self.list("edge", items)
        if source == target:  # all of it
            self.lost = before + fields_of(text)
        return text

    def file(self):
        body = [self.node() for _ in range(self.random.randint(1, 30))]
        body += [self.edge() for _ in range(self.random.randint(0, 40))]
        if self.random.random() < 0.5:
            self.random.shuffle(body)
        head = self.random.choice(["", "directed 0\n", "directed 1\n",
                                   "multigraph 1\nlabel \"N\"\n"])
        self.lost += head.count("directed 1")
        before = self.random.choice(["", 'Creator "me" # you\nVersion 1\n'])
        self.lost += before.count("Version")
        text = f"{before}graph [\n{head}{''.join(body)}]\n"
        if self.random.random() < 0.2:
            text += 'graph [ label "other" x [ y 1 ] node [ id "far" ] ]\n'
            self.lost += 2
        return text.encode("latin-1" if self.latin1 else "utf-8")


def fields_of(text):
    """As count() does."""
    tokens = [token for token in TOKEN.findall(text) if not token.startswith("#") and token != "]"]
    return sum(1 for value in tokens[1::2] if value != "[")
