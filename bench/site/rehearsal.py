#!/usr/bin/env python3
"""Measures how many imports a second a rehearsal of rules goes through.

Usage: bench/site/rehearsal.py PROGRAM [IMPORTS [ELEMENTS [ROUNDS]]]

PROGRAM is a release build. The history has IMPORTS (60) of a map of ELEMENTS (10000), half of them
nodes, half links; in each some 1 % of the names are others than in the one before. The ruleset that
is rehearsed deletes a node, so each import is planned anew on another map. Time is that of `netml
rules rehearse` on the directory, from its start to its exit, in turns since the first import and
since the last one, most of which is the opening of the directory: ROUNDS (3) pairs, the middle
counts.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time


def ruleset(node):
    match = {"match_type": "Match Nodes by ID", "matchinfo_set": [{"key": "ID", "value": node}]}
    rule = {"name": "One node goes", "priority": 10, "match_criteria": [match],
            "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}
    return [{"name": "Rehearsed", "priority": -1, "rules": [rule]}]


def history(program, folder, imports, elements):
    """The directory, and the ruleset."""
    data, source = os.path.join(folder, "data"), os.path.join(folder, "map.xml")
    per_topology = str(elements // 20)
    subprocess.run([program, "generate", "--topologies", "10", "--nodes", per_topology, "--links",
                    per_topology, "-o", source], check=True, stderr=subprocess.DEVNULL)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for number in range(imports):
        ending = f"{number % 10}{number // 10 % 10}"
        names = re.compile(rf"(<grenml:name>)([^<]*{ending})(</grenml:name>)")
        with open(source, "w", encoding="utf-8") as file:
            file.write(names.sub(rf"\1\2 of {number}\3", text))
        subprocess.run([program, "import", source, "--root", "--data", data], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rules = os.path.join(folder, "rules.json")
    with open(rules, "w", encoding="utf-8") as file:
        json.dump(ruleset(re.search(r'<grenml:Node id="([^"]*)"', text).group(1)), file)
    return data, rules


def rehearse(program, data, rules, since):
    """Seconds, and how many imports were planned again."""
    began = time.monotonic()
    done = subprocess.run([program, "rules", "rehearse", rules, "--since", since, "--json",
                           "--data", data], check=True, capture_output=True, text=True)
    took = time.monotonic() - began
    return took, sum('"outcome":"planned"' in line for line in done.stdout.splitlines())


def main():
    program = os.path.abspath(sys.argv[1])
    imports, elements, rounds = (int(sys.argv[place]) if len(sys.argv) > place else usual
                                 for place, usual in ((2, 60), (3, 10_000), (4, 3)))
    with tempfile.TemporaryDirectory() as folder:
        data, rules = history(program, folder, imports, elements)
        whole, last = [], []
        for _ in range(rounds):
            took, planned = rehearse(program, data, rules, "import:1")
            whole.append(took)
            last.append(rehearse(program, data, rules, f"import:{imports}")[0])
            print(f"{planned} of {imports} imports planned in {took:.2f} s, the last alone in "
                  f"{last[-1]:.2f} s", flush=True)
        print(f"{imports / statistics.median(whole):.1f} imports of {elements} elements a second; "
              f"the last alone {statistics.median(last):.2f} s")


if __name__ == "__main__":
    main()
