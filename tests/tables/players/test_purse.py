"""What a match with locks may cost: the luck that is taken out has no mean, and the purse bounds what is counted."""

import numpy as np
import pytest

from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, card_indices, holding_index, live_holdings
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.tables.players.player import HandEnd
from pokermodel.tables.players.purse import CountedHand, Purse

SPEC = GameSpec.heads_up(5, 10)


def _counted(acts, board, holding, weights):
    """A hand after some acts."""
    hand = Hand("", "1", SPEC, ("Ann", "Bo"), [Action(seat, act) for seat, act in acts], board)
    counted = CountedHand(SPEC, 0, holding)
    for decision in hand.replay():
        counted.observe(decision, lambda seen=decision.situation.board: weights * live_holdings(seen))
    return counted


def test_a_purse_must_hold_something():
    for size in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="above 0 small bets"):
            Purse(size)


def test_winnings_count_up_to_twice_the_purse_and_losses_without_a_bound():
    purse = Purse(5.0)
    assert purse.count(100.0) == 10.0
    assert purse.count(-9.0) == 1.0
    assert purse
    assert purse.count(-3.0) == -2.0
    assert not purse
    assert purse.hands == 3


def test_the_luck_of_the_own_holding_has_no_mean():
    lucks = [_counted([], "", holding, np.ones(N_HOLDINGS)).luck(()) for holding in HOLDING_CARDS.tolist()]
    assert np.mean(lucks) == pytest.approx(0.0, abs=1e-9)
    assert lucks[holding_index("AsAh")] > 10.0  # of a big blind of 10 in each hand
    assert lucks[holding_index("7s2h")] < -5.0


@pytest.mark.parametrize("skewed", [False, True])
def test_the_luck_of_a_card_has_no_mean(skewed):
    """Whatever the range is: but for the cards that the opponent has."""
    weights = np.ones(N_HOLDINGS)
    if skewed:
        weights = np.random.default_rng(3).random(N_HOLDINGS) ** 4
    turn = "Qs7h2h9c"
    acts = [(0, Act.RAISE), (1, Act.CALL), (1, Act.CALL), (0, Act.RAISE), (1, Act.CALL), (1, Act.CALL), (0, Act.CALL)]
    own = card_indices("JhTh")
    counted = _counted(acts, turn, own, weights)
    before = _counted(acts[:5], turn, own, weights).luck(turn)  # up to the turn
    rivers = [card for card in range(52) if card not in {*card_indices(turn), *own}]
    found = np.array([counted.luck((*card_indices(turn), card)) - before for card in rivers])
    stake = 30
    assert abs(found.mean()) < 0.01 * stake
    hits = [card in card_indices("8s8d8h8cKsKdKhKcAh3h4h5h6hTh") for card in rivers]
    assert found[hits].mean() > 0.4 * stake
    assert found[~np.array(hits)].mean() < -0.1 * stake


def test_no_luck_is_left_where_nothing_was_dealt():
    short = _counted([(0, Act.RAISE), (1, Act.FOLD)], "", "AsAh", np.ones(N_HOLDINGS))
    assert short.luck(()) == _counted([], "", "AsAh", np.ones(N_HOLDINGS)).luck(())


def test_what_was_won_follows_from_the_cards_where_nobody_says_it():
    board = card_indices("Qs7h2h9c3d")
    acts = [(0, Act.CALL), (1, Act.CALL), *[(seat, Act.CALL) for _ in range(3) for seat in (1, 0)]]
    shown = {0: card_indices("AsAh"), 1: card_indices("KsKh")}
    counted = _counted(acts, "Qs7h2h9c3d", "AsAh", np.ones(N_HOLDINGS))
    assert counted.won(HandEnd((), board, shown)) == 10
    assert counted.won(HandEnd((-10.0, 10.0), board, shown)) == -10
    assert counted.won(HandEnd((), board, {})) is None
    assert _counted(acts[:2], "Qs7h2h", "AsAh", np.ones(N_HOLDINGS)).won(HandEnd((), board[:3], {})) is None
    folded = [(0, Act.RAISE), (1, Act.FOLD)]
    assert _counted(folded, "", "AsAh", np.ones(N_HOLDINGS)).won(HandEnd((), (), {})) == 10
