"""Text histories of KingsClub, of money tables and tournaments.

What each player has won or lost is behind the hand, with what they have then; the text states neither uncalled bets nor
side pots, nor the rake. Calls, bets and raises state what they go to.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY
from pokermodel.histories.grammar import SUMMARY, Page, words

__all__ = ["FORMAT"]

_START = regex(r"#(?P<id>[0-9]+): (?P<rest>(?:[A-Z][a-z]+ )*(?:Limit|Holdem|Omaha)\b.* - .*/.*)")


class _Page(Page):
    source = "kingsclub"
    separators = (": ", " ")
    lines = words(
        sum_up=SUMMARY,
        table_button=r"Table '(?P<table>.*)' Seat (?P<button>[0-9]+) is the button",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)$",
        dealt=r"Dealt to (?P<name>.+?):? \[(?P<cards>[^\]X]*)\]$",
        date=r"(?=.*[0-9]:[0-9])",
    )
    summary = words(
        end=rf"Seat (?P<number>[0-9]+): .+ \((?P<stack>{MONEY})\) (?P<sign>[-+])(?P<net>{MONEY})$",
    )
    acts = words(
        call_to=rf"calls (?P<money>{MONEY})",
        post=rf"posts (?:the )?(?P<what>ante|small blind|big blind) (?P<money>{MONEY})",
    )

    def date(self, found: re.Match[str]) -> None:
        if self.draft.time is None and self.seats.button is None:
            self.draft.time = text_time(found.string)

    def end(self, found: re.Match[str]) -> None:
        name, net = self.seats.name_at(int(found["number"])), self.money(found["net"])
        self.winnings.end(name, self.money(found["stack"]))
        self.winnings.net(name, -net if found["sign"] == "-" else net)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
