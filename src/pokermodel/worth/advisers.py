"""The advisers by name: ``loki1?tightness=tight``.

Each is a file of its own, and a line here. Packages add theirs by an entry point of the group ``pokermodel.advisers``
that names a module, which registers them when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pokermodel._support.options import Option, Registry, choice, read_options, switch, whole
from pokermodel.reading.reader import Spot
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.price import PriceAdviser

__all__ = ["AdviserKind", "adviser_of", "kinds", "make_adviser", "register"]


@dataclass(frozen=True, slots=True)
class AdviserKind:
    """A kind of adviser.

    Attributes
    ----------
    name : str
        As it is asked for.
    make : callable
        Makes one, given its options by keyword.
    title : str
        What it is called in a sentence: ``"Loki-1"`` would raise.
    about : str
        How it values acts, in a sentence.
    options : mapping of str to callable
        What its text may set, and how the value is read.
    """

    name: str
    make: Callable[..., Adviser]
    title: str
    about: str
    options: Mapping[str, Option] = field(default_factory=dict)


_REGISTRY = Registry[AdviserKind]("adviser", ",?&=", "pokermodel.advisers")


def register(kind: AdviserKind) -> None:
    """Make a kind of adviser known; raises `ValueError` if its name is taken or cannot be written."""
    _REGISTRY.register(kind)


def kinds() -> Mapping[str, AdviserKind]:
    """All kinds of advisers by name."""
    return _REGISTRY.kinds()


def make_adviser(text: str, **options: Any) -> Adviser:
    """Make an adviser.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME?OPTION=VALUE&OPTION=VALUE``.
    **options
        Further arguments of the kind; those in the text go before them.

    Raises
    ------
    ValueError
        If there is no such adviser or option, or a value does not fit.
    """
    name, _, given = text.partition("?")
    kind = _REGISTRY[name]
    return kind.make(**{**options, **read_options(given, f"adviser {name}", kind.options)})


def adviser_of(spot: Spot) -> tuple[str, str]:
    """Who advises by what a reader knows: the text of the adviser that it names, and what that is called.

    Raises
    ------
    ValueError
        If the spot has no reader, or there is no such adviser.
    """
    if spot.reader is None:
        raise ValueError("no adviser is named: expected a spot with a reader")
    text = spot.reader.adviser(spot.situation)
    name = text.partition("?")[0]
    return text, spot.reader.adviser_titles.get(name, _REGISTRY[name].title)


# ------------------------------------------------------------------------------------------------ what there is

# Each is imported when it is asked for: a hand that is read needs one of them, and the others stand on solvers.


def _myopic(**options: Any) -> Adviser:
    from pokermodel.worth.myopic import MyopicAdviser

    return MyopicAdviser(**options)


def _verdict(**options: Any) -> Adviser:
    from pokermodel.worth.verdict import VerdictAdviser

    return VerdictAdviser(**options)


for _kind in (
    AdviserKind(
        "price", PriceAdviser, "the price", "What a call costs and what it needs, in any game.", {"trials": whole}
    ),
    AdviserKind(
        "myopic",
        _myopic,
        "a look at the answers",
        "What acts bring if nobody bets any more once they are answered, in any game.",
        {"deals": whole},
    ),
    AdviserKind(
        "verdict",
        _verdict,
        "the verdict",
        "What acts are worth, exactly, by a solution or by play-outs, with an error in parts, in any game.",
        {"solve": choice("flop", "turn", "river"), "deals": whole, "fast": switch},
    ),
):
    register(_kind)
