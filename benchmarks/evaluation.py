"""Evaluation beside public peers: batches of hands, and strength and potential of whole boards."""

from __future__ import annotations

from itertools import combinations

import eval7
import numpy as np
from phevaluator.evaluator import _pheval

import pokermodel as pm
from benchmarks import best_times, report
from pokermodel.cards import CARDS


def batches() -> None:
    rng = np.random.default_rng(1)
    hands = np.argsort(rng.random((1 << 17, 52)), axis=1)[:, :7].astype(np.uint8)
    few = hands[:4096].tolist()
    deck = [eval7.Card(text) for text in CARDS]
    cards = [[deck[card] for card in row] for row in few]
    cases = {
        "pokermodel.evaluate_many": lambda: pm.evaluate_many(hands),
        "pokermodel.evaluate, one call a hand": lambda: [pm.evaluate(row) for row in few],
        "eval7.evaluate, one call a hand": lambda: [eval7.evaluate(row) for row in cards],
        "phevaluator (raw C), one call a hand": lambda: [_pheval.evaluate_7cards(*row) for row in few],
    }
    units = dict.fromkeys(cases, len(few)) | {"pokermodel.evaluate_many": len(hands)}
    report("seven-card hands", best_times(cases), units, "hand")


def loop_over_runouts(board: list[int], holding: list[int]) -> np.ndarray:
    """The textbook order of work for one holding, on our own batch evaluator: rank everything, then compare."""
    gone = set(board) | set(holding)
    deck = [card for card in range(52) if card not in gone]
    others = np.array(list(combinations(deck, 2)), dtype=np.uint8)
    now = pm.evaluate_many(np.hstack([others, np.tile(np.array(board, np.uint8), (len(others), 1))]))
    mine_now = pm.evaluate(board + holding)
    counts = np.zeros((3, 3))
    for runout in combinations(deck, 2):
        live = ~np.isin(others, runout).any(axis=1)
        final = [*board, *runout]
        hands = np.hstack([others[live], np.tile(np.array(final, np.uint8), (int(live.sum()), 1))])
        later = pm.evaluate_many(hands)
        mine = pm.evaluate(final + holding)
        rows = 1 + np.sign(now[live].astype(int) - mine_now)
        columns = 1 + np.sign(later.astype(int) - mine)
        np.add.at(counts, (rows, columns), 1)
    return counts


def potentials() -> None:
    flop, holding = pm.card_indices("2c7d9h"), pm.card_indices("AhKd")
    weights = np.random.default_rng(2).random(1326)
    ready = pm.BoardAnalysis(flop)
    ready.evaluate(None, 2)
    cases = {
        "all holdings, PPOT2, first range of a flop": lambda: pm.BoardAnalysis(flop).evaluate(weights, 2),
        "all holdings, PPOT2, each further range": lambda: ready.evaluate(weights, 2),
        "one holding, PPOT2": lambda: pm.hand_potential(holding, flop, weights, 2),
        "one holding, PPOT2, runouts one by one": lambda: loop_over_runouts(list(flop), list(holding)),
        "all strengths of a flop, each range": lambda: ready.strengths(weights),
    }
    units = {name: 1176 if name.startswith("all") else 1 for name in cases}
    report("strength and potential", best_times(cases, rounds=5), units, "holding")


if __name__ == "__main__":
    batches()
    potentials()
