#!/usr/bin/env python3
"""A table that sets values of elements that are there is a change like any other.

Goal: plan, difference, undo and record are those of an import; a sheet that the node writes, filled
in and sent back, does what was filled in; nothing is added or deleted; what is refused names its
cell and changes nothing; headings in another language are read as somebody says.
Method: `netml` on a data directory of its own; sheets are written and changed by Python's csv.
"""

import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
ROOT = "urn:example:map"
MAP = f"""kind,identifier,name,latitude,longitude,tag,owner,from,to
topology,{ROOT},Map,,,,urn:o,,
institution,urn:o,Owner,,,,,,
""" + "".join(f"node,urn:n{i},N{i},{i}.5,{i}.25,old,urn:o,,\n" for i in range(9)) + "".join(
    f"link,urn:l{i},L{i},,,,urn:o,urn:n{i},urn:n{i + 1}\n" for i in range(8))


class Updates(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        self.write("map.csv", MAP)
        self.run_it("import", "map.csv", "--root")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8", newline="")

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout} {done.stderr}")
        return done

    def ask(self, *words):
        return json.loads(self.run_it(*words, "--json").stdout)

    def sheet(self, *columns):
        """The rows of the sheet to fill in, or of all columns."""
        asked = ["--columns", ",".join(columns)] if columns else []
        text = self.run_it("export", "--topology", ROOT, "--format", "csv", *asked).stdout
        return list(csv.reader(io.StringIO(text)))

    def update(self, rows, *words, code=0):
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        self.write("filled.csv", out.getvalue())
        if code:
            return self.run_it("import", "filled.csv", "--update", ROOT, *words, code=code).stderr
        return self.ask("import", "filled.csv", "--update", ROOT, *words)

    def test_does_what_was_filled_in_and_takes_it_back(self):
        before = self.sheet()
        rows = self.sheet("tag", "circuit owner")
        self.assertEqual(rows[0], ["kind", "identifier", "name", "tag", "circuit owner"])
        row = {each[1]: each for each in rows}
        row["urn:n1"][3] = "new"
        row["urn:n2"][3] = "-"
        row["urn:l3"][4] = "=1+1 & \"quotes\", Æ"
        done = self.update(rows)
        self.assertEqual([done[what] for what in ("created", "updated", "deleted")], [0, 3, 0])
        after = {each[1]: each for each in self.sheet("tag", "circuit owner")}
        self.assertEqual(after["urn:n1"][3], "new")
        self.assertEqual(after["urn:n2"][3], "")
        self.assertEqual(after["urn:l3"][4], "'=1+1 & \"quotes\", Æ")
        self.assertEqual(after["urn:n3"], row["urn:n3"])

        again = self.update(list(after.values()))
        self.assertEqual([again[what] for what in ("created", "updated", "deleted")], [0, 0, 0])
        record = self.ask("api", f"imports/{done['record']}")
        self.assertEqual((record["name"], record["lsn"]), ("filled.csv", done["lsn"]))
        losses = self.ask("api", f"imports/{done['record']}/losses")
        self.assertEqual(losses["lost"], 0)
        self.assertGreater(losses["present"], 40)
        self.run_it("undo", f"import:{done['record']}")
        self.assertEqual(self.sheet(), before)

    def test_plans_and_plans_again(self):
        plan = self.update([["identifier", "tag"], ["urn:n1", "new"]], "--plan")["plan"]
        listed = self.ask("api", f"plans/{plan}")
        self.assertEqual((listed["update"], listed["parent"], listed["updated"]), (True, ROOT, 1))
        self.update([["identifier", "tag"], ["urn:n1", "other"]])
        self.run_it("apply", str(plan), code=1)
        again = self.ask("plan", "again", str(plan))
        self.assertEqual(again["updated"], 1)
        self.assertEqual(self.ask("apply", str(plan))["updated"], 1)
        self.assertIn(["node", "urn:n1", "N1", "new"], self.sheet("tag"))

    def test_refuses_with_the_cell_and_changes_nothing(self):
        before = self.sheet()
        said = self.update([["identifier", "latitude"], ["urn:n1", "1"], ["urn:none", "2"],
                            ["urn:n2", "100"]], code=3)
        self.assertIn("filled.csv:3:1:", said)
        self.assertIn("filled.csv:4:8:", said)
        self.assertIn("no Node of Map has this identifier", said)
        self.assertEqual(self.sheet(), before)
        self.run_it("import", "map.csv", "--update", "urn:none", code=1)
        self.write("map.xml", self.run_it("export").stdout)
        self.assertIn("CSV files and sheets can be",
                      self.run_it("import", "map.xml", "--update", ROOT, code=2).stderr)

    def test_reads_the_same_file_as_a_map_and_as_an_update(self):
        """Files that are known are not read again: which way they were read must tell."""
        rows = [["kind", "identifier", "name"], ["topology", ROOT, "Map"],
                ["node", "urn:n1", "Renamed"]]
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        self.write("filled.csv", out.getvalue())
        first = self.ask("import", "filled.csv", "--dry-run")
        self.assertGreater(first["deleted"], 10)
        done = self.update(rows)
        self.assertEqual([done[what] for what in ("created", "updated", "deleted")], [0, 1, 0])
        self.assertGreater(self.ask("import", "filled.csv")["deleted"], 10)
        self.assertEqual(self.update(rows)["deleted"], 0)

    def test_takes_what_is_said_of_headings(self):
        self.write("circuits.csv", "Extremo A;Extremo B;Proveedor\nLima;Cusco;X\n")
        words = ["--map", "Extremo A=link end", "--map", "extremo_b=link end"]
        self.run_it("convert", "circuits.csv", "out.csv", *words)
        with (self.folder / "out.csv").open(encoding="utf-8", newline="") as file:
            kinds = [row[0] for row in csv.reader(file)]
        self.assertEqual(kinds.count("link"), 1)
        done = self.ask("import", "circuits.csv", "--root", "--name", "Peru", *words)
        losses = self.ask("api", f"imports/{done['record']}/losses")
        self.assertEqual((losses["present"], losses["lost"]), (3, 0))
        self.run_it("import", "circuits.csv", "--name", "Peru", code=3)
        self.run_it("import", "circuits.csv", "--map", "Extremo A", code=2)

    def test_random_sheets_agree_with_a_model(self):
        chance = random.Random(5)
        for _ in range(6):
            rows = self.sheet("tag", "note")
            wanted = {}
            for row in rows[1:]:
                for at in range(3, len(row)):
                    row[at] = chance.choice(["", "-", "x", "y;z", "1"])
                values = {}
                for heading, cell in zip(rows[0][3:], row[3:]):
                    if cell:
                        values.setdefault(heading, []).append(cell)
                wanted[row[1]] = values
            before = self.values()
            self.update(rows)
            after = self.values()
            for identifier, values in wanted.items():
                expected = dict(before.get(identifier, {}))
                for heading, cells in values.items():
                    expected[heading] = [cell for cell in cells if cell != "-"]
                expected = {heading: cells for heading, cells in expected.items() if cells}
                self.assertEqual(after.get(identifier, {}), expected)

    def values(self):
        rows = self.sheet("tag", "note")
        found = {}
        for row in rows[1:]:
            for heading, cell in zip(rows[0][3:], row[3:]):
                if cell:
                    found.setdefault(row[1], {}).setdefault(heading, []).append(cell)
        return found


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
