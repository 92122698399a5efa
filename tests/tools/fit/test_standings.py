"""Fitting what the place of a holding in the player's range says."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.likelihood import STANDINGS
from pokermodel.game import Act
from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.evidence import play
from tests.common.river_bets import river
from tools.fit.standings import Placed, fit_standings, likeliest


@pytest.mark.slow
def test_a_fit_finds_what_there_is() -> None:
    generator = np.random.default_rng(3)
    true = np.stack([np.linspace(-1, 1, STANDINGS), np.cos(np.arange(STANDINGS))], axis=1)
    placed = []
    for _ in range(40_000):
        place, chances = generator.random(), generator.dirichlet(np.full(3, 3.0))
        logs = [np.interp(place * (STANDINGS - 1), np.arange(STANDINGS), true[:, act]) for act in (0, 1)]
        done = chances * np.exp([0.0, *logs])
        placed.append(Placed(1, True, place, int(generator.choice(3, p=done / done.sum())), chances))
    found = likeliest(placed)
    assert np.abs(2 * found[1, 1] - true).mean() < 0.08  # half is kept
    assert not found[0].any()
    assert not found[1, 0].any()
    assert np.abs(likeliest(placed[:20])).max() < 0.3


def test_acts_count_where_cards_are_known() -> None:
    prior = default_prior().games["no limit"]

    def told(act: Act, cards: bool = True) -> np.ndarray:
        played = play(river(400, act, cards=cards), all_cards=True)
        assert played is not None
        return fit_standings([played], prior)

    assert told(Act.CALL)[2].any()
    assert told(Act.FOLD)[2, 1].any()
    assert not told(Act.FOLD, cards=False).any()
