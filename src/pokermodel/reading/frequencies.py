"""How often a player folds, calls and raises: counts in twelve contexts, mixed with defaults.

A context is the betting round and the number of bets to call (0, 1, 2 or more). The number of opponents, the
position and the previous action are not in it (Papp 1998, section 7.1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel.game import ROUNDS, Act

__all__ = [
    "BACK_OFF",
    "DEFAULT_FREQUENCIES",
    "FULL_CONFIDENCE",
    "RECENT_ACTIONS",
    "ActionCounts",
    "Context",
    "FadingCounts",
    "Shares",
    "frequency_shares",
    "mixed_frequencies",
    "renewed_frequencies",
    "specific_frequencies",
]

#: Frequencies of fold, call and raise assumed of an unknown player, by bets to call: float64 (3, 3).
#: Papp 1998, Table B.2.
DEFAULT_FREQUENCIES: NDArray[np.float64] = np.array([[0.0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]])
DEFAULT_FREQUENCIES.setflags(write=False)
_DEFAULTS: list[list[float]] = DEFAULT_FREQUENCIES.tolist()
_ACTS = (Act.FOLD, Act.CALL, Act.RAISE)

#: Observations from which on a context speaks for itself (Papp 1998, Eq 7.4).
FULL_CONFIDENCE = 20

#: How many of a player's latest actions count as their present way to play (Peña 1999, section 4.2.2).
RECENT_ACTIONS = 20

#: Observations that a player's frequencies in Loki-1's contexts are worth, where those in finer contexts are added
#: (ours).
BACK_OFF = 20


class Shares(NamedTuple):
    """Frequencies of fold, call and raise, as plain numbers."""

    fold: float
    call: float
    raising: float


_adding = Lock()  # one for all counts: it is held for so short a time


class Context(NamedTuple):
    """In which situation an action is counted."""

    #: 0 pre-flop, 1 flop, 2 turn, 3 river.
    round: int
    #: Bets to call, 2 standing for two or more.
    bets: int

    @classmethod
    def of(cls, round: int, bets_to_call: int) -> Context:
        """The context of a situation; raises `ValueError` if there is no such round or number of bets."""
        if not 0 <= round <= 3:
            raise ValueError(f"round must be 0..3, got {round}")
        if bets_to_call < 0:
            raise ValueError(f"bets to call must be 0 or more, got {bets_to_call}")
        return cls(round, min(bets_to_call, 2))

    def __str__(self) -> str:
        facing = ("no bet", "one bet", "two bets or more")[self.bets]
        return f"{ROUNDS[self.round]}, {facing} to call"


class ActionCounts:
    """How often a player folded, called (checked) and raised (bet) in each of the twelve contexts.

    Parameters
    ----------
    counts : array_like of int, shape (4, 3, 3), optional
        By round, bets to call (0, 1, 2 or more) and action (fold, call, raise). Zeros without.

    Raises
    ------
    ValueError
        If the shape is another or a count is negative.

    Examples
    --------
    >>> counts = ActionCounts()
    >>> counts.add(Context(1, 0), Act.RAISE)
    >>> counts.observations(Context(1, 0))
    1
    >>> (counts + counts).values[1, 0].tolist()
    [0, 0, 2]
    """

    __slots__ = ("values",)

    def __init__(self, counts: ArrayLike | None = None) -> None:
        values = np.zeros((4, 3, 3), dtype=np.int64) if counts is None else np.array(counts, dtype=np.int64)
        if values.shape != (4, 3, 3):
            raise ValueError(f"counts must have shape (4, 3, 3), got {values.shape}")
        if (values < 0).any():
            raise ValueError("counts must be 0 or more")
        #: The counts themselves: int64 (4, 3, 3).
        self.values: NDArray[np.int64] = values

    def __repr__(self) -> str:
        return f"ActionCounts({int(self.values.sum())} actions)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActionCounts) and bool((self.values == other.values).all())

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: ActionCounts) -> ActionCounts:
        if not isinstance(other, ActionCounts):
            return NotImplemented
        return ActionCounts(self.values + other.values)

    def add(self, context: Context, act: Act) -> None:
        """Count one action. Threads may count into the same counts."""
        with _adding:
            self.values[context.round, context.bets, act] += 1

    def observations(self, context: Context) -> int:
        """How many actions were counted in a context."""
        return int(self.values[context].sum())

    def frequencies(self, context: Context) -> NDArray[np.float64]:
        """Frequencies of fold, call and raise to reckon with in a context: float64 (3,), which sum to 1.

        With fewer than 20 observations they are mixed with those of the round before, and before the flop with
        `DEFAULT_FREQUENCIES` (Papp 1998, Eq 7.4; the printed middle line repeats the mixed value where the plain
        ratio must stand).
        """
        return np.array(mixed_frequencies(self.values.tolist(), *context))


class FadingCounts:
    """Counts as `ActionCounts` has them, in which old actions count less.

    Papp (1998, section 7.4) proposes to favour recent observations; how is ours. Whenever an action is counted in a
    context, those that were counted there before lose a share of their weight: all of a context's weights halve with so
    many actions in it. So a player who changes is followed in every context at the speed at which they are seen there.

    Parameters
    ----------
    half_life : float
        Actions in a context after which an earlier one counts half. With h of them, the counts of a context do not pass
        ``1/(1 - 2**(-1/h))``, which is about ``1.44*h + .5``: with less than some 13.5 of them no context is ever
        believed entirely, as `FULL_CONFIDENCE` is not reached.
    counts : array_like of float, shape (4, 3, 3), optional
        Earlier counts without an order, which fade as a whole. Zeros without.

    Raises
    ------
    ValueError
        If the half-life is not positive, or the counts have another shape or are negative.

    Examples
    --------
    >>> counts = FadingCounts(1.0)
    >>> for act in (Act.RAISE, Act.CALL, Act.CALL):
    ...     counts.add(Context(1, 0), act)
    >>> counts.values[1, 0].tolist()
    [0.0, 1.5, 0.25]
    """

    __slots__ = ("half_life", "values")

    def __init__(self, half_life: float, counts: ArrayLike | None = None) -> None:
        if not half_life > 0:
            raise ValueError(f"the half-life of counts must be positive, got {half_life}")
        values = np.zeros((4, 3, 3)) if counts is None else np.array(counts, dtype=np.float64)
        if values.shape != (4, 3, 3):
            raise ValueError(f"counts must have shape (4, 3, 3), got {values.shape}")
        if not (values >= 0).all():
            raise ValueError("counts must be 0 or more")
        #: Actions after which an earlier one counts half.
        self.half_life = half_life
        #: The counts themselves: float64 (4, 3, 3).
        self.values: NDArray[np.float64] = values

    def add(self, context: Context, act: Act) -> None:
        """Count one action. Threads may count into the same counts."""
        with _adding:
            row = self.values[context.round, context.bets]
            row *= 0.5 ** (1.0 / self.half_life)
            row[act] += 1.0


def frequency_shares(frequencies: ArrayLike) -> Shares:
    """Frequencies of fold, call and raise as plain numbers; `ValueError` unless three of them >= 0 sum to 1."""
    shares: Shares | None
    if isinstance(frequencies, Shares):
        shares = frequencies
    else:
        given = np.asarray(frequencies, dtype=np.float64)
        shares = Shares(*given.tolist()) if given.shape == (3,) else None
    if shares is None or not (min(shares) >= 0 and abs(sum(shares) - 1.0) <= 1e-9):
        raise ValueError(f"frequencies must be three numbers >= 0 that sum to 1, got {frequencies!r}")
    return shares


def mixed_frequencies(counts: Sequence[Sequence[Sequence[float]]], round: int, bets: int) -> Shares:
    """`ActionCounts.frequencies` of counts as lists: by round, bets to call and act."""
    fold, call, raising = _DEFAULTS[bets]
    for by_bets in counts[: round + 1]:
        folds, calls, raises = by_bets[bets]
        total = folds + calls + raises
        if total >= FULL_CONFIDENCE:
            fold, call, raising = folds / total, calls / total, raises / total
        elif total:
            missing = FULL_CONFIDENCE - total
            fold = (folds + fold * missing) / FULL_CONFIDENCE
            call = (calls + call * missing) / FULL_CONFIDENCE
            raising = (raises + raising * missing) / FULL_CONFIDENCE
    return Shares(fold, call, raising)


def renewed_frequencies(whole: Shares, recent: Iterable[tuple[Context, Act]], bets: int) -> Shares:
    """The mean of frequencies with so many bets to call and of those of recent actions; see `specific_frequencies`."""
    matching = [act for (_, at), act in recent if at == bets]
    missing = RECENT_ACTIONS - len(matching)
    renewed = [
        (share + (matching.count(act) + missing * share) / RECENT_ACTIONS) / 2
        for act, share in zip(_ACTS, whole, strict=True)
    ]
    return Shares(*renewed)


def specific_frequencies(
    counts: ActionCounts, round: int, recent: Iterable[tuple[Context, Act]] = ()
) -> NDArray[np.float64]:
    """The forecast for a specific player in a round: the mean of their record and of its end.

    Both records go into thresholds, and the thresholds are averaged (Peña 1999, section 4.2.2); thresholds are
    linear in frequencies, so the frequencies can be. How a record that is too short is filled is ours: the whole
    record as `ActionCounts.frequencies` does, the recent actions by the whole record.

    Parameters
    ----------
    counts : ActionCounts
        The whole record.
    round : int
        1 flop, 2 turn, 3 river; 0 before the flop.
    recent : iterable of (Context, Act)
        The player's latest actions of this session, post-flop, at most 20. Those with the same number of bets to call
        count, from all rounds. Without any, only the whole record does.

    Returns
    -------
    ndarray of float64, shape (3, 3)
        Shares of fold, call and raise, by bets to call (0, 1, 2 or more).

    Raises
    ------
    ValueError
        If there is no such round, or there are more than 20 recent actions.
    """
    Context.of(round, 0)
    latest = list(recent)
    if len(latest) > RECENT_ACTIONS:
        raise ValueError(f"recent actions must be at most {RECENT_ACTIONS}, got {len(latest)}")
    values = counts.values.tolist()
    rows = [mixed_frequencies(values, round, bets) for bets in range(3)]
    if latest:
        rows = [renewed_frequencies(row, latest, bets) for bets, row in enumerate(rows)]
    return np.array(rows)
