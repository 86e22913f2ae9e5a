"""The table for a terminal and as a page of the documentation."""

import growth
from rows import FORM

HEADINGS = ["what", "seconds", "measured", "lowest to highest", "target", "stretch", "met",
            "instructions", "page faults", "written", "disk"]
FRONT_HEADINGS = ["what", "seconds", "elements per second", "ratio", "target"]
LEFT_ALIGNED = {"what", "met", "program", "version"}


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_unit(value, unit):
    return "" if value is None else f"{number(value)} {unit}"


def seconds_text(value):
    return "" if value is None else f"{value:.3f}"


def cells(row, small):
    """`small`: instructions of the small forms, by row."""
    spread = f"{number(min(row.rounds))} to {number(max(row.rounds))}"
    return [row.what, seconds_text(row.seconds), with_unit(row.value, row.unit), spread,
            with_unit(row.target, row.unit), with_unit(row.stretch, row.unit), row.verdict(),
            *usage_cells(row, small)]


def usage_cells(row, small):
    if row.usage is None:
        return ["", "", "", ""]
    used = row.usage
    if used.instructions is not None:
        instructions = f"{used.instructions / 1e6:,.0f} M"
    else:
        instructions = f"{small[row.what] / 1e6:,.0f} M *" if row.what in small else "-"
    faults = f"{used.minor_faults:,}"
    if used.major_faults:
        faults += f" + {used.major_faults:,}"
    disk = f"{row.disk:.2f} s" if row.disk else ""
    written = "-" if used.written is None else f"{used.written / 1e6:,.0f} MB"
    return [instructions, faults, written, disk]


def growth_cells(shape):
    largest = shape["points"][-1]
    return [f"growth: {shape['title']}", f"{largest['seconds']:.3f}",
            f"{shape['exponent']:.2f} exponent", f"{shape['last_exponent']:.2f} at the end",
            f"{growth.EXPONENT_MAX} exponent", "", "yes" if growth.met(shape) else "no",
            "", "", "", ""]


def table(rows, shapes, small=None):
    return [cells(row, small or {}) for row in rows] + [growth_cells(shape) for shape in shapes]


def as_text(lines, headings=HEADINGS):
    lines = [headings, *lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) if heading in LEFT_ALIGNED else cell.rjust(width)
                  for cell, width, heading in zip(line, widths, headings, strict=True)).rstrip()
        for line in lines)


def as_markdown(lines, headings=HEADINGS):
    rule = ["---" if heading in LEFT_ALIGNED else "---:" for heading in headings]
    return "\n".join("| " + " | ".join(line) + " |" for line in [headings, rule, *lines])


def notes(rows):
    return "\n".join(f"- {row.what}: {row.note}" for row in rows if row.note)


def page(result, lines, rows, long_lines=(), long_rows=()):
    counts = result["counts"]
    return f"""# Figures

Made by `bench/run`; do not edit. {result["date"]}, revision {result["revision"]}.

{result["machine"]}; load of the machine before: {result["load"]:.1f}. The map has
{counts["elements"]:,} elements in {counts["topologies"]:,} topologies,
{counts["bytes"] / 1e6:,.0f} MB. **P = {result["p_seconds"]:.3f} s**: pugixml parsing that file in
memory, with pages kept.

All figures are what the clock saw; nothing is subtracted. Each is the middle of
the rounds ({result["rounds"]}), with P measured anew before it. Instructions (M: millions, in user
space), page faults (minor + major) and bytes written are of the round in the middle and repeat on
any machine; "disk" is the time that writing as many bytes in sequence with one fdatasync takes
here. {INSTRUCTIONS[result["instructions"]]} How each row is measured is described in
[the page about performance](../performance.md).

{as_markdown(lines)}

{notes(rows)}

![Time of an import over the size of the map, for each shape](growth.svg)

The seconds of growth are those of the largest size; the exponent is the slope of a straight line
through all sizes on log-log paper, and "at the end" that between the two largest, which may be
{growth.LAST_EXPONENT_MAX} at most.
{long_section(long_lines, long_rows)}"""


INSTRUCTIONS = {
    "perf": "Instructions were counted by perf, in a round of their own.",
    "callgrind": "perf cannot count on this machine: those with * are of 20,000 elements, counted "
                 "by callgrind.",
    "none": "Instructions were not counted.",
}


def long_section(lines, rows):
    if not lines:
        return ""
    return f"""
## Ten million elements

P is ten times that of the million; pugixml would need more than 20 GB for this file.

{as_markdown(lines)}

{notes(rows)}
"""


def summary(result, rows, shapes):
    """A few lines for the front page: seconds, elements per second, and the ratio."""
    counts = result["counts"]

    def line(row):
        return [row.what, with_unit(row.seconds, "s"),
                rate(row.elements, row.seconds), with_unit(row.value, row.unit),
                with_unit(row.target, row.unit)]

    lines = [line(row) for row in front_rows(rows)]
    worst = max(shapes, key=lambda shape: shape["exponent"])
    lines.append([f"growth, the steepest of {len(shapes)} shapes ({worst['name']})", "", "",
                  f"{worst['exponent']:.2f} exponent", f"{growth.EXPONENT_MAX} exponent"])
    return (f"A map of {counts['elements']:,} elements, {counts['bytes'] / 1e6:,.0f} MB; "
            f"P is what pugixml takes to parse it in memory: {result['p_seconds']:.3f} s.\n\n"
            f"{as_markdown(lines, FRONT_HEADINGS)}\n")


def front_rows(rows):
    """Those with a target; of the forms of a file only the slowest."""
    forms = [row for row in rows if row.what.startswith(FORM)]
    slowest = max(forms, key=lambda row: row.value, default=None)
    return [row for row in rows
            if row.target is not None and (row is slowest or row not in forms)]


def rate(elements, seconds):
    """Elements per second in three digits: "612,000", "5.04 million"."""
    if not seconds or not elements:
        return ""
    value = float(f"{elements / seconds:.3g}")
    return f"{value / 1e6:.3g} million" if value >= 1e6 else f"{value:,.0f}"
