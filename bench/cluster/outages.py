"""How long changes and reads stop where the leader is killed, and where the database's primary is
lost. Nothing else goes wrong meanwhile; clients write all the time."""

import http.client
import multiprocessing
import os
import socket
import threading
import time

import machines
import nemesis
import run
from clients import Record, Writer
from report import percentile

PAUSE_SECONDS = 0.02  # between two attempts of one client
BEFORE_SECONDS = (0.3, 1.3)  # clients write before it happens
BACK_SECONDS_MAX = 60
QUIET_SECONDS = 3.0  # a reader alone, to compare with
READ_SECONDS_MAX = 5
READ_PAUSE_SECONDS = 0.002


class Attempts:
    """A client for each of some members, each trying to change something all the time. A context
    manager."""

    def __init__(self, members, nodes, references):
        self.ended = threading.Event()
        self.record = Record(members.folder / "attempts.jsonl")
        self.writers = [Writer(number, 0, members, self.record, self.ended, imports=False,
                               import_token="", references=references)
                        for number, _ in enumerate(nodes)]
        for writer in self.writers:  # names of their own in each outage
            writer.number = f"{time.monotonic_ns()}-{writer.number}"
        self.threads = [threading.Thread(target=self._try, args=pair)
                        for pair in zip(self.writers, nodes)]

    def _try(self, writer, node):
        while not self.ended.is_set():
            writer.step(node)
            self.ended.wait(PAUSE_SECONDS)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def back(self, since):
        """Waits for the answer to a change that began after `since`, and gives its time."""
        def answered():
            return min((each["end"] for each in list(self.record.operations)
                        if each["begin"] > since and each["outcome"] == "done"), default=None)

        if not machines.wait_until(answered, BACK_SECONDS_MAX):
            raise run.Stuck("no change was taken for a minute")
        return answered()


class Reads:
    """A process that asks a place every few milliseconds. A context manager; `longest` is the
    longest time in seconds from one answer to the next."""

    def __init__(self, place, path):
        self.ended = multiprocessing.Event()
        self.gap = multiprocessing.Value("d", 0)
        self.process = multiprocessing.Process(target=self._read, args=(place, path))

    @property
    def longest(self):
        return self.gap.value

    def _read(self, place, path):
        machines.go_first(os.getpid())
        connection = http.client.HTTPConnection(*place, timeout=READ_SECONDS_MAX)
        last = time.monotonic()
        while not self.ended.is_set():
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                continue
            if answer.status != 200:
                continue
            now = time.monotonic()
            self.gap.value = max(self.gap.value, now - last)
            last = now
            time.sleep(READ_PAUSE_SECONDS)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *error):
        self.ended.set()
        self.process.join()


class BareServer:
    """Answers whatever it is asked at once, to one client: what is slow about it is the machine. A
    context manager."""

    ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = self.listener.getsockname()
        self.process = multiprocessing.Process(target=self._serve, daemon=True)

    def _serve(self):
        machines.go_first(os.getpid())
        client, _ = self.listener.accept()
        while client.recv(4096):  # a request of the reader's comes in one piece
            client.sendall(self.ANSWER)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.join()
        self.listener.close()


class WhileRead:
    """A follower and a bare server are asked side by side, all of them before whatever else wants
    the cores: a follower has a machine of its own, and what it answers late is its own doing. A
    context manager; both times in seconds."""

    def __init__(self, follower, path):
        self.follower, self.bare = follower, BareServer()
        self.readers = [Reads(follower.place, path), Reads(self.bare.place, "/")]

    @property
    def longest(self):
        return [reader.longest for reader in self.readers]

    def __enter__(self):
        self.follower.process.goes_first()
        for each in (self.bare, *self.readers):
            each.__enter__()
        return self

    def __exit__(self, *error):
        for each in (*self.readers, self.bare):
            each.__exit__(*error)
        self.follower.process.goes_first(False)


def whole_again(members):
    members.heal()
    run.wait_for_start(members)
    run.wait_for_quiet(members)


def kills_of_leaders(members, kills):
    """Seconds of each, from kill -9 to the answer to a change that began after it."""
    world = nemesis.World(members, members.databases, members.network, 0)
    references, times = run.references(members), []
    for _ in range(kills):
        leader = world.leader()
        others = [node for node in members.nodes if node is not leader]
        with Attempts(members, others, references) as attempts:
            time.sleep(world.random.uniform(*BEFORE_SECONDS))
            begin = time.monotonic()
            leader.kill()
            times.append(attempts.back(time.monotonic()) - begin)
        whole_again(members)
    return {f"leader killed {kills} times, writes back, p50, s": percentile(times, 50),
            f"leader killed {kills} times, writes back, p99, s": percentile(times, 99),
            f"leader killed {kills} times, writes back, longest, s": max(times)}


def losses_of_primaries(members, losses, path):
    """The primary is killed and its standby promoted, which gets a new standby: what a failover
    manager does. A client of a follower reads `path` meanwhile."""
    world = nemesis.World(members, members.databases, members.network, 0)
    references, times, gaps, quiet = run.references(members), [], [], []
    for _ in range(losses):
        follower = world.follower()
        with WhileRead(follower, path) as reads:
            time.sleep(QUIET_SECONDS)
        quiet.append(reads.longest)
        with Attempts(members, members.nodes, references) as attempts, \
                WhileRead(follower, path) as reads:
            time.sleep(world.random.uniform(*BEFORE_SECONDS))
            begin = time.monotonic()
            members.databases.primary.kill()
            dead = time.monotonic()
            members.databases.promote()
            members.databases.heal()
            times.append(attempts.back(dead) - begin)
        gaps.append(reads.longest)
        whole_again(members)
    what = f"primary lost {losses} times"
    return {f"{what}, writes back, p50, s": percentile(times, 50),
            f"{what}, writes back, longest, s": max(times),
            f"{what}, a follower's reads, longest gap, ms": 1000 * max(each for each, _ in gaps),
            f"{what}, a bare server's, longest gap, ms": 1000 * max(each for _, each in gaps),
            "a follower's without a loss, ms": 1000 * max(each for each, _ in quiet),
            "a bare server's without a loss, ms": 1000 * max(each for _, each in quiet)}
