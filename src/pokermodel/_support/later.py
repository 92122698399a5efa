"""Names of a package that are imported when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["imported_later"]


def imported_later(package: str, where: Mapping[str, str]) -> Callable[[str], object]:
    """Return what a package calls ``__getattr__``, so that each of its names is imported when it is first asked for.

    It is for packages with slow imports, where a command often needs one module and not the rest. Type
    checkers do not look into it: they need imports of the names under ``if TYPE_CHECKING``, and this under its
    opposite.

    Parameters
    ----------
    package : str
        Name of the package, its ``__name__``.
    """

    def get(name: str) -> object:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(where[name]), name)
        setattr(import_module(package), name, found)  # nobody asks here again
        return found

    return get
