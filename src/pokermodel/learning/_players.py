"""Statistics of players in a database: counters of each, and what every hand added to them.

Statistics are the one piece of knowledge that is kept in tables: they can be read player by player, and since what
every hand added is kept, too, books that have hands in common are merged exactly.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel._core.hand_counts import Tally
from pokermodel._support.checks import is_name
from pokermodel.errors import BookError
from pokermodel.game import Act, BettingStructure
from pokermodel.learning._checksums import PARTS, Sums, add_sums, counter_sums, identity_sum, name_sum
from pokermodel.learning._database import DamageError, Database, checked
from pokermodel.learning._pieces import Attempt, PieceRow, chunks, claim, find_piece, insert, mark, revise, verify
from pokermodel.learning._records import LETTERS, PlayerRow, Record, Totals, is_whole, letters, newest
from pokermodel.learning._schema import COUNTERS, EVERYBODY, LEARNT, PLAYERS
from pokermodel.learning.order import day, sort_key
from pokermodel.learning.profile import Profile
from pokermodel.learning.statistics import (
    ACTIONS,
    CONTEXTS,
    DEPTHS,
    FLOPS,
    PAGES,
    POSITIONS,
    SHOWDOWN,
    SHOWDOWN_SQUARES,
    SHOWDOWN_WON,
    SQUARES,
    WON,
    Contribution,
    HandCounts,
    PlayerCounts,
    PlayerStatistics,
    context_counts,
    depth_of,
    page_of,
    position_of,
    structure_of,
    totals,
)
from pokermodel.reading.contexts import ContextCounts
from pokermodel.reading.frequencies import ActionCounts, Context

__all__ = ["PlayerTables"]

_PLAYER = sa.select(PLAYERS).where(PLAYERS.c.name == sa.bindparam("name"))
_COUNTERS_OF = sa.select(COUNTERS.c.counter, COUNTERS.c.count).where(COUNTERS.c.player == sa.bindparam("player"))


class _Parts(NamedTuple):
    """Some of a player's counters: the query for them, and which of their sums are those of these counters."""

    query: sa.Select[Any]
    sums: tuple[int, ...]


_COUNTS = _Parts(_COUNTERS_OF.where(COUNTERS.c.counter < CONTEXTS), (0, 1))
_BY_CONTEXT = _Parts(_COUNTERS_OF.where((COUNTERS.c.counter < ACTIONS) | (COUNTERS.c.counter >= CONTEXTS)), (0, 2))
_BY_ACTION = _Parts(_COUNTERS_OF.where(COUNTERS.c.counter < ACTIONS), (0,))
_EVERYTHING = _Parts(_COUNTERS_OF, (0, 1, 2))


_LETTERS = bytes([ord(LETTERS.get(counter, "\0")) for counter in range(ACTIONS)])
_MANY = 200  # hands with latest actions, of which only the newest are kept
_LOST = "of {:,} hands in the statistics not all are found"


def _nonzero(counts: Mapping[int, int]) -> dict[int, int]:
    return {counter: count for counter, count in counts.items() if count}


class _Completed(NamedTuple):
    """A hand that was known in part, and is known as a whole now."""

    number: int  # of its row
    before: Record
    after: HandCounts


class PlayerTables:
    """The statistics of players as a piece of knowledge, and what is read of them.

    Parameters
    ----------
    database : Database
    """

    kind = PlayerStatistics.kind
    name = ""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._verified = False  # that the index finds all players

    # ------------------------------------------------------------------------------------------------ learning

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands from which there is nothing more to learn."""
        return self.read(connection, identities).known

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Look which hands are known; those that were learnt before version 5 are so in part."""
        row = find_piece(connection, self.kind, self.name)
        if row is None:
            return Attempt(PieceRow(None, self.kind, self.name), set())
        known: set[bytes] = set()
        in_part: dict[bytes, tuple[int, Record]] = {}
        asked = sa.select(LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added).where(LEARNT.c.knowledge == row.id)
        for some in chunks(identities):
            for number, identity, added in connection.execute(asked.where(LEARNT.c.identity.in_(some))):
                if is_whole(identity, added):
                    known.add(identity)
                else:
                    in_part[identity] = number, Record.unpack(identity, added)
        return Attempt(row, known, in_part)

    def verify(self, connection: sa.Connection) -> None:
        """See to it that the hands and players that are known are found."""
        if (row := find_piece(connection, self.kind, self.name)) is not None:
            verify(connection, row)
            self._verify_names(connection, Totals.unpack(row.content))

    def update(self, attempt: Attempt, evidence: Mapping[bytes, HandCounts]) -> None:
        """Tell hands that are new from those that are known in part."""
        in_part = attempt.state or {}
        attempt.new = {identity: hand for identity, hand in evidence.items() if identity not in in_part}
        attempt.state = {}
        for identity, (number, before) in in_part.items():
            after = evidence.get(identity)
            if after is not None and after.place is not None:
                attempt.state[identity] = _Completed(number, before, after)
        attempt.changed = bool(attempt.new or attempt.state)

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Add what hands add to the counters of their players."""
        claim(connection, attempt.row)
        known = Totals() if attempt.row.id is None else Totals.unpack(attempt.row.content)
        completed: Mapping[bytes, _Completed] = attempt.state
        players = _Batch(connection)
        players.find({name for hand in attempt.new.values() for name in hand.names})
        players.find_numbers({id for each in completed.values() for id in each.before.ids})
        new = [
            (identity, players.learn(number, hand).pack(identity))
            for number, (identity, hand) in enumerate(attempt.new.items(), attempt.row.hands)
        ]
        whole = [
            {"which": each.number, "whole": players.complete(each).pack(identity)}
            for identity, each in completed.items()
        ]
        sums = add_sums(known.sums, players.write())
        content = Totals(known.players + len(players.new), name_sum(players.new, known.names), sums).pack()
        piece = revise(connection, attempt.row, PlayerStatistics.version, content, attempt.new)
        mark(connection, piece, new)
        if whole:
            this = LEARNT.update().where(LEARNT.c.number == sa.bindparam("which"))
            connection.execute(this.values(added=sa.bindparam("whole")), whole)

    # ------------------------------------------------------------------------------------------- what hands added

    def contributions(self, batch: int) -> Iterator[tuple[bytes, HandCounts]]:
        """What hands added, in the order in which they were learnt, read so many at a time."""
        with self._database.transaction() as connection:
            row = find_piece(connection, self.kind, self.name)
            names = {each.id: each.name for each in self._rows(connection)}
        last = hands = identities = 0
        while row is not None and hands < row.hands:  # those that are learnt meanwhile come behind them
            with self._database.transaction() as connection:
                asked = self._added(row).where(LEARNT.c.number > last).order_by(LEARNT.c.number)
                rows = connection.execute(asked.limit(min(batch, row.hands - hands))).all()
                found = [(identity, Record.unpack(identity, added).named(names)) for _, identity, added in rows]
                hands += len(found)
                identities = identity_sum((identity for identity, _ in found), identities)
                if not rows or (hands == row.hands and identities != row.identities):
                    raise DamageError(_LOST.format(row.hands))
                last = rows[-1].number
            yield from found

    def grouped(self, by: str, name: str | None = None) -> dict[str, dict[BettingStructure, dict[str, PlayerCounts]]]:
        """The counts of players by betting structure and, in it, by what `_GROUPS` has; of one player, or of all.

        Structures and groups are in order.

        Raises
        ------
        KeyError
            If the player is not known.
        """
        counts: defaultdict[tuple[int, BettingStructure, str], Counter[int]] = defaultdict(Counter)
        with self._database.transaction() as connection:
            piece = find_piece(connection, self.kind, self.name)
            if name is None:
                players = {row.id: row for row in self._rows(connection)}
            else:
                players = {row.id: row for row in [self._find(connection, name)] if row is not None}
            if piece is not None and players:
                found = self._added(piece)
                if name is not None:
                    found = _with_player(connection, found, *players)
                hands = identities = 0
                for _, identity, added in connection.execute(found, execution_options={"yield_per": 1000}):
                    record = Record.unpack(identity, added)
                    hands, identities = hands + 1, identity_sum([identity], identities)
                    for id, contribution in zip(record.ids, record.hand.players, strict=True):
                        if id in players:
                            which = id, structure_of(contribution), _GROUPS[by](record, contribution)
                            counts[which].update(totals([contribution]))
                if name is None and (hands, identities) != (piece.hands, piece.identities):
                    raise DamageError(_LOST.format(piece.hands))
            groups = _by_player(players, counts)
            for player in players.values() if name is not None else ():
                summed: Counter[int] = Counter()
                for by_group in groups[player.name].values():
                    for of_group in by_group.values():
                        summed.update(of_group)
                self._check_hands(connection, player, summed)
        if name is not None and not players:
            raise KeyError(name)
        return {
            player: {
                structure: {group: PlayerCounts(of_group, structure) for group, of_group in by_group.items()}
                for structure, by_group in by_structure.items()
            }
            for player, by_structure in groups.items()
        }

    def problems(self, batch: int) -> Iterator[str]:
        """What is wrong with the players, given what their hands added, in the order of their names."""
        with self._database.transaction() as connection:
            players = {row.name: row for row in self._rows(connection)}
            self._verify_names(connection, self._totals(connection))
        counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        latest: defaultdict[str, list[tuple[bytes, str]]] = defaultdict(list)
        together: Counter[int] = Counter()
        for number, (_, hand) in enumerate(self.contributions(batch)):
            key = sort_key(hand.time, hand.place, number)
            for added in hand.players:
                counts[added.name].update(totals([added]))
                if done := letters(added.counters):
                    entries = latest[added.name]
                    entries.append((key, done))
                    if len(entries) > _MANY:
                        entries[:] = newest(entries)
        for name, row in sorted(players.items()):
            try:
                if _nonzero(self._read(name, _EVERYTHING)[1]) != _nonzero(counts[name]):
                    yield f"the counts of {name!r} are not those of their hands"
                elif row.acts() != PlayerRow(row.id, name).after(latest[name], (), (0, 0, 0)).acts():
                    yield f"the latest actions of {name!r} are not those of their hands"
            except (BookError, KeyError) as error:
                yield str(error)
            together.update(counts[name])
        with self._database.transaction() as connection:
            known = self._counts(connection, EVERYBODY, self._totals(connection).sums, _EVERYTHING)
        if _nonzero(known) != _nonzero(together):
            yield "the counts of all players together are not those of their hands"

    @staticmethod
    def _added(piece: PieceRow) -> sa.Select[Any]:
        columns = LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added
        return sa.select(*columns).where(LEARNT.c.knowledge == piece.id)

    # ------------------------------------------------------------------------------------------------- reading

    def hands(self) -> int:
        """How many hands were learnt."""
        with self._database.transaction() as connection:
            piece = find_piece(connection, self.kind, self.name)
        return 0 if piece is None else piece.hands

    def names(self) -> list[str]:
        """The players, in the order in which they were met."""
        with self._database.transaction() as connection:
            return [row.name for row in self._rows(connection)]

    def number(self) -> int:
        """How many players there are."""
        with self._database.transaction() as connection:
            return self._totals(connection).players

    def actions(self, name: str) -> ActionCounts:
        """A player's actions in the twelve contexts; raises `KeyError`."""
        return PlayerCounts(self._read(name, _BY_ACTION)[1]).counts

    def profiles(self, name: str) -> dict[BettingStructure, Profile]:
        """All of a player's counts but those by richer contexts, and the latest actions; raises `KeyError`.

        There is a profile for each betting structure that the player has played, in order.
        """
        player, counts = self._read(name, _COUNTS)
        pages = {page_of(counter) for counter in counts}
        return {
            structure: Profile(name, PlayerCounts(counts, structure), player.acts() if structure.fixed else ())
            for structure in BettingStructure
            if PAGES[structure] in pages
        }

    def everybody(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
        """The counts of all players but those by richer contexts.

        Returns
        -------
        names : list of str
            The players, in the order in which they were met.
        rows : ndarray of int64, shape (n,)
            Which player each count belongs to, as an index into `names`.
        table : ndarray of int64, shape (n, 2)
            Counters and counts.
        """
        with self._database.transaction() as connection:
            players = self._rows(connection)
            asked = sa.select(COUNTERS).where(COUNTERS.c.counter < CONTEXTS, COUNTERS.c.player != EVERYBODY)
            found = np.array([tuple(row) for row in connection.execute(asked).all()], dtype=np.int64).reshape(-1, 3)
        ids = np.array([player.id for player in players], dtype=np.int64)  # in order
        rows = np.searchsorted(ids, found[:, 0])
        if not np.array_equal(ids[np.minimum(rows, len(ids) - 1)], found[:, 0]):
            raise DamageError("there are counts of players who are not found")
        for player, sums in zip(players, counter_sums(found[:, 1], found[:, 2], rows, len(ids)), strict=True):
            if sums[:2] != player.sums[:2]:
                raise DamageError(f"the counts of player {player.id} are not what was written")
        return [player.name for player in players], rows, found[:, 1:]

    def course(self, name: str, structure: BettingStructure) -> list[tuple[Record, Contribution]]:
        """What each hand of a player added to their counts, in the order in which hands were played.

        Raises
        ------
        KeyError
            If the player is not known.
        """
        with self._database.transaction() as connection:
            piece, player = find_piece(connection, self.kind, self.name), self._find(connection, name)
            if player is None or piece is None:
                raise KeyError(name)
            found = []
            together: Counter[int] = Counter()
            asked = _with_player(connection, self._added(piece), player.id)
            for number, identity, added in connection.execute(asked, execution_options={"yield_per": 1000}):
                record = Record.unpack(identity, added)
                for id, contribution in zip(record.ids, record.hand.players, strict=True):
                    if id == player.id:
                        together.update(totals([contribution]))
                        if structure_of(contribution) is structure:
                            found.append((record.key, number, record, contribution))
            self._check_hands(connection, player, together)
        found.sort(key=lambda each: each[:2])
        return [each[2:] for each in found]

    def _check_hands(self, connection: sa.Connection, player: PlayerRow, together: Mapping[int, int]) -> None:
        """See to it that the hands of a player that were found are all of them."""
        below = {counter: count for counter, count in together.items() if counter < CONTEXTS}
        if Counter(below) != Counter(self._counts(connection, player.id, player.sums, _COUNTS)):
            raise DamageError(f"not all hands of {player.name!r} are found")

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions; none if the player is not known."""
        with self._database.transaction() as connection:
            player = self._find(connection, name)
        return () if player is None else player.acts()

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts; raises `KeyError`."""
        return context_counts(self._read(name, _BY_CONTEXT)[1])

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts."""
        with self._database.transaction() as connection:
            return context_counts(self._counts(connection, EVERYBODY, self._totals(connection).sums, _BY_CONTEXT))

    def _totals(self, connection: sa.Connection) -> Totals:
        piece = find_piece(connection, self.kind, self.name)
        return Totals() if piece is None else Totals.unpack(piece.content)

    def _rows(self, connection: sa.Connection) -> list[PlayerRow]:
        """All players, in the order in which they were met."""
        rows = [PlayerRow.of(*row) for row in connection.execute(sa.select(PLAYERS).order_by(PLAYERS.c.id))]
        if len(rows) != self._totals(connection).players:
            raise DamageError("not all players are found")
        return rows

    def _read(self, name: str, parts: _Parts) -> tuple[PlayerRow, dict[int, int]]:
        with self._database.transaction() as connection:
            player = self._find(connection, name)
            counts = {} if player is None else self._counts(connection, player.id, player.sums, parts)
        if player is None:
            raise KeyError(name)
        return player, counts

    @staticmethod
    def _counts(connection: sa.Connection, player: int, sums: Sums, parts: _Parts) -> dict[int, int]:
        """Counters of a player, by number."""
        rows = connection.execute(parts.query, {"player": player}).all()
        counts = dict(map(tuple, rows))
        counters = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
        (found,) = counter_sums(counters, np.fromiter(counts.values(), dtype=np.int64, count=len(counts)))
        if any(found[part] != (sums[part] if part in parts.sums else 0) for part in range(PARTS)):
            raise DamageError(f"the counts of player {player} are not what was written")
        return counts

    def _find(self, connection: sa.Connection, name: str) -> PlayerRow | None:
        """The row of a player; None if they are not known."""
        if not is_name(name):
            return None
        row = connection.execute(_PLAYER, {"name": name}).one_or_none()
        if row is not None:
            return PlayerRow.of(*row)
        if not self._verified:
            self._verify_names(connection, self._totals(connection))
        return None

    def _verify_names(self, connection: sa.Connection, known: Totals) -> None:
        """See to it that the index of names has all players."""
        number = total = 0
        for some in connection.scalars(sa.select(PLAYERS.c.name)).partitions(1000):
            number += len(some)
            total = name_sum((checked(each, str, "a player's name") for each in some), total)
        if (number, total) != (known.players, known.names):
            raise DamageError(f"of {known.players:,} players not all are found by their names")
        self._verified = True


# ---------------------------------------------------------------------------------------------------------- a batch


class _Batch:
    """What a batch of hands changes in the rows of players, and in their counters."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._rows: dict[int, PlayerRow] = {}
        self._tally = Tally(
            sorted(PAGES.values()),
            won=WON,
            squares=SQUARES,
            showdown=SHOWDOWN,
            showdown_won=SHOWDOWN_WON,
            showdown_squares=SHOWDOWN_SQUARES,
            flops=FLOPS,
            letters=_LETTERS,
        )
        self._entries: defaultdict[int, list[tuple[bytes, str]]] = defaultdict(list)
        self._gone: defaultdict[int, list[bytes]] = defaultdict(list)
        #: Numbers of the players by name.
        self.ids: dict[str, int] = {}
        #: Players who were not known before.
        self.new: list[str] = []

    def find(self, names: Iterable[str]) -> None:
        """Read the rows of players, who are added if they are new."""
        wanted = sorted(names)
        self._read(PLAYERS.c.name, wanted)
        self.new = [name for name in wanted if name not in self.ids]
        if self.new:
            self._connection.execute(PLAYERS.insert(), [{"name": name, "recent": ""} for name in self.new])
            for some in chunks(self.new):
                of_these = sa.select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.name.in_(some))
                for id, name in self._connection.execute(of_these):
                    self._keep(PlayerRow(id, name))

    def find_numbers(self, ids: Iterable[int]) -> None:
        """Read the rows of players, by their numbers."""
        wanted = sorted(set(ids).difference(self._rows))
        self._read(PLAYERS.c.id, wanted)
        if not self._rows.keys() >= set(wanted):
            raise DamageError("not all players are found by their numbers")

    def _read(self, column: sa.Column[Any], values: Iterable[Any]) -> None:
        for some in chunks(values):
            for row in self._connection.execute(sa.select(PLAYERS).where(column.in_(some))):
                self._keep(PlayerRow.of(*row))

    def _keep(self, row: PlayerRow) -> None:
        self._rows[row.id] = row
        self.ids[row.name] = row.id

    def learn(self, number: int, hand: HandCounts) -> Record:
        """Count a hand, before which so many were learnt, and return all that it adds."""
        ids = [self.ids[name] for name in hand.names]
        record = Record(number if hand.place is None else 0, ids, hand)
        if acted := self._tally.learn(ids, hand.added):
            key = record.key
            for id, done in acted:
                self._entries[id].append((key, done))
        return record

    def complete(self, hand: _Completed) -> Record:
        """Count what was missing of a hand that was known in part, and return all that it adds.

        Its players keep their names, which are others in another player's copy of the hand at some sites.
        """
        before, after = hand.before, hand.after
        if len(before.ids) != len(after.names):
            raise DamageError(f"a hand of {len(after.names)} players is kept with {len(before.ids)}")
        record = Record(0, before.ids, after)
        for id, old, new in zip(before.ids, before.hand.players, after.players, strict=True):
            missing = totals([new])
            missing.subtract(totals([old]))
            for counter, count in missing.items():
                self._tally.add(id, counter, count)
            self._gone[id].append(before.key)
            if done := letters(new.counters):
                self._entries[id].append((record.key, done))
        return record

    def write(self) -> Sums:
        """Write counters and rows; return by how much the sums of all players together go up."""
        keys = np.empty(len(self._tally), dtype=np.int64)
        values = np.empty_like(keys)
        self._tally.take(keys, values)
        order = np.argsort(keys)
        keys, values = keys[order], values[order]
        ids = keys >> 16
        first = np.diff(ids, prepend=-1) != 0
        players, of = ids[first], np.cumsum(first) - 1
        self._write_counters(keys, values)
        together: Sums = (0, 0, 0)
        changed = []
        for id, sums in zip(players.tolist(), counter_sums(keys & 0xFFFF, values, of, len(players)), strict=True):
            row = self._rows[id].after(self._entries[id], self._gone[id], sums)
            changed.append({"player": id, "latest": row.recent, "sums": row.checks})
            together = add_sums(together, sums)
        this = PLAYERS.update().where(PLAYERS.c.id == sa.bindparam("player"))
        self._connection.execute(this.values(recent=sa.bindparam("latest"), checks=sa.bindparam("sums")), changed)
        return together

    def _write_counters(self, keys: NDArray[np.int64], values: NDArray[np.int64]) -> None:
        """Add to the counters of players, and to those of all together."""
        counters = keys & 0xFFFF
        sums = np.zeros(1 << 16, dtype=np.int64)
        np.add.at(sums, counters, values)
        all_of_them = np.unique(counters)
        rows = np.empty((len(all_of_them) + len(keys), 3), dtype=np.int64)
        rows[:, 0] = np.concatenate([np.full(len(all_of_them), EVERYBODY), keys >> 16])
        rows[:, 1] = np.concatenate([all_of_them, counters])
        rows[:, 2] = np.concatenate([sums[all_of_them], values])
        together = "ON CONFLICT (player, counter) DO UPDATE SET count = counters.count + excluded.count"
        insert(self._connection, "counters", "player, counter, count", rows.ravel().tolist(), together)


# ----------------------------------------------------------------------------------------------------------- groups

#: What a hand is counted under of which it is not known.
UNKNOWN = "unknown"


def _structure(record: Record, added: Contribution) -> str:
    return str(structure_of(added))


def _depth(record: Record, added: Contribution) -> str:
    depth = depth_of(added)
    return UNKNOWN if depth is None else DEPTHS[depth]


def _position(record: Record, added: Contribution) -> str:
    seat = position_of(added)
    return UNKNOWN if seat is None else POSITIONS[seat]


def _stake(record: Record, added: Contribution) -> str:
    return UNKNOWN if record.hand.place is None else record.hand.stake


def _month(record: Record, added: Contribution) -> str:
    return UNKNOWN if record.hand.time is None else day(record.hand.time)[: len("2009-07")]


def _day(record: Record, added: Contribution) -> str:
    return UNKNOWN if record.hand.time is None else day(record.hand.time)


_GROUPS: Mapping[str, Callable[[Record, Contribution], str]] = {
    "position": _position,
    "stake": _stake,
    "month": _month,
    "day": _day,
    "depth": _depth,
    "structure": _structure,
}
_NUMBER = re.compile(r"\d+\.?\d*")


def _in_order(group: str) -> tuple[Any, ...]:
    """What groups are sorted by: positions as they act, stakes by amount, and what is not known last."""
    if group in POSITIONS:
        return (0, POSITIONS.index(group))
    if group in DEPTHS[:-1]:
        return (0, DEPTHS.index(group))
    numbers = [float(number) for number in _NUMBER.findall(group)]
    return group == UNKNOWN, _NUMBER.sub("", group), numbers


def _by_player(
    players: Mapping[int, PlayerRow], counts: Mapping[tuple[int, BettingStructure, str], Counter[int]]
) -> dict[str, dict[BettingStructure, dict[str, Counter[int]]]]:
    """Counts by name, structure and group, in order, without those by richer contexts."""
    found: dict[str, dict[BettingStructure, dict[str, Counter[int]]]] = {row.name: {} for row in players.values()}
    order = {structure: place for place, structure in enumerate(BettingStructure)}
    for which in sorted(counts, key=lambda each: (order[each[1]], _in_order(each[2]))):
        id, structure, group = which
        below = {counter: count for counter, count in counts[which].items() if counter < CONTEXTS}
        found[players[id].name].setdefault(structure, {})[group] = Counter(below)
    return found


def _with_player(connection: sa.Connection, records: sa.Select[Any], id: int) -> sa.Select[Any]:
    """Of records those that may have a player in them: they have the bytes of the number somewhere."""
    found = "instr(added, :number)" if connection.dialect.name == "sqlite" else "position(:number in added)"
    number = sa.bindparam("number", id.to_bytes(4, "little"), sa.LargeBinary)
    return records.where(sa.text(f"{found} > 0").bindparams(number))
