#!/usr/bin/env python3
"""A file of another format is an import like any other: plan, difference, record, undo.

Goal: losses are in the answer and can be asked for later; the same file changes nothing; an undo
takes all of it back; what is exported is read by others.
Method: `netml` on a data directory of its own, with a map of which accounts/ knows the fields.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from accounts import graphml

PROGRAM = ""


class Node(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        generator = graphml.Generator(7)
        self.map = self.folder / "made.graphml"
        self.map.write_text(generator.file(), encoding="utf-8")
        self.nodes = len(generator.nodes)
        self.lost = generator.lost

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout} {done.stderr}")
        return done

    def ask(self, *words):
        return json.loads(self.run_it(*words, "--json").stdout)

    def test_imports_with_losses_and_undo(self):
        done = self.ask("import", "made.graphml", "--owner", "GARR")
        present = graphml.count(self.map)
        self.assertEqual((done["losses"]["present"], done["losses"]["lost"]), (present, self.lost))
        self.assertIn(f"fields of the file: {present} present", done["log"])
        later = self.ask("api", f"imports/{done['record']}/losses")
        self.assertEqual(later["losses"], done["losses"]["losses"])

        again = self.ask("import", "made.graphml", "--owner", "GARR")
        self.assertEqual([again[what] for what in ("created", "updated", "deleted")], [0, 0, 0])

        self.run_it("export", "--format", "graphml", "-o", "out.graphml")
        root = graphml.tree.parse(self.folder / "out.graphml").getroot()
        graph = root.find(f"{{{graphml.GRAPHML}}}graph")
        self.assertEqual(len(graph.findall(f"{{{graphml.GRAPHML}}}node")), self.nodes)

        self.run_it("undo", str(done["lsn"]))
        self.run_it("export", "-o", "none.xml", code=1)

    def test_plans_before_it_imports(self):
        plan = self.ask("import", "made.graphml", "--plan")["plan"]
        self.assertEqual(self.ask("api", f"plans/{plan}/losses")["lost"], self.lost)
        applied = self.ask("apply", str(plan))
        self.assertGreater(applied["created"], self.nodes)

    def test_knows_a_file_by_its_content_or_by_what_is_said(self):
        self.map.rename(self.folder / "made.xml")
        self.run_it("import", "made.xml", "--format", "netml", code=3)
        self.assertGreater(self.ask("import", "made.xml")["created"], self.nodes)
        self.map.write_text("neither", encoding="utf-8")
        self.map.rename(self.folder / "made.txt")
        said = self.run_it("convert", "made.txt", "out.xml", code=1).stderr
        self.assertIn("--from", said)

    def test_refuses_with_the_place_and_changes_nothing(self):
        text = self.map.read_text(encoding="utf-8").replace('target="', 'target="no-', 1)
        self.map.write_text(text, encoding="utf-8")
        line = text[:text.index('target="no-')].count("\n") + 1
        said = self.run_it("import", "made.graphml", code=3).stderr
        self.assertIn(f"made.graphml:{line}:", said)
        self.run_it("export", "-o", "none.xml", code=1)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
