#!/usr/bin/env python3
"""Measures how much slower an import is while many listeners follow the changes of the map.

Usage: bench/site/listeners.py PROGRAM [LISTENERS [ELEMENTS [ROUNDS]]]

PROGRAM is a release build. A map of ELEMENTS (100000), half of them nodes, half
links, is imported in turns with and without LISTENERS (1000) on `GET /api/v1/changes`; in each
import 1 % of the elements have another name. An import is `netml import` into the running server,
from the start of the client to its exit. A process of its own reads what the listeners get, on the
same processors; the next import begins when all have everything. Method: ROUNDS (7) pairs, the
order changes with each; the middle of the ratios counts.

Last comes what the sockets alone cost: a plain loop writes the same bytes to as many sockets, which
the same process reads.
"""

import base64
import multiprocessing
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from desk import PASSWORD, prepare
from server import processor_seconds, serving

SIGNED_IN = "Basic " + base64.b64encode(f"bench:{PASSWORD}".encode()).decode()
PATIENCE_SECONDS = 120
OF_ONE_ADDRESS = 250  # the server takes no more than 512 connections of one
PIECE_BYTES = 64 << 10


def begin_to_listen(address, source, request):
    """A socket that is in the stream; those of a process that was killed may have its seat yet."""
    host, port = address.split(":")
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        listener = socket.create_connection((host, int(port)), source_address=(source, 0))
        listener.sendall(request)
        first = b""
        while b'"type":"stream"' not in first:
            piece = listener.recv(4096)
            if not piece or b" 503 " in piece:
                break
            first += piece
        else:
            listener.setblocking(False)
            return listener
        listener.close()
        time.sleep(0.5)
    raise RuntimeError("a listener was turned away")


def follow(address, count, ready, reported):
    """Opens all, and reports whenever all have had the newest transaction."""
    request = (f"GET /api/v1/changes HTTP/1.1\r\nHost: {address}\r\nAuthorization: {SIGNED_IN}\r\n"
               "\r\n").encode()
    selector = selectors.EpollSelector()
    for place in range(count):
        source = f"127.0.0.{1 + place // OF_ONE_ADDRESS}"
        listener = begin_to_listen(address, source, request)
        selector.register(listener, selectors.EVENT_READ, [0, b""])
    ready.set()
    missing = count  # those that have not had the newest transaction that any has had
    newest = 0
    while True:
        for key, _ in selector.select():
            content = key.fileobj.recv(1 << 18)
            if not content:
                return
            state = key.data
            got = (state[1] + content).count(b'"type":"transaction"')
            got -= state[1].count(b'"type":"transaction"')
            state[0], state[1] = state[0] + got, content[-20:]
            if got and state[0] > newest:
                newest, missing = state[0], count
            if got:
                missing -= 1
            if got and missing == 0:
                reported.send(time.monotonic())


class Listeners:
    def __init__(self, address, count):
        ready = multiprocessing.Event()
        self.reported, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.Process(target=follow, daemon=True,
                                               args=(address, count, ready, theirs))
        self.process.start()
        if not ready.wait(PATIENCE_SECONDS):
            raise RuntimeError("the listeners are not there in time")

    def have_all(self):
        """The moment at which the last one had the newest transaction."""
        if not self.reported.poll(PATIENCE_SECONDS):
            raise RuntimeError("a listener waits for a transaction")
        return self.reported.recv()

    def close(self):
        self.process.kill()
        self.process.join()


def ask_changes(url, query):
    request = urllib.request.Request(f"{url.rstrip('/')}/api/v1/changes?once=true{query}",
                                     headers={"Authorization": SIGNED_IN})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def write_to_all(count, given, waiting_at, begin, reported):
    """Takes so many listeners, and writes that to all of them as quickly as they read."""
    server = socket.create_server(("127.0.0.1", 0), backlog=count)
    waiting_at.send("{}:{}".format(*server.getsockname()))
    selector = selectors.EpollSelector()
    listeners = []
    for _ in range(count):
        listener, _ = server.accept()
        listeners.append(listener)  # open to the end
        listener.recv(4096)
        listener.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"type":"stream"}\n')
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_WRITE, [0])
    begin.wait()
    spent, left = time.process_time(), count
    while left:
        for key, _ in selector.select():
            key.data[0] += key.fileobj.send(given[key.data[0]:key.data[0] + PIECE_BYTES])
            if key.data[0] == len(given):
                selector.unregister(key.fileobj)
                left -= 1
    reported.send(time.process_time() - spent)
    signal.pause()


def measure_sockets(count, given):
    """Seconds until all have that, and of the processor of who writes."""
    begin = multiprocessing.Event()
    waiting_at, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=write_to_all, daemon=True,
                                      args=(count, memoryview(given), theirs, begin, theirs))
    process.start()
    listeners = Listeners(waiting_at.recv(), count)
    time.sleep(1)
    began = time.monotonic()
    begin.set()
    took = listeners.have_all() - began
    spent = waiting_at.recv()
    listeners.close()
    process.kill()
    process.join()
    return took, spent


def two_files(folder, elements):
    """The map with other names of 1 % of the elements, so that each import changes them."""
    source = os.path.join(folder, "first.xml")
    per_topology = str(elements // 20)
    program = os.path.abspath(sys.argv[1])
    subprocess.run([program, "generate", "--topologies", "10", "--nodes", per_topology, "--links",
                    per_topology, "-o", source], check=True, stdout=subprocess.DEVNULL)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    names = re.compile(r"(<grenml:name>)([^<]*7[37])(</grenml:name>)")
    changed, count = names.subn(r"\1\2 anew\3", text)
    files = [source, os.path.join(folder, "second.xml")]
    with open(files[1], "w", encoding="utf-8") as file:
        file.write(changed)
    return files, count


def import_once(program, data, file):
    began = time.monotonic()
    subprocess.run([program, "import", file, "--root", "--data", data], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - began


def main():
    program = os.path.abspath(sys.argv[1])
    count, elements, rounds = (int(sys.argv[place]) if len(sys.argv) > place else usual
                               for place, usual in ((2, 1000), (3, 100_000), (4, 7)))
    multiprocessing.set_start_method("fork")
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(program, folder, elements)
        files, changed = two_files(folder, elements)
        with serving(program, data) as (server, url):
            address = url.split("//")[1].rstrip("/")
            turn = 1

            def once(listeners):
                nonlocal turn
                took = import_once(program, data, files[turn % 2])
                turn += 1
                return took, listeners.have_all() if listeners else None

            place = re.search(rb'"after":"([^"]*)"', ask_changes(url, "")).group(1).decode()
            once(None)
            given = ask_changes(url, f"&after={place}").split(b"\n", 1)[1]
            ratios, alone, beside, behind = [], [], [], []
            for pair in range(rounds):
                for with_listeners in ((pair % 2 == 0), (pair % 2 == 1)):
                    listeners = Listeners(address, count) if with_listeners else None
                    time.sleep(1)
                    spent, began = processor_seconds(server), time.monotonic()
                    took, last = once(listeners)
                    (beside if listeners else alone).append(took)
                    if listeners:
                        behind.append(last - began - took)
                        listeners.close()
                        print(f"  {processor_seconds(server) - spent:.2f} s of the server's "
                              "processor, until all have everything", flush=True)
                ratios.append(beside[-1] / alone[-1])
                print(f"{alone[-1]:.3f} s alone, {beside[-1]:.3f} s beside {count} listeners, the "
                      f"last of which has all {behind[-1]:.2f} s later", flush=True)
            print(f"an import of {elements} elements, {changed} changed: "
                  f"{statistics.median(ratios):.3f} times as long beside {count} listeners "
                  f"({min(ratios):.3f} to {max(ratios):.3f}); all have everything "
                  f"{statistics.median(behind):.2f} s later")
            sockets = [measure_sockets(count, given) for _ in range(3)]
            print(f"the sockets alone, {len(given)} bytes each: all have everything "
                  f"{statistics.median(took for took, _ in sockets):.2f} s later, for "
                  f"{statistics.median(spent for _, spent in sockets):.2f} s of the processor")


if __name__ == "__main__":
    main()
