"""What a match with locks may cost: the luck that is taken out has no mean, and the purse bounds what is counted."""

import numpy as np
import pytest

from pokermodel import evaluate
from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, card_indices, holding_index, live_holdings
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.players.player import HandEnd
from pokermodel.players.purse import CountedHand, Purse
from pokermodel.reading.reader import Expectation
from pokermodel.solving import Solution

SPEC = GameSpec.heads_up(5, 10)


def _says(chances):
    """An expectation of a player who folds, calls and raises so often with each holding."""
    return Expectation.of(
        np.broadcast_to(np.asarray(chances, dtype=float), (N_HOLDINGS, 3)).copy(), np.ones(N_HOLDINGS)
    )


def _counted(acts, board, weights, chances=(0.1, 0.5, 0.4)):
    """A hand after some acts of Ann, who says what she does, and Bo, who has a range."""
    hand = Hand("", "1", SPEC, ("Ann", "Bo"), [Action(seat, act) for seat, act in acts], board)
    counted = CountedHand(SPEC, 0)
    for decision in hand.replay():
        said = _says(chances) if decision.seat == 0 else None
        counted.observe(decision, said, lambda seen=decision.situation.board: weights * live_holdings(seen))
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


@pytest.mark.parametrize("skewed", [False, True])
def test_the_luck_of_a_card_has_no_mean(skewed):
    """Over the cards that the two ranges leave, each as likely as they make it."""
    weights = np.ones(N_HOLDINGS)
    if skewed:
        weights = np.random.default_rng(3).random(N_HOLDINGS) ** 4
    turn = card_indices("Qs7h2h9c")
    acts = [(0, Act.RAISE), (1, Act.CALL), (1, Act.CALL), (0, Act.RAISE), (1, Act.CALL), (1, Act.CALL), (0, Act.CALL)]
    chances = np.random.default_rng(4).dirichlet(np.ones(3), N_HOLDINGS)
    before = _counted(acts, turn, weights, chances).luck
    last = chances[:, Act.RAISE] ** 2 * chances[:, Act.CALL]  # what Ann did with each holding
    pairs = Solution.beside(weights * live_holdings(turn)) * last * live_holdings(turn)
    found, shares = [], []
    for card in sorted(set(range(52)) - set(turn)):
        counted = _counted(acts, turn, weights, chances)
        counted._deal((*turn, card))
        found.append(counted.luck - before)
        left = live_holdings((*turn, card))
        shares.append(Solution.beside(weights * left) @ (last * left) / pairs.sum())
    assert sum(shares) == pytest.approx(44)  # each of the cards that a pair leaves goes with it
    assert np.average(found, weights=shares) == pytest.approx(0.0, abs=1e-9)
    assert np.std(found) > 0.1


def test_the_luck_of_an_act_has_no_mean():
    """Over what Ann does, as likely as she says."""
    chances = np.random.default_rng(5).dirichlet(np.ones(3), N_HOLDINGS)
    weights = np.random.default_rng(6).random(N_HOLDINGS)
    acts = [(0, Act.CALL), (1, Act.RAISE)]
    before = _counted(acts, "", weights, chances).luck
    beside = Solution.beside(weights)
    reach = beside * chances[:, Act.CALL]
    lucks = [_counted([*acts, (0, act)], "Qs7h2h", weights, chances).luck - before for act in Act]
    shares = [float(reach @ chances[:, act]) / reach.sum() for act in Act]
    assert np.dot(lucks, shares) == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(lucks) > 1.0  # of a big blind of 10


def test_nothing_is_luck_where_all_holdings_do_the_same():
    short = _counted([(0, Act.RAISE), (1, Act.FOLD)], "", np.ones(N_HOLDINGS), (0.0, 0.0, 1.0))
    assert short.luck == pytest.approx(0.0, abs=1e-12)
    assert short.worth(HandEnd((), (), {})) == 10


def test_a_showdown_counts_all_that_might_have_been_held():
    """Against aces it is lost with nearly all of them, whatever Ann had."""
    board = card_indices("Qs7h2h9c3d")
    acts = [(0, Act.CALL), (1, Act.CALL), *[(seat, Act.CALL) for _ in range(3) for seat in (1, 0)]]
    same = (0.0, 1.0, 0.0)
    weights = np.zeros(N_HOLDINGS)
    weights[holding_index("AsAh")] = 1.0
    shown = {0: card_indices("KsKh"), 1: card_indices("AsAh")}
    counted = _counted(acts, board, weights, same)
    others = [h for h in HOLDING_CARDS.tolist() if not {*h} & {*board, *shown[1]}]
    ranks = np.array([evaluate([*board, *h]) for h in others])
    mean = float(np.sign(ranks - evaluate([*board, *shown[1]])).mean()) * 10
    worth = counted.worth(HandEnd((-10.0, 10.0), board, shown))
    assert worth + counted.luck == pytest.approx(mean)


def test_what_nobody_can_say_is_not_counted():
    board = card_indices("Qs7h2h9c3d")
    acts = [(0, Act.CALL), (1, Act.CALL), *[(seat, Act.CALL) for _ in range(3) for seat in (1, 0)]]
    uniform = np.ones(N_HOLDINGS)
    assert _counted(acts, board, uniform).worth(HandEnd((), board, {})) is None
    assert _counted(acts[:2], board[:3], uniform).worth(HandEnd((), board[:3], {})) is None
    mucked = _counted(acts, board, uniform)
    assert mucked.worth(HandEnd((10.0, -10.0), board, {0: card_indices("KsKh")})) == pytest.approx(10 - mucked.luck)


@pytest.mark.parametrize("said", [None, (0.0, 1.0, 0.0)])
def test_a_hand_in_which_a_table_acted_for_the_player_counts_for_what_was_won(said):
    board = card_indices("Qs7h2h9c3d")
    acts = [Action(0, Act.RAISE), Action(1, Act.CALL), *[Action(seat, Act.CALL) for _ in range(3) for seat in (1, 0)]]
    counted = CountedHand(SPEC, 0)
    for decision in Hand("", "1", SPEC, ("Ann", "Bo"), acts, board).replay():
        says = None if decision.seat or said is None else _says(said)
        counted.observe(decision, says, lambda: np.ones(N_HOLDINGS))
    shown = {0: card_indices("KsKh"), 1: card_indices("AsAh")}
    assert counted.worth(HandEnd((-20.0, 20.0), board, shown)) == pytest.approx(-20 - counted.luck)
