"""A copy of the tree, built without a fault and with one."""

import os
import shlex
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "planted_faults" / "tree"
BUILD = ROOT / "build" / "planted_faults" / "build"
NINJA = shlex.split(os.environ.get("NINJA", "ninja"))


def problem(fault):
    """What is wrong with the fault itself; empty when nothing is."""
    place = ROOT / fault.file
    if not place.is_file():
        return f"{fault.name}: there is no {fault.file}"
    count = place.read_text().count(fault.old)
    return "" if count == 1 else f"{fault.name}: its place in {fault.file} is there {count} times"


def copy_tree():
    """Files that have not changed keep their times, and so their objects."""
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        source, target = ROOT / name, TREE / name
        if not source.is_file():
            continue
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def configure(preset="debug", build=BUILD):
    options = ["-DNETML_BUILD_BENCH=OFF", "--preset", preset, "-B", str(build)]
    subprocess.run(["cmake", *options], cwd=TREE, check=True, stdout=subprocess.DEVNULL)


def build(targets, folder=BUILD):
    """What the compiler says when it refuses; empty when all is built."""
    command = [*NINJA, "-C", str(folder), "--quiet", *targets]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout[-3000:] + done.stderr[-1000:]


@contextmanager
def planted(fault):
    target = TREE / fault.file
    sound = target.read_text()
    target.write_text(sound.replace(fault.old, fault.new))
    try:
        yield
    finally:
        target.write_text(sound)
