"""The result for every file of a source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from pokermodel._support.words import counted

__all__ = ["HistoryFile", "SourceReport"]

_LISTED = 5  # files of a kind


class HistoryFile(NamedTuple):
    """The result for one file.

    Parameters
    ----------
    path : str
        The file; in an archive, the path goes on inside: ``"folder/a.tgz/b.txt"``. The tables of a month of the IRC
        poker database are one file, and so are the files of an archive without a hand history.
    status : str
        - ``"read"``: a hand history that was read to its end.
        - ``"unchanged"``: a hand history that a book has, and that was not read again.
        - ``"open"``: a hand history that has not been read, or only in part so far.
        - ``"unreadable"``: cannot be read, or not from some place on.
        - ``"foreign"``: no hand history that is read.
    format : str
        As `HandSource.format`; empty if there is none.
    hands : int
        Hands read.
    skipped : int
        Hands left out, because they could not be read.
    reason : str
        Why the file cannot be read, or what it is instead of a hand history, if that is known; or what is wrong with
        the first hand that was left out.
    """

    path: str
    status: str
    format: str = ""
    hands: int = 0
    skipped: int = 0
    reason: str = ""


class SourceReport:
    """The result for the files of a source. As text, it is a line that counts all of them.

    Parameters
    ----------
    files : iterable of HistoryFile
        The files, in their order.

    Attributes
    ----------
    files : tuple of HistoryFile
        As given.
    hands, skipped : int
        Hands read, and hands left out.
    """

    def __init__(self, files: Iterable[HistoryFile]) -> None:
        self.files = tuple(files)
        self.hands = sum(file.hands for file in self.files)
        self.skipped = sum(file.skipped for file in self.files)

    def __repr__(self) -> str:
        return f"<SourceReport: {self}>"

    def __str__(self) -> str:
        unchanged = self._of("unchanged")
        read = [file for file in self.files if file.hands and file.status != "unchanged"]
        empty = [file for file in self.files if file.status == "read" and not (file.hands or file.skipped)]
        parts = [f"{counted(sum(file.hands for file in read), 'hand')} read from {counted(len(read), 'file')}"]
        if unchanged:
            have = "has" if len(unchanged) == 1 else "have"
            parts.append(f"{counted(len(unchanged), 'file')} {have} not changed")
        if self.skipped:
            parts.append(f"{counted(self.skipped, 'hand')} skipped")
        for files, one, several in (
            (empty, "has no hand", "have no hands"),
            (self._of("unreadable"), "cannot be read to the end", "cannot be read to the end"),
            (
                self._of("foreign"),
                "is no hand history that pokermodel reads",
                "are no hand histories that pokermodel reads",
            ),
        ):
            if files:
                parts.append(f"{counted(len(files), 'file')} {one if len(files) == 1 else several}: {_listed(files)}")
        return "; ".join(parts)

    def _of(self, status: str) -> list[HistoryFile]:
        return [file for file in self.files if file.status == status]

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.skipped and all(file.status in ("read", "open", "unchanged") for file in self.files)

    def to_dict(self) -> dict[str, Any]:
        """``hands``, ``skipped`` and ``files``, each of these with the fields of `HistoryFile`: data for JSON."""
        return {"hands": self.hands, "skipped": self.skipped, "files": [file._asdict() for file in self.files]}


def _listed(files: list[HistoryFile]) -> str:
    shown = [f"{file.path} ({file.reason})" if file.reason else file.path for file in files[:_LISTED]]
    more = [f"{len(files) - _LISTED:,} more"] if len(files) > _LISTED else []
    return ", ".join(shown + more)
