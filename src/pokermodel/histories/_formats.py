"""The formats of hand histories by name: our own, those of sites, and those that other packages register.

A format has two functions: ``sniff(head, name)`` returns whether a file looks like the format, and ``hands(path, file,
skipped)`` yields the hands of the file while it is read. It is a module, or a `TextFormat` in the module of a site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from pokermodel._support.options import Registry
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import (
    absolute,
    acpc,
    betonline,
    boss,
    bovada,
    cake,
    coinpoker,
    entraction,
    everest,
    everleaf,
    fulltilt,
    ggpoker,
    ipoker,
    kingsclub,
    merge,
    microgaming,
    ohh,
    ongame,
    pacific,
    partypoker,
    phh,
    pkr,
    pokerstars,
    pokertracker,
    unibet,
    weplay,
    winamax,
    winning,
)
from pokermodel.histories._blocks import TextFormats
from pokermodel.histories._files import (
    Sink,
)
from pokermodel.histories._index import Bookmark
from pokermodel.histories._report import HistoryFile
from pokermodel.histories._writing import ErrorSink


class _Format(Protocol):
    """A module, or a `TextFormat`."""

    def sniff(self, head: bytes, name: str) -> bool: ...

    def hands(
        self, path: Path, file: BufferedReader, skipped: Sink | None = None, *, mark: Bookmark | None = None
    ) -> Iterator[Hand]: ...


class _Write(Protocol):
    def __call__(self, hands: Iterable[Hand], skipped: ErrorSink | None = None) -> Iterator[str]: ...


SITE_FORMATS = {
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
    "coinpoker": coinpoker.FORMAT,
    "weplay": weplay.FORMAT,
    "unibet": unibet.FORMAT,
    "kingsclub": kingsclub.FORMAT,
    "pokertracker": pokertracker.FORMAT,
}
MODULES: dict[str, _Format] = {"phh": phh, "acpc": acpc, "ohh": ohh, **SITE_FORMATS}
#: What is read: what each format is called, by its name in `HandSource.format`.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "phh": "PHH (.phh, .phhs)",
        "acpc": "an ACPC dealer log",
        "ohh": "Open Hand History (.ohh)",
        "irc": "an IRC poker database (folder or archive)",
        **{name: each.site for name, each in SITE_FORMATS.items()},
    }
)
#: Formats that are written: functions that yield the text of hands in pieces, given hands and a sink of errors.
WRITERS: Mapping[str, _Write] = MappingProxyType({"phh": phh.write, "acpc": acpc.write, "ohh": ohh.write})
#: Sources whose hands are what one player saw, and are numbered by the site.
SITES = frozenset(SITE_FORMATS)
SITE_TEXT = TextFormats(SITE_FORMATS)
TEXT = "text"  # of any of them, in one file


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


HEAD = 1 << 16  # bytes by which a format is recognised
_OWN = [what for name, what in FORMATS.items() if name not in SITES]
_SITE_NAMES = [each.site for each in SITE_FORMATS.values()]
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
