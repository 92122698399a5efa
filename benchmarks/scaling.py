"""What a hand costs in each step, in one process and beside others, and what follows for more workers.

    python -m benchmarks.scaling FILE [--hands N] [--workers 1 2 4] [--cluster ADDRESS] [--only costs walls dask]

- `costs`: processor time a hand of what a worker does, and of what the client does with it, one after the other here;
  and the bytes that travel.
- `walls`: real time of the commands' work with so many processes of this machine.
- `dask`: real time of a task that does nothing, empty and with as many bytes as a span has, on a cluster.

From the costs, a simulation says how long a run takes on any number of workers: each takes the next span when it is
done, `2 * workers` are in progress, and the client takes the results in their order. docs/scaling.md has what came of
it.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pokermodel as pm
from pokermodel.cli._hands import Skipped
from pokermodel.executors import Dask, Executor, Processes
from pokermodel.game import Hand
from pokermodel.histories import SpanTally
from pokermodel.learning import kinds, select_kinds
from pokermodel.library.files import evidence_of
from pokermodel.library.knowledge import learn_files
from pokermodel.library.rows import Place, rows_of
from pokermodel.reading import PopulationModel
from pokermodel.scoring import score, walk


class Cost(NamedTuple):
    """Of a step, a hand: microseconds of a worker and of the client, bytes to the worker and back."""

    worker: float
    client: float = 0.0
    sent: float = 0.0
    back: float = 0.0


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time in microseconds, and what was returned."""
    begin = time.process_time()
    found = function()
    return (time.process_time() - begin) * 1e6, found


def read(path: Path, n: int) -> list[Hand]:
    return list(islice(pm.open_hands(path, strict=False, index=False).read([]), n))


def costs(path: Path, n: int) -> dict[str, Cost]:
    """What each step costs."""
    found: dict[str, Cost] = {}
    reading, hands = timed(lambda: read(path, n))
    n = len(hands)
    found["read"] = Cost(reading / n)

    cutting, spans = timed(lambda: [span for some in pm.open_hands(path, strict=False).spans() for span in some])
    took, tallies = timed(lambda: [(tally := SpanTally(Skipped()), len(list(span.read(tally))))[0] for span in spans])
    total = sum(tally.hands for tally in tallies)
    bytes_sent = len(pickle.dumps(spans)) / total
    found["read in spans"] = Cost(took / total, cutting / total, bytes_sent)

    hands = read(path, n)  # whose replays are not known
    for name in (*kinds(), None):
        chosen = select_kinds(kinds() if name is None else [name])
        fresh: list[Hand] = pickle.loads(pickle.dumps(hands))
        with tempfile.TemporaryDirectory() as folder, pm.Book(Path(folder) / "book") as book:
            along = {name: kind for name, kind in chosen.items() if hasattr(kind, "learn_pieces")}

            def work(fresh: list[Hand] = fresh, book: pm.Book = book, along: Any = along) -> Any:
                return rows_of([(hand, Place()) for hand in fresh], book.bits), evidence_of(along, fresh)

            working, rows = timed(work)
            learning, _ = timed(lambda some=chosen, b=book, fresh=fresh: b.learn(fresh, kinds=some.values()))
        label = "learn" if name is None else f"learn {name}"
        writing = max(learning - working, 0.0)
        found[label] = Cost(
            found["read in spans"].worker + working / n,
            cutting / total + writing / n,
            bytes_sent,
            len(pickle.dumps(rows)) / n,
        )

    content = pickle.dumps(hands[: min(n, 2000)])
    some = pickle.loads(content)
    m = len(some)
    sending = (
        timed(lambda: pickle.dumps(some))[0] + timed(lambda: [(list(hand.replay()), hand.payoffs) for hand in some])[0]
    )
    client = found["read"].worker + sending / m
    for model in ("som", "adaptive", "bpp"):
        for more, frozen in (("", False), (" --frozen", True)):
            some = pickle.loads(content)
            took, _ = timed(lambda some=some, model=model, frozen=frozen: score(some, model, frozen=frozen))
            there = Cost(took / m, client, len(content) / m)  # the result is of a size of its own
            found[f"score {model}{more}"] = there if frozen else Cost(0.0, found["read"].worker + took / m)

    took, _ = timed(lambda: pm.tables.tournament("loki1*2,bpm*4", 30, seed=1, block=30))
    found["tournament of six, a deal"] = Cost(took / 30)
    return found


def book_sizes(path: Path, n: int) -> list[tuple[int, int, int, int]]:
    """Hands, players and bytes of a book while it grows, and bytes of what the adaptive reader knows."""
    hands = read(path, n)
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "book"
        with pm.Book(place) as book:
            for stop in (n // 4, n // 2, n):
                book.learn(hands[:stop])
                people = book.knowledge(PopulationModel)
                assert people is not None
                sizes.append((book.hands, len(book), place.stat().st_size, len(people.to_bytes())))
    return sizes


def simulated(cost: Cost, hands: float, workers: int, overhead: float, span: int = 1000) -> float:
    """Seconds of so many hands on so many workers, given the microseconds of the client and the scheduler a task."""
    spans = int(hands // span) or 1
    shown = min(spans, 50 * workers + 1000)  # the rest goes on as these do
    free = [0.0] * workers
    taken: list[float] = []
    client = 0.0
    for number in range(shown):
        # a task is sent when the result so many before it has been taken
        sent = taken[number - 2 * workers] if number >= 2 * workers else 0.0
        begin = max(heapq.heappop(free), sent)
        heapq.heappush(free, begin + span * cost.worker)
        client = max(client, begin + span * cost.worker) + span * cost.client + overhead
        taken.append(client)
    return client / shown * spans / 1e6


def nothing(payload: bytes) -> bytes:
    return payload[:100_000]


def dask(address: str, tasks: int = 200) -> dict[str, float]:
    """Milliseconds of a task that does nothing, of real time and of the client's processor time."""
    found = {}
    with Dask(address) as executor:
        list(executor.map(nothing, [b"0"] * 20))
        for name, size in (("empty", 1), ("with 1 MB", 1 << 20)):
            payload = os.urandom(size)
            begin, spent = time.perf_counter(), time.process_time()
            list(executor.map(nothing, (payload for _ in range(tasks))))
            found[name] = (time.perf_counter() - begin) * 1e3 / tasks
            found[f"{name}, client"] = (time.process_time() - spent) * 1e3 / tasks
    return found


def executors(jobs: Sequence[int], cluster: str | None) -> Iterator[tuple[str, Executor]]:
    for number in jobs:
        yield f"{number} processes", Processes(number)
    if cluster is not None:
        with Dask(cluster) as executor:
            yield cluster, executor


def walls(path: Path, n: int, jobs: Sequence[int], cluster: str | None) -> dict[str, dict[str, float]]:
    """Seconds of scoring so many hands, and of learning all of the file."""

    hands = read(path, n)
    found: dict[str, dict[str, float]] = {}
    for name, executor in executors(jobs, cluster):
        list(executor.map(abs, range(8)))  # so that all have begun
        begin = time.perf_counter()
        score(hands, "adaptive", frozen=True, executor=executor)
        scored = time.perf_counter() - begin
        begin = time.perf_counter()
        score(hands, "adaptive,bpp,som,loki1", executor=executor)
        beside = time.perf_counter() - begin
        with tempfile.TemporaryDirectory() as folder, pm.Book(Path(folder) / "book") as book:
            begin = time.perf_counter()
            learn_files(book, kinds(), path, skipped=[], executor=executor)
            learnt = time.perf_counter() - begin
        begin = time.perf_counter()
        pm.tables.tournament("loki1*2,bpm*4", 160, seed=1, block=20, executor=executor)
        played = time.perf_counter() - begin
        found[name] = {"learn": learnt, "frozen": scored, "models": beside, "tournament": played}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3, help="of the costs, of which the least are taken")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--cluster", default="local:2")
    parser.add_argument("--only", nargs="+", default=["costs", "walls", "dask"], choices=["costs", "walls", "dask"])
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    report: dict[str, Any] = {"cores": os.cpu_count(), "span": walk._SPAN}
    if "costs" in asked.only:
        rounds = [costs(asked.file, asked.hands) for _ in range(asked.rounds)]
        each = {name: Cost(*map(min, zip(*(some[name] for some in rounds), strict=True))) for name in rounds[0]}
        report["costs"] = {name: cost._asdict() for name, cost in each.items()}
        report["book"] = book_sizes(asked.file, asked.hands)
        print("| step | worker, us a hand | client, us a hand | bytes to it | bytes back |\n|---|---|---|---|---|")
        for name, cost in each.items():
            print(f"| {name} | {cost.worker:.0f} | {cost.client:.0f} | {cost.sent:.0f} | {cost.back:.0f} |")
        for hands, players, size, people in report["book"]:
            print(f"book of {hands:,} hands and {players:,} players: {size:,} bytes, adaptive {people:,}")
        for name in ("learn", "learn statistics", "score adaptive --frozen"):
            line = [simulated(each[name], 1e6, workers, 9_000) for workers in (1, 2, 4, 8, 16, 64, 256)]
            print(f"{name}, 10^6 hands, on 1, 2, 4, 8, 16, 64, 256 workers:", *(f"{seconds:.0f} s" for seconds in line))
    if "dask" in asked.only:
        report["dask"] = dask(asked.cluster)
        for name, took in report["dask"].items():
            print(f"a task on {asked.cluster}, {name}: {took:.1f} ms")
    if "walls" in asked.only:
        report["walls"] = walls(asked.file, min(asked.hands, 3000), asked.workers, asked.cluster)
        for name, times in report["walls"].items():
            print(f"{name}: " + ", ".join(f"{step} {seconds:.1f} s" for step, seconds in times.items()))
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
