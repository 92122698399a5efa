"""The knowledge of a player, in the statistics that players use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.forms import text_of
from pokermodel._support.frames import to_frame
from pokermodel._support.student import t_quantile
from pokermodel.cards import CLASSES
from pokermodel.game import ROUNDS, Act, BettingStructure
from pokermodel.learning.bet_sizes import SIZES
from pokermodel.learning.definitions import MONEY, Shown, Statistic, parsed, statistics, words_of
from pokermodel.learning.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.reading.frequencies import ActionCounts, Context

__all__ = [
    "PROFILE_COLUMNS",
    "Figure",
    "Profile",
    "Sizes",
    "Totals",
    "figure_of",
    "profile_rows",
    "proportion",
    "wilson",
]

_Z = 1.959963984540054  # 95%


def wilson(made: int, chances: int) -> tuple[float, float]:
    """The 95% interval of a proportion (Wilson 1927).

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
class Figure:
    """A statistic of a player, with what it was made of.

    Attributes
    ----------
    name : str
        Its usual abbreviation.
    meaning : str
        Numerator and denominator.
    numerator, denominator : float
        Both of them.
    value : float or None
        Their ratio; None if there is none.
    low, high : float or None
        A 95% interval; None where it has no end, or cannot be known yet.
    shown : {"proportion", "ratio", "mean"}
        How, as its definition says.
    """

    name: str
    meaning: str
    numerator: float
    denominator: float
    value: float | None
    low: float | None
    high: float | None
    shown: Shown = "proportion"

    @property
    def percent(self) -> bool:
        """Whether it is a proportion."""
        return self.shown == "proportion"

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        return {key: getattr(self, key) for key in ("numerator", "denominator", "value", "low", "high")}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a player's bets and raises of a kind are.

    Attributes
    ----------
    name : str
        Their name.
    meaning : str
        The counted case.
    unit : str
        Their unit: ``"pot"`` or ``"bb"``.
    number : int
        The number of bets that are not all-in.
    median : float or None
        Their median to a hundredth, and more coarsely if large. None without any.
    low, high : float or None
        A 95% interval of the median, between two of the sizes, for any distribution (David and Nagaraja 2003, section
        7.1). None for fewer than six sizes, which bound nothing.
    classes : dict of str to Figure
        The share of each class among bets that are not all-in.
    all_in : Figure
        The share of all-in bets among all bets.
    """

    name: str
    meaning: str
    unit: str
    number: int
    median: float | None
    low: float | None
    high: float | None
    classes: dict[str, Figure]
    all_in: Figure

    @classmethod
    def of(cls, totals: Totals, key: str) -> Self:
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
            {name: proportion(name, "", n, number) for name, n in zip(kind.scale.classes, counts, strict=True)},
            proportion("all-in", "", all_in, number + all_in),
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
    """Ranks, from 1, of those of so many values that bound the median with 95%; None where there are too few."""
    if number > 1000:  # the normal approximation
        rank = math.floor((number - _Z * math.sqrt(number)) / 2)
        return rank, number + 1 - rank
    # each value is below the median with probability 1/2: the rank up to which no more than 2.5% are to be expected
    below, rank = 0.0, 0
    log_half, log_ways = number * math.log(0.5), 0.0
    while rank < number:
        below += math.exp(log_half + log_ways)
        if below > 0.025:
            break
        log_ways += math.log((number - rank) / (rank + 1))
        rank += 1
    return (rank, number + 1 - rank) if rank else (None, None)


class Totals(Protocol):
    """The counts behind figures: by statistic, with sums of winnings.

    Amounts are in small bets, outside limit in big blinds.
    """

    structure: BettingStructure

    def pair(self, statistic: Statistic, street: int | None = None) -> tuple[int, int]:
        """How often a player did something, and how often they could have; in a betting round, or in all."""

    def __getitem__(self, name: str) -> int:
        """A plain number: "hands", "flops", "showdowns", "showdowns_won" or "flops_won"."""

    def sizes(self, key: str) -> tuple[list[int], int, dict[int, int]]:
        """How often bets and raises of a kind of `SIZES` had which size: by class, all-in, and by bin."""

    @property
    def counts(self) -> ActionCounts: ...  # noqa: D102  # the rest as of `pokermodel.library.counts.Counts`
    @property
    def depths(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def showdowns(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def rake(self) -> float: ...  # noqa: D102
    @property
    def unstated_rakes(self) -> int: ...  # noqa: D102
    @property
    def all_ins(self) -> tuple[int, int]: ...  # noqa: D102
    @property
    def small_bets(self) -> float: ...  # noqa: D102
    @property
    def squared_small_bets(self) -> float: ...  # noqa: D102
    @property
    def ev_small_bets(self) -> float: ...  # noqa: D102
    @property
    def squared_ev_small_bets(self) -> float: ...  # noqa: D102
    @property
    def showdown_small_bets(self) -> float: ...  # noqa: D102
    @property
    def squared_showdown_small_bets(self) -> float: ...  # noqa: D102


def figure_of(statistic: Statistic, totals: Totals, street: int | None = None, *, apart: bool = False) -> Figure:
    """A statistic of a player, of all its rounds or of one of them, which is in the name if `apart`."""
    name = statistic.name if street is None or not apart else f"{statistic.name} {ROUNDS[street]}"
    meaning = statistic.meaning
    if statistic.shown == "mean":
        return _mean(statistic, totals)
    made, chances = totals.pair(statistic, street)
    if statistic.shown == "proportion":
        return proportion(name, meaning, made, chances)
    low, high = wilson(made, made + chances)
    return Figure(
        *(name, meaning, made, chances, made / chances if chances else None),
        low / (1 - low) if low < 1 else None,
        high / (1 - high) if high < 1 else None,
        "ratio",
    )


def _mean(statistic: Statistic, totals: Totals) -> Figure:
    """A mean of small bets or big blinds, and its t interval."""
    with_ev = "ev" in words_of(statistic.success)
    what = {"hands": totals["hands"], "showdowns": totals["showdowns"]}
    amounts = what | {
        "won": totals.small_bets,
        "ev": totals.ev_small_bets if with_ev else 0.0,
        "won_in_showdowns": totals.showdown_small_bets,
    }
    # over different hands sums of squares are added as the amounts are
    squared = what | {
        "won": totals.squared_small_bets,
        "ev": totals.squared_ev_small_bets if with_ev else 0.0,
        "won_in_showdowns": totals.squared_showdown_small_bets,
    }
    total, squares = (_sum(statistic.success, each) for each in (amounts, squared))
    number = int(_sum(statistic.opportunity, amounts))
    mean = total / number if number else None
    low = high = None
    if mean is not None and number > 1:
        variance = max(squares - number * mean * mean, 0.0) / (number - 1)
        half = t_quantile(number - 1) * math.sqrt(variance / number)
        low, high = mean - half, mean + half
    return Figure(statistic.name, statistic.meaning, total, number, mean, low, high, "mean")


def _sum(text: str, amounts: dict[str, float]) -> float:
    found: float = eval(_compiled(text), {"__builtins__": {}}, amounts)
    return found


@cache
def _compiled(text: str) -> Any:
    return compile(parsed(text, tuple(MONEY)), "<statistic>", "eval")


def proportion(name: str, meaning: str, made: int, chances: int) -> Figure:
    """Return how often something was done that could have been, with its interval."""
    low, high = wilson(made, chances)
    return Figure(name, meaning, made, chances, made / chances if chances else None, low, high)


@dataclass(frozen=True, eq=False)
class Profile:
    """A book's knowledge of a player in one betting structure.

    Parameters
    ----------
    name : str
        The player's name.
    totals : Totals
        The counts behind figures.
    recent : tuple of (Context, Act)
        The latest actions after the flop, at most 20, in the order in which they were done; none outside limit.

    to_learn_again : frozenset of str
        Keys of statistics that the book has not counted in all of its hands of the structure.

    Attributes
    ----------
    statistics : dict of str to Figure
        By key, in the order of their definitions (`pokermodel.learning.definitions`), without those that are to be
        learnt again: what a part of the hands says is no figure of all.
    """

    name: str
    totals: Totals
    recent: tuple[tuple[Context, Act], ...] = ()
    to_learn_again: frozenset[str] = frozenset()

    @cached_property
    def statistics(self) -> dict[str, Figure]:
        """Work them out when they are asked for: readers take the counts alone."""
        return {
            key: figure_of(each, self.totals, street, apart=key != each.key)
            for each in self._shown()
            for key, street in each.figures().items()
        }

    def _shown(self) -> Iterator[Statistic]:
        for key, each in statistics(self.structure).items():
            if each.profile and key not in self.to_learn_again:
                yield each

    def by_round(self) -> dict[str, dict[str, Figure]]:
        """The statistics that are counted in each betting round, by name of the round and key."""
        shown = list(self._shown())
        return {
            name: {each.key: figure_of(each, self.totals, round) for each in shown if round in each.streets}
            for round, name in enumerate(ROUNDS)
        }

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
    def counts(self) -> ActionCounts:
        """Actions in the twelve contexts of Loki-1; none outside limit, where they are not counted."""
        return self.totals.counts

    def threshold(self, context: Context, act: Act) -> Threshold | None:
        """The evidence of an action on the player's holding, by Loki-1's rule; None if nothing, as outside limit.

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
            "to_learn_again": sorted(self.to_learn_again),
            "statistics": {key: statistic.to_dict() for key, statistic in self.statistics.items()},
            "sizes": {key: sizes.to_dict() for key, sizes in self.sizes.items()},
            "contexts": contexts,
            "shown": {CLASSES[k]: int(shown[k]) for k in np.flatnonzero(shown)},
            "recent": [[context.round, context.bets, act.name.lower()] for context, act in self.recent],
        }

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame with a row for each statistic, by `PROFILE_COLUMNS`; sizes come last.

        `library` and errors are those of `WeightTable.to_frame`.
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
