"""Usage: load_networkx.py ROWS FILE: the rows of a map into a graph, and the graph into a file."""

import csv
import os
import pickle
import sys
from pathlib import Path

import networkx

INSTITUTION, NODE, LINK = "1", "2", "3"  # kinds, as the rows number them
NONE = "\\N"
ELEMENT = ["kind", "id", "name", "short_name", "version", "start", "end", "latitude", "longitude",
           "altitude", "unlocode", "address"]
TOPOLOGY = ["id", "name", "version", "parent", "owner"]


def rows(folder, name):
    csv.field_size_limit(sys.maxsize)
    with open(Path(folder) / f"{name}.tsv", encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")


def attributes(names, values):
    pairs = zip(names, values, strict=True)
    return {name: value for name, value in pairs if value not in ("", NONE)}


def load(folder):
    graph = networkx.MultiGraph()
    edges = {}  # attributes of links by number; those of nodes are the graph's
    for number, *values in rows(folder, "element"):
        *fields, a, b = values
        if values[0] == LINK:
            graph.add_edge(a, b, key=number, **attributes(ELEMENT, fields))
            edges[number] = graph[a][b][number]
        else:  # institutions are nodes without edges
            graph.add_node(number, **attributes(ELEMENT, fields))
    nodes = graph.nodes
    for number, name, value in rows(folder, "property"):
        of = edges.get(number)
        (nodes[number] if of is None else of).setdefault("properties", []).append((name, value))
    for number, institution in rows(folder, "owner"):
        of = edges.get(number)
        (nodes[number] if of is None else of).setdefault("owners", []).append(institution)
    members = {number: attributes(TOPOLOGY, values) | {"members": []}
               for number, *values in rows(folder, "topology")}
    for topology, number in rows(folder, "member"):
        members[topology]["members"].append(number)
    graph.graph["topologies"] = members
    return graph


def main():
    graph = load(sys.argv[1])
    with open(sys.argv[2], "wb") as file:
        pickle.dump(graph, file, protocol=pickle.HIGHEST_PROTOCOL)
        file.flush()
        os.fsync(file.fileno())
    print(graph.number_of_nodes() + graph.number_of_edges())


if __name__ == "__main__":
    main()
