"""Where hands come from: a file, a folder or an archive as a sequence of hands, and `open_hands`.

A `HandSource` reads nothing until hands are asked for, and keeps none. Hands can be asked for by number, since an index
remembers where they begin.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload
from weakref import ref

from pokermodel._support.log import log
from pokermodel._support.words import counted
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories._sniff import irc_tables
from pokermodel.histories.files import (
    Files,
    Held,
    Piece,
    Reached,
    Sink,
    open_files,
)
from pokermodel.histories.filter import Filter
from pokermodel.histories.index import Index, ReaderMark, Stretch, index_path, state_of
from pokermodel.histories.registry import HistoryFormat, own_module
from pokermodel.histories.report import HistoryFile, SourceReport
from pokermodel.histories.selection import HandSelection
from pokermodel.histories.spans import SPAN
from pokermodel.histories.walks import (
    MONTHS_AT_ONCE,
    Part,
    ReadHands,
    SpanTally,
    Tally,
    cut,
    go_on,
    hands_of,
    outcome_of,
    parts_of,
    places_of,
    read_part,
)

_HANDS = "hands"  # that have been read
_HANDS_A_SPAN = 1000


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
        The files to read.
    """

    part: int
    form: str | HistoryFormat
    name: str
    held: Held

    def read(self, tally: SpanTally, mark: ReaderMark | None = None) -> Iterator[Hand]:
        """Yield the hands, with the numbers of lines that they have in the file.

        Parameters
        ----------
        tally : SpanTally
            Receives errors, as the sink of `HandSource.read` does.
        mark : ReaderMark, optional
            Says where each hand begins, if it is read from text.
        """
        hands: Iterable[Hand]
        if self.form == _HANDS:
            hands, errors = pickle.loads(self.held.head(self.name, self.size))
            for error in errors:
                tally.append(error)
        elif self.form == "irc":
            hands = own_module("irc").hands(self.held, self.name, tally)
        else:
            mark = mark or ReaderMark()
            mark.start = self.held.start(self.name)
            hands = read_part(self.held, self.name, hands_of(self.form), tally, mark)
        for hand in hands:
            tally.hands += 1
            yield hand

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.held.size


_STATUS = ("read", "unreadable")  # of a span, by whether its file is damaged
_INFORMATION, _WARNING = 20, 30  # levels of `logging`, which is imported where there is something to log


def _log(file: HistoryFile) -> None:
    """Write a file that was left out, or a part of it, to the log."""
    if file.status == "unreadable":
        log("histories", _WARNING, "%s cannot be read to the end: %s", file.path, file.reason)
    elif file.status == "foreign":
        log("histories", _INFORMATION, "%s is no hand history: %s", file.path, file.reason or "unknown format")
    if file.skipped:
        log(
            "histories",
            _WARNING,
            "%s: %s skipped; the first: %s",
            file.path,
            counted(file.skipped, "hand"),
            file.reason,
        )


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
        ``"irc"``, ``"phh"``, ``"acpc"``, ``"ohh"``, ``"pokernow"``, or the name of the site: ``"pokerstars"``,
        ``"bovada"``,
        ``"fulltilt"``, ``"partypoker"``, ``"absolute"``, ``"cake"``, ``"entraction"``, ``"everest"``, ``"runitonce"``,
        ``"pokerbros"``, ``"pokermaster"``, ``"pppoker"``, ``"supremapoker"``, ``"pokerplanets"``, ``"ipoker"``,
        ``"boss"``, ``"microgaming"``, ``"merge"``, ``"ongame"``, ``"ggpoker"``, ``"winamax"``, ``"888"``,
        ``"winning"``, ``"betonline"``, ``"pkr"``, ``"everleaf"``, ``"coinpoker"``, ``"weplay"``, ``"unibet"``,
        ``"kingsclub"``, ``"mavens"``, ``"9stacks"``, ``"pokertracker"``;
        several joined by ``"+"``, if hands of several are found at the beginnings of the files.
    strict : bool
        Whether the first damaged hand raises an error.
    skipped : list of HistoryError
        Errors of the hands that the last iteration, without `strict`, or `hand` or `find` left out, and of files that
        could not be read.
    """

    def __init__(self, path: Path, strict: bool = True, index: bool = True, *, part: Part | None = None) -> None:
        self.path = path
        self.strict = strict
        self.skipped: list[HistoryError] = []
        self._keeps_index = index
        self._begun: ref[ReadHands] | None = None
        if part is not None:  # in memory
            self._parts, self._on_disk, self._reached = [part], [], Reached()
            self._index = Index(1, state_of([]))
        else:
            files = open_files(path)
            state = None if path.is_dir() else state_of([path])  # before anything is read
            self._parts = parts_of(path, files)
            self._on_disk = list(dict.fromkeys(part.place for part in self._parts if part.read is not None))
            self._index = Index(len(self._parts), state_of(self._on_disk) if path.is_dir() else state)
            self._reached = files.reached
        self._loaded = False
        self._tallies: list[Tally] = []
        formats = {name for known in {part.format for part in self._parts} for name in known.split("+") if name}
        self.format = "+".join(sorted(formats))

    def __repr__(self) -> str:
        return f"<HandSource {str(self.path)!r}, format {self.format}>"

    def __iter__(self) -> Iterator[Hand]:
        reading = ReadHands(self._again())
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

        Raises
        ------
        HistoryError
            At the first damaged hand or file that cannot be read, without `skipped`.
        """
        stretches = self._stretches()
        tallies = self._tallies = [Tally(skipped, self._index, stretch) for stretch in stretches]
        before = 0  # hands of the parts before
        for part, tally, stretch in zip(self._parts, tallies, stretches, strict=True):
            if part.error is not None:
                if skipped is None:
                    raise part.error
                skipped.append(part.error)
            if part.read is not None:
                for hand in go_on(part.read, tally, stretch, start - before, skipped is None):
                    if before + tally.hands > start:
                        yield hand
                before += tally.hands
            tally.done = True
            if skipped is not None:
                _log(outcome_of(part, tally))

    def spans(self, size: int = SPAN) -> Iterator[list[Span]]:
        """Cut the source into spans that are read apart, in any process.

        Files are cut between hands where their format allows it, and small ones are put together. Months of the IRC
        database are not cut; where there are few, they are read here, and their hands divided. `report` has the results
        of the files after `count` was called for each span.

        Parameters
        ----------
        size : int
            Bytes, as far as hands allow.

        Yields
        ------
        list of Span
            In the order of the source.
        """
        self._tallies = [Tally(None) for _ in self._parts]
        some: list[Span] = []
        tables: dict[Files, Mapping[str, str]] = {}
        few = sum(part.form == "irc" for part in self._parts) < MONTHS_AT_ONCE
        for number, (part, tally) in enumerate(zip(self._parts, self._tallies, strict=True)):
            here = few and part.form == "irc"
            for span in _read_here(number, part) if here else _spans(number, part, tables, size):
                some.append(span)
                if here or sum(each.size for each in some) >= size:
                    yield some
                    some = []
            tally.done = True
            if part.read is None:
                _log(outcome_of(part, tally))
        if some:
            yield some

    def count(self, span: int, read: SpanTally) -> bool:
        """Note what came of a span of a file.

        Parameters
        ----------
        span : int
            `Span.part`.

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
        _log(HistoryFile(str(self._parts[span].path), _STATUS[read.damaged], "", read.hands, read.skipped, read.reason))
        return True

    def _stretches(self) -> list[Stretch]:
        """What is known of the parts, or nothing if files have changed."""
        if self._index.used:  # else nothing is known that could have changed
            self._check_index()
        return self._index.stretches

    def _check_index(self) -> None:
        """Forget what is known of the parts if files have changed."""
        state = state_of(self._on_disk)
        if state != self._index.state:
            self._index = Index(len(self._parts), state)

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
        self._check_index()
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

    def select(self, where: str | Filter) -> HandSelection:
        """Select some of the hands.

        Parameters
        ----------
        where : str or Filter
            As ``"hero=Ann pot=3-bet"``, see `Filter`.

        Returns
        -------
        HandSelection
            It is read on demand.

        Raises
        ------
        ValueError
            As `Filter`.

        Examples
        --------
        >>> import pokermodel as pm
        >>> source = pm.open_hands("holdem.199504.tgz")  # doctest: +SKIP
        >>> for number, hand in source.select("player=Ann street=river").numbered():  # doctest: +SKIP
        ...     print(number, hand.id)
        """
        return HandSelection(self).select(where)

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
        tallies = self._tallies or [Tally(None) for _ in self._parts]
        return SourceReport(map(outcome_of, self._parts, tallies))

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
            Number of the hand in the order of the source, from 1. Damaged hands do not count, and are passed over
            whether the source is strict or not: they have nothing to do with this one.

        Raises
        ------
        ValueError
            If there is no such hand.
        """
        if number < 1:
            raise ValueError(f"hands are numbered from 1, got {number}")
        with self._indexed():
            found = next(self._past_damage(number - 1), None)
        if found is None:
            last = sum(tally.hands for tally in self._tallies)
            raise ValueError(f"{self.path}: there is no hand {number}, the last hand is {last}")
        return found

    def find(self, hand_id: str) -> Hand:
        """Return the hand with an id, the first of several; damaged hands before it are passed over as by `hand`.

        Parameters
        ----------
        hand_id : str
            As `Hand.id`.

        Raises
        ------
        ValueError
            If there is no such hand.
        HistoryError
            If it is damaged.
        """
        for hand in self._past_damage():
            if hand.id == hand_id:
                return hand
        for error in self.skipped:
            if error.hand == hand_id:
                raise error
        raise ValueError(f"{self.path}: there is no hand with the id {hand_id!r}")

    def _past_damage(self, start: int = 0) -> Iterator[Hand]:
        """Read from a hand on, and leave out what is damaged."""
        self.skipped = []
        return self.read(self.skipped, start)


def open_hands(path: str | PathLike[str], strict: bool = True, index: bool = True) -> HandSource:
    """Open a hand history and recognise its format.

    Parameters
    ----------
    path : path-like
        A PHH file (``.phh``, ``.phhs``), a log of the ACPC dealer, Open Hand History (``.ohh``), a log of PokerNow
        (``.csv``), or text of sites
        (PokerStars, Bovada with Bodog and Ignition, Full Tilt, PartyPoker, Absolute with UltimateBet, Cake, Entraction,
        Everest, Run It Once, PokerPlanets, iPoker, Boss, Microgaming, Merge and OnGame, and what was converted from
        PokerBros, PokerMaster, PPPoker and SupremaPoker, or exported by PokerTracker; hold'em of limit, pot limit and
        no limit; GGPoker, Winamax, 888 with Pacific, Winning with Americas Cardroom, BetOnline with Gear, PKR, Everleaf
        with Partouche, CoinPoker, Weplay, Unibet, KingsClub, Poker Mavens with Seals With Clubs, 9stacks; hold'em of
        pot limit and no limit), of several in one file, too; a folder or an archive (tar, zip) of such files; or an IRC
        poker database: a folder or an archive with ``hdb``, ``hroster`` and ``pdb``, at its top or in folders inside,
        also beside other histories. All of them may be compressed by gzip, bzip2 or xz, and archives may be inside
        folders and inside one another, up to five.
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
        Whether `len` and access by number may keep where the hands of the source are, in a file of the user's cache
        (``~/.cache/pokermodel`` on Linux, or what the variable ``POKERMODEL_CACHE`` names). It is written for 2,000
        hands or more, and made anew when a file or the package has changed. Iteration neither reads nor writes it.

    Returns
    -------
    HandSource
        An iterable of `Hand`.

    Raises
    ------
    HistoryError
        If `path` is none, there is no such file, or it cannot be read. Damage further inside is only found by
        iteration.
    NoHistoryError
        If there is no hand history that is read: a `HistoryError`, which says what there is instead.

    Examples
    --------
    >>> import pokermodel as pm
    >>> for hand in pm.open_hands("holdem.199504.tgz"):  # doctest: +SKIP
    ...     print(hand.id, hand.players, hand.payoffs)
    """
    if not isinstance(path, str | PathLike):
        raise HistoryError(f"expected the path of a hand history, got {path!r}")
    return HandSource(Path(path), strict, index)


def source_of(
    name: str, form: str, hands: Callable[[int], Iterator[tuple[int, Hand | HistoryError]]], strict: bool = True
) -> HandSource:
    """Return hands that are not in a file as a source, for connectors.

    Parameters
    ----------
    name : str
        The name in place of the path.
    form : str
        Value of `HandSource.format`.
    hands : callable
        Given a place, which is 0 or one that was yielded, yields places and hands from there on, or the errors of hands
        that cannot be read. It is called for each iteration.
    strict : bool
        As for `open_hands`.
    """

    def read(skipped: Sink | None, mark: ReaderMark) -> Iterator[Hand]:
        for place, found in hands(*mark.start or (0,)):
            if isinstance(found, Hand):
                mark.at = (place,)
                yield found
            elif skipped is None:
                raise found
            else:
                skipped.append(found)

    path = Path(name)
    return HandSource(path, strict, index=False, part=Part(path, path, form, read))


def _spans(number: int, part: Part, tables: dict[Files, Mapping[str, str]], size: int) -> Iterator[Span]:
    """Cut a part into spans, given the tables of the IRC database that are known, to which those of its files go."""
    if part.read is None:
        return
    assert part.files is not None
    files = part.files
    if part.form == "irc":
        if files not in tables:
            tables[files] = irc_tables(files)
        names = [name for name, month in tables[files].items() if month == part.name]
        held = {name: piece for name in names for piece in cut(files, name, None, size)}
        yield Span(number, "irc", part.name, Held(files.path, held))
        return
    for piece in cut(files, part.name, places_of(part.form), size):
        yield Span(number, part.form, part.name, Held(files.path, {part.name: piece}))


def _read_here(number: int, part: Part) -> Iterator[Span]:
    """Read a part, and divide its hands into spans."""
    assert part.read is not None
    errors: list[HistoryError] = []
    reading = part.read(errors, ReaderMark())
    while True:
        hands = list(islice(reading, _HANDS_A_SPAN))
        content = pickle.dumps((hands, errors), pickle.HIGHEST_PROTOCOL)
        yield Span(number, _HANDS, "", Held(part.path, {"": Piece(content)}))
        errors.clear()
        if len(hands) < _HANDS_A_SPAN:
            return
