"""Errors that pokermodel raises on bad input, all of them kinds of `ValueError`, and warnings."""

from __future__ import annotations

__all__ = [
    "BookError",
    "ClusterError",
    "ClusterWarning",
    "DamagedBookError",
    "HistoryError",
    "PluginWarning",
    "RangeError",
    "UnknownPlayerError",
]


class BookError(ValueError):
    """A book that is missing, foreign, of another version, or cannot be read or written."""


class ClusterError(ValueError):
    """Processes or a cluster that cannot do the work: not reached, of another version of the package, or ended."""


class ClusterWarning(UserWarning):
    """A failure at a cluster that was repaired."""


class DamagedBookError(BookError):
    """A book in which something is not as it was written. Its histories have to be learnt again.

    Parameters
    ----------
    where : str
        The book.
    reason : str
        The error.
    """

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(f"{where} is damaged: {reason}; learn its histories again")

    def __reduce__(self) -> tuple[type[DamagedBookError], tuple[str, str]]:
        return type(self), (self.where, self.reason)


class HistoryError(ValueError):
    """A hand history that is damaged, foreign or not supported.

    Parameters
    ----------
    message : str
        The error and the expected form.
    path : str, optional
        The file (and the member, for an archive).
    line : int, optional
        The line in that file, counted from 1. An error without one is of the file, and not of a hand.
    hand : str, optional
        The id of the hand, where it is known.

    Attributes
    ----------
    reason : str
        `message` without file, line and hand.
    path, line, hand
        As given.
    """

    def __init__(self, message: str, path: str | None = None, line: int | None = None, hand: str | None = None) -> None:
        self.reason = message
        self.path = path
        self.line = line
        self.hand = hand
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        which = "" if hand is None or message.startswith("hand ") else f"hand {hand}: "
        super().__init__(where + which + message)

    def __reduce__(self) -> tuple[type[HistoryError], tuple[str, str | None, int | None, str | None]]:
        return type(self), (self.reason, self.path, self.line, self.hand)


class PluginWarning(UserWarning):
    """An addition of another package cannot be used; the message names the package."""


class RangeError(ValueError):
    """A range text that cannot be read.

    Parameters
    ----------
    message : str
        The error and the expected form.
    text : str
        The range text.
    column : int
        Where in `text`, counted from 1.
    """

    def __init__(self, message: str, text: str, column: int) -> None:
        self.reason = message
        self.text = text
        self.column = column
        super().__init__(f"column {column}: {message}")

    def __reduce__(self) -> tuple[type[RangeError], tuple[str, str, int]]:
        return type(self), (self.reason, self.text, self.column)


class UnknownPlayerError(ValueError, KeyError):
    """A name that a book does not know. It is a `KeyError`, too, as of other mappings."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)

    def __str__(self) -> str:
        return f"the book has no player {self.name!r}: expected a name as the book has it, in its upper and lower case"
