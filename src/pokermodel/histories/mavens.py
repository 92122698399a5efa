"""Text histories of Poker Mavens, by whose program home games and sites as Seals With Clubs are run.

The amount of a call is the chips put in, that of a bet or raise its total. A pot is collected without the rake, and an
uncalled bet is refunded. Of a small and a big blind together the small one is dead.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import StatedGame
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"Hand #(?P<id>[0-9]+-[0-9]+) - (?P<rest>.*)")
_STREET = r"\*\* (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])"


class _Page(Page):
    source = "mavens"
    dead_rest = True
    lines = words(
        game=r"Game: (?P<game>.*)",
        table=r"Table: (?P<table>.*)",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?: - .*)?$",
        dealer=r"(?P<name>.+) has the dealer button$",
        holes=r"\*\* Hole Cards \*\*",
        street=_STREET,
        rake=rf"Rake \((?P<rake>{MONEY})\)",
    )
    acts = words(
        all_in=rf"is all.in (?P<money>{MONEY})",
        post_dead=rf"posts (?:dead|the ante|ante)(?: small blind)? (?P<money>{MONEY})",
        straddle=rf"(?:posts straddle|straddles) (?P<money>{MONEY})",
        post=rf"posts (?P<what>small & big blind|small blind|big blind) (?P<money>{MONEY})",
        muck="mucks",
        give_back=rf"refunded (?P<money>{MONEY})",
        win=rf"(?:wins|splits) (?:Main |Side )?Pot(?: [0-9]+)? \((?P<money>{MONEY})\)",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id, self.time = header["id"], text_time(header["rest"])
        self.played: StatedGame | None = None
        self.winnings.rake = 0

    def game(self, found: re.Match[str]) -> None:
        self.played = self.play(found["game"], blinds=False)
        self.draft.time = self.time

    def finish(self) -> None:
        if self.played is None:
            raise ValueError("the text does not say what is played")


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
