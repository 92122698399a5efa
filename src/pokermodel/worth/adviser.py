"""What an adviser is: it is given a `Spot`, and says what every act is worth.

Whoever wants advice (a report of a hand, a coach, a page, a player) asks one of these in the same way, and whoever has
a new way to value acts writes one class with ``advise(spot)`` and registers it. The alternative, a branch for each way
wherever advice is given, was there before: four places chose between rules, simulation and price, each a little
differently, and a fifth way had to be written into all of them.

A spot has the hand so far, what everybody can hold and who reads it, so that an adviser needs no session. What has a
name is in `pokermodel.worth.advisers`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

from pokermodel.game import Act, BettingStructure
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot

__all__ = ["Advice", "Adviser", "Cost", "Worth", "own_cards"]


class Worth(NamedTuple):
    """What an act is worth.

    Attributes
    ----------
    act : Act
    to : int or None
        What a bet or raise goes to, in chips counted from the beginning of the round.
    ev : float
        In small bets, or big blinds where bets have sizes, from the decision on: 0 for a fold.
    standard_error : float
        Of `ev`; 0 where it is exact.
    """

    act: Act
    to: int | None
    ev: float
    standard_error: float


class Cost(NamedTuple):
    """What an act loses beside the best one.

    Attributes
    ----------
    value, standard_error : float
        In small bets, or big blinds where bets have sizes.
    best : tuple of (Act, int or None)
        The best act, and what it goes to.
    """

    value: float
    standard_error: float
    best: tuple[Act, int | None]


class Advice:
    """What an adviser says of a decision; every adviser has its own, with what it found besides."""

    __slots__ = ()

    @property
    def worths(self) -> tuple[Worth, ...]:
        """What every legal act is worth, sizes of a menu among them: fold first, then by rising size.

        Empty where an adviser does not say what acts are worth.
        """
        return ()

    @property
    def recommended(self) -> tuple[Act, int | None] | None:
        """What the adviser would do, and what it goes to; None where it only says what there is to know."""
        return None

    def cost(self, act: Act, to: int | None = None) -> Cost | None:
        """What an act costs; None where it is not said what acts are worth.

        Raises
        ------
        ValueError
            If it is none of `worths`.
        """
        return None

    def worth(self, act: Act, to: int | None = None) -> Worth:
        """What an act is worth.

        Parameters
        ----------
        act : Act
        to : int, optional
            What a bet or raise goes to. It may be left out where there is one amount alone.

        Raises
        ------
        ValueError
            If that act was not looked at.
        """
        found = [each for each in self.worths if each.act == act and (act != Act.RAISE or to is None or each.to == to)]
        if len(found) != 1:
            known = ", ".join(_named(each.act, each.to) for each in self.worths) or "none"
            raise ValueError(f"{_named(act, to)}: the values are those of {known}")
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"worths": [{**each._asdict(), "act": each.act.name.lower()} for each in self.worths]}


def _named(act: Act, to: int | None) -> str:
    return act.name.lower() + ("" if to is None else f" to {to}")


class Adviser:
    """Somebody who says what acts are worth. `advise` must be there; `begin` does nothing unless it is overridden.

    Attributes
    ----------
    structures : frozenset of BettingStructure
        In which it advises: limit alone, unless a class says otherwise.
    """

    structures: ClassVar[frozenset[BettingStructure]] = frozenset([BettingStructure.LIMIT])

    def begin(self) -> None:
        """Begin a hand: whatever was kept of the last one is forgotten."""

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Advice:
        """Say what the acts of the player to act are worth.

        Parameters
        ----------
        spot : Spot
            With the player's own cards (`Spot.held`), and for most advisers with a reader.
        rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
            Source of randomness, for those who draw.
        also : iterable of int
            What further bets and raises go to, where bets have sizes; others pass over it.

        Raises
        ------
        ValueError
            If the cards are not known, or it does not advise in such a situation.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it advises")


def own_cards(spot: Spot) -> tuple[int, int]:
    """The two cards of the player to act; `ValueError` if they are not known."""
    if not spot.holding:
        raise ValueError(f"no advice without the cards of {spot.player}: expected spot.held(cards)")
    first, second = spot.holding
    return first, second
