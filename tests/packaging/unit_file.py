"""Reads what netml.service takes away from its process."""

import subprocess
from functools import cache
from pathlib import Path

UNIT = Path(__file__).resolve().parents[2] / "debian/netml.service"


def settings(path=UNIT):
    """By name, the values of each setting of [Service], in their order."""
    values, section = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            values.setdefault(name, []).append(value)
    return values


@cache
def members(group):
    """The system calls of @group, as systemd knows them, with those of groups in it."""
    text = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", group], check=True,
                          text=True, stdout=subprocess.PIPE).stdout
    names = set()
    for word in (line.strip() for line in text.splitlines()[1:]):
        if word and not word.startswith("#"):
            names |= members(word) if word.startswith("@") else {word}
    return frozenset(names)


def allowed_calls(unit):
    """The system calls that are left. The first list says what is allowed, later ones add, and take
    away when they begin with ~; what every process needs is always there."""
    allowed = set(members("@default"))
    for line in unit["SystemCallFilter"]:
        names = set()
        for word in line.removeprefix("~").split():
            names |= members(word) if word.startswith("@") else {word}
        allowed = allowed - names if line.startswith("~") else allowed | names
    return allowed
