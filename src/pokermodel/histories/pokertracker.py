"""Text histories that PokerTracker exports, of sites whose own are not text.

The first line may begin with the network's name, as in ``MERGE_GAME``, which is no part of the source. A raise says
what it goes to, an all-in what is put in. Winnings include uncalled bets, and the text states neither pot nor rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._words import MONEY, cards
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"(?:[A-Z0-9]+_)?GAME #(?P<id>[0-9-]+):? (?:Version:\S+ )?(?:Uncalled:\w )?(?P<rest>.*Hold'?em\b.*|.*)")
_SUIT_FIRST = regex(r"\b([SHDC])(10|[2-9TJQKA])\b")


class _Page(Page):
    source = "pokertracker"
    separators = (": ",)
    dead_rest = True
    lines = words(
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in chips\)(?P<button> DEALER)?",
        table=r"Table (?P<table>.+)",
    )
    acts = words(
        fold="Fold$",
        check="Check$",
        post=rf"(?i:Post (?P<what>SB|BB|DB|Ante)) (?P<money>{MONEY})",
        call=rf"(?i:Call) (?P<money>{MONEY})",
        bet_to=rf"(?i:Bet|Raise)(?: \(NF\))? (?P<money>{MONEY})",
        all_in=rf"(?i:All-?in) (?P<money>{MONEY})",
        show=r"Shows \[(?P<cards>[^\]]*)\]",
        win=rf"wins (?P<money>{MONEY})",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id, rest = header["id"], header["rest"]
        tournament = "Tournament" in rest
        self.play(rest, blinds=not tournament)
        if tournament:
            self.draft.pay("")
        self.winnings.uncalled_collected = None
        self.winnings.least_pot = 5  # of a small pot, a jackpot takes as much as the site
        if not self.draft.currency:
            self.winnings.rake = 0

    def cards(self, text: str) -> tuple[int, ...]:
        return cards(_SUIT_FIRST.sub(r"\2\1", text))

    def finish(self) -> None:
        if self.seats.button is None:
            self.seats.place_button(self.draft.later)


#: Histories that this tracker exports; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
