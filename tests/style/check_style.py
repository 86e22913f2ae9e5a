#!/usr/bin/env python3
"""Checks the mechanical rules of CONTRIBUTING.md over the whole tree.

Usage: check_style.py CHECK ROOT      (CHECK is a key of CHECKS)

Prints one line for each violation and exits with 1 if there is any, with 77 if a tool is missing.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LAYERS = {  # folder -> what it may include
    "engine": {"engine"},
    "wal": {"engine", "wal"},
    "codecs": {"engine", "codecs"},
    "net": {"engine", "codecs", "net"},
    "admin": {"engine", "wal", "codecs", "net", "admin", "bench"},  # bench: the generator only
}
FILE_LINES_MAX = 700
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100
SKIPPED_FOLDERS = {".git", ".tools", "build", "netml-data", "node_modules", "dist", "__pycache__"}
CODE = {".cpp", ".hpp", ".h"}
SOURCE = CODE | {".capnp", ".cmake", ".css", ".html", ".js", ".md", ".py", ".sh", ".ts", ".tsx", ".txt"}
WIDTH_CHECKED = CODE | {".cmake", ".py", ".sh"}
SCRIPTS = {"start", "test", ".ci/run"}
EXIT_SKIPPED = 77


class Tree:
    """The files of a working copy, as paths relative to its root, and their lines."""

    def __init__(self, root):
        self.root = Path(root)
        self.files = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            self.files += [(Path(folder) / name).relative_to(self.root) for name in sorted(names)]

    def of_type(self, suffixes):
        return [path for path in self.files if path.suffix in suffixes]

    def sources(self):
        scripts = [path for path in self.files if str(path) in SCRIPTS]
        return self.of_type(SOURCE) + scripts

    def lines(self, path):
        text = (self.root / path).read_text(encoding="utf-8")
        return list(enumerate(text.splitlines(), start=1))


def layer_arrows(tree):
    """No folder includes one that stands above it, and nobody the insides of another."""
    include = re.compile(r'\s*#\s*include\s+["<]((\w+)/[^">]+)[">]')
    for path in tree.of_type(CODE):
        folder = path.parts[0]
        for number, line in tree.lines(path):
            match = include.match(line)
            if not match or match[2] not in LAYERS.keys() | {"bench", "tests"}:
                continue
            target, layer = match[1], match[2]
            if folder in LAYERS and layer not in LAYERS[folder]:
                yield f"{path}:{number}: {folder} must not include {target}"
            elif folder in LAYERS and layer == "bench" and not target.startswith("bench/generator/"):
                yield f"{path}:{number}: of bench, only the generator is for {folder}"
            elif layer in LAYERS and folder not in {layer, "tests"} and f"{layer}/src/" in target:
                yield f"{path}:{number}: {target} is private to {layer}"
            owner, inside, _ = target.partition("/detail/")
            if inside and folder != "tests" and not path.as_posix().startswith(owner + "/"):
                yield f"{path}:{number}: {target} is private to {owner}"


def pragma_once(tree):
    """Every header begins with `#pragma once`, after its comment."""
    for path in tree.of_type({".hpp", ".h"}):
        code = [line for _, line in tree.lines(path) if line.strip() and not line.startswith("//")]
        if not code or code[0] != "#pragma once":
            yield f"{path}:1: the first line that is no comment must be #pragma once"


def file_sizes(tree):
    """A file fits in a head."""
    for path in tree.of_type(CODE | {".py", ".ts", ".tsx", ".css", ".sh"}):
        lines = len(tree.lines(path))
        if lines > FILE_LINES_MAX:
            yield f"{path}: {lines} lines, more than {FILE_LINES_MAX}"


def declaration_start(lines, index):
    """Where the declaration that ends in line `index` begins: signatures may take several lines."""
    while index > 0:
        before = lines[index - 1][1].strip()
        if not before or before[-1] in ";{}:" or before.startswith(("//", "#")):
            break
        index -= 1
    return lines[index][1]


def function_sizes(tree):
    """A function fits on a screen. Found by indentation, which the formatter guarantees."""
    no_function = re.compile(r"\s*(namespace|class|struct|enum|union|extern)\b")
    for path in tree.of_type(CODE):
        lines = tree.lines(path)
        for index, (number, line) in enumerate(lines):
            if not line.endswith("{") or line.endswith("= {"):
                continue
            start = declaration_start(lines, index)
            indent = start[:len(start) - len(start.lstrip())]
            if len(indent) > 2 or no_function.match(start) or no_function.match(line):
                continue
            end = next((n for n, text in lines[index + 1:] if text.startswith(indent + "}")), number)
            if end - number - 1 > FUNCTION_LINES_MAX:
                yield f"{path}:{number}: {end - number - 1} lines, more than {FUNCTION_LINES_MAX}"


def text(tree):
    """Nothing unfinished, no tab, no long line, no trailing blank, nothing of one machine."""
    forbidden = [
        (re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"), "finish it or leave it out"),
        (re.compile(r"\t"), "no tabs"),
        (re.compile(r"[ \t]$"), "no blanks at the end of a line"),
        (re.compile(r"(?<![\w.$}*])/(work|home|root|Users)/\w"), "no path of one machine"),
        (re.compile(r"\b(registry\.(npmjs\.org|yarnpkg\.com)|(files\.)?pythonhosted\.org|pypi\.org"
                    r"|proxy\.golang\.org|crates\.io|deb\.debian\.org|rubygems\.org)"),
         "no address of a package registry"),
    ]
    for path in tree.sources():
        if path.parts[:2] == ("tests", "style"):  # names what it forbids
            continue
        for number, line in tree.lines(path):
            for pattern, advice in forbidden:
                if pattern.search(line):
                    yield f"{path}:{number}: {advice}: {line.strip()[:60]}"
            breakable = 'R"' not in line  # a raw string stands as it is
            if len(line) > COLUMNS_MAX and breakable and path.suffix in WIDTH_CHECKED:
                yield f"{path}:{number}: {len(line)} columns, more than {COLUMNS_MAX}"


def links(tree):
    """Every relative link of a Markdown page leads to a file."""
    link = re.compile(r"\[[^\]]*\]\(<?([^)>\s]+)>?[^)]*\)")
    for path in tree.of_type({".md"}):
        in_code = False
        for number, line in tree.lines(path):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            if in_code:
                continue
            for target in link.findall(re.sub(r"`[^`]*`", "", line)):
                target = target.split("#")[0]
                if not target or re.match(r"[a-z+]+:", target):
                    continue
                if not (tree.root / path.parent / target).exists():
                    yield f"{path}:{number}: nothing is at {target}"


def programs_and_tests(tree):
    """Every test as "program Suite.Name" and "program Suite.*"."""
    program = re.compile(r"netml_test_program\((\w+)\s+SOURCES\s+([^)]*?)\s+LINK", re.S)
    test = re.compile(r"^\s*(?:TYPED_)?(?:RC_GTEST_(?:FIXTURE_)?PROP|TEST(?:_[FP])?)"
                      r"\(\s*(\w+)\s*,\s*(\w+)", re.M)
    found = set()
    for path in tree.files:
        if path.parts[0] != "tests" or path.name != "CMakeLists.txt":
            continue
        for name, sources in program.findall((tree.root / path).read_text(encoding="utf-8")):
            for source in sources.split():
                file = tree.root / path.parent / source
                text = file.read_text(encoding="utf-8") if file.exists() else ""
                for suite, case in test.findall(text):
                    found |= {f"{name} {suite}.{case}", f"{name} {suite}.*"}
    return found


def proofs(tree):
    """Whatever the page on compatibility says to be so is proved by a test that exists."""
    page = Path("docs/compatibility.md")
    if page not in tree.files:
        return
    tests = programs_and_tests(tree)
    for number, line in tree.lines(page):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] in ("Behaviour", "---"):
            continue
        named = re.findall(r"`(\w+ \w+\.(?:\w+|\*))`", cells[2])
        if not re.match(r"(same|better|other|not yet)\b", cells[1]):
            yield f"{page}:{number}: neither same, better, other nor not yet: {cells[1][:40]}"
        elif cells[1].startswith("not yet") == bool(named):
            yield f"{page}:{number}: a proof for what is there, none for what is not yet"
        for name in named:
            if name not in tests:
                yield f"{page}:{number}: there is no test {name}"


def formatting(tree):
    """The formatter has nothing to change."""
    formatter = shutil.which("clang-format-19")
    if formatter is None:
        print("clang-format-19 is not installed")
        sys.exit(EXIT_SKIPPED)
    files = [str(path) for path in tree.of_type(CODE)]
    if not files:
        return
    run = subprocess.run([formatter, "--dry-run", "--ferror-limit=1", *files], cwd=tree.root,
                         capture_output=True, text=True, check=False)
    for line in run.stderr.splitlines():
        if "-Wclang-format-violations" in line:
            yield f"{line.split(': ')[0]}: run clang-format-19 -i on this file"


CHECKS = {check.__name__: check for check in
          (layer_arrows, pragma_once, file_sizes, function_sizes, text, links, proofs, formatting)}


def main(name, root):
    violations = list(CHECKS[name](Tree(root)))
    print("\n".join(violations))
    return 1 if violations else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
