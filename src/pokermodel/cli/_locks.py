"""Locks of ``pokermodel solve``: how they are written, and what an answer to them gains and risks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.patterns import regex
from pokermodel._support.words import counted

if TYPE_CHECKING:
    from pokermodel.solving import Gain, Lock, Solution

__all__ = ["LOCK", "Locks", "gain_data", "gain_lines"]

_FORM = regex(r"(?P<node>\S+)\s+(?P<strategy>[^@]*[^@\s])\s*(@\s*(?P<confidence>\S+)\s*)?")
_EXPECTED = "expected a node, its acts and perhaps a confidence, as 'r:0:b100 fold=.7,call=.3 @.5', or model"
#: Stands for what the model expects of the opponent in a hand.
_MODEL = "model"


def _read_lock(text: str) -> Lock:
    """A lock of the command line."""
    from pokermodel.solving import Lock

    found = _FORM.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r}: {_EXPECTED}")
    strategy = {}
    for part in found["strategy"].split(","):
        act, _, share = part.partition("=")
        try:
            strategy[act.strip()] = float(share)
        except ValueError:
            raise ValueError(f"{text!r}: {_EXPECTED}") from None
    try:
        confidence = 1.0 if found["confidence"] is None else float(found["confidence"])
    except ValueError:
        raise ValueError(f"{text!r}: {_EXPECTED}") from None
    return Lock(found["node"], strategy, confidence)


def _read_locks(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> Locks:
    try:
        given = [text.strip() for text in texts]
        return Locks(tuple(_read_lock(text) for text in given if text != _MODEL), _MODEL in given)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


class Locks(NamedTuple):
    """The belief about players: locks, and whether the opponent in a hand plays as the model expects."""

    given: tuple[Lock, ...]
    model: bool

    def __bool__(self) -> bool:
        return bool(self.given) or self.model


#: ``--lock``, as many as wanted.
LOCK = click.option(
    "--lock",
    "locks",
    multiple=True,
    metavar="LOCK",
    callback=_read_locks,
    help="What a player is believed to do at a node, and how far (without @ in full), as in 'r:0:b100 fold=.7,call=.3 "
    "@.5'; or model: what the model expects of the opponent in a hand. May be repeated.",
)


def gain_data(found: Solution, gain: Gain) -> dict[str, Any]:
    """The gain and the risk of an answer, for JSON: amounts, and in per cent of the pot."""
    percent = 100 / found.subgame.pot
    confidences = [lock.confidence for lock in found.subgame.locks]
    return {
        **gain._asdict(),
        "gain_percent": gain.gain * percent,
        "loss_percent": gain.loss * percent,
        "confidence": [min(confidences), max(confidences)],
        "locks": len(confidences),
    }


def gain_lines(found: Solution, gain: Gain, names: tuple[str, str]) -> list[str]:
    """The gain and the risk of an answer, in words: the gain never without the worst case."""
    data = gain_data(found, gain)
    low, high = data["confidence"]
    confidence = f"{high:.2f}" if round(low, 2) == round(high, 2) else f"{low:.2f} to {high:.2f}"
    who, other = names[gain.player], names[1 - gain.player]
    return [
        f"{who} against {other} as locked at {counted(data['locks'], 'node')}, confidence {confidence}:",
        f"  if that is right    {gain.against_model:.4g}, {_signed(gain.gain)} beside the equilibrium "
        f"({data['gain_percent']:.2g}% of the pot)",
        f"  in the worst case   {gain.worst_case:.4g}, {_signed(-gain.loss)} beside the equilibrium "
        f"({data['loss_percent']:.2g}% of the pot)",
    ]


def _signed(amount: float) -> str:
    return f"{amount:+.3g}"
