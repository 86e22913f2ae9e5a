"""PostgreSQL: a cluster of its own in an empty folder, reached by a Unix socket only."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import usage
from candidate import Loaded
from server import allocated

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 600
SAMPLE_SECONDS = 0.05

# As bench/sqlite/loader.cpp has them.
TABLES = """
CREATE TABLE topology (number bigint PRIMARY KEY, id text NOT NULL, name text NOT NULL,
                       version bigint, parent bigint, owner bigint);
CREATE TABLE element (number bigint PRIMARY KEY, kind smallint NOT NULL, id text NOT NULL,
                      name text NOT NULL, short_name text, version bigint, start bigint,
                      "end" bigint, latitude bigint, longitude bigint, altitude bigint,
                      unlocode text, address text, node_a bigint, node_b bigint);
CREATE TABLE property (element bigint NOT NULL, name text NOT NULL, value text NOT NULL);
CREATE TABLE owner (element bigint NOT NULL, institution bigint NOT NULL);
CREATE TABLE member (topology bigint NOT NULL, element bigint NOT NULL);
"""
NAMES = ["topology", "element", "property", "owner", "member"]
INDEXES = """
CREATE INDEX topology_id ON topology (id);
CREATE INDEX element_id ON element (kind, id);
CREATE INDEX property_element ON property (element);
CREATE INDEX owner_element ON owner (element);
CREATE INDEX member_topology ON member (topology);
"""


def program(name):
    """Its path: Debian keeps the server's programs out of PATH. The newest version of several."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"),
                     key=lambda path: float(path.parent.name), reverse=True)
    return next((str(folder / name) for folder in folders if (folder / name).exists()),
                shutil.which(name))


def version():
    """None where a part of it is missing, or root finds no account that it may run under."""
    if not all(map(program, ["initdb", "postgres", "psql"])):
        return None
    if os.geteuid() == 0 and (account() is None or shutil.which("setpriv") is None):
        return None
    words = subprocess.run([program("postgres"), "--version"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    return words[2]


def account():
    """Whom it runs as where we are root, which it refuses; Debian's package makes this one."""
    with contextlib.suppress(KeyError):
        return pwd.getpwnam("postgres")
    return None


def as_account(command):
    if os.geteuid() != 0:
        return command
    user = account()
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups",
            *command]


@contextlib.contextmanager
def own_folder(parent):
    """A folder of the account, below `parent` where that account can get there."""
    for place in (parent, "/var/tmp"):
        path = Path(tempfile.mkdtemp(prefix="netml-pg-", dir=place))
        try:
            if os.geteuid() == 0:
                os.chown(path, account().pw_uid, account().pw_gid)
            if subprocess.run(as_account(["test", "-w", str(path)]), check=False).returncode == 0:
                yield path
                return
        finally:
            shutil.rmtree(path)
    raise RuntimeError("no folder that PostgreSQL may write to")


class Memory:
    """Samples the memory of processes while something runs: what each has for itself, and the most
    that one of them shares with the others."""

    def __init__(self, pids):
        self.pids, self.peak = pids, 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.ended.set()
        self.thread.join()

    def _run(self):
        while not self.ended.wait(SAMPLE_SECONDS):
            kinds = [kind for pid in self.pids() if (kind := self._memory(pid))]
            anonymous = sum(kind.get("RssAnon", 0) for kind in kinds)
            shared = max((kind.get("RssShmem", 0) for kind in kinds), default=0)
            self.peak = max(self.peak, anonymous + shared)

    @staticmethod
    def _memory(pid):
        with contextlib.suppress(OSError):  # it has ended
            return usage.memory(pid)
        return None


def with_children(pid):
    """A process and its children; those of the server have none."""
    with contextlib.suppress(OSError):
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    return [pid]


class Cluster:
    """A server that has been started; a context manager."""

    def __init__(self, folder):
        self.data, self.sockets = folder / "data", folder
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
        subprocess.run(as_account([program("initdb"), "-D", str(self.data), "-A", "trust", "-U",
                                   "bench", "-E", "UTF8", "--no-locale"]), check=True, **quiet)
        self.empty = sum(allocated(self.data).values())
        # A socket's path may not be long, and this folder's may be.
        self.sockets = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        if os.geteuid() == 0:
            os.chown(self.sockets, account().pw_uid, account().pw_gid)
        self.server = subprocess.Popen(
            as_account([program("postgres"), "-D", str(self.data), "-k", str(self.sockets), "-c",
                        "listen_addresses="]), **quiet)

    def __enter__(self):
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.run("SELECT 1;")
                return self
            except RuntimeError:
                if self.server.poll() is not None or time.monotonic() > end:
                    self.__exit__()
                    raise
            time.sleep(0.05)

    def __exit__(self, *error):
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGINT)  # does not wait for clients
            try:
                self.server.wait(STOP_SECONDS_MAX)
            finally:
                self.server.kill()
        shutil.rmtree(self.sockets)

    def run(self, script):
        command = [program("psql"), "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h",
                   str(self.sockets), "-U", "bench", "-d", "postgres", "-f", "-"]
        done = subprocess.run(command, input=script, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"psql: {done.stderr}")
        return done.stdout

    def stored(self):
        """Bytes more than a cluster without a map takes."""
        return sum(allocated(self.data).values()) - self.empty


def load(source, folder):
    copies = "\n".join(f"\\copy {name} FROM '{source.rows}/{name}.tsv'" for name in NAMES)
    script = f"BEGIN;{TABLES}{copies}\n{INDEXES}COMMIT;\n"
    with own_folder(folder) as place:
        cluster = Cluster(place)
        with cluster, Memory(lambda: with_children(cluster.server.pid)) as memory:
            begin = time.perf_counter()
            cluster.run(script)
            seconds = time.perf_counter() - begin
            source.check(int(cluster.run("SELECT count(*) FROM element;")))
        return Loaded(source.parse_seconds + seconds, memory.peak, cluster.stored(),
                      f"an empty cluster takes {cluster.empty / 1e6:,.0f} MB more")
