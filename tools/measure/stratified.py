"""What stratified runouts gain: the spread of a decision's EVs from simulation to simulation, with and without them.

    python -m tools.measure.stratified               # the table of docs/models/loki2.md, as Markdown; some five minutes
    python -m tools.measure.stratified --runs 200    # more quickly

The hero is first to speak on the flop and checks; the next player bets, and everybody calls. Tables are as Loki-2 reads
this. Each simulation has a seed of its own and all its trials.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel.cards import card_indices
from pokermodel.classics.simulation import Position, Simulator
from pokermodel.evaluation.dealing import DealingMode
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.reading import OpponentModeler

SPOTS = (("Jh9h", "Th8c2d"), ("AhKd", "Kc7s2d"), ("AcQc", "Tc8c3h"))
OPPONENTS = (1, 3, 9)
MODES: tuple[DealingMode, ...] = ("joint", "published")


class Spread(NamedTuple):
    """Many simulations of one decision: check or call, bet or raise, and their difference."""

    deviation: np.ndarray  # of the EVs, for one trial
    claimed: np.ndarray  # root mean square of the standard errors over the true deviation
    seconds: float  # processor time of a simulation


def decision(opponents: int, flop: str) -> tuple[Position, list[np.ndarray | None]]:
    """The hero's decision after everybody limped in, one bet and all others called, and the tables of all seats."""
    players, board = opponents + 1, card_indices(flop)
    state = State(GameSpec.heads_up(1, 2) if players == 2 else GameSpec.ring(players, 1, 2))
    actions = []
    for act in [*[Act.CALL] * players, Act.CALL, Act.RAISE, *[Act.CALL] * (opponents - 1)]:
        actions.append(Action(state.seat, act))
        state.act(act)
    position, read = Position(state.copy(), board), len(actions)
    while not state.over:
        actions.append(Action(state.seat, Act.FOLD))
        state.act(Act.FOLD)
    turn = next(card for card in range(52) if card not in board)
    hand = Hand("benchmark", "1", state.spec, [f"player {k}" for k in range(players)], actions, (*board, turn))
    session = OpponentModeler("loki2", folded_tables=True)
    for each in list(hand.replay())[:read]:
        session.observe(each)
    return position, session.simulation_tables()


def spread(opponents: int, own: str, flop: str, simulator: Simulator, runs: int, trials: int) -> Spread:
    position, tables = decision(opponents, flop)
    values, errors = np.empty((runs, 3)), np.empty((runs, 3))
    simulator.run(position, own, tables, trials, runs)  # strengths are kept from now on
    start = time.process_time()
    for seed in range(runs):
        advice = simulator.run(position, own, tables, trials, seed)
        values[seed] = advice.ev[1], advice.ev[2], advice.ev[2] - advice.ev[1]
        errors[seed] = *advice.standard_error[1:], advice.paired_standard_error
    took = time.process_time() - start
    true = values.std(axis=0, ddof=1)
    return Spread(true * np.sqrt(trials), np.sqrt((errors**2).mean(axis=0)) / true, took / runs)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What stratified runouts gain.")
    parser.add_argument("--runs", type=int, default=1000, help="simulations of each decision [%(default)s]")
    parser.add_argument("--trials", type=int, default=500, help="trials of a simulation [%(default)s]")
    given = parser.parse_args(arguments)
    columns = ("holding, flop", "opponents", *["plain", "stratified"] * 2, "worth", "difference", "ms", "stratified")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    claimed = []
    for own, flop in SPOTS:
        for opponents in OPPONENTS:
            found = {
                (mode, on): spread(
                    opponents,
                    own,
                    flop,
                    Simulator(stop="none", dealing=mode, stratified=on),
                    given.runs,
                    given.trials,
                )
                for mode in MODES
                for on in (False, True)
            }
            plain, even = found["joint", False], found["joint", True]
            claimed += [each.claimed for (_, on), each in found.items() if on]
            cells = [f"{each.deviation[1]:.1f}" for each in found.values()]
            gained = (plain.deviation / even.deviation) ** 2
            cells += [f"{gain:.2f}" for gain in gained[1:]]
            cells += [f"{1000 * each.seconds:.1f}" for each in (plain, even)]
            print(f"| {own}, {flop} | {opponents} | {' | '.join(cells)} |", flush=True)
    print(f"standard errors over true deviations, stratified: {np.min(claimed):.2f} to {np.max(claimed):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
