"""Text histories of Absolute Poker and UltimateBet, fixed-limit hold'em."""

from __future__ import annotations

import re
from fractions import Fraction

from pokermodel.game import Act
from pokermodel.histories._text import MONEY, Draft, TextFormat, amount, cards, currency

__all__ = ["FORMAT"]

_START = re.compile(r"Stage #(?P<id>[A-Z]?[0-9]+): (?P<rest>.*)")
_GAME = re.compile(rf"Holdem\s+Normal (?P<small>{MONEY})/(?P<large>{MONEY}) - ", re.IGNORECASE)
_BUTTON = re.compile(r"Table: .* Seat #(?P<button>[0-9]+) is the dealer")
_SEAT = re.compile(rf"Seat (?P<number>[0-9]+) - (?P<name>.+) \((?P<stack>{MONEY}) in chips\)")
_STREET = re.compile(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_POST = re.compile(
    rf"(?P<what>Posts small blind|Posts big blind|Posts dead|Posts|Ante) (?P<money>{MONEY})(?: dead (?P<dead>{MONEY}))?"
)
_CALL = re.compile(rf"Calls (?P<put>{MONEY})")
_BET = re.compile(rf"Bets (?P<to>{MONEY})")
_RAISE = re.compile(rf"(?:Raises|All-In\(Raise\)) {MONEY} to (?P<to>{MONEY})")
_ALL_IN = re.compile(rf"All-In (?P<put>{MONEY})")
_SHOW = re.compile(r"Shows \[(?P<cards>[^\]]*)\]")
_RETURN = re.compile(rf"returned \((?P<money>{MONEY})\) : not called")
_COLLECT = re.compile(rf"Collects (?P<money>{MONEY}) from (?:main|side)")
_DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOTAL = re.compile(rf"Total Pot\((?P<pot>{MONEY})\)(?:.* Rake \((?P<rake>{MONEY})\))?")
_SUMMARY = re.compile(r"Seat (?P<number>[0-9]+): .*\[Mucked\] \[(?P<cards>[^\]]*)\]")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "absolute", header["id"]
    game = _GAME.match(header["rest"])
    if game is None:
        raise ValueError(f"only fixed-limit hold'em is supported, got {header['rest'][:70]!r}")
    draft.bets = amount(game["small"]), amount(game["large"])
    draft.currency = currency(game["small"])
    summary = False
    for line in draft.lines():
        if line.startswith("***"):
            summary = line.startswith("*** SUMMARY")
            if street := _STREET.match(line):
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** POCKET CARDS"):
                draft.deal_holes()
        elif summary:
            if total := _TOTAL.match(line):
                draft.pot = amount(total["pot"])
                draft.rake = amount(total["rake"]) if total["rake"] else None
            elif line.startswith("Board ["):
                draft.deal_board(cards(line.removeprefix("Board ")), marks_rounds=False)
            elif mucked := _SUMMARY.match(line):
                draft.dealt(draft.name_at(int(mucked["number"])), cards(mucked["cards"]))
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.button = int(button["button"])
        elif dealt := _DEALT.match(line):
            draft.dealt(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, " - "):
            _read_action(draft, *said)
        elif (said := draft.subject(line, " ")) and (won := _COLLECT.match(said[1])):
            draft.collect(said[0], amount(won["money"]))


def _read_action(draft: Draft, name: str, what: str) -> None:
    if what == "Folds":
        draft.act(name, Act.FOLD)
    elif what == "Checks":
        draft.act(name, Act.CALL, Fraction())
    elif call := _CALL.match(what):
        draft.act(name, Act.CALL, amount(call["put"]))
    elif bet := _BET.match(what) or _RAISE.match(what):
        draft.act(name, Act.RAISE, to=amount(bet["to"]))
    elif all_in := _ALL_IN.match(what):
        draft.act(name, None, amount(all_in["put"]))
    elif post := _POST.match(what):
        money = amount(post["money"])
        dead = money if post["what"] == "Ante" else amount(post["dead"] or "0")
        draft.post(name, money - dead, dead, big=post["what"] not in ("Posts small blind", "Ante"))
    elif back := _RETURN.match(what):
        draft.give_back(name, amount(back["money"]))
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif what == "Mucks":
        draft.muck(name)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read)
