"""The game of a hand, from its first lines with any text around it.

Sites put words of their own around "No Limit Hold'em", such as "CAP", "Turbo", "King of the Hill" or the name of a
tournament, and stakes, levels, numbers and dates before or behind it. A pattern of the whole line refuses every hand
with a word that it does not know. So each fact is looked for by itself: the game is the last one that is named, its
betting structure the one named next to it, and the stakes the amounts with a stroke between them that are no date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pokermodel._support.patterns import regex
from pokermodel.game import BettingStructure
from pokermodel.histories._exact import Money
from pokermodel.histories._words import MONEY, SIGN, amount, structure_of
from pokermodel.histories.draft import Draft

__all__ = ["AMOUNT", "StatedGame", "played", "posted_blind", "refused", "stake", "stated_game"]

_GROUPS = r"(?:[ \xa0'’][0-9]{3}(?![0-9]))*"
#: Matches an amount of a header: thousands may be divided by anything, and abbreviated as in "50K".
AMOUNT = rf"{MONEY}{_GROUPS}\s?[KMB]?(?:\s?{SIGN})?"
_HOLDEM = r"(?:(?:texas[ _]+)?hold['’`´]?[ ]?em|[NPF]?LHE|NLH)\b"
_VARIANTS = r"(?:(?:6\+|six[ -]plus|short[ -]?deck|split|double|royal|irish|pineapple|draw|omaha)\s+)"
_GAMES = regex(
    rf"(?P<other>{_VARIANTS}{_HOLDEM}|\b(?:omaha|plo|courchevel|stud|razz|badugi|lowball|triple draw|single draw"
    rf"|5.card draw|short[ -]?deck|fusion|irish)\b)|(?P<holdem>\b{_HOLDEM})",
    re.IGNORECASE,
)
_STRUCTURE = regex(r"\b(?:(?:no|pot|fixed|fix)[ _-]?limit|limit|[NPF]L|[NPF]?LHE|NLH)\b", re.IGNORECASE)
_DATES = regex(r"\b(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{4})\b")
_STAKES = regex(
    rf"(?<![0-9/])(?P<first>(?:-(?={SIGN}|[0-9]))?{AMOUNT})\s?/\s?(?P<second>{AMOUNT})(?:\s?/\s?(?P<third>{AMOUNT}))?"
)
_CAP = regex(rf"(?P<cap>{AMOUNT})\s+Cap\b", re.IGNORECASE)
_BLIND = regex(rf"\b(?P<which>small|big) blind (?:of )?[\[(]?\s*(?P<money>{MONEY})", re.IGNORECASE)
_NO_DIGITS = regex(rf"[\s'’]|{SIGN}")
_SCALES = {"K": 10**3, "M": 10**6, "B": 10**9}


class StatedGame(NamedTuple):
    """The content of a header of hold'em."""

    structure: BettingStructure | None
    small: Money | None
    large: Money | None
    cap: Money | None  #: The largest loss of a player in a hand, if stated.
    stakes: str


def stated_game(text: str) -> StatedGame | None:
    """Return what a header says of the game; None if it names another one than hold'em, or none."""
    games = list(_GAMES.finditer(text))
    if not games or games[-1]["holdem"] is None:
        return None
    game = games[-1]

    def distance(found: re.Match[str]) -> int:
        return min(abs(found.start() - game.end()), abs(game.start() - found.end()))

    words = min(_STRUCTURE.finditer(text), key=distance, default=None)
    plain = _DATES.sub(" ", text)
    stakes = min(_STAKES.finditer(plain), key=lambda found: abs(found.start() - game.start()), default=None)
    small = large = None
    if stakes is not None:
        amounts = [stake(part) for part in stakes.groups() if part is not None and not part.startswith("-")]
        # of three, the last is an ante if it is less than the one before; otherwise the first is one
        small, large = amounts[-2:] if amounts[-1] >= amounts[-2] else amounts[:2]
    cap = _CAP.search(plain) if "cap" in plain.lower() else None  # few have one, and to look for amounts takes long
    return StatedGame(
        None if words is None else structure_of(words[0]),
        small,
        large,
        None if cap is None else stake(cap["cap"]),
        "" if stakes is None else stakes[0].strip(),
    )


def stake(text: str) -> Money:
    """Return an amount of a header, which may abbreviate thousands, millions and billions."""
    plain = _NO_DIGITS.sub("", text)
    scale = _SCALES.get(plain[-1:].upper(), 1)
    return amount(plain if scale == 1 else plain[:-1]) * scale


def posted_blind(lines: Iterable[str], which: str) -> Money | None:
    """Return the first blind that is posted, in the words of most sites; None if there is none.

    Headers of limit have the bets at some sites, and the blinds at others, or both at different times: this tells.

    Parameters
    ----------
    which : {"small", "big"}
    """
    found = next((found for line in lines if (found := _BLIND.search(line)) and found["which"].lower() == which), None)
    return None if found is None else amount(found["money"])


def refused(text: str) -> ValueError:
    """Return the error for a header that cannot be read: it names another game than hold'em, or has too few words."""
    named = list(_GAMES.finditer(text))
    shown = text[: max([70, *(found.end() for found in named[-1:])])][-70:]  # with the game, where it is named late
    if not named or named[-1]["holdem"] is None:
        return ValueError(f"only hold'em is supported, got {shown!r}")
    return ValueError(f"the game is hold'em, but its structure or stakes cannot be read: {shown!r}")


def played(draft: Draft, text: str, blinds: bool = True) -> StatedGame:
    """Report the game of a header to a draft, whose blinds may be missing; raises `ValueError`."""
    game = stated_game(text)
    if game is None:
        raise refused(text)
    if game.structure is None:
        raise ValueError(f"the text does not say the betting structure: {text[:70]!r}")
    draft.structure = game.structure
    if game.small is not None and game.large is not None:
        draft.bets = game.small, game.large
    elif blinds:
        raise ValueError(f"the text does not say the blinds: {text[:70]!r}")
    return game
