"""A Desk as its user starts it: a process of its own, and requests as a program makes them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from tests.common.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class Served:
    """What `pokermodel open --json` printed, and the process."""

    def __init__(self, process, told):
        self.process = process
        self.url, self.api, self.bearer, self.book = (told[name] for name in ("url", "api", "bearer", "book"))
        self.host = self.url.split("/")[2]
        self.port = int(self.host.rpartition(":")[2])

    def ask(self, address, method="GET", body=None, **headers):
        """Status, headers and body of an answer."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, address, body=body, headers=given)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def json(self, address, **query):
        """What is there, as a program gets it."""
        address = f"{address}?{urlencode(query)}" if query else address
        status, _, text = self.ask(address, Authorization=f"Bearer {self.bearer}", Accept="application/json")
        return status, json.loads(text)

    def wait(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self.process.poll() is None, self.process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.1)  # each question takes the time of a processor

    def wait_for(self, hands):
        """Wait until there are so many hands."""
        self.wait(lambda: self.json("/hands", q="")[1]["all"] == hands)

    def end(self):
        """As Ctrl-C does; what was printed as an error is returned."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=PATIENCE)[1]


def _bound(largest):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))


@contextmanager
def desk(home, *arguments, largest=None):
    """Start a Desk whose own files are in a folder; it is killed at the end if it is still there.

    No file of it becomes larger than so many bytes.
    """
    command = [sys.executable, "-m", "pokermodel", "open", *map(str, arguments), "--json"]
    environment = {**os.environ, "POKERMODEL_HOME": str(home)}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if largest is None else lambda: _bound(largest),
    )
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield Served(process, json.loads(line))
    finally:
        process.kill()
        process.communicate()
