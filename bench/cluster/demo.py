"""bench/cluster-demo: a cluster on one machine, killed and healed before one's eyes. Its members
have addresses of the loopback, so that a browser reaches them."""

import argparse
import sys
import threading
import time

import machines
import run
from clients import Record, Writer
from databases import Databases
from nemesis import World
from nodes import ACCOUNT, PASSWORD, CommandFailed, Members, make_origin
from options import ROOT, absolute, check_programs, end_by_signals, working_folder

LOOK_SECONDS = 2  # between two things that happen
BACK_SECONDS_MAX = 60


class Show:
    """What is said meanwhile: a change a moment, who leads, how long it took."""

    def __init__(self, members, databases, network, origin):
        self.members, self.databases = members, databases
        self.world = World(members, databases, network, seed=0)
        self.record = Record(members.folder / "history.jsonl")
        self.ended = threading.Event()
        self.writer = Writer(1, 0, members, self.record, self.ended, imports=False,
                             import_token=origin.import_tokens[0],
                             references=run.references(members))
        self.begin = time.monotonic()

    def say(self, text):
        print(f"{time.monotonic() - self.begin:6.1f} s  {text}", flush=True)

    def back(self, since):
        """Waits for a change that began after `since`; seconds until its answer."""
        def answered():
            return next((each for each in list(self.record.operations) if each["begin"] > since
                         and each["outcome"] == "done"), None)

        if not machines.wait_until(answered, BACK_SECONDS_MAX):
            raise run.Stuck("no change was taken for a minute")
        return answered()["end"] - since

    def heads(self):
        for node in self.members.nodes:
            try:
                head = run.get(node, "/health/ready").head or "no head"
                self.say(f"{node.name}: {head[:20]}")
            except OSError as error:
                self.say(f"{node.name}: {error}")

    def lose_leader(self):
        leader = self.world.leader()
        self.say(f"kill -9 of {leader.name}, which leads")
        since = time.monotonic()
        leader.kill()
        seconds = self.back(since)
        self.say(f"changes are answered again after {seconds:.1f} s: "
                 f"{self.world.leader().name} leads")
        time.sleep(LOOK_SECONDS)
        leader.start()
        self.say(f"{leader.name} is started again, and follows")

    def lose_database(self):
        lost, heir = self.databases.primary.machine.name, self.databases.standby.machine.name
        self.say(f"kill -9 of the database {lost}; {heir} is promoted, and gets a new standby")
        since = time.monotonic()
        self.databases.primary.kill()
        self.databases.promote()
        self.databases.heal()
        self.say(f"changes are answered again after {self.back(since):.1f} s")

    def play(self):
        for node in self.members.nodes:
            self.say(f"{node.name}: {node.url()}/")
        self.say(f"sign in at {self.members.nodes[0].url()}/admin/ as {ACCOUNT} with the password "
                 f"\"{PASSWORD}\"")
        self.say("a client writes all the time, at any member")
        self.writer.start()
        for act in (self.lose_leader, self.lose_database):
            time.sleep(LOOK_SECONDS)
            act()
        time.sleep(LOOK_SECONDS)

    def end(self):
        """Every change that was answered must be there; whether it is."""
        self.ended.set()
        self.writer.join()
        run.wait_for_quiet(self.members)
        self.heads()
        broken = run.checker.check(self.record.operations, run.collect(self.members))
        done = sum(each["outcome"] == "done" for each in self.record.operations)
        self.say(f"{done} changes were answered; every one is there once, at all members"
                 if not any(broken.values()) else f"BROKEN: {broken}")
        return not any(broken.values())


def main():
    parser = argparse.ArgumentParser(prog="bench/cluster-demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the show")
    parser.add_argument("--program", type=absolute, default=ROOT / "build/release/netml")
    options = parser.parse_args()
    check_programs(options.program)
    end_by_signals()
    with working_folder() as folder, machines.network() as network:
        origin = make_origin(options.program, folder)
        with Databases(network, folder) as databases:
            places = [network.add(name) for name in run.MEMBERS]
            with Members(options.program, network, folder / "members", places, origin,
                         databases) as members:
                run.wait_for_start(members)
                show = Show(members, databases, network, origin)
                show.play()
                if not options.once:
                    show.say("Ctrl-C ends it")
                    threading.Event().wait()
                return 0 if show.end() else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("ended; nothing is left behind")
    except (run.Stuck, CommandFailed) as error:
        sys.exit(f"error: {error}")
