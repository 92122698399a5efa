"""A study of a session in words and as a page: the worst decisions first, each in sentences that need no theory."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pokermodel._support.words import counted, printable
from pokermodel.analysis.range import RangeShape
from pokermodel.analysis.study import GROUPS, STUDY_COLUMNS, Group, StudiedDecision, Study
from pokermodel.report.charts import Chart, Interval, Series, interval_chart, line_chart
from pokermodel.report.document import asset, document
from pokermodel.report.facts import continuing_words
from pokermodel.report.words import composition_words, judged_words, size_words, width_words
from pokermodel.worth.continuing import Continuing

__all__ = [
    "act_cells",
    "decision_facts",
    "decision_words",
    "how_words",
    "spot_words",
    "study_csv",
    "study_page",
    "study_text",
    "summary_words",
    "verdict_line",
    "why_words",
]

_TITLES = {"street": "street", "position": "position", "pot_type": "kind of pot", "kind": "kind of error"}
#: Decisions that a page lists besides the worst ones.
_LISTED = 1000
#: Shares of the pot below which a bet is a bluff, and from which on it is for value, too, by an even share.
_BLUFF, _GOOD = 0.6, 0.9
_LATER = (
    0.25  # big blinds that a call loses besides what it costs now, from which on it is said that they are lost later
)
_KNOWN = 0.05  # of a player: what they do is shown from this confidence on
_POINTS = 400  # of a line
_NAMED = 5  # heroes of a study

_HOW = {
    "exact": "No betting follows this call. Only the ranges can be off.",
    "solved": "This was worked out as if both players played as well as can be from the start of this street.",
    "simulated": "The hand was played out many times from here: others act as such players do, and you play on well.",
}
_METHOD_ERRORS = {"exact": "deals", "solved": "solution"}  # an all-in against several is dealt


def _noun(name: str, to: float | None) -> str:
    return name if to is None else f"{name} {'to' if name == 'raise' else 'of'} {to:.4g} bb"


def verdict_line(decision: StudiedDecision) -> str:
    """The verdict in a sentence, without its full stop."""
    made, best = (decision.act, decision.to), (decision.best, decision.best_to)
    hands = {each.player: each.hands or 0 for each in decision.opponents}
    why: dict[str, Any] = {"average": decision.average, "hands": hands, "not_judged": decision.not_judged}
    return judged_words(decision.word, made, best, decision.lost, decision.ci95, decision.bet, **why).rstrip(".")


def decision_words(decision: StudiedDecision) -> str:
    """The subject of a decision: the others' ranges, the price of a call, and the equity of the hand."""
    return "; ".join(decision_facts(decision))


def decision_facts(decision: StudiedDecision) -> list[str]:
    """The parts of `decision_words`: first one of each opponent."""
    parts = []
    for each in decision.opponents:
        if each.width is not None:
            made = RangeShape((), tuple((each.composition or {}).items()), decision.street == "river")
            like = "" if each.width.guessed or each.composition else f", most like {' '.join(each.top_hands)}"
            parts.append(f"{each.player}: {width_words(each.width, not decision.board, composition_words(made))}{like}")
    quiet = ", ".join(each.player for each in decision.opponents if each.width is None)
    if _open(decision):
        words = continuing_words(Continuing(**decision.continuing)) if decision.continuing else []
        parts += [f"{quiet}: left to answer"] if quiet and not words else []
        parts += [f"you need {decision.needed:.0%} of the pot to call"] if decision.to_call else []
        return parts + [f"your hand {each}" if each.startswith("has ") else each for each in words]
    parts += [f"{quiet}: {width_words(None, True)}"] if quiet else []
    if decision.to_call:
        parts.append(f"you need {decision.needed:.0%} of the pot and have {decision.equity:.0%}")
    else:
        parts.append(f"your hand wins {decision.equity:.0%} of the pot if nobody bets again")
    return parts


def _open(decision: StudiedDecision) -> bool:
    """Whether others can still come in before the flop: most fold, so that equity against all of them says nothing."""
    return not decision.board and (
        len(decision.opponents) > 1 or any(each.width is None for each in decision.opponents)
    )


def why_words(decision: StudiedDecision) -> str:
    """Why the best act was better, in a sentence or two; empty where nothing was lost."""
    if not decision.lost or decision.word == "right":
        return ""
    best = next(
        (each for each in decision.acts if each["name"] == decision.best and each["to"] == decision.best_to), None
    )
    made = next((each for each in decision.acts if each["made"]), None)
    if best is None or made is None:
        return ""
    needed, equity = f"{decision.needed:.0%}", f"{decision.equity:.0%}"
    pot = decision.pot + decision.to_call
    won = decision.to_call / decision.needed if decision.needed else pot
    short = won < 0.99 * pot  # who has too few chips to match a bet does not win all of it
    pot = won if short else pot
    cost = f"A call costs {decision.to_call:.4g} {decision.bet} of a pot of {pot:.4g} {decision.bet}, {needed} of it"
    cost += " (of larger bets you win as much as you have)" if short else ""
    words = []
    if decision.best == "fold":
        words.append(cost)
        if not _open(decision) and decision.equity < decision.needed:
            words.append(f"your hand wins {equity}, which is less")
            now = (decision.needed - decision.equity) * pot
            if decision.method != "exact" and decision.lost > max(2.0 * now, now + _LATER):
                words.append("most of what a call loses goes into the pot later, when there are more bets")
        elif not _open(decision):
            words.append(f"your hand would win {equity} if nobody bet any more, but it will have to fold to later bets")
    elif decision.best in ("bet", "raise"):
        share = best.get("folds")
        if share is not None:
            name = _noun(decision.best, decision.best_to)
            words.append(f"A {name} wins the pot at once {share:.0%} of the time, when everybody folds")
        if made.get("folds") is not None:
            words.append(f"the {_noun(decision.act, decision.to)} that you made does {made['folds']:.0%} of the time")
        even = 1.0 / (1.0 + len(decision.opponents))
        if _open(decision):
            return "; ".join(words) + "." if words else ""
        if decision.equity >= _GOOD * even:
            of = f", where an even share is {even:.0%}" if len(decision.opponents) > 1 else ""
            words.append(f"your hand can be called, too: it wins {equity} against what they can have{of}")
            if made["act"] == best["act"] and (made["to"] or 0.0) < (best["to"] or 0.0):
                words.append("and who calls pays more")
        elif decision.equity < _BLUFF * even:
            words.append("when it is called, it was a bluff")
        else:
            words.append(f"if it is called, your hand still has a chance: it wins {equity} against what they can have")
    elif decision.best == "call":
        words.append(cost)
        words += [] if _open(decision) else [f"your hand wins {equity}"]
        if made.get("folds") is not None:
            words.append(f"a {_noun(decision.act, decision.to)} makes everybody fold {made['folds']:.0%} of the time")
    elif made.get("folds") is not None:  # a check was better than a bet
        words.append(f"A {_noun(decision.act, decision.to)} makes everybody "
                     f"fold {made['folds']:.0%} of the time, and a check lets weaker hands go on or bet")  # fmt: skip
    return "; ".join(words) + "." if words else ""


def how_words(decision: StudiedDecision) -> str:
    """How the verdict was found, in a sentence; and what is best in an equilibrium, where the opponent is known."""
    said = _HOW[decision.method]
    against = decision.against
    if against is None or against["confidence"] < _KNOWN:
        return said
    acts = [size_words(each["name"], each["to"]) for each in decision.acts]
    here, usual = (max(range(len(acts)), key=against[name].__getitem__) for name in ("evs", "equilibrium"))
    words = f"It goes by this player as far as they are known (by {against['confidence']:.0%})"
    if here == usual:
        return f"{said} {words}; against a balanced opponent {acts[usual]} is best, too."
    lost = against["equilibrium"][usual] - against["equilibrium"][here]
    return (
        f"{said} {words}: {acts[here]} is best. Against a balanced opponent it is {acts[usual]}, by {lost:.2f} "
        f"{decision.bet}; to go by this player can lose {against['risk']:.2f} {decision.bet}."
    )


def spot_words(decision: StudiedDecision) -> str:
    """Where a decision was made: street, position, kind of pot, cards, board, and what was to call."""
    board = f" on {decision.board}" if decision.board else ""
    faced = f"{decision.to_call:.4g} to call into {decision.pot:.4g} {decision.bet}" if decision.to_call else (
        f"nothing to call, {decision.pot:.4g} {decision.bet} in the pot"
    )  # fmt: skip
    # the kind of pot is that of the whole hand: before the flop nobody knows it yet
    pot = f", {decision.pot_type} pot" if decision.board else ""
    return f"{decision.street}, {decision.position}{pot}: {decision.holding}{board}, {faced}"


def act_cells(decision: StudiedDecision) -> list[tuple[str, str, str, str, str]]:
    """The value of every action: action, EV, error, method, and whether it was made."""
    rows = []
    for each in decision.acts:
        name = size_words(each["name"], each["to"])
        seen = each["seen"]
        ev = f"{each['ev']:+.2f}" if seen else "not known"
        error = f"{each['error']:.2f}" if seen and each["error"] else ""
        parts = [(_METHOD_ERRORS.get(each["method"], "trials"), each["of_method"])]
        parts += [("ranges", each["of_ranges"]), ("menu", each["of_menu"])]
        of = ", ".join(f"{what} {part:.2f}" for what, part in parts if part >= 0.005)
        rows.append((name, ev, f"\u00b1 {error}" if error else "", f"{each['method']}{f' ({of})' if of else ''}",
                     "made" if each["made"] else ""))  # fmt: skip
    return rows


def summary_words(study: Study) -> list[str]:
    """The summary of the whole, in sentences."""
    total, bet = study.total(), study.bet
    lines = [
        f"{counted(len(study.hands), 'hand')}, {counted(total.decisions, 'decision')}: "
        f"won {study.net:+.1f} {bet}, {study.all_in_ev:+.1f} by all-in EV, so that luck of the cards after all-ins was "
        f"{study.luck:+.1f}."
    ]
    hands = max(1, len(study.hands) - len(study.unknown))
    if total.mistakes:
        low, high = total.ci95
        lines.append(
            f"{counted(total.mistakes, 'mistake')} lost {total.lost:.1f} {bet} ({low:.1f} to {high:.1f}), "
            f"{100 * total.lost / hands:.1f} {bet} per 100 hands."
        )
    elif total.decisions:
        lines.append("No mistakes.")
    if total.probable:
        lines.append(f"Probably mistakes: {total.probable:,}.")
    if total.unclear:
        said = f", {total.not_judged:,} of them not judged" if total.not_judged else ""
        most = f"{'; the others' if said else ', which'} lost {total.most:.1f} {bet} at most"
        lines.append(f"Cannot tell: {counted(total.unclear, 'decision')}{said}{most if total.most else ''}.")
    if total.decisions:
        low, high = total.expected_ci95
        lines.append(f"All decisions together lost about {total.expected:.1f} {bet} ({low:.1f} to {high:.1f}).")
    if study.unknown:
        net = sum(hand.net for hand in study.unknown)
        lines.append(
            f"In {counted(len(study.unknown), 'hand')} the cards are not known ({net:+.1f} {bet}): they are in the "
            "result and have no verdicts."
        )
    heroes = Counter(hand.hero for hand in study.hands)
    if len(heroes) > 1:
        names = ", ".join(f"{printable(name)} ({hands:,})" for name, hands in heroes.most_common(_NAMED))
        more = f" and {counted(len(heroes) - _NAMED, 'other')}" if len(heroes) > _NAMED else ""
        lines.append(f"These are hands of several players, added up: {names}{more}; --hero NAME studies one.")
    if study.tournament:
        lines.append("Hands of tournaments are judged by chips: prizes (ICM) do not enter.")
    return lines


def _named(decision: StudiedDecision) -> str:
    """A hand by its number in its file, or by its id where it is one of a book."""
    return f"hand {decision.number}" if decision.file else f"hand {decision.id}"


def _command(decision: StudiedDecision) -> str:
    file, number, hero = map(shlex.quote, (decision.file, f"id={decision.id}", decision.hero))
    which = f"{file} --hand {decision.number}" if decision.file else f"FILE --where {number}"
    return f"pokermodel read {which} --hero {hero}"


def _group_rows(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    return [
        (
            each.name,
            f"{each.decisions:,}",
            f"{each.mistakes:,}",
            f"{each.probable:,}",
            f"{each.unclear:,}",
            f"{each.lost:.1f}" + (f" ({each.ci95[0]:.1f} to {each.ci95[1]:.1f})" if each.lost else ""),
        )
        for each in groups
    ]


def study_text(study: Study, most: int = 10) -> str:
    """A study for the terminal: totals, groups, and the worst decisions."""
    lines = summary_words(study)
    for by in GROUPS:
        groups = study.groups(by)
        if not groups:
            continue
        lines += ["", f"EV lost by {_TITLES[by]}, {study.bet}"]
        rows = [(_TITLES[by], "decisions", "mistakes", "probable", "cannot tell", "lost"), *_group_rows(groups)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        for row in rows:
            cells = [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
            lines.append("  " + "  ".join(cells))
    for title, listed in (
        ("Mistakes, the costliest first", study.worst(most)),
        ("Probably mistakes", study.probable(most)),
    ):
        lines += ["", title] if listed else []
        for k, each in enumerate(listed, 1):
            lines += [
                f"{k:3}. {_named(each)}, action {each.index}: {verdict_line(each)}",
                f"     {spot_words(each)}",
                f"     {decision_words(each)}. {' '.join(filter(None, (why_words(each), how_words(each))))}",
            ]
    withheld = [each for each in study.decisions if each.not_judged][:most]
    lines += ["", "Not judged"] if withheld else []
    lines += [f"  {_named(each)}, action {each.index}: {each.not_judged}" for each in withheld]
    return "\n".join(map(printable, lines))


def study_csv(study: Study) -> str:
    """Every decision as comma-separated values, the worst first."""
    from pokermodel._support.spreadsheets import csv_text

    return csv_text(list(STUDY_COLUMNS), ([row[name] for name in STUDY_COLUMNS] for row in study.rows()))


def _course_chart(study: Study) -> Chart | None:
    rows = study.course()
    if len(rows) < 2:
        return None
    step = max(1, len(rows) // _POINTS)
    rows = [row for k, row in enumerate(rows) if k % step == 0 or k == len(rows) - 1]
    across = [row[0] for row in rows]
    return line_chart(
        [
            Series("won", across, [row[1] for row in rows]),
            Series("all-in EV", across, [row[2] for row in rows]),
            Series("all-in EV without mistakes", across, [row[2] + row[3] for row in rows]),
        ],
        title="Won, all-in EV, and what mistakes cost",
        x_label="hands",
        y_label=study.bet,
        number="{:+.1f}".format,
    )


def _group_chart(study: Study, by: str) -> Chart | None:
    groups = [each for each in study.groups(by) if each.lost]
    if not groups:
        return None
    rows = [Interval(each.name, each.lost, each.ci95) for each in groups[:12]]
    return interval_chart(rows, title=f"EV lost by {_TITLES[by]}", value_label=study.bet, number="{:.1f}".format)


def _shown(study: Study, most: int) -> Iterator[dict[str, Any]]:
    for k, each in enumerate([*study.worst(most), *study.probable(most)], 1):
        yield {
            "id": f"w{k}",
            "title": f"{_named(each).capitalize()}, action {each.index}",
            "line": verdict_line(each),
            "where": f"{spot_words(each)[:1].upper()}{spot_words(each)[1:]}",
            "words": f"{decision_words(each)[:1].upper()}{decision_words(each)[1:]}.",
            "why": why_words(each),
            "how": how_words(each),
            "kind": each.kind,
            "acts": act_cells(each),
            "command": _command(each),
            "bet": each.bet,
        }


def study_page(study: Study, most: int = 10) -> str:
    """Draw a study as a page, a whole HTML file in ASCII, which explains so many of the worst decisions."""
    names = ", ".join(study.heroes[:3]) or "nobody"
    listed = sorted(study.decisions, key=lambda each: -(each.lost or 0.0))[:_LISTED]
    charts = [_course_chart(study), *(_group_chart(study, by) for by in GROUPS)]
    return document(
        "study",
        title=f"{names}: the worth of every decision",
        style=asset("player.css") + asset("study.css"),
        name=names,
        summary=summary_words(study),
        bet=study.bet,
        charts=[chart for chart in charts if chart is not None],
        groups=[(_TITLES[by], _group_rows(study.groups(by))) for by in GROUPS if study.groups(by)],
        worst=list(_shown(study, most)),
        listed=[
            (
                f"{each.number}.{each.index}",
                each.street,
                each.position,
                each.holding,
                each.board,
                size_words(each.act, each.to),
                size_words(each.best, each.best_to),
                "" if each.lost is None else f"{each.lost:.2f}",
                "" if not each.lost or each.ci95 is None else f"{each.ci95[0]:.2f} to {each.ci95[1]:.2f}",
                f"{each.word}: {each.not_judged}" if each.not_judged else each.word,
                each.kind or "",
                each.method,
            )
            for each in listed
        ],
        left_out=len(study.decisions) - len(listed),
    )
