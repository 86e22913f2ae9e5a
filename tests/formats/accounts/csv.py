"""CSV: cells below the headings that are not empty."""

import csv as library  # of Python: this module is accounts.csv
import random

ENDING = ".csv"
SAMPLES = []
REFUSED = {}
LOST = {}
LOSSLESS = True

# What counts in a heading, for the row of headings to be found.
CALLED = {"identifier", "id", "name", "label", "node", "node name", "site", "site name", "city"}
ENDS = [("from", "to"), ("source", "target"), ("node a", "node z"), ("a", "z")]
PLACES = {"latitude", "longitude", "lat", "long", "lon", "lng", "owner", "kind"}
HEADING_ROWS = 12


def text_of(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def rows_of(text, separator):
    """Lists of (text, whether it is quoted)."""
    rows, row, cell, quoted, inside, at = [], [], "", False, False, 0
    while at < len(text):
        char = text[at]
        at += 1
        if inside:
            if char != '"':
                cell += char
            elif text[at:at + 1] == '"':
                cell += char
                at += 1
            else:
                inside = False
        elif char == '"' and not cell.strip(" \t"):
            cell, quoted, inside = "", True, True
        elif char in (separator, "\n", "\r"):
            row.append(cell if quoted else cell.strip(" \t"))
            cell, quoted = "", False
            if char != separator:
                rows.append(row)
                row = []
        elif not quoted:
            cell += char
    if row or cell or quoted:
        rows.append(row + [cell if quoted else cell.strip(" \t")])
    return [row for row in rows if any(row)]


def plain(heading):
    words = ""
    for before, c in zip(" " + heading, heading):
        begins_word = before.islower() and (c.isupper() or c.isdigit())
        words += (" " if begins_word else "") + (c if c.isalnum() else " ")
    return " ".join(words.lower().split())


def known(row):
    """How many headings are known, if they are headings at all."""
    names = [plain(cell) for cell in row if cell]
    fits = len(names) > 1 and (CALLED.intersection(names)
                               or any(a in names and b in names for a, b in ENDS))
    everything = CALLED | PLACES | {end for ends in ENDS for end in ends}
    return sum(name in everything for name in names) if fits else 0


def table(path):
    """The rows below the headings."""
    best = (0, [])
    text = text_of(path)
    for separator in ",;\t":
        rows = rows_of(text, separator)
        for number, row in enumerate(rows[:HEADING_ROWS]):
            if known(row):
                if known(row) > best[0]:
                    best = (known(row), rows[number + 1:])
                break
    return best[1]


def count(path):
    return sum(1 for row in table(path) for cell in row if cell)


def elements(path):
    """As Python's own reader finds them in what the program writes."""
    with open(path, encoding="utf-8", newline="") as file:
        kinds = [row[0] for row in library.reader(file)]
    return kinds.count("node"), kinds.count("link")


class Generator:
    """A file of nodes and links, or of links alone, in odd forms; and how much must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0
        self.separator = self.random.choice(",;\t")
        self.latin = self.random.random() < 0.2
        self.nodes = []

    def text(self):
        pieces = ["Oslo", "Bergen", "None", " ", "Århus", "a;b", "a,b", "\"", "'", "'s", "=1+1",
                  "-x", "two\r\nlines", "\t", "10 GB/s", "-5", "ß", "@"]
        if not self.latin:
            pieces.append("Łódź")
        text = "".join(self.random.choice(pieces) for _ in range(self.random.randint(1, 3)))
        return text if text.strip(" \t") else "x"

    def cell(self, text):
        odd = any(c in text for c in '"\r\n' + self.separator) or text != text.strip(" \t")
        if odd or self.random.random() < 0.2:
            return '"' + text.replace('"', '""') + '"'
        return self.random.choice(["", " "]) + text

    def row(self, cells):
        return self.separator.join(self.cell(cell) if cell else "" for cell in cells) + "\r\n"

    def values(self, count):
        values = []
        for _ in range(count):
            chance = self.random.random()
            values.append("" if chance < 0.5 else "y" * 700 if chance < 0.52 else self.text())
        return values

    def node(self, kind):
        name = f"{self.random.choice(['Oslo', 'Pra ha', 'N'])} {len(self.nodes)}"
        if self.random.random() < 0.05:
            name += "n" * 130
            self.lost += 1  # it is cut
        self.nodes.append(name)
        lat, lon = "", ""
        if self.random.random() < 0.7:
            lat, lon = (str(round(self.random.uniform(-100, 100), 4)) for _ in range(2))
        return self.row(kind + [name, lat, lon, self.random.choice(["", "GARR"])] +
                        self.values(3) + [""] * self.with_links)

    def link(self, kind, before):
        ends = [self.random.choice(self.nodes) for _ in range(2)]
        if self.random.random() < 0.05:
            ends[1] = ""
        values = self.values(3)
        if not all(ends) or ends[0] == ends[1]:
            self.lost += sum(1 for cell in kind + ends + values if cell)
        return self.row(kind + [""] * before + values + ends)

    def file(self):
        form = self.random.choice(["nodes", "links", "both"])
        self.with_links = 2 if form == "both" else 0
        kind = [["node"], ["link"]] if form == "both" else [[], []]
        headings = [] if form == "links" else ["Site name", "lat", "LON", "owner"]
        headings += ["Note", "Note", "a b"]
        headings += [] if form == "nodes" else ["Node_A", "nodeZ"]
        body = []
        if form == "links":
            self.nodes = [f"n{i}" for i in range(9)]
        else:
            body += [self.node(kind[0]) for _ in range(self.random.randint(1, 30))]
        if form != "nodes":
            before = 4 if form == "both" else 0
            body += [self.link(kind[1], before) for _ in range(self.random.randint(1, 40))]
        self.random.shuffle(body)
        head = self.random.choice(["", "A title\r\n\r\n"]) + self.row(
            (["kind"] if form == "both" else []) + headings)
        return (head + "".join(body)).encode("latin-1" if self.latin else "utf-8")
