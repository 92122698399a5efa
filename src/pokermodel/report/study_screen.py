"""The verdicts of a book as a screen: a decision at a time, answered before it is judged, and where EV is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from pokermodel._support.words import counted
from pokermodel.analysis.book_study import BookStudy, KeptDecision, Loss, Summary
from pokermodel.analysis.hand_list import DECIDED
from pokermodel.analysis.study import StudiedDecision
from pokermodel.report.document import Page, asset
from pokermodel.report.frame import Note, hand_address, waits_notes
from pokermodel.report.hand_list import SUITS
from pokermodel.report.study import (
    act_cells,
    decision_facts,
    how_words,
    spot_words,
    verdict_line,
    why_words,
)
from pokermodel.report.words import cost_words, size_words, span_words
from pokermodel.worth.worth import MISTAKES

__all__ = [
    "decision_address",
    "hand_notes",
    "judged_words",
    "loss_rows",
    "mistake_cards",
    "pending_note",
    "study_address",
    "study_body",
    "verdict_lines",
    "verdict_links",
]

#: The lists of the screen: their names, in its order.
_LISTS = {"mistakes": "Mistakes", "probable": "Probably mistakes", "unclear": "Cannot tell"}
_SHOWN = {"mistakes": 50, "probable": 30, "unclear": 20}
_OF = {"street": "street", "position": "position", "pot_type": "kind of pot", "kind": "kind of mistake"}


def study_body(
    found: BookStudy, *, problem: str = "", waiting: bool = False, made: int = 0, playing: Sequence[str] = ()
) -> Page:
    """Draw the verdicts of a book as a page.

    Parameters
    ----------
    waiting : bool
        Whether verdicts are being made.
    made : int
        How many hands were judged so far, by which the page knows when there are more.
    playing : sequence of str
        Sites whose verdicts wait.
    """
    lists = [(name, title, getattr(found, name)[: _SHOWN[name]]) for name, title in _LISTS.items()]
    return Page(
        "study_screen",
        title="Study",
        data={"judged": made},
        script=asset("study_screen.js"),
        style=asset("ranges.css") + asset("list.css") + asset("study_screen.css"),
        problem=problem,
        sums=" \N{MIDDLE DOT} ".join(judged_words(found.summary, playing)),
        pending=pending_note(found.summary, found.where, study_address(found.where), waiting=waiting, playing=playing),
        suits=SUITS,
        lists=[(name, title, [_entry(each, name, found.where) for each in some]) for name, title, some in lists],
        empty="" if playing else _nothing(found),
        losses=loss_rows(found.losses),
        unit=found.summary.unit,
        withheld=[(decision_address(each, found.where), _spot_and_reason(each.decision)) for each in found.withheld],
    )


def _spot_and_reason(decision: StudiedDecision) -> str:
    return f"{_capital(spot_words(decision))}: {decision.not_judged}"


def study_address(where: str = "") -> str:
    """Return the address of the verdicts of hands."""
    return f"/study?{urlencode({'q': where})}" if where and where != DECIDED else "/study"


def decision_address(each: KeptDecision, where: str = "") -> str:
    """Return the address of a decision in its hand."""
    address = hand_address(each.site, each.hand, {"q": where} if where else None)
    return f"{address}#{each.decision.index}"


def judged_words(summary: Summary, playing: Sequence[str] = ()) -> list[str]:
    """Say what verdicts come to: how many there are of each word, and what mistakes cost; nothing if all wait."""
    total = summary.total
    if playing and not total.decisions:
        return []
    words = [f"{counted(total.decisions, 'decision')} judged"]
    if total.mistakes:
        words.append(f"{counted(total.mistakes, 'mistake')}, {cost_words(total.lost, total.ci95, summary.unit)}")
    elif total.decisions:
        words.append("no mistakes")
    if total.probable:
        words.append(f"{total.probable:,} probably")
    if unclear := total.unclear - total.not_judged:
        words.append(f"{unclear:,} cannot tell (at most {total.most:.0f} {summary.unit})")
    if total.not_judged:
        words.append(f"{total.not_judged:,} not judged")
    return words


def pending_note(
    summary: Summary, where: str, back: str, *, waiting: bool = False, playing: Sequence[str] = ()
) -> list[Note]:
    """Say how many decisions are not judged, with a button, and of how many others the verdict waits or is old."""
    notes = waits_notes(playing)
    if summary.missing and waiting:
        notes.append(
            Note(
                f"{counted(summary.missing, 'decision')} not judged yet: they are being judged",
                "stop",
                "/work/stop",
                {"back": back},
            )
        )
    elif summary.missing:
        text = f"{counted(summary.missing, 'decision')} not judged yet"
        notes.append(Note(text, "judge", fields={"q": where, "back": back}))
    if summary.older:
        notes.append(
            Note(f"{counted(summary.older, 'verdict')} made by an older version: these hands count as not judged")
        )
    return notes


def hand_notes(
    site: str,
    number: str,
    back: str,
    *,
    words: Sequence[str] | None,
    older: bool = False,
    waiting: bool = False,
    learnt: bool = True,
    known: str = "then",
    reader: str = "",
) -> list[Note]:
    """Say how a hand is judged, with a button where it is not.

    Parameters
    ----------
    words : sequence of str or None
        The verdicts in a word, in order; None where it is not judged.
    older, waiting : bool
        Whether there are verdicts by an older version, and whether new ones wait to be made.
    learnt : bool
        Whether the book has learnt what was known of its people.
    known : str
        By what its ranges are: ``"then"`` or ``"now"``.
    reader : str
        Whose ranges they are, if not the usual reader's.
    """
    notes = []
    when = "when the session began" if known == "then" else "now"
    if reader:
        notes.append(Note(f"Ranges by {reader}, to which these people are strangers."))
    elif not learnt:
        notes.append(Note("What is known of these people is being learnt: until then, ranges are as of strangers."))
    else:
        notes.append(Note(f"Ranges by what was known of these people {when}."))
    if waiting:
        notes.append(Note("Its verdicts are being made."))
    elif words is None:
        text = "Judged by an older version." if older else "Not judged."
        notes.append(
            Note(text, "judge again" if older else "judge", fields={"site": site, "number": number, "back": back})
        )
    elif words:
        notes.append(Note(f"Judged, as known then: {', '.join(words)}."))
    else:
        notes.append(Note("Judged: no decision of a player whose cards are known."))
    return notes


def verdict_links(decisions: Sequence[StudiedDecision]) -> list[tuple[str, str, str]]:
    """Lead to the actions of a hand that were mistakes, or probably were: words, address and no key."""
    meant = (*MISTAKES, "probably a mistake")
    return [(f"{each.word}, action {each.index}", f"#{each.index}", "") for each in decisions if each.word in meant]


def verdict_lines(decisions: Sequence[StudiedDecision] | None) -> list[str] | None:
    """A sentence for each verdict; None where there are none."""
    if decisions is None:
        return None
    return [f"{_capital(each.street)}, {did_words(each)}: {verdict_line(each)}." for each in decisions]


def mistake_cards(found: Sequence[KeptDecision], where: str = "") -> list[dict[str, Any]]:
    """The content of a mistake's card: cost, action, place, and the address of the action."""
    return [_card(each, where) for each in found]


def _card(each: KeptDecision, where: str) -> dict[str, Any]:
    decision = each.decision
    return {
        "address": decision_address(each, where),
        "cost": cost_words(decision.lost or 0.0, None, decision.bet),
        "span": "" if decision.ci95 is None else span_words(decision.ci95),
        "did": did_words(decision),
        "street": decision.street,
        "position": decision.position,
        "cards": "".join(decision.holding.split()),
        "board": decision.board,
    }


def did_words(decision: StudiedDecision) -> str:
    """Say what was done, and not what would have been better: ``"called 22 bb into 31 bb"``."""
    done = {"fold": "folded", "check": "checked", "call": "called", "bet": "bet", "raise": "raised to"}[decision.act]
    if decision.act == "call":
        done = f"called {decision.to_call:.4g} {decision.bet} into {decision.pot:.4g} {decision.bet}"
    elif decision.to is not None:
        done = f"{done} {decision.to:.4g} bb"
    elif decision.act == "raise":
        done = "raised"
    return done


def _entry(each: KeptDecision, name: str, where: str) -> dict[str, Any]:
    decision = each.decision
    answer, _, note = each.answer.partition(": ")
    most = f"to {cost_words(decision.ci95[1], None, decision.bet)}" if name == "unclear" and decision.ci95 else ""
    card = _card(each, where)
    return {
        **card,
        "id": f"{each.site}-{each.hand}-{decision.index}",
        "put": f"/study/{quote(each.site, safe='')}/{quote(each.hand, safe='')}/{decision.index}",
        "cost": most or card["cost"],
        "span": "" if most else card["span"],
        "spot": _capital(spot_words(decision)),
        "facts": [_sentence(fact) for fact in decision_facts(decision)],
        "line": f"{verdict_line(decision)}.",
        "why": why_words(decision),
        "how": how_words(decision),
        "choices": [(size_words(act["name"], act["to"]), act["made"]) for act in decision.acts],
        "acts": act_cells(decision),
        "bet": decision.bet,
        "answer": answer,
        "note": note,
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


def _nothing(found: BookStudy) -> str:
    if not found.summary.judged:
        return "No hand of these is judged yet."
    return "No mistakes, and nothing that may be one."


def loss_rows(losses: Sequence[Loss], most: int = 6) -> list[tuple[str, str, str, str]]:
    """Where EV is lost: the group, its value, the number of mistakes, and their cost in 100 hands."""
    rows = []
    for each in losses[:most]:
        low, high = each.ci95
        cost = f"{each.per_100:.1f} ({low:.1f} to {high:.1f})"
        rows.append((_OF[each.by], each.name, f"{each.mistakes:,} of {each.decisions:,}", cost))
    return rows
