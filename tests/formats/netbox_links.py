#!/usr/bin/env python3
"""Which sites, locations or devices a NetBox joins, by the program and by a search in Python.

Goal: the links of a dump and of pages of the API are those that netbox_trace.py finds, whatever
the nodes are; each site is in the topology of its region or tenant; nothing leaves that the mapping
does not name.
Method: the demonstration data, where they are, and NetBoxes made from a seed; `netml convert`, and
pages from netbox_server.py.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import xml.etree.ElementTree as tree

import netbox_made
import netbox_server
import netbox_trace

PROGRAM = COLLATE = ""
GRENML = "{http://schemas.ogf.org/nml/2020/01/grenml}"
SAMPLES = pathlib.Path(os.environ.get("NETML_TEST_DATA", "absent")) / "formats/netbox"
SAMPLE = SAMPLES / "netbox-demo-v3.6.json"
NODES = {"site": netbox_trace.SITE, "location": netbox_trace.LOCATION,
         "device": netbox_trace.DEVICE}
SECRET_MODELS = ("auth.user", "sessions.session", "tenancy.contact")


def texts(value):
    open_ = [value]
    while open_:
        each = open_.pop()
        if isinstance(each, (dict, list)):
            open_.extend(each.values() if isinstance(each, dict) else each)
        elif isinstance(each, str):
            yield each


def properties_of(element, name):
    return sorted(each.text for each in element.iter(f"{GRENML}Property")
                  if each.get("name") == name)


def links_of(path):
    """Each once, however many topologies list it."""
    root = tree.parse(path).getroot()
    names = {node.get("id"): node.findtext(f"{GRENML}name") for node in root.iter(f"{GRENML}Node")}
    found = {}
    for link in root.iter(f"{GRENML}Link"):
        ends = [each.text for each in link.findall(f"{GRENML}node")]
        found[link.get("id")] = [*sorted(names[end] for end in ends),
                                 ",".join(properties_of(link, "cid"))]
    return sorted(found.values())


def homes_of(path):
    """Names of topologies from the root down, by the name of a node that is their own."""
    root = tree.parse(path).getroot()
    found = {}
    open_ = [((), root)]
    while open_:
        above, topology = open_.pop()
        names = (*above, topology.findtext(f"{GRENML}name"))
        open_ += [(names, below) for below in topology.findall(f"{GRENML}Topology")]
        for node in topology.findall(f"{GRENML}Node"):
            if not properties_of(node, "!-from_topology"):
                found.setdefault(node.findtext(f"{GRENML}name"), []).append(names)
    return found


class Links(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def convert(self, records, mapping=""):
        dump, out, losses = (self.folder / name for name in ("in.json", "out.xml", "losses.json"))
        dump.write_text(json.dumps(records), encoding="utf-8")
        done = subprocess.run([PROGRAM, "convert", dump, out, "--name", "Net", "--loss", losses,
                               "--mapping", mapping],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = out.read_text(encoding="utf-8") + losses.read_text(encoding="utf-8") \
            + done.stdout + done.stderr
        return links_of(out)

    @unittest.skipUnless(SAMPLE.exists(), "no samples")
    def test_finds_the_links_of_the_demonstration_data(self):
        records = json.loads(SAMPLE.read_bytes())
        self.assertEqual(self.convert(records), netbox_trace.Plant(records).links())
        kept = {text for record in records if record["model"].startswith(("dcim.", "circuits."))
                for text in texts(record["fields"])}
        for record in records:
            if record["model"] not in SECRET_MODELS:
                continue
            for text in {*texts(record["fields"]), str(record.get("pk", ""))} - kept:
                if len(text) >= 12:
                    self.assertNotIn(text, self.said)
        self.assertIsNone(re.search(r"pbkdf2|session_data.*[.]eJ", self.said))

    def assert_same_links(self, records, what):
        for word, nodes in NODES.items():
            for rest in ("", ",owner=provider", ",topologies=region", ",topologies=tenant"):
                self.assertEqual(self.convert(records, f"nodes={word}{rest}"),
                                 netbox_trace.Plant(records, nodes).links(), (what, word, rest))

    @unittest.skipUnless(SAMPLE.exists(), "no samples")
    def test_finds_the_links_of_the_demonstration_data_whatever_the_nodes_are(self):
        records = json.loads(SAMPLE.read_bytes())
        self.assert_same_links(records, "demonstration")
        plants = [netbox_trace.Plant(records, nodes) for nodes in NODES.values()]
        self.assertTrue(all(plant.links() for plant in plants))

    @unittest.skipUnless(SAMPLE.exists(), "no samples")
    def test_puts_each_site_of_the_demonstration_data_into_its_topology(self):
        records = json.loads(SAMPLE.read_bytes())
        plant = netbox_trace.Plant(records)
        regions, tenants = plant.table("dcim.region"), plant.table("tenancy.tenant")

        def above(region):
            return (*above(regions[region]["parent"]), regions[region]["name"]) if region else ()

        def of_tenant(fields):
            return (tenants[fields["tenant"]]["name"],) if fields["tenant"] else ()

        for mapping, home in (("topologies=region", lambda fields: above(fields["region"])),
                              ("topologies=tenant", of_tenant),
                              ("owner=provider,topologies=tenant", of_tenant)):
            self.convert(records, mapping)
            expected = {fields["name"]: [("Net", *home(fields))]
                        for fields in plant.table("dcim.site").values()}
            self.assertEqual(homes_of(self.folder / "out.xml"), expected, mapping)

    @unittest.skipUnless(SAMPLE.exists(), "no samples")
    def test_the_search_agrees_with_the_paths_that_netbox_found(self):
        """They are in the dump, each with all its ports, and "32" says that one is an interface."""
        plant = netbox_trace.Plant(json.loads(SAMPLE.read_bytes()))
        whole = 0
        for fields in plant.table("dcim.cablepath").values():
            ends = [{tuple(port.split(":")) for port in fields["path"][at]} for at in (0, -1)]
            if any(kind != "32" for end in ends for kind, _ in end) or not fields["is_complete"]:
                continue
            begin, end = ({("dcim.interface", int(pk)) for _, pk in each} for each in ends)
            self.assertEqual(list(plant.walk(begin))[-1][1], end, fields["path"])
            whole += 1
        self.assertEqual(whole, 76)

    def test_finds_the_links_of_made_dumps(self):
        for seed in range(20):
            records = netbox_made.Made(seed, 40).records()
            self.assertEqual(self.convert(records), netbox_trace.Plant(records).links(), seed)
            self.assertNotIn(netbox_made.CANARY, self.said)

    def test_finds_the_links_of_made_dumps_whatever_the_nodes_are(self):
        for seed in range(5):
            self.assert_same_links(netbox_made.Made(seed, 40).records(), seed)

    def fetch(self, server, path, limit):
        """The pages of an endpoint, into files."""
        url = f"{server.address}/api/{path}?limit={limit}"
        number = 0
        while url:
            request = urllib.request.Request(url, headers={"Authorization": "Token secret"})
            with urllib.request.urlopen(request) as answer:
                body = answer.read()
            number += 1
            name = f"{netbox_server.ENDPOINTS[path]}.{number}.json"
            (self.folder / name).write_bytes(body)
            url = json.loads(body)["next"]
        return number

    def test_finds_the_same_links_by_pages(self):
        for seed, version in ((1, "3.5"), (2, "4.2")):
            records = netbox_made.Made(seed, 60).records()
            for old in self.folder.iterdir():
                old.unlink()
            with netbox_server.Server(records, "secret", version) as server:
                for path in netbox_server.ENDPOINTS:
                    pages = self.fetch(server, path, 100)
                    self.assertEqual(server.requests[path], pages)
            done = subprocess.run([COLLATE, self.folder], capture_output=True, text=True,
                                  check=True)
            lines = [line.split("\t") for line in done.stdout.splitlines()]
            found = sorted([*sorted(line[:2]), line[2]] for line in lines)
            self.assertEqual(found, netbox_trace.Plant(records).links(), seed)

    def test_the_server_demands_its_token_and_knows_what_is_new(self):
        records = netbox_made.Made(1, 40).records()
        with netbox_server.Server(records, "secret") as server:
            url = f"{server.address}/api/dcim/devices/"
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(url)
            self.assertEqual((refused.exception.code, server.refused), (403, 1))
            refused.exception.close()
            page = server.records.page("dcim/devices/", {"last_updated__gte": ["2024-01-20"]})
            self.assertLess(page["count"], len(server.records.tables["dcim.device"]))
            self.assertGreater(page["count"], 0)


if __name__ == "__main__":
    PROGRAM, COLLATE = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
