"""What the adaptive reader expects at many nodes at once, beside what it says of each."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, GameSpec
from pokermodel.reading import OpponentModeler, Prior, default_prior
from pokermodel.reading.adaptive.holdings import first_bin, holding_classes, strength_bins
from pokermodel.reading.adaptive.kinds import NO_LABELS
from pokermodel.reading.adaptive.names import known_as
from pokermodel.reading.adaptive.polarity import SIZE_GROUPS, size_group
from pokermodel.reading.adaptive.sizes import SIZE_CELLS, quarter, share_below, size_class, size_context, size_range
from pokermodel.reading.adaptive.strategies import AdaptiveStrategies
from pokermodel.reading.strategies import StrategyNode, nearest_raises, of_expectation, sizes_of
from tests.common.copies import pickled
from tests.common.six_handed import CHECKED, RIVER

#: Heads-up, checked to the river; a bet, a raise and a call there.
LIMIT = pm.Hand(
    "",
    "1",
    GameSpec.heads_up(5, 10),
    ["Ann", "Bo"],
    [(0, 2), (1, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 2), (0, 2), (1, 1)],
    "QsJh2h8c3d",
)


PLAIN = Prior([default_prior().games["no limit"].with_standings(None)], {})


@pytest.fixture(scope="module")
def session():
    """Of a reader for whom ranges count on the river alone."""
    found = OpponentModeler(prior=PLAIN)
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
    triples = session.reader.choices(spot)
    possible = of >= 0
    np.testing.assert_allclose(rows[0][of[possible]], triples[possible, Act.FOLD], atol=1e-6)
    np.testing.assert_allclose(rows.sum(axis=0), 1, atol=1e-6)
    forecast, context = session.reader._size_forecast(spot), size_context(spot.features)
    sizes = session.reader.people.of(situation.spec.structure).prior.sizes
    middles = np.geomspace(0.08, 12, 73)[1::2]
    ends = sizes_of(situation, size_range_ends(situation))
    nearest = nearest_raises(situation, raises, [ends[0], *middles, ends[1]])
    assert len(forecast) == SIZE_CELLS == len(nearest)
    shares = np.zeros((3, 16))
    for cell in range(SIZE_CELLS):
        shares[nearest[cell]] += forecast[cell] * sizes.tilt(context, quarter(share_below(forecast, cell)))
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
    wanted = of_expectation(node, session.reader.played_out(spot))
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


# ---------------------------------------------------------------------------------------- bets on the river

RIVERS = [(RIVER, 11), (RIVER, 12), (LIMIT, 6), (LIMIT, 7), (LIMIT, 8)]


def by_hand(session, spot, node):
    """A polar strategy, holding by holding: float64 (1326, acts), nan where it is not possible."""
    situation, polarity = spot.situation, session.reader.people.of(spot.situation.spec.structure).prior.polarity
    plain, weights = session.reader._forecast(spot)[0].triples(), spot.weights
    bins = strength_bins(situation.board)
    live = bins >= 0
    shares = {(0, 0): np.ones(16)}  # by raise of the tree and group of sizes
    if not situation.spec.structure.fixed:
        forecast, context = session.reader._size_forecast(spot), size_context(spot.features)
        sizes = session.reader.people.of(situation.spec.structure).prior.sizes
        least, most = situation.raise_range
        middles = np.geomspace(0.08, 12, 73)[1::2]
        ends = sizes_of(situation, (least, node.raises[-1] if most is None else most))
        nearest = nearest_raises(situation, node.raises, [ends[0], *middles, ends[1]])
        shares = {(r, g): np.zeros(16) for r in range(len(node.raises)) for g in range(SIZE_GROUPS)}
        for cell in range(SIZE_CELLS):
            shares[nearest[cell], size_group(cell)] += forecast[cell] * sizes.tilt(
                context, quarter(share_below(forecast, cell))
            )
        whole = sum(shares.values())
        shares = {key: each / whole for key, each in shares.items()}
    raised = {key: np.where(live, plain[:, 2] * each[bins], 0) for key, each in shares.items()}
    groups = sorted({group for _, group in shares})
    of_group = {g: sum(each for (_, group), each in raised.items() if group == g) for g in groups}
    often = {g: weights @ of_group[g] for g in groups}
    factors = {}
    for g in groups:
        masses = np.bincount(bins[live], (weights * of_group[g])[live], 16) / max(often[g], 1e-300)
        factors[g] = polarity.factors(masses, g, situation.to_call > 0)[bins]
    for _ in range(200):  # until each group of sizes is as frequent as foretold
        total = 1 - plain[:, 2] + sum(of_group[g] * factors[g] for g in groups)
        for g in groups:
            now = np.nansum(weights * of_group[g] * factors[g] / total)
            factors[g] = factors[g] * (often[g] / now if now > 0 else 1)
    total = 1 - plain[:, 2] + sum(of_group[g] * factors[g] for g in groups)
    raises = [
        sum(raised[r, g] * factors[g] for g in groups if (r, g) in raised) / total for r in range(len(node.raises))
    ]
    found = np.stack([*([plain[:, 0] / total] if node.fold else []), plain[:, 1] / total, *raises], axis=1)
    found[~live] = np.nan
    return found


@pytest.mark.parametrize(("hand", "index"), RIVERS)
def test_first_money_on_the_river_is_polar(hand, index):
    """Facing nothing and facing a bet, in limit and where bets have sizes: as worked out holding by holding."""
    session = OpponentModeler()
    for _ in range(4):
        session.learn(hand)
    spot = facing(session, hand, index)
    situation = spot.situation
    raises = (0,)
    if situation.raise_range is not None and not situation.spec.structure.fixed:
        least, most = situation.raise_range
        raises = (least, (least + most) // 3, most)
    node = StrategyNode(situation, spot.features, Act.FOLD in situation.legal, raises, spot.weights)
    [(of, rows)] = session.reader.strategies(situation.player, [node]).of([0], [situation.board])
    again = bool(situation.in_round)  # then nothing is polar besides
    wanted = of_expectation(node, session.reader.expect(spot)) if again else by_hand(session, spot, node)
    possible = of >= 0
    np.testing.assert_allclose(rows[:, of[possible]].T, wanted[possible], atol=3e-5)
    assert np.isnan(wanted[~possible]).all()
    plain = session.reader._forecast(spot)[0].triples()
    moved = np.abs(rows[-len(raises) :, of[possible]].sum(axis=0) - plain[possible, 2]).max()
    assert bool(moved < 1e-5) is again
    # over the range every act is as frequent as it is foretold
    weights = spot.weights[possible] / spot.weights.sum()
    acts = [*([rows[0]] if node.fold else []), rows[int(node.fold)], rows[-len(raises) :].sum(axis=0)]
    kept = plain[possible][:, 0 if node.fold else 1 :]
    np.testing.assert_allclose(np.stack(acts)[-1][of[possible]] @ weights, kept[:, -1] @ weights, atol=1e-4)


@pytest.mark.parametrize(("hand", "index"), [*RIVERS, (RIVER, 6), (RIVER, 8), (RIVER, 10)])
def test_a_strategy_is_what_the_reader_expects(hand, index):
    """Rows by classes are the triples, and the sizes, of the reader at the same spot."""
    session = OpponentModeler()
    for _ in range(4):
        session.learn(hand)
    spot = facing(session, hand, index)
    situation, expected = spot.situation, session.reader.expect(spot)
    raises = (0,) if situation.spec.structure.fixed else tuple(range(7))
    node = StrategyNode(situation, spot.features, Act.FOLD in situation.legal, raises, spot.weights)
    [(of, rows)] = session.reader.strategies(situation.player, [node]).of([0], [situation.board])
    possible = of >= 0
    found = rows[:, of[possible]].T
    if node.fold:
        np.testing.assert_allclose(found[:, 0], expected.triples[possible, Act.FOLD], atol=2e-6)
    np.testing.assert_allclose(found[:, int(node.fold)], expected.triples[possible, Act.CALL], atol=2e-6)
    np.testing.assert_allclose(found[:, -len(raises) :].sum(axis=1), expected.triples[possible, Act.RAISE], atol=2e-6)
    assert expected.with_holding(int(np.flatnonzero(possible)[0])) == tuple(expected.triples[possible][0])
    again = pickled(expected)
    np.testing.assert_array_equal(again.triples, expected.triples)
    np.testing.assert_array_equal(again.after(Act.CALL), expected.after(Act.CALL))


def test_the_range_at_a_node_is_what_acts_on_the_way_leave():
    """Eve checks the flop, and then answers a bet as the reader expects it of the range after her check."""
    standings = np.random.default_rng(4).normal(size=(3, 2, 12, 2))
    standings[:, 0] = 0  # with nothing to call
    found = OpponentModeler(prior=Prior([default_prior().games["no limit"].with_standings(standings)], {}))
    check, answer = facing(found, RIVER, 6), facing(found, RIVER, 8)
    board, weights = check.situation.board, check.weights
    assert check.situation.player == answer.situation.player
    nodes = [
        StrategyNode(check.situation, check.features, False, (), weights),
        StrategyNode(answer.situation, answer.features, True, (400,), weights, ((0, 0),)),
    ]
    nodes[0] = nodes[0]._replace(raises=(100,))
    [(of, rows)] = found.reader.strategies(check.situation.player, nodes).of([1], [board])
    triples = found.reader.expect(answer).triples
    np.testing.assert_allclose(rows[:, of[of >= 0]].T, triples[of >= 0], atol=2e-6)
    plain = OpponentModeler(prior=PLAIN)
    assert np.abs(plain.reader.expect(facing(plain, RIVER, 8)).triples - triples)[of >= 0].max() > 0.05


@pytest.mark.parametrize(("hand", "index"), [(RIVER, 11), (LIMIT, 6), (LIMIT, 7)])
def test_tables_and_strategies_say_the_same_of_a_bet(hand, index):
    """What a strategy leaves of a range after a bet is nearer to the table with what is polar than without it.

    They are not the same: a table may say more than that a bet was certain, and a strategy may not.
    """
    session = OpponentModeler()
    for _ in range(4):
        session.learn(hand)
    spot = facing(session, hand, index)
    situation, decision = spot.situation, list(hand.replay())[index]
    fixed = situation.spec.structure.fixed
    to = situation.raise_range[0] * 5 if not fixed else None
    put_in = (
        decision.put_in
        if fixed and decision.act == Act.RAISE
        else (situation.to_call + situation.bet_size if fixed else to - situation.in_round)
    )
    table = session.reader.judge(spot, Act.RAISE, put_in).weights
    table = table / table.sum()
    expected = session.reader.expect(spot)

    def left(triples, shares):
        size = 1.0 if shares is None else shares[:, size_class(situation, to)]
        found = np.nan_to_num(spot.weights * triples[:, Act.RAISE] * size)
        return found / found.sum()

    polar = left(expected.triples, None if fixed else expected.size_shares)
    plain = session.reader.played_out(spot)
    before = left(plain.triples, None if fixed else plain.size_shares)
    assert np.abs(polar - table).sum() < 0.9 * np.abs(before - table).sum()


def test_without_a_range_nothing_is_polar(session):
    spot = facing(session, RIVER, 12)
    node = StrategyNode(spot.situation, spot.features, True, (1600,))
    [(of, rows)] = session.reader.strategies("Dee", [node]).of([0], [spot.situation.board])
    np.testing.assert_allclose(rows[2][of[of >= 0]], session.reader.choices(spot)[of >= 0, 2], atol=1e-6)


def test_ranges_that_the_kernel_refuses(session):
    spot = facing(session, RIVER, 12)
    people, board = session.reader.people.of(spot.situation.spec.structure), spot.situation.board
    node = StrategyNode(spot.situation, spot.features, True, (1600,))
    told = np.ones((1, 3), np.float32), np.ones(1, np.int32)
    rest = [board], [holding_classes(board)], np.array([first_bin(board)], np.int32), NO_LABELS
    cells, right = [np.zeros(SIZE_CELLS, np.uint8)], np.zeros(1, np.int32)
    held = [np.ones((1, len(rest[1][0].rows)))]
    assert people.strategies("x", "Dee", [node], *told, cells, *rest, (held, right))
    for ranges, words in [
        (([held[0][:, 1:].copy()], right), "ranges of board 0 must have shape"),
        ((held * 2, right), "ranges must have shape"),
        ((held, right + 1), "ranges of nodes must be -1 to 0, got 1"),
    ]:
        with pytest.raises(ValueError, match=words):
            people.strategies("x", "Dee", [node], *told, cells, *rest, ranges)
    with pytest.raises(ValueError, match="weights must have shape"):
        rest[1][0].masses(np.ones((1, 1325)))
    with pytest.raises(ValueError, match="has 1 raises and nothing is known of sizes"):
        people.strategies("x", "Dee", [node], *told, None, *rest, (held, right))
