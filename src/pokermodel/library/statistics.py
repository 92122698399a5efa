"""The statistics that the rows of a book have counted, and those to count again: new ones, and those defined anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice

import numpy as np
import sqlalchemy as sa

from pokermodel.game import Hand
from pokermodel.histories._writing import ErrorSink
from pokermodel.learning.definitions import registry
from pokermodel.library._database import Database, execute_many
from pokermodel.library.additions import numbers_of
from pokermodel.library.rows import BATCH, Place, Rows, rows_of
from pokermodel.library.schema import BOOK, HANDS, STATISTICS, fingerprints

__all__ = ["Statistics"]


class Statistics:
    """The statistics that the rows of a book have counted.

    Parameters
    ----------
    database : Database
    bits : callable
        Returns the bit of each count, by name.
    """

    def __init__(self, database: Database, bits: Callable[[], Mapping[str, int]]) -> None:
        self._database, self._bits = database, bits

    @property
    def to_fill(self) -> tuple[str, ...]:
        """Names of counts that some rows do not have, or by another definition: `fill` counts them."""
        prints = fingerprints()
        with self._database.transaction() as connection:
            rows = connection.execute(sa.select(STATISTICS)).all()
        found = [row.name for row in rows if not row.filled or prints.get(row.name, "") != row.fingerprint]
        return (*found, *(prints.keys() - {row.name for row in rows}))

    @property
    def to_learn_again(self) -> tuple[str, ...]:
        """Keys of the statistics that were not counted in all hands, in order."""
        keys = {name.partition(":")[0] for name in self.to_fill}
        return tuple([each.key for each in registry() if each.key in keys])

    def fill(self, hands: Iterable[Hand | tuple[Hand, Place]], *, skipped: ErrorSink | None = None) -> int:
        """Count the statistics of hands that are in the book anew, by the definitions that there are now.

        Parameters
        ----------
        hands : iterable of Hand
            All hands of the book, as `pokermodel.library.files.stored_hands` reads them again.

        Returns
        -------
        int
            How many hands were counted. `to_fill` is empty then if these were all.
        """
        given = ((each, Place()) if isinstance(each, Hand) else each for each in hands)
        found: set[int] = set()
        while batch := list(islice(given, BATCH)):
            found |= self.count(rows_of(batch, self._bits(), skipped))
        self.note(found)
        return len(found)

    def count(self, rows: Rows) -> set[int]:
        """Write the counts of rows over those of the same hands; return the numbers of these."""
        with self._database.transaction(write=True) as connection:
            ids = numbers_of(connection, [row.identity for row in rows.hands])
            pairs = [f"{which}_{pair} = ?" for which in ("could", "did") for pair in range(len(rows.could))]
            hand = np.array([ids.get(row.identity, -1) for row in rows.hands], dtype=np.int64)[rows.of_seats["hand"]]
            there = hand >= 0
            columns = [*rows.could, *rows.did, hand, rows.of_seats["seat"]]
            values = list(zip(*(column[there].tolist() for column in columns), strict=True))
            execute_many(connection, f"UPDATE _seats SET {', '.join(pairs)} WHERE hand = ? AND seat = ?", values)
        return set(ids.values())

    def note(self, numbers: Collection[int]) -> None:
        """Note that the hands of these numbers were counted anew."""
        with self._database.transaction(write=True) as connection:
            if len(numbers) == connection.scalar(sa.select(sa.func.count()).select_from(HANDS)):
                prints = fingerprints()
                for name in self._bits():
                    which = STATISTICS.update().where(STATISTICS.c.name == name)
                    connection.execute(which.values(filled=1, fingerprint=prints.get(name, "")))
            connection.execute(BOOK.update().values(generation=BOOK.c.generation + 1))
