"""What a book costs: text to rows, rows to a database, a hand that is appended, filters and figures of many hands.

    python -m benchmarks.library [--hands N] [--learnt N]

Everything is processor time on one core, beside its target. Hands are those of `pokermodel sample`, once more under
other numbers, times and names; of the columns of N hands only the columns are made, as a book of so many would have
them.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import pokermodel as pm
from pokermodel.game import BettingStructure
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.columns import Columns
from pokermodel.library.counts import Counts
from pokermodel.library.files import update
from pokermodel.library.knowledge import learn
from pokermodel.library.names import StoredNames
from pokermodel.library.rows import Place, rows_of
from pokermodel.library.selection import select
from pokermodel.reading import PopulationModel

FILTERS = (
    *("pot=3-bet seat=BTN", "hero=Robin pot=3-bet lost>5bb vs=Casey since=2026-03", "line=r/b/* board=paired"),
    *("cards=TT+,AKs faced>=75% reached=river", "won>20 depth>=100bb left=2 showdown=yes", "player=Blake size>50bb"),
)


class Figure(NamedTuple):
    """A measured figure, and what it should be at most."""

    what: str
    value: float
    unit: str
    target: float | None = None


def cost(function: Callable[[], Any], times: int = 5) -> float:
    """The median processor time of a call, in seconds."""
    found = []
    for _ in range(times):
        begin = time.process_time()
        function()
        found.append(time.process_time() - begin)
    return statistics.median(found)


def text_of(hands: int, players: int = 6) -> str:
    """A history of so many hands; every so many names are others."""
    text = resources.files("pokermodel").joinpath("data/samples/no-limit.txt").read_text(encoding="utf-8-sig")
    blocks = re.split(r"(?=^PokerStars Hand #)", text, flags=re.MULTILINE)[1:]
    names = ("Ash", "Blake", "Casey", "Drew", "Ellis")
    found = []
    for number in range(hands):
        block = re.sub(r"Hand #\d+", f"Hand #{300_000_000_000 + number}", blocks[number % len(blocks)], count=1)
        if players > 6:
            for name in names:
                block = re.sub(rf"\b{name}\b", f"{name}{number % (players // 5)}", block)
        found.append(block)
    return "".join(found)


def reading(folder: Path, hands: int) -> Iterator[Figure]:
    path = folder / "hands.txt"
    path.write_text(text_of(hands), encoding="utf-8")

    def read() -> list[pm.Hand]:
        return list(pm.open_hands(path, strict=False, index=False))

    with_rows = cost(lambda: rows_of([(hand, Place()) for hand in read()]), 3)
    yield Figure("text to rows, a hand", with_rows / hands * 1e6, "us", 100)
    place = iter(range(100))

    def learn() -> None:
        with Book(folder / f"{next(place)}.db") as book:
            update(book, path)

    yield Figure("text to a book, a hand", cost(learn, 3) / hands * 1e6, "us", 400)
    yield Figure("on disk, a hand", (folder / "0.db").stat().st_size / hands, "bytes", 700)


def growing(folder: Path, players: int) -> Iterator[Figure]:
    history = folder / "rooms"
    history.mkdir()
    path = history / "hands.txt"
    more = text_of(9, players)
    blocks = re.split(r"(?=^PokerStars Hand #)", more, flags=re.MULTILINE)[1:]
    text = text_of(players // 5, players)
    path.write_text(text + "\n" * 10, encoding="utf-8")
    with Book(folder / "grown.db") as book:
        update(book, history)
        update(book, history)
        book.columns  # noqa: B018
        given = iter(blocks)

        def append() -> None:
            with open(path, "a", encoding="utf-8") as file:
                file.write(next(given).replace("#3", "#4"))
            assert update(book, history).added.new == 1

        yield Figure(f"a hand appended, {players:,} players", cost(append, 7) * 1e3, "ms", 10)
        learn(book, PopulationModel)  # all hands until now

        def learn_one() -> None:
            assert learn(book, PopulationModel) == 1

        append()
        yield Figure("what readers learn of a hand, in pieces", cost(learn_one, 1) * 1e3, "ms", 10)
        yield Figure("columns, when a hand arrived", cost(lambda: book.columns, 1) * 1e3, "ms")
    yield Figure("opening", cost(lambda: Book(folder / "grown.db").close()) * 1e3, "ms", 100)


def appended(folder: Path, size: int) -> Iterator[Figure]:
    path = folder / "large.txt"
    block = text_of(1)
    text = text_of(400)
    path.write_text(text * (size // len(text.encode())), encoding="utf-8")  # known hands, again and again
    with Book(folder / "large.db") as book:
        update(book, path)
        number = iter(range(100))

        def append() -> None:
            with open(path, "a", encoding="utf-8") as file:
                file.write(re.sub(r"#\d+", f"#{500 + next(number)}", block, count=1))
            assert update(book, path).added.new == 1

        yield Figure(f"appended to {size >> 20} MB", cost(append, 7) * 1e3, "ms", 20)


def many(hands: int) -> Iterator[Figure]:
    small = Book("sqlite://")
    small.add(_sample())
    few = small.columns
    columns = Columns(None, small.bits)
    rng = np.random.default_rng(1)
    times = -(-hands // len(few.hands))
    tables = {}
    for name in ("hands", "seats", "own"):
        table = getattr(few, name)
        tables[name] = {each: np.tile(table[each], times) for each in table._kinds}
    count = times * len(few.hands)
    tables["hands"]["id"] = np.arange(1, count + 1)
    tables["hands"]["time"] = 1_772_000_000 + np.sort(rng.integers(0, 3 * 10**7, count))
    for name in ("seats", "own"):
        old = getattr(few, name)["hand"]
        shift = np.repeat(np.arange(times) * len(few.hands), len(old))
        tables[name]["hand"] = np.tile(old, times) + shift
        noise = rng.integers(-30, 30, times * len(old)) * 10_000
        tables[name]["net"] = tables[name]["net"] + noise
    # most opponents are met a few times
    seats = tables["seats"]
    others = seats["player"] != tables["own"]["player"][0]
    seats["player"] = np.where(others, 10 + rng.integers(0, 20_000, len(others)), seats["player"])
    seats["player"][1::50] = np.where(others, few.seats["player"][2], seats["player"])[1::50]
    for name, table in tables.items():
        getattr(columns, name).extend(table)
    names = StoredNames(small._database, columns, small.players)
    for text in FILTERS:
        which = Filter(text)
        select(columns, which, names)
        yield Figure(f"{text}", cost(lambda which=which: select(columns, which, names)) * 1e3, "ms", 20)
    everything = select(columns, Filter("hero=Robin"), names)
    structures = columns.hands["structure"][everything.hands]
    played = everything.seats[structures == list(BettingStructure).index(BettingStructure.NO_LIMIT)]
    assert everything.table is not None
    counted = partial(Counts, everything.table, structure=BettingStructure.NO_LIMIT, bits=small.bits, details=list)

    def figures(rows: int) -> dict[str, Any]:
        return counted(played[:rows]).figures()

    def by_position() -> None:
        for seat in ("UTG", "HJ", "CO", "BTN", "SB", "BB"):
            part = select(columns, Filter(f"hero=Robin seat={seat}"), names)
            counted(np.intersect1d(part.seats, played)[:1700]).figures()

    yield Figure("all figures of 10,000 hands", cost(lambda: figures(10_000)) * 1e3, "ms", 30)
    yield Figure("the same by position", cost(by_position) * 1e3, "ms", 50)
    yield Figure(f"all figures of {len(everything.seats):,} hands", cost(lambda: figures(count), 1) * 1e3, "ms")
    net = everything.column("net")
    yield Figure(f"a sum over {len(net):,} hands", cost(lambda: net.sum()) * 1e3, "ms", 20)


def _sample() -> list[pm.Hand]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.txt"
        path.write_text(text_of(40), encoding="utf-8")
        return list(pm.open_hands(path, strict=False, index=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000, help="in columns")
    parser.add_argument("--learnt", type=int, default=4000, help="hands that are read")
    parser.add_argument("--players", type=int, default=20_000, help="in the book to which a hand is added")
    parser.add_argument("--size", type=int, default=50, help="megabytes of the file to which a hand is appended")
    given = parser.parse_args()
    print(f"{'':58} {'is':>9} {'target':>9}")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        parts = (
            reading(folder, given.learnt),
            growing(folder, given.players),
            appended(folder, given.size << 20),
            many(given.hands),
        )
        for part in parts:
            for what, value, unit, target in part:
                wanted = "" if target is None else f"{target:9g}"
                print(f"{what:58} {value:9.3g} {wanted:>9} {unit}", flush=True)


if __name__ == "__main__":
    main()
