"""The comparison for a terminal and as a page of the documentation."""

import report

HEADINGS = ["program", "version", "seconds", "lowest to highest", "elements per second",
            "over ours", "peak memory", "on disk"]


def megabytes(size):
    return f"{size / 1e6:,.0f} MB"


def line(entry, ours, elements):
    if entry["seconds"] is None:
        return [entry["name"], entry["version"] or "not installed", *[""] * (len(HEADINGS) - 2)]
    rounds = entry["rounds"]
    return [entry["name"], entry["version"], f"{entry['seconds']:.2f}",
            f"{min(rounds):.2f} to {max(rounds):.2f}", report.rate(elements, entry["seconds"]),
            f"{entry['seconds'] / ours:.2f}", megabytes(entry["peak"]), megabytes(entry["stored"])]


def lines(result):
    ours = result["programs"][0]["seconds"]
    return [line(entry, ours, result["elements"]) for entry in result["programs"]]


def as_text(result):
    return report.as_text(lines(result), HEADINGS)


def as_markdown(result):
    return report.as_markdown(lines(result), HEADINGS)


def notes(result):
    return "\n".join(note(entry) for entry in result["programs"])


def note(entry):
    if entry["seconds"] is None:
        why = entry["failed"] or f"not compared; `{entry['get_it']}` would add it"
        return f"- {entry['name']}: {why}."
    text = f"- {entry['name']}: {entry['remark']}."
    if entry["note"]:
        text += f" On disk: {entry['note']}."
    if entry["does_not"]:
        text += f" As loaded here, it does not {'; '.join(entry['does_not'])}."
    return text


def page(result):
    return f"""# Comparison

Made by `bench/compare`; do not edit. {result["date"]}, revision {result["revision"]}.

{result["machine"]}; load of the machine before: {result["load"]:.1f}. The same map of
{result["elements"]:,} elements, {result["bytes"] / 1e6:,.0f} MB, until each program keeps it as it
does, in turns; the middle of the rounds ({result["rounds"]}) by the clock, nothing subtracted. Our
reader parses the file for all of them, which is in the figure of each
({result["parse_seconds"]:.2f} s in the last round for those that are given rows): a reader in the
language of each would be slower.

{as_markdown(result)}

{notes(result)}

The others are general tools, and nobody tuned them here: each is loaded as its manual shows first.
What they do beyond keeping this map (queries, joins, algorithms on graphs) is not measured.
"""
