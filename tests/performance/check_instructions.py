#!/usr/bin/env python3
"""Compares the instructions that callgrind counts with the committed figures.

Usage: check_instructions.py PROGRAM FIGURES [--renew]

Fails when a count differs from its figure by more than 3 percent, in either direction: a figure
that has become too high would hide the next loss. --renew writes what was counted instead.

Wall time on a shared machine is noise; instructions are not. Callgrind runs one thread at a time
and puts memory at the same addresses each time, so that only the order in which threads take
turns is left to chance. All threads are counted together. The variable makes the C library choose
the same code for copying and comparing memory on every x86-64.

Exits with 77 if valgrind is missing.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOLERANCE = 0.03
EXIT_SKIPPED = 77
PLAIN_CODE = "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-EVEX"


def count(program):
    """Instructions of each part, by name."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--quiet", "--fair-sched=yes",
             f"--callgrind-out-file={folder}/counts", program, f"{folder}/data"],
            check=True, env=dict(os.environ, GLIBC_TUNABLES=PLAIN_CODE, TMPDIR=folder))
        return dict(filter(None, map(read_dump, sorted(Path(folder).glob("counts.*")))))


def read_dump(path):
    """Name and count of one part; none for the dump at the end of the program. What stands at the
    head ("summary") also has what other threads did before the counting began; the sum of the
    lines has not."""
    text = path.read_text(encoding="utf-8", errors="replace")
    name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
    total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
    return (name[1], int(total[1])) if name and total else None


def differences(figures, counts):
    for name in sorted(figures.keys() | counts.keys()):
        if name not in counts or name not in figures:
            yield f"{name}: {'not counted' if name in figures else 'has no figure'}"
            continue
        change = counts[name] / figures[name] - 1
        print(f"{name:>14}: {counts[name]:>15,} instructions, {change:+.2%} of the figure")
        if abs(change) > TOLERANCE:
            yield f"{name}: {change:+.2%}, more than {TOLERANCE:.0%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("figures", type=Path)
    parser.add_argument("--renew", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return EXIT_SKIPPED
    counts = count(options.program)
    if options.renew:
        options.figures.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
        print(f"renewed {options.figures}")
        return 0
    figures = json.loads(options.figures.read_text(encoding="utf-8"))
    wrong = list(differences(figures, counts))
    for line in wrong:
        print(f"error: {line}")
    if wrong:
        print("If this is meant, renew the figures: tests/performance/renew")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
