"""The forms in which values show and write themselves: as HTML, on a terminal, as the text of a hand history.

A value of a lower room knows that it has a form, but not the function that makes it. A room above registers its
functions here by form and kind of value (`makes`), and the value looks them up (`form_of`). So arrows point downwards
although a hand writes itself.

Somebody has to import the room above before the first value asks, and importing it with the package would cost
everybody who never looks. So the package itself, which stands above all of its rooms, names the modules that make a
form (`made_by`), and the first value that asks imports them. Alternatives are worse: values that import what shows them
when they are called are arrows upwards in disguise; a registry that every program fills for itself leaves a notebook
with nothing after ``import pokermodel``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

__all__ = ["form_of", "made_by", "makes", "text_of"]

_F = TypeVar("_F", bound=Callable[[Any], Any])

_makers: dict[tuple[str, type], Callable[[Any], Any]] = {}
_modules: dict[str, tuple[str, ...]] = {}


def made_by(form: str, *modules: str) -> None:
    """Name the modules that make a form: they say which values it is for when they are imported.

    Parameters
    ----------
    *modules : str
        In the order in which they are imported, until one of them makes the form of the value that asks: first what is
        quickly there.
    """
    _modules[form] = (*_modules.get(form, ()), *modules)


def makes(form: str, kind: type) -> Callable[[_F], _F]:
    """Register a function or class as what makes a form of values of a kind, and of kinds that inherit from it."""

    def register(make: _F) -> _F:
        _makers[form, kind] = make
        return make

    return register


def form_of(value: object, form: str) -> Any:
    """Make a form of a value; raises `LookupError` if nothing makes this form of such a value."""
    make = _maker(form, type(value))
    for module in () if make else _modules.get(form, ()):
        import_module(module)
        if make := _maker(form, type(value)):
            break
    if make is None:
        raise LookupError(f"nothing makes {form!r} of a {type(value).__name__}")
    return make(value)


def text_of(value: object, form: str) -> str:
    """Make a form of a value that is text; errors as `form_of`."""
    text: str = form_of(value, form)
    return text


def _maker(form: str, kind: type) -> Callable[[Any], Any] | None:
    return next((make for each in kind.__mro__ if (make := _makers.get((form, each)))), None)
