"""The table for a terminal and as a page of the documentation."""

import os
import platform

from growth import EXPONENT_MAX

HEADINGS = ["what", "seconds", "beside it", "measured", "lowest to highest", "target", "stretch",
            "met"]
RIGHT_ALIGNED = {"seconds", "measured", "lowest to highest", "target", "stretch"}


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_unit(value, unit):
    return "" if value is None else f"{number(value)} {unit}"


def cells(row):
    seconds = "" if row.seconds is None else f"{row.seconds:.3f}"
    spread = f"{number(min(row.rounds))} to {number(max(row.rounds))}"
    floors = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in row.floors.items() if seconds)
    return [row.what, seconds, floors, with_unit(row.value, row.unit), spread,
            with_unit(row.target, row.unit),
            with_unit(row.stretch, row.unit), row.verdict()]


def growth_cells(shape):
    largest = shape["points"][-1]
    met = "yes" if shape["exponent"] <= EXPONENT_MAX else "no"
    return [f"growth: {shape['title']}", f"{largest['seconds']:.3f}", "",
            f"{shape['exponent']:.2f} exponent", "", f"{EXPONENT_MAX} exponent", "", met]


def table(rows, shapes):
    return [cells(row) for row in rows] + [growth_cells(shape) for shape in shapes]


def as_text(lines):
    lines = [HEADINGS, *lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.rjust(width) if heading in RIGHT_ALIGNED else cell.ljust(width)
                  for cell, width, heading in zip(line, widths, HEADINGS)).rstrip()
        for line in lines)


def as_markdown(lines):
    rule = ["---:" if heading in RIGHT_ALIGNED else "---" for heading in HEADINGS]
    return "\n".join("| " + " | ".join(line) + " |" for line in [HEADINGS, rule, *lines])


def page(result, lines, rows):
    notes = "\n".join(f"- {row.what}: {row.note}" for row in rows if row.note)
    counts = result["counts"]
    return f"""# Figures

Made by `bench/run`; do not edit. {result["date"]}, revision {result["revision"]}.

{result["machine"]}; load of the machine before: {result["load"]:.1f}. The map has
{counts["elements"]:,} elements in {counts["topologies"]:,} topologies,
{counts["bytes"] / 1e6:,.0f} MB. **P = {result["p_seconds"]:.3f} s**: pugixml parsing that file in
memory.

All figures are what the clock saw; nothing is subtracted. Each is the middle of
{result["rounds"]} rounds, with P measured anew before it. "beside it" are the seconds that
writing the same bytes to this disk in sequence with one fdatasync takes, measured in the same
run. How each row is measured is described in [the page about performance](../performance.md).

{as_markdown(lines)}

{notes}

![Time of an import over the size of the map, for each shape](growth.svg)

The seconds of growth are those of the largest size; the exponent is the slope of a straight line
through all sizes on log-log paper. Between the two largest sizes alone it is:
{last_exponents(result["growth"])}.
"""


def summary(result, rows, shapes):
    """A few lines for the front page. In seconds: P is explained where performance is."""
    counts, p_seconds = result["counts"], result["p_seconds"]

    def line(row):
        if row.unit != "P":
            return [row.what, with_unit(row.value, row.unit), "", with_unit(row.target, row.unit)]
        target = None if row.target is None else row.target * p_seconds
        return [row.what, with_unit(row.seconds, "s"), rate(counts["elements"], row.seconds),
                with_unit(target, "s")]

    lines = [line(row) for row in rows]
    worst = max(shapes, key=lambda shape: shape["exponent"])
    lines.append([f"growth, the steepest of {len(shapes)} shapes ({worst['name']})",
                  f"{worst['exponent']:.2f} exponent", "", f"{EXPONENT_MAX} exponent"])
    head = [["what", "measured", "elements per second", "target"], ["---", "---:", "---:", "---:"]]
    text = "\n".join("| " + " | ".join(line) + " |" for line in head + lines)
    return (f"A map of {counts['elements']:,} elements, {counts['bytes'] / 1e6:,.0f} MB.\n\n"
            f"{text}\n")


def rate(elements, seconds):
    """Elements per second in three digits: "612,000", "5.04 million"."""
    if not seconds:
        return ""
    value = float(f"{elements / seconds:.3g}")
    return f"{value / 1e6:.3g} million" if value >= 1e6 else f"{value:,.0f}"


def last_exponents(shapes):
    return ", ".join(f"{shape['name']} {shape['last_exponent']:.2f}" for shape in shapes) or "none"


def machine():
    model = next((line.split(":")[1].strip()
                  for line in open("/proc/cpuinfo", encoding="utf-8") if "model name" in line),
                 platform.machine())
    return f"{os.cpu_count()} cores of {model}, Linux {platform.release()}"
