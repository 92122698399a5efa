"""Names with options as users write them: ``loki1?showdown_odds=0&tightness=moderate``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

__all__ = ["Option", "choice", "number", "read_options", "switch", "whole"]

#: Turns the text of an option into its value; raises `ValueError` that says what was expected.
Option: TypeAlias = Callable[[str], Any]


def switch(text: str) -> bool:
    """0 or 1."""
    if text not in ("0", "1"):
        raise ValueError("expected 0 or 1")
    return text == "1"


def number(text: str) -> float:
    """A number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError("expected a number")
    return value


def whole(text: str) -> int:
    """A whole number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise ValueError("expected a whole number, 1 or more")
    return int(text)


def choice(*names: str) -> Option:
    """One of several words."""

    def option(text: str) -> str:
        if text not in names:
            raise ValueError(f"expected one of {', '.join(names)}")
        return text

    return option


def read_options(text: str, whose: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Read ``OPTION=VALUE&OPTION=VALUE``.

    Parameters
    ----------
    text : str
        It; nothing for none.
    whose : str
        What has the options, for messages.
    options : mapping of str to callable
        What may be set, and how its text is read.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If there is no such option, it is set twice or to nothing, or the value does not fit.

    Examples
    --------
    >>> read_options("noise=.4", "model som", {"noise": number})
    {'noise': 0.4}
    """
    found: dict[str, Any] = {}
    for part in text.split("&"):
        key, equals, value = part.partition("=")
        if not part:
            continue
        if key not in options:
            there = f"its options are {', '.join(options)}" if options else "it has none"
            raise ValueError(f"unknown option {key!r} of {whose}: {there}")
        if not equals:
            raise ValueError(f"option {key!r} of {whose} has no value: expected {key}=...")
        if key in found:
            raise ValueError(f"option {key!r} of {whose} is given twice")
        try:
            found[key] = options[key](value)
        except ValueError as error:
            raise ValueError(f"option {key!r} of {whose} is {value!r}: {error}") from None
    return found
