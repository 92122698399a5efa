"""How a player is doing: what the hands themselves add up to, over a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from pokermodel.analysis.hand_list import hand_list
from pokermodel.analysis.today import PERIODS, today
from pokermodel.game import Hand
from pokermodel.library import Book

from .test_hand_list import HERO, hands, net

START = datetime(2031, 1, 1, 20, tzinfo=UTC)


@cache
def played() -> tuple[Hand, ...]:
    """Evenings of ten hands a minute apart: one every 20 days; and hands without a time."""
    found = []
    for k, hand in enumerate(hands()):
        time = None if k < 7 else START + timedelta(days=20 * (k // 10), minutes=k % 10)
        words = ("source", "id", "spec", "players", "actions", "board", "holdings")
        values = dict(zip(words, hand._content(), strict=False))
        more = {name: getattr(hand, name) for name in ("stacks", "stated_payoffs", "mucked", "added")}
        more |= {name: getattr(hand, name) for name in ("second_board", "third_board")}
        found.append(Hand(**{**values, "id": hand.id, "players": hand.players}, **more, time=time, hero=HERO))
    return tuple(found)


@cache
def book() -> Book:
    found = Book("sqlite://")
    found.add(reversed(played()))
    return found


@pytest.mark.parametrize(("period", "first"), list(zip(PERIODS, (0, 100, 140), strict=True)))
def test_what_was_won(period, first):
    """In all hands, since 90 days before the last one, and in the session of it."""
    found = today(book(), period=period)
    meant = played()[first:]
    assert (found.player, found.hands) == (HERO, len(meant))
    assert found.sums.net == pytest.approx(sum(map(net, meant)))
    assert found.study.unit == found.sums.unit
    assert found.course[0] == (0, 0.0, 0.0)
    assert found.course[-1].hands == len(meant)
    for point in found.course:
        assert point.net == pytest.approx(sum(map(net, meant[: point.hands])), abs=1e-6) or first == 0
    assert found.course[-1].net == pytest.approx(found.sums.net)
    assert found.course[-1].all_in_ev == pytest.approx(found.sums.all_in_ev)
    assert (found.sums.ci95 is None) == (len(meant) < 100)
    assert hand_list(book(), found.of_period).total == len(meant)  # so that they alone are judged


def test_sessions():
    """The last one first; the filter of each means its hands."""
    found = today(book())
    assert len(found.sessions) == 12
    assert found.sessions[0].began == played()[140].time.isoformat()
    assert found.sessions[0].ended == played()[149].time.isoformat()
    for session in found.sessions:
        listed = hand_list(book(), session.where)
        assert (listed.total, session.hands) == (10, 10)
        assert listed.sums.net == pytest.approx(session.net)
    assert today(book(), period="session").sessions == found.sessions[:1]


def test_a_course_has_few_points(monkeypatch):
    monkeypatch.setattr("pokermodel.analysis.today._POINTS", 7)
    found = today(book())
    assert [point.hands for point in found.course] == [0, 21, 43, 64, 86, 107, 129, 150]


def test_a_filter():
    found = today(book(), f"hero={HERO} pot=3-bet")
    assert found.hands == hand_list(book(), f"hero={HERO} pot=3-bet").total
    assert found.sums.per_100 is None
    assert found.to_dict()["course"][0] == {"hands": 0, "net": 0.0, "all_in_ev": 0.0}


def test_nothing_to_show():
    for found in today(Book("sqlite://")), today(book(), "hero=Nobody"), today(book(), 'hero=""'):
        assert (found.player, found.hands, found.sums, found.course, found.sessions) == ("", 0, None, (), ())
    with pytest.raises(ValueError, match="unknown time: 'week', expected all, 90 days, session"):
        today(book(), period="week")
