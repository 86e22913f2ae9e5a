"""What a measured program used beside time: instructions, page faults, bytes written, memory."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

EVENT = "instructions:u"
SECTOR = 512  # bytes, as the kernel counts what a process wrote
ATTACH_SECONDS = 0.2  # that perf has to begin with a process that runs


@dataclass
class Usage:
    minor_faults: int = 0
    major_faults: int = 0
    # Bytes that went towards a disk, also by way of the page cache; none where the system does not
    # tell: of a server, which hides its memory, only root may know.
    written: int | None = 0
    peak: int = 0  # resident bytes at most
    instructions: int | None = None  # in user space

    def __add__(self, other):
        return Usage(self.minor_faults + other.minor_faults,
                     self.major_faults + other.major_faults, both(self.written, other.written),
                     max(self.peak, other.peak), both(self.instructions, other.instructions))

    def __sub__(self, before):
        known = self.written is not None and before.written is not None
        return Usage(self.minor_faults - before.minor_faults,
                     self.major_faults - before.major_faults,
                     self.written - before.written if known else None, self.peak,
                     self.instructions)


def both(one, other):
    """Their sum; none if one of them is not known, because it would be too little."""
    return None if one is None or other is None else one + other


def run(command, environment=None, counting=False):
    """Runs it to its end: what it printed, seconds from start to exit, what it used."""
    command = [str(word) for word in command]
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(tempfile.TemporaryFile())
        errors = stack.enter_context(tempfile.TemporaryFile())
        counts = stack.enter_context(tempfile.NamedTemporaryFile()) if counting else None
        prefix = perf(counts.name) + ["--"] if counting else []
        begin = time.perf_counter()
        process = subprocess.Popen(prefix + command, stdout=output, stderr=errors,
                                   stdin=subprocess.DEVNULL, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: "
                               + errors.read().decode(errors="replace"))
        output.seek(0)
        usage = Usage(used.ru_minflt, used.ru_majflt, used.ru_oublock * SECTOR,
                      used.ru_maxrss * 1024, read_count(counts.name) if counting else None)
        return output.read().decode(), seconds, usage


def of_process(pid):
    """What a process that runs has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    written = None
    with contextlib.suppress(PermissionError):
        lines = Path(f"/proc/{pid}/io").read_text(encoding="ascii")
        written = int(re.search(r"^write_bytes: (\d+)", lines, re.MULTILINE)[1])
    return Usage(int(fields[7]), int(fields[9]), written, memory(pid)["VmHWM"])


def memory(pid):
    """Bytes of each kind, as /proc names them."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    pairs = [line.split(":") for line in lines if re.match(r"Vm|Rss", line)]
    return {name: int(value.split()[0]) * 1024 for name, value in pairs}


def processor_ticks(pid):
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


@contextlib.contextmanager
def watched(pid, counting=False):
    """Gives an object whose `usage` is, at the end, what the process used in between."""
    class Watch:
        usage = None

    watch = Watch()
    with attached(pid, counting) as count:
        before = of_process(pid)
        yield watch
        watch.usage = of_process(pid) - before
    watch.usage.instructions = count()


@contextlib.contextmanager
def attached(pid, counting):
    if not counting:
        yield lambda: None
        return
    with tempfile.NamedTemporaryFile() as counts:
        process = subprocess.Popen(perf(counts.name) + ["-p", str(pid)],
                                   stderr=subprocess.DEVNULL)
        time.sleep(ATTACH_SECONDS)
        found = []
        try:
            yield lambda: found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()
            found.append(read_count(counts.name))


# ---- instructions ----

def perf(output):
    return ["perf", "stat", "-x", ",", "-e", EVENT, "-o", output]


def read_count(path):
    """The number in what perf wrote; none where the machine does not count."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        fields = line.split(",")
        if len(fields) > 2 and fields[2] == EVENT and fields[0].isdigit():
            return int(fields[0])
    return None


def perf_counts():
    """Whether perf is installed, allowed, and the processor counts; virtual ones often do not."""
    if shutil.which("perf") is None:
        return False
    with tempfile.NamedTemporaryFile() as counts:
        done = subprocess.run(perf(counts.name) + ["--", "true"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0 and bool(read_count(counts.name))


def callgrind_counts(root, build):
    """Counts of the small form (20,000 elements) that ./test compares, by their names there; empty
    where the program was not built or valgrind is missing."""
    program = build / "tests/performance/instructions"
    if shutil.which("valgrind") is None or not program.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        done = subprocess.run([root / "tests/performance/check_instructions.py", program, counts,
                               "--renew"], stdout=subprocess.DEVNULL, check=False)
        return json.loads(counts.read_text(encoding="utf-8")) if done.returncode == 0 else {}
