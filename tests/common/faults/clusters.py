"""A cluster on loopback that learns while something is done to it; what is learnt must be what one process learns."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest import mock

from click.testing import CliRunner

import pokermodel
from pokermodel.cli.main import cli
from pokermodel.errors import ClusterWarning
from pokermodel.histories import HandSource, phh
from pokermodel.library import Book

from ..books import HANDS, known, played
from ..clusters import Cluster
from ..patience import PATIENCE

__all__ = ["KINDS", "FaultyCluster"]

#: What is done to a cluster in the middle of its work.
KINDS = ("kill", "stop", "swap", "restart scheduler", "duplicate result", "version change")
_MANY = [*HANDS[:12], *(played(k, k, ("Ann", "Bob", "Eve")) for k in range(100, 112))]


class FaultyCluster:
    """A cluster of one or two workers, in a folder of its own, to which faults are done.

    Parameters
    ----------
    folder : Path
        For all that is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._known: dict[int, list[Any]] = {}
        for name in "cluster", "books":
            (folder / name).mkdir()
        self._history = folder / "hands.phhs"
        self._history.write_text(phh.dumps_all(_MANY))
        self._cluster = Cluster(folder / "cluster")
        try:
            self._expected = self._known_of(len(_MANY))
            self._cluster.start_worker()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all processes."""
        self._cluster.close()

    def fault(self, kind: str) -> None:
        """Learn, have a fault in the middle of it, and look at the book.

        What a fault must not prevent is learnt whole. A worker of another version ends the command with one line; the
        book then has the first of the hands, whole, and the rest are learnt when the version is right again.
        """
        self._number += 1
        name, batch = f"{self._number}.db", 1 + self._number % 4
        done = {
            "kill": self._kill,
            "stop": self._stop,
            "swap": self._swap,
            "restart scheduler": self._restart_scheduler,
            "version change": self._change_version,
        }
        if kind == "version change":
            said = self._learn(name, batch, done[kind], fails=True)
            assert said.startswith("Error: a worker has pokermodel "), said
            assert said.count("\n") == 1, said
            with Book(self._folder / "books" / name, create=False) as book:
                number = book.hands
            assert number < len(_MANY)
            assert known(self._folder / "books" / name) == self._known_of(number)
            self._swap()
            assert self._learn(name) == self._expected
        elif kind == "duplicate result":
            assert self._learn(name, batch, twice=True) == self._expected
        else:
            assert self._learn(name, batch, done[kind]) == self._expected
        (self._folder / "books" / name).unlink()
        for worker in self._cluster.workers:
            assert worker.poll() is None, f"a worker ended by itself:\n{self._cluster.log()}"

    def _known_of(self, number: int) -> list[Any]:
        """What a book knows that one process taught the first of the hands."""
        if number not in self._known:
            history = self._folder / f"first{number}.phhs"
            history.write_text(phh.dumps_all(_MANY[:number]))
            self._known[number] = self._learn(f"first{number}.db", history=history)
        return self._known[number]

    def _learn(
        self,
        name: str,
        at: int = 0,
        fault: Callable[[], None] | None = None,
        *,
        twice: bool = False,
        fails: bool = False,
        history: Path | None = None,
    ) -> Any:
        """Learn by the command, with a fault before a batch is written, or after it is written twice.

        Returns what the book knows then, or what the command says where it fails.
        """
        path, learn, batches = self._folder / "books" / name, Book.add_rows, 0
        more = ("--cluster", self._cluster.address) if history is None else ()

        def faulty(*arguments: Any, **options: Any) -> Any:
            nonlocal batches
            batches += 1
            if batches == at and fault is not None:
                fault()
            found = learn(*arguments, **options)
            if batches == at and twice:
                before = known(path)
                learn(*arguments, **options)
                assert known(path) == before, "what came twice was learnt twice"
            return found

        with (
            mock.patch.object(HandSource, "spans", partialmethod(HandSource.spans, 1500)),
            mock.patch.object(Book, "add_rows", faulty),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore", ClusterWarning)
            ended = CliRunner().invoke(cli, ["learn", str(history or self._history), "--book", str(path), *more])
        assert batches >= at, f"there were {batches} batches"
        said = _said(ended)
        assert (ended.exit_code != 0) == fails, f"status {ended.exit_code}: {said}\n{self._cluster.log()[-3000:]}"
        return said if fails else known(path)

    # ------------------------------------------------------------------------------------------------- what is done

    def _end(self, workers: Sequence[subprocess.Popen[bytes]], number: int) -> None:
        for worker in workers:
            worker.send_signal(number)
            worker.wait(PATIENCE)
            self._cluster.workers.remove(worker)

    def _kill(self) -> None:
        """Kill the workers, with whatever they are at; another one comes."""
        self._end(list(self._cluster.workers), signal.SIGKILL)
        self._cluster.start_worker()

    def _stop(self) -> None:
        """Stop the workers for a while, as a laptop that is closed."""
        workers = list(self._cluster.workers)
        for worker in workers:
            worker.send_signal(signal.SIGSTOP)
        threading.Timer(1.0, lambda: [worker.send_signal(signal.SIGCONT) for worker in workers]).start()

    def _swap(self) -> None:
        """Ask the workers to end, and start another one."""
        before = list(self._cluster.workers)
        self._cluster.start_worker()
        self._end(before, signal.SIGTERM)

    def _restart_scheduler(self) -> None:
        """Kill the scheduler, without which workers end, and start both again."""
        self._cluster.scheduler.kill()
        self._cluster.scheduler.wait(PATIENCE)
        self._end(list(self._cluster.workers), signal.SIGKILL)
        self._cluster.start_scheduler()
        self._cluster.start_worker()

    def _change_version(self) -> None:
        """Have nobody but a worker of another version with the same number."""
        package = self._folder / "other" / "pokermodel"
        if not package.exists():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyx")
            shutil.copytree(Path(pokermodel.__file__).parent, package, copy_function=os.symlink, ignore=ignored)
            changed = package / "game" / "hand.py"
            text = changed.read_text()
            changed.unlink()
            changed.write_text(f"{text}\n# otherwise\n")
        self._end(list(self._cluster.workers), signal.SIGKILL)
        self._cluster.start_worker(package.parent)


def _said(ended: Any) -> str:
    """What a command said, and the error of its own that `main` would print."""
    error = ended.exception
    if isinstance(error, (ValueError, OSError)):
        return f"Error: {' '.join(str(error).split())}\n"
    return str(ended.output) + ("" if error is None or isinstance(error, SystemExit) else f"{error!r}")
