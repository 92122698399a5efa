"""Simulations of decisions, on one thread: the first one on a flop, and more trials of the same."""

from __future__ import annotations

import numpy as np

from benchmarks.cases.boards import flops
from benchmarks.registry import Run, at_most, case
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act, GameSpec, State
from pokermodel.simulation import Simulator, StrengthCache

MS = 1e-3
HERO = "AhKd"
WARM_TRIALS = 20_000


def limped(players: int) -> State:
    """A flop that everybody saw; the first to speak has checked."""
    state = State(GameSpec.ring(players, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    state.act(Act.CALL)
    return state


def tables(players: int) -> list[np.ndarray]:
    """A table for each that has nothing in common with the others': nothing can be shared."""
    rng = np.random.default_rng(1)
    return list(np.maximum(rng.random((players, N_HOLDINGS)) ** 2, 0.01))


def first(players: int, suits: str) -> Run:
    state, weights = limped(players), tables(players)
    boards = flops(suits, apart_from=HERO)

    def decide() -> object:
        simulator = Simulator(stop="none", cache=StrengthCache())
        return simulator.run((state, next(boards)), HERO, weights, 500, 1)

    return Run(decide, 1, "500 trials, another flop each time, all tables different")


def further(players: int) -> Run:
    state, weights = limped(players), tables(players)
    simulator = Simulator(stop="none", cache=StrengthCache())
    position = state, next(flops("two-tone", apart_from=HERO))
    simulator.run(position, HERO, weights, 100_000, 1)
    return Run(lambda: simulator.run(position, HERO, weights, WARM_TRIALS, 2), WARM_TRIALS, "all tables different")


for _suits in ("rainbow", "two-tone", "monotone"):
    case(f"simulation: first decision on a {_suits} flop, ten players", "decision", at_most(100 * MS)).ours(
        lambda suits=_suits: first(10, suits)
    )
for _players, _targets in ((2, ()), (4, ()), (10, (at_most(1 / 200_000),))):
    case(f"simulation: further trials on a flop, {_players} players", "trial", *_targets).ours(
        lambda players=_players: further(players)
    )
