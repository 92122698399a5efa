"""Dask clusters on loopback for tests: a scheduler and workers, each a process that can be killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import pokermodel

from ..common.patience import PATIENCE


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self._port = _free_port()
        try:
            self.start_scheduler(anywhere=True)
        except BaseException:  # Ctrl-C while it starts leaves nothing behind
            self.close()
            raise
        self.address = f"tcp://127.0.0.1:{self._port}"

    def start_scheduler(self, anywhere: bool = False) -> None:
        """Start the scheduler, at the same address as before; *anywhere*, at another if that has been taken."""
        deadline = time.monotonic() + PATIENCE
        while True:
            place = ("--host", "127.0.0.1", "--port", str(self._port))
            self.scheduler = self._start("scheduler", *place, "--dashboard-address", "127.0.0.1:0", "--no-show")
            while self.scheduler.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", self._port), 1).close()
                    return
                except OSError:
                    assert time.monotonic() < deadline, self.log()
                    time.sleep(0.05)
            assert "Address already in use" in self.log(), self.log()
            assert time.monotonic() < deadline, self.log()
            if anywhere:
                self._port = _free_port()

    def start_worker(self, package: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a worker, perhaps with another copy of the package."""
        root = Path(pokermodel.__file__).parents[1] if package is None else package
        tests = Path(__file__).resolve().parents[2]
        options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        path = os.pathsep.join(map(str, (root, tests)))
        worker = self._start("worker", self.address, *options, environment={"PYTHONPATH": path})
        self.workers.append(worker)
        return worker

    def log(self) -> str:
        """All that was said."""
        return "\n".join(path.read_text(errors="replace") for path in sorted(self._folder.glob("*.log")))

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()

    def _start(self, *arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        # in a folder of its own, so that it finds nothing that it is not sent
        folder = self._folder / f"{len(self._processes)}"
        folder.mkdir()
        with open(self._folder / f"{len(self._processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(folder), **(environment or {})},
            )
        self._processes.append(process)
        return process


def _free_port() -> int:
    """A port that nothing uses now; another program may take it before it is used."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.fixture
def new_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without workers."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers, for tests that leave them as they are."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.start_worker()
        made.start_worker()
        yield made
    finally:
        made.close()
