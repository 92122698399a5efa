"""Equity: the mean share of the pot that each player wins if all stay to the end."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np

from pokermodel._core.dealing import Deals
from pokermodel._core.equity import count_deals, count_runouts, summarize
from pokermodel._core.matchups import N_MATCHUPS, Matchups, list_matchups
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_jobs, check_whole
from pokermodel._support.parallel import map_threads
from pokermodel.cards import HOLDING_CARDS, CardsLike, card_indices, cards_text, live_holdings
from pokermodel.evaluation.board import BoardAnalysis
from pokermodel.evaluation.dealing import RangeLike, stack_ranges
from pokermodel.game import BOARD_CARDS
from pokermodel.randomness import RandomLike, as_seed_sequence, stream_words

__all__ = ["Equity", "equity"]


_TRIALS_A_CHUNK = 1 << 16
# Matchups (of the ranks of two holdings) before the flop per chunk: some milliseconds, so that Ctrl-C is responsive.
_MATCHUPS_A_CHUNK = 16

# Number of matchups from which on all pairs of holdings on a board are quicker, by cards to come.
_MANY_MATCHUPS = {2: 640, 1: 256}

#: Matchups before the flop; created when first needed.
_preflop = cache(Matchups)


@dataclass(frozen=True, eq=False, slots=True)
class Equity:
    """Results of showdowns; arrays by player, in the order of the ranges.

    Attributes
    ----------
    equity : ndarray of float64, shape (players,)
        Mean share of the pot; the sum is 1.
    win, tie, lose : ndarray of float64, shape (players,)
        Probabilities of winning alone, of sharing the pot, and of winning nothing.
    standard_error : ndarray of float64, shape (players,)
        Standard errors of `equity`; 0 where it is exact.
    trials : int
        Number of simulated deals; 0 where the result is exact.
    """

    equity: Floats
    win: Floats
    tie: Floats
    lose: Floats
    standard_error: Floats
    trials: int


def _summary(won: Floats, squares: Floats | None, trials: int) -> Equity:
    """Equity from the weights of showdowns by player and number of winners, 0 for lost: (players, players + 1).

    `squares` are sums of squared weights, for the standard error of the ratio of weighted sums; None is exact.
    """
    mean, error, win, tie, lose = summarize(won, squares, trials)
    return Equity(mean, win, tie, lose, error, trials)


def _two_players(win: float, tie: float, lose: float) -> Equity:
    """Exact equity from the probabilities of the first of two players."""
    wins, ties, losses = np.array([[win, lose], [tie, tie], [lose, win]])
    return Equity(wins + ties / 2, wins, ties, losses, np.zeros(2), 0)


def _scaled(weights: Floats, gone: tuple[int, ...]) -> Floats:
    """Weights scaled to 2^480, so that sums of their products neither overflow nor vanish."""
    largest = int(weights.argmax())
    if gone and not set(gone).isdisjoint(HOLDING_CARDS[largest].tolist()):  # impossible: other weights could vanish
        weights = np.where(live_holdings(gone), weights, 0.0)
        largest = int(weights.argmax())
    scaled: Floats = np.ldexp(weights, 480 - math.frexp(weights[largest])[1])
    return scaled


def _enumerate_two(weights: Floats, board: tuple[int, ...], dead: tuple[int, ...], jobs: int) -> Equity:
    own, other = (_scaled(row, board + dead) for row in weights)
    listed = np.empty(N_MATCHUPS, np.uint16)
    listed = listed[: list_matchups(own, other, listed)]
    to_come = 5 - len(board)
    if to_come == 0 or (board and len(listed) >= _MANY_MATCHUPS[to_come]):
        return _two_players(*BoardAnalysis(board, dead).showdowns(*weights))
    matchups = Matchups(board, dead) if board or dead else _preflop()
    size = N_MATCHUPS if board else _MATCHUPS_A_CHUNK

    def chunk(start: int) -> Floats:
        sums = np.empty(3)
        matchups.tally(own, other, listed[start : start + size], sums)
        return sums

    starts = range(0, len(listed), size)
    sums = sum(map_threads(chunk, starts, min(jobs, len(starts))), np.zeros(3))
    total = sums.sum()
    if total <= 0:
        raise ValueError("the weights of all pairs of holdings that share no card are too small")
    win, tie, lose = (sums / total).tolist()
    return _two_players(win, tie, lose)


def _enumerate(
    deals: Deals, weights: Floats, board: tuple[int, ...], dead: tuple[int, ...], jobs: int
) -> Equity | None:
    """Exact equity, or None where there is too much to enumerate."""
    players = len(deals.known)
    if players == 2:
        return _enumerate_two(weights, board, dead, jobs)
    if not all(deals.known):
        return None
    won = np.empty((2, players, players + 1))
    count_runouts(deals, won)
    return _summary(won[0], None, 0)


def _simulate(deals: Deals, trials: int, rng: RandomLike, jobs: int) -> Equity:
    players = len(deals.known)
    sizes = [min(_TRIALS_A_CHUNK, trials - done) for done in range(0, trials, _TRIALS_A_CHUNK)]
    words = stream_words(as_seed_sequence(rng), len(sizes))

    def chunk(index: int) -> Floats:
        won = np.empty((2, players, players + 1))
        count_deals(deals, words[index], sizes[index], won)
        return won

    won, squares = reduce(np.add, map_threads(chunk, range(len(sizes)), min(jobs, len(sizes))))
    return _summary(won, squares, trials)


def equity(
    ranges: Iterable[RangeLike],
    board: CardsLike = (),
    dead: CardsLike = (),
    *,
    trials: int = 1_000_000,
    exact: bool | None = None,
    rng: RandomLike = None,
    jobs: int | None = None,
) -> Equity:
    """Share of the pot of two or more players who all stay to the end.

    The probability of a set of holdings is proportional to the product of their weights, over holdings that share no
    card; it does not depend on an order of dealing.

    Parameters
    ----------
    ranges : iterable of str, WeightTable, array_like of float (1326,) or None
        Range of each player: a holding or range as text (``"AsKs"``, ``"QQ+, AKs:0.5"``), weights, or None
        for any holding.
    board : cards
        No, three, four or five cards.
    dead : cards
        Other cards that are out of play.
    trials : int
        Number of independent deals to simulate, 2 or more.
    exact : bool, optional
        True enumerates or raises an error, False always simulates. By default two players are enumerated on any street,
        and more players if their holdings are known.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Source of randomness; one seed gives one result, with any `jobs`.
    jobs : int, optional
        Threads; one for each processor without.

    Raises
    ------
    ValueError
        If there are fewer than 2 ranges or more than 23, a range or card is not valid, no holdings without a common
        card can be dealt, `trials` or `jobs` is too small, or `exact` is true where enumeration is not supported.

    Notes
    -----
    Boards with the same ranks are counted at once. Matchups of two players before the flop, without dead cards, are
    cached for the life of the process (570 kB): all holdings against all holdings take seconds the first time, and
    milliseconds from then on.

    Where ranges are so narrow that fewer than about one in 2,000 deals has no card twice, deals have importance weights
    (see `pokermodel.evaluation.dealing`). Then a few deals may have most of the weight, and the standard errors are
    less precise.

    Examples
    --------
    >>> found = equity(["AsAh", "KdKc"], "2c7d9h")
    >>> found.equity.round(4).tolist(), found.trials
    ([0.9162, 0.0838], 0)
    >>> equity(["AA", None]).equity.round(4).tolist()  # before the flop
    [0.852, 0.148]
    >>> three = equity(["AA", None, None], rng=1)
    >>> bool(abs(three.equity[0] - 0.734) < 0.003), three.trials
    (True, 1000000)
    """
    if isinstance(ranges, str):
        raise ValueError(f"expected a list of two or more ranges, got the text {ranges!r}")
    weights = stack_ranges(ranges)
    if len(weights) < 2:
        raise ValueError(f"equity takes two or more ranges, got {len(weights)}")
    trials = check_whole("trials", trials)
    if trials < 2:
        raise ValueError(f"trials must be 2 or more for a standard error, got {trials}")
    threads = check_jobs(jobs)
    cards, gone = card_indices(board), card_indices(dead)
    if gone:
        card_indices(cards + gone)  # no card twice
    if len(cards) not in BOARD_CARDS:
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, got {len(cards)}: {cards_text(cards)!r}")
    try:
        deals = Deals(weights, cards, gone, True)
    except ValueError:
        if len(weights) > 2 or exact is False:
            raise
        deals = Deals(weights, cards, gone, False)  # two players can be enumerated even if hardly any deal is possible
    if exact is not False:
        found = _enumerate(deals, weights, cards, gone, threads)
        if found is not None:
            return found
        if exact:
            raise ValueError(
                "exact equity needs two players, or more with one holding each; leave exact out to simulate"
            )
    return _simulate(deals, trials, rng, threads)
