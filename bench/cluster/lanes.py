"""Lanes: the check beside itself. Most of a run is waiting, for leases and for what is held broken,
so several runs share a machine. Each lane is a process of the check with networks, databases and
members of its own, and every n-th seed; it writes its heading, then its outcomes, a line each.
"""

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading

import report

END_SECONDS_MAX = 60


class LaneFailed(RuntimeError):
    """A lane did not come to its end; it has said why."""


class Lanes:
    """All of them. A context manager; leaving it ends them."""

    def __init__(self, count):
        self.count = count
        self.said = queue.Queue()  # lines, and of each lane an exit code in the end
        self.processes = []

    def __enter__(self):
        for number in range(self.count):
            self.processes.append(subprocess.Popen(
                ["setpriv", "--pdeathsig", "INT", sys.executable, "-B", *sys.argv, "--lane",
                 f"{number}/{self.count}"], stdout=subprocess.PIPE, text=True,
                start_new_session=True))  # so that Ctrl-C comes to each once, from here
        for process in self.processes:
            threading.Thread(target=self._listen, args=(process,), daemon=True).start()
        return self

    def __exit__(self, *error):
        for process in self.processes:
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS_MAX)

    def _listen(self, process):
        for line in process.stdout:
            self.said.put(line)
        self.said.put(process.wait())

    def outcomes(self):
        """As they come; prints the first heading before them."""
        running, is_headed = self.count, False
        while running:
            said = self.said.get()
            if isinstance(said, int):
                running -= 1
                if said != 0:
                    raise LaneFailed(f"a lane ended with exit code {said}")
            elif isinstance(parsed := json.loads(said), dict):
                yield report.Outcome(**parsed)
            elif not is_headed:
                is_headed = True
                print(f"{self.count} lanes, each: {parsed}", flush=True)


def say(line):
    """Of a lane."""
    print(json.dumps(line._asdict() if isinstance(line, report.Outcome) else line), flush=True)
