"""What a node tells about itself, read by the programs that read it in the field: promtool and
Prometheus, as Debian has them.

Usage: monitoring_test.py NETML WHAT    (77: the program that it needs is not installed)
WHAT is
  rules       promtool takes the alert rules, and each alert fires and is silent as tests.yml says
  metrics     what a loaded node counted is there, in its log, too; and nobody finds it but where it
              was asked for
  prometheus  promtool finds nothing to complain of in that, and a real Prometheus scrapes it, takes
              the rules and what the dashboard asks
  scrape N    not a test: how long a scrape takes, and its size, with N elements
"""
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ABSENT = 77
# Only ends, with what was seen, a run that hangs and that ctest would end soon after: how long
# anything takes on a busy machine is no matter here.
DEADLINE = 500
ROOT = Path(__file__).resolve().parents[2]
MONITORING = ROOT / "docs/monitoring"
EXAMPLE = ROOT / "docs/examples/nordic-coast.xml"
# Families that a node has only where they have something to say.
NOT_ALWAYS = ("netml_memory_limit", "netml_certificate", "netml_checkpoint", "netml_source_",
              "netml_refused")
OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"


def needed(program):
    path = shutil.which(program)
    if path is None:
        print(f"{program} is not installed (cmake/install_packages.sh all)")
        sys.exit(ABSENT)
    return path


def get(url, accept=None):
    """Status and text."""
    request = urllib.request.Request(url, headers={"Accept": accept} if accept else {})
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


class Node:
    """A server with a data directory of its own."""

    def __init__(self, netml, folder):
        self.netml, self.folder = netml, folder
        self.data = str(Path(folder) / "data")
        self.log = open(Path(folder) / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [netml, "serve", "--data", self.data, "--listen", "127.0.0.1:0", "--metrics-listen",
             "127.0.0.1:0", "--log-format", "json"],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.url = self.address("listening on ")
        self.metrics = self.address("metrics on ")

    def address(self, before):
        for line in self.process.stdout:
            if line.startswith(before):
                return line[len(before):].strip()
        raise AssertionError(f"the node did not start: {self.logged()}")

    def run(self, *words):
        subprocess.run([self.netml, "--data", self.data, *words], check=True,
                       stdout=subprocess.DEVNULL)

    def load(self):
        """Something of each kind that is counted."""
        self.run("import", str(EXAMPLE))
        broken = Path(self.folder) / "broken.xml"
        broken.write_text("<rubbish>")
        failed = subprocess.run([self.netml, "--data", self.data, "import", str(broken)],
                                check=False, capture_output=True)
        expect(failed.returncode == 3, failed)
        self.run("publish", "first")
        for path in ("/status/", "/netml_export/", "/no/such/path", "/health/ready"):
            get(self.url + path)

    def logged(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        self.process.terminate()
        expect(self.process.wait(DEADLINE) == 0, self.logged())


def rules():
    promtool = needed("promtool")
    for words in (["check", "rules", "rules.yml"], ["test", "rules", "tests.yml"],
                  ["check", "config", "--syntax-only", "prometheus.yml"]):
        subprocess.run([promtool, *words], check=True, cwd=MONITORING)
    alerts = set(re.findall(r"alert: (\w+)", (MONITORING / "rules.yml").read_text()))
    tests = (MONITORING / "tests.yml").read_text()
    fired = set(re.findall(r"alertname: (\w+)\n +exp_alerts", tests))
    silent = set(re.findall(r"\{eval_time: 119m, alertname: (\w+)\}", tests))
    expect(alerts == fired == silent, (alerts, fired, silent))


def metrics(node):
    node.load()
    wanted = ('netml_imports_total{origin="command_line",outcome="imported"} 1\n',
              'netml_imports_total{origin="command_line",outcome="invalid"} 1\n',
              'netml_publications_total{outcome="published"} 1\n',
              'netml_requests_total{route="/status/",status="200"} 1\n',
              'netml_requests_total{route="other",status="404"} 1\n', "netml_writable 1\n")
    end = time.monotonic() + DEADLINE
    text = get(node.metrics)[1]
    while not all(sample in text for sample in wanted):  # a request counts once it is answered
        expect(time.monotonic() < end, f"not all of {wanted} are in\n{text}")
        text = get(node.metrics)[1]
    expect(get(node.url + "/metrics")[0] == 404, "metrics stand where clients are")
    expect(get(node.metrics.replace("/metrics", "/health/ready"))[0] == 200, "health of operators")
    expect(get(node.metrics.replace("/metrics", "/status/"))[0] == 404, "nothing else stands there")
    control = http_over(node.data + "/control.sock", "/metrics")
    expect(" 200 " in control.splitlines()[0] and control.endswith("# EOF\n"), control)
    events = [json.loads(line) for line in node.logged().splitlines()]
    imports = [event for event in events if event["event"] == "import"]
    expect([event["import"] > 0 for event in imports] == [True, True], imports)
    expect(imports[0]["lsn"] > 0 and imports[0]["duration_ms"] >= 0, imports)
    expect(imports[0]["actor"], imports)


def http_over(path, target):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target):
        shutil.copy(MONITORING / "rules.yml", folder)
        config = (MONITORING / "prometheus.yml").read_text()
        config = config.replace("15s", "2s").replace("127.0.0.1:9464", target)
        Path(folder, "prometheus.yml").write_text("global:\n  evaluation_interval: 1s\n" + config)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(Path(folder) / "prometheus.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [needed("prometheus"), f"--config.file={folder}/prometheus.yml",
             f"--storage.tsdb.path={folder}/tsdb", f"--web.listen-address=127.0.0.1:{port}"],
            stdout=self.log, stderr=self.log)

    def is_ready(self):
        """Waits for it; False where somebody took its port before it had it."""
        try:
            self.until(lambda: get(self.url + "/-/ready")[0] == 200)
        except AssertionError as failure:
            self.stop()
            if "address already in use" not in str(failure):
                raise
            return False
        return True

    def stop(self):
        self.process.terminate()
        self.process.wait(DEADLINE)

    def ask(self, path, **values):
        status, text = get(f"{self.url}/api/v1/{path}?" + urllib.parse.urlencode(values))
        answer = json.loads(text)
        expect(status == 200 and answer["status"] == "success", (path, values, text))
        return answer["data"]

    def value(self, query):
        found = self.ask("query", query=query)["result"]
        return float(found[0]["value"][1]) if found else None

    def until(self, what):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if what():
                    return
            except urllib.error.URLError:
                pass  # it is being started
            time.sleep(0.2)
        self.log.seek(0)
        raise AssertionError(self.log.read())


def ready_prometheus(folder, target):
    for _ in range(5):
        server = Prometheus(folder, target)
        if server.is_ready():
            return server
    raise AssertionError("no port stayed free")


def expressions():
    """Of the dashboard, with its variables filled in."""
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield target["expr"].replace("$instance", ".*")


def healthy(groups):
    return groups and all(rule["health"] == "ok" for group in groups for rule in group["rules"])


def prometheus(node, folder):
    needed("prometheus")
    node.load()
    checked = subprocess.run([needed("promtool"), "check", "metrics"], input=get(node.metrics)[1],
                             text=True, check=False, capture_output=True)
    expect((checked.returncode, checked.stdout, checked.stderr) == (0, "", ""), checked)
    server = ready_prometheus(folder, node.metrics.split("/")[2])
    try:
        # Nobody is at fault where a scrape takes too long now and then.
        for query in ('up{job="netml"}', 'sum(netml_elements{kind="topologies"})',
                      'sum(netml_imports_total{outcome="imported"})',
                      "netml_journal_sync_duration_seconds_count"):
            server.until(lambda: (server.value(query) or 0) >= 1)
        server.until(lambda: server.ask("targets")["activeTargets"][0]["lastError"] == "")
        server.until(lambda: healthy(server.ask("rules")["groups"]))
        names = set(server.ask("label/__name__/values"))
        for query in expressions():
            server.ask("query", query=query)
            for name in re.findall(r"\b(?:netml|process)_\w+", query):
                if not name.startswith(NOT_ALWAYS):
                    expect(name in names, f"{name} of {query} is not there")
    finally:
        server.stop()


def scrape(node, elements):
    """The generator makes topologies of 100 nodes and 100 links."""
    made = str(Path(node.folder) / "large.xml")
    with open(made, "w", encoding="utf-8") as file:
        subprocess.run([node.netml, "generate", "--topologies", str(max(1, elements // 200)),
                        "--nodes", "100", "--links", "100"], check=True, stdout=file)
    node.run("import", made)
    times, size = [], 0
    for _ in range(50):
        begin = time.monotonic()
        size = len(get(node.metrics, OPEN_METRICS)[1].encode())
        times.append(1000 * (time.monotonic() - begin))
    found = re.findall(r'netml_elements\{kind="(\w+)"\} (\d+)', get(node.metrics)[1])
    elements = sum(int(count) for _, count in found)
    print(f"{elements} elements: median {statistics.median(times):.2f} ms, "
          f"longest {max(times):.2f} ms, {size} bytes; with the connection")


def main(netml, what, elements="1000000"):
    if what == "rules":
        return rules()
    with tempfile.TemporaryDirectory(prefix="netml-monitoring-") as folder:
        node = Node(os.path.abspath(netml), folder)
        try:
            {"metrics": lambda: metrics(node), "prometheus": lambda: prometheus(node, folder),
             "scrape": lambda: scrape(node, int(elements))}[what]()
        finally:
            node.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
