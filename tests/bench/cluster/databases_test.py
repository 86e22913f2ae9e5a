"""Tries what the cluster check does to databases and networks, without members: a primary and its
standby, cuts, promotions, waits that are cancelled.

Usage: databases_test.py namespaces|addresses      (77: not possible here)
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench" / "cluster"))

import machines  # noqa: E402
from databases import USER, Databases, SqlError, postgresql  # noqa: E402
from options import EXIT_SKIPPED, check_programs, end_by_signals, working_folder  # noqa: E402

CLIENT_SECONDS_MAX = 20
SECONDS_MAX = 60  # for what the servers do by themselves
SHORT_SECONDS = 1.5  # in which nothing must come, where nothing can


class Pair(unittest.TestCase):
    """One test after the other on the same pair, which each leaves whole."""

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(working_folder())
        cls.network = cls.enterClassContext(machines.network())
        cls.databases = cls.enterClassContext(Databases(cls.network, cls.folder))
        cls.client = cls.network.add("client")
        cls.databases.make("tried")
        cls.passwords = cls.databases.password_file(cls.folder / "pgpass")
        cls.databases.primary.sql(f"CREATE TABLE rows (number int); GRANT ALL ON rows TO {USER};",
                                  "tried", confirmed=True)
        cls.number = 0

    def setUp(self):
        self.network.heal()
        self.databases.heal()

    def command(self):
        return [postgresql.program("psql"), "-X", "-q", "-At",
                self.databases.connection(self.client, "tried")]

    def insert(self, seconds=CLIENT_SECONDS_MAX):
        """A row of its own from the client; whether that was answered, and the row."""
        type(self).number += 1
        script = f"INSERT INTO rows VALUES ({self.number});"
        try:
            done = self.client.run(self.command(), input=script, text=True, timeout=seconds,
                                   capture_output=True, check=False,
                                   env=dict(os.environ, PGPASSFILE=str(self.passwords)))
        except subprocess.TimeoutExpired:
            return False, self.number
        return done.returncode == 0, self.number

    def has(self, number):
        return self.databases.primary.sql(f"SELECT count(*) FROM rows WHERE number = {number};",
                                          "tried") == "1"

    def assert_inserts(self):
        answered, number = self.insert()
        self.assertTrue(answered)
        self.assertTrue(self.has(number))

    def test_a_commit_waits_for_the_standby(self):
        self.databases.standby.process.pause()
        self.assertFalse(self.insert(SHORT_SECONDS)[0])
        self.databases.standby.process.resume()
        self.assert_inserts()

    def test_a_cancelled_wait_leaves_a_commit_that_a_promotion_loses(self):
        self.network.isolate(self.databases.standby.machine)
        begun = self.client.start([*self.command(), "-c", "INSERT INTO rows VALUES (-1)"],
                                  env=dict(os.environ, PGPASSFILE=str(self.passwords)),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertTrue(machines.wait_until(lambda: self.databases.end_waits("tried") == 1,
                                            SECONDS_MAX))
        self.assertIn("canceling wait", begun.popen.communicate(timeout=CLIENT_SECONDS_MAX)[1])
        self.assertTrue(self.has(-1))
        self.databases.primary.kill()
        self.databases.promote()
        self.network.heal()
        self.databases.heal()
        self.assertFalse(self.has(-1))
        self.assert_inserts()

    def test_confirmed_rows_outlast_a_promotion(self):
        answered, number = self.insert()
        self.assertTrue(answered)
        old = self.databases.promote()
        self.assertFalse(self.insert(SHORT_SECONDS)[0])  # nobody confirms
        old.kill()
        self.databases.heal()
        self.assertTrue(self.has(number))
        self.assert_inserts()

    def test_what_was_killed_comes_back(self):
        for server in (self.databases.primary, self.databases.standby):
            server.kill()
            self.databases.heal()
            self.assert_inserts()

    def test_cuts_are_cuts_until_they_heal(self):
        primary, standby = (server.machine for server in (self.databases.primary,
                                                          self.databases.standby))
        cuts = [lambda: self.network.cut(self.client, primary),
                lambda: self.network.cut_answers(self.client, primary),
                lambda: self.network.isolate(primary),
                lambda: self.network.isolate(standby)]
        for number, cut in enumerate(cuts):
            with self.subTest(number):
                cut()
                self.assertFalse(self.insert(SHORT_SECONDS)[0])
                self.network.heal()
                self.assertTrue(machines.wait_until(self.databases.is_synchronous, SECONDS_MAX))
                self.assert_inserts()

    def test_a_database_that_is_dropped_is_gone(self):
        self.databases.make("dropped")
        self.databases.drop("dropped")
        self.assertRaises(SqlError, self.databases.primary.sql, "SELECT 1;", "dropped")


def main():
    check_programs(Path(sys.executable))
    if sys.argv[1:] == ["namespaces"]:
        machines.inside_namespaces()
        if not machines.is_inside_namespaces():
            return EXIT_SKIPPED
    end_by_signals()
    done = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2)
    return 0 if done.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
