"""Hand histories: one module a format, and `open_hands`, which recognises them all.

A format is what has ``sniff(head, name)``, which says whether a file looks like it, and ``hands(path, file, skipped)``,
which yields the hands of the file while it is read: a module, or what the modules of sites make of their lines. The IRC
poker database spreads a hand over many files and so takes a folder or an archive instead.
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

__all__ = ["HandSource", "open_hands"]


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
_HEAD = 1 << 16  # bytes that are looked at to recognise a format
_READABLE = (
    "expected PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or an IRC poker database (folder or archive)"
)


class _Part(NamedTuple):
    """A file or a month of a folder or an archive; without a format, what cannot be read."""

    name: str
    format: str | None
    read: Callable[[Sink | None], Iterator[Hand]]


class HandSource:
    """The hands of a file, a folder or an archive, read as they are asked for. Made by `open_hands`.

    Iterating reads from the start, every time anew.

    Attributes
    ----------
    path : Path
        What was opened.
    format : str
        ``"irc"``, ``"phh"``, ``"acpc"``, or the site: ``"pokerstars"``, ``"bovada"``, ``"fulltilt"``,
        ``"partypoker"``, ``"absolute"``, ``"cake"``, ``"entraction"``, ``"everest"``; several joined by ``"+"``
        for a folder or an archive that mixes them.
    strict : bool
        Whether the first damaged hand ends the reading.
    skipped : list of HistoryError
        What was wrong with the hands that were left out (only without `strict`), as far as the last iteration
        got.
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
        """Read from the start, as iterating does.

        Parameters
        ----------
        skipped : Sink or None
            Takes what is wrong with hands that are left out, by its method ``append``; so it is nowhere kept, which
            can be much. None: raise it.

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
        """What can be opened in its place one by one, in this order: the files or months of a folder, or `path`.

        A month stands for all that is in its folder.
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
            Its place in the order of the source, from 1. Hands that are left out as damaged do not count.

        Raises
        ------
        ValueError
            If there is no such hand.
        HistoryError
            As iterating does.
        """
        if number < 1:
            raise ValueError(f"hands are numbered from 1, got {number}")
        last = 0
        for last, hand in enumerate(islice(self, number), 1):  # noqa: B007
            pass
        if last < number:
            raise ValueError(f"{self.path}: there is no hand {number}, the last one is {last}")
        return hand


def open_hands(path: str | PathLike[str], strict: bool = True) -> HandSource:
    """Open a hand history and recognise its format.

    Parameters
    ----------
    path : path-like
        A PHH file (``.phh``, ``.phhs``), a log of the ACPC dealer, or a text history of a site (PokerStars, Bovada
        with Bodog and Ignition, Full Tilt, PartyPoker, Absolute, Cake, Entraction, Everest; fixed-limit hold'em); a
        folder or an archive (tar, zip) of such files; or an IRC poker database: a folder or an archive with ``hdb``,
        ``hroster`` and ``pdb``, at its top or in folders inside, also beside other histories. All of them plain or
        compressed by gzip, bzip2 or xz. What it is shows in the contents, not in the name; in a folder, files of no
        known format are passed over, and those whose name begins with a dot; what cannot be read there, a folder as
        well, counts as a damaged hand. Files are read as their hands are asked for: memory does not grow with them,
        but an archive that is compressed is unpacked into a temporary file, and so are the tables of an IRC poker
        database.
    strict : bool
        Raise an error at the first damaged hand; otherwise leave such hands out, and list them in
        `HandSource.skipped`.

    Returns
    -------
    HandSource
        An iterable of `Hand`.

    Raises
    ------
    HistoryError
        If there is no such file, or no hand history in it that can be read. Damage further inside is only met when
        iterating.

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
    """The format of a file that stands alone, and what reads it."""
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
    """Months, and files outside them that have a format or cannot be read, in the order of the names."""
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
            form = _format(re.sub(r"\.(gz|bz2|xz)$", "", name), b"")  # by its name; reading it will report the damage
            if form is None:
                unreadable = unreadable or error
                found.append(_Part(name, None, partial(_fail, error)))
                continue
        if form is not None:
            found.append(_Part(name, form, partial(_read, files, name, form)))
    if not any(part.format for part in found):
        raise unreadable or HistoryError(f"no hand history in it: {_READABLE}", str(files.path))
    return found


def _read(files: Files, name: str, form: str, skipped: Sink | None) -> Iterator[Hand]:
    """Read one file, of several or alone."""
    try:
        with files.open(name) as file:
            yield from _FORMATS[form].hands(files.path / name, file, skipped)
    except HistoryError as error:  # of a hand, or of the file from here on
        if skipped is None:
            raise
        skipped.append(error)


def _fail(error: HistoryError, skipped: Sink | None) -> Iterator[Hand]:
    """What could not be read when it was looked at has no hands."""
    if skipped is None:
        raise error
    skipped.append(error)
    yield from ()
