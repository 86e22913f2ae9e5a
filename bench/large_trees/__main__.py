"""Measures what the project promises about large trees; bench/run builds and calls it.

Prints the table, writes the figures as JSON, and the page and the growth curves for docs/.
"""

import json
import shutil
import statistics

import changes
import chart
import growth
import report
import session
import usage
from machine import Maps
from rows import Row, add_instructions, find, medians, small_forms
from session import ROOT
from table import CHECKPOINT_RESTART, FAULTS, Table
from tools import Programs

LONG_TOPOLOGIES = 10_000


def arguments():
    parser = session.parser("run", __doc__)
    parser.add_argument("--long", action="store_true",
                        help="the table and growth also at ten million elements: hours, 100 GB")
    parser.add_argument("--keep", metavar="NAME",
                        help="add the figures to the table of changes in docs/performance.md")
    parser.add_argument("--only", choices=["table", "growth"])
    options = session.parsed(parser)
    if options.quick and (options.long or options.keep):
        parser.error("--quick goes with neither --long nor --keep")
    if options.keep and options.only == "growth":
        parser.error("--keep keeps the table, which --only growth leaves out")
    return options


class Result:
    """What one run has measured."""

    def __init__(self):
        self.rows, self.long_rows, self.shapes = [], [], []
        self.small = {}  # instructions of the small forms, by row
        self.more = {"instructions": "none"}


def measure(options, folder, progress, result):
    programs = Programs(options.build, folder)
    if options.only != "growth":
        measure_tables(options, programs, progress, result)
        write_figures(options, result, {})  # hours before growth at ten million has ended
    if options.only != "table":
        sizes = growth.QUICK_SIZES if options.quick else growth.SIZES
        result.shapes = growth.measure(programs, growth.LONG_SIZES if options.long else sizes,
                                       progress)


def measure_tables(options, programs, progress, result):
    progress("generating the maps")
    maps = Maps(programs, session.topologies(options))
    perf = usage.perf_counts()
    result.rows, p_seconds = measure_table(options, programs, maps, perf, progress)
    result.more |= {"p_seconds": p_seconds, "rounds": options.rounds, "counts": maps.counts}
    if perf:
        result.more["instructions"] = "perf"
    elif not options.quick:
        progress("counting instructions of the small form")
        result.small = small_forms(result.rows, usage.callgrind_counts(ROOT, options.build))
        result.more["instructions"] = "callgrind" if result.small else "none"
    set_target_of_faults(result.rows)
    if options.long:
        long_maps = Maps(programs, LONG_TOPOLOGIES, unit=maps.base)
        result.long_rows, _ = measure_table(options, programs, long_maps, perf, progress)
        result.long_rows.insert(0, tenfold_restart(result.rows, result.long_rows))
        long_maps.remove()
    maps.remove()


def measure_table(options, programs, maps, perf, progress):
    """All rows in turns, round after round; what counts is the middle of the rounds. Where perf
    counts, it does so in a round of its own, of which no time is taken. Also gives P."""
    rounds, units = [], []
    for index in range(options.rounds + (1 if perf else 0)):
        counting = index == options.rounds
        name = "counting" if counting else f"round {index + 1}"
        folder = programs.folder / name.replace(" ", "-")
        folder.mkdir()
        table = Table(Programs(options.build, folder, counting), maps,
                      lambda text, name=name: progress(f"{name}: {text}"))
        rounds.append(table.measure())
        units.append(table.machine.p)
        shutil.rmtree(folder)
    rows = medians(rounds[:options.rounds])
    if perf:
        add_instructions(rows, rounds[-1])
    return rows, statistics.median(units[:options.rounds])


def tenfold_restart(rows, long_rows):
    """Middle over middle; the rounds are those of the ten million over the middle of the other."""
    base, tenfold = find(rows, CHECKPOINT_RESTART), find(long_rows, CHECKPOINT_RESTART)
    ratio = tenfold.seconds / base.seconds
    return Row("restart from a checkpoint, over that of a million elements", ratio, "times", 2, 1.2,
               seconds=tenfold.seconds,
               rounds=[ratio * value / tenfold.value for value in tenfold.rounds],
               note=f"{base.seconds:.3f} s with a million")


def set_target_of_faults(rows):
    row = find(rows, FAULTS)
    first = kept_changes().first(FAULTS)
    if first is not None:
        row.target, row.stretch = first / 2, first / 3


def kept_changes():
    return changes.Changes(ROOT / "docs/performance/changes.json")


def write_figures(options, result, about):
    about = result.more | about
    (options.results / "bench.json").write_text(
        json.dumps(about | {"growth": result.shapes, "small_forms": result.small,
                            "rows": [row.as_json() for row in result.rows],
                            "rows_of_ten_million": [row.as_json() for row in result.long_rows]},
                   indent=1), encoding="utf-8")


def write_pages(options, result, about):
    docs = session.docs(options)
    if result.shapes:
        (docs / "growth.svg").write_text(chart.growth_chart(result.shapes), encoding="utf-8")
    if result.rows and result.shapes:  # the pages are whole or stay as they were
        text = report.page(about, report.table(result.rows, result.shapes, result.small),
                           result.rows, report.table(result.long_rows, []), result.long_rows)
        (docs / "figures.md").write_text(text, encoding="utf-8")
        if not options.quick:
            renew_front_page(report.summary(about, result.rows, result.shapes))
    if options.keep:
        kept = kept_changes()
        kept.keep(options.keep, about, result.rows + result.long_rows[:1])
        kept.renew(ROOT / "docs/performance.md")


def renew_front_page(summary):
    path = ROOT / "README.md"
    path.write_text(changes.between(path.read_text(encoding="utf-8"), "<!-- bench/run -->\n",
                                    "<!-- end of bench/run -->", summary), encoding="utf-8")


def show(result, about):
    if result.rows:
        print(f"P = {about['p_seconds']:.4f} s")
        print(report.INSTRUCTIONS[about["instructions"]])
    print(report.as_text(report.table(result.rows, result.shapes, result.small)))
    print(report.notes(result.rows))
    if result.long_rows:
        print("\nTen million elements:")
        print(report.as_text(report.table(result.long_rows, [])))
        print(report.notes(result.long_rows))


def main():
    options = arguments()
    run = session.Session()
    result = Result()
    with session.temporary_folder(options) as folder:
        measure(options, folder, run.progress, result)
    about = result.more | run.about()
    write_figures(options, result, about)
    write_pages(options, result, about)
    show(result, about)
    run.progress("done")


if __name__ == "__main__":
    main()
