"""Text histories of CoinPoker, of money tables and tournaments, in the words of PokerStars but for some.

There have been two kinds. In the older one an all-in raise has the chips put in, "raises 2.00 and is all-in", and any
other raise has its total. An uncalled bet may be collected with the pot. The newer one has actions in capitals:
``ALLIN`` with the chips put in, ``RETURN`` of an uncalled bet, ``STRADDLE``. Both are translated to the words of
PokerStars, line by line. The site adds money to some pots, a "splash", and takes a fee for it from others, which counts
as rake. Amounts are in the dollar of Tether.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokermodel._support.patterns import regex
from pokermodel.histories import pokerstars
from pokermodel.histories._words import CENT, MONEY, amount
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"CoinPoker Hand #(?P<id>[0-9]+): (?P<rest>.*)")
_CURRENCY = "USDT"
_SPLASH = regex(rf"(?:MEGA )?SPLASH dropped (?P<money>{MONEY})", re.IGNORECASE)
_NO_BOARD = regex(r"Board \[\s*\]$")
_CANCELLED = "*** HAND CANCELLED ***"
_WORDS = (
    (regex(rf"^(?P<name>.+): ALLIN (?P<money>{MONEY})$"), r"\g<name>: raises \g<money> and is all-in"),
    (regex(rf"^(?P<name>.+): RETURN (?P<money>{MONEY})$"), r"Uncalled bet (\g<money>) returned to \g<name>"),
    (regex(rf"^(?P<name>.+): STRADDLE (?P<money>{MONEY})$"), r"\g<name>: posts straddle \g<money>"),
    (regex(rf"^(?P<name>.+): posts ante (?P<money>{MONEY})$"), r"\g<name>: posts the ante \g<money>"),
    (regex(rf"^(?P<name>.+): posts auto big blind (?P<money>{MONEY})$"), r"\g<name>: posts big blind \g<money>"),
)


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.translate(_usual_words)
    draft.winnings.uncalled_collected = None
    for line in draft.lines():
        if line.startswith("*** SECOND FLOP") and "BombPot" in header["rest"]:
            raise ValueError("two boards are dealt from the flop on, which is another game than hold'em")
        if line == _CANCELLED:
            raise ValueError("the site has cancelled the hand and returned all bets")
        if splash := _SPLASH.search(line):
            draft.winnings.added += amount(splash["money"])
    pokerstars.read(draft, "coinpoker", header["id"], header["rest"])
    if not header["rest"].startswith("Tournament"):
        draft.currency, draft.winnings.coin = _CURRENCY, CENT


def _usual_words(lines: Sequence[str]) -> Sequence[str]:
    """Put lines in the words of PokerStars."""
    return [_usual(line) for line in lines]


def _usual(line: str) -> str:
    if _NO_BOARD.match(line):
        return ""
    for pattern, words in _WORDS:
        found = pattern.match(line)
        if found:
            return found.expand(words)
    return line


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
