"""Ranges and tables by class."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.analysis.range import (
    FEW_GROUPS,
    FEW_GROUPS_RIVER,
    GROUPS,
    RangeShape,
    class_changes,
    composition,
    range_summary,
    top_classes,
    top_hands,
)
from pokermodel.cards import CLASSES, card_indices


def test_the_likeliest_classes():
    table = pm.WeightTable.from_text("AA, KK:0.5, AKs:0.25")
    assert top_classes(table, 2) == [("AA", pytest.approx(0.6)), ("KK", pytest.approx(0.3))]
    assert top_classes(table, 9)[2:] == [("AKs", pytest.approx(0.1))]


def test_changes_are_bits_of_a_holding():
    before = pm.WeightTable.from_text("AA, KK, 72o")
    after = pm.WeightTable.from_text("AA, KK:0.5, 22")
    bits = dict(zip(CLASSES, class_changes(after, before).tolist(), strict=True))
    was, now = 1 / (6 + 6 + 12), 1 / (6 + 3 + 6)
    assert bits["AA"] == pytest.approx(np.log2(now / was))
    assert bits["KK"] == pytest.approx(np.log2(now / 2 / was))
    assert (bits["72o"], bits["22"], bits["QQ"]) == (-np.inf, np.inf, 0.0)
    with pytest.raises(ValueError, match="weight 0"):
        class_changes(after, pm.WeightTable(np.zeros(1326)))


def test_a_summary_counts_weights():
    found = range_summary(pm.WeightTable.from_text("AA, KK:0.5", dead="AsKs"))
    assert (found["holdings"], found["classes"], found["live_holdings"]) == (6, 2, 1225)
    assert found["weighted_holdings"] == pytest.approx(4.5)
    assert found["share"] == pytest.approx(4.5 / 1225)
    assert found["dead"] == "KsAs"


def shares(text, board):
    cards = card_indices(board)
    return dict(composition(pm.WeightTable.from_text(text, dead=cards), cards))


@pytest.mark.parametrize(
    ("text", "board", "expected"),
    [
        ("77", "Th7h2c", {"three of a kind": 1.0}),
        ("T7s", "Th7h2c", {"two pair": 1.0}),
        ("JJ+", "Th7h2c", {"overpair": 1.0}),
        ("AsTs, KsTs", "Th7h2c", {"top pair": 1.0}),
        ("A7s, 87s", "Th7h2c", {"middle pair": 1.0}),
        ("66, A2s", "Th7h2c", {"low pair": 1.0}),
        ("KhQh, AhKh, 9h8h", "Th7h2c", {"flush draw": 1.0}),
        ("9s8s", "Th7h2c", {"open-ender": 1.0}),
        ("Qs9s", "Th7h8cKd", {"open-ender": 1.0}),
        (
            "AsKs, As8c, KsQs, QsJs",
            "Th9h2c",
            {"two overcards": 0.25, "gutshot": 0.25, "open-ender": 0.25, "ace high": 0.25},
        ),
        ("KsQs, 5s4s", "Th7h2c", {"two overcards": 0.5, "nothing": 0.5}),
        ("98s", "Th7h6c", {"straight": 1.0}),
        ("AhKh, TT, T9s", "Th7h2h2c2d", {"flush": 1 / 7, "full house or better": 6 / 7}),
    ],
)
def test_what_a_range_makes(text, board, expected):
    assert shares(text, board) == pytest.approx(expected)


@given(st.lists(st.integers(0, 51), min_size=3, max_size=5, unique=True), st.integers(0, 2**32 - 1))
def test_a_composition_is_the_whole_range(board, seed):
    table = pm.WeightTable(np.random.default_rng(seed).random(1326), dead=board)
    found = composition(table, tuple(board))
    assert sum(share for _, share in found) == pytest.approx(1)
    assert len({name for name, _ in found}) == len(found)


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_flushes_and_straights_are_those_of_the_evaluator(board):
    """On a river whose board has neither, and no two of a rank, what is made is what a hand is worth."""
    if len({card // 4 for card in board}) < 5 or pm.evaluate(board) > 1277:
        return
    table = pm.WeightTable.uniform(board)
    found = dict(composition(table, tuple(board)))
    ranks = np.array([pm.evaluate([*board, *pair]) for pair in combinations(set(range(52)) - set(board), 2)])
    flush = np.mean((ranks > 5863) & (ranks <= 7140) | (ranks > 7452))
    straight = np.mean((ranks > 5853) & (ranks <= 5863))
    assert found.get("straight", 0) == pytest.approx(straight, abs=1e-12)
    assert found.get("flush", 0) + found.get("full house or better", 0) == pytest.approx(flush, abs=1e-12)


def test_a_table_from_before_the_board_is_counted_without_it():
    """What the board rules out makes nothing: the shares are those of what is left, and together 1."""
    board = pm.cards.card_indices("AsKd2c")
    found = dict(composition(pm.WeightTable.from_text("AsAh, QJs:0.5"), board))
    assert found == {"gutshot": 1.0}
    with pytest.raises(ValueError, match="no holding of the range is possible on AsKd2c"):
        composition(pm.WeightTable.from_text("AsAh"), board)


def test_the_likeliest_hands():
    assert [name for name, _ in top_hands(pm.WeightTable.from_text("AKs, AKo, QQ, JTs:0.1"), 3)] == ["AK", "QQ", "JT"]


def test_the_shape_of_a_range():
    board = pm.cards.card_indices("Ah7h2c")
    shape = RangeShape.of(pm.WeightTable.from_text("77, AKo, KhQh, QJo", dead=board), board, 2)
    assert shape.tops[0][0] == "QJ"
    assert len(shape.tops) == 2
    few = dict(shape.few())
    assert sum(few.values()) == pytest.approx(1)
    assert few["set+"] == pytest.approx(3 / (3 + 9 + 1 + 12))
    assert few["flush draw"] == pytest.approx(1 / 25)
    assert few["lower pair"] == 0
    assert dict(replace(shape, river=True).few())["three of a kind"] == few["set+"]
    assert RangeShape.of(pm.WeightTable.from_text("77"), ()).composition == ()
    assert RangeShape.of(pm.WeightTable.from_text(""), board) is None


def test_the_few_groups_are_all_groups():
    for few in (FEW_GROUPS, FEW_GROUPS_RIVER):
        parts = [name for _, group in few for name in group]
        assert len(parts) == len(set(parts))
        assert set(parts) == set(GROUPS) - (set() if few is FEW_GROUPS else {"flush draw", "open-ender", "gutshot"})
