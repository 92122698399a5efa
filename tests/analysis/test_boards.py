"""A spot on many boards."""

from functools import partial

import numpy as np
import pytest

from pokermodel.analysis.boards import BoardsReport, board_classes, board_figures, board_value
from pokermodel.evaluation.equity import equity
from pokermodel.executors import Threads
from pokermodel.solving import solve
from pokermodel.solving.flops import all_flops
from pokermodel.solving.many import Options, board_spots, solve_spots

SPOT = """
pot = 100
stack = 300
ranges = ["QQ,AK,98s,76s", "JJ,KK:.5,T9s,A5s"]
bets = ["75%"]
"""
BOARDS = ("QsJh2h8c3d", "7c7d2s8h3h", "AsKsQs2d4c")


@pytest.fixture(scope="module")
def entries():
    spots = board_spots(f"boards = {list(BOARDS)}{SPOT}")
    return list(solve_spots(spots, Threads(1), Options(target=0.05), more=board_figures))


def test_the_report_of_a_board_is_its_solution(entries):
    spots = board_spots(f"boards = {list(BOARDS)}{SPOT}")
    for spot, entry in zip(spots, entries, strict=True):
        found = solve(spot.subgame, 0.05)
        row = board_value(100.0, entry)
        shares = equity(spot.subgame.ranges, spot.subgame.cards).equity
        for player, side in enumerate(("oop", "ip")):
            assert row[f"ev_{side}"] == found.value(player)
            assert row[f"equity_{side}"] == pytest.approx(shares[player])
            assert row[f"realised_{side}"] == pytest.approx(found.value(player) / (100 * shares[player]))
        assert [row["oop check"], row["oop bet 75"]] == pytest.approx(found.ev("r:0").frequencies.tolist())
        assert [row["ip check"], row["ip bet 75"]] == pytest.approx(found.ev("r:0:c").frequencies.tolist())


def test_boards_come_as_often_as_pairs_of_holdings(entries):
    """By enumeration of the pairs that share no card with each other or the board."""
    spot = board_spots(f"boards = {list(BOARDS)}{SPOT}")[0].subgame
    from pokermodel.cards import holding_cards

    first, second = (np.asarray(table.values) for table in spot.ranges)
    expected = sum(
        first[one] * second[two]
        for one in np.flatnonzero(first)
        for two in np.flatnonzero(second)
        if len({*holding_cards(one), *holding_cards(two), *spot.cards}) == 9
    )
    assert entries[0]["pairs"] == pytest.approx(expected)


def test_means_are_weighted_by_what_boards_stand_for(entries):
    given = [entry | {"weight": weight} for entry, weight in zip(entries, (1, 2, 5), strict=True)]
    report = BoardsReport.of(100.0, given)
    weights = np.array([each["weight"] * each["pairs"] for each in given])
    whole = report.whole()
    assert whole["ev_oop"] == pytest.approx(weights @ [each["ev"][0] for each in given] / weights.sum())
    assert whole["ev_oop"] + whole["ev_ip"] == pytest.approx(100, abs=0.1)
    assert whole["realised_ip"] == pytest.approx(whole["ev_ip"] / (100 * whole["equity_ip"]))
    assert whole["oop check"] + whole["oop bet 75"] == pytest.approx(1)
    by_name = {row["name"]: row for row in report.classes()}
    assert by_name["unpaired"]["boards"] == 2
    for words in (("monotone", "two-tone", "rainbow"), ("paired", "unpaired"), ("A-high", "Q-high", "7-high")):
        assert sum(by_name[word]["share"] for word in words) == pytest.approx(1)
        assert sum(by_name[word]["share"] * by_name[word]["ev_oop"] for word in words) == pytest.approx(whole["ev_oop"])


def test_classes_cover_all_flops():
    groups = {"monotone", "two-tone", "rainbow"}, {"trips", "paired", "unpaired"}
    for flop in all_flops():
        words = set(board_classes(flop))
        assert [len(words & group) for group in groups] == [1, 1]
        assert sum(word.endswith("-high") for word in words) == 1


def test_a_board_that_a_range_does_not_leave_is_named():
    spots = board_spots('boards = ["QsQhQd", "7c7d2s"]\npot = 1\nstack = 1\nranges = ["QQ", "KK"]')
    assert [spot.subgame is None for spot in spots] == [True, False]
    found = list(map(dict, solve_spots(spots[:1], Threads(1), Options(), more=partial(board_figures))))
    assert "error" in found[0]
