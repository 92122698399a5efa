"""Text histories of Weplay, of money tables and tournaments, in the words of PokerStars.

The first line of a tournament's hand has blinds of another level, so the posted ones count. Collected amounts still
contain the rake, which the summary states. The pot has antes of players who have left their seat, so no player of the
hand has put them in.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories import pokerstars
from pokermodel.histories._words import MONEY, amount
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"We[Pp]lay Hand #(?P<id>[0-9]+):\s*(?P<rest>.*)")
_BLIND = regex(rf": posts (?P<which>small|big) blind (?P<money>{MONEY})(?P<all_in> and is all-in)?")
_ANTE = regex(rf"(?P<name>.+): posts the ante (?P<money>{MONEY})")


def _read(draft: Draft, header: re.Match[str]) -> None:
    pokerstars.read(draft, "weplay", header["id"], header["rest"])
    if header["rest"].startswith("Tournament"):
        _take_posted_blinds(draft)
    for line in draft.lines():
        ante = _ANTE.match(line)
        if ante and ante["name"] not in draft.seats.numbers:
            draft.winnings.added += amount(ante["money"])
    draft.winnings.take_rake_from_collected()


def _take_posted_blinds(draft: Draft) -> None:
    """Take the blinds from the posts, but those of players who had no more."""
    posted = {}
    for line in draft.lines():
        blind = _BLIND.search(line)
        if blind and not blind["all_in"]:
            posted[blind["which"]] = amount(blind["money"])
    big = posted.get("big", 2 * posted.get("small", 0))
    if big:
        draft.bets = posted.get("small", big // 2), big


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
