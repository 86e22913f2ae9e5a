#!/usr/bin/env python3
"""What a delta saves: bytes and seconds of a poll beside those of a poll of the whole map.

Usage: delta_polls.py NETML [--topologies N] [--percent P] [--rounds N]

A node with N topologies of a thousand elements is polled by two others: one takes deltas, the other
is made to take the whole (--force), in turns, after P percent of the nodes and links got another
name. All three run as processes of their own on this machine. Prints a line for each round, then
the medians and their ratios.
"""

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path


class Node:
    """A node in a directory of its own."""

    def __init__(self, program, folder):
        self.program, self.folder, self.server = program, folder, None

    def run(self, *words, text=None):
        done = subprocess.run([self.program, *words, "--data", str(self.folder)], input=text,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"netml {' '.join(words)}: {done.stderr}")
        return done.stdout

    def serve(self):
        self.server = subprocess.Popen(
            [self.program, "serve", "--data", str(self.folder), "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.server.stdout:
            found = re.search(r"127\.0\.0\.1:(\d+)", line)
            if found:
                return int(found[1])
        sys.exit("the server did not start")

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


def changed(text, percent, round_number):
    """Other names for so many of the nodes and links."""
    drawn = random.Random(round_number)
    pattern = re.compile(r"(<grenml:(?:Node|Link) id=[^>]*>\s*<grenml:name>)([^<]*)")
    return pattern.sub(lambda found: found[0] if drawn.random() * 100 >= percent
                       else f"{found[1]}changed {round_number} {drawn.randrange(10**6)}", text)


def size_of(url, token, headers=None):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}",
                                                   **(headers or {})})
    with urllib.request.urlopen(request) as answer:
        return len(answer.read()), answer.headers


def poll(node, *words):
    begin = time.monotonic()
    report = json.loads(node.run("poll", "--json", *words))
    return time.monotonic() - begin, report


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("netml")
    arguments.add_argument("--topologies", type=int, default=100)
    arguments.add_argument("--percent", type=float, default=1)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    program = str(Path(given.netml).resolve())
    with tempfile.TemporaryDirectory() as place:
        measure(program, Path(place), given)


def measure(program, place, given):
    map_file = place / "map.xml"
    subprocess.run([program, "generate", "--topologies", str(given.topologies), "--nodes", "500",
                    "--links", "500", "-o", str(map_file)], check=True, capture_output=True)
    publisher = Node(program, place / "publisher")
    publisher.run("import", str(map_file), "--root")
    token = json.loads(publisher.run("token", "create", "poller", "--kind", "polling", "--json"))
    port = publisher.serve()
    pollers = {"delta": Node(program, place / "delta"), "whole": Node(program, place / "whole")}
    try:
        for node in pollers.values():
            node.run("init", "--name", "Root", "--owner", "Owner")
            node.run("source", "add", "peer", "--host", "127.0.0.1", "--port", str(port),
                     "--protocol", "http", "--plain-http", "--authority", "any", "--token-stdin",
                     text=token["value"])
            seconds, _ = poll(node, "--poll-allow", "127.0.0.0/8")
            print(f"first poll {seconds:.2f} s")
            node.serve()
        figures = rounds(map_file.read_text(encoding="utf-8"), place, given, publisher, pollers,
                         f"http://127.0.0.1:{port}/netml_export/", token["value"])
    finally:
        for node in (publisher, *pollers.values()):
            node.stop()
    print("medians:", {name: round(value, 3) for name, value in figures.items()})
    print(f"bytes {100 * figures['delta bytes'] / figures['whole bytes']:.2f} %, "
          f"seconds {100 * figures['delta seconds'] / figures['whole seconds']:.1f} %, "
          f"answer {100 * figures['delta answer'] / figures['whole answer']:.1f} %")


def rounds(text, place, given, publisher, pollers, url, token):
    kept = {}
    _, headers = size_of(url, token, {"X-NetML-Delta": "1"})
    for number in range(1, given.rounds + 1):
        begins = headers["X-NetML-Head"]
        text = changed(text, given.percent, number)
        (place / "next.xml").write_text(text, encoding="utf-8")
        publisher.run("import", str(place / "next.xml"), "--root")
        figures = {}
        for name, node in pollers.items():
            words = ["--force"] if name == "whole" else []
            figures[f"{name} seconds"], report = poll(node, "--poll-allow", "127.0.0.0/8", *words)
            assert report["items"][0]["result"] == "imported", report
        for name, target, more in (("delta", f"{url}delta/?from={begins}", {}),
                                   ("whole", url, {"X-NetML-Delta": "1"})):
            begin = time.monotonic()
            figures[f"{name} bytes"], headers = size_of(target, token, more)
            figures[f"{name} answer"] = time.monotonic() - begin
        print(number, {name: round(value, 3) for name, value in figures.items()}, flush=True)
        for name, value in figures.items():
            kept.setdefault(name, []).append(value)
    return {name: statistics.median(values) for name, values in kept.items()}


if __name__ == "__main__":
    main()
