"""Which pokermodel this is."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pokermodel._support.patterns import regex

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["fingerprint", "release"]

_INSTALLED = regex(r"pokermodel-[^-]+\.dist-info")
_SOURCES = (".py", ".pxd", ".h", ".npz", ".csv")  # what decides what comes out, and is installed


def release() -> str:
    """Return the number of the version; empty if the package is not installed.

    Where it was installed, the folder beside it says so in its name. To ask `importlib.metadata`, which reads what is
    in it, takes as long as everything else that ``pokermodel --version`` does.
    """
    try:
        beside = [name for name in os.listdir(Path(__file__).parents[2]) if _INSTALLED.fullmatch(name)]
    except OSError:  # the package is in an archive
        beside = []
    if len(beside) == 1:
        return beside[0].removesuffix(".dist-info").partition("-")[2]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pokermodel")
    except PackageNotFoundError:  # a source tree that was only built in place
        return ""


@cache
def fingerprint() -> str:
    """Return what two installations have in common if they give the same results: version and a digest of the files.

    Compiled modules do not count, since they differ between machines. Their declarations and headers do.
    """
    import hashlib
    from importlib.resources import files

    digest = hashlib.blake2b(digest_size=6)
    for name, file in _files(files("pokermodel"), ""):
        content = file.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return f"{release() or '(not installed)'} {digest.hexdigest()}"


def _files(folder: Traversable, above: str) -> list[tuple[str, Traversable]]:
    found = []
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            found += _files(each, f"{above}{each.name}/")
        elif each.name.endswith(_SOURCES):
            found.append((above + each.name, each))
    return found
