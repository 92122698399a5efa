"""Words shared by terminals and pages: actions, amounts, advice, knowledge in tables, widths of ranges."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Any, NamedTuple

from pokermodel._support.words import counted
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS
from pokermodel.game.places import money_of
from pokermodel.report.facts import continuing_words, error_words, fact_lines, rough

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pokermodel.analysis.hand import HandReport, StepFindings
    from pokermodel.analysis.moments import Moment
    from pokermodel.analysis.range import RangeShape
    from pokermodel.analysis.step import Step
    from pokermodel.game import Decision, Hand, Situation
    from pokermodel.reading.expectation import Fact
    from pokermodel.reading.width import Width
    from pokermodel.worth.continuing import Continuing
    from pokermodel.worth.price import Price
    from pokermodel.worth.worth import Verdict, Worth

__all__ = [
    "METHOD_WORDS",
    "FigureTable",
    "about_words",
    "act_words",
    "advice_words",
    "amount",
    "amount_in_bets",
    "cards_note",
    "composition_words",
    "correction_note",
    "cost_words",
    "effort_words",
    "facing_words",
    "game_words",
    "headline",
    "in_bets",
    "judged_words",
    "likeliest",
    "moments_words",
    "money_words",
    "price_words",
    "range_lines",
    "range_words",
    "said_of",
    "share_words",
    "size_words",
    "span_words",
    "verdict_words",
    "width_words",
    "worth_rows",
]


class FigureTable(NamedTuple):
    """A table of figures as text: its first column names the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def amount(hand: Hand, chips: float, sign: str = "") -> str:
    """Chips as the source counts them: in its money, or as they are."""
    money = money_of(chips, hand.unit)
    return f"{money:{sign}.12g}" if money.is_integer() else f"{money:{sign}.2f}"


def amount_in_bets(hand: Hand, chips: float, sign: str = "") -> str:
    """Return `amount`, and the same in small bets or, where bets have sizes, in big blinds."""
    return amount(hand, chips, sign) + in_bets(hand, chips, sign)


def in_bets(hand: Hand, chips: float, sign: str = "") -> str:
    """Return what `amount_in_bets` has behind the amount."""
    unit = "sb" if hand.spec.structure.fixed else "bb"
    bets = chips / hand.spec.small_bet
    many = abs(bets) >= 9999.5  # which four digits would write as a power of ten
    return f" ({bets if many else round(bets, 4):{sign}.{0 if many else 4}{'f' if many else 'g'}} {unit})"


def money_words(hand: Hand) -> str:
    """Return what the pot was, what went back of it, and what the site took or that it does not say so."""
    words = [f"pot {amount_in_bets(hand, hand.pot_chips)}"]
    if back := sum(hand.uncalled_chips):
        words.append(f"uncalled {amount(hand, back)}")
    if hand.added:
        words.append(f"added by the site {amount(hand, hand.added)}")
    rake = hand.rake_chips
    words.append("rake not stated (results are before it)" if rake is None else f"rake {amount(hand, rake)}")
    return ", ".join(words) + ("" if hand.currency else "; in chips, not in prizes (no ICM)")


def act_words(hand: Hand, decision: Decision) -> tuple[str, str]:
    """Return what was done, as at the table, and how much: ``("raises", " to 30")``, ``("folds", "")``."""
    if decision.name == "raise" and decision.to is not None:
        much = f" to {amount(hand, decision.to)}"
    else:
        much = f" {amount(hand, decision.put_in)}" if decision.put_in else ""
    return f"{decision.name}s", much


def said_of(facts: Iterable[Fact], decision: Decision) -> list[tuple[str, str]]:
    """Return facts of an act in words, by the names of acts there and, where bets have sizes, by what was faced."""
    facing = None if decision.spec.structure.fixed else facing_words(decision.situation)
    return fact_lines(facts, decision.situation.act_names, facing)


def facing_words(situation: Situation) -> str:
    """Return what somebody faces where bets have sizes: ``"pre-flop, facing a 3-bet"``, ``"turn, nothing to call"``."""
    bets, street = situation.num_bets, ROUNDS[situation.round]
    if not situation.to_call:
        return f"{street}, nothing to call"
    first, second = ("the blind", "an open") if situation.round == 0 else ("a bet", "a raise")
    return f"{street}, facing {first if bets <= 1 else second if bets == 2 else f'a {bets}-bet'}"


def share_words(share: float) -> str:
    """Return a share as a percentage, of less than one per cent with a decimal."""
    return f"{share:.0%}" if share >= 0.01 else f"{share:.1%}"


def width_words(width: Width | None, preflop: bool, made: str = "") -> str:
    """Return how wide a range is: ``"26% of hands (usual 23%) · 345 combos"``.

    After the flop it begins with the share of the hands that reached this point; then comes what the range has `made`,
    and the share of all hands last.
    """
    if width is None:
        return "any two cards"
    if width.guessed:
        return "a line hardly anyone takes: the range is a guess"
    combos = f"{width.combos:.0f} combos{f': {made}' if made else ''}"
    if preflop:
        share, usual = share_words(width.share), "" if width.usual_share is None else share_words(width.usual_share)
        return f"{share} of hands{f' (usual {usual})' if usual not in ('', share) else ''} · {combos}"
    here, all_hands = share_words(width.share_here), share_words(width.share)
    return f"{here} of what reached this point · {combos} · ({all_hands} of all hands)"


def range_words(width: Width | None, shape: RangeShape | None, most: int = 5) -> str:
    """Return how wide a range is and what is in it: before the flop the likeliest hands, later what they make."""
    if shape is None:
        return "no holding is left in the table"
    if shape.composition:
        return width_words(width, False, composition_words(shape))
    words = width_words(width, True)
    return words if width is None or width.guessed else f"{words}, most like {likeliest(shape, most)}"


def likeliest(shape: RangeShape, most: int = 5) -> str:
    """Return the likeliest hands of a range: ``"AK AQ KK"``."""
    return " ".join(name for name, _ in shape.tops[:most])


def composition_words(shape: RangeShape) -> str:
    """Return what a range makes with a board, strongest first: ``"71% full house or better, 29% air"``."""
    return ", ".join(f"{share:.0%} {name.replace('+', ' or better')}" for name, share in shape.few() if share >= 0.005)


def effort_words(seconds: float, memory: int) -> str:
    """The cost of a solution: seconds, and bytes as megabytes."""
    some = [f"{value:.1f}" if value >= 1 else f"{value:.2g}" for value in (seconds, memory / 1e6)]
    return f"{some[0]} s, {some[1]} MB"


def price_words(price: Price, continuing: Continuing | None = None) -> str:
    """Return what a call needs and what the hero has: ``"needs 36.4% of the pot, has 41.0% if nobody bets again"``.

    Before the flop it has who is left and how often they all fold, and is against those who continue.
    """
    if continuing is not None:
        needs = [f"needs {price.needed:.1%} of the pot to call"] if price.to_call else []
        return "; ".join(needs + continuing_words(continuing))
    has = f"has {price.against_all:.1%}{error_words(price.standard_error)} if nobody bets again"
    return f"needs {price.needed:.1%} of the pot, {has}" if price.to_call else has


def moments_words(hand: Hand, moments: Iterable[Moment]) -> list[dict[str, Any]]:
    """The table at moments of a hand: amounts in the money of the source, and actions in words."""
    told: dict[int, str] = {0: amount(hand, 0)}  # the same stacks, bets and pots occur again and again
    pots: dict[int, str] = {}

    def told_of(chips: int) -> str:
        found = told.get(chips)
        if found is None:
            found = told[chips] = amount(hand, chips)
        return found

    def pot_of(chips: int) -> str:
        found = pots.get(chips)
        if found is None:
            found = pots[chips] = amount_in_bets(hand, chips)
        return found

    return [_moment_words(hand, each, told_of, pot_of) for each in moments]


def _moment_words(
    hand: Hand, moment: Moment, told_of: Callable[[int], str], pot_of: Callable[[int], str]
) -> dict[str, Any]:
    done = moment.decision
    words = "blinds are posted"
    if moment.over:
        words = "the hand is over"
    elif done is not None:
        words = "".join(act_words(hand, done))
    elif moment.board:
        words = f"all-in, {cards_text(moment.board[-1:] if len(moment.board) > 3 else moment.board)} is dealt"
    return {
        "round": moment.round,
        "board": cards_text(moment.board),
        "seat": None if done is None else done.seat,
        "words": words,
        "over": moment.over,
        "pot": pot_of(moment.pot),
        "bets": [told_of(chips) if chips and not moment.over else "" for chips in moment.bets],
        "stacks": [None if chips is None else told_of(chips) for chips in moment.stacks],
        "folded": moment.folded,
        "all_in": moment.all_in,
    }


def game_words(hand: Hand) -> str:
    """Return the game and its stakes: ``"limit hold'em 10-20 USD"``."""
    small, big = (amount(hand, float(stake)) for stake in hand.spec.stakes)
    return f"{str(hand.spec.structure).replace(' ', '-')} hold'em {small}-{big} {hand.currency}".rstrip()


#: How a verdict was found, in words.
METHOD_WORDS = {
    "exact": "no betting follows",
    "solved": "by a solution of the street",
    "simulated": "played out many times against what such players do",
    "myopic": "as if nobody bet any more",
}


_DOING = {"fold": "folding", "check": "checking", "call": "calling", "bet": "betting", "raise": "raising"}


def size_words(name: str, to: float | None) -> str:
    """Return what an action goes to, in big blinds, behind its name: ``"bet 5 bb"``, ``"raising to 20 bb"``."""
    if to is None:
        return name
    return f"{name}{' to' if name in ('raise', 'raising') else ''} {to:.4g} bb"


def judged_words(
    word: str,
    made: tuple[str, float | None],
    best: tuple[str, float | None],
    lost: float | None,
    ci95: tuple[float, float] | None,
    unit: str,
    average: bool | None = None,
    hands: Mapping[str, int] | None = None,
    not_judged: str = "",
) -> str:
    """Return a verdict in a sentence, as ``"Mistake: folding lost about 54 bb (44 to 64); call."``, by its word.

    Parameters
    ----------
    word : str
        One of `pokermodel.worth.worth.WORDS`.
    made, best : tuple of (str, float or None)
        The action that was made and the best one, by name, and what a bet or raise goes to in big blinds.
    lost : float or None
        The loss of the action that was made.
    ci95 : tuple of (float, float) or None
        The 95% interval of that.
    average : bool or None
        Whether a mistake is one against average players, too; None where that was not asked.
    hands : mapping of str to int
        Whom it is one against, with the hands of theirs that have been learnt.
    """
    doing = size_words(_DOING[made[0]], made[1])
    if lost is None or ci95 is None:
        return f"Not judged: {not_judged}."
    if word == "right":
        return f"Right: {size_words(*made)}."
    if word == "cannot tell":
        return f"Cannot tell: {doing} can have lost up to {rough(ci95[1])} {unit}; perhaps {size_words(*best)}."
    much = f"about {cost_words(lost, ci95, unit)}" if span_words(ci95) else f"{lost:.4g} {unit}"
    said = f"{word.capitalize()}: {doing} lost {much}; {size_words(*best)}."
    if average is None:
        return said
    return f"{said} " + ("Holds against an average player, too." if average else f"Against {_whom(hands or {})}.")


def _whom(hands: Mapping[str, int]) -> str:
    """Opponents with the hands behind what is known of them: ``"Casey only (47 hands)"``."""
    known = {name: f"({counted(number, 'hand')})" for name, number in hands.items()}
    if len(known) == 1:
        return " only ".join(*known.items())
    names = [" ".join(each) for each in known.items()]
    return f"{' and '.join(filter(None, (', '.join(names[:-1]), *names[-1:])))} only"


def cost_words(lost: float, ci95: tuple[float, float] | None, unit: str) -> str:
    """Return what was lost with its interval: ``"54 bb (44 to 64)"``; no interval where it is nothing."""
    span = "" if ci95 is None else span_words(ci95)
    return f"{rough(lost)} {unit}" + (f" ({span})" if span else "")


def span_words(ci95: tuple[float, float]) -> str:
    """Return an interval with as many digits as tell its ends apart: ``"44 to 64"``; nothing where it has no width."""
    ends = [tuple(map(form, ci95)) for form in (rough, "{:.1f}".format, "{:.2f}".format)]
    return next((f"{low} to {high}" for low, high in ends if low != high), "")


def _made_words(verdict: Verdict, made: Worth, situation: Situation) -> str:
    """The verdict on the action that was made."""
    named = _named(situation, made), _named(situation, verdict.best)
    unit = "sb" if situation.spec.structure.fixed else "bb"
    why: dict[str, Any] = {"hands": verdict.hands, "not_judged": verdict.reason_not_judged}
    return judged_words(verdict.word, *named, verdict.loss, verdict.ci95, unit, verdict.average, **why)


def verdict_words(verdict: Verdict, situation: Situation, equity: float | None = None) -> str:
    """Return a verdict in a sentence or two: what a call needs, and what the action that was made lost.

    An `equity` that is known more exactly than the verdict needs it replaces the verdict's: one figure is shown, not
    two that were drawn apart. Before the flop it is left out where others could come in: most of them fold.
    """
    has = equity if equity is not None else verdict.equity
    price = ""
    if has is not None and (situation.round or (len(situation.active) == 2 and situation.num_bets > 1)):
        needed = f"You need {verdict.needed:.0%}, have {has:.0%}. "
        price = needed if situation.to_call else f"You have {has:.0%} if nobody bets again. "
    best, unit = verdict.best, "sb" if situation.spec.structure.fixed else "bb"
    worth = f"{size_words(*_named(situation, best)).capitalize()} is worth {best.ev:+.2f} {unit}."
    if (made := verdict.made) is None:
        return f"{price}{worth}"
    return f"{price}{_made_words(verdict, made, situation)}{f' {worth}' if best.ev and not verdict.guess else ''}"


def _named(situation: Situation, worth: Worth) -> tuple[str, float | None]:
    """An action's name at the table, and what it goes to in big blinds, where bets have sizes."""
    sized = worth.to is not None and not situation.spec.structure.fixed
    return situation.act_names[worth.act], worth.to / situation.spec.small_bet if sized and worth.to else None


def advice_words(step: Step, player: str) -> str | None:
    """Return the advice for the hero, under a display name, with its reason; None without advice."""
    verdict = step.verdict
    if verdict is None or step.recommended is None:
        return None
    if step.adviser:
        return f"In {player}'s place, {step.adviser} would {step.recommended} ({step.reason})"
    equity = None if step.price is None else step.price.against_all
    words = verdict_words(verdict, step.observation.decision.situation, equity)
    return f"{words} ({METHOD_WORDS[verdict.method]})"


def worth_rows(step: Step, hand: Hand) -> list[dict[str, Any]]:
    """Return what each act of the hero's is worth by the adviser, for a chart: none where it does not say that.

    ``ev`` and ``error``, half of its 95% interval, are in small bets, or big blinds where bets have sizes. ``done``
    says whether it was made, ``best`` whether nothing is worth more.
    """
    worths = () if step.verdict is None else [each for each in step.verdict.acts if each.seen]
    decision = step.observation.decision
    best = max((each.ev for each in worths), default=0.0)
    return [
        {
            "words": _sized(hand, decision, each),
            "ev": each.ev,
            "error": each.error,
            "done": each.act == decision.act and each.to in (None, decision.to),
            "best": each.ev == best,
        }
        for each in worths
    ]


def _sized(hand: Hand, decision: Decision, worth: Worth) -> str:
    """An act that could be done, with what it goes to where bets have sizes: ``"bet 5"``, ``"raise to 20"``."""
    name = decision.situation.act_names[worth.act]
    if worth.to is None or decision.spec.structure.fixed:
        return name
    return f"{name}{' to' if name == 'raise' else ''} {amount(hand, worth.to)}"


def headline(step: Step, found: StepFindings, report: HandReport) -> list[tuple[str, str]]:
    """Return an act's news in a sentence or two: what it cost the hero and what the others have, or what it says.

    A piece is ``"name"`` with a name, which is to be written as such, or ``"text"`` with words.
    """
    decision = step.observation.decision
    did = "".join(act_words(report.hand, decision))
    said = [("text", f"{ROUNDS[decision.round].capitalize()}: "), ("name", decision.player), ("text", f" {did}")]
    if decision.player != report.hero:
        if decision.name == "fold" or (shape := found.after) is None:
            return [*said, ("text", ".")]
        return [*said, ("text", f" · {range_words(step.width, shape)}.")]
    pieces = [*said, ("text", "."), *_cost_pieces(step), ("text", " ")]
    for name, width, shape in found.opponents[-2:]:
        pieces += [("name", name), ("text", f": {range_words(width, shape)}. ")]
    if found.price is not None:
        pieces += [("name", decision.player), ("text", f" {price_words(found.price, step.continuing)}.")]
    return pieces


def _cost_pieces(step: Step) -> list[tuple[str, str]]:
    """The verdict on the hero's action in pieces; nothing where there is none."""
    verdict = step.verdict
    if verdict is None or verdict.made is None:
        return []
    names = [verdict.guess, *verdict.hands]
    hands = {f"\0{k}\0": number for k, number in enumerate(verdict.hands.values(), 1)}
    unnamed = replace(verdict, guess=verdict.guess and "\0000\0", hands=hands)
    parts = _made_words(unnamed, verdict.made, step.observation.decision.situation).split("\0")
    return [("text", " "), *(("name", names[int(x)]) if k % 2 else ("text", x) for k, x in enumerate(parts))]


def about_words(hand: Hand) -> list[str]:
    """Return what a hand is besides its game: how many play, the table and when it was, if the source says so."""
    found = [counted(len(hand.players), "player")]
    if hand.table is not None:
        found.append(f"table {hand.table}")
    if hand.time is not None:
        time = hand.time if hand.time.tzinfo is None else hand.time.astimezone(UTC)
        found.append(f"{time.day} {time:%B %Y, %H:%M} UTC")
    return found


def cards_note(report: HandReport, hero: str) -> str:
    """Return which of the cards that are known are used in the tables; `hero` is a name as it is to be written."""
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
