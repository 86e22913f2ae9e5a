"""Measures what the project promises about large trees; bench/run builds and calls it.

Prints the table, writes the figures as JSON, and the page and the growth curves for docs/.
"""

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chart
import growth
import report
from table import Maps, Table, medians
from tools import Programs

TOPOLOGIES, QUICK_TOPOLOGIES = 1000, 20
ROUNDS = 5
ROOT = Path(__file__).resolve().parents[2]


def absolute(path):
    return Path(path).resolve()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=absolute, default=ROOT / "build/release")
    parser.add_argument("--quick", action="store_true",
                        help="20,000 elements, to try it out; leaves docs/ alone")
    parser.add_argument("--results", type=absolute, default=ROOT / "build",
                        help="folder for bench.json")
    parser.add_argument("--only", choices=["table", "growth"])
    return parser.parse_args()


def measure(options, folder, progress):
    programs = Programs(options.build, folder)
    rows, shapes, result = [], [], {}
    if options.only != "growth":
        rows, result = measure_table(options, programs, progress)
    if options.only != "table":
        sizes = growth.QUICK_SIZES if options.quick else growth.SIZES
        shapes = growth.measure(programs, sizes, progress)
    return rows, shapes, result


def measure_table(options, programs, progress):
    """All rows in turns, round after round; what counts is the middle of the rounds."""
    progress("generating the maps")
    maps = Maps(programs, QUICK_TOPOLOGIES if options.quick else TOPOLOGIES)
    rounds, units = [], []
    for index in range(ROUNDS):
        folder = programs.folder / f"round-{index}"
        folder.mkdir()
        table = Table(Programs(options.build, folder), maps,
                      lambda text, index=index: progress(f"round {index + 1}: {text}"))
        rounds.append(table.measure())
        units.append(table.machine.p)
        shutil.rmtree(folder)
    return medians(rounds), {"p_seconds": statistics.median(units), "rounds": ROUNDS,
                             "counts": maps.counts}


def revision():
    return subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def write_results(options, result, rows, shapes, lines):
    (options.results / "bench.json").write_text(
        json.dumps(result | {"rows": [row.as_json() for row in rows]}, indent=1), encoding="utf-8")
    docs = options.results / "bench-docs" if options.quick else ROOT / "docs/performance"
    docs.mkdir(parents=True, exist_ok=True)
    if shapes:
        (docs / "growth.svg").write_text(chart.growth_chart(shapes), encoding="utf-8")
    if rows and shapes:  # the pages are whole or stay as they were
        (docs / "figures.md").write_text(report.page(result, lines, rows), encoding="utf-8")
        if not options.quick:
            renew_front_page(report.summary(result, rows, shapes))


def renew_front_page(summary):
    """Replaces what stands between the two marks of the README."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    begin, end = "<!-- bench/run -->\n", "<!-- end of bench/run -->"
    if begin in text and end in text:
        before, rest = text.split(begin, 1)
        path.write_text(before + begin + summary + end + rest.split(end, 1)[1], encoding="utf-8")


def main():
    options = arguments()
    begin = time.monotonic()

    def progress(text):
        print(f"{time.monotonic() - begin:6.1f} s  {text}", file=sys.stderr, flush=True)

    load = os.getloadavg()[0]
    options.results.mkdir(parents=True, exist_ok=True)
    # Not below /tmp, which may be memory: then nothing would be written to a disk.
    folder = Path(tempfile.mkdtemp(prefix="netml-bench-",
                                   dir=os.environ.get("TMPDIR", options.results)))
    try:
        rows, shapes, result = measure(options, folder, progress)
    finally:
        shutil.rmtree(folder)
    result |= {"date": datetime.date.today().isoformat(), "revision": revision(), "load": load,
               "machine": report.machine(), "growth": shapes,
               "seconds": time.monotonic() - begin}
    lines = report.table(rows, shapes)
    write_results(options, result, rows, shapes, lines)
    if rows:
        print(f"P = {result['p_seconds']:.4f} s")
    print(report.as_text(lines))
    for row in rows:
        if row.note:
            print(f"  {row.what}: {row.note}")
    progress("done")


if __name__ == "__main__":
    main()
