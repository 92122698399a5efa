"""Try faults at every place, and count them. What is wrong afterwards ends the command, with status 1.

    python tools/inject_faults.py                              # all parts
    python tools/inject_faults.py kills --number 1000          # processes that learn are killed, at every statement
    python tools/inject_faults.py runs --number 200            # studies, solutions and blueprints are killed, and go on
    python tools/inject_faults.py cluster --number 200         # a cluster that learns is disturbed, in six ways in turn
    python tools/inject_faults.py writes                       # every write of SQLite, every message to PostgreSQL
    python tools/inject_faults.py allocations                  # every allocation of kernels and their bindings

Books are SQLite files, and where ``POKERMODEL_POSTGRESQL`` names a database for tests, as under
``.ci/with-postgresql``, in PostgreSQL, too. Needs a POSIX system and what the tests need; a part that lacks something
says so, and counts as none. The tests try a few of these faults each.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pokermodel.histories import phh  # noqa: E402
from tests.common.books import HANDS  # noqa: E402
from tests.common.databases import new_databases  # noqa: E402

NUMBERS = {"kills": 1000, "runs": 200, "cluster": 200}
_EVERY = 10.0  # seconds from one line of progress to the next


class Tally:
    """Counts what was tried, and says now and then how far it is."""

    def __init__(self, part: str) -> None:
        self._part = part
        self._begun = self._said = time.monotonic()
        self.done: Counter[str] = Counter()

    def add(self, what: str) -> None:
        """Count one."""
        self.done[what] += 1
        if time.monotonic() > self._said + _EVERY:
            self._said = time.monotonic()
            print(f"... {self._part}: {self.done.total():,} so far", file=sys.stderr, flush=True)

    def __str__(self) -> str:
        each = ", ".join(f"{number:,} {what}" for what, number in self.done.items())
        return f"{self._part}: {self.done.total():,} ({each or 'none'}) in {time.monotonic() - self._begun:,.0f} s"


@contextmanager
def backends(folder: Path) -> Iterator[list[tuple[str, Callable[[], str]]]]:
    """Kinds of databases that are here, and what names an empty one of each."""
    with ExitStack() as stack:
        numbers = iter(range(10**9))
        kinds = [("SQLite", lambda: str(folder / f"book{next(numbers)}"))]
        if "POKERMODEL_POSTGRESQL" in os.environ:
            kinds.append(("PostgreSQL", stack.enter_context(new_databases())))
        yield kinds


def kills(number: int, folder: Path, tally: Tally) -> None:
    from tests.common.faults.kills import kill_learning

    history = folder / "hands.phhs"
    history.write_text(phh.dumps_all(HANDS[:16]))
    with backends(folder) as kinds:
        for k, (kind, new) in enumerate(kinds):
            share = number * (k + 1) // len(kinds) - number * k // len(kinds)
            kill_learning(new(), str(history), share, lambda attempt, kind=kind: attempt and tally.add(f"on {kind}"))


def runs(number: int, folder: Path, tally: Tally) -> None:
    from tests.common.faults.runs import RUNS, kill_run

    for kind in RUNS:
        (folder / kind).mkdir()
        kill_run(kind, folder / kind, number, lambda kind=kind: tally.add(f"of {kind}"))


def cluster(number: int, folder: Path, tally: Tally) -> None:
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        print("cluster: distributed is not installed", file=sys.stderr)
        return
    from tests.common.faults.clusters import KINDS, FaultyCluster

    faulty = FaultyCluster(folder)
    try:
        for k in range(number):
            faulty.fault(KINDS[k % len(KINDS)])
            tally.add(KINDS[k % len(KINDS)])
    finally:
        faulty.close()


def writes(number: int, folder: Path, tally: Tally) -> None:
    from tests.common.faults import preloaded
    from tests.common.faults.writes import cut_connections

    if lacking := preloaded.lacking():
        print(f"writes of SQLite: {lacking}", file=sys.stderr)
    else:
        preloaded.run("writes", folder, number, tell=tally.add)
    if "POKERMODEL_POSTGRESQL" in os.environ:
        with new_databases() as new:
            for what in cut_connections(new(), number):
                tally.add(what)


def allocations(number: int, folder: Path, tally: Tally) -> None:
    from tests.common.faults import preloaded

    if lacking := preloaded.lacking():
        print(f"allocations: {lacking}", file=sys.stderr)
    else:
        preloaded.run("allocations", folder, None, number, tell=tally.add)


PARTS = {"kills": kills, "runs": runs, "cluster": cluster, "writes": writes, "allocations": allocations}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    parser.add_argument("--number", type=int, help="of kills: 1,000, and 200 of each run; of faults on a cluster: 200")
    parser.add_argument("--step", type=int, default=1, help="try every so many-th write and allocation; default: all")
    arguments = parser.parse_args()
    wrong = 0
    for part in arguments.parts or PARTS:
        tally = Tally(part)
        with tempfile.TemporaryDirectory() as folder:
            try:
                PARTS[part](
                    arguments.number or NUMBERS[part] if part in NUMBERS else arguments.step, Path(folder), tally
                )
            except AssertionError as error:
                wrong += 1
                print(f"{part}: WRONG after {tally.done.total():,}: {error}", flush=True)
        print(tally, flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
