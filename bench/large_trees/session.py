"""One run of a benchmark: its options, its folder, what it says meanwhile, when and where it is."""

import argparse
import contextlib
import datetime
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPOLOGIES, QUICK_TOPOLOGIES = 1000, 20  # of the map
ROUNDS, QUICK_ROUNDS = 5, 1


def parser(name, about):
    """With the options that all benchmarks have."""
    def absolute(path):
        return Path(path).resolve()

    made = argparse.ArgumentParser(prog=f"bench/{name}", description=about.splitlines()[0])
    made.add_argument("--build", type=absolute, default=ROOT / "build/release")
    made.add_argument("--quick", action="store_true",
                      help="20,000 elements and one round, to try it out; leaves docs/ alone")
    made.add_argument("--rounds", type=int, help=f"else {ROUNDS}; fewer say little")
    made.add_argument("--results", type=absolute, default=ROOT / "build",
                      help="folder for the figures as JSON")
    return made


def parsed(made):
    options = made.parse_args()
    if options.rounds is None:
        options.rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if options.rounds < 1:
        made.error("--rounds: at least one")
    return options


def topologies(options):
    return QUICK_TOPOLOGIES if options.quick else TOPOLOGIES


def docs(options):
    """The folder of the pages, which a quick run leaves alone."""
    folder = options.results / "bench-docs" if options.quick else ROOT / "docs/performance"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Session:
    """From when it was made."""

    def __init__(self):
        self.begin, self.load = time.monotonic(), os.getloadavg()[0]

    def seconds(self):
        return time.monotonic() - self.begin

    def progress(self, text):
        print(f"{self.seconds():6.1f} s  {text}", file=sys.stderr, flush=True)

    def about(self):
        return {"date": datetime.date.today().isoformat(), "revision": revision(),
                "load": self.load, "machine": machine(), "seconds": self.seconds()}


@contextlib.contextmanager
def temporary_folder(options):
    """Not below /tmp, which may be memory: then nothing would be written to a disk."""
    options.results.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="netml-bench-",
                                   dir=os.environ.get("TMPDIR", options.results)))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def revision():
    return subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def machine():
    model = next((line.split(":")[1].strip()
                  for line in open("/proc/cpuinfo", encoding="utf-8") if "model name" in line),
                 platform.machine())
    return f"{os.cpu_count()} cores of {model}, Linux {platform.release()}"
