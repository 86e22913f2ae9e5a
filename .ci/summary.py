#!/usr/bin/env python3
"""Sums up the results of several ctest runs: the slowest tests, skipped ones, and the count.

Usage: summary.py BROKEN FOLDER

FOLDER holds the JUnit files of ctest, and in suites/ the files of the suites that ran in one
process. BROKEN steps that are no tests failed; they count as failures. The last line is always
"N passed, N failed".
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

SLOWEST = 5
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Case:
    def __init__(self, name, seconds, state, why=""):
        self.name = name
        self.seconds = seconds
        self.state = state  # passed, failed or skipped
        self.why = why  # it was skipped


def of_ctest(path):
    states = {"run": "passed", "fail": "failed"}
    for case in ElementTree.parse(path).iter("testcase"):
        # ctest has no word of its own for tests that were to run and did not: no binary was built.
        state = "failed" if case.get("name").endswith("_NOT_BUILT") else "skipped"
        lines = re.findall(r"(?:skipped: |: Skipped\n)(.*)", case.findtext("system-out") or "")
        yield Case(case.get("name"), float(case.get("time")), states.get(case.get("status"), state),
                   lines[0] if lines else "")


def of_suite(path):
    """Tests print bytes of all kinds; what XML cannot hold is replaced. Unreadable: no tests."""
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        root = ElementTree.fromstring(NOT_IN_XML.sub("?", text))
    except ElementTree.ParseError:
        return
    for case in root.iter("testcase"):
        skipped = case.find("skipped")
        state = "passed" if case.get("result") == "completed" and skipped is None else "skipped"
        if case.find("failure") is not None:
            state = "failed"
        why = "" if skipped is None else skipped.get("message", "").strip().rpartition("\n")[2]
        name = f"{case.get('classname')}.{case.get('name')}"
        yield Case(name, float(case.get("time")), state, why)


def all_cases(folder):
    """Suites of one name in several programs are distinguished by their files alone. A suite that
    crashed left no file: it counts as one test, as ctest saw it end."""
    cases = []
    for path in sorted(folder.glob("*.xml")):
        suites = {}
        for file in sorted((folder / "suites" / path.stem).glob("*.xml")):
            for test in of_suite(file):
                suites.setdefault(test.name.rpartition(".")[0], []).append(test)
        cases += [test for tests in suites.values() for test in tests]
        for case in of_ctest(path):
            tests = suites.get(case.name)
            # A sanitizer may end a process after its tests: the suite itself is what failed then.
            failed_outside = case.state == "failed" and tests is not None and not any(
                test.state == "failed" for test in tests)
            if tests is None or failed_outside:
                cases.append(case)
    return cases


def main(broken, folder):
    cases = all_cases(pathlib.Path(folder))
    passed = [case for case in cases if case.state == "passed"]
    failed = [case for case in cases if case.state == "failed"]
    skipped = [case for case in cases if case.state == "skipped"]
    for case in sorted(cases, key=lambda case: -case.seconds)[:SLOWEST]:
        print(f"slowest: {case.seconds:7.2f} s  {case.name}")
    for case in failed:
        print(f"failed: {case.name}")
    for case in skipped:
        print(f"skipped: {case.name}: {case.why or 'for no reason reported'}")
    print(f"{len(passed)} passed, {len(failed) + broken} failed")
    return 1 if failed or broken or not cases else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2]))
