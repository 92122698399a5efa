"""Hands to learn, and books in any database, for the tests of books."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pokermodel as pm
from pokermodel.learning import kinds
from pokermodel.library.schema import TABLES

SPEC = pm.GameSpec.ring(3, 5, 10)

#: The kind of knowledge that is quickly learnt.
STATISTICS = ("statistics",)

#: Names a database that has nothing in it; replaced where tests run against a server.
empty: Callable[[], str] = lambda: "sqlite://"  # noqa: E731
_open: deque[pm.Book] = deque()


def played(number: int, seed: int, names: Iterable[str] = ("Ann", "Bob", "Cid")) -> pm.Hand:
    """A hand of random actions on a random deal."""
    rng = random.Random(seed)
    deck = rng.sample(range(52), 11)
    state = pm.game.State(SPEC)
    actions = []
    while not state.over:
        seat, act = state.seat, rng.choice(state.legal())
        actions.append((seat, act))
        state.act(act)
    cards = (0, 3, 4, 5)[state.round]
    board = deck[:5] if state.showdown else deck[:cards]
    holdings = {seat: tuple(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in range(3)} if state.showdown else {}
    return pm.Hand("test", str(number), SPEC, tuple(names), actions, board, holdings)


HANDS = [played(k, k, random.Random(k).sample(["Ann", "Bob", "Cid", "Dee", "Eve"], 3)) for k in range(40)]


def contents(book: pm.Book) -> dict[str | None, Any]:
    """All that a book knows of players, without the numbers that it gives to them."""
    known: dict[str | None, Any] = {None: (book.population().coarse.tolist(), book.population().rich)}
    for name in sorted(book):
        profiles = {str(structure): found.to_dict() for structure, found in book.profiles(name).items()}
        known[name] = (profiles, book.contexts(name).rich, book.recent(name))
    return known


def exported(book: pm.Book) -> bytes:
    """All that a book knows of players, as bytes that do not depend on the numbers that it gives to them."""
    known = [(name, book.profile(name).to_dict(), sorted(book.contexts(name).rich.items())) for name in sorted(book)]
    groups = [
        {name: sorted(found) for name, found in sorted(book.breakdown(by).items())} for by in ("position", "month")
    ]
    everybody = book.population().coarse.tolist(), sorted(book.population().rich.items())
    return json.dumps([known, everybody, groups, sorted(map(repr, rows(book)))], sort_keys=True).encode()


def rows(book: pm.Book) -> list[tuple[Any, ...]]:
    """The hands and seats of a book as its views have them, without their numbers in it and in their files."""
    found, of_the_file = [], {"hand", "path", "member", "place"}
    with book._database.transaction() as connection:
        for view in "hands", "seats":
            for row in connection.exec_driver_sql(f"SELECT * FROM {view}").mappings():
                kept = [value for name, value in row.items() if name not in of_the_file]
                found.append((view, *(str(each) if isinstance(each, datetime) else each for each in kept)))
    return found


def known(where: pm.Book | Path) -> list[Any]:
    """All that a book knows, or the one in a file, in bytes where it has them."""
    if isinstance(where, Path):
        with pm.Book(where, create=False) as opened:
            return known(opened)
    pieces = [where.knowledge(kind) for name, kind in sorted(kinds().items()) if name in ("adaptive", "bpp")]
    return [contents(where), rows(where), *(piece.to_bytes() for piece in pieces if piece is not None)]


def in_batches_of(hands: int, monkeypatch: Any = None) -> None:
    """Have books learn so many hands in a transaction."""
    for name in "store", "statistics", "files", "knowledge", "merging":
        module = import_module(f"pokermodel.library.{name}")
        if monkeypatch is None:
            setattr(module, "BATCH", hands)  # noqa: B010
        else:
            monkeypatch.setattr(module, "BATCH", hands)


def drop_all(where: str) -> None:
    """Remove all that a book has made in its database."""
    with pm.Book(where) as book, book._database.transaction(write=True) as connection:
        for view in "hands", "seats", "statistics":
            connection.exec_driver_sql(f"DROP VIEW {view}")
        TABLES.drop_all(connection)


def empty_book() -> pm.Book:
    """A new book; those of long ago are closed, since a server does not bear many."""
    while len(_open) > 10:
        _open.popleft().close()
    _open.append(pm.Book(empty()))
    return _open[-1]


def close_all() -> None:
    """Let go of all books that were made here."""
    while _open:
        _open.popleft().close()


def learnt(hands: Iterable[pm.Hand], kinds: Iterable[Any] = STATISTICS, **options: Any) -> pm.Book:
    """A new book that has learnt hands, as a rule nothing but the statistics of their players."""
    book = empty_book()
    book.learn(hands, kinds=kinds, **options)
    return book


def played_free(
    number: int, seed: int, names: Sequence[str], structure: str = "no limit", stacks: Sequence[int | None] = ()
) -> pm.Hand:
    """A hand of no limit or pot limit, of random acts and sizes on a random deal."""
    rng = random.Random(seed)
    players = len(names)
    deck = rng.sample(range(52), 5 + 2 * players)
    spec = replace(pm.GameSpec.no_limit(players, 50, 100), structure=pm.game.BettingStructure(structure))
    chips = list(stacks) or [rng.choice((900, 3000, 7000, 10_000, 25_000)) for _ in names]
    state = pm.game.State(spec, chips)
    actions: list[pm.game.Action] = []
    while not state.over:
        act, to = rng.choice([*state.legal(), pm.Act.CALL]), None
        if act is pm.Act.RAISE:
            least, most = state.raise_range() or (0, 0)
            pot = least + state.pot
            to = min(most or pot, rng.choice((least, least, rng.randint(least, pot), most or pot)))
        actions.append(pm.game.Action(state.seat, act, to=to))
        state.act(act, to)
    board = deck[:5] if state.showdown else deck[: (0, 3, 4, 5)[state.round]]
    holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(players)} if state.showdown else {}
    return pm.Hand("test", str(number), spec, names, actions, board, holdings, chips)


def played_long(seed: int, structure: str) -> pm.Hand:
    """A hand of six who fold little, so that there are rounds after the flop; of random acts and sizes."""
    rng = random.Random(seed)
    spec = pm.GameSpec.ring(6, 50, 100)
    if structure != "limit":
        spec = replace(pm.GameSpec.no_limit(6, 50, 100), structure=pm.game.BettingStructure(structure))
    chips = [rng.choice((3000, 25_000, 100_000)) for _ in range(6)]
    state, actions = pm.game.State(spec, chips), []
    while not state.over:
        act, to = rng.choice([*state.legal(), pm.Act.CALL]), None
        if act is pm.Act.RAISE and structure != "limit":
            least, most = state.raise_range() or (0, 0)
            share = rng.choice((0, 0.34, 0.5, 0.66, 1.1)) * (state.pot + state.to_call)
            to = min(most or least, max(least, round(share)))
        actions.append(pm.game.Action(state.seat, act, to=to))
        state.act(act, to)
    deck = rng.sample(range(52), 17)
    board = deck[:5] if state.showdown else deck[: (0, 3, 4, 5)[state.round]]
    holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(6)} if state.showdown else {}
    return pm.Hand("test", f"six{seed}", spec, (*"ABCDEF",), actions, board, holdings, chips)


NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve"]
FREE = [played_free(k, k, random.Random(k).sample(NAMES, 2 + k % 4)) for k in range(24)]
POTS = [played_free(k, k, random.Random(k).sample(NAMES, 3), "pot limit") for k in range(8)]
SIX = [played_long(seed, structure) for structure in pm.game.BettingStructure for seed in range(60)]


def at(site: str, hand: pm.Hand) -> pm.Hand:
    """A hand as if it had been played at a poker site."""
    return pm.Hand(site, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings, hand.stacks)


#: Hands of all betting structures, and players of one name at two sites.
MIXED = [
    *(*HANDS[:12], *FREE[:12], *POTS[:4]),
    *(at("pokerstars", hand) for hand in (*FREE[12:18], *HANDS[12:15])),
    *(at("winamax", hand) for hand in FREE[18:22]),
]
