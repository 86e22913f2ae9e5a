"""The rows of the table: what is measured, in which order, beside which floors."""

import mmap
import re
import statistics
import subprocess
from dataclasses import asdict, dataclass, field

from tools import Server, fetch, nginx

FAN_OUT = 10  # of the generated tree
EXPORT_RUNS = 3  # of one that is served from the cache: the first of them fills it


@dataclass
class Row:
    what: str
    value: float  # in `unit`, what the target is about
    unit: str  # P, x (of the file's size), ms, %, bytes, times
    target: float
    stretch: float | None = None
    more_is_better: bool = False
    seconds: float | None = None
    rounds: list = field(default_factory=list)  # `value` of each
    # What stands beside `value`: seconds that any program needs for the same on this disk.
    floors: dict = field(default_factory=dict)
    note: str = ""

    def verdict(self):
        def reached(limit):
            return self.value >= limit if self.more_is_better else self.value <= limit
        if self.stretch is not None and reached(self.stretch):
            return "stretch"
        return "yes" if reached(self.target) else "no"

    def as_json(self):
        return asdict(self) | {"met": self.verdict()}


def medians(rounds):
    """The rows of one round with what is in the middle of all rounds."""
    return [median_row(rows) for rows in zip(*rounds)]


def median_row(rows):
    values = sorted(rows, key=lambda row: row.value)
    middle = values[len(values) // 2]
    middle.rounds = [row.value for row in rows]
    return middle


class Machine:
    """The unit P of one round, and the times that writing takes."""

    def __init__(self, programs, file):
        self.programs, self.file = programs, file
        self.measures = []
        self.writes = {}

    def measure_p(self):
        """Before each row that is stated in P: both see the machine in the same minute."""
        self.measures.append(self.programs.scenario("unit", self.file)["seconds"])
        return self.measures[-1]

    @property
    def p(self):
        return statistics.median(self.measures)

    def write_seconds(self, size):
        megabytes = max(1, round(size / 1e6))
        if megabytes not in self.writes:
            answer = self.programs.scenario("write", megabytes * 1_000_000)
            self.writes[megabytes] = answer["seconds"]
        return self.writes[megabytes]


class Maps:
    """The files that all rounds import."""

    def __init__(self, programs, topologies):
        self.topologies = topologies
        self.base = programs.folder / "base.xml"
        self.later = programs.folder / "later.xml"
        self.counts = generate(programs, self.base, topologies)
        generate(programs, self.later, topologies, "--revision", 1, "--changed", 10,
                 "--removed", 10)


def generate(programs, file, topologies, *options, size=500):
    return programs.scenario("generate", "--topologies", topologies, "--nodes", size, "--links",
                             size, *options, "-o", file)


class Table:
    """One round: each row once, on data directories of its own."""

    def __init__(self, programs, maps, progress):
        self.programs, self.progress = programs, progress
        self.topologies, self.counts = maps.topologies, maps.counts
        self.base, self.later = maps.base, maps.later
        self.rows = []
        self.machine = Machine(programs, self.base)

    # ---- rows ----

    def add_p(self, what, seconds, target, stretch, floors=None, note=""):
        """In P, as the clock saw it; the floors stand beside it, not subtracted."""
        self.rows.append(Row(what, seconds / self.machine.measure_p(), "P", target, stretch,
                             seconds=seconds, floors=floors or {}, note=note))

    def add(self, what, value, unit, target, stretch=None, **more):
        self.rows.append(Row(what, value, unit, target, stretch, **more))

    def write_floors(self, journal, segments):
        """What an import writes: the journal, zeros laid out for the next segments, the file stored
        for audit. The seconds that writing the same bytes in sequence takes (decision 44)."""
        write = self.machine.write_seconds
        return {"journal": write(journal), "zeros": write(segments) if segments else 0.0,
                "stored file": write(self.counts["bytes"])}

    # ---- what is measured ----

    def measure(self):
        imported = self.fresh_import()
        with Server(self.programs, self.programs.folder / "server") as server:
            self.upload(server, imported)
            self.exports(server)
            self.reimports(server)
            self.export_after_a_change(server)
        self.restarts()
        self.waits_of_readers()
        self.sqlite(imported["seconds"][0])
        return self.rows

    def fresh_import(self):
        self.progress("fresh import")
        figures = self.programs.scenario("--runs", 1, "import", self.base)
        self.floors = self.write_floors(figures["journal_bytes"], figures["segment_bytes"])
        self.add_p("fresh import, durable and visible", figures["seconds"][0], 4, 3, self.floors)
        return figures

    def upload(self, server, imported):
        self.progress("upload over HTTP")
        token = self.programs.netml("token", "create", "bench", "--kind", "import", "--data",
                                    server.data).split()[-1]
        seconds = server.upload(self.base, token)
        self.add_p("the same through HTTP upload on loopback", seconds, 4.5, 3.5, self.floors)
        _, peak = server.memory()
        server.checkpoint()
        rest, _ = server.memory()
        size = self.counts["bytes"]
        self.add("memory at rest after import", rest / size, "x", 1.0, 0.7,
                 note=f"{rest / 1e6:,.0f} MB resident")
        self.add("peak memory during import", peak / size, "x", 3, 2,
                 note=f"{peak / 1e6:,.0f} MB resident")
        assert imported["journal_bytes"] > 0

    def exports(self, server):
        self.progress("exports")
        self.add_p("live export, nothing cached", server.export(), 1.5, 1)
        runs = [server.export() for _ in range(EXPORT_RUNS)]
        self.unchanged_export = min(runs)
        root = self.programs.folder / "www"
        root.mkdir()
        subprocess.run(["curl", "--silent", "--output", str(root / "map.xml"),
                        f"{server.url}/netml_export/"], check=True)
        with nginx(self.programs.folder / "nginx", root) as url:
            if url is None:
                self.progress("nginx is not installed: no figure beside it")
                return
            static = min(fetch(f"{url}/map.xml") for _ in range(EXPORT_RUNS))
        self.add("live export, unchanged since the last, beside nginx",
                 100 * static / self.unchanged_export, "%", 80, 95, more_is_better=True,
                 seconds=self.unchanged_export, note=f"nginx {static:.3f} s")

    def reimports(self, server):
        for what, file, target, stretch in (
                ("re-import, unchanged", self.base, 3, 2),
                ("re-import, 1 % changed and 1 % removed", self.later, 3.2, 2.2)):
            self.progress(what)
            before = server.journal_bytes()
            seconds = server.import_file(file, "--root")
            server.checkpoint()  # the status shown before it may be older than the import
            grown = server.journal_bytes() - before
            kept = {"stored file": self.machine.write_seconds(self.counts["bytes"]),
                    "journal": self.machine.write_seconds(grown)}
            self.add_p(what, seconds, target, stretch, kept)
            self.add_journal_growth(what, grown)

    def add_journal_growth(self, what, grown):
        """An unchanged topology may take 100 bytes. A changed element is held before and after, at
        about its length in the file each; so in proportion means the share of what changed."""
        if "unchanged" in what:
            self.add(f"journal of a {what}", grown / self.topologies, "bytes", 100,
                     note="for each topology")
            return
        elements, size = self.counts["elements"], self.counts["bytes"]
        # Links go with the nodes they end at: 1 % + 1 % removed, and 1 % of nodes and of links.
        changes = 0.02 * elements + 0.02 * self.counts["links"]
        self.add(f"journal of a {what}", grown / changes / (size / elements), "x", 2,
                 note="bytes for each change, over an element's length in the file")

    def export_after_a_change(self, server):
        self.progress("export after one node changed")
        server.export()
        parent, leaf = self.leaf_with_one_change()
        server.import_file(leaf, "--parent", parent)
        seconds = server.export()
        self.add_p("live export after one node changed", seconds, 0.1, None,
                   {"transfer": min(self.unchanged_export, seconds)})

    def leaf_with_one_change(self):
        """The last topology of the map as a file of its own, with another name for its first node;
        and the identifier of its parent."""
        with open(self.later, "rb") as file:
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            root_tag = text[text.find(b"<grenml:Topology"):text.find(b"<grenml:name>")]
            begin = text.rfind(b"<grenml:Topology")
            leaf = text[begin:text.find(b"</grenml:Topology>", begin)] + b"</grenml:Topology>\n"
        name_spaces = b" ".join(re.findall(rb'xmlns:\w+="[^"]*"', root_tag))
        leaf = leaf.replace(b"<grenml:Topology", b"<grenml:Topology " + name_spaces, 1)
        node = leaf.index(b"<grenml:Node")
        leaf = leaf[:node] + leaf[node:].replace(b"</grenml:name>", b" (new)</grenml:name>", 1)
        path = self.programs.folder / "leaf.xml"
        path.write_bytes(leaf)
        number = int(re.search(rb'id="urn:example:net(\d+)"', leaf)[1])
        return topology_id((number - 1) // FAN_OUT), path

    def restarts(self):
        self.progress("restarts")
        with Server(self.programs, self.programs.folder / "server") as server:
            seconds = server.seconds_to_first_export_byte()
        self.add_p("restart from a checkpoint until the first export byte", seconds, 1.5, 0.7)
        figures = self.programs.scenario("--runs", 1, "replay", self.base)
        self.add_p("restart from the journal alone, fully verified", figures["seconds"][0], 4, 2.5)

    def waits_of_readers(self):
        self.progress("waits of readers")
        number = self.topologies // 5  # a leaf, also in the small map that is there before
        small = self.programs.folder / "small.xml"
        generate(self.programs, small, number + 1, size=5)
        with Server(self.programs, self.programs.folder / "read") as server:
            server.import_file(small, "--root")
            busy = self.waits(server, number, lambda: self.write_everything(server))
            # What the machine makes anybody wait: two programs that compute, on its cores.
            floor = self.waits(server, number, self.compute_beside)
        longest = max(part["longest"] for part in busy.values())
        floor_longest = max(part["longest"] for part in floor.values())
        requests = sum(part["requests"] for part in busy.values())
        self.add("longest wait of a reader during import, checkpoint, publish", 1000 * longest,
                 "ms", 20, 5, note=f"of {requests:,} requests; beside two programs that compute "
                                   f"{1000 * floor_longest:.1f} ms")

    def waits(self, server, topology, work):
        readers = self.programs.readers(server, topology_id(topology))
        work()
        figures, _ = readers.communicate()
        return self.programs.parse(figures)

    def write_everything(self, server):
        server.import_file(self.base, "--root")
        server.checkpoint()
        self.programs.netml("publish", "bench", "--data", server.data)

    def compute_beside(self):
        command = [self.programs.scenario_path, "unit", str(self.base)]
        others = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
        for other in others:
            other.wait()

    def sqlite(self, import_seconds):
        self.progress("SQLite")
        figures = self.programs.scenario("sqlite", self.base)
        seconds = figures["parse"] + figures["load"]
        self.add("the same map into SQLite, over our import", seconds / import_seconds, "times", 5,
                 10, more_is_better=True, seconds=seconds,
                 note=f"parsed by our reader, {figures['parse']:.2f} s of it")


def topology_id(number):
    return f"urn:example:net{number:04d}"
