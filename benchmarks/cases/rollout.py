"""All-in showdowns."""

from __future__ import annotations

import numpy as np

from benchmarks.registry import Run, case
from pokermodel._core.rollout import count_deals
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, holding_index
from tools.income_rates import heads_up_counts, simulate_rates

HANDS = 23

showdowns = case(f"rollout: showdowns of {HANDS} random holdings", "deal")
exact = case("rollout: every class against a random holding, exact", "run", rounds=2)
rates = case("rollout: income rates of 2 to 23 players, all of it", "deal")


def tally() -> np.ndarray:
    return np.zeros((HANDS, 169, HANDS), dtype=np.uint64)


@showdowns.ours
def counted() -> Run:
    deals, counts, words = 50_000, tally(), np.arange(1, 5, dtype=np.uint64)
    return Run(lambda: count_deals(words, deals, counts), deals)


@showdowns.peer("eval7")
def counted_with_eval7() -> Run:
    import eval7

    cards = [eval7.Card(card) for card in CARDS]
    rng = np.random.default_rng(1)
    deals, counts = 50, tally()

    def loop() -> None:
        for _ in range(deals):
            deal = rng.permutation(52)[: 5 + 2 * HANDS].tolist()
            board = [cards[card] for card in deal[:5]]
            holdings = list(zip(deal[5::2], deal[6::2], strict=True))
            ranks = np.array([eval7.evaluate([*board, cards[a], cards[b]]) for a, b in holdings])
            classes = CLASS_OF_HOLDING[[holding_index(holding) for holding in holdings]]
            tied = (ranks[:, None] == ranks).sum(axis=1) - 1
            beaten = (ranks[:, None] > ranks).sum(axis=1)
            np.add.at(counts, (tied, classes, beaten), 1)

    return Run(loop, deals, "and NumPy, the same tally")


@exact.ours
def two_hands() -> Run:
    return Run(lambda: heads_up_counts(jobs=1), 1, "one thread")


@rates.ours
def simulated() -> Run:
    deals = 100_000
    return Run(lambda: simulate_rates(deals, 1, jobs=1), deals, "one thread")
