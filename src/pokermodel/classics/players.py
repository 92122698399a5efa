"""The published programs as players: ``loki1``, ``loki2:br``, ``bpp`` and their kin, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any, get_args

from pokermodel._support.options import Option, choice, number, switch, whole
from pokermodel.classics.bpp.class_tables import Estimator
from pokermodel.classics.bpp.player import BppPlayer, BppRule
from pokermodel.classics.loki1.field import CrudePotential, FieldMethod
from pokermodel.classics.loki1.frequency_models import Contexts
from pokermodel.classics.loki1.initial import Initial
from pokermodel.classics.loki1.opponents import FixedArray
from pokermodel.classics.loki1.player import Loki1Player
from pokermodel.classics.loki1.postflop import PostflopFeatures
from pokermodel.classics.loki1.preflop import Tightness
from pokermodel.classics.loki1.reader import Sigma
from pokermodel.classics.loki2.player import (
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
from pokermodel.classics.loki2.reader import System
from pokermodel.classics.simulation import StopRule, TrialPotential, TrialStrength
from pokermodel.evaluation.dealing import DealingMode
from pokermodel.tables.players.player import Player
from pokermodel.tables.players.registry import Kind, reader, register

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
