"""What is said and drawn of money: pots, rake, all-in EV, winnings over hands."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.player import PlayerReports
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.learning.profile import Figure
from pokermodel.learning.winnings import Winnings, WinningsPoint
from pokermodel.report.page import hand_data
from pokermodel.report.player import winnings_words
from pokermodel.report.player_page import player_page, winnings_chart
from pokermodel.report.profile import print_winnings, winnings_graph
from pokermodel.report.terminal import print_report
from pokermodel.report.words import money_words

from . import pages

SPEC = GameSpec.no_limit(3, 1, 2, stacks=(30, 100, 250))
ACTIONS = (Action(2, Act.RAISE, to=250), Action(0, Act.CALL), Action(1, Act.CALL))
CARDS = {0: "AhAd", 1: "KhKd", 2: "QhQd"}


def hand(**more):
    more = {"unit": Fraction(1, 100), "currency": "USD", **more}
    return Hand("test", "1", SPEC, ("Ann", "Bob", "Cid"), ACTIONS, "3c4s8d9cJs", CARDS, **more)


def text_of(draw, *arguments):
    console = Console(width=100, record=True, file=io.StringIO())
    draw(*arguments, console)
    return console.export_text()


def test_what_is_said_of_a_hand():
    raked = hand(stated_payoffs=(55, 35, -100), currency="USD")
    assert money_words(raked) == "pot 2.30 (115 bb), uncalled 1.50, rake 0.10"
    assert money_words(hand()).endswith("rake not stated (results are before it)")
    assert "no ICM" in money_words(hand(currency=""))
    added = hand(stated_payoffs=(55, 35, -80), added=20)
    assert money_words(added) == "pot 2.30 (115 bb), uncalled 1.50, added by the site 0.20, rake 0.10"


def test_a_report_has_money_in_all_forms():
    raked = hand(stated_payoffs=(55, 35, -100))
    report = pages.report(raked)
    found = report.to_dict()
    assert (found["pot"], found["uncalled"], found["rake"], found["all_in"]) == (2.3, 1.5, 0.1, "pre-flop")
    assert [each["net"] for each in found["players"]] == [0.55, 0.35, -1.0]
    assert [each["all_in_ev"] for each in found["players"]] == pytest.approx(raked.all_in_ev)
    text = text_of(print_report, report)
    assert "+0.55 (+27.5 bb)" in text
    assert f"all-in EV {raked.all_in_ev[0]:+.2f}" in text
    assert "rake 0.10" in text
    page = hand_data([report])["hand"]
    assert page["money"] == money_words(raked)
    assert page["moments"][-1]["pot"] == "2.30 (115 bb)"  # what went back is not in it
    assert page["players"][0]["net"] == "+0.55 (+27.5 bb)"
    assert page["players"][0]["all_in_ev"].startswith(f"{raked.all_in_ev[0]:+.2f}")


def reports(hands, **options):
    with pm.Book("sqlite://") as book:
        book.learn(hands)
        return PlayerReports(book, **options).of(book.profile("Ann"))


def many(number):
    return [
        Hand("test", f"{k}", SPEC, ("Ann", "Bob", "Cid"), ACTIONS, "3c4s8d9cJs" if k % 3 else "3c4s8dKcJs", CARDS)
        for k in range(number)
    ]


def test_winnings_of_a_player():
    """The figures of the terminal and of the page are those of the report, and of JSON."""
    report = reports(many(12), ranges=True)
    winnings = report.winnings
    text = text_of(print_winnings, report)
    for each in (winnings.per_100, winnings.ev_per_100):
        assert f"{each.value:+.1f}" in text
        assert f"{each.low:+.1f} to {each.high:+.1f}" in text
    assert "The rake of 12 hands is not stated" in text
    assert "12 all-ins" in text
    assert "no ICM" in text
    assert report.to_dict()["winnings"] == winnings.to_dict()
    assert len(report.to_dict()["over_time"]["winnings"]) == 13
    page = player_page([report])
    assert "Winnings over hands" in page
    assert f"{winnings.per_100.value:+.1f}" in page
    chart = winnings_chart(report)
    assert len(chart.rows) == 26
    assert winnings_chart(reports(many(1))) is None


def winnings_of(**more):
    """Winnings in limit, made up."""
    figure = Figure("sb/100", "", 0, 40, 0.0, -1.0, 1.0)
    given = {"unit": "small bets", "short": "sb", "hands": 40, "net": 10.0, "rake": 2.0, "unstated_rakes": 0}
    given |= {"all_in_ev": 9.0, "all_ins": 3, "unknown_all_ins": 0, "per_100": figure, "ev_per_100": figure}
    return Winnings(**(given | more))


def test_what_was_won_or_lost_in_words():
    lost = winnings_of(net=-6.95, rake=0.95, all_ins=0, all_in_ev=-6.95)
    first, second, _ = winnings_words(lost)
    assert first == "Lost 6.95 small bets after a rake of 0.95."
    assert second == "No all-in had cards to come, so that all-in EV is what was won."
    assert winnings_words(winnings_of(net=1234.5))[0] == "Won 1,234.5 small bets after a rake of 2."
    unknown = winnings_words(winnings_of(all_ins=0, unknown_all_ins=1))[1]
    assert "1 with cards that are not known count with what was won" in unknown


def test_a_graph_in_text():
    points = [WinningsPoint(0, 0, 0), WinningsPoint(50, 10, -10), WinningsPoint(100, 20, 20)]
    *rows, key = winnings_graph(points, 60)
    assert len(rows) == 11
    assert rows[0].startswith("+20 |")
    assert rows[0].endswith("#")
    assert rows[-1].startswith("-10 |")
    assert "o" in rows[-1]
    assert key.strip().startswith("0 to 100 hands")
    assert max(map(len, rows)) <= 60
    flat = winnings_graph([WinningsPoint(k, 0, 0) for k in range(3)], 40)
    assert len(flat) == 12
