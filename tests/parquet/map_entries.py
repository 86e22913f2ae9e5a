"""What an export lists, as comparable entries: from its text, and from rows of `versions`.

An entry is a topology with its parent, or an element of a topology. An element that belongs to
several topologies has an entry for each; copies are none.
"""

import datetime
import xml.etree.ElementTree as ElementTree

SPACE = "{http://schemas.ogf.org/nml/2020/01/grenml}"
BASE = "{http://schemas.ogf.org/nml/2013/05/base#}"
COPY = "!-from_topology"


def seconds(text):
    return None if text is None else int(datetime.datetime.fromisoformat(text).timestamp())


def number(text):
    """Where nothing is known, the format has zero."""
    return float(text or 0)


def entry(**said):
    return tuple(sorted(said.items()))


# ---- of an export ----

def entries_of_export(text):
    found, left = [], [(ElementTree.fromstring(text), None)]
    while left:
        topology, parent = left.pop()
        id_ = topology.get("id")
        found.append(entry(kind="Topology", below=parent, **named(topology)))
        left += [(child, id_) for child in topology.findall(SPACE + "Topology")]
        for kind in ("Institution", "Node", "Link"):
            elements = [element_entry(kind, child, id_) for child in topology.findall(SPACE + kind)]
            found += [made for made in elements if made]
    return sorted(found, key=repr)


def named(element):
    properties = [(child.get("name"), child.text or "")
                  for child in element.findall(SPACE + "Property")]
    return {"id": element.get("id"), "version": seconds(element.get("version")),
            "name": element.findtext(SPACE + "name"),
            "owners": tuple(sorted(child.text for child in element.findall(SPACE + "owner"))),
            "properties": tuple(sorted(properties))}


def element_entry(kind, element, topology):
    said = named(element)
    if any(name == COPY for name, _ in said["properties"]):
        return None
    place, lifetime = element.find(SPACE + "Location"), element.find(SPACE + "Lifetime")
    place = ElementTree.Element("none") if place is None else place
    lifetime = ElementTree.Element("none") if lifetime is None else lifetime
    return entry(kind=kind, below=topology, short_name=element.findtext(SPACE + "short-name"),
                 start=seconds(lifetime.findtext(BASE + "start")),
                 end=seconds(lifetime.findtext(BASE + "end")),
                 latitude=number(place.findtext(SPACE + "lat")),
                 longitude=number(place.findtext(SPACE + "long")),
                 altitude=number(place.findtext(SPACE + "alt")),
                 unlocode=place.findtext(SPACE + "unlocode"),
                 address=place.findtext(SPACE + "address"),
                 ends=tuple(sorted(child.text for child in element.findall(SPACE + "node"))),
                 **said)


# ---- of rows ----

COLUMNS = ("record, kind, id, name, short_name, epoch_us(version) AS version, main, "
           'epoch_us("start") AS "start", epoch_us("end") AS "end", latitude, longitude, altitude, '
           "unlocode, address, properties, topologies, owners, node_a, node_b")


def whole_seconds(microseconds):
    return None if microseconds is None else int(microseconds) // 1_000_000


def entries_of_rows(rows):
    """Rows of COLUMNS at one point in time."""
    ids = {row["record"]: row["id"] for row in rows}
    owner_of = {row["record"]: [ids[owner] for owner in row["owners"]]
                for row in rows if row["kind"] == "Topology"}
    found = []
    for row in rows:
        said = {"kind": row["kind"], "id": row["id"], "name": row["name"],
                "version": whole_seconds(row["version"]),
                "properties": tuple(sorted((pair["name"], pair["value"])
                                           for pair in row["properties"]))}
        own = [ids[owner] for owner in row["owners"]]
        if row["kind"] == "Topology":
            parent = [ids[topology] for topology in row["topologies"]]
            found.append(entry(below=parent[0] if parent else None, owners=tuple(own), **said))
            continue
        ends = [ids[row[end]] for end in ("node_a", "node_b") if row[end] is not None]
        for topology in row["topologies"]:
            # Whoever owns a topology owns its nodes and links.
            owners = set() if row["kind"] == "Institution" else {*own, *owner_of[topology]}
            found.append(entry(
                below=ids[topology], owners=tuple(sorted(owners)), ends=tuple(sorted(ends)),
                short_name=row["short_name"], start=whole_seconds(row["start"]),
                end=whole_seconds(row["end"]), latitude=row["latitude"] or 0.0,
                longitude=row["longitude"] or 0.0, altitude=row["altitude"] or 0.0,
                unlocode=row["unlocode"], address=row["address"], **said))
    return sorted(found, key=repr)
