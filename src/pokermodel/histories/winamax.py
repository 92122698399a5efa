"""Text histories of Winamax, of money tables and tournaments.

What a winner collects includes an uncalled bet. A bet is what is put in, also that of the big blind before the flop.
Tournaments with halves of chips state what is collected in whole chips.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import posted_blind
from pokermodel.histories._time import text_time
from pokermodel.histories._words import ONE, amount, cards

__all__ = ["FORMAT"]

_MONEY = r"[0-9][0-9.,]*\s?[€$£]?"
_START = regex(r"Winamax Poker - (?P<kind>.*?)\s*-\s+HandId: #(?P<id>[0-9-]+) - (?P<rest>.*)")
_GAME = regex(
    rf"Hold'?em (?P<structure>no|pot|fixed) limit \((?:{_MONEY}/)?(?P<small>{_MONEY})/(?P<large>{_MONEY})\)",
    re.IGNORECASE,
)
_TABLE = regex(r"Table: (?:'(?P<table>.*)' )?.*Seat #?(?P<button>[0-9]+) is the button")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{_MONEY})(?:, .* bounty)?\)$")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_POST = regex(
    rf"posts (?:the )?(?P<what>ante|small blind|big blind|dead blinds?) (?P<money>{_MONEY})(?P<late> out of position)?"
)
_CALL = regex(rf"calls (?P<put>{_MONEY})")
_BET = regex(rf"bets (?P<put>{_MONEY})")
_RAISE = regex(rf"raises {_MONEY} to (?P<to>{_MONEY})")
_SHOW = regex(r"shows \[(?P<cards>[^\]]*)\]")
_COLLECT = regex(rf"collected (?P<money>{_MONEY}) from (?:main |side )?pot")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOTAL = regex(rf"Total pot .* \| (?:No rake|Rake (?P<rake>{_MONEY}))")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id, rest = "winamax", header["id"], header["rest"]
    draft.time = text_time(rest)
    game = _GAME.match(rest)
    if game is None:
        raise ValueError(f"only hold'em is supported, got {rest[:70]!r}")
    small, large = amount(game["small"]), amount(game["large"])
    draft.play(game["structure"], small, large)
    if draft.structure.fixed and posted_blind(draft.lines(), "big") == large:
        draft.bets = large, 2 * large
    draft.currency = {"€": "EUR", "$": "USD", "£": "GBP"}.get(game["large"][-1], "")
    if not draft.currency and not header["kind"].startswith("CashGame"):
        draft.winnings.coin = draft.winnings.rounding = ONE
    draft.winnings.uncalled_collected = True
    summary = False
    for line in draft.lines():
        if line.startswith("***"):
            summary = line.startswith("*** SUMMARY")
            if street := _STREET.match(line):
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** PRE-FLOP"):
                draft.deal_holes()
        elif summary:
            if total := _TOTAL.match(line):
                draft.winnings.rake = amount(total["rake"] or "0")
            elif line.startswith("Board: ["):
                draft.deal_board(cards(line.removeprefix("Board: ")), marks_rounds=False)
        elif table := _TABLE.match(line):
            draft.button, draft.table = int(table["button"]), table["table"]
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif dealt := _DEALT.match(line):
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, " "):
            _read_action(draft, *said)


def _read_action(draft: Draft, name: str, what: str) -> None:
    if read_act(draft, name, what, _CALL, _BET, _RAISE):
        return
    if post := _POST.match(what):
        money, what = amount(post["money"]), post["what"]
        dead = what == "ante" or what.startswith("dead") or (what == "small blind" and post["late"] is not None)
        draft.post(name, 0 if dead else money, money if dead else 0, big=what == "big blind")
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif won := _COLLECT.match(what):
        draft.winnings.collect(name, amount(won["money"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
