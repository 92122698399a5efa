"""Checks of arguments, each with one wording."""

from __future__ import annotations

import operator
from collections.abc import Iterable

from pokermodel._support.patterns import regex
from pokermodel._support.processors import processors

__all__ = ["check_choice", "check_jobs", "check_kind", "check_least", "check_name", "check_whole", "is_name"]

# null characters and halves of surrogate pairs are what a database cannot keep
_STORABLE = regex("[^\0\ud800-\udfff]+")


def check_whole(what: str, number: int) -> int:
    """Return a whole number as an int; raises `ValueError` if it is not a whole number."""
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, got {number!r}") from None


def check_least(what: str, number: int, least: int) -> int:
    """Return a whole number that has a lower bound as an int.

    Raises `ValueError` if it is not a whole number, or below `least`.
    """
    whole = check_whole(what, number)
    if whole < least:
        raise ValueError(f"{what} must be {least} or more, got {number}")
    return whole


def check_jobs(jobs: int | None) -> int:
    """Return the number of threads or processes: `jobs`, or one for each processor if it is None.

    Raises `ValueError` if it is not a whole number, or below 1.
    """
    return processors() if jobs is None else check_least("jobs", jobs, 1)


def check_kind(what: str, value: object, kind: type, expected: str) -> None:
    """Check that a value is of a class, which `expected` names with how one comes by it.

    Raises `ValueError` if it is of another.
    """
    if not isinstance(value, kind):
        raise ValueError(f"{what} is {value!r}: expected {expected}")


def check_choice(what: str, value: object, choices: Iterable[object]) -> None:
    """Check that a value is one of several; raises `ValueError` if it is not; the message lists the choices."""
    known = tuple(choices)
    if value not in known:
        raise ValueError(f"unknown {what} {value!r}: expected one of {', '.join(map(str, known))}")


def is_name(name: str) -> bool:
    """Whether a player's name can be kept in a database: it has no null character and no half of a surrogate pair."""
    return _STORABLE.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Check that a player's name can be kept in a database.

    Raises `ValueError` if it is empty, or has a null character or half of a surrogate pair.
    """
    if not is_name(name):
        raise ValueError(f"the name {name!r} is not text that can be kept")
