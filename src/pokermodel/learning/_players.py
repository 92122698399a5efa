"""Statistics of players in a database: counters of each, and what every hand added to them.

Statistics are the one piece of knowledge that is kept in tables: they can be read player by player, and since what
every hand added is kept, too, books that have hands in common are merged exactly.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel._core.hand_counts import Tally, renumbered
from pokermodel._support.checks import is_name
from pokermodel.errors import DamagedBookError, UnknownPlayerError
from pokermodel.game import SEATS, TABLE_SIZES, Act, BettingStructure, seat_names, table_size
from pokermodel.learning._checksums import PARTS, Sums, add_sums, counter_sums, identity_sum, name_sum
from pokermodel.learning._database import DamageError, Database, checked
from pokermodel.learning._editions import Editions, to_learn_again, united
from pokermodel.learning._pieces import Attempt, PieceRow, chunks, claim, find_piece, insert, mark, revise, verify
from pokermodel.learning._records import (
    LETTERS,
    HandRecord,
    PlayerRow,
    Totals,
    acts_of,
    full_name,
    layout_number,
    letters,
    newest,
)
from pokermodel.learning._tables import COUNTERS, EVERYBODY, LEARNT, PLAYERS
from pokermodel.learning.layout import NOWHERE, Block, Layout, renumbering
from pokermodel.learning.order import day
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

_COLUMNS = PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.site, PLAYERS.c.recent, PLAYERS.c.alias, PLAYERS.c.checks
_PLAYER = sa.select(*_COLUMNS).where(PLAYERS.c.name == sa.bindparam("name")).order_by(PLAYERS.c.id)
_AT_SITE = _PLAYER.where(PLAYERS.c.site == sa.bindparam("site"))
_COUNTERS_OF = sa.select(COUNTERS.c.counter, COUNTERS.c.count).where(COUNTERS.c.player == sa.bindparam("player"))


class _Parts(NamedTuple):
    """Some of a player's counters: the query for them, and which of their sums are those of these counters."""

    query: sa.Select[Any]
    sums: tuple[int, ...]


_ALIASED = sa.select(sa.func.count()).select_from(PLAYERS).where(PLAYERS.c.alias == sa.bindparam("player"))
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
    """A hand that was known in part, and of which more is known now."""

    number: int  # of its row
    before: HandRecord
    after: HandCounts


class _Player(NamedTuple):
    """A player, by all of their names.

    Attributes
    ----------
    label : str
        What to call them: their name, with the site if others have it, too.
    rows : tuple of PlayerRow
        That of the name that they go by first, and those of their other names.
    """

    label: str
    rows: tuple[PlayerRow, ...]


def _players_of(rows: Iterable[PlayerRow], names: Collection[str]) -> list[_Player]:
    """Who is behind some rows, in the order in which they were met.

    Parameters
    ----------
    rows : iterable of PlayerRow
        All names of everybody who is among them, in order.
    names : collection of str
        Names that more than one player has, and full names.
    """
    found: dict[int, list[PlayerRow]] = {}
    for row in rows:
        of_one = found.setdefault(row.alias or row.id, [])
        of_one.insert(0 if not row.alias else len(of_one), row)
    return [
        _Player(of_one[0].full_name if of_one[0].name in names else of_one[0].name, (*of_one,))
        for of_one in found.values()
    ]


def _not_alone(rows: Sequence[PlayerRow]) -> set[str]:
    """Names that do not say who is meant: those that several players have, and those that read like a full name."""
    whose: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        whose[row.name].add(row.alias or row.id)
    several = {name for name, players in whose.items() if len(players) > 1}
    return several | (whose.keys() & {row.full_name for row in rows})


class PlayerTables:
    """The statistics of players as a piece of knowledge, and what is read of them.

    Parameters
    ----------
    merging : bool
        Whether hands come from another book, which may have counted what this build does not.
    """

    kind = PlayerStatistics.kind
    name = ""

    def __init__(self, database: Database, merging: bool = False) -> None:
        self._database = database
        self._merging = merging
        self._verified = False  # that the index finds all players

    # ------------------------------------------------------------------------------------------------ learning

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands from which there is nothing more to learn."""
        return self.read(connection, identities).known

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Look which hands are known; those of which not all is counted that this build counts are so in part."""
        row = find_piece(connection, self.kind, self.name)
        if row is None:
            return Attempt(PieceRow(None, self.kind, self.name), set())
        known: set[bytes] = set()
        in_part: dict[bytes, tuple[int, HandRecord]] = {}
        editions = Editions.read(connection)
        complete = set() if self._merging else editions.complete()
        asked = sa.select(LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added).where(LEARNT.c.knowledge == row.id)
        for some in chunks(identities):
            for number, identity, added in connection.execute(asked.where(LEARNT.c.identity.in_(some))):
                if layout_number(identity, added) in complete:
                    known.add(identity)
                else:
                    in_part[identity] = number, HandRecord.unpack(identity, added, editions.layouts)
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
            if after is not None and united(before.hand.layout, after.layout)[1]:
                attempt.state[identity] = _Completed(number, before, after)
        attempt.changed = bool(attempt.new or attempt.state)

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Add what hands add to the counters of their players."""
        claim(connection, attempt.row)
        known = Totals() if attempt.row.id is None else Totals.unpack(attempt.row.content)
        completed: Mapping[bytes, _Completed] = attempt.state
        players = _Batch(connection, Editions.read(connection))
        players.find_numbers({id for each in completed.values() for id in each.before.ids})
        players.find({(name, site) for hand in attempt.new.values() for site in (hand.site,) for name in hand.names})
        new = [(identity, players.learn(hand).pack(identity)) for identity, hand in attempt.new.items()]
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
        names: dict[int, str] = {}
        for identity, record in self._records(batch):
            if not names.keys() >= set(record.ids):
                with self._database.transaction() as connection:
                    names = {each.id: each.name for each in self._rows(connection)}
            yield identity, record.named(names)

    def _records(self, batch: int) -> Iterator[tuple[bytes, HandRecord]]:
        """The records of hands, in the order in which they were learnt, read so many at a time."""
        with self._database.transaction() as connection:
            row = find_piece(connection, self.kind, self.name)
        last = hands = identities = 0
        while row is not None and hands < row.hands:  # those that are learnt meanwhile come behind them
            with self._database.transaction() as connection:
                layouts = Editions.read(connection).layouts
                asked = self._added(row).where(LEARNT.c.number > last).order_by(LEARNT.c.number)
                rows = connection.execute(asked.limit(min(batch, row.hands - hands))).all()
                found = [(identity, HandRecord.unpack(identity, added, layouts)) for _, identity, added in rows]
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
        UnknownPlayerError
            If the player is not known.
        ValueError
            If several players have the name.
        """
        counts: defaultdict[tuple[str, BettingStructure, str], Counter[int]] = defaultdict(Counter)
        with self._database.transaction() as connection:
            piece = find_piece(connection, self.kind, self.name)
            found = self._everybody(connection) if name is None else self._find(connection, name)
            rows = {row.id: row for player in found for row in player.rows}
            labels = {row.id: player.label for player in found for row in player.rows}
            together: defaultdict[int, Counter[int]] = defaultdict(Counter)
            if piece is not None and found:
                asked = self._added(piece)
                if name is not None:
                    asked = _with_players(connection, asked, rows)
                hands = identities = 0
                layouts = Editions.read(connection).layouts
                for _, identity, added in connection.execute(asked, execution_options={"yield_per": 1000}):
                    record = HandRecord.unpack(identity, added, layouts)
                    hands, identities = hands + 1, identity_sum([identity], identities)
                    players = record.hand.players
                    for seat, (id, contribution) in enumerate(zip(record.ids, players, strict=True)):
                        if id in rows:
                            which = labels[id], structure_of(contribution), _GROUPS[by](record, players, seat)
                            counts[which].update(totals([contribution]))
                            if name is not None:
                                together[id].update(record.totals(seat))
                if name is None and (hands, identities) != (piece.hands, piece.identities):
                    raise DamageError(_LOST.format(piece.hands))
            groups = _by_player([player.label for player in found], counts)
            for row in rows.values() if name is not None else ():
                self._check_hands(connection, row, together[row.id])
        if name is not None:
            _only(name, found)
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
            players = self._rows(connection)
            self._verify_names(connection, self._totals(connection))
            editions = Editions.read(connection)
        counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
        latest: defaultdict[int, list[tuple[bytes, str]]] = defaultdict(list)
        together: Counter[int] = Counter()
        counted: Counter[int] = Counter()
        for _, record in self._records(batch):
            counted[record.hand.layout.number] += 1
            for seat, id in enumerate(record.ids):
                counts[id].update(record.totals(seat))
                if done := letters(record.seats[seat][1]):
                    entries = latest[id]
                    entries.append((record.key, done))
                    if len(entries) > _MANY:
                        entries[:] = newest(entries)
        for row in sorted(players, key=lambda row: (row.name, row.site)):
            try:
                with self._database.transaction() as connection:
                    known = self._counts(connection, row.id, row.sums, _EVERYTHING)
                if _nonzero(known) != _nonzero(counts[row.id]):
                    yield f"the counts of {row.name!r} are not those of their hands"
                elif row.acts() != PlayerRow(row.id, row.name).after(latest[row.id]).acts():
                    yield f"the latest actions of {row.name!r} are not those of their hands"
            except DamagedBookError as error:
                yield error.reason
            together.update(counts[row.id])
        with self._database.transaction() as connection:
            known = self._counts(connection, EVERYBODY, self._totals(connection).sums, _EVERYTHING)
        if _nonzero(known) != _nonzero(together):
            yield "the counts of all players together are not those of their hands"
        if _nonzero(editions.hands) != _nonzero(counted):
            yield "the list of what was counted is not that of the hands"

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
        """The players, in the order in which they were met: names, with their sites if several players have them."""
        with self._database.transaction() as connection:
            return [player.label for player in self._everybody(connection)]

    def number(self) -> int:
        """How many players there are."""
        with self._database.transaction() as connection:
            others = sa.select(sa.func.count()).select_from(PLAYERS).where(PLAYERS.c.alias != 0)
            return self._totals(connection).players - (connection.scalar(others) or 0)

    def actions(self, name: str) -> ActionCounts:
        """A player's actions in the twelve contexts; raises `UnknownPlayerError`."""
        return PlayerCounts(self._read(name, _BY_ACTION)[1]).counts

    def profiles(self, name: str) -> dict[BettingStructure, Profile]:
        """All of a player's counts but those by richer contexts, and the latest actions.

        There is a profile for each betting structure that the player has played, in order.

        Raises
        ------
        UnknownPlayerError
            If there is no such player.
        ValueError
            If several players have the name.
        """
        found, counts, editions = self._read(name, _COUNTS)
        player = _only(name, found)
        if (table := editions.to_build()) is not None:
            counts = {int(table[counter]): count for counter, count in counts.items()}
            counts.pop(NOWHERE, None)
        pages = {page_of(counter) for counter in counts}
        return {
            structure: Profile(
                player.label,
                PlayerCounts(counts, structure),
                acts_of(player.rows) if structure.fixed else (),
                to_learn_again(editions.lacking(structure), structure),
            )
            for structure in BettingStructure
            if PAGES[structure] in pages
        }

    def lacking(self) -> dict[BettingStructure, frozenset[str]]:
        """By betting structure: the blocks of counts of this build that were not counted in all hands."""
        with self._database.transaction() as connection:
            editions = Editions.read(connection)
        return {structure: editions.lacking(structure) for structure in BettingStructure}

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
            table = Editions.read(connection).to_build()
            ids = np.array([player.id for player in players], dtype=np.int64)  # in order
            rows = np.searchsorted(ids, found[:, 0])
            if not np.array_equal(ids[np.minimum(rows, len(ids) - 1)], found[:, 0]):
                raise DamageError("there are counts of players who are not found")
            for player, sums in zip(players, counter_sums(found[:, 1], found[:, 2], rows, len(ids)), strict=True):
                if sums[:2] != player.sums[:2]:
                    raise DamageError(f"the counts of player {player.id} are not what was written")
        if table is not None:
            found[:, 1] = table[found[:, 1]]
            here = found[:, 1] != NOWHERE
            found, rows = found[here], rows[here]
        whole = _players_of(players, _not_alone(players))
        number = {row.id: place for place, player in enumerate(whole) for row in player.rows}
        places = np.array([number[id] for id in ids.tolist()], dtype=np.int64)
        return [player.label for player in whole], places[rows] if len(rows) else rows, found[:, 1:]

    def course(self, name: str, structure: BettingStructure) -> list[tuple[HandRecord, Contribution]]:
        """What each hand of a player added to their counts, in the order in which hands were played.

        Raises
        ------
        UnknownPlayerError
            If the player is not known.
        ValueError
            If several players have the name.
        """
        with self._database.transaction() as connection:
            piece, players = find_piece(connection, self.kind, self.name), self._find(connection, name)
            rows = {row.id: row for player in players for row in player.rows}
            found = []
            if piece is not None and rows:
                together: defaultdict[int, Counter[int]] = defaultdict(Counter)
                layouts = Editions.read(connection).layouts
                asked = _with_players(connection, self._added(piece), rows)
                for number, identity, added in connection.execute(asked, execution_options={"yield_per": 1000}):
                    record = HandRecord.unpack(identity, added, layouts)
                    for seat, (id, contribution) in enumerate(zip(record.ids, record.hand.players, strict=True)):
                        if id in rows:
                            together[id].update(record.totals(seat))
                            if structure_of(contribution) is structure:
                                found.append((record.key, number, record, contribution))
                for row in rows.values():
                    self._check_hands(connection, row, together[row.id])
        _only(name, players)
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
            found = self._find(connection, name)
        return acts_of([row for player in found for row in player.rows]) if found else ()

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts; raises `UnknownPlayerError`."""
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
        rows = [PlayerRow.of(*row) for row in connection.execute(sa.select(*_COLUMNS).order_by(PLAYERS.c.id))]
        if len(rows) != self._totals(connection).players:
            raise DamageError("not all players are found")
        return rows

    def _everybody(self, connection: sa.Connection) -> list[_Player]:
        rows = self._rows(connection)
        return _players_of(rows, _not_alone(rows))

    def _read(self, name: str, parts: _Parts) -> tuple[list[_Player], dict[int, int], Editions]:
        """Who has a name, and their counts, those of several added up; raises `UnknownPlayerError`."""
        with self._database.transaction() as connection:
            found = self._find(connection, name)
            each = [self._counts(connection, row.id, row.sums, parts) for player in found for row in player.rows]
            editions = Editions.read(connection)
        if not found:
            raise UnknownPlayerError(name)
        together: Counter[int] = Counter()
        for counts in each:
            together.update(counts)  # a sum of counters would lose what is below 0, as winnings are
        return found, dict(together), editions

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

    def _find(self, connection: sa.Connection, name: str) -> list[_Player]:
        """Who has a name, or a name and a site: nobody, one player, or several.

        A text is first taken for a full name, ``NAME@SITE``, then for a name that may have an ``@`` of its own. So
        every player has a text that means nobody else, `full_name`.
        """
        if not isinstance(name, str) or not is_name(name):
            return []
        rows = self._named(connection, name)
        if not rows:
            if not self._verified:
                self._verify_names(connection, self._totals(connection))
            return []
        first = tuple({row.alias or row.id for row in rows})
        asked = sa.select(*_COLUMNS).where(sa.or_(PLAYERS.c.id.in_(first), PLAYERS.c.alias.in_(first)))
        if len(rows) > 1 or rows[0].alias or connection.scalar(_ALIASED, {"player": rows[0].id}):
            rows = [PlayerRow.of(*row) for row in connection.execute(asked.order_by(PLAYERS.c.id))]
        whole = _players_of(rows, ())
        if len(whole) > 1:
            return [player._replace(label=player.rows[0].full_name) for player in whole]
        (player,) = whole
        own = player.rows[0]
        alone = name == own.name or len({row.alias or row.id for row in self._named(connection, own.name)}) == 1
        return [player._replace(label=own.name if alone and name != own.full_name else own.full_name)]

    @staticmethod
    def _named(connection: sa.Connection, text: str) -> list[PlayerRow]:
        """The rows that a text means."""
        name, at, site = text.rpartition("@")
        if at:
            rows = connection.execute(_AT_SITE, {"name": name, "site": site}).all()
            if rows:
                return [PlayerRow.of(*row) for row in rows]
        return [PlayerRow.of(*row) for row in connection.execute(_PLAYER, {"name": text})]

    def join(self, name: str, other: str | None) -> None:
        """Make another name one of a player's; None: make the name one of its own again.

        Raises
        ------
        UnknownPlayerError
            If there is no such name.
        ValueError
            If a name is that of several players, or both are the same one.
        """
        unclear: tuple[str, list[PlayerRow]] | None = None
        missing = same = ""
        with self._database.transaction(write=True) as connection:
            first = self._named(connection, name)
            second = first if other is None else self._named(connection, other)
            for text, rows in ((name, first), (other or name, second)):
                if not rows:
                    missing = text
                elif len(rows) > 1:
                    unclear = text, rows
            if not missing and unclear is None:
                (one,), (two,) = first, second
                head = 0 if other is None else one.alias or one.id
                if head and head in (two.id, two.alias):
                    same = full_name(two.name, two.site)
                else:
                    moved = [row for row in self._rows(connection) if row.id == two.id or row.alias == two.id]
                    if other is None and not two.alias:  # all of its names, if it is the first of several
                        moved = [row for row in moved if row.id != two.id]
                    self._rejoin(connection, moved, head)
        if missing:
            raise UnknownPlayerError(missing)
        if unclear is not None:
            raise ValueError(_several(unclear[0], [row.full_name for row in unclear[1]]))
        if same:
            raise ValueError(f"{same} is {name!r} already")

    @staticmethod
    def _rejoin(connection: sa.Connection, rows: Iterable[PlayerRow], head: int) -> None:
        for row in rows:
            now = row._replace(alias=head)
            this = PLAYERS.update().where(PLAYERS.c.id == row.id)
            connection.execute(this.values(alias=now.alias, checks=now.checks))

    def _verify_names(self, connection: sa.Connection, known: Totals) -> None:
        """See to it that the index of names has all players."""
        number = total = 0
        for some in connection.execute(sa.select(PLAYERS.c.name, PLAYERS.c.site)).partitions(1000):
            number += len(some)
            names = (
                full_name(checked(name, str, "a player's name"), checked(site, str, "a site")) for name, site in some
            )
            total = name_sum(names, total)
        if (number, total) != (known.players, known.names):
            raise DamageError(f"of {known.players:,} players not all are found by their names")
        self._verified = True


# ---------------------------------------------------------------------------------------------------------- a batch


class _Batch:
    """What a batch of hands changes in the rows of players, and in their counters."""

    def __init__(self, connection: sa.Connection, editions: Editions) -> None:
        self._connection = connection
        self._editions = editions
        self._placed: dict[int, tuple[Layout, NDArray[np.uint16] | None]] = {}
        self._hands: Counter[int] = Counter()  # how many more were counted by each layout
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
        #: Numbers of the players by site and name.
        self.ids: defaultdict[str, dict[str, int]] = defaultdict(dict)
        #: Players who were not known before, by full name.
        self.new: list[str] = []

    def find(self, players: Iterable[tuple[str, str]]) -> None:
        """Read the rows of players, by name and site; who is new is added."""
        wanted = sorted(players)
        self._read(PLAYERS.c.name, sorted({name for name, _ in wanted}))
        new = [who for who in wanted if who[0] not in self.ids[who[1]]]
        self.new = [full_name(*who) for who in new]
        if new:
            rows = [{"name": name, "site": site, "recent": "", "alias": 0} for name, site in new]
            self._connection.execute(PLAYERS.insert(), rows)
            added = set(new)
            for some in chunks(sorted({name for name, _ in new})):
                of_these = sa.select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.site).where(PLAYERS.c.name.in_(some))
                for id, name, site in self._connection.execute(of_these):
                    if (name, site) in added:
                        self._keep(PlayerRow(id, name, site))

    def find_numbers(self, ids: Iterable[int]) -> None:
        """Read the rows of players, by their numbers."""
        wanted = sorted(set(ids).difference(self._rows))
        self._read(PLAYERS.c.id, wanted)
        if not self._rows.keys() >= set(wanted):
            raise DamageError("not all players are found by their numbers")

    def _read(self, column: sa.Column[Any], values: Iterable[Any]) -> None:
        for some in chunks(values):
            for row in self._connection.execute(sa.select(*_COLUMNS).where(column.in_(some))):
                self._keep(PlayerRow.of(*row))

    def _keep(self, row: PlayerRow) -> None:
        self._rows[row.id] = row
        self.ids[row.site][row.name] = row.id

    def _place(self, layout: Layout) -> tuple[Layout, NDArray[np.uint16] | None]:
        """A layout at the places of the book, and what becomes of its counters."""
        found = self._placed.get(layout.number)
        if found is None:
            placed = self._editions.placed(layout)
            self._editions.count(placed, 0)
            self._placed[layout.number] = found = placed, renumbering(layout, placed.blocks)
        return found

    def learn(self, hand: HandCounts) -> HandRecord:
        """Count a hand, and return all that it adds."""
        here = self.ids[hand.site]
        ids = [here[name] for name in hand.names]
        layout, table = self._place(hand.layout)
        added = hand.added if table is None else renumbered(hand.added, table)
        if hand.layout.number != layout.number:
            hand = hand._replace(layout=layout, added=added)
        self._hands[layout.number] += 1
        record = HandRecord(ids, hand)
        if acted := self._tally.learn(ids, added):
            key = record.key
            for id, done in acted:
                self._entries[id].append((key, done))
        return record

    def complete(self, hand: _Completed) -> HandRecord:
        """Count what was missing of a hand that was known in part, and return all that it adds.

        Its players keep their numbers: at some sites their names are others in another player's copy of the hand.
        """
        before, after = hand.before, hand.after
        if len(before.ids) != len(after.names):
            raise DamageError(f"a hand of {len(after.names)} players is kept with {len(before.ids)}")
        old_layout, new_layout = before.hand.layout, after.layout
        kept, _ = united(old_layout, new_layout)
        placed, _ = self._place(new_layout.only(new_layout.blocks.keys() - kept))
        layout = Layout(placed.structure, placed.blocks | old_layout.only(kept).blocks)
        added = renumbered(
            *(after.added, _table(new_layout, placed.blocks)),
            *(before.hand.added, _table(old_layout.only(kept), old_layout.blocks)),
        )
        record = HandRecord(before.ids, before.hand._replace(added=added, layout=layout))
        self._editions.count(layout, 0)
        self._hands[old_layout.number] -= 1
        self._hands[layout.number] += 1
        for seat, id in enumerate(before.ids):
            for counts, sign in ((before.totals(seat), -1), (record.totals(seat), 1)):
                for counter, count in counts.items():
                    self._tally.add(id, counter, sign * count)
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
            row = self._rows[id].after(self._entries[id], sums)
            changed.append({"player": id, "latest": row.recent, "sums": row.checks})
            together = add_sums(together, sums)
        this = PLAYERS.update().where(PLAYERS.c.id == sa.bindparam("player"))
        if changed:
            self._connection.execute(this.values(recent=sa.bindparam("latest"), checks=sa.bindparam("sums")), changed)
        for number, more in self._hands.items():
            self._editions.count(self._editions.layouts[number], more)
        self._editions.write(self._connection)
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


def _table(layout: Layout, blocks: Mapping[str, Block]) -> NDArray[np.uint16]:
    """What becomes of counters, and of none but those of some blocks."""
    table = np.full(1 << 16, NOWHERE, dtype=np.uint16)
    for name, block in layout.blocks.items():
        if name in blocks:
            first = blocks[name].first
            table[block.first : block.first + block.size] = range(first, first + block.size)
    return table


def _only(name: str, found: Sequence[_Player]) -> _Player:
    """The player of a name; raises `UnknownPlayerError` or, if there are several, `ValueError`."""
    if not found:
        raise UnknownPlayerError(name)
    if len(found) > 1:
        raise ValueError(_several(name, [player.label for player in found]))
    return found[0]


def _several(name: str, labels: Sequence[str]) -> str:
    return f"several players are called {name!r}: expected one of {', '.join(labels)}"


# ----------------------------------------------------------------------------------------------------------- groups

#: What a hand is counted under of which it is not known.
UNKNOWN = "unknown"


Players: TypeAlias = Sequence[Contribution]


def _structure(record: HandRecord, players: Players, seat: int) -> str:
    return str(structure_of(players[seat]))


def _depth(record: HandRecord, players: Players, seat: int) -> str:
    return UNKNOWN if structure_of(players[seat]).fixed else DEPTHS[depth_of(players[seat])]


def _position(record: HandRecord, players: Players, seat: int) -> str:
    if structure_of(players[seat]).fixed:
        return POSITIONS[position_of(players[seat])]
    return seat_names(tuple(map(position_of, players)))[seat]


def _table_size(record: HandRecord, players: Players, seat: int) -> str:
    return table_size(len(players))


def _stake(record: HandRecord, players: Players, seat: int) -> str:
    return record.hand.stake


def _month(record: HandRecord, players: Players, seat: int) -> str:
    return UNKNOWN if record.hand.time is None else day(record.hand.time)[: len("2009-07")]


def _day(record: HandRecord, players: Players, seat: int) -> str:
    return UNKNOWN if record.hand.time is None else day(record.hand.time)


_GROUPS: Mapping[str, Callable[[HandRecord, Players, int], str]] = {
    "position": _position,
    "table": _table_size,
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
    for names in (SEATS, TABLE_SIZES):
        if group in names:
            return (0, names.index(group))
    if group in DEPTHS[:-1]:
        return (0, DEPTHS.index(group))
    numbers = [float(number) for number in _NUMBER.findall(group)]
    return group == UNKNOWN, _NUMBER.sub("", group), numbers


def _by_player(
    labels: Iterable[str], counts: Mapping[tuple[str, BettingStructure, str], Counter[int]]
) -> dict[str, dict[BettingStructure, dict[str, Counter[int]]]]:
    """Counts by player, structure and group, in order, without those by richer contexts."""
    found: dict[str, dict[BettingStructure, dict[str, Counter[int]]]] = {label: {} for label in labels}
    order = {structure: place for place, structure in enumerate(BettingStructure)}
    for which in sorted(counts, key=lambda each: (order[each[1]], _in_order(each[2]))):
        label, structure, group = which
        below = {counter: count for counter, count in counts[which].items() if counter < CONTEXTS}
        found[label].setdefault(structure, {})[group] = Counter(below)
    return found


def _with_players(connection: sa.Connection, records: sa.Select[Any], ids: Iterable[int]) -> sa.Select[Any]:
    """Of records those that may have one of some players in them: they have the bytes of a number somewhere."""
    found = []
    for id in ids:
        number = f"number{id}"
        where = f"instr(added, :{number})" if connection.dialect.name == "sqlite" else f"position(:{number} in added)"
        bound = sa.bindparam(number, id.to_bytes(4, "little"), sa.LargeBinary)
        found.append(sa.text(f"{where} > 0").bindparams(bound))
    return records.where(sa.or_(*found))
