"""Text histories of Unibet since 2026, of money tables and tournaments.

The owner of a text has their account in brackets behind their name. The account is no part of the name. The cards of
all players who show are dealt face up at the beginning. A text may end with its owner's fold. The winner of such a hand
is unknown, and it is refused as cut short.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import refused, stated_game
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, cards, currency
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"Unibet Hand #(?P<id>[0-9]+)(?P<tournament>, Tournament #[0-9]+)?(?:,| -) (?P<rest>.*)")
_NOISE = regex(r"=== [A-Z ]+ ===$")
_ACCOUNT = regex(r"\[Unibet_[0-9A-Za-z]+\]")
_OWNER = regex(rf"Seat [0-9]+: (?P<name>.*{_ACCOUNT.pattern}.*) \({MONEY}\)(?: \(sitting out\))?$")
_STAKES = regex(r"(?:^| - )(?P<stakes>[0-9][0-9.,]*/[0-9][0-9.,]*) - (?P<what>[^-]+?) - ")


class _Page(Page):
    source = "unibet"
    lines = words(
        street=r"\*\*\* (?:Flop|Turn|River) \*\*\* (?P<cards>\[.*\])$",
        holes=r"\*\*\* Preflop",
        table=r'Table "(?P<table>.*)" [0-9]+-max$',
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?: \(sitting out\))?$",
        dealt=r"Dealt (?:in (?P<other>.+)|to (?P<name>.+) (?P<cards>\[[^\]]*\]))$",
        uncalled=rf"Uncalled bet returned to (?P<name>.+): (?P<money>{MONEY})$",
        total=rf"Total pot (?P<pot>{MONEY})(?: Rake (?P<rake>{MONEY}))?$",
        dealer=r"(?P<name>.+) has the button$",
    )
    acts = words(
        post=rf"posts (?:the )?(?P<what>small blind|big blind|ante) (?P<money>{MONEY})",
        win=rf"wins (?P<money>{MONEY})",
    )

    def head(self, header: re.Match[str]) -> None:
        """Report the game, whose stakes come before the words; the fee of a tournament has none of them."""
        draft, rest = self.draft, header["rest"]
        draft.id, draft.time = header["id"], text_time(rest.rpartition(" - ")[2])
        stakes = _STAKES.search(rest)
        game = stated_game(f"{stakes['what']} {stakes['stakes']}") if stakes else None
        if game is None or game.structure is None or game.small is None or game.large is None:
            raise refused(rest)
        draft.structure, draft.bets = game.structure, (game.small, game.large)
        self.winnings.coin = ONE if header["tournament"] else CENT
        self.money_table = not header["tournament"]
        owner = next((found for line in draft.lines() if (found := _OWNER.match(line))), None)
        self.seats.hero = _ACCOUNT.sub("", owner["name"]) if owner else None
        draft.translate(lambda lines: [_ACCOUNT.sub("", line) for line in lines])

    def seat(self, found: re.Match[str]) -> None:
        super().seat(found)
        if self.money_table and not self.draft.currency:
            self.draft.currency = currency(found["stack"])

    def dealt(self, found: re.Match[str]) -> None:
        self.seats.deal(found["name"] or found["other"], cards(found["cards"] or ""))

    def total(self, found: re.Match[str]) -> None:
        self.winnings.rake = 0
        super().total(found)

    def dealer(self, found: re.Match[str]) -> None:
        if self.seats.button is None:
            self.seats.button = self.seats.numbers.get(found["name"])


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, _NOISE)
