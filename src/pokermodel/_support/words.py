"""Numbers of things in words."""

from __future__ import annotations

__all__ = ["counted", "plural"]


def counted(number: int, thing: str) -> str:
    """Return a number of things: ``"1 hand"``, ``"1,740 hands"``."""
    return f"{number:,} {thing if number == 1 else plural(thing)}"


def plural(thing: str) -> str:
    """Return the plural: ``"hands"``, ``"passes"``."""
    return f"{thing}es" if thing.endswith("s") else f"{thing}s"
