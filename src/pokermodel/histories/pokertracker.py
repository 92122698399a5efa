"""Text histories that PokerTracker exports, of sites whose own are not text.

The first line may begin with the network's name, as in ``MERGE_GAME``, which is no part of the source. A raise says
what it goes to, an all-in what is put in. Winnings include uncalled bets, and the text states neither pot nor rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import played
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"(?:[A-Z0-9]+_)?GAME #(?P<id>[0-9]+): (?P<rest>.*)")
_TABLE = regex(r"Table (?P<table>.+)")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in chips\)(?P<button> DEALER)?")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_POST = regex(rf"Post (?P<what>SB|BB|DB|Ante) (?P<money>{MONEY})", re.IGNORECASE)
_ACT = regex(rf"(?P<what>Call|Bet|Raise|All-?in) (?P<money>{MONEY})", re.IGNORECASE)
_SHOW = regex(r"Shows \[(?P<cards>[^\]]*)\]")
_WIN = regex(rf"wins (?P<money>{MONEY})")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id, draft.time = "pokertracker", header["id"], text_time(header["rest"])
    draft.currency = currency(played(draft, header["rest"]).stakes)
    draft.winnings.uncalled_collected = True
    draft.winnings.least_pot = 5  # of a small pot, a jackpot takes as much as the site
    if not draft.currency:
        draft.winnings.coin, draft.winnings.rake = ONE, 0
    for line in draft.lines():
        if seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
            if seat["button"]:
                draft.button = int(seat["number"])
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif line.startswith("*** HOLE CARDS"):
            draft.deal_holes()
        elif dealt := _DEALT.match(line):
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, ": "):
            _read_action(draft, *said)
        elif draft.table is None and (table := _TABLE.match(line)):
            draft.table = table["table"]
    if draft.button is None:
        draft.place_button()


def _read_action(draft: Draft, name: str, what: str) -> None:
    if what == "Fold":
        draft.act(name, Act.FOLD)
    elif what == "Check":
        draft.act(name, Act.CALL, 0)
    elif post := _POST.match(what):
        money, kind = amount(post["money"]), post["what"].upper()
        live = 0 if kind == "ANTE" else min(money, draft.least_bet)  # of those who come back, the rest is dead
        draft.post(name, live, money - live, big=kind in ("BB", "DB"))
    elif act := _ACT.match(what):
        money, kind = amount(act["money"]), act["what"].lower()
        if kind == "call":
            draft.act(name, Act.CALL, money)
        elif kind in ("bet", "raise"):
            draft.act(name, Act.RAISE, to=money)
        else:
            draft.act(name, None, money)
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif won := _WIN.match(what):
        draft.winnings.collect(name, amount(won["money"]))


#: Histories that this tracker exports; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
