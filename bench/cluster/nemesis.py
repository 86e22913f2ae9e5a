"""What goes wrong in a run, drawn from a seed: each fault is struck, held for a while and undone.

A fault is a generator: what stands before its `yield` strikes, what stands behind undoes. What it
leaves undone World.heal() does at the end of the run.
"""

import contextlib
import random
import time
from typing import Callable, NamedTuple

import machines
from databases import SqlError

LEASE_SECONDS = 3.0
LEFT_SECONDS_MAX = 8.0  # a member waits for 5 s for the database
RECENT = 200  # operations
JUMPS_SECONDS = (-86400, -3600, -4, 4, 3600, 86400)


class World:
    """All that a fault may touch. Thread: the nemesis's."""

    def __init__(self, members, databases, network, seed):
        self.members, self.databases, self.network = members, databases, network
        self.random = random.Random(f"nemesis {seed}")

    def leader(self):
        """Whoever holds the lease, as the database has it; some member where nobody does."""
        if self.databases is None:
            return self.members.nodes[0]
        with contextlib.suppress(SqlError, StopIteration):
            return self.members[self.databases.holder(self.members.database)]
        return self.any_node()

    def any_node(self):
        return self.random.choice(self.members.nodes)

    def follower(self):
        leader = self.leader()
        return self.random.choice([node for node in self.members.nodes if node is not leader])

    def moment(self, most):
        """Some time between nothing and `most` seconds passes."""
        time.sleep(self.random.uniform(0, most))

    def heal(self):
        self.heal_databases()
        self.members.heal()

    def heal_databases(self):
        self.network.heal()
        if self.databases:
            self.databases.heal()


# ---- members ----

def killed(node):
    node.kill()
    yield
    node.make_sure_it_runs()


def paused(node):
    if node.is_running():
        node.process.pause()
    yield
    node.make_sure_it_runs()


def kill_leader(world):
    yield from killed(world.leader())


def kill_member(world):
    yield from killed(world.any_node())


def pause_member(world):
    yield from paused(world.any_node())


def zombie(world):
    """Wakes after its lease, when another may lead."""
    yield from paused(world.leader())


def restart_all(world):
    """All of them lose their power at once."""
    servers = world.databases.servers if world.databases else []
    for process in [node.process for node in world.members.nodes] + [s.process for s in servers]:
        process.kill()
    yield
    for server in servers:
        server.start()
    world.members.heal()


def clock_jump(world):
    world.any_node().clock.jump(world.random.choice(JUMPS_SECONDS))
    yield


def clock_jump_of_leader(world):
    """By about a lease, so that it and others might judge differently whether it has one."""
    world.leader().clock.jump(world.random.choice((-4, -2, 2, 4)))
    yield


def full_disk(world):
    node = world.members[world.members.small_disk]
    filler = node.folder / "disk" / "filler"
    with contextlib.suppress(OSError), open(filler, "wb") as file:
        while True:
            file.write(bytes(1 << 20))
    yield
    filler.unlink()


# ---- databases ----

def kill_primary(world):
    world.databases.primary.kill()
    yield
    world.databases.heal()


def pause_primary(world):
    primary = world.databases.primary
    primary.process.pause()
    yield
    primary.process.resume()


def pause_standby(world):
    standby = world.databases.standby
    standby.process.pause()
    yield
    standby.process.resume()


def kill_standby(world):
    world.databases.standby.kill()
    yield
    world.databases.heal()


def promote(world):
    """The old primary goes on for a moment, as it does where nobody stops it first."""
    old = world.databases.promote()
    world.moment(0.5)
    old.kill()
    yield
    world.databases.heal()


def lose_primary(world):
    """Its machine is lost, and the standby is promoted."""
    world.databases.primary.kill()
    world.databases.promote()
    yield
    world.databases.heal()


def cancel_waits(world):
    """Commits hold on the primary alone, and say so in a warning."""
    databases, standby = world.databases, world.databases.standby
    standby.process.pause()
    yield
    cancel_all(world)
    databases.heal()
    standby.process.resume()


def break_waits(world):
    """Connections end after the commit and before the answer."""
    world.databases.standby.process.pause()
    yield
    cancel_all(world, "terminate")
    world.databases.standby.process.resume()


def lose_unconfirmed(world):
    """Commits whose wait was cancelled are lost with the primary, as nobody else has them. The
    standby is cut off, not stopped: it must not find in its sockets what it has not read."""
    databases = world.databases
    world.network.isolate(databases.standby.machine)
    yield
    cancel_all(world)
    databases.primary.kill()
    databases.promote()
    world.network.heal()
    databases.heal()


def cancel_all(world, how="cancel"):
    for _ in range(5):
        world.moment(0.1)
        with contextlib.suppress(SqlError):
            world.databases.end_waits(world.members.database, how)


def slow_backend(world):
    """The database takes longer over an append than its sender waits; then it comes after all, at
    about the time when that one has found out what became of it."""
    with world.databases.paused_backend(world.members.database) as is_left:
        machines.wait_until(is_left, LEFT_SECONDS_MAX, 0.02)
        yield


def damage_rows(world):
    """Frames that a follower has not read change in the database; then they are right again."""
    node, name = world.follower(), world.members.database
    node.process.pause()
    before = world.databases.newest_lsn(name)
    machines.wait_until(lambda: world.databases.newest_lsn(name) > before, 2, 0.02)
    with world.databases.damaged_frames(name, before):
        node.process.resume()
        yield


# ---- networks ----

def lose_answers(world):
    """What the leader sends reaches the database; what comes back does not."""
    world.network.cut_answers(world.leader().machine, world.databases.primary.machine)
    yield
    world.network.heal()


def cut_from_database(world):
    yield from cut_from(world, world.any_node())


def cut_from(world, node):
    world.network.cut(node.machine, world.databases.primary.machine)
    yield
    world.network.heal()


def cut_leader_from_database(world):
    """For longer than its lease, while clients still reach it."""
    yield from cut_from(world, world.leader())


def cut_from_leader(world):
    world.network.cut(world.follower().machine, world.leader().machine)
    yield
    world.network.heal()


def cut_databases(world):
    world.network.cut(world.databases.primary.machine, world.databases.standby.machine)
    yield
    world.network.heal()


def isolate_leader(world):
    world.network.isolate(world.leader().machine)
    yield
    world.network.heal()


# ---- the schedule ----

class Fault(NamedTuple):
    strike: Callable
    seconds: tuple  # that it is held: at least, at most
    needs: frozenset = frozenset()

    @property
    def name(self):
        return self.strike.__name__.replace("_", " ")


SHORT, OUTLASTS_LEASE = (0.1, 1.2), (LEASE_SECONDS + 0.3, LEASE_SECONDS + 1)
# Those that wait for the old leader have gone to the new one.
OUTLASTS_CLIENTS = (LEASE_SECONDS + 2, LEASE_SECONDS + 3.5)
CLUSTER = frozenset({"databases"})
OF_MEMBERS = [
    Fault(kill_leader, SHORT),
    Fault(kill_member, SHORT),
    Fault(pause_member, SHORT),
    Fault(clock_jump, (1, 2), frozenset({"clocks"})),
    Fault(full_disk, (0.5, 1.5), frozenset({"small disk"})),
]
FAULTS = OF_MEMBERS + [
    Fault(restart_all, (0, 0.2)),
    Fault(clock_jump_of_leader, (1, 3), CLUSTER | {"clocks"}),
    Fault(zombie, OUTLASTS_LEASE, CLUSTER),
    Fault(slow_backend, (0, 0.6), CLUSTER),
    Fault(isolate_leader, OUTLASTS_LEASE, CLUSTER),
    Fault(cut_leader_from_database, OUTLASTS_CLIENTS, CLUSTER),
    *(Fault(strike, SHORT, CLUSTER) for strike in (
        kill_primary, pause_primary, pause_standby, kill_standby, promote, lose_primary,
        cancel_waits, break_waits, lose_unconfirmed, damage_rows, lose_answers, cut_from_database,
        cut_from_leader, cut_databases)),
]
TOGETHER = 0.3  # of the faults of databases and networks, with one of members in them
PAUSE_SECONDS = (0.1, 0.8)  # between two
# After half of them changes are answered again before the next comes; the others meet a cluster
# that has not come to itself yet.
CALM, CALM_SECONDS_MAX = 0.5, 6


class Planned(NamedTuple):
    fault: Fault
    after: float  # seconds since what came before
    seconds: float  # that it is held, in addition to what is within it
    within: tuple = ()  # strikes while this one is held: one more, or none

    @property
    def names(self):
        return [self.fault.name, *(name for each in self.within for name in each.names)]

    @property
    def length(self):
        return self.after + self.seconds + sum(each.length for each in self.within)


def plan(draw, faults, within=()):
    fault = draw.choice(faults)
    return Planned(fault, draw.uniform(*PAUSE_SECONDS), draw.uniform(*fault.seconds), within)


def schedule(seed, possible, seconds):
    """Faults for about so many seconds, one at least; each comes as often as any other."""
    draw = random.Random(f"schedule {seed}")
    faults = [fault for fault in FAULTS if fault.needs <= possible]
    of_members = [fault for fault in OF_MEMBERS if fault.needs <= possible]
    planned = []
    while sum(each.length for each in planned) < seconds:
        one = plan(draw, faults)
        if one.fault not in OF_MEMBERS and draw.random() < TOGETHER:
            one = one._replace(within=(plan(draw, of_members),))
        planned.append(one)
    return planned


def strike_all(planned, world, record):
    """Each in its turn; what happened stands in the history."""
    for fault, after, seconds, within in planned:
        time.sleep(after)
        operation = {"kind": "fault", "name": fault.name, "begin": time.monotonic()}
        struck = fault.strike(world)
        next(struck)
        operation["struck"] = time.monotonic()
        record.add(operation)
        strike_all(within, world, record)
        time.sleep(seconds)
        next(struck, None)
        operation["end"] = time.monotonic()
        if world.random.random() < CALM:
            machines.wait_until(lambda since=operation["end"]: is_answered(record, since),
                                CALM_SECONDS_MAX, 0.02)


def is_answered(record, since):
    """Whether a change is that began after it."""
    return any(each["kind"] == "write" and each["outcome"] == "done" and each["begin"] > since
               for each in record.operations[-RECENT:])
