#!/usr/bin/env python3
"""Writes the bill of materials of the program: SPDX 2.3 as JSON.

Usage: sbom.py --binary NETML --module MODULE --lock PACKAGE_LOCK --data-lock PACKAGE_LOCK
               --version VERSION --output FILE

What is in it is asked of what was built: the libraries that the loader finds for it, the headers
that its debug information says code came from, what a module that it may load names beside
that, the packages that the site's lock file names, and those that the lock file of the data
beside the program names.
dpkg says which package a file is of; cmake/sbom_licences.txt what its licence is called by SPDX.
The same input gives the same bytes: the time is SOURCE_DATE_EPOCH, or that of the last commit.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TOOL = "Tool: netml cmake/sbom.py"
PROGRAM = "SPDXRef-netml"
NPM_DATA = {"world-atlas"}  # for the build only, as npm sees it; what it draws is in the pages


def output_of(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


def linked_files(binary):
    """The shared libraries that the loader finds, the loader among them."""
    files = set()
    for line in output_of("ldd", str(binary)).splitlines():
        if "not found" in line:
            sys.exit(f"error: {line.strip()}")
        found = re.search(r"(/\S+) \(0x", line)
        if found:
            files.add(found[1])
    return files


def named_files(binary):
    """Those that it names itself; the others are theirs."""
    names = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "--dynamic", str(binary))))
    return {file for file in linked_files(binary) if Path(file).name in names}


def header_files(binary):
    """Headers outside the project that code of the binary came from."""
    text = output_of("readelf", "--debug-dump=rawline", str(binary))
    if "Directory Table" not in text:
        sys.exit(f"error: {binary} has no line numbers (-g1), which tell whose headers are in it")
    files, folders, table = set(), {}, None
    for line in text.splitlines():
        if "Directory Table" in line:
            folders, table = {}, "folders"
        elif "File Name Table" in line:
            table = "files"
        elif not line.strip():
            table = None
        elif table == "folders" and (row := re.match(r"\s+(\d+)\s+\(.*?\): (.*)", line)):
            folders[row[1]] = row[2]
        elif table == "files" and (row := re.match(r"\s+\d+\s+(\d+)\s+\(.*?\): (.*)", line)):
            folder = folders.get(row[1], "")
            if folder.startswith("/usr/"):
                files.add(f"{folder}/{row[2]}")
    return files


def packages_of(files):
    """The Debian packages that installed the files; /lib and /usr/lib are one folder there."""
    spellings = {}
    for file in files:
        real = os.path.realpath(file)
        spellings[file] = {file, real, real.removeprefix("/usr"), f"/usr{file}"}
    wanted = sorted(set().union(*spellings.values()))
    found = subprocess.run(["dpkg-query", "--search", *wanted], text=True, capture_output=True,
                           env={**os.environ, "LC_ALL": "C.UTF-8"})  # some spellings are nobody's
    owners = {}
    for line in found.stdout.splitlines():
        names, _, path = line.partition(": ")
        owners[path] = names.split(",")[0]
    names = set()
    for file, paths in spellings.items():
        owner = next((owners[path] for path in sorted(paths) if path in owners), None)
        if owner is None:
            sys.exit(f"error: no Debian package has {file}")
        names.add(owner)
    return names


def debian_package(name):
    form = "${binary:Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}"
    package, version, source, source_version, architecture = output_of(
        "dpkg-query", "--show", "--showformat", form, name).split("\t")
    return {"name": package.split(":")[0], "version": version, "source": source,
            "source_version": source_version, "architecture": architecture}


def header_only(binary, linked):
    """Packages whose code is in the program by headers alone: none of their source is linked."""
    sources = {package["source"] for package in linked}
    found = {}
    for name in packages_of(header_files(binary)):
        package = debian_package(name)
        if package["source"] not in sources:
            found[package["name"]] = package
    return [found[name] for name in sorted(found)]


def licence_table():
    rows = [line.split(maxsplit=1) for line in (HERE / "sbom_licences.txt").read_text().splitlines()
            if line and not line.startswith("#")]
    return {source: licence.strip() for source, licence in rows}


def debian_entry(package, licences, relation):
    source = package["source"]
    if source not in licences:
        sys.exit(f"error: which licence has {source}? /usr/share/doc/{package['name']}/copyright "
                 "says it; add it to cmake/sbom_licences.txt")
    purl = (f"pkg:deb/debian/{package['name']}@{package['version'].replace(':', '%3A')}"
            f"?arch={package['architecture']}&upstream={source}")
    return relation, {
        "SPDXID": "SPDXRef-deb-" + re.sub(r"[^A-Za-z0-9.-]", "-", package["name"]),
        "name": package["name"], "versionInfo": package["version"], "purl": purl,
        "licence": licences[source]}


def npm_entries(lock, of_data=False):
    for path, package in sorted(json.loads(Path(lock).read_text())["packages"].items()):
        if not path:
            continue
        name = package.get("name") or path.rpartition("node_modules/")[2]
        version = package["version"]
        key = hashlib.sha256(path.encode()).hexdigest()[:8]
        slug = re.sub(r"[^A-Za-z0-9.-]", "-", name).strip("-")
        relation = "CONTAINS" if not package.get("dev") or name in NPM_DATA else "BUILD_TOOL_OF"
        if of_data:
            relation = "DATA_FILE_OF"
        if not package.get("license"):
            sys.exit(f"error: {lock} has no licence of {path}")
        yield relation, {
            "SPDXID": f"SPDXRef-npm-{slug}-{version}-{key}", "name": name, "versionInfo": version,
            "purl": f"pkg:npm/{name.replace('@', '%40')}@{version}", "licence": package["license"]}


def spdx_package(entry):
    return {
        "SPDXID": entry["SPDXID"], "name": entry["name"], "versionInfo": entry["versionInfo"],
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": entry["licence"],
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": entry["purl"]}]}


def relationship(relation, entry):
    if relation in ("BUILD_TOOL_OF", "DATA_FILE_OF", "OPTIONAL_DEPENDENCY_OF"):
        return {"spdxElementId": entry["SPDXID"], "relationshipType": relation,
                "relatedSpdxElement": PROGRAM}
    return {"spdxElementId": PROGRAM, "relationshipType": relation,
            "relatedSpdxElement": entry["SPDXID"]}


def created():
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        seconds = output_of("git", "-C", str(HERE), "log", "-1", "--format=%ct").strip()
    time = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def document(version, entries):
    program = {
        "SPDXID": PROGRAM, "name": "netml", "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION"}
    packages = [program] + [spdx_package(entry) for _, entry in entries]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": PROGRAM}]
    relations += [relationship(relation, entry) for relation, entry in entries]
    digest = hashlib.sha256(json.dumps([packages, relations]).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"netml-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/netml-{version}-{digest[:32]}",
        "creationInfo": {"created": created(), "creators": [TOOL]},
        "packages": packages, "relationships": relations}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("binary", "module", "lock", "data-lock", "version", "output"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    licences = licence_table()
    linked = [debian_package(name) for name in sorted(packages_of(linked_files(options.binary)))]
    entries = [debian_entry(package, licences, "DYNAMIC_LINK") for package in linked]
    entries += [debian_entry(package, licences, "STATIC_LINK")
                for package in header_only(options.binary, linked)]
    of_module = packages_of(named_files(options.module)) - packages_of(linked_files(options.binary))
    entries += [debian_entry(debian_package(name), licences, "OPTIONAL_DEPENDENCY_OF")
                for name in sorted(of_module)]
    entries += npm_entries(options.lock)
    entries += npm_entries(options.data_lock, of_data=True)
    text = json.dumps(document(options.version, entries), indent=1, sort_keys=True) + "\n"
    Path(options.output).write_text(text)


if __name__ == "__main__":
    main()
