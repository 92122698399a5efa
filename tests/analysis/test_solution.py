"""What is shown of a solution, beside the solution itself."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.solution import solution_report, solved_node
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, card_indices
from pokermodel.solving import Lock, Subgame, gain_of, solve

RANGES = "QQ,AK,98s,22,T9s,A5s", "JJ,KK:.5,T9s,AA,QTs"


def spot(board="QsJh2h8c3d", **more):
    sizes = {"bets": ["50%", "all-in"], "raises": ["60%"]}
    return Subgame(board, pot=200, stacks=900, ranges=RANGES, **(sizes | more))


@pytest.fixture(scope="module")
def river():
    return solve(spot(), target=0.1)


@pytest.fixture(scope="module")
def turn():
    return solve(spot("QsJh2h8c", bets=["75%"], raises=[]), target=0.5)


def test_a_decision_is_as_the_solution_has_it(river):
    node = solved_node(river, "r:0:b100")
    values = river.ev("r:0:b100")
    assert (node.kind, node.player, node.pot, node.to_call) == ("decision", 1, 300.0, 100.0)
    assert node.parts == ("f", "c", "b340")
    assert node.ev[1] == values.mean
    assert np.array_equal(node.of_acts, values.of_acts, equal_nan=True)
    assert np.array_equal(node.strategy, river.strategy("r:0:b100"), equal_nan=True)
    assert sum(node.ev) == pytest.approx(300, abs=0.1)
    assert sum(node.equities) == pytest.approx(1)
    assert node.equities[0] == pytest.approx(pm.equity(node.ranges, "QsJh2h8c3d").equity[0])


def test_classes_are_means_of_their_holdings(river):
    node = solved_node(river)
    k = CLASSES.index("AKo")
    of_class = (k == CLASS_OF_HOLDING) & (node.ranges[0].values > 0)
    weights = node.ranges[0].values[of_class]
    assert node.class_strategy()[k] == pytest.approx(weights @ node.strategy[of_class] / weights.sum())
    assert node.class_ev(0)[k] == pytest.approx(weights @ node.of_holdings[0][of_class] / weights.sum())
    assert np.isnan(node.class_strategy()[CLASSES.index("72o")]).all()


def test_what_ranges_make_and_do(river):
    node = solved_node(river)
    assert sum(group.share for group in node.groups[0]) == pytest.approx(1)
    assert [group.name for group in node.groups[0]][:2] == ["straight", "three of a kind"]
    taken = sum(group.share * np.array(group.acts) for group in node.groups[0])
    whole = node.ranges[0].values
    expected = whole @ np.nan_to_num(node.strategy) / whole.sum()
    assert taken == pytest.approx(expected)
    assert all(group.acts == () for group in node.groups[1])


def test_ends_of_a_hand(river):
    folded, called = solved_node(river, "r:0:b100:f"), solved_node(river, "r:0:b100:c")
    assert (folded.kind, folded.player, folded.ev) == ("fold", 1, (300.0, 0.0))
    assert (called.kind, called.player, called.pot) == ("showdown", None, 400.0)
    assert sum(called.ev) == pytest.approx(400)
    # what a call is worth to who calls is what the showdown is worth to them, less the call
    assert called.ev[1] - 100 == pytest.approx(river.ev("r:0:b100").act_means[1], abs=0.05)


def test_rake_is_taken_of_what_was_matched():
    solution = solve(spot(rake=0.05, rake_cap=12), target=1)
    assert sum(solved_node(solution, "r:0:b100:c").ev) == pytest.approx(388)
    assert solved_node(solution, "r:0:b100:f").ev == (290.0, 0.0)


def test_a_deal_is_worth_what_its_cards_are(turn):
    node = solved_node(turn, "r:0:c:c")
    assert node.kind == "deal"
    assert len(node.cards) == 48
    assert sum(node.ev) == pytest.approx(200, abs=0.01)
    assert node.ev[1] == pytest.approx(turn.ev("r:0:c").act_means[0], abs=1e-3)
    card = next(each for each in node.cards if each.card == "Ah")
    assert card.ev[0] == turn.ev("r:0:c:c:Ah", 0).mean
    assert [act for act, _ in card.acts] == ["check", "bet 150"]


def test_what_is_worked_out_is_asked_for(turn):
    few = solution_report(turn)
    assert all(len(node.board) == 4 for node in few.nodes.values())
    assert few.left_out == sum(node.kind == "deal" for node in few.nodes.values()) > 0
    some = solution_report(turn, cards=[card_indices("Ah")])
    assert {node.board[4:] for node in some.nodes.values()} == {(), card_indices("Ah")}
    checked = solve(spot("QsJh2h8c", bets=[], raises=[]), target=1)  # there is little on its 49 rivers
    whole = solution_report(checked, cards=None)
    assert whole.left_out == 0
    assert len({node.board for node in whole.nodes.values()}) == 49
    at = solution_report(turn, start="r:0:c:c:9c:c")
    assert at.start == "r:0:c:c:9c:c"
    assert at.start in at.nodes
    with pytest.raises(ValueError, match="8c cannot be dealt on QsJh2h8c"):
        solution_report(turn, cards=[card_indices("8c")])
    with pytest.raises(ValueError, match="there is no node"):
        solution_report(turn, start="r:0:b1")


def test_all_in_before_the_river():
    solution = solve(spot("QsJh2h8c", bets=["all-in"], raises=[]), target=1)
    node = solved_node(solution, "r:0:b900:c")
    assert node.kind == "all-in"
    assert sum(node.ev) == pytest.approx(2000)
    assert node.ev[1] - 900 == pytest.approx(solution.ev("r:0:b900").act_means[1], abs=0.5)


def test_locks_gain_and_cost():
    free = solve(spot(), target=0.1)
    lock = Lock("r:0:b100", {"fold": 0.7, "call": 0.2, "b340": 0.1}, 0.5)
    locked = solve(spot(), target=0.1, locks=[lock])
    gain = gain_of(locked, free)
    report = solution_report(locked, gain=gain)
    assert report.gain is gain
    assert gain.gain > 0 < gain.loss
    assert report.nodes["r:0:b100"].confidence == 0.5
    assert report.nodes["r:0"].confidence is None
    assert solution_report(locked).gain is None
