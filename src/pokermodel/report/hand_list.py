"""A list of hands as a page: what the hands add up to, and a line for each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from pokermodel._support.words import counted
from pokermodel.analysis.hand_list import DECIDED, SORTS, HandList, HandSums
from pokermodel.game import ROUNDS, SEATS
from pokermodel.histories import Filter
from pokermodel.library.listed import ListedHand
from pokermodel.report.document import Page, asset
from pokermodel.report.frame import hand_address

__all__ = ["SUITS", "list_address", "list_body", "sums_words", "won_words"]

_COLUMNS = ("time (UTC)", "seat", "cards", "line", "board", "pot", "net", "EV", "mistake", "tags, note")
_ORDERS = {"time": "newest", "oldest": "oldest", "lost": "lost most", "won": "won most", "pot": "largest pot"}
#: Signs of suits by their letter.
SUITS = dict(zip("cdhs", "\u2663\u2666\u2665\u2660", strict=True))


def list_body(found: HandList, *, problem: str = "") -> Page:
    """Draw a list of hands as a page."""
    choices = [("hands with a decision", list_address(DECIDED, found.sort), found.where == DECIDED)]
    choices.append(("all hands", list_address("", found.sort), not found.where))
    choices += [(_ORDERS[sort], list_address(found.where, sort), sort == found.sort) for sort in SORTS]
    return Page(
        "list",
        title="Hands",
        script=asset("list.js"),
        style=asset("ranges.css") + asset("list.css") + asset("people.css"),
        data=found.all,
        problem=problem,
        sums=" \N{MIDDLE DOT} ".join(sums_words(found)),
        choices=choices,
        again=list_address(found.where, found.sort),
        quick=_quick(found),
        columns=_COLUMNS,
        suits=SUITS,
        rows=[
            _row(hand, mistake, found)
            for hand, mistake in zip(found.hands, found.mistakes or (None,) * len(found.hands), strict=True)
        ],
        older=None if found.next is None else list_address(found.where, found.sort, found.next),
    )


#: What quick filters choose between: a name, the keys that a choice replaces, and the choices as words and terms.
_QUICK = (
    ("seat", ("seat",), tuple((name, f"seat={name}") for name in SEATS)),
    ("pot", ("pot",), tuple((name, f"pot={name}") for name in ("limped", "raised", "3-bet", "4-bet"))),
    ("street", ("street",), tuple((f"to the {name}", f"street={name}") for name in ROUNDS)),
    ("result", ("won", "lost"), (("won", "won>0"), ("lost", "lost>0"), ("lost 20 or more", "lost>=20bb"))),
)


def _quick(found: HandList) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Quick filters: a name, and choices with their words, their addresses, and whether they are the present one."""
    which = Filter(found.where)
    lists = []
    for name, keys, choices in _QUICK:
        rest = which.without(*keys)
        filters = [(f"any {name}", rest), *((words, Filter(f"{rest} {term}")) for words, term in choices)]
        known = any(each == which for _, each in filters)
        options = [(words, list_address(str(each), found.sort), each == which) for words, each in filters]
        lists.append((name, options if known else [("other", list_address(found.where, found.sort), True), *options]))
    return lists


def list_address(where: str, sort: str = "time", after: str | None = None) -> str:
    """Return the address of a list."""
    query = {"q": where} if where != DECIDED else {}
    query |= {"sort": sort} if sort != "time" else {}
    query |= {"from": after} if after is not None else {}
    return f"/hands?{urlencode(query)}" if query else "/hands"


def sums_words(found: HandList) -> list[str]:
    """Say how many hands there are and what was won in them; a rate has its interval, or is not given."""
    words = [f"{found.total:,} of {counted(found.all, 'hand')}"]
    if found.sums is not None and found.total:
        words += won_words(found.sums)
        words += [f"named mistakes {found.lost:.1f} {found.sums.unit}"] if found.lost else []
    return words


def won_words(sums: HandSums) -> list[str]:
    """Say what was won in hands."""
    rate = f"too few hands for a rate in {sums.unit}/100"
    if sums.per_100 is not None and sums.ci95 is not None:
        rate = f"{sums.per_100:+.1f} \u00b1 {(sums.ci95[1] - sums.ci95[0]) / 2:.1f} {sums.unit}/100"
    ev = f"all-in EV {sums.all_in_ev:+.1f} (luck {sums.luck:+.1f})"
    return [f"{sums.net:+.1f} {sums.unit}", rate, ev]


def _row(hand: ListedHand, mistake: float | None, found: HandList) -> dict[str, Any]:
    when = "no time" if hand.time is None else f"{datetime.fromtimestamp(hand.time, UTC):%d %b %Y %H:%M}"
    query = {"q": found.where, **({"sort": found.sort} if found.sort != "time" else {})}
    return {
        "anchor": f"{hand.site}-{hand.number}",
        "address": hand_address(hand.site, hand.number, query),
        "when": when,
        "seat": hand.seat_name,
        "cards": hand.cards or "",
        "line": hand.line,
        "board": hand.board,
        "pot": f"{hand.pot:.1f}",
        "net": "" if hand.net is None else f"{hand.net:+.1f}",
        "mistake": "" if not mistake else f"{mistake:.1f}",
        "tags": hand.tags,
        "note": hand.note,
        "ev": "" if hand.all_in_ev is None or not hand.all_in else f"{hand.all_in_ev:+.1f}",
    }
