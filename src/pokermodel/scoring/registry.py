"""Forecasters by name, for the command line.

A kind of forecaster is registered with what makes one, given the book that it shall start from::

    register(Kind("timid", lambda book: Timid(), "thinks that everybody folds"))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pokermodel.modeling.modeler import MODELS, OpponentModeler
from pokermodel.scoring.baselines import AlwaysCall, Frequencies, ShownHoldings, Uniform
from pokermodel.scoring.forecaster import Forecaster
from pokermodel.scoring.modelers import ModelerForecaster

if TYPE_CHECKING:
    from pokermodel.modeling.book import Book

__all__ = ["Kind", "forecaster", "kinds", "register"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of forecaster.

    Attributes
    ----------
    name : str
        As it is asked for.
    make : callable
        Makes one that starts from a book, or from nothing for None. It may read the book, and put counts into it:
        it has it for itself, and what is not learnt is never written.
    about : str
        What it is, in a few words.
    """

    name: str
    make: Callable[[Book | None], Forecaster]
    about: str


_KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make a kind of forecaster known; raises `ValueError` if its name is taken or cannot be written."""
    if kind.name in _KINDS:
        raise ValueError(f"there is a model {kind.name!r} already")
    if not re.fullmatch(r"[^\s,]+", kind.name):
        raise ValueError(f"{kind.name!r} is no name for a model: expected no space and no comma")
    _KINDS[kind.name] = kind


def kinds() -> Mapping[str, Kind]:
    """All kinds of forecasters by name."""
    return dict(_KINDS)


def forecaster(name: str, book: Book | None = None) -> Forecaster:
    """Make a forecaster.

    Parameters
    ----------
    name : str
        Of its kind.
    book : Book, optional
        What it knows from the start. It must be for it alone: open one for each.

    Returns
    -------
    Forecaster

    Raises
    ------
    ValueError
        If there is no such kind; the message lists those there are.

    Examples
    --------
    >>> type(forecaster("frequencies")).__name__
    'Frequencies'
    """
    if name not in _KINDS:
        raise ValueError(f"unknown model {name!r}: expected one of {', '.join(_KINDS)}")
    return _KINDS[name].make(book)


def _modeler(model: str, book: Book | None) -> Forecaster:
    return ModelerForecaster(OpponentModeler(model, book))


def _shown(book: Book | None) -> Forecaster:
    counts = None if book is None else np.sum([book.profile(name).tally.showdowns for name in book], axis=0)
    return ShownHoldings(counts)


for _kind in (
    Kind("uniform", lambda book: Uniform(), "every legal act and every holding equally likely"),
    Kind("call", lambda book: AlwaysCall(), "everybody checks and calls"),
    Kind("frequencies", lambda book: Frequencies(book=book), "what everybody does in twelve contexts"),
    Kind("own", lambda book: Frequencies(own=True, book=book), "what the player himself does in them"),
    Kind("shown", _shown, "how often each class of holdings is shown"),
):
    register(_kind)
for _model, _about in zip(
    MODELS,
    (
        "Loki-1, everybody judged alike",
        "the same",
        "Loki-1, each player judged by what he did before",
        "Loki-2, everybody judged alike",
        "Loki-2, each player judged by what he did before",
    ),
    strict=True,
):
    register(Kind(_model, partial(_modeler, _model), _about))
