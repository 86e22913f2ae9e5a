#!/usr/bin/env python3
"""The history as Parquet files tells what the journal tells: SQL about any point in time finds the
map that `netml export --at` writes, and parts that were made one after another are worth the whole.

Usage: history_test.py NETML      (in the directory of run.sh)
NETML_PARQUET_POINTS=1000 compares that many points in time, in a history that is longer.
"""

import contextlib
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import map_entries  # noqa: E402  (the path is needed first)
from random_map import RandomMap  # noqa: E402

POINTS = int(os.environ.get("NETML_PARQUET_POINTS", "36"))
STEPS = 50 + POINTS // 4
PAGE = HERE.parents[1] / "docs/analysis.md"
NETML = ""


class Sql:
    """DuckDB, with the tables of a directory as the page makes them."""

    def __init__(self):
        self.process = subprocess.Popen(["node", "answer.mjs"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def __call__(self, statement):
        self.process.stdin.write(json.dumps(statement) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise AssertionError(f"{answer['error']}\n{statement}")
        return answer["rows"]

    def take(self, directory, schema):
        """The tables of the directory, below a name."""
        self(f"CREATE SCHEMA {schema}")
        self(f"USE {schema}")
        for statement in page_sql()[0].split(";"):
            if statement.strip():
                self(statement.replace("history/", f"{directory}/"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def page_sql():
    """The statements of the page: the views, then the examples."""
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


class Node:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / "data"

    def run(self, *words, check=True):
        """Standard output; None where it failed and may."""
        run = subprocess.run([NETML, *map(str, words), "--data", str(self.data)],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return run.stdout
        if check:
            raise AssertionError(f"{words}: {run.stderr}")
        return None

    def parquet(self, directory, *words):
        return json.loads(self.run("export", "--parquet", self.folder / directory, "--json",
                                   *words))

    def head(self):
        return json.loads(self.run("status", "--json"))["lsn"]

    @contextlib.contextmanager
    def served(self):
        """A server; fails unless it runs from its first line to the end of the block."""
        with open(self.folder / "server.log", "w+", encoding="utf-8") as log:
            server = subprocess.Popen([NETML, "serve", "--data", str(self.data), "--listen",
                                       "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=log,
                                      text=True)
            try:
                if not any(line.startswith("listening on ") for line in server.stdout):
                    raise AssertionError("the server did not start: " + said(log))
                yield
                if server.poll() is not None:
                    raise AssertionError("the server ended: " + said(log))
            finally:
                server.terminate()
                server.wait()
                server.stdout.close()


def said(log):
    log.seek(0)
    return log.read()


def random_step(node, map_, dice):
    """Something that makes a transaction, as a rule."""
    what = dice.randrange(10)
    if what == 0:
        node.run("undo", dice.randint(1, node.head()), "--force", check=False)
    elif what == 1:
        nodes = json.loads(node.run("api", "nodes"))["items"]
        if nodes:
            body = json.dumps({"name": f"edited {dice.randrange(1000)}"})
            node.run("api", "PUT", f"nodes/{dice.choice(nodes)['number']}", "--body", body,
                     check=False)
    elif what == 2:
        node.run("setting", "set", "IMPORT_ANSWER", dice.choice(["Result", "Queued"]))
    else:
        for _ in range(dice.randint(1, 4)):
            map_.step()
        file = node.folder / "map.xml"
        file.write_text(map_.text(), encoding="utf-8")
        node.run("import", file, "--root", check=False)


class History(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.node = Node(cls.place.name)
        dice = random.Random(7)
        map_ = RandomMap(dice)
        (cls.node.folder / "map.xml").write_text(map_.text(), encoding="utf-8")
        cls.node.run("import", "map.xml", "--root")
        cls.first = cls.node.head()
        for step in range(STEPS):
            if step % (STEPS // 4) == 3:
                cls.node.parquet("parts")
            random_step(cls.node, map_, dice)
        cls.node.parquet("parts")
        cls.node.parquet("whole")
        cls.sql = Sql()
        cls.sql.take(cls.node.folder / "parts", "parts")
        cls.sql.take(cls.node.folder / "whole", "whole")

    @classmethod
    def tearDownClass(cls):
        cls.sql.close()
        cls.place.cleanup()

    def map_at(self, condition):
        rows = self.sql(f"SELECT {map_entries.COLUMNS} FROM whole.versions WHERE {condition}")
        return map_entries.entries_of_rows(rows)

    def exported(self, when):
        return map_entries.entries_of_export(self.node.run("export", "--at", when))

    def test_the_map_of_any_lsn_is_that_of_the_export(self):
        head = self.node.head()
        dice = random.Random(8)
        for lsn in [self.first, head] + [dice.randint(self.first, head) for _ in range(POINTS)]:
            found = self.map_at(f"from_lsn <= {lsn} AND (to_lsn IS NULL OR to_lsn > {lsn})")
            self.assertEqual(found, self.exported(lsn), f"LSN {lsn}")
            self.assertGreater(len(found), 3)

    def test_the_map_of_any_second_is_that_of_the_export(self):
        times = self.sql("SELECT DISTINCT epoch_us(from_time) // 1000000 AS second "
                         "FROM whole.versions ORDER BY second")
        for row in random.Random(9).sample(times, min(len(times), 5)):
            second = int(row["second"])
            end = f"make_timestamptz({(second + 1) * 1_000_000})"
            found = self.map_at(f"from_time < {end} AND (to_time IS NULL OR to_time >= {end})")
            when = datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
            self.assertEqual(found, self.exported(when.strftime("%Y-%m-%dT%H:%M:%SZ")), when)

    def test_parts_are_worth_the_whole(self):
        self.assertGreater(len(list((self.node.folder / "parts").iterdir())), 3)
        self.assertGreater(self.sql("SELECT count(*) AS n FROM parts.ends")[0]["n"], "0")
        self.assertEqual(self.sql("SELECT count(*) AS n FROM whole.ends")[0]["n"], "0")
        for table in ("versions", "effects", "imports"):
            for more, less in (("parts", "whole"), ("whole", "parts")):
                rest = self.sql(f"FROM {more}.{table} EXCEPT ALL FROM {less}.{table}")
                self.assertEqual(rest, [], f"{table} of {more}")

    def test_effects_are_those_of_the_stream_of_changes(self):
        stream = [json.loads(line) for line in
                  self.node.run("watch", "--after", "0", "--once", "--json").splitlines()]
        changes = [{name: str(change[name])
                    for name in ("lsn", "change", "record", "kind", "id", "action", "cause")}
                   for change in stream if change["type"] == "change"]
        rows = self.sql("SELECT lsn, change, record, kind, id, action, cause FROM whole.effects "
                        "ORDER BY lsn, change")
        self.assertEqual(rows, changes)

    def test_fields_of_updates_are_those_of_the_stream_of_changes(self):
        stream = [json.loads(line) for line in
                  self.node.run("watch", "--after", "0", "--once", "--json").splitlines()]
        changes = [sorted(field["field"] for field in change["fields"])
                   for change in stream
                   if change["type"] == "change" and change["action"] == "updated"]
        rows = self.sql("SELECT list_sort(fields) AS fields FROM whole.effects "
                        "WHERE action = 'updated' ORDER BY lsn, change")
        self.assertEqual([row["fields"] for row in rows], changes)

    def test_imports_say_what_their_records_say(self):
        items = json.loads(self.node.run("api", "imports", "--all"))
        known = {str(item["number"]): item["name"] for item in items}
        rows = self.sql('SELECT "import", arg_max(name, lsn) AS name FROM whole.imports '
                        "GROUP BY ALL")
        self.assertEqual({row["import"]: row["name"] for row in rows}, known)

    def test_a_server_gives_the_same_bytes(self):
        with self.node.served():
            answer = self.node.parquet("served")
        (served,) = (self.node.folder / "served").iterdir()
        whole = self.node.folder / "whole" / served.name
        self.assertEqual(answer["part"], served.name)
        for file in served.iterdir():
            self.assertEqual(file.read_bytes(), (whole / file.name).read_bytes(), file.name)

    def test_a_second_run_finds_nothing_new(self):
        before = sorted((self.node.folder / "whole").rglob("*"))
        answer = self.node.parquet("whole")
        self.assertIsNone(answer["part"])
        self.assertEqual(sorted((self.node.folder / "whole").rglob("*")), before)

    def test_a_part_from_elsewhere_goes_on_from_a_place(self):
        head = self.node.head()
        answer = self.node.parquet("later", "--since", self.first)
        self.assertEqual(answer["part"], f"lsn-{self.first + 1:012}-{head:012}")
        self.assertIsNone(self.node.run("export", "--parquet", self.node.folder / "later",
                                        "--since", self.first, check=False))

    def test_parts_of_another_history_are_not_gone_on_from(self):
        with tempfile.TemporaryDirectory() as place:
            other = Node(place)
            (other.folder / "map.xml").write_text(RandomMap(random.Random(1)).text(),
                                                  encoding="utf-8")
            other.run("import", "map.xml", "--root")
            before = sorted((self.node.folder / "whole").rglob("*"))
            self.assertIsNone(other.run("export", "--parquet", self.node.folder / "whole",
                                        check=False))
            self.assertEqual(sorted((self.node.folder / "whole").rglob("*")), before)

    def test_what_a_crash_left_goes_with_the_next_run(self):
        left = self.node.folder / "crashed" / ".unfinished"
        left.mkdir(parents=True)
        (left / "versions.parquet").write_text("half")
        part = self.node.parquet("crashed")["part"]
        self.assertEqual([path.name for path in left.parent.iterdir()], [part])

    def test_the_columns_are_those_of_the_page(self):
        page = PAGE.read_text(encoding="utf-8")
        for table in ("versions", "ends", "effects", "imports"):
            section = re.search(rf"### `{table}`\n(.*?)(?=\n##|\Z)", page, re.S)[1]
            stated = re.findall(r"^\| (`[^|]*`) \| ([A-Z][^|]*) \|", section, re.M)
            columns = [(name, type_.strip()) for names, type_ in stated
                       for name in re.findall(r"`(\w+)`", names)]
            found = self.sql(f"DESCRIBE SELECT * FROM '{self.node.folder}/whole/*/{table}.parquet'")
            self.assertEqual([(row["column_name"], TYPES[row["column_type"]]) for row in found],
                             columns, table)

    def test_the_examples_of_the_page_find_something(self):
        examples = page_sql()[1:]
        self.assertGreaterEqual(len(examples), 3)
        self.sql("USE parts")
        for example in examples:
            self.assertGreater(len(self.sql(example)), 0, example)


TYPES = {"BIGINT": "INT64", "VARCHAR": "STRING", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN",
         "TIMESTAMP WITH TIME ZONE": "TIMESTAMP", "BIGINT[]": "LIST of INT64",
         "VARCHAR[]": "LIST of STRING",
         'STRUCT("name" VARCHAR, "value" VARCHAR)[]': "LIST of `name`, `value`"}

if __name__ == "__main__":
    NETML = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
