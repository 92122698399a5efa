"""The value of the actions of a decision, as data: the `Worth` of one action, and the `Verdict` on the decision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from pokermodel._support.arrays import Floats
from pokermodel._support.forms import text_of
from pokermodel.game import Act
from pokermodel.worth.calibration import NO_FIT, SURE, Fit, fit_of

__all__ = ["LEAST", "METHODS", "MISTAKES", "SHARE", "SURE", "WORDS", "Verdict", "Worth", "kind_of"]

#: How a value was found, the most exact first: counted out, by a solution of the street, played out many times, or as
#: if nobody bet any more.
METHODS = ("exact", "solved", "simulated", "myopic")
#: What a verdict says of the action that was made; see `Verdict.word`.
WORDS = ("big mistake", "mistake", "probably a mistake", "cannot tell", "right", "not judged")
#: Those of mistakes, which are added up.
MISTAKES = WORDS[:2]

#: Of a loss that matters: in units, and of the pot.
LEAST, SHARE = 0.1, 0.01
_BIG, _BIG_SHARE = 2.0, 0.1  # likewise, of a big mistake
_PROBABLE = 0.8


class Worth(NamedTuple):
    """The value of an action, with its method and its error.

    Attributes
    ----------
    act : Act
    to : int or None
        The total of a bet or raise, in chips counted from the beginning of the round.
    ev : float
        In small bets, or big blinds where bets have sizes, from the decision on: 0 for a fold.
    method : str
        One of `METHODS`.
    of_method, of_ranges, of_menu : float
        Parts of half the 95% interval, in the same unit: of the play-outs or the solution, of the opponents' ranges
        and answers, and of sizes that were left out.
    seen : bool
        Whether the reader has seen people answer at the price that the action leaves. Without that, the
        action gets no loss.
    folds : float or None
        The probability that everybody else folds at once to a bet or raise; None for other actions.
    balanced : float or None
        The EV in an equilibrium, where `ev` is that of the answer to the opponent as the reader knows them; see
        `Verdict.confidence`.
    """

    act: Act
    to: int | None
    ev: float
    method: str
    of_method: float = 0.0
    of_ranges: float = 0.0
    of_menu: float = 0.0
    seen: bool = True
    folds: float | None = None
    balanced: float | None = None

    @property
    def error(self) -> float:
        """All parts together: the root of their squares."""
        return math.hypot(self.of_method, self.of_ranges, self.of_menu)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        plain = self._asdict()
        del plain["balanced"]  # the verdict has it
        return {**plain, "act": self.act.name.lower(), "error": self.error}


@dataclass(frozen=True, eq=False)
class Verdict:
    """An adviser's verdict on a decision: the values of its actions, and the loss of the one that was made.

    A program that goes by rules names an action and says why, without values: it leaves `acts` empty.

    Attributes
    ----------
    acts : tuple of Worth
        Fold (where there is something to call), check or call, and bets or raises by rising size.
    errors : ndarray of float64, shape (acts, acts), or None
        Half the 95% interval of each difference of two actions; its diagonal is not looked at. None: that of both
        values together.
    needed : float
        The share of the pot that a call has to win; 0 with nothing to call.
    equity : float or None
        The share of the pot that the hero's cards win without further betting, if the adviser gives it.
    unit : float
        Chips of a small bet, or a big blind where bets have sizes.
    pot : float
        The pot before the action, in units.
    confidence : float or None
        How far the opponent is believed to do what the reader expects of them, where `Worth.balanced` has values: the
        mean over their nodes (`pokermodel.solving.locks_from`).
    risk : float or None
        What the answer to that opponent may lose in the worst case, beside the equilibrium: to a whole range, from the
        beginning of the street on.
    advised : tuple of (Act, int or None) or None
        The action that a program names without values, and what it goes to.
    reason : str
        Why the program names it, in words.
    found : str
        The program's note on its method, in words: ``"500 trials"``.
    details : mapping or None
        The program's own figures for JSON, in place of those of the verdict.
    made : Worth or None
        The action that was made (`judge`).
    halves : (ndarray, ndarray) or None
        Values by halves of the deals, float64 (2, acts) each: those that choose the best action, and those of the other
        half, by which it is compared with the one that was made. None: `Worth.ev` does both.
    street : str
        Of the decision, where losses are calibrated (`pokermodel.worth.calibration`); empty where they are not.
    fixed : bool
        Whether bets have one size.
    noise : ndarray of float64, shape (acts, acts), or None
        The part of `errors` that more deals would make smaller.
    stranger : float
        How little is known of the opponents, from 0 to 1 (`pokermodel.worth.calibration.stranger_of`).
    average : bool or None
        Whether a mistake is one against average players, too; None where that was not asked.
    hands : mapping of str to int
        How many hands have been learnt of each opponent, if that was requested.
    guess : str
        The opponent whose range is a guess, so that nothing is judged.
    """

    acts: tuple[Worth, ...] = ()
    errors: Floats | None = None
    needed: float = 0.0
    equity: float | None = None
    unit: float = 1.0
    pot: float = 0.0
    confidence: float | None = None
    risk: float | None = None
    advised: tuple[Act, int | None] | None = None
    reason: str = ""
    found: str = ""
    details: Mapping[str, Any] | None = None
    made: Worth | None = None
    halves: tuple[Floats, Floats] | None = None
    street: str = ""
    fixed: bool = False
    noise: Floats | None = None
    stranger: float = 1.0
    average: bool | None = None
    hands: Mapping[str, int] = field(default_factory=dict)
    guess: str = ""

    @property
    def best(self) -> Worth:
        """The action with the largest value, of those that the reader has seen answers to.

        Among equals the more aggressive action wins, then the smaller size.

        Raises
        ------
        ValueError
            If the adviser says of no action what it is worth.
        """
        known = [each for each in self.acts if each.seen] or self.acts
        if not known:
            raise ValueError("the adviser does not say what actions are worth")
        return max(known, key=lambda each: (each.ev, each.act))

    @property
    def recommended(self) -> tuple[Act, int | None] | None:
        """The best action and what it goes to, or the one that a program names; None where there is neither."""
        if not self.acts:
            return self.advised
        best = self.best
        return best.act, best.to

    @property
    def method(self) -> str:
        """The least exact of the methods by which actions were valued; empty where none was."""
        return max((each.method for each in self.acts), key=METHODS.index, default="")

    @property
    def against(self) -> dict[str, Any] | None:
        """Values against the opponent as the reader knows them, and in an equilibrium; None where there are none."""
        if self.confidence is None:
            return None
        evs, balanced = [each.ev for each in self.acts], [each.balanced for each in self.acts]
        return {"evs": evs, "equilibrium": balanced, "confidence": self.confidence, "risk": self.risk}

    def worth(self, act: Act, to: int | None = None) -> Worth:
        """The value of an action.

        Parameters
        ----------
        to : int, optional
            The total of a bet or raise. It may be left out where there is one amount alone.

        Raises
        ------
        ValueError
            If that action was not valued.
        """
        found = [each for each in self.acts if each.act == act and (act != Act.RAISE or to is None or each.to == to)]
        if len(found) != 1:
            known = ", ".join(_named(each.act, each.to) for each in self.acts) or "none"
            raise ValueError(f"{_named(act, to)}: the values are those of {known}")
        return found[0]

    # ------------------------------------------------------------------------------------ the action that was made

    def judge(self, act: Act, to: int | None = None) -> Self:
        """The verdict on an action that was made: with its `loss`.

        Raises
        ------
        ValueError
            As `worth`.
        """
        return replace(self, made=self.worth(act, to))

    @property
    def rival(self) -> Worth:
        """The action that the one that was made is compared with: the best one, but for folds and calls.

        Where a raise is best, a fold may be compared with the call, and a call with the fold: with the action that is
        certainly better, or else the one with the larger loss. Less is believed of a raise.
        """
        best, made = self.best, self.made
        if made is None or made.act == Act.RAISE or best.act != Act.RAISE:
            return best
        others = [each for each in self.acts if each.act != Act.RAISE and each is not made]
        return max([best, *others], key=self._beside)

    def _beside(self, other: Worth) -> tuple[bool, float]:
        """Whether another action is certainly better than the one that was made, and the loss."""
        assert self.made is not None
        difference = other.ev - self.made.ev
        loss = self._fit_of(other).loss(difference, self.stranger)
        return loss > self._error_of(other, difference), loss

    @property
    def difference(self) -> float:
        """The measured advantage of `rival` over the action that was made.

        The best action is chosen by one half of the deals and measured by the other half, and the reverse: the best of
        several estimates flatters itself.
        """
        if self.made is None or self.made is self.best:
            return 0.0
        if self.halves is None or self.rival is not self.best:
            return self.rival.ev - self.made.ev
        at = self.acts.index(self.made)
        known = [k for k, each in enumerate(self.acts) if each.seen]
        pairs = [
            (some[max(known, key=chosen.__getitem__)], some[at]) for chosen, some in zip(*self.halves, strict=True)
        ]
        return float(sum(best - made for best, made in pairs)) / len(pairs)

    @property
    def kind(self) -> str:
        """The kind of error that the action would be: the one that was made, and its `rival`; empty for none."""
        if self.made is None or self.made is self.best:
            return ""
        return kind_of(self.made.act, self.rival.act)

    @property
    def loss(self) -> float | None:
        """The expected loss of the action that was made against the best one, by all evidence.

        None where no action was made, or the verdict has a `reason_not_judged`.
        """
        if self.made is None or self.reason_not_judged:
            return None
        return self._fit_of(self.rival).loss(self.difference, self.stranger)

    @property
    def loss_error(self) -> float:
        """Half the 95% interval of `loss`."""
        if self.made is None or self.made is self.best:
            return 0.0
        return self._error_of(self.rival, self.difference)

    def _error_of(self, other: Worth, difference: float) -> float:
        assert self.made is not None
        off, noise = self._off(other, self.made), self._noise(other)
        return self._fit_of(other).error(difference, off, noise, self.pot, self.stranger)

    def _noise(self, other: Worth) -> float:
        """Half the interval of a difference as far as more deals would make it smaller; 0 where that is not known."""
        if self.made is None or self.noise is None:
            return 0.0
        return float(self.noise[self.acts.index(other), self.acts.index(self.made)])

    def _fit_of(self, other: Worth) -> Fit:
        """How far the difference of an action and the one that was made is believed."""
        if not self.street or self.made is None:
            return NO_FIT
        return fit_of(_less_exact(self.made, other), self.fixed, self.street, kind_of(self.made.act, other.act))

    @property
    def reason_not_judged(self) -> str:
        """Why an action is not judged; empty where it is."""
        if self.made is not None and not self.made.seen:
            return "nobody has been seen to answer at such a price"
        return f"{self.guess} took a line that hardly anyone takes, so that the range is a guess" if self.guess else ""

    @property
    def noisy(self) -> bool:
        """Whether the deals are much of the error."""
        return self.made is not self.best and self._noise(self.rival) > 0.5 * self.loss_error

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The 95% interval of `loss`; None where that is."""
        return None if self.loss is None else (self.loss - self.loss_error, self.loss + self.loss_error)

    @property
    def p(self) -> float | None:
        """The probability that the best action is worth more than the one that was made; None where `loss` is."""
        if self.loss is None:
            return None
        if not self.loss_error:
            return float(self.loss > 0.0)
        return 0.5 * (1.0 + math.erf(1.96 * self.loss / self.loss_error / math.sqrt(2.0)))

    @property
    def least_loss(self) -> float:
        """The smallest loss that matters: .1 units, and 1% of the pot."""
        return max(LEAST, SHARE * self.pot)

    @property
    def word(self) -> str:
        """The word of the verdict on the action that was made: one of `WORDS`.

        *right*
            It is the best one, or cannot have lost as much as matters.
        *mistake*
            It lost as much as matters, and certainly something; a *big* one 2 units and a tenth of the pot at least.
        *probably a mistake*
            It lost as much as matters with a probability of 80%.
        *cannot tell*
            Anything else.
        *not judged*
            There is a `reason_not_judged`.
        """
        if self.made is None or self.loss is None or self.ci95 is None or self.p is None:
            return "not judged"
        low, high = self.ci95
        if self.made is self.best or high <= self.least_loss:
            return "right"
        if self.loss >= self.least_loss and low > 0.0:
            return "big mistake" if low >= max(_BIG, _BIG_SHARE * self.pot) else "mistake"
        return "probably a mistake" if self.loss >= self.least_loss and self.p >= _PROBABLE else "cannot tell"

    def _off(self, one: Worth, other: Worth) -> float:
        """Half the 95% interval of the difference of two actions."""
        if one is other:
            return 0.0
        if self.errors is None:
            return one.error + other.error
        return float(self.errors[self.acts.index(one), self.acts.index(other)])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        if self.details is not None:
            return dict(self.details)
        told: dict[str, Any] = {"needed": self.needed, "equity": self.equity, "method": self.method}
        if self.made is not None:
            told |= {"word": self.word, "loss": self.loss, "ci95": self.ci95, "p": self.p}
            told |= {"not_judged": self.reason_not_judged, "average": self.average, "hands": dict(self.hands)}
        return {**told, "acts": [each.to_dict() for each in self.acts], "against": self.against}

    def _repr_html_(self) -> str:
        return text_of(self, "html")


def kind_of(made: Act, best: Act) -> str:
    """The kind of error that an action is where another one is best: ``"call for raise"``."""
    return f"{made.name.lower()} for {best.name.lower()}"


def _less_exact(*worths: Worth) -> str:
    return max((each.method for each in worths), key=METHODS.index)


def _named(act: Act, to: int | None) -> str:
    return act.name.lower() + ("" if to is None else f" to {to}")
