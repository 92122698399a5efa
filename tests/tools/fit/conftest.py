"""A small fit, which the tests of this folder share."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pokermodel.game import Hand
from pokermodel.reading import Prior
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.levels import whole_hand
from tests.common.books import played
from tools.fit.options import FitOptions
from tools.fit.prior import fit_prior


@pytest.fixture(scope="session")
def histories() -> list[Hand]:
    """Hands of 24 players who act at random, each in 30 hands and more."""
    rng = random.Random(1)
    names = [f"player {k}" for k in range(24)]
    return [played(k, k, rng.sample(names, 3)) for k in range(420)]


@pytest.fixture(scope="session")
def hands(histories: Sequence[Hand]) -> list[PlayedHand]:
    """What these hands tell a fit."""
    return [found for hand in histories if (found := whole_hand(hand)) is not None]


@pytest.fixture(scope="session")
def quick() -> FitOptions:
    """As few passes as there can be."""
    return FitOptions(passes=1, joint_passes=1)


@pytest.fixture(scope="session")
def fitted(hands: Sequence[PlayedHand], quick: FitOptions) -> Prior:
    """The prior of these hands."""
    return fit_prior(hands, rng=3, options=quick, about={"note": "at random", "seed": 3})
