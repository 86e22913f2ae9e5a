"""One line of the table, and the middle of several rounds of it."""

from dataclasses import asdict, dataclass, field

from usage import Usage


FORM = "import of a file "  # begins what is measured of its other forms


@dataclass
class Row:
    what: str
    value: float  # in `unit`, what the target is about
    unit: str  # P, x (of the file's size), ms, %, bytes, times, faults
    target: float | None = None  # none: it stands beside another row that has one
    stretch: float | None = None
    more_is_better: bool = False
    seconds: float | None = None
    elements: int | None = None  # that these seconds are about, where a rate says something
    rounds: list = field(default_factory=list)  # `value` of each
    usage: Usage | None = None
    # Seconds that writing as many bytes in sequence takes, with one fdatasync; nothing is
    # subtracted for it.
    disk: float | None = None
    note: str = ""

    def verdict(self):
        def reached(limit):
            return self.value >= limit if self.more_is_better else self.value <= limit
        if self.stretch is not None and reached(self.stretch):
            return "stretch"
        if self.target is None:
            return ""
        return "yes" if reached(self.target) else "no"

    def as_json(self):
        return asdict(self) | {"met": self.verdict()}


def medians(rounds):
    """The rows of one round with what is in the middle of all rounds."""
    return [median_row(rows) for rows in zip(*rounds, strict=True)]


def median_row(rows):
    values = sorted(rows, key=lambda row: row.value)
    middle = values[len(values) // 2]
    middle.rounds = [row.value for row in rows]
    return middle


def find(rows, what):
    return next((row for row in rows if row.what == what), None)


# The row of each count of tests/performance.
SMALL_FORMS = {
    "import": "fresh import, durable and visible",
    "import again": "re-import, unchanged",
    "import known": "re-import of a known file, nothing changed since",
    "export": "live export, nothing cached",
    "restart": "restart from a checkpoint until the first export byte",
}


def add_instructions(rows, counted):
    """Takes those of a round that was run to count them."""
    for row, other in zip(rows, counted, strict=True):
        if row.usage is not None and other.usage is not None:
            row.usage.instructions = other.usage.instructions


def small_forms(rows, counts):
    """What callgrind counted at 20,000 elements, by row; for those without a count of their own."""
    pairs = ((find(rows, what), counts.get(name)) for name, what in SMALL_FORMS.items())
    return {row.what: count for row, count in pairs
            if row is not None and count is not None
            and (row.usage is None or row.usage.instructions is None)}
