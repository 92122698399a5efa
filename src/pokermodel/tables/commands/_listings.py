"""Help that ends with the names of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokermodel.cli._listings import Lists

__all__ = ["ListsPlayers"]


class ListsPlayers(Lists):
    """A command that takes names of players."""

    title = "Players"

    @staticmethod
    def kinds() -> Mapping[str, Any]:
        """All players."""
        from pokermodel.tables.players import kinds

        return kinds()
