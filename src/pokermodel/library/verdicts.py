"""Verdicts on decisions, as a book keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.library._database import Database, chunks
from pokermodel.library.columns import Columns
from pokermodel.library.schema import HANDS, TEXTS, VERDICTS

__all__ = ["OnHands", "StoredVerdict", "Verdicts"]


_KEY = ("site", "number", "action", "stamp")


class StoredVerdict(NamedTuple):
    """The verdict on a decision, as it is kept.

    Attributes
    ----------
    site, number : str
        The hand.
    action : int
        Which of its actions.
    stamp : str
        Further conditions of the verdict: revisions of reader and adviser, options, rake, *then* or *now*.
    verdict : str
        ``"right"``, ``"mistake"``, ``"big mistake"``, ``"probably a mistake"``, ``"cannot tell"``, ``"not judged"``.
    loss, low, high : float
        In small bets or big blinds.
    kind, method : str
    rest : bytes
        All other parts of the verdict in packed form; empty if they were not read.
    street, position, pot_type, opponents : str
        By what verdicts are added up; names of opponents with the character 31 between them.
    """

    site: str
    number: str
    action: int
    stamp: str
    verdict: str
    loss: float
    low: float
    high: float
    kind: str
    method: str
    rest: bytes
    street: str = ""
    position: str = ""
    pot_type: str = ""
    opponents: str = ""


class OnHands(NamedTuple):
    """Verdicts of a stamp on the hands of a book.

    Attributes
    ----------
    hands : ndarray of int64
        The row of the hand of each among the columns, rising.
    rows : list of StoredVerdict
        Without their rest.
    stamps : dict of str to int
        How many decisions have a verdict of each stamp, those of other stamps included.
    memo : dict
        A cache of results from `hands` and `rows`.
    """

    hands: NDArray[np.int64]
    rows: list[StoredVerdict]
    stamps: dict[str, int]
    memo: dict[Any, Any]


class Verdicts:
    """The verdicts of a book.

    Parameters
    ----------
    database : Database
    columns : callable
        Returns the columns of the book, up to date.
    """

    def __init__(self, database: Database, columns: Callable[[], Columns]) -> None:
        self._database, self._columns = database, columns
        self._kept: dict[str, tuple[Any, int, OnHands]] = {}

    def put(self, verdicts: Iterable[StoredVerdict]) -> None:
        """Keep verdicts in one transaction, in place of those of the same decision and stamp.

        The text of a stamp before the first blank is a revision: verdicts of other revisions are replaced, too.
        """
        rows = [each._asdict() for each in verdicts]
        if not rows:
            return
        with self._database.transaction(write=True) as connection:
            for row in rows:
                same = [VERDICTS.c[name] == row[name] for name in ("site", "number", "action")]
                _, blank, options = row["stamp"].partition(" ")
                ends = VERDICTS.c.stamp.endswith(blank + options, autoescape=True)
                stamp = ends if blank else VERDICTS.c.stamp == row["stamp"]
                connection.execute(VERDICTS.delete().where(*same, stamp))
            connection.execute(VERDICTS.insert(), rows)

    def of(
        self, stamp: str, *, site: str | None = None, number: str | None = None, rest: bool = True
    ) -> list[StoredVerdict]:
        """Verdicts of a stamp, those of the largest loss first; of one hand if it is named.

        Parameters
        ----------
        rest : bool
            Whether to read `StoredVerdict.rest`, too.
        """
        wanted = [VERDICTS.c.stamp == stamp]
        if site is not None:
            wanted.append(VERDICTS.c.site == site)
        if number is not None:
            wanted.append(VERDICTS.c.number == number)
        order = VERDICTS.c.loss.desc(), VERDICTS.c.site, VERDICTS.c.number, VERDICTS.c.action
        columns = [
            sa.literal(b"").label("rest") if name == "rest" and not rest else VERDICTS.c[name]
            for name in StoredVerdict._fields
        ]
        query = sa.select(*columns).where(*wanted).order_by(*order)
        with self._database.transaction() as connection:
            return [StoredVerdict(*row) for row in connection.execute(query)]

    def on_hands(self, stamp: str) -> OnHands:
        """Verdicts of a stamp on the hands of the columns: kept until verdicts change; new hands add theirs."""
        columns = self._columns()
        last = int(columns.hands["id"][-1]) if len(columns.hands) else 0
        decided = sa.func.sum(sa.case((VERDICTS.c.action > 0, 1), else_=0))
        counts = sa.select(VERDICTS.c.stamp, sa.func.count(), sa.func.sum(VERDICTS.c.loss), decided)
        with self._database.transaction() as connection:
            now = self._database.state(connection)
            at, states = connection.info.get("verdicts", (None, {}))
            if now is None or at != now:
                states = {row[0]: tuple(row[1:]) for row in connection.execute(counts.group_by(VERDICTS.c.stamp))}
                connection.info["verdicts"] = now, states
            state = columns.generation, states.get(stamp)
            before, first, found = self._kept.get(stamp, (None, 0, None))
            if found is None or before != state:
                first, found = 0, OnHands(np.zeros(0, dtype=np.int64), [], {}, {})
            rows = connection.execute(_on_hands(stamp, first, last)).all() if first < last and state[1] else []
        if rows or not first:
            fresh = np.searchsorted(columns.hands["id"], np.array([row[0] for row in rows], dtype=np.int64))
            made = [StoredVerdict._make((*row[1:11], b"", *row[11:])) for row in rows]
            found = OnHands(np.concatenate([found.hands, fresh]), found.rows + made, {}, {})
        found = found._replace(stamps={text: each[2] for text, each in states.items()})
        self._kept = {stamp: (state, last, found)}
        return found

    def hands(self, stamp: str) -> set[tuple[str, str]]:
        """The hands that are judged with a stamp: site and number of each."""
        query = sa.select(VERDICTS.c.site, VERDICTS.c.number).where(VERDICTS.c.stamp == stamp, VERDICTS.c.action == 0)
        with self._database.transaction() as connection:
            return {(row.site, row.number) for row in connection.execute(query)}

    def whole(self, verdicts: Sequence[StoredVerdict]) -> list[StoredVerdict]:
        """Read some verdicts again with their rest, in their order; those that are no longer there are left out."""
        keys = [(each.site, each.number, each.action, each.stamp) for each in verdicts]
        columns = [VERDICTS.c[name] for name in StoredVerdict._fields]
        found: dict[tuple[Any, ...], StoredVerdict] = {}
        with self._database.transaction() as connection:
            for some in chunks(keys):
                # and not by whole keys: SQLite has no index for a list of them
                within = [
                    VERDICTS.c[name].in_(set(each)) for name, each in zip(_KEY, zip(*some, strict=True), strict=True)
                ]
                for row in connection.execute(sa.select(*columns).where(*within)):
                    found[tuple(row[:4])] = StoredVerdict(*row)
        return [found[each] for each in keys if each in found]

    def stamps(self, site: str | None = None, number: str | None = None) -> dict[str, int]:
        """The stamps of the verdicts that there are, and how many have each; of one hand if it is named."""
        query = sa.select(VERDICTS.c.stamp, sa.func.count()).where(VERDICTS.c.action > 0).group_by(VERDICTS.c.stamp)
        if site is not None and number is not None:
            query = query.where(VERDICTS.c.site == site, VERDICTS.c.number == number)
        with self._database.transaction() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}


def _on_hands(stamp: str, first: int, last: int) -> sa.Select[Any]:
    """The verdicts of a stamp on hands behind one number up to another one."""
    columns = [VERDICTS.c[name] for name in StoredVerdict._fields if name != "rest"]
    same = sa.and_(VERDICTS.c.number == HANDS.c.number, VERDICTS.c.site == TEXTS.c.text)
    query = sa.select(HANDS.c.id, *columns).join(TEXTS, TEXTS.c.id == HANDS.c.room).join(VERDICTS, same)
    # of a few hands: without the index of stamps, by which SQLite would look at all verdicts first
    own = VERDICTS.c.stamp + "" if first else VERDICTS.c.stamp
    query = query.where(own == stamp, HANDS.c.id > first, HANDS.c.id <= last)
    return query.order_by(HANDS.c.id, VERDICTS.c.action)
