"""Texts damaged as files are: bytes lost, put in and copied, lines dropped, doubled and swapped, digits changed.

One home for the tests that draw damage by Hypothesis, which then makes it smaller, and for the fuzz targets, which draw
it from a random generator.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st

__all__ = ["Dice", "Drawn", "damaged"]

T = TypeVar("T")

#: What means something in one format or another.
MARKS = [
    *(b"\r", b"\n", b"[", b"]", b"'", b'"', b"$9", b": ", b", ", b" ", b"#", b"=", b",", b"0", b".", b"-", b"\0"),
    *(b"-1", b"inf", b"nan", b"??", b"1e999", b"null", b"\\", b":"),
    *(b"<", b">", b"&", b"</game>", b"<!--", b"<![CDATA[", b"{", b"}", b"|", b"/", b"A", b"Q", b"\xc2\xa0", b"\xb2"),
]
_KINDS = ("drop", "put", "byte", "cut", "copy", "digit", "line", "lines", "swap")


class Source(Protocol):
    """Where choices come from."""

    def whole(self, least: int, most: int) -> int: ...

    def pick(self, choices: Sequence[T]) -> T: ...

    def bytes(self, most: int) -> bytes: ...


class Drawn:
    """Choices of Hypothesis."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def whole(self, least: int, most: int) -> int:
        return self._data.draw(st.integers(least, most))

    def pick(self, choices: Sequence[T]) -> T:
        return self._data.draw(st.sampled_from(choices))

    def bytes(self, most: int) -> bytes:
        return self._data.draw(st.binary(min_size=1, max_size=most))


class Dice:
    """Choices of a random generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def whole(self, least: int, most: int) -> int:
        return self._rng.randint(least, most)

    def pick(self, choices: Sequence[T]) -> T:
        return self._rng.choice(choices)

    def bytes(self, most: int) -> bytes:
        return self._rng.randbytes(self._rng.randint(1, most))


def damaged(text: bytes, source: Source, most: int = 4) -> bytes:
    """Damage a text in one to `most` places."""
    found = bytearray(text)
    for _ in range(source.whole(1, most)):
        match source.pick(_KINDS):
            case "drop":
                at = source.whole(0, len(found))
                del found[at : at + source.whole(1, 40)]
            case "put":
                at = source.whole(0, len(found))
                found[at:at] = source.pick(MARKS) if source.whole(0, 1) else source.bytes(3)
            case "byte":
                at = source.whole(0, len(found))
                found[at : at + 1] = source.bytes(1)
            case "cut":
                del found[source.whole(0, len(found)) :]
            case "copy":
                at = source.whole(0, len(found))
                found[at:at] = found[source.whole(0, len(found)) :][:60]
            case "digit":
                digits = [place for place, char in enumerate(found) if chr(char).isdigit()]
                if digits:
                    found[source.pick(digits)] = source.pick(b"0123456789.")
            case kind:
                lines = found.splitlines(keepends=True) or [bytearray()]
                at, other = source.whole(0, len(lines) - 1), source.whole(0, len(lines) - 1)
                if kind == "line":
                    del lines[at]
                elif kind == "lines":
                    lines.insert(at, lines[other])
                else:
                    lines[at], lines[other] = lines[other], lines[at]
                found = bytearray(b"".join(lines))
    return bytes(found)
