"""Names with options as users write them, ``loki1?showdown_odds=0&tightness=moderate``, and registries of names."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from threading import RLock
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from pokermodel._support.checks import check_choice
from pokermodel.errors import PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Option",
    "Registry",
    "choice",
    "entry_points",
    "is_own",
    "load_own",
    "number",
    "package_at_fault",
    "read_options",
    "switch",
    "whole",
]

#: Parses the text of an option; raises `ValueError` with what was expected.
Option: TypeAlias = Callable[[str], Any]


def switch(text: str) -> bool:
    """Parse 0 or 1."""
    if text not in ("0", "1"):
        raise ValueError("expected 0 or 1")
    return text == "1"


def number(text: str) -> float:
    """Parse a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError("expected a number")
    return value


def whole(text: str) -> int:
    """Parse a whole number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise ValueError("expected a whole number, 1 or more")
    return int(text)


def choice(*names: str) -> Option:
    """Return an option that is one of several words."""

    def option(text: str) -> str:
        if text not in names:
            raise ValueError(f"expected one of {', '.join(names)}")
        return text

    return option


def read_options(text: str, whose: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Read ``OPTION=VALUE&OPTION=VALUE``.

    Raises `ValueError` if an option is unknown, is set twice or has no value, or the value is not valid.

    Parameters
    ----------
    text : str
        The options; empty for none.
    options : mapping of str to callable
        The known options, with the functions that parse their text.

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


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_K = TypeVar("_K", bound=_Named)


class Registry(Generic[_K]):
    """A registry of kinds by name.

    Wings of this package and other packages add kinds by entry points. An entry point names a module, which registers
    its kinds when it is imported. These modules are imported when an unknown name is looked up, or names are listed.
    Where a module of another package cannot be imported, or the name of a kind is taken, a `PluginWarning` names the
    package; what was there before stays.

    Parameters
    ----------
    marks : str
        Characters that a name must not have, because they separate names from options.
    group : str, optional
        Group of the entry points by which other packages register kinds.
    taken : container of str
        Names that are taken although they are not registered.
    """

    def __init__(self, what: str, marks: str, group: str = "", taken: Container[str] = ()) -> None:
        self._what = what
        self._marks = marks
        self._group = group
        self._taken = taken
        self._kinds: dict[str, _K] = {}
        self._packages: dict[str, str] = {}  # from which kinds come, by name; ours are not among them
        self._complete = self._begun = False
        self._lock = RLock()  # a module may look a name up while it is imported
        self._loading = ""  # the package whose module is being imported

    def _load(self) -> None:
        """Import the modules that register kinds, once: first the package's own, then those of other packages."""
        if self._complete:
            return
        with self._lock:
            if self._complete or self._begun:
                return
            self._begun = True
            try:
                entries = list(entry_points(group=self._group)) if self._group else []
                for entry in entries:
                    if is_own(entry):
                        load_own(entry)
                for entry in entries:
                    if not is_own(entry):
                        self._load_other(entry)
            finally:
                self._complete, self._begun = True, False

    def _load_other(self, entry: EntryPoint) -> None:
        before = dict(self._kinds)
        self._loading = _package(entry)
        try:
            entry.load()
        except (Exception, SystemExit) as error:
            self._kinds = before
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            _warn(f"{self._loading} cannot be used (entry point {entry.name} of {self._group}): {reason}")
        finally:
            self._packages.update(dict.fromkeys(self._kinds.keys() - before.keys(), self._loading))
            self._loading = ""

    def register(self, kind: _K) -> None:
        """Register a kind; raises `ValueError` if its name is taken or not valid.

        While the module of another package is imported, a kind whose name is taken is passed over with a warning.
        """
        if kind.name in self._kinds or kind.name in self._taken:
            if self._loading:
                whose = self._packages.get(kind.name, "pokermodel")
                _warn(f"{self._what} {kind.name!r} of {self._loading} is not used: {whose} has one of this name")
                return
            raise ValueError(f"the {self._what} {kind.name!r} is registered already")
        if not re.fullmatch(rf"[^\s{re.escape(self._marks)}]+", kind.name):
            marks = " ".join(self._marks)
            raise ValueError(f"{kind.name!r} is not a valid name: expected no space and none of {marks}")
        self._kinds[kind.name] = kind

    def kinds(self) -> Mapping[str, _K]:
        """Return all kinds by name."""
        self._load()
        return dict(self._kinds)

    def package(self, name: str) -> str:
        """Return the package that a kind comes from; "pokermodel" for ours."""
        return self._packages.get(name, "pokermodel")

    def __getitem__(self, name: str) -> _K:
        if name not in self._kinds:
            self._load()
        check_choice(self._what, name, self._kinds)
        return self._kinds[name]


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group; few commands ask, and none should wait for what knows them."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def is_own(entry: EntryPoint) -> bool:
    """Whether an entry point is one of this package."""
    return entry.dist is not None and entry.dist.name == "pokermodel"


def load_own(entry: EntryPoint) -> Any:
    """Load an entry point of this package; None where the wing that it belongs to was left out."""
    from importlib.util import find_spec

    wing = ".".join(entry.module.split(".")[:2])
    return None if find_spec(wing) is None else entry.load()


def package_at_fault(error: BaseException) -> str:
    """Return the package whose plug-in was running when an error was raised, with its file and line; else ""."""
    try:
        return _package_at_fault(error)
    except Exception:  # metadata that cannot be read, as in a folder that was locked: the error itself is shown
        return ""


def _package_at_fault(error: BaseException) -> str:
    from importlib import metadata

    groups = [group for group in metadata.entry_points().groups if group.startswith("pokermodel.")]
    entries = [entry for group in groups for entry in metadata.entry_points(group=group) if not is_own(entry)]
    packages = {entry.module.partition(".")[0]: _package(entry) for entry in entries}
    for frame, line in reversed([*walk_tb(error.__traceback__)]):
        name = frame.f_globals.get("__name__", "").partition(".")[0]
        if name in packages:
            return f"{packages[name]} ({Path(frame.f_code.co_filename).name}, line {line})"
    return ""


def _package(entry: EntryPoint) -> str:
    """Return the name of the package that an entry point is of, for messages."""
    return f"package {entry.dist.name} {entry.dist.version}" if entry.dist is not None else f"package {entry.module}"


def _warn(text: str) -> None:
    warnings.warn(text, PluginWarning, stacklevel=4)
