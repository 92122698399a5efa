"""Names of players, as far as databases can keep them."""

from __future__ import annotations

import re

__all__ = ["check_name", "is_name"]

_TEXT = re.compile("[^\0\ud800-\udfff]+")


def is_name(name: str) -> bool:
    """Whether every database can keep a name: it has no null character and no half of a surrogate pair."""
    return _TEXT.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Check that a name can be kept by every database.

    Raises
    ------
    ValueError
        If it is empty, or has a null character or half a surrogate pair in it.
    """
    if not is_name(name):
        raise ValueError(f"the name {name!r} is not text that can be kept")
