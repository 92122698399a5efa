"""Strength and potential."""

from __future__ import annotations

from functools import partial

import numpy as np

import pokermodel as pm
from benchmarks.board_outer import joint_strength, library, potential_counts
from benchmarks.cases.boards import KINDS, flops, longer_boards
from benchmarks.registry import Run, at_least, at_most, case
from pokermodel._core.strength import Analysis
from pokermodel.cards import CARDS, holding_cards

FLOP, RIVER = pm.cards.card_indices("2c7d9h"), pm.cards.card_indices("2c7d9hTsQc")
HOLDING = pm.cards.card_indices("AhKd")
WEIGHTS = np.random.default_rng(2).random(1326)
LOOP = "board-outer loop in C"
ENUMERATION = "enumeration in C"
MS, US = 1e-3, 1e-6


def both_lookaheads(analysis: pm.BoardAnalysis) -> object:
    return analysis.evaluate(WEIGHTS, 1), analysis.evaluate(WEIGHTS, 2)


def first_range(kind: str) -> Run:
    boards = flops(kind)
    return Run(lambda: both_lookaheads(pm.BoardAnalysis(next(boards))), 1, "another flop each time")


def further_range(kind: str) -> Run:
    ready = pm.BoardAnalysis(next(flops(kind)))
    both_lookaheads(ready)
    return Run(lambda: both_lookaheads(ready))


def loop_over_all(kind: str) -> Run:
    library()
    boards = flops(kind, apart_from="AhKd")
    note = "1,176 times one holding, two to come only: extrapolated"
    return Run(lambda: potential_counts(next(boards), HOLDING, WEIGHTS), 1 / 1176, note)


for _kind in KINDS:
    bound = 25 * MS if _kind == "rainbow" else 30 * MS
    first = case(f"strength: {_kind} flop, all holdings, first range", "range", at_most(bound), at_least(150, LOOP))
    first.ours(partial(first_range, _kind))
    first.peer(LOOP)(partial(loop_over_all, _kind))
    further = case(f"strength: {_kind} flop, all holdings, further range", "range", at_most(1 * MS))
    further.ours(partial(further_range, _kind))

cold = case("strength: flop, one holding, two to come, cold", "holding", at_most(1 * MS))
warm = case("strength: flop, one holding, two to come, analysed", "holding", at_most(0.1 * MS), same=True)


@cold.ours
def one_cold() -> Run:
    boards = flops("rainbow", apart_from="AhKd")
    return Run(lambda: pm.evaluation.hand_potential(HOLDING, next(boards), WEIGHTS, 2), 1, "another flop each time")


@cold.peer(LOOP)
def one_in_the_loop() -> Run:
    library()
    boards = flops("rainbow", apart_from="AhKd")
    return Run(lambda: potential_counts(next(boards), HOLDING, WEIGHTS))


@warm.ours
def one_analysed() -> Run:
    ready = pm.BoardAnalysis(FLOP)
    ready.evaluate(None, 2)
    return Run(lambda: ready.potential(HOLDING, WEIGHTS, 2).counts)


@warm.peer(LOOP)
def one_in_the_loop_again() -> Run:
    library()
    return Run(lambda: potential_counts(FLOP, HOLDING, WEIGHTS))


turn_first = case("strength: turn, all holdings, first range", "range", at_most(1 * MS))
turn_further = case("strength: turn, all holdings, further range", "range", at_most(0.1 * MS))


@turn_first.ours
def turn_cold() -> Run:
    boards = longer_boards(4)
    return Run(lambda: pm.BoardAnalysis(next(boards)).evaluate(WEIGHTS), 1, "another board each time")


@turn_further.ours
def turn_again() -> Run:
    ready = pm.BoardAnalysis(next(longer_boards(4)))
    ready.evaluate(WEIGHTS)
    return Run(lambda: ready.evaluate(WEIGHTS))


river = case("strength: river, all holdings, from scratch", "range", at_most(40 * US), at_least(400, "eval7"))
river_in_c = case("strength: river, all holdings, from scratch, kernel alone", "range", at_most(25 * US))


@river.ours
def river_cold() -> Run:
    boards = longer_boards(5)
    return Run(lambda: pm.BoardAnalysis(next(boards)).strengths(WEIGHTS), 1, "another board each time")


@river.peer("eval7")
def river_eval7() -> Run:
    import eval7

    everything = eval7.HandRange("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32")
    board = [eval7.Card(CARDS[card]) for card in RIVER]
    trials = 1_000_000  # it enumerates where that is fewer
    return Run(lambda: eval7.py_all_hands_vs_range(everything, everything, board, trials), 1, "without weights")


@river_in_c.ours
def river_kernel() -> Run:
    boards = longer_boards(5)
    out = np.empty(1326)
    return Run(lambda: Analysis(next(boards), ()).strengths(WEIGHTS, out), 1, "another board each time")


TABLES = np.random.default_rng(3).random((3, 1326))
two_opponents = case("strength: against two opponents at once, flop", "holding", at_least(20, ENUMERATION), same=True)
three_opponents = case("strength: against three opponents at once, flop", "holding", at_least(1000, ENUMERATION))


def jointly(opponents: int) -> Run:
    tables = TABLES[:opponents]
    return Run(lambda: pm.BoardAnalysis(FLOP).joint_strength(HOLDING, tables))


two_opponents.ours(partial(jointly, 2))
three_opponents.ours(partial(jointly, 3))


@two_opponents.peer(ENUMERATION)
def pairs_enumerated() -> Run:
    library()
    return Run(lambda: joint_strength(FLOP, HOLDING, TABLES[:2]))


@three_opponents.peer(ENUMERATION)
def triples_enumerated() -> Run:
    library()
    note = "four of 1,081 holdings of the first opponent only: extrapolated"
    return Run(lambda: joint_strength(FLOP, HOLDING, TABLES, 4), 4 / 1081, note)


outs = case("strength: crude potentials of all holdings on a flop", "flop")


@outs.ours
def crude() -> Run:
    boards = flops("two-tone")
    return Run(lambda: pm.BoardAnalysis(next(boards)).crude_potentials())


scalar = case("strength: hand_strength of one holding on a flop", "call")


@scalar.ours
def hand_strength() -> Run:
    boards = flops("rainbow", apart_from="AhKd")
    return Run(lambda: pm.hand_strength(HOLDING, next(boards)))


@scalar.peer("eval7")
def strength_with_eval7() -> Run:
    import eval7

    cards = [eval7.Card(text) for text in CARDS]
    board, mine = [cards[card] for card in FLOP], [cards[card] for card in HOLDING]
    gone = {*FLOP, *HOLDING}
    others = [tuple(map(cards.__getitem__, pair)) for pair in map(holding_cards, range(1326)) if not gone & {*pair}]

    def loop() -> float:
        rank = eval7.evaluate(mine + board)
        theirs = [eval7.evaluate([*other, *board]) for other in others]
        return (sum(his < rank for his in theirs) + sum(his == rank for his in theirs) / 2) / len(theirs)

    return Run(loop, 1, "a loop over its evaluate")
