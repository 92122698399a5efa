"""Showdowns of three: the product of two chances, beside the sum over all pairs of the others."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import card_indices, holding_cards
from pokermodel.evaluation import evaluate
from pokermodel.solving import three_way_shares
from pokermodel.weights import WeightTable

RIVERS = ("QsJh2h8c3d", "Kd7c7s4h2s", "AcTd9d5d3h")
OTHERS = ("22+,A8s+,KTs+,QTs+,JTs,ATo+,KQo:.5", "55+,A2s+,K9s+,QJs,T9s,98s,AJo+")


def brute(board, tables, holding):
    """The share of the pot of a holding, over all pairs that the two others can hold."""
    cards = card_indices(board)
    mine = holding_cards(holding)
    rank = evaluate((*cards, *mine))
    held = []
    for table in tables:
        some = [int(h) for h in np.flatnonzero(table.values) if not {*holding_cards(int(h))} & {*cards, *mine}]
        ranks = np.array([evaluate((*cards, *holding_cards(h))) for h in some])
        held.append((np.array([holding_cards(h) for h in some]), table.values[some], np.sign(rank - ranks)))
    (a, weights, first), (b, other, second) = held
    apart = ~(a[:, :, None, None] == b.T[None, None]).any(axis=(1, 2))
    worse, better = np.minimum(first[:, None], second), np.maximum(first[:, None], second)
    share = np.select([worse < 0, better == 0, worse == 0], [0.0, 1 / 3, 1 / 2], 1.0)
    both = apart * weights[:, None] * other[None]
    return float((both * share).sum() / both.sum())


@pytest.mark.parametrize("board", RIVERS)
def test_beside_all_pairs(board):
    """Too high by some thousandths of the pot on average; never by more than a fortieth, or so."""
    tables = [WeightTable.from_text(text) for text in OTHERS]
    shares = three_way_shares(board, tables)
    possible = np.flatnonzero(~np.isnan(shares))
    assert len(possible) == 47 * 46 // 2
    some = possible[::9]
    wanted = np.array([brute(board, tables, int(holding)) for holding in some])
    errors = shares[some] - wanted
    assert abs(errors).max() < 0.03
    assert -0.001 < errors.mean() < 0.008


def test_ties():
    """The board plays: everybody has a third."""
    tables = [WeightTable.from_text("22"), WeightTable.from_text("33")]
    shares = three_way_shares("AhKhQhJhTh", tables)
    assert shares[~np.isnan(shares)] == pytest.approx(1 / 3)


def test_what_is_refused():
    tables = [WeightTable.from_text("22")] * 2
    with pytest.raises(ValueError, match="two others, got 1"):
        three_way_shares("AhKhQhJhTh", tables[:1])
    with pytest.raises(ValueError, match="board"):
        three_way_shares("AhKhQhJh", tables)
