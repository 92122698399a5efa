"""The rows in a file of SQLite, read page by page, whatever else is damaged.

SQLite finds rows by trees of pages, and gives up where one of them is wrong. Here every page is looked at by itself
(https://www.sqlite.org/fileformat2.html): those that hold rows of tables, and those that hold entries of indexes. What
is read this way can be anything, so that it has to be compared with checksums.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

__all__ = ["PageRow", "rows"]

Value: TypeAlias = "int | float | str | bytes | None"

_HEADER = 100  # bytes of the file before the first page's own
_TABLE, _INDEX, _ABOVE = 13, 10, 2  # kinds of pages that have rows, entries, and entries above other pages
_MOST_COLUMNS = 20
_INTEGERS = (0, 1, 2, 3, 4, 6, 8)  # bytes by serial type


class PageRow(NamedTuple):
    """A row of a table, or an entry of an index.

    Attributes
    ----------
    id : int or None
        The row's number; None of an entry of an index.
    values : tuple
        The columns. That which is the row's number is None in a row.
    """

    id: int | None
    values: tuple[Value, ...]


def rows(data: bytes) -> Iterator[PageRow]:
    """Yield all rows and entries of indexes that look like any.

    Parameters
    ----------
    data : bytes
        The file.
    """
    size = _page_size(data)
    for start in range(0, len(data) - size + 1, size):
        yield from _rows_of_page(data, size, start)


def _page_size(data: bytes) -> int:
    (size,) = struct.unpack_from(">H", data, 16) if len(data) >= _HEADER else (0,)
    size = 65536 if size == 1 else size
    if size < 512 or size & (size - 1) or len(data) % size:
        return 4096  # what SQLite makes
    return int(size)


def _rows_of_page(data: bytes, size: int, start: int) -> Iterator[PageRow]:
    header = start + (_HEADER if start == 0 else 0)
    kind, _, cells = struct.unpack_from(">BHH", data, header)
    if kind not in (_TABLE, _INDEX, _ABOVE):
        return
    first = header + (12 if kind == _ABOVE else 8)
    for place in range(first, min(first + 2 * cells, start + size - 1), 2):
        (offset,) = struct.unpack_from(">H", data, place)
        try:
            yield _cell(data, size, start + offset, start + size, kind)
        except (LookupError, ValueError, struct.error):  # damaged
            continue


def _cell(data: bytes, size: int, place: int, end: int, kind: int) -> PageRow:
    length, place = _varint(data, place + (4 if kind == _ABOVE else 0))
    number: int | None = None
    if kind == _TABLE:
        number, place = _varint(data, place)
        number -= (number >> 63) << 64
    if length > len(data):
        raise ValueError("longer than the file")
    most = size - 35 if kind == _TABLE else (size - 12) * 64 // 255 - 23
    if length <= most:
        if place + length > end:
            raise ValueError("longer than the page")
        return PageRow(number, _record(data[place : place + length]))
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts = [data[place : place + here]]
    (page,) = struct.unpack_from(">I", data, place + here)
    rest = length - here
    while rest > 0:
        start = (page - 1) * size
        if page < 1 or start + size > len(data):
            raise ValueError("there is no such page")
        (page,) = struct.unpack_from(">I", data, start)
        parts.append(data[start + 4 : start + 4 + min(rest, size - 4)])
        rest -= size - 4
    return PageRow(number, _record(b"".join(parts)))


def _record(payload: bytes) -> tuple[Value, ...]:
    head, place = _varint(payload, 0)
    if head > len(payload):
        raise ValueError("no record")
    values: list[Value] = []
    at = head
    while place < head:
        kind, place = _varint(payload, place)
        value, at = _value(payload, at, kind)
        values.append(value)
        if len(values) > _MOST_COLUMNS:
            raise ValueError("more columns than any table has")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == 7:
        size = 8
    elif kind < 7:
        size = _INTEGERS[kind]
    elif kind >= 12:
        size = (kind - 12) // 2
    else:
        raise ValueError("no value")
    content = payload[at : at + size]
    if len(content) != size:
        raise ValueError("cut short")
    if kind == 7:
        return struct.unpack(">d", content)[0], at + size
    if kind < 7:
        return int.from_bytes(content, "big", signed=True), at + size
    return (content.decode() if kind % 2 else content), at + size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for k in range(8):
        byte = data[place + k]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + k + 1
    return value << 8 | data[place + 8], place + 9
