#!/usr/bin/env python3
"""Counts the fields of files and holds the loss lists of `netml convert` against them.

Goal: carried + lost = present for every file, by a count that shares no code with the program, and
nothing is lost between the program's own files.
Method: samples, and maps made here from a seed, of which it is known how many fields must be lost;
what is written is read again, by this program and where there is one by a library of others.
What is known of a format is in accounts/.
"""

import argparse
import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import accounts

GRENML = "{http://schemas.ogf.org/nml/2020/01/grenml}"
FORMATS = sorted(module.name for module in pkgutil.iter_modules(accounts.__path__)
                 if not module.name.startswith("_"))


def elements_of_netml(path):
    """Nodes and links by their identifiers: several topologies may list one."""
    root = tree.parse(path).getroot()
    ids = [{element.get("id") for element in root.findall(f".//{GRENML}{kind}")}
           for kind in ("Node", "Link")]
    return len(ids[0]), len(ids[1])


class Account:
    def __init__(self, program, folder, name):
        self.program = program
        self.folder = folder
        self.name = name
        self.format = importlib.import_module(f"accounts.{name}")
        self.failures = 0
        self.files = 0
        self.read_elsewhere = 0

    def fail(self, path, text):
        self.failures += 1
        print(f"FAILED {path}: {text}")

    def run_convert(self, source, target, *options):
        """What the program lists as lost; the end of its process without that."""
        losses = self.folder / "losses.json"
        done = subprocess.run([self.program, "convert", source, target, "--loss", losses, *options],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, done
        return json.loads(losses.read_text(encoding="utf-8")), done

    def convert(self, source, target, *options):
        losses, done = self.run_convert(source, target, *options)
        if losses is None:
            self.fail(source, f"is not converted: {done.stderr.strip()}")
        return losses

    def check_list(self, path, losses):
        if losses["carried"] + losses["lost"] != losses["present"]:
            self.fail(path, "carried and lost are not what is present")
        if len(losses["losses"]) + losses["omitted"] != losses["lost"]:
            self.fail(path, "the list and what it omits are not what is lost")
        if any("line" not in loss and "pointer" not in loss for loss in losses["losses"]):
            self.fail(path, "a loss has no place")

    def check_refusal(self, path, wanted):
        self.files += 1
        losses, done = self.run_convert(path, self.folder / "refused.xml")
        if losses is not None:
            self.fail(path, "is not refused")
        elif wanted not in done.stderr:
            self.fail(path, f"is not refused with {wanted!r}: {done.stderr.strip()}")

    def check(self, path, lost=None):
        """A file in, through NetML and back."""
        self.files += 1
        once = self.folder / "once.xml"
        losses = self.convert(path, once)
        if losses is None:
            return
        read = losses["read"]
        self.check_list(path, read)
        present = self.format.count(path)
        if read["present"] != present:
            self.fail(path, f"{read['present']} fields are counted, there are {present}")
        if lost is not None and read["lost"] != lost:
            self.fail(path, f"{read['lost']} fields are lost, and not {lost}: {read['counts']}")
        if getattr(self.format, "WRITTEN", True):
            self.check_way_back(path, once)

    def check_way_back(self, path, once):
        back, twice = self.folder / f"back{self.format.ENDING}", self.folder / "twice.xml"
        there, again = self.convert(once, back, "--to", self.name), self.convert(back, twice)
        if there is None or again is None:
            return
        self.check_list(path, again["read"])
        if again["read"]["present"] != self.format.count(back):
            self.fail(path, "the fields of what was written are counted otherwise")
        if self.format.LOSSLESS:
            if there["written"]["lost"] or again["read"]["lost"]:
                self.fail(path, f"lost on the way back: {there['written']} {again['read']}")
            if once.read_bytes() != twice.read_bytes():
                self.fail(path, "the map is another one after it was written and read")
        self.check_elements(path, once, back)
        for fault in getattr(self.format, "faults", lambda path: [])(back):
            self.fail(path, f"is written against the standard: {fault}")

    def check_elements(self, path, netml, written):
        found = getattr(self.format, "elements", lambda path: None)(written)
        if found is None:
            return
        self.read_elsewhere += 1
        there = elements_of_netml(netml)
        if found != there:
            self.fail(path, f"another library finds {found} nodes and links, and not {there}")

    def check_samples(self, folder):
        for pattern in self.format.SAMPLES:
            for path in sorted(folder.glob(pattern)):
                if path.name in self.format.REFUSED:
                    self.check_refusal(path, self.format.REFUSED[path.name])
                else:
                    self.check(path, lost=self.format.LOST.get(path.name, 0))

    def check_made(self, seeds):
        for seed in seeds:
            generator = self.format.Generator(seed)
            path = self.folder / f"made-{seed}{self.format.ENDING}"
            made = generator.file()
            path.write_bytes(made.encode() if isinstance(made, str) else made)
            self.check(path, lost=generator.lost)
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--format", action="append", choices=FORMATS, help="may be repeated")
    parser.add_argument("--maps", type=int, default=20, help="made of each format")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    samples = pathlib.Path(os.environ.get("NETML_TEST_DATA", "absent")) / "formats"
    if not samples.is_dir():
        print(f"no samples in {samples}: skipped")
    failures = 0
    for name in options.format or FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            account = Account(options.program, pathlib.Path(folder), name)
            account.check_samples(samples)
            account.check_made(range(options.seed, options.seed + options.maps))
        failures += account.failures
        print(f"{name}: {account.files} files, {account.read_elsewhere} read by another library, "
              f"{account.failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
