"""What bets on the river say beyond the likelihood."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, Hand
from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.polarity import SIZE_GROUPS, Polarity, size_group, strength_masses
from pokermodel.reading.adaptive.prior import GamePrior, Prior
from pokermodel.reading.adaptive.sizes import SIZE_CELLS
from tests.common.copies import pickled
from tests.common.river_bets import DEEP, river

CALL, RAISE = Act.CALL, Act.RAISE
BOARD = pm.cards.card_indices("Kh9h4cQd2s")
GENERATOR = np.random.default_rng(5)


def test_sizes_are_in_groups() -> None:
    groups = [size_group(cell) for cell in range(SIZE_CELLS)]
    assert groups[0] == 0
    assert groups[-1] == 3
    assert groups[1:-1] == sorted(groups[1:-1])
    assert {*groups} == set(range(SIZE_GROUPS))


def test_masses_are_those_of_bins() -> None:
    weights = GENERATOR.random(1326)
    bins = strength_bins(BOARD)
    weights[bins < 0] = 0
    masses = strength_masses(weights, BOARD)
    for k in range(16):
        assert masses[k] == pytest.approx(weights[bins == k].sum() / weights.sum())
    assert not strength_masses(np.zeros(1326), BOARD).any()


def test_a_table_is_tilted_bin_by_bin_and_each_side_to_a_power() -> None:
    """By hand: each bin times its factor, then each side to a power of what it had."""
    tilts = GENERATOR.normal(size=(4, 16)).astype(np.float32)
    polarity = Polarity(tilts, (0.5, 0.25))
    weights = GENERATOR.random(1326)
    bins = strength_bins(BOARD)
    weights[bins < 0] = 0
    weights /= weights.sum()
    weak = weights[(bins >= 0) & (bins < 5)].sum()
    for raised, power in ((False, 0.5), (True, 0.25)):
        expected = np.zeros(1326)
        for holding in np.flatnonzero(bins >= 0):
            side = weak if bins[holding] < 5 else 1 - weak
            expected[holding] = weights[holding] * np.exp(tilts[2, bins[holding]]) * side ** (power - 1)
        found = polarity.after(weights, BOARD, 2, raised)
        np.testing.assert_allclose(found, expected / expected.max(), rtol=1e-6)


def test_an_empty_table_stays() -> None:
    polarity = Polarity(np.zeros((1, 16)), (0.5, 0.5))
    weights = np.zeros(1326)
    assert polarity.after(weights, BOARD, 0, raised=False) is weights


def test_a_side_that_a_table_has_nothing_of_gets_nothing() -> None:
    weights = np.where(strength_bins(BOARD) >= 5, 1.0, 0.0)
    found = Polarity(np.zeros((1, 16)), (0.5, 0.5)).after(weights, BOARD, 0, raised=False)
    np.testing.assert_allclose(found, weights)


@pytest.mark.parametrize(
    ("tilts", "powers", "said"),
    [
        (np.zeros((2, 16)), (1, 1), "tilts of the river have shape (1, 16) or (4, 16), got (2, 16)"),
        (np.zeros((4, 16)), (1, 1, 1), "powers of the river have shape (2,), got (3,)"),
        (np.full((1, 16), np.inf), (1, 1), "tilts of the river must be finite"),
        (np.zeros((1, 16)), (np.nan, 1), "powers of the river must be finite"),
    ],
)
def test_what_is_no_polarity_is_refused(tilts: object, powers: object, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        Polarity(tilts, powers)


# --------------------------------------------------------------------------------------------------- the reader


def with_polarity(polarity: Polarity | None) -> Prior:
    known = default_prior().games["no limit"].with_standings(None)  # by which a bet would change later forecasts
    return Prior([known.with_polarity(polarity)], {})


def tables(prior: Prior, hand: Hand) -> list[np.ndarray]:
    session = pm.OpponentModeler("adaptive", prior=prior)
    return [session.observe(decision).weights_after.copy() for decision in hand.replay()]


def test_the_reader_tilts_bets_and_raises_of_the_river_alone() -> None:
    polarity = Polarity(GENERATOR.normal(size=(4, 16)), (0.7, 0.4))
    hand = river(200, second=1300)  # the pot, then a raise by nearly two pots
    plain, tilted = tables(with_polarity(None), hand), tables(with_polarity(polarity), hand)
    decisions = list(hand.replay())
    for before, after, decision in zip(plain, tilted, decisions, strict=True):
        situation = decision.situation
        if situation.round == 3 and decision.act == RAISE:
            group = 2 if situation.seat == 1 else 3
            expected = polarity.after(before, situation.board, group, situation.to_call > 0)
            np.testing.assert_allclose(after / after.max(), expected, rtol=1e-9, atol=1e-15)
        elif situation.round < 3:
            np.testing.assert_array_equal(before, after)


def test_a_second_raise_of_the_same_player_is_not_tilted_again() -> None:
    actions = [(0, CALL), (1, CALL), *((1, CALL), (0, CALL)) * 2]
    actions += [(1, RAISE, False, 200), (0, RAISE, False, 900), (1, RAISE, False, 2500), (0, CALL)]
    hand = Hand("t", "1", DEEP, ["Ann", "Bob"], actions, "Kh9h4cQd2s", {})
    polarity = Polarity(GENERATOR.normal(size=(4, 16)), (1.0, 1.0))
    plain, tilted = tables(with_polarity(None), hand), tables(with_polarity(polarity), hand)
    first, again = 6, 8
    live = plain[again] > 0
    moved = [tilted[k][live] / plain[k][live] for k in (first, again)]
    np.testing.assert_allclose(moved[0] / moved[0].max(), moved[1] / moved[1].max(), rtol=1e-9)


def test_the_prior_that_ships_is_polar() -> None:
    """Small bets are middling, large ones the best and the worst; and bluffs are in some proportion to value."""
    for name, game in default_prior().games.items():
        assert game.polarity is not None
        assert (game.polarity.powers < 1).all()
        assert len(game.polarity.tilts) == (1 if name == "limit" else 4)
    small, *_, large = default_prior().games["no limit"].polarity.tilts
    differ = large - small
    assert differ[:5].mean() > 0 > differ[6:10].mean()
    assert differ[12:14].mean() > 0


def test_a_prior_keeps_it() -> None:
    prior = with_polarity(Polarity(GENERATOR.normal(size=(4, 16)), (0.5, 0.75)))
    for again in (Prior.from_bytes(prior.to_bytes()), pickled(prior)):
        assert again.digest == prior.digest
        np.testing.assert_array_equal(again.games["no limit"].polarity.tilts, prior.games["no limit"].polarity.tilts)
    assert prior.digest != with_polarity(None).digest
    assert Prior.from_bytes(with_polarity(None).to_bytes()).games["no limit"].polarity is None


def test_limit_has_one_group_of_sizes_and_no_limit_four() -> None:
    games = default_prior().games
    with pytest.raises(ValueError, match="tilts of the river are of 4 groups of sizes in no limit, got 1"):
        games["no limit"].with_polarity(Polarity(np.zeros((1, 16)), (1, 1)))
    limit = games["limit"]
    with pytest.raises(ValueError, match="tilts of the river are of 1 group of sizes in limit, got 4"):
        GamePrior("limit", limit.likelihood.weights, limit.scales, None, None, Polarity(np.zeros((4, 16)), (1, 1)))
