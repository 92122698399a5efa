"""Files cut into pieces that are read apart: each goes from the beginning of a hand to that of another."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Protocol

from pokermodel.errors import HistoryError
from pokermodel.histories.files import Piece

__all__ = ["SPAN", "Places", "pieces"]

#: Bytes of a piece, as far as hands allow.
SPAN = 1 << 20
_CHUNK = 1 << 16


class Places(Protocol):
    """Where a file of a format can be cut. One is made for each file."""

    def allow(self, content: bytes) -> bool:
        """Whether the file can be cut behind this, its beginning or what follows what was asked about before."""

    def begins(self, line: bytes) -> bool:
        """Whether a hand begins with a line, so that it can be read without what is before it."""

    def lines(self, content: bytes) -> int:
        """Number of lines."""


def pieces(
    file: io.BufferedReader, places: Places | None, size: int = SPAN, behind: Sequence[HistoryError] = ()
) -> Iterator[Piece]:
    """Cut a file.

    Parameters
    ----------
    places : Places, optional
        None: the file is one piece.
    size : int
        Bytes of a piece, at least, but for the last.
    behind : sequence of HistoryError
        The error that `Files.open` finds behind the end of the file.
    """
    start: tuple[int, ...] = ()
    place = before = 0
    buffer = bytearray()
    seen = 0  # bytes of the buffer in which no cut was found
    wanted = size
    while True:
        try:
            data = file.read1(_CHUNK)
        except HistoryError as error:
            yield Piece(bytes(buffer), start, error)
            return
        if not data:
            yield Piece(bytes(buffer), start, behind[0] if behind else None, bool(behind))
            return
        buffer += data
        while places is not None and len(buffer) >= wanted:
            if not places.allow(bytes(buffer[seen:])):
                places = None
            elif cut := _cut(buffer, max(size // 2, seen), places):
                content = bytes(buffer[:cut])
                yield Piece(content, start)
                place, before = place + cut, before + places.lines(content)
                start = place, before
                del buffer[:cut]
                seen, wanted = 0, size
            else:
                seen, wanted = buffer.rfind(b"\n") + 1, len(buffer) + size


def _cut(buffer: bytearray, least: int, places: Places) -> int | None:
    """Where the first hand begins that does so behind some bytes and with a whole line; None if there is none."""
    begin = buffer.find(b"\n", max(least - 1, 0)) + 1
    while begin:
        end = buffer.find(b"\n", begin) + 1
        if not end:
            return None
        if places.begins(bytes(buffer[begin:end])):
            return begin
        begin = end
    return None
