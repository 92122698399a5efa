"""Counts of choices at nodes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.nodes import count_nodes
from pokermodel.learning.profile import wilson
from pokermodel.reading import OpponentModeler
from tests.common.books import played_free
from tests.common.six_handed import FLOP, HANDS

CBET = "BTN open 2.5bb, BB call | flop BB check -> BTN"


def test_a_continuation_bet():
    table = count_nodes(HANDS, OpponentModeler())
    assert (table.hands, table.decisions) == (5, sum(len(hand.actions) for hand in HANDS))
    (node,) = table.select(containing=CBET)
    assert (node.key.structure, node.key.players, node.key.stack) == ("no limit", 6, "100 and more")
    found = {(choice.action, choice.size): choice for choice in node.choices}
    assert node.decisions == 3
    assert found["check", ""].count == 1
    assert found["bet", "all"].count == found["bet", "<40%"].count == 2
    assert found["bet", "60-85%"].count == 0
    assert found["bet", "all"].interval == wilson(2, 3)
    assert found["bet", "<40%"].of_pot == pytest.approx(180 / 550)
    assert found["bet", "<40%"].to_bb == pytest.approx(1.8)


def test_only_the_player_is_counted():
    table = count_nodes(HANDS, OpponentModeler(), players=["Bea"])
    assert table.hands == 5
    assert table.decisions == sum(decision.player == "Bea" for hand in HANDS for decision in hand.replay())
    assert all(node.key.line.endswith("-> BB") for node in table)
    assert count_nodes(HANDS, OpponentModeler(), which=lambda hand: hand is FLOP).hands == 1


def test_counts_and_forecasts_add_up():
    hands = [played_free(k, k, list("abcdef")) for k in range(25)]
    table = count_nodes([*hands, pm.example_hand()], OpponentModeler())
    done = Counter(
        decision.name
        for hand in [*hands, pm.example_hand()]
        for decision in hand.replay()
        if decision.act in decision.legal
    )
    told = Counter()
    for node in table:
        acts = [choice for choice in node.choices if choice.size in ("", "all")]
        sizes = [choice for choice in node.choices if choice.size not in ("", "all")]
        told.update({choice.action: choice.count for choice in acts})
        assert sum(choice.count for choice in acts) == node.decisions
        assert sum(choice.expected for choice in acts) == pytest.approx(1)
        if sizes:
            (raises,) = (choice for choice in acts if choice.size == "all")
            assert sum(choice.count for choice in sizes) == raises.count
            assert sum(choice.expected for choice in sizes) == pytest.approx(raises.expected)
    assert told == done


def test_forecasts_are_those_before_each_act():
    """The model has learnt the hands before, and nothing of this one."""
    table = count_nodes(HANDS[:2], OpponentModeler())
    session = OpponentModeler(learning=False)
    means: list[float] = []
    for hand in HANDS[:2]:
        decisions = list(hand.replay())
        session.start(hand.players)
        for decision in decisions:
            if decision.index == 7:
                means.append(float(session.predict(decision)[pm.Act.RAISE]))
            session.observe(decision)
        session.learn(hand, decisions)
    (node,) = table.select(containing=CBET)
    (bets,) = (choice for choice in node.choices if choice.size == "all")
    assert bets.expected == pytest.approx(np.mean(means))


def test_what_cannot_be_counted():
    hand = played_free(1, 1, list("abc"))
    broken = pm.Hand("x", "1", hand.spec, hand.players, [*hand.actions, *hand.actions], hand.board, {}, hand.stacks)
    with pytest.raises(ValueError, match="hand 1"):
        count_nodes([broken], OpponentModeler())
    skipped: list[ValueError] = []
    assert count_nodes([broken, hand], OpponentModeler(), skipped=skipped).hands == len(skipped) == 1
    with pytest.raises(ValueError, match="has a hero"):
        count_nodes([hand], OpponentModeler(hero="a"))
    with pytest.raises(ValueError, match="limit"):
        count_nodes([hand], OpponentModeler("loki1"))
