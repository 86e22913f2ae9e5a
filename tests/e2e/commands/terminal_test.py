#!/usr/bin/env python3
"""What commands do at a terminal, and when they are interrupted there.

Usage: terminal_test.py NETML     (the program)

Each test gives the program a terminal of its own, waits for what it shows or opens, and interrupts
it as Ctrl-C does. Nothing is measured by the clock.
"""

import contextlib
import fcntl
import http.server
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest
from pathlib import Path

# Takes seconds; none of it is written to the end.
LARGE = ["generate", "--topologies", "4000", "--nodes", "500", "--links", "500"]


@contextlib.contextmanager
def terminal(columns=80):
    """The two ends of one: where the test reads and types, and what the program is given."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        yield ours, theirs
    finally:
        for descriptor in (ours, theirs):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def read_until(descriptor, wanted):
    """All that came, at the latest until nobody has the other end any more."""
    text = b""
    with contextlib.suppress(OSError):
        while wanted not in text:
            text += os.read(descriptor, 65536)
    return text


def own_terminal(descriptor):
    """Run in the child: the terminal becomes the one that Ctrl-C is typed at."""
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


class AtATerminal(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def start(self, words, **streams):
        command = subprocess.Popen([NETML, *words], cwd=self.folder, **streams)
        self.addCleanup(lambda: command.poll() is None and command.kill())
        return command

    def has_begun_to_write(self, command):
        files = Path(f"/proc/{command.pid}/fd")
        while command.poll() is None:
            with contextlib.suppress(OSError):  # what is closed meanwhile
                for entry in files.iterdir():
                    ours = os.readlink(entry).startswith(f"{self.folder}/")
                    if ours and entry.stat().st_size > 0:
                        return True
        return False

    def test_an_interrupted_file_leaves_nothing(self):
        command = self.start([*LARGE, "-o", "big.xml"], stderr=subprocess.DEVNULL)
        self.assertTrue(self.has_begun_to_write(command))
        command.send_signal(signal.SIGINT)
        self.assertEqual(command.wait(), -signal.SIGINT)
        try:
            os.close(os.open(self.folder, os.O_TMPFILE | os.O_WRONLY, 0o600))
        except OSError:
            self.skipTest("this file system has no files without names")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_killed_one_leaves_the_former_file(self):
        (self.folder / "big.xml").write_text("former", encoding="utf-8")
        command = self.start([*LARGE, "-o", "big.xml"], stderr=subprocess.DEVNULL)
        self.assertTrue(self.has_begun_to_write(command))
        command.kill()
        command.wait()
        self.assertEqual((self.folder / "big.xml").read_text(encoding="utf-8"), "former")

    def test_progress_tells_how_much_and_how_fast(self):
        with terminal() as (ours, theirs):
            command = self.start([*LARGE, "-o", "big.xml"], stderr=theirs)
            os.close(theirs)
            shown = read_until(ours, b"/s")
            command.kill()
            command.wait()
        self.assertRegex(shown, rb"\r\x1b\[Kwritten [\d.]+ [KMGT]?i?B, [\d.]+ [KMGT]?i?B/s")

    def test_a_server_tells_how_far_its_work_is(self):
        """Of two peers one answers at once, the other when the command has shown that."""
        shown = threading.Event()
        self.addCleanup(shown.set)

        class Peer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/late/"):
                    shown.wait()
                self.send_error(404)

            def log_message(self, *arguments):
                pass

        peers = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Peer)
        peers.daemon_threads = True
        threading.Thread(target=peers.serve_forever, daemon=True).start()
        self.addCleanup(peers.server_close)
        self.addCleanup(peers.shutdown)
        server = self.start(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--poll-allow",
                             "127.0.0.1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(server.stdout.close)
        while not server.stdout.readline().startswith(b"listening on "):
            self.assertIsNone(server.poll(), "the server did not start")
        for name in ("early", "late"):
            subprocess.run([NETML, "source", "add", name, "--host", "127.0.0.1", "--port",
                            str(peers.server_port), "--path", f"{name}/", "--protocol", "http",
                            "--plain-http", "--data", "data"], cwd=self.folder, check=True,
                           capture_output=True)
        with terminal() as (ours, theirs):
            command = self.start(["poll", "--data", "data"], stdout=subprocess.PIPE, stderr=theirs)
            self.addCleanup(command.stdout.close)
            os.close(theirs)
            text = read_until(ours, b"1 of 2 sources")
            shown.set()
            reports = command.stdout.read()
            self.assertEqual(command.wait(), 1, "both have failed")
        self.assertIn(b"polling [###############...............] 1 of 2 sources", text)
        self.assertIn(b"late: ", reports)
        server.terminate()
        server.wait()

    def test_an_interrupted_password_leaves_the_terminal_as_it_was(self):
        subprocess.run([NETML, "init", "--name", "N", "--owner", "O"], cwd=self.folder, check=True,
                       capture_output=True)
        with terminal() as (ours, theirs):
            before = termios.tcgetattr(theirs)
            command = self.start(["user", "create", "ann"], stdin=theirs, stdout=theirs,
                                 stderr=subprocess.PIPE, preexec_fn=lambda: own_terminal(theirs))
            read_until(ours, b"Password: ")
            os.write(ours, b"half a passw\x03")
            said = command.communicate()[1]
            self.assertEqual(command.returncode, 1)
            self.assertEqual(said, b"netml: interrupted; nothing was changed\n")
            self.assertEqual(termios.tcgetattr(theirs), before)

    def test_tables_fit_and_nothing_is_coloured(self):
        subprocess.run([NETML, "init", "--name", "N", "--owner", "O"], cwd=self.folder, check=True,
                       capture_output=True)
        whole = subprocess.run([NETML, "setting", "list"], cwd=self.folder, check=True,
                               capture_output=True).stdout
        # Wide enough for all but the last column.
        columns = whole.split(b"\n")[0].index(b"MEANING") + 30
        with terminal(columns) as (ours, theirs):
            command = self.start(["setting", "list"], stdout=theirs, stderr=theirs)
            command.wait()
            os.write(theirs, b"\nEND")
            lines = read_until(ours, b"\nEND").replace(b"\r", b"").decode().split("\n")
        self.assertEqual(command.returncode, 0)
        self.assertNotIn("\x1b", "".join(lines))
        for line in lines:
            self.assertLessEqual(len(line), columns, line)
        self.assertEqual(" ".join(lines[:-1]).split(), whole.decode().split())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    NETML = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
