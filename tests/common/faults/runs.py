"""Long runs that are killed and gone on with: a study, solutions of several spots, and a blueprint.

A run is killed at each moment at which a file is about to be on disk, before it and after it, and at moments that are
spread over its time. Then it goes on, or it is killed once more and goes on. What it prints and writes in the end is
what a run prints and writes that nobody disturbed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pokermodel.cli import main
from pokermodel.histories import phh

from .. import studied

__all__ = ["RUNS", "kill_run", "killed"]

_TIMES = re.compile(rb'"(?:seconds|done_before|bytes)": [^,}]*')


def _study(folder: Path) -> list[str]:
    hands = [studied.hand(k, [(2, studied.F, None), (0, studied.F, None)]) for k in range(11, 15)]
    (folder / "hands.phhs").write_text(phh.dumps_all([studied.FOLDED, *hands, studied.CALLED]))
    return ["study", str(folder / "hands.phhs"), "--hero", "Hero", "--fast", "--json"]


def _solve(folder: Path) -> list[str]:
    (folder / "spots").mkdir()
    for pot in (100, 150, 200, 250, 300):
        text = f'board = "QsJh2h8c3d"\npot = {pot}\nstack = 300\nranges = ["JJ, T9s", "AA, QJs"]\nbets = ["100%"]\n'
        (folder / "spots" / f"{pot}.toml").write_text(text)
    return ["solve", str(folder / "spots"), "--json", "--target", "1"]


def _blueprint(folder: Path) -> list[str]:
    from pokermodel.tables.blueprint import blueprint

    from ..blueprints import FEW

    blueprint._FLOPS_FITTED = FEW
    how = ["--buckets", "12/12/6", "--rounds", "12", "--seed", "5", "--jobs", "1"]
    return ["blueprint", "build", *how, "--out", str(folder / "blueprint.npz"), "--json"]


#: Makes the files of a run in a folder and small steps in this process, and returns the command.
RUNS: dict[str, Callable[[Path], list[str]]] = {"study": _study, "solve": _solve, "blueprint": _blueprint}


def kill_run(kind: str, folder: Path, kills: int, tell: Callable[[], object] = lambda: None) -> int:
    """Kill a run so many times, each in a process of its own, and compare what it comes to.

    Returns
    -------
    int
        How many of the processes had not ended before they were to be killed.
    """
    command = RUNS[kind](folder)
    journal, out = folder / "journal", folder / "out"
    resumed = [*command, "--resume", str(journal)]
    results = [folder / "blueprint.npz"] if kind == "blueprint" else []

    def result() -> list[bytes]:
        return [_TIMES.sub(b"", out.read_bytes()), *(path.read_bytes() for path in results)]

    def start_anew() -> None:
        for path in (journal, *results):
            path.unlink(missing_ok=True)

    begin = time.monotonic()
    assert _run(resumed, out, None) == 0
    took = time.monotonic() - begin
    expected = result()
    moments = 0
    while True:  # how many moments there are
        start_anew()
        if _run(resumed, out, moments) == 0:
            break
        moments += 1
    killed = 0
    for number in range(kills):
        start_anew()
        at = number // 2 % moments if number % 2 else (number + 0.5) / kills * took
        for place in (at, at) if number % 4 > 1 else (at,):
            killed += _run(resumed, out, place) != 0
        assert _run(resumed, out, None) == 0, f"{kind}, killed at {at}: it does not go on"
        assert result() == expected, f"{kind}, killed at {at}: another result"
        tell()
    return killed


def _run(command: list[str], out: Path, place: float | None) -> int:
    """Run a command in a process that was forked, killed at a moment (a whole number) or after a time in seconds."""
    child = os.fork()
    if child == 0:
        _command(command, out, place if isinstance(place, int) else None)
    if isinstance(place, float):
        time.sleep(place)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _command(command: list[str], out: Path, moment: int | None) -> None:
    left = moment
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        nonlocal left
        for after in (False, True):
            if after:
                sync(descriptor)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left = None if left is None else left - 1

    os.fsync = fsync
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        main(command)
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(1 if end.code else 0)
    os._exit(9)


_KILL = """
import sys; from pathlib import Path
from tests.common.faults.runs import kill_run
print(kill_run(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
"""


def killed(kind: str, folder: Path, kills: int) -> int:
    """`kill_run` in a process that has no threads, as forking needs."""
    root = str(Path(__file__).resolve().parents[3])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *sys.path])}
    command = [sys.executable, "-c", _KILL, kind, str(folder), str(kills)]
    return int(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
