#!/usr/bin/env python3
"""The bill of materials names what is in the program and its module, and nothing else.

Usage: sbom_test.py NETML MODULE [FILE]      (FILE: a bill that was made; else one is made here)

Asked anew, and otherwise than cmake/sbom.py does: ldd, dpkg, the lock files, cmake/packages.txt.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "admin/web/package-lock.json"
DATA_LOCK = ROOT / "cmake/places/package-lock.json"
LICENCE = re.compile(r"[A-Za-z0-9.-]+( (OR|AND|WITH) [A-Za-z0-9.-]+)*|\([A-Za-z0-9. -]+\)")


def said_by(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"}).stdout


def owner_of(library):
    for pattern in (str(library), f"*/{library.name}"):
        found = subprocess.run(["dpkg", "-S", pattern], text=True, capture_output=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise AssertionError(f"whose is {library}?")


def found_by_loader(binary):
    """The path of each library that ldd names."""
    paths = []
    for line in said_by("ldd", binary).splitlines():
        path = next((word for word in line.split() if word.startswith("/")), None)
        if path is None:
            assert "vdso" in line, line
        else:
            paths.append(Path(path))
    return paths


def linked(binary):
    """Name and version of the Debian package of each library that ldd names."""
    owners = {owner_of(path) for path in found_by_loader(binary)}
    return {name: said_by("dpkg-query", "-W", "-f", "${Version}", name) for name in owners}


def optional(module, ldd):
    """The packages of what the module names itself, and the program does not link."""
    names = set(re.findall(r"NEEDED +(\S+)", said_by("objdump", "--private-headers", module)))
    owners = {owner_of(path) for path in found_by_loader(module) if path.name in names}
    return owners - ldd.keys()


def source_of(package):
    return said_by("dpkg-query", "-W", "-f", "${source:Package}", package)


def libraries_of_the_build():
    """Sources of the libraries that packages.txt has for the program itself."""
    rows = [line.split() for line in (ROOT / "cmake/packages.txt").read_text().splitlines()]
    names = [row[1] for row in rows if len(row) == 2 and row[0] == "build"]
    return {source_of(name) for name in names if re.fullmatch(r"(lib|zlib).*-dev", name)}


def locked():
    """Name, version and licence of each package of the lock files, and whether it is data."""
    return sorted((package.get("name") or path.rpartition("node_modules/")[2], package["version"],
                   package["license"], lock == DATA_LOCK)
                  for lock in (LOCK, DATA_LOCK)
                  for path, package in json.loads(lock.read_text())["packages"].items() if path)


def related(document, kind):
    """The packages that are so related to the program, in either direction."""
    packages = {package["SPDXID"]: package for package in document["packages"]}
    found = []
    for relation in document["relationships"]:
        if relation["relationshipType"] == kind:
            ends = {relation["spdxElementId"], relation["relatedSpdxElement"]}
            found.append(packages[(ends - {"SPDXRef-netml"}).pop()])
    return found


def form_problems(document):
    ids = [package["SPDXID"] for package in document["packages"]]
    if document["spdxVersion"] != "SPDX-2.3" or document["dataLicense"] != "CC0-1.0":
        yield "not SPDX 2.3"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"]):
        yield "no time of creation"
    if len(ids) != len(set(ids)):
        yield "an SPDXID twice"
    for identity in ids:
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identity):
            yield f"{identity} is no SPDXID"
    known = {*ids, "SPDXRef-DOCUMENT"}
    ends = set()
    for relation in document["relationships"]:
        ends |= {relation["spdxElementId"], relation["relatedSpdxElement"]}
    if ends != known:
        yield f"relationships and packages differ: {sorted(ends ^ known)}"
    for package in document["packages"]:
        if not LICENCE.fullmatch(package["licenseDeclared"]):
            yield f"{package['name']}: {package['licenseDeclared']!r} is no licence"


def problems(document, ldd, module, sources, lock):
    """What is wrong with a bill, given what is linked to program and module, what the build needs,
    what is locked."""
    yield from form_problems(document)
    dynamic = {package["name"]: package["versionInfo"]
               for package in related(document, "DYNAMIC_LINK")}
    for name in sorted(dynamic.keys() | ldd.keys()):
        if dynamic.get(name) != ldd.get(name):
            yield f"{name}: the bill has {dynamic.get(name)}, linked is {ldd.get(name)}"
    static = {source_of(package["name"]) for package in related(document, "STATIC_LINK")}
    extra = {package["name"] for package in related(document, "OPTIONAL_DEPENDENCY_OF")}
    if extra != module:
        yield f"of the module: the bill has {extra}, linked is {module}"
    of_linked = {source_of(name) for name in ldd.keys() | module}
    if static != sources - of_linked:
        yield f"by headers alone: the bill has {static}, the build {sources - of_linked}"
    npm = sorted((package["name"], package["versionInfo"], package["licenseDeclared"],
                  kind == "DATA_FILE_OF")
                 for kind in ("CONTAINS", "BUILD_TOOL_OF", "DATA_FILE_OF")
                 for package in related(document, kind))
    for row in sorted(set(npm) ^ set(lock)):
        yield f"npm: {row} is in one of bill and lock files only"
    if len(npm) != len(lock):
        yield f"npm: {len(npm)} packages in the bill, {len(lock)} in the lock files"


def unused_licences(ldd, module, sources):
    rows = (ROOT / "cmake/sbom_licences.txt").read_text().splitlines()
    named = {row.split()[0] for row in rows if row and not row.startswith("#")}
    return named - {source_of(name) for name in ldd.keys() | module} - sources


def without(document, kind):
    """The bill without the first package that is so related."""
    changed = copy.deepcopy(document)
    gone = related(changed, kind)[0]["SPDXID"]
    changed["packages"] = [package for package in changed["packages"] if package["SPDXID"] != gone]
    changed["relationships"] = [
        relation for relation in changed["relationships"]
        if gone not in (relation["spdxElementId"], relation["relatedSpdxElement"])]
    return changed


def planted(document):
    """By name, bills that are wrong in one thing each."""
    for kind in ("DYNAMIC_LINK", "STATIC_LINK", "OPTIONAL_DEPENDENCY_OF", "CONTAINS",
                 "BUILD_TOOL_OF", "DATA_FILE_OF"):
        yield f"one less of {kind}", without(document, kind)
    for field, kind in (("versionInfo", "DYNAMIC_LINK"), ("versionInfo", "CONTAINS"),
                        ("licenseDeclared", "BUILD_TOOL_OF")):
        changed = copy.deepcopy(document)
        related(changed, kind)[0][field] = "0"
        yield f"another {field} of {kind}", changed
    changed = copy.deepcopy(document)
    related(changed, "DYNAMIC_LINK")[0]["licenseDeclared"] = ""
    yield "a library without licence", changed


def made(binary, module, folder, name, **environment):
    file = Path(folder) / name
    subprocess.run([sys.executable, "-B", ROOT / "cmake/sbom.py", "--binary", binary, "--module",
                    module, "--lock", LOCK, "--data-lock", DATA_LOCK, "--version", "1.2.3",
                    "--output", file], check=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **environment})
    return file.read_text()


def main(binary, module, file=None):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        text = Path(file).read_text() if file else made(binary, module, folder, "one")
        if not file and text != made(binary, module, folder, "two", LC_ALL="C",
                                          TZ="Asia/Tokyo"):
            failures.append("two bills of one program differ")
    document = json.loads(text)
    of_program = linked(binary)
    facts = (of_program, optional(module, of_program), libraries_of_the_build(), locked())
    failures += problems(document, *facts)
    failures += [f"{name} is in sbom_licences.txt only" for name in unused_licences(*facts[:3])]
    for name, wrong in planted(document):
        if not list(problems(wrong, *facts)):
            failures.append(f"not found: {name}")
    print("\n".join(failures) or f"{len(document['packages'])} packages, all as they are linked")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
