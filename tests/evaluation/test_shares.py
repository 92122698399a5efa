"""Shares of the pot of a holding against each other one."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation import shares
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.shares import holding_shares


@pytest.mark.parametrize("board", ["", "2c7d9h", "Ts9s8d", "AhKh5h2c", "2c7d9hKs3d", "AcKcQcJcTc"])
def test_shares_are_equities(board: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(4):
        own = HOLDINGS[rng.choice(np.flatnonzero(live_holdings(board)))]
        found = holding_shares(own, board)
        possible = live_holdings(board + own)
        assert not found[~possible].any()
        for other in rng.choice(np.flatnonzero(possible), 3):
            expected = equity([own, HOLDINGS[other]], board, exact=True).equity[0]
            assert found[other] == pytest.approx(expected, abs=1e-12)
        weights = np.where(possible, rng.random(1326) ** 4, 0.0)
        whole = equity([own, weights], board, exact=True).equity[0]
        assert float(found @ weights / weights.sum()) == pytest.approx(whole, abs=1e-9)


def test_before_the_flop_shares_of_two_add_up_whatever_suits_are_called() -> None:
    pairs = [("AsKs", "QdQc"), ("7h2d", "7s2c"), ("JhTh", "JsTs"), ("AhAd", "KsKc"), ("9c8d", "Ad9s")]
    for one, other in pairs:
        share = holding_shares(one)[holding_index(other)]
        assert share + holding_shares(other)[holding_index(one)] == pytest.approx(1.0, abs=1e-12)
        renamed = [text.translate(str.maketrans("cdhs", "hscd")) for text in (one, other)]
        assert holding_shares(renamed[0])[holding_index(renamed[1])] == share


def test_the_file_of_shares_is_what_the_tool_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parents[2] / "tools" / "preflop_shares.py"
    spec = importlib.util.spec_from_file_location("preflop_shares", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    lead = tool.leaders()
    own = [live_holdings(pm.cards.holding_cards(int(of[0]))) for of in tool.HOLDINGS_OF_CLASS]
    firsts = [np.flatnonzero(live & (lead[k] == 1326 * k + np.arange(1326))) for k, live in enumerate(own)]
    told = shares.read_told()
    assert sum(map(len, firsts)) == len(told) == 47_008
    for k in (0, 1, 14, 90, 168):  # to count all of them takes seconds
        row = np.empty(1326)
        tool.Matchups().against(int(tool.HOLDINGS_OF_CLASS[k][0]), row)
        begin = sum(map(len, firsts[:k]))
        mine = told[begin : begin + len(firsts[k])]
        assert np.array_equal(mine, np.rint(row[firsts[k]] * 2 * tool.RUNOUTS).astype(np.uint32))
    assert len(tool.packed(told)) < 110_000


def test_what_is_no_holding_or_board_is_refused() -> None:
    for holding, board, message in (
        ("AsAs", "", "duplicate card As"),
        ("AsKs", "As2c3d", "duplicate card As"),
        ("AsKs", "2c3d", "a board has 0, 3, 4 or 5 cards, got 2"),
    ):
        with pytest.raises(ValueError, match=message):
            holding_shares(holding, board)
