"""Text histories of Everleaf Gaming and the sites of its network, as Partouche. Limit has no word in the header.

The amount of a bet or raise is the chips put in. A text leaves out uncalled bets, and states neither the pot nor the
rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, ONE, amount
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"\*{3,5} (?:Hand history for game #|Historique des Mains pour la partie )(?P<id>[0-9]+) \*{3,5}")
_NOISE = regex(r".*\bGame #[0-9]+$|Partouche Poker\b")  # before the first line
_SUM = r"[^0-9\[\]()/]{0,4}(?P<money>[0-9][0-9.,]*)(?: (?P<currency>USD|EUR)O?)?"  # the sign of the euro may be mangled
_ANY_SUM = re.sub(r"\?P<\w+>", "?:", _SUM)
_HOLDEM = regex(r"(?:(?P<structure>NL|PL|FL) )?(?:Texas )?Hold'em\b")


class _Page(Page):
    source = "everleaf"
    separators = (": ", " ")
    lines = words(
        game=rf"(?:Blinds )?(?P<small>{_ANY_SUM})/(?P<large>{_ANY_SUM}) (?P<what>.*)",
        street=r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])$",
        holes=r"\*\* Dealing down cards",
        button=r"Seat (?P<button>[0-9]+) is the button$",
        table=r"Table (?P<table>.+)$",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+?) \(\s*{_SUM}\s*\)$",
    )
    acts = words(
        call=rf"calls \[\s*{_SUM}\]",
        bet=rf"(?:bets|raises) \[\s*{_SUM}\]",
        post=rf"posts (?P<what>small blind|big blind|ante) \[\s*{_SUM}\]",
        win=rf"wins {_SUM} from (?:main|side) pot",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id, self.winnings.coin = header["id"], ONE

    def game(self, found: re.Match[str]) -> None:
        if self.draft.bets is not None:
            return
        game = _HOLDEM.match(found["what"])
        if game is None:
            raise refused(found["what"])
        small, large = (amount(re.sub("^[^0-9]*", "", found[which])) for which in ("small", "large"))
        self.draft.play(game["structure"] or "", small, large)
        self.bets_or_blinds(large)
        self.draft.time = text_time(found["what"])

    def seat(self, found: re.Match[str]) -> None:
        self.seats.sit(int(found["number"]), found["name"], amount(found["money"]))
        if found["currency"]:
            self.draft.currency, self.winnings.coin = found["currency"], CENT

    def finish(self) -> None:
        if self.draft.bets is None:
            raise ValueError("the text does not say what is played")


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, _NOISE, marks=("#", "Historique des Mains"))
