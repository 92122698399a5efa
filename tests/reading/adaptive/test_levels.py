"""Kinds of tables that are added to a prior."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.evidence import play
from pokermodel.reading.adaptive.levels import add_kind, fitted_kinds
from pokermodel.reading.adaptive.population import GamePopulation
from tests.common.books import SPEC, played


def test_hands_are_one_kind_more() -> None:
    """Nobody knows a table where everybody acts at random; with a kind for it, its first hands are foretold better."""
    prior = default_prior()
    hands = [play(played(k, k, (f"{k} a", f"{k} b", f"{k} c"))) for k in range(150)]
    more = add_kind(prior, hands, "at random")
    assert more.games["limit"].kinds.names == (*prior.games["limit"].kinds.names, "at random")
    assert more.games["no limit"].kinds.names == prior.games["no limit"].kinds.names
    assert more.about["kinds"] == {"at random": 150}
    assert more.digest != prior.digest
    assert add_kind(more, hands, "at random").digest == more.digest
    others = [played(k, k, ("Ann", "Bob", "Cid")) for k in range(200, 220)]
    assert GamePopulation(more.games["limit"]).kinds("", play(others[0]).labels)["at random"] > 0.5
    scored = [pm.score(others, prior=each, frozen=True)["adaptive"].action_log_loss for each in (prior, more)]
    assert scored[1] < scored[0] - 0.05
    with pytest.raises(ValueError, match="a kind of table needs 120 hands of one game, got 5 of limit, 0 of no limit"):
        add_kind(prior, hands[:5], "few")


def calls(number: int) -> pm.Hand:
    """A hand in which everybody only checks and calls."""
    state = pm.game.State(SPEC)
    actions = []
    while not state.over:
        actions.append((state.seat, pm.Act.CALL))
        state.act(pm.Act.CALL)
    cards = random.Random(number).sample(range(52), 11)
    held = {seat: cards[5 + 2 * seat : 7 + 2 * seat] for seat in range(SPEC.players)}
    return pm.Hand("test", str(number), SPEC, ("Ann", "Bob", "Cid"), actions, cards[:5], held)


def test_both_halves_of_the_hands_say_how_much_of_the_levels_is_kept() -> None:
    """The earlier half predicts the later one, and the reverse, so that their order does not matter."""
    likelihood = default_prior().games["limit"].likelihood
    hands = [play(hand) for hand in (*(played(k, k) for k in range(100, 110)), *map(calls, range(10)))]
    found = [fitted_kinds(likelihood, {"x": each}).logs for each in (hands, hands[::-1])]
    np.testing.assert_allclose(*found, atol=1e-3)
