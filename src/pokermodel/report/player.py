"""Words about a player beyond the statistics, for the terminal and for the player's page."""

from __future__ import annotations

from pokermodel._support.words import counted
from pokermodel.analysis.exploits import Exploit
from pokermodel.analysis.player import MODEL, PlayerReport, Ranges
from pokermodel.game import SEATS, Act
from pokermodel.learning.differences import Difference, Leak, expected_wrong
from pokermodel.learning.profile import Figure, Sizes
from pokermodel.learning.winnings import Winnings
from pokermodel.reading.tendencies import PreflopTendency

#: Weak hands that an answer may still bet for value.
_BLUFFS = 0.05

__all__ = [
    "amount_words",
    "certainty_words",
    "computed_words",
    "difference_cells",
    "differences_words",
    "exploit_words",
    "exploits_words",
    "finding_rates",
    "finding_words",
    "headline_words",
    "leak_words",
    "place_words",
    "preflop_words",
    "ranges_words",
    "size_cells",
    "statistic_cells",
    "value_words",
    "winnings_words",
]


def certainty_words(probability: float) -> str:
    """A probability near 1, which is never written as 1."""
    return "over 99.9%" if probability > 0.999 else f"{probability:.1%}"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def difference_cells(each: Difference) -> tuple[str, str, str, str, str, str, str, str]:
    """A difference as a row of a table.

    It has the name, the value, its fraction, the expected and the usual value, their difference in percentage points
    with its 95% interval, and on which side of the usual value the player is, how surely.
    """
    side = "above" if each.above >= 0.5 else "below"
    return (
        each.rate.name,
        f"{each.made / each.chances:.1%}",
        f"{each.made:,} / {each.chances:,}",
        f"{each.expected:.1%}",
        f"{each.usual.value:.1%}",
        # of the numbers that are shown, so that they add up
        f"{round(100 * each.expected, 1) - round(100 * each.usual.value, 1):+.1f}",
        f"{_points(each.low)} to {_points(each.high)}",
        f"{side}, {certainty_words(each.certainty)}",
    )


def differences_words(report: PlayerReport) -> str:
    """With whom a player is compared, how many rates were looked at, and what that means for those named."""
    if not report.differences:
        return "There is nobody to compare with: the book has too few others, and of published hands there are none."
    sources = {each.usual.source for each in report.differences}
    book, published = "the other players of the book", "the players of published hand histories"
    whom = book if sources == {"book"} else published if sources == {"published"} else f"{book}, or {published}"
    text = f"Compared with {whom}; {counted(len(report.differences), 'rate')} looked at"
    if not report.sure:
        return f"{text}, of which none differs with a probability of 95% or more."
    if len(report.sure) == 1:
        certainty = 1.0 - expected_wrong(report.sure)
        return f"{text}, of which one differs, with a probability of {certainty_words(certainty)}."
    return (
        f"{text}, of which {len(report.sure)} differ with a probability of 95% or more each. "
        f"{_wrong_words(len(report.sure), expected_wrong(report.sure))}"
    )


def _wrong_words(statements: int, wrong: float) -> str:
    """How many of some statements are to be expected wrong."""
    number = "fewer than 0.01" if wrong < 0.005 else f"{wrong:.2f}"
    return f"Of these {statements}, {number} are to be expected wrong."


def exploit_words(each: Leak) -> tuple[str, str]:
    """The advice with its reason: two sentences."""
    low, high = each.low, each.high
    did = f"{each.rate.name}: {each.made / each.chances:.1%} ({each.made:,} of {each.chances:,})"
    side = "above" if each.above else "below"
    why = (
        f"{did}, to be expected {each.expected:.1%} (95%: {low:.1%} to {high:.1%}); {side} {each.needed:.1%} with a "
        f"probability of {certainty_words(each.certainty)}; {each.arithmetic}."
    )
    return f"{each.advice[0].upper()}{each.advice[1:]}.", why


#: What a rule says of oneself, and what its answer does; a street stands for {}.
_LEAKS = {
    "steal": ("You fold your blinds to steals too often", "Raise from the small blind into their big blind"),
    "isolate": ("You limp too often", "Raise their limps from the big blind"),
    "three_bet": ("You fold your first raise to 3-bets too often", "3-bet their first raise from the big blind"),
    "cbet": ("You fold the {} to continuation bets too often", "Bet the {} as the last raiser"),
    "bluff": ("You fold the {} to bets too often", "Bet the {}"),
    "value": ("You fold the {} to bets too seldom", "Bet the {}"),
    "call": ("You bet and bluff the {} too often", "Call or raise their bets on the {}"),
}


def headline_words(each: Exploit) -> str:
    """The differences of the answer from the usual one: its computed frequencies."""
    rule, _, street = each.key.partition(":")
    does, usually = f"{each.does:.0%}", f"{each.usually:.0%}"
    what = _LEAKS[rule][1].format(street)
    if does == usually:
        return f"{what} as often ({does}), with other hands."
    change, hands = ("more", "") if each.does > each.usually else ("less", "")
    if each.weak_does is not None and each.weak_usually is not None:
        if change == "less" and each.weak_does < _BLUFFS < each.weak_usually:
            hands = ", and only for value"
        elif change == "less" and each.weak_does > each.weak_usually:
            return f"{what} more with weak hands, and less with strong ones: {does} in all instead of {usually}."
        elif change == "more" and each.weak_does > each.weak_usually + _BLUFFS:
            hands = ", also with weak hands"
    return f"{what} {change}{hands}: {does} instead of {usually}."


def leak_words(each: Exploit, unit: str) -> str:
    """A leak, to the player themselves: its cost against an opponent who knows the answer."""
    rule, _, street = each.key.partition(":")
    faced = f" (to a bet of {each.bet:.0%} of the pot)" if each.bet and rule != "call" else ""
    lost = f"it costs {each.gain:.2f} {unit} per 100 hands (95%: {each.low:.2f} to {each.high:.2f})"
    return f"{_LEAKS[rule][0].format(street)}{faced}: {lost} against an opponent who knows it."


def finding_words(report: PlayerReport, *, own: bool = False) -> list[tuple[str, str | None, str]]:
    """The best answers to a player with headlines, gains and reasons, or the player's `own` leaks.

    Headlines follow from answers, where these were worked out; otherwise they follow from arithmetic. A
    difference whose cost was not worked out is no leak.
    """
    unit = "small bets" if report.profile.structure.fixed else "bb"
    if report.exploits is None:
        return [] if own else [(advice, None, why) for advice, why in map(exploit_words, report.leaks.found)]
    if own:
        return [(leak_words(each, unit), _method_words(each), exploit_words(leak)[1]) for leak, each in report.gains]
    return [(headline_words(each), computed_words(each, unit), exploit_words(leak)[1]) for leak, each in report.gains]


def finding_rates(report: PlayerReport, *, own: bool = False) -> list[str]:
    """The key of the rate on which each of `finding_words` rests."""
    if report.exploits is None:
        return [] if own else [each.rate.key for each in report.leaks.found]
    return [leak.rate.key for leak, _ in report.gains]


def computed_words(each: Exploit, unit: str) -> str:
    """The gain and the cost of an answer, in `unit`, and the method."""
    cost = f"costs {each.cost:.2f}" if each.cost >= 0.005 else "costs nothing"
    worst = "" if each.risk is None else f", at worst {each.risk:.2f}"
    gain = f"Gains {each.gain:+.2f} {unit} per 100 hands (95%: {each.low:+.2f} to {each.high:+.2f})"
    return f"{gain}; {cost} if they are as others are{worst}. {_method_words(each)}"


def _method_words(each: Exploit) -> str:
    """How an answer was found, and what it does."""
    what = "calls or raises" if each.key.startswith("call") else "bets or raises"
    often = f"the answer {what} {each.does:.0%} of the time, the usual one {each.usually:.0%}"
    at = f"at {each.spots:.1f} spots in 100 hands"
    if each.method != "solved":
        return f"Played out with {counted(each.samples, 'holding')}, {at}: {often}."
    boards = counted(each.samples, each.key.partition(":")[2])
    text = f"Solved on {boards}, {at}: {often}; confidence in what they do {each.confidence:.0%}."
    return text if each.confidence else f"{text} The reader has not learnt this player's acts: it has no answer yet."


def exploits_words(report: PlayerReport) -> str:
    """How many rules were looked at, and what the advice goes by."""
    found = report.leaks
    text = f"{counted(found.looked_at, 'rule')} looked at"
    if not found.found:
        return f"{text}: nothing is sure by 95%."
    if report.exploits is not None:
        number = len(report.exploits)
        return (
            f"{text}, {counted(number, 'answer')} worked out; those that gain by 95% are shown, the largest gain first"
            f" ({len(report.gains)} of {number}; of rules with one answer the best)."
        )
    return (
        f"{text}; each advice needs a rate on its side of a number and of the usual rate. The probability of that is "
        "95% or more, both by the player's own hands alone and with the usual rate as a prior. "
        f"{_wrong_words(len(found.found), expected_wrong(found.found))} Rates are of all pots, "
        "whatever the number of players and the size of the bet; advice is for pots in which the player is the only "
        "opponent left."
    )


def ranges_words(ranges: Ranges) -> str:
    """Where ranges are from."""
    of = (
        "by what the book has taught it of this player"
        if ranges.known
        else "which has learnt nothing of this player from the book: they are those of anybody"
    )
    return f"As the reader '{MODEL}' forecasts them, {of}; game: {ranges.game}."


def place_words(position: str) -> str:
    """A position as it stands in a sentence: ``"the button"`` in limit, ``"BTN"`` elsewhere."""
    return position if position in SEATS else f"the {position}"


def preflop_words(each: PreflopTendency) -> str:
    """A player's actions in a position, in a line."""
    fold, call, up = each.acts.tolist()
    if each.raiser is None:
        text = f"first in: raises {up:.1%}, calls {call:.1%}, folds {fold:.1%}"
    else:
        text = (
            f"after a raise from {place_words(each.raiser)}: calls {call:.1%}, raises again {up:.1%}, folds {fold:.1%}"
        )
    if each.others is None:
        return text
    return f"{text} (an unknown player: raises {each.others[Act.RAISE]:.1%}, calls {each.others[Act.CALL]:.1%})"


def winnings_words(winnings: Winnings) -> list[str]:
    """Say what a player won, what they paid of the rake, and what all-ins were worth."""
    unit = winnings.unit
    won = "Lost" if winnings.net < 0 else "Won"
    lines = [f"{won} {abs(winnings.net):,.6g} {unit} after a rake of {winnings.rake:,.4g}."]
    if winnings.unstated_rakes:
        lines.append(f"The rake of {counted(winnings.unstated_rakes, 'hand')} is not stated: they count before it.")
    if not (winnings.all_ins or winnings.unknown_all_ins):
        lines.append("No all-in had cards to come, so that all-in EV is what was won.")
    else:
        unknown = winnings.unknown_all_ins
        without = f" ({unknown:,} with cards that are not known count with what was won)" if unknown else ""
        lines.append(
            f"With the equity of {counted(winnings.all_ins, 'all-in')}{without} when the last money went in:"
            f" {winnings.all_in_ev:+,.6g}, exact over all boards."
        )
    lines.append("What is won in tournaments is chips, not prizes (no ICM).")
    return lines


def value_words(statistic: Figure, number: float | None, digits: int = 1) -> str:
    """A value of a statistic: a share, a ratio, or what was won."""
    if number is None:
        return "n/a"
    return (
        f"{number:.{digits}%}"
        if statistic.percent
        else f"{number:.2f}"
        if statistic.shown == "ratio"
        else f"{number:+.3f}"
    )


def amount_words(number: float) -> str:
    """A count in full; what is no whole number to six digits, or to the whole number."""
    return f"{number:,d}" if isinstance(number, int) else f"{number:,.6g}" if abs(number) < 1e5 else f"{number:,.0f}"


def _interval(statistic: Figure) -> str:
    if statistic.low is None and statistic.high is None:
        return ""
    low = value_words(statistic, statistic.low or 0.0)
    return f"{low} or more" if statistic.high is None else f"{low} to {value_words(statistic, statistic.high)}"


def statistic_cells(statistic: Figure) -> tuple[str, str, str, str]:
    """Return name, value, 95% interval and what the value is made of, as text."""
    made = f"{amount_words(statistic.numerator)} / {amount_words(statistic.denominator)}"
    return statistic.name, value_words(statistic, statistic.value), _interval(statistic), made


def size_cells(sizes: Sizes) -> tuple[str, str, str, str, str]:
    """Return name, median with its unit, its 95% interval, number of bets and share of all-ins, as text."""
    return (
        sizes.name,
        "" if sizes.median is None else f"{sizes.median:.4g} {sizes.unit}",
        "" if sizes.low is None else f"{sizes.low:.4g} to {sizes.high:.4g}",
        f"{sizes.all_in.denominator:,}",
        "" if sizes.all_in.value is None else f"{sizes.all_in.value:.0%}",
    )
