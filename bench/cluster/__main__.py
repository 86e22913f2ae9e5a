"""Proves what docs/cluster.md promises: three members, a database and its synchronous standby, all
real processes; faults of all kinds while clients write and read; then a checker over what the
clients saw and what the members have.
"""

import argparse
import contextlib
import os
import shutil
import sys
import time

import lanes
import machines
import nemesis
import report
from databases import Databases
from nodes import make_origin
from options import ROOT, absolute, check_programs, end_by_signals, working_folder
from peer import Peer
from run import MEMBERS, Setting, run

SHORT_RUNS = 20


def arguments():
    parser = argparse.ArgumentParser(prog="bench/cluster-check",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=60, help="60, which is about 700 runs")
    parser.add_argument("--runs", type=int, help="as many, however long they take")
    parser.add_argument("--seed", type=int, default=1,
                        help="of the first run; each has the next one")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_RUNS} runs")
    parser.add_argument("--only", choices=sorted(fault.name for fault in nemesis.FAULTS),
                        help="this fault, once in each run")
    parser.add_argument("--single", action="store_true",
                        help="one node without a database: tries out clients and checker")
    parser.add_argument("--until-broken", action="store_true",
                        help="end with the first run that breaks a promise")
    parser.add_argument("--keep", action="store_true", help="histories of sound runs, too")
    parser.add_argument("--lanes", type=int, default=os.cpu_count(),
                        help="runs side by side; as many as there are cores")
    parser.add_argument("--lane", type=lane_of, help=argparse.SUPPRESS)  # which of how many
    parser.add_argument("--program", type=absolute, default=ROOT / "build/release/netml")
    parser.add_argument("--results", type=absolute, default=ROOT / "build/cluster-check",
                        help="folder for the histories of the runs that broke something")
    options = parser.parse_args()
    if options.short:
        options.runs = SHORT_RUNS
    return options


def lane_of(text):
    return tuple(map(int, text.split("/")))


@contextlib.contextmanager
def setting_of(options):
    with working_folder() as folder, machines.network() as network, Peer(network) as peer, \
            contextlib.ExitStack() as more:
        origin = make_origin(options.program, folder, peer.server.server_address)
        names = MEMBERS[:1] if options.single else MEMBERS
        databases = None
        if not options.single:
            databases = more.enter_context(Databases(network, folder))
        places = [network.add(name) for name in names]
        yield Setting(options.program, folder, network, places, databases, origin, peer)


def run_all(options, setting):
    """The outcomes of this lane, as they come."""
    only = next((fault for fault in nemesis.FAULTS if fault.name == options.only), None)
    end = time.monotonic() + options.minutes * 60
    number, count = options.lane
    seed = options.seed + number
    while seed < options.seed + options.runs if options.runs else time.monotonic() < end:
        folder = setting.folder / f"run-{seed}"
        try:
            result = run(setting, seed, folder, only)
            if options.keep or not result.is_sound:
                keep(folder, options.results / f"run-{seed}")
        except BaseException:
            keep(folder, options.results / f"run-{seed}")
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        yield report.outcome(result)
        seed += count


def keep(folder, results):
    """Histories and logs, without the members' data."""
    shutil.rmtree(results, ignore_errors=True)
    shutil.copytree(folder, results, ignore=shutil.ignore_patterns("data", "disk"))


def run_lane(options):
    """Writes what it finds for the parent."""
    machines.inside_namespaces()
    end_by_signals()
    with contextlib.suppress(KeyboardInterrupt), setting_of(options) as setting:
        lanes.say(report.heading(setting))
        for outcome in run_all(options, setting):
            lanes.say(outcome)
    return 0


def main():
    options = arguments()
    check_programs(options.program, needs_database=not options.single)
    if options.lane:
        return run_lane(options)
    end_by_signals()
    for earlier in options.results.glob("run-*"):
        shutil.rmtree(earlier)
    count = min(options.lanes, options.runs or options.lanes)
    summary = report.Summary()
    try:
        with lanes.Lanes(count) as all_lanes:
            for outcome in all_lanes.outcomes():
                summary.add(outcome)
                print(outcome.text, flush=True)
                if options.until_broken and not outcome.is_sound:
                    break
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    except lanes.LaneFailed as error:
        sys.exit(f"error: {error}")
    print(summary.as_text(), flush=True)
    return 0 if summary.is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
