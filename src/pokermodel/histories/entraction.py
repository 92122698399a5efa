"""Text histories of Entraction, of money tables and tournaments: a table of names, actions and amounts."""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import refused
from pokermodel.histories._words import MONEY, ONE, amount
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"Game # (?P<id>[0-9]+) - (?P<rest>.*)")
_GAME = regex(
    rf"Texas Hold'em (?P<structure>Fixed|No|Pot) Limit (?:(?P<currency>[A-Z]{{3}}) )?"
    rf"(?P<small>{MONEY})/(?P<large>{MONEY})(?: and {MONEY} ante)? - "
)
_TABLE = regex(r'Table "(?P<table>[^"]*)"')
_SUM = rf"\s+\((?P<money>{MONEY})\)$"


class _Page(Page):
    source = "entraction"
    lines = words(
        seat=rf"(?P<name>.+?)\s+\((?:[A-Z]{{3}} )?(?P<stack>{MONEY}) in seat (?P<number>[0-9]+)\)$",
        dealer=r"Dealer:\s+(?P<name>.+)$",
        blind=rf"(?P<what>Small|Big) Blind:\s+(?P<name>.+?){_SUM}",
        street=r"(?:Flop|Turn|River)\s{2,}(?P<cards>\S.*)$",
        dealt=r"(?P<name>.+) was dealt:\s+(?P<cards>.+)$",
        win_line=rf"(?P<name>.+) wins:\s+(?:[A-Z]{{3}} )?(?P<money>{MONEY})$",
        rake=rf"Rake:\s+(?:[A-Z]{{3}} )?(?P<rake>{MONEY})$",
    )
    acts = words(
        fold=rf"Fold(?:{_SUM}|$)",
        check="Check$",
        call=f"Call{_SUM}",
        bet=f"(?:Bet|Raise){_SUM}",
        all_in=f"All-in{_SUM}",
        give_back=f"Payback{_SUM}",
        post_dead=f"Ante{_SUM}",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id = header["id"]
        game = _GAME.match(header["rest"])
        if game is None:
            raise refused(header["rest"])
        table = _TABLE.search(header["rest"])
        self.draft.table = table["table"] if table else None
        self.draft.play(game["structure"], amount(game["small"]), amount(game["large"]))
        self.draft.currency = game["currency"] or ""
        if not self.draft.currency:
            self.winnings.coin, self.winnings.rake = ONE, 0

    def blind(self, found: re.Match[str]) -> None:
        self.seats.post(found["name"], amount(found["money"]), big=found["what"] == "Big")
        self.draft.deal_holes()

    def win_line(self, found: re.Match[str]) -> None:
        self.win(found["name"], found)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
