"""Hand histories: one module per format, and `open_hands`, which recognises the format.

A format has two functions: ``sniff(head, name)`` returns whether a file looks like the format, and ``hands(path, file,
skipped)`` yields the hands of the file while it is read. It is a module, or a `TextFormat` in the module of a site.
Text of sites is recognised hand by hand. Other packages add formats by entry points of the group
``pokermodel.histories``, see `register`. The IRC poker database spreads a hand over many files, and is read from a
folder or an archive instead.
"""

from __future__ import annotations

import pickle
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from itertools import islice
from operator import index
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, overload
from weakref import ref

from pokermodel._support.options import Registry
from pokermodel._support.words import counted
from pokermodel.errors import HistoryError, PluginWarning
from pokermodel.game import Hand
from pokermodel.histories import (
    absolute,
    acpc,
    betonline,
    boss,
    bovada,
    cake,
    entraction,
    everest,
    everleaf,
    fulltilt,
    ggpoker,
    ipoker,
    irc,
    merge,
    microgaming,
    ohh,
    ongame,
    pacific,
    partypoker,
    phh,
    pkr,
    pokerstars,
    winamax,
    winning,
)
from pokermodel.histories._blocks import TextFormats
from pokermodel.histories._files import (
    DEPTH,
    Files,
    Held,
    Piece,
    Reached,
    Sink,
    is_archive,
    natural,
    open_files,
    other_archive,
)
from pokermodel.histories._filter import HandFilter
from pokermodel.histories._index import Bookmark, Index, Stretch, index_path, state_of
from pokermodel.histories._report import HistoryFile, SourceReport
from pokermodel.histories._rows import DECISION_COLUMNS, HAND_COLUMNS, decision_rows, hand_row
from pokermodel.histories._selection import HandSelection
from pokermodel.histories._spans import SPAN, Places, pieces
from pokermodel.histories._writing import ErrorSink

__all__ = [
    "DECISION_COLUMNS",
    "FORMATS",
    "HAND_COLUMNS",
    "READABLE",
    "SITES",
    "WRITERS",
    "HandFilter",
    "HandSelection",
    "HandSource",
    "HistoryFile",
    "HistoryFormat",
    "NoHistoryError",
    "SourceReport",
    "Span",
    "SpanTally",
    "decision_rows",
    "formats",
    "hand_row",
    "open_hands",
    "readable",
    "register",
    "source_of",
]


class _Format(Protocol):
    """A module, or a `TextFormat`."""

    def sniff(self, head: bytes, name: str) -> bool: ...

    def hands(
        self, path: Path, file: BufferedReader, skipped: Sink | None = None, *, mark: Bookmark | None = None
    ) -> Iterator[Hand]: ...


class _Write(Protocol):
    def __call__(self, hands: Iterable[Hand], skipped: ErrorSink | None = None) -> Iterator[str]: ...


_TEXTS = {
    "pokerstars": pokerstars.FORMAT,
    "bovada": bovada.FORMAT,
    "fulltilt": fulltilt.FORMAT,
    "partypoker": partypoker.FORMAT,
    "absolute": absolute.FORMAT,
    "cake": cake.FORMAT,
    "entraction": entraction.FORMAT,
    "everest": everest.FORMAT,
    **pokerstars.ALIKE,
    "ipoker": ipoker.FORMAT,
    "boss": boss.FORMAT,
    "microgaming": microgaming.FORMAT,
    "merge": merge.FORMAT,
    "ongame": ongame.FORMAT,
    "ggpoker": ggpoker.FORMAT,
    "winamax": winamax.FORMAT,
    "888": pacific.FORMAT,
    "winning": winning.FORMAT,
    "betonline": betonline.FORMAT,
    "pkr": pkr.FORMAT,
    "everleaf": everleaf.FORMAT,
}
_FORMATS: dict[str, _Format] = {"phh": phh, "acpc": acpc, "ohh": ohh, **_TEXTS}
#: What is read: what each format is called, by its name in `HandSource.format`.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "phh": "PHH (.phh, .phhs)",
        "acpc": "an ACPC dealer log",
        "ohh": "Open Hand History (.ohh)",
        "irc": "an IRC poker database (folder or archive)",
        **{name: each.site for name, each in _TEXTS.items()},
    }
)
#: Formats that are written: functions that yield the text of hands in pieces, given hands and a sink of errors.
WRITERS: Mapping[str, _Write] = MappingProxyType({"phh": phh.write, "acpc": acpc.write, "ohh": ohh.write})
#: Sources whose hands are what one player saw, and are numbered by the site.
SITES = frozenset(_TEXTS)
_SITE_TEXT = TextFormats(_TEXTS)
_TEXT = "text"  # of any of them, in one file
_HANDS = "hands"  # that have been read
_HANDS_A_SPAN = 1000
_MONTHS = 8  # of the IRC database that are enough to be read beside each other


@dataclass(frozen=True, slots=True)
class HistoryFormat:
    """A format of another package.

    Attributes
    ----------
    name : str
        As `HandSource.format` has it.
    about : str
        What it is called where formats are listed.
    sniff : callable
        Given the beginning of a file and its name, returns whether the file looks like the format. It is asked about
        files that are in none of our own formats.
    hands : callable
        Given a path for error messages, the file, which is read on demand, a sink of errors or None, and a bookmark
        (``mark=``), yields the hands. An error of a hand is a `HistoryError` with path and line, which goes to the
        sink, or is raised if there is none. ``mark.at`` says where the hand begins that was yielded, and ``mark.start``
        where to go on; a reader that does not set the one need not look at the other.
    """

    name: str
    about: str
    sniff: Callable[[bytes, str], bool]
    hands: Callable[..., Iterator[Hand]]


_REGISTRY = Registry[HistoryFormat]("history format", "+,", "pokermodel.histories", FORMATS)


def register(form: HistoryFormat) -> None:
    """Make a format known; raises `ValueError` if its name is taken or cannot be written."""
    _REGISTRY.register(form)


def formats() -> Mapping[str, str]:
    """Return what is read: what each format is called, by its name; ours, and those of other packages."""
    return MappingProxyType({**FORMATS, **{name: each.about for name, each in _REGISTRY.kinds().items()}})


def readable() -> str:
    """Return what is read, in words."""
    others = [form.about for form in _REGISTRY.kinds().values()]
    return f"{READABLE}; {', '.join(others)}" if others else READABLE


_HEAD = 1 << 16  # bytes by which a format is recognised
_OWN = [what for name, what in FORMATS.items() if name not in SITES]
_SITE_NAMES = [each.site for each in _TEXTS.values()]
#: What is read, in words; `readable` has the formats of other packages, too.
READABLE = f"{', '.join(_OWN)}, or text of {', '.join(_SITE_NAMES[:-1])} or {_SITE_NAMES[-1]}"


class NoHistoryError(HistoryError):
    """A file, a folder or an archive without any hand history that can be read.

    Attributes
    ----------
    files : tuple of HistoryFile
        What is there instead.
    """

    files: tuple[HistoryFile, ...] = ()


class _Part(NamedTuple):
    """A file, or a month of the IRC database: how it is read, or why it is not."""

    path: Path
    on_disk: Path  # the file or the folder in which it is
    format: str = ""
    read: Callable[[Sink | None, Bookmark], Iterator[Hand]] | None = None
    error: HistoryError | None = None
    reason: str = ""
    files: Files | None = None  # among which it is, with a name; None where it is read from no file
    name: str = ""
    form: str | HistoryFormat = ""  # as `Span.form`


class Span(NamedTuple):
    """A piece of a file, or a month of the IRC database, to be read anywhere. It can be pickled.

    Attributes
    ----------
    part : int
        Number of the file in its source, from 0.
    form : str or HistoryFormat
        Name of the format; that of another package itself. Text of sites is ``"text"``, hands that have been read are
        ``"hands"``.
    name : str
        Of the file, or of the folder of a month.
    held : Held
        What is read.
    """

    part: int
    form: str | HistoryFormat
    name: str
    held: Held

    def read(self, tally: SpanTally) -> Iterator[Hand]:
        """Yield the hands, with the numbers of lines that they have in the file.

        Parameters
        ----------
        tally : SpanTally
            Receives errors, as the sink of `HandSource.read` does.
        """
        hands: Iterable[Hand]
        if self.form == _HANDS:
            hands, errors = pickle.loads(self.held.head(self.name, self.size))
            for error in errors:
                tally.append(error)
        elif self.form == "irc":
            hands = irc.hands(self.held, self.name, tally)
        else:
            mark = Bookmark(self.held.start(self.name))
            hands = _read(self.held, self.name, _hands_of(self.form), tally, mark)
        for hand in hands:
            tally.hands += 1
            yield hand

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.held.size


class SpanTally:
    """What came of reading a span, without the hands; it can be pickled if its sink can.

    Parameters
    ----------
    sink : Sink, optional
        Receives the errors.

    Attributes
    ----------
    hands, skipped : int
        Hands that were read, and that were left out.
    damaged : bool
        Whether the file cannot be read further: what comes after the span is to be left out.
    reason : str
        Of the first error.
    """

    def __init__(self, sink: Sink | None = None) -> None:
        self.sink = sink
        self.hands = self.skipped = 0
        self.damaged = False
        self.reason = ""

    def append(self, error: HistoryError) -> None:
        """Receive an error."""
        if error.line is None:  # of the file
            self.damaged = True
            self.reason = error.reason
        else:
            self.skipped += 1
            self.reason = self.reason or error.reason
        if self.sink is not None:
            self.sink.append(error)

    def apart(self) -> SpanTally:
        """Return the same without the sink."""
        found = SpanTally()
        found.hands, found.skipped, found.damaged, found.reason = self.hands, self.skipped, self.damaged, self.reason
        return found


class _Tally:
    """What came of reading one part: a sink that counts, and notes errors that are not known yet."""

    def __init__(self, sink: Sink | None, note: Callable[[int, HistoryError], None] | None = None) -> None:
        self.hands = self.skipped = self.errors = 0
        self.reason = ""
        self.damaged = self.done = False
        self._sink = sink
        self._note = note

    def append(self, error: HistoryError) -> None:
        """Receive an error; raises it where errors are not wanted."""
        if self._sink is None:
            raise error
        self.errors += 1
        if self._note is not None:
            self._note(self.errors, error)
        if error.line is None:  # of the file
            self.damaged = True
            self.reason = error.reason
        else:
            self.skipped += 1
            self.reason = self.reason or error.reason
        self._sink.append(error)


class _Reading(Iterator[Hand]):
    """An iteration over hands, which can be asked to read them all before the first one is taken."""

    def __init__(self, hands: Iterator[Hand]) -> None:
        self._hands = hands
        self._ahead: deque[Hand] = deque()
        self.begun = False

    def __next__(self) -> Hand:
        self.begun = True
        return self._ahead.popleft() if self._ahead else next(self._hands)

    def read_all(self) -> None:
        """Read all hands, and keep them."""
        self.begun = True
        self._ahead.extend(self._hands)


class HandSource:
    """The hands of a file, a folder or an archive, read on demand. Created by `open_hands`.

    Each iteration reads from the start. ``source[n]`` is the hand with the index `n`, from 0; ``source[-1]`` is the
    last one, and a slice is a list of hands. ``len(source)`` is the number of hands. What was read once tells where
    hands are: afterwards, a hand is found without reading those before it. For large sources this is kept in a file
    beside them, as `open_hands` says.

    Attributes
    ----------
    path : Path
        The file, folder or archive.
    format : str
        ``"irc"``, ``"phh"``, ``"acpc"``, ``"ohh"``, or the name of the site: ``"pokerstars"``, ``"bovada"``,
        ``"fulltilt"``, ``"partypoker"``, ``"absolute"``, ``"cake"``, ``"entraction"``, ``"everest"``, ``"runitonce"``,
        ``"pokerbros"``, ``"pokermaster"``, ``"ipoker"``, ``"boss"``, ``"microgaming"``, ``"merge"``, ``"ongame"``,
        ``"ggpoker"``, ``"winamax"``, ``"888"``, ``"winning"``, ``"betonline"``, ``"pkr"``, ``"everleaf"``;
        several joined by ``"+"``, if hands of several are found at the beginnings of the files.
    strict : bool
        Whether the first damaged hand raises an error.
    skipped : list of HistoryError
        Errors of the hands that the last iteration left out, and of files that could not be read (only without
        `strict`).
    """

    def __init__(self, path: Path, strict: bool = True, index: bool = True, *, part: _Part | None = None) -> None:
        self.path = path
        self.strict = strict
        self.skipped: list[HistoryError] = []
        self._keeps_index = index
        self._begun: ref[_Reading] | None = None
        if part is not None:  # in memory
            self._parts, self._on_disk, self._reached = [part], [], Reached()
            self._index = Index(1, state_of([]))
        else:
            files = open_files(path)
            state = None if path.is_dir() else state_of([path])  # before anything is read
            self._parts = _parts(path, files)
            self._on_disk = list(dict.fromkeys(part.on_disk for part in self._parts if part.read is not None))
            self._index = Index(len(self._parts), state_of(self._on_disk) if path.is_dir() else state)
            self._reached = files.reached
        self._loaded = False
        self._tallies: list[_Tally] = []
        formats = {name for part in self._parts for name in part.format.split("+") if name}
        self.format = "+".join(sorted(formats))

    def __repr__(self) -> str:
        return f"<HandSource {str(self.path)!r}, format {self.format}>"

    def __iter__(self) -> Iterator[Hand]:
        reading = _Reading(self._again())
        self._begun = ref(reading)
        return reading

    def __bool__(self) -> bool:
        """Whether there is any hand."""
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        """Number of hands; raises `HistoryError` as iteration does.

        The first time, unless an index is kept, the source is read to its end.
        """
        begun = None if self._begun is None else self._begun()
        if begun is not None and not begun.begun:  # as in list(source), which asks for both
            begun.read_all()
            return sum(tally.hands for tally in self._tallies)
        with self._indexed():
            if self._all_read():
                return self._index.hands
            deque(self._again(self._index.hands), maxlen=0)
        return sum(tally.hands for tally in self._tallies)

    @overload
    def __getitem__(self, key: int) -> Hand: ...

    @overload
    def __getitem__(self, key: slice) -> list[Hand]: ...

    def __getitem__(self, key: int | slice) -> Hand | list[Hand]:
        if isinstance(key, slice):
            return self._slice(key)
        number = index(key)
        wanted = number + len(self) if number < 0 else number
        with self._indexed():
            found = next(self._again(wanted), None) if wanted >= 0 else None
        if found is None:
            raise IndexError(f"{self.path}: there is no hand with the index {number}, there are {len(self):,}")
        return found

    def _slice(self, key: slice) -> list[Hand]:
        start, stop, step = (None if part is None else index(part) for part in (key.start, key.stop, key.step))
        if stop is not None and stop >= 0 and (start or 0) >= 0 and (step or 1) > 0:
            rows = range(stop)[key]
        else:
            rows = range(len(self))[key]
        if not rows:
            return []
        low, high = sorted((rows[0], rows[-1]))
        hands = list(self.between(low + 1, high + 1))
        return hands[:: rows.step] if rows.step > 0 else hands[::-1][:: -rows.step]

    def between(self, first: int, last: int) -> Iterator[Hand]:
        """Read some hands, without those before them where it is known where they are.

        Parameters
        ----------
        first, last : int
            Numbers of the first and of the last hand in the order of the source, from 1, as `hand` takes them.

        Yields
        ------
        Hand
            Fewer where the source ends before.

        Raises
        ------
        ValueError
            If `first` is below 1.
        HistoryError
            As iteration.
        """
        if first < 1:
            raise ValueError(f"hands are numbered from 1, got {first}")
        with self._indexed():
            yield from islice(self._again(first - 1), max(0, last - first + 1))

    def _again(self, start: int = 0) -> Iterator[Hand]:
        """Read from a hand on, with errors where iteration puts them."""
        self.skipped = []
        return self.read(None if self.strict else self.skipped, start)

    def read(self, skipped: Sink | None, start: int = 0) -> Iterator[Hand]:
        """Read like iteration, with another destination of errors.

        Parameters
        ----------
        skipped : Sink or None
            Receives the errors of hands that are left out, by its method ``append``, so that they need not be kept.
            None raises them.
        start : int
            Index of the first hand that is wanted. `skipped` receives the errors before it, too.

        Yields
        ------
        Hand

        Raises
        ------
        HistoryError
            At the first damaged hand or file that cannot be read, without `skipped`.
        """
        stretches = self._stretches()
        tallies = self._tallies = [_Tally(skipped, partial(self._index.note_error, stretch)) for stretch in stretches]
        before = 0  # hands of the parts before
        for part, tally, stretch in zip(self._parts, tallies, stretches, strict=True):
            if part.error is not None:
                if skipped is None:
                    raise part.error
                skipped.append(part.error)
            if part.read is not None:
                for hand in _go_on(part.read, tally, stretch, start - before, skipped is None):
                    if before + tally.hands > start:
                        yield hand
                before += tally.hands
            tally.done = True

    def spans(self, size: int = SPAN) -> Iterator[list[Span]]:
        """Cut the source into spans that are read apart, in any process.

        Files are cut between hands where their format allows it, and small ones are put together. Months of the IRC
        database are not cut; where there are few, they are read here, and their hands divided. `report` tells what
        became of the files once `count` was told of each span.

        Parameters
        ----------
        size : int
            Bytes, as far as hands allow.

        Yields
        ------
        list of Span
            In the order of the source.
        """
        self._tallies = [_Tally(None) for _ in self._parts]
        some: list[Span] = []
        tables: dict[Files, Mapping[str, str]] = {}
        few = sum(part.form == "irc" for part in self._parts) < _MONTHS
        for number, (part, tally) in enumerate(zip(self._parts, self._tallies, strict=True)):
            here = few and part.form == "irc"
            for span in _read_here(number, part) if here else _spans(number, part, tables, size):
                some.append(span)
                if here or sum(each.size for each in some) >= size:
                    yield some
                    some = []
            tally.done = True
        if some:
            yield some

    def count(self, span: int, read: SpanTally) -> bool:
        """Note what came of a span of a file.

        Parameters
        ----------
        span : int
            `Span.part`.
        read : SpanTally

        Returns
        -------
        bool
            False if the file could not be read as far as that: the span is to be left out.
        """
        tally = self._tallies[span]
        if tally.damaged:
            return False
        tally.hands += read.hands
        tally.skipped += read.skipped
        tally.damaged = read.damaged
        tally.reason = read.reason if read.damaged else tally.reason or read.reason
        return True

    def _stretches(self) -> list[Stretch]:
        """What is known of the parts, or nothing if files have changed."""
        state = state_of(self._on_disk)
        if state != self._index.state:
            self._index = Index(len(self._parts), state)
        return self._index.stretches

    def _all_read(self) -> bool:
        """Whether all is known that reading to the end would bring, errors that it would raise too."""
        known = list(zip(self._parts, self._stretches(), strict=True))
        if self.strict and any(part.error or stretch.errors for part, stretch in known):
            return False
        return all(stretch.done for part, stretch in known if part.read is not None)

    @contextmanager
    def _indexed(self) -> Iterator[None]:
        """Use the index that is kept, before the block, and keep what is known after it."""
        if not self._keeps_index:
            yield
            return
        path, root = index_path(self.path), str(self.path)
        names = [f"{str(part.path).removeprefix(root)} {part.format}" for part in self._parts]
        self._stretches()
        if not self._loaded:
            self._index.load(path, names, root)
            self._loaded = True
        yield
        if state_of(self._on_disk) == self._index.state:
            self._index.keep(path, names, root)

    def keep_index(self) -> None:
        """Keep what is known of where hands are, after an iteration, as `open_hands` says."""
        with self._indexed():
            pass

    def select(self, **criteria: Any) -> HandSelection:
        """Select some of the hands.

        Parameters
        ----------
        **criteria
            Those of `HandFilter`: ``player``, ``position``, ``min_pot``, ``max_pot``, ``street``, ``since``,
            ``until``, ``stake`` and ``showdown``.

        Returns
        -------
        HandSelection
            It is read on demand.

        Raises
        ------
        ValueError
            As `HandFilter`.

        Examples
        --------
        >>> import pokermodel as pm
        >>> source = pm.open_hands("holdem.199504.tgz")  # doctest: +SKIP
        >>> for number, hand in source.select(player="Ann", street="river").numbered():  # doctest: +SKIP
        ...     print(number, hand.id)
        """
        return HandSelection(self, (HandFilter(**criteria),))

    def to_frame(self, what: Literal["hands", "decisions"] = "hands", *, library: str | None = None) -> Any:
        """Return a data frame of all hands, or of all decisions; see `HandSelection.to_frame`."""
        return HandSelection(self).to_frame(what, library=library)

    def report(self) -> SourceReport:
        """Return what became of every file, by the last iteration or `read`.

        Returns
        -------
        SourceReport
            Each file is a hand history with so many hands, cannot be read, or is no hand history that is read.
        """
        tallies = self._tallies or [_Tally(None) for _ in self._parts]
        return SourceReport(map(_outcome, self._parts, tallies))

    @property
    def share_read(self) -> float:
        """Share of the source that the last iteration or `read` has read so far, 0 to 1.

        It is rough: all files count alike, and those in a zip archive, or in a pipe, count when they have been read.
        """
        done = [tally.done for part, tally in zip(self._parts, self._tallies, strict=False) if part.read is not None]
        if not done:
            return 0.0
        return 1.0 if all(done) else (sum(done) + self._reached.share) / len(done)

    @property
    def parts(self) -> list[Path]:
        """Paths that can be opened one by one instead, in this order: the files or months of a folder, or `path`.

        A month is the folder with all its tables. An archive in a folder is one file.
        """
        places = [part.on_disk for part in self._parts if part.format or part.error]
        months = {part.on_disk for part in self._parts if part.format == "irc" and part.on_disk != self.path}
        if any(part.path == self.path for part in self._parts):
            return [self.path]
        return list(
            dict.fromkeys(next((above for above in place.parents if above in months), place) for place in places)
        )

    def hand(self, number: int) -> Hand:
        """Return one hand.

        Parameters
        ----------
        number : int
            Number of the hand in the order of the source, from 1. Damaged hands that are left out do not count.

        Raises
        ------
        ValueError
            If there is no such hand.
        HistoryError
            As iteration.
        """
        if number < 1:
            raise ValueError(f"hands are numbered from 1, got {number}")
        try:
            return self[number - 1]
        except IndexError:
            raise ValueError(f"{self.path}: there is no hand {number}, the last hand is {len(self)}") from None


def open_hands(path: str | PathLike[str], strict: bool = True, index: bool = True) -> HandSource:
    """Open a hand history and recognise its format.

    Parameters
    ----------
    path : path-like
        A PHH file (``.phh``, ``.phhs``), a log of the ACPC dealer, Open Hand History (``.ohh``), or text of sites
        (PokerStars, Bovada with Bodog and Ignition, Full Tilt, PartyPoker, Absolute with UltimateBet, Cake, Entraction,
        Everest, Run It Once, iPoker, Boss, Microgaming, Merge and OnGame, and what was converted from PokerBros and
        PokerMaster; hold'em of limit, pot limit and no limit; GGPoker, Winamax, 888 with Pacific, Winning with Americas
        Cardroom, BetOnline with Gear, PKR, Everleaf with Partouche; hold'em of pot limit and no limit), of several in
        one file, too; a folder or an archive (tar, zip) of such files; or an IRC poker database: a folder or an archive
        with ``hdb``, ``hroster`` and ``pdb``, at its top or in folders inside, also beside other histories. All of them
        may be compressed by gzip, bzip2 or xz, and archives may be inside folders and inside one another, up to five.
        The format is recognised by the contents, not by the name. Files are read in the natural order of their names.
        In a folder, files of unknown formats are passed over, and `HandSource.report` names them; files whose name
        begins with a dot are not looked at. A file or folder that cannot be read counts as a damaged hand.

        Files are read on demand, so that memory does not grow with them. A compressed archive is unpacked into a
        temporary file, and the tables of an IRC poker database are joined in one beyond 32 MiB. What a file unpacks to
        may be 256 MiB, and 200 times its size. A pipe is kept in a temporary file as far as it has been read.
    strict : bool
        Raise an error at the first damaged hand; otherwise leave out damaged hands, and list their errors in
        `HandSource.skipped`.
    index : bool
        Whether `len` and access by number may keep a file beside the source, which says where its hands are:
        ``.NAME.pokermodel-index``, or ``.pokermodel-index`` inside a folder. It is written for 2,000 hands or more if
        the mode of the folder allows that, and made anew when a file or the package has changed. Iteration neither
        reads nor writes it.

    Returns
    -------
    HandSource
        An iterable of `Hand`.

    Raises
    ------
    HistoryError
        If there is no such file, or it cannot be read. Damage further inside is only found by iteration.
    NoHistoryError
        If there is no hand history that is read: a `HistoryError`, which says what there is instead.

    Examples
    --------
    >>> import pokermodel as pm
    >>> for hand in pm.open_hands("holdem.199504.tgz"):  # doctest: +SKIP
    ...     print(hand.id, hand.players, hand.payoffs)
    """
    return HandSource(Path(path), strict, index)


def source_of(
    name: str, form: str, hands: Callable[[int], Iterator[tuple[int, Hand | HistoryError]]], strict: bool = True
) -> HandSource:
    """Return hands that are not in a file as a source, for connectors.

    Parameters
    ----------
    name : str
        What stands for the path.
    form : str
        Value of `HandSource.format`.
    hands : callable
        Given a place, which is 0 or one that was yielded, yields places and hands from there on, or the errors of hands
        that cannot be read. It is called for each iteration.
    strict : bool
        As for `open_hands`.

    Returns
    -------
    HandSource
    """

    def read(skipped: Sink | None, mark: Bookmark) -> Iterator[Hand]:
        for place, found in hands(*mark.start or (0,)):
            if isinstance(found, Hand):
                mark.at = (place,)
                yield found
            elif skipped is None:
                raise found
            else:
                skipped.append(found)

    path = Path(name)
    return HandSource(path, strict, index=False, part=_Part(path, path, form, read))


def _parts(path: Path, files: Files) -> list[_Part]:
    """Return the files of a path in the order of their names; raises `HistoryError` if there is nothing to read."""
    if not path.is_dir():
        head = files.head("", _HEAD)
        if not is_archive(head):
            part = _file(files, "", head)
            if part.read is None:
                raise _nothing([part], path)
            return [part]
        files = files.archive("")
        files.names  # noqa: B018  # raises an error of the archive
    parts = list(_walk(files))
    if not any(part.format for part in parts):
        raise _nothing(parts, path)
    return parts


def _nothing(parts: list[_Part], path: Path) -> HistoryError:
    """Return the error for a path without a hand history."""
    damaged = next((part.error for part in parts if part.error is not None), None)
    if damaged is not None:
        error = NoHistoryError(damaged.reason, damaged.path)
    elif len(parts) == 1 and parts[0].path == path:
        what = {"": "not a known hand history", _EMPTY: "the file is empty"}
        said = parts[0].reason
        error = NoHistoryError(
            f"{what.get(said, f'not a known hand history ({said})')}: expected {readable()}", str(path)
        )
    else:
        error = NoHistoryError(f"no hand history found: expected {readable()}", str(path))
    error.files = tuple(_outcome(part, _Tally(None)) for part in parts)
    return error


def _walk(files: Files) -> Iterator[_Part]:
    """Yield the files of a folder or an archive, and those of archives inside."""
    tables = irc.tables(files)
    months: set[str] = set()
    others = files.others
    for name in sorted({*files.names, *others}, key=natural) if others else files.names:
        path = files.path / name
        if name in others:
            yield _Part(path, files.on_disk or path, reason=others[name])
            continue
        if (month := tables.get(name)) is not None:
            if month not in months:
                months.add(month)
                path = files.path / month
                read = partial(irc.hands, files, month)
                yield _Part(path, files.on_disk or path, "irc", read, files=files, name=month, form="irc")
            continue
        try:
            head = files.head(name, _HEAD)
            if is_archive(head):
                yield from _inside(files, name)
            else:
                yield _file(files, name, head)
        except HistoryError as error:
            yield _Part(path, files.on_disk or path, error=error)


def _inside(files: Files, name: str) -> Iterator[_Part]:
    """Yield the files of an archive among others; it is one if none of them is a hand history."""
    path = files.path / name
    on_disk = files.on_disk or path
    if files.depth >= DEPTH:
        what = f"archives are only read up to {DEPTH} inside one another"
        yield _Part(path, on_disk, error=HistoryError(what, str(path)))
        return
    archive = files.archive(name)
    archive.names  # noqa: B018  # raises an error of the archive
    parts = list(_walk(archive))
    if any(part.format or part.error for part in parts):
        yield from parts
    else:
        what = f"an archive of {counted(len(parts), 'other file')}" if parts else "an empty archive"
        yield _Part(path, on_disk, reason=what)


def _file(files: Files, name: str, head: bytes) -> _Part:
    """Recognise a file by its beginning."""
    path = files.path / name
    on_disk = files.on_disk or path
    form = next((known for known in ("phh", "acpc", "ohh") if _FORMATS[known].sniff(head, path.name)), None)
    if form is not None:
        return _readable(files, name, on_disk, form, form)
    if sites := _SITE_TEXT.found(head):
        return _readable(files, name, on_disk, "+".join(sorted(sites)), _TEXT)
    for other in _REGISTRY.kinds().values() if head.strip() else ():
        if _looks_like(other, head, path.name):
            return _readable(files, name, on_disk, other.name, other)
    return _Part(path, on_disk, reason=_reason(head))


def _readable(files: Files, name: str, on_disk: Path, names: str, form: str | HistoryFormat) -> _Part:
    read = partial(_read, files, name, _hands_of(form))
    return _Part(files.path / name, on_disk, names, read, files=files, name=name, form=form)


def _hands_of(form: str | HistoryFormat) -> Callable[..., Iterator[Hand]]:
    """What reads a file of a format, as `Span.form` has it."""
    if isinstance(form, HistoryFormat):
        return partial(_theirs, form)
    return _SITE_TEXT.hands if form == _TEXT else _FORMATS[form].hands


def _places(form: str | HistoryFormat) -> Places | None:
    """Where files of a format can be cut; None if they cannot."""
    return phh.Places() if form == "phh" else _SITE_TEXT.places() if form == _TEXT else None


def _spans(number: int, part: _Part, tables: dict[Files, Mapping[str, str]], size: int) -> Iterator[Span]:
    """Cut a part into spans, given the tables of the IRC database that are known, to which those of its files go."""
    if part.read is None:
        return
    assert part.files is not None
    files = part.files
    if part.form == "irc":
        if files not in tables:
            tables[files] = irc.tables(files)
        names = [name for name, month in tables[files].items() if month == part.name]
        held = {name: piece for name in names for piece in _cut(files, name, None, size)}
        yield Span(number, "irc", part.name, Held(files.path, held))
        return
    for piece in _cut(files, part.name, _places(part.form), size):
        yield Span(number, part.form, part.name, Held(files.path, {part.name: piece}))


def _read_here(number: int, part: _Part) -> Iterator[Span]:
    """Read a part, and divide its hands into spans."""
    assert part.read is not None
    errors: list[HistoryError] = []
    reading = part.read(errors, Bookmark())
    while True:
        hands = list(islice(reading, _HANDS_A_SPAN))
        content = pickle.dumps((hands, errors), pickle.HIGHEST_PROTOCOL)
        yield Span(number, _HANDS, "", Held(part.path, {"": Piece(content)}))
        errors.clear()
        if len(hands) < _HANDS_A_SPAN:
            return


def _cut(files: Files, name: str, places: Places | None, size: int) -> Iterator[Piece]:
    """Cut a file into pieces; one that cannot be opened is a piece of nothing, with the error."""
    try:
        with files.open(name) as file:
            yield from pieces(file, places, size)
    except HistoryError as error:
        yield Piece(b"", (), error)


def _looks_like(form: HistoryFormat, head: bytes, name: str) -> bool:
    """Whether a file looks like a format of another package, whose errors are no reason to stop."""
    try:
        return bool(form.sniff(head, name))
    except Exception as error:
        what = f"history format {form.name!r} of {_REGISTRY.package(form.name)} cannot tell what {name} is"
        warnings.warn(f"{what}: {type(error).__name__}: {error}", PluginWarning, stacklevel=2)
        return False


def _theirs(
    form: HistoryFormat, path: Path, file: BufferedReader, skipped: Sink | None, *, mark: Bookmark
) -> Iterator[Hand]:
    """Yield hands of a format of another package; what is wrong with it is an error of the file."""
    try:
        yield from form.hands(path, file, skipped, mark=mark)
    except HistoryError:
        raise
    except Exception as error:
        what = f"history format {form.name!r} of {_REGISTRY.package(form.name)} failed"
        raise HistoryError(f"{what}: {type(error).__name__}: {error}", str(path)) from error


_EMPTY = "empty"


def _reason(head: bytes) -> str:
    """Return what a file is instead of a known hand history; empty if that is not known."""
    if not head.strip():
        return _EMPTY
    if irc.sniff(head):
        return "one table of an IRC poker database: open the folder that has hdb, hroster and pdb in it"
    if (kind := other_archive(head)) is not None:
        return f"a {kind} archive"
    return ""


def _read(
    files: Files,
    name: str,
    hands: Callable[..., Iterator[Hand]],
    skipped: Sink | None,
    mark: Bookmark,
) -> Iterator[Hand]:
    """Read one file, single or one of several."""
    try:
        with files.open(name, *mark.start[:1]) as file:
            yield from hands(files.path / name, file, skipped, mark=mark)
    except HistoryError as error:  # of a hand, or of the file from here on
        if skipped is None:
            raise
        skipped.append(error)


def _go_on(
    read: Callable[[Sink | None, Bookmark], Iterator[Hand]], tally: _Tally, stretch: Stretch, start: int, strict: bool
) -> Iterator[Hand]:
    """Yield the hands of a part, as few as possible of those before an index, and count all of them."""
    if stretch.done and stretch.hands <= start:
        tally.hands = stretch.hands
        for error in stretch.errors:
            tally.append(error)
        return
    known = stretch.before(start)
    mark = Bookmark(known.at)
    tally.hands = known.hands
    for error in stretch.errors[: known.errors]:
        tally.append(error)
    for hand in read(None if strict else tally, mark):
        tally.hands += 1
        stretch.note(tally.hands, tally.errors, mark.at)
        yield hand
    stretch.finish()


def _outcome(part: _Part, tally: _Tally) -> HistoryFile:
    if part.error is not None:
        return HistoryFile(str(part.path), "unreadable", part.format, reason=part.error.reason)
    if part.read is None:
        return HistoryFile(str(part.path), "foreign", reason=part.reason)
    status = "unreadable" if tally.damaged else "read" if tally.done else "open"
    return HistoryFile(str(part.path), status, part.format, tally.hands, tally.skipped, tally.reason)
