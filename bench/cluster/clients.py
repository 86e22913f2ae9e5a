"""Clients of a cluster, and the record of what they saw: one object a line (checker.py says which).

Nobody waits for another. Each write makes one node with an identifier of its own, each import gives
a group of elements one more generation, so that the journal shows which of them happened, and a
read, which part of history it shows.
"""

import base64
import contextlib
import hashlib
import http.client
import json
import random
import re
import threading
import time

from nodes import ACCOUNT, PASSWORD

CONNECT_SECONDS = 1
TIMEOUT_SECONDS = 4  # a client's, longer than a lease
PREFIX = "urn:check:"
CREDENTIALS = "Basic " + base64.b64encode(f"{ACCOUNT}:{PASSWORD}".encode()).decode()
GROUP_NODES = 2

# No two elements of one name: rules might make one of them.
FILE = """<?xml version="1.0" encoding="utf-8"?>
<grenml:Topology id="{group}" version="2026-01-01T00:00:00+00:00"
    xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
    xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>{generation} of {group}</grenml:name><grenml:owner>{group}:owner</grenml:owner>
<grenml:Institution id="{group}:owner" version="2026-01-01T00:00:00+00:00">
<grenml:name>Owner of {group}</grenml:name></grenml:Institution>
{nodes}</grenml:Topology>
"""
NODE = """<grenml:Node id="{group}:{number}" version="2026-01-01T00:00:00+00:00">
<grenml:name>{generation} of {group}:{number}</grenml:name>
<grenml:owner>{group}:owner</grenml:owner></grenml:Node>
"""


class NotSent(OSError):
    """The request never left: there was no connection."""


class Record:
    """The history, as it grows. Thread: any."""

    def __init__(self, path):
        self.operations = []
        self.path, self.lock = path, threading.Lock()

    def add(self, operation):
        with self.lock:
            self.operations.append(operation)

    def count(self):
        with self.lock:
            return len(self.operations)

    def save(self):
        with open(self.path, "w", encoding="utf-8") as file:
            for operation in sorted(self.operations, key=lambda each: each["begin"]):
                file.write(json.dumps(operation) + "\n")


def load(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Answer:
    """Status, headers by name and the whole body."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.read()
        self.head = self.headers.get("X-NetML-Head")

    def json(self):
        return json.loads(self.body)


def ask(place, method, path, body=None, headers=None, timeout=TIMEOUT_SECONDS):
    """On a connection of its own. NotSent, or another OSError or HTTPException where nobody knows
    whether it arrived."""
    connection = http.client.HTTPConnection(*place, timeout=min(timeout, CONNECT_SECONDS))
    try:
        try:
            connection.connect()
        except OSError as error:
            raise NotSent(str(error)) from error
        connection.sock.settimeout(timeout)
        connection.request(method, path, body, headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def outcome_of(answer):
    """Of a change. What the members do not know themselves they answer 503 with that code."""
    if answer.status in (200, 201):
        return "done"
    if answer.status == 503 and re.search(rb"outcome.unknown", answer.body):
        return "unknown"
    if answer.status in (500, 502, 504):
        return "unknown"
    return "refused"


class Client(threading.Thread):
    """Sends one request after the other until it is to end."""

    def __init__(self, number, seed, members, record, ended):
        super().__init__(daemon=True)
        self.number, self.random = number, random.Random(f"{seed}/{number}")
        self.members, self.record, self.ended = members, record, ended
        self.token = None  # the newest head that this client has seen
        self.failure = None

    def run(self):
        try:
            while not self.ended.is_set():
                self.step(self.random.choice(self.members.nodes))
        except Exception as error:  # a fault of the harness: the run must not pass
            self.failure = error
            raise

    def perform(self, operation, send):
        """Records the operation with what came of it; the answer, where there is one."""
        operation["begin"] = time.monotonic()
        answer = None
        try:
            answer = send()
            operation["outcome"] = outcome_of(answer)
            operation["status"] = answer.status
        except NotSent:
            operation["outcome"] = "refused"
        except (OSError, http.client.HTTPException) as error:
            operation["outcome"], operation["error"] = "unknown", str(error)
        operation["end"] = time.monotonic()
        return answer

    def rest(self, operation):
        """Refusals come at once: whoever asks again in vain asks a little later."""
        if operation["outcome"] != "done":
            self.ended.wait(0.02)


class Writer(Client):
    """Mostly single nodes over /api/v1, now and then a file."""

    def __init__(self, *arguments, references, import_token, imports=True, pause=0.0,
                 timeout=TIMEOUT_SECONDS):
        super().__init__(*arguments)
        self.timeout = timeout
        self.references, self.import_token = references, import_token
        self.imports, self.pause = imports, pause  # seconds at most between two changes
        self.count = 0

    def step(self, node):
        """One change; how it went."""
        self.count += 1
        if self.imports and self.count % 10 == 1:
            operation, send = self._import(node)
        else:
            operation, send = self._write(node)
        answer = self.perform(operation, send)
        if operation["outcome"] == "done":
            operation["lsn"] = int(answer.headers.get("X-NetML-LSN", 0)) or None
            operation["request_id"] = answer.headers.get("X-Request-Id")
            operation["head"] = answer.head
            self.token = answer.head or self.token
        self.record.add(operation)
        self.rest(operation)
        if self.pause:
            self.ended.wait(self.random.uniform(0, self.pause))
        return operation

    def _write(self, node):
        name = f"{PREFIX}node:{self.number}-{self.count}"
        body = json.dumps({"id": name, "name": name, **self.references})
        headers = {"Authorization": CREDENTIALS, "Content-Type": "application/json"}
        operation = {"kind": "write", "client": self.number, "member": node.name, "node": name}
        return operation, lambda: ask(node.place, "POST", "/api/v1/nodes", body, headers,
                                      self.timeout)

    def _import(self, node):
        group, generation = f"{PREFIX}group:{self.number}", f"generation {self.count}"
        file = group_file(group, generation)
        body, content_type = form_of(file)
        headers = {"Authorization": f"Bearer {self.import_token}", "Content-Type": content_type}
        operation = {"kind": "import", "client": self.number, "member": node.name, "group": group,
                     "generation": generation, "file_hash": hashlib.sha256(file).hexdigest()}
        return operation, lambda: ask(node.place, "POST", "/netml_import/upload/", body, headers,
                                      self.timeout)


class Reader(Client):
    """Reads the map and exports; some ask for what a writer of theirs has written, some for the
    newest there is."""

    def __init__(self, *arguments, writers):
        super().__init__(*arguments)
        self.writers = writers

    def step(self, node):
        fresh = self.random.random() < 0.2
        writer = self.random.choice(self.writers)
        token = writer.token if self.random.random() < 0.5 else self.token
        if self.members.databases is None:  # a single node takes no tokens
            token = None
        if token and self.random.random() < 0.05:
            token = token.split(":")[0] + ":" + "0" * 64  # of a history that never was
        kind = "export" if self.random.random() < 0.3 else "read"
        operation = {"kind": kind, "client": self.number, "member": node.name, "fresh": fresh,
                     "at_least": token}
        path = "/netml_export/" if kind == "export" else "/api/v1/map"
        headers = {"X-NetML-At-Least": token} if token else {}
        answer = self.perform(operation, lambda: ask(node.place, "GET", path + "?fresh=1" * fresh,
                                                     headers=headers))
        if operation["outcome"] == "done":
            operation["head"] = answer.head
            self.token = answer.head or self.token
            if kind == "export":
                operation["digest"] = hashlib.sha256(answer.body).hexdigest()
            else:
                operation |= content_of(answer.json())
        self.record.add(operation)
        self.rest(operation)
        self.ended.wait(0.01)


class Watcher(Client):
    """Asks each member all the time what it takes itself for."""

    def step(self, node):
        for node in self.members.nodes:
            begin = time.monotonic()
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError, KeyError):
                status = cluster_status(node)
                self.record.add({"kind": "status", "member": node.name, "begin": begin,
                                 "end": time.monotonic(), "run": f"{node.name}-{node.runs}",
                                 "role": status["role"], "epoch": status["epoch"]})
        self.ended.wait(0.1)


def cluster_status(node):
    """What the member says of itself and the cluster; KeyError of a single node."""
    return ask(node.place, "GET", "/status/", headers={"Accept": "application/json"},
               timeout=1).json()["cluster"]


def group_file(group, generation):
    nodes = "".join(NODE.format(group=group, number=number, generation=generation)
                    for number in range(GROUP_NODES))
    return FILE.format(group=group, generation=generation, nodes=nodes).encode()


def form_of(file):
    """A multipart body, and its type."""
    boundary = "check-7d1f"
    head = (f"--{boundary}\r\n"
            "Content-Disposition: form-data; name=\"file\"; filename=\"map.xml\"\r\n"
            "Content-Type: application/xml\r\n\r\n")
    return head.encode() + file + f"\r\n--{boundary}--\r\n".encode(), \
        f"multipart/form-data; boundary={boundary}"


def content_of(shown):
    """What of a map the checker asks for."""
    groups = {}
    columns = shown["nodes"]
    nodes = [each for each in columns["id"] if each.startswith(PREFIX + "node:")]
    for name in columns["name"] + shown["topologies"]["name"]:
        if found := re.match(f"(.*) of ({PREFIX}group:\\d+)", name):
            groups.setdefault(found[2], []).append(found[1])
    return {"lsn": shown["lsn"], "nodes": nodes, "groups": groups}
