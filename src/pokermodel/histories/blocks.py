"""Hands in a text: where one begins and ends, which site wrote it, and who reads it.

One pass goes over the lines of a file, which may have hands of several sites. A fast path, if there is one
(`FastPath`), reads a hand in the site's usual form at once. Any other hand goes line by line to the module of the site.
Splitting a file by a pattern before reading would need all of it in memory, and would take a damaged hand for the
beginning of the next.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, cast

from pokermodel._support.patterns import regex
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories._lines import (
    CHUNK,
    LINE_COST,
    MARGIN,
    MOST_TEXT,
    Line,
    decoded,
    decoded_line,
    decoded_lines,
    lines_of,
    mended,
    text_lines,
    wide,
)
from pokermodel.histories._suits import in_latin
from pokermodel.histories._words import LineError
from pokermodel.histories.draft import Draft
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark
from pokermodel.histories.replay import hand_of

__all__ = ["MOST_WITHOUT", "FastPath", "Places", "Reader", "TextFormat", "TextFormats"]

#: Lines in which no hand begins, after which the rest of a file is not read.
MOST_WITHOUT = 1_000_000
_MOST_USUAL = 1 << 15  # bytes of a hand that is read at once; as lines, they are far from too many
_MOST_GAPS = 4  # blank lines of a block behind which text of another hand is looked for
_OF_A_SUMMARY = regex(
    r"\*{2}|SUMMARY|End of |(?:FIRST |SECOND |THIRD )?Board|Total pot|Hand was run"
    r"|Seat [0-9]+: .*(?:folded|collected|won|lost|showed|mucked|show)\b",
    re.IGNORECASE,
)
_WON = regex(
    r"(?i)\b(?:collect|wins?\b|won\b|hand result\b|(?<![A-Z])\+[0-9])"
)  # in every hand that has been played to its end
_SEAT = regex(  # of a list of seats before the deal
    r"(?i)^seat #?[0-9]+(?: -|:) (?!.*\b(?:net|(?<!bounty )won|with|folded|collected|lost|showed|mucked)\b).*[0-9]"
    r"|\bin seat [0-9]+\)"
)
_QUOTE = ">"  # before each line that a mail or a forum quotes
_GROUP = "format_"
_NAMED_GROUP = regex(r"\(\?P<\w+>")


class FastPath(Protocol):
    """Reads the usual hands of a format, quickly, and leaves all others to its `Reader`.

    It must read a hand as the reader does, and none in which a hand of any format may begin but at its first line.
    """

    begins: bytes  #: The beginning of the first line of a usual hand.

    def find_next(self, data: bytes, start: int) -> int:
        """Return where the next hand begins after the line that begins at a place; -1 if there is none."""

    def read(self, data: bytes, start: int, end: int) -> tuple[Hand, int] | None:
        """Return the hand from one place to another and its number of lines; None if it is not usual."""


class _Whole(NamedTuple):
    """A hand that was read at once, and where it begins, as `Line.at`."""

    hand: Hand
    at: tuple[int, ...]


class _Strays:
    """Finds hands in lines that belong to none, as their first lines are damaged: by gaps, seats and winners."""

    def __init__(self) -> None:
        self._begun = self._won = self._gap = False
        self._begin: tuple[int, str] | None = None  # of the next hand, if seats follow

    def find(self, number: int, line: str, noise: object = None) -> tuple[int, str] | None:
        """Return the number and the text of the line where a hand begins, when that is known by the next line.

        No hand begins with noise.
        """
        found = None
        if not self._begun and line and not noise:
            self._begun, found = True, (number, line)
        elif _WON.search(line) and not _SEAT.search(line):
            self._won, self._begin = True, None
        elif line and self._won and self._gap and not (self._begin or noise or _OF_A_SUMMARY.match(line)):
            self._begin = number, line
        if self._begin is not None and _SEAT.search(line):
            found, self._won, self._begin = self._begin, False, None
        self._gap = not line or (self._gap and bool(noise))
        return found


class _Block(NamedTuple):
    """Lines of a file from one first line of a hand to the next; or the first of those that belong to no hand."""

    first: int
    header: str | None
    lines: list[str]
    cut: bool = False  # by damage of the file
    at: tuple[int, ...] = ()  # of the first line


#: Reads a hand: reports its lines, given the match of the first one, to a draft. Returns whether there is a hand.
Reader: TypeAlias = Callable[["Draft", re.Match[str]], bool | None]


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A text format in which every hand begins with a line of a certain form. Files are read on demand.

    Attributes
    ----------
    start : re.Pattern
        Matches the first line of a hand, and lines about the hands that follow.
    reader : callable
        Called for each file, returns the function that reads a hand: given a `Draft` and the match of the first line,
        it reports the lines to the draft, and raises `ValueError`. It returns False if there is no hand.
    noise : re.Pattern, optional
        Matches lines before the first hand.
    remembers : bool
        Whether the reading of a hand depends on earlier hands of the file.
    elements : tuple of str
        In XML, the elements that contain hands, or data of several hands. They need not be on lines of their own, and
        text after the end of one belongs to no hand.
    readings : int
        Number of possible meanings of the amounts; the first that fits is used, see `Draft.reading`.
    usual : FastPath, optional
        Reads usual hands, of a format that does not remember.
    marks : tuple of str
        A line that `start` matches has one of these texts; lines without any are skipped. Empty: all lines are tried.
    """

    start: re.Pattern[str]
    reader: Callable[[], Reader]
    noise: re.Pattern[str] | None = None
    remembers: bool = False
    elements: tuple[str, ...] = ()
    readings: int = 1
    usual: FastPath | None = None
    marks: tuple[str, ...] = ()

    def sniff(self, head: bytes, name: str) -> bool:
        """Return whether there is the first line of a hand in the beginning of a file.

        Parameters
        ----------
        head : bytes
            The beginning of the file.
        name : str
            The file's name, which is ignored.
        """
        return bool(TextFormats({"": self}).found(head))

    def hands(
        self, path: Path, file: io.BufferedReader, skipped: Sink | None = None, mark: ReaderMark | None = None
    ) -> Iterator[Hand]:
        """Read the hands of a file that has no others; see `TextFormats.hands`."""
        return TextFormats({"": self}).hands(path, file, skipped, mark)


class TextFormats:
    """Several text formats, whose hands may share a file."""

    def __init__(self, formats: Mapping[str, TextFormat]) -> None:
        self._formats = formats

    @cached_property
    def _starts(self) -> str:
        """What matches the first line of a hand; the group that matches has the number of the format in its name."""
        starts = (_NAMED_GROUP.sub("(?:", each.start.pattern) for each in self._formats.values())
        return "|".join(f"(?P<{_GROUP}{k}>{start})" for k, start in enumerate(starts))

    @cached_property
    def _names(self) -> dict[str | None, str]:
        """Names of formats by groups."""
        return {f"{_GROUP}{k}": name for k, name in enumerate(self._formats)}

    @cached_property
    def _start(self) -> re.Pattern[str]:
        """Matches the first line of a hand."""
        return regex(self._starts)

    @cached_property
    def _start_in_text(self) -> re.Pattern[str]:
        """Finds the first line of a hand."""
        return regex(rf"^[{_QUOTE}{MARGIN}]*(?P<line>(?:{self._starts}).*)$", re.MULTILINE)

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        """What is in every line in which a hand may begin, one of them; none if a hand may begin in any."""
        if not all(each.marks for each in self._formats.values()):
            return ()
        return tuple({mark: None for each in self._formats.values() for mark in each.marks})

    @cached_property
    def _marked(self) -> Callable[[str], object]:
        """Whether a hand may begin in a line: nearly all that lines are asked, and a part of what `_start` costs."""
        return regex("|".join(map(re.escape, self._marks))).search

    @cached_property
    def _start_within(self) -> re.Pattern[str]:
        """Finds the first line of a hand that begins within another line."""
        return regex(rf"(?<=.)(?:{self._starts}).*")

    @cached_property
    def _noise(self) -> re.Pattern[str] | None:
        """Matches lines before the first hand."""
        noises = [each.noise.pattern for each in self._formats.values() if each.noise is not None]
        return regex("|".join(noises)) if noises else None

    @cached_property
    def _usual(self) -> FastPath | None:
        """Reads usual hands."""
        return next((each.usual for each in self._formats.values() if each.usual is not None), None)

    @cached_property
    def _ends(self) -> tuple[str, ...]:
        """Ends of the elements of XML that hands are in."""
        return tuple(dict.fromkeys(f"</{name}>" for each in self._formats.values() for name in each.elements))

    @cached_property
    def _tags(self) -> re.Pattern[str] | None:
        """Finds tags that begin or end elements that hands are in: by the first character, so that little is tried."""
        names = "|".join(end[2:-1] for end in self._ends)
        return regex(rf"<(?:(?:{names})[\s>]|(?P<end>/)(?:{names})>)") if names else None

    def _elements(self, text: str) -> list[str]:
        """Cut XML before the beginnings and behind the ends of elements that hands are in."""
        pieces, place = [], 0
        for tag in self._tags.finditer(text) if self._tags is not None else ():
            at = tag.start() if tag["end"] is None else tag.end()
            pieces.append(text[place:at])
            place = at
        pieces.append(text[place:])
        return pieces

    def found(self, head: bytes) -> list[str]:
        """Return the formats of the hands in the beginning of a file, in the order in which they begin."""
        names: dict[str, None] = {}
        for text in decoded(head):
            if self._ends and "<" in text:
                text = "\n".join(self._elements(text))
            for name in self._begun(text):
                names[name] = None
        return list(names)

    def _begun(self, text: str) -> Iterator[str]:
        """Find the first lines of hands, and yield the names of their formats.

        To look in each line for one of two dozen formats takes longer than to read a hand.
        """
        if not self._marks:
            for found in self._start_in_text.finditer(text):
                yield self._match(found["line"])[0]
            return
        begins: set[int] = set()
        for mark in self._marks:
            at = text.find(mark)
            while at >= 0:
                begins.add(text.rfind("\n", 0, at) + 1)
                at = text.find("\n", at)  # the same mark again in the line does not matter
                at = text.find(mark, at) if at >= 0 else -1
        for begin in sorted(begins):
            end = text.find("\n", begin)
            line = text[begin : end if end >= 0 else len(text)].lstrip(_QUOTE + MARGIN)
            if start := self._start.match(line):
                yield self._names[start.lastgroup]

    def hands(
        self, path: Path, file: io.BufferedReader, skipped: Sink | None = None, mark: ReaderMark | None = None
    ) -> Iterator[Hand]:
        """Read the hands of a file. Each hand is replayed, and its amounts and winnings are compared.

        Raises `HistoryError` if a hand is damaged, breaks the rules, contradicts its own amounts, or is not hold'em;
        and for text that is no hand of a known format.

        Parameters
        ----------
        skipped : Sink, optional
            Receives the errors of hands that cannot be read; None raises them.
        """
        readers: dict[str, Reader] = {}  # of the formats that are met: in a file of one hand, to make all takes longest
        mark = ReaderMark() if mark is None else mark
        alone = True  # whether a hand can be read without those before it
        for whole in self._blocks(_parts(file, mark.start, self._usual), path):
            if isinstance(whole, _Whole):
                mark.at = whole.at if alone else ()
                yield whole.hand
                continue
            rest: _Block | None = whole
            while rest is not None:
                block, rest = rest, None
                found: Hand | HistoryError | None
                if block.header is None:
                    what = f"expected the first line of a hand, got {block.lines[0][:60]!r}"
                    found = HistoryError(what, str(path), block.first)
                    begins = filter(None, map(_Strays().find, range(len(block.lines)), block.lines))
                    if another := next(islice(begins, 1, None), None):
                        rest = _Block(block.first + another[0], None, block.lines[another[0] :], block.cut)
                else:
                    name, match = self._match(block.header)
                    alone = alone and not self._formats[name].remembers
                    if name not in readers:
                        readers[name] = self._formats[name].reader()
                    form = self._formats[name]
                    read = partial(_read, match=match, read=readers[name], readings=form.readings, path=path)
                    gaps = [] if form.elements or "" not in block.lines else self._gaps(block)
                    if form.remembers and any(map(_SEAT.search, gaps[0][1].lines if gaps else ())):
                        # what remembers cannot read a hand twice
                        found, rest = read(block._replace(lines=block.lines[: gaps[0][0]])), gaps[0][1]
                    elif form.remembers:
                        found = read(block)
                    else:
                        found, rest = self._before_gap(block, read(block), read, gaps)
                if isinstance(found, HistoryError):
                    rest = rest or self._after_damage(block)
                    if block.cut and rest is None:  # the error of the file follows
                        continue
                    if rest is not None and found.line is not None and found.line >= rest.first:
                        what = f"the hand is cut short: another one begins in its line {rest.first}"
                        found = HistoryError(what, str(path), rest.first, found.hand)
                    if skipped is None:
                        raise found
                    skipped.append(found)
                elif found is not None:
                    mark.at = block.at if alone else ()
                    yield found

    def only(self, content: bytes) -> tuple[str, Hand] | None:
        """The hand that is all of a file, and the name of its format, where everything in it is usual; else None.

        Programs write a file for each hand. To recognise its format, and to make ready to read more than there is,
        takes longer than to read the hand.
        """
        for name, each in self._formats.items():
            usual = each.usual
            if usual is not None and content.startswith(usual.begins) and usual.find_next(content, 0) < 0:
                found = usual.read(content, 0, len(content))
                return None if found is None else (name, found[0])
        return None

    def places(self) -> Places:
        """Where a file can be cut."""
        return Places(self)

    def begins(self, line: str) -> bool:
        """Whether a hand begins with a line that begins on its own."""
        return self._start.match(line.strip(MARGIN)) is not None

    def apart(self, text: bytes) -> bool:
        """Whether every hand that begins in a part of a file is on lines of its own, and is read without others."""
        return not any(self._formats[name].remembers or self._formats[name].elements for name in self.found(text))

    def _match(self, line: str) -> tuple[str, re.Match[str]]:
        """Return the name and the match of the format of which this is the first line of a hand."""
        name = self._names[cast("re.Match[str]", self._start.match(line)).lastgroup]
        return name, cast("re.Match[str]", self._formats[name].start.match(line))

    def _after_damage(self, block: _Block) -> _Block | None:
        """The hand that begins within a line of one that cannot be read, as where files were joined after a cut."""
        marked = self._marked
        for place, line in enumerate(block.lines):
            if place and marked(line) and (found := self._start_within.search(line)):
                return _Block(block.first + place, found[0], [found[0], *block.lines[place + 1 :]], block.cut)
        return None

    def _gaps(self, block: _Block) -> list[tuple[int, _Block]]:
        """Where text of another hand may begin behind a gap of a block, and that text."""
        lines, noise, found = block.lines, self._noise, list[tuple[int, _Block]]()
        gaps = []
        for gap in range(1, len(lines)):
            if not lines[gap - 1] and lines[gap]:
                text = (k for k in range(gap, len(lines)) if lines[k] and not (noise and noise.match(lines[k])))
                behind = next(text, 0)
                gaps.append((gap, 0 if _OF_A_SUMMARY.match(lines[behind]) else behind))
        last = max((gap for gap, behind in gaps if behind), default=0)
        won = next((k for k in range(last) if _WON.search(lines[k])), last)
        if won == last:  # as nearly everywhere
            return found
        seats = max((k for k, line in enumerate(lines) if _SEAT.search(line)), default=0)
        for place, (gap, behind) in enumerate(gaps):
            if not won < gap or not behind or (place >= _MOST_GAPS and gap > seats) or len(found) == _MOST_GAPS:
                continue
            if any(line and not _OF_A_SUMMARY.match(line) and not line.startswith("Seat ") for line in lines[behind:]):
                found.append((gap, _Block(block.first + behind, None, lines[behind:], block.cut)))
        return found

    def _before_gap(
        self,
        block: _Block,
        found: Hand | HistoryError | None,
        read: Callable[[_Block], Hand | HistoryError | None],
        gaps: Sequence[tuple[int, _Block]],
    ) -> tuple[Hand | HistoryError | None, _Block | None]:
        """The hand before a gap of a block, and the text behind it, as of another hand whose first line is damaged.

        Where all lines of the block are needed for what is found, it is all of the hand.
        """
        for gap, rest in gaps:
            before = read(block._replace(lines=block.lines[:gap]))
            if not isinstance(before, Hand) or rest.lines[0].startswith(tuple(before.players)):
                continue
            if isinstance(found, HistoryError) or before == found:
                return before, rest
        return found, None

    def _blocks(self, parts: Iterable[_Whole | Iterable[Line]], path: Path) -> Iterator[_Whole | _Block]:
        """Divide a file into hands, and text that belongs to none, given it in parts that begin with a line.

        Such text is what is before the first hand, and what follows a hand that would be too long.
        """
        start, marked, noise = self._start.match, self._marked, self._noise
        first, header, block, strays = 0, None, list[str](), _Strays()
        last = 0  # line of the last hand
        at: tuple[int, ...] = ()
        room = 0  # for more of the hand
        try:
            for part in parts:
                if isinstance(part, _Whole):
                    if block:
                        yield _Block(first, header, block, at=at)
                    header, block, room = None, [], 0
                    yield part
                    continue
                lines = part if isinstance(part, _Lines) else None
                begins = None if lines is None else self._begins(lines.texts)
                if lines is None or begins is None:
                    pieces = self._pieces(part)
                else:  # as nearly all are: what follows the first line of a hand is taken without a look at each
                    pieces = iter(())
                    before = lines.texts[: begins[0]] if begins else lines.texts
                    if header is not None and (cost := _cost(before)) < room:
                        block += before
                        room -= cost
                    else:
                        pieces = ((number, line, (), False) for number, line in enumerate(before, lines.before + 1))
                for number, line, place, ends in pieces:
                    if marked(line) and start(line):
                        if block:
                            yield _Block(first, header, block, at=at)
                        first, header, block, at, room = number, line, [line], place, MOST_TEXT
                        strays = _Strays()
                    elif room > 0:
                        block.append(line)
                        room -= len(line) + LINE_COST
                    else:
                        if header is not None:
                            yield _Block(first, header, block, at=at)
                            last, header, block = number, None, []
                        if stray := strays.find(number, line, noise and noise.match(line)):
                            if block:
                                yield _Block(first, None, block)
                            first, block = stray[0], [stray[1]]
                        if number - last > MOST_WITHOUT:
                            raise HistoryError(
                                f"{MOST_WITHOUT:,} lines without a hand: the rest is not read", str(path)
                            )
                    if ends:
                        room = 0
                        if header is None and block:  # the end of a hand whose first line is damaged
                            yield _Block(first, None, block)
                            block, strays = [], _Strays()
                if lines is not None and begins:
                    for k, end in zip(begins, (*begins[1:], None), strict=True):
                        if block:
                            yield _Block(first, header, block, at=at)
                        block = lines.texts[k:end]
                        first, header, at, room = (
                            lines.before + k + 1,
                            block[0],
                            lines.at(k),
                            MOST_TEXT - _cost(block[1:]),
                        )
        except HistoryError:
            if block:
                yield _Block(first, header, block, cut=header is not None)
            raise
        if block:
            yield _Block(first, header, block, at=at)

    def _begins(self, texts: Sequence[str]) -> list[int] | None:
        """In which lines hands begin, of lines without margins; None where parts of lines may be what they are."""
        text = "\n".join(texts)
        if ("<" in text or _QUOTE in text) and any(line[:1] == "<" or line[:1] == _QUOTE for line in texts):
            return None
        if _cost(texts) >= MOST_TEXT:
            return None
        if not self._marks:
            return [k for k, line in enumerate(texts) if self._start.match(line)]
        lines = {k for mark in self._marks for k in _lines_with(mark, text)}
        return [k for k in sorted(lines) if self._start.match(texts[k])]

    def _pieces(self, lines: Iterable[Line]) -> Iterator[tuple[int, str, tuple[int, ...], bool]]:
        """Yield lines without margins, XML in pieces such that hands begin and end with one, and whether one ends."""
        ends = self._ends
        quoted = False  # whether the hand began with a sign of quotation
        for number, line, place in lines:
            line = line.strip(MARGIN)
            if quoted or line[:1] == _QUOTE:
                bare = line.lstrip(_QUOTE + MARGIN)
                begun = quoted and not self._start.match(line)
                quoted = begun or (bare != line and self._start.match(bare) is not None)
                noise = not bare or (self._noise is not None and self._noise.match(bare) is not None)
                line = bare if quoted or noise else line
            if not ends or not line.startswith("<"):
                yield number, line, place, False
                continue
            for piece in self._elements(line):
                if piece := piece.strip(MARGIN):
                    yield number, piece, place, piece.endswith(ends)
                    place = ()  # reading can only go on where a line begins


class _Lines:
    """Lines of a text that were read.

    Parameters
    ----------
    place, before : int
        Where the first one begins, as `Line.at`.
    """

    def __init__(self, raws: list[bytes], place: int, before: int) -> None:
        self._raws = raws
        self._place = place
        self._last = 0, place  # which line was asked for last, and where it begins
        self.before = before

    def __iter__(self) -> Iterator[Line]:
        return lines_of(self._raws, self._place, self.before)

    @cached_property
    def texts(self) -> list[str]:
        """The lines without their ends and margins."""
        return decoded_lines(self._raws, begin=not self.before)

    def at(self, k: int) -> tuple[int, int]:
        """Where one of them begins, as `Line.at`."""
        last, place = self._last if self._last[0] <= k else (0, self._place)
        place += sum(map(len, self._raws[last:k]))
        self._last = k, place
        return place, self.before + k


def _cost(lines: Sequence[str]) -> int:
    """What lines count of `MOST_TEXT`."""
    return sum(map(len, lines)) + LINE_COST * len(lines)


def _lines_with(what: str, text: str) -> Iterator[int]:
    """Yield the numbers, from 0, of the lines of a text that have something in them."""
    line = place = 0
    at = text.find(what)
    while at >= 0:
        line += text.count("\n", place, at)
        yield line
        place = text.find("\n", at)
        at = text.find(what, place) if place >= 0 else -1


class _Text:
    """The bytes of a text as far as they have been read, from a line on that has not been taken.

    Parameters
    ----------
    start : sequence of int
        As `text_lines` takes it.

    Attributes
    ----------
    data : bytes
        The bytes.
    at : int
        Where among them the line begins.
    ended : bool
        Whether the file has no more.
    """

    def __init__(self, file: io.BufferedReader, start: Sequence[int]) -> None:
        self._file = file
        self._place, self._before = start or (0, 0)
        self.data = b""
        self.at = 0
        self.ended = False

    @property
    def begin(self) -> int:
        """Where the text of the line begins: behind the byte order mark of a file."""
        marked = not self._place and self.data.startswith(codecs.BOM_UTF8, self.at)
        return self.at + len(codecs.BOM_UTF8) if marked else self.at

    @property
    def left(self) -> int:
        """Number of bytes that have not been taken."""
        return len(self.data) - self.at

    def read_on(self) -> None:
        """Read some more; raises `HistoryError`."""
        data = self._file.read1(CHUNK)
        self.ended = not data
        self.data = self.data[self.at :] + data
        self.at = 0

    def take(self, end: int, lines: int) -> tuple[int, int]:
        """Take what is before a place, given the number of its lines; return where it begins, as `Line.at`."""
        began = self._place, self._before
        self._place += end - self.at
        self._before += lines
        self.at = end
        return began

    def take_lines(self, end: int | None = None) -> _Lines:
        """Take the lines before a place, by default all that are complete."""
        raws = self.data[self.at : end].splitlines(keepends=True)
        if end is None and not self.ended and raws and not raws[-1].endswith(b"\n"):
            raws.pop()  # a carriage return may be half of an end
        return _Lines(raws, *self.take(self.at + sum(map(len, raws)), len(raws)))


def _parts(file: io.BufferedReader, start: Sequence[int], usual: FastPath | None) -> Iterator[_Whole | Iterable[Line]]:
    """Yield a text in parts: usual hands, and the lines of all else; parameters as `text_lines`."""
    if usual is None or (not start and wide(file.peek(4))):
        yield text_lines(file, start)
        return
    text, begins = _Text(file, start), usual.begins
    while not text.ended or text.left:
        if not text.data.startswith(begins, text.begin):
            end = text.data.find(b"\n" + begins, text.at) + 1
        else:
            try:
                end = _end(text, usual)
            except HistoryError:
                yield text.take_lines()
                raise
            found = usual.read(text.data, text.begin, end) if end else None
            if found is not None:
                hand, lines = found
                yield _Whole(hand, text.take(end, lines))
                continue
        if text.left:
            yield text.take_lines(end or None)
        if not (end or text.ended):
            text.read_on()


def _end(text: _Text, usual: FastPath) -> int:
    """Read up to where the next hand begins, and return the place; 0 if that is too far. Raises `HistoryError`."""
    while (end := usual.find_next(text.data, text.at)) < 0:
        if text.ended:
            return len(text.data)
        if text.left > _MOST_USUAL:
            return 0
        text.read_on()
    return end if end - text.at <= _MOST_USUAL else 0


class Places:
    """Where a file can be cut: before the first line of a hand; see `pokermodel.histories.spans.Places`."""

    def __init__(self, formats: TextFormats) -> None:
        self._formats = formats
        self._begun = False

    def allow(self, content: bytes) -> bool:
        """Whether a hand is read on its own, from bytes that can be split into lines."""
        doubled = not self._begun and wide(content)
        self._begun = True
        return not doubled and self._formats.apart(content)

    def begins(self, line: bytes) -> bool:
        """Whether a hand begins."""
        return self._formats.begins(decoded_line(line))

    def lines(self, content: bytes) -> int:
        """Number of lines, with any line ends."""
        return len(content.splitlines())


def _read(block: _Block, match: re.Match[str], read: Reader, readings: int, path: Path) -> Hand | HistoryError | None:
    """Return the hand of a block, or what is wrong with it by the first reading; None if there is no hand."""
    found = _read_as_it_is(block, match, read, readings, path)
    if isinstance(found, HistoryError) and (lines := mended(block.lines)) != block.lines:
        block, match = block._replace(lines=lines), match.re.match(lines[0]) or match
        found = _read_as_it_is(block, match, read, readings, path)
    if isinstance(found, HistoryError) and "cards" in found.reason:
        try:
            lines = in_latin(block.lines)
        except ValueError as reason:
            return HistoryError(str(reason), found.path, found.line, found.hand)
        if lines != block.lines:
            return _read_as_it_is(block._replace(lines=lines), match, read, readings, path)
    return found


def _read_as_it_is(
    block: _Block, match: re.Match[str], read: Reader, readings: int, path: Path
) -> Hand | HistoryError | None:
    failed: HistoryError | None = None
    for reading in range(readings):
        draft = Draft(block.first, block.lines, reading)
        try:
            return None if read(draft, match) is False else hand_of(draft)
        except ValueError as reason:
            line = reason.line if isinstance(reason, LineError) else draft.line
            failed = failed or HistoryError(str(reason), str(path), line, draft.id or None)
    return failed
