"""Regular expressions that are compiled when they are first used.

A command needs few of the hundreds that readers of histories have, and it takes longer to compile all of them than to
read a hand. `re.compile` where they are used would be as late, but its cache holds 512 for the whole program, and to
look into it costs as much as a short match.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["regex"]

_METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` does, compiled when something but its ``pattern`` is first asked for.

    A pattern with a mistake raises its `re.error` then: a test compiles all. Functions of `re` do not take it in
    place of a pattern, and it is not the ``re`` of a match; its methods cost nothing more from the second call on.

    Parameters
    ----------
    flags : int
        As for `re.compile`.
    """
    return cast("re.Pattern[AnyStr]", _Regex(pattern, flags))


class _Regex:
    """What stands for a pattern, and then has its methods as attributes of its own."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._given = flags

    def __getattr__(self, name: str) -> Any:  # only what is not there yet comes here
        if name.startswith("__"):  # `copy` and `pickle` look for theirs before there is anything else
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._given)
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def __repr__(self) -> str:
        return f"regex({self.pattern!r})"
