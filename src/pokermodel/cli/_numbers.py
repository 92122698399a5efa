"""Numbers of hands on the command line: one, or several with ranges among them."""

from __future__ import annotations

import re
from typing import NamedTuple

import click

from pokermodel._support.patterns import regex

__all__ = ["Numbers", "read_numbers"]

_PART = regex(r"\s*([0-9]+)\s*(?:-\s*([0-9]+)\s*)?", re.ASCII)


class Numbers(NamedTuple):
    """Numbers of hands in a source, from 1."""

    #: First and last number of each range, rising; ranges neither overlap nor touch.
    parts: tuple[tuple[int, int], ...]
    several: bool  #: Whether they were written as several, and not as one number.

    @classmethod
    def read(cls, text: str) -> Numbers:
        """Read numbers and ranges with commas between them, as ``"3,7,10-12"``, in any order."""
        found = []
        for part in text.split(","):
            match = _PART.fullmatch(part)
            first = 0 if match is None or len(part) > 30 else int(match[1])
            last = first if match is None or match[2] is None else int(match[2])
            if not 1 <= first <= last:
                raise ValueError(f"{part.strip()!r}: expected numbers from 1 on and ranges of them, as '3,7,10-12'")
            found.append((first, last))
        parts: list[tuple[int, int]] = []
        for first, last in sorted(found):
            if parts and first <= parts[-1][1] + 1:
                parts[-1] = (parts[-1][0], max(last, parts[-1][1]))
            else:
                parts.append((first, last))
        return cls(tuple(parts), several=len(found) > 1 or "-" in text)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and any(first <= number <= last for first, last in self.parts)

    def __str__(self) -> str:
        return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in self.parts)

    @property
    def first(self) -> int:
        """The least."""
        return self.parts[0][0]

    @property
    def last(self) -> int:
        """The largest."""
        return self.parts[-1][1]

    def share(self, number: int) -> float:
        """Share of them that are not above a number, 0 to 1."""
        done = sum(max(0, min(number, last) - first + 1) for first, last in self.parts)
        return done / sum(last - first + 1 for first, last in self.parts)


def read_numbers(context: click.Context, parameter: click.Parameter, value: str | None) -> Numbers | None:
    """Read the value of an option, as its callback."""
    if value is None:
        return None
    try:
        return Numbers.read(value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None
