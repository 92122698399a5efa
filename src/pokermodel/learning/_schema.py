"""Which version of the tables a book has, and how books of older versions become new ones."""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import sqlalchemy as sa

from pokermodel._core.hand_counts import seats, without_numbers
from pokermodel.errors import BookError
from pokermodel.learning._checksums import Sums, counter_sums, identity_sum, name_sum
from pokermodel.learning._database import DamageError, Database, checked
from pokermodel.learning._editions import Editions
from pokermodel.learning._records import HandRecord, PieceRow, PlayerRow, Totals, letters
from pokermodel.learning._tables import ABOUT, COUNTERS, EDITIONS, EVERYBODY, KNOWLEDGE, LEARNT, PLAYERS, TABLES
from pokermodel.learning.statistics import SHOWDOWN_SQUARES, SHOWDOWN_WON, Contribution, HandCounts, totals

__all__ = ["FORMAT", "VERSION", "NewerError", "prepare"]

FORMAT = "pokermodel book"
#: 2: richer contexts, and the sum of all players; 3: sums of other games; 4: knowledge of any kind; 5: the order of
#: hands, what is done in positions and after the flop, and checksums; 6: what was counted of each hand, by name, and
#: players by site.
VERSION = 6
_CHECKED = 5  # the first version with checksums
_ROWS = 5000  # that are migrated at a time

#: The players of books up to version 5, who had no sites.
_PLAYERS_5 = sa.table("players", *map(sa.column, ("id", "name", "recent", "checks")))


class NewerError(BookError):
    """A book of a newer version."""


def prepare(database: Database, create: bool) -> None:
    """See to it that a database is a book of this version: make it one if it is empty or older.

    Raises
    ------
    BookError
        If it is a database of something else or a book of a newer version, or it is empty and nothing is to be made.
    """
    with database.transaction() as connection:
        version = _version(connection, database)
    if version == VERSION:
        return
    if version is None and not create:
        raise BookError(f"{database.where} is no book: it is empty")
    with database.transaction(write=True) as connection:
        version = _version(connection, database)  # another process may have been quicker
        if version is None:
            TABLES.create_all(connection)
            connection.execute(ABOUT.insert().values(format=FORMAT, version=VERSION))
            return
        while version < VERSION:
            MIGRATIONS[version](connection)
            version += 1
            connection.execute(ABOUT.update().values(version=version))


def _version(connection: sa.Connection, database: Database) -> int | None:
    """The version of a book; None if the database is empty."""
    where, names = database.where, sa.inspect(connection).get_table_names()
    if not names:
        if _has_content(connection):
            raise DamageError("its list of tables is lost")
        return None
    found = connection.execute(sa.select(ABOUT)).all() if ABOUT.name in names else []
    if len(found) != 1 or found[0].format != FORMAT:
        raise BookError(f"{where} is no book: it is a database of something else")
    version = found[0].version
    if not isinstance(version, int) or version < 1:
        raise DamageError(f"it is a book of version {version!r}")
    if version > VERSION:
        raise NewerError(
            f"{where} is a book of version {version}, and this pokermodel knows versions up to {VERSION}: "
            "a newer one is needed"
        )
    if version < _CHECKED and KNOWLEDGE.name in names and "checksum" in _columns(connection, KNOWLEDGE):
        raise DamageError(f"it says that it is of version {version}, but has what only later ones have")
    return version


def _has_content(connection: sa.Connection) -> bool:
    """Whether a file of SQLite has pages in use, apart from the first."""
    if connection.dialect.name != "sqlite":
        return False
    pages, free = (connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("page_count", "freelist_count"))
    return int(pages or 0) - int(free or 0) > 1


def _columns(connection: sa.Connection, table: sa.Table) -> set[str]:
    return {column["name"] for column in sa.inspect(connection).get_columns(table.name)}


# ---------------------------------------------------------------------------------------------------- older books


def _add_everybody(connection: sa.Connection) -> None:
    """Version 1 to 2. What the hands say of richer contexts waits until they are met again."""
    everybody = sa.select(sa.literal(EVERYBODY), COUNTERS.c.counter, sa.func.sum(COUNTERS.c.count))
    connection.execute(
        COUNTERS.insert().from_select(["player", "counter", "count"], everybody.group_by(COUNTERS.c.counter))
    )


def _add_sums(connection: sa.Connection) -> None:
    """Version 2 to 3, which had tables of their own for sums of other games: none are there yet."""


def _unite(connection: sa.Connection) -> None:
    """Version 3 to 4: one table of what is known and one of the hands learnt, where there were three of each."""
    TABLES.create_all(connection)
    tables = set(sa.inspect(connection).get_table_names())
    statistics = {"kind": "statistics", "name": "", "version": 2, "revision": 1, "content": b""}
    connection.execute(KNOWLEDGE.insert().values(**statistics))
    _move_hands(connection, "statistics", "", "identity, lesson FROM hands ORDER BY number")
    if "bpp_tables" in tables:
        for revision, content in connection.exec_driver_sql("SELECT revision, content FROM bpp_tables").all():
            bpp = {"kind": "bpp", "name": "", "version": 1, "revision": revision, "content": content}
            connection.execute(KNOWLEDGE.insert().values(**bpp))
            _move_hands(connection, "bpp", "", "identity, NULL FROM bpp_hands")
    if "sums" in tables:
        for row in connection.exec_driver_sql("SELECT id, kind, name, content FROM sums ORDER BY id").all():
            sums = {"kind": row.kind, "name": row.name, "version": 1, "revision": 1, "content": row.content}
            connection.execute(KNOWLEDGE.insert().values(**sums))
            _move_hands(connection, row.kind, row.name, f"identity, NULL FROM sum_hands WHERE sum = {int(row.id)}")
    for name in ("hands", "bpp_tables", "bpp_hands", "sums", "sum_hands"):
        if name in tables:
            connection.exec_driver_sql(f"DROP TABLE {name}")


def _move_hands(connection: sa.Connection, kind: str, name: str, hands: str) -> None:
    piece = sa.select(KNOWLEDGE.c.id).where(KNOWLEDGE.c.kind == kind, KNOWLEDGE.c.name == name)
    number = connection.scalars(piece).one()
    connection.exec_driver_sql(f"INSERT INTO learnt (knowledge, identity, added) SELECT {number}, {hands}")


def _order_and_check(connection: sa.Connection) -> None:
    """Version 4 to 5: what hands added is marked as known in part, the latest actions get their hands, checksums."""
    there = _columns(connection, KNOWLEDGE)
    added = [(KNOWLEDGE, column) for column in KNOWLEDGE.columns if column.name not in there]
    if PLAYERS.c.checks.name not in _columns(connection, PLAYERS):
        added.append((PLAYERS, PLAYERS.c.checks))
    for table, column in added:
        kind = column.type.compile(connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind}")
    try:
        _migrate_statistics(connection)
        pieces = connection.execute(sa.select(KNOWLEDGE.c.id)).scalars().all()
        for piece in pieces:
            _check_piece(connection, piece)
    except (struct.error, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DamageError(str(error)) from error


def _migrate_statistics(connection: sa.Connection) -> None:
    of_statistics = sa.select(KNOWLEDGE.c.id).where(KNOWLEDGE.c.kind == "statistics", KNOWLEDGE.c.name == "")
    piece = connection.scalars(of_statistics).one_or_none()
    if piece is None:
        return
    found = connection.execute(sa.select(_PLAYERS_5.c.id, _PLAYERS_5.c.name))
    names = {id: checked(name, str, "a player's name") for id, name in found}
    rows = {id: PlayerRow(id, name) for id, name in names.items()}
    money: Counter[int] = Counter()
    hands = 0
    for part in _learnt(connection, piece):
        changed = []
        entries: defaultdict[int, list[tuple[bytes, str]]] = defaultdict(list)
        for number, identity, added in part:
            ids, packed = without_numbers(checked(added, bytes, "what a hand added"), 0)
            record = HandRecord(hands, ids, HandCounts(("",) * len(ids), packed))
            identity = checked(identity, bytes, "a hand's identity")
            changed.append({"which": number, "packed": record.pack_5(identity)})
            for id, (won, counters) in zip(ids, seats(packed), strict=True):
                counts = totals([Contribution("", won, counters)])
                for counter in (SHOWDOWN_WON, SHOWDOWN_SQUARES):
                    if counts[counter]:
                        money[id << 16 | counter] += counts[counter]
                        money[EVERYBODY << 16 | counter] += counts[counter]
                if done := letters(counters):
                    entries[id].append((record.key, done))
            hands += 1
        for id, latest in entries.items():
            rows[id] = rows[id].after(latest, (), (0, 0, 0))
        this = LEARNT.update().where(LEARNT.c.number == sa.bindparam("which"))
        connection.execute(this.values(added=sa.bindparam("packed")), changed)
    if money:
        paid = [{"player": key >> 16, "counter": key & 0xFFFF, "count": count} for key, count in money.items()]
        connection.execute(COUNTERS.insert(), paid)
    sums = _sums(connection)
    for id, row in rows.items():
        row = row._replace(sums=sums.get(id, (0, 0, 0)))
        this = sa.update(_PLAYERS_5).where(_PLAYERS_5.c.id == id)
        connection.execute(this.values(recent=row.recent, checks=row.checks_of_version_5))
    content = Totals(len(rows), name_sum(names.values()), sums.get(EVERYBODY, (0, 0, 0))).pack()
    connection.execute(KNOWLEDGE.update().where(KNOWLEDGE.c.id == piece).values(content=content, version=3))


def _learnt(connection: sa.Connection, piece: int) -> Iterator[Sequence[Any]]:
    """What a piece has learnt, in order, some rows at a time."""
    asked = sa.select(LEARNT.c.number, LEARNT.c.identity, LEARNT.c.added).where(LEARNT.c.knowledge == piece)
    last = 0
    while rows := connection.execute(asked.where(LEARNT.c.number > last).order_by(LEARNT.c.number).limit(_ROWS)).all():
        yield rows
        last = rows[-1].number


def _sums(connection: sa.Connection) -> dict[int, Sums]:
    """Sums of the counters of each player."""
    found: dict[int, Sums] = {}
    ordered = sa.select(COUNTERS).order_by(COUNTERS.c.player, COUNTERS.c.counter)
    for player, rows in groupby(connection.execute(ordered), key=lambda row: row.player):
        values = np.array([tuple(row)[1:] for row in rows], dtype=np.int64)
        (found[player],) = counter_sums(values[:, 0], values[:, 1])
    return found


def _check_piece(connection: sa.Connection, piece: int) -> None:
    """Write how many hands a piece has learnt, and its checksums."""
    asked = sa.select(KNOWLEDGE).where(KNOWLEDGE.c.id == piece)
    row = PieceRow(*connection.execute(asked).one()[:6])
    for part in _learnt(connection, piece):
        identities = [checked(identity, bytes, "a hand's identity") for _, identity, _ in part]
        total = identity_sum(identities, row.identities)
        row = row._replace(hands=row.hands + len(part), identities=total)
    connection.execute(KNOWLEDGE.update().where(KNOWLEDGE.c.id == piece).values(**row.values()))


def _name_everything(connection: sa.Connection) -> None:
    """Version 5 to 6: what was counted of each hand gets its names, and players get the sites that they were met on."""
    try:
        _name(connection)
    except (struct.error, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DamageError(str(error)) from error


def _name(connection: sa.Connection) -> None:
    columns = sa.select(*(_PLAYERS_5.c[name] for name in ("id", "name", "recent", "checks")))
    players = [PlayerRow.of_version_5(*row) for row in connection.execute(columns.order_by(_PLAYERS_5.c.id))]
    if EDITIONS.name not in sa.inspect(connection).get_table_names():
        EDITIONS.create(connection)
    PLAYERS.drop(connection)
    PLAYERS.create(connection)
    wanted = sa.select(KNOWLEDGE).where(KNOWLEDGE.c.kind == "statistics", KNOWLEDGE.c.name == "")
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return
    piece = PieceRow.of(row)
    found = _Sites({player.id: player for player in players})
    for part in _learnt(connection, row.id):
        for _, identity, added in part:
            found.meet(HandRecord.unpack(identity, added, {}))
    editions = Editions()
    for part in _learnt(connection, row.id):
        changed = []
        for number, identity, added in part:
            record = found.moved(HandRecord.unpack(identity, added, {}))
            layout = record.hand.layout
            assert layout is not None
            editions.count(layout, 1)
            changed.append({"which": number, "packed": record.pack(identity)})
        this = LEARNT.update().where(LEARNT.c.number == sa.bindparam("which"))
        connection.execute(this.values(added=sa.bindparam("packed")), changed)
    editions.write(connection)
    rows = found.write(connection)
    # elsewhere numbers are given by the database, which has to know how far they have come
    if connection.dialect.name == "postgresql" and rows:
        last = f"SELECT setval(pg_get_serial_sequence('{PLAYERS.name}', 'id'), {max(each.id for each in rows)})"
        connection.exec_driver_sql(last)
    before = Totals.unpack(piece.content)
    if (len(players), name_sum(player.name for player in players)) != (before.players, before.names):
        raise DamageError("not all players are found")
    content = Totals(len(rows), name_sum(each.full_name for each in rows), before.sums).pack()
    piece = piece._replace(version=4, content=content)
    connection.execute(KNOWLEDGE.update().where(KNOWLEDGE.c.id == row.id).values(**piece.values()))


class _Sites:
    """Players of version 5, and the sites on which they were met.

    Who was met on one site, or on none, is the player that they were. Whoever has played under one name on several
    was counted as one: they become as many players, and their counts are worked out from their hands.
    """

    def __init__(self, players: Mapping[int, PlayerRow]) -> None:
        self._players = players
        self._last = max(players, default=0)
        self._numbers: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._entries: defaultdict[int, list[tuple[bytes, str]]] = defaultdict(list)

    def meet(self, record: HandRecord) -> None:
        """Note on which site the players of a hand were met."""
        site = record.hand.site
        for id in record.ids:
            sites = self._numbers[id]
            if site not in sites:
                if sites:
                    self._last += 1
                sites[site] = self._last if sites else id

    def moved(self, record: HandRecord) -> HandRecord:
        """The record of a hand with the numbers that its players have now."""
        site = record.hand.site
        ids = [self._numbers[id][site] for id in record.ids]
        for before, id, (won, counters) in zip(record.ids, ids, seats(record.hand.added), strict=True):
            if len(self._numbers[before]) > 1:
                self._counts[id].update(totals([Contribution("", won, counters)]))
                if done := letters(counters):
                    self._entries[id].append((record.key, done))
        return record._replace(ids=ids)

    def write(self, connection: sa.Connection) -> list[PlayerRow]:
        """Write the players and the counts of those who were several, and return all of them."""
        rows = []
        for id, player in self._players.items():
            sites = self._numbers.get(id) or {"": id}
            if len(sites) == 1:
                rows += [player._replace(site=site) for site in sites]
                continue
            of_player = COUNTERS.c.player == id
            asked = sa.select(COUNTERS.c.counter, COUNTERS.c.count).where(of_player)
            known = Counter(dict(map(tuple, connection.execute(asked))))
            together: Counter[int] = Counter()
            for number in sites.values():
                together.update(self._counts[number])  # a sum of counters would lose what is below 0, as winnings are
            if known != together:
                raise DamageError(f"the counts of {player.name!r} are not those of their hands")
            connection.execute(COUNTERS.delete().where(of_player))
            for site, number in sites.items():
                counts = self._counts[number]
                values = np.array(list(counts.items()), dtype=np.int64).reshape(-1, 2)
                (sums,) = counter_sums(values[:, 0], values[:, 1])
                rows.append(PlayerRow(number, player.name, site).after(self._entries[number], (), sums))
                found = [{"player": number, "counter": counter, "count": count} for counter, count in counts.items()]
                connection.execute(COUNTERS.insert(), found)
        if rows:
            rows.sort(key=lambda row: row.id)
            columns = ("id", "name", "site", "recent", "alias", "checks")
            connection.execute(PLAYERS.insert(), [{name: getattr(row, name) for name in columns} for row in rows])
        return rows


#: What turns a book of an older version into one of the next, by the older one.
MIGRATIONS: dict[int, Callable[[sa.Connection], None]] = {
    1: _add_everybody,
    2: _add_sums,
    3: _unite,
    4: _order_and_check,
    5: _name_everything,
}
