"""The interface of an adviser, which values every action of a `Spot`, and the registry of advisers by name.

Reports of hands, coaches, pages and players ask all advisers in the same way. A new way to value actions is one class
with ``advise(spot)`` and one registration. A branch for each way, wherever advice is given, was the alternative: four
places chose between rules, simulation and price, each a little differently.

A spot has the hand so far, the ranges and the reader, so that an adviser needs no session. Packages add theirs by an
entry point of the group ``pokermodel.advisers`` that names a module, which registers them when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from pokermodel._support.options import Option, Registry, read_options, switch, whole
from pokermodel.game import Act
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot
from pokermodel.worth.worth import Verdict

__all__ = ["Adviser", "AdviserKind", "Advisers", "kinds", "make_adviser", "register"]


class Adviser:
    """Says what actions are worth. `advise` must be there; `begin` does nothing unless it is overridden."""

    def begin(self) -> None:
        """Begin a hand: forget what was kept of the last one."""

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:
        """Say what the actions of the player to act are worth.

        Parameters
        ----------
        spot : Spot
            With the player's own cards (`Spot.held`), and for most advisers with a reader.
        rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
            Source of randomness, for advisers that draw.
        also : iterable of int
            Further amounts that bets and raises go to, where bets have sizes. Advisers without sizes ignore it.

        Raises
        ------
        ValueError
            If the cards are not known, or it does not advise in such a situation.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method advise")

    def judge(self, spot: Spot, act: Act, to: int | None = None, rng: RandomLike = None) -> Verdict:
        """The verdict on the action that was made in a spot.

        Parameters
        ----------
        spot, rng
            As for `advise`.
        to : int, optional
            The total of a bet or raise.

        Returns
        -------
        Verdict
            Without `Verdict.made`, if the adviser gives no value to that action.

        Raises
        ------
        ValueError
            As `advise`.
        """
        found = self.advise(spot, rng, also=() if to is None else (to,))
        try:
            return found.judge(act, None if spot.situation.spec.structure.fixed else to)
        except ValueError:
            return found


@dataclass(frozen=True, slots=True)
class AdviserKind:
    """A kind of adviser."""

    name: str  #: Its name in options and in `Reader.adviser`.
    make: Callable[..., Adviser]  #: Makes one, given its options by keyword.
    title: str  #: Its name in a sentence: ``"Loki-1"`` would raise. Empty for the package's own verdict.
    about: str  #: How it values actions, in a sentence.
    options: Mapping[str, Option] = field(default_factory=dict)  #: The options of its text, and how each value is read.


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


class Advisers:
    """The advisers that readers name, each made once: whom reports and coaches ask.

    Parameters
    ----------
    options : mapping of str to mapping, optional
        Further arguments for `make_adviser`, by name of the adviser.
    """

    def __init__(self, options: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self._options = options or {}
        self._made: dict[str, Adviser] = {}

    def begin(self) -> None:
        """Begin a hand."""
        for adviser in self._made.values():
            adviser.begin()

    def named(self, spot: Spot) -> tuple[str, str, str]:
        """The adviser that the reader of a spot names: its text, its name and its title.

        Raises
        ------
        ValueError
            If the spot has no reader, or there is no such adviser.
        """
        if spot.reader is None:
            raise ValueError("no adviser is named: expected a spot with a reader")
        text = spot.reader.adviser(spot.situation)
        name = text.partition("?")[0]
        return text, name, spot.reader.adviser_titles.get(name, _REGISTRY[name].title)

    def __getitem__(self, text: str) -> Adviser:
        found = self._made.get(text)
        if found is None:
            found = self._made[text] = make_adviser(text, **self._options.get(text.partition("?")[0], {}))
        return found


# ------------------------------------------------------------------------------------------------ the package's own


def _made_by(module: str, name: str) -> Callable[..., Adviser]:
    """A class that is imported when the first of it is made: reading a hand needs none, and they import solvers."""

    def make(**options: Any) -> Adviser:
        adviser: Adviser = getattr(import_module(module), name)(**options)
        return adviser

    return make


for _kind in (
    AdviserKind(
        "verdict",
        _made_by("pokermodel.worth.verdict", "VerdictAdviser"),
        "",
        "Exactly, by a solution or by play-outs, with an error in parts, in any game.",
        {"deals": whole, "fast": switch},
    ),
    AdviserKind(
        "myopic",
        _made_by("pokermodel.worth.myopic", "MyopicAdviser"),
        "a look at the answers",
        "As if nobody bet any more once the action is answered, in any game.",
        {"deals": whole},
    ),
):
    register(_kind)
