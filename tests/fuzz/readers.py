"""What must hold of whatever a reader of histories is given: the fuzz targets in Python, one for each format.

- A reader gives hands and errors of a history, which say where; nothing else is raised.
- Where errors are raised, the same hands come up to the first error, and then this one.
- The fast path of a format says what the grammar says, in hands and in errors.
- A file that is cut into pieces, or in which reading goes on from a hand, has the same hands and the same errors.
- A hand that a writer can express is read again, and then written as it was.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import _words, acpc, irc, ohh, phh, pokernow, pokerstars
from pokermodel.histories._sites import SITE_FORMATS, SITE_TEXT
from pokermodel.histories.blocks import TextFormats
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark
from pokermodel.histories.registry import TEXT
from pokermodel.histories.spans import pieces
from pokermodel.histories.walks import places_of
from tests.common.formats import MODULES
from tests.common.histories import Memory
from tests.common.told import Reading, error_facts, facts, told

__all__ = ["MOST", "READERS", "ReaderTarget", "raising", "tables_of", "tables_text"]

PATH = Path("some.file")
MOST = 1 << 15  # bytes of an input; the formats' own bounds are far above
_PIECE = 300  # bytes
_WRITTEN = 2  # hands of an input
_TABLE = b"== "  # before the name of a table of the IRC database

BY_LINES = TextFormats(SITE_FORMATS | {"pokerstars": replace(pokerstars.FORMAT, usual=None)})


def _stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


@dataclass(frozen=True)
class ReaderTarget:
    """A reader, and what must hold of it.

    Attributes
    ----------
    name : str
        Of the format.
    hands : callable
        Reads a stream, as the format's own function does.
    planted : callable
        Returns a context in which the reader has a defect that must be found.
    form : str, optional
        As `Span.form` has it, of a format whose files can be cut.
    grammar : callable, optional
        Reads a stream without the fast path.
    sniffs : callable, optional
        Asked about the beginning of a file.
    """

    name: str
    hands: Callable[..., Iterator[Hand]]
    planted: Callable[[], AbstractContextManager[object]]
    form: str | None = None
    grammar: Callable[..., Iterator[Hand]] | None = None
    sniffs: Callable[[bytes, str], object] | None = None

    def reading(self, data: bytes) -> Reading:
        """What reads an input."""
        return _reading(self.hands, data)

    def check(self, data: bytes) -> int:
        """Raise an error if something does not hold; return how many hands there are."""
        if len(data) > MOST:
            return 0
        if self.sniffs is not None:
            self.sniffs(data, "x")
        read = self.reading(data)
        found, errors = self.check_alike(data)
        if self.form is not None:
            in_pieces = self._in_pieces(data)
            whole = [[hand for hand, _ in found], errors]
            assert in_pieces == whole, f"in pieces it says {in_pieces}, as a whole {whole}"
            if found and (at := found[-1][1]):
                rest = told(self.reading(data[at[0] :]), at)
                assert rest[0] == found[-1:], f"going on from the last hand says {rest[0]}, reading all {found[-1:]}"
        for hand in _some(read):
            assert abs(sum(hand.payoffs)) < 1e-6
            _check_writers(hand)
        return len(found)

    def check_alike(self, data: bytes) -> list[Any]:
        """Raise an error if reading strictly, or by the grammar alone, says something else; return what is said."""
        read = self.reading(data)
        everything = told(read)
        _check_errors(everything[1], data)
        _check_strict(read, everything)
        if self.grammar is not None:
            slowly = told(_reading(self.grammar, data))
            assert slowly == everything, f"the grammar says {slowly}, the fast path {everything}"
        return everything

    def _in_pieces(self, data: bytes) -> list[Any]:
        assert self.form is not None
        hands, errors = [], []
        for piece in pieces(_stream(data), places_of(self.form), _PIECE):
            some, wrong = told(self.reading(piece.content), piece.start)
            hands += [hand for hand, _ in some]
            errors += wrong
        return [hands, errors]


def _reading(hands: Callable[..., Iterator[Hand]], data: bytes) -> Reading:
    def read(skipped: Sink | None, mark: ReaderMark) -> Iterator[Hand]:
        return hands(PATH, _stream(data), skipped, mark=mark)

    return read


def _some(read: Reading) -> Iterator[Hand]:
    hands = read([], ReaderMark())
    for _, hand in zip(range(_WRITTEN), hands, strict=False):
        yield hand


def _check_errors(errors: list[Any], data: bytes) -> None:
    lines = data.replace(b"\r", b"\n").count(b"\n") + 1
    for said, path, line, _ in errors:
        assert path is not None, f"an error names no file: {said}"
        assert line is None or 1 <= line <= lines, f"an error is on line {line} of {lines}: {said}"
        assert "\n" not in said, f"an error of several lines: {said}"


def _check_strict(read: Reading, everything: list[Any]) -> None:
    """Hands up to the first error, and then this one."""
    found, errors = everything
    hands: list[Any] = []
    raised = None
    try:
        for hand in read(None, ReaderMark()):
            hands.append(facts(hand))
    except HistoryError as error:
        raised = error
    assert hands == [hand for hand, _ in found[: len(hands)]], "strictly, there are other hands"
    if raised is None:
        assert not errors, f"strictly, there is no error, otherwise {errors}"
        assert len(hands) == len(found), "strictly, there are fewer hands"
    else:
        assert errors, f"strictly, there is an error: {raised}"
        assert error_facts(raised) == errors[0], f"strictly, the error is {error_facts(raised)}, otherwise {errors[0]}"


def _acpc_loads(text: str) -> Hand:
    (hand,) = acpc.hands(PATH, _stream(text.encode()))
    return hand


_WRITERS: Mapping[str, tuple[Callable[[Hand], str], Callable[[str], Hand]]] = {
    "phh": (phh.dumps, phh.loads),
    "acpc": (lambda hand: acpc.dumps_all([hand]), _acpc_loads),
    "ohh": (ohh.dumps, ohh.loads),
}


def _check_writers(hand: Hand) -> None:
    for name, (dumps, loads) in _WRITERS.items():
        try:
            text = dumps(hand)
        except ValueError:
            continue
        again = loads(text)
        assert _won(again) == _won(hand), f"{name} pays {_won(again)}, expected {_won(hand)}"
        assert again.table == (None if name == "acpc" else hand.table), f"{name} has the table {again.table}"
        assert (again.time is None) == (hand.time is None), f"{name} has the time {again.time}, expected {hand.time}"
        assert loads(dumps(again)) == again, f"{name} is another hand the second time: {text}"


def _won(hand: Hand) -> dict[str, float]:
    return dict(zip(hand.players, hand.payoffs, strict=True))


# --- the IRC database: several files in one input -------------------------------------------------------------------


def tables_text(files: Mapping[str, bytes]) -> bytes:
    """Tables as one text, of which `tables_of` is the reverse."""
    return b"".join(_TABLE + name.encode() + b"\n" + data for name, data in files.items())


def tables_of(data: bytes) -> dict[str, bytes]:
    """Tables of a text: each is below a line with its name."""
    files: dict[str, bytes] = {}
    name = None
    for line in data.splitlines(keepends=True):
        if line.startswith(_TABLE):
            name = line[len(_TABLE) :].decode("latin-1").rstrip("\r\n")
            files[name] = b""
        elif name is not None:
            files[name] += line
    return files


def _irc_hands(path: Path, file: io.BufferedReader, skipped: Sink | None = None, *, mark: ReaderMark) -> Iterator[Hand]:
    files: Any = Memory(tables_of(file.read()))
    if "hdb" not in files.names:  # which makes a folder a month
        return iter(())
    return _raised_or_skipped(partial(irc.hands, files, ""), skipped, mark)


def _raised_or_skipped(read: Reading, skipped: Sink | None, mark: ReaderMark) -> Iterator[Hand]:
    """An error of the file is one more, as the walk over files has it."""
    try:
        yield from read(skipped, mark)
    except HistoryError as error:
        if skipped is None:
            raise
        skipped.append(error)


# --- planted defects ------------------------------------------------------------------------------------------------


def raising(function: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    """The function as it would be if it looked for what it is given in a dictionary, and forgot what is not there."""

    def planted(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except ValueError as error:
            raise kind(str(error)) from None

    return planted


@contextmanager
def _everywhere(function: Any, planted: Callable[..., Any]) -> Iterator[None]:
    """Put a function in the place of another one in all modules of histories that have it."""
    with ExitStack() as stack:
        for module in [module for name, module in sys.modules.items() if name.startswith("pokermodel.histories.")]:
            for name in [name for name, value in vars(module).items() if value is function]:
                stack.enter_context(patch.object(module, name, planted))
        yield


def _careless(function: Callable[..., Any], kind: type[Exception] = KeyError) -> AbstractContextManager[None]:
    return _everywhere(function, raising(function, kind))


def _once(text: bytes, mark: bytes) -> bytes:
    """A text without lines that were there before, of those with a mark."""
    seen: set[bytes] = set()
    return b"".join(
        line for line in text.splitlines(keepends=True) if mark not in line or not (line in seen or seen.add(line))
    )


def _usual_stars(reader: pokerstars._Usual, data: bytes, start: int, end: int) -> Any:
    """The fast path takes a blind that is there twice once."""
    text = _once(data[start:end], b"posts ")
    return _STARS(reader, data, start, end) if text == data[start:end] else _STARS(reader, text, 0, len(text))


def _usual_phh(document: bytes, name: str) -> Hand | None:
    """The fast path takes a field that is there twice once."""
    return _PHH(_once(document, b"="), name)


def _usual_irc(line: bytes, roster: bytes, rows: list[Any], *rest: Any) -> Any:
    """The fast path takes a player who is there twice once."""
    places = dict(zip(rows[1::2], rows[::2], strict=True))
    return _IRC(line, roster, [part for row, place in places.items() for part in (place, row)], *rest)


def _missing_field(fields: ohh._Fields, key: str, expected: str) -> Exception:
    """A field that is not there is not expected to be missing."""
    return _WRONG(fields, key, expected) if key in fields._content else KeyError(key)


_WRONG = ohh._Fields._wrong
_STARS, _PHH, _IRC = pokerstars._Usual.read, phh._usual, irc.rebuild

# --- the targets ----------------------------------------------------------------------------------------------------


def _phh_by_grammar(*arguments: Any, **options: Any) -> Iterator[Hand]:
    with patch.object(phh, "_usual", lambda document, name: None):
        yield from phh.hands(*arguments, **options)


def _irc_by_grammar(*arguments: Any, **options: Any) -> Iterator[Hand]:
    with patch.object(irc, "rebuild", lambda *_: None):
        yield from _irc_hands(*arguments, **options)


def _sites() -> Iterator[ReaderTarget]:
    for name in SITE_FORMATS:
        sniff, careless = MODULES[name].sniff, partial(_careless, _words.cards)
        if name != "pokerstars":
            yield ReaderTarget(name, SITE_TEXT.hands, careless, form=TEXT, sniffs=sniff)
            continue
        planted = partial(patch.object, pokerstars._Usual, "read", _usual_stars)
        yield ReaderTarget(name, SITE_TEXT.hands, planted, form=TEXT, grammar=BY_LINES.hands, sniffs=sniff)


#: The fuzz targets in Python, by the name of the format.
READERS: dict[str, ReaderTarget] = {
    target.name: target
    for target in (
        ReaderTarget(
            *("phh", phh.hands, partial(_everywhere, _PHH, _usual_phh)),
            form="phh",
            grammar=_phh_by_grammar,
            sniffs=MODULES["phh"].sniff,
        ),
        ReaderTarget("acpc", acpc.hands, partial(_careless, acpc._cards), sniffs=MODULES["acpc"].sniff),
        ReaderTarget(
            *("ohh", ohh.hands, partial(patch.object, ohh._Fields, "_wrong", _missing_field)),
            sniffs=MODULES["ohh"].sniff,
        ),
        ReaderTarget("irc", _irc_hands, partial(_everywhere, _IRC, _usual_irc), grammar=_irc_by_grammar),
        ReaderTarget(
            *("pokernow", pokernow.hands, partial(_careless, pokernow._cards)), sniffs=MODULES["pokernow"].sniff
        ),
        *_sites(),
    )
}
