"""Text histories of Cake Poker, of money tables and tournaments. The text does not state the rake."""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._words import MONEY, half
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"Hand#(?P<id>[0-9A-Z]+) - (?P<rest>.*)")
# thousands are divided by whatever the player's computer used
_MONEY = rf"{MONEY}(?:[ \xa0][0-9]{{3}})*(?:[.,][0-9]{{1,2}})?"
_TOURNAMENT = regex(r" T[0-9]+ -- ")
_NUMBER = regex(r"Table [0-9]+")


class _Page(Page):
    source = "cake"
    separators = (":", " ")
    lines = words(
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{_MONEY}) in chips\)(?P<button> DEALER)?",
        button=r"Dealer: Seat (?P<button>[0-9]+)$",
    )
    acts = words(
        call=rf"calls (?P<money>{_MONEY})",
        bet_to=rf"(?:bets|raises to) (?P<money>{_MONEY})",
        all_in=rf"is all in (?P<money>{_MONEY})",
        post=rf"posts (?P<what>small blind|big blind|ante(?: of)?) (?P<money>{_MONEY})",
        post_unknown=r"posts (?P<what>small|big) blind -",
        post_both=rf"posts dead blind (?P<dead>[$€£]?-?[0-9.,]+) and big blind (?P<money>{_MONEY})",
        give_back=rf"returns uncalled bet (?P<money>{_MONEY})",
        show=r"shows \[(?P<cards>[^\]]*)\]",
        muck=r"mucks \[(?P<cards>[^\]]*)\]",
        win=rf"wins (?P<money>{_MONEY})",
    )

    def head(self, header: re.Match[str]) -> None:
        self.unknown: dict[str, str] = {}
        self.draft.id, rest = header["id"], header["rest"]
        name, *others = rest.split(" -- ")  # of a tournament, that of the tournament and the number of the table
        self.draft.table = ", ".join([name, *(other for other in others if _NUMBER.fullmatch(other))])
        coin = self.winnings.coin
        game = self.play(rest)
        stakes = game.stakes.count("/") > 1 or _TOURNAMENT.search(rest) is not None
        self.tournament = not self.draft.currency and stakes
        if self.tournament:
            self.winnings.rake = 0
        else:
            self.winnings.coin = coin

    def dealt(self, found: re.Match[str]) -> None:
        self.draft.deal_holes()
        super().dealt(found)

    def post_unknown(self, name: str, found: re.Match[str]) -> None:
        self.unknown[found["what"]] = name

    def post_both(self, name: str, found: re.Match[str]) -> None:
        dead = 0 if "-" in found["dead"] else self.money(found["dead"])  # a negative amount is none
        self.seats.post(name, self.money(found["money"]), dead, big=True)

    def muck(self, name: str, found: re.Match[str]) -> None:
        self.seats.show(name, self.cards(found["cards"]))
        self.seats.muck(name)

    def finish(self) -> None:
        for what, name in self.unknown.items():  # the first hand of a tournament does not know its blinds
            big = max(self.seats.live.values(), default=0)
            self.seats.post(name, half(big) if what == "small" else 2 * big, big=what == "big")
        acted = self.draft.events or self.seats.live
        if self.tournament and not acted:  # a tournament of a single hand, in which everybody is all-in
            for name, stack in self.seats.stacks.items():
                self.seats.post(name, 0, stack or 0)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
