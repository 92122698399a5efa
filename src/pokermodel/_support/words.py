"""Numbers of things, and errors of the system, in words; names that are safe to print."""

from __future__ import annotations

import errno
import os
import unicodedata

__all__ = ["counted", "error_words", "plural", "printable"]


def counted(number: int, thing: str) -> str:
    """Return a number of things: ``"1 hand"``, ``"1,740 hands"``."""
    return f"{number:,} {thing if number == 1 else plural(thing)}"


def plural(thing: str) -> str:
    """Return the plural: ``"hands"``, ``"passes"``."""
    return f"{thing}es" if thing.endswith("s") else f"{thing}s"


def printable(text: str) -> str:
    """A name from a history, with characters that could steer a terminal made visible."""
    if text.isprintable():  # as nearly all are: nothing of it is a control character
        return text
    return "".join(
        char if unicodedata.category(char)[0] != "C" else char.encode("unicode_escape").decode() for char in text
    )


_SYSTEM = {
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "a part of this path is no folder",
    errno.EISDIR: "it is a folder, expected a file",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the disk can only be read",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk has no more room for this user",
    errno.EFBIG: "a file may not become so large here",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EMFILE: "too many files are open",
    errno.EADDRINUSE: "another program uses this port",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}


def error_words(error: BaseException) -> str:
    """Return what is wrong in words, without the number that the system has for it."""
    if not isinstance(error, OSError) or error.errno is None or not error.strerror:
        return str(error)
    words = _SYSTEM.get(error.errno, error.strerror[:1].lower() + error.strerror[1:])
    return words if error.filename is None else f"{os.fsdecode(error.filename)}: {words}"
