"""Forecasters by name, for the command line.

A kind of forecaster is registered with what makes one, given the book that it shall start from, and with the options
that its text may set, as in ``loki2:som?noise=.4``::

    register(Kind("timid", lambda book, nerve=1.0: Timid(nerve), "thinks that everybody folds", {"nerve": number}))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from pokermodel._options import Option, Registry, choice, number, read_options, switch
from pokermodel.modeling.bayes import BayesTables, Estimator
from pokermodel.modeling.modeler import MODELS, OpponentModeler, model_options
from pokermodel.scoring.baselines import AlwaysCall, Frequencies, ShownHoldings, Uniform
from pokermodel.scoring.calibrated import Calibrated
from pokermodel.scoring.contexts import ContextForecaster, PreviousActions
from pokermodel.scoring.forecaster import Forecaster
from pokermodel.scoring.modelers import ModelerForecaster

if TYPE_CHECKING:
    from pokermodel.learning.store import Book

__all__ = ["Kind", "forecaster", "kinds", "register"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of forecaster.

    Attributes
    ----------
    name : str
        As it is asked for.
    make : callable
        Makes one that starts from a book, or from nothing for None, given its options by keyword. It may read the
        book, and put counts into it: it has it for itself, and what is not learnt is never written.
    about : str
        What it is, in a few words.
    options : mapping of str to callable
        What may be set, and how its text is read.
    """

    name: str
    make: Callable[..., Forecaster]
    about: str
    options: Mapping[str, Option] = field(default_factory=dict)


_REGISTRY = Registry[Kind]("model", ",?&=")


def register(kind: Kind) -> None:
    """Make a kind of forecaster known; raises `ValueError` if its name is taken or cannot be written."""
    _REGISTRY.register(kind)


def kinds() -> Mapping[str, Kind]:
    """All kinds of forecasters by name."""
    return _REGISTRY.kinds()


def forecaster(text: str, book: Book | None = None) -> Forecaster:
    """Make a forecaster from its name and options.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME?OPTION=VALUE&OPTION=VALUE``.
    book : Book, optional
        What it knows from the start. It must be for it alone: open one for each.

    Returns
    -------
    Forecaster

    Raises
    ------
    ValueError
        If there is no such kind or option, or a value does not fit; the message lists what there is.

    Examples
    --------
    >>> type(forecaster("loki2:som?noise=.4&calibrated=0")).__name__
    'ModelerForecaster'
    """
    name, _, options = text.partition("?")
    kind = _REGISTRY[name]
    return kind.make(book, **read_options(options, f"model {name}", kind.options))


def _modeler(model: str, book: Book | None, *, calibrated: bool = True, **options: Any) -> Forecaster:
    made = ModelerForecaster(OpponentModeler(model, book, **options))
    return Calibrated(made) if calibrated else made


def _bpp(book: Book | None, **options: Any) -> Forecaster:
    tables = BayesTables(**options)
    if book is not None and (known := book.knowledge(BayesTables)) is not None:
        tables.merge(known)
    return ModelerForecaster(OpponentModeler("bpp", tables=tables))


def _own(book: Book | None, contexts: str = "twelve") -> Forecaster:
    return PreviousActions(book) if contexts == "previous" else Frequencies(own=True, book=book)


def _shown(book: Book | None) -> Forecaster:
    counts = None if book is None else np.sum([book.profile(name).totals.showdowns for name in book], axis=0)
    return ShownHoldings(counts)


for _kind in (
    Kind("uniform", lambda book: Uniform(), "every legal act and every holding equally likely"),
    Kind("call", lambda book: AlwaysCall(), "everybody checks and calls"),
    Kind("frequencies", lambda book: Frequencies(book=book), "what everybody does in twelve contexts"),
    Kind("own", _own, "what the player himself does in them", {"contexts": choice("twelve", "previous")}),
    Kind("contexts", lambda book: ContextForecaster(book), "what the player does with all that the table sees"),
    Kind("shown", _shown, "how often each class of holdings is shown"),
):
    register(_kind)
_ABOUT = {
    "loki1": "Loki-1, everybody judged alike",
    "gom": "the same",
    "som": "Loki-1, each player judged by what he did before",
    "loki2": "Loki-2, everybody judged alike",
    "loki2:som": "Loki-2, each player judged by what he did before",
    "loki2:contexts": "the same, by all that the table sees, and by rank",
}
for _model in MODELS:
    if _model in _ABOUT:
        _options = {"calibrated": switch, **model_options(_model)}
        register(Kind(_model, partial(_modeler, _model), _ABOUT[_model], _options))
register(
    Kind(
        "bpp",
        _bpp,
        "the Bayesian Poker Program: each player by what he does with which class of holdings",
        {"estimator": choice(*get_args(Estimator)), "strength": number, "decay": number},
    )
)
