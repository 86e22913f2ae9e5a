#!/usr/bin/env python3
"""Tests of the parts of bench/run and bench/compare that run no measured program."""

import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import changes
import growth
import report
import rows
import usage
import variants
from server import allocated

sys.path.append(str(Path(__file__).resolve().parents[1] / "others"))
import page  # noqa: E402

MAP = ('<?xml version="1.0" encoding="utf-8"?>\n'
       '<grenml:Topology id="a" xmlns:grenml="http://example.org/grenml"><grenml:name>Kraków'
       '</grenml:name>\n<grenml:Node id="b"/>\n</grenml:Topology>\n')


def row(value, what="what", **more):
    return rows.Row(what, value, "P", **more)


class Rows(unittest.TestCase):
    def test_the_middle_of_the_rounds_counts(self):
        (middle,) = rows.medians([[row(3, note="c")], [row(1, note="a")], [row(2, note="b")]])
        self.assertEqual((middle.value, middle.note, middle.rounds), (2, "b", [3, 1, 2]))

    def test_the_front_page_has_the_slowest_form_of_a_file(self):
        forms = [row(value, rows.FORM + str(value), target=2) for value in (1, 3, 2)]
        front = report.front_rows([row(1, "no target"), row(1, "target", target=1), *forms])
        self.assertEqual([shown.what for shown in front], ["target", rows.FORM + "3"])

    def test_rounds_of_different_rows_are_refused(self):
        with self.assertRaises(ValueError):
            rows.medians([[row(1)], [row(1), row(2)]])

    def test_a_row_without_a_target_has_no_verdict(self):
        self.assertEqual(row(1).verdict(), "")
        self.assertEqual(row(1, target=2, stretch=0.5).verdict(), "yes")
        self.assertEqual(row(1, target=2, stretch=1).verdict(), "stretch")
        self.assertEqual(row(1, target=2, more_is_better=True).verdict(), "no")

    def test_small_forms_stand_in_where_nothing_was_counted(self):
        counted = row(1, rows.SMALL_FORMS["import"], usage=usage.Usage(instructions=5))
        other = row(1, rows.SMALL_FORMS["export"], usage=usage.Usage())
        small = rows.small_forms([counted, other], {"import": 7, "export": 9, "unknown": 1})
        self.assertEqual(small, {other.what: 9})


class Usages(unittest.TestCase):
    def test_a_program_that_writes_is_seen_to_write(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
            _, seconds, used = usage.run(["dd", "if=/dev/zero", f"of={folder}/file", "bs=1M",
                                          "count=4", "status=none"])
            self.assertGreater(seconds, 0)
            self.assertGreater(used.minor_faults, 0)
            self.assertGreaterEqual(sum(allocated(Path(folder)).values()), 4 << 20)

    def test_a_program_that_fails_says_why(self):
        with self.assertRaisesRegex(RuntimeError, "ended with 3: so it is"):
            usage.run(["sh", "-c", "echo so it is >&2; exit 3"])

    def test_sums_of_client_and_server(self):
        both = usage.Usage(1, 2, 3, 4, 5) + usage.Usage(1, 1, 1, 1, 1)
        self.assertEqual(both, usage.Usage(2, 3, 4, 4, 6))
        both += usage.Usage(1, 1, None, 1, None)
        self.assertEqual(both, usage.Usage(3, 4, None, 4, None))
        self.assertIsNone((both - usage.Usage()).written)

    def test_counts_that_the_machine_does_not_support_are_none(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("# started\n\n<not supported>,,instructions:u,0,100.00,,\n")
            file.flush()
            self.assertIsNone(usage.read_count(file.name))
            file.write("1234,,instructions:u,99,100.00,,\n")
            file.flush()
            self.assertEqual(usage.read_count(file.name), 1234)

    def test_this_process_can_be_watched(self):
        with usage.watched(os.getpid()) as watch:
            kept = bytearray(8 << 20)
        self.assertGreater(watch.usage.minor_faults + len(kept) % 2, 0)


class Variants(unittest.TestCase):
    def test_all_forms_mean_the_same(self):
        def content(path):
            return [(element.tag, element.attrib, (element.text or "").strip())
                    for element in ET.parse(path).iter()]

        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            plain = folder / "plain.xml"
            plain.write_text(MAP, encoding="utf-8")
            for form, path in variants.write(plain, folder).items():
                with self.subTest(form):
                    self.assertEqual(content(path), content(plain))
                    self.assertNotEqual(path.read_bytes(), plain.read_bytes())


class Growth(unittest.TestCase):
    def shape(self, power):
        points = [{"elements": size, "seconds": size ** power} for size in growth.SIZES]
        return {"name": "tree", "title": "tree", "points": points,
                "exponent": growth.exponent(points), "last_exponent": growth.exponent(points[-2:])}

    def test_the_exponent_is_the_slope(self):
        self.assertAlmostEqual(self.shape(1.07)["exponent"], 1.07)

    def test_both_limits_count(self):
        self.assertTrue(growth.met(self.shape(1.04)))
        self.assertFalse(growth.met(self.shape(1.07)))
        self.assertFalse(growth.met(self.shape(1.04) | {"last_exponent": 1.2}))

    def test_a_table_has_all_columns_in_every_line(self):
        full = row(1, seconds=2.0, rounds=[1], usage=usage.Usage(1, 1, 1), disk=0.5)
        lines = report.table([full, row(2, rounds=[2])], [self.shape(1)])
        self.assertEqual({len(line) for line in lines}, {len(report.HEADINGS)})
        self.assertIn("1 + 1", report.as_text(lines))


class KeptChanges(unittest.TestCase):
    def test_a_column_is_added_once_and_shown(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            text = folder / "page.md"
            text.write_text(f"before\n{changes.BEGIN}old\n{changes.END}\nafter\n", encoding="utf-8")
            about = {"date": "2026-01-01", "revision": "r", "p_seconds": 0.25}
            for value in (2, 1):
                kept = changes.Changes(folder / "changes.json")
                kept.keep("a change", about, [row(value, "fresh")])
            kept.renew(text)
            self.assertEqual(kept.first("fresh"), 1)
            self.assertIn("| fresh | 1 P |  |", text.read_text(encoding="utf-8"))
            self.assertNotIn("old", text.read_text(encoding="utf-8"))

    def test_figures_of_words_are_no_numbers(self):
        kept = changes.Changes(Path("absent.json"))
        kept.columns = [{"name": "before", "figures": {"fresh": {"value": "4 to 5", "unit": "P",
                                                                    "target": 3}}}]
        self.assertIsNone(kept.first("fresh"))
        self.assertIn("| fresh | 4 to 5 P | 3 P |", kept.as_markdown())

    def test_a_page_without_marks_stays(self):
        self.assertEqual(changes.between("text", changes.BEGIN, changes.END, "new"), "text")


class Comparison(unittest.TestCase):
    def test_what_is_not_installed_is_named_with_how_to_get_it(self):
        ours = {"name": "ours", "version": "1", "seconds": 2.0, "rounds": [2.0], "peak": 1,
                "stored": 1, "note": "", "remark": "all of it", "does_not": [], "failed": None,
                "get_it": ""}
        absent = ours | {"name": "other", "version": None, "seconds": None, "get_it": "get other"}
        result = {"programs": [ours, absent], "elements": 10}
        self.assertIn("not installed", page.as_markdown(result))
        self.assertIn("`get other` would add it", page.notes(result))


if __name__ == "__main__":
    unittest.main()
