"""Hands of no limit that are followed in a blueprint, and solved."""

import numpy as np
import pytest

from pokermodel.cards import card_indices
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.blueprint.no_limit_table import NoLimitTable, Offer, mapped_size
from pokermodel.tables.blueprint.resolving import Deadline
from tests.common.blueprints import TickingClock, known_blueprint

SPEC = GameSpec.no_limit(2, 50, 100, stacks=(2000, 2000))
BOARD = "Qs7h2h9c3d"
CALL, RAISE = Act.CALL, Act.RAISE


@pytest.fixture(scope="module")
def blueprint():
    return known_blueprint(20)


def _reached(*acts, spec=SPEC):
    """The situation after some acts by seat, each of which is one or a raise to an amount of its round, and these."""
    made = [Action(seat, act[0], to=act[1]) if isinstance(act, tuple) else Action(seat, act) for seat, act in acts]
    for seat in range(2):  # whoever's turn it is
        try:
            decisions = list(Hand("", "1", spec, ("Ann", "Bo"), [*made, Action(seat, CALL)], BOARD).replay())
        except ValueError:
            continue
        if not decisions[-1].out_of_turn:
            return decisions[-1].situation, decisions[:-1]
    raise AssertionError("nobody acts there")


def _turn(*more):
    """A checked flop after a raise to three big blinds."""
    return _reached((0, (RAISE, 300)), (1, CALL), (1, CALL), (0, CALL), *more)


@pytest.mark.parametrize(
    ("size", "place"), [(0.1, 0), (0.5, 0), (0.7, 0), (0.72, 1), (1.0, 1), (1.2, 1), (6.0, 2), (9.0, 2)]
)
def test_sizes_are_mapped_where_they_have_to_be_called_as_often(size, place):
    """Between .5 and 1 the border is 5/7: there the two are equally likely by the published mapping."""
    assert mapped_size(size, [0.5, 1.0, 6.0]) == place


def test_acts_are_followed_in_the_tree(blueprint):
    table = NoLimitTable(blueprint)
    tree = blueprint.tree
    for to, put in (200, 200), (230, 200), (290, 300), (560, 300), (700, 2000), (1900, 2000), (2000, 2000):
        _, decisions = _reached((0, (RAISE, to)))
        assert table.follow(decisions) == (tree.find([(RAISE, put)]), True), to


def test_offers_are_shares_of_the_pot_at_the_table(blueprint):
    situation, decisions = _reached((0, (RAISE, 260)))
    offers, rows = NoLimitTable(blueprint).strategy(situation, decisions)
    assert offers == [Offer(Act.FOLD), Offer(CALL), Offer(RAISE, 780), Offer(RAISE, 2000)]  # the call, and the pot
    assert rows.sum(axis=1) == pytest.approx(1.0)


def test_before_the_turn_it_does_what_the_blueprint_does(blueprint):
    situation, decisions = _reached((0, (RAISE, 300)), (1, CALL), (1, CALL))
    offers, rows = NoLimitTable(blueprint).strategy(situation, decisions)
    assert [offer.to for offer in offers] == [None, 300, 600, 1700]
    wanted = blueprint.strategy([(RAISE, 300), CALL, CALL], BOARD[:6])
    assert rows == pytest.approx(wanted, nan_ok=True)


def test_a_call_is_made_all_in_where_the_tree_has_somebody_all_in(blueprint):
    situation, decisions = _reached((0, (RAISE, 1500)))
    offers, _ = NoLimitTable(blueprint).strategy(situation, decisions)
    assert offers == [Offer(Act.FOLD), Offer(RAISE, 2000)]


@pytest.mark.parametrize("first", [2, 3, 4])
def test_what_it_does_follows_from_the_hand_alone(blueprint, first):
    """Whoever asks for a decision without the ones before it is told the same, sizes off the tree and all."""
    options = {"first": first, "iterations": (4, 20)}
    followed = NoLimitTable(blueprint, **options)
    acts = [(1, CALL), (0, (RAISE, 130)), (1, CALL), (1, CALL), (0, (RAISE, 410)), (1, (RAISE, 1100))]
    for upto in range(len(acts) + 1):
        situation, decisions = _turn(*acts[:upto])
        offers, rows = followed.strategy(situation, decisions)
        assert NoLimitTable(blueprint, **options).strategy(situation, decisions)[0] == offers
        alone = NoLimitTable(blueprint, **options).strategy(situation, decisions)[1]
        assert np.array_equal(alone, rows, equal_nan=True)
        live = ~np.isin(CARDS_OF, situation.board).any(axis=1)
        assert rows[live].sum(axis=1) == pytest.approx(1.0, abs=1e-6)
        assert np.isnan(rows[~live]).all()
        for offer in offers:
            assert offer.act in situation.legal
            if offer.to is not None:
                least, most = situation.raise_range
                assert least <= offer.to <= most


def test_a_size_that_is_in_no_menu_is_solved_with_it(blueprint):
    table = NoLimitTable(blueprint, iterations=(4, 20))
    situation, decisions = _turn((1, (RAISE, 130)))
    table.strategy(situation, decisions)
    solved = table._solve(2, decisions, decisions[-1].situation, 0, Deadline())
    names = [act.to for act in solved.solution.acts("r:0")]
    assert 130 in names
    assert solved.solution.subgame.pot == 600
    assert solved.solution.subgame.cards == card_indices(BOARD[:8])


def test_a_river_is_solved_with_the_ranges_of_the_turn(blueprint):
    table = NoLimitTable(blueprint, iterations=(6, 20))
    situation, decisions = _turn((1, CALL), (0, (RAISE, 300)), (1, CALL))
    table.strategy(situation, decisions)
    river = table._street(3, decisions, situation, 1, Deadline()).solution
    turn = table._street(2, decisions, situation, 1, Deadline()).solution
    for player in range(2):
        came = np.asarray(turn.range("r:0:c:b300:c:3d", player).values)
        begun = np.asarray(river.subgame.ranges[player].values)
        assert begun == pytest.approx(np.maximum(came, 1e-4 * came.max()) * (begun > 0))


def test_behind_a_gate_a_river_gives_nobody_more_than_the_blueprint(blueprint):
    """With no share of the range taken for granted, a best response gets at most what it gets from the blueprint."""
    situation, decisions = _turn((1, CALL), (0, CALL))
    table = NoLimitTable(blueprint, first=3, iterations=(1, 400), sure=0.0)
    solved = table._street(3, decisions, situation, 1, Deadline())
    _, allowed = table._come(3, decisions, situation, situation.board, 1, Deadline())
    found = solved.solution.best_response(1).of_holdings / solved.solution.subgame.pot
    assert np.nanmax(found - allowed) < 0.05  # sizes at the table are more than those of the blueprint
    sure = NoLimitTable(blueprint, first=3, iterations=(1, 400), sure=1.0)
    free = sure._street(3, decisions, situation, 1, Deadline())
    assert np.nanmax(free.solution.best_response(1).of_holdings / 600 - allowed) > np.nanmax(found - allowed)


def test_without_time_for_sixteen_iterations_it_plays_the_blueprint(blueprint):
    situation, decisions = _turn()
    ticking = TickingClock(0.01)
    table = NoLimitTable(blueprint, iterations=(40, 40), seconds=0.1)
    table._street(2, decisions, situation, situation.seat, Deadline(0.1, ticking))
    offers, rows = table.strategy(situation, decisions)
    expected_offers, expected = NoLimitTable(blueprint, first=4).strategy(situation, decisions)
    assert offers == expected_offers
    np.testing.assert_array_equal(rows, expected)
    assert ticking.now <= 0.1
    solved = NoLimitTable(blueprint, iterations=(40, 40))._street(
        2, decisions, situation, situation.seat, Deadline(0.3, TickingClock(0.01))
    )
    assert 16 <= solved.solution.iterations < 40


def test_a_river_behind_a_turn_without_time_has_the_ranges_of_the_blueprint(blueprint):
    situation, decisions = _turn((1, CALL), (0, CALL))
    table = NoLimitTable(blueprint, iterations=(20, 20))
    turn = next(each for each in decisions if each.round == 2)
    before = [each for each in decisions if each.round < 2]
    assert turn.seat == 1
    assert table._street(2, before, turn.situation, 1, Deadline(-1.0)) is None
    ranges, _ = table._come(3, decisions, situation, situation.board, 1, Deadline())
    node, _ = table.follow(decisions)
    button, other = blueprint.reach(node, situation.board)
    np.testing.assert_array_equal(ranges, [other, button])


def test_seats_are_told_apart_by_the_button(blueprint):
    """The ACPC lists the big blind first."""
    spec = GameSpec.no_limit(2, 50, 100, stacks=(2000, 2000), button=1)
    acts = [(0, (RAISE, 300)), (1, CALL), (1, CALL), (0, CALL)]
    found = NoLimitTable(blueprint, iterations=(4, 4)).strategy(*_reached(*acts))
    other = NoLimitTable(blueprint, iterations=(4, 4)).strategy(
        *_reached(*[(1 - seat, act) for seat, act in acts], spec=spec)
    )
    assert found[0] == other[0]
    assert np.array_equal(found[1], other[1], equal_nan=True)
