#!/usr/bin/env python3
"""What every command answers to good, missing and wrong arguments, compared with golden files.

Usage: golden_test.py NETML [--renew]      (the program; --renew writes the files anew)

Each story of stories.py is a list of command lines, run one after another in a directory of its
own; tests/golden/commands/STORY.txt holds exit code, standard output and standard error of each.
Times, hashes, sizes and whatever else differs between two runs is replaced by a word. Look at the
difference that --renew makes before it is committed: it is what users will see.
"""

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests/golden/commands"
sys.path.insert(0, str(Path(__file__).resolve().parent))
import stories  # noqa: E402  (the path is needed first)

SECONDS_MAX = 60
REPLACED = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(T\d{6}| \d\d:\d\d(:\d\d)?)\b"), "TIME"),
    (re.compile(r'("day":")[^"]*"'), r'\1DAY"'),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\b\d+(\.\d)? (B|KiB|MiB|GiB)\b"), "SIZE"),
    (re.compile(r'("\w*(?:bytes|duration|seconds|milliseconds|process|pid)":)[\d.e+-]+'), r"\1N"),
    (re.compile(r'("(?:version|revision|commit|build_type|build_flags|compiler|value)":)"[^"]*"'),
     r'\1"TEXT"'),
    (re.compile(r"\bduration_ms=[\d.]+"), "duration_ms=N"),
    (re.compile(r"\.\d+-\d+\.tmp\b"), ".PROCESS.tmp"),
    (re.compile(r"process \d+, version [^,]*,"), "process N, version TEXT,"),
]


def normal(text, folder, case):
    """The text without what is another one in each run."""
    text = text.replace(str(folder), "PLACE")
    for pattern, word in [*case.get("replaced", []), *REPLACED]:
        text = re.sub(pattern, word, text)
    # Columns are as wide as what was replaced.
    return re.sub(r"(?<=\S) {2,}", "  ", text)


def environment(extra):
    """Nothing of whoever runs the test."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80", **extra}


def answer_of(program, case, folder):
    command = subprocess.run([program, *case["words"]], cwd=folder, input=case.get("input", ""),
                             env=environment(case.get("variables", {})), capture_output=True,
                             text=True, check=False, timeout=SECONDS_MAX)
    shown = " ".join(word if re.fullmatch(r"[\w./:=@,#+-]+", word) else json.dumps(word)
                     for word in ["netml", *case["words"]])
    prefix = "".join(f"{name}={value} " for name, value in case.get("variables", {}).items())
    lines = [f"$ {prefix}{shown}", f"exit {command.returncode}"]
    for name, text in (("out", command.stdout), ("err", command.stderr)):
        text = normal(text, folder, case)
        if text:
            lines += [f"--- {name}", text.rstrip("\n") + ("" if text.endswith("\n") else "\\")]
    return command.returncode, "\n".join(lines) + "\n"


def text_of(program, story, start):
    """The golden text of a story, and for each of its command lines how it ended."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "here"
        shutil.copytree(start, folder)
        texts, ended = [], []
        for case in story["cases"]:
            code, text = answer_of(program, case, folder)
            texts.append(text)
            ended.append((case["words"], code))
        left = sorted(str(path.relative_to(folder)) for path in folder.glob("**/*.tmp"))
        if left:
            texts.append("left behind: " + " ".join(left) + "\n")
        return "\n".join(texts), ended


def made(program, place):
    """Directories that stories begin in: without data, and with a node that has some of all."""
    empty, loaded = Path(place) / "empty", Path(place) / "loaded"
    empty.mkdir()
    for name, content in stories.FILES.items():
        (empty / name).write_text(content, encoding="utf-8")
    shutil.copyfile(ROOT / "tests/golden/netml/bay.xml", empty / "map.xml")
    shutil.copytree(empty, loaded)
    for case in stories.LOADING:
        code, text = answer_of(program, case, loaded)
        if code != 0:
            raise SystemExit(f"the node of the stories cannot be made:\n{text}")
    return {"empty": empty, "loaded": loaded}


def not_tried(program, ended):
    """Commands of the program that no story tries in each way."""
    run = subprocess.run([program, "help", "--json"], capture_output=True, text=True, check=True)
    table = json.loads(run.stdout)
    commands = [entry for entry in table["commands"] if entry["words"]]
    tried = {}
    for words, code in ended:
        named = [entry["words"] for entry in commands
                 if words[:len(entry["words"])] == entry["words"]]
        if named:
            tried.setdefault(tuple(max(named, key=len)), set()).add(code != 0)
    for entry in commands:
        name = " ".join(entry["words"])
        ways = tried.get(tuple(entry["words"]), set())
        if True not in ways:
            yield f"no story gives {name} wrong or missing arguments"
        if False not in ways and not entry["group"] and name not in stories.NEVER_DONE:
            yield f"no story of {name} succeeds"


def main():
    program, renew = str(Path(sys.argv[1]).resolve()), "--renew" in sys.argv[2:]
    problems, ended = [], []
    with tempfile.TemporaryDirectory() as place:
        starts = made(program, place)
        GOLDEN.mkdir(exist_ok=True)
        for name, story in stories.STORIES.items():
            text, ends = text_of(program, story, starts[story["start"]])
            ended += ends
            path = GOLDEN / f"{name}.txt"
            golden = path.read_text(encoding="utf-8") if path.exists() else ""
            if renew:
                path.write_text(text, encoding="utf-8")
            elif text != golden:
                problems += difflib.unified_diff(golden.splitlines(), text.splitlines(),
                                                 f"golden/commands/{name}.txt", "now", lineterm="")
    problems += [f"{path.name} is the file of no story" for path in sorted(GOLDEN.glob("*.txt"))
                 if path.stem not in stories.STORIES]
    problems += not_tried(program, ended)
    for line in problems:
        print(line)
    print(f"{len(ended)} command lines in {len(stories.STORIES)} stories")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main())
