#!/usr/bin/env python3
"""The program does its work under the restrictions of its unit, and these hold.

Usage: restrictions_test.py unit                       the unit itself
       restrictions_test.py run NETML E2E_TESTS [FILTER]   the end-to-end tests under it

Exits with 77 where the system lets nobody make namespaces.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import restricted
import unit_file

HERE = Path(__file__).resolve().parent
SKIPPED = 77
EXPOSURE_MAX = 15  # tenths

# What must not succeed, and what is tried. Without the restrictions each does succeed; where it
# does not, on a machine that forbids it to everybody, that is said.
PROBES = {
    "SystemCallFilter": "libc.acct(None) and fail()",
    "SystemCallFilter: memory": "libc.mlock(ctypes.create_string_buffer(64), 64) and fail()",
    "SystemCallFilter: keys": "libc.syscall(248, b'user', b'n', b'p', 1, -2) < 0 and fail()",
    "RestrictAddressFamilies": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "RestrictNamespaces": "libc.unshare(0x10000000) and fail()",
    "MemoryDenyWriteExecute": "mmap.mmap(-1, 4096, prot=7)",
    "RestrictSUIDSGID": "os.chmod(inside, 0o4700)",
    "LockPersonality": "libc.personality(0x0040000) == -1 and fail()",
    "ProtectSystem": "open(outside, 'w')",
    "PrivateDevices": "os.stat('/dev/ptmx')",
    "UMask": "os.close(os.open(inside + '2', os.O_CREAT, 0o666)); "
             "os.stat(inside + '2').st_mode & 0o077 or fail()",
    "LimitNOFILE": "resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 16384 or fail()",
    "CapabilityBoundingSet": "libc.prctl(23, 1) == 1 or fail()",
    "NoNewPrivileges": "libc.prctl(39, 0, 0, 0, 0) == 0 or fail()",
}
PROBE = """
import ctypes, mmap, os, resource, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
inside, outside = sys.argv[1:]
def fail(): raise OSError("refused")
"""


def no_systemd():
    if shutil.which("systemd-analyze") is None:
        print("skipped: no systemd-analyze, which knows the groups of system calls")
        return True
    return False


def check_unit():
    if no_systemd():
        return SKIPPED
    unit = unit_file.settings()
    failures = []
    answer = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager",
         f"--threshold={EXPOSURE_MAX}", unit_file.UNIT], text=True, stdout=subprocess.PIPE)
    print(answer.stdout.splitlines()[-1])
    if answer.returncode != 0:
        failures.append("the service is exposed more than 1.5")
    failures += [f"netml.service has no {name.partition(':')[0]}" for name in PROBES
                 if name.partition(":")[0] not in unit]
    calls = unit_file.allowed_calls(unit)
    failures += [f"{call} is allowed" for call in ("mount", "reboot", "keyctl", "ptrace", "bpf",
                                                   "init_module", "setuid") if call in calls]
    failures += [f"{call} is not allowed" for call in ("read", "execve", "setpriority", "fdatasync",
                                                       "accept4") if call not in calls]
    print("\n".join(failures))
    return 1 if failures else 0


def probe(code, folder, launcher):
    inside = folder / "probe"
    inside.touch()
    outside = Path(folder.parent, f"{folder.name}-outside")
    try:
        return subprocess.run([*launcher, "/usr/bin/python3", "-c", f"{PROBE}{code}\n", inside,
                               outside], capture_output=True, text=True).returncode == 0
    finally:
        outside.unlink(missing_ok=True)
        Path(f"{inside}2").unlink(missing_ok=True)


def probe_all(folder, launcher):
    """What is possible under the restrictions and should not, and what is not without them."""
    for name, code in PROBES.items():
        if probe(code, folder, launcher):
            yield f"{name}: {code} is possible"
        if not probe(code, folder, []):
            print(f"{name}: not possible here without the unit either")
    if not probe("", folder, launcher):
        yield "nothing is possible"


def run(netml, tests, only="*"):
    if no_systemd():
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="netml-unit-") as name:
        folder = Path(name)
        unit = unit_file.settings()
        restricted.write_filter(unit, unit_file.allowed_calls(unit), folder / "filter")
        program = folder / "netml.real"
        shutil.copy(netml, program)
        launcher = [sys.executable, "-B", HERE / "restricted.py", folder / "filter", folder]
        first = subprocess.run([*launcher, program, "--version"], capture_output=True, text=True)
        if "unshare" in first.stderr or "uid_map" in first.stderr:
            print(f"skipped: {first.stderr.splitlines()[-1]}")
            return SKIPPED
        failures = list(probe_all(folder, launcher))
        wrapper = folder / "netml"
        words = " ".join(f"'{word}'" for word in [*launcher, program])
        wrapper.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        wrapper.chmod(0o755)
        ended = subprocess.run([tests, f"--gtest_filter={only}", "--gtest_brief=1"],
                               env={**os.environ, "TMPDIR": name, "NETML_BINARY": str(wrapper)})
        if ended.returncode != 0:
            failures.append("end-to-end tests fail under the restrictions of the unit")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(check_unit() if sys.argv[1:] == ["unit"] else run(*sys.argv[2:]))
