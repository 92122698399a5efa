"""Fitting what bets on the river say beyond the likelihood."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.game import Act, Hand
from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.evidence import play
from tests.common.river_bets import river
from tools.fit.polarity import RiverBet, fit_polarity, river_polarity


def bets_with(tilt: np.ndarray, powers: tuple[float, float], n: int) -> list[RiverBet]:
    """Bets of holdings that are drawn from tables with a known polarity."""
    generator = np.random.default_rng(2)
    found = []
    for k in range(n):
        masses = generator.dirichlet(np.full(16, 0.7))
        group, raised = int(generator.integers(4)), k % 3 == 0
        weak = masses[:5].sum()
        sides = np.where(np.arange(16) < 5, weak, 1 - weak)
        chances = masses * np.exp(tilt[group]) * sides ** (powers[raised] - 1)
        found.append(RiverBet(masses, int(generator.choice(16, p=chances / chances.sum())), group, raised))
    return found


@pytest.mark.slow
def test_a_fit_finds_what_there_is() -> None:
    steps = np.linspace(-1, 1, 16)
    tilt = np.stack([0.8 * (1 - 2 * steps**2), 0 * steps, 0.3 * steps, 0.8 * (2 * steps**2 - 1)])
    found = fit_polarity(bets_with(tilt, (0.8, 0.5), 12_000), 4)
    assert found.powers == pytest.approx([0.8, 0.5], abs=0.06)
    centred = found.tilts - found.tilts.mean(axis=1, keepdims=True)
    assert np.abs(centred - tilt + tilt.mean(axis=1, keepdims=True)).mean() < 0.1


def test_nothing_is_said_by_no_bets_and_little_by_few() -> None:
    nothing = fit_polarity([], 1)
    assert not nothing.tilts.any()
    assert nothing.powers.tolist() == [1, 1]
    few = fit_polarity(bets_with(np.zeros((4, 16)), (1.0, 1.0), 5), 4)
    assert np.abs(few.tilts).max() < 0.3
    assert few.powers == pytest.approx([1, 1], abs=0.1)


def test_first_money_on_the_river_counts_where_cards_are_known() -> None:
    prior = default_prior().games["no limit"]

    def told(*hands: Hand) -> bool:
        played = [found for hand in hands if (found := play(hand, all_cards=True)) is not None]
        return bool(river_polarity(played, prior).tilts.any())

    assert told(river(400))
    assert told(river(400, Act.FOLD))  # the cards of those who do not show are looked at
    assert not told(river(400, Act.FOLD, cards=False))
