"""Samples of cards stand for all that can be dealt."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import card_indices, holding_index
from pokermodel.evaluation.equity import equity
from pokermodel.solving import Solution, Subgame, solve

WIDE = "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,A5o+,KTo+,QTo+,JTo"


@pytest.mark.parametrize("board", ["QsJh2h", "QsJh2h8c"])
def test_a_sample_of_cards_stands_for_all(board):
    spot = Subgame(board, 200, 900, (WIDE, WIDE), bets=[], raises=[])
    some = spot.deal(16, "AhTh")
    assert len(some.dealt) == 16
    assert not {*some.dealt} & {*spot.cards, *card_indices("AhTh")}
    assert some.size().boards == ((1, 16, 240) if len(board) == 6 else (1, 16))
    found = solve(some, 1.0, jobs=1)
    # nobody bets, so that what comes back is the share of the pot: all of it goes to one of the two, on average
    assert found.value(0) + found.value(1) == pytest.approx(200, abs=1e-3)
    values = found.ev("r:0")
    cards = holding_index("AhTh")
    true = equity(["AhTh", spot.ranges[1]], board, jobs=1).equity[0]
    assert values.of_holdings[cards] / 200 == pytest.approx(true, abs=0.06)
    # chances of the cards sum to 1 on average, so that what is sure is worth all: quads against everybody
    sure = Subgame("QsQh2h2c"[: len(board)], 200, 900, ("QdQc", WIDE), bets=[], raises=[]).deal(16, "QdQc")
    assert solve(sure, 1.0, jobs=1).value(0) == pytest.approx(200, abs=8)


def test_cards_that_improve_a_holding_are_sampled_as_often_as_they_come():
    """Nine of the 46 cards make a flush."""
    spot = Subgame("QsJh2h8c", 200, 900, (WIDE, WIDE), bets=[], raises=[])
    for most in (12, 16, 23):
        hearts = [card for card in spot.deal(most, "AhTh").dealt if card % 4 == 2]
        assert abs(len(hearts) / most - 9 / 46) < 1 / most


@pytest.mark.parametrize(
    ("board", "own"), [("2d3h8d", "AdJs"), ("9d4c6d", "Ad3c"), ("KsKd7d", "6d6c"), ("QsJh2h", "5c4c")]
)
def test_a_sample_of_cards_is_fair_to_a_holding(board, own):
    """Cards of one strength stood in the order of their suits, so that eight of twelve were diamonds."""
    spot = Subgame(board, 200, 900, (WIDE + "," + own, WIDE), bets=[], raises=[])
    some = spot.deal(12, own, 0)
    left = np.array([card for card in range(52) if card not in {*spot.cards, *card_indices(own)}])
    suits = np.bincount(np.array(some.dealt) % 4, minlength=4)
    assert np.abs(suits - np.bincount(left % 4, minlength=4) * 12 / len(left)).max() < 1.5
    assert np.bincount(np.array(some.dealt) // 4).max() == 1
    share = solve(some, 1.0, jobs=1).ev("r:0").of_holdings[holding_index(own)] / 200
    assert share == pytest.approx(equity([own, spot.ranges[1]], board, jobs=1).equity[0], abs=0.03)


def test_samples_of_cards_that_are_refused():
    spot = Subgame("QsJh2h8c", 200, 900, (WIDE, WIDE))
    with pytest.raises(ValueError, match="most must be 8 or more"):
        spot.deal(7, "AhTh")
    with pytest.raises(ValueError, match="players who folded"):
        Subgame("QsJh2h8c", 200, 900, (WIDE, WIDE), folded=["random"]).deal(12, "AhTh")
    assert spot.deal(46, "AhTh").dealt is None
    assert Subgame("QsJh2h8c3d", 200, 900, (WIDE, WIDE)).deal(12, "AhTh").dealt is None


def test_a_sampled_solution_can_be_kept(tmp_path):
    found = solve(Subgame("QsJh2h8c", 200, 900, ("QQ,AK", "JJ,T9s"), bets=["50%"]).deal(9, "AhKh"), 1.0, jobs=1)
    found.save(tmp_path / "solution.npz")
    again = Solution.load(tmp_path / "solution.npz")
    assert again.subgame.dealt == found.subgame.dealt
    assert (np.nan_to_num(again.ev().of_acts) == np.nan_to_num(found.ev().of_acts)).all()
