"""The treatment of hands that a format cannot express, for all writers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from pokermodel.game import Hand

__all__ = ["ErrorSink", "texts"]


class ErrorSink(Protocol):
    """Receives the errors of hands that are left out, for example a list."""

    def append(self, error: ValueError, /) -> object:
        """Receive an error."""


def texts(hands: Iterable[Hand], dumps: Callable[[Hand], str], skipped: ErrorSink | None) -> Iterator[str]:
    """Yield the text of each hand; errors go to `skipped`, or are raised if it is None."""
    for hand in hands:
        try:
            text = dumps(hand)
        except ValueError as error:
            if skipped is None:
                raise
            skipped.append(error)
        else:
            yield text
