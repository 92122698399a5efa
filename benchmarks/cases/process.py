"""The process around the kernels: import, threads, sizes."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

import pokermodel as pm
from benchmarks.board_outer import table_bytes
from benchmarks.cases.boards import keep_no_counts
from benchmarks.registry import FACTS, Fact, Run, UnavailableError, at_least, at_most, case

# ----------------------------------------------------------------------------------------------------- import

IMPORT = "import time, numpy; start = time.process_time(); import {}; print(time.process_time() - start)"


def import_seconds(package: str) -> float:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "ignore", "-c", IMPORT.format(package)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


def importing(package: str) -> Run:
    if find_spec(package) is None:
        raise UnavailableError(f"{package} is not installed")
    return Run(partial(import_seconds, package), timed=True)


imports = case("process: import beyond NumPy's own", "import", at_most(60e-3))
imports.ours(partial(importing, "pokermodel"))
for _package in ("eval7", "pkrbot", "phevaluator", "pokerfast", "pokerkit"):
    imports.peer(_package)(partial(importing, _package))

# ------------------------------------------------------------------------------------------------ whole commands

#: A command as a process of its own. Its peer is what it cannot do without.
COMMAND = "from pokermodel.cli import main\ntry: main({})\nexcept SystemExit: pass\n"


def whole_seconds(code: str) -> float:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    code = f"import sys, time\n{code}\nprint(time.process_time(), file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(run.stderr.splitlines()[-1])  # behind what the command says


for _name, _arguments, _most, _least in (
    ("the version is said", ["--version"], 80e-3, "click"),
    ("a hand is read", ["read"], 0.4, "numpy, click, rich.console, rich.table"),
):
    _case = case(f"process: start to end, {_name}", "process", at_most(_most))
    _case.ours(partial(Run, partial(whole_seconds, COMMAND.format(_arguments)), timed=True))
    _case.peer(f"import {_least}")(partial(Run, partial(whole_seconds, f"import {_least}"), timed=True))

# ---------------------------------------------------------------------------------------------------- threads

WORKERS = 2
PROCESSES = "two processes"


def first_ranges(seed: int) -> None:
    weights = np.random.default_rng(seed).random(1326)
    for board in 5 * ("2c7d9h", "Ts9s8d", "KhKd5s"):
        pm.BoardAnalysis(board).evaluate(weights, 2)


def further_ranges(seed: int) -> Callable[[], None]:
    weights = np.random.default_rng(seed).random(1326)
    ready = pm.BoardAnalysis("2c7d9h")
    ready.evaluate(weights, 2)

    def work() -> None:
        for _ in range(400):
            ready.evaluate(weights, 2)

    return work


def rivers(seed: int) -> Callable[[], None]:
    rng = np.random.default_rng(seed)
    weights = rng.random(1326)
    boards = np.argsort(rng.random((4000, 52)), axis=1)[:, :5].tolist()

    def work() -> None:
        for board in boards:
            pm.BoardAnalysis(board).strengths(weights)

    return work


def ranks(seed: int) -> Callable[[], None]:
    hands = np.argsort(np.random.default_rng(seed).random((1 << 18, 52)), axis=1)[:, :7].astype(np.uint8)

    def work() -> None:
        for _ in range(100):
            pm.evaluate_many(hands)

    return work


WORK: dict[str, Callable[[int], Callable[[], None]]] = {
    "first ranges of flops": lambda seed: partial(first_ranges, seed),
    "further ranges of a flop": further_ranges,
    "rivers from scratch": rivers,
    "evaluate_many": ranks,
}


def worker(name: str, seed: int, pipe: Connection) -> None:
    """Work once for every message; the first answer says that all is prepared."""
    keep_no_counts()
    work = WORK[name](seed)
    pipe.send(None)
    while True:
        try:
            pipe.recv()
        except EOFError:
            return
        work()
        pipe.send(None)


def in_processes(name: str) -> Run:
    context = multiprocessing.get_context("spawn")
    pipes = []
    for seed in range(WORKERS):
        here, there = context.Pipe()
        context.Process(target=worker, args=(name, seed, there), daemon=True).start()
        there.close()
        atexit.register(here.close)
        pipes.append(here)
    for pipe in pipes:
        pipe.recv()

    def work() -> None:
        for pipe in pipes:
            pipe.send(None)
        for pipe in pipes:
            pipe.recv()

    return Run(work, WORKERS, wall=True)


def in_threads(name: str) -> Run:
    pool = ThreadPoolExecutor(WORKERS)
    works = [WORK[name](seed) for seed in range(WORKERS)]
    return Run(lambda: list(pool.map(lambda work: work(), works)), WORKERS, wall=True)


for _name in WORK:
    parallel = case(f"process: two threads, {_name}", "work", at_least(0.95, PROCESSES))
    parallel.ours(partial(in_threads, _name))
    parallel.peer(PROCESSES)(partial(in_processes, _name))

# ------------------------------------------------------------------------------------------------------ sizes


def deflated_package() -> int:
    """What the package's files take in a wheel."""
    left_out = {".c", ".pyx", ".pyc", ".html"}
    files = [path for path in Path(pm.__file__).parent.rglob("*") if path.is_file() and path.suffix not in left_out]
    return sum(len(zlib.compress(path.read_bytes())) for path in files)


FACTS.append(Fact("process: the evaluator's tables in memory", table_bytes, "bytes", 400_000))
FACTS.append(Fact("process: the package's files, deflated as in a wheel", deflated_package, "bytes", 4_600_000))
