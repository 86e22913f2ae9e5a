#!/usr/bin/env python3
"""Runs a program as netml.service would have it run: the test's stand-in for systemd.

Usage: restricted.py FILTER WRITABLE PROGRAM ARGUMENT...

FILTER is a file of write_filter(); only below the folder WRITABLE anything can be written. The
program keeps this process's number. Left out, as they need systemd or say nothing about a program
that is driven by tests: the user, PrivateTmp (WRITABLE stands for it), RemoveIPC, KeyringMode; and
ProcSubset and ProtectProc where this is not started by root.
"""

import ctypes
import os
import resource
import socket
import stat
import sys
from pathlib import Path

ALLOW, EPERM_ACTION, ENOSYS_ACTION = 0x7FFF0000, 0x00050001, 0x00050026
EQUAL, MASKED_EQUAL = 4, 7
NAMESPACES = 0x7E020000  # of clone(): all CLONE_NEW* that it has
EXEC, WRITE_AND_EXEC = 4, 6
SET_ID = stat.S_ISUID | stat.S_ISGID
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
MS_NOSUID, MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = 2, 4096, 8192, 16384, 1 << 18
MS_RDONLY = 1
SYS_MOUNT_SETATTR, AT_RECURSIVE, AT_FDCWD = 442, 0x8000, -100
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 24, 38, 22, 2
LAST_CAPABILITY = 40
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")

libc = ctypes.CDLL(None, use_errno=True)


def checked(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


# The filter.

class Comparison(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int),
                ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def masked(argument, mask, value):
    return Comparison(argument, MASKED_EQUAL, mask, value)


def conditions(unit):
    """By system call, the arguments that are allowed: any one of them is enough. Calls with
    arguments of which systemd forbids some by settings beside SystemCallFilter."""
    families = [getattr(socket, name) for name in unit["RestrictAddressFamilies"][-1].split()]
    modes = {"chmod": 1, "fchmod": 1, "mkdir": 1, "fchmodat": 2, "mkdirat": 2}
    found = {"socket": [Comparison(0, EQUAL, family, 0) for family in families]}
    if "yes" in unit["RestrictNamespaces"]:
        found["clone"] = [masked(0, NAMESPACES, 0)]
        found["setns"] = found["unshare"] = []
    if "yes" in unit["MemoryDenyWriteExecute"]:
        found["mmap"] = [masked(2, WRITE_AND_EXEC, part) for part in (0, 2, 4)]
        found["mprotect"] = found["pkey_mprotect"] = [masked(2, EXEC, 0)]
    if "yes" in unit["RestrictSUIDSGID"]:
        for call, argument in modes.items():
            found[call] = [masked(argument, SET_ID, 0)]
    if "yes" in unit["LockPersonality"]:
        found["personality"] = [Comparison(0, EQUAL, 0, 0), Comparison(0, EQUAL, 0xFFFFFFFF, 0)]
    return found


def write_filter(unit, calls, file):
    """The program for the kernel that forbids what the unit does, made by libseccomp."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(EPERM_ACTION)))
    limited = conditions(unit)
    for name in sorted(calls):
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            continue  # a call of other machines
        if name == "clone3":  # its flags are behind a pointer: libraries take clone() instead
            checked(seccomp.seccomp_rule_add_array(
                context, ctypes.c_uint32(ENOSYS_ACTION), number, 0, None), name)
            continue
        if name not in limited:
            checked(seccomp.seccomp_rule_add_array(
                context, ctypes.c_uint32(ALLOW), number, 0, None), name)
        for comparison in limited.get(name, []):
            checked(seccomp.seccomp_rule_add_array(
                context, ctypes.c_uint32(ALLOW), number, 1, ctypes.byref(comparison)), name)
    with open(file, "wb") as output:
        checked(seccomp.seccomp_export_bpf(context, output.fileno()), "seccomp_export_bpf")
    seccomp.seccomp_release(context)


class FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def load_filter(text):
    program = FilterProgram(len(text) // 8, text)
    checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")


# File systems.

class MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def mount(source, target, kind, flags, data=""):
    checked(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags),
                       data.encode()), f"mount {target}")


def read_only(path, yes):
    attributes = MountAttributes(MS_RDONLY if yes else 0, 0 if yes else MS_RDONLY, 0, 0)
    checked(libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path.encode(), AT_RECURSIVE,
                         ctypes.byref(attributes), ctypes.sizeof(attributes)),
            f"mount_setattr {path}")


def private_devices(staging):
    """A /dev with what is no device of the machine, put together where one can write."""
    os.makedirs(staging, exist_ok=True)
    mount("tmpfs", staging, "tmpfs", MS_NOSUID, "mode=755")
    for name in DEVICES:
        # Not opened: a test's library that keeps files until they are synced would keep it open for
        # writing, and nothing of the kind can be made read-only.
        os.mknod(f"{staging}/{name}")
        mount(f"/dev/{name}", f"{staging}/{name}", "", MS_BIND)
    for name, target in (("fd", "/proc/self/fd"), ("stdout", "/proc/self/fd/1")):
        os.symlink(target, f"{staging}/{name}")
    os.mkdir(f"{staging}/shm", 0o1777)
    mount(staging, "/dev", "", MS_MOVE)


def become_root_of_own_namespace(user, group):
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def restrict_files(writable):
    user, group = os.geteuid(), os.getegid()
    is_root = user == 0
    checked(libc.unshare(CLONE_NEWNS | CLONE_NEWIPC | (0 if is_root else CLONE_NEWUSER)), "unshare")
    if not is_root:
        become_root_of_own_namespace(user, group)
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    mount(writable, writable, "", MS_BIND | MS_REC)
    private_devices(f"{writable}/.devices-{os.getpid()}")
    if is_root:
        mount("proc", "/proc", "proc", MS_NOSUID, "subset=pid,hidepid=invisible")
    for home in ("/home", "/root", "/run/user"):
        if os.path.isdir(home) and not Path(writable).is_relative_to(home):
            mount("tmpfs", home, "tmpfs", MS_NOSUID, "mode=000")
    read_only("/", True)
    read_only(writable, False)


def give_up_capabilities():
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def main(filter_file, writable, program, *arguments):
    filter_text = Path(filter_file).read_bytes()
    folder = os.getcwd()
    restrict_files(writable)
    os.chdir(folder)  # as it is mounted now
    os.umask(0o077)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 16384), min(hard, 16384)))
    give_up_capabilities()
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    load_filter(filter_text)
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main(*sys.argv[1:])
