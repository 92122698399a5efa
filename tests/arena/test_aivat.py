"""AIVAT: the luck that is taken out has mean 0, and is most of the luck."""

import math

import numpy as np
import pytest

from pokermodel.arena import deal_cards, play_hand, tournament
from pokermodel.arena.aivat import _Board, adjusted_payoffs
from pokermodel.cards import card_indices, holding_index
from pokermodel.evaluation.equity import equity
from pokermodel.game import GameSpec
from pokermodel.players import make_player
from pokermodel.players.strategies import SharesStrategy

LIMIT = GameSpec.heads_up(1, 2)
NO_LIMIT = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
NAMES = ("Ann", "Bo")


def games(first, second, spec=LIMIT, number=24, seed=1):
    """Games, and what both strategies are, where they are known."""
    players = make_player(first), make_player(second)
    known = {
        seat: player.strategy(name)
        for seat, (player, name) in enumerate(zip(players, NAMES, strict=True))
        if player.strategy_is_exact
    }
    for game in range(number):
        deal = deal_cards(2, np.random.default_rng([seed, game]))
        yield play_hand(spec, NAMES, players, deal, entropy=seed, streams=[(game, 0), (game, 1)]), known


@pytest.mark.parametrize(
    ("first", "second", "spec"),
    [
        ("call", "call", LIMIT),
        ("raise", "raise", LIMIT),
        ("raise", "call", LIMIT),
        ("random", "call", LIMIT),
        ("random", "random", LIMIT),
        ("typical", "call", LIMIT),
        ("typical", "random?fold=0", LIMIT),
        ("random", "random", NO_LIMIT),
        ("typical", "call", NO_LIMIT),
        ("typical", "random", NO_LIMIT),
    ],
)
@pytest.mark.parametrize("known", [(), (0,), (1,), (0, 1)])
def test_the_mean_stays(first, second, spec, known):
    """What is taken out is 0 on average, whoever's strategy is known."""
    taken = []
    for number, (hand, strategies) in enumerate(games(first, second, spec)):
        some = {seat: strategies[seat] for seat in known}
        worth, _ = adjusted_payoffs(hand, some, np.random.default_rng([2, number]))
        assert worth[0] == -worth[1]
        taken.append(hand.payoffs[0] - worth[0])
    error = np.std(taken, ddof=1) / math.sqrt(len(taken))
    assert abs(np.mean(taken)) <= 4.5 * error + 1e-9


def test_games_of_equals_are_worth_nothing_and_vary_little():
    """Two who call everything play for the cards alone: nearly all of it is luck that is known."""
    plain, left = [], []
    for number, (hand, strategies) in enumerate(games("call", "call", number=60)):
        plain.append(hand.payoffs[0])
        left.append(adjusted_payoffs(hand, strategies, np.random.default_rng(number))[0][0])
    assert np.var(left) < 0.2 * np.var(plain)


def test_a_tournament_by_aivat_has_an_eighth_of_the_variance():
    """Of duplicate deals, whose mean it keeps."""
    plain = tournament("typical,call", 60, seed=5)
    known = tournament("typical,call", 60, seed=5, variance="aivat")
    assert known.variance == "aivat"
    assert known.to_dict()["variance"] == "aivat"
    assert np.array_equal(known.acts, plain.acts)  # the same games
    assert np.allclose(known.payoffs.sum(axis=1), 0)
    assert np.var(known.samples("typical")) < np.var(plain.samples("typical")) / 8
    difference = plain.samples("typical") - known.samples("typical")
    assert abs(difference.mean()) < 4.5 * difference.std(ddof=1) / math.sqrt(len(difference))


def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path):
    one = tournament("random,call", 6, seed=3, block=3, variance="aivat")
    checkpoint = tmp_path / "kept"
    two = tournament("random,call", 6, seed=3, block=3, jobs=2, variance="aivat", checkpoint=checkpoint)
    assert np.array_equal(one.payoffs, two.payoffs)
    with pytest.raises(ValueError, match="another tournament"):
        tournament("random,call", 6, seed=3, block=3, checkpoint=checkpoint)


@pytest.mark.parametrize(("board", "exact"), [("2c7d9hTs", True), ("2c7d9hTsQd", True), ("2c7d9h", False)])
def test_what_holdings_win_is_their_equity(board, exact):
    board = card_indices(board)
    rest = [card for card in card_indices("QdKh3s") if card not in board]
    wins = _Board((*board, *rest)[:5], holding_index("AsKd"), np.random.default_rng(1)).wins(len(board) - 2)
    for text in ("AhAc", "7c7h", "6h5h"):
        expected = 2 * equity([text, "AsKd"], board).equity[0] - 1
        assert wins[holding_index(text)] == pytest.approx(expected, abs=1e-12 if exact else 0.25)
    assert np.isnan(wins[holding_index("AsQc")])
    assert np.isnan(wins[holding_index("2c3c")])


def test_strategies_that_are_not_the_players_are_found_out():
    hand, _ = next(games("call", "call"))
    with pytest.raises(ValueError, match="never does with their cards"):
        adjusted_payoffs(hand, {0: SharesStrategy(0, 0, 1)}, np.random.default_rng(1))


def test_games_of_three_are_refused():
    with pytest.raises(ValueError, match="heads-up games, got 3 players"):
        tournament("call*3", 2, seed=1, variance="aivat")
    with pytest.raises(ValueError, match="variance"):
        tournament("call*2", 2, seed=1, variance="less")
