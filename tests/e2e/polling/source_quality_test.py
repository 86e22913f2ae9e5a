"""The score of a source that is polled: a node collects maps from a peer on loopback, and its
report says that the newest changed far more than those before, and which polls failed.

Usage: source_quality_test.py NETML
"""
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

MAP = Path(__file__).resolve().parents[2] / "golden/netml/bay.xml"
NODES = 30
NODE = """<grenml:Node id="urn:made:{0}"><grenml:name>{1} {0}</grenml:name>
  <grenml:Location><grenml:long>-63.57</grenml:long><grenml:lat>44.65</grenml:lat></grenml:Location>
  </grenml:Node>
"""


def map_of(renamed):
    """The example with more nodes, the first few of which have another name."""
    nodes = "".join(NODE.format(i, "New" if i < renamed else "Old") for i in range(NODES))
    text = MAP.read_text(encoding="utf-8")
    place = re.search(r"(?=<grenml:Node\b)", text).start()
    return text[:place] + nodes + text[place:]


class Peer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, body = self.server.said
        body = body.encode()
        self.send_response(status if self.path.endswith("/netml_export/") else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    with tempfile.TemporaryDirectory() as folder, \
            http.server.ThreadingHTTPServer(("127.0.0.1", 0), Peer) as peer:
        threading.Thread(target=peer.serve_forever, daemon=True).start()

        def netml(*words, code=0):
            run = subprocess.run([sys.argv[1], "--data", f"{folder}/data", *words],
                                 capture_output=True, text=True, check=False)
            assert run.returncode == code, (words, run)
            return run.stdout

        def poll(status, body, code=0):
            peer.said = (status, body)
            netml("poll", "alps", "--poll-allow", "127.0.0.0/8", code=code)

        def delivery():
            return json.loads(netml("quality", "report", "--json"))["sources"][0]["delivery"]

        netml("init", "--name", "Here", "--owner", "Us")
        netml("source", "add", "alps", "--host", "127.0.0.1", "--port", str(peer.server_port),
              "--protocol", "http", "--plain-http")
        for renamed in (0, 1, 2, 3, 4):
            poll(200, map_of(renamed))
        usual = delivery()
        assert [each["updated"] for each in usual["imports"]] == [1, 1, 1, 1, 0], usual
        assert not usual["findings"] and usual["allowed"] > 0, usual
        poll(200, map_of(NODES))
        poll(401, "", code=1)
        found = delivery()
        assert [each["check"] for each in found["findings"]] == ["changes-jump"], found
        assert found["imports"][0]["updated"] == NODES - 4, found
        assert found["failures"] == [{"reason": "denied", "count": 1}], found
        assert found["polls"] == 7, found
        text = netml("quality", "report")
        assert re.search(r"^alps +changes-jump +10 +its newest import changed ", text, re.M), text
        peer.shutdown()


if __name__ == "__main__":
    main()
