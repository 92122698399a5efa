"""What is known of a player, in the statistics that players use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.forms import text_of
from pokermodel._support.frames import to_frame
from pokermodel._support.student import t_quantile
from pokermodel.cards import CLASSES
from pokermodel.game import ROUNDS, Act, BettingStructure
from pokermodel.learning.bet_sizes import SIZES
from pokermodel.learning.statistics import PlayerCounts, proportions
from pokermodel.reading.frequencies import ActionCounts, Context
from pokermodel.reading.loki.thresholds import Threshold, postflop_threshold, preflop_threshold

__all__ = ["PROFILE_COLUMNS", "Profile", "Sizes", "Statistic", "profile_rows", "wilson"]

_Z = 1.959963984540054  # 95 %
#: The order of the statistics.
_ORDER = (
    *("vpip", "pfr", "three_bet", "fold_to_three_bet", "four_bet", "squeeze", "steal", "fold_to_steal"),
    *("cbet", "fold_to_cbet", "check_raise", "af", "afq", "wtsd", "w_sd", "wwsf"),
    *("small_bets", "showdown_small_bets", "other_small_bets"),
    *("big_blinds", "showdown_big_blinds", "other_big_blinds"),
)


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


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a player's bets and raises of a kind are.

    Attributes
    ----------
    name : str
        What they are.
    meaning : str
        What is counted.
    unit : str
        What they are measured in: ``"pot"`` or ``"bb"``.
    number : int
        How many there are that are not all-in.
    median : float or None
        Of these, to a hundredth; of large ones more coarsely. None without any.
    low, high : float or None
        A 95 % interval of the median, between two of the sizes, whatever their distribution (David and Nagaraja 2003,
        section 7.1). None of fewer than six sizes, which bound nothing.
    classes : dict of str to Statistic
        How many have which size, by class, of those that are not all-in.
    all_in : Statistic
        How many are all of the player's chips, of all.
    """

    name: str
    meaning: str
    unit: str
    number: int
    median: float | None
    low: float | None
    high: float | None
    classes: dict[str, Statistic]
    all_in: Statistic

    @classmethod
    def of(cls, totals: PlayerCounts, key: str) -> Self:
        """Those of a kind, by its key in `pokermodel.learning.bet_sizes.SIZES`."""
        kind, (counts, all_in, bins) = SIZES[key], totals.sizes(key)
        number = sum(counts)
        ends = np.cumsum([*bins.values()])
        values = [kind.scale.value_of(bin) for bin in bins]

        def smallest(rank: int) -> float:
            return values[int(np.searchsorted(ends, rank))]

        low, high = _median_ranks(number)
        return cls(
            *(kind.name, kind.meaning, kind.scale.unit, number),
            (smallest((number + 1) // 2) + smallest(number // 2 + 1)) / 2 if number else None,
            smallest(low) if low else None,
            smallest(high) if high else None,
            {name: _proportion(name, "", n, number) for name, n in zip(kind.scale.classes, counts, strict=True)},
            _proportion("all-in", "", all_in, number + all_in),
        )

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        found = {key: getattr(self, key) for key in ("unit", "number", "median", "low", "high")}
        classes = {name: statistic.to_dict() for name, statistic in self.classes.items()}
        return {**found, "classes": classes, "all_in": self.all_in.to_dict()}

    def rows(self, key: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The figures as tables have them: the median, each class and the all-ins, with a key for each."""
        middle = {"value": self.median, "low": self.low, "high": self.high}
        yield key, {"numerator": None, "denominator": self.number, **middle}
        for name, statistic in self.classes.items():
            yield f"{key}:{name}", statistic.to_dict()
        yield f"{key}:all-in", self.all_in.to_dict()


@cache
def _median_ranks(number: int) -> tuple[int | None, int | None]:
    """Ranks, from 1, of those of so many values that bound the median with 95 %; None where there are too few."""
    if number > 1000:  # the normal approximation
        rank = math.floor((number - _Z * math.sqrt(number)) / 2)
        return rank, number + 1 - rank
    # each value is below the median with probability 1/2: the rank up to which no more than 2.5 % are to be expected
    below, rank = 0.0, 0
    log_half, log_ways = number * math.log(0.5), 0.0
    while rank < number:
        below += math.exp(log_half + log_ways)
        if below > 0.025:
            break
        log_ways += math.log((number - rank) / (rank + 1))
        rank += 1
    return (rank, number + 1 - rank) if rank else (None, None)


def _mean(name: str, meaning: str, total: float, squares: float, number: int) -> Statistic:
    """A mean of small bets or big blinds, and its t interval."""
    mean = total / number if number else None
    low = high = None
    if mean is not None and number > 1:
        variance = max(squares - number * mean * mean, 0.0) / (number - 1)
        half = t_quantile(number - 1) * math.sqrt(variance / number)
        low, high = mean - half, mean + half
    return Statistic(name, meaning, total, number, mean, low, high, percent=False)


def _proportion(name: str, meaning: str, made: int, chances: int) -> Statistic:
    low, high = wilson(made, chances)
    return Statistic(name, meaning, made, chances, made / chances if chances else None, low, high)


@dataclass(frozen=True, eq=False)
class Profile:
    """What a book knows of a player in one betting structure.

    Parameters
    ----------
    name : str
        The player's name.
    totals : PlayerCounts
        All counts but those of the richer contexts.
    recent : tuple of (Context, Act)
        The latest actions after the flop, at most 20, in the order in which they were done; none outside limit.

    Attributes
    ----------
    statistics : dict of str to Statistic
        By key: those of `PROPORTIONS`, ``af``, ``afq``, and means of small bets: ``small_bets`` of all hands,
        ``showdown_small_bets`` of those that the player took to a showdown, and ``other_small_bets`` of the rest.
        Outside limit they are means of big blinds: ``big_blinds``, ``showdown_big_blinds`` and ``other_big_blinds``.
    """

    name: str
    totals: PlayerCounts
    recent: tuple[tuple[Context, Act], ...] = ()
    statistics: dict[str, Statistic] = field(init=False)

    def __post_init__(self) -> None:
        """Work out the statistics."""
        totals = self.totals
        found = {  # what was done could be done: older books have raises that nobody could call without their chances
            key: _proportion(each.name, each.meaning, totals[each.made], max(totals[each.made], totals[each.chances]))
            for key, each in proportions(self.structure).items()
        }
        found |= self._aggression(totals.acts[1:])
        won, squares = totals.small_bets, totals.squared_small_bets
        shown, shown_squares, showdowns = (
            *(totals.showdown_small_bets, totals.squared_showdown_small_bets),
            totals["showdowns"],
        )
        rest = won - shown, squares - shown_squares, self.hands - showdowns
        what, short = ("small bets", "sb") if self.structure.fixed else ("big blinds", "bb")
        key = what.replace(" ", "_")
        found[key] = _mean(f"{short}/hand", f"{what} won / hands", won, squares, self.hands)
        found[f"showdown_{key}"] = _mean(
            *(f"{short}/SD", "won in showdowns / showdowns", shown, shown_squares, showdowns)
        )
        found[f"other_{key}"] = _mean(f"{short}/no SD", "won in other hands / other hands", *rest)
        object.__setattr__(self, "statistics", {key: found[key] for key in _ORDER if key in found})

    @staticmethod
    def _aggression(counts: NDArray[np.int64]) -> dict[str, Statistic]:
        """Of counts by round, nothing or something to call, and act."""
        raises = int(counts[:, :, Act.RAISE].sum())
        calls = int(counts[:, 1:, Act.CALL].sum())  # a check is a call of nothing
        folds = int(counts[:, :, Act.FOLD].sum())
        low, high = wilson(raises, raises + calls)
        factor = Statistic(
            *("AF", "bets, raises / calls, post-flop", raises, calls, raises / calls if calls else None),
            low / (1 - low) if low < 1 else None,
            high / (1 - high) if high < 1 else None,
            percent=False,
        )
        what = "bets, raises / these, calls, folds"
        return {"af": factor, "afq": _proportion("AFq", what, raises, raises + calls + folds)}

    def by_round(self) -> dict[str, dict[str, Statistic]]:
        """The statistics that are counted in a betting round, by name of the round.

        Returns
        -------
        dict of str to dict of str to Statistic
            ``"pre-flop"``, ``"flop"``, ``"turn"`` and ``"river"``; in each by key, as in `statistics`.
        """
        found = {}
        for round, name in enumerate(ROUNDS):
            here = {}
            for key, each in proportions(self.structure).items():
                if round in each.rounds:
                    made, chances = (self.totals.in_round(count, round) for count in (each.made, each.chances))
                    here[key] = _proportion(each.name, each.meaning, made, max(made, chances))
            if round:
                here |= self._aggression(self.totals.acts[round : round + 1])
            found[name] = {key: here[key] for key in _ORDER if key in here}
        return found

    @property
    def structure(self) -> BettingStructure:
        """The betting structure of the hands."""
        return self.totals.structure

    @property
    def sizes(self) -> dict[str, Sizes]:
        """How large bets and raises are, by key of `pokermodel.learning.bet_sizes.SIZES`; none in limit."""
        return {} if self.structure.fixed else {key: Sizes.of(self.totals, key) for key in SIZES}

    def sizes_by_round(self) -> dict[str, dict[str, Sizes]]:
        """How large bets and raises are, by name of the betting round, and by key."""
        found = self.sizes
        return {
            name: {key: each for key, each in found.items() if SIZES[key].round == round}
            for round, name in enumerate(ROUNDS)
        }

    @property
    def hands(self) -> int:
        """Hands that the player was dealt in."""
        return self.totals["hands"]

    @property
    def incomplete(self) -> int:
        """Hands that were learnt before version 5 of the book and not again since.

        They lack positions, steals, continuation bets, check-raises and folds to 3-bets, and count as ``"unknown"``
        where profiles are told apart by position, stake or date. Learning them again adds what is missing.
        """
        return self.hands - int(self.totals.positions.sum())

    @property
    def counts(self) -> ActionCounts:
        """Actions in the twelve contexts of Loki-1; none outside limit, where they are not counted."""
        return self.totals.counts

    def threshold(self, context: Context, act: Act) -> Threshold | None:
        """What an action says about the player's holding, by Loki-1's rule; None if nothing, as outside limit.

        Before the flop mu and sigma are income rates (thousandths of a small bet), after it effective strength.
        """
        if not self.structure.fixed or act == Act.FOLD or (act == Act.CALL and context.bets == 0):
            return None
        frequencies = self.counts.frequencies(context)
        rule = preflop_threshold if context.round == 0 else postflop_threshold
        return rule(frequencies, act)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as one JSON object."""
        counts = self.counts
        contexts = []
        for round, bets in np.ndindex(4, 3) if self.structure.fixed else ():
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
            "structure": str(self.structure),
            "hands": self.hands,
            "incomplete": self.incomplete,
            "statistics": {key: statistic.to_dict() for key, statistic in self.statistics.items()},
            "sizes": {key: sizes.to_dict() for key, sizes in self.sizes.items()},
            "contexts": contexts,
            "shown": {CLASSES[k]: int(shown[k]) for k in np.flatnonzero(shown)},
            "recent": [[context.round, context.bets, act.name.lower()] for context, act in self.recent],
        }

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame with a row for each statistic, by `PROFILE_COLUMNS`; sizes come last.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Default: whichever is installed, pandas first.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame

        Raises
        ------
        ValueError
            If `library` is none of these.
        ModuleNotFoundError
            If it is not installed.
        """
        return to_frame(profile_rows(self), PROFILE_COLUMNS, library)

    def _repr_html_(self) -> str:
        return text_of(self, "html")


#: Columns of `profile_rows`.
PROFILE_COLUMNS = ("player", "structure", "statistic", "numerator", "denominator", "value", "low", "high")


def profile_rows(profile: Profile) -> Iterator[dict[str, Any]]:
    """Yield a row for each statistic of a player, by `PROFILE_COLUMNS`."""
    rows = [(key, statistic.to_dict()) for key, statistic in profile.statistics.items()]
    rows += [row for key, sizes in profile.sizes.items() for row in sizes.rows(key)]
    for key, figures in rows:
        numbers = {name: None if value is None else float(value) for name, value in figures.items()}
        yield {"player": profile.name, "structure": str(profile.structure), "statistic": key, **numbers}
