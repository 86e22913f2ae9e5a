"""Compares the import of one map with what other programs take; bench/compare builds and calls it.

Prints a table and notes, writes build/compare.json and the page in docs/performance/.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "large_trees"))

import page  # noqa: E402
import programs as known  # noqa: E402
import session  # noqa: E402
from candidate import Source  # noqa: E402
from machine import generate  # noqa: E402
from tools import Programs  # noqa: E402


def arguments():
    parser = session.parser("compare", __doc__)
    parser.add_argument("--with", dest="commands", action="append", default=[],
                        metavar="NAME=COMMAND", help="also COMMAND ROWS FOLDER, which loads the "
                        "files of rows in the one and keeps them in the other; may be repeated")
    options = session.parsed(parser)
    if not all("=" in command for command in options.commands):
        parser.error("--with takes NAME=COMMAND")
    return options


def candidates(programs, commands):
    found = [known.ours(programs), known.sqlite(programs), known.postgres(programs),
             known.networkx(programs)]
    return found + [known.command(*command.split("=", 1)) for command in commands]


def measure(options, folder, progress):
    programs = Programs(options.build, folder)
    progress("generating the map")
    counts = generate(programs, folder / "map.xml", session.topologies(options))
    found = candidates(programs, options.commands)
    loads, failed = {candidate.name: [] for candidate in found}, {}
    for index in range(options.rounds):
        source = make_rows(programs, folder)
        for candidate in found:
            if candidate.version is None or candidate.name in failed:
                continue
            progress(f"round {index + 1}: {candidate.name}")
            place = Path(tempfile.mkdtemp(prefix="load-", dir=folder))
            try:
                loads[candidate.name].append(candidate.load(source, place))
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                if candidate is found[0]:
                    raise
                progress(f"{candidate.name} failed: {error}")
                failed[candidate.name] = "it failed, as the messages of the run say"
            finally:
                shutil.rmtree(place, ignore_errors=True)
    entries = [entry(candidate, loads[candidate.name], failed.get(candidate.name))
               for candidate in found]
    return {"programs": entries, "elements": counts["elements"], "bytes": counts["bytes"],
            "rounds": options.rounds, "parse_seconds": source.parse_seconds}


def make_rows(programs, folder):
    rows = folder / "rows"
    shutil.rmtree(rows, ignore_errors=True)
    answer = programs.scenario("rows", folder / "map.xml", "--to", rows)
    with open(rows / "element.tsv", "rb") as file:
        kept = sum(1 for _ in file)
    return Source(str(folder / "map.xml"), str(rows), answer["parse"], kept)


def entry(candidate, loads, failed):
    about = {"name": candidate.name, "version": candidate.version, "get_it": candidate.get_it,
             "does_not": candidate.does_not, "remark": candidate.remark, "failed": failed,
             "seconds": None}
    if not loads or failed:
        return about
    return about | {"seconds": statistics.median_high(load.seconds for load in loads),
                    "version": loads[-1].version or candidate.version,
                    "rounds": [load.seconds for load in loads],
                    "peak": max(load.peak for load in loads),
                    "stored": max(load.stored for load in loads), "note": loads[-1].note}


def main():
    options = arguments()
    run = session.Session()
    with session.temporary_folder(options) as folder:
        result = measure(options, folder, run.progress)
    result |= run.about()
    (options.results / "compare.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    (session.docs(options) / "comparison.md").write_text(page.page(result), encoding="utf-8")
    print(page.as_text(result))
    print(page.notes(result))
    run.progress("done")


if __name__ == "__main__":
    main()
