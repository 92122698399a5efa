"""Who continues before the flop."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.game import Act, GameSpec, Situation, State
from pokermodel.report.facts import continuing_words
from pokermodel.worth.answers import fold_chance
from pokermodel.worth.continuing import Continuing

SPEC = GameSpec.no_limit(4, 50, 100, stacks=[10000] * 4)
NAMES = ("Sam", "Bea", "Hero", "Bo")


def spot(holding, *acts):
    """The hero's decision, who comes first."""
    state = State(SPEC, SPEC.stacks)
    session = pm.OpponentModeler("adaptive", learning=False)
    session.start(NAMES)
    return session.spot(Situation.of(state, NAMES, ())).held(holding)


def test_who_is_left_folds_as_the_reader_expects():
    found = Continuing.of(spot((50, 51)), Act.RAISE, 250, rng=1)
    assert found.left == 3
    assert found.all_fold == pytest.approx(fold_chance(spot((50, 51)), Act.RAISE, 250))
    assert 0.2 < found.all_fold < 0.8
    # aces against one or two hands that continue, not against three random ones (64%)
    assert 0.7 < found.equity < 0.85
    words = continuing_words(found)
    assert words[0] == f"3 left to answer, who all fold {found.all_fold:.1%} of the time"
    assert words[1] == f"has {found.equity:.1%} against those who continue"


def test_those_who_continue_have_better_hands():
    """A weak hand does worse against them than against random hands."""
    held = (28, 1)  # 92o
    found = Continuing.of(spot(held), Act.RAISE, 250, rng=1)
    assert found.equity < pm.equity([pm.WeightTable.from_text("9d2c"), None]).equity[0] - 0.05
    folded, called = (Continuing.of(spot(held), act, None, rng=1) for act in (Act.FOLD, Act.CALL))
    assert folded == called
    assert found.to_dict() == found._asdict()
