"""Where a player differs from others, how sure that is, and what exploits it.

A player's rate is estimated by Bayes' rule. The prior is the distribution of other players' rates
(`pokermodel.learning.rates.UsualRate`), the evidence is binomial, and so the posterior is a beta distribution. Many
rates are compared. Each reported difference has a probability of 95% or more, and the sum of their error probabilities
is the expected number of false reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pokermodel._support.beta import beta_below, beta_quantile
from pokermodel.game import ROUNDS
from pokermodel.learning.profile import Profile
from pokermodel.learning.rates import Rate, UsualRate, rates

__all__ = [
    "LEAST_CHANCES",
    "SURE",
    "Belief",
    "Difference",
    "Leak",
    "Leaks",
    "compare",
    "expected_wrong",
    "leaks_of",
]

#: The probability from which on something is said.
SURE = 0.95
#: Chances of a rate from which on it is asked what exploits it.
LEAST_CHANCES = 10
_JEFFREYS = (0.5, 0.5)


class Belief(NamedTuple):
    """The belief about a player's rate: a beta distribution.

    Attributes
    ----------
    a, b : float
        Its parameters.
    """

    a: float
    b: float

    @classmethod
    def of(cls, made: int, chances: int, usual: UsualRate | None) -> Belief:
        """After what a player did; without anything usual the belief before is Jeffreys' (1946)."""
        a, b = _JEFFREYS if usual is None else usual.prior
        return cls(a + made, b + chances - made)

    @property
    def mean(self) -> float:
        """The rate that is to be expected."""
        return self.a / (self.a + self.b)

    def above(self, rate: float) -> float:
        """The probability that it is above a number."""
        return 1.0 - beta_below(rate, self.a, self.b)

    @property
    def interval(self) -> tuple[float, float]:
        """In which it lies with 95%."""
        return beta_quantile(0.025, self.a, self.b), beta_quantile(0.975, self.a, self.b)


class Difference(NamedTuple):
    """A player's rate beside that of others.

    Attributes
    ----------
    rate : Rate
        Which.
    made, chances : int
        How often the player did it, and could have.
    usual : UsualRate
        The usual rate.
    difference : float
        By how much the player's rate is above the usual one, as is to be expected.
    low, high : float
        A 95% interval of that.
    above : float
        The probability that the player's rate is above the usual one.
    """

    rate: Rate
    made: int
    chances: int
    usual: UsualRate
    difference: float
    low: float
    high: float
    above: float

    @property
    def expected(self) -> float:
        """The player's rate, as is to be expected: between what they did and what is usual."""
        return self.usual.value + self.difference

    @property
    def certainty(self) -> float:
        """The probability that the player differs in the direction that is more probable."""
        return max(self.above, 1 - self.above)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "name": self.rate.name,
            "numerator": self.made,
            "denominator": self.chances,
            "value": self.made / self.chances,
            "usual": self.usual.value,
            "usual_of": self.usual.source,
            "usual_players": self.usual.players,
            "expected": self.expected,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "probability_above": self.above,
            "sure": self.certainty >= SURE,
        }


def compare(profile: Profile, usual: Mapping[str, UsualRate]) -> tuple[Difference, ...]:
    """Compare a player with the usual rates of `Population.usual`, where there was a chance.

    The differences stand in the order of `rates`.
    """
    found = []
    for rate in rates(profile.structure):
        made, chances = rate.counts(profile.totals)
        if not chances or (beside := usual.get(rate.key)) is None:
            continue
        belief = Belief.of(made, chances, beside)
        low, high = belief.interval
        found.append(
            Difference(
                *(rate, made, chances, beside, belief.mean - beside.value),
                *(low - beside.value, high - beside.value, belief.above(beside.value)),
            )
        )
    return tuple(found)


def expected_wrong(found: Iterable[Difference | Leak]) -> float:
    """How many of some statements are to be expected wrong: the sum of the probabilities that each is."""
    return sum(1 - each.certainty for each in found)


# ---------------------------------------------------------------------------------------------- what exploits it


class Leak(NamedTuple):
    """A difference that can be exploited: advice against a player that follows from a rate, by arithmetic.

    Attributes
    ----------
    key : str
        Its subject.
    advice : str
        The advice.
    arithmetic : str
        Why: what is risked for what, and how often it has to succeed.
    rate : Rate
        Its evidence.
    made, chances : int
        How often the player did it, and could have.
    above : bool
        Whether the rate has to be above `needed`, or below.
    needed : float
        The rate at which what is advised is neither good nor bad.
    expected, low, high : float
        The player's rate: what is to be expected, and a 95% interval.
    certainty : float
        The probability that the rate is on that side of `needed` and of the usual rate: the smaller one of that with
        the usual rates as a prior, and that by what the player did alone.
    """

    key: str
    advice: str
    arithmetic: str
    rate: Rate
    made: int
    chances: int
    above: bool
    needed: float
    expected: float
    low: float
    high: float
    certainty: float

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "key": self.key,
            "advice": self.advice,
            "arithmetic": self.arithmetic,
            "statistic": self.rate.key,
            "name": self.rate.name,
            "numerator": self.made,
            "denominator": self.chances,
            "value": self.made / self.chances,
            "side": "above" if self.above else "below",
            "needed": self.needed,
            "expected": self.expected,
            "low": self.low,
            "high": self.high,
            "certainty": self.certainty,
        }


class _Case(NamedTuple):
    """One of several sizes, or pots, that a rule can be about, and the rate that it takes; None: the usual rate."""

    advice: str
    arithmetic: str
    needed: Fraction | None


class _Rule(NamedTuple):
    """What a rate being above or below something is good for.

    The cases are in the order of strength: the first certain one is reported.
    """

    key: str
    rate: str
    above: bool
    cases: tuple[_Case, ...]


#: Bets as fractions of the pot, large ones first, and pots in bets, small ones first.
_SIZES = (
    (Fraction(1), "the pot"),
    (Fraction(2, 3), "2/3 of the pot"),
    (Fraction(1, 2), "half of the pot"),
    (Fraction(1, 3), "1/3 of the pot"),
)
_POTS = (2, 3, 4, 6)


def _share(part: Fraction) -> str:
    return f"{float(part):.1%}"


def _bluffs(street: str, limit: bool, what: str) -> tuple[_Case, ...]:
    """Bets with any two cards that gain by folds alone."""
    if limit:
        return tuple(
            _Case(
                f"{what} with any two cards in pots of {pot} bets or more",
                f"a bet into {pot} risks 1 to win {pot}: it gains by folds alone if they fold more often than "
                f"{_share(Fraction(1, 1 + pot))}",
                Fraction(1, 1 + pot),
            )
            for pot in _POTS
        )
    return tuple(
        _Case(
            f"{what} with any two cards for up to {name}",
            f"a bet of {name} risks {size.numerator} to win {size.denominator}: it gains by folds alone if they fold "
            f"more often than {_share(size / (1 + size))}",
            size / (1 + size),
        )
        for size, name in _SIZES
    )


def _calls() -> tuple[_Case, ...]:
    """Calls on the river in limit with hands that beat nothing but a bluff."""
    return tuple(
        _Case(
            f"call their bets on the river with hands that beat a bluff alone, in pots of {pot} bets or more",
            f"a call risks 1 to win {pot + 1}: it gains if they bluff more often than {_share(Fraction(1, pot + 2))}",
            Fraction(1, pot + 2),
        )
        for pot in _POTS
    )


def _before_flop(limit: bool) -> tuple[_Rule, _Rule]:
    again, risked = (Fraction(6, 13), "3 small bets") if limit else (Fraction(2, 3), "9 big blinds")
    first = _Case(
        "raise every hand from the small blind when all others have folded to their big blind",
        "with blinds of 1/2 and 1 small bet a raise to 2 risks 1.5 to win 1.5"
        if limit
        else "a raise to 2.5 big blinds risks 2 to win 1.5",
        Fraction(1, 2) if limit else Fraction(4, 7),
    )
    second = _Case(
        "raise their first raise with any two cards when all others have folded",
        f"a raise to {risked}, from outside the blinds, risks {risked[0]} to win their {2 if limit else 3} and "
        "the blinds of 1.5",
        again,
    )
    gains = "it gains by folds alone if they fold more often than"
    steal, three_bet = (
        each._replace(arithmetic=f"{each.arithmetic}: {gains} {_share(each.needed)}")
        for each in (first, second)
        if each.needed is not None
    )
    return (
        _Rule("steal", "fold_to_steal", True, (steal,)),
        _Rule("three_bet", "fold_to_three_bet", True, (three_bet,)),
    )


def _rules(limit: bool) -> tuple[_Rule, ...]:
    found = [*_before_flop(limit)]
    for street in ROUNDS[1:3]:
        what = f"as the last raiser, bet the {street}"
        found.append(_Rule(f"cbet:{street}", f"fold_to_cbet:{street}", True, _bluffs(street, limit, what)))
    for street in ROUNDS[1:]:
        what = f"bet the {street}"
        found.append(_Rule(f"bluff:{street}", f"fold_to_bet:{street}", True, _bluffs(street, limit, what)))
    for street in ROUNDS[1:]:
        advice = f"bet the {street} for value with more hands, and bluff less"
        found.append(_Rule(f"value:{street}", f"fold_to_bet:{street}", False, _beside_others(advice, "fold", "less")))
    found.append(_Rule("isolate", "limp", True, _beside_others("raise their limps with more hands", "limp", "more")))
    if limit:
        found.append(_Rule("call:river", "shown_bluff", True, _calls()))
    else:
        advice = "call their bets on the river with more hands"
        found.append(_Rule("call:river", "afq:river", True, _beside_others(advice, "bet and raise", "more")))
    return tuple(found)


def _beside_others(advice: str, what: str, how: str) -> tuple[_Case]:
    """What no arithmetic decides: a difference, whose gain a solution or a play-out has to show."""
    return (_Case(advice, f"they {what} {how} often than others", None),)


class Leaks(NamedTuple):
    """The rules that exploit a player, as far as they are certain.

    Attributes
    ----------
    found : tuple of Leak
        Those that are sure.
    looked_at : int
        Of how many rules the player had enough chances.
    """

    found: tuple[Leak, ...]
    looked_at: int


def leaks_of(profile: Profile, usual: Mapping[str, UsualRate]) -> Leaks:
    """Find what exploits a player, by arithmetic; of each rule the strongest case that is sure.

    Parameters
    ----------
    usual : mapping of str to UsualRate
        As of `compare`.

    Returns
    -------
    Leaks
        The rate is beyond what the rule takes and on the same side of the usual rate, surely each, both with the
        usual rates as a prior and by what the player did alone: what everybody does is no leak of one player. What
        gains by folds alone supposes that the player is the only opponent left.
    """
    by_key = {rate.key: rate for rate in rates(profile.structure)}
    found, looked_at = [], 0
    for rule in _rules(profile.structure.fixed):
        rate = by_key[rule.rate]
        made, chances = rate.counts(profile.totals)
        if chances < LEAST_CHANCES:
            continue
        looked_at += 1
        beside = usual.get(rule.rate)
        belief, alone = Belief.of(made, chances, beside), Belief.of(made, chances, None)
        for case in rule.cases:
            if case.needed is None and beside is None:
                continue
            needed = beside.value if case.needed is None and beside is not None else float(case.needed or 0)
            worst = needed if beside is None else (max if rule.above else min)(needed, beside.value)
            above = [each.above(worst) for each in (belief, alone)]
            certainty = min(above) if rule.above else 1 - max(above)
            if certainty >= SURE:
                found.append(
                    Leak(
                        *(rule.key, case.advice, case.arithmetic, rate, made, chances, rule.above, needed),
                        *(belief.mean, *belief.interval, certainty),
                    )
                )
                break
    return Leaks(tuple(found), looked_at)
