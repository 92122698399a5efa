"""How often players take their opportunities, by street, and how often people in general do.

A `Rate` is a proportion whose counts a book keeps. `Population` has the counts of every player of a book, and says for
each rate what is usual and how much players differ in it. Where a book has few players, `usual_rates` says so of the
players of published hand histories.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import ROUNDS, BettingStructure
from pokermodel.learning.definitions import Statistic, forgetting, statistics
from pokermodel.learning.profile import Totals

__all__ = ["Population", "Rate", "UsualRate", "rates", "usual_among", "usual_rates"]

#: From so many other players on, each with so many chances, a book says what is usual.
ENOUGH_PLAYERS = 10
ENOUGH_CHANCES = 20
#: How many chances what is usual is worth, at least and at most: people differ a little in everything.
_LEAST_STRENGTH, _MOST_STRENGTH = 1.0, 200.0
_MOST_PRIOR = 20.0
_SHIPPED = "usual_rates.json"


class Rate(NamedTuple):
    """How often something is done that could have been.

    Attributes
    ----------
    key : str
        The key of the statistic; after a colon the betting round, if rounds are counted apart.
    name : str
        The name of the statistic, and the round.
    meaning : str
        Numerator and denominator.
    statistic : Statistic
    street : int or None
        The betting round; None for all.
    """

    key: str
    name: str
    meaning: str
    statistic: Statistic
    street: int | None

    def counts(self, totals: Totals) -> tuple[int, int]:
        """How often a player did it, and how often they could have."""
        return totals.pair(self.statistic, self.street)


@cache
def rates(structure: BettingStructure) -> tuple[Rate, ...]:
    """The rates of a betting structure: the statistics by which players are compared, by betting round.

    They stand in the order of the definitions. Those that follow from acts come street by street behind those that are
    counted themselves, and those of shown holdings last.
    """
    found = []
    for each in statistics(structure).values():
        if each.rate:
            for street in each.streets if each.by_street else (None,):
                place = _TABLES.get(each.table, 0), (street or 0) if each.table else 0
                found.append((*place, _rate(each, street)))
    return tuple(rate for *_, rate in sorted(found, key=lambda each: each[:2]))


forgetting(rates.cache_clear)
_TABLES = {"acts": 1, "shown_postflop": 2}


def _rate(statistic: Statistic, street: int | None) -> Rate:
    key, name, where = statistic.key, statistic.name, "" if street is None else ROUNDS[street]
    if where:
        key, name = f"{key}:{where}", f"{name}, {where}"
    return Rate(key, name, statistic.meaning, statistic, street)


class UsualRate(NamedTuple):
    """The usual value of a rate.

    Attributes
    ----------
    value : float
        How often it is done: what all did, divided by what all could have done. 0 to 1, both excluded.
    strength : float
        How many chances it is worth: players' rates are beta-distributed around it with parameters that add up to
        this. The larger it is, the less players differ.
    players : int
        Of how many players.
    source : {"book", "published"}
        Whether they are the other players of the book, or those of published hand histories.
    """

    value: float
    strength: float
    players: int
    source: str = "book"

    @classmethod
    def of(cls, made: NDArray[np.int64], chances: NDArray[np.int64], source: str = "book") -> UsualRate | None:
        """The usual rate of players, given the counts of each; None if no player had an opportunity.

        How much they differ is estimated by the method of moments: the spread of their rates beyond what chance makes
        (Kleinman 1973, with weights by chances).
        """
        some = chances > 0
        made, chances = made[some].astype(np.float64), chances[some].astype(np.float64)
        if not len(chances):
            return None
        total, number = chances.sum(), len(chances)
        value = float((made.sum() + 0.5) / (total + 1))
        spread = float((chances * (made / chances - value) ** 2).sum()) / (value * (1 - value))
        room = float(total - (chances**2).sum() / total) - (number - 1)
        correlation = (spread - (number - 1)) / room if room > 0 else 0.0
        strength = 1 / correlation - 1 if correlation > 0 else _MOST_STRENGTH
        return cls(value, min(max(strength, _LEAST_STRENGTH), _MOST_STRENGTH), number, source)

    @property
    def prior(self) -> tuple[float, float]:
        """Parameters of a beta distribution of players' rates, worth 20 chances at most.

        Players elsewhere differ more than the published ones do. On 8,453 hands of no limit and 3,016 of limit from
        other sites, what players did in every second block of ten hands foretells the other blocks better than with
        the full strength: by 57 and 4 nats.
        """
        strength = min(self.strength, _MOST_PRIOR)
        return self.value * strength, (1 - self.value) * strength


@dataclass(frozen=True, eq=False)
class Population:
    """The counts of all players of a book in one betting structure.

    Parameters
    ----------
    names : tuple of str
        The players.
    made, chances : ndarray of int64, shape (players, rates)
        By player and rate, in the order of `rates`.
    """

    structure: BettingStructure
    names: tuple[str, ...]
    made: NDArray[np.int64]
    chances: NDArray[np.int64]

    @classmethod
    def of(cls, structure: BettingStructure, counts: Mapping[str, Totals]) -> Population:
        """Of the counts of each player, by name."""
        found = np.array(
            [[rate.counts(each) for rate in rates(structure)] for each in counts.values()], dtype=np.int64
        ).reshape(len(counts), len(rates(structure)), 2)
        return cls(structure, tuple(counts), found[..., 0], found[..., 1])

    def usual(self, name: str | None, *, heads_up: bool = False) -> dict[str, UsualRate]:
        """The usual value of each rate, by key, for comparison with a player, who is left out.

        It is of the book where at least 10 others had 20 chances or more; otherwise of published hands, and without
        these missing. `heads_up`, whether the player mostly plays one opponent, decides which published hands.
        """
        others = np.array([k for k, each in enumerate(self.names) if each != name], dtype=np.intp)
        return usual_among(self.structure, self.made[others].T, self.chances[others].T, heads_up=heads_up)


def usual_among(
    structure: BettingStructure, made: NDArray[np.int64], chances: NDArray[np.int64], *, heads_up: bool
) -> dict[str, UsualRate]:
    """Return what is usual of each rate among players, or in published hands, as `Population.usual` has it.

    Parameters
    ----------
    structure : BettingStructure
    made, chances : ndarray of int64, shape (rates, players)
    heads_up : bool
    """
    published = usual_rates(structure, heads_up=heads_up)
    found = {}
    for rate, did, could in zip(rates(structure), made, chances, strict=True):
        usual = UsualRate.of(did, could) if (could >= ENOUGH_CHANCES).sum() >= ENOUGH_PLAYERS else None
        usual = usual or published.get(rate.key)
        if usual is not None:
            found[rate.key] = usual
    return found


@cache
def _shipped() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((files("pokermodel") / "data" / _SHIPPED).read_text(encoding="utf-8"))
    return found


def usual_rates(structure: BettingStructure, *, heads_up: bool) -> dict[str, UsualRate]:
    """Usual rates by key of `rates`, among the players of published histories, of two or of larger tables.

    There are none of pot limit.
    """
    game = f"{structure}{' heads-up' if heads_up else ''}"
    return {
        key: UsualRate(value, strength, players, "published")
        for key, (value, strength, players) in _shipped()["games"].get(game, {}).items()
    }
