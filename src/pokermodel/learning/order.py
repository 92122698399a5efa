"""Where a hand stands among others: when it was played, and by what number its source knows it.

The order of hands is that in which they were played, however they are learnt: by time; hands of the same time, and all
hands whose source gives no time, by source and number. Hands without a time come before those with one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from pokermodel.game import Hand
from pokermodel.histories import SITES

__all__ = ["Played", "day", "played", "site_of_place", "sort_key"]

_DIGITS = re.compile(rb"0*([0-9]+)")
_LONGEST = 200  # bytes of a place; characters of a stake
_ZERO = 1 << 63  # makes times positive
_NAIVE_EPOCH, _EPOCH, _SECOND = datetime(1970, 1, 1), datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)


class Played(NamedTuple):
    """When and for what a hand was played.

    Attributes
    ----------
    time : int or None
        Seconds since the beginning of 1970 (UTC); None if the source does not say.
    place : bytes
        Source and number, such that bytes in their order are hands in the order of their numbers.
    stake : str
        The small and the big bet in the source's money, and its currency: ``"2/4 USD"``.
    """

    time: int | None
    place: bytes
    stake: str


def played(hand: Hand) -> Played:
    """When and for what a hand was played.

    Parameters
    ----------
    hand : Hand
        Of its source counts what comes before a slash, since what follows is the name of a folder.
    """
    time = hand.time
    return Played(
        None if time is None else _seconds(time),
        (_source(hand.source) + _by_number(hand.id))[:_LONGEST],
        hand.stake[:_LONGEST],
    )


def _seconds(time: datetime) -> int:
    """Seconds since the beginning of 1970; a time without a zone counts as UTC."""
    return (time - (_NAIVE_EPOCH if time.tzinfo is None else _EPOCH)) // _SECOND


@lru_cache(256)
def _source(source: str) -> bytes:
    return _by_number(source.partition("/")[0] + "\0")


@lru_cache(1)
def _sites() -> dict[bytes, str]:
    return {_source(site): site for site in SITES}


@lru_cache(1024)
def _site_of(source: bytes) -> str:
    return _sites().get(source, "")


def site_of_place(place: bytes) -> str:
    """The poker site that a place is of, as `Hand.source` names it; "" if it is of none."""
    return _site_of(place[: place.find(b"\0") + 1])


def _by_number(text: str) -> bytes:
    """Bytes of a text in whose order numbers in it stand: a byte before each says how long it is."""
    if text.isdecimal() and text.isascii():  # as most ids are, without a pattern: it is done for every hand
        digits = text.lstrip("0") or "0"
        return bytes([min(len(digits), 255)]) + digits.encode()
    parts = _DIGITS.split(text.encode(errors="backslashreplace"))
    parts[1::2] = [bytes([min(len(digits), 255)]) + digits for digits in parts[1::2]]
    return b"".join(parts)


def sort_key(time: int | None, place: bytes) -> bytes:
    """Bytes in whose order hands stand.

    Parameters
    ----------
    time, place
        As `Played` has them.
    """
    if time is None:
        return b"\1" + place
    return b"\2" + (time + _ZERO).to_bytes(8, "big") + place


def day(seconds: int) -> str:
    """The day of a time (UTC), as ``"2009-07-01"``; raises `ValueError` or `OverflowError` if there is no such time."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
