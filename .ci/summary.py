#!/usr/bin/env python3
"""Sums up the JUnit files of several ctest runs: the slowest tests, skipped ones, and the count.

Usage: summary.py BROKEN FILE...

BROKEN steps came to no tests at all and count as failures. The last line is always
"N passed, N failed".
"""

import sys
import xml.etree.ElementTree as ElementTree

SLOWEST = 5


def main(broken, paths):
    cases = [case for path in paths for case in ElementTree.parse(path).iter("testcase")]
    passed = [case for case in cases if case.get("status") == "run"]
    failed = [case for case in cases if case.get("status") == "fail"]
    skipped = [case for case in cases if case.get("status") in ("notrun", "disabled")]
    # ctest has no word of its own for tests that were to run and did not: no binary was built.
    not_built = [case for case in skipped if case.get("name").endswith("_NOT_BUILT")]
    failed += not_built
    skipped = [case for case in skipped if case not in not_built]

    for case in sorted(cases, key=lambda case: -float(case.get("time")))[:SLOWEST]:
        print(f"slowest: {float(case.get('time')):7.2f} s  {case.get('name')}")
    for case in failed:
        print(f"failed: {case.get('name')}")
    if skipped:
        print(f"{len(skipped)} skipped, the first: {skipped[0].get('name')}")
    print(f"{len(passed)} passed, {len(failed) + broken} failed")
    return 1 if failed or broken or not cases else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
