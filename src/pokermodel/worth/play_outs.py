"""What acts are worth when the hand is played out by the reader's strategy, sizes of bets included.

Loki-2's simulation (Pena 1999, chapter 5) carried to any betting structure: the opponents' holdings are dealt by their
tables, the rest of the board is dealt, and from the act that is valued on everybody does what the reader expects of
them with the holding that they were dealt: the hero, too. What an act is worth is what the hero gets of the pots, less
what they put in from the decision on.

Readers that can be asked so (`Reader.actors`) are played out by a kernel, deal by deal (``play_outs.h``), which knows
what everybody holds and asks for one holding at each act. Others go through a tree, in which a node is asked for all
holdings at once (`pokermodel.worth.play_out_trees`). Every act of the hero is played out with the same holdings,
the same cards and the same random numbers, so that differences are known better than values.

The hero's share of the pot at a showdown, over the same deals, goes along with what they win and has a mean that is
known exactly, or from many more deals. It is a control variate: what the deals favoured the hero by is taken out.
What is left is mostly what people draw to do, 85 % of the variance on decisions of real hands, and not what they hold.
So folds that end the hand are not drawn (``play_outs.h``), which leaves a fifth to a half of the variance at the same
cost.

What this leaves out: players do not adapt to what the hero does now, and the hero's later acts are those of the
reader's idea of them, which is not the best that they could do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Bytes, Floats, Integers, Words
from pokermodel._support.checks import check_least
from pokermodel._support.parallel import map_threads
from pokermodel.cards import N_HOLDINGS, holding_index
from pokermodel.evaluation.dealing import Deal, Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import Spot
from pokermodel.worth.answers import LEAST_PRICE
from pokermodel.worth.play_out_trees import FOLD_ODDS, LONGEST, NO_RAKE, OF_POT, Rake, TreePlayOuts

__all__ = [
    "FOLD_ODDS",
    "LONGEST",
    "NO_RAKE",
    "OF_POT",
    "Outcome",
    "PlayOuts",
    "Rake",
    "Tilts",
    "controlled",
    "mean_share",
]

_TRIALS = 20_000  # deals of the mean of the control variate, where there are several opponents
_ANSWERS = 256  # deals that are played out with other answers, too: two more times, for the error of an error
_LEAST_DEALS = 64
_FIRST = 512  # deals after which the error is looked at; few deals say little of it, since a large pot is rare


#: How the opponents' tables are made stronger and weaker, for the error of ranges: logarithms of factors of weights,
#: float64 (1326,) by seat.
Tilts: TypeAlias = "dict[int, Floats]"


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What actions are worth by one method, in chips from the decision on."""

    ev: Floats  #: 0 for a fold.
    errors: Floats  #: Errors of differences; on the diagonal those of the values. Of play-outs, standard errors.
    #: `weaker`, `stronger`: `ev` against ranges that are a tilt weaker and stronger.
    weaker: Floats
    stronger: Floats
    #: How much more an action is worth if the others fold a standard deviation more than the reader says.
    answers: Floats
    menu: Floats  #: How much one more size would change.
    deals: int = 0  #: Played out; 0 of a solution.


class PlayOuts:
    """Play-outs of a decision.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`), with a reader.
    tilts : dict of int to ndarray of float64, shape (1326,)
        By seat of an opponent; those that are not there are not tilted.
    compiled : bool
        Whether a reader is played out by the kernel, if it can be.

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, or no holding is left in a table.
    """

    def __init__(self, spot: Spot, tilts: Tilts | None = None, *, rake: Rake = NO_RAKE, compiled: bool = True) -> None:
        self.own, villains = spot.own_cards, spot.villains()
        self.opponents, self.tables = list(villains), list(villains.values())
        if spot.reader is None:
            raise ValueError("nobody says how players act: expected a spot with a reader")
        self.spot, self.rake, self.hero = spot, rake, spot.situation.seat
        zero = np.zeros(N_HOLDINGS)
        self.tilts = [(tilts or {}).get(seat, zero) for seat in self.opponents]
        self._actors = spot.reader.actors(spot) if compiled else None
        self._means: list[float] = []

    def run(
        self,
        acts: Sequence[tuple[Act, int | None]],
        rng: RandomLike = None,
        *,
        most: int = 1024,
        enough: Callable[[Floats, Floats], bool] | None = None,
        jobs: int = 1,
    ) -> Outcome:
        """Play acts out.

        Parameters
        ----------
        acts : sequence of (Act, int or None)
            Legal ones, and what bets and raises go to.
        most : int
            Deals, 64 at least.
        enough : callable, optional
            Given the values so far and the standard errors of their differences, whether they do; asked after 512
            deals, and whenever there are twice as many.
        jobs : int
            Threads that play deals out by the kernel. The result is the same for any number.

        Raises
        ------
        ValueError
            If there are too few deals, or an act is not legal.
        """
        check_least("most", most, _LEAST_DEALS)
        generator = np.random.default_rng(as_seed_sequence(rng))
        batches = self._batches(acts, generator, most, jobs) if self._actors is not None else None
        if batches is None:
            batches = TreePlayOuts(self).batches(acts, generator, most)
        self._answers = np.zeros(1 + len(acts))  # weights, and these times what acts are worth more
        found = np.empty((0, 3, 2 + len(acts)))  # of each cluster of deals: by tilt, weight, control, and acts
        deals = 0
        for n, sums in batches:
            deals += n
            found = np.concatenate([found, sums])
            if deals >= most:
                break
            if enough is not None and enough(*self._estimate(found, 1)):
                break
        ev, errors = self._estimate(found, 1)
        weaker, stronger = (self._estimate(found, tilt)[0] for tilt in (0, 2))
        weight = self._answers[0]
        answers = self._answers[1:] / weight if weight > 0.0 else np.zeros(len(acts))
        return Outcome(ev, errors, weaker, stronger, answers, np.zeros(len(acts)), deals)

    def answered(self, weights: Floats, more: Floats) -> None:
        """Note what acts are worth more in some deals if the others fold more: weights (n,), and values (n, acts)."""
        self._answers[0] += weights.sum()
        self._answers[1:] += (weights[:, None] * more).sum(axis=0)

    def weighed(self, dealt: Deal, held: Integers, values: Floats, scale: float = 1.0) -> Floats:
        """Weights of deals and these times values, against tables of each tilt: float64 (n, 3, 1 + values).

        `held`, shape (n, opponents), are their holdings; all weights are multiplied by the scale.
        """
        up = np.zeros(len(values))
        for k, tilt in enumerate(self.tilts):
            up += tilt[held[:, k]]
        table = np.concatenate([np.ones((len(values), 1)), values], axis=1)
        factors = np.stack([dealt.weights * (scale * np.exp(z * up)) for z in (-1.0, 0.0, 1.0)], axis=1)
        found: Floats = factors[:, :, None] * table[:, None, :]
        return found

    def _batches(
        self, acts: Sequence[tuple[Act, int | None]], generator: np.random.Generator, most: int, jobs: int
    ) -> Iterator[tuple[int, Floats]]:
        """Deals and what they give, by the kernel: each deal is a cluster of its own."""
        situation, state, actors = self.spot.situation, self.spot.state, self._actors
        assert actors is not None
        history = BettingHistory(len(situation.players))
        for decision in self.spot.acts:
            history.add(decision)
        dealer = Dealer(self.tables, situation.board, self.own, rng=generator)
        key = int(generator.integers(1 << 63))
        played = [(int(act), to) for act, to in acts]
        number = 0

        def play(some: tuple[Bytes, NDArray[np.int16], Words, float]) -> Floats:
            boards, holdings, numbers, odds = some
            return actors.play(
                *(state, history, played, boards, holdings, numbers, key),
                *(LONGEST, LEAST_PRICE, OF_POT, *self.rake, odds),
            )

        while True:
            n = min(number or _FIRST, most - number)
            if n < 1:
                return
            dealt = dealer.deal(n)
            empty = dealt.weights == 0.0  # no deal was found
            high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
            held = np.where(empty[:, None], 0, high * (high - 1) // 2 + low)
            holdings = np.zeros((n, len(situation.players)), dtype=np.int16)
            holdings[:, self.opponents] = held
            holdings[:, self.hero] = holding_index(self.own)
            parts = np.array_split(np.flatnonzero(~empty), jobs)
            values = np.zeros((n, 1 + len(acts)))
            changed: list[Floats] = []
            for odds in (1.0, *FOLD_ODDS) if number < _ANSWERS else (1.0,):
                some = parts if odds == 1.0 else [part[part < _ANSWERS - number] for part in parts]
                tasks = [(dealt.boards[part], holdings[part], (number + part).astype(np.uint64), odds) for part in some]
                worth = np.concatenate(list(map_threads(play, tasks, jobs)))
                if odds == 1.0:
                    values[~empty] = worth
                else:
                    changed.append(worth[:, 1:])
            if changed:
                self.answered(dealt.weights[~empty][: len(changed[0])], (changed[0] - changed[1]) / 2)
            yield n, self.weighed(dealt, held, values)
            number += n

    def _estimate(self, sums: Floats, tilt: int) -> tuple[Floats, Floats]:
        """Means over clusters, corrected by the control variate, and standard errors of differences."""
        return controlled(sums[:, tilt], self._mean(tilt))

    def _mean(self, tilt: int) -> float:
        """The hero's share of the pot against tilted tables, if nobody folds."""
        while len(self._means) <= 2:
            z = len(self._means) - 1
            tables = [table * np.exp(z * up) for table, up in zip(self.tables, self.tilts, strict=True)]
            self._means.append(mean_share(self.own, tables, self.spot.situation.board, _TRIALS))
        return self._means[tilt]


def mean_share(own: tuple[int, ...], tables: Sequence[Floats], board: tuple[int, ...], trials: int) -> float:
    """The share of the pot that two cards win against tables if nobody folds: the mean of the control variate."""
    mine = np.zeros(N_HOLDINGS)
    mine[holding_index(own)] = 1.0
    return float(equity([mine, *tables], board, trials=trials, rng=0, jobs=1).equity[0])


def controlled(sums: Floats, mean: float) -> tuple[Floats, Floats]:
    """Means over clusters of deals, corrected by the control variate, and standard errors of differences.

    Parameters
    ----------
    sums : ndarray of float64, shape (clusters, 2 + acts)
        Of each cluster the weight, and times the weight the control variate and what acts are worth.
    mean : float
        Of the control variate.

    Returns
    -------
    errors : ndarray of float64, shape (acts, acts)
        On the diagonal those of the values.

    Raises
    ------
    ValueError
        If no cluster has a weight.
    """
    sums = sums[sums[:, 0] > 0.0]
    if not len(sums):
        raise ValueError("the tables hardly admit a deal")
    weights = sums[:, 0]
    shares = weights / weights.sum()
    each = sums[:, 1:] / weights[:, None]
    means = (shares[:, None] * each).sum(axis=0)
    away = each - means
    spread = float((shares * away[:, 0] ** 2).sum())
    slopes = (shares[:, None] * away[:, :1] * away[:, 1:]).sum(axis=0) / spread if spread > 1e-12 else 0.0
    ev = means[1:] - slopes * (means[0] - mean)
    residuals = away[:, 1:] - slopes * away[:, :1]
    n = len(shares)
    pairs = residuals[:, :, None] - residuals[:, None, :]
    index = np.arange(len(ev))
    pairs[:, index, index] = residuals
    errors = np.sqrt((shares[:, None, None] ** 2 * pairs**2).sum(axis=0) * n / max(n - 2, 1))
    return ev, errors
