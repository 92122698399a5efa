"""Adding rows: which hands are new, and the numbers of their texts, stakes and players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from pokermodel.library._database import chunks, execute_many, insert_into
from pokermodel.library.rows import Rows, Stake
from pokermodel.library.schema import FILES, HANDS, PLAYERS, SEATS_TABLE, STAKES, TEXTS

__all__ = ["Kept", "Numbers", "drop", "first_of_each", "found_again", "insert", "numbers_of"]


class Kept(NamedTuple):
    """Numbers that a book remembers."""

    texts: dict[tuple[str, str], int]
    stakes: dict[Stake, int]
    players: dict[tuple[int, str], int]


class Numbers:
    """Numbers of texts, stakes and players. New ones are kept once they are written."""

    def __init__(self, kept: Kept, connection: sa.Connection) -> None:
        self._kept, self._connection = kept, connection
        self._new: list[tuple[dict[Any, int], dict[Any, int]]] = []

    def texts(self, kind: str, wanted: Sequence[str]) -> list[int]:
        """The numbers of texts of a kind."""
        keys = [(kind, text) for text in wanted]

        def find(some: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], int]]:
            query = sa.select(TEXTS.c.text, TEXTS.c.id).where(
                TEXTS.c.kind == kind, TEXTS.c.text.in_([text for _, text in some])
            )
            for text, number in self._connection.execute(query):
                yield (kind, text), number

        return self._numbers(
            TEXTS, self._kept.texts, keys, find, "INSERT INTO _texts (id, kind, text) VALUES (?, ?, ?)"
        )

    def stakes(self, wanted: Sequence[Stake]) -> list[int]:
        """The numbers of stakes."""

        def find(some: list[Stake]) -> Iterator[tuple[Stake, int]]:
            query = sa.select(STAKES).where(STAKES.c.text.in_([stake.text for stake in some]))
            for row in self._connection.execute(query):
                yield Stake(row.text, row.small_bet, row.currency), row.id

        text = "INSERT INTO _stakes (id, text, small_bet, currency) VALUES (?, ?, ?, ?)"
        return self._numbers(STAKES, self._kept.stakes, wanted, find, text)

    def players(self, wanted: Sequence[tuple[int, str]]) -> list[int]:
        """The numbers of players, by the number of their site and their name."""

        def find(some: list[tuple[int, str]]) -> Iterator[tuple[tuple[int, str], int]]:
            query = sa.select(PLAYERS).where(PLAYERS.c.name.in_([name for _, name in some]))
            for row in self._connection.execute(query):
                yield (row.site, row.name), row.id

        text = "INSERT INTO _players (id, site, name) VALUES (?, ?, ?)"
        return self._numbers(PLAYERS, self._kept.players, wanted, find, text)

    def _numbers(
        self, table: sa.Table, kept: dict[Any, int], wanted: Sequence[Any], find: Callable[[Any], Any], insert: str
    ) -> list[int]:
        missing = list(dict.fromkeys(key for key in wanted if key not in kept))
        if not missing:
            return [kept[key] for key in wanted]
        found: dict[Any, int] = {}
        for some in chunks(missing):
            found.update(find(some))
        new = [key for key in missing if key not in found]
        if new:
            first = (self._connection.scalar(sa.select(sa.func.max(table.c.id))) or 0) + 1
            execute_many(self._connection, insert, [(number, *key) for number, key in enumerate(new, first)])
            found.update({key: number for number, key in enumerate(new, first)})
        found = {key: found[key] for key in missing}
        self._new.append((kept, found))
        return [kept[key] if key in kept else found[key] for key in wanted]

    def keep(self) -> None:
        """Keep what was written, after the transaction."""
        for kept, found in self._new:
            if len(kept) > 1_000_000:
                kept.clear()
            kept.update(found)


_HAND_COLUMNS = tuple(column.name for column in HANDS.columns)
_SEAT_COLUMNS = tuple(column.name for column in SEATS_TABLE.columns)[:-2]


def insert(connection: sa.Connection, names: Numbers, rows: Rows, fresh: Any, file: int | None) -> None:
    """Insert those rows of hands whose places are given, and their seats."""
    first = (connection.scalar(sa.select(sa.func.max(HANDS.c.id))) or 0) + 1
    chosen = [rows.hands[k] for k in fresh]
    sites = names.texts("site", [row.site for row in chosen])
    rooms = names.texts("site", [row.room for row in chosen])
    tables = names.texts("table", [row.table for row in chosen])
    stakes = names.stakes([row.stake for row in chosen])
    of = {name: column[fresh].tolist() for name, column in rows.of_hands.items()}
    ids = range(first, first + len(chosen))
    values = zip(
        *(ids, [row.identity for row in chosen]),
        *([row.place.file if file is None else file for row in chosen], [row.place.at for row in chosen]),
        *(sites, rooms, [row.number for row in chosen], [row.time for row in chosen], tables, stakes, of["structure"]),
        *(of["players"], [row.hero for row in chosen], of["street"], of["showdown"], of["pot"], of["kind"]),
        *(of["raises"], of["rake"], of["seen"], [row.board for row in chosen], [row.line for row in chosen]),
        strict=True,
    )
    execute_many(connection, insert_into("_hands", _HAND_COLUMNS), list(values))
    number = np.zeros(len(rows.hands), dtype=np.int64)
    number[fresh] = ids
    seats = rows.of_seats
    hand = number[seats["hand"]]
    there = np.flatnonzero(hand)
    who = [(site, name) for site, row in zip(sites, chosen, strict=True) for name in row.players]
    players = names.players(who)
    lines = names.texts("line", [rows.lines[k] for k in there.tolist()])
    cards = [rows.cards[k] for k in there.tolist()]
    ev = [
        None if same else value
        for same, value in zip((seats["ev"] == seats["net"])[there].tolist(), seats["ev"][there].tolist(), strict=True)
    ]
    plain = {name: column[there].tolist() for name, column in seats.items() if name not in ("hand", "ev")}
    pairs = [
        (f"{which}_{k}", column[there].tolist())
        for which, of_pair in (("could", rows.could), ("did", rows.did))
        for k, column in enumerate(of_pair)
    ]
    seat_values = zip(
        *(hand[there].tolist(), plain["seat"], players, plain["position"], plain["name"], plain["relative"], cards),
        plain["shown"],
        *(plain["street"], lines, plain["net"], ev, plain["all_in"], plain["rake"], plain["depth"], plain["acts"]),
        *(plain["made"], plain["faced"], [rows.details[k] for k in there.tolist()]),
        *(column for _, column in pairs),
        strict=True,
    )
    execute_many(connection, insert_into("_seats", (*_SEAT_COLUMNS, *(name for name, _ in pairs))), list(seat_values))


def numbers_of(connection: sa.Connection, identities: Iterable[bytes], path: str | None = None) -> dict[bytes, int]:
    """Which of some hands are there, or have a file as their source, and their numbers."""
    found: dict[bytes, int] = {}
    for some in chunks(identities):
        query = sa.select(HANDS.c.identity, HANDS.c.id).where(HANDS.c.identity.in_(some))
        if path is not None:
            query = query.join(FILES, FILES.c.id == HANDS.c.file).where(FILES.c.path == path)
        found.update({bytes(row.identity): row.id for row in connection.execute(query)})
    return found


def first_of_each(identities: Sequence[bytes], known: Collection[bytes]) -> Any:
    """The places of those that are not known, each once."""
    met = set(known)
    found = []
    for place, identity in enumerate(identities):
        if identity not in met:
            met.add(identity)
            found.append(place)
    return np.array(found, dtype=np.int64)


def found_again(connection: sa.Connection, rows: Rows, known: Mapping[bytes, int], file: int) -> bool:
    """Make a file the source of those of its hands that had none; return whether there were any."""
    homeless: set[int] = set()
    for some in chunks(known.values()):
        homeless.update(connection.scalars(sa.select(HANDS.c.id).where(HANDS.c.id.in_(some), HANDS.c.file.is_(None))))
    places = {known[row.identity]: row.place.at for row in reversed(rows.hands) if row.identity in known}
    values = [(file, at, number) for number, at in places.items() if number in homeless]
    execute_many(connection, "UPDATE _hands SET file = ?, at = ? WHERE id = ?", values)
    return bool(values)


def drop(connection: sa.Connection, file: int, at: int, rows: Rows) -> bool:
    """Remove the hands of a file from a byte on that are not there as they are now; return whether there were any."""
    now = {row.identity: _facts(rows, k) for k, row in enumerate(rows.hands)}
    gone = []
    for row in connection.execute(sa.select(HANDS).where(HANDS.c.file == file, HANDS.c.at >= at)).all():
        seats = connection.execute(
            sa.select(SEATS_TABLE).where(SEATS_TABLE.c.hand == row.id).order_by(SEATS_TABLE.c.seat)
        ).all()
        kept = [(seat.cards, seat.shown, seat.net, seat.rake) for seat in seats]
        if now.get(bytes(row.identity)) != (row.at, row.rake, row.pot, row.board, row.hero, kept):
            gone.append(row.id)
    for some in chunks(gone):
        connection.execute(SEATS_TABLE.delete().where(SEATS_TABLE.c.hand.in_(some)))
        connection.execute(HANDS.delete().where(HANDS.c.id.in_(some)))
    return bool(gone)


def _facts(rows: Rows, hand: int) -> tuple[Any, ...]:
    """What a hand that was not yet whole could have otherwise."""
    row, of, seats = rows.hands[hand], rows.of_hands, np.flatnonzero(rows.of_seats["hand"] == hand).tolist()
    kept = [(rows.cards[k], *(int(rows.of_seats[name][k]) for name in ("shown", "net", "rake"))) for k in seats]
    return row.place.at, int(of["rake"][hand]), int(of["pot"][hand]), row.board, row.hero, kept
