"""The formats of hand histories by name: our own, those of sites, and those that other packages register.

A module of our own format has ``hands(path, file, skipped)``, which yields the hands of a file while it is read, and
`_sniff` recognises its files. A site has a `TextFormat` in its module, which `_sites` lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Protocol

from pokermodel._support.options import Registry
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories._writing import ErrorSink
from pokermodel.histories.report import HistoryFile


class _Write(Protocol):
    def __call__(self, hands: Iterable[Hand], skipped: ErrorSink | None = None) -> Iterator[str]: ...


_SITES = {
    "pokerstars": "PokerStars",
    "bovada": "Bovada (Bodog, Ignition)",
    "fulltilt": "Full Tilt",
    "partypoker": "PartyPoker",
    "absolute": "Absolute (UltimateBet)",
    "cake": "Cake",
    "entraction": "Entraction",
    "everest": "Everest",
    "runitonce": "Run It Once",
    "pokerbros": "PokerBros",
    "pokermaster": "PokerMaster",
    "pppoker": "PPPoker",
    "supremapoker": "SupremaPoker",
    "pokerplanets": "PokerPlanets",
    "9stacks": "9stacks",
    "ipoker": "iPoker",
    "boss": "Boss",
    "microgaming": "Microgaming",
    "merge": "Merge",
    "ongame": "OnGame",
    "ggpoker": "GGPoker",
    "winamax": "Winamax",
    "888": "888 (Pacific)",
    "winning": "Winning (Americas Cardroom)",
    "betonline": "BetOnline (Gear)",
    "pkr": "PKR",
    "everleaf": "Everleaf (Partouche)",
    "coinpoker": "CoinPoker",
    "weplay": "Weplay",
    "unibet": "Unibet",
    "kingsclub": "KingsClub",
    "mavens": "Poker Mavens (Seals With Clubs)",
    "pokertracker": "PokerTracker",
}
#: What is read: what each format is called, by its name in `HandSource.format`.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "phh": "PHH (.phh, .phhs)",
        "acpc": "an ACPC dealer log",
        "ohh": "Open Hand History (.ohh)",
        "irc": "an IRC poker database (folder or archive)",
        "pokernow": "PokerNow (.csv)",
        **_SITES,
    }
)
#: Formats that are written.
WRITERS = ("phh", "acpc", "ohh")
#: Sources whose hands are what one player saw, and are numbered by the site.
SITES = frozenset((*_SITES, "pokernow"))
TEXT = "text"  # of any of them, in one file


def own_module(name: str) -> ModuleType:
    """Return the module of one of the package's own formats, which is imported when it is needed."""
    return import_module(f"pokermodel.histories.{name}")


def writer(name: str) -> _Write:
    """Return what writes a format of `WRITERS`: given hands and a sink of errors, it yields text in pieces."""
    write: _Write = own_module(name).write
    return write


@dataclass(frozen=True, slots=True)
class HistoryFormat:
    """A format of another package.

    Attributes
    ----------
    name : str
        As `HandSource.format` has it.
    about : str
        Its name in lists of formats.
    sniff : callable
        Given the beginning of a file and its name, returns whether the file looks like the format. It is asked about
        files that are in none of our own formats.
    hands : callable
        Yields the hands. Its arguments are a path for error messages, the file, a sink of errors or None, and a
        bookmark (``mark=``). An error of a hand is a `HistoryError` with path and line, which goes to the sink, or is
        raised if there is none. ``mark.at`` says where the hand begins that was yielded, and ``mark.start`` where to go
        on; a reader that does not set the one need not look at the other.
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
_OWN = [what for name, what in FORMATS.items() if name not in _SITES]
_SITE_NAMES = [*_SITES.values()]
#: What is read, in words; `readable` has the formats of other packages, too.
READABLE = f"{', '.join(_OWN)}, or text of {', '.join(_SITE_NAMES[:-1])} or {_SITE_NAMES[-1]}"


class NoHistoryError(HistoryError):
    """A file, a folder or an archive without any hand history that can be read.

    Attributes
    ----------
    files : tuple of HistoryFile
        The kind that is there instead.
    """

    files: tuple[HistoryFile, ...] = ()
