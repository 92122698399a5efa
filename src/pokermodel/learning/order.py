"""Where a hand stands among others: when it was played, and by what number its source knows it.

The order of hands is that in which they were played, however they are learnt: by time; hands of the same time, and all
hands whose source gives no time, by source and number. Hands without a time come before those with one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

__all__ = ["by_number", "day"]

_DIGITS = re.compile(rb"0*([0-9]+)")


def by_number(text: str) -> bytes:
    """Bytes of a text in whose order numbers in it stand: a byte before each says how long it is."""
    if text.isdecimal() and text.isascii():  # as most ids are, without a pattern: it is done for every hand
        digits = text.lstrip("0") or "0"
        return bytes([min(len(digits), 255)]) + digits.encode()
    parts = _DIGITS.split(text.encode(errors="backslashreplace"))
    parts[1::2] = [bytes([min(len(digits), 255)]) + digits for digits in parts[1::2]]
    return b"".join(parts)


def day(seconds: int) -> str:
    """The day of a time (UTC), as ``"2009-07-01"``; raises `ValueError` or `OverflowError` if there is no such time."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
