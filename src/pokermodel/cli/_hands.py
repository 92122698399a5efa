"""Hands of the files that a command was given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.histories._files import Sink

__all__ = ["read_hands"]


def read_hands(path: Path, skipped: Sink) -> Iterator[Hand]:
    """Read what can be read of a history, a folder or an archive.

    What is wrong with the rest, or with all of it, is noted in `skipped`.
    """
    from pokermodel.histories import open_hands

    try:
        yield from open_hands(path).read(skipped)
    except HistoryError as error:  # of the file as a whole
        skipped.append(error)
