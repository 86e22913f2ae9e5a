"""A primary of PostgreSQL and its synchronous standby, from Debian's packages, each on a machine:
started, stopped, killed, paused, promoted, and made again as the standby of the other.

Commands of ours go through Unix sockets, so no cut of the network keeps the harness out.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / folder)
             for folder in ("others", "large_trees")]

import postgresql  # noqa: E402
from machines import wait_until  # noqa: E402

PORT = 5432
START_SECONDS_MAX = 60
# In the log while processes of a server that was killed still end, which they do by themselves.
LEFT_BEHIND = "pre-existing shared memory block"
SQL_SECONDS_MAX = 60
ADMINISTRATOR = "postgres"
USER = "netml"  # whom the members connect as

SETTINGS = """
listen_addresses = '{address}'
port = {port}
unix_socket_directories = '{sockets}'
cluster_name = '{name}'
max_connections = 80
shared_buffers = 32MB
max_wal_senders = 8
wal_keep_size = 256MB
hot_standby = on
synchronous_commit = on
synchronous_standby_names = '*'
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 200ms
checkpoint_timeout = 1h
max_wal_size = 1GB
log_min_messages = warning
"""
ACCESS = """
local all all trust
host replication {administrator} 0.0.0.0/0 trust
host all all 0.0.0.0/0 scram-sha-256
"""


class SqlError(RuntimeError):
    """psql's complaint, or that it did not end in time."""


class Server:
    """One server with its folder. Never asks whether it is primary: Databases knows."""

    def __init__(self, machine, folder):
        self.machine, self.folder = machine, folder / machine.name
        self.data = self.folder / "data"
        self.sockets = self.folder
        self.process = None
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            account = postgresql.account()
            os.chown(self.folder, account.pw_uid, account.pw_gid)

    def initialise(self):
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", ADMINISTRATOR, "-E", "UTF8",
                  "--no-locale", "--no-sync")
        (self.data / "pg_hba.conf").write_text(ACCESS.format(administrator=ADMINISTRATOR))
        self._configure()

    def copy(self, primary, way):
        """Becomes a standby of `primary`, whatever it was; `way`: its address and port."""
        shutil.rmtree(self.data, ignore_errors=True)
        host, port = way
        self._run("pg_basebackup", "-D", self.data, "-X", "stream", "--checkpoint=fast", "-R",
                  "--no-sync", "-d", f"host={host} port={port} user={ADMINISTRATOR} "
                  f"application_name={self.machine.name} connect_timeout=5")
        self._configure()

    def _configure(self):
        (self.data / "postgresql.conf").write_text(SETTINGS.format(
            address=self.machine.address, port=PORT, sockets=self.sockets, name=self.machine.name))

    def _run(self, program, *arguments):
        command = postgresql.as_account([postgresql.program(program), *map(str, arguments)])
        done = self.machine.run(command, cwd="/", capture_output=True, text=True,
                                timeout=START_SECONDS_MAX)
        if done.returncode != 0:
            raise RuntimeError(f"{program} on {self.machine.name}: {done.stderr[-2000:]}")

    def start(self):
        self._launch()
        if not wait_until(self._answers, START_SECONDS_MAX, 0.02):
            raise RuntimeError(f"{self.machine.name} does not start: {self.log()[-2000:]}")

    def _launch(self):
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = self.machine.start(
                postgresql.as_account([postgresql.program("postgres"), "-D", str(self.data)]),
                cwd="/", stdout=log, stderr=log)

    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def _answers(self):
        if not self.process.is_running():
            log = self.log()[-2000:]
            if LEFT_BEHIND not in log:
                raise RuntimeError(f"{self.machine.name} ended: {log}")
            self._launch()
            return False
        try:
            return self.sql("SELECT 1;", seconds=5) == "1"
        except SqlError:
            return False

    def sql(self, script, database="postgres", user=ADMINISTRATOR, seconds=SQL_SECONDS_MAX,
            confirmed=False):
        """What psql prints. Waits for no standby unless it is to be `confirmed`."""
        command = [postgresql.program("psql"), "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h",
                   str(self.sockets), "-p", str(PORT), "-U", user, "-d", database, "-f", "-"]
        wait = {} if confirmed else {"PGOPTIONS": "-c synchronous_commit=local"}
        try:
            done = subprocess.run(command, input=script, text=True, capture_output=True,
                                  env=dict(os.environ, **wait), timeout=seconds, check=False)
        except subprocess.TimeoutExpired as error:
            raise SqlError(f"no answer from {self.machine.name}") from error
        if done.returncode != 0:
            raise SqlError(done.stderr.strip())
        return done.stdout.strip()

    def promote(self):
        self.sql("SELECT pg_promote(true, 30);")

    def kill(self):
        if self.process:
            self.process.kill()

    def stop(self):
        if self.process:
            self.process.stop(signal.SIGINT)  # does not wait for clients


class Databases:
    """Both, and who is the primary. A context manager."""

    def __init__(self, network, folder, names=("east", "west")):
        self.network = network
        self.servers = [Server(network.add(name), folder) for name in names]
        self.primary, self.standby = self.servers
        self.password = secrets.token_urlsafe(16)

    def __enter__(self):
        try:
            self.primary.initialise()
            self.primary.start()
            self.primary.sql(f"CREATE ROLE {USER} LOGIN PASSWORD '{self.password}';"
                             f"GRANT pg_read_all_stats TO {USER};")
            self.renew_standby()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        for server in self.servers:
            server.kill()

    def renew_standby(self):
        """A new standby from what the primary has now; writes are confirmed again then."""
        self.standby.kill()
        self.standby.copy(self.primary, self.network.way(self.standby.machine,
                                                         self.primary.machine, PORT))
        self.standby.start()
        if not wait_until(self.is_synchronous, START_SECONDS_MAX, 0.02):
            raise RuntimeError(f"no synchronous standby: {self.standby.log()[-2000:]}")

    def is_synchronous(self):
        return self.primary.sql("SELECT count(*) FROM pg_stat_replication WHERE "
                                "sync_state IN ('sync', 'quorum');") != "0"

    def promote(self):
        """The standby becomes the primary, whatever the old primary is doing. Returns that one,
        which goes on as it was: whoever promotes stops it, sooner or later."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        return self.standby

    def heal(self):
        """Both run again, and one confirms what the other writes."""
        for server in self.servers:
            if server.process.is_running() and server.process.paused:
                server.process.resume()
        if not self.primary.process.is_running():
            self.primary.start()
        is_standby = self.standby.process.is_running() and self._is_recovering(self.standby)
        if not is_standby or not wait_until(self.is_synchronous, 3, 0.02):
            self.renew_standby()

    @staticmethod
    def _is_recovering(server):
        try:
            return server.sql("SELECT pg_is_in_recovery();", seconds=5) == "t"
        except SqlError:
            return False

    def make(self, database):
        self.primary.sql(f"CREATE DATABASE {database} OWNER {USER};")

    def drop(self, database):
        self.primary.sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE);")

    def connection(self, machine, database):
        """What a program on `machine` connects with; the password is in password_file()."""
        ways = [self.network.way(machine, server.machine, PORT) for server in self.servers]
        places = ",".join(f"{host}:{port}" for host, port in ways)
        return (f"postgresql://{USER}@{places}/{database}"
                "?target_session_attrs=read-write&connect_timeout=2")

    def password_file(self, path):
        path.write_text(f"*:*:*:*:{self.password}\n", encoding="ascii")
        path.chmod(0o600)
        return path

    def end_waits(self, database, how="cancel"):
        """Ends the waits of commits for the standby: cancel, or terminate with their connections.
        How many there were."""
        return int(self.primary.sql(
            f"SELECT count(pg_{how}_backend(pid)) FROM pg_stat_activity WHERE "
            f"datname = '{database}' AND wait_event = 'SyncRep';", seconds=5))

    # ---- what the members keep in it (docs/cluster.md) ----

    def holder(self, database):
        """Name of the member that has the lease, or had it last."""
        return self.primary.sql("SELECT split_part(holder, '#', 1) FROM netml.lease;", database,
                                seconds=5)

    def appends(self, database):
        """As the checker wants them."""
        rows = self.primary.sql(
            "SELECT before_lsn, encode(before_chain, 'hex'), after_lsn, encode(after_chain, 'hex'),"
            " epoch FROM netml.frames WHERE piece = 0 ORDER BY after_lsn, epoch;", database)
        return [{"before": f"{row[0]}:{row[1]}", "after": f"{row[2]}:{row[3]}",
                 "epoch": int(row[4])} for row in map(lambda line: line.split("|"),
                                                      rows.splitlines())]

    def appending_backend(self, database):
        """The process that works on appends, found by a lock that one of them waits for a moment;
        None where nobody appends."""
        waits = "pg_locks WHERE relation = 'netml.frames'::regclass AND NOT granted"
        found = self.primary.sql(
            f"BEGIN; LOCK TABLE netml.frames IN SHARE MODE; DO $$ BEGIN FOR i IN 1..1000 LOOP "
            f"EXIT WHEN EXISTS (SELECT FROM {waits}); PERFORM pg_sleep(0.002); END LOOP; END $$; "
            f"SELECT pid FROM {waits}; COMMIT;", database, seconds=10)
        return int(found.split()[0]) if found else None

    @contextlib.contextmanager
    def paused_backend(self, database):
        """The process that works on appends stands still between two of them. Gives a function:
        whether its client has closed the connection meanwhile."""
        pid = self.appending_backend(database)

        def is_idle():
            os.kill(pid, signal.SIGSTOP)
            state = self.primary.sql(f"SELECT state FROM pg_stat_activity WHERE pid = {pid};")
            if state == "active":
                os.kill(pid, signal.SIGCONT)
            return state != "active"

        def is_left():
            return pid is None or f"pid={pid}," in self.primary.machine.run(
                ["ss", "-Htnp", "state", "close-wait"], capture_output=True, text=True).stdout

        with contextlib.suppress(ProcessLookupError):  # it may end at any time
            if pid:
                wait_until(is_idle, 2, 0.01)
        try:
            yield is_left
        finally:
            if pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def newest_lsn(self, database):
        return int(self.primary.sql("SELECT lsn FROM netml.head;", database, seconds=5))

    @contextlib.contextmanager
    def damaged_frames(self, database, behind):
        """One bit of each append behind that LSN is wrong meanwhile, in each at another place."""
        flip = "UPDATE netml.frames SET data = set_bit(data, bit, 1 - get_bit(data, bit)) " \
               "FROM (SELECT after_lsn AS lsn, after_lsn * 7919 % (8 * length(data)) AS bit " \
               "FROM netml.frames WHERE piece = 0) AS place WHERE piece = 0 AND after_lsn = lsn"
        found = self.primary.sql(f"{flip} AND lsn > {behind} RETURNING lsn;", database).split()
        try:
            yield
        finally:
            if found:
                self.primary.sql(f"{flip} AND lsn IN ({', '.join(found)});", database)
