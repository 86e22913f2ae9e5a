#!/usr/bin/env python3
"""A NetBox that is polled becomes a map, and stays what NetBox says.

Goal: sites and links are those that netbox_trace.py finds, in the first poll and after changes; a
poll asks for what changed since alone; an undo takes the map back; the token and what the mapping
does not name are in no file, no answer and no log.
Method: `netml` on a data directory of its own, netbox_server.py with the demonstration data, where
they are, and with NetBoxes made from a seed. NETML_NETBOX_DEVICES=10000 makes large ones.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import netbox_links
import netbox_made
import netbox_server
import netbox_trace

PROGRAM = ""
TOKEN = "0123456789abcdef-canary-token-0123456789"
DEVICES = int(os.environ.get("NETML_NETBOX_DEVICES", "60"))
LATER = "2999-01-01T00:00:00Z"  # changed since whatever was asked for last


class Polls(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.said = ""

    def run_it(self, *words, code=0, text=None):
        done = subprocess.run([PROGRAM, "--data", str(self.folder / "data"), *words], input=text,
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.said += done.stdout + done.stderr
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout} {done.stderr}")
        return done.stdout

    def add(self, server, *options):
        self.run_it("init", "--name", "World", "--owner", "Somebody")
        self.run_it("source", "add", "Net", "--kind", "netbox", "--protocol", "http",
                    "--plain-http", "--host", "127.0.0.1", "--port",
                    str(server.server_address[1]), "--token-stdin",
                    "--deletion-percent-max", "0", *options, text=TOKEN + "\n")

    def poll(self, server):
        """What came of it, and how often the NetBox was asked."""
        server.requests.clear()
        answer = json.loads(self.run_it("poll", "Net", "--poll-allow", "127.0.0.0/8", "--json"))
        return answer["items"][0], sum(server.requests.values())

    def links(self):
        self.run_it("export", "-o", "out.xml")
        return netbox_links.links_of(self.folder / "out.xml")

    def contents(self):
        """Of all files, also of those that are compressed."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                yield path, path.read_bytes()
                yield path, subprocess.run(["zstd", "-dcqf", path], capture_output=True,
                                           check=False).stdout

    def assert_nothing_leaked(self, *canaries):
        kept = b'"model":"dcim.site"'  # of the file that is kept, which is compressed
        self.assertTrue(any(kept in content for _, content in self.contents()))
        for path, content in self.contents():
            for canary in canaries:
                self.assertNotIn(canary.encode(), content, path)
        for canary in canaries:
            self.assertNotIn(canary, self.said)

    def test_keep_up_with_a_netbox(self):
        for seed, version in ((1, "3.5"), (2, "4.2")):
            records = netbox_made.Made(seed, DEVICES).records()
            with self.subTest(version), netbox_server.Server(records, TOKEN, version) as server:
                self.folder = self.folder / version
                self.folder.mkdir()
                self.add(server)
                report, asked = self.poll(server)
                self.assertEqual(report["result"], "imported")
                first = self.links()
                self.assertEqual(first, netbox_trace.Plant(records).links())
                sorts = len(netbox_server.ENDPOINTS)
                more = server.pages() - sorts
                self.assertEqual(asked, sorts + more)

                report, asked = self.poll(server)
                self.assertEqual((report["result"], asked), ("unchanged", 2 * sorts))

                cables = [each for each in records if each["model"] == "dcim.cable"]
                gone = {each["pk"] for each in cables[::3]}
                cable_of = {"dcim.cable": lambda each: each["pk"],
                            "dcim.cabletermination": lambda each: each["fields"]["cable"]}
                records = [each for each in records
                           if cable_of.get(each["model"], lambda each: None)(each) not in gone]
                site = next(each for each in records if each["model"] == "dcim.site")
                site["fields"] |= {"name": "Renamed", "last_updated": LATER}
                server.records = netbox_server.Records(records, version, server.address)
                report, asked = self.poll(server)
                self.assertEqual(report["result"], "imported")
                self.assertEqual(self.links(), netbox_trace.Plant(records).links())
                self.assertEqual(asked, 2 * sorts + server.pages(["dcim/cables/"]),
                                 "which cables there are still")

                self.run_it("undo", str(report["import"]["lsn"]))
                self.assertEqual(self.links(), first)
                self.assert_nothing_leaked(TOKEN, netbox_made.CANARY)

    def test_takes_the_sites_of_a_filter(self):
        records = netbox_made.Made(4, 60).records()
        with netbox_server.Server(records, TOKEN) as server:
            self.add(server, "--filter", "site=site-1", "--filter", "site=site-2")
            self.assertEqual(self.poll(server)[0]["result"], "imported")
            ours = {"Site 1", "Site 2"}
            expected = [link for link in netbox_trace.Plant(records).links()
                        if ours.issuperset(link[:2])]
            self.assertEqual(self.links(), expected)
            self.assertIn("Site 2", (self.folder / "out.xml").read_text(encoding="utf-8"))

    def test_makes_another_map_of_the_same_netbox(self):
        """Locations of regions first, then all in one topology: each time what was asked for."""
        records = netbox_made.Made(5, 60).records()
        with netbox_server.Server(records, TOKEN) as server:
            self.add(server, "--mapping", "topologies=region,nodes=location")
            self.assertIn("nodes=location,topologies=region", self.run_it("source", "show", "Net"))
            report, asked = self.poll(server)
            self.assertEqual((report["result"], asked),
                             ("imported", server.pages(netbox_server.ALL)))
            plant = netbox_trace.Plant(records, netbox_trace.LOCATION)
            self.assertEqual(self.links(), plant.links())
            homes = netbox_links.homes_of(self.folder / "out.xml")
            self.assertEqual(homes["Room 2"], [("World", "Net", "Region 1", "Region 2")])
            self.assertEqual(homes["Room 4"], [("World", "Net")])

            report, asked = self.poll(server)
            self.assertEqual((report["result"], asked), ("unchanged", 2 * len(netbox_server.ALL)))

            self.run_it("source", "set", "Net", "--mapping", "nodes=site")
            report, asked = self.poll(server)
            self.assertEqual((report["result"], asked), ("imported", server.pages()))
            self.assertNotIn("dcim/regions/", server.requests)
            self.assertEqual(self.links(), netbox_trace.Plant(records).links())

            self.run_it("source", "set", "Net", "--mapping", "owner=provider")
            self.assertEqual(self.poll(server)[0]["result"], "imported",
                             "of the same records another map")
            self.assertEqual(self.poll(server)[0]["result"], "unchanged")
        self.run_it("source", "set", "Net", "--mapping", "nodes=rack", code=2)
        self.assert_nothing_leaked(TOKEN, netbox_made.CANARY)

    def test_refuses_with_a_reason_and_changes_nothing(self):
        records = netbox_made.Made(3, 20).records()
        with netbox_server.Server(records, "another token") as server:
            self.add(server)
            said = self.run_it("source", "test", "Net", "--poll-allow", "127.0.0.0/8", code=1)
            self.assertIn("denied", said)
            said = self.run_it("poll", "Net", "--poll-allow", "127.0.0.0/8", code=1)
            self.assertIn("access denied", said)
        for path, content in self.contents():
            self.assertNotIn(TOKEN.encode(), content, path)

    @unittest.skipUnless(netbox_links.SAMPLE.exists(), "no samples")
    def test_read_the_demonstration_data(self):
        records = json.loads(netbox_links.SAMPLE.read_bytes())
        with netbox_server.Server(records, TOKEN) as server:
            self.add(server)
            self.run_it("source", "test", "Net", "--poll-allow", "127.0.0.0/8")
            report, _ = self.poll(server)
            self.assertEqual(report["result"], "imported")
            self.assertEqual(self.links(), netbox_trace.Plant(records).links())
            report, _ = self.poll(server)
            self.assertEqual(report["result"], "unchanged")
        self.assert_nothing_leaked(TOKEN)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
