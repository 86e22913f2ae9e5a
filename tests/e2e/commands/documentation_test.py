#!/usr/bin/env python3
"""Manual pages and completions are those of the program's commands.

Usage: documentation_test.py NETML     (the program)

What they say is compared with what each command says of itself with --help, which is read apart
from the table that they are made of. Completions are asked in the shells themselves, where they
are installed; bash always.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
MAKER = ROOT / "admin/cli/documentation/documentation.py"
PAGE = ROOT / "docs/command-line.md"


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, **more)


def help_of(words):
    """Names of sub-commands, options (all their names) and arguments, as --help lists them."""
    text = run([NETML, *words, "--help"]).stdout
    found = {"Subcommands": [], "Options": [], "Positionals": []}
    section = None
    for line in text.split("\n"):
        if re.fullmatch(r"[A-Z]\w+:", line):
            section = line[:-1]
        elif not line.startswith(" "):
            section = None if line else section
        elif section in found and re.match(r"  \S", line):
            found[section] += line.split()[0].split(",")
    return found


def all_helps():
    helps = {(): help_of([])}
    for name in helps[()]["Subcommands"]:
        helps[name,] = help_of([name])
        for inner in helps[name,]["Subcommands"]:
            helps[name, inner] = help_of([name, inner])
    return helps


class Documentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.made = Path(cls.place.name)
        made = run([sys.executable, "-B", str(MAKER), NETML, str(cls.made)])
        assert made.returncode == 0, made.stderr
        cls.helps = all_helps()
        assert len(cls.helps) > 60

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def options_of(self, words):
        """Without --help, which goes with every command, but for the program."""
        names = self.helps[words]["Options"]
        return [name for name in names if not words or name not in ("-h", "--help")]


class ManualPages(Documentation):
    def plain(self, words):
        path = self.made / "man" / ("-".join(["netml", *words]) + ".1")
        text = path.read_text(encoding="utf-8")
        return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-")

    def section(self, words, name):
        found = re.search(rf"(?ms)^\.SH {name}\n(.*?)(?=^\.SH |\Z)", self.plain(words))
        return found[1] if found else ""

    def heads(self, words, name):
        """The first words behind .TP."""
        return re.findall(r"(?m)^\.TP\n(.*)", self.section(words, name))

    def test_are_there_for_each_command_and_no_other(self):
        pages = {path.stem for path in (self.made / "man").iterdir()}
        self.assertEqual(pages, {"-".join(["netml", *words]) for words in self.helps})

    def test_have_the_options_arguments_and_commands_of_each(self):
        for words in self.helps:
            with self.subTest(" ".join(words)):
                heads = self.heads(words, "OPTIONS")
                names = [name.rstrip(",") for head in heads for name in head.split()
                         if name[0] == "-"]
                self.assertEqual(names, self.options_of(words))
                self.assertEqual(self.heads(words, "ARGUMENTS"), self.helps[words]["Positionals"])
                below = [head.removesuffix("(1)").split("-", 1)[1]
                         for head in self.heads(words, "COMMANDS")]
                prefix = "".join(word + "-" for word in words)
                self.assertEqual([name.removeprefix(prefix) for name in below],
                                 self.helps[words]["Subcommands"])

    def test_tell_every_exit_code(self):
        codes = re.findall(r"(?m)^\| (\d) \|", PAGE.read_text(encoding="utf-8"))
        for words in self.helps:
            self.assertEqual(self.heads(words, "EXIT STATUS"), [".B " + code for code in codes])

    def test_give_no_warning(self):
        formatters = [["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"],
                      ["mandoc", "-T", "lint", "-W", "warning"]]
        used = [words for words in formatters if shutil.which(words[0])]
        if not used:
            self.skipTest("neither man nor mandoc is installed")
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1709251200"}
        dated = self.made / "dated"
        self.assertEqual(run([sys.executable, "-B", str(MAKER), NETML, str(dated)],
                             env=environment).returncode, 0)
        for words in used:
            for path in sorted((dated / "man").iterdir()):
                shown = run([*words, str(path)])
                self.assertEqual(shown.stderr + (shown.stdout if words[0] == "mandoc" else ""), "",
                                 path.name)

    def test_are_the_same_bytes_twice(self):
        again = self.made / "again"
        self.assertEqual(run([sys.executable, "-B", str(MAKER), NETML, str(again)]).returncode, 0)
        for path in [*(self.made / "man").iterdir(), *(self.made / "completions").iterdir()]:
            other = again / path.parent.name / path.name
            self.assertEqual(path.read_bytes(), other.read_bytes(), path.name)


# Typed words, the last of them not complete, and what must be among the candidates, or all of them.
FILES = {"map.xml", "netml-data/"}
TYPED = [(["export", "--format", ""],
          {"netml", "xlsx", "graphml", "gml", "geojson", "kml", "kmz", "nml", "sdx", "ietf", "gnpy",
           "esnet", "csv", "d3", "dot", "gexf", "n2p"}),
         (["export", "-o", ""], FILES), (["redundancy", "check", "--policy", ""], FILES),
         (["places", "propose", "--topology", "x", "--gazetteer", ""], FILES),
         (["import", ""], FILES), (["status", "--data", ""], {"netml-data/"}),
         (["--data", "x", "source", "add", "garr", "--authority", ""], {"own", "listed", "any"}),
         (["--data", "x", "source", "add", "stock", "--kind", ""], {"netml", "netbox"}),
         (["token", "create", "import", "--kind", "poll"], {"polling"}), (["publish", ""], set())]


class Completions(Documentation):
    def setUp(self):
        self.work = self.made / "work"
        self.work.mkdir(exist_ok=True)
        (self.work / "map.xml").touch()
        (self.work / "netml-data").mkdir(exist_ok=True)

    def check(self, candidates):
        """`candidates` of a list of typed lines: a set for each."""
        asked = [[*words, ""] for words in self.helps] + [[*words, "-"] for words in self.helps]
        asked += [words for words, _ in TYPED] + [["help", "ti"]]
        answers = candidates(asked)
        self.assertEqual(len(answers), len(asked))
        count = len(self.helps)
        everywhere = set(self.helps[()]["Options"])
        for words, commands, options in zip(self.helps, answers, answers[count:], strict=False):
            if self.helps[words]["Subcommands"]:
                self.assertEqual(commands, set(self.helps[words]["Subcommands"]), words)
            self.assertEqual(options - everywhere, set(self.options_of(words)) - everywhere, words)
            long = {name for name in everywhere if name.startswith("--")}
            self.assertLessEqual(long, options, words)
        for (words, expected), found in zip(TYPED, answers[2 * count:], strict=False):
            self.assertEqual({name.rstrip("/") for name in found},
                             {name.rstrip("/") for name in expected}, words)
        self.assertEqual(answers[-1], {"times"})

    def test_of_bash(self):
        script = self.made / "completions/netml.bash"

        def candidates(asked):
            lines = [f". '{script}'"]
            for words in asked:
                typed = " ".join("'" + word + "'" for word in ["netml", *words])
                lines.append(f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _netml; "
                             "printf '%s\\n' \"${COMPREPLY[@]}\"; echo '===='")
            return answers_of(run(["bash", "--norc", "-c", "\n".join(lines)], cwd=self.work))

        self.check(candidates)

    def test_of_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        script = self.made / "completions/_netml"

        def candidates(asked):
            # What stands for the completion system, which works in an editor alone.
            lines = ["compadd() { [ \"$1\" = -a ] && print -l -- ${(P)2} | grep -e \"^$PREFIX\" }",
                     "_describe() { [ \"$1\" = -o ] && shift; print -l -- ${${(P)2}%%:*} }",
                     "_files() { [ \"$1\" = -/ ] && print -l -- *(N/) || print -l -- *(N) }",
                     "words=(netml ''); CURRENT=2; PREFIX=",
                     f". '{script}' > /dev/null"]
            for words in asked:
                typed = " ".join("'" + word + "'" for word in ["netml", *words])
                lines.append(f"words=({typed}); CURRENT={len(words) + 1}; PREFIX='{words[-1]}'; "
                             "_netml; echo '===='")
            return answers_of(run(["zsh", "-f", "-c", "\n".join(lines)], cwd=self.work))

        self.check(candidates)

    def test_of_fish(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        script = self.made / "completions/netml.fish"

        def candidates(asked):
            lines = [f"source '{script}'"]
            for words in asked:
                typed = " ".join(["netml", *words])
                lines.append(f"complete -C '{typed}' | string replace -r '\\t.*' ''; echo '===='")
            home = {**os.environ, "HOME": str(self.made), "XDG_CONFIG_HOME": str(self.made)}
            return answers_of(run(["fish", "--no-config", "-c", "\n".join(lines)], cwd=self.work,
                                  env=home))

        self.check(candidates)


class Page(Documentation):
    def test_tells_what_each_command_has_with_json(self):
        listed = re.findall(r"(?m)^\| `([\w -]+)` \|", PAGE.read_text(encoding="utf-8"))
        groups = {words for words, found in self.helps.items() if found["Subcommands"]}
        commands = {" ".join(words) for words in self.helps if words not in groups}
        self.assertEqual(commands - set(listed), set())
        self.assertEqual(set(listed) & {" ".join(words) for words in groups}, set())


def answers_of(shell):
    assert shell.stderr == "" and shell.returncode == 0, shell.stderr
    parts = shell.stdout.split("====\n")[:-1]
    return [{line for line in part.split("\n") if line} for part in parts]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    NETML = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
