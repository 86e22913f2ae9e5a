"""Workbooks of others: cells below the headings that hold something."""

import io
import random
import xml.etree.ElementTree as tree
import zipfile
from xml.sax.saxutils import escape

ENDING = ".xlsx"
SAMPLES = ["xlsx/*.xlsx"]
REFUSED = {"wrong_topo_duplicate_node.xlsx": "sheet Nodes, cell A8",
           "wrong_topo_link.xlsx": "sheet Links, cell B7"}
# Of equipment and services.
LOST = {"wrong_duplicate_link_reverse.xlsx": 34, "wrong_topo_bad_eqpt.xlsx": 31,
        "wrong_topo_node.xlsx": 23}
LOSSLESS = False
WRITTEN = False  # what is written is laid out in another way

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CALLED = {"city", "name", "site"}
ENDS = {("node a", "node z"), ("source", "destination"), ("from", "to")}
HEADING_ROWS = 12


def named(name):
    return f"{{{MAIN}}}{name}"


def sheets(path):
    """Lists of rows, each of its texts."""
    archive = zipfile.ZipFile(path)
    shared = []
    if "xl/sharedStrings.xml" in archive.namelist():
        for item in tree.fromstring(archive.read("xl/sharedStrings.xml")):
            shared.append("".join(text.text or "" for text in item.iter(named("t"))))
    links = tree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): link.get("Target") for link in links}
    for sheet in tree.fromstring(archive.read("xl/workbook.xml")).iter(named("sheet")):
        part = "xl/" + targets[sheet.get(f"{{{OFFICE}}}id")].removeprefix("/xl/")
        rows = []
        for row in tree.fromstring(archive.read(part)).iter(named("row")):
            cells = []
            for cell in row:
                value = cell.find(named("v"))
                text = "".join(part.text or "" for part in cell.iter(named("t")))
                if value is not None:
                    text = value.text or ""
                    text = shared[int(text)] if cell.get("t") == "s" else text
                if cell.find(named("f")) is not None and value is None:
                    text = "a formula without a result"
                if text.strip():
                    cells.append(text.strip())
            rows.append(cells)
        yield [row for row in rows if row]


def are_headings(row):
    names = {" ".join("".join(c if c.isalnum() else " " for c in cell.lower()).split())
             for cell in row}
    return len(row) > 1 and (names & CALLED or any(set(ends) <= names for ends in ENDS))


def below_headings(rows):
    first = rows[:HEADING_ROWS]
    for number, row in enumerate(first):
        if are_headings(row):
            return rows[number + 1:]
    fullest = max(range(len(first)), key=lambda number: (len(first[number]), -number), default=0)
    return rows[fullest + 1:]


def count(path):
    return sum(len(row) for rows in sheets(path) for row in below_headings(rows))


class Generator:
    """A workbook with titles, groups of columns and further sheets, and how much must be lost."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lost = 0

    def cell(self, place, value):
        if value == "":
            return ""
        if value == "#REF!":
            return f'<c r="{place}" t="e"><v>#REF!</v></c>'
        if value == "=":
            return f'<c r="{place}"><f>1+A1</f></c>'
        if isinstance(value, float):
            return f'<c r="{place}"><v>{value}</v></c>'
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'

    def sheet(self, rows):
        body = "".join(
            f'<row r="{number}">'
            + "".join(self.cell(f"{chr(65 + column)}{number}", value)
                      for column, value in enumerate(row)) + "</row>"
            for number, row in enumerate(rows, 1))
        return f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'

    def value(self):
        chance = self.random.random()
        if chance < 0.5:
            return ""
        if chance < 0.55:
            self.lost += 1  # no value is there
            return self.random.choice(["#REF!", "="])
        return self.random.choice(["SSMF", 0.5, "Århus", "<b>", "a & b"])

    def title(self):
        return [["A network"], []][:self.random.randint(0, 2)]

    def tables(self):
        names = [f"N {i}" for i in range(self.random.randint(2, 30))]
        places = [[round(self.random.uniform(-100, 100), 3) + 0.0005 for _ in range(2)]
                  if self.random.random() < 0.8 else ["", ""] for _ in names]
        nodes = self.title() + [["City", "Latitude", "Longitude", "Type"]]
        nodes += [[name, *place, self.value()] for name, place in zip(names, places)]
        links = self.title()
        if self.random.random() < 0.5:
            links += [["", "", "east cable (from a to z)", "", "west"]]
        links += [["Node A", "Node Z", "Distance (km)", "PMD", "Distance (km)"]]
        for _ in range(self.random.randint(1, 40)):
            ends = [self.random.choice(names + [""]) for _ in range(2)]
            before = self.lost
            row = ends + [self.value() for _ in range(3)]
            if not all(ends) or ends[0] == ends[1]:
                self.lost = before + sum(1 for cell in row if cell != "")
            links.append(row)
        return {"Nodes": nodes, "Links": links}

    def file(self):
        tables = self.tables()
        if self.random.random() < 0.5:
            rows = [["Oslo", "N 0", "amp"][:self.random.randint(1, 3)]
                    for _ in range(self.random.randint(0, 5))]
            tables["Eqpt"] = [["Node A", "Node Z", "amp type"], *rows]
            self.lost += sum(len(row) for row in rows)
        if self.random.random() < 0.3:
            tables["Remarks"] = [["one"], ["some", "more"], ["", "x"]]
            self.lost += 1
        return self.archive(tables)

    def archive(self, tables):
        out = io.BytesIO()
        types = f"{PACKAGE}/content-types"
        main = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", f'<Types xmlns="{types}"><Override '
                             f'PartName="/xl/workbook.xml" ContentType="{main}"/></Types>')
            sheets = targets = ""
            for number, (name, rows) in enumerate(tables.items(), 1):
                archive.writestr(f"xl/worksheets/sheet{number}.xml", self.sheet(rows))
                sheets += f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>'
                targets += (f'<Relationship Id="r{number}" Type="{OFFICE}/worksheet" '
                            f'Target="worksheets/sheet{number}.xml"/>')
            archive.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
                             f"<sheets>{sheets}</sheets></workbook>")
            archive.writestr("xl/_rels/workbook.xml.rels",
                             f'<Relationships xmlns="{PACKAGE}/relationships">{targets}'
                             "</Relationships>")
        return out.getvalue()
