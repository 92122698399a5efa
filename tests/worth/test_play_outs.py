"""Play-outs by the reader's strategy, beside what is known exactly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.play_outs import uniforms
from pokermodel.cards import holding_index
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import Expectation, OpponentModeler, Reader, Spot
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.reader import AdaptiveReader
from pokermodel.reading.features import BettingHistory
from pokermodel.worth.answers import LEAST_PRICE, raise_sizes
from pokermodel.worth.myopic import myopic_verdict
from pokermodel.worth.play_out_trees import TreePlayOuts
from pokermodel.worth.play_outs import FOLD_ODDS, LONGEST, OF_POT, PlayOuts, Rake
from tests.common.engine import random_hand

BOARD = pm.cards.card_indices("2c7d9hJsQd")


class Folding(Reader):
    """Folds by a number for each holding, and never raises."""

    reads_sizes = True

    def __init__(self, table=None, folds=None):
        self.table = table
        self.folds = np.random.default_rng(5).random(1326) if folds is None else folds

    def prior(self, player):
        return self.table

    def expect(self, spot):
        fold = self.folds[:, None] if spot.situation.to_call else np.zeros((1326, 1))
        return Expectation.of(np.concatenate([fold, 1 - fold, 0 * fold], axis=1), spot.weights)


def spot_of(spec, reader, holding, board=BOARD, street=3, table=None, acts=()):
    """The spot of the first to act on a street to which everybody checked or called."""
    names = tuple(f"p{k}" for k in range(spec.players))
    session = OpponentModeler(reader)
    session.start(names)
    state, index, todo = State(spec), 0, list(acts)
    while state.round < street or todo:
        dealt = board[: (0, 3, 4, 5)[state.round]]
        situation = Situation.of(state, names, dealt)
        act, to = (Act.CALL, None) if state.round < street else todo.pop(0)
        session.observe(Decision("", "", index, situation, act, state.act(act, to)))
        index += 1
    situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
    return session.spot(situation).held(holding, state)


@pytest.mark.parametrize("holding", ["AcQc", "3h3s"])
def test_on_the_river_it_is_what_is_known_exactly(holding):
    """Against one who folds or calls, what acts are worth is exact in `myopic_verdict`, which walks no tree."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), holding)
    exact = myopic_verdict(spot)
    acts = [(each.act, each.to) for each in exact.acts]
    # prices below an eighth are answered by nobody's reader: sizes are usual ones
    found = PlayOuts(spot).run(acts, 1, most=12_800)
    for k, each in enumerate(exact.acts):
        assert found.ev[k] / 2 == pytest.approx(each.ev, abs=max(4 * found.errors[k, k] / 2, 1e-9)), each
        assert found.errors[k, k] < 0.5


def test_without_bets_it_is_the_equity():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(2, 2, 2))
    names = ("p0", "p1", "p2")
    session = OpponentModeler(Folding())
    session.start(names)
    state = State(spec)
    state_acts = []
    while state.seat != 0 or not state_acts:
        situation = Situation.of(state, names)
        state_acts.append(Decision("", "", len(state_acts), situation, Act.CALL, state.act(Act.CALL)))
        session.observe(state_acts[-1])
    spot = session.spot(Situation.of(state, names)).held("AhAd", state)
    found = PlayOuts(spot).run([(Act.FOLD, None), (Act.CALL, None)], 1, most=6400)
    share = equity(["AhAd", None, None], trials=200_000, rng=1).equity[0]
    assert found.ev[0] == 0
    assert found.errors[0, 0] == 0
    assert found.ev[1] == pytest.approx(share * 6 - 1, abs=max(0.06, 4 * found.errors[1, 1]))


def test_the_same_seed_gives_the_same_result_and_rake_is_taken():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    acts = [(Act.CALL, None), (Act.RAISE, 4)]
    first, again = (PlayOuts(spot).run(acts, 7, most=256) for _ in range(2))
    np.testing.assert_array_equal(first.ev, again.ev)
    raked = PlayOuts(spot, rake=Rake(0.1)).run(acts, 7, most=256)
    assert (raked.ev < first.ev).all()
    won = PlayOuts(spot, rake=Rake(0.1, cap=0.01)).run(acts, 7, most=256)
    assert (won.ev > raked.ev).all()


def test_stronger_ranges_are_worth_less():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "KdJh")
    strength = spot.analysis.uniform_strengths
    up = np.nan_to_num(2 * strength - 1)
    found = PlayOuts(spot, {1: up, 0: up}).run([(Act.CALL, None)], 1, most=512)
    assert found.stronger[0] < found.ev[0] < found.weaker[0]


def test_the_adaptive_reader_plays_all_streets_and_sizes():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "adaptive", "AhAd", street=0, acts=[(Act.RAISE, 250)])
    acts = [(Act.FOLD, None), (Act.CALL, None), (Act.RAISE, 800)]
    found = PlayOuts(spot).run(acts, 1, most=500)
    assert found.ev[2] > 0  # aces
    assert found.ev[1] > 0
    assert found.deals == 500
    assert found.errors[0, 1] == pytest.approx(found.errors[1, 1])


GAMES = [
    (replace(GameSpec.no_limit(3, 50, 100, stacks=(9_000, 2_200, 700)), antes=(10, 10, 10)), 0, [(Act.RAISE, 250)]),
    (GameSpec.no_limit(2, 1, 2, stacks=(60, 90)), 1, [(Act.RAISE, 3)]),
    (GameSpec.no_limit(4, 1, 2), 2, []),  # stacks are not known
    (GameSpec.pot_limit(3, 5, 10, stacks=(900, 400, 650)), 3, [(Act.CALL, None)]),
    (GameSpec.heads_up(5, 10), 1, [(Act.RAISE, None)]),
    (GameSpec.ring(4, 5, 10), 0, [(Act.FOLD, None)]),
]


@pytest.mark.parametrize(("spec", "street", "acts"), GAMES)
@pytest.mark.parametrize("known", [False, True])
def test_the_kernel_plays_as_the_tree_does(spec, street, acts, known):
    """Holdings, boards and random numbers are given, so that what both make of each deal has to be the same."""
    reader = AdaptiveReader(PopulationModel())
    if known:  # somebody is not a stranger
        for seed in range(12):
            reader.people.update([PopulationModel.evidence(random_hand(seed, spec)[0])])
    spot = spot_of(spec, reader, "KdJh", street=street, acts=acts)
    situation = spot.situation
    play = PlayOuts(spot, rake=Rake(0.05, 20))
    moves = [(act, None) for act in situation.legal if act != Act.RAISE]
    if Act.RAISE in situation.legal:
        moves += [(Act.RAISE, to) for to in raise_sizes(situation, [0.5, 1.0])]
    n = 24
    dealt = Dealer(play.tables, BOARD, play.own, rng=3).deal(n)
    held = np.zeros((n, spec.players), dtype=np.int16)
    for k, seat in enumerate(play.opponents):
        held[:, seat] = [holding_index(pair) for pair in dealt.holdings[:, k].tolist()]
    held[:, play.hero] = holding_index("KdJh")
    history = BettingHistory(spec.players)
    for decision in spot.acts:
        history.add(decision)
    boards, numbers = np.tile(np.array(BOARD, dtype=np.uint8), (n, 1)), np.arange(n, dtype=np.uint64)
    told = [(int(act), to) for act, to in moves]
    uniform = np.stack([uniforms(77, k, LONGEST + 40) for k in range(n)])
    for odds in (1.0, *FOLD_ODDS):
        found = reader.actors(spot).play(
            spot.state, history, told, boards, held, numbers, 77, LONGEST, LEAST_PRICE, OF_POT, *play.rake, odds
        )
        tree = TreePlayOuts(play).play(moves, BOARD, held.astype(np.intp), uniform, odds)
        np.testing.assert_allclose(found, tree, rtol=0, atol=1e-9 * sum(spot.state.committed) + 1e-6)
        assert np.ptp(found[:, 1:]) > 0


def test_the_kernel_gives_the_same_for_any_number_of_threads():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "adaptive", "AhTd", street=0, acts=[(Act.RAISE, 250)])
    acts = [(Act.FOLD, None), (Act.CALL, None), (Act.RAISE, 800)]
    one, three = (PlayOuts(spot).run(acts, 5, most=300, jobs=jobs) for jobs in (1, 3))
    np.testing.assert_array_equal(one.ev, three.ev)
    np.testing.assert_array_equal(one.errors, three.errors)
    np.testing.assert_array_equal(one.weaker, three.weaker)


def test_both_ways_to_play_out_agree_on_average():
    """They draw deals in different ways, so that the values are compared, too."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "adaptive", "AhTd", street=0, acts=[(Act.RAISE, 250)])
    acts = [(Act.CALL, None), (Act.RAISE, 800)]
    kernel = PlayOuts(spot).run(acts, 5, most=4096)
    tree = PlayOuts(spot, compiled=False).run(acts, 6, most=1280)
    for k in range(2):
        error = np.hypot(kernel.errors[k, k], tree.errors[k, k])
        assert kernel.ev[k] == pytest.approx(tree.ev[k], abs=4 * error)
        assert kernel.errors[k, k] < tree.errors[k, k]


@pytest.mark.parametrize("reader", ["adaptive", Folding()])
def test_a_bluff_is_worth_more_where_others_fold_more(reader):
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, reader, "3c3d", board=BOARD)
    found = PlayOuts(spot).run([(Act.CALL, None), (Act.RAISE, 4)], 5, most=512)
    assert found.answers[1] > 0.05
    assert abs(found.answers[0]) < found.answers[1]
    assert PlayOuts(spot).run([(Act.FOLD, None)] * 2, 5, most=64).answers.tolist() == [0.0, 0.0]


def test_what_nobody_called_is_not_raked():
    """An all-in of 89 into 4 that everybody folds to wins the pot, of which a tenth is taken."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(1000, 1000))
    spot = spot_of(spec, Folding(folds=np.ones(1326)), "AcQc")
    moves, deals = [(Act.RAISE, 998)], np.zeros((1, 2), dtype=np.intp)
    play = PlayOuts(spot, rake=Rake(0.1))
    other = 1 - spot.situation.seat
    deals[0, spot.situation.seat], deals[0, other] = holding_index("AcQc"), holding_index("3d2h")
    found = TreePlayOuts(play).play(moves, BOARD, deals, np.zeros((1, LONGEST + 40, 2)))
    assert found[0, 1] == pytest.approx(4 * 0.9)


def test_a_fold_that_ends_the_hand_counts_by_its_chance():
    """All-in on the river: with one holding against it a play-out is known, whatever is drawn."""
    reader = Folding(folds=np.full(1326, 0.3))
    spot = spot_of(GameSpec.no_limit(2, 1, 2, stacks=(1000, 1000)), reader, "AcQc")
    play, hero = PlayOuts(spot), spot.situation.seat
    deals = np.zeros((8, 2), dtype=np.intp)
    deals[:, hero], deals[:, 1 - hero] = holding_index("AcQc"), holding_index("AdAh")
    uniform = np.random.default_rng(1).random((8, LONGEST + 40, 2))
    found = TreePlayOuts(play).play([(Act.RAISE, 998)], BOARD, deals, uniform)[:, 1]
    np.testing.assert_allclose(found, 0.3 * 4 - 0.7 * 998)


def test_what_the_kernel_refuses():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, "adaptive", "AcQc")
    actors, history = spot.reader.actors(spot), BettingHistory(2)
    held = np.array([[holding_index("AcQc"), holding_index("3d3h")]], dtype=np.int16)
    right = {
        "state": spot.state, "betting": history, "acts": [(1, None)], "boards": np.array([BOARD], dtype=np.uint8),
        "holdings": held, "numbers": np.zeros(1, dtype=np.uint64), "key": 1, "longest": 4, "least_price": 0.1,
        "of_pot": OF_POT, "rake": 0.0, "cap": np.inf,
    }  # fmt: skip
    assert actors.play(**right).shape == (1, 2)
    other = State(GameSpec.no_limit(3, 1, 2))
    limit = State(GameSpec.heads_up(5, 10))
    for name, value, words in [
        ("state", other, "seats"),
        ("state", limit, "structure"),
        ("acts", [(2, 3_000)], "a raise goes to"),
        ("acts", [(3, None)], "not legal"),
        ("acts", [(1, None)] * 65, "64 acts"),
        ("boards", np.zeros((1, 5), dtype=np.uint8), "no board"),
        ("boards", np.zeros((1, 4), dtype=np.uint8), "boards"),
        ("holdings", held[:, :1].copy(), "holdings"),
        ("holdings", np.full((1, 2), 1326, dtype=np.int16), "a holding must be"),
        ("holdings", np.full((1, 2), holding_index("AcQc"), dtype=np.int16), "meet"),
        ("numbers", np.zeros(2, dtype=np.uint64), "numbers"),
        ("of_pot", OF_POT[1:].copy(), "of_pot"),
        ("fold_odds", 0.0, "odds"),
    ]:
        with pytest.raises(ValueError, match=words):
            actors.play(**{**right, name: value})


def test_it_ends_where_it_is_clear():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    found = PlayOuts(spot).run([(Act.CALL, None)], 1, most=2048, enough=lambda ev, errors: True)
    assert found.deals == 8 * 32  # run-outs of a reader who has to be asked at every decision
    adaptive = spot_of(spec, "adaptive", "AcQc")
    assert PlayOuts(adaptive).run([(Act.CALL, None)], 1, most=2048, enough=lambda ev, errors: True).deals == 512


def test_what_it_cannot_play_out():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    with pytest.raises(ValueError, match="most"):
        PlayOuts(spot).run([(Act.CALL, None)], 1, most=63)
    with pytest.raises(ValueError, match="reader"):
        PlayOuts(Spot.of([Decision("", "", 0, spot.situation, Act.CALL, 0)]).held("AcQc"))
    only = np.zeros(1326)
    only[holding_index("AcQh")] = 1.0
    with pytest.raises(ValueError, match="no holding of p"):
        PlayOuts(spot_of(spec, Folding(only), "AcQc"))
