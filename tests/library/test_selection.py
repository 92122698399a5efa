"""Filters over columns, beside the same filters asked hand by hand."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.game import ROUNDS, Hand
from pokermodel.histories import Filter
from pokermodel.histories.filter import _KEYS, fits_line
from pokermodel.library import Book, StoredVerdict
from pokermodel.library.columns import NO_TIME
from pokermodel.library.selection import sessions
from tests.common.random_hands import wild_hand


@cache
def hands() -> list[Hand]:
    """Hands of few players, with times, stakes, tables and heroes."""
    found = []
    for seed in range(120):
        rng = random.Random(seed)
        hand = wild_hand(rng, seed)
        names = rng.sample(["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gil", "Hal", "Ida", "Jo"], len(hand.players))
        values = dict(
            zip(("source", "id", "spec", "players", "actions", "board", "holdings"), hand._content(), strict=False)
        )
        time = datetime(2031, 1 + seed % 4, 2, seed % 24, seed % 60, tzinfo=UTC) if seed % 7 else None
        options = {
            "stacks": hand.stacks, "stated_payoffs": hand.stated_payoffs, "mucked": hand.mucked, "added": hand.added,
            "second_board": hand.second_board, "third_board": hand.third_board,
            "unit": [1, pm.game.hand.Fraction(1, 100)][seed % 2], "currency": ["", "USD"][seed % 2], "time": time,
            "table": [None, "Cetus", "Two Words"][seed % 3], "hero": rng.choice([None, *names]),
        }  # fmt: skip
        found.append(Hand(**{**values, "players": names}, **options))
    return found


@cache
def book() -> Book:
    found = Book("sqlite://")
    found.add(hands())
    return found


def brute(which: Filter) -> list[str]:
    found = []
    for hand in hands():
        named = which.hero if which.hero is not None else hand.hero
        if named is None and which.needs_hero:
            continue
        if which.hero and which.hero not in hand.players:
            continue
        if which(hand):
            found.append(hand.id)
    return found


def selected(which: Filter) -> list[str]:
    found = book().select(which)
    with book()._database.transaction() as connection:
        numbers = dict(map(tuple, connection.exec_driver_sql("SELECT id, number FROM _hands").all()))
    if found.table is not None and which.hero:
        assert len(found.seats) == len(found.hands)
        names = [hand.players[seat] for hand, seat in zip(
            (hands()[row] for row in found.hands.tolist()), found.column("seat").tolist(), strict=True
        )]  # fmt: skip
        assert set(names) <= {which.hero}
    return [numbers[number] for number in book().columns.hands["id"][found.hands].tolist()]


LIKELY: dict[str, list[str]] = {
    **{key: ["Ann", "Bob", "Nemo", "Jo"] for key in ("vs", "player")},
    "seat": ["UTG", "BTN", "SB", "BB", "CO", "HJ", "early", "middle", "button", "big-blind"],
    **{key: ["0", "5bb", "0.2", "20", "2.5bb", "1bb", "0.05"] for key in ("won", "lost", "size", "ev")},
    "pot": ["walk", "limped", "raised", "3-bet", "4-bet", "5-bet", "bomb", "all-in-blinds"],
    **{key: list(ROUNDS) for key in ("street", "reached")},
    "showdown": ["yes", "no"],
    **{key: ["0", "2", "3", "6", "9"] for key in ("players", "left")},
    "structure": ["limit", "pot-limit", "no-limit"],
    "stake": ["5/10", "'0.05/0.1 USD'", "10/20", "0.1/0.2", "'5/10 EUR'"],
    "site": ["random", "pokerstars"],
    "table": ["Cetus", "'Two Words'", "None"],
    "id": ["7", "12", "100", "none"],
    **{key: ["2031", "2031-02", "2031-03-02", "2031-01-02T04:30", "1999"] for key in ("since", "until")},
    "cards": ["TT+", "AKs", "22+", "A2+", "random"],
    "line": ["*", "f", "r*", "c/*", "x?", "*/b*", "??", "c/x/x/x"],
    "relative": ["first", "between", "last"],
    **{key: ["10%", "50%", "75", "99.5%", "0%", "200%"] for key in ("made", "faced")},
    "depth": ["5bb", "10bb", "19.9bb", "50bb", "0.5"],
    "board": ["rainbow", "two-tone", "monotone", "paired", "unpaired", "trips", "connected", "A-high", "9-high"],
}


def test_every_key_is_tried() -> None:
    assert LIKELY.keys() | {"hero", "tag", "verdict", "evlost", "session", "chance", "did"} == _KEYS.keys()


@pytest.mark.parametrize("key", LIKELY)
def test_a_term_selects_what_it_means(key: str) -> None:
    rng = random.Random(key)
    some = False
    for op in _KEYS[key].ops:
        for _ in range(8):
            many = 2 if op in ("=", "!=") and key not in ("since", "until") else 1
            values = ",".join(rng.choice(LIKELY[key]) for _ in range(many))
            hero = rng.choice(["", "", "", " hero=Ann", " hero=Bob"])
            which = Filter(f"{key}{op}{values}{hero}")
            expected = brute(which)
            assert selected(which) == expected, which
            some |= 0 < len(expected) < len(hands())
    assert some


TERMS = st.sampled_from(sorted(LIKELY)).flatmap(
    lambda key: st.builds(
        lambda op, value: f"{key}{op}{value}", st.sampled_from(_KEYS[key].ops), st.sampled_from(LIKELY[key])
    )
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TERMS, max_size=4), st.sampled_from(["", "hero=Ann", "hero=Jo", 'hero=""']))
def test_a_filter_selects_what_it_means(terms: list[str], hero: str) -> None:
    try:
        which = Filter(" ".join([*terms, hero]))
    except ValueError:
        return  # about no hero, and about the hero
    assert selected(which) == brute(which)


@given(st.text("xcr/", max_size=9), st.text("xcr/*?", min_size=1, max_size=7))
def test_patterns_of_lines(line: str, pattern: str) -> None:
    def fits(line: str, pattern: str) -> bool:
        if not pattern:
            return not line
        if pattern[0] == "*":
            return fits(line, pattern[1:]) or (bool(line) and fits(line[1:], pattern))
        if not line or not (pattern[0] == line[0] or (pattern[0] == "?" and line[0] != "/")):
            return False
        return fits(line[1:], pattern[1:])

    assert fits_line(line, pattern) is fits(line, pattern)


def test_what_a_book_alone_knows() -> None:
    with Book("sqlite://") as found:
        found.add(hands())
        named = [hand for hand in hands() if hand.hero]
        one, two, three = named[:3]
        found.mine.tag("hand", one.source, one.id, "ask Al")
        found.mine.tag("player", one.source, two.id, "ask Al")
        about = [(two, 1, "mistake", 3.0), (two, 2, "right", 0.5), (three, 1, "cannot-tell", 1.0)]
        found.verdicts.put(
            StoredVerdict(hand.source, hand.id, action, "s", word, loss, 0.0, 9.0, "fold", "exact", b"")
            for hand, action, word, loss in about
        )

        def ids(text: str) -> list[str]:
            rows = found.select(text).hands.tolist()
            return [hands()[row].id for row in rows]

        assert ids("tag='ask Al'") == [one.id]
        assert len(ids("tag!='ask Al'")) == len(hands()) - 1
        assert ids("verdict=mistake") == [two.id]
        assert ids("verdict=mistake,cannot-tell") == [two.id, three.id]
        assert ids("evlost>=3bb") == [two.id]
        assert ids("evlost>0.9") == [two.id, three.id]
        assert ids("evlost=3.5bb verdict=right") == [two.id]
        with pytest.raises(ValueError, match="known to a book alone"):
            Filter("tag=x")(one)


def test_sessions_end_after_half_an_hour() -> None:
    rng = np.random.default_rng(5)
    player, time = rng.integers(0, 3, 300), rng.integers(0, 60_000, 300)
    time[::17] = NO_TIME
    number = sessions(player, time)
    for who in range(3):
        mine = sorted((int(time[k]), int(number[k])) for k in range(300) if player[k] == who and time[k] != NO_TIME)
        for (before, one), (after, other) in pairwise(mine):
            assert (one == other) is (after - before < 1800)
    assert (number[time == NO_TIME] == -1).all()
    for k in range(3):
        for m in range(3):
            assert k == m or set(number[player == k]) & set(number[player == m]) <= {-1}


def test_a_session_is_found_by_a_time_in_it() -> None:
    example = pm.example_hand()
    values = dict(
        zip(("source", "id", "spec", "players", "actions", "board", "holdings"), example._content(), strict=False)
    )
    start = datetime(2031, 3, 7, 20, 4, tzinfo=UTC)
    minutes = [0, 20, 45, 90, 95]
    found = [
        Hand(**{**values, "id": str(k)}, hero="Eve", time=start + timedelta(minutes=minute))
        for k, minute in enumerate(minutes)
    ]
    with Book("sqlite://") as own:
        own.add(found)
        assert own.select("session=2031-03-07T20:10").hands.tolist() == [0, 1, 2]
        assert own.select("session=2031-03-07T21:36").hands.tolist() == [3, 4]
        assert own.select("session=2031-03-07").hands.tolist() == [0, 1, 2, 3, 4]
        assert own.select("session=2031-03-07T21:00").hands.tolist() == []
