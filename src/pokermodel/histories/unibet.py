"""Text histories of Unibet since 2026, of money tables and tournaments.

The owner of a text has their account in brackets behind their name, which is no part of it. The cards of all who show
them are dealt face up at the beginning. A text ends where its owner folds, if they do not wait for the end; of such a
hand nobody knows who won, and it is refused as cut short.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import stated_game
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"Unibet Hand #(?P<id>[0-9]+)(?P<tournament>, Tournament #[0-9]+)?(?:,| -) (?P<rest>.*)")
_NOISE = regex(r"=== [A-Z ]+ ===$")
_ACCOUNT = regex(r"\[Unibet_[0-9A-Za-z]+\]")
_STAKES = regex(r"(?:^| - )(?P<stakes>[0-9][0-9.,]*/[0-9][0-9.,]*) - (?P<what>[^-]+?) - ")
_TABLE = regex(r'Table "(?P<table>.*)" [0-9]+-max$')
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?: \(sitting out\))?$")
_BUTTON = regex(r"(?P<name>.+) has the button$")
_DEALT = regex(r"Dealt (?:in (?P<other>.+)|to (?P<name>.+) (?P<cards>\[[^\]]*\]))$")
_STREET = regex(r"\*\*\* (?:Flop|Turn|River) \*\*\* (?P<cards>\[.*\])$")
_POST = regex(rf"posts (?:the )?(?P<what>small blind|big blind|ante) (?P<money>{MONEY})")
_CALL = regex(rf"calls (?P<put>{MONEY})")
_RAISE = regex(rf"(?:bets|raises {MONEY} to) (?P<to>{MONEY})")
_SHOW = regex(r"shows (?P<cards>\[[^\]]*\])")
_WIN = regex(rf"wins (?P<money>{MONEY})")
_UNCALLED = regex(rf"Uncalled bet returned to (?P<name>.+): (?P<money>{MONEY})$")
_TOTAL = regex(rf"Total pot (?P<pot>{MONEY})(?: Rake (?P<rake>{MONEY}))?$")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "unibet", header["id"]
    draft.time = text_time(header["rest"].rpartition(" - ")[2])
    _start(draft, header["rest"])
    draft.hero = next((name for line in draft.lines() if (name := _owner(line))), None)
    draft.translate(_without_accounts)
    money = ""
    for line in draft.lines():
        if line.startswith("*** "):
            if street := _STREET.match(line):
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** Preflop"):
                draft.deal_holes()
        elif draft.table is None and (table := _TABLE.match(line)):
            draft.table = table["table"]
        elif line.startswith("Seat ") and (seat := _SEAT.match(line)):
            money = money or currency(seat["stack"])
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif line.startswith("Dealt ") and (dealt := _DEALT.match(line)):
            draft.dealt(dealt["name"] or dealt["other"], cards(dealt["cards"]) if dealt["cards"] else None)
        elif uncalled := _UNCALLED.match(line):
            draft.winnings.give_back(uncalled["name"], amount(uncalled["money"]))
        elif total := _TOTAL.match(line):
            draft.winnings.pot = amount(total["pot"])
            draft.winnings.rake = amount(total["rake"]) if total["rake"] else 0
        elif draft.button is None and (button := _BUTTON.match(line)) and draft.is_seated(button["name"]):
            draft.button = draft.number_of(button["name"])
        elif said := draft.subject(line, " "):
            _read_action(draft, *said)
    if not header["tournament"]:
        draft.currency, draft.winnings.coin = money, CENT


def _start(draft: Draft, rest: str) -> None:
    """Report the game, of which the stakes come before the words; the fee of a tournament has none of them."""
    stakes = _STAKES.search(rest)
    game = stated_game(f"{stakes['what']} {stakes['stakes']}") if stakes else None
    if game is None or game.structure is None or game.small is None or game.large is None:
        raise ValueError(f"only hold'em is supported, got {rest[:70]!r}")
    draft.structure, draft.bets, draft.winnings.coin = game.structure, (game.small, game.large), ONE


def _owner(line: str) -> str | None:
    seat = _SEAT.match(line)
    name = seat["name"] if seat else ""
    return _ACCOUNT.sub("", name) if _ACCOUNT.search(name) else None


def _without_accounts(lines: Sequence[str]) -> Sequence[str]:
    return [_ACCOUNT.sub("", line) for line in lines]


def _read_action(draft: Draft, name: str, what: str) -> None:
    if read_act(draft, name, what, _CALL, _RAISE):
        return
    if post := _POST.match(what):
        money = amount(post["money"])
        live = 0 if post["what"] == "ante" else money
        draft.post(name, live, money - live, big=post["what"] == "big blind")
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif won := _WIN.match(what):
        draft.winnings.collect(name, amount(won["money"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#",))
