"""bench/cluster-check figures: a cluster and a single node side by side in one run, on the disk.

Clients are processes of Python on the same machine, so what a server can do is more than what they
measure; the two columns are comparable.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import machines
import nemesis
import run
from clients import (CREDENTIALS, Record, Writer, ask, form_of, group_file)
from databases import Databases
from nodes import Members, make_origin
from options import ROOT, absolute, check_programs, disk_folder, end_by_signals
from report import percentile

TOPOLOGIES, QUICK_TOPOLOGIES = 1000, 20  # of 500 nodes and 500 links each
SMALL_IMPORTS, LAG_SECONDS, IMPORTS_PER_SECOND = 200, 20, 100
READ_SECONDS, READERS, READ_PATH = 5, 4, "/api/v1/map/nodes/{node}"
KILLS, LONG_SECONDS = 100, 900


def arguments():
    parser = argparse.ArgumentParser(prog="bench/cluster-check figures",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="20,000 elements and three kills")
    parser.add_argument("--kills", type=int, help=f"of the leader; {KILLS}")
    parser.add_argument("--program", type=absolute, default=ROOT / "build/release/netml")
    parser.add_argument("--results", type=absolute, default=ROOT / "build/cluster-figures.json")
    options = parser.parse_args()
    if options.kills is None:
        options.kills = 3 if options.quick else KILLS
    return options


def upload(node, origin, file):
    """Seconds until the 201."""
    body, content_type = form_of(file)
    headers = {"Authorization": f"Bearer {origin.import_tokens[0]}", "Content-Type": content_type}
    begin = time.perf_counter()
    answer = ask(node.place, "POST", "/netml_import/upload/", body, headers, LONG_SECONDS)
    seconds = time.perf_counter() - begin
    if answer.status != 201:
        raise run.Stuck(f"an import was answered {answer.status}: {answer.body[:300]}")
    return seconds


def leader_of(members):
    if members.databases is None:
        return members.nodes[0]
    return members[members.databases.holder(members.database)]


def small_imports(members, origin):
    node = leader_of(members)
    times = [upload(node, origin, group_file("urn:small:0", f"generation {number}"))
             for number in range(SMALL_IMPORTS)]
    return {"one-element import, p50": percentile(times, 50) * 1000,
            "one-element import, p99": percentile(times, 99) * 1000}


def lag(members, origin):
    """While changes come at a fixed rate: from an answer until each follower shows it."""
    leader = leader_of(members)
    followers = [node for node in members.nodes if node is not leader]
    record, ended = Record(members.folder / "lag.jsonl"), threading.Event()
    writers = [Writer(number, 0, members, record, ended, imports=False, import_token="",
                      references=run.references(members)) for number in range(4)]
    times, begin = [], time.monotonic()

    def write(writer):
        while not ended.is_set():
            due = begin + writer.count * len(writers) / IMPORTS_PER_SECOND
            ended.wait(max(0, due - time.monotonic()))
            writer.step(leader)

    def look(follower):
        while not ended.is_set():
            head = record.operations[-1].get("head") if record.operations else None
            if head:
                asked = time.perf_counter()
                answer = ask(follower.place, "GET", "/api/v1/session",
                             headers={"X-NetML-At-Least": head})
                if answer.status == 200:
                    times.append(time.perf_counter() - asked)
            ended.wait(0.01)

    threads = [threading.Thread(target=write, args=(each,)) for each in writers]
    threads += [threading.Thread(target=look, args=(each,)) for each in followers]
    for thread in threads:
        thread.start()
    time.sleep(LAG_SECONDS)
    ended.set()
    for thread in threads:
        thread.join()
    done = sum(each["outcome"] == "done" for each in record.operations)
    return {"changes per second meanwhile": done / LAG_SECONDS,
            "follower behind under them, p99": percentile(times, 99) * 1000 if times else None}


def read_all(place, path, seconds, count):
    connection = http.client.HTTPConnection(*place, timeout=5)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        count.value += answer.status == 200
        if answer.will_close:
            connection.close()
    connection.close()


def reads(nodes):
    """Per second, by processes that are shared out among the nodes."""
    shown = ask(nodes[0].place, "GET", "/api/v1/map").json()
    path = READ_PATH.format(node=shown["nodes"]["number"][0])
    counts = [multiprocessing.Value("q", 0) for _ in range(READERS)]
    processes = [multiprocessing.Process(target=read_all, args=(
        nodes[number % len(nodes)].place, path, READ_SECONDS, counts[number]))
        for number in range(READERS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return sum(count.value for count in counts) / READ_SECONDS


def failovers(members, kills):
    """Seconds from kill -9 of the leader until a change that began after it is answered."""
    record, times = Record(members.folder / "kills.jsonl"), []
    world = nemesis.World(members, members.databases, members.network, 0)
    writer = Writer(5, 0, members, record, threading.Event(), imports=False, import_token="",
                    references=run.references(members))
    for _ in range(kills):
        leader = world.leader()
        others = [node for node in members.nodes if node is not leader]
        begin = time.monotonic()
        leader.kill()
        while True:
            if writer.step(others[writer.count % len(others)])["outcome"] == "done":
                break
            if time.monotonic() - begin > 60:
                raise run.Stuck("no member took over within a minute")
        times.append(time.monotonic() - begin)
        leader.start()
        run.wait_for_start(members)
        run.wait_for_quiet(members)
    return {f"leader killed {kills} times, writes back, p50": percentile(times, 50),
            f"leader killed {kills} times, writes back, p99": percentile(times, 99)}


def measure(options, setting, databases):
    """The rows of one column."""
    name = "cluster" if databases else "single"
    names = run.MEMBERS if databases else ("alone",)
    places = [setting.network.add(each) for each in names]
    big = (setting.folder / "big.xml").read_bytes()
    rows = {}
    with Members(options.program, setting.network, setting.folder / name, places, setting.origin,
                 databases) as members:
        run.wait_for_start(members)
        rows |= small_imports(members, setting.origin)
        rows |= lag(members, setting.origin)
        begin = time.perf_counter()
        rows["import of the large map"] = upload(leader_of(members), setting.origin, big)
        if databases:
            machines.wait_until(lambda: caught_up(members), LONG_SECONDS, 0.05)
            rows["the same, until all followers have it"] = time.perf_counter() - begin
        leader = leader_of(members)
        followers = [node for node in members.nodes if node is not leader]
        for count in range(len(followers) + 1):
            rows[f"reads per second with {count} followers"] = reads([leader] + followers[:count])
        if databases and options.kills:
            rows |= failovers(members, options.kills)
    return rows


def caught_up(members):
    with contextlib.suppress(OSError):
        heads = {run.get(node, "/api/v1/activity?limit=1", timeout=60).json()["items"][0]["head"]
                 for node in members.nodes}
        return len(heads) == 1
    return False


def table(columns):
    rows = list(dict.fromkeys(row for column in columns.values() for row in column))
    unit = {"import of": "s", "the same": "s", "leader": "s", "reads": "", "changes": ""}
    lines = ["| what | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for row in rows:
        ends = next((text for begin, text in unit.items() if row.startswith(begin)), "ms")
        values = [column.get(row) for column in columns.values()]
        lines.append(f"| {row} | " + " | ".join(
            "" if value is None else f"{value:.3g} {ends}".strip() for value in values) + " |")
    return "\n".join(lines)


def main():
    options = arguments()
    check_programs(options.program)
    machines.inside_namespaces()
    end_by_signals()
    topologies = QUICK_TOPOLOGIES if options.quick else TOPOLOGIES
    columns = {}
    with disk_folder(options.results.parent) as folder, machines.network() as network:
        subprocess.run([options.program, "generate", "--topologies", str(topologies), "--nodes",
                        "500", "--links", "500", "-o", folder / "big.xml"], check=True,
                       stdout=subprocess.DEVNULL)
        setting = run.Setting(options.program, folder, network, [], None,
                              make_origin(options.program, folder), None)
        columns["single node"] = measure(options, setting, None)
        with Databases(network, folder) as databases:
            columns["cluster of three"] = measure(options, setting, databases)
    print(f"{topologies * 1000:,} elements, {os.cpu_count()} cores for members, databases and "
          "clients together\n")
    print(table(columns))
    Path(options.results).write_text(json.dumps(columns, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
