"""Write the package's table of pre-flop income rates for 2 to 23 players, from all-in showdowns.

    python tools/income_rates.py                             # src/pokermodel/data/income_rates.csv; hours
    python tools/income_rates.py --deals 1000000 --out FILE  # a rougher table, for any number of threads the same

The rates of two players are exact: every holding against every other on all boards, 134,459 up to a renaming of suits.
For more players, each deal is a board and 23 holdings, as many as a deck has. A holding that beats `b` of the 22 others
and ties `t` has a known mean share of the pot against `players - 1` of them chosen at random, and any such choice is as
random as a deal to `players`. One count of `b` and `t` by class therefore serves every number of players, with less
variance than separate deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from math import comb
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rollout import count_deals, count_heads_up, fill_canonical_boards
from pokermodel._support.arrays import Floats, Words
from pokermodel._support.files import write_text
from pokermodel._support.parallel import Progress
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES
from pokermodel.evaluation.preflop import MAX_PLAYERS
from pokermodel.executors import Threads
from pokermodel.randomness import RandomLike, as_seed_sequence, stream_words

__all__ = ["IncomeTable", "heads_up_counts", "heads_up_rates", "simulate_rates", "write_table"]

OUT = Path(__file__).resolve().parent.parent / "src" / "pokermodel" / "data" / "income_rates.csv"
#: Number of deals and seed of the package's table.
DEALS, SEED = 1_000_000_000, 1998

#: Smallest number of deals, for useful standard errors.
MIN_DEALS = 10_000

_BOARDS = 134_459
_BOARDS_A_CHUNK = 2_000
_MIN_CHUNKS, _MAX_CHUNKS, _DEALS_A_CHUNK = 20, 1_000, 2_000
#: Number of holdings of each class.
_COMBINATIONS = np.bincount(CLASS_OF_HOLDING, minlength=N_CLASSES)
#: Of 22 other holdings, how many tie and how many are beaten.
_FATES = np.nonzero(np.add.outer(np.arange(MAX_PLAYERS), np.arange(MAX_PLAYERS)) < MAX_PLAYERS)


def heads_up_counts(jobs: int | None = None, progress: Progress | None = None) -> Words:
    """Wins, ties and losses of every class against one random holding, over all boards.

    Parameters
    ----------
    jobs : int, optional
        Number of threads; by default one per processor.
    progress : callable, optional
        Called with the number of chunks done and the number of all chunks.

    Returns
    -------
    ndarray of uint64, shape (169, 3)
        Showdowns won, tied and lost by the class, over all its holdings, other holdings and boards.

    Raises
    ------
    ValueError
        If `jobs` is less than 1.
    """
    boards = np.empty((_BOARDS, 5), dtype=np.uint8)
    orbits = np.empty(_BOARDS, dtype=np.uint8)
    fill_canonical_boards(boards, orbits)

    starts = range(0, _BOARDS, _BOARDS_A_CHUNK)
    chunks = ((boards[start : start + _BOARDS_A_CHUNK], orbits[start : start + _BOARDS_A_CHUNK]) for start in starts)
    wins_and_ties = np.zeros((2, N_CLASSES), dtype=np.uint64)
    for done, counts in enumerate(Threads(jobs).map(_count_chunk, chunks), start=1):
        wins_and_ties += counts
        if progress is not None:
            progress(done, len(starts))
    showdowns = _COMBINATIONS.astype(np.uint64) * np.uint64(comb(50, 5) * comb(45, 2))
    return np.column_stack([*wins_and_ties, showdowns - wins_and_ties.sum(axis=0)])


def _count_chunk(chunk: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> Words:
    """Wins and ties on some boards, each counted with its orbit."""
    counts = np.zeros((2, N_CLASSES), dtype=np.uint64)
    count_heads_up(*chunk, counts[0], counts[1])
    return counts


def heads_up_rates(counts: Words) -> Floats:
    """Income rates against one opponent, from `heads_up_counts`: milli bets per hand, float64 (169,)."""
    wins, ties, losses = counts.astype(np.float64).T
    rates: Floats = 1000 * (wins - losses) / (wins + ties + losses)
    return rates


def _mean_shares() -> Floats:
    """Mean of ``players*share - 1`` by the ties and wins among 22 others, for 2 to 23 players: (22, 23, 23).

    Of the ``comb(22, m - 1)`` picks of opponents, ``comb(t, k)*comb(b, m - 1 - k)`` share the pot with `k`
    that tie and none that is stronger.
    """
    others = MAX_PLAYERS - 1
    gains = np.empty((others, MAX_PLAYERS, MAX_PLAYERS))
    for opponents in range(1, MAX_PLAYERS):
        picks = comb(others, opponents)
        for tied in range(MAX_PLAYERS):
            for beaten in range(MAX_PLAYERS):
                shared = sum(
                    comb(tied, k) * comb(beaten, opponents - k) / (k + 1) for k in range(min(tied, opponents) + 1)
                )
                gains[opponents - 1, tied, beaten] = (opponents + 1) * shared / picks - 1
    return gains


@dataclass(frozen=True)
class IncomeTable:
    """Income rates by class and number of players.

    Attributes
    ----------
    rates : ndarray of float64, shape (22, 169)
        Milli small bets per hand for 2 to 23 players, by class.
    errors : ndarray of float64, shape (22, 169)
        Their standard errors; 0 where the rate is exact.
    deals : int
        Deals of 23 holdings behind it.
    """

    rates: Floats
    errors: Floats
    deals: int


def _chunk_sizes(deals: int) -> list[int]:
    """Deals of each chunk: enough chunks for standard errors, and no more than these need."""
    chunks = min(max(deals // _DEALS_A_CHUNK, _MIN_CHUNKS), _MAX_CHUNKS)
    return [deals // chunks + (index < deals % chunks) for index in range(chunks)]


def simulate_rates(
    deals: int,
    rng: RandomLike = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> IncomeTable:
    """Income rates of every class for 2 to 23 players who all stay to the end.

    Everyone puts in one bet, and the rate is what a hand gains: ``1000*(players*E[share of the pot] - 1)``.
    The gains of a deal sum to 0, so that the mean over the 1,326 holdings is 0 for every number of players. The mean of
    the sample is subtracted from all classes, as a control variate whose true value is known.

    Parameters
    ----------
    deals : int
        Number of deals of 23 holdings, 10,000 or more.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Source of randomness; one seed gives one result, whatever `jobs` is.
    jobs : int, optional
        Number of threads; by default one per processor.
    progress : callable, optional
        Called with the number of chunks done and the number of all chunks.

    Returns
    -------
    IncomeTable
        The rates, for two players simulated, too; `heads_up_rates` are exact.

    Raises
    ------
    ValueError
        If there are too few deals, `rng` is not a source of randomness, or `jobs` is less than 1.

    Notes
    -----
    The 23 holdings of a deal share its board and are not independent, so that the standard errors come from the
    variance between chunks of deals.
    """
    if deals < MIN_DEALS:
        raise ValueError(f"deals must be {MIN_DEALS} or more, got {deals}")
    sizes = _chunk_sizes(deals)
    words = stream_words(as_seed_sequence(rng), len(sizes))
    deal = partial(_deal_chunk, np.ascontiguousarray(_mean_shares()[:, _FATES[0], _FATES[1]]))
    hands = np.empty((len(sizes), N_CLASSES))
    sums = np.empty((len(sizes), MAX_PLAYERS - 1, N_CLASSES))
    chunks = zip(words, sizes, strict=True)
    for index, (hands[index], sums[index]) in enumerate(Threads(jobs).map(deal, chunks)):
        if progress is not None:
            progress(index + 1, len(sizes))

    total = hands.sum(axis=0)
    means = sums.sum(axis=0) / total
    # contribution of each chunk to the error of each mean; the shift is linear in the means, and so in these
    parts = (sums - means * hands[:, np.newaxis]) / total
    share = _COMBINATIONS / _COMBINATIONS.sum()
    means -= (means @ share)[:, np.newaxis]
    parts -= (parts @ share)[..., np.newaxis]
    errors = np.sqrt((parts**2).sum(axis=0) * len(sizes) / (len(sizes) - 1))
    return IncomeTable(1000 * means, 1000 * errors, deals)


def _deal_chunk(gains: Floats, chunk: tuple[NDArray[np.uint64], int]) -> tuple[Floats, Floats]:
    """How often each class was dealt in so many deals of a stream, and what it gained, by number of opponents."""
    words, deals = chunk
    tally = np.zeros((MAX_PLAYERS, N_CLASSES, MAX_PLAYERS), dtype=np.uint64)
    count_deals(words, deals, tally)
    tied, beaten = _FATES
    by_fate = tally[tied, :, beaten].astype(np.float64)
    # not a matrix product, which would start threads of its own and may sum in another order on other machines
    return by_fate.sum(axis=0), np.einsum("mf,fc->mc", gains, by_fate)


def write_table(table: IncomeTable, file: TextIO, comment: str = "") -> None:
    """Write a table in the format that the package reads: comma-separated, a line per class.

    Columns: ``class``, then the rates in milli small bets per hand for ``2`` to ``23`` players, then their
    standard errors, ``se2`` to ``se23``; all with three decimals. Lines of `comment` come first, after ``#``.
    """
    for line in comment.splitlines():
        file.write(f"# {line}".rstrip() + "\n")
    players = range(2, MAX_PLAYERS + 1)
    file.write(",".join(["class", *map(str, players), *(f"se{n}" for n in players)]) + "\n")
    for index, text in enumerate(CLASSES):
        numbers = np.concatenate([table.rates[:, index], table.errors[:, index]])
        file.write(",".join([text, *(f"{number:z.3f}" for number in numbers)]) + "\n")


def told(label: str) -> Progress:
    """Show on standard error how much of a part is done."""

    def show(done: int, of: int) -> None:
        print(f"\r{label}: {done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)

    return show


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the table, and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="deals of 23 holdings [%(default)s]")
    parser.add_argument("--seed", type=int, default=SEED, help="of the deals [%(default)s]")
    parser.add_argument("--jobs", type=int, help="threads [one per processor]")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write [%(default)s]")
    given = parser.parse_args(arguments)
    if given.deals < MIN_DEALS:  # not after hours of work
        parser.error(f"--deals must be {MIN_DEALS} or more, got {given.deals}")
    if not given.out.parent.is_dir():
        parser.error(f"there is no folder {given.out.parent}")
    counts = heads_up_counts(given.jobs, told("two players, exactly"))
    table = simulate_rates(given.deals, given.seed, given.jobs, told("2 to 23 players, by dealing"))
    table.rates[0], table.errors[0] = heads_up_rates(counts), 0.0
    text = StringIO()
    comment = (
        f"Pre-flop income rates in milli small bets per hand, all players staying to the end "
        f"(Papp 1998, section 5.1).\n"
        f"Two players by enumeration of all boards, more from {given.deals} deals of 23 holdings, seed {given.seed}.\n"
        f"Made by tools/income_rates.py --deals {given.deals} --seed {given.seed}"
    )
    write_table(table, text, comment)
    write_text(given.out, text.getvalue())


if __name__ == "__main__":
    main()
