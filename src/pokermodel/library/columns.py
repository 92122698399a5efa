"""Columns of hands and of seats: a cache of a book's rows, over which filters and sums are evaluated with NumPy.

A column is an array of numbers of one size, an entry for each hand, for each seat, or for each seat of a hero, in the
order in which hands were added. Beside a book in a file they are kept in a folder, a file for each column, which is
mapped into memory and extended when hands arrive. What stands in a column follows from the rows alone, and is always
written at the same place: two processes that extend the same file write the same bytes. The folder can be deleted.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel._support.files import write_text
from pokermodel.cards import cards_text, holding_index
from pokermodel.library.bits import A_PAIR
from pokermodel.library.schema import BOOK

__all__ = ["BOARD", "NO_TIME", "Columns", "SeatTable", "Table"]

#: The time of a hand that has none.
NO_TIME = -(1 << 62)
_FORM = 1
_AT_ONCE = 200_000  # rows
_HAND = {
    "id": "i4",
    "file": "i4",
    "time": "i8",
    "site": "i4",
    "room": "i4",
    "game_table": "i4",
    "stake": "i4",
    "structure": "i1",
    "players": "i1",
    "hero": "i1",
    "street": "i1",
    "showdown": "i1",
    "pot": "i8",
    "kind": "i2",
    "raises": "i2",
    "rake": "i8",
    "seen": "i1",
    "flop_1": "i1",
    "flop_2": "i1",
    "flop_3": "i1",
    "turn": "i1",
    "river": "i1",
}
_TABLES = ("hands", "seats", "own", "details")
#: Columns of the cards of a board, in order.
BOARD = ("flop_1", "flop_2", "flop_3", "turn", "river")
_SEAT = {
    "hand": "i4",
    "seat": "i1",
    "player": "i4",
    "position": "i1",
    "name": "i1",
    "relative": "i1",
    "cards": "i2",
    "shown": "i1",
    "street": "i1",
    "line": "i4",
    "net": "i8",
    "ev": "i8",
    "all_in": "i1",
    "rake": "i8",
    "depth": "i8",
    "acts": "i8",
    "made": "i8",
    "faced": "i8",
    "first": "u4",
    "numbers": "u2",
}
_OF_DETAILS = ("first", "numbers")  # where the numbers of a seat begin among all details, and how many there are
_HOLDINGS = {cards_text((high, low)): holding_index((high, low)) for low, high in combinations(range(52), 2)}
_CARD = np.full((256, 256), -1, dtype=np.int8)
for _card in range(52):
    _rank, _suit = cards_text((_card,)).encode()
    _CARD[_rank, _suit] = _card


class Table:
    """Columns of one length, in memory or mapped from files."""

    def __init__(self, kinds: Mapping[str, str], folder: Path | None) -> None:
        self._kinds = {name: np.dtype(kind).newbyteorder("<") for name, kind in kinds.items()}
        self._folder = folder
        self._columns: dict[str, NDArray[Any]] = {}
        self.rows = 0

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, name: str) -> NDArray[Any]:
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self._mapped(name)
        return column

    def _mapped(self, name: str) -> NDArray[Any]:
        kind = self._kinds[name]
        if self._folder is None or not self.rows:
            return np.zeros(0, dtype=kind)
        return np.memmap(self._folder / name, dtype=kind, mode="r", shape=(self.rows,))

    def take(self, rows: int) -> None:
        """Take over what is in the files; `OSError` or `ValueError` if there is less."""
        assert self._folder is not None
        for name, kind in self._kinds.items():
            if (self._folder / name).stat().st_size < rows * kind.itemsize:
                raise ValueError(f"the column {name} is cut short")
        self._columns, self.rows = {}, rows

    def extend(self, more: Mapping[str, NDArray[Any]]) -> None:
        """Put rows behind those that there are."""
        count = len(next(iter(more.values())))
        for name, kind in self._kinds.items():
            values = np.ascontiguousarray(more[name], dtype=kind)
            if self._folder is None:
                self._columns[name] = np.concatenate([self[name], values])
                continue
            path = self._folder / name
            with open(path, "r+b" if path.exists() else "w+b") as file:
                file.seek(self.rows * kind.itemsize)
                file.write(values.tobytes())
        if self._folder is not None:
            self._columns = {}
        self.rows += count


class SeatTable(Table):
    """Columns of seats.

    Attributes
    ----------
    hands, details : Table
        The columns of the same state of the book to which those of the seats lead.
    """

    def __init__(self, kinds: Mapping[str, str], folder: Path | None, hands: Table, details: Table) -> None:
        super().__init__(kinds, folder)
        self.hands, self.details = hands, details

    def numbers(self, seats: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the details of some seats, in order, and to which of the seats each belongs."""
        first, count = (self[name][seats].astype(np.int64) for name in _OF_DETAILS)
        of = np.repeat(np.arange(len(seats)), count)
        found = self.details["number"][np.arange(len(of)) + (first - np.cumsum(count) + count)[of]]
        return found.astype(np.int64), of


class Columns:
    """The columns of a book.

    Parameters
    ----------
    folder : Path, optional
        Where they are kept; None: in memory alone.

    Attributes
    ----------
    hands : Table
        ``id file time site room game_table stake structure players hero street showdown pot kind raises rake seen``, as
        the rows have them, and the cards of the board: ``flop_1 flop_2 flop_3 turn river``, -1 where there is none.
    seats : Table
        ``hand``, which is the row of the hand in `hands`, ``seat player position name relative cards shown street line
        net ev all_in rake depth acts made faced``, and ``could_0 did_0`` and so on; `cards` is the number of the
        holding, or -1.
    own : Table
        The same of the seats of heroes alone.
    details : Table
        ``number``: the numbers of all seats, as `pokermodel.library.rows.Rows.details` has them, one after the other;
        those of a seat begin at its ``first``, and there are ``numbers`` of them.
    """

    def __init__(self, folder: Path | None, bits: Mapping[str, int]) -> None:
        pairs = max(bits.values()) // A_PAIR + 1
        self._seat_kinds = {**_SEAT, **{f"{which}_{k}": "i8" for k in range(pairs) for which in ("could", "did")}}
        self._folder = folder
        self._revision: tuple[int, int] | None = None
        #: Where each statistic stands.
        self.bits = dict(bits)
        self._clear(None)

    def _clear(self, place: Path | None) -> None:
        folders = {name: None if place is None else place / name for name in _TABLES}
        self._place = place
        self.hands = Table(_HAND, folders["hands"])
        self.details = Table({"number": "u2"}, folders["details"])
        self.seats, self.own = (
            SeatTable(self._seat_kinds, folders[name], self.hands, self.details) for name in ("seats", "own")
        )
        self._last = 0  # number of the last hand
        self._memo: dict[Any, Any] = {}

    @property
    def memo(self) -> dict[Any, Any]:
        """A cache of results from the columns; new hands empty it."""
        return self._memo

    @property
    def generation(self) -> int:
        """How often rows were changed rather than added: with each time, all that was worked out is void."""
        return -1 if self._revision is None else self._revision[1]

    def refresh(self, connection: sa.Connection, revision: tuple[int, int]) -> None:
        """Bring the columns up to date with the rows that a transaction sees."""
        if revision == self._revision:
            return
        if self._revision is None or self._revision[1] != revision[1]:
            self._open(connection, revision)
        self._memo.clear()
        try:
            self._extend(connection)
            self._keep(revision)
        except OSError:  # a full disk or a folder that cannot be written: the book itself is whole
            self._clear(None)
            self._extend(connection)
        self._revision = revision

    def _open(self, connection: sa.Connection, revision: tuple[int, int]) -> None:
        """Take over the columns that are kept of this book and generation, or begin anew."""
        self._clear(None)
        if self._folder is None:
            return
        name = connection.scalar(sa.select(BOOK.c.name)) or "book"
        place = self._folder / f"{name}-{revision[1]}-{len(self._seat_kinds)}"
        try:
            for table in _TABLES:
                (place / table).mkdir(parents=True, exist_ok=True)
        except OSError:
            return
        for other in self._folder.iterdir():
            if other != place:
                shutil.rmtree(other, ignore_errors=True)
        self._clear(place)
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            kept = json.loads((place / "state").read_text(encoding="utf-8"))
            if kept["form"] == _FORM and kept["revision"] <= revision[0]:
                for name in _TABLES:
                    getattr(self, name).take(int(kept[name]))
                self._last = int(self.hands["id"][-1]) if len(self.hands) else 0
                return
        self._clear(place)

    def _keep(self, revision: tuple[int, int]) -> None:
        if self._place is not None:
            rows = {name: len(getattr(self, name)) for name in _TABLES}
            write_text(self._place / "state", json.dumps({"form": _FORM, "revision": revision[0], **rows}))

    # ------------------------------------------------------------------------------------------------- from rows

    def _extend(self, connection: sa.Connection) -> None:
        while True:
            hands = self._rows(connection, "_hands", [*(name for name in _HAND if name not in BOARD), "board"], "id")
            if not len(hands["id"]):
                return
            first, last = len(self.hands), int(hands["id"][-1])
            numbers = hands["id"].astype(np.int64)
            boards = _boards(hands.pop("board"))
            names = [name for name in self._seat_kinds if name not in _OF_DETAILS]
            seats = self._rows(connection, "_seats", [*names, "detail"], "hand", last)
            details = seats.pop("detail")
            seats["numbers"] = np.array([len(each) for each in details], dtype=np.int64) // 2
            seats["first"] = len(self.details) + np.cumsum(seats["numbers"]) - seats["numbers"]
            self.details.extend({"number": np.frombuffer(b"".join(details), dtype="<u2")})
            self.hands.extend({**hands, **dict(zip(BOARD, boards.T, strict=True))})
            row = np.searchsorted(numbers, seats["hand"])
            own = seats["seat"] == hands["hero"][row]
            seats["hand"] = first + row
            self.seats.extend(seats)
            self.own.extend({name: column[own] for name, column in seats.items()})
            self._last = last

    def _rows(
        self, connection: sa.Connection, table: str, names: Sequence[str], by: str, last: int | None = None
    ) -> dict[str, Any]:
        """Columns of the rows behind the last hand that is there, at most so many hands."""
        upto = f" AND {by} <= {last}" if last is not None else f" ORDER BY {by} LIMIT {_AT_ONCE}"
        order = f" ORDER BY {by}, seat" if last is not None else ""
        asked = ", ".join("COALESCE(ev, net)" if name == "ev" else name for name in names)
        rows = connection.exec_driver_sql(f"SELECT {asked} FROM {table} WHERE {by} > {self._last}{upto}{order}").all()
        found: dict[str, Any] = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}
        columns: dict[str, Any] = {}
        for name in names:
            values = found.get(name, ())
            if name in ("board", "detail"):
                columns[name] = values
            elif name == "cards":
                columns[name] = np.array([_HOLDINGS.get(each, -1) for each in values], dtype=np.int64)
            elif name in ("time", "file"):
                none = NO_TIME if name == "time" else 0
                columns[name] = np.array([none if each is None else each for each in values], dtype=np.int64)
            else:
                columns[name] = np.array(values, dtype=np.int64)
        return columns


def _boards(texts: Iterable[str]) -> NDArray[np.int8]:
    """The cards of boards, five each, -1 where there is none."""
    padded = "".join(text.ljust(10) for text in texts).encode("ascii", "replace")
    letters = np.frombuffer(padded, dtype=np.uint8).reshape(-1, 5, 2)
    found: NDArray[np.int8] = _CARD[letters[..., 0], letters[..., 1]]
    return found
