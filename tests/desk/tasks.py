"""Kinds of work for tests, whose results are kept in a database; also a program that has such work done."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from pokermodel._support.files import write_text
from pokermodel.desk.work import Kind, Work


class Kept:
    """Results by id, and how often each was kept."""

    def __init__(self, path):
        self.path = path
        with closing(self._open()) as database:
            database.execute("CREATE TABLE IF NOT EXISTS kept (id TEXT PRIMARY KEY, result TEXT, times INTEGER)")

    def _open(self):
        return sqlite3.connect(self.path, timeout=60, isolation_level=None)

    def keep(self, name, options, result):
        again = "ON CONFLICT (id) DO UPDATE SET result = excluded.result, times = times + 1"
        with closing(self._open()) as database:
            database.execute(f"INSERT INTO kept VALUES (?, ?, 1) {again}", (name, result))

    def missing(self, ids, options):
        there = self.results()
        return [each for each in ids if each not in there]

    def results(self):
        with closing(self._open()) as database:
            return dict(database.execute("SELECT id, result FROM kept"))

    def times(self):
        with closing(self._open()) as database:
            return dict(database.execute("SELECT id, times FROM kept"))


def double(context, name, options):
    """The name twice, after so many seconds."""
    if "told" in options:
        write_text(Path(options["told"]), str(os.getpid()))
    time.sleep(options.get("seconds", 0))
    if name in options.get("wrong", ()):
        raise RuntimeError(f"/home/robin/hands/{name}.txt: no such hand")
    if name in options.get("ends", ()):
        os._exit(3)
    return f"{name}{name}{context}"


def nice_of(context, name, options):
    return str(os.nice(0))


def work_in(folder, *, jobs=1, **options):
    """Work of a folder, and what it has kept."""
    kept = Kept(folder / "kept")
    kinds = {
        "double": Kind(double, kept.keep, kept.missing, "1", "!"),
        "nice": Kind(nice_of, kept.keep, kept.missing),
    }
    return Work(folder / "work.db", kinds, jobs=jobs, **options), kept


if __name__ == "__main__":
    work, _ = work_in(Path(sys.argv[1]))
    work.ask("double", [f"{k:03}" for k in range(int(sys.argv[2]))], {"seconds": 0.01})
    work.start()
    while work.summary().parts:
        time.sleep(0.01)
    work.close()
