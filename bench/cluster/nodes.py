"""The members: real processes of `netml`, each with a data directory of its own on a machine.

All begin from one directory with an account and tokens, which is made once. With a database they
make a cluster of it (docs/cluster.md); without one there is a single node, for trying out the check
and for comparing.
"""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from machines import Clock

PORT = 8080
COMMAND_SECONDS_MAX = 60
FOUND_DAMAGE = 5  # the exit code of `netml verify`
START_SECONDS_MAX = 30
IMPORTERS = 4
ACCOUNT, PASSWORD = "checker", "correct horse battery"
BALLAST = "ballast"  # is made anew where it is missing
SMALL_DISK_MEGABYTES = 320  # ballast and segments take 64 each


class CommandFailed(RuntimeError):
    """A command of netml ended with another exit code than it should."""


class Origin(NamedTuple):
    """The directory that all members begin with, and what lets clients in."""
    data: Path
    import_tokens: list  # what comes with one takes the place of what came with it before


def make_origin(program, folder, peer=("127.0.0.1", 1)):
    """`peer`: host and port of one that is polled each minute."""
    data = folder / "origin"

    def netml(*arguments, given=None):
        return run_netml([program, *arguments, "--data", data], given=given)

    netml("init", "--name", "Cluster check", "--owner", "Checkers")
    netml("user", "create", ACCOUNT, "--role", "admin", "--password-stdin", given=PASSWORD)
    netml("setting", "set", "IMPORT_ANSWER", "Result")
    netml("setting", "set", "NETML_POLLING_INTERVAL", "* * * * *")
    netml("source", "add", "peer", "--host", peer[0], "--port", peer[1], "--protocol", "http",
          "--plain-http")
    tokens = [netml("token", "create", f"importer {number}", "--kind", "import").strip()
              for number in range(IMPORTERS)]
    (data / BALLAST).unlink(missing_ok=True)
    return Origin(data, tokens)


def run_netml(command, machine=None, given=None, fine=(0,), **options):
    """What it printed. `fine`: exit codes that are no failure."""
    run = machine.run if machine else subprocess.run
    done = run(list(map(str, command)), input=given, capture_output=True, text=True,
               timeout=COMMAND_SECONDS_MAX, check=False, **options)
    if done.returncode not in fine:
        raise CommandFailed(f"{' '.join(map(str, command[1:4]))}: exit code {done.returncode}\n"
                            f"{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


class Node:
    """One member. `options` are those that make it one of a cluster."""

    def __init__(self, program, machine, folder, network):
        self.program, self.machine, self.network = program, machine, network
        self.folder = folder / machine.name
        self.data = self.folder / "data"
        self.clock = None
        self.options, self.environment = [], {}
        self.process = None
        self.runs = 0
        self.ended = []  # how runs ended that nobody ended
        self.folder.mkdir(parents=True)
        self.clock = Clock(self.folder / "clock")

    @property
    def name(self):
        return self.machine.name

    @property
    def place(self):
        """Host and port, for clients."""
        return self.network.way(None, self.machine, PORT)

    def url(self):
        host, port = self.place
        return f"http://{host}:{port}"

    def command(self, *arguments, **options):
        environment = dict(os.environ, **self.environment)
        return run_netml([self.program, *arguments, "--data", self.data], self.machine,
                         env=environment, **options)

    def start(self):
        self.note_end()
        self.runs += 1
        command = [self.program, "serve", "--data", self.data, "--listen",
                   f"{self.machine.address}:{PORT}", "--allowed-hosts", "*", "--development",
                   "--poll-allow", f"{self.network.harness}/32", *self.options]
        environment = dict(os.environ, **self.environment, **self.clock.environment())
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = self.machine.start(command, env=environment, stdout=log, stderr=log)

    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def is_running(self):
        return self.process is not None and self.process.is_running()

    def note_end(self):
        if self.process and not self.process.is_running() and not self.process.to_end:
            last = self.log().splitlines()[-3:]
            self.ended.append(f"{self.name}, run {self.runs}: exit code "
                              f"{self.process.popen.returncode}, {last}")

    def kill(self):
        if self.process:
            self.process.kill()

    def stop(self):
        if self.process:
            self.process.stop()

    def make_sure_it_runs(self):
        if not self.is_running():
            self.start()
        elif self.process.paused:
            self.process.resume()


class Members:
    """Some nodes with one history. A context manager; leaving it kills them."""

    def __init__(self, program, network, folder, machines, origin, databases=None, small_disk=None):
        self.nodes = [Node(program, machine, folder, network) for machine in machines]
        self.databases, self.origin = databases, origin
        self.small_disk = small_disk  # name of the member that has one
        self.network, self.folder = network, folder
        self.database = None
        self.disks = contextlib.ExitStack()

    def __enter__(self):
        try:
            self._make()
            for node in self.nodes:
                node.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        for node in self.nodes:
            node.kill()
        self.disks.close()
        if self.database:
            self.databases.drop(self.database)

    def __getitem__(self, name):
        return next(node for node in self.nodes if node.name == name)

    def _make(self):
        for node in self.nodes:
            if node.name == self.small_disk:
                self.disks.enter_context(
                    self.network.small_disk(node.folder / "disk", SMALL_DISK_MEGABYTES))
                node.data = node.folder / "disk" / "data"
        first, *others = self.nodes
        shutil.copytree(self.origin.data, first.data)
        if self.databases is None:
            return
        self.database = f"run_{time.monotonic_ns()}"
        self.databases.make(self.database)
        password = self.databases.password_file(self.folder / "pgpass")
        for node in self.nodes:
            connection = self.databases.connection(node.machine, self.database)
            node.environment = {"PGPASSFILE": str(password)}
            host, port = node.place
            node.options = ["--cluster", connection, "--cluster-name", node.name,
                            "--cluster-address", f"http://{host}:{port}"]
        first.command("cluster", "init", *first.options[:2])
        for node in others:  # of the same origin, so it needs no checkpoint of another
            shutil.copytree(self.origin.data, node.data)

    def heal(self):
        """All of them run, with right clocks."""
        for node in self.nodes:
            node.clock.jump(0)
            node.make_sure_it_runs()
