"""Ranks of hands."""

from __future__ import annotations

import numpy as np

import pokermodel as pm
from benchmarks.registry import Run, at_least, at_most, case
from pokermodel._core.evaluator import count_ranks
from pokermodel.cards import CARDS

MANY, FEW = 1 << 20, 4096


def hands(n: int, cards: int) -> np.ndarray:
    return np.argsort(np.random.default_rng(1).random((n, 52)), axis=1)[:, :cards].astype(np.uint8)


def eval7_loop(cards: int) -> Run:
    import eval7

    deck = [eval7.Card(text) for text in CARDS]
    rows = [[deck[card] for card in row] for row in hands(FEW, cards).tolist()]
    return Run(lambda: [eval7.evaluate(row) for row in rows], FEW)


def pkrbot_loop(cards: int) -> Run:
    import pkrbot

    deck = [pkrbot.Card(text) for text in CARDS]
    rows = [[deck[card] for card in row] for row in hands(FEW, cards).tolist()]
    return Run(lambda: [pkrbot.evaluate(row) for row in rows], FEW)


def phevaluator_loop(cards: int) -> Run:
    from phevaluator.evaluator import _pheval

    rank = getattr(_pheval, f"evaluate_{cards}cards")
    rows = hands(FEW, cards).tolist()
    return Run(lambda: [rank(*row) for row in rows], FEW, "its C function alone")


def phevaluator_public(cards: int) -> Run:
    import phevaluator

    rows = hands(FEW, cards).tolist()
    return Run(lambda: [phevaluator.evaluate_cards(*row) for row in rows], FEW)


def pokerfast_batch(cards: int) -> Run:
    from pokerfast import equity

    rows = ["".join(CARDS[card] for card in row) for row in hands(FEW, cards).tolist()]
    return Run(lambda: equity.evaluate(rows), FEW, "a list of texts in one call")


many = case(
    "evaluation: evaluate_many, 2^20 hands of seven cards",
    "hand",
    at_least(35, "pkrbot"),
    at_least(120, "eval7"),
)
many.peer("pkrbot")(lambda: pkrbot_loop(7))
many.peer("eval7")(lambda: eval7_loop(7))
many.peer("phevaluator")(lambda: phevaluator_loop(7))
many.peer("pokerfast")(lambda: pokerfast_batch(7))

five = case("evaluation: evaluate_many, 2^20 hands of five cards", "hand")
five.peer("pkrbot")(lambda: pkrbot_loop(5))
five.peer("eval7")(lambda: eval7_loop(5))
five.peer("phevaluator")(lambda: phevaluator_loop(5))

one = case("evaluation: evaluate, one call, seven cards", "call", at_least(1 / 1.1, "pkrbot"))
one.peer("pkrbot")(lambda: pkrbot_loop(7))
one.peer("eval7")(lambda: eval7_loop(7))
one.peer("phevaluator, C function")(lambda: phevaluator_loop(7))
one.peer("phevaluator")(lambda: phevaluator_public(7))

every = case("evaluation: all 133,784,560 hands of seven cards", "run", at_most(1.0), rounds=3)


def evaluate_array(cards: int) -> Run:
    rows = hands(MANY, cards)
    return Run(lambda: pm.evaluate_many(rows), MANY)


many.ours(lambda: evaluate_array(7))
five.ours(lambda: evaluate_array(5))


@one.ours
def evaluate_calls() -> Run:
    rows = hands(FEW, 7).tolist()
    return Run(lambda: [pm.evaluate(row) for row in rows], FEW, "a list of seven ints")


@every.ours
def count_all() -> Run:
    counts = np.empty(7463, np.uint64)
    return Run(lambda: count_ranks(7, counts))
