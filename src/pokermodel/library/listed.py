"""A few hands of a book, as lists show them and as their files have them: found by the views, which all may read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import sqlalchemy as sa

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import open_hands
from pokermodel.histories.index import ReaderMark
from pokermodel.library.book import Book
from pokermodel.library.schema import PLAYERS, SEATS_TABLE, TEXTS

__all__ = [
    *("ListedHand", "PlayerName", "hand_numbers", "last_time", "listed_hands", "player_names", "player_numbers"),
    *("rooms_since", "seated", "stored_hand"),
]

_HAND = ("site", "number", "time", "stake", "table_name", "players", "pot_type", "board", "line", "pot", "street")
_SEAT = ("player", "seat_name", "position", "cards", "net", "all_in_ev", "all_in")
_LISTED = sa.table("hands", *(sa.column(name) for name in ("hand", "structure", *_HAND)))
_PLACED = sa.table("hands", *(sa.column(name) for name in ("hand", "site", "number", "path", "member", "place")))
_SEATS = sa.table("seats", *(sa.column(name) for name in ("hand", "seat", *_SEAT)))


class ListedHand(NamedTuple):
    """A hand as one of its players played it.

    Attributes
    ----------
    time : int or None
        Seconds since the beginning of 1970 (UTC).
    pot_type, board, line, street : str
        As in the view ``hands``; `line` is the betting of all players.
    pot : float
        The matched amount, in small bets or big blinds.
    player, seat_name, position : str
        The hero's name, seat and position; empty without a hero.
    net, all_in_ev : float or None
        The hero's winnings, and with all-ins at their EV.
    all_in : int or None
        As in the view ``seats``.
    note : str
        The user's notes about the hand.
    """

    hand: int
    site: str
    number: str
    time: int | None
    stake: str
    table_name: str
    players: int
    pot_type: str
    board: str
    line: str
    pot: float
    street: str
    structure: str
    player: str
    seat_name: str
    position: str
    cards: str | None
    net: float | None
    all_in_ev: float | None
    all_in: int | None
    tags: tuple[str, ...]
    note: str


def listed_hands(book: Book, hands: Sequence[int], seats: Sequence[int] | None = None) -> list[ListedHand]:
    """Read some hands.

    Parameters
    ----------
    hands : sequence of int
        Their numbers in the book; a few hundred at most.
    seats : sequence of int, optional
        The hero's seat in each; None: there is no hero.

    Returns
    -------
    list of ListedHand
        In the order of `hands`.
    """
    wanted = list(hands)
    with book.reading() as connection:
        found = {row.hand: row for row in connection.execute(sa.select(_LISTED).where(_LISTED.c.hand.in_(wanted)))}
        of = {}
        if seats is not None:
            seat_of = dict(zip(wanted, seats, strict=True))
            every = connection.execute(sa.select(_SEATS).where(_SEATS.c.hand.in_(wanted)))  # pairs would use no index
            of = {row.hand: row for row in every if row.seat == seat_of[row.hand]}
    about = book.mine.about_hands([(row.site, row.number) for row in found.values()])
    listed = []
    for number in wanted:
        row, seat = found[number], of.get(number)
        mine = about[row.site, row.number]
        own = (*("", "", ""), *[None] * 4) if seat is None else [getattr(seat, name) for name in _SEAT]
        listed.append(ListedHand._make([number, *(getattr(row, name) for name in _HAND), row.structure, *own, *mine]))
    return listed


class PlayerName(NamedTuple):
    """A name that a player has at a site, and what the user wrote about it."""

    site: str
    name: str
    person: str  #: Whose name it is; "" where it stands for itself.
    tags: tuple[str, ...]
    note: str


def player_names(book: Book, numbers: Sequence[int]) -> dict[int, PlayerName]:
    """Return the names of players, by their numbers; a few hundred at most."""
    query = sa.select(PLAYERS.c.id, TEXTS.c.text, PLAYERS.c.name).join(TEXTS, TEXTS.c.id == PLAYERS.c.site)
    mine = book.mine
    with book.reading() as connection:
        found = {row[0]: (row[1], row[2]) for row in connection.execute(query.where(PLAYERS.c.id.in_(numbers)))}
    about = mine.about_players([found[number] for number in numbers])
    return {number: PlayerName._make((*found[number], *about[found[number]])) for number in numbers}


def player_numbers(book: Book, site: str, name: str) -> list[int]:
    """Return the numbers of a player: of the name, and of all names of the same person; empty if there is none."""
    query = sa.select(PLAYERS.c.id).join(TEXTS, TEXTS.c.id == PLAYERS.c.site)
    with book.reading() as connection:
        number = connection.scalar(query.where(PLAYERS.c.name == name, TEXTS.c.text == site))
    if number is None:
        return []
    joined = [numbers for numbers in book.names.persons().values() if number in numbers]
    return list(joined[0]) if joined else [number]


def hand_numbers(book: Book, site: str, number: str) -> list[int]:
    """Return the numbers in a book of the hands that a site calls so: mostly one."""
    query = sa.select(_LISTED.c.hand).where(_LISTED.c.number == number, _LISTED.c.site == site)
    with book.reading() as connection:
        return list(connection.scalars(query.order_by(_LISTED.c.hand)))


def seated(book: Book, site: str, number: str) -> list[int]:
    """Return the numbers of the players of a hand, by seat; empty if there is no such hand."""
    query = sa.select(SEATS_TABLE.c.player).order_by(SEATS_TABLE.c.seat)
    found = hand_numbers(book, site, number)
    with book.reading() as connection:
        return list(connection.scalars(query.where(SEATS_TABLE.c.hand == found[0]))) if found else []


def stored_hand(book: Book, number: int) -> Hand:
    """Read a hand again from its file, or from memory if the book holds it.

    Raises `HistoryError` if the file has gone, or no longer has it.
    """
    if (held := book.held(number)) is not None:
        return held
    query = sa.select(_PLACED).where(_PLACED.c.hand == number)
    with book.reading() as connection:
        row = connection.execute(query).one()
    if row.path is None:
        raise HistoryError("source missing", f"hand {row.number}")
    source = open_hands(row.path, strict=False, index=False)
    if row.place >= 0 and not row.member:
        # only the byte is kept of each hand: formats that need more to go on there find no such hand
        with suppress(ValueError, IndexError):
            for part in source._parts:
                reading = () if part.read is None else part.read([], ReaderMark((row.place, 1)))
                hand = next(iter(reading), None)
                if hand is not None and _is(hand, row):
                    return hand
    for hand in source:
        if _is(hand, row):
            return hand
    raise HistoryError("the hand is no longer in its file", f"hand {row.number}")


def _is(hand: Hand, row: Any) -> bool:
    """Whether a hand is the one of a row; of the IRC database a source is a month, too."""
    return bool(hand.id == row.number) and hand.source.partition("/")[0] == row.site


def last_time(book: Book) -> int | None:
    """Return when the last hand was played, in seconds since 1970 (UTC); None if no hand has a time."""
    with book.reading() as connection:
        found: int | None = connection.scalar(sa.select(sa.func.max(_LISTED.c.time)))
    return found


def rooms_since(book: Book, time: int, until: int) -> list[str]:
    """Return the sites with hands that were played from a time to another one, in seconds since 1970 (UTC)."""
    with book.reading() as connection:
        return list(connection.scalars(sa.select(_LISTED.c.site).where(_LISTED.c.time.between(time, until)).distinct()))
