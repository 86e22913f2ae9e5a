"""The programs: ours, SQLite, PostgreSQL, NetworkX, and any that a command loads."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import postgresql
import usage
from candidate import Candidate, Loaded
from server import allocated

NO_AUDIT = "keep who changed what and when, with the values before"
NO_PROOF = "hash the file and its own history, or verify them later"
NO_FILE = "keep the file itself"
NO_REIMPORT = "compare a later file with what is there and change only the difference"
NO_RULES = "resolve by rules that two elements have one identifier"
NOT_THESE_TABLES = [NO_AUDIT, NO_PROOF, NO_FILE, NO_REIMPORT, NO_RULES]


def stored_bytes(folder):
    return sum(allocated(folder).values())


def ours(programs):
    def load(source, folder):
        data = folder / "data"
        seconds, used = programs.netml_timed("import", source.file, "--data", data, "--root",
                                             *programs.limits)
        sizes = allocated(data)
        ballast = sizes.pop("ballast", 0)
        return Loaded(seconds, used.peak, sum(sizes.values()),
                      f"beside it {ballast / 1e6:,.0f} MB that are kept free for a full disk")

    version = programs.netml("--version").splitlines()[0].split()[-1]
    return Candidate("NetML Node", version, "bench/compare builds it", load,
                     ["take questions in a general language such as SQL",
                      "let several programs write at once", "hold a map larger than memory"],
                     "`netml import` into a new data directory, the whole command from start "
                            "to exit: durable, in the journal, the file kept, a checkpoint taken")


def sqlite(programs):
    def load(source, folder):
        # The scenario makes the file below TMPDIR and removes it.
        figures, used = programs.scenario_used("sqlite", source.file)
        return Loaded(figures["parse"] + figures["load"], used.peak, figures["bytes"],
                      version=figures.get("version"))

    return Candidate("SQLite", "linked", "apt-get install libsqlite3-dev", load, NOT_THESE_TABLES,
                     "bench/sqlite, durable at its commit: prepared statements in one transaction, "
                     "journal_mode=WAL, synchronous=FULL, five tables, indexes by identifier and "
                     "topology; memory includes the parsed map")


def postgres(_programs):
    return Candidate("PostgreSQL", postgresql.version(), "apt-get install postgresql",
                     postgresql.load, NOT_THESE_TABLES,
                     "a new cluster with the settings of initdb, reached by a Unix socket only, "
                     "durable at its commit (fsync on); COPY of rows into the same five tables, "
                     "then the same indexes, in one transaction; starting the server is not "
                     "counted, and making the rows only as parsing; memory is that of all its "
                     "processes, shared parts once, without parsing")


def networkx(_programs):
    def load(source, folder):
        script = Path(__file__).with_name("load_networkx.py")
        arrived, seconds, used = usage.run([sys.executable, script, source.rows,
                                            folder / "map.pickle"])
        source.check(int(arrived))
        return Loaded(source.parse_seconds + seconds, used.peak, stored_bytes(folder))

    version = None
    if importlib.util.find_spec("networkx") is not None:
        answer = subprocess.run([sys.executable, "-c",
                                 "import networkx; print(networkx.__version__)"],
                                stdout=subprocess.PIPE, text=True, check=False)
        version = answer.stdout.strip() or None
    return Candidate("NetworkX", version, "apt-get install python3-networkx", load,
                     ["commit anything before the whole file is written",
                      "survive a crash while it replaces that file, or change a part of it",
                      "answer other processes", *NOT_THESE_TABLES],
                     "rows into a MultiGraph, attributes in dictionaries, then a pickle of it with "
                     "one fsync; the whole process, with its start; memory without parsing")


def command(name, words):
    """Any program: a command that is given the folder of rows and an empty folder, and ends when
    all is kept."""
    def load(source, folder):
        _, seconds, used = usage.run(["/bin/sh", "-c", f'{words} "$@"', name, source.rows, folder])
        return Loaded(source.parse_seconds + seconds, used.peak, stored_bytes(folder))

    found = shutil.which(words.split()[0]) is not None
    return Candidate(name, "as installed" if found else None, f"install {words.split()[0]}", load,
                     [], f"`{words} ROWS FOLDER`; what it keeps, and how safely, is for whoever "
                     "named it to say")
