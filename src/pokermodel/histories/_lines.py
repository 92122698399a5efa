"""The lines of a text in any encoding, with the byte at which each begins.

Files of sites are UTF-8, UTF-16 or of Windows' western code page, and were often joined, or encoded twice. So each line
is decoded by itself: one that is damaged does not take those around it with it.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pokermodel._support.patterns import regex

__all__ = [
    *("CHUNK", "LINE_COST", "MARGIN", "MOST_TEXT", "Line", "decoded", "decoded_line", "decoded_lines"),
    *("lines_of", "mended", "text_lines", "wide"),
]

#: Characters of a hand, each line counted as so many more; more are of no hand.
MOST_TEXT, LINE_COST = 1 << 20, 100

CHUNK = 1 << 16  # bytes
MARGIN = " \t\xa0\ufeff\0"  # around lines; several files may have been joined
_MANGLED_MARK = "\xef\xbb\xbf"  # the byte order mark of UTF-8 in a text that was encoded twice
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKER = regex(  # of which forums take the asterisks away
    r"(?P<what>(?:HOLE CARDS|POCKET CARDS|PRE-FLOP|ANTE/BLINDS|SUMMARY"
    r"|(?:(?:FIRST|SECOND|THIRD) )?(?:FLOP|TURN|RIVER|SHOW ?DOWN))(?: [1-3])?)(?: +(?P<more>\[.*))?"
)
_TWICE = regex("[\xc2-\xf4][\x80-\xbf\u0152-\u2122]")  # the beginning of a character that was encoded twice


class Line(NamedTuple):
    """A line of a text."""

    number: int  #: Number of the line, from 1.
    text: str  #: The line without its end.
    #: The place of the line, for `text_lines`; empty if lines have to be read from the first one on.
    at: tuple[int, ...] = ()


def text_lines(file: io.BufferedReader, start: Sequence[int] = ()) -> Iterator[Line]:
    """Yield the lines of a text.

    Parameters
    ----------
    file : io.BufferedReader
        Text in UTF-8, in UTF-16 with or without byte order mark, or in Windows' western encoding; joined files may mix
        encodings and line endings.
    start : sequence of int
        The place of the first byte in the whole file, and the number of lines before it, as `Line.at`.
    """
    place, before = start or (0, 0)
    if not start and (codec := wide(file.peek(4))):
        for number, line in enumerate(io.TextIOWrapper(file, codec, "replace"), 1):
            yield Line(number, line.removesuffix("\n"))
        return
    yield from lines_of(_raw_lines(file), place, before)


def wide(head: bytes) -> str | None:
    """Return the codec of a text with two bytes a character; None for any other.

    Parameters
    ----------
    head : bytes
        The beginning of the text: a byte order mark, or two characters of English.
    """
    if head.startswith(_WIDE):
        return "utf-16"
    if len(head) < 4:
        return None
    zeros = [not byte for byte in head[:4]]
    if zeros == [False, True, False, True]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False, True, False] else None


def mended(lines: Sequence[str]) -> list[str]:
    """Undo what happens to a text on its way: characters encoded twice, blanks of web pages, asterisks lost in forums.

    It is for hands that cannot be read as they are; names may have any of these characters.
    """
    once = ((_once(line) if _TWICE.search(line) else line).replace("\xa0", " ") for line in lines)
    return [_marked(line) if line.isupper() or "[" in line else line for line in once]


def _marked(line: str) -> str:
    """Put asterisks around the name of a round."""
    marker = _MARKER.fullmatch(line)
    return line if marker is None else " ".join(["***", marker["what"], "***", *filter(None, [marker["more"]])])


def _once(line: str) -> str:
    """Decode a line in which a text of UTF-8 was taken for one of Windows' western encoding."""
    try:
        return b"".join(letter.encode("cp1252", "ignore") or letter.encode("latin-1") for letter in line).decode()
    except UnicodeError:
        return line


def lines_of(raws: Iterable[bytes], place: int, before: int) -> Iterator[Line]:
    """Decode lines, given where the first one begins, as `Line.at`."""
    for number, raw in enumerate(raws, before):
        text = decoded_line(raw)
        if not number:
            text = text.removeprefix("\ufeff").removeprefix(_MANGLED_MARK)
        yield Line(number + 1, text, (place, number))
        place += len(raw)


def decoded_lines(raws: Sequence[bytes], *, begin: bool) -> list[str]:
    """Decode lines, without their margins; all at once, which takes a part of the time, where they are UTF-8.

    Parameters
    ----------
    begin : bool
        Whether the first one is the first of the text.
    """
    lines: list[str] = []
    try:
        text = b"".join(raws).decode()
    except UnicodeDecodeError:
        text = ""
    if not text[-1:].isspace() or text.endswith(("\n", "\r")):  # or a last line could end in what is no end here
        lines = text.splitlines()
    if len(lines) != len(raws):  # or a line has what ends lines of text, but not lines of bytes
        lines = [decoded_line(raw) for raw in raws]
    if begin and lines:
        lines[0] = lines[0].removeprefix("\ufeff").removeprefix(_MANGLED_MARK)
    return [line.strip(MARGIN) for line in lines]


def _raw_lines(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield lines with their ends, of whichever kind."""
    rest = b""
    while data := file.read1(CHUNK):
        lines = (rest + data).splitlines(keepends=True)
        rest = b"" if lines[-1].endswith(b"\n") else lines.pop()  # a carriage return may be half of an end
        yield from lines
    if rest:
        yield rest


def decoded_line(line: bytes) -> str:
    return line.decode("utf-8", _WESTERN).rstrip("\r\n")


def _western(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 by Windows' western encoding; its five undefined bytes map to themselves."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in wrong), error.end


_WESTERN = "pokermodel.western"
codecs.register_error(_WESTERN, _western)


def decoded(head: bytes) -> Iterator[str]:
    """Yield the beginning of a text as `text_lines` decodes it, or as either of the encodings that it may mix."""
    codec = wide(head) or "utf-8-sig"
    try:
        text = codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeDecodeError:
        yield head.decode("latin-1").replace("\r", "\n")
        text = head.decode(codec, "replace")
    yield text.removeprefix(_MANGLED_MARK).replace("\r", "\n")
