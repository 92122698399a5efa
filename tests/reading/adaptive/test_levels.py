"""Kinds of tables that are added to a prior."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.evidence import play
from pokermodel.reading.adaptive.levels import add_kind
from pokermodel.reading.adaptive.population import GamePopulation
from tests.common.books import played


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
