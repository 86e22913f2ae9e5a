#!/usr/bin/env python3
"""What the last lines of ./test say of results that ctest and suites left."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SUMMARY = Path(__file__).resolve().parents[2] / ".ci/summary.py"


def ctest(*cases):
    return "<testsuite>" + "".join(
        f'<testcase name="{name}" time="1" status="{status}"><system-out>{text}</system-out></testcase>'
        for name, status, text in cases) + "</testsuite>"


def suite(name, *tests):
    return f'<testsuites><testsuite name="{name}">' + "".join(
        f'<testcase name="{test}" classname="{name}" time="0.1" result="completed">{inside}</testcase>'
        for test, inside in tests) + "</testsuite></testsuites>"


class Summary(unittest.TestCase):
    def lines(self, files, broken=0):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", SUMMARY, str(broken), folder],
                                  capture_output=True, text=True, check=False)
        return done.stdout.splitlines(), done.returncode

    def test_suites_of_one_name_in_two_programs_are_both_counted(self):
        lines, code = self.lines({
            "check.xml": ctest(("Refusals", "run", ""), ("Refusals", "run", "")),
            "suites/check/a.Refusals.xml": suite("Refusals", ("One", ""), ("Two", "")),
            "suites/check/b.Refusals.xml": suite("Refusals", ("Three", ""))})
        self.assertEqual((lines[-1], code), ("3 passed, 0 failed", 0))

    def test_a_suite_that_crashed_counts_as_one_failure(self):
        lines, code = self.lines({"check.xml": ctest(("Crashing", "fail", ""))})
        self.assertEqual((lines[-1], code), ("0 passed, 1 failed", 1))

    def test_a_process_that_fails_after_its_tests_counts_as_one_more_failure(self):
        lines, code = self.lines({
            "asan.xml": ctest(("Leaking", "fail", "")),
            "suites/asan/a.Leaking.xml": suite("Leaking", ("One", ""))})
        self.assertEqual((lines[-1], code), ("1 passed, 1 failed", 1))

    def test_a_failed_step_counts_as_a_failure(self):
        lines, code = self.lines({"check.xml": ctest(("Sound", "run", ""))}, broken=1)
        self.assertEqual((lines[-1], code), ("1 passed, 1 failed", 1))

    def test_each_skipped_test_is_named_with_its_reason(self):
        skipped = '<skipped message="a.cpp:7&#x0A;no sizes"/>'
        lines, _ = self.lines({
            "check.xml": ctest(("Web.browser", "notrun", "skipped: there is no Chromium"),
                               ("Single.Test", "notrun", "/tests/a.cpp:7: Skipped\nno data\n[ SKIPPED ]"),
                               ("Long", "run", "")),
            "suites/check/a.Long.xml": suite("Long", ("Files", skipped))})
        self.assertIn("skipped: Web.browser: there is no Chromium", lines)
        self.assertIn("skipped: Single.Test: no data", lines)
        self.assertIn("skipped: Long.Files: no sizes", lines)


if __name__ == "__main__":
    unittest.main()
