"""Numbers of things in words."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """Return a number of things: ``"1 hand"``, ``"1,740 hands"``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
