"""Where the members and the databases run: a network namespace each where the kernel lets us, else
addresses 127.0.0.x with proxies between them. Both can cut any two machines from each other, or
only the way that answers take.

Namespaces need the whole check to run inside `inside_namespaces()`: then networks, mounts and
processes are its own, and the kernel removes all of them with it, however it ends.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from proxies import Proxies

INSIDE = "NETML_CLUSTER_NAMESPACES"
UNSHARE = ["unshare", "--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child",
           "--mount-proc"]
NETWORK, FIRST = "10.77.0", 11
LIBRARY_OF_CLOCKS = "/usr/lib/*/faketime/libfaketime*.so.1"
STOP_SECONDS_MAX = 20
FIRST_OF_ALL = -19  # as nice() has it


def inside_namespaces():
    """Starts this program again in namespaces of its own, where that is allowed. Does not return
    then, and never a second time."""
    if is_inside_namespaces() or os.geteuid() != 0:
        return
    if not all(map(shutil.which, ["unshare", "nsenter", "ip"])):
        return
    if subprocess.run([*UNSHARE, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        return
    again = subprocess.Popen([*UNSHARE, sys.executable, "-B", *sys.argv],
                             env=dict(os.environ, **{INSIDE: "1"}), start_new_session=True)

    def tell(_signal, _frame):  # the harness is the only child of unshare, which passes nothing on
        for child in children(again.pid):
            os.kill(child, signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, tell)
    sys.exit(again.wait())


def is_inside_namespaces():
    return INSIDE in os.environ


def children(pid):
    with contextlib.suppress(OSError):
        return [int(child) for task in Path(f"/proc/{pid}/task").iterdir()
                for child in (task / "children").read_text().split()]
    return []


def family(pid):
    """A process and all below it, the oldest first."""
    found = [pid]
    for each in found:
        found += children(each)
    return found


def go_first(pid, wanted=True):
    """All threads of a process; those that it starts later as well. Only root may have it."""
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(task.name), FIRST_OF_ALL if wanted else 0)


class Process:
    """One that was started on a machine, with all that it starts. Ends with the harness."""

    def __init__(self, command, **options):
        self.popen = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command],
                                      start_new_session=True, **options)
        self.paused = self.to_end = False

    @property
    def pid(self):
        return self.popen.pid

    def is_running(self):
        return self.popen.poll() is None

    def _signal_all(self, number):
        for pid in family(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def goes_first(self, wanted=True):
        """Before whatever else wants the cores, as on a machine that it shares with nobody."""
        for pid in family(self.pid):
            go_first(pid, wanted)

    def pause(self):
        self._signal_all(signal.SIGSTOP)
        self.paused = True

    def resume(self):
        self._signal_all(signal.SIGCONT)
        self.paused = False

    def kill(self):
        """As a power cut would: none of them gets to do anything more."""
        self.to_end |= self.is_running()
        if self.is_running():
            self.pause()  # so that none starts another meanwhile
            self._signal_all(signal.SIGKILL)
        self.popen.wait(STOP_SECONDS_MAX)
        self.paused = False

    def stop(self, number=signal.SIGTERM):
        """Asks it to end, and does not ask twice."""
        self.to_end |= self.is_running()
        if self.paused:
            self.resume()
        if self.is_running():
            self.popen.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(STOP_SECONDS_MAX)
        self.kill()


class Machine:
    """A place with an address of its own."""

    def __init__(self, name, address, enter=()):
        self.name, self.address, self.enter = name, address, list(enter)

    def start(self, command, **options):
        return Process([*self.enter, *map(str, command)], **options)

    def run(self, command, **options):
        return subprocess.run([*self.enter, *map(str, command)], **options)


class Namespaces:
    """Machines in namespaces, joined by a bridge with the harness at its other end."""

    harness = f"{NETWORK}.1"

    def __init__(self):
        self.machines, self.holders = {}, {}
        for command in ("link set lo up", "link add hub type bridge", "link set hub up",
                        f"addr add {self.harness}/24 dev hub"):
            ip(command)

    def add(self, name):
        number = FIRST + len(self.machines)
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        wait_until(lambda: namespace_of(holder.pid) != namespace_of(os.getpid()))
        enter = ["nsenter", f"--net=/proc/{holder.pid}/ns/net"]
        machine = Machine(name, f"{NETWORK}.{number}", enter)
        ip(f"link add {name} type veth peer name eth0 netns {holder.pid}")
        ip(f"link set {name} master hub up")
        for command in ("link set lo up", f"addr add {machine.address}/24 dev eth0",
                        "link set eth0 up"):
            machine.run(["ip", *command.split()], check=True)
        self.machines[name], self.holders[name] = machine, holder
        return machine

    def way(self, _source, target, port):
        """How `source` reaches that port of `target`."""
        return target.address, port

    def cut(self, one, other):
        """Neither hears the other."""
        self.cut_answers(one, other)
        self.cut_answers(other, one)

    def cut_answers(self, source, target):
        """What `source` sends arrives at `target`; nothing comes back."""
        target.run(["ip", "route", "replace", "blackhole", f"{source.address}/32"], check=True)

    def isolate(self, machine):
        """Nobody hears it any more, the harness included."""
        ip(f"link set {machine.name} down")

    def heal(self):
        for machine in self.machines.values():
            ip(f"link set {machine.name} up")
            machine.run(["ip", "route", "flush", "type", "blackhole"], check=True,
                        stderr=subprocess.DEVNULL)

    @contextlib.contextmanager
    def small_disk(self, folder, megabytes):
        """A file system of that size at `folder`."""
        folder.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "netml",
                        str(folder)], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)

    def close(self):
        for name, holder in self.holders.items():
            holder.kill()
            holder.wait()
            with contextlib.suppress(subprocess.CalledProcessError):
                ip(f"link del {name}", stderr=subprocess.DEVNULL)
        ip("link del hub")


class Addresses:
    """Machines with an address of the loopback each; everything between them goes through proxies
    of ours, by which they can be cut. Each harness has a network of its own, by its process."""

    def __init__(self):
        self.machines, self.proxies = {}, Proxies()
        self.network = f"127.{1 + os.getpid() % 250}.{os.getpid() // 250 % 250}"
        self.harness = f"{self.network}.1"

    def add(self, name):
        machine = Machine(name, f"{self.network}.{FIRST + len(self.machines)}")
        self.machines[name] = machine
        return machine

    def way(self, source, target, port):
        return self.proxies.between(source.name if source else None, target, port)

    def cut(self, one, other):
        self.proxies.cut({one.name, other.name})

    def cut_answers(self, source, target):
        self.proxies.cut_answers(source.name, target.name)

    def isolate(self, machine):
        self.proxies.isolate(machine.name)

    def heal(self):
        self.proxies.heal()

    small_disk = None  # there is none without the right to mount

    def close(self):
        self.proxies.close()


def network():
    """What this machine allows. A context manager closes it."""
    return contextlib.closing(Namespaces() if is_inside_namespaces() else Addresses())


def ip(command, **options):
    subprocess.run(["ip", *command.split()], check=True, **options)


def namespace_of(pid):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/ns/net")
    return ""


def wait_until(holds, seconds=10, pause=0.005):
    """Whether it held in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def library_of_clocks():
    """libfaketime for programs with threads; None where it is not installed."""
    found = sorted(Path("/").glob(LIBRARY_OF_CLOCKS.lstrip("/")))
    return next((str(path) for path in found if path.name.startswith("libfaketimeMT")), None)


class Clock:
    """Of one machine: real time plus a difference that may be set, and jump. Programs started with
    its environment notice a jump within a second; their steady clocks stay right."""

    def __init__(self, file):
        self.file, self.base = Path(file), 0.0
        self.set(0.0)

    def set(self, seconds):
        self.base = seconds
        self.jump(0)

    def jump(self, seconds):
        """From what is right here; 0 is back to that."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{self.base + seconds:+.3f}\n", encoding="ascii")
        new.replace(self.file)

    def environment(self):
        library = library_of_clocks()
        if library is None:
            return {}
        return {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(self.file),
                "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_RESET": "1"}
