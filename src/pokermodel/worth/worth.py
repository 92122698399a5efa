"""What the acts of a real decision are worth, as data: a verdict, which ``pokermodel.worth.verdict`` comes to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pokermodel._support.arrays import Floats
from pokermodel._support.forms import text_of
from pokermodel.game import Act
from pokermodel.worth.adviser import Advice, Cost, Worth

__all__ = ["METHODS", "ActWorth", "AgainstThem", "Verdict"]

#: How a value was found.
METHODS = ("exact", "solved", "simulated")


class ActWorth(NamedTuple):
    """What an act is worth, how that was found, and how far it may be off.

    Attributes
    ----------
    act : Act
    to : int or None
        What a bet or raise goes to, in chips counted from the beginning of the round.
    ev : float
        In small bets, or big blinds where bets have sizes, from the decision on: 0 for a fold.
    method : {"exact", "solved", "simulated"}
    of_method, of_ranges, of_menu : float
        Parts of the error, in the same unit.
    seen : bool
        Whether the reader has seen people answer at the price that the act leaves.
    folds : float or None
        Of a bet or raise, how likely everybody else folds at once, in the reader's eyes; None of other acts.
    """

    act: Act
    to: int | None
    ev: float
    method: str
    of_method: float
    of_ranges: float
    of_menu: float
    seen: bool
    folds: float | None = None

    @property
    def error(self) -> float:
        """All parts together."""
        return self.of_method + self.of_ranges + self.of_menu

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**self._asdict(), "act": self.act.name.lower(), "error": self.error}


class AgainstThem(NamedTuple):
    """What acts are worth against the opponent as the reader knows them, rather than against an equilibrium.

    The solver's opponent does what the reader expects with a confidence that grows with the acts it has seen of them,
    and else as they like (`pokermodel.solving.locks_from`).

    Attributes
    ----------
    evs : tuple of float
        Of the acts of the verdict, in its unit.
    confidence : float
        The mean over the opponent's nodes.
    risk : float
        What the answer may lose in the worst case, beside the equilibrium, in the same unit: to a whole range, from the
        beginning of the street on.
    """

    evs: tuple[float, ...]
    confidence: float
    risk: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"evs": list(self.evs), "confidence": self.confidence, "risk": self.risk}


@dataclass(frozen=True, eq=False, slots=True)
class Verdict(Advice):
    """What the acts of a decision are worth.

    Attributes
    ----------
    acts : tuple of ActWorth
        Fold (where there is something to call), check or call, and bets or raises by rising size.
    needed : float
        The share of the pot that a call has to win; 0 with nothing to call.
    equity : float
        The share that the hero's cards win if nobody bets any more.
    unit : float
        Chips of a small bet, or a big blind where bets have sizes.
    against : AgainstThem or None
        The same against the opponent as the reader knows them, on rivers that are solved. It is shown beside, and
        changes nothing in the verdict.
    """

    acts: tuple[ActWorth, ...]
    needed: float
    equity: float
    unit: float
    _weaker: Floats = field(repr=False)
    _stronger: Floats = field(repr=False)
    _errors: Floats = field(repr=False)
    _answers: Floats = field(repr=False)
    against: AgainstThem | None = None

    @property
    def best(self) -> ActWorth:
        """The act with the largest value, of those that the reader has seen answers to."""
        known = [each for each in self.acts if each.seen] or list(self.acts)
        return max(known, key=lambda each: (each.ev, each.act))

    @property
    def worths(self) -> tuple[Worth, ...]:  # noqa: D102
        return tuple(Worth(each.act, each.to, each.ev, each.error) for each in self.acts)

    @property
    def recommended(self) -> tuple[Act, int | None]:  # noqa: D102
        best = self.best
        return best.act, best.to

    @property
    def method(self) -> str:
        """That of the best act, or of the one that it has to be compared with if that is less exact."""
        return max((each.method for each in self.acts), key=METHODS.index)

    def of(self, act: Act, to: int | None = None) -> ActWorth:
        """What an act is worth; `ValueError` if it was not looked at."""
        return self.acts[self.worths.index(self.worth(act, to))]

    def cost(self, act: Act, to: int | None = None) -> Cost | None:
        """What an act loses beside the best one, with the error of that difference.

        None if the reader has not seen anybody answer at the price that the act leaves: nothing is said of it then.

        Raises
        ------
        ValueError
            If that act was not looked at.
        """
        best, done = self.best, self.of(act, to)
        if not done.seen:
            return None
        if done is best:
            return Cost(0.0, 0.0, (best.act, best.to))
        a, b = self.acts.index(best), self.acts.index(done)
        ranges = abs((self._stronger[a] - self._stronger[b]) - (self._weaker[a] - self._weaker[b])) / 2
        answers = float(self._answers[a] - self._answers[b])
        error = float(self._errors[a, b]) + math.hypot(float(ranges), answers) + max(best.of_menu, done.of_menu)
        return Cost(best.ev - done.ev, error, (best.act, best.to))

    def close(self, act: Act, to: int | None = None) -> bool:
        """Whether it is too close to call: the error is not below the difference."""
        cost = self.cost(act, to)
        return cost is not None and 0.0 < cost.value <= cost.standard_error

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        acts = [each.to_dict() for each in self.acts]
        against = None if self.against is None else self.against.to_dict()
        told = {"needed": self.needed, "equity": self.equity, "method": self.method}
        return {**told, "acts": acts, "against": against}

    def _repr_html_(self) -> str:
        return text_of(self, "html")
