"""Cards, holdings and hand classes, as index and as text.

A card is ``4*rank + suit`` with ranks ``23456789TJQKA`` = 0..12 and suits ``cdhs`` = 0..3, the order
of the ACPC, OpenSpiel and PokerKit. A holding is an unordered pair of cards, ``hi*(hi-1)//2 + lo`` with
``hi > lo``: 1,326 of them, in the order of PioSOLVER's hand list. A class is one of the 169 cells of the
13 x 13 grid, ``13*row + col`` over ``AKQJT98765432``, suited above the diagonal.

Everything that takes cards takes them as text (``"AsKd"``, ``"As Kd"``, ``"10s"`` for ``"Ts"``, ``"A♠K♦"``) or as
indices; every index that comes out is a plain ``int``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from pokermodel._core.cards import are_cards
from pokermodel._core.cards import live_holdings as live_bytes
from pokermodel._support.arrays import Bools, Bytes, Integers
from pokermodel._support.patterns import regex

__all__ = [
    "CARDS",
    "CLASSES",
    "CLASS_OF_HOLDING",
    "HOLDINGS",
    "HOLDINGS_OF_CLASS",
    "HOLDING_CARDS",
    "N_CARDS",
    "N_CLASSES",
    "N_HOLDINGS",
    "RANKS",
    "SUITS",
    "SUIT_SIGN",
    "CardsLike",
    "card_index",
    "card_indices",
    "card_text",
    "cards_text",
    "class_index",
    "holding_cards",
    "holding_index",
    "holding_text",
    "live_holdings",
]

#: Ranks, in order; a card's index is four times the rank's, plus the suit's.
RANKS = "23456789TJQKA"
#: Suits: clubs, diamonds, hearts, spades.
SUITS = "cdhs"
#: Cards of a deck.
N_CARDS = 52
#: Holdings of two cards.
N_HOLDINGS = 1326
#: Classes of holdings before the flop, as AA, AKs, AKo.
N_CLASSES = 169

#: Cards as text or as indices.
CardsLike: TypeAlias = str | int | Iterable[str | int]

#: Text of every card, by index.
CARDS: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_INDEX = {text: index for index, text in enumerate(CARDS)}
_GRID = RANKS[::-1]
# signs of the suits, black and white; a selector behind one asks for text or for an emoji
_SUIT_OF_SIGN = {sign: suit for suit, signs in zip(SUITS, ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True) for sign in signs}
#: Pattern of the sign of a suit.
SUIT_SIGN = f"[{''.join(_SUIT_OF_SIGN)}][\ufe0e\ufe0f]?"
_SIGN = regex(SUIT_SIGN)
_TWO_CHARACTERS = regex("..?[\ufe0e\ufe0f]?", re.DOTALL)


def _class_texts() -> tuple[str, ...]:
    texts = []
    for row, first in enumerate(_GRID):
        for col, second in enumerate(_GRID):
            suited, offsuit, pair = first + second + "s", second + first + "o", first * 2
            texts.append(suited if row < col else offsuit if row > col else pair)
    return tuple(texts)


#: Text of every class (``"AA"``, ``"AKs"``, ``"AKo"``...), by index.
CLASSES: tuple[str, ...] = _class_texts()
_CLASS_INDEX = {text: index for index, text in enumerate(CLASSES)}

#: The two cards of every holding, higher index first: uint8 (1326, 2).
HOLDING_CARDS: Bytes = np.array([(hi, lo) for hi in range(N_CARDS) for lo in range(hi)], dtype=np.uint8)
HOLDING_CARDS.setflags(write=False)

#: Text of every holding (``"AsKd"``), higher card first, by index.
HOLDINGS: tuple[str, ...] = tuple(CARDS[hi] + CARDS[lo] for hi in range(N_CARDS) for lo in range(hi))
_HOLDING_INDEX = {text: index for index, text in enumerate(HOLDINGS)}


def _class_of_holding() -> Bytes:
    high, low = (12 - HOLDING_CARDS[:, k].astype(np.intp) // 4 for k in (0, 1))  # grid positions, ace = 0
    suited = HOLDING_CARDS[:, 0] % 4 == HOLDING_CARDS[:, 1] % 4
    return np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8)


#: Class of every holding: uint8 (1326,).
CLASS_OF_HOLDING: Bytes = _class_of_holding()
CLASS_OF_HOLDING.setflags(write=False)


def _holdings_of_class() -> tuple[Integers, ...]:
    order = np.argsort(CLASS_OF_HOLDING, kind="stable")
    groups = tuple(np.split(order, np.cumsum(np.bincount(CLASS_OF_HOLDING))[:-1]))
    for group in groups:
        group.setflags(write=False)
    return groups


#: Indices of the 6, 4 or 12 holdings of every class, ascending: intp arrays.
HOLDINGS_OF_CLASS: tuple[Integers, ...] = _holdings_of_class()


def _integer(value: object, what: str, count: int, expected: str) -> int:
    try:
        index = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{value!r} is not a {what}: expected {expected}") from None
    if not 0 <= index < count:
        raise ValueError(f"{what} index {index} is out of range: expected 0..{count - 1}")
    return index


def card_index(card: str | int) -> int:
    """Index ``4*rank + suit`` of a card: ``"As"``, ``"10d"``, ``"A♠"``, or an index; `ValueError` if it is no card."""
    if isinstance(card, str):
        text = card.strip()
        if not text.isascii():
            text = _SIGN.sub(lambda sign: _SUIT_OF_SIGN[sign[0][0]], text)
        text = "T" + text[2:] if text.startswith("10") else text
        index = _CARD_INDEX.get(text[:1].upper() + text[1:].lower())
        if index is None:
            raise ValueError(f"{card!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}, as in 'As'")
        return index
    return _integer(card, "card", N_CARDS, "text such as 'As' or an index 0..51")


def card_indices(cards: CardsLike, *, unique: bool = True) -> tuple[int, ...]:
    """Find the indices of several cards.

    Parameters
    ----------
    cards : str, int or iterable of str or int
        ``"AsKd"``, ``"As Kd"``, ``"A♠K♦"``, ``["As", "Kd"]``, ``[51, 45]`` or an integer array.
    unique : bool
        Refuse a card that occurs twice.

    Raises
    ------
    ValueError
        If something is not a card, or a card occurs twice.
    """
    if type(cards) is tuple and are_cards(cards):  # as they come out of here
        return cards
    if isinstance(cards, str):
        text = "".join(cards.replace("10", "T").replace(",", " ").split())
        parts = _TWO_CHARACTERS.findall(text)
        if parts and len(parts[-1]) < 2:
            raise ValueError(f"{cards!r} is not a list of cards: expected two characters a card, as in 'AsKd'")
        found = tuple(map(card_index, parts))
    elif isinstance(cards, Iterable):
        found = tuple(card_index(card) for card in cards)
    else:
        found = (card_index(cards),)
    if unique and len(set(found)) != len(found):
        twice = next(card for card in found if found.count(card) > 1)
        raise ValueError(f"duplicate card {CARDS[twice]} in {cards_text(found)}")
    return found


def card_text(card: int) -> str:
    """Text of one card, as ``"As"``; raises `ValueError` outside 0..51."""
    return CARDS[card_index(card)]


def cards_text(cards: Iterable[int], separator: str = "") -> str:
    """Text of several cards, as ``"AsKd"``."""
    # boards are told at every act: cards that are numbers of cards need no further look
    return separator.join(
        [CARDS[card] if type(card) is int and 0 <= card < N_CARDS else card_text(card) for card in cards]
    )


def holding_index(holding: CardsLike) -> int:
    """Index of a holding.

    Parameters
    ----------
    holding : str, int or sequence
        Two cards as text or indices, or (an ``int``) a holding's index.

    Returns
    -------
    int
        ``hi*(hi-1)//2 + lo``, 0..1325.

    Raises
    ------
    ValueError
        If it is not two different cards.
    """
    # as it stands in hands and reports, it is asked for several times an act
    if type(holding) is tuple and len(holding) == 2:
        one, other = holding
        if type(one) is int and type(other) is int and 0 <= one < N_CARDS and 0 <= other < N_CARDS and one != other:
            return one * (one - 1) // 2 + other if one > other else other * (other - 1) // 2 + one
    elif type(holding) is int and 0 <= holding < N_HOLDINGS:
        return holding
    elif type(holding) is str and (found := _HOLDING_INDEX.get(holding)) is not None:
        return found
    if not isinstance(holding, str) and not isinstance(holding, Iterable):
        return _integer(holding, "holding", N_HOLDINGS, "two cards, as 'AsKd', or an index 0..1325")
    cards = card_indices(holding)
    if len(cards) != 2:
        raise ValueError(f"a holding is two cards, got {len(cards)}: {cards_text(cards)!r}")
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def holding_cards(holding: CardsLike) -> tuple[int, int]:
    """Split a holding into its two cards, higher index first; raises as `holding_index` does."""
    high, low = HOLDING_CARDS[holding_index(holding)]
    return int(high), int(low)


def holding_text(holding: CardsLike) -> str:
    """Text of a holding, as ``"AsKd"``, higher card first."""
    return HOLDINGS[holding_index(holding)]


def class_index(text: str) -> int:
    """Index of a class from its text, as ``"AA"``, ``"AKs"``, ``"KAo"``; else raises `ValueError`."""
    tens = text.replace("10", "T")
    ranks, suffix = tens[:2].upper(), tens[2:].lower()
    for candidate in (ranks + suffix, ranks[::-1] + suffix):
        if candidate in _CLASS_INDEX:
            return _CLASS_INDEX[candidate]
    raise ValueError(f"{text!r} is not a class of holdings: expected one of the 169, as 'AA', 'AKs' or 'T9o'")


@lru_cache(maxsize=64)
def shared_live_holdings(dead: tuple[int, ...]) -> Bools:
    """Holdings without a dead card, given card indices: a shared array that is read-only."""
    return np.frombuffer(live_bytes(card_indices(dead)), dtype=np.bool_)  # of bytes, which nobody can change


def live_holdings(dead: CardsLike = ()) -> Bools:
    """Which holdings contain none of the dead cards: bool (1326,).

    `ValueError` if something is not a card, or a card occurs twice.
    """
    return shared_live_holdings(card_indices(dead)).copy()
