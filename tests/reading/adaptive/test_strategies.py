"""What the adaptive reader expects at many nodes at once, beside what it says of each."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.game import Act
from pokermodel.reading import OpponentModeler
from pokermodel.reading.adaptive.population import known_as
from pokermodel.reading.adaptive.sizes import SIZE_CELLS, quarter, size_context, size_range
from pokermodel.reading.adaptive.strategies import AdaptiveStrategies
from pokermodel.reading.strategies import StrategyNode, nearest_raises, of_expectation, sizes_of
from tests.common.six_handed import CHECKED, RIVER


@pytest.fixture(scope="module")
def session():
    found = OpponentModeler()
    for _ in range(4):
        found.learn(RIVER)
        found.learn(CHECKED)
    return found


def facing(session, hand, index):
    """A spot of a hand."""
    reading = session.copy()
    decisions = list(hand.replay())
    for decision in decisions[:index]:
        reading.observe(decision)
    return reading.spot(decisions[index].situation)


def test_sizes_by_cells(session):
    """The share of each raise is the sum over the cells that are nearest to it, each tilted by what it says."""
    spot = facing(session, RIVER, 12)  # Dee faces a bet on the river
    situation = spot.situation
    raises = (800, 1600, 9570)
    node = StrategyNode(situation, spot.features, True, raises)
    people = session.reader.people.of(situation.spec.structure)
    player = known_as(situation.player, situation.spec)
    [(of, rows)] = AdaptiveStrategies(people, player, [node]).of([0], [situation.board])
    triples = session.reader.expect(spot).triples
    possible = of >= 0
    np.testing.assert_allclose(rows[0][of[possible]], triples[possible, Act.FOLD], atol=1e-6)
    np.testing.assert_allclose(rows.sum(axis=0), 1, atol=1e-6)
    forecast, context, sizes = session.reader._sizes(spot)
    assert context == size_context(spot.features)
    middles = np.geomspace(0.08, 12, 73)[1::2]
    ends = sizes_of(situation, size_range_ends(situation))
    nearest = nearest_raises(situation, raises, [ends[0], *middles, ends[1]])
    assert len(forecast) == SIZE_CELLS == len(nearest)
    from pokermodel.reading.adaptive.holdings import strength_bins

    shares = np.zeros((3, 16))
    for cell in range(SIZE_CELLS):
        shares[nearest[cell]] += forecast[cell] * sizes.tilt(context, quarter(forecast, cell))
    shares /= shares.sum(axis=0)
    bins = strength_bins(situation.board)
    wanted = triples[possible, Act.RAISE] * shares[:, bins[possible]]
    np.testing.assert_allclose(rows[2:][:, of[possible]], wanted, atol=1e-6)
    assert size_range(situation).most


def size_range_ends(situation):
    least, most = situation.raise_range
    return least, most


def test_acts_that_a_tree_has_not(session):
    """Without a raise folds and calls share the whole, as in the expectation divided by its sum."""
    spot = facing(session, RIVER, 12)
    node = StrategyNode(spot.situation, spot.features, True, ())
    people = session.reader.people.of(spot.situation.spec.structure)
    [(of, rows)] = AdaptiveStrategies(people, known_as("Dee", spot.situation.spec), [node]).of(
        [0], [spot.situation.board]
    )
    possible = of >= 0
    wanted = of_expectation(node, session.reader.expect(spot))
    assert rows.shape[0] == 2 == wanted.shape[1]
    np.testing.assert_allclose(rows[:, of[possible]].T, wanted[possible], atol=1e-6)


def test_observations(session):
    """Acts in the same round with as many bets to call after the same act of one's own."""
    spot = facing(session, RIVER, 12)
    node = StrategyNode(spot.situation, spot.features, True, ())
    assert session.reader.observations("Dee", [node, node]).tolist() == [4, 4]
    assert session.reader.observations("Zoe", [node]).tolist() == [0]
    assert OpponentModeler("uniform").reader.observations("Dee", [node]) is None
    assert OpponentModeler("uniform").reader.strategies("Dee", [node]) is None


def test_what_the_kernel_refuses(session):
    spot = facing(session, RIVER, 12)
    people = session.reader.people.of(spot.situation.spec.structure)
    node = StrategyNode(spot.situation, spot.features, True, (800, 1600))
    board = spot.situation.board
    from pokermodel.reading.adaptive.holdings import first_bin, holding_classes

    classes, bins = [holding_classes(board)], np.array([first_bin(board)], dtype=np.int32)
    legal, two = np.ones((1, 3), dtype=np.float32), np.array([2], dtype=np.int32)
    cells = [np.zeros(SIZE_CELLS, dtype=np.uint8)]
    for arguments, message in [
        ((legal, two, None, [board], classes, bins), "has 2 raises and nothing is known of sizes"),
        ((legal, two, [cells[0] + 2], [board], classes, bins), "cells are counted for raises 0 to 1, got 2"),
        ((np.zeros_like(legal), two, cells, [board], classes, bins), "node 0 must have a call"),
        ((legal, two, cells, [board], classes, bins + 99), "the bins of board 0 do not begin at"),
        ((legal, two, cells, [board, board], classes, bins), "classes must have shape"),
    ]:
        with pytest.raises(ValueError, match=message):
            people.strategies("x", "Dee", [node], *arguments)


def test_nearest_raises():
    """By ratio: a size between two raises is nearer to the one that it is a smaller multiple or part of."""
    hand = RIVER
    situation = next(d for d in hand.replay() if d.round == 3).situation
    pot = situation.pot
    found = nearest_raises(situation, [pot // 2, pot, 4 * pot], [0.1, 0.5, 0.7, 0.72, 1.0, 1.9, 2.1, 9.0])
    assert found.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
