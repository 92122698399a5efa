"""Checks of arguments, each with one wording."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable

__all__ = ["check_choice", "check_jobs", "check_least", "check_whole"]


def check_whole(what: str, number: int) -> int:
    """Return a whole number as an int.

    Raises
    ------
    ValueError
        If it is not a whole number.
    """
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, got {number!r}") from None


def check_least(what: str, number: int, least: int) -> int:
    """Return a whole number that has a lower bound as an int.

    Raises
    ------
    ValueError
        If it is not a whole number, or below `least`.
    """
    whole = check_whole(what, number)
    if whole < least:
        raise ValueError(f"{what} must be {least} or more, got {number}")
    return whole


def check_jobs(jobs: int | None) -> int:
    """Return the number of threads or processes: `jobs`, or one for each processor if it is None.

    Raises
    ------
    ValueError
        If it is not a whole number, or below 1.
    """
    return os.cpu_count() or 1 if jobs is None else check_least("jobs", jobs, 1)


def check_choice(what: str, value: object, choices: Iterable[object]) -> None:
    """Check that a value is one of several.

    Raises
    ------
    ValueError
        If it is not; the message lists the choices.
    """
    known = tuple(choices)
    if value not in known:
        raise ValueError(f"unknown {what} {value!r}: expected one of {', '.join(map(str, known))}")
