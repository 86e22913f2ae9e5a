"""Workbooks as another program writes them, through the real program: the map must be the one that
the rows say, and a formula that nobody calculated must be refused at its cell.

Usage: spreadsheet_producers_test.py NETML PRODUCER TOOLS    (77: the producer is not installed)
TOOLS is where tests/tools/install.sh put the packages of npm.
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent / "spreadsheet_producers"
PYTHON = ["/usr/bin/python3", "-B"]  # Debian's, whose packages they are
NODE = ["/usr/bin/env", "node"]
KEEPS, CALCULATES = "keeps results", "calculates"
PRODUCERS = {
    "openpyxl": (PYTHON, "openpyxl_workbook.py", None),
    "XlsxWriter": (PYTHON, "xlsxwriter_workbook.py", KEEPS),
    "exceljs": (NODE, "exceljs_workbook.mjs", KEEPS),
    "SheetJS": (NODE, "sheetjs_workbook.mjs", KEEPS),
    "LibreOffice": (PYTHON, "libreoffice_workbook.py", CALCULATES),
}
ABSENT = 77
ABSENT_INTERPRETER = 127
SPACE = "{http://schemas.ogf.org/nml/2020/01/grenml}"


def sheets(altitude, address):
    """A cell is None, a number, a text, or a formula with its result or without."""
    return {
        "Institutions": [
            ["Name", "Latitude", "Longitude", "Altitude", "Address", "URL", "Type", "Internal ID"],
            ['Université <A> & "B"', 44.65, -63.57, 0, "Größe 7", "https://a.example/?x=1&y=2",
             "nren;sren", "urn:uni"],
            ["Lab", None, None, None, "two\nlines", None, None, "urn:lab"],
        ],
        "Nodes": [
            ["Name", "Label", "Internal ID", "Latitude", "Longitude", "Altitude", "Address", "Type",
             "Ownership", "Co-Ownership"],
            ["A", 123, "a", 0, -0.000001, altitude, address, "core; edge", "Lab", "urn:uni;"],
            ["B", "00123", "b", "1.5", 179.999999, None, None, None, None, "None"],
            [None, None, None, None],
            ["C", None, "c", -90, 0, -11.5, None, None, None, None],
        ],
        "Links": [
            ["Name", "Label", "Internal ID", "Endpoint", "Endpoint", "Type", "Throughput"],
            ["A - B", None, "ab", "A", "b", "fibre", 100],
            ["B - C", None, "bc", "B", "c", None, 2.5],
        ],
    }


# What an export says of each element: the texts below it, in any order.
EXPECTED = {
    "urn:uni": ['Université <A> & "B"', "-63.57", "44.65", "0.000000", "Größe 7",
                "https://a.example/?x=1&y=2", "nren", "sren"],
    "urn:lab": ["Lab", "two\nlines", "0.0", "0.0"],  # how a place that is not known is written
    "a": ["A", "123", "urn:lab", "urn:uni", "-0.000001", "0.0", "12.500000", "1 Pier Road", "core",
          "edge"],
    "b": ["B", "00123", "urn:uni", "179.999999", "1.5"],
    "c": ["C", "urn:uni", "0.0", "-90.0", "-11.500000"],
    "ab": ["A - B", "urn:uni", "fibre", "100", "a", "b"],
    "bc": ["B - C", "urn:uni", "2.5", "b", "c"],
}


def elements_of(export):
    found = {}
    for kind in ("Institution", "Node", "Link"):
        for element in ElementTree.fromstring(export).iter(SPACE + kind):
            texts = [child.text for child in element.iter() if (child.text or "").strip()]
            found[element.get("id")] = sorted(texts)
    del found["urn:ogf:networking:global"]
    return found


class Workbench:
    """A producer, a program under test, and a folder for what they write."""

    def __init__(self, netml, producer, tools, folder):
        self.netml = netml
        self.interpreter, self.script, self.formulas = PRODUCERS[producer]
        self.tools = tools
        self.folder = Path(folder)
        self.count = 0

    def run(self, *words):
        variables = {name: value for name, value in os.environ.items()
                     if not name.startswith("NETML_")}
        return subprocess.run([self.netml, *words], capture_output=True, text=True, check=False,
                              env=variables, timeout=300)

    def import_sheets(self, content):
        """What `netml import` says to the workbook, and the data directory that it filled."""
        self.count += 1
        rows, workbook, data = (self.folder / f"{self.count}{end}" for end in
                                (".json", ".xlsx", ".data"))
        rows.write_text(json.dumps(content), encoding="utf-8")
        command = [*self.interpreter, SCRIPTS / self.script, rows, workbook]
        if self.script.endswith(".mjs"):
            command.append(self.tools)
        made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if made.returncode in (ABSENT, ABSENT_INTERPRETER):
            print(made.stderr.strip())
            sys.exit(ABSENT)
        assert made.returncode == 0, made.stderr
        return self.run("import", workbook, "--data", data, "--name", "Example Net"), data

    def expect_map(self, content, expected):
        done, data = self.import_sheets(content)
        assert done.returncode == 0, done.stderr
        assert '"None" in the column Co-Ownership (row 3) is read as no owner' in done.stdout, (
            done.stdout)
        found = elements_of(self.run("export", "--data", data).stdout)
        wanted = {name: sorted(texts) for name, texts in expected.items()}
        assert found == wanted, f"{found}\nis not\n{wanted}"

    def expect_refusal(self, content, *cells):
        done, _ = self.import_sheets(content)
        assert done.returncode == 3, done.stdout + done.stderr
        for cell in cells:
            assert f"sheet Nodes, cell {cell}: Error: the formula has no result" in done.stderr, (
                done.stderr)


def check(bench):
    bench.expect_map(sheets(12.5, "1 Pier Road"), EXPECTED)

    kept = sheets({"formula": "5*2.5", "result": 12.5},
                  {"formula": '"1 "&"Pier Road"', "result": "1 Pier Road"})
    if bench.formulas is None:
        bench.expect_refusal(kept, "F2", "G2")
    else:
        bench.expect_map(kept, EXPECTED)

    uncalculated = sheets({"formula": "5*2.5"}, "1 Pier Road")
    if bench.formulas == CALCULATES:
        bench.expect_map(uncalculated, EXPECTED)
    else:
        bench.expect_refusal(uncalculated, "F2")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        built, *rest = sys.argv[1:]
        check(Workbench(os.environ.get("NETML_BINARY", built), *rest, temporary))
