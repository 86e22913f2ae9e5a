#!/usr/bin/env python3
"""debian/ says what the rest of the tree says: packages that the build needs, the version; and the
container image installs what the package recommends, as its apt-get takes no recommendations."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# For a build from a clone, by people; a package is built with what Debian calls essential for it.
NOT_OF_THE_PACKAGE = {"ca-certificates", "ccache", "curl", "g++", "git"}
OF_THE_PACKAGE_ONLY = {"debhelper-compat", "dh-sequence-installsysusers", "npm", "po-debconf",
                       "python3"}


def needed(control):
    """The first choice of each entry of Build-Depends."""
    field = re.search(r"^Build-Depends:(.*?)^(?=\S)", control, re.S | re.M)[1]
    return {re.match(r"[a-z0-9.+-]+", entry.strip())[0] for entry in field.split(",")}


def listed(packages):
    rows = [line.split() for line in packages.splitlines()]
    return {row[1] for row in rows if len(row) == 2 and row[0] == "build"}


def problems(control, changelog, packages, lists):
    for name in sorted((needed(control) - OF_THE_PACKAGE_ONLY)
                       ^ (listed(packages) - NOT_OF_THE_PACKAGE)):
        yield f"{name} is in one of debian/control and cmake/packages.txt only"
    packaged = re.match(r"netml \(([^)]+)\)", changelog)[1]
    version = re.search(r"project\(netml VERSION (\S+)", lists)[1]
    if packaged != version:
        yield f"debian/changelog has {packaged}, CMakeLists.txt {version}"


def left_out_of_the_image(control, containerfile):
    recommended = re.search(r"^Recommends: (.*)$", control, re.M)[1]
    for entry in recommended.split(","):
        name = re.match(r"[a-z0-9.+-]+", entry.strip())[0]
        if not re.search(rf"(?<=\s){re.escape(name)}(?=\s)", containerfile.split("RUN", 1)[1]):
            yield f"{name} is recommended by debian/control and not installed by the Containerfile"


def main():
    files = [(ROOT / name).read_text() for name in ("debian/control", "debian/changelog",
                                                    "cmake/packages.txt", "CMakeLists.txt")]
    found = list(problems(*files))
    control, changelog, packages, lists = files
    containerfile = (ROOT / "Containerfile").read_text()
    found += left_out_of_the_image(control, containerfile)
    if not list(left_out_of_the_image(control, containerfile.replace(" libpq5 ", " "))):
        found.append("a recommended package that is missing is not found")
    if not list(problems(control.replace("mold,", ""), changelog, packages, lists)):
        found.append("a package that is missing is not found")
    if not list(problems(control, changelog.replace("(0", "(1"), packages, lists)):
        found.append("another version is not found")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
