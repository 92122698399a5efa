"""Hands between players who act at random: millions per second, for tests and benchmarks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokermodel._core import random_play
from pokermodel._support.arrays import Counts, Floats
from pokermodel._support.checks import check_jobs, check_least
from pokermodel._support.parallel import map_threads
from pokermodel.game import GameSpec, State
from pokermodel.randomness import RandomLike, as_seed_sequence, stream_words

__all__ = ["RandomHands", "random_hands"]

_CHUNK = 1 << 16


class RandomHands(NamedTuple):
    """Results of many hands."""

    #: Chips that each seat won or lost: float64 (hands, players).
    payoffs: Floats
    #: How often fold, call and raise were chosen in each round: int64 (4, 3).
    acts: Counts
    #: Hands with more than one player left at the end.
    showdowns: int


def random_hands(hands: int, spec: GameSpec | None = None, rng: RandomLike = None, jobs: int | None = 1) -> RandomHands:
    """Play hands between players who choose uniformly among their legal acts.

    Parameters
    ----------
    hands : int
        Number of hands, 0 or more.
    spec : GameSpec, optional
        The game; by default heads-up with blinds of 1 and 2 chips.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Source of randomness; one seed gives one result for any `jobs`.
    jobs : int or None
        Number of threads; one per processor if None.

    Raises
    ------
    ValueError
        If a number is out of range, the game is not limit, or `rng` is not a source of randomness.

    Examples
    --------
    >>> played = random_hands(1000, rng=1)
    >>> played.payoffs.shape, float(played.payoffs.sum())
    ((1000, 2), 0.0)
    """
    check_least("hands", hands, 0)
    if spec is None:
        spec = GameSpec.heads_up(1, 2)
    spec.require_limit("random play", "no sizes of bets are drawn")
    state = State(spec)
    payoffs = np.empty((hands, state.players))
    chunks = [payoffs[first : first + _CHUNK] for first in range(0, hands, _CHUNK)]
    words = stream_words(as_seed_sequence(rng), len(chunks))

    def chunk(index: int) -> tuple[Counts, int]:
        acts = np.zeros((4, 3), dtype=np.int64)
        return acts, random_play.random_hands(state, words[index], chunks[index], acts)

    acts, showdowns = np.zeros((4, 3), dtype=np.int64), 0
    for more_acts, more_showdowns in map_threads(chunk, range(len(chunks)), check_jobs(jobs)):
        acts += more_acts
        showdowns += more_showdowns
    return RandomHands(payoffs, acts, showdowns)
