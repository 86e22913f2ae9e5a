"""How long changes and reads stop where the leader is killed, and where the database's primary is
lost. Nothing else goes wrong meanwhile; clients write all the time."""

import http.client
import multiprocessing
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
    """A process that asks a member all the time. A context manager; `longest` is the longest time
    in seconds from one answer to the next."""

    def __init__(self, node, path):
        self.ended = multiprocessing.Event()
        self.gap, self.count = multiprocessing.Value("d", 0), multiprocessing.Value("q", 0)
        self.process = multiprocessing.Process(target=self._read, args=(node.place, path))

    @property
    def longest(self):
        return self.gap.value

    def _read(self, place, path):
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
            self.count.value += 1
            last = now

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *error):
        self.ended.set()
        self.process.join()


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
        with Reads(follower, path) as reads:
            time.sleep(QUIET_SECONDS)
        quiet.append(reads.longest)
        with Attempts(members, members.nodes, references) as attempts, \
                Reads(follower, path) as reads:
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
            f"{what}, a follower's reads, longest gap, ms": max(gaps) * 1000,
            "the same without a loss, ms": max(quiet) * 1000}
