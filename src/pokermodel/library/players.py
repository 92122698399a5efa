"""Players of a book, by the names that they go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pokermodel.errors import UnknownPlayerError

__all__ = ["Player", "Players", "full_name"]


class Player(NamedTuple):
    """A player, by all of their names.

    Attributes
    ----------
    label : str
        Their display name, with the site if others have it, too.
    names : tuple of (str, str)
        Site and name, in the order in which they were met, the one that they go by first.
    ids : tuple of int
        Their numbers.
    """

    label: str
    names: tuple[tuple[str, str], ...]
    ids: tuple[int, ...]


class Players:
    """All players of a book, as they were when it was made.

    Parameters
    ----------
    rows : iterable of (int, str, str)
        Number, site and name of each, in order.
    persons : mapping of (str, str) to str
        Whose a name at a site is, if it does not stand for itself.
    """

    def __init__(self, rows: Iterable[tuple[int, str, str]], persons: Mapping[tuple[str, str], str]) -> None:
        groups: defaultdict[tuple[str, ...], list[tuple[int, str, str]]] = defaultdict(list)
        known = set(persons.values())
        whose: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._named: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        self._full: dict[str, tuple[str, ...]] = {}
        for number, site, name in rows:
            full = full_name(name, site)
            person = persons.get((site, name)) or next((text for text in (full, name) if text in known), None)
            key: tuple[str, ...] = (site, name) if person is None else (person,)
            first = person in (name, full)
            groups[key].insert(0 if first else len(groups[key]), (number, site, name))
            whose[name].add(key)
            self._full[full] = key
            if key not in self._named[name]:
                self._named[name].append(key)
        self._players: dict[tuple[str, ...], Player] = {}
        for key, group in groups.items():
            _, site, name = group[0]
            alone = len(whose[name]) == 1 and name not in self._full
            label = name if alone else full_name(name, site)
            names = tuple([(at, own) for _, at, own in group])
            self._players[key] = Player(label, names, tuple([number for number, *_ in group]))

    def __iter__(self) -> Iterator[Player]:
        return iter(self._players.values())

    def __len__(self) -> int:
        return len(self._players)

    def of(self, text: str) -> list[Player]:
        """Players with a name, or with a name and a site: none, one, or several.

        A text is first taken for a full name, ``NAME@SITE``, then for a name that may have an ``@`` of its own.
        """
        if not isinstance(text, str):
            return []
        keys = [self._full[text]] if text in self._full else self._named.get(text, [])
        return [self._players[key] for key in keys]

    def one(self, text: str) -> Player:
        """The player of a name; `UnknownPlayerError` if there is none, `ValueError` if there are several."""
        found = self.of(text)
        if not found:
            raise UnknownPlayerError(text)
        if len(found) > 1:
            labels = ", ".join(player.label for player in found)
            raise ValueError(f"several players are called {text!r}: expected one of {labels}")
        return found[0]

    def name_of(self, text: str) -> tuple[str, str]:
        """Site and name that a text means; as `one` if it means none or several."""
        player = self.one(text)
        return next(each for each in player.names if text in (each[1], full_name(each[1], each[0])))


def full_name(name: str, site: str) -> str:
    """Name and site in one text: ``"Ann@pokerstars"``. No site has an ``@`` in its name, so that it is unique."""
    return f"{name}@{site}"
