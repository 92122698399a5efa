"""The evidence of showdowns on a player's thresholds.

Loki's specific models know how often a player acts, and take it that they do so with the best holdings. A player who
raises as often as another, but with weaker holdings, differs from this, and shows it at the showdown. That Loki's
models learn from there is after Billings et al. (1999); how they do it here is ours. How sharply a player keeps to a
threshold shows there, too: `ShowdownSpreads`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.records import Record
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.game import Act
from pokermodel.learning.thresholds import Threshold

__all__ = ["SHOWDOWN_COUNTS", "SPREADS", "ShowdownShifts", "ShowdownSpreads", "shift_thresholds"]

#: Acts of which a shift of nothing is worth as many as were shown.
SHOWDOWN_COUNTS = 20.0

#: Multiples of the printed sigma that are held possible: from a quarter of it to four times as much.
SPREADS: tuple[float, ...] = tuple(2.0 ** (half / 2) for half in range(-4, 5))
_DOUBLINGS = np.log2(SPREADS)
#: How many doublings of sigma players differ by, as a standard deviation, before anything is known of them.
_PRIOR_DOUBLINGS = 0.5
_PRIOR = -0.5 * (_DOUBLINGS / _PRIOR_DOUBLINGS) ** 2


def shift_thresholds(frequencies: ArrayLike, shifts: ArrayLike) -> Floats:
    """Frequencies whose thresholds lie elsewhere.

    A player who folds, calls and raises with frequencies f has the thresholds ``f[fold]`` to call and ``1 - f[raise]``
    to raise (Papp 1998, section 7.2.1; Peña 1999, section 4.2.2). The returned frequencies have these thresholds plus
    the shifts, so they can replace others everywhere.

    Parameters
    ----------
    frequencies : array_like of float, shape (..., 3)
        Of fold, call and raise.
    shifts : array_like of float, shape (..., 3)
        Of the threshold to call in the place of the call, and of the one to raise in the place of the raise.

    Returns
    -------
    ndarray of float64, shape (..., 3)
        Thresholds stay between 0 and 1, and the one to call does not pass the one to raise.

    Examples
    --------
    >>> shift_thresholds([0.5, 0.3, 0.2], [0.0, -0.1, 0.05]).round(2).tolist()
    [0.4, 0.45, 0.15]
    """
    shares, moved = np.asarray(frequencies, dtype=np.float64), np.asarray(shifts, dtype=np.float64)
    raises = np.clip(1.0 - shares[..., Act.RAISE] + moved[..., Act.RAISE], 0.0, 1.0)
    calls = np.minimum(np.maximum(shares[..., Act.FOLD] + moved[..., Act.CALL], 0.0), raises)
    return np.stack([calls, raises - calls, 1.0 - raises], axis=-1)


@dataclass(frozen=True, eq=False, slots=True)
class _Seen(Record):
    """An act of the hand, as it was judged."""

    street: int
    bets: int
    threshold: Act
    values: Floats
    counted: Bools


class ShowdownShifts:
    """How far the thresholds of players lie from those that their frequencies give, learnt from showdowns (ours).

    Each act of a player whose holding was shown is looked at again. It says that its threshold lies elsewhere as far as
    the holding was better, or worse, than was to be expected::

        d = E(holding) - mean of E over the table

    with E the value that the threshold is compared with, at that act, and the table that of the player at the end of
    the hand: it knows what came after the act, which selects the holdings that are shown. The shift of a threshold
    after n such acts is the mean of the d, shrunk::

        shift = n/(n + 20) * mean(d + shift at the act)

    The shift at the act is added since d was measured from there. So the shift comes to rest where holdings that are
    shown are, on average, what the model expects, although their mean moves less than the threshold does: a player who
    bets from .6 on instead of .8 shows .8 on average, not .9.

    There is a shift for calls and for raises, by bets to call (0, 1, 2 or more), before the flop and after it. With
    nothing to call there is one threshold only, and a check tells of it as a bet does: who bets from lower values on
    checks with lower ones, but who bets weak holdings and checks strong ones has no other threshold. Calls say nothing
    for which the holding had the pot odds. Before the flop E is the share of holdings that have a lower income rate.

    Examples
    --------
    >>> shifts = ShowdownShifts()
    >>> values = np.linspace(0.0, 1.0, 1326)
    >>> shifts.note("Eve", round=1, bets=0, act=Act.RAISE, values=values)
    >>> shifts.learn("Eve", holding=530, weights=values > 0.5)  # .40, where .75 was expected
    >>> float(shifts.of("Eve", round=2)[0, Act.RAISE].round(4)) == round(-0.35 / 21, 4)
    True
    """

    def __init__(self) -> None:
        self._counts: dict[str, Floats] = {}  # by player: (2, 3, 3), before and after the flop, bets and act
        self._sums: dict[str, Floats] = {}
        self._seen: dict[str, list[_Seen]] = {}  # in this hand

    def begin(self) -> None:
        """Begin a hand: forget the acts of the one before."""
        self._seen.clear()

    def of(self, player: str, round: int) -> Floats:
        """The shifts of a player in a round: float64 (3, 3), by bets to call (0, 1, 2 or more) and act."""
        if player not in self._sums:
            return np.zeros((3, 3))
        street = int(round > 0)
        shifts: Floats = self._sums[player][street] / (self._counts[player][street] + SHOWDOWN_COUNTS)
        return shifts

    def note(self, player: str, round: int, bets: int, act: Act, values: Floats, exempt: Bools | None = None) -> None:
        """Take note of an act.

        Parameters
        ----------
        player : str
            Who did it.
        round, bets : int
            The round, and the bets to call, 2 standing for two or more.
        act : Act
            The action.
        values : ndarray of float64, shape (1326,)
            E of each holding; nan where it is not possible.
        exempt : ndarray of bool, shape (1326,), optional
            Holdings that the threshold does not apply to.
        """
        if act == Act.FOLD:
            return
        threshold = act if bets else Act.RAISE
        counted = ~np.isnan(values)
        if exempt is not None:
            counted &= ~exempt
        self._seen.setdefault(player, []).append(_Seen(int(round > 0), bets, threshold, values, counted))

    def learn(self, player: str, holding: int, weights: ArrayLike) -> None:
        """Learn from a holding that was shown.

        Parameters
        ----------
        player : str
            Who held it.
        holding : int
            Its index.
        weights : array_like of float, shape (1326,)
            The player's table at the end of the hand.
        """
        table = np.asarray(weights, dtype=np.float64)
        counts = self._counts.setdefault(player, np.zeros((2, 3, 3)))
        sums = self._sums.setdefault(player, np.zeros((2, 3, 3)))
        shifts = sums / (counts + SHOWDOWN_COUNTS)  # at all acts of the hand
        for seen in self._seen.pop(player, ()):
            at, values, counted = (seen.street, seen.bets, seen.threshold), seen.values, seen.counted
            mass = table[counted].sum()
            if counted[holding] and mass > 0:
                expected = table[counted] @ values[counted] / mass
                counts[at] += 1
                sums[at] += values[holding] - expected + shifts[at]


@dataclass(frozen=True, eq=False, slots=True)
class _Weighed(Record):
    """An act of the hand that the table goes by: its ramp, and the holdings that it counts for."""

    street: int
    threshold: Threshold
    values: Floats
    counted: Bools


class ShowdownSpreads:
    """How sharply players keep to their thresholds, learnt from showdowns: a multiple of the printed sigma.

    Papp (1998, sections 7.2.2 and 9) proposes that sigma follow from how consistent a player is observed to be; how is
    ours. Each multiple k of the printed sigma is a hypothesis of the player, before the flop and after it. A holding
    that was shown is likelier under some of them. Of the player's table at the end of the hand, whose weights t(h)
    hold a factor of the ramp that an act was read by, that factor is replaced::

        p(shown | k) = t(shown) * r[k](shown)/r(shown)  /  sum over h of t(h) * r[k](h)/r(h)

    with r[k] the ramp around the same threshold with k times the printed sigma, and r the one that the act was read by.
    The end of the hand knows what came after the act, which selects the holdings that are shown. The prior is a bell
    curve in the logarithm of k around 1, with a standard deviation of half a doubling. The multiple that is used is the
    mean of that logarithm, so that it is 1 of players who have shown nothing.

    Acts that a table does not go by say nothing: those after which a higher threshold came in the round. Nor do those
    for which the holding had the pot odds.

    Examples
    --------
    >>> spreads = ShowdownSpreads()
    >>> values = np.linspace(0.0, 1.0, 1326)
    >>> threshold = Threshold(0.8, 0.8, 0.08)
    >>> ramp = reweighting_factors(values, 0.8, 0.08)
    >>> spreads.note("Eve", 1, threshold, values)
    >>> spreads.learn("Eve", holding=900, weights=ramp)  # .68, which that ramp all but rules out
    >>> round(spreads.multiple("Eve", 1), 2), spreads.multiple("Bob", 1)
    (1.36, 1.0)
    """

    def __init__(self) -> None:
        self._logs: dict[str, Floats] = {}  # by player: before and after the flop, and multiple
        self._seen: dict[str, dict[int, _Weighed]] = {}  # in this hand, by player and round

    def begin(self) -> None:
        """Begin a hand: forget the acts of the one before."""
        self._seen.clear()

    def multiple(self, player: str, round: int) -> float:
        """By how much a player's sigma in a round is that of the print."""
        logs = self._logs.get(player)
        if logs is None:
            return 1.0
        posterior = np.exp(logs[int(round > 0)] - logs[int(round > 0)].max())
        return float(2.0 ** (posterior @ _DOUBLINGS / posterior.sum()))

    def note(self, player: str, round: int, threshold: Threshold, values: Floats, exempt: Bools | None = None) -> None:
        """Take note of an act that the table of its round goes by from now on.

        Parameters
        ----------
        player : str
            Who did it.
        round : int
            The round.
        threshold : Threshold
            The threshold of the action, with a sigma that is a `multiple` of the printed one.
        values : ndarray of float64, shape (1326,)
            What is compared with it: income rates before the flop, effective strength after it; nan where a holding is
            not possible.
        exempt : ndarray of bool, shape (1326,), optional
            Holdings that the threshold does not apply to.
        """
        counted = ~np.isnan(values)
        if exempt is not None:
            counted &= ~exempt
        self._seen.setdefault(player, {})[round] = _Weighed(int(round > 0), threshold, values, counted)

    def learn(self, player: str, holding: int, weights: ArrayLike) -> None:
        """Learn from a holding that was shown.

        Parameters
        ----------
        player : str
            Who held it.
        holding : int
            Its index.
        weights : array_like of float, shape (1326,)
            The player's table at the end of the hand.
        """
        table = np.asarray(weights, dtype=np.float64)
        used = [self.multiple(player, round) for round in (0, 1)]  # at all acts of the hand
        for seen in self._seen.pop(player, {}).values():
            if not (seen.counted[holding] and table[holding] > 0):
                continue
            _, mu, sigma = seen.threshold
            values, street = seen.values[seen.counted], seen.street
            shown = np.count_nonzero(seen.counted[:holding])  # its place among those that count
            bare = table[seen.counted] / reweighting_factors(values, mu, sigma, compensate=street > 0)
            logs = self._logs.setdefault(player, np.tile(_PRIOR, (2, 1)))
            for k, spread in enumerate(SPREADS):
                supposed = reweighting_factors(values, mu, sigma / used[street] * spread, compensate=street > 0)
                logs[street, k] += np.log(supposed[shown]) - np.log(bare @ supposed)
