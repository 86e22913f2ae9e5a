"""One run: members, clients and faults for some seconds, then quiet, then what the checker says."""

import contextlib
import hashlib
import json
import random
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import checker
import machines
import nemesis
from clients import (CREDENTIALS, TIMEOUT_SECONDS, Answer, Reader, Record, Watcher, Writer, ask,
                     cluster_status)
from databases import SqlError
from nodes import FOUND_DAMAGE, IMPORTERS, START_SECONDS_MAX, CommandFailed, Members

MEMBERS = ("alpha", "beta", "gamma")
WRITERS, READERS = IMPORTERS, 2
# In every third run changes are few: what comes late finds the head where it was.
SPARSE_EVERY, SPARSE_PAUSE_SECONDS = 3, 1.5
# And their client waits until a member has found out what became of one (5 s for the database).
PATIENT_SECONDS = 8
FAULT_SECONDS = 2.5
WRITES_BACK_SECONDS_MAX = 40  # after all is whole again
QUIET_SECONDS_MAX = 30
COLLECTIONS_MAX = 3
PAGE = 1000
MINUTE_SECONDS = 3.0  # after the begin of a run the members' clocks reach a full minute


class Setting(NamedTuple):
    """What all runs have in common."""
    program: Path
    folder: Path
    network: object
    places: list  # machines of the members
    databases: object  # None: a single node
    origin: object
    peer: object  # that they poll

    @property
    def possible(self):
        """What faults may need here."""
        found = set()
        if self.databases:
            found.add("databases")
        if self.network.small_disk:
            found.add("small disk")
        if machines.library_of_clocks():
            found.add("clocks")
        return frozenset(found)


class Result(NamedTuple):
    seed: int
    faults: list  # names
    broken: dict  # by the name of each property, texts
    history: list
    final: dict
    seconds: float

    @property
    def is_sound(self):
        return not any(self.broken.values())


class Stuck(RuntimeError):
    """All is whole again, and the cluster does not go on."""


# Such a run counts as broken, and the next one begins; anything else is a fault of the harness.
ENDS_A_RUN = (Stuck, CommandFailed, SqlError, OSError, subprocess.TimeoutExpired)


def run(setting, seed, folder, only=None):
    """`only`: a fault that strikes alone. Leaves history and logs in `folder`."""
    begin = time.monotonic()
    folder.mkdir(parents=True)
    draw = random.Random(f"run {seed}")
    small = draw.choice(setting.places).name if "small disk" in setting.possible else None
    planned = [nemesis.plan(draw, [only])] if only else \
        nemesis.schedule(seed, setting.possible, FAULT_SECONDS)
    record = setting.peer.record = Record(folder / "history.jsonl")
    members = Members(setting.program, setting.network, folder, setting.places, setting.origin,
                      setting.databases, small_disk=small)
    reach_a_minute(members)
    final, stuck = {"members": {}, "appends": [], "polls": []}, []
    world = nemesis.World(members, setting.databases, setting.network, seed)
    try:
        world.heal_databases()
        with members:
            wait_for_start(members)
            disturb(setting, seed, world, planned, record)
            write_once_more(members, record)
            final = collect(members)
    except ENDS_A_RUN as error:
        stuck = [f"{type(error).__name__}: {error}"]
    record.save()
    ended = [text for node in members.nodes for text in node.ended]
    broken = {"all comes back": stuck, "no member ends by itself": ended}
    broken |= checker.check(record.operations, final) if final["members"] else {}
    names = [name for each in planned for name in each.names]
    result = Result(seed, names, broken, record.operations, final, time.monotonic() - begin)
    keep(result, folder)
    return result


def keep(result, folder):
    with open(folder / "result.json", "w", encoding="utf-8") as file:
        json.dump({"seed": result.seed, "faults": result.faults, "broken": result.broken,
                   "final": result.final}, file, indent=1)


def reach_a_minute(members):
    """What is due at a full minute falls into the run, where clocks can be set."""
    shift = (60 - MINUTE_SECONDS) - time.time() % 60
    for node in members.nodes:
        node.clock.set(shift)


def get(node, path, timeout=TIMEOUT_SECONDS, **headers) -> Answer:
    answer = ask(node.place, "GET", path, headers={"Authorization": CREDENTIALS, **headers},
                 timeout=timeout)
    if answer.status != 200:
        raise OSError(f"{path} at {node.name}: {answer.status} {answer.body[:300]}")
    return answer


def answers(node, path="/health/ready"):
    with contextlib.suppress(OSError):
        return get(node, path, timeout=1)
    return None


def wait_for_start(members):
    for node in members.nodes:
        if not machines.wait_until(lambda each=node: answers(each), START_SECONDS_MAX, 0.02):
            raise Stuck(f"{node.name} does not start:\n{node.log()[-2000:]}")
    if members.databases and not machines.wait_until(lambda: leads(members), START_SECONDS_MAX):
        raise Stuck("no member leads")


def leads(members):
    for node in members.nodes:
        with contextlib.suppress(OSError, KeyError, ValueError):
            if cluster_status(node)["role"] == "leader":
                return True
    return False


def references(members):
    """Topology and owner of all nodes that clients make."""
    def first(kind):
        items = get(members.nodes[0], f"/api/v1/{kind}").json()["items"]
        return [min(item["number"] for item in items)]
    return {"topologies": first("topologies"), "owners": first("institutions")}


def disturb(setting, seed, world, planned, record):
    """Clients and faults; returns when all is whole again."""
    members, ended = world.members, threading.Event()
    # A first sign-in hashes a password, for which a busy machine takes longer than a client waits.
    if not machines.wait_until(lambda: references_or_none(members), START_SECONDS_MAX):
        raise Stuck("nothing can be read")
    made = references(members)
    is_sparse = seed % SPARSE_EVERY == 0
    writers = [Writer(number, seed, members, record, ended, references=made,
                      import_token=setting.origin.import_tokens[number],
                      pause=SPARSE_PAUSE_SECONDS if is_sparse else 0,
                      timeout=PATIENT_SECONDS if is_sparse else TIMEOUT_SECONDS)
               for number in range(1 if is_sparse else WRITERS)]
    clients = writers + [Reader(100 + number, seed, members, record, ended, writers=writers)
                         for number in range(READERS)]
    if setting.databases:
        clients.append(Watcher(200, seed, members, record, ended))
    for client in clients:
        client.start()
    try:
        nemesis.strike_all(planned, world, record)
        world.heal()
        world.moment(0.5)
    finally:
        ended.set()
        for client in clients:
            client.join()
    failures = [client.failure for client in clients if client.failure]
    if failures:
        raise failures[0]


def write_once_more(members, record):
    """Each member takes a change again, or has it taken."""
    made = machines.wait_until(lambda: references_or_none(members), WRITES_BACK_SECONDS_MAX)
    if not made:
        raise Stuck("nothing can be read")
    ended = threading.Event()
    for number, node in enumerate(members.nodes):
        writer = Writer(900 + number, 0, members, record, ended, imports=False, import_token="",
                        references=references_or_none(members))
        end = time.monotonic() + WRITES_BACK_SECONDS_MAX
        while True:
            last = writer.step(node)
            if last["outcome"] == "done":
                break
            if time.monotonic() > end:
                raise Stuck(f"{node.name} takes no change any more: {last.get('status')}")


def references_or_none(members):
    with contextlib.suppress(OSError, ValueError):
        return references(members)
    return None


def wait_for_quiet(members):
    """Until all members have the same head, and it stays."""
    def heads():
        with contextlib.suppress(OSError, IndexError):
            return [get(node, "/api/v1/activity?limit=1").json()["items"][0]["head"]
                    for node in members.nodes]
        return []

    def is_quiet():
        before = heads()
        time.sleep(0.1)
        return before and len(set(before)) == 1 and heads() == before

    if not machines.wait_until(is_quiet, QUIET_SECONDS_MAX):
        raise Stuck(f"the members' heads differ: {heads()}")


def collect(members):
    """What is there in the end; stops the members."""
    found = states_of(members)
    polls = get(members.nodes[0], f"/api/v1/polls?limit={PAGE}").json()["items"]
    appends = members.databases.appends(members.database) if members.databases else []
    with ThreadPoolExecutor(len(members.nodes)) as pool:
        verified = list(pool.map(verify, members.nodes))
    return {"members": {node.name: state | each for node, state, each
                        in zip(members.nodes, found, verified)},
            "appends": appends, "polls": [{"time": poll["time"], "scheduled": poll["scheduled"]}
                                          for poll in polls]}


def states_of(members):
    """Of all at one head: a poll that is due may come between two questions, but not each time."""
    for _ in range(COLLECTIONS_MAX):
        wait_for_quiet(members)
        with ThreadPoolExecutor(len(members.nodes)) as pool:
            found = list(pool.map(state_of, members.nodes))
        heads = {state["chain"][-1]["head"] for state in found}
        if heads | {state.pop("exported") for state in found} - {None} == heads and len(heads) == 1:
            break
    return found


def state_of(node):
    chain, cursor = [], ""
    while cursor is not None:
        page = get(node, f"/api/v1/activity?limit={PAGE}" + f"&cursor={cursor}" * bool(cursor))
        shown = page.json()
        chain += map(transaction, shown["items"])
        cursor = shown["next"]
    export = get(node, "/netml_export/")
    return {"chain": chain[::-1], "digest": hashlib.sha256(export.body).hexdigest(),
            "exported": export.head}  # None: a single node's


def transaction(item):
    nodes = [each["id"] for each in item.get("examples", ())
             if each["kind"] == "Node" and each["action"] == "created"]
    fields = ("lsn", "committed", "cause", "request_id", "file_hash", "head", "created", "updated",
              "deleted")
    return {field: item.get(field) for field in fields} | {"nodes": nodes}


def verify(node):
    node.stop()
    node.note_end()
    said = json.loads(node.command("verify", "--json", fine=(0, FOUND_DAMAGE)))
    return {"findings": [str(finding) for finding in said["findings"]],
            "files_gone": said["uploads_gone"]}
