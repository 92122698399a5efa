"""Readers by name: ``loki2:som?noise=.4``.

A reader is registered with what makes one, given what is known of players, and with the options that its text may set::

    register(ReaderKind("timid", lambda known, nerve=1.0: Timid(nerve), "everybody folds", {"nerve": number}))

Everything that names a reader finds it here: `pokermodel read`, `score`, `learn`, the players, `--help` and the
documentation. A package adds readers of its own by an entry point of the group ``pokermodel.readers`` that names a
module, which registers them when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from pokermodel._support.options import Option, Registry, read_options, switch
from pokermodel.reading.reader import Reader

__all__ = ["ReaderKind", "make_reader", "read_reader", "reader_kinds", "register"]


@dataclass(frozen=True, slots=True)
class ReaderKind:
    """A kind of reader.

    Attributes
    ----------
    name : str
        The name that selects it.
    make : callable
        Makes a reader from the knowledge of players (a `Book`, a mapping of names to `ActionCounts`, or None), with
        options by keyword. It only reads this knowledge.
    about : str
        A description in one sentence.
    options : mapping of str to callable
        Options that its text may set, and the parser of each value.
    accepts : tuple of str
        Further options, for Python alone.
    needs : tuple of str
        Names of the kinds of knowledge that it needs. A book must have learnt them.
    knowledge : tuple of class
        Kinds of knowledge that it brings: `pokermodel learn --for NAME` learns them.
    corrected : bool
        Whether `pokermodel score` and `pokermodel read` by default correct its tables and forecasts by the results of
        earlier ones; see `pokermodel.reading.Calibration`.
    """

    name: str
    make: Callable[..., Reader]
    about: str
    options: Mapping[str, Option] = field(default_factory=dict)
    accepts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    knowledge: tuple[Any, ...] = ()
    corrected: bool = False


@runtime_checkable
class KnowledgeBook(Protocol):
    """A book of several kinds of knowledge, which says whether it has those that a reader starts from."""

    def require(self, kinds: Iterable[str], what: str) -> None:
        """Raise `ValueError` if one of the kinds was not learnt."""


_REGISTRY = Registry[ReaderKind]("model", ",?&=", "pokermodel.readers")


def register(kind: ReaderKind) -> None:
    """Make a kind of reader known; raises `ValueError` if its name is taken or cannot be written."""
    _REGISTRY.register(kind)


def reader_kinds() -> Mapping[str, ReaderKind]:
    """All kinds of readers by name."""
    return _REGISTRY.kinds()


def read_reader(text: str) -> tuple[ReaderKind, dict[str, Any]]:
    """Read the name and options of a reader.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME?OPTION=VALUE&OPTION=VALUE``.

    Returns
    -------
    kind : ReaderKind
    options : dict
        The options. Every kind has the option ``calibrated``.

    Raises
    ------
    ValueError
        If there is no such reader or option, or a value does not fit; the message lists what there is.

    Examples
    --------
    >>> kind, options = read_reader("loki2:som?noise=.4&calibrated=0")
    >>> kind.name, options
    ('loki2:som', {'noise': 0.4, 'calibrated': False})
    """
    if not isinstance(text, str):
        raise ValueError(f"a model is {text!r}: expected its name, as 'adaptive' or 'loki2:som?system=B'")
    name, _, options = text.partition("?")
    kind = _REGISTRY[name]
    return kind, read_options(options, f"model {name}", {**kind.options, "calibrated": switch})


def make_reader(kind: ReaderKind, known: Mapping[str, Any] | None = None, **options: Any) -> Reader:
    """Make a reader of a kind with its options, by what is known of players, if anything is.

    `ValueError` if the kind has no such option, a value does not fit, or a book has not learnt what the kind needs.
    """
    for name in options:
        if name not in kind.options and name not in kind.accepts:
            there = [*kind.options, *kind.accepts]
            expected = f"its options are {', '.join(there)}" if there else "it has none"
            raise ValueError(f"unknown option {name!r} of model {kind.name}: {expected}")
    if isinstance(known, KnowledgeBook):
        known.require(kind.needs, f"model {kind.name!r}")
    return kind.make(known, **options)
