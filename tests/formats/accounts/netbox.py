"""NetBox: leaves of a dump. Which of them are lost follows from what is a link."""

import json
import random

from accounts._json import count_leaves as count, leaves  # pylint: disable=unused-import

ENDING = ".json"
SAMPLES = ["netbox/*.json"]
REFUSED = {}
LOSSLESS = False
WRITTEN = False

NAMED = {
    "dcim.site": {"name", "slug", "status", "latitude", "longitude", "tenant"},
    "tenancy.tenant": {"name"},
    "circuits.circuit": {"cid", "provider", "commit_rate", "status", "tenant"},
    "circuits.provider": {"name"},
    "circuits.circuittermination": {"circuit", "site"},
}


def tables_of(records):
    tables = {}
    for record in records:
        if "pk" in record:
            tables.setdefault(record["model"], {})[record["pk"]] = record["fields"]
    return tables


def circuits_that_join(tables):
    """By their pk: the sites that a circuit has at its two ends, where these are two."""
    ends = {}
    for fields in tables.get("circuits.circuittermination", {}).values():
        sides = ends.setdefault(fields["circuit"], {})
        sides.setdefault(fields["term_side"], []).append(fields)
    joined = {}
    for circuit, sides in ends.items():
        known = circuit in tables.get("circuits.circuit", {})
        if not known or sorted(map(len, sides.values())) != [1, 1]:
            continue
        (a,), (z,) = sides.values()
        sites = a["site"], z["site"]
        if sites[0] != sites[1] and all(site in tables["dcim.site"] for site in sites):
            joined[circuit] = sites
    return joined


def carried(records):
    """How many leaves are on the map, counted record by record."""
    tables = tables_of(records)
    links = circuits_that_join(tables)
    sites = tables.get("dcim.site", {}).values()
    owned = [tables["circuits.circuit"][circuit] for circuit in links]
    tenants = {fields.get("tenant") for fields in [*sites, *owned]}
    providers = {fields.get("provider") for fields in owned}
    total = 0
    for record in records:
        model, pk, fields = record["model"], record.get("pk"), record["fields"]
        on_map = {
            "dcim.site": True,
            "tenancy.tenant": pk in tenants,
            "circuits.provider": pk in providers,
            "circuits.circuit": pk in links,
            "circuits.circuittermination": fields.get("circuit") in links,
        }
        if not on_map.get(model):
            continue
        total += 1 if model == "circuits.circuittermination" else 2  # model and pk
        for name in NAMED[model] & fields.keys():
            value = fields[name]
            missing = (name == "tenant" and value not in tables.get("tenancy.tenant", {})
                       or name == "provider" and value not in tables.get("circuits.provider", {}))
            total += 0 if value is not None and missing else 1
    return total


# 143,599 leaves, in 128,960 fields of records.
LOST = {"netbox-demo-v3.6.json": 143_356}


class Generator:
    """A dump with some of everything, in any order."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records = []
        self.lost = 0

    def text(self):
        return self.random.choice(["Oslo", "Århus", "", " ", "a & b", "\"", "x" * 40, "\u2028"])

    def maybe(self, value):
        return value if self.random.random() < 0.8 else None

    def add(self, model, pk, **fields):
        for name in ("comments", "serial", "custom_field_data", "tags"):
            if self.random.random() < 0.3:
                fields[name] = self.random.choice(["canary", {}, [], {"a": [1, None]}, ["b", "c"]])
        items = list(fields.items())
        self.random.shuffle(items)
        self.records.append({"model": model, "pk": pk, "fields": dict(items)})

    def some(self, most):
        return range(1, 1 + self.random.randint(0, most))

    def any_of(self, most):
        return self.random.randint(1, most + 1)

    def file(self):
        sites = 1 + self.random.randint(0, 8)
        for pk in range(1, sites + 1):
            self.add("dcim.site", pk, name=f"site {pk}", slug=self.text(), status="active",
                     tenant=self.maybe(self.any_of(4)), latitude=self.maybe("59.910000"),
                     longitude=self.maybe(10.75))
        for pk in self.some(4):
            self.add("tenancy.tenant", pk, name=f"tenant {pk}", slug=self.text())
        for pk in self.some(4):
            self.add("circuits.provider", pk, name=f"provider {pk}")
        circuits = self.random.randint(0, 12)
        for pk in range(1, circuits + 1):
            self.add("circuits.circuit", pk, cid=f"C{pk}", provider=self.any_of(4),
                     status=self.text(), tenant=self.maybe(self.any_of(4)),
                     commit_rate=self.maybe(self.random.randint(1, 10**6)))
        for pk in self.some(24):
            self.add("circuits.circuittermination", pk, circuit=self.any_of(circuits),
                     term_side=self.random.choice("AZ"), site=self.maybe(self.any_of(sites)),
                     provider_network=None)
        self.add_cabling(sites)
        self.random.shuffle(self.records)
        user = {"password": "canary", "groups": []}
        self.records.insert(0, {"model": "auth.user", "fields": user})
        self.lost = leaves(self.records) - carried(self.records)
        return json.dumps(self.records, indent=self.random.choice([None, 1]),
                          ensure_ascii=self.random.random() < 0.5)

    def add_cabling(self, sites):
        """Of paths nothing but the two sites is on the map."""
        interfaces = self.random.randint(0, 10)
        for pk in range(1, interfaces + 1):
            self.add("dcim.device", pk, site=self.any_of(sites), name=self.text())
            self.add("dcim.interface", pk, device=pk, name=self.text())
        pk = 0
        for cable in range(1, interfaces // 2 + 1):
            self.add("dcim.cable", cable, label=self.text())
            for side in "AB":
                pk += 1
                self.add("dcim.cabletermination", pk, cable=cable, cable_end=side,
                         termination_type=["dcim", "interface"], termination_id=pk)
