"""Text histories of Cake Poker, of money tables and tournaments. The text does not state the rake."""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import played
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"Hand#(?P<id>[0-9A-Z]+) - (?P<rest>.*)")
_MONEY = rf"{MONEY}(?:[ \xa0][0-9]{{3}})*"  # thousands are divided by whatever the player's computer used
_TOURNAMENT = regex(r" T[0-9]+ -- ")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{_MONEY}) in chips\)(?P<button> DEALER)?")
_NUMBER = regex(r"Table [0-9]+")
_BUTTON = regex(r"Dealer: Seat (?P<button>[0-9]+)$")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_POST = regex(rf"posts (?P<what>small blind|big blind|ante(?: of)?) (?P<money>{_MONEY})")
_POST_DEAD = regex(rf"posts dead blind (?P<dead>[$€£]?-?[0-9.,]+) and big blind (?P<money>{_MONEY})")
_CALL = regex(rf"calls (?P<put>{_MONEY})")
_RAISE = regex(rf"(?:bets|raises to) (?P<to>{_MONEY})")
_ALL_IN = regex(rf"is all in (?P<put>{_MONEY})")
_SHOW = regex(r"(?P<what>shows|mucks) \[(?P<cards>[^\]]*)\]")
_RETURN = regex(rf"returns uncalled bet (?P<money>{_MONEY})")
_WIN = regex(rf"wins (?P<money>{_MONEY})")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id, draft.time = "cake", header["id"], text_time(header["rest"])
    draft.table = _table(header["rest"])
    game = played(draft, header["rest"])
    draft.currency = currency(game.stakes)
    tournament = not draft.currency and (game.stakes.count("/") > 1 or bool(_TOURNAMENT.search(header["rest"])))
    if tournament:
        draft.winnings.coin, draft.winnings.rake = ONE, 0
    stacks: dict[str, Money] = {}
    acted = False
    for line in draft.lines():
        if street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif seat := _SEAT.match(line):
            stacks[seat["name"]] = amount(seat["stack"])
            draft.seat(int(seat["number"]), seat["name"], stacks[seat["name"]])
            if seat["button"]:
                draft.button = int(seat["number"])
        elif button := _BUTTON.match(line):
            draft.button = int(button["button"])
        elif dealt := _DEALT.match(line):
            draft.deal_holes()
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, ":") or draft.subject(line, " "):
            acted |= _read_action(draft, *said)
    if tournament and not acted:  # a tournament of a single hand, in which everybody is all-in
        for name, stack in stacks.items():
            draft.post(name, 0, stack)


def _table(header: str) -> str:
    """Name of the table; of a tournament, that of the tournament and the number of the table."""
    name, *others = header.split(" -- ")
    return ", ".join([name, *(other for other in others if _NUMBER.fullmatch(other))])


def _read_action(draft: Draft, name: str, what: str) -> bool:
    """Read what a player does; return whether it is an act or a post."""
    if read_act(draft, name, what, _CALL, _RAISE):
        return True
    if all_in := _ALL_IN.match(what):
        draft.act(name, None, amount(all_in["put"]))
    elif post := _POST.match(what):
        money, ante = amount(post["money"]), post["what"].startswith("ante")
        draft.post(name, 0 if ante else money, money if ante else 0, big=post["what"] == "big blind")
    elif post := _POST_DEAD.match(what):  # a negative amount is none
        draft.post(name, amount(post["money"]), 0 if "-" in post["dead"] else amount(post["dead"]), big=True)
    elif back := _RETURN.match(what):
        draft.winnings.give_back(name, amount(back["money"]))
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
        if show["what"] == "mucks":
            draft.muck(name)
        return False
    elif won := _WIN.match(what):
        draft.winnings.collect(name, amount(won["money"]))
        return False
    return True


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
