"""Cards in letters of other scripts, put into those that readers know.

Clients of several sites write cards in the player's language, in Cyrillic letters or signs of suits; those without a
word for a suit write "null". A hand that cannot be read is looked at once more with its cards translated here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokermodel._support.patterns import regex

__all__ = ["in_latin"]

# In Russian: tuz, korol, dama, valet; piki, trefy or kresti, chervy, bubny.
_RANKS = {"\u0422": "A", "\u041a": "K", "\u0414": "Q", "\u0412": "J"}
_SUITS = {"\u043f": "s", "\u0442": "c", "\u043a": "c", "\u0447": "h", "\u0431": "d"}
_SIGNS = {"\u2660": "s", "\u2663": "c", "\u2665": "h", "\u2666": "d", "\u2664": "s", "\u2667": "c", "\u2661": "h"}
_SIGNS["\u2662"] = "d"
_NO_WORD = "null"
# Bytes of Windows' Cyrillic code page that were taken for those of the western one.
_LETTERS = [*_RANKS, *_SUITS, *(suit.upper() for suit in _SUITS)]
_MISTAKEN = str.maketrans({letter.encode("cp1251").decode("cp1252"): letter for letter in _LETTERS})
_SWEDISH, _DUTCH = {"Kn": "J", "D": "Q", "E": "A"}, {"B": "J", "V": "Q", "H": "K"}
_FRENCH, _GERMAN = {"V": "J", "D": "Q", "R": "K"}, {"B": "J", "D": "Q"}
# by a rank that no language before has
_LANGUAGES = {"Kn": _SWEDISH, "E": _SWEDISH, "H": _DUTCH, "R": _FRENCH, "B": {**_GERMAN, **_DUTCH}, "D": _GERMAN}
_FOREIGN_CARD = regex(r"\b(10|Kn|[2-9TJQKABDEHRV])([cdhs])\b")
_IN_BRACKETS = regex(r"\[[^\[\]]*\]")
_CARD = regex(rf"(10|[2-9TJQKA]|[{''.join(_RANKS)}])\s?({_NO_WORD}|[{''.join((*_SUITS, *_SIGNS))}]|[cdhs])", re.I)


def in_latin(lines: Sequence[str]) -> list[str]:
    """Translate the cards of a hand.

    Raises `ValueError` if a suit has no word, but all four have one.

    Returns
    -------
    list of str
        The same lines. A suit without a word is one that no other card of the hand has: which of them makes no
        difference, as long as it is one.
    """
    lines = _with_ranks(lines)
    named = {suit.lower() for line in lines for suit in _suits(line)}
    rest = [suit for suit in "cdhs" if suit not in named]
    if _NO_WORD in named and not rest:
        raise ValueError(f"a card has the suit {_NO_WORD!r}, but all four suits have letters")
    words = {**_SUITS, **_SIGNS, _NO_WORD: rest[0] if rest else ""}

    def card(found: re.Match[str]) -> str:
        rank, suit = found[1].upper(), found[2].lower()
        return _RANKS.get(rank, rank) + words.get(suit, suit)

    return [_IN_BRACKETS.sub(lambda text: _CARD.sub(card, text[0].translate(_MISTAKEN)), line) for line in lines]


def _with_ranks(lines: Sequence[str]) -> list[str]:
    """Put ranks of other languages with Latin letters into those of English, if some of them are of one language."""
    held = [card[1] for line in lines for text in _IN_BRACKETS.findall(line) for card in _FOREIGN_CARD.finditer(text)]
    ranks = next((ranks for mark, ranks in _LANGUAGES.items() if mark in held), None)
    if ranks is None:
        return list(lines)

    def card(found: re.Match[str]) -> str:
        return ranks.get(found[1], found[1]) + found[2]

    return [_IN_BRACKETS.sub(lambda text: _FOREIGN_CARD.sub(card, text[0]), line) for line in lines]


def _suits(line: str) -> list[str]:
    """The suits of the cards in a line, in whatever letters; those of other scripts by the letters of readers."""
    found = [card[2] for text in _IN_BRACKETS.findall(line) for card in _CARD.finditer(text.translate(_MISTAKEN))]
    return [_SUITS.get(suit.lower(), _SIGNS.get(suit, suit)) for suit in found]
