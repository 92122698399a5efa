"""Which pokermodel this is."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from pokermodel._support.patterns import regex

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["about", "fingerprint", "release"]

_INSTALLED = regex(r"pokermodel(?:-(?P<version>[^-]+))?\.(?:dist-info|(?P<egg>egg-info))")
_SOURCES = (".py", ".pxd", ".h", ".npz", ".csv")  # what decides what comes out, and is installed


def release() -> str:
    """Return the number of the version; empty if the package is not installed.

    Where it was installed, the folder beside it says so in its name, or one on the path, as of a source tree that is
    used where it is. To ask `importlib.metadata`, which reads what is in it, takes longer than everything else that
    ``pokermodel --version`` does.
    """
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = _version_in(above)
    if found is None:
        found = next((each for folder in sys.path if (each := _version_in(folder or ".")) is not None), "")
    if found:
        return found
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pokermodel")
    except PackageNotFoundError:  # a source tree that was only built in place
        return ""


def _version_in(folder: str) -> str | None:
    """Return the version that is installed in a folder; None if none is, and "" if the names there do not tell."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return None
    except OSError:  # an archive
        return ""
    found = [each for name in names if (each := _INSTALLED.fullmatch(name))]
    if not found:
        return None
    if len(found) > 1:  # something is left of an installation that went wrong
        return ""
    if not found[0]["egg"]:
        return found[0]["version"] or ""
    try:
        with open(os.path.join(folder, found[0][0], "PKG-INFO"), encoding="utf-8") as told:
            return next((line.partition(":")[2].strip() for line in told if line.startswith("Version:")), "")
    except OSError:
        return ""


def about() -> str:
    """Return what ``pokermodel --version`` says."""
    return f"pokermodel, version {release()}"


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
