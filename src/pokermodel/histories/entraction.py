"""Text histories of Entraction, of money tables and tournaments: a table of names, actions and amounts."""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._words import MONEY, ONE, amount, cards

__all__ = ["FORMAT"]

_START = regex(r"Game # (?P<id>[0-9]+) - (?P<rest>.*)")
_GAME = regex(
    rf"Texas Hold'em (?P<structure>Fixed|No|Pot) Limit (?:(?P<currency>[A-Z]{{3}}) )?"
    rf"(?P<small>{MONEY})/(?P<large>{MONEY})(?: and {MONEY} ante)? - "
)
_SEAT = regex(rf"(?P<name>.+?)\s+\((?:[A-Z]{{3}} )?(?P<stack>{MONEY}) in seat (?P<number>[0-9]+)\)$")
_TABLE = regex(r'Table "(?P<table>[^"]*)"')
_BUTTON = regex(r"Dealer:\s+(?P<name>.+)$")
_BLIND = regex(rf"(?P<what>Small|Big) Blind:\s+(?P<name>.+?)\s+\((?P<money>{MONEY})\)$")
_STREET = regex(r"(?:Flop|Turn|River)\s{2,}(?P<cards>\S.*)$")
_DEALT = regex(r"(?P<name>.+) was dealt:\s+(?P<cards>.+)$")
_ACTION = regex(rf"(?P<what>Ante|Check|Fold|Call|Bet|Raise|All-in|Payback)(?:\s+\((?P<money>{MONEY})\))?$")
_WIN = regex(rf"(?P<name>.+) wins:\s+(?:[A-Z]{{3}} )?(?P<money>{MONEY})$")
_RAKE = regex(rf"Rake:\s+(?:[A-Z]{{3}} )?(?P<rake>{MONEY})$")
_ACTS = {"Fold": Act.FOLD, "Check": Act.CALL, "Call": Act.CALL, "Bet": Act.RAISE, "Raise": Act.RAISE}


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "entraction", header["id"]
    game = _GAME.match(header["rest"])
    if game is None:
        raise ValueError(f"only hold'em is supported, got {header['rest'][:70]!r}")
    table = _TABLE.search(header["rest"])
    draft.table = table["table"] if table else None
    draft.play(game["structure"], amount(game["small"]), amount(game["large"]))
    draft.currency = game["currency"] or ""
    if not draft.currency:
        draft.winnings.coin, draft.winnings.rake = ONE, 0
    numbers: dict[str, int] = {}
    for line in draft.lines():
        if seat := _SEAT.match(line):
            numbers[seat["name"]] = int(seat["number"])
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.button = numbers.get(button["name"])
        elif blind := _BLIND.match(line):
            draft.post(blind["name"], amount(blind["money"]), big=blind["what"] == "Big")
            draft.deal_holes()
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif dealt := _DEALT.match(line):
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif won := _WIN.match(line):
            draft.winnings.collect(won["name"], amount(won["money"]))
        elif rake := _RAKE.match(line):
            draft.winnings.rake = amount(rake["rake"])
        elif (said := draft.subject(line, " ")) and (action := _ACTION.match(said[1])):
            money = amount(action["money"] or "0")
            if action["what"] == "Payback":
                draft.winnings.give_back(said[0], money)
            elif action["what"] == "Ante":
                draft.post(said[0], 0, money)
            else:
                draft.act(said[0], _ACTS.get(action["what"]), None if action["what"] == "Fold" else money)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
