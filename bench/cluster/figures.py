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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import machines
import outages
import run
from clients import ask, form_of, group_file
from databases import Databases
from nodes import IMPORTERS, Members, make_origin
from options import ROOT, absolute, check_programs, disk_folder, end_by_signals
from report import percentile

TOPOLOGIES, QUICK_TOPOLOGIES = 1000, 20  # of 500 nodes and 500 links each
SMALL_IMPORTS, LAG_SECONDS, IMPORTS_PER_SECOND = 200, 20, 100
READ_SECONDS, READERS, READ_PATH = 5, 4, "/api/v1/map/nodes/{node}"
KILLS, LOSSES, LONG_SECONDS = 100, 10, 900
PARTS = ("small", "lag", "large", "reads", "kills", "losses")


def arguments():
    parser = argparse.ArgumentParser(prog="bench/cluster-check figures",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help="20,000 elements, three kills of the leader, one loss of the primary")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--kills", type=int, help=f"of the leader; {KILLS}")
    parser.add_argument("--losses", type=int, help=f"of the database's primary; {LOSSES}")
    parser.add_argument("--program", type=absolute, default=ROOT / "build/release/netml")
    parser.add_argument("--results", type=absolute, default=ROOT / "build/cluster-figures.json")
    options = parser.parse_args()
    if options.kills is None:
        options.kills = 3 if options.quick else KILLS
    if options.losses is None:
        options.losses = 1 if options.quick else LOSSES
    options.parts = options.only or PARTS
    return options


class Uploaded(NamedTuple):
    seconds: float  # until the 201
    head: str


def upload(node, origin, file, token=0):
    body, content_type = form_of(file)
    headers = {"Authorization": f"Bearer {origin.import_tokens[token]}",
               "Content-Type": content_type}
    begin = time.perf_counter()
    answer = ask(node.place, "POST", "/netml_import/upload/", body, headers, LONG_SECONDS)
    seconds = time.perf_counter() - begin
    if answer.status != 201:
        raise run.Stuck(f"an import was answered {answer.status}: {answer.body[:300]}")
    return Uploaded(seconds, answer.head)


def leader_of(members):
    if members.databases is None:
        return members.nodes[0]
    return members[members.databases.holder(members.database)]


def small_imports(members, origin):
    node = leader_of(members)
    times = [upload(node, origin, group_file("urn:small:0", f"generation {number}")).seconds
             for number in range(SMALL_IMPORTS)]
    return {"import of one group, p50, ms": percentile(times, 50) * 1000,
            "import of one group, p99, ms": percentile(times, 99) * 1000}


def lag(members, origin):
    """While imports come at a fixed rate: from an answer until each follower shows it."""
    leader = leader_of(members)
    followers = [node for node in members.nodes if node is not leader]
    ended, heads, times = threading.Event(), [], []
    begin = time.monotonic()

    def write(number):
        count = 0
        while not ended.is_set():
            due = begin + (count + number / IMPORTERS) * IMPORTERS / IMPORTS_PER_SECOND
            ended.wait(max(0, due - time.monotonic()))
            file = group_file(f"urn:lag:{number}", f"generation {count}")
            heads.append(upload(leader, origin, file, token=number).head)
            count += 1

    def look(follower):
        while not ended.is_set():
            if heads and heads[-1]:
                asked = time.perf_counter()
                answer = ask(follower.place, "GET", "/api/v1/session",
                             headers={"X-NetML-At-Least": heads[-1]})
                if answer.status == 200:
                    times.append(time.perf_counter() - asked)
            ended.wait(0.01)

    with ThreadPoolExecutor() as pool:
        work = [pool.submit(write, number) for number in range(IMPORTERS)]
        work += [pool.submit(look, follower) for follower in followers]
        time.sleep(LAG_SECONDS)
        ended.set()
    for each in work:
        each.result()  # or what ended it
    rows = {f"imports per second, of {IMPORTS_PER_SECOND} wanted": len(heads) / LAG_SECONDS}
    if times:
        rows["follower behind under them, p99, ms"] = percentile(times, 99) * 1000
    return rows


def large_import(members, origin, file):
    begin = time.perf_counter()
    rows = {"import of the large map, s": upload(leader_of(members), origin, file).seconds}
    if members.databases:
        machines.wait_until(lambda: caught_up(members), LONG_SECONDS, 0.05)
        rows["the same, until all followers have it, s"] = time.perf_counter() - begin
    return rows


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


def path_to_read(members, origin):
    """To any node; one is imported where there is none."""
    def numbers():
        shown = ask(members.nodes[0].place, "GET", "/api/v1/map", timeout=60).json()
        return shown["nodes"]["number"]

    if not numbers():
        upload(leader_of(members), origin, group_file("urn:small:0", "to be read"))
        machines.wait_until(numbers, LONG_SECONDS, 0.05)
    return READ_PATH.format(node=numbers()[0])


def reads_per_second(nodes, path):
    """By processes that are shared out among the nodes."""
    counts = [multiprocessing.Value("q", 0) for _ in range(READERS)]
    processes = [multiprocessing.Process(target=read_all, args=(
        nodes[number % len(nodes)].place, path, READ_SECONDS, counts[number]))
        for number in range(READERS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return sum(count.value for count in counts) / READ_SECONDS


def reads(members, origin):
    leader, path = leader_of(members), path_to_read(members, origin)
    followers = [node for node in members.nodes if node is not leader]
    return {f"reads per second with {count} followers":
            reads_per_second([leader] + followers[:count], path)
            for count in range(len(followers) + 1)}


def measure(options, setting, databases):
    """The rows of one column."""
    name = "cluster" if databases else "single"
    names = run.MEMBERS if databases else ("alone",)
    places = [setting.network.add(each) for each in names]
    rows = {}
    with Members(options.program, setting.network, setting.folder / name, places, setting.origin,
                 databases) as members:
        run.wait_for_start(members)
        parts = {
            "small": lambda: small_imports(members, setting.origin),
            "lag": lambda: lag(members, setting.origin),
            "large": lambda: large_import(members, setting.origin,
                                          (setting.folder / "big.xml").read_bytes()),
            "reads": lambda: reads(members, setting.origin)}
        if databases:
            parts |= {
                "kills": lambda: outages.kills_of_leaders(members, options.kills),
                "losses": lambda: outages.losses_of_primaries(members, options.losses,
                                                              path_to_read(members,
                                                                           setting.origin))}
        for part, rows_of in parts.items():
            if part in options.parts:
                print(f"{name}: {part}", file=sys.stderr, flush=True)
                rows |= rows_of()
    return rows


def caught_up(members):
    with contextlib.suppress(OSError):
        heads = {run.get(node, "/api/v1/activity?limit=1", timeout=60).json()["items"][0]["head"]
                 for node in members.nodes}
        return len(heads) == 1
    return False


def table(columns):
    rows = list(dict.fromkeys(row for column in columns.values() for row in column))
    lines = ["| what | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for row in rows:
        values = [column.get(row) for column in columns.values()]
        lines.append(f"| {row} | " + " | ".join(
            "" if value is None else f"{value:,.{1 if value > 10 else 2}f}"
            for value in values) + " |")
    return "\n".join(lines)


def main():
    options = arguments()
    check_programs(options.program)
    machines.inside_namespaces()
    end_by_signals()
    topologies = QUICK_TOPOLOGIES if options.quick else TOPOLOGIES
    columns = {}
    with disk_folder(options.results.parent) as folder, machines.network() as network:
        if "large" in options.parts:
            subprocess.run([options.program, "generate", "--topologies", str(topologies),
                            "--nodes", "500", "--links", "500", "-o", folder / "big.xml"],
                           check=True, stdout=subprocess.DEVNULL)
        setting = run.Setting(options.program, folder, network, [], None,
                              make_origin(options.program, folder), None)
        columns["single node"] = measure(options, setting, None)
        with Databases(network, folder) as databases:
            columns["cluster of three"] = measure(options, setting, databases)
    print(f"the large map has {topologies * 1000:,} elements; {os.cpu_count()} cores for members, "
          "databases and clients together\n")
    print(table(columns))
    Path(options.results).write_text(json.dumps(columns, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
