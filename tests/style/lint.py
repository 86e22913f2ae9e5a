#!/usr/bin/env python3
"""Checks that a compiler makes, beside the build.

Usage: lint.py tidy|headers BUILD --all|--changed

tidy     clang-tidy with .clang-tidy on the sources that BUILD compiles
headers  each header compiled by itself, with the flags of its folder: it includes what it needs
--changed  only what differs from the upstream branch, or from the last commit but one; everything
           where there is neither. clang-tidy, which takes a minute for joined sources, is left to
           --all where many changed
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LAYERS = ("engine", "wal", "codecs", "net", "admin")
TIDY = "clang-tidy-19"
TIDY_CHANGED_MAX = 4


def output_of(*command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout.split() if run.returncode == 0 else []


def changed_files():
    """None: unknown, so that everything counts as changed."""
    base = output_of("git", "merge-base", "HEAD", "@{upstream}")
    if not base or base == output_of("git", "rev-parse", "HEAD"):
        base = output_of("git", "rev-parse", "HEAD~1")
    if not base:
        return None
    new = output_of("git", "ls-files", "--others", "--exclude-standard")
    return {*output_of("git", "diff", "--name-only", *base), *new}


def flags_by_folder(build):
    """The compiler's flags for each folder, taken from one of its sources."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        begin = next(i for i, word in enumerate(words) if word.endswith(("c++", "g++")))
        kept = words[begin + 1 : words.index("-o")]
        if "-include" in kept:  # precompiled headers would hide what is missing
            at = kept.index("-include")
            kept = kept[:at] + kept[at + 2 :]
        folder, _, target = words[words.index("-o") + 1].partition("/CMakeFiles/")
        if target.startswith((f"netml_{folder.rpartition('/')[2]}.dir/",
                              f"netml_{folder.replace('/', '_')}.dir/")):
            flags.setdefault(folder, (entry["directory"], kept))
    return flags


def folder_of(path, flags):
    while path not in flags and "/" in path:
        path = path.rpartition("/")[0]
    return flags.get(path)


def check_header(header, flags):
    found = folder_of(header, flags)
    if found is None:
        return f"{header}: no source of its folder is compiled"
    directory, words = found
    # Twice: #pragma once is part of what is tested, and means nothing in a main file.
    text = f'#include "{header}"\n#include "{header}"\n'
    command = ["c++", *words, "-fsyntax-only", "-x", "c++", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, cwd=directory, check=False)
    return run.stderr if run.returncode else ""


def check_tidy(file, build):
    # The build's flags are those of g++, which knows some warnings that clang does not.
    flags = ["-Wno-unknown-warning-option"]
    if "/wal/" in file:  # clang takes Cap'n Proto only after the operators in this header
        flags += ["-include", os.path.abspath("wal/format/message.hpp")]
    command = [TIDY, "--quiet", *(f"--extra-arg={flag}" for flag in flags), "-p", str(build), file]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode else ""


def tidy_files(build, wanted):
    """What the build compiles of ours; joined sources stand for all that they hold."""
    files = [entry["file"] for entry in json.loads((build / "compile_commands.json").read_text())]
    root = re.escape(os.getcwd())
    ours = [file for file in files
            if re.search(rf"netml_\w+\.dir/Unity/|^{root}/({'|'.join(LAYERS)})/", file)]
    return ours if wanted is None else [file for file in ours if wanted & held_by(file)]


def held_by(file):
    root = os.getcwd() + "/"
    if "/Unity/" not in file:
        return {file.removeprefix(root)}
    text = pathlib.Path(file).read_text()
    return {name.removeprefix(root) for name in re.findall(r'#include "(.*)"', text)}


def main(what, build, which):
    wanted = changed_files() if which == "--changed" else None
    flags = flags_by_folder(build)
    if what == "headers":
        names = [name for name in output_of("git", "ls-files", *LAYERS) if name.endswith(".hpp")]
        names = [name for name in names if wanted is None or name in wanted]
        check = lambda name: check_header(name, flags)
    else:
        names = tidy_files(build, wanted)
        if which == "--changed" and len(names) > TIDY_CHANGED_MAX:
            print(f"tidy: {len(names)} joined sources changed: ./test --part lint checks them")
            return 0
        check = lambda name: check_tidy(name, build)
    problems = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in filter(None, pool.map(check, names)):
            problems += 1
            print(found, flush=True)
    print(f"{what}: {len(names)} checked, {problems} with problems")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("tidy", "headers") or sys.argv[3] not in ("--all", "--changed"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]))
