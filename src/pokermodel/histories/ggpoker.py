"""Text histories of GGPoker, of money tables and tournaments, in the words of PokerStars.

Of other players a text has only the cards that they show. Fees for jackpots count as rake. A "cash drop" is money that
the site adds to the pot.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories import pokerstars
from pokermodel.histories._words import MONEY, amount
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"Poker Hand #(?P<id>[A-Z0-9]*[0-9][A-Z0-9]*):? (?P<rest>.*)")
_DROP = regex(rf"Cash Drop to Pot ?: total (?P<money>{MONEY})")


def _read(draft: Draft, header: re.Match[str]) -> None:
    for line in draft.lines():
        if drop := _DROP.match(line):
            draft.winnings.added += amount(drop["money"])
    pokerstars.read(draft, "ggpoker", header["id"], header["rest"])


#: Histories of this site; ``stated_payoffs`` are after the rake, and include what the site adds.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
