"""`HandFilter`: which hands are meant."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction

import pytest

import pokermodel as pm
from pokermodel.game import POSITIONS, Hand, positions
from pokermodel.histories import HandFilter


def at(time: datetime | None, **changes: object) -> Hand:
    """The example, played at some time."""
    hand = pm.example_hand()
    values = dict(
        zip(("source", "id", "spec", "players", "actions", "board", "holdings"), hand._content(), strict=False)
    )
    return Hand(**{**values, "time": time, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("since", "until", "inside", "outside"),
    [
        ("1995", "1995", ["1995-01-01T00:00", "1995-12-31T23:59:59.9"], ["1994-12-31T23:59:59", "1996-01-01T00:00"]),
        ("1995-12", "1995-12", ["1995-12-01", "1995-12-31T23:59"], ["1995-11-30T23:59", "1996-01-01"]),
        ("1995-02-28", "1995-02-28", ["1995-02-28T23:59:59"], ["1995-02-27T23:59:59", "1995-03-01"]),
        ("1995-02-28 12:30", "1995-02-28 12:30", ["1995-02-28T12:30:59"], ["1995-02-28T12:29:59", "1995-02-28T12:31"]),
        ("1995-02-28T12:30:05", "1995-02-28T12:30:05", ["1995-02-28T12:30:05.5"], ["1995-02-28T12:30:06"]),
        ("1995-02-28T12:30+02:00", None, ["1995-02-28T10:30"], ["1995-02-28T10:29"]),
        (None, date(1995, 4, 1), ["1995-04-01T23:59", "1970-01-01"], ["1995-04-02"]),
        (datetime(1995, 4, 1), datetime(1995, 4, 1), ["1995-04-01"], ["1995-04-01T00:00:01"]),
        (datetime(1995, 4, 1, tzinfo=timezone(timedelta(hours=2))), None, ["1995-03-31T22:00"], ["1995-03-31T21:59"]),
    ],
)
def test_dates(since: object, until: object, inside: list[str], outside: list[str]) -> None:
    means = HandFilter(since=since, until=until)  # type: ignore[arg-type]
    for text, expected in [(text, True) for text in inside] + [(text, False) for text in outside]:
        time = datetime.fromisoformat(text)
        assert means(at(time)) is means(at(time.replace(tzinfo=UTC))) is expected, text
    assert not means(at(None))


def test_positions() -> None:
    hand = pm.example_hand()
    where = [POSITIONS[place] for place in positions(hand.spec)]
    assert where == ["small blind", "big blind", "middle", "middle", "cutoff", "button"]
    for name, place in zip(hand.players, where, strict=True):
        assert [each for each in POSITIONS if HandFilter(name, position=each)(hand)] == [place]
        assert HandFilter(name, position=POSITIONS)(hand)
    two = pm.GameSpec(blinds=(10, 5), bets=(10, 10, 20, 20), first=(1, 0, 0, 0))
    assert [POSITIONS[place] for place in positions(two)] == ["big blind", "small blind"]


def test_players_pots_stakes_and_rounds() -> None:
    hand = pm.example_hand()
    assert HandFilter(hand.players)(hand)
    assert not HandFilter([*hand.players, "Nobody"])(hand)
    assert HandFilter(min_pot=hand.pot, max_pot=hand.pot)(hand)
    assert not HandFilter(min_pot=hand.pot + 1)(hand)
    assert not HandFilter(max_pot=hand.pot - 1)(hand)
    cents = at(None, unit=Fraction(1, 100), currency="USD")
    assert HandFilter(max_pot=hand.pot / 100, stake="0.10/0.2")(cents)
    assert HandFilter(stake="0.1/0.2 USD")(cents)
    assert not HandFilter(stake="0.1/0.2 EUR")(cents)
    assert not HandFilter(stake="10/20")(cents)
    assert HandFilter(stake="10/20")(hand)
    assert HandFilter(showdown=True, street="river")(hand)
    assert not HandFilter(showdown=False)(hand)
    before_flop = at(None, actions=[(seat, 0) for seat in (2, 3, 4, 5, 0)], board=(), holdings={})
    assert (before_flop.last_round, before_flop.showdown, before_flop.pot) == (0, False, 10)
    assert not HandFilter(street="flop")(before_flop)
    assert HandFilter(street="pre-flop")(before_flop)


def test_what_is_no_filter() -> None:
    assert not HandFilter()
    assert HandFilter(showdown=False)
    assert HandFilter("Ann") == HandFilter(["Ann"]) == pickle.loads(pickle.dumps(HandFilter("Ann")))
    for wrong, what in (
        ({"position": "button"}, "a position is of one player, got 0"),
        ({"player": ["Ann", "Bob"], "position": "button"}, "a position is of one player, got 2"),
        ({"player": "Ann", "position": "dealer"}, "unknown position 'dealer'"),
        ({"street": "fourth"}, "unknown street 'fourth'"),
        ({"since": "1995-13"}, "since '1995-13': expected a date"),
        ({"until": "yesterday"}, "until 'yesterday': expected a date"),
        ({"until": "9999"}, "until '9999': expected a date"),
        ({"stake": "10"}, "'10' is not a stake"),
    ):
        with pytest.raises(ValueError, match=what):
            HandFilter(**wrong)  # type: ignore[arg-type]
