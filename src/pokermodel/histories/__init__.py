"""Hand histories: one module per format, and `open_hands`, which recognises the format.

A format has two functions: ``sniff(head, name)`` returns whether a file looks like the format, and ``hands(path, file,
skipped)`` yields the hands of the file while it is read. It is a module, or a `TextFormat` in the module of a site. The
IRC poker database spreads a hand over many files, and is read from a folder or an archive instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import (
    absolute,
    acpc,
    bovada,
    cake,
    entraction,
    everest,
    fulltilt,
    irc,
    partypoker,
    phh,
    pokerstars,
)
from pokermodel.histories._files import Files, Sink, open_files
from pokermodel.histories._text import TextFormat

__all__ = ["SITES", "HandSource", "open_hands"]


class _Format(Protocol):
    def sniff(self, head: bytes, name: str) -> bool: ...

    def hands(self, path: Path, file: BufferedReader, skipped: Sink | None = None) -> Iterator[Hand]: ...


_FORMATS: dict[str, _Format] = {
    "phh": phh,
    "acpc": acpc,
    "pokerstars": pokerstars.FORMAT,
    "bovada": bovada.FORMAT,
    "fulltilt": fulltilt.FORMAT,
    "partypoker": partypoker.FORMAT,
    "absolute": absolute.FORMAT,
    "cake": cake.FORMAT,
    "entraction": entraction.FORMAT,
    "everest": everest.FORMAT,
}
#: Sources whose hands are what one player saw, and are numbered by the site.
SITES = frozenset(name for name, known in _FORMATS.items() if isinstance(known, TextFormat))
_HEAD = 1 << 16  # bytes by which a format is recognised
_READABLE = (
    "expected PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or an IRC poker database (folder or archive)"
)


class _Part(NamedTuple):
    """A file, or a month of the IRC database, in a folder or an archive; without a format it cannot be read."""

    name: str
    format: str | None
    read: Callable[[Sink | None], Iterator[Hand]]


class HandSource:
    """The hands of a file, a folder or an archive, read on demand. Created by `open_hands`.

    Each iteration reads from the start.

    Attributes
    ----------
    path : Path
        The file, folder or archive.
    format : str
        ``"irc"``, ``"phh"``, ``"acpc"``, or the name of the site: ``"pokerstars"``, ``"bovada"``, ``"fulltilt"``,
        ``"partypoker"``, ``"absolute"``, ``"cake"``, ``"entraction"``, ``"everest"``; several joined by ``"+"``
        for a folder or an archive that mixes them.
    strict : bool
        Whether the first damaged hand raises an error.
    skipped : list of HistoryError
        Errors of the hands that the last iteration left out (only without `strict`).
    """

    def __init__(self, path: Path, strict: bool = True) -> None:
        self.path = path
        self.strict = strict
        self.skipped: list[HistoryError] = []
        files = open_files(path)
        self._parts = [_Part("", *_recognise(files))] if files.single else _recognise_all(files)
        self.format = "+".join(sorted({part.format for part in self._parts if part.format}))

    def __repr__(self) -> str:
        return f"<HandSource {str(self.path)!r}, format {self.format}>"

    def __iter__(self) -> Iterator[Hand]:
        self.skipped = []
        return self.read(None if self.strict else self.skipped)

    def read(self, skipped: Sink | None) -> Iterator[Hand]:
        """Read from the start, like iteration, with another destination of errors.

        Parameters
        ----------
        skipped : Sink or None
            Receives the errors of hands that are left out, by its method ``append``, so that they need not be kept.
            None raises them.

        Yields
        ------
        Hand

        Raises
        ------
        HistoryError
            At the first damaged hand, without `skipped`.
        """
        for part in self._parts:
            yield from part.read(skipped)

    @property
    def parts(self) -> list[Path]:
        """Paths that can be opened one by one instead, in this order: the files or months of a folder, or `path`.

        A month is the folder with all its tables.
        """
        if not self.path.is_dir():
            return [self.path]
        found: dict[Path, None] = {}
        months = {self.path / part.name for part in self._parts if part.format == "irc"}
        for part in self._parts:
            place = self.path / part.name
            found[next((above for above in reversed(place.parents) if above in months), place)] = None
        return list(found)

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
        last = 0
        for last, hand in enumerate(islice(self, number), 1):  # noqa: B007
            pass
        if last < number:
            raise ValueError(f"{self.path}: there is no hand {number}, the last hand is {last}")
        return hand


def open_hands(path: str | PathLike[str], strict: bool = True) -> HandSource:
    """Open a hand history and recognise its format.

    Parameters
    ----------
    path : path-like
        A PHH file (``.phh``, ``.phhs``), a log of the ACPC dealer, or a text history of a site (PokerStars, Bovada with
        Bodog and Ignition, Full Tilt, PartyPoker, Absolute, Cake, Entraction, Everest; fixed-limit hold'em); a folder
        or an archive (tar, zip) of such files; or an IRC poker database: a folder or an archive with ``hdb``,
        ``hroster`` and ``pdb``, at its top or in folders inside, also beside other histories. All of them may be
        compressed by gzip, bzip2 or xz. The format is recognised by the contents, not by the name. In a folder, files
        of unknown formats and files whose name begins with a dot are ignored; a file or folder that cannot be read
        counts as a damaged hand. Files are read on demand, so that memory does not grow with them. A compressed archive
        is unpacked into a temporary file, and so are the tables of an IRC poker database.
    strict : bool
        Raise an error at the first damaged hand; otherwise leave out damaged hands, and list their errors in
        `HandSource.skipped`.

    Returns
    -------
    HandSource
        An iterable of `Hand`.

    Raises
    ------
    HistoryError
        If there is no such file, or no hand history in it that can be read. Damage further inside is only found by
        iteration.

    Examples
    --------
    >>> import pokermodel as pm
    >>> for hand in pm.open_hands("holdem.199504.tgz"):  # doctest: +SKIP
    ...     print(hand.id, hand.players, hand.payoffs)
    """
    return HandSource(Path(path), strict)


def _format(name: str, head: bytes) -> str | None:
    return next((known for known, form in _FORMATS.items() if form.sniff(head, name)), None)


def _recognise(files: Files) -> tuple[str, Callable[[Sink | None], Iterator[Hand]]]:
    """Return the format of a single file, and its reader."""
    path = files.path
    head = files.head("", _HEAD)
    if not head.strip():
        raise HistoryError(f"the file is empty: {_READABLE}", str(path))
    form = _format(path.name, head)
    if form is None:
        if irc.sniff(head):
            what = "one table of an IRC poker database: open the folder that has hdb, hroster and pdb in it"
            raise HistoryError(what, str(path))
        raise HistoryError(f"not a known hand history: {_READABLE}", str(path))
    return form, partial(_read, files, "", form)


def _recognise_all(files: Files) -> list[_Part]:
    """Yield months, and other files that have a format or cannot be read, in the order of the names."""
    found = []
    unreadable = None
    tables = irc.tables(files)
    met: set[str] = set()
    for name in files.names:
        if (month := tables.get(name)) is not None:
            if month not in met:
                met.add(month)
                found.append(_Part(month, "irc", partial(irc.hands, files, month)))
            continue
        try:
            form = _format(name, files.head(name, _HEAD))
        except HistoryError as error:
            form = _format(re.sub(r"\.(gz|bz2|xz)$", "", name), b"")  # by its name; reading reports the damage
            if form is None:
                unreadable = unreadable or error
                found.append(_Part(name, None, partial(_fail, error)))
                continue
        if form is not None:
            found.append(_Part(name, form, partial(_read, files, name, form)))
    if not any(part.format for part in found):
        raise unreadable or HistoryError(f"no hand history found: {_READABLE}", str(files.path))
    return found


def _read(files: Files, name: str, form: str, skipped: Sink | None) -> Iterator[Hand]:
    """Read one file, single or one of several."""
    try:
        with files.open(name) as file:
            yield from _FORMATS[form].hands(files.path / name, file, skipped)
    except HistoryError as error:  # of a hand, or of the file from here on
        if skipped is None:
            raise
        skipped.append(error)


def _fail(error: HistoryError, skipped: Sink | None) -> Iterator[Hand]:
    """Raise the error of a part that cannot be read."""
    if skipped is None:
        raise error
    skipped.append(error)
    yield from ()
