"""Equities against bets on the river beside what came of them."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index, live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, GameSpec, Hand
from tools.measure import equities

CALL, RAISE = Act.CALL, Act.RAISE
SPEC = GameSpec.no_limit(2, 50, 100, stacks=(20_000, 20_000))


def hand(number: int, holdings: dict[int, str]) -> Hand:
    checked = [(0, CALL), (1, CALL), *((1, CALL), (0, CALL)) * 2]
    actions = [*checked, (1, RAISE, False, 150), (0, CALL)]
    return Hand("t", str(number), SPEC, ["Ann", "Bob"], actions, "Kh9h4cQd2s", holdings)


def test_a_bet_is_looked_at_by_the_table_of_who_bet() -> None:
    played = hand(1, {1: "AsTs", 0: "KcJc"})
    (bet,) = equities.bets_of([played])
    session = pm.OpponentModeler()
    for decision in played.replay():
        session.observe(decision)
        if decision.act == RAISE:
            table = np.where(live_holdings("KcJc"), session.weights(1), 0.0)
    ranks = np.nan_to_num(BoardAnalysis(played.board).evaluate().hs).round(9)
    mine = ranks[holding_index("KcJc")]
    assert bet.equity == pytest.approx(table @ ((ranks < mine) + 0.5 * (ranks == mine)) / table.sum())
    assert bet.came == 1
    assert bet.bluff
    assert not bet.raised
    assert 0 < bet.forecast < 1


def test_cards_that_are_not_known_are_left_out() -> None:
    assert not equities.bets_of([hand(1, {0: "KcJc"}), hand(2, {})])


def test_the_first_hands_are_learnt_alone() -> None:
    hands = [hand(k, {1: "AsTs", 0: "KcJc"}) for k in range(4)]
    assert [bet.hand for bet in equities.bets_of(hands, warmup=3)] == [3]
    learnt, frozen = (equities.bets_of(hands, frozen=frozen) for frozen in (False, True))
    assert learnt[0] == frozen[0]
    assert learnt[-1].forecast != frozen[-1].forecast


def test_the_distance_is_by_tenths() -> None:
    given, came = np.array([0.12, 0.18, 0.55, 1.0]), np.array([0.0, 1.0, 0.5, 1.0])
    assert equities.distance(given, came) == pytest.approx((abs(0.3 - 1.0) + 0.05 + 0.0) / 4)
    assert equities.by_chance(np.full(1000, 0.5)) == pytest.approx(np.sqrt(0.25 / 1000 * 2 / np.pi), rel=0.15)
    assert equities.log_loss(np.array([0.25, 0.25]), np.array([1.0, 0.0])) == pytest.approx(
        -np.log([0.25, 0.75]).mean()
    )


def test_it_prints_what_it_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand(k, {1: "AsTs", 0: "KcJc"} if k % 2 else {1: "KsQs", 0: "KcJc"}) for k in range(6)]
    monkeypatch.setattr(equities, "open_hands", lambda file, strict: hands)
    equities.main(["made up", "--sizes", "--from", "2"])
    shown = capsys.readouterr().out
    assert "made up: 4 bets" in shown
    assert "came 0.500" in shown
    assert ".6 to .85" in shown
