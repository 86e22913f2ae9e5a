#!/usr/bin/env python3
"""Makes manual pages and completions of what the program says of its commands.

Usage: documentation.py NETML DIRECTORY     (the program; where man/ and completions/ go)

All of it comes from `netml help --json`, so there is nothing to keep in step. The same program
gives the same bytes; the pages bear the day of SOURCE_DATE_EPOCH, or none.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import completions  # noqa: E402  (the path is needed first)
import manual  # noqa: E402


def table_of(program):
    run = subprocess.run([program, "help", "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def write(folder, texts):
    """The folder with these files and no others."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def main():
    program, directory = sys.argv[1], Path(sys.argv[2])
    table = table_of(program)
    write(directory / "man", manual.pages(table))
    write(directory / "completions", completions.scripts(table))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
