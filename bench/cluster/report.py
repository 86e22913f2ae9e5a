"""What the runs have shown: a line for each, and the table of all of them."""

from collections import Counter

import checker

FAILOVER_SECONDS_MAX = 5.0
ENDS_A_LEADER = ("kill leader", "zombie", "isolate leader")
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


class Summary:
    """Of all runs so far."""

    def __init__(self):
        self.runs, self.operations, self.faults = 0, Counter(), Counter()
        properties = ("all comes back", "no member ends by itself", *checker.PROPERTIES)
        self.broken = Counter(dict.fromkeys(properties, 0))
        self.seconds, self.failovers, self.promotions = 0.0, [], []

    def add(self, result):
        self.runs += 1
        self.seconds += result.seconds
        self.faults.update(result.faults)
        for each in result.history:
            if each["kind"] in checker.CHANGES:
                self.operations[each["outcome"]] += 1
            elif each["kind"] in checker.READS and each["outcome"] == "done":
                self.operations["read"] += 1
        for name, broken in result.broken.items():
            self.broken[name] += bool(broken)
        self.failovers += times_until_writes(result.history, ENDS_A_LEADER)
        self.promotions += times_until_writes(result.history, ENDS_A_PRIMARY)

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
        for what, times, target in (("leader lost, writes back", self.failovers,
                                     f", target {FAILOVER_SECONDS_MAX:.0f} s"),
                                    ("primary lost, writes back", self.promotions, "")):
            if times:
                rows.append((what, f"p50 {percentile(times, 50):.2f} s, p99 "
                             f"{percentile(times, 99):.2f} s of {len(times)}{target}"))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
