#!/usr/bin/env python3
"""What is written as DOT, GEXF, n2p and xlsx is read by others, with all nodes and links.

Goal: other programs find as many nodes and links as the map has, and what the map holds is carried
or listed as lost.
Method: maps of accounts/, through `netml convert`; GEXF by networkx, DOT by Graphviz's gvpr, n2p
and GEXF by the XML parser of the standard library, workbooks by LibreOffice. What is not installed
is passed over.
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

from account import elements_of_netml
from accounts import gml, graphml

try:
    import networkx
except ImportError:
    networkx = None  # python3-networkx of Debian

GEXF = "{http://gexf.net/1.3}"
COUNT = 'BEGIN { int n = 0; int e = 0 } N { n++ } E { e++ } END { printf("%d %d", n, e) }'


def elements_of_dot(path):
    if shutil.which("gvpr") is None:
        return None
    done = subprocess.run(["gvpr", COUNT, path], capture_output=True, text=True, check=True)
    if done.stderr:
        raise ValueError(done.stderr)
    return tuple(int(number) for number in done.stdout.split())


def elements_of_gexf(path):
    root = tree.parse(path).getroot()
    counted = len(root.findall(f".//{GEXF}node")), len(root.findall(f".//{GEXF}edge"))
    if networkx is not None:
        graph = networkx.read_gexf(path, version="1.3")
        if (graph.number_of_nodes(), graph.number_of_edges()) != counted:
            raise ValueError("networkx finds other elements")
    return counted


def elements_of_n2p(path):
    """Each link there and back."""
    root = tree.parse(path).getroot()
    ids = [int(element.get("id")) for element in root.iter() if element.get("id")]
    if len(set(ids)) != len(ids) or max(ids) >= int(root.get("nextElementId")):
        raise ValueError("identifiers are not distinct")
    links = {link.get("id"): link for link in root.iter("link")}
    for link in links.values():
        back = links[link.get("bidirectionalPairId")]
        if back.get("originNodeId") != link.get("destinationNodeId"):
            raise ValueError("a link has no way back")
    keys = [len(element.findall("attribute"))
            - len({attribute.get("key") for attribute in element.findall("attribute")})
            for element in root.iter()]
    if any(keys):
        raise ValueError("a key is repeated")
    return len(root.findall("node")), len(links) // 2


# Every sheet, UTF-8, cells as they are shown.
ALL_SHEETS = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
HINTS = 2  # rows between headings and data


def elements_of_xlsx(path):
    """By LibreOffice: rows below the headings, whose ends are those of nodes."""
    if shutil.which("soffice") is None:
        return None
    folder = path.parent / "sheets"
    subprocess.run(["soffice", f"-env:UserInstallation={(path.parent / 'office').as_uri()}",
                    "--headless", "--convert-to", ALL_SHEETS, "--outdir", folder, path],
                   capture_output=True, check=True, timeout=200)

    def rows_of(sheet):
        with open(folder / f"{path.stem}-{sheet}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        headings = next(place for place, row in enumerate(rows) if "Internal ID" in row)
        return rows[headings], rows[headings + 1 + HINTS:]

    headings, nodes = rows_of("Nodes")
    ids = {row[headings.index("Internal ID")] for row in nodes}
    headings, links = rows_of("Links")
    first = headings.index("Endpoint")
    if any(set(row[first:first + 2]) - ids for row in links):
        raise ValueError("a link ends at no node")
    return len(nodes), len(links)


READERS = {"dot": elements_of_dot, "gexf": elements_of_gexf, "n2p": elements_of_n2p,
           "xlsx": elements_of_xlsx}


def check(program, source, folder, with_workbook):
    """What is wrong with the files that are written of a map."""
    netml = folder / "map.xml"
    subprocess.run([program, "convert", source, netml], check=True, capture_output=True)
    for name, elements in READERS.items():
        if name == "xlsx" and not with_workbook:
            continue
        written, losses = folder / f"map.{name}", folder / "losses.json"
        subprocess.run([program, "convert", netml, written, "--to", name, "--loss", losses],
                       check=True, capture_output=True)
        listed = json.loads(losses.read_text(encoding="utf-8"))["written"]
        if listed["carried"] + listed["lost"] != listed["present"]:
            yield f"{name}: carried and lost are not what is present"
        # What the layout of the workbook has no place for is counted by sort.
        if name != "xlsx" and any("pointer" not in loss for loss in listed["losses"]):
            yield f"{name}: a loss does not name its element"
        try:
            found = elements(written)
        except (ValueError, tree.ParseError) as error:
            yield f"{name}: {error}"
            continue
        if found not in (None, elements_of_netml(netml)):
            yield f"{name}: {found} nodes and links, and not {elements_of_netml(netml)}"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    maps = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    failed = 0
    for seed in range(1, maps + 1):
        for module in (gml, graphml):
            with tempfile.TemporaryDirectory() as name:
                source = pathlib.Path(name) / f"made{module.ENDING}"
                made = module.Generator(seed).file()
                source.write_bytes(made.encode() if isinstance(made, str) else made)
                # LibreOffice takes seconds to start.
                for problem in check(program, source, pathlib.Path(name), seed == 1):
                    print(f"FAILED {module.ENDING} {seed}: {problem}")
                    failed += 1
    print(f"{2 * maps} maps, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
