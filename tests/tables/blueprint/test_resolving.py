"""Streets of a blueprint that are solved again: how good and how safe the answers are."""

import numpy as np
import pytest

from pokermodel.cards import card_indices, cards_text, holding_index
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act
from pokermodel.solving import Lock, solve
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.blueprint import Blueprint, exploit_from, resolve
from pokermodel.tables.blueprint.resolving import Deadline, blueprint_solution, blueprint_subgame, draw_street, risked
from pokermodel.weights import WeightTable
from tests.common.blueprints import TickingClock

RIVER = "Qs7h2h9c3d"


@pytest.fixture(scope="module")
def blueprint():
    return Blueprint.build(seed=2, buckets=(30, 30, 12), rounds=8, flops=1, boards=8, jobs=1)


@pytest.fixture(scope="module")
def node(blueprint):
    return blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.RAISE, Act.CALL, Act.CALL, Act.CALL])


@pytest.mark.parametrize(("player", "least"), [(0, 0.01), (1, -0.01)])
def test_an_answer_behind_a_gate_gives_no_holding_more_than_the_blueprint(blueprint, node, player, least):
    """Whatever the opponent came with: none of theirs is worth more than by the best response to the blueprint."""
    pot = blueprint_subgame(blueprint, node, RIVER).pot
    safe = resolve(blueprint, node, RIVER, player, iterations=400, sure=0.0)
    assert safe.excess() < 0.004 * pot
    # ... which solving for the ranges alone does not promise
    free = resolve(blueprint, node, RIVER, player, iterations=400, sure=1.0)
    assert free.excess() > least * pot
    mixed = resolve(blueprint, node, RIVER, player, iterations=400)
    assert safe.excess() - 0.004 * pot <= mixed.excess() <= free.excess() + 0.004 * pot


def test_an_answer_without_a_gate_is_the_equilibrium_of_the_ranges(blueprint, node):
    found = resolve(blueprint, node, RIVER, 0, iterations=300, sure=1.0)
    other = solve(blueprint_subgame(blueprint, node, RIVER), 0.05)
    pot = other.subgame.pot
    assert found.solution.best_response(1).value == pytest.approx(pot - other.value(0), abs=0.002 * pot)


def test_a_best_response_takes_less_from_what_is_solved_again(blueprint, node):
    before = blueprint_solution(blueprint, node, RIVER).best_response(1).value
    after = resolve(blueprint, node, RIVER, 0, iterations=200).solution.best_response(1).value
    assert after < before
    taken = exploit_from(blueprint, 3, 10, 4)
    left = exploit_from(blueprint, 3, 10, 4, resolved=True, iterations=100)
    assert taken.hands == left.hands
    assert left.mean < 0.2 * taken.mean


def test_what_is_allowed_is_the_best_response_to_the_blueprint(blueprint, node):
    found = resolve(blueprint, node, RIVER, 1, iterations=1)
    best = blueprint_solution(blueprint, node, RIVER).best_response(0).of_holdings
    assert found.allowed == pytest.approx(best, nan_ok=True)


def test_strategies_are_found_by_node_and_board(blueprint):
    root = blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.CALL])
    board = card_indices(RIVER)
    found = resolve(blueprint, root, board[:4], 0, iterations=4)
    named = {(): "r:0", (Act.RAISE,): f"r:0:b{found.solution.subgame.big_bet:g}"}
    for acts, name in named.items():
        node = root
        for act in acts:
            node = blueprint.tree.after(node, act)
        assert found.strategy(node, board[:4]) == pytest.approx(found.solution.strategy(name), nan_ok=True)
    node = blueprint.tree.after(blueprint.tree.after(root, Act.CALL), Act.CALL)
    row = found.strategy(node, board)
    assert row == pytest.approx(found.solution.strategy("r:0:c:c:3d"), nan_ok=True)
    assert np.isnan(row[np.isin(CARDS_OF, board).any(axis=1)]).all()
    assert row[holding_index("AsKs")].sum() == pytest.approx(1.0)


def test_boards_that_are_solved_once_have_the_strategies_of_their_own_suits(blueprint):
    root = blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.CALL])
    board = card_indices("Qs7s2h9h")  # clubs and diamonds are alike, and so are spades and hearts but for ranks
    found = resolve(blueprint, root, board, 0, iterations=4)
    node = blueprint.tree.after(blueprint.tree.after(root, Act.CALL), Act.CALL)
    clubs = found.strategy(node, (*board, card_indices("4c")[0]))
    diamonds = found.strategy(node, (*board, card_indices("4d")[0]))
    assert clubs[holding_index("KcJc")] == pytest.approx(diamonds[holding_index("KdJd")])
    assert clubs[holding_index("KcJd")] == pytest.approx(diamonds[holding_index("KdJc")])


def test_bad_arguments_are_refused(blueprint, node):
    with pytest.raises(ValueError, match="begins with the first decision"):
        resolve(blueprint, 0, RIVER, 0)
    with pytest.raises(ValueError, match="begins with 5 cards, got 4"):
        resolve(blueprint, node, RIVER[:8], 0)
    with pytest.raises(ValueError, match="player must be 0 or 1"):
        resolve(blueprint, node, RIVER, 2)
    with pytest.raises(ValueError, match="sure must be 0 to 1"):
        resolve(blueprint, node, RIVER, 0, sure=2.0)
    found = resolve(blueprint, node, RIVER, 0, iterations=1)
    with pytest.raises(ValueError, match="no decision of what was solved"):
        found.strategy(0, RIVER)
    with pytest.raises(ValueError, match="does not go on from"):
        found.strategy(node, "Qs7h2h9c4d")


@pytest.mark.parametrize(
    ("seconds", "iterations"),
    [(None, 40), (0.0, 0), (0.05, 1), (0.16, 1), (0.19, 17), (0.3, 28), (0.41, 39), (0.5, 40)],
)
def test_a_deadline_holds_and_keeps_time_for_sixteen_iterations(seconds, iterations):
    """Each iteration takes a hundredth of a second, and so does what comes before the first."""
    clock = TickingClock(0.01)
    deadline = Deadline(seconds, clock)
    learner = _Learner()
    assert deadline.learn(learner, 40) is (iterations >= 16)
    assert abs(learner.iterations - iterations) <= 1
    assert seconds is None or clock.now <= seconds + 0.02


def test_one_slow_iteration_does_not_break_a_deadline():
    """A processor that others use makes an iteration late; what is left is measured again after each."""
    learner = _Learner()
    deadline = Deadline(1.0, lambda: 0.01 * learner.iterations + (0.6 if learner.iterations > 3 else 0.0))
    assert not deadline.learn(learner, 40)
    assert learner.iterations == 4  # at this rate 16 would end too late
    learner = _Learner()
    deadline = Deadline(1.0, lambda: 0.01 * learner.iterations + (0.6 if learner.iterations > 20 else 0.0))
    assert deadline.learn(learner, 100)
    assert learner.iterations == 21


def test_parts_of_a_deadline_share_what_is_left():
    clock = TickingClock(0.0)
    deadline = Deadline(4.0, clock)
    clock.now = 1.0
    assert deadline.part(3).left == 1.0
    assert Deadline().part(3).left == np.inf


def test_without_time_for_sixteen_iterations_the_answer_is_the_blueprint(blueprint, node):
    late = resolve(blueprint, node, RIVER, 0, iterations=10**6, seconds=1e-6)
    assert not late.in_time
    alone = blueprint_solution(blueprint, node, RIVER)
    np.testing.assert_array_equal(late.strategy(node, RIVER), alone.strategy("r:0"))
    found = resolve(blueprint, node, RIVER, 0, iterations=10**6, seconds=0.3)
    assert found.in_time
    assert 16 <= found.solution.iterations < 10**6


def test_without_time_a_risk_is_not_taken(blueprint, node):
    late = resolve(
        blueprint, node, RIVER, 0, subgame=_believed(blueprint, node, RIVER, 1), risk=2.0, iterations=50, seconds=1e-6
    )
    assert not late.in_time
    assert not late.solution.subgame.locks


class _Learner:
    """A solver that only counts."""

    iterations = 0

    def learn(self, number):
        self.iterations += number


def _believed(blueprint, node, board, other, confidence=0.9):
    """An opponent who is thought to hold weak hands, and to fold half of them to every bet."""
    subgame = blueprint_subgame(blueprint, node, board)
    ranges = list(subgame.ranges)
    values = np.asarray(ranges[other].values) * (np.nan_to_num(BoardAnalysis(board).evaluate().hs) < 0.5)
    ranges[other] = WeightTable(np.maximum(values, 1e-4 * np.max(values)), card_indices(board))
    subgame.ranges = ranges[0], ranges[1]
    solution = solve(subgame, 50.0)
    locks = [
        Lock(name, {"fold": 0.5, "call": 0.5, **dict.fromkeys(raises, 0.0)}, confidence)
        for name, raises in _answers(solution, other)
    ]
    return subgame.with_locks(locks)


def _answers(solution, player, name="r:0"):
    """The nodes of the first street in which a player faces a bet, with the raises there."""
    acts = solution.acts(name)
    if solution.player(name) == player and any(act.name == "fold" for act in acts):
        yield name, [f"b{act.to:.12g}" for act in acts if act.to is not None]
    for act in acts:
        below = f"{name}:{'f' if act.name == 'fold' else 'c' if act.to is None else f'b{act.to:.12g}'}"
        try:
            solution.acts(below)
        except ValueError:  # the street, or the hand, is over
            continue
        yield from _answers(solution, player, below)


@pytest.mark.parametrize(
    ("street", "subgames", "iterations"),
    [(3, 8, 120), pytest.param(2, 1, 3, marks=pytest.mark.slow), pytest.param(2, 1, 20, marks=pytest.mark.slow)],
)
def test_who_punishes_an_answer_to_locks_takes_no_more_than_the_risk(blueprint, street, subgames, iterations):
    """The opponent leaves the reader in its belief, and plays a best response to the answer: exact, over all holdings.

    They come with the range that is believed, or with that of the blueprint.
    """
    random = np.random.default_rng(4)
    bold, kept = [], []
    while len(kept) < 2 * subgames:
        drawn = draw_street(blueprint, street, random)
        if drawn is None:
            continue
        node, cards = drawn
        for player in range(2):
            believed = _believed(blueprint, node, cards_text(cards), 1 - player)
            plain = resolve(blueprint, node, cards, player, iterations=iterations)
            ranges = [each.ranges[1 - player] for each in (believed, plain.solution.subgame)]
            for found, risk in ((bold, None), (kept, 2.0)):
                answer = resolve(blueprint, node, cards, player, iterations=iterations, subgame=believed, risk=risk)
                found.append(100 * risked(answer, plain, ranges) / believed.pot)
    assert max(kept) <= 2.0 + 1e-9
    assert max(bold) > 2.0
    assert np.mean(bold) > np.mean(kept)


def test_what_is_risked_is_the_difference_of_two_best_responses(blueprint, node):
    """With its own range, it is what both say themselves."""
    player = 1
    believed = _believed(blueprint, node, RIVER, 1 - player)
    answer, free = (
        resolve(blueprint, node, RIVER, player, iterations=60, subgame=spot)
        for spot in (believed, believed.with_locks(()))
    )
    taken = [each.solution.best_response(1 - player).value for each in (answer, free)]
    assert risked(answer, free, [believed.ranges[1 - player]]) == pytest.approx(taken[0] - taken[1], abs=1e-4)
