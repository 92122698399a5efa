"""Text histories of Winamax, of money tables and tournaments.

The amount that a winner collects includes an uncalled bet. A bet is the chips put in, also that of the big blind before
the flop. Tournaments with halves of chips state collected amounts in whole chips.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import ONE
from pokermodel.histories.grammar import BOARD, SUMMARY, Page, words

__all__ = ["FORMAT"]

_MONEY = r"[0-9][0-9.,]*\s?[€$£]?"
_START = regex(r"Winamax Poker - (?P<kind>.*?)\s*-\s+HandId: #(?P<id>[0-9-]+) - (?P<rest>.*)")
_GAME = regex(
    rf"Hold'?em (?P<structure>no|pot|fixed) limit \((?:{_MONEY}/)?(?P<small>{_MONEY})/(?P<large>{_MONEY})\)",
    re.IGNORECASE,
)


class _Page(Page):
    source = "winamax"
    lines = words(
        sum_up=SUMMARY,
        holes=r"\*\*\* PRE-FLOP",
        table_button=r"Table: (?:'(?P<table>.*)' )?.*Seat #?(?P<button>[0-9]+) is the button",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{_MONEY})(?:, .* bounty)?\)$",
    )
    summary = words(rake=rf"Total pot .* \| (?:No rake|Rake (?P<rake>{_MONEY}))", board=BOARD)
    acts = words(
        call=rf"calls (?P<money>{_MONEY})",
        bet=rf"bets (?P<money>{_MONEY})",
        bet_to=rf"raises {_MONEY} to (?P<money>{_MONEY})",
        post_dead=rf"posts (?:the )?small blind (?P<money>{_MONEY}) out of position",
        post=rf"posts (?:the )?(?P<what>ante|small blind|big blind|dead blinds?) (?P<money>{_MONEY})",
        win=rf"collected (?P<money>{_MONEY}) from (?:main |side )?pot",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id = header["id"]
        self.draft.time = text_time(header["rest"])
        game = _GAME.match(header["rest"])
        if game is None:
            raise refused(header["rest"])
        self.draft.play(game["structure"], self.money(game["small"]), self.money(game["large"]))
        self.bets_or_blinds(self.money(game["large"]))
        self.draft.currency = {"€": "EUR", "$": "USD", "£": "GBP"}.get(game["large"][-1], "")
        if not self.draft.currency and not header["kind"].startswith("CashGame"):
            self.winnings.coin = self.winnings.rounding = ONE
        self.winnings.uncalled_collected = True


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
