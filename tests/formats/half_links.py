#!/usr/bin/env python3
"""Which ports of documents name each other, counted here and asked of the program's code.

Goal: two half links are joined when both sides name each other's ports, and never otherwise.
Method: aliases between one-way ports of NSI documents are found here with code of its own, in
the samples and in copies of them in which one alias or one direction is taken away;
half_links_report says what the product makes of the same files. Then a node with the rule takes
the samples one after the other, again, and undoes the last one.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

NML = "{http://schemas.ogf.org/nml/2013/05/base#}"
INVALID = {"invalid-merge-conflict.xml", "no-topology-netherlight-nsa.xml"}


def aliases_of(root):
    """Pairs of a one-way port, and the one that it says it is joined to."""
    for port in root.iter(f"{NML}PortGroup"):
        for relation in port.findall(f"{NML}Relation"):
            if relation.get("type").endswith("#isAlias"):
                for other in relation:
                    yield port.get("id"), other.get("id")


def classify(roots):
    """How many aliases both sides name, one side names, lead out; and the links they make."""
    aliases = {alias for root in roots for alias in aliases_of(root)}
    whole = {part.get("id"): port.get("id") for root in roots
             for port in root.iter(f"{NML}BidirectionalPort")
             for part in port.findall(f"{NML}PortGroup")}
    both = {(a, b) for a, b in aliases if (b, a) in aliases}
    out = {(a, b) for a, b in aliases if b not in whole}
    ways = collections.Counter(tuple(sorted((whole[a], whole[b]))) for a, b in both)
    links = sorted(pair for pair, count in ways.items() if count == 4)
    return {"both": len(both), "one": len(aliases - both - out), "out": len(out)}, links


def ask(program, paths):
    done = subprocess.run([program, *paths], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def without_aliases(path, folder, count):
    """A copy in which so many of the aliases that others name, too, are gone."""
    document = tree.parse(path)
    for port in document.getroot().iter(f"{NML}PortGroup"):
        for relation in port.findall(f"{NML}Relation"):
            if count and relation.get("type").endswith("#isAlias"):
                port.remove(relation)
                count -= 1
    copy = folder / path.name
    document.write(copy, encoding="utf-8", xml_declaration=True)
    return copy


def compare(name, program, paths):
    counts, links = classify([tree.parse(path).getroot() for path in paths])
    answer = ask(program, paths)
    joined = sorted(tuple(sorted(link["ports"])) for link in answer["joined"])
    failed = joined != links
    print(f"{name}: aliases {counts}, links {len(links)}: {'FAILED' if failed else 'ok'}")
    if failed:
        print(f"  here {links}\n  there {joined}")
    return counts, answer, failed


class Node:
    """A data directory, and the program at work on it."""

    def __init__(self, program, folder):
        self.command = [program, "--data", str(folder), "--json"]

    def do(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stdout or done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def links(self):
        return self.do("status")["counts"]["links"]


RULE = [{"name": "Half links", "rules": [{
    "name": "Join half links",
    "match_criteria": [{"match_type": "Match Nodes with Half Links", "matchinfo_set": []}],
    "actions": [{"action_type": "Join Half Links", "actioninfo_set": []}]}]}]


def check_rule(program, folder, paths, links):
    """What is wrong with the links that a node with the rule has."""
    rules = folder / "rules.json"
    rules.write_text(json.dumps(RULE), encoding="utf-8")
    node = Node(program, folder / "node")
    node.do("init", "--name", "World", "--owner", "Everybody")
    for path in paths:
        node.do("import", path)
    if node.links() != 0:
        yield f"{node.links()} links before there was a rule"
    made = node.do("rules", "import", rules)
    if node.links() != len(links):
        yield f"{node.links()} links, not {len(links)}: {made}"
    for path in paths:
        again = node.do("import", path)
        if again["created"] + again["updated"] + again["deleted"] or node.links() != len(links):
            yield f"{path.name} again: {again}"
    node.do("undo", made["lsn"])
    if node.links() != 0:
        yield f"{node.links()} links after undo"


def main():
    program, netml = sys.argv[1:3]
    samples = pathlib.Path(os.environ.get("NETML_TEST_DATA", "absent")) / "formats" / "nml"
    if not samples.is_dir():
        print(f"no samples in {samples}: skipped")
        return 0
    paths = sorted(path for path in samples.glob("*.xml") if path.name not in INVALID)
    counts, answer, failed = compare("samples", program, paths)
    failures = int(failed)
    if counts != {"both": 8, "one": 0, "out": 18}:
        failures += 1
        print(f"FAILED samples: other aliases than expected: {counts}")
    if {half["why"] for half in answer["unjoined"]} != {"dangling"}:
        failures += 1
        print("FAILED samples: what is not joined leads out of them")
    czech = next(path for path in paths if path.name.startswith("czechlight"))
    links = classify([tree.parse(path).getroot() for path in paths])[1]
    with tempfile.TemporaryDirectory() as folder:
        for problem in check_rule(netml, pathlib.Path(folder), paths, links):
            failures += 1
            print(f"FAILED with the rule: {problem}")
        for removed in (1, 2):
            copy = without_aliases(czech, pathlib.Path(folder), removed)
            others = [copy if path == czech else path for path in paths]
            counts, answer, failed = compare(f"{removed} taken away", program, others)
            one_sided = [half for half in answer["unjoined"] if half["why"] == "one-sided"]
            if failed or counts["one"] == 0 or not one_sided:
                failures += 1
                print(f"FAILED {removed} taken away: none is one-sided: {answer['unjoined']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
