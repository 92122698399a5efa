"""Players by name: ``loki1``, ``bpm*8``, ``loki1?showdown_odds=0&tightness=moderate``.

A kind of player is registered with the options that its text may set::

    register(Kind("timid", Timid, {"nerve": number}, "folds to every bet"))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, get_args

from pokermodel._support.options import Option, Registry, choice, number, read_options, switch, whole
from pokermodel._support.patterns import regex
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.tables.players.follower import FollowerPlayer
from pokermodel.tables.players.myopic import MyopicPlayer
from pokermodel.tables.players.player import Player
from pokermodel.tables.players.ring import RingPlayer, RingSolve
from pokermodel.tables.players.simple import AlwaysCall, AlwaysRaise, RandomPlayer, Shover
from pokermodel.tables.players.solver import Locks, Solve, SolverPlayer
from pokermodel.tables.players.typical import TypicalPlayer
from pokermodel.worth.verdict import VerdictAdviser

__all__ = [
    "Kind",
    "Option",
    "choice",
    "kinds",
    "make_player",
    "name_copies",
    "number",
    "parse_players",
    "reader",
    "register",
    "switch",
    "whole",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of player.

    Attributes
    ----------
    name : str
        As it is asked for.
    make : callable
        Makes a player, given its options by keyword.
    options : mapping of str to callable
        The options, and the parsers of their text.
    about : str
        Its description, in a few words.
    """

    name: str
    make: Callable[..., Player]
    options: Mapping[str, Option] = field(default_factory=dict)
    about: str = ""


_REGISTRY = Registry[Kind]("player", ",?*&=#", "pokermodel.players")
_TEXT = regex(r"(?P<name>[^?*]+)(\*(?P<first>\d+))?(\?(?P<options>[^?*]*))?(\*(?P<last>\d+))?")
#: More seats than a table has are a slip of the pen.
_MOST = 23


def register(kind: Kind) -> None:
    """Make a kind of player known; raises `ValueError` if its name is taken or cannot be written."""
    _REGISTRY.register(kind)


def kinds() -> Mapping[str, Kind]:
    """All kinds of players by name."""
    return _REGISTRY.kinds()


def _read(text: str) -> tuple[Kind, dict[str, Any], int]:
    found = _TEXT.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or (found["first"] and found["last"]):
        raise ValueError(f"{text!r} is no player: expected a name as in 'bpm', 'bpm*8' or 'loki1?tightness=tight'")
    kind = _REGISTRY[found["name"]]
    options = read_options(found["options"] or "", f"player {kind.name}", kind.options)
    copies = int(found["first"] or found["last"] or 1)
    if not 1 <= copies <= _MOST:
        raise ValueError(f"{copies} copies of player {kind.name}: expected 1 to {_MOST}")
    return kind, options, copies


def make_player(text: str) -> Player:
    """Make a player from its name and options.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME?OPTION=VALUE&OPTION=VALUE``.

    Raises
    ------
    ValueError
        If there is no such player or option, or a value does not fit; the message lists what there is.

    Examples
    --------
    >>> type(make_player("loki1?tightness=tight")).__name__
    'Loki1Player'
    """
    kind, options, copies = _read(text)
    if copies != 1:
        raise ValueError(f"{text!r} is {copies} players: expected one")
    player = kind.make(**options)
    with suppress(AttributeError):  # another package's players need not be `Player`, and can have slots
        player.asked_for = text.strip()
    return player


def parse_players(texts: str | Iterable[str]) -> list[str]:
    """Spell out a list of players: one text for each seat, copies one by one.

    Parameters
    ----------
    texts : str or iterable of str
        Separated by commas, or one by one.

    Returns
    -------
    list of str
        Texts for `make_player`; each has been tried.

    Raises
    ------
    ValueError
        As `make_player`.

    Examples
    --------
    >>> parse_players("call*2,loki1?tightness=tight")
    ['call', 'call', 'loki1?tightness=tight']
    """
    if not isinstance(texts, Iterable):
        raise ValueError(f"players are {texts!r}: expected their names, as 'loki1,call*2' or a list of such texts")
    seats: list[str] = []
    for text in texts.split(",") if isinstance(texts, str) else texts:
        kind, options, copies = _read(text)
        kind.make(**options)
        seats += [re.sub(r"\*\d+", "", text.strip())] * copies
    return seats


def name_copies(texts: Sequence[str]) -> list[str]:
    """Names of players at one table: their texts, those of copies with a number.

    Examples
    --------
    >>> name_copies(["call", "loki1", "call"])
    ['call#1', 'loki1', 'call#2']
    """
    copies, seen = Counter(texts), Counter[str]()
    names = []
    for text in texts:
        seen[text] += 1
        names.append(f"{text}#{seen[text]}" if copies[text] > 1 else text)
    return names


# ------------------------------------------------------------------------------------------------ what there is


def reader(text: str) -> str:
    """Name of a reader that infers holdings; options of its own cannot be written within those of a player."""
    known = reader_kinds()
    if text in known and make_reader(known[text]).infers_holdings:
        return text
    fitting = [name for name, kind in known.items() if make_reader(kind).infers_holdings]
    raise ValueError(f"expected a model that infers holdings, without options: {', '.join(fitting)}")


register(Kind("call", AlwaysCall, {}, "checks and calls"))
register(Kind("raise", AlwaysRaise, {}, "bets and raises up to the cap; by the least where bets have sizes"))
register(Kind("shove", Shover, {}, "goes all-in where bets have sizes"))
register(
    Kind(
        "random",
        lambda fold=1.0, call=1.0, **other: RandomPlayer(fold, call, other.get("raise", 1.0)),
        {"fold": number, "call": number, "raise": number},
        "draws among the legal acts",
    )
)
register(
    Kind("myopic", MyopicPlayer, {"deals": whole}, "bets any size: what is worth most if nobody bets after the answers")
)
register(
    Kind(
        "ring",
        RingPlayer,
        {"trials": whole, "seconds": number, "solve": choice(*get_args(RingSolve))},
        "plays the hand out by what it reads of everybody, and solves what is left when two are left",
    )
)
register(
    Kind(
        "solver",
        SolverPlayer,
        {
            "blueprint": str,
            "solve": choice(*get_args(Solve)),
            "iterations": whole,
            "seconds": number,
            "sure": number,
            "locks": choice(*get_args(Locks)),
            "risk": number,
            "purse": number,
        },
        "heads-up near equilibrium, limit and no limit: by a blueprint, and solves turn and river at the table",
    )
)


def _follower(of: str = "loki1", *, deals: int | None = None, later: bool = False) -> Player:
    return FollowerPlayer(make_player(of), VerdictAdviser(fast=True, deals=deals), later=later)


register(
    Kind(
        "follower",
        _follower,
        {"of": str, "deals": whole, "later": switch},
        "another player, who takes back what the verdict calls an error",
    )
)
register(
    Kind("typical", TypicalPlayer, {"model": reader}, "does what a reader expects of somebody whom it knows nothing of")
)
