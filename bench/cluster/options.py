"""What the check, the demonstration and the figures have in common: where they are, where they
work, how they end."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import machines
from databases import postgresql

ROOT = Path(__file__).resolve().parents[2]
MEMORY_DISK_MEGABYTES = 6144
MEMORY = "/dev/shm"  # a disk in memory, for those who may not mount one
EXIT_SKIPPED = 77  # as ctest knows it


def absolute(path):
    return Path(path).resolve()


def check_programs(program, needs_database=True):
    """Ends here where something is missing."""
    if not program.exists():
        sys.exit(f"there is no {program}: build it first, or name it with --program")
    if needs_database and postgresql.version() is None:
        print("PostgreSQL is not installed: apt-get install postgresql-15", file=sys.stderr)
        sys.exit(EXIT_SKIPPED)


def end_by_signals():
    """To be asked to end is like Ctrl-C: all that was begun is undone."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def disk_folder(parent):
    """On a disk, for what is measured."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="netml-cluster-", dir=parent))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def has_room(folder):
    return os.access(folder, os.W_OK) and \
        shutil.disk_usage(folder).free > MEMORY_DISK_MEGABYTES << 20


@contextlib.contextmanager
def working_folder():
    """In memory where we may mount one: the runs write much, and no power fails here. A short path,
    as sockets want it."""
    place = "/tmp" if machines.is_inside_namespaces() or not has_room(MEMORY) else MEMORY
    folder = Path(tempfile.mkdtemp(prefix="netml-cc-", dir=place))
    folder.chmod(0o755)  # PostgreSQL may run as another user
    with contextlib.ExitStack() as undo:
        undo.callback(shutil.rmtree, folder)
        if machines.is_inside_namespaces():
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEMORY_DISK_MEGABYTES}m,mode=755",
                            "netml", str(folder)], check=True)
            undo.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=True)
        yield folder
