"""What solving streets again gains against another blueprint, by pairs of holdings one by one."""

import numpy as np
import pytest

from pokermodel.cards import card_indices, holding_index
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.blueprint import Blueprint, BlueprintGame, resolve, solved_gain, win_rate_against
from pokermodel.tables.blueprint.against import _ends, _gain, _ways_on, gain_of_hand, worth_of_board
from tests.common.blueprints import quick_blueprint

RIVER = card_indices("Qs7h2h9c3d")
OPTIONS = {"iterations": 30}


@pytest.fixture(scope="module")
def blueprint():
    return quick_blueprint(seed=2, buckets=(30, 30, 12), rounds=4, flops=1, boards=8, jobs=1)


@pytest.fixture(scope="module")
def other():
    return quick_blueprint(seed=3, buckets=(20, 20, 9), rounds=4, flops=1, boards=8, jobs=1)


@pytest.fixture(scope="module")
def node(blueprint):
    return blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.RAISE, Act.CALL, Act.CALL, Act.CALL])


def chips_won(tree, node, strategies, seat):
    """Of a seat with each holding against each of the opponent's on the river: (1326, 1326)."""
    if tree.kind[node] == 0:
        rows = np.nan_to_num(strategies[int(tree.player[node])](node))
        found = 0.0
        for number in range(rows.shape[1]):
            chance = rows[:, number]
            of_pairs = chance[:, None] if tree.player[node] == seat else chance[None, :]
            found = found + of_pairs * chips_won(tree, tree.child(node, number), strategies, seat)
        return found
    put = tree.put[node].astype(float)
    if tree.act[node] == Act.FOLD:
        loser = int(tree.player[tree.parent[node]])
        return np.full((1326, 1326), -put[seat] if loser == seat else put[1 - seat])
    return put.min() * showdown()


def showdown():
    """Who wins on the river, of each holding against each other: 1, 0 or -1."""
    live = np.flatnonzero(~np.isin(CARDS_OF, RIVER).any(axis=1))
    strength = np.zeros(1326)
    seven = np.hstack([np.tile(RIVER, (len(live), 1)), CARDS_OF[live]]).astype(np.uint8)
    strength[live] = evaluate_many(seven)
    return np.sign(strength[:, None] - strength[None, :])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_gain_is_the_mean_over_pairs_of_holdings(blueprint, other, node, seat):
    player = 1 if seat == 0 else 0
    answer = resolve(blueprint, node, RIVER, player, **OPTIONS)
    theirs = lambda at: other.strategy(at, RIVER)  # noqa: E731
    mine = [lambda at: answer.strategy(at, RIVER), lambda at: blueprint.strategy(at, RIVER)]
    live = ~np.isin(CARDS_OF, RIVER).any(axis=1)
    apart = ~(CARDS_OF[:, None, :, None] == CARDS_OF[None, :, None, :]).any(axis=(2, 3))
    own, opponent = blueprint.reach(node, RIVER)[seat], other.reach(node, RIVER)[1 - seat]
    pairs = np.outer(own * live, opponent * live) * apart
    worth = []
    for each in mine:
        strategies = [each, theirs] if seat == 0 else [theirs, each]
        worth.append(float((pairs * chips_won(blueprint.tree, node, strategies, seat)).sum() / pairs.sum()))
    assert abs(worth[0] - worth[1]) > 0.05
    assert _gain(blueprint, other, node, RIVER, seat, OPTIONS) == pytest.approx(worth[0] - worth[1], abs=2e-4)


def test_ways_on_are_drawn_by_the_ranges_of_both(blueprint, other):
    node = blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.RAISE, Act.CALL])
    board = RIVER[:4]
    first, second = blueprint.reach(node, board)[0], other.reach(node, board)[1]
    apart = ~(CARDS_OF[:, None, :, None] == CARDS_OF[None, :, None, :]).any(axis=(2, 3))
    pairs = np.outer(first, second) * apart
    drawn = _ways_on((blueprint, other), node, board, 4000, np.random.default_rng(1))
    high = CARDS_OF.max(axis=1)  # something that tells holdings apart
    held = np.array([holdings for holdings, _ in drawn])
    for axis in range(2):
        chances = pairs.sum(axis=1 - axis) / pairs.sum()
        mean = float(chances @ high)
        sd = float(np.sqrt(chances @ (high - mean) ** 2))
        assert abs(high[held[:, axis]].mean() - mean) < 4 * sd / np.sqrt(len(held))
    assert all(pairs[one, two] > 0 for one, two in held)
    for (one, two), dealt in drawn[:200]:
        assert dealt[:4] == board
        assert len({*dealt, *CARDS_OF[one], *CARDS_OF[two]}) == 9
    rivers = {dealt[4] for _, dealt in drawn}
    assert len(rivers) == 48


def test_hands_are_the_same_for_the_same_seed(blueprint, other):
    found = solved_gain(blueprint, other, 3, 30, 5, **OPTIONS)
    assert found == solved_gain(blueprint, other, 3, 30, 5, **OPTIONS) or np.isnan(found.beside_rivers)
    assert found.hands == 30
    assert 0 < found.subgames < 30
    more = solved_gain(blueprint, other, 3, 60, 5, **OPTIONS)
    assert more.mean != found.mean
    with np.errstate(all="raise"):
        hand = [gain_of_hand(blueprint, other, 3, k % 2, _stream(5, k), **OPTIONS) for k in range(30)]
    gains = [0.0 if each is None else each[0] for each in hand]
    assert found.mean == pytest.approx(1000 * np.mean(gains) / blueprint.game.big_blind)


def playing(blueprint, chosen):
    """A blueprint whose holdings do the first of some acts that there is, by street and whether they are aces."""
    numbers = np.zeros_like(blueprint.numbers)
    tree = blueprint.tree
    aces = int(blueprint.buckets()[holding_index("AsAh")])
    for node in np.flatnonzero(tree.kind == 0).tolist():
        acts = [act for act, _ in tree.acts(node)]
        first, street = int(tree.offset[node]), int(tree.street[node])
        rows = numbers[first : first + blueprint.sizes[street] * len(acts)].reshape(-1, len(acts))
        for at, have in ((slice(None), False), (aces, True)) if street == 0 else ((slice(None), False),):
            rows[at] = 0
            rows[at, acts.index(next(act for act in chosen(street, have) if act in acts))] = 1
    return Blueprint(blueprint.game, blueprint.about, blueprint._abstraction, numbers)


def test_what_a_blueprint_wins_from_another_is_counted_pair_by_pair(blueprint):
    def tight(street, aces):
        return (Act.FOLD, Act.CALL) if street == 0 and not aces else (Act.RAISE, Act.CALL)

    callers = playing(blueprint, lambda street, aces: (Act.CALL,))
    rocks = playing(blueprint, tight)
    live = ~np.isin(CARDS_OF, RIVER).any(axis=1)
    pairs = np.outer(live, live) * ~(CARDS_OF[:, None, :, None] == CARDS_OF[None, :, None, :]).any(axis=(2, 3))
    win = (pairs * showdown()).sum(axis=1)
    has = blueprint.buckets() == blueprint.buckets()[holding_index("AsAh")]
    # before the flop four chips or two, then bets of 2, 4 and 4; the small blind of one is folded on the button
    button = 14 * win[has].sum() - pairs[~has].sum()
    other = 14 * win[has].sum() + 12 * win[~has].sum()
    expected = (button + other) / 2 / pairs.sum()
    never = 1e-12  # nearly all lines, which are then not followed
    assert worth_of_board(rocks, callers, RIVER, _stream(1, 1), never) == pytest.approx(expected, abs=1e-5)
    assert worth_of_board(callers, rocks, RIVER, _stream(1, 1), never) == pytest.approx(-expected, abs=1e-5)


def test_ends_of_a_board_are_reached_as_the_blueprints_say(blueprint, other):
    live = np.flatnonzero(~np.isin(CARDS_OF, RIVER).any(axis=1))
    ends, first, second = _ends((blueprint, other), RIVER, live, _stream(1, 1), 0.0)
    tree = blueprint.tree
    parents = tree.parent[ends]
    for k in range(0, len(ends), 997):
        board = RIVER[: (0, 3, 4, 5)[int(tree.street[parents[k]])]]
        taken = tree.children(int(parents[k])).index(int(ends[k]))
        at = [each.reach(int(parents[k]), board)[seat].copy() for seat, each in enumerate((blueprint, other))]
        actor = int(tree.player[parents[k]])
        at[actor] *= np.nan_to_num((blueprint, other)[actor].strategy(int(parents[k]), board)[:, taken])
        assert first[k] == pytest.approx(at[0][live], rel=1e-4, abs=1e-9)
        assert second[k] == pytest.approx(at[1][live], rel=1e-4, abs=1e-9)
    assert len(ends) > 5000


def test_lines_that_are_drawn_leave_the_mean(blueprint, other):
    exact = worth_of_board(blueprint, other, RIVER, _stream(1, 1), 0.0)
    drawn = np.array([worth_of_board(blueprint, other, RIVER, _stream(1, k), 0.3) for k in range(8)])
    error = drawn.std(ddof=1) / np.sqrt(len(drawn))
    assert 0.0 < error < 0.2
    assert abs(drawn.mean() - exact) < 4 * error


def test_a_blueprint_that_learnt_wins_from_one_that_hardly_did(blueprint):
    hardly = quick_blueprint(seed=4, buckets=(30, 30, 12), rounds=1, flops=1, boards=1, jobs=1)
    found = win_rate_against(blueprint, hardly, 3, 1)
    assert found.boards == 3
    assert found.mean > 4 * found.standard_error > 0


def _stream(seed, number):
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


def test_a_turn_is_set_beside_rivers_as_well(blueprint, other):
    found = solved_gain(blueprint, other, 2, 3, 6, rivers=2, iterations=4)
    assert found.subgames > 0
    assert np.isfinite(found.beside_rivers)
    assert found.beside_rivers != found.mean


class _BySuits:
    """Buckets that tell suits apart: by the number of clubs beside the strength."""

    def __init__(self, known):
        self._known = known
        self.sizes = known.sizes

    def of(self, board):
        clubs = (CARDS_OF % 4 == 0).sum(axis=1)
        size = self.sizes[(0, 3, 4, 5).index(len(board))]
        return ((self._known.of(board).astype(int) + 5 * clubs) % size).astype(np.uint16)


def _foreign(known):
    return Blueprint(known.game, known.about, _BySuits(known._abstraction), known.numbers)


def test_a_strategy_may_tell_suits_apart(blueprint, other):
    """Its ranges differ between boards that ours are alike on, which are then solved one by one."""
    foreign = _foreign(other)
    node = blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.CALL])
    for mine, theirs in ((blueprint, foreign), (foreign, blueprint)):
        assert np.isfinite(_gain(mine, theirs, node, card_indices("QsJs7s2s"), 0, {"iterations": 3}))


def test_boards_one_by_one_have_the_same_gain(blueprint, other, monkeypatch):
    node = blueprint.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.CALL])
    board = card_indices("QsJs7s2s")
    together = _gain(blueprint, other, node, board, 0, {"iterations": 8})
    monkeypatch.setattr(type(other._abstraction), "suits_alike", False)
    assert _gain(blueprint, other, node, board, 0, {"iterations": 8}) == pytest.approx(together, rel=2e-3)


def test_what_cannot_be_measured_is_refused(blueprint, other):
    with pytest.raises(ValueError, match="street must be 2 or 3, turn or river, got 1"):
        solved_gain(blueprint, other, 1, 4)
    with pytest.raises(ValueError, match="hands must be 2 or more, got 1"):
        solved_gain(blueprint, other, 3, 1)
    with pytest.raises(ValueError, match="rivers must be 1 or more, got 0"):
        solved_gain(blueprint, other, 2, 4, rivers=0)
    deep = quick_blueprint(BlueprintGame.no_limit(4), seed=1, buckets=(4, 4, 4), rounds=1, boards=1, jobs=1)
    with pytest.raises(ValueError, match="different games"):
        solved_gain(blueprint, deep, 3, 4)
    with pytest.raises(ValueError, match="different games"):
        win_rate_against(blueprint, deep, 4)
    with pytest.raises(ValueError, match="expected two of limit"):
        win_rate_against(deep, deep, 4)
    with pytest.raises(ValueError, match="boards must be 2 or more, got 1"):
        win_rate_against(blueprint, blueprint, 1)
