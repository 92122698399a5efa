"""What is known of a player, in the statistics that players use."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pokermodel.cards import CLASSES
from pokermodel.game import Act
from pokermodel.learning.statistics import PlayerCounts
from pokermodel.reading.parts.frequencies import ActionCounts, Context
from pokermodel.reading.parts.thresholds import Threshold, postflop_threshold, preflop_threshold

__all__ = ["Profile", "Statistic", "wilson"]

_Z = 1.959963984540054  # 95 %


def wilson(made: int, chances: int) -> tuple[float, float]:
    """The 95 % interval of a proportion (Wilson 1927).

    Parameters
    ----------
    made, chances : int
        How often it was done, and how often it could have been.

    Returns
    -------
    low, high : float
        From 0 to 1; all of it without chances.

    Raises
    ------
    ValueError
        If `made` is not 0 to `chances`.

    Examples
    --------
    >>> [round(x, 4) for x in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not 0 <= made <= chances:
        raise ValueError(f"made must be 0 to {chances} chances, got {made}")
    if chances == 0:
        return 0.0, 1.0
    share, square = made / chances, _Z * _Z / chances
    middle = (share + square / 2) / (1 + square)
    half = _Z / (1 + square) * math.sqrt(share * (1 - share) / chances + square / (4 * chances))
    low = 0.0 if made == 0 else max(middle - half, 0.0)
    return low, 1.0 if made == chances else min(middle + half, 1.0)


@dataclass(frozen=True, slots=True)
class Statistic:
    """A figure about a player, with what it was made of.

    Attributes
    ----------
    name : str
        Its usual abbreviation.
    meaning : str
        What is divided by what.
    numerator, denominator : float
        Both of them.
    value : float or None
        Their ratio; None if there is none.
    low, high : float or None
        A 95 % interval; None where it has no end, or cannot be known yet.
    percent : bool
        Whether it is a proportion.
    """

    name: str
    meaning: str
    numerator: float
    denominator: float
    value: float | None
    low: float | None
    high: float | None
    percent: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        return {key: getattr(self, key) for key in ("numerator", "denominator", "value", "low", "high")}


def _proportion(name: str, meaning: str, made: int, chances: int) -> Statistic:
    low, high = wilson(made, chances)
    return Statistic(name, meaning, made, chances, made / chances if chances else None, low, high)


@dataclass(frozen=True, eq=False)
class Profile:
    """What a book knows of a player.

    Parameters
    ----------
    name : str
        The player's name.
    totals : PlayerCounts
        All counts but those of the richer contexts.
    recent : tuple of (Context, Act)
        The latest actions after the flop, at most 20, in the order in which they were learnt.

    Attributes
    ----------
    statistics : dict of str to Statistic
        ``vpip``, ``pfr``, ``three_bet``, ``af``, ``afq``, ``wtsd``, ``w_sd``, ``wwsf`` and ``small_bets``.
    """

    name: str
    totals: PlayerCounts
    recent: tuple[tuple[Context, Act], ...] = ()
    statistics: dict[str, Statistic] = field(init=False)

    def __post_init__(self) -> None:
        """Work out the statistics."""
        totals, after = self.totals, self.counts.values[1:]
        raises = int(after[:, :, Act.RAISE].sum())
        calls = int(after[:, 1:, Act.CALL].sum())  # a check is a call of nothing
        folds = int(after[:, :, Act.FOLD].sum())
        rows = {
            "vpip": ("VPIP", "called or raised pre-flop / acted", "vpip", "vpip_chances"),
            "pfr": ("PFR", "raised pre-flop / could have", "pfr", "pfr_chances"),
            "three_bet": ("3-bet", "raised the first raiser / could have", "three_bets", "three_bet_chances"),
            "wtsd": ("WTSD", "showdowns / flops seen", "showdowns", "flops"),
            "w_sd": ("W$SD", "won or shared / showdowns", "showdowns_won", "showdowns"),
            "wwsf": ("WWSF", "won or shared / flops seen", "flops_won", "flops"),
        }
        found = {  # what was done could be done: older books have raises that nobody could call without their chances
            key: _proportion(name, meaning, totals[made], max(totals[made], totals[chances]))
            for key, (name, meaning, made, chances) in rows.items()
        }
        low, high = wilson(raises, raises + calls)
        found["af"] = Statistic(
            *("AF", "bets, raises / calls, post-flop", raises, calls, raises / calls if calls else None),
            low / (1 - low) if low < 1 else None,
            high / (1 - high) if high < 1 else None,
            percent=False,
        )
        what = "bets, raises / these, calls, folds"
        found["afq"] = _proportion("AFq", what, raises, raises + calls + folds)
        found["small_bets"] = self._small_bets()
        order = ("vpip", "pfr", "three_bet", "af", "afq", "wtsd", "w_sd", "wwsf", "small_bets")
        object.__setattr__(self, "statistics", {key: found[key] for key in order})

    def _small_bets(self) -> Statistic:
        hands, won = self.hands, self.totals.small_bets
        mean = won / hands if hands else None
        low = high = None
        if mean is not None and hands > 1:
            variance = max(self.totals.squared_small_bets - hands * mean * mean, 0.0) / (hands - 1)
            half = _Z * math.sqrt(variance / hands)
            low, high = mean - half, mean + half
        return Statistic("sb/hand", "small bets won / hands", won, hands, mean, low, high, percent=False)

    @property
    def hands(self) -> int:
        """Hands that the player was dealt in."""
        return self.totals["hands"]

    @property
    def counts(self) -> ActionCounts:
        """Actions in the twelve contexts of Loki-1."""
        return self.totals.counts

    def threshold(self, context: Context, act: Act) -> Threshold | None:
        """What an action says about the player's holding, by Loki-1's rule; None if nothing.

        Before the flop mu and sigma are income rates (thousandths of a small bet), after it effective strength.
        """
        if act == Act.FOLD or (act == Act.CALL and context.bets == 0):
            return None
        frequencies = self.counts.frequencies(context)
        rule = preflop_threshold if context.round == 0 else postflop_threshold
        return rule(frequencies, act)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as one JSON object."""
        counts = self.counts
        contexts = []
        for round, bets in np.ndindex(4, 3):
            context = Context(round, bets)
            row: dict[str, Any] = {
                "round": round,
                "bets_to_call": bets,
                "counts": counts.values[context].tolist(),
                "frequencies": counts.frequencies(context).tolist(),
            }
            for act in (Act.CALL, Act.RAISE):
                threshold = self.threshold(context, act)
                row[act.name.lower()] = None if threshold is None else {"mu": threshold.mu, "sigma": threshold.sigma}
            contexts.append(row)
        shown = self.totals.showdowns
        return {
            "name": self.name,
            "hands": self.hands,
            "statistics": {key: statistic.to_dict() for key, statistic in self.statistics.items()},
            "contexts": contexts,
            "shown": {CLASSES[k]: int(shown[k]) for k in np.flatnonzero(shown)},
            "recent": [[context.round, context.bets, act.name.lower()] for context, act in self.recent],
        }
