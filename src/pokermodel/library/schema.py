"""The tables of a book, which are its own affair, and the views over them, which are for everybody.

Names of tables begin with an underscore. The views `hands`, `seats` and `statistics` are a public contract: their
columns keep name and meaning when tables change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from secrets import token_hex
from types import MappingProxyType

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.game import POSITIONS, ROUNDS, SEATS, BettingStructure
from pokermodel.learning.definitions import Statistic, forgetting, registry
from pokermodel.library._database import DamageError, Database
from pokermodel.library.bits import A_PAIR, bits_of, parts_of
from pokermodel.library.rows import ALL_IN_BLINDS, BOMB, MILLION

__all__ = [
    *("BOOK", "FILES", "FILTERS", "FORMAT", "HANDS", "KNOWLEDGE", "MET", "NAMES", "NOTES", "PLAYERS"),
    *("SEATS_TABLE", "SETTINGS", "STAKES", "STATISTICS", "TABLES", "TAGS", "TEXTS", "USER_TABLES", "VERDICTS"),
    *("VERSION", "add_pairs", "columns_of", "prepare", "views"),
]

FORMAT, VERSION = "pokermodel book", 101

TABLES = sa.MetaData()


def _table(name: str, *columns: sa.schema.SchemaItem, sqlite_with_rowid: bool = True) -> sa.Table:
    return sa.Table(name, TABLES, *columns, sqlite_with_rowid=sqlite_with_rowid)


def _whole(name: str, *, null: bool = False, big: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger if big else sa.Integer, nullable=null)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def _number() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True, autoincrement=False)


#: What it is, how often it was written, and how often rows were changed rather than added.
BOOK = _table(
    "_book",
    *(_text("format"), _whole("version"), _whole("revision", big=True), _whole("generation", big=True)),
    *(_text("name"), _text("views")),
)
#: Files that were read, and the bookmark of each: where its last hand begins, and what stood before it.
FILES = _table(
    "_files",
    _number(),
    *(_text("path"), _text("member"), _whole("size", big=True), _whole("changed", big=True), _whole("node", big=True)),
    *(_text("at"), _whole("hands"), _bytes("head"), _bytes("tail")),
    sa.UniqueConstraint("path", "member"),
)
#: Short texts that many rows have: lines of betting, stakes, tables, sites.
TEXTS = _table("_texts", _number(), _text("kind"), _text("text"), sa.UniqueConstraint("kind", "text"))
PLAYERS = _table("_players", _number(), _whole("site"), _text("name"), sa.UniqueConstraint("name", "site"))
HANDS = _table(
    "_hands",
    _number(),
    sa.Column("identity", sa.LargeBinary, nullable=False, unique=True),
    *(_whole("file", null=True), _whole("at", big=True), _whole("site"), _whole("room"), _text("number")),
    *(_whole("time", null=True, big=True), _whole("game_table"), _whole("stake"), _whole("structure")),
    *(_whole("players"), _whole("hero"), _whole("street"), _whole("showdown"), _whole("pot", big=True)),
    *(_whole("kind"), _whole("raises"), _whole("rake", big=True), _whole("seen"), _text("board"), _text("line")),
)
sa.Index("_hands_number", HANDS.c.number)
sa.Index("_hands_file", HANDS.c.file, HANDS.c.at)
sa.Index("_hands_time", HANDS.c.time)
STAKES = _table(
    "_stakes", _number(), _text("text"), sa.Column("small_bet", sa.Float, nullable=False), _text("currency"),
    sa.UniqueConstraint("text", "small_bet"),
)  # fmt: skip
SEATS_TABLE = _table(
    "_seats",
    sa.Column("hand", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    *(_whole("player"), _whole("position"), _whole("name"), _whole("relative"), _text("cards", null=True)),
    _whole("shown"),
    *(_whole("street"), _whole("line"), _whole("net", big=True), _whole("ev", big=True, null=True)),
    *(_whole("all_in"), _whole("rake", big=True), _whole("depth", big=True), _whole("acts", big=True)),
    *(_whole("made", big=True), _whole("faced", big=True), _bytes("detail")),
    *(_whole("could_0", big=True), _whole("did_0", big=True)),
    sqlite_with_rowid=False,
)
#: Which bit each count has, by what definition it was filled, and whether all rows have it.
STATISTICS = _table(
    "_statistics",
    sa.Column("name", sa.Text, primary_key=True),
    *(_whole("bit"), _text("fingerprint"), _whole("filled")),
)
#: What readers have learnt, in pieces: one of a population or of a player; or whole, about all or about a player.
KNOWLEDGE = _table(
    "_knowledge",
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("kind", "scope", "name")),
    *(_whole("version"), _whole("revision", big=True), _bytes("content")),
)
#: Which hands a kind of knowledge has learnt: from a number up to another one.
LEARNT = _table(
    "_learnt",
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
    _whole("last"),
)
#: Hands of other games that knowledge about a player has learnt, by their identities.
MET = _table(
    "_met",
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("kind", "name")),
    sa.Column("identity", sa.LargeBinary, primary_key=True),
)
VERDICTS = _table(
    "_verdicts",
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("site", "number")),
    sa.Column("action", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("stamp", sa.Text, primary_key=True),
    _text("verdict"),
    *(sa.Column(name, sa.Float, nullable=False) for name in ("loss", "low", "high")),
    *(_text("kind"), _text("method"), _bytes("rest")),
    *(_text("street"), _text("position"), _text("pot_type"), _text("opponents")),
)
sa.Index("_verdicts_stamp", VERDICTS.c.stamp, VERDICTS.c.action, VERDICTS.c.loss)

# what the user wrote: learning writes none of it
TAGS = _table("_tags", *(sa.Column(name, sa.Text, primary_key=True) for name in ("about", "site", "name", "tag")))
NOTES = _table(
    "_notes", *(sa.Column(name, sa.Text, primary_key=True) for name in ("about", "site", "name")), _text("note")
)
NAMES = _table("_names", *(sa.Column(name, sa.Text, primary_key=True) for name in ("site", "name")), _text("person"))
FILTERS = _table("_filters", sa.Column("name", sa.Text, primary_key=True), _text("filter"))
SETTINGS = _table("_settings", sa.Column("name", sa.Text, primary_key=True), _text("value"))
USER_TABLES = (TAGS, NOTES, NAMES, FILTERS, SETTINGS)


# ----------------------------------------------------------------------------------------------------- statistics


def columns_of(statistic: Statistic) -> Iterator[tuple[str, int | None]]:
    """The names of the figures of a statistic in the view `seats`, and the round of each; None for all rounds."""
    found = statistic.figures()
    if statistic.by_street and statistic.total and not statistic.table:
        found = {**found, **{f"{statistic.key}_{ROUNDS[street]}": street for street in statistic.streets}}
    yield from found.items()


def _count_of(statistic: Statistic, which: str, street: int | None, bits: Mapping[str, int]) -> str:
    """How often a seat did something in a hand, or could have, in SQL."""
    parts = parts_of(statistic, which, street, bits)
    return " + ".join(f"((s.{column} >> {place}) & {mask})" for column, place, mask in parts) or "0"


def _figures(bits: Mapping[str, int]) -> Iterator[str]:
    for each in registry():
        if each.table in ("money", "shown_postflop"):
            continue
        for name, street in columns_of(each):
            yield f"{_count_of(each, 'opportunity', street, bits)} AS {name}_could"
            yield f"{_count_of(each, 'success', street, bits)} AS {name}"


# ---------------------------------------------------------------------------------------------------------- views


def _choice(column: str, names: Mapping[int, str]) -> str:
    return f"CASE {column} {' '.join(f'WHEN {k} THEN {name!r}' for k, name in names.items())} END"


def views(dialect: str, bits: Mapping[str, int]) -> dict[str, str]:
    """The SQL of each view.

    Parameters
    ----------
    dialect : {"sqlite", "postgresql"}
    bits : mapping of str to int
        Where each statistic stands in this book.
    """
    played = "datetime(h.time, 'unixepoch')" if dialect == "sqlite" else "to_timestamp(h.time) AT TIME ZONE 'UTC'"
    pots = {0: "walk", 1: "limped", 2: "single-raised", BOMB: "bomb", ALL_IN_BLINDS: "all-in blinds"}  # of `pot_type`
    kind = f"CASE h.kind {' '.join(f'WHEN {n} THEN {name!r}' for n, name in pots.items())} ELSE h.kind || '-bet' END"
    rounds = dict(enumerate(ROUNDS))
    structures = dict(enumerate(map(str, BettingStructure)))
    million, hundred = (f"CAST({number} AS DOUBLE PRECISION)" for number in (MILLION, 100))
    of_hand = [
        *("h.id AS hand", "w.text AS site", "h.number", "h.time", f"{played} AS played"),
        *("t.text AS table_name", "k.text AS stake", "k.small_bet", "k.currency"),
        *(f"{_choice('h.structure', structures)} AS structure", "h.players", f"{kind} AS pot_type", "h.board"),
    ]
    joins = "JOIN _texts w ON w.id = h.room JOIN _texts t ON t.id = h.game_table JOIN _stakes k ON k.id = h.stake"
    hands = [
        *of_hand,
        *("h.line", "h.seen AS saw_flop", "h.raises AS preflop_raises"),
        *(f"{_choice('h.street', rounds)} AS street", "h.showdown", f"h.pot / {million} AS pot"),
        f"CASE WHEN h.rake >= 0 THEN h.rake / {million} END AS rake",
        *("p.name AS hero", "f.path", "f.member", "h.at AS place"),
    ]
    seats = [
        *of_hand,
        *("s.seat", "p.name AS player", "CASE WHEN s.seat = h.hero THEN 1 ELSE 0 END AS is_hero"),
        f"{_choice('s.position', dict(enumerate(POSITIONS)))} AS position",
        f"{_choice('s.name', dict(enumerate(SEATS)))} AS seat_name",
        *("CASE s.relative WHEN 1 THEN 'first' WHEN 2 THEN 'between' WHEN 3 THEN 'last' END AS relative", "s.cards"),
        *("s.shown", f"{_choice('s.street', rounds)} AS street", "l.text AS line"),
        *(f"s.net / {million} AS net", f"COALESCE(s.ev, s.net) / {million} AS all_in_ev", "s.all_in"),
        f"CASE WHEN s.rake >= 0 THEN s.rake / {million} END AS rake_paid",
        *(f"CASE WHEN s.depth >= 0 THEN s.depth / {hundred} END AS depth", "s.made", "s.faced"),
        *_figures(bits),
    ]
    return {
        "hands": f"SELECT {', '.join(hands)} FROM _hands h {joins} LEFT JOIN _files f ON f.id = h.file "
        "LEFT JOIN _seats s ON s.hand = h.id AND s.seat = h.hero LEFT JOIN _players p ON p.id = s.player",
        "seats": f"SELECT {', '.join(seats)} FROM _seats s JOIN _hands h ON h.id = s.hand {joins} "
        "JOIN _players p ON p.id = s.player JOIN _texts l ON l.id = s.line",
        "statistics": "SELECT name, bit, fingerprint, filled FROM _statistics",
    }


# --------------------------------------------------------------------------------------------------------- making


def prepare(database: Database, create: bool) -> tuple[bool, dict[str, int]]:
    """Make sure that a database is a book of this version; make it one if it is empty.

    Raises `BookError` if it is a database of something else or a book of another version, or it is empty and must not
    be changed.

    Returns
    -------
    made : bool
        Whether it was empty.
    """
    with database.transaction() as connection:
        empty, bits, current = _look(connection, database)
    if empty and not create:
        raise BookError(f"{database.where} is no book: it is empty")
    wanted = bits_of(registry(), bits)
    if not empty and (wanted == bits and current == _digest(views(connection.dialect.name, wanted))):
        return False, bits
    if not create:
        return False, bits
    if empty:
        database.write_ahead()
    with database.transaction(write=True) as connection:
        empty, bits, current = _look(connection, database)  # another process may have been quicker
        if empty:
            TABLES.create_all(connection, checkfirst=False)
            about = {"format": FORMAT, "version": VERSION, "revision": 0, "generation": 0, "views": ""}
            connection.execute(BOOK.insert().values(**about, name=token_hex(6)))
        wanted = bits_of(registry(), bits)
        _make(connection, bits, wanted)
    return empty, wanted


def _look(connection: sa.Connection, database: Database) -> tuple[bool, dict[str, int], str]:
    """Whether a database is empty, and where the statistics of a book stand; `BookError` if it is something else."""
    names = sa.inspect(connection).get_table_names()
    if not names:
        if connection.dialect.name == "sqlite":
            pages, free = (
                connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("page_count", "freelist_count")
            )
            if int(pages or 0) - int(free or 0) > 1:
                raise DamageError("its list of tables is lost")
        return True, {}, ""
    if BOOK.name not in names:
        raise BookError(f"{database.where} is no book: it is a database of something else")
    found = connection.execute(sa.select(BOOK.c.format, BOOK.c.version, BOOK.c.views)).all()
    if len(found) != 1 or found[0].format != FORMAT:
        raise BookError(f"{database.where} is no book: it is a database of something else")
    if found[0].version != VERSION:
        raise BookError(f"{database.where} was made by another version; learn its histories again")
    query = sa.select(STATISTICS.c.name, STATISTICS.c.bit).order_by(STATISTICS.c.bit)
    bits = {row.name: row.bit for row in connection.execute(query)}
    return False, bits, found[0].views


def _digest(texts: Mapping[str, str]) -> str:
    return blake2b(repr(texts).encode(), digest_size=8).hexdigest()


def _make(connection: sa.Connection, bits: Mapping[str, int], wanted: Mapping[str, int]) -> None:
    """Add what statistics there are more, and make the views anew."""
    texts = views(connection.dialect.name, wanted)
    for name in ("seats", "hands", "statistics"):
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
    add_pairs(connection, bits, wanted)
    prints = fingerprints()
    filled = int(connection.execute(sa.select(HANDS.c.id).limit(1)).first() is None)
    more = [
        {"name": name, "bit": bit, "fingerprint": prints.get(name, ""), "filled": filled}
        for name, bit in wanted.items()
        if name not in bits
    ]
    if more:
        connection.execute(STATISTICS.insert(), more)
    for name, text in texts.items():
        connection.exec_driver_sql(f"CREATE VIEW {name} AS {text}")
    connection.execute(BOOK.update().values(views=_digest(texts)))


def add_pairs(connection: sa.Connection, bits: Mapping[str, int], wanted: Mapping[str, int]) -> None:
    """Add columns for another 63 statistics, as often as they are needed."""
    there = max(bits.values(), default=0) // A_PAIR + 1
    for pair in range(there, max(wanted.values()) // A_PAIR + 1):
        for column in ("could", "did"):
            kind = "BIGINT NOT NULL DEFAULT 0"
            connection.exec_driver_sql(f"ALTER TABLE _seats ADD COLUMN {column}_{pair} {kind}")


@cache
def fingerprints() -> Mapping[str, str]:
    """The fingerprint of the definition of each count, by its name."""
    return MappingProxyType({name: each.fingerprint for each in registry() for name in each.blocks()})


forgetting(fingerprints.cache_clear)
