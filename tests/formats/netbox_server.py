#!/usr/bin/env python3
"""Gives the records of a dump as pages of NetBox's REST API: `limit` and `offset`,
`last_updated__gte`, `slug`, `fields=id`, a token that is demanded, and a count of what was asked
for.

netbox_server.py --dump FILE or --devices N [--seed S], [--port P], [--version 3.5|4.2],
[--token-file FILE]
"""

import argparse
import http.server
import json
import pathlib
import sys
import threading
import urllib.parse

import netbox_made

ENDPOINTS = {
    "dcim/sites/": "dcim.site",
    "dcim/locations/": "dcim.location",
    "tenancy/tenants/": "tenancy.tenant",
    "circuits/providers/": "circuits.provider",
    "circuits/circuits/": "circuits.circuit",
    "circuits/circuit-terminations/": "circuits.circuittermination",
    "dcim/devices/": "dcim.device",
    "dcim/interfaces/": "dcim.interface",
    "dcim/front-ports/": "dcim.frontport",
    "dcim/rear-ports/": "dcim.rearport",
    "dcim/cables/": "dcim.cable",
}
# Asked for where topologies are made of them.
REGIONS = {"dcim/regions/": "dcim.region"}
ALL = ENDPOINTS | REGIONS
REFERENCES = {
    "site": "dcim/sites/", "location": "dcim/locations/", "tenant": "tenancy/tenants/",
    "provider": "circuits/providers/", "circuit": "circuits/circuits/",
    "device": "dcim/devices/", "rear_port": "dcim/rear-ports/", "cable": "dcim/cables/",
    "region": "dcim/regions/", "parent": "dcim/regions/",
    "provider_network": "circuits/provider-networks/",
}
CHOICES = {"status", "type", "length_unit"}
PAGE = 50  # records, where nobody says how many
PAGE_MAX = 1000


class Records:
    """Those of a dump, as objects of the API."""

    def __init__(self, records, version="4.2", address="http://localhost"):
        self.version = version
        self.address = address
        self.tables = {model: {} for model in ALL.values()}
        self.ends = {}
        for record in records:
            if record["model"] == "dcim.cabletermination":
                fields = record["fields"]
                end = self.ends.setdefault((fields["cable"], fields["cable_end"]), [])
                end.append((".".join(fields["termination_type"]), fields["termination_id"]))
            elif record["model"] in self.tables:
                self.tables[record["model"]][record["pk"]] = record["fields"]
        self.tables = {model: dict(sorted(table.items())) for model, table in self.tables.items()}

    def reference(self, path, pk):
        return {"id": pk, "url": f"{self.address}/api/{path}{pk}/", "display": f"{path}{pk}"}

    def value(self, name, value):
        if value is None or name not in REFERENCES and name not in CHOICES:
            return value
        if name in REFERENCES:
            return self.reference(REFERENCES[name], value)
        return {"value": value, "label": str(value).capitalize()} if value else None

    def end(self, cable, side):
        return [{"object_type": model, "object_id": pk, "object": {"id": pk, "display": "port"}}
                for model, pk in self.ends.get((cable, side), ())]

    def record(self, path, model, pk):
        fields = self.tables[model][pk]
        out = self.reference(path, pk) | {name: self.value(name, value)
                                          for name, value in fields.items()}
        if model == "dcim.cable":
            out |= {"a_terminations": self.end(pk, "A"), "b_terminations": self.end(pk, "B")}
        if model == "circuits.circuittermination" and self.version >= "4.2":
            for kind, name in (("dcim.site", "site"),
                               ("circuits.providernetwork", "provider_network")):
                if fields[name] is not None:
                    out |= {"termination_type": kind, "termination_id": fields[name],
                            "termination": out[name]}
                del out[name]
        return out

    def page(self, path, query):
        model = ALL[path]
        since = query.get("last_updated__gte", [""])[0]
        all_ = list(self.tables[model])
        if since:
            all_ = [pk for pk in all_ if self.tables[model][pk].get("last_updated", "") >= since]
        if slugs := query.get("slug"):
            all_ = [pk for pk in all_ if self.tables[model][pk].get("slug") in slugs]
        ids_only = query.get("fields") == ["id"]
        limit = min(int(query.get("limit", [PAGE])[0]) or PAGE_MAX, PAGE_MAX)
        offset = int(query.get("offset", [0])[0])

        def address(begin):
            if begin < 0 or begin >= len(all_):
                return None
            words = urllib.parse.urlencode({"limit": limit, "offset": begin}
                                           | ({"last_updated__gte": since} if since else {}))
            return f"{self.address}/api/{path}?{words}"

        return {"count": len(all_), "next": address(offset + limit),
                "previous": address(offset - limit) if offset else None,
                "results": [{"id": pk} if ids_only else self.record(path, model, pk)
                            for pk in all_[offset:offset + limit]]}


class Server(http.server.ThreadingHTTPServer):
    """On a free port of this machine, until it is closed."""

    def __init__(self, records, token, version="4.2", port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.token = token
        self.requests = {}
        self.refused = 0
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.records = Records(records, version, self.address)

    def pages(self, endpoints=tuple(ENDPOINTS)):
        """How many hold all records."""
        tables = (self.records.tables[ALL[path]] for path in endpoints)
        return sum(max(1, -(-len(table) // PAGE_MAX)) for table in tables)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *error):
        self.shutdown()
        super().__exit__(*error)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        path = url.path.removeprefix("/api/")
        if self.headers.get("Authorization") != f"Token {self.server.token}":
            self.server.refused += 1
            self.answer(403, {"detail": "Invalid token"})
        elif path not in ALL or path == url.path:
            self.answer(404, {"detail": "Not found"})
        else:
            self.server.requests[path] = self.server.requests.get(path, 0) + 1
            self.answer(200, self.server.records.page(path, urllib.parse.parse_qs(url.query)))

    def log_message(self, *words):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=pathlib.Path)
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--version", default="4.2")
    parser.add_argument("--token-file", type=pathlib.Path)
    options = parser.parse_args()
    if options.dump:
        records = json.loads(options.dump.read_bytes())
    else:
        records = netbox_made.Made(options.seed, options.devices).records()
    token = options.token_file.read_text(encoding="utf-8").strip() if options.token_file else "none"
    server = Server(records, token, options.version, options.port)
    print(server.address, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
