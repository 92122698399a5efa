"""Text histories of KingsClub, of money tables and tournaments.

What each player has won or lost is behind the hand, with what they have then; the text states neither uncalled bets nor
side pots, nor the rake. Calls, bets and raises state what they go to.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import played
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"#(?P<id>[0-9]+): (?P<rest>(?:[A-Z][a-z]+ )*(?:Limit|Holdem|Omaha)\b.* - .*/.*)")
_TABLE = regex(r"Table '(?P<table>.*)' Seat (?P<button>[0-9]+) is the button")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)$")
_END = regex(rf"Seat (?P<number>[0-9]+): .+ \((?P<stack>{MONEY})\) (?P<sign>[-+])(?P<net>{MONEY})$")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_DEALT = regex(r"Dealt to (?P<name>.+?):? \[(?P<cards>[^\]]*)\]$")
_POST = regex(rf"posts (?:the )?(?P<what>ante|small blind|big blind) (?P<money>{MONEY})")
_CALL = regex(rf"calls (?P<to>{MONEY})")
_RAISE = regex(rf"(?:bets|raises to) (?P<to>{MONEY})")
_SHOW = regex(r"shows \[(?P<cards>[^\]]*)\]")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "kingsclub", header["id"]
    draft.currency = currency(played(draft, header["rest"]).stakes)
    draft.winnings.coin = CENT if draft.currency else ONE
    summary = False
    for line in draft.lines():
        if draft.time is None and draft.button is None:
            draft.time = text_time(line)
        if line.startswith("***"):
            summary = line.startswith("*** SUMMARY")
            if street := _STREET.match(line):
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** HOLE CARDS"):
                draft.deal_holes()
        elif summary:
            if end := _END.match(line):
                name, net = draft.name_at(int(end["number"])), amount(end["net"])
                draft.winnings.end(name, amount(end["stack"]))
                draft.winnings.net(name, -net if end["sign"] == "-" else net)
        elif table := _TABLE.match(line):
            draft.button, draft.table = int(table["button"]), table["table"]
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif dealt := _DEALT.match(line):
            if "X" not in dealt["cards"]:
                draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, ": ") or draft.subject(line, " "):
            _read_action(draft, *said)


def _read_action(draft: Draft, name: str, what: str) -> None:
    if read_act(draft, name, what, _CALL, _RAISE):
        return
    if post := _POST.match(what):
        money, ante = amount(post["money"]), post["what"] == "ante"
        draft.post(name, 0 if ante else money, money if ante else 0, big=post["what"] == "big blind")
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
