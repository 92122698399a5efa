"""Players by name: ``loki1``, ``bpm*8``, ``loki1?showdown_odds=0&tightness=moderate``.

A kind of player is registered with the options that its text may set::

    register(Kind("timid", Timid, {"nerve": number}, "folds to every bet"))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, get_args

from pokermodel._support.options import Option, Registry, choice, number, read_options, switch, whole
from pokermodel._support.patterns import regex
from pokermodel.evaluation.dealing import DealingMode
from pokermodel.players.bpp import BppPlayer, BppRule
from pokermodel.players.follower import FollowerPlayer
from pokermodel.players.loki1 import Loki1Player
from pokermodel.players.loki1_postflop import PostflopFeatures
from pokermodel.players.loki1_preflop import Tightness
from pokermodel.players.loki2 import (
    Loki2Player,
    Parts,
    PlayOptions,
    PlayOut,
    PreflopPlay,
    ReadingOptions,
    TrialOpponents,
    TrialOptions,
    TrialTriples,
)
from pokermodel.players.myopic import MyopicPlayer
from pokermodel.players.opponents import FixedArray
from pokermodel.players.player import Player
from pokermodel.players.ring import RingPlayer, RingSolve
from pokermodel.players.simple import AlwaysCall, AlwaysRaise, RandomPlayer, Shover
from pokermodel.players.solver import Locks, Solve, SolverPlayer
from pokermodel.players.typical import TypicalPlayer
from pokermodel.players.verdict import VerdictAdviser
from pokermodel.reading.bpp.class_tables import Estimator
from pokermodel.reading.loki.field import CrudePotential, FieldMethod
from pokermodel.reading.loki.frequency_models import Contexts
from pokermodel.reading.loki.initial import Initial
from pokermodel.reading.loki.loki1 import Sigma
from pokermodel.reading.loki.loki2 import System
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.simulation import StopRule, TrialPotential, TrialStrength

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
        What may be set, and how its text is read.
    about : str
        What it is, in a few words.
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

    Returns
    -------
    Player

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


#: Options that a player hands on to its reader, where that has them.
_READING: Mapping[str, Option] = {
    "initial": choice(*get_args(Initial)),
    "inverse": switch,
    "contexts": choice(*get_args(Contexts)),
    "recency": number,
    "showdowns": switch,
    "sigma": choice(*get_args(Sigma)),
}


def _for_reader(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of the reader out of those of a player; always in the same order."""
    return {name: options.pop(name) for name in _READING if name in options}


def _loki1(
    *,
    model: str | None,
    pot_odds: bool = True,
    showdown_odds: bool = True,
    semi_bluff: bool = True,
    simple: bool = False,
    make0: bool = True,
    **style: Any,
) -> Player:
    features = PostflopFeatures(pot_odds, showdown_odds, semi_bluff, simple, make0)
    return Loki1Player(model, features=features, reading=_for_reader(style), **style)


_LOKI1_OPTIONS: Mapping[str, Option] = {
    "tightness": choice(*get_args(Tightness)),
    "shift": number,
    "make1": number,
    "make2": number,
    "pot_odds": switch,
    "showdown_odds": switch,
    "semi_bluff": switch,
    "simple": switch,
    "make0": switch,
    "one_opponent": switch,
    "deceptive": switch,
    "field": choice(*get_args(FieldMethod)),
}


def _register_loki1(name: str, about: str, model: str | None = "gom", **defaults: Any) -> None:
    own: dict[str, Option] = {"array": choice(*get_args(FixedArray))}
    if model is not None:
        own = {"model": reader, "crude_potential": choice(*get_args(CrudePotential)), **_READING}
    register(Kind(name, partial(_loki1, model=model, **defaults), {**_LOKI1_OPTIONS, **own}, about))


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
# Styles as in Papp 1998, section 8.4.1, which names the tightness of those that do not model.
_register_loki1("loki1", "Loki-1: reads everybody alike (gom)")
_register_loki1("gom", "Loki-1 with the generic opponent model")
_register_loki1("som", "Loki-1 with specific opponent models, learnt from game to game", "som")
_register_loki1("bpt", "tight basic player: no model", None, tightness="tight", make1=0.60, make2=0.90, shift=100.0)
_register_loki1("bpm", "moderate basic player: no model", None, tightness="moderate")
_register_loki1("bpl", "loose basic player: no model", None, tightness="loose", make1=0.40, make2=0.80, shift=-100.0)
_register_loki1(
    "bplx",
    "loose aggressive basic player: bpl by the strength against one opponent",
    None,
    tightness="loose",
    make1=0.40,
    make2=0.80,
    shift=-100.0,
    one_opponent=True,
)
_register_loki1("simple", "Loki-1 with its simplest rules after the flop: by strength alone", simple=True)


def _loki2(
    parts: str,
    *,
    pot_odds: bool = True,
    showdown_odds: bool = True,
    semi_bluff: bool = True,
    public_models: bool = False,
    **options: Any,
) -> Player:
    further = _for_reader(options)
    given = {"public_models": public_models, "further": further, **_taken(options, ReadingOptions)}
    trials = {name.removeprefix("trial_"): value for name, value in options.items() if name.startswith("trial_")}
    options = {name: value for name, value in options.items() if not name.startswith("trial_")}
    return Loki2Player(
        Parts("b" in parts, "r" in parts, "s" in parts),
        ReadingOptions(**given),
        TrialOptions(**trials, **_taken(options, TrialOptions)),
        PlayOptions(**_taken(options, PlayOptions)),
        features=PostflopFeatures(pot_odds, showdown_odds, semi_bluff),
        **options,
    )


def _taken(options: dict[str, Any], record: type[Any]) -> dict[str, Any]:
    """Take the options of a record out of others."""
    return {each.name: options.pop(each.name) for each in fields(record) if each.name in options}


_LOKI2_STYLE: Mapping[str, Option] = {
    "tightness": choice(*get_args(Tightness)),
    "shift": number,
    "field": choice(*get_args(FieldMethod)),
    "specific": switch,
    "model": reader,
    **_READING,
    "pot_odds": switch,
    "showdown_odds": switch,
    "semi_bluff": switch,
}
_BETS_BY_RULES: Mapping[str, Option] = {"make1": number, "make2": number}
_LOKI2_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    "b": {"raise_shift": number, "preflop": choice(*get_args(PreflopPlay))},
    "r": {"noise": number, "system": choice(*get_args(System)), "public_models": switch},
    "s": {
        "trials": whole,
        "dealing": choice(*get_args(DealingMode)),
        "stop": choice(*get_args(StopRule)),
        "play_out": choice(*get_args(PlayOut)),
        "noticed": switch,
        "trial_strength": choice(*get_args(TrialStrength)),
        "trial_potential": choice(*get_args(TrialPotential)),
        "trial_pot_odds": switch,
        "trial_showdown_odds": switch,
        "stratified": switch,
        "seconds": number,
        "close": number,
    },
}
_TRIALS_BY_TRIPLES: Mapping[str, Option] = {
    "trial_triples": choice(*get_args(TrialTriples)),
    "trial_opponents": choice(*get_args(TrialOpponents)),
    "feedback": switch,
}
_LOKI2_ABOUT = {"b": "bets by triples", "r": "re-weights by triples", "s": "simulates"}

for _parts in ("b", "r", "br", "s", "sr", "sb", "sbr"):
    _options = dict(_LOKI2_STYLE)
    for _part, _own in _LOKI2_OPTIONS.items():
        _options.update(_own if _part in _parts else {})
    register(
        Kind(
            f"loki2:{_parts}",
            partial(_loki2, _parts),
            {
                **_options,
                **({} if "b" in _parts else _BETS_BY_RULES),
                **(_TRIALS_BY_TRIPLES if "b" in _parts and "s" in _parts else {}),
                **({"deceptive": switch} if _parts == "r" else {}),
            },
            "Loki-2: " + ", ".join(_LOKI2_ABOUT[part] for part in _parts),
        )
    )


def _bpp(
    *,
    rule: BppRule = "deterministic",
    sharpness: float = 2.0,
    later: float = 0.6,
    bluffs: float = 0.05,
    estimator: Estimator = "em",
    decay: float = 1.0,
    **style: Any,
) -> Player:
    return BppPlayer(rule, sharpness, later, bluffs, estimator, decay, style)


register(
    Kind(
        "bpp",
        _bpp,
        {
            "rule": choice(*get_args(BppRule)),
            "sharpness": number,
            "later": number,
            "bluffs": number,
            "estimator": choice(*get_args(Estimator)),
            "decay": number,
            "tightness": choice(*get_args(Tightness)),
            "shift": number,
        },
        "the Bayesian Poker Program: learns what each player does with each class of holdings",
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
