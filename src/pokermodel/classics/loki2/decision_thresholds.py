"""The values of a holding at which one act gives way to another, by bets to call (Peña 1999, section 4.1).

The numbers are not published. Ours lie .10 to both sides of where an act changes, the width that Papp (1998, section
6.7) proposes: of where Loki-1 calls, and of .10 below where it bets and raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats
from pokermodel.evaluation.preflop import percentile_value
from pokermodel.game import Act
from pokermodel.learning.thresholds import LEAST_PERCENTILE, PREFLOP_SIGMA
from pokermodel.reading.frequencies import (
    DEFAULT_FREQUENCIES,
    ActionCounts,
    Context,
    frequency_shares,
    specific_frequencies,
)

__all__ = [
    "HALF_WIDTH",
    "OWN_CALLS",
    "OWN_RAISES",
    "BettingThresholds",
    "DecisionThresholds",
    "act_shares",
    "borders_around",
    "borders_of",
    "check_frequencies",
]

#: How far borders lie from where an act changes, in units of effective strength (ours, after Papp 1998,
#: section 6.7).
HALF_WIDTH = 0.10

_LEAST_BAND = 0.02  # between MINRAISE and RAISE
_HIGHEST_RAISE = 0.99  # so that the very best holdings are above RAISE
_NEVER_REACHED = -1.0  # CALL and MINCALL where there is nothing to call

#: Values around which Loki-2 bets or raises in its own play, and calls, with 0, 1, and 2 or more bets to call.
OWN_RAISES = (0.40, 0.75, 0.85)
OWN_CALLS = (0.0, 0.50, 0.70)


class DecisionThresholds(NamedTuple):
    """Where one act gives way to another, in units of the holding's value."""

    #: RAISE: above it, raise.
    raise_high: float
    #: MINRAISE: above it, raise the more often the better.
    raise_low: float
    #: CALL: above it, call.
    call_high: float
    #: MINCALL: above it, call the more often the better.
    call_low: float


def _triple_of_bets(what: str, values: Sequence[float]) -> tuple[float, ...]:
    found = tuple(float(value) for value in values)
    if len(found) != 3 or not all(map(isfinite, found)):
        raise ValueError(f"{what} must be three finite numbers, for 0, 1 and 2 or more bets to call, got {values!r}")
    return found


@dataclass(frozen=True, slots=True)
class BettingThresholds:
    """The borders of one player, by bets to call.

    Attributes
    ----------
    no_bet, one_bet, more : DecisionThresholds
        For 0, 1, and 2 or more bets to call. Plain sequences of four numbers will do.

    Raises
    ------
    ValueError
        If borders are not four finite numbers, or RAISE is below MINRAISE or CALL below MINCALL.

    Examples
    --------
    >>> BettingThresholds.gom().one_bet
    DecisionThresholds(raise_high=0.9, raise_low=0.7, call_high=0.6, call_low=0.4)
    >>> from pokermodel.classics.loki2.triples import printed_triple
    >>> printed_triple(BettingThresholds.gom().array[1], 0.5, 0.0)
    (0.495, 0.495, 0.01)
    """

    no_bet: DecisionThresholds
    one_bet: DecisionThresholds
    more: DecisionThresholds

    def __post_init__(self) -> None:
        for name in self.__slots__:
            given = getattr(self, name)
            values = np.asarray(given, dtype=np.float64)
            if values.shape != (4,) or not np.isfinite(values).all():
                raise ValueError(f"{name} must be four finite numbers RAISE, MINRAISE, CALL, MINCALL, got {given!r}")
            borders = DecisionThresholds(*values.tolist())
            if borders.raise_high < borders.raise_low or borders.call_high < borders.call_low:
                raise ValueError(f"{name} must have RAISE >= MINRAISE and CALL >= MINCALL, got {given!r}")
            object.__setattr__(self, name, borders)

    @property
    def array(self) -> Floats:
        """The borders as float64 (3, 4): by bets to call; RAISE, MINRAISE, CALL, MINCALL."""
        return np.array([self.no_bet, self.one_bet, self.more])

    def at(self, bets_to_call: int) -> DecisionThresholds:
        """The borders for a number of bets to call."""
        return (self.no_bet, self.one_bet, self.more)[min(bets_to_call, 2)]

    @classmethod
    def around(cls, raises: Sequence[float], calls: Sequence[float], half_width: float = HALF_WIDTH) -> Self:
        """Borders to both sides of the values from which a player raises and calls.

        Parameters
        ----------
        raises, calls : sequence of float, length 3
            For 0, 1, and 2 or more bets to call. The first of `calls` has no meaning: with nothing to call,
            CALL and MINCALL are -1.
        half_width : float
            How far the borders lie from them. RAISE is .99 at most, unless MINRAISE is less than .02 below it.

        Raises
        ------
        ValueError
            If there are not three finite numbers each, or `half_width` is negative.
        """
        raise_mids, call_mids = _triple_of_bets("raises", raises), _triple_of_bets("calls", calls)
        if not half_width >= 0:
            raise ValueError(f"half_width must be 0 or more, got {half_width}")
        return cls._of(
            borders_around(raise_mid, call_mid if bets else None, half_width)
            for bets, (raise_mid, call_mid) in enumerate(zip(raise_mids, call_mids, strict=True))
        )

    @classmethod
    def _of(cls, borders: Iterable[DecisionThresholds]) -> Self:
        """Make them of borders that are known to be in order."""
        made = object.__new__(cls)
        for name, each in zip(cls.__slots__, borders, strict=True):
            object.__setattr__(made, name, each)
        return made

    @classmethod
    def own(cls) -> Self:
        """Loki-2's borders for its own play (ours; the source prints none).

        Above RAISE it bets and raises as surely as Loki-1 did from make1 and make2, .50 and .85, and faced with two
        bets from .95; below, less and less often, down to .20 less. It calls around .50 and .70 (the last from
        Papp 1998, Table B.2).
        """
        return cls.around(OWN_RAISES, OWN_CALLS)

    @classmethod
    def from_frequencies(cls, frequencies: ArrayLike) -> Self:
        """Borders of a player who folds, calls and raises so often: the printed method.

        A player who raises with frequency f raises with the holdings whose value is above ``1 - f``, and calls
        with those above ``1 - f - f_call`` (Peña 1999, section 4.2.2).

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            Shares of fold, call and raise, by bets to call (0, 1, 2 or more).

        Raises
        ------
        ValueError
            If they are no frequencies.
        """
        values = check_frequencies(frequencies)
        return cls.around(*act_shares(values))

    @classmethod
    def gom(cls) -> Self:
        """Borders of the generic opponent: from `DEFAULT_FREQUENCIES`."""
        return cls.from_frequencies(DEFAULT_FREQUENCIES)

    @classmethod
    def som(cls, counts: ActionCounts, round: int, recent: Iterable[tuple[Context, Act]] = ()) -> Self:
        """Borders of a specific opponent in a round: from `specific_frequencies`."""
        return cls.from_frequencies(specific_frequencies(counts, round, recent))

    @classmethod
    def ranked(cls, frequencies: ArrayLike, values: ArrayLike, weights: ArrayLike | None = None) -> Self:
        """Borders by the rank of values on a board, not by the values themselves: Poki's system B.

        The values of all holdings are sorted; a player who raises with frequency f does so with the best f of
        them (Davidson 2002; Billings et al. 2002). `from_frequencies` is system A, Loki-2's.

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            As `from_frequencies`.
        values : array_like of float, shape (n,)
            Values of the holdings; nan for those that are not possible.
        weights : array_like of float, shape (n,), optional
            How much each counts: ours. All the same, as printed, without.

        Raises
        ------
        ValueError
            If the frequencies are none, or no holding counts.
        """
        shares = check_frequencies(frequencies)
        held = np.asarray(values, dtype=np.float64)
        counted = np.ones(held.shape) if weights is None else np.asarray(weights, dtype=np.float64)
        if held.ndim != 1 or counted.shape != held.shape:
            raise ValueError(f"values and weights must be of one length, got {held.shape} and {counted.shape}")
        possible = ~np.isnan(held)
        order = np.argsort(held[possible], kind="stable")
        ranked = held[possible][order]
        running = np.cumsum(counted[possible][order])
        if not len(running) or not running[-1] > 0:
            raise ValueError("there is no holding with weight to rank")

        def value_at(share: list[float]) -> list[float]:
            found = np.searchsorted(running, np.array(share) * running[-1], side="right")
            return [float(x) for x in ranked[np.minimum(found, len(ranked) - 1)]]

        raises, calls = act_shares(shares)
        return cls.around(value_at(raises), value_at(calls))

    @classmethod
    def preflop(cls, frequencies: ArrayLike) -> Self:
        """Borders before the flop, in income rates of seven players (thousandths of a small bet): ours.

        Percentiles become income rates as in Loki-1, and its spread of 330 is the half-width (Papp 1998,
        section 7.2.2).

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            As `from_frequencies`.

        Raises
        ------
        ValueError
            If they are no frequencies.
        """
        shares = zip(*act_shares(check_frequencies(frequencies)), strict=True)
        return cls._of(_preflop_borders(*each, bets) for bets, each in enumerate(shares))


def borders_around(raises: float, calls: float | None, half_width: float = HALF_WIDTH) -> DecisionThresholds:
    """Borders to both sides of the values from which a player raises and calls, for one number of bets to call.

    See `BettingThresholds.around`. The value from which they call is None with nothing to call.
    """
    low = raises - half_width
    high = max(min(raises + half_width, _HIGHEST_RAISE), low + _LEAST_BAND)
    if calls is None:
        return DecisionThresholds(_meant(high), _meant(low), _NEVER_REACHED, _NEVER_REACHED)
    return DecisionThresholds(_meant(high), _meant(low), _meant(calls + half_width), _meant(calls - half_width))


def borders_of(frequencies: ArrayLike, bets: int, *, preflop: bool = False) -> DecisionThresholds:
    """Borders for one number of bets to call, of the frequencies with so many.

    Parameters
    ----------
    frequencies : array_like of float, shape (3,)
        Fold, call, raise.
    bets : int
        Bets to call: 0, 1, or 2 for two or more.
    preflop : bool
        As `BettingThresholds.preflop` has them, and not as `BettingThresholds.from_frequencies`.

    Raises
    ------
    ValueError
        If they are no frequencies.
    """
    raises, calls = _shares_too_weak(frequency_shares(frequencies))
    return _preflop_borders(raises, calls, bets) if preflop else borders_around(raises, calls if bets else None)


def _preflop_borders(raises: float, calls: float, bets: int) -> DecisionThresholds:
    """Borders around income rates, given the shares of holdings that are too weak."""
    lowest = _lowest_value()
    raise_mid = lowest if raises < LEAST_PERCENTILE else percentile_value(raises)
    call_mid = lowest if calls < LEAST_PERCENTILE or not bets else percentile_value(calls)
    return DecisionThresholds(
        raise_mid + PREFLOP_SIGMA, raise_mid - PREFLOP_SIGMA, call_mid + PREFLOP_SIGMA, call_mid - PREFLOP_SIGMA
    )


@cache
def _lowest_value() -> float:
    """An income rate that no holding is below."""
    return percentile_value(0.0) - 2 * PREFLOP_SIGMA


def _shares_too_weak(frequencies: Sequence[float]) -> tuple[float, float]:
    """Shares of holdings too weak to raise, and too weak to call; rounded to what is meant."""
    _, call, raising = frequencies
    raises = 1.0 - raising
    return _meant(raises), max(_meant(raises - call), 0.0)


def _meant(value: float) -> float:
    """A value to 12 places: .70 is meant, not the .7000000000000001 of .80 - .10. Quicker than ``round(value, 12)``."""
    return round(value * 1e12) / 1e12


def act_shares(frequencies: Floats) -> tuple[list[float], list[float]]:
    """Shares of holdings too weak to raise, and too weak to call, by bets to call; rounded to what is meant."""
    raises, calls = zip(*map(_shares_too_weak, frequencies.tolist()), strict=True)
    return list(raises), list(calls)


def check_frequencies(frequencies: ArrayLike) -> Floats:
    """Return frequencies by bets to call and act as float64 (3, 3).

    Raises
    ------
    ValueError
        If the shape is another, one is negative, or a row does not sum to 1.
    """
    values = np.asarray(frequencies, dtype=np.float64)
    if values.shape != (3, 3) or not (values >= 0).all() or not (abs(values.sum(axis=1) - 1.0) <= 1e-9).all():
        raise ValueError(
            "frequencies must have shape (3, 3), by bets to call and fold, call, raise, be >= 0 and sum to 1 in each "
            f"row, got {frequencies!r}"
        )
    return values
