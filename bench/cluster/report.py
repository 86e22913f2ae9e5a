"""What the runs have shown: a line for each, and the table of all of them."""

from collections import Counter
from typing import NamedTuple

import checker

ENDS_A_LEADER = ("kill leader", "zombie", "isolate leader", "cut leader from database")
ENDS_A_PRIMARY = ("promote", "lose primary", "lose unconfirmed")
TEXTS_SHOWN = 3


def heading(setting):
    where = type(setting.network).__name__.lower()
    return f"{len(setting.places)} members in {where}, faults with {sorted(setting.possible)}"


def line(result):
    changes = Counter(each["outcome"]
                      for each in checker.of_kind(result.history, *checker.CHANGES))
    text = (f"seed {result.seed}: {', '.join(result.faults)}; {result.seconds:.1f} s, "
            f"{changes['done']} acknowledged, {changes['unknown']} unknown, "
            f"{changes['refused']} refused")
    for name, broken in result.broken.items():
        for each in broken[:TEXTS_SHOWN]:
            text += f"\n  BROKEN {name}: {each}"
        if len(broken) > TEXTS_SHOWN:
            text += f"\n  and {len(broken) - TEXTS_SHOWN} more"
    return text


def times_until_writes(history, names):
    """Seconds from each such fault until the answer to a change that began after it."""
    found = []
    for fault in checker.of_kind(history, "fault"):
        if fault["name"] not in names:
            continue
        ends = [each["end"] for each in checker.of_kind(history, "write", outcome="done")
                if each["begin"] > fault["begin"] and each["end"] > fault["struck"]]
        if ends:
            found.append(min(ends) - fault["begin"])
    return found


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]


class Outcome(NamedTuple):
    """What is left of a run when its history is not needed any more; as JSON it goes from lane to
    parent."""
    text: str
    seconds: float
    faults: list  # names
    broken: list  # names of properties
    operations: dict  # how many of each kind
    failovers: list  # seconds
    promotions: list

    @property
    def is_sound(self):
        return not self.broken


def outcome(result):
    operations = Counter(each["outcome"]
                         for each in checker.of_kind(result.history, *checker.CHANGES))
    operations["read"] = len(checker.of_kind(result.history, *checker.READS, outcome="done"))
    return Outcome(line(result), result.seconds, result.faults,
                   [name for name, texts in result.broken.items() if texts], operations,
                   times_until_writes(result.history, ENDS_A_LEADER),
                   times_until_writes(result.history, ENDS_A_PRIMARY))


class Summary:
    """Of all runs so far."""

    def __init__(self):
        self.runs, self.operations, self.faults = 0, Counter(), Counter()
        properties = ("all comes back", "no member ends by itself", *checker.PROPERTIES)
        self.broken = Counter(dict.fromkeys(properties, 0))
        self.seconds, self.failovers, self.promotions = 0.0, [], []

    def add(self, one):
        """An Outcome."""
        self.runs += 1
        self.seconds += one.seconds
        self.faults.update(one.faults)
        self.operations.update(one.operations)
        self.broken.update(one.broken)
        self.failovers += one.failovers
        self.promotions += one.promotions

    @property
    def is_sound(self):
        return self.runs > 0 and not any(self.broken.values())

    def as_text(self):
        if self.runs == 0:
            return "no run"
        rows = [("runs", f"{self.runs}, {self.seconds / self.runs:.1f} s each"),
                ("changes acknowledged", self.operations["done"]),
                ("changes refused", self.operations["refused"]),
                ("changes unknown", self.operations["unknown"]),
                ("reads", self.operations["read"])]
        rows += [(f"runs that broke: {name}", count) for name, count in self.broken.items()]
        rows += [(f"fault: {name}", count) for name, count in sorted(self.faults.items())]
        # With all that goes wrong beside it, and clients that wait 4 s for what does not answer;
        # bench/cluster-check figures measures the times alone.
        for what, times in (("leader lost, clients go on", self.failovers),
                            ("primary lost, clients go on", self.promotions)):
            if times:
                rows.append((what, f"after {percentile(times, 50):.2f} s p50, "
                             f"{percentile(times, 99):.2f} s p99, of {len(times)}"))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
