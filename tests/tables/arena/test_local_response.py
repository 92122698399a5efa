"""What a local best response wins, with all holdings at once."""

from functools import partial

import numpy as np
import pytest

from pokermodel import evaluate
from pokermodel.cards import HOLDING_CARDS, card_indices
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import Entrant, deal_cards, tournament
from pokermodel.tables.arena.local_response import _Walk, can_be_walked, local_responses
from pokermodel.tables.arena.statistics import estimate
from pokermodel.tables.blueprint import BlueprintGame
from pokermodel.tables.blueprint.blueprint import blueprint_path
from pokermodel.tables.players import make_player
from pokermodel.tables.players.best_response import LocalBestResponse, strategy_of
from tests.common.blueprints import known_blueprint

SPEC = GameSpec.heads_up(1, 2)
NO_LIMIT = GameSpec.no_limit(2, 1, 2, stacks=(40, 40))
RIVER = 3


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A cache that holds a toy of a blueprint of no limit."""
    folder = tmp_path_factory.mktemp("toy")
    game = BlueprintGame.no_limit(20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POKERMODEL_CACHE", str(folder))
        known_blueprint(20).save(blueprint_path(game))
    return folder


@pytest.fixture
def solver(toy, monkeypatch):
    """The name of a player of no limit with it."""
    monkeypatch.setenv("POKERMODEL_CACHE", str(toy))
    return "solver?solve=never"


def _bet_when_ahead(board):
    """What a bet on the river wins, of 4 chips, if each holding makes it that beats more than half; by pairs."""
    cards = HOLDING_CARDS[~np.isin(HOLDING_CARDS, board).any(axis=1)]
    ranks = np.array([evaluate((*board, *holding)) for holding in cards.tolist()], dtype=int)
    beside = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    wins = (np.sign(ranks[:, None] - ranks[None, :]) * beside).sum(axis=1)
    return 4 * np.maximum(wins, 0).sum() / beside.sum()


def test_on_the_river_against_who_always_calls_it_is_known_by_counting():
    board = card_indices("2c7d9hTsQd")
    known = _bet_when_ahead(board)
    strategy = strategy_of("call", "player", SPEC)
    last, first = (
        [_Walk(strategy, SPEC, board, seat, RIVER, np.random.default_rng(k)).worth() for k in range(n)]
        for seat, n in ((0, 3), (1, 60))
    )
    assert last == pytest.approx([known] * 3)  # nothing is drawn there: after its check the hand is over
    drawn = estimate(first)
    assert drawn.standard_error > 0
    assert abs(drawn.mean - known) < 4 * drawn.standard_error


@pytest.mark.parametrize(
    ("player", "deals"),
    [("random", 12), *(pytest.param(player, 60, marks=pytest.mark.slow) for player in ("random", "raise"))],
)
def test_it_is_what_a_local_best_response_that_plays_wins(player, deals):
    entrants = [
        Entrant("local best response", partial(LocalBestResponse, player, spec=SPEC)),
        Entrant(player, partial(make_player, player)),
    ]
    played = estimate(
        2 * tournament(entrants, deals, seed=3, spec=SPEC, variance="aivat").samples("local best response")
    )
    walked = estimate(local_responses(player, SPEC, 4, 0, range(deals // 2)))
    both = np.hypot(played.standard_error, walked.standard_error)
    assert abs(played.mean - walked.mean) < 4 * both


def test_nothing_of_the_ranges_is_lost(solver, monkeypatch):
    """At each decision the acts share out the range of who acts, and leave the other's alone."""
    seen = []
    for name, part in (("_own", 0), ("_theirs", 1)):
        before = getattr(_Walk, name)

        def looked(self, situation, ranges, before=before, part=part):
            branches = before(self, situation, ranges)
            assert sum(branch.ranges[part] for branch in branches) == pytest.approx(ranges[part])
            assert all((branch.ranges[1 - part] == ranges[1 - part]).all() for branch in branches)
            seen.append(part)
            return branches

        monkeypatch.setattr(_Walk, name, looked)
    for player, spec in ((solver, NO_LIMIT), ("typical", SPEC)):
        local_responses(player, spec, 5, 0, range(2))
    assert {0, 1} == set(seen)


def test_several_ways_from_the_turn_on_change_the_error_alone(solver):
    """Of the same boards and lines before: each way has a river of its own, and what they are worth is their mean."""
    strategy = strategy_of(solver, "player", NO_LIMIT)
    rivers, found = set(), {1: [], 8: []}
    for number in range(10):
        board = deal_cards(2, np.random.default_rng(number)).board
        for ways, worth in found.items():
            walk = _Walk(strategy, NO_LIMIT, board, number % 2, 2, np.random.default_rng(number), ways)
            worth.append(walk.worth())
            if ways > 1 and walk.live.state.round == 2:
                another = walk._another()
                assert another.live.decisions == walk.live.decisions
                assert another.board == board[:4]
                rivers.add(another.live.board[4] != board[4])
    assert not strategy.solves_turns
    assert strategy_of(solver.replace("never", "turn"), "player", NO_LIMIT).solves_turns
    one, several = estimate(found[1]), estimate(found[8])
    assert rivers == {True} or rivers == {True, False}
    assert several.standard_error < 0.9 * one.standard_error
    assert abs(one.mean - several.mean) < 4 * np.hypot(one.standard_error, several.standard_error)


@pytest.mark.slow
def test_a_value_function_changes_the_error_alone(monkeypatch):
    """With another one, or none, the mean is the same within its error."""
    found = [estimate(local_responses("call", SPEC, 6, 0, range(40)))]
    monkeypatch.setattr("pokermodel.tables.arena.local_response.GROWTH", (0.0,) * 4)
    found.append(estimate(local_responses("call", SPEC, 6, 0, range(40))))
    assert found[0].standard_error < found[1].standard_error
    assert abs(found[0].mean - found[1].mean) < 4 * found[1].standard_error


def test_before_its_first_bet_it_folds_and_calls(solver):
    board = deal_cards(2, np.random.default_rng(1)).board
    walk = _Walk(strategy_of(solver, "player", NO_LIMIT), NO_LIMIT, board, 0, 2, np.random.default_rng(1))
    walk.worth()
    own = [each for each in walk.live.decisions if each.seat == 0 and each.round < 2]
    assert own
    assert Act.RAISE not in {each.act for each in own}


def test_who_does_not_say_what_they_bet_is_not_walked(solver):
    def walked(player, spec):
        return can_be_walked(strategy_of(player, "Ann", spec), spec, exact=make_player(player).strategy_is_exact)

    assert walked("shove", SPEC)
    assert walked(solver, NO_LIMIT)
    assert not walked("shove", NO_LIMIT)
    assert not walked(f"{solver}&seconds=1", NO_LIMIT)
    assert not walked("loki2:b", SPEC)  # it says what it does but for semi-bluffs
