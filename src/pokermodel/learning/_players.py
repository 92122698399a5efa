"""Statistics of players in a database: counters of each, and what every hand added to them.

Statistics are the one piece of knowledge that is kept in tables: they can be read player by player, and since what
every hand added is kept, too, books that have hands in common are merged exactly.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sqlalchemy as sa

from pokermodel._checks import is_name
from pokermodel.game import Act
from pokermodel.learning._database import Database, checked
from pokermodel.learning._pieces import Attempt, chunks, find_piece, mark, revise
from pokermodel.learning._schema import COUNTERS, EVERYBODY, LEARNT, PLAYERS
from pokermodel.learning.profile import Profile
from pokermodel.learning.statistics import (
    ACTIONS,
    CONTEXTS,
    SIZE,
    SQUARES,
    WON,
    Contribution,
    PlayerCounts,
    PlayerStatistics,
    action_of,
    context_counts,
    has_contexts,
)
from pokermodel.reading.parts.contexts import ContextCounts
from pokermodel.reading.parts.frequencies import RECENT_ACTIONS, ActionCounts, Context

__all__ = ["PlayerTables"]

_PLAYER = sa.select(PLAYERS).where(PLAYERS.c.name == sa.bindparam("name"))
_COUNTERS_OF = sa.select(COUNTERS.c.counter, COUNTERS.c.count).where(COUNTERS.c.player == sa.bindparam("player"))
_COUNTS_OF = _COUNTERS_OF.where(COUNTERS.c.counter < SIZE)
_CONTEXTS_OF = _COUNTERS_OF.where((COUNTERS.c.counter < ACTIONS) | (COUNTERS.c.counter >= CONTEXTS))
_ACTIONS_OF = _COUNTERS_OF.where(COUNTERS.c.counter < ACTIONS)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _letter(counter: int) -> str:
    """An action as a digit of base 36: round, bets to call, and act."""
    round, bets, act = action_of(counter)
    return _DIGITS[(round * 3 + bets) * 3 + act]


#: Counters of actions after the flop, as `PLAYERS` keeps the latest of them.
_LETTERS = {counter: _letter(counter) for counter in range(ACTIONS // 4, ACTIONS)}
_CONTRIBUTION = struct.Struct("<IqH")  # player, winnings, number of counters


class PlayerTables:
    """The statistics of players as a piece of knowledge, and what is read of them.

    Parameters
    ----------
    database : Database
    """

    kind = PlayerStatistics.kind

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------------------------------------------ learning

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands that are counted with the richer contexts."""
        return self.read(connection, identities).known

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Look which hands are known; those of which version 1 did not keep the richer contexts are so in part."""
        row = find_piece(connection, self.kind, "")
        if row is None:
            return Attempt(None, 0, set())
        known: set[bytes] = set()
        in_part: dict[bytes, int] = {}
        asked = sa.select(LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added).where(LEARNT.c.knowledge == row.id)
        for some in chunks(identities):
            rows = connection.execute(asked.where(LEARNT.c.identity.in_(some))).all()
            with self._database.decoding():
                for number, identity, added in rows:
                    if has_contexts(_unpacked(added)):
                        known.add(identity)
                    else:
                        in_part[identity] = number
        return Attempt(row.id, row.revision, known, in_part)

    def update(self, attempt: Attempt, evidence: Mapping[bytes, Sequence[Contribution]]) -> None:
        """Tell hands that are new from those that are known in part."""
        in_part = attempt.state or {}
        attempt.new = {identity: added for identity, added in evidence.items() if identity not in in_part}
        attempt.state = {
            number: evidence[identity]
            for identity, number in in_part.items()
            if identity in evidence and has_contexts(evidence[identity])
        }
        attempt.changed = bool(attempt.new or attempt.state)

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Add what hands add to the counters of their players."""
        piece = revise(connection, (self.kind, ""), attempt, PlayerStatistics.version, b"")
        new: Collection[Sequence[Contribution]] = attempt.new.values()
        rest: Mapping[int, Sequence[Contribution]] = attempt.state
        ids, recent = _known(connection, {each.name for added in (*new, *rest.values()) for each in added})
        mark(connection, piece, ((identity, _packed(added, ids)) for identity, added in attempt.new.items()))
        if rest:
            connection.execute(
                LEARNT.update().where(LEARNT.c.number == sa.bindparam("which")).values(added=sa.bindparam("whole")),
                [{"which": number, "whole": _packed(added, ids)} for number, added in rest.items()],
            )
        _add_counts(connection, _counted(new, rest.values(), ids))
        _remember(connection, _latest(new, recent), ids)

    def contributions(self, after: int, most: int) -> tuple[int, list[tuple[bytes, tuple[Contribution, ...]]]]:
        """What hands added, in the order in which they were learnt: so many behind a number, and the last number."""
        with self._database.transaction() as connection:
            piece = find_piece(connection, self.kind, "")
            if piece is None:
                return after, []
            rows = connection.execute(
                sa.select(LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added)
                .where(LEARNT.c.knowledge == piece.id, LEARNT.c.number > after)
                .order_by(LEARNT.c.number)
                .limit(most)
            ).all()
            players = connection.execute(sa.select(PLAYERS)) if rows else ()
            names = {row.id: checked(row.name, str, "a player's name") for row in players}
        with self._database.decoding():
            found = [(checked(each, bytes, "a hand's identity"), _unpacked(added, names)) for _, each, added in rows]
        return (rows[-1].number if rows else after), found

    # ------------------------------------------------------------------------------------------------- reading

    def hands(self) -> int:
        """How many hands were learnt."""
        with self._database.transaction() as connection:
            piece = find_piece(connection, self.kind, "")
            if piece is None:
                return 0
            count = sa.select(sa.func.count()).select_from(LEARNT).where(LEARNT.c.knowledge == piece.id)
            return int(connection.scalar(count) or 0)

    def names(self) -> list[str]:
        """The players, in the order in which they were met."""
        with self._database.transaction() as connection:
            names = connection.scalars(sa.select(PLAYERS.c.name).order_by(PLAYERS.c.id))
            return [checked(name, str, "a player's name") for name in names]

    def number(self) -> int:
        """How many players there are."""
        with self._database.transaction() as connection:
            return int(connection.scalar(sa.select(sa.func.count()).select_from(PLAYERS)) or 0)

    def actions(self, name: str) -> ActionCounts:
        """A player's actions in the twelve contexts; raises `KeyError`."""
        with self._database.transaction() as connection:
            rows = connection.execute(_ACTIONS_OF, {"player": self._player(connection, name).id}).all()
        with self._database.decoding():
            return PlayerCounts(dict(map(tuple, rows))).counts

    def profile(self, name: str) -> Profile:
        """All of a player's counts but those by richer contexts, and the latest actions; raises `KeyError`."""
        with self._database.transaction() as connection:
            player = self._player(connection, name)
            rows = connection.execute(_COUNTS_OF, {"player": player.id}).all()
        with self._database.decoding():
            return Profile(name, PlayerCounts(dict(map(tuple, rows))), _acts(player.recent))

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions; none if the player is not known."""
        try:
            with self._database.transaction() as connection:
                letters = self._player(connection, name).recent
        except KeyError:
            return ()
        with self._database.decoding():
            return _acts(letters)

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts; raises `KeyError`."""
        with self._database.transaction() as connection:
            rows = connection.execute(_CONTEXTS_OF, {"player": self._player(connection, name).id}).all()
        return self._context_counts(rows)

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts."""
        with self._database.transaction() as connection:
            rows = connection.execute(_CONTEXTS_OF, {"player": EVERYBODY}).all()
        return self._context_counts(rows)

    def _context_counts(self, rows: Iterable[Any]) -> ContextCounts:
        with self._database.decoding():
            return context_counts(dict(map(tuple, rows)))

    @staticmethod
    def _player(connection: sa.Connection, name: str) -> Any:
        player = connection.execute(_PLAYER, {"name": name}).one_or_none() if is_name(name) else None
        if player is None:
            raise KeyError(name)
        return player


# ------------------------------------------------------------------------------------------------------ counters


def _counted(
    new: Iterable[Sequence[Contribution]], rest: Iterable[Sequence[Contribution]], ids: Mapping[str, int]
) -> Counter[int]:
    """By how much counters go up, by player and counter in one number; of the `rest`, only the richer contexts."""
    ups: list[int] = []
    sums: Counter[int] = Counter()
    for added in new:
        for name, won, counters in added:
            player = ids[name] << 16
            ups += [player | counter for counter in counters]
            sums[player | WON] += won
            sums[player | SQUARES] += (won * won + 500_000_000) // 1_000_000_000
    for added in rest:
        for name, _, counters in added:
            player = ids[name] << 16
            ups += [player | counter for counter in counters if counter >= CONTEXTS]
    counts = Counter(ups)
    counts.update(sums)
    return counts


def _add_counts(connection: sa.Connection, counts: Counter[int]) -> None:
    """Add to the counters of players, and to those of all together."""
    keys, values = (np.fromiter(part, dtype=np.int64, count=len(counts)) for part in (counts.keys(), counts.values()))
    counters, of = np.unique(keys & 0xFFFF, return_inverse=True)
    together = np.zeros(len(counters), dtype=np.int64)
    np.add.at(together, of, values)
    order = np.argsort(keys)
    keys = np.concatenate([EVERYBODY << 16 | counters, keys[order]])
    sums = [*together.tolist(), *values[order].tolist()]
    rows = zip((keys >> 16).tolist(), (keys & 0xFFFF).tolist(), sums, strict=True)
    # so many rows that SQLAlchemy's own insert would take a third of all time
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    connection.exec_driver_sql(
        f"INSERT INTO counters (player, counter, count) VALUES ({mark}, {mark}, {mark}) "
        "ON CONFLICT (player, counter) DO UPDATE SET count = counters.count + excluded.count",
        list(rows),
    )


# ---------------------------------------------------------------------------------------------------- latest actions


def _latest(new: Iterable[Sequence[Contribution]], recent: Mapping[str, str]) -> dict[str, str]:
    """The latest actions of players after new hands, given those before."""
    latest: dict[str, str] = {}
    for added in new:
        for name, _, counters in added:
            done = "".join(filter(None, map(_LETTERS.get, counters)))
            latest[name] = (latest.get(name, recent[name]) + done)[-RECENT_ACTIONS:]
    return latest


def _remember(connection: sa.Connection, latest: Mapping[str, str], ids: Mapping[str, int]) -> None:
    if latest:
        connection.execute(
            PLAYERS.update().where(PLAYERS.c.id == sa.bindparam("player")).values(recent=sa.bindparam("latest")),
            [{"player": ids[name], "latest": letters} for name, letters in latest.items()],
        )


def _acts(letters: str) -> tuple[tuple[Context, Act], ...]:
    """Actions as they were made letters."""
    numbers = [int(letter, 36) for letter in letters]
    return tuple((Context(*divmod(number // 3, 3)), Act(number % 3)) for number in numbers)


# ------------------------------------------------------------------------------------------------------------ players


def _known(connection: sa.Connection, names: Collection[str]) -> tuple[dict[str, int], dict[str, str]]:
    """Numbers and latest actions of players, who are added if they are new."""
    wanted = sorted(names)
    found = list(_rows(connection, wanted))
    new = set(wanted).difference(row.name for row in found)
    if new:
        connection.execute(PLAYERS.insert(), [{"name": name, "recent": ""} for name in sorted(new)])
        found = list(_rows(connection, wanted))
    return {row.name: row.id for row in found}, {row.name: row.recent for row in found}


def _rows(connection: sa.Connection, names: Iterable[str]) -> Iterator[Any]:
    for some in chunks(names):
        for row in connection.execute(sa.select(PLAYERS).where(PLAYERS.c.name.in_(some))):
            checked(row.recent, str, f"what {row.name!r} did last")
            yield row


# ------------------------------------------------------------------------------------------------ contributions


@cache
def _layout(counters: int) -> struct.Struct:
    return struct.Struct(f"{_CONTRIBUTION.format}{counters}H")


def _packed(added: Iterable[Contribution], ids: Mapping[str, int]) -> bytes:
    return b"".join(
        [_layout(len(counters)).pack(ids[name], won, len(counters), *counters) for name, won, counters in added]
    )


def _unpacked(data: bytes, names: Mapping[int, str] | None = None) -> tuple[Contribution, ...]:
    """Contributions as they were packed, without names if there are none."""
    found = []
    start = 0
    while start < len(data):
        player, won, size = _CONTRIBUTION.unpack_from(data, start)
        start += _CONTRIBUTION.size
        counters = struct.unpack_from(f"<{size}H", data, start)
        found.append(Contribution("" if names is None else names[player], won, counters))
        start += 2 * size
    return tuple(found)
