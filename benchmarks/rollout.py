"""How fast all-in showdowns are counted, beside a straightforward version with eval7 and NumPy.

    python -m benchmarks.rollout [--deals N] [--jobs J]

Both run on one thread. The straightforward version deals the same 23 holdings and a board.
"""

from __future__ import annotations

import argparse
import time

import eval7
import numpy as np

from pokermodel._core.rollout import count_deals
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, holding_index
from pokermodel.rollout import heads_up_counts, simulate_rates

HANDS = 23


def plain_tally(deals, seed):
    """The same tally as `count_deals`."""
    cards = [eval7.Card(card) for card in CARDS]
    rng = np.random.default_rng(seed)
    tally = np.zeros((HANDS, 169, HANDS), dtype=np.uint64)
    for _ in range(deals):
        deal = rng.permutation(52)[: 5 + 2 * HANDS].tolist()
        board = [cards[card] for card in deal[:5]]
        holdings = list(zip(deal[5::2], deal[6::2], strict=True))
        ranks = np.array([eval7.evaluate([*board, cards[a], cards[b]]) for a, b in holdings])
        classes = CLASS_OF_HOLDING[[holding_index(holding) for holding in holdings]]
        tied = (ranks[:, None] == ranks).sum(axis=1) - 1
        beaten = (ranks[:, None] > ranks).sum(axis=1)
        np.add.at(tally, (tied, classes, beaten), 1)
    return tally


def timed(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()

    plain_deals = max(options.deals // 1000, 100)
    plain = plain_deals / timed(plain_tally, plain_deals, 1)
    tally = np.zeros((HANDS, 169, HANDS), dtype=np.uint64)
    words = np.arange(1, 5, dtype=np.uint64)
    count_deals(words, 1000, tally)
    ours = options.deals / min(timed(count_deals, words, options.deals, tally) for _ in range(3))
    print(f"deals of {HANDS} hands, one thread   {ours:12,.0f} /s   {ours * HANDS:14,.0f} hands/s")
    print(f"  eval7 and NumPy               {plain:12,.0f} /s   ratio {ours / plain:,.0f}")

    whole = options.deals / timed(simulate_rates, options.deals, 1, options.jobs)
    print(f"simulate_rates, all of it       {whole:12,.0f} deals/s")
    for jobs in (1, options.jobs):
        seconds = timed(heads_up_counts, jobs)
        print(f"two hands exactly, jobs={jobs or 'all'!s:4}    {seconds:12.2f} s")


if __name__ == "__main__":
    main()
