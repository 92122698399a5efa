"""What the application costs: each screen over many hands and players, a hand that a room writes, and memory.

    python -m benchmarks.desk [--hands N] [--players N]

A real server in a process of its own answers requests; what is measured is its processor time, beside its target. Hands
are those of `pokermodel sample`, whose rows are copied under other ids, times and names.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.library import Figure, text_of
from pokermodel.analysis.book_study import study_book
from pokermodel.executors import Processes
from pokermodel.library import Book
from pokermodel.library.files import update

TICK = 1 / os.sysconf("SC_CLK_TCK")
TIMES = 10
JUDGED = 20_000  # hands with verdicts, at most
FILTERS = (
    "",
    "hero=Robin pot=3-bet seat=BTN",
    "hero=Robin lost>5bb vs=Casey since=2026-03",
    "line=r/b/* board=paired",
    "cards=TT+,AKs faced>=75% reached=river",
    "won>0",
)


def grown(path: Path, folder: Path, hands: int, players: int) -> None:
    """Make a book of so many hands: rows of a few are copied."""
    (folder / "hands.txt").write_text(text_of(40), encoding="utf-8")
    with Book(path) as book:
        update(book, folder)
        few = book.hands
        with Processes(1) as executor:
            study_book(book, executor=executor)
        with book._database.transaction(write=True) as connection:
            run = connection.exec_driver_sql
            heroes = {row[0] for row in run("SELECT p.id FROM _players p WHERE p.name IN ('Robin', 'Casey')")}
            run(
                "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?) INSERT INTO _players "
                "(id, site, name) SELECT 100 + k, (SELECT site FROM _players LIMIT 1), 'p' || k FROM n",
                (players,),
            )
            columns = [row[1] for row in run("PRAGMA table_info(_hands)")]
            seats = [row[1] for row in run("PRAGMA table_info(_seats)")]
            others = {"id": f"h.id + {few} * n.k", "identity": "randomblob(16)"}
            others |= {"number": "h.number + 1000 * n.k", "time": "h.time + 37 * n.k"}
            others["at"] = "0"  # and not behind the last hand of the file, which is read once more when it grows
            who = f"CASE WHEN s.player IN ({', '.join(map(str, sorted(heroes)))}) THEN s.player "
            who += f"ELSE 101 + abs(random()) % {players} END"
            own = {"hand": f"s.hand + {few} * n.k", "player": who, "net": "s.net + (abs(random()) % 60 - 30) * 10000"}
            rest = ", ".join
            counted = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?) "
            times = (max(hands // few - 1, 1),)
            values = rest(others.get(each, f"h.{each}") for each in columns)
            insert = f"INSERT INTO _hands ({rest(columns)}) SELECT {values} FROM n, _hands h WHERE h.id <= {few}"
            run(f"{counted} {insert}", times)
            values = rest(own.get(each, f"s.{each}") for each in seats)
            insert = f"INSERT INTO _seats ({rest(seats)}) SELECT {values} FROM n, _seats s WHERE s.hand <= {few}"
            run(f"{counted} {insert}", times)
            verdicts = [row[1] for row in run("PRAGMA table_info(_verdicts)")]
            values = rest("v.number + 1000 * n.k" if each == "number" else f"v.{each}" for each in verdicts)
            insert = f"INSERT INTO _verdicts ({rest(verdicts)}) SELECT {values} FROM n, _verdicts v"
            run(f"{counted} {insert}", (min(times[0], JUDGED // few),))
            run("UPDATE _book SET revision = revision + 1, generation = generation + 1")
        book.columns  # noqa: B018


class Server:
    """The application in a process of its own."""

    def __init__(self, book: Path, folder: Path) -> None:
        command = [sys.executable, "-m", "pokermodel", "open", str(folder), "--book", str(book), "--json"]
        # compiled modules are kept, as those of an installed package are
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.port, self.bearer = int(told["api"].rpartition(":")[2]), told["bearer"]
        try:
            self.ask("/")
        except BaseException:
            self.process.kill()
            raise
        self.first = self.used()

    def ask(self, address: str, accept: str = "text/html", **query: str) -> bytes:
        """The body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        address = f"{address}?{urlencode(query)}" if query else address
        connection.request("GET", address, headers={"Authorization": f"Bearer {self.bearer}", "Accept": accept})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        assert answer.status == 200, (address, answer.status, body[:300])
        return body

    def json(self, address: str, **query: str) -> Any:
        """What is there, as a program gets it."""
        return json.loads(self.ask(address, "application/json", **query))

    def used(self) -> float:
        """Seconds of processor time."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return TICK * (int(fields[11]) + int(fields[12]))

    def rest(self) -> None:
        """Wait until nothing goes on."""
        before, now = -1.0, self.used()
        while now - before > 2 * TICK:
            time.sleep(0.5)
            before, now = now, self.used()

    def cost(self, address: str, **query: str) -> float:
        """Milliseconds of processor time of a request."""
        self.ask(address, **query)
        before = self.used()
        for _ in range(TIMES):
            self.ask(address, **query)
        return (self.used() - before) / TIMES * 1e3

    def memory(self) -> tuple[float, float]:
        """Megabytes of its own, and with those of files that it has mapped."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        anonymous, files = (int(re.findall(rf"{name}:\s+(\d+)", text)[0]) / 1024 for name in ("RssAnon", "RssFile"))
        return anonymous, anonymous + files


def screens(server: Server) -> Iterator[Figure]:
    """Each screen, the slowest filter and order of each."""
    server.rest()
    yield Figure("start to first screen", server.first, "s", 1.0)
    yield Figure("Today", max(server.cost("/", q=each) for each in FILTERS), "ms", 100)
    yield Figure("Hands", max(server.cost("/hands", q=each) for each in FILTERS), "ms", 100)
    yield Figure(
        "Hands, lost most first", max(server.cost("/hands", q=each, sort="lost") for each in FILTERS), "ms", 100
    )
    yield Figure("Study", max(server.cost("/study", q=each) for each in FILTERS), "ms", 100)
    yield Figure("Players, first look", max(_first(server, each) for each in FILTERS), "ms")
    yield Figure("Players", max(server.cost("/players", q=each) for each in FILTERS), "ms", 100)
    found = server.json("/players")["players"]
    for name, each in (("Player of few hands", found[-1]), ("Player of many hands", found[0])):
        yield Figure(name, server.cost(f"/player/{each['site']}/{each['name']}"), "ms", 100)
    one = server.json("/hands", q="id=300000000007")["hands"][0]
    yield Figure("Hand without a verdict", server.cost(f"/hand/{one['site']}/{one['number']}"), "ms", 60)


def _first(server: Server, where: str) -> float:
    before = server.used()
    server.ask("/players", q=where)
    return (server.used() - before) * 1e3


def written(server: Server, folder: Path) -> Iterator[Figure]:
    """A hand that a room writes: until it is listed, and what that costs."""
    block = text_of(1)
    took, used = [], []
    for number in range(7):
        server.rest()
        before, total = server.used(), server.json("/hands", q="")["all"]
        with open(folder / "hands.txt", "a", encoding="utf-8") as file:  # as a room does
            file.write(re.sub(r"#\d+", f"#{77_000 + number}", block, count=1))
        begun = time.monotonic()
        while server.json("/hands", q="id=300000000007")["all"] == total:
            time.sleep(0.05)
        took.append(time.monotonic() - begun)
        server.rest()
        used.append(server.used() - before)
    yield Figure("a hand written: on the screen", statistics.median(took), "s", 1.0)
    yield Figure("a hand written: stored, counted and asked for", statistics.median(used) * 1e3, "ms")
    own, mapped = server.memory()
    yield Figure("memory of the server", own, "MB", 300)
    yield Figure("with files that are mapped", mapped, "MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    given = parser.parse_args()
    print(f"{'':58} {'is':>9} {'target':>9}")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder, book = Path(name) / "hands", Path(name) / "book.db"
        folder.mkdir()
        os.environ["POKERMODEL_HOME"] = name
        grown(book, folder, given.hands, given.players)
        server = Server(book, folder)
        try:
            for part in (screens(server), written(server, folder)):
                for what, value, unit, target in part:
                    wanted = "" if target is None else f"{target:9g}"
                    print(f"{what:58} {value:9.3g} {wanted:>9} {unit}", flush=True)
        finally:
            server.process.terminate()  # a server that is killed leaves the semaphores of its processes
            server.process.wait()


if __name__ == "__main__":
    main()
