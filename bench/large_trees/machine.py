"""What the machine can do in the minutes of one round, and the maps that all rounds import."""

import statistics

import variants

VARIANT_SHARE = 5  # one part in so many of the map is written in other forms, too


class Machine:
    """The unit P of one round, and the times that writing takes."""

    def __init__(self, programs, file, tenfold=False):
        self.programs, self.file = programs, file
        # A map of ten million is compared with ten times the P of a million: pugixml would need
        # more than 20 GB for it.
        self.factor = 10 if tenfold else 1
        self.measures = []
        self.writes = {}

    def measure_p(self):
        """Before each row that is stated in P: both see the machine in the same minute."""
        self.measures.append(self.factor * self.programs.scenario("unit", self.file)["seconds"])
        return self.measures[-1]

    @property
    def p(self):
        return statistics.median(self.measures)

    def write_seconds(self, size):
        """Sizes that differ by a few percent share one measure."""
        megabytes = round(size / 1e6)
        if megabytes == 0:
            return 0.0
        step = 10 ** max(len(str(megabytes)) - 2, 0)
        near = round(megabytes / step) * step
        if near not in self.writes:
            self.writes[near] = self.programs.scenario("write", near * 1_000_000)["seconds"]
        return self.writes[near] * megabytes / near


class Maps:
    """The files of one size."""

    def __init__(self, programs, topologies, unit=None):
        self.topologies = topologies
        name = f"{topologies}"
        self.base = programs.folder / f"base-{name}.xml"
        self.later = programs.folder / f"later-{name}.xml"
        self.plain = programs.folder / f"plain-{name}.xml"
        self.counts = generate(programs, self.base, topologies)
        generate(programs, self.later, topologies, "--revision", 1, "--changed", 10,
                 "--removed", 10)
        self.plain_counts = generate(programs, self.plain, max(topologies // VARIANT_SHARE, 1))
        self.variants = variants.write(self.plain, programs.folder)
        self.unit = unit or self.base  # what P is measured with
        self.tenfold = unit is not None

    def remove(self):
        for path in (self.base, self.later, self.plain, *self.variants.values()):
            path.unlink()


def generate(programs, file, topologies, *options, size=500):
    return programs.scenario("generate", "--topologies", topologies, "--nodes", size, "--links",
                             size, *options, "-o", file)
