"""Tables of figures as text, for terminals and pages alike."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Figures"]


class Figures(NamedTuple):
    """A table of figures as text: its first column names the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
