"""The compiled play-outs beside a tree in Python, deal by deal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.play_outs import uniforms
from pokermodel.cards import holding_index
from pokermodel.evaluation.dealing import Dealer
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.reader import AdaptiveReader
from pokermodel.reading.features import BettingHistory
from pokermodel.worth.answers import LEAST_PRICE, raise_sizes
from pokermodel.worth.play_outs import FOLD_ODDS, LONGEST, OF_POT, RAISE_ODDS, PlayOuts, Rake
from tests.common.engine import random_hand
from tests.common.play_out_trees import TreePlayOuts

BOARD = pm.cards.card_indices("2c7d9hJsQd")


def spot_of(spec, reader, holding, board=BOARD, street=3, acts=()):
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
    held[:, situation.seat] = holding_index("KdJh")
    history = BettingHistory(spec.players)
    for decision in spot.acts:
        history.add(decision)
    boards, numbers = np.tile(np.array(BOARD, dtype=np.uint8), (n, 1)), np.arange(n, dtype=np.uint64)
    told = [(int(act), to) for act, to in moves]
    uniform = np.stack([uniforms(77, k, LONGEST + 40) for k in range(n)])
    for odds in ((1.0, 1.0), *((each, 1.0) for each in FOLD_ODDS), *((1.0, each) for each in RAISE_ODDS)):
        found = reader.actors(spot).play(
            spot.state, history, told, boards, held, numbers, 77, LONGEST, LEAST_PRICE, OF_POT, *play.rake, *odds
        )
        tree = TreePlayOuts(spot, play.rake).play(moves, BOARD, held.astype(np.intp), uniform, *odds)
        np.testing.assert_allclose(found, tree, rtol=0, atol=1e-9 * sum(spot.state.committed) + 1e-6)
        assert np.ptp(found[:, 1:]) > 0
