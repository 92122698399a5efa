"""The one door by which TOML is read, of histories and of spots: bounded in time, depth and size."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from pokermodel._support.patterns import regex

__all__ = ["MOST_BYTES", "TomlError", "read_toml"]

MOST_BYTES = 1 << 24  # of a document
_MOST_DOTS = 32  # in a key
_DOTTED = regex(
    r"(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
    rf"(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')){{{_MOST_DOTS + 1}}}"
)
_LINE = regex(r"\(at line (\d+)")


class TomlError(ValueError):
    """A document that cannot be read, and the line."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


def read_toml(text: str, what: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Read a document; `what` it is, as "PHH".

    The standard library's parser takes time by the square of the parts of a key: 40 KB of ``a.a.a`` took 6 s. No file
    of ours has such keys; what the search finds in a comment or in a string is refused with them. Raises `TomlError` if
    it is no TOML, too large, nested too deeply, or has a key of very many parts.
    """
    if len(text) > MOST_BYTES:
        raise TomlError(f"more than {MOST_BYTES:,} bytes", 1)
    if found := _DOTTED.search(text):
        raise TomlError(f"a key has more than {_MOST_DOTS} dots", text.count("\n", 0, found.start()) + 1)
    try:
        return tomllib.loads(text.removeprefix("\ufeff"), parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        reason = f"not TOML, as {what} must be: {error}"
        raise TomlError(reason, int(line[1]) if line else text.count("\n") + 1) from None
    except RecursionError:
        raise TomlError("lists or tables are nested too deeply", 1) from None
    except ValueError as error:  # for example a number too long for Python
        raise TomlError(str(error), 1) from None
