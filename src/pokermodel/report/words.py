"""What terminals and pages say in words alike: acts, amounts, advice, what the tables know, how large ranges are."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pokermodel._support.words import counted
from pokermodel.analysis.range import composition, range_share, top_hands
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS
from pokermodel.report.facts import fact_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pokermodel.analysis.hand import HandReport, Moment, Step
    from pokermodel.game import Decision, Hand, Situation
    from pokermodel.reading.reader import Fact
    from pokermodel.weights import WeightTable

__all__ = [
    "FigureTable",
    "act_words",
    "advice_words",
    "amount",
    "amount_in_bets",
    "cards_note",
    "composition_words",
    "correction_note",
    "facing_words",
    "game_words",
    "moment_words",
    "money_words",
    "range_lines",
    "range_words",
    "said_of",
]


class FigureTable(NamedTuple):
    """A table of figures as text: its first column names the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def amount(hand: Hand, chips: float, sign: str = "") -> str:
    """Chips as the source counts them: in its money, or as they are.

    Parameters
    ----------
    hand : Hand
        Says what a chip is worth.
    chips : float
        How many.
    sign : {"", "+"}
        Whether a plus sign is written, too.
    """
    money = float(Fraction(chips) * Fraction(hand.unit))
    return f"{money:{sign}.2f}" if hand.unit != 1 and not money.is_integer() else f"{money:{sign}.12g}"


def amount_in_bets(hand: Hand, chips: float, sign: str = "") -> str:
    """Return `amount`, and the same in small bets or, where bets have sizes, in big blinds."""
    unit = "sb" if hand.spec.structure.fixed else "bb"
    return f"{amount(hand, chips, sign)} ({chips / hand.spec.small_bet:{sign}.4g} {unit})"


def money_words(hand: Hand) -> str:
    """Return what the pot was, what went back of it, and what the site took or that it does not say so."""
    words = [f"pot {amount_in_bets(hand, hand.pot_chips)}"]
    if back := sum(hand.uncalled_chips):
        words.append(f"uncalled {amount(hand, back)}")
    if hand.added:
        words.append(f"added by the site {amount(hand, hand.added)}")
    rake = hand.rake_chips
    words.append("rake not stated: results are before it" if rake is None else f"rake {amount(hand, rake)}")
    if not hand.currency:
        words.append("in chips, whatever a tournament pays for them (no ICM)")
    return ", ".join(words)


def act_words(hand: Hand, decision: Decision) -> tuple[str, str]:
    """Return what was done, as at the table, and how much: ``("raises", " to 30")``, ``("folds", "")``."""
    if decision.name == "raise" and decision.to is not None:
        much = f" to {amount(hand, decision.to)}"
    else:
        much = f" {amount(hand, decision.put_in)}" if decision.put_in else ""
    return f"{decision.name}s", much


def said_of(facts: Iterable[Fact], decision: Decision) -> list[tuple[str, str]]:
    """Return facts of an act in words, by the names of acts there and, where bets have sizes, by what was faced.

    Parameters
    ----------
    facts : iterable of Fact
    decision : Decision
        The act that they are about.

    Returns
    -------
    list of (str, str)
        The kind and the line of each.
    """
    facing = None if decision.spec.structure.fixed else facing_words(decision.situation)
    return fact_lines(facts, decision.situation.act_names, facing)


def facing_words(situation: Situation) -> str:
    """Return what somebody faces where bets have sizes: ``"pre-flop, facing a 3-bet"``, ``"turn, nothing to call"``."""
    bets, street = situation.num_bets, ROUNDS[situation.round]
    if not situation.to_call:
        return f"{street}, nothing to call"
    first, second = ("the blind", "an open") if situation.round == 0 else ("a bet", "a raise")
    return f"{street}, facing {first if bets <= 1 else second if bets == 2 else f'a {bets}-bet'}"


def range_words(table: WeightTable, most: int = 5) -> str:
    """Return how wide a range is, and what is likeliest in it: ``"37 % of hands, most like AK AQ KK"``."""
    share = range_share(table)
    return f"{share:.0%} of hands, most like {' '.join(name for name, _ in top_hands(table, most))}"


def composition_words(table: WeightTable, board: tuple[int, ...], least: float = 0.015) -> str:
    """Return what a range makes with a board, strongest first, leaving out what is less than a share of it."""
    return ", ".join(f"{name} {share:.0%}" for name, share in composition(table, board) if share >= least)


def moment_words(hand: Hand, moment: Moment) -> dict[str, Any]:
    """What lies on the table at a moment of a hand: amounts in the money of the source, and what was done in words."""
    done = moment.decision
    words = (
        "the hand is over" if moment.over else "blinds are posted" if done is None else "".join(act_words(hand, done))
    )
    return {
        "round": moment.round,
        "board": cards_text(moment.board),
        "seat": None if done is None else done.seat,
        "words": words,
        "over": moment.over,
        "pot": amount_in_bets(hand, moment.pot),
        "bets": [amount(hand, chips) if chips and not moment.over else "" for chips in moment.bets],
        "stacks": [None if chips is None else amount(hand, chips) for chips in moment.stacks],
        "folded": moment.folded,
        "all_in": moment.all_in,
    }


def game_words(hand: Hand) -> str:
    """Return the game and its stakes: ``"limit hold'em 10-20 USD"``."""
    small, big = (amount(hand, float(stake)) for stake in hand.spec.stakes)
    return f"{str(hand.spec.structure).replace(' ', '-')} hold'em {small}-{big} {hand.currency}".rstrip()


def advice_words(step: Step, player: str) -> str | None:
    """Return what the hero should do, and why; None where nobody advises.

    Parameters
    ----------
    step : Step
        The hero's act.
    player : str
        Their name, as it is to be written.
    """
    if (said := step.recommendation) is None:
        return None
    return f"In {player}'s place, {step.adviser} would {said.name} ({said.reason})"


def cards_note(report: HandReport, hero: str) -> str:
    """Return which of the cards that are known are used in the tables.

    Parameters
    ----------
    report : HandReport
        The report.
    hero : str
        The name of its hero, as it is to be written.
    """
    if report.sees_hero:
        return f"The tables of the other players rule out {hero}'s cards; the other cards above are not used in them."
    return "The cards above are compared with the tables, but not used in them."


def correction_note(report: HandReport) -> str | None:
    """Return whether the tables are corrected; None where nothing is to be corrected."""
    if (found := report.calibration) is None:
        return None
    hands = found["hands"]
    if not hands:
        return "Tables are not corrected, since there is no earlier hand to learn from: they are likely far too sure."
    earlier = counted(hands, "earlier hand")
    if not report.corrected:
        return f"Forecasts are corrected by {earlier}, tables are not, since no holding was shown."
    powers = ", ".join(f"{name} {exponent:.2f}" for name, exponent in found["table_exponents"].items())
    return f"Tables are corrected by {earlier}: weights to the power of {powers}."


def range_lines(summary: dict[str, Any]) -> list[str]:
    """Say in words what `range_summary` found."""
    holdings, live, share = summary["holdings"], summary["live_holdings"], summary["share"]
    counts = f"{holdings:,} of {live:,} holdings in {summary['classes']} of {summary['live_classes']} classes"
    weighted = summary["weighted_holdings"]
    if share is None:
        lines = [counts]
    elif abs(weighted - holdings) < 1e-9 * max(holdings, 1):
        lines = [f"{counts}: {share:.2%}"]
    else:
        lines = [f"{counts}, by weight {weighted:,.6g}: {share:.2%}"]
    if summary["dead"]:
        lines.append(f"without {summary['dead']}")
    return lines
