"""How facts of a step are put into words.

Everything that is shown of a step beyond the tables comes from `Step.facts`: terminal, JSON and all other forms of a
report cannot disagree. A reader adds facts of its own; the kinds it may use are those of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pokermodel.reading.expectation import Fact
from pokermodel.worth.continuing import Continuing
from pokermodel.worth.worth import SURE

__all__ = ["KINDS", "chance_words", "continuing_words", "error_words", "fact_lines", "rough"]


def _acts(fact: Fact, names: Iterable[str] = ("fold", "call", "raise")) -> str:
    """Probabilities of acts, by the names that they have here; nobody folds where they can check."""
    told = [(name, p) for name, p in zip(names, fact.value, strict=True)]
    shown = told[1:] if told[1][0] == "check" and not told[0][1] else told
    return f"{fact.label}: {', '.join(f'{name} {p:.2f}' for name, p in shown)}"


def _threshold(fact: Fact) -> str:
    value = fact.value
    mu, sigma, unit = value["mu"], value["sigma"], value["unit"]
    if unit == "milli-bets":
        return f"threshold: mu {mu:+.0f}, sigma {sigma:.0f} milli-bets (top {1 - value['percentile']:.0%})"
    return f"threshold: mu {mu:.2f}, sigma {sigma:.2f} ({unit})"


def _borders(fact: Fact) -> str:
    """Where acts change, in words: from the lower border on sometimes, above the upper one as a rule."""
    value = fact.value
    form = "+.0f" if value["unit"] == "milli-bets" else ".2f"
    text = f"raises sometimes from {value['min_raise']:{form}}, mostly from {value['raise']:{form}}"
    if value["facing"]:
        text += f"; calls sometimes from {value['min_call']:{form}}, mostly from {value['call']:{form}}"
    return f"{text} ({value['unit']})"


def _judgement(fact: Fact) -> str:
    value = fact.value
    probability = value["probability"]
    times = chance_words(probability, value["uniform"])
    return f"{fact.label} {value['holding']}: {probability:.2%}, {times}, rank {value['rank']:,}"


def _beside_others(fact: Fact) -> str:
    value = fact.value
    return f"{fact.label} {value['act']}s {value['times']:.2f} times as often as an unknown player here would"


def _speaks_for(fact: Fact) -> str:
    value = fact.value
    times = value["times"]
    more = f"{times:.1f} times likelier" if times >= 1 else f"{1 / times:.1f} times less likely"
    return (
        f"{fact.label} {value['act']} is {more} with {value['holdings']} (before it {value['share']:.0%} of the range)"
    )


def _size(fact: Fact) -> str:
    value = fact.value
    return (
        f"the {value['act']} adds {value['of_pot']:.2f} of the pot to a call: more than {value['larger_than']:.0%} of"
        " this player's here"
    )


def _price(fact: Fact) -> str:
    value = fact.value
    asked = "can check"
    if value["to_call"]:
        call, pot = (value[key] / value["big_blind"] for key in ("to_call", "pot"))
        asked = f"can call {call:.4g} bb into {pot:.4g}, which needs {value['needed']:.1%} of the pot"
    if found := value.get("continuing"):
        return "; ".join([f"{fact.label} {asked}", *continuing_words(Continuing(**found))])
    error = error_words(value["equity_standard_error"])
    text = f"{fact.label} {asked}; their hand has {value['equity']:.1%}{error} if nobody bets any more"
    if len(value["equity_against"]) > 1:
        alone = ", ".join(f"{name} {share:.1%}" for name, share in value["equity_against"].items())
        text += f" (alone against {alone})"
    return text


def rough(value: float) -> str:
    """Write a figure with two digits, the rest being unknown."""
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}"


def chance_words(probability: float, uniform: float) -> str:
    """How much likelier a range makes the true cards than knowing nothing does: ``"3.5 x chance"``."""
    return f"{rough(probability / uniform)} x chance"


def error_words(standard_error: float) -> str:
    """Half the 95% interval of an equity that was drawn: ``" ± 0.9%"``; nothing below half a per cent."""
    return f" ± {SURE * standard_error:.1%}" if SURE * standard_error >= 0.005 else ""


def continuing_words(found: Continuing) -> list[str]:
    """Who is left after the hero, how often they all fold, and the hero's equity against those who continue."""
    words = []
    if found.left:
        fold = "who folds" if found.left == 1 else "who all fold"
        words.append(f"{found.left} left to answer, {fold} {found.all_fold:.1%} of the time")
    if found.equity is not None:
        words.append(f"has {found.equity:.1%} against those who continue")
    return words


#: How a fact of each kind is written. "number" has three decimals, "share" is a percentage.
KINDS: Mapping[str, Callable[[Fact], str]] = {
    "text": lambda fact: f"{fact.label} {fact.value}".strip(),
    "number": lambda fact: f"{fact.label} {fact.value:.3f}",
    "count": lambda fact: f"{fact.value:,} {fact.label}",
    "share": lambda fact: f"{fact.label} {fact.value:.1%}",
    "context": lambda fact: f"{fact.label}: {fact.value['words']}",
    "acts": _acts,
    "threshold": _threshold,
    "borders": _borders,
    "judgement": _judgement,
    "beside_others": _beside_others,
    "speaks_for": _speaks_for,
    "size": _size,
    "price": _price,
}


def fact_lines(
    facts: Iterable[Fact], acts: Iterable[str] = ("fold", "call", "raise"), facing: str | None = None
) -> list[tuple[str, str]]:
    """Facts in words: the kind and the line of each.

    Raises `ValueError` if a fact is of an unknown kind.

    Parameters
    ----------
    acts : iterable of str
        The names of fold, call and raise here: ``"check"`` and ``"bet"`` without anything to call.
    facing : str, optional
        The situation of the player, in place of the reader's context.
    """
    lines = []
    for fact in facts:
        if fact.kind not in KINDS:
            raise ValueError(f"fact {fact.key!r} is of unknown kind {fact.kind!r}: expected one of {', '.join(KINDS)}")
        if fact.kind == "acts":
            line = _acts(fact, acts)
        elif fact.kind == "context" and facing is not None:
            line = facing
        else:
            line = KINDS[fact.kind](fact)
        lines.append((fact.kind, line))
    return lines
