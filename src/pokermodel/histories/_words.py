"""The parts of the lines of sites: amounts, currencies, cards, betting structures.

Amounts are whole numbers of a unit smaller than any site's, so sums are exact for any decimals.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast

from pokermodel._support.patterns import regex
from pokermodel.cards import CARDS, card_indices
from pokermodel.game import BettingStructure
from pokermodel.histories._exact import Money

__all__ = ["CENT", "MONEY", "ONE", "SIGN", "LineError", "amount", "cards", "currency", "half", "plain", "structure_of"]

#: A unit of a currency in the parts that amounts are counted in. Halves and hundredths of all amounts are whole.
ONE = 2 * 10**8
#: A hundredth of it.
CENT = ONE // 100
_CURRENCIES = {
    "$": "USD",
    "\u20ac": "EUR",
    "\u00a3": "GBP",
    "C$": "CAD",
    "CA$": "CAD",
    "R$": "BRL",
    "HK$": "HKD",
    "\u00a5": "CNY",  # of yen no site has tables
    "\u20b9": "INR",
    "Rs.": "INR",
    "\u20a9": "KRW",
    "\u20bd": "RUB",
    "\u20ae": "USDT",
}
#: Matches the sign of a currency. A set of these takes three times as long to compile, in hundreds of patterns.
SIGN = r"(?:(?:CA?|R|HK)?\$|Rs\.|€|£|\u00a5|\u20b9|\u20a9|\u20bd|\u20ae)"
#: Matches an amount in a text, with the sign of the currency before it.
MONEY = rf"{SIGN}?\s?[0-9][0-9.,]*"
_A_SIGN = regex(SIGN)
_CARD = regex(r"(10|[2-9TJQKA])([cdhs])", re.IGNORECASE)
_USUAL_CARDS = {text.replace("T", ten): card for card, text in enumerate(CARDS) for ten in ("T", "10")}
_NO_CARDS = str.maketrans(",-[]", "    ")  # but blanks
_BETWEEN_CARDS = regex(r"[\s,\-\[\]]*")
_BLANK = regex(r"(?<=[0-9])[ \xa0](?=[0-9]{3}(?![0-9]))")  # between thousands
_PLAIN_AMOUNT = regex(rf"{SIGN}?([0-9]{{1,15}})(?:\.([0-9]{{1,6}}))?")
_THOUSANDS = regex(r"[0-9]{1,3}([,.][0-9]{3})+")
_DECIMAL_COMMA = regex(r"[0-9.]*,[0-9]{1,2}")
_PARTS = tuple(ONE // scale for scale in (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000))  # by decimals


class LineError(ValueError):
    """An error in a line of a hand, or of its file."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


def currency(text: str) -> str:
    """Return the currency whose sign is in front of an amount; empty for chips."""
    sign = _A_SIGN.match(text)
    return "" if sign is None else _CURRENCIES[sign[0]]


def structure_of(words: str) -> BettingStructure:
    """Return the structure of betting by words that begin with "no", "pot", "NL" or "PL"; others are limit."""
    plain = words.lower().replace("-", "").replace(" ", "")
    if plain.startswith(("nl", "no")):
        return BettingStructure.NO_LIMIT
    return BettingStructure.POT_LIMIT if plain.startswith(("pl", "pot")) else BettingStructure.LIMIT


@lru_cache(4096)  # the same few amounts and cards occur over and over
def amount(text: str) -> int:
    """Parse an amount: ``"$2,292.50"``, ``"126,50"``, ``"1 500 €"``, in parts of `ONE`; raises `ValueError`."""
    whole, point, parts = text.removeprefix("$").partition(".")
    if (whole + parts).isdecimal() and text.isascii() and 0 < len(whole) < 16 and len(point) <= len(parts) < 7:
        return int(whole + parts) * _PARTS[len(parts)]  # as nearly all are
    if plain := _PLAIN_AMOUNT.fullmatch(text):
        whole, parts = plain.groups("")
        return int(whole + parts) * _PARTS[len(parts)]
    digits = _BLANK.sub("", _A_SIGN.sub("", text).strip(" \xa0.,"))
    if _DECIMAL_COMMA.fullmatch(digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(digits.partition(".")[0]):
        digits = digits.replace(",", "")
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,6})?", digits):
        raise ValueError(f"{text!r} is not an amount")
    whole, _, parts = digits.partition(".")
    return int(whole + parts) * _PARTS[len(parts)]


def plain(money: Money, one: int = ONE) -> str:
    """An amount in the currency, for messages; `one` parts of it are a unit."""
    return f"{float(money / one):.10g}"


def half(money: Money) -> Money:
    """Half of an amount, exact."""
    return money // 2 if isinstance(money, int) else money / 2


@lru_cache(4096)
def cards(text: str) -> tuple[int, ...]:
    """Parse cards in the notation of any site: ``"10s Ah"``, ``"7h, Qs, 3c"``, ``"9c - 7d"``; raises `ValueError`."""
    usual = tuple([_USUAL_CARDS.get(card, -1) for card in text.translate(_NO_CARDS).split()])
    if -1 not in usual and len({*usual}) == len(usual):
        return usual
    found: list[str] = []
    place = cast("re.Match[str]", _BETWEEN_CARDS.match(text)).end()
    while place < len(text):
        card = _CARD.match(text, place)
        if card is None:
            raise ValueError(f"{text!r} are not cards: expected text as in 'As Th'")
        found.append(("T" if card[1] == "10" else card[1].upper()) + card[2].lower())
        place = cast("re.Match[str]", _BETWEEN_CARDS.match(text, card.end())).end()
    return card_indices("".join(found))
