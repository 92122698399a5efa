"""Allocations and writes that fail at a wanted call, by ``tests/native/faults.c``, in a process of its own."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["ALLOCATIONS", "FROM", "KILLED", "ONCE", "TORN", "WRITES", "Faults", "lacking", "run"]

ROOT = Path(__file__).resolve().parents[3]
ALLOCATIONS, WRITES = 1, 2
ONCE, FROM, TORN, KILLED = range(4)


def lacking() -> str | None:
    """Say what this machine lacks for such faults; None if it lacks nothing."""
    if not sys.platform.startswith("linux"):
        return "calls of the C library are taken over as Linux does it"
    if shutil.which("cc") is None:
        return "no C compiler: cc not found"
    if "address" in os.environ.get("LD_PRELOAD", "").replace("asan", "address"):
        return "a sanitizer has taken over allocations"
    return None


def run(part: str, folder: Path, *arguments: Any, tell: Callable[[str], object] = lambda what: None) -> dict[str, int]:
    """Call ``attempts(*arguments)`` of a module beside this one, in a process in which calls can fail.

    It yields what it did, a word for each fault, which is told and counted; it ends with what else it found.
    """
    library = folder / "faults.so"
    source = ROOT / "tests" / "native" / "faults.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    code = (
        "import importlib, json, sys\n"
        "module = importlib.import_module('tests.common.faults.' + sys.argv[1])\n"
        "for what in module.attempts(*json.loads(sys.argv[2])):\n"
        "    print(json.dumps(what), flush=True)\n"
    )
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": path}
    command = [sys.executable, "-c", code, part, json.dumps(arguments)]
    counts: dict[str, int] = {}
    errors = folder / "errors"
    with (
        errors.open("w") as file,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        what = "nothing"
        for line in process.stdout:
            what = json.loads(line)
            counts[what] = counts.get(what, 0) + 1
            tell(what)
    said = errors.read_text().strip()[-3000:]
    assert process.returncode == 0, f"{part}: status {process.returncode} after {what!r}: {said}"
    return counts


class Faults:
    """The calls that fail in this process, which `run` has started."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._arm, self._disarm, self._sites = (
            library.pm_faults_arm,
            library.pm_faults_disarm,
            library.pm_faults_sites,
        )
        self._arm.argtypes = ctypes.c_int, ctypes.c_char_p, ctypes.c_long, ctypes.c_int
        self._disarm.restype = ctypes.c_long
        self.met = 0

    @property
    def sites(self) -> int:
        """How many places in the code were met."""
        return int(self._sites())

    def arm(self, kind: int, libraries: str, number: int, mode: int = ONCE) -> None:
        """Have a call fail from now on; `met` says afterwards how many there were."""
        self._arm(kind, libraries.encode(), number, mode)

    def disarm(self) -> None:
        """Let all calls be done."""
        self.met = int(self._disarm())

    @contextmanager
    def failing(self, kind: int, libraries: str, number: int, mode: int = ONCE) -> Any:
        """Have a call fail in a block."""
        self.arm(kind, libraries, number, mode)
        try:
            yield
        finally:
            self.disarm()
