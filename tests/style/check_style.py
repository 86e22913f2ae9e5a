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

from references import references

PRODUCT = {"engine", "wal", "codecs", "net", "admin"}
GENERATOR = "bench/generator"  # of maps, which the program has, too
FILE_LINES_MAX = 700
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100
SKIPPED_FOLDERS = {".git", ".tools", "build", "netml-data", "node_modules", "dist", "generated",
                   "__pycache__"}
CODE = {".cpp", ".hpp", ".h"}
SOURCE = CODE | {".capnp", ".cmake", ".css", ".html", ".js", ".md", ".py", ".sh", ".ts", ".tsx", ".txt"}
WIDTH_CHECKED = CODE | {".cmake", ".py", ".sh"}
# The glossary and the names of earlier versions; what the changelog says of them is history.
NAMES_RETIRED_WORDS = {"docs/glossary.md", "docs/compatibility.md", "CHANGELOG.md"}
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


def declared_arrows(tree):
    """By folder, the folders that its netml_folder() names."""
    arrows = {}
    for path in tree.files:
        if path.name != "CMakeLists.txt" or path.parts[0] not in PRODUCT:
            continue
        call = re.search(r"netml_folder\((.*?)\)", (tree.root / path).read_text(), re.S)
        if call:
            link = re.search(r"\bLINK\s+(.*?)(?:\s[A-Z]{3,}\b|$)", call[1], re.S)
            generator = {GENERATOR} if "netml::generator" in call[1] else set()
            arrows[path.parent.as_posix()] = set(link[1].split() if link else ()) | generator
    return arrows


def reachable(arrows, folders):
    """Those, and what they may use."""
    found, left = set(), list(folders)
    while left:
        folder = left.pop()
        if folder not in found:
            found.add(folder)
            left += arrows.get(folder, ())
    return found


def folder_of(path, folders):
    """The innermost of the folders that holds the file."""
    names = (parent.as_posix() for parent in Path(path).parents)
    return next((name for name in names if name in folders), None)


def folder_arrows(tree):
    """No folder includes one that it does not declare, and nobody the insides of another."""
    include = re.compile(r'\s*#\s*include\s+["<]((\w+)/[^">]+)[">]')
    arrows = declared_arrows(tree)
    usable = {folder: reachable(arrows, [folder]) for folder in arrows}
    for folder, used in arrows.items():
        if folder in reachable(arrows, used):
            yield f"{folder}/CMakeLists.txt: {folder} uses itself by others"
    for path in tree.of_type(CODE):
        folder = folder_of(path, arrows)
        for number, line in tree.lines(path):
            match = include.match(line)
            if not match or match[2] not in PRODUCT | {"bench", "tests"}:
                continue
            target = match[1]
            used = folder_of(target, arrows.keys() | {GENERATOR})
            if path.parts[0] in PRODUCT and match[2] in {"bench", "tests"} and used is None:
                yield f"{path}:{number}: {target} is not for the product"
            elif folder and used and used not in usable[folder]:
                yield f"{path}:{number}: {folder} does not declare {used} ({target})"
            owner, inside, _ = target.partition("/detail/")
            if inside and path.parts[0] != "tests" and not path.as_posix().startswith(owner + "/"):
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


def error_fields(tree):
    """An error names its field in a member (engine/base/result.hpp), not at the start of its text."""
    prose = re.compile(r"\bfail\(\s*Errc::(?:invalid_input|conflict),\s*"
                       r'(?:fmt::format\(\s*)?"([a-z_]+|\{\}): ')
    files = re.compile(r"\{\}: .*(?:path|file|directory|private_key|certificate|name, (?:::gai|error))", re.S)
    for path in tree.of_type({".cpp", ".hpp"}):
        if path.parts[0] not in PRODUCT:
            continue
        text = (tree.root / path).read_text(encoding="utf-8")
        for match in prose.finditer(text):
            statement = text[match.start():text.find(";", match.start())]
            if match[1] == "{}" and files.search(statement):
                continue
            number = text.count("\n", 0, match.start()) + 1
            yield f'{path}:{number}: name the field apart: fail(code, "{match[1]}", "...")'


def limits(tree):
    """What is refused names a limit that the page on limits has, and the page says what the code does.

    That its table is the one of the program is checked by cli_tests Limits.StandOnThePage."""
    page = Path("docs/limits.md")
    if page not in tree.files:
        return
    text = (tree.root / page).read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", text, re.M))
    call = re.compile(r"\b(?:beyond|below)_limit\(")
    for path in tree.of_type(CODE):
        if path.parts[0] not in PRODUCT or path.stem == "wording":
            continue
        source = (tree.root / path).read_text(encoding="utf-8")
        if path.stem in ("limits", "limit_names"):
            for name in re.findall(r'string_view k\w+ = "(\w+)"', source):
                if name not in listed:
                    yield f"{path}: {name} is not in {page}"
        for match in call.finditer(source):
            arguments = source[match.end():source.find(";", match.end())]
            if not re.search(r"limit_names::k|limit|bytes_max", arguments):
                number = source.count("\n", 0, match.start()) + 1
                yield f"{path}:{number}: name the limit by limit_names"
    fixed = re.compile(r"^\| .* \| ([\d,]+) \| `([\w/.]+)` `(\w+(?:::\w+)?)` \|$", re.M)
    for value, file, name in fixed.findall(text):
        source = (tree.root / file).read_text(encoding="utf-8") if Path(file) in tree.files else ""
        pattern = rf"\b{name}\s*[={{]\s*([\d' <*+]+)"
        if "::" in name:  # a member that its entity describes
            pattern = rf"&{name},\s*{{[^}}]*\.characters_max = (\d+)"
        found = re.search(pattern, source)
        if not found:
            yield f"{page}: {file} has no {name}"
        elif found[1].strip() and eval(found[1].replace("'", "")) != int(value.replace(",", "")):  # digits and << only
            yield f"{page}: {name} is {found[1].strip()}, not {value}"


def retired_words(tree):
    """No word that the glossary has retired, in pages, comments and texts; names of code may be longer."""
    page = Path("docs/glossary.md")
    if page not in tree.files:
        return
    section = (tree.root / page).read_text(encoding="utf-8").partition("## Retired words")[2].partition("\n## ")[0]
    instead = {}
    for words, replacement in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, re.M):
        instead |= {word.strip().lower(): replacement for word in words.split(",")}
    instead.pop("retired", None)
    if not instead:
        return
    # Not within a name: `map/moments` and `packed_bytes` still work, as they did in version 0.1.
    retired = re.compile(r"(?<![\w/-])(" + "|".join(sorted(map(re.escape, instead), key=len, reverse=True))
                         + r")(?![\w-])", re.I)
    for path in tree.sources():
        if path.as_posix() in NAMES_RETIRED_WORDS or path.parts[:2] in (("tests", "style"), ("tests", "golden")):
            continue
        for number, line in tree.lines(path):
            for word in retired.findall(line):
                yield f"{path}:{number}: not \"{word}\" but: {instead[word.lower()]}"


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
          (folder_arrows, pragma_once, file_sizes, function_sizes, text, links, references, proofs,
           error_fields, limits, retired_words, formatting)}


def main(name, root):
    violations = list(CHECKS[name](Tree(root)))
    print("\n".join(violations))
    return 1 if violations else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
