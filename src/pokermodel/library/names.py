"""The meaning of numbers in columns: texts, stakes and players; and hands by the data beside the rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from pokermodel.library._database import Database
from pokermodel.library.columns import Columns
from pokermodel.library.players import Players
from pokermodel.library.rows import Stake
from pokermodel.library.schema import HANDS, NAMES, PLAYERS, STAKES, TAGS, TEXTS, VERDICTS

__all__ = ["StoredNames", "persons"]


class StoredNames:
    """Names as a database has them, kept as long as the columns stay as they are.

    Parameters
    ----------
    players : Players, optional
        By their names; needed for terms about players.
    """

    def __init__(self, database: Database, columns: Columns | None, players: Players | None = None) -> None:
        self._database = database
        self._players = players
        self._memo: dict[Any, Any] = {} if columns is None else columns.memo

    def _kept(self, key: Any, read: Callable[[sa.Connection], Any]) -> Any:
        if key not in self._memo:
            with self._database.transaction() as connection:
                self._memo[key] = read(connection)
        return self._memo[key]

    def texts(self, kind: str) -> Mapping[int, str]:
        """The texts of a kind, by number."""
        query = sa.select(TEXTS.c.id, TEXTS.c.text).where(TEXTS.c.kind == kind)
        found: Mapping[int, str] = self._kept(
            ("texts", kind), lambda connection: {row.id: row.text for row in connection.execute(query)}
        )
        return found

    def stakes(self) -> Mapping[int, Stake]:
        """The stakes, by number."""
        query = sa.select(STAKES)
        found: Mapping[int, Stake] = self._kept(
            "stakes",
            lambda connection: {
                row.id: Stake(row.text, row.small_bet, row.currency) for row in connection.execute(query)
            },
        )
        return found

    def players(self, names: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """The numbers of those who have some names, by all of their names."""
        of = (lambda name: []) if self._players is None else self._players.of
        return {name: [number for player in of(name) for number in player.ids] for name in names}

    def persons(self) -> Mapping[str, Sequence[int]]:
        """The numbers of players whose names are one person's, by person."""

        def read(connection: sa.Connection) -> dict[str, list[int]]:
            found: dict[str, list[int]] = {}
            for person, number in connection.execute(persons()):
                found.setdefault(person, []).append(number)
            return found

        result: Mapping[str, Sequence[int]] = self._kept("persons", read)
        return result

    def hands(self, key: str, op: str, values: Sequence[Any]) -> Collection[int]:
        """The numbers of hands for which a term of ``id``, ``tag``, ``verdict`` or ``evlost`` holds."""
        query: Any
        if key == "id":
            query = sa.select(HANDS.c.id).where(HANDS.c.number.in_(values))
        else:
            table = TAGS if key == "tag" else VERDICTS
            number = TAGS.c.name if key == "tag" else VERDICTS.c.number
            same = sa.and_(number == HANDS.c.number, table.c.site == TEXTS.c.text)
            query = sa.select(HANDS.c.id).join(TEXTS, TEXTS.c.id == HANDS.c.room).join(table, same)
            if key == "tag":
                query = query.where(TAGS.c.about == "hand", TAGS.c.tag.in_(values))
            elif key == "verdict":
                query = query.where(VERDICTS.c.verdict.in_(values))
            else:
                lost = sa.func.sum(VERDICTS.c.loss)
                tests = [_BY_OP[op](lost, value) for value in values]
                query = query.group_by(HANDS.c.id, VERDICTS.c.stamp).having(sa.or_(*tests))
        with self._database.transaction() as connection:
            return set(connection.scalars(query))


def persons() -> sa.Select[Any]:
    """The persons of joined names, and the numbers of the players that have these."""
    same = sa.and_(PLAYERS.c.name == NAMES.c.name, PLAYERS.c.site == TEXTS.c.id)
    return sa.select(NAMES.c.person, PLAYERS.c.id).join(TEXTS, TEXTS.c.text == NAMES.c.site).join(PLAYERS, same)


_BY_OP: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": lambda left, right: left == right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
