"""Verdicts on decisions, as a book keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.library._database import Database
from pokermodel.library.columns import Columns
from pokermodel.library.schema import HANDS, TEXTS, VERDICTS

__all__ = ["StoredVerdict", "Verdicts"]


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
        Everything else, as its maker packs it; empty where it was not read.
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
            Whether what is only needed of single verdicts is read, too.
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

    def on_hands(self, stamp: str) -> tuple[NDArray[np.int64], list[StoredVerdict]]:
        """Verdicts of a stamp on hands that the book has: the number of the hand of each, and the verdict without rest.

        They are kept as long as neither hands nor verdicts change.
        """
        memo = self._columns().memo
        own = VERDICTS.c.stamp == stamp
        with self._database.transaction() as connection:
            state = tuple(connection.execute(sa.select(sa.func.count(), sa.func.sum(VERDICTS.c.loss)).where(own)).one())
            key = "judged", stamp
            if key not in memo or memo[key][0] != state:
                columns = [VERDICTS.c[name] for name in StoredVerdict._fields if name != "rest"]
                same = sa.and_(VERDICTS.c.number == HANDS.c.number, VERDICTS.c.site == TEXTS.c.text)
                query = sa.select(HANDS.c.id, *columns).join(TEXTS, TEXTS.c.id == HANDS.c.room).join(VERDICTS, same)
                rows = connection.execute(query.where(own).order_by(HANDS.c.id, VERDICTS.c.action)).all()
                found = [StoredVerdict._make((*row[1:11], b"", *row[11:])) for row in rows]
                memo[key] = state, np.array([row[0] for row in rows], dtype=np.int64), found
        return memo[key][1], memo[key][2]

    def hands(self, stamp: str) -> set[tuple[str, str]]:
        """The hands that are judged with a stamp: site and number of each."""
        query = sa.select(VERDICTS.c.site, VERDICTS.c.number).where(VERDICTS.c.stamp == stamp, VERDICTS.c.action == 0)
        with self._database.transaction() as connection:
            return {(row.site, row.number) for row in connection.execute(query)}

    def whole(self, verdicts: Sequence[StoredVerdict]) -> list[StoredVerdict]:
        """Read some verdicts again with their rest, in their order; those that are no longer there are left out."""
        names = ("site", "number", "action", "stamp")
        one = sa.select(*(VERDICTS.c[name] for name in StoredVerdict._fields))
        one = one.where(*(VERDICTS.c[name] == sa.bindparam(name) for name in names))
        found = []
        with self._database.transaction() as connection:
            for each in verdicts:
                row = connection.execute(one, {name: getattr(each, name) for name in names}).one_or_none()
                found += [] if row is None else [StoredVerdict(*row)]
        return found

    def stamps(self, site: str | None = None, number: str | None = None) -> dict[str, int]:
        """The stamps of the verdicts that there are, and how many have each; of one hand if it is named."""
        query = sa.select(VERDICTS.c.stamp, sa.func.count()).where(VERDICTS.c.action > 0).group_by(VERDICTS.c.stamp)
        if site is not None and number is not None:
            query = query.where(VERDICTS.c.site == site, VERDICTS.c.number == number)
        with self._database.transaction() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}
