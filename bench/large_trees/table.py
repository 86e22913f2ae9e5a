"""The rows of the table: what is measured, in which order, beside which floors."""

import mmap
import re
import subprocess
import time

from machine import Machine, generate
from rows import FORM, Row
from server import Server, allocated, fetch, forget
from tools import nginx

FAN_OUT = 10  # of the generated tree
EXPORT_RUNS = 3  # of one that is served from the cache: the first of them fills it
CHECKPOINT_RESTART = "restart from a checkpoint until the first export byte"
FIRST_TOUCH_SECONDS = 3  # that a reader asks a server which has just been started
FAULTS = "page faults of a fresh import, the whole command"
STORED = ("journal", "uploads", "checkpoints")  # what an import leaves on the disk


class Table:
    """One round: each row once, on data directories of its own."""

    def __init__(self, programs, maps, progress):
        self.programs, self.progress, self.maps = programs, progress, maps
        self.topologies, self.counts = maps.topologies, maps.counts
        self.base, self.later = maps.base, maps.later
        self.rows = []
        self.machine = Machine(programs, maps.unit, maps.tenfold)

    # ---- rows ----

    def add_p(self, what, seconds, target, stretch, usage=None, rate=True, **more):
        """In P."""
        # As the clock saw it; nothing is subtracted (decision 44).
        self.add(what, seconds / self.machine.measure_p(), "P", target, stretch, seconds=seconds,
                 usage=usage, elements=self.counts["elements"] if rate else None, **more)

    def add(self, what, value, unit, target, stretch=None, **more):
        row = Row(what, value, unit, target, stretch, **more)
        if row.usage is not None and row.usage.written is not None:
            row.disk = self.machine.write_seconds(row.usage.written)
        self.rows.append(row)

    # ---- what is measured ----

    def measure(self):
        imported = self.fresh_import()
        self.whole_command()
        with Server(self.programs, self.programs.folder / "server") as server:
            self.upload(server)
            self.exports(server)
            self.reimports(server)
            self.export_after_a_change(server)
        self.restarts()
        self.restart_from_the_journal()
        self.waits_of_readers()
        self.variants()
        self.sqlite(imported)
        return self.rows

    def fresh_import(self):
        self.progress("fresh import")
        figures, used = self.programs.scenario_used("--runs", 1, "import", self.base)
        self.add_p("fresh import, durable and visible", figures["seconds"][0], None, None, used,
                   note="in one process, without its start and the last checkpoint")
        return figures["seconds"][0]

    def whole_command(self):
        self.progress("the whole command")
        data = self.programs.folder / "command"
        seconds, used = self.programs.netml_timed("import", self.base, "--data", data, "--root",
                                                  *self.programs.limits)
        self.add_p("netml import, the whole command from start to exit", seconds, 6, 4, used)
        self.add(FAULTS, used.minor_faults + used.major_faults, "faults", None,
                 note=f"{used.minor_faults:,} minor, {used.major_faults:,} major; the target is "
                      "half of what was measured first, a third the stretch")
        sizes = allocated(data)
        size = self.counts["bytes"]
        parts = ", ".join(f"{name} {sizes.pop(name, 0) / size:.2f}" for name in STORED)
        kept = sum(allocated(data).values()) - sum(sizes.values())
        self.add("bytes on disk after one import, per byte of file", kept / size, "x", 1, 0.6,
                 note=f"{parts}; beside it {sum(sizes.values()) / 1e6:,.0f} MB of any size of map")

    def upload(self, server):
        self.progress("upload over HTTP")
        token = self.programs.netml("token", "create", "bench", "--kind", "import", "--data",
                                    server.data).split()[-1]
        seconds, used = server.upload(self.base, token)
        self.add_p("the same through HTTP upload on loopback", seconds, 5, 4, used)
        peak = server.memory()["VmHWM"]
        server.checkpoint()
        rest = server.memory()["VmRSS"]
        size = self.counts["bytes"]
        self.add("memory at rest after import", rest / size, "x", 0.6, 0.5,
                 note=f"{rest / 1e6:,.0f} MB resident")
        self.add("peak memory during import", peak / size, "x", 0.9, 0.7,
                 note=f"{peak / 1e6:,.0f} MB resident")

    def exports(self, server):
        self.progress("exports")
        seconds, used = server.export()
        self.add_p("live export, nothing cached", seconds, 1.5, 1, used)
        self.unchanged_export, used = min((server.export() for _ in range(EXPORT_RUNS)),
                                          key=lambda run: run[0])
        root = self.programs.folder / "www"
        root.mkdir()
        subprocess.run(["curl", "--silent", "--output", str(root / "map.xml"),
                        f"{server.url}/netml_export/"], check=True)
        with nginx(self.programs.folder / "nginx", root) as url:
            if url is None:
                self.progress("nginx is not installed: no figure beside it")
                return
            static = min(fetch(f"{url}/map.xml") for _ in range(EXPORT_RUNS))
        (root / "map.xml").unlink()
        self.add("live export, unchanged since the last, beside nginx",
                 100 * static / self.unchanged_export, "%", 80, 95, more_is_better=True,
                 seconds=self.unchanged_export, usage=used, note=f"nginx {static:.3f} s")

    def reimports(self, server):
        """The last import before the first of them was the upload; before the second, the first."""
        self.reimport(server, "re-import, unchanged", self.base, None, None)
        self.reimport(server, "re-import of a known file, nothing changed since", self.base, 1.5,
                      1.2)
        self.reimport(server, "re-import, 1 % changed and 1 % removed", self.later, 4, 3)

    def reimport(self, server, what, file, target, stretch):
        self.progress(what)
        before = server.journal_bytes()
        seconds, used = server.import_file(file, "--root")
        server.checkpoint()  # the status shown before it may be older than the import
        grown = server.journal_bytes() - before
        self.add_p(what, seconds, target, stretch, used)
        self.add_journal_growth(what, grown)

    def add_journal_growth(self, what, grown):
        """An unchanged topology may take 100 bytes. A changed element is held before and after, at
        about its length in the file each; so in proportion means the share of what changed."""
        if "changed and" not in what:
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
        seconds, used = server.export()
        self.add_p("live export after one node changed", seconds, None, None, used)
        sent = min(server.export()[0] for _ in range(EXPORT_RUNS))
        self.add_p("live export after one node changed, beyond sending the bytes", seconds - sent,
                   0.05, None, rate=False,
                   note=f"{seconds:.3f} s, and {sent:.3f} s where nothing changed")

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

    # ---- restarts ----

    def restarts(self):
        self.progress("restarts from a checkpoint")
        data = self.programs.folder / "server"
        forget(data)
        with Server(self.programs, data) as server:
            seconds, used = server.first_export_byte()
        self.add_p(CHECKPOINT_RESTART, seconds, 0.5, 0.2, used,
                   note="its files not in the page cache")
        with Server(self.programs, data) as server:
            seconds, used = server.first_export_byte()
        self.add_p("restart from a checkpoint, its files in the page cache", seconds, None, None,
                   used)
        with Server(self.programs, data) as server:
            server.rest()
            memory = server.memory()
        self.add("anonymous memory at rest after a restart",
                 memory["RssAnon"] / self.counts["bytes"], "x", 0.15,
                 note=f"{memory['RssAnon'] / 1e6:,.0f} MB, and {memory['RssFile'] / 1e6:,.0f} MB "
                      "of files, which the system may drop at any time")

    def restart_from_the_journal(self):
        self.progress("restart from the journal")
        data = self.programs.folder / "journal-alone"
        self.programs.scenario("journal", self.base, "--to", data)
        figures, used = self.programs.scenario_used("replay", data)
        self.add_p("restart from the journal alone, fully verified", figures["seconds"][0], 3.7,
                   2.5, used)

    # ---- readers ----

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
        forget(self.programs.folder / "server")
        with Server(self.programs, self.programs.folder / "server") as server:
            begun = self.waits(server, number, lambda: time.sleep(FIRST_TOUCH_SECONDS))
        self.add("longest wait of a reader, also at the first touch after a restart",
                 1000 * max(longest(busy), longest(begun)), "ms", 10, 5,
                 note=f"{1000 * longest(busy):.1f} ms during import, checkpoint and publishing, "
                      f"{1000 * longest(begun):.1f} ms after the restart; beside two programs "
                      f"that compute {1000 * longest(floor):.1f} ms; of "
                      f"{requests(busy) + requests(begun):,} requests")

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
        command = [self.programs.scenario_path, "unit", str(self.maps.unit)]
        others = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
        for other in others:
            other.wait()

    # ---- other forms of the file, other programs ----

    def variants(self):
        """Each over the plain form, which is imported before it and after it."""
        self.progress("other forms of the file")
        plain = self.import_seconds(self.maps.plain)
        for name, path in self.maps.variants.items():
            figures, used = self.programs.scenario_used("import", path)
            seconds, before = figures["seconds"][0], plain
            plain = self.import_seconds(self.maps.plain)
            beside = (before + plain) / 2
            self.add(f"{FORM}{name}, over its plain form", seconds / beside, "times",
                     1.5, 1.2, seconds=seconds, usage=used,
                     elements=self.maps.plain_counts["elements"],
                     note=f"{self.maps.plain_counts['elements']:,} elements; plain {beside:.3f} s")

    def import_seconds(self, path):
        return self.programs.scenario("import", path)["seconds"][0]

    def sqlite(self, import_seconds):
        self.progress("SQLite")
        figures, used = self.programs.scenario_used("sqlite", self.base)
        seconds = figures["parse"] + figures["load"]
        self.add("the same map into SQLite, over our import", seconds / import_seconds, "times", 6,
                 10, more_is_better=True, seconds=seconds, usage=used,
                 elements=self.counts["elements"],
                 note=f"parsed by our reader, {figures['parse']:.2f} s of it; over the import "
                      "without process and last checkpoint")


def topology_id(number):
    return f"urn:example:net{number:04d}"


def longest(waits):
    return max(part["longest"] for part in waits.values())


def requests(waits):
    return sum(part["requests"] for part in waits.values())
