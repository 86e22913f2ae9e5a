#!/usr/bin/env python3
"""A client of others sees the status of refusals that come before its body was read.

Usage: refusal_clients.py CLIENT SIZExROUNDS,... REQUEST...

CLIENT   curl, requests (the Python package), or raw: all is sent before the answer is read
SIZE     of the file in the form that is sent, in bytes
ROUNDS   how many requests of that size are made, by turns those that follow
REQUEST  lines: the status to see, the method, the URL, further header fields

Certificates are not checked. Ends with 77 where the client is not installed.
"""

import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

NOT_INSTALLED = 77
PATIENCE = 120  # seconds
FILE_NAME = "map.txt"


def fields_of(lines):
    return dict(line.split(": ", 1) for line in lines if line)


def curl(method, url, fields, path, plainly):
    """Curl itself asks whether to send long bodies; `plainly`: it does not."""
    words = ["curl", "--silent", "--show-error", "--insecure", "--max-time", str(PATIENCE),
             "--output", "/dev/null", "--write-out", "%{http_code}", "--request", method,
             "--form", f"file=@{path};filename={FILE_NAME}"]
    for name, value in fields.items():
        words += ["--header", f"{name}: {value}"]
    if plainly:
        words += ["--header", "Expect:"]
    done = subprocess.run([*words, url], capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"curl ended with {done.returncode}: {done.stderr.strip()}")
    return int(done.stdout)


def python_requests(method, url, fields, path, _):
    import requests
    import urllib3

    urllib3.disable_warnings()
    with open(path, "rb") as file:
        answer = requests.request(method, url, headers=fields, files={"file": (FILE_NAME, file)},
                                  verify=False, timeout=PATIENCE)
    return answer.status_code


def raw(method, url, fields, path, _):
    target = urlsplit(url)
    with open(path, "rb") as file:
        content = file.read()
    body = (b'--edge\r\nContent-Disposition: form-data; name="file"; filename="'
            + FILE_NAME.encode() + b'"\r\n\r\n' + content + b"\r\n--edge--\r\n")
    head = f"{method} {target.path} HTTP/1.1\r\nHost: {target.netloc}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    head += f"Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {len(body)}\r\n"
    plain = socket.create_connection((target.hostname, target.port), PATIENCE)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with context.wrap_socket(plain) if target.scheme == "https" else plain as connection:
        connection.sendall(head.encode() + b"\r\n" + body)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return int(answer.split(b" ", 2)[1])


def is_installed(client):
    if client == "curl":
        return shutil.which("curl") is not None
    if client == "requests":
        try:
            import requests  # noqa: F401  (only whether it is there)
        except ImportError:
            return False
    return True


def main(client, sizes, *requests):
    if not is_installed(client):
        print(f"{client} is not installed; ./test --all installs it", file=sys.stderr)
        return NOT_INSTALLED
    ask = {"curl": curl, "requests": python_requests, "raw": raw}[client]
    made, wrong = 0, []
    for size, rounds in (each.split("x") for each in sizes.split(",")):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x" * int(size))
            file.flush()
            for turn in range(int(rounds)):
                status, method, url, *lines = requests[turn % len(requests)].splitlines()
                made += 1
                try:
                    seen = ask(method, url, fields_of(lines), file.name, turn % 2 == 0)
                except (OSError, IndexError, ValueError) as error:
                    seen = error
                if seen != int(status):
                    wrong.append(f"{status} at {size} bytes: {seen}")
    print(f"{made} requests, {len(wrong)} did not see their status", *wrong[:10], sep="\n",
          file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
