"""What every program that is compared has to tell."""

from dataclasses import dataclass, field


@dataclass
class Loaded:
    """One load of the map."""
    seconds: float  # from the file to where this program keeps it
    peak: int  # bytes of memory at most
    stored: int  # bytes on the disk
    note: str = ""
    version: str | None = None  # where only the load can tell it


@dataclass
class Source:
    """The map: as a file, and as the rows that our reader made of it (bench/rows)."""
    file: str
    rows: str  # folder
    parse_seconds: float  # of our reader, which counts for all who are given rows
    kept: int  # elements, each counted once: so many must arrive

    def check(self, arrived):
        if arrived != self.kept:
            raise RuntimeError(f"{arrived:,} of {self.kept:,} elements arrived")


@dataclass
class Candidate:
    name: str
    version: str | None  # none: it is not installed
    get_it: str  # a command that would
    load: object = None  # (source, folder) -> Loaded; the folder is empty
    does_not: list = field(default_factory=list)  # what ours does meanwhile, and this one does not
    remark: str = ""  # how it was loaded
