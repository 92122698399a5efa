"""The user's notes: tags, notes, names that are one person, saved filters and settings. Learning touches none of it.

It has tables of its own and, beside a book in a file, a text with all of it, `BOOK.mine`, which is written anew after
every change. A book that is made where such a text lies takes it over: it outlives the book.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import sqlalchemy as sa

from pokermodel._support.checks import check_choice, check_name
from pokermodel._support.files import write_text
from pokermodel.errors import BookError
from pokermodel.histories import Filter
from pokermodel.library._database import Database
from pokermodel.library.schema import BOOK, FILTERS, NAMES, NOTES, SETTINGS, TAGS, USER_TABLES

__all__ = ["Mine"]

_HEAD = {"pokermodel": "what the user wrote", "version": 1}
_LARGEST, _LONGEST = 1 << 26, 1 << 16  # bytes of a file, characters of a note
_LONGEST_TAG = 100  # characters
_BY_NAME = {table.name.removeprefix("_"): table for table in USER_TABLES}


class Mine:
    """The user's notes in a book. Every change is written at once.

    Parameters
    ----------
    database : Database
    beside : Path, optional
        The text beside the book.
    """

    def __init__(self, database: Database, beside: Path | None) -> None:
        self._database, self._beside = database, beside
        self._saving = Lock()

    # -------------------------------------------------------------------------------------------------- changing

    def tag(self, about: str, site: str, name: str, tag: str) -> None:
        """Give a hand or a player a tag, which it may have already.

        Parameters
        ----------
        about : {"hand", "player"}
        site, name : str
            The site, and there the id of the hand or the name of the player.
        tag : str
        """
        if not tag.strip() or len(tag) > _LONGEST_TAG:
            raise ValueError(f"a tag is {tag[:40]!r}: expected 1 to {_LONGEST_TAG} characters")
        self._put(TAGS, {"about": _known(about), "site": site, "name": name, "tag": tag}, {})

    def untag(self, about: str, site: str, name: str, tag: str) -> None:
        """Take a tag from a hand or a player, if they have it."""
        self._remove(TAGS, {"about": about, "site": site, "name": name, "tag": tag})

    def tags(self, about: str, site: str, name: str) -> list[str]:
        """The tags of a hand or a player, in order."""
        return [row["tag"] for row in self._rows(TAGS, {"about": about, "site": site, "name": name})]

    def note(self, about: str, site: str, name: str, note: str) -> None:
        """Write a note about a hand or a player in place of another one; an empty one removes it."""
        self._note(_known(about), site, name, note)

    def _note(self, about: str, site: str, name: str, note: str) -> None:
        which = {"about": about, "site": site, "name": name}
        if note:
            self._put(NOTES, which, {"note": note})
        else:
            self._remove(NOTES, which)

    def note_of(self, about: str, site: str, name: str) -> str:
        """The note about a hand or a player; empty without one."""
        return self._one(NOTES, {"about": about, "site": site, "name": name}, "note")

    def about_hands(self, hands: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[tuple[str, ...], str]]:
        """The tags of hands, and the notes, by site and id; a few hundred at most."""
        return self._about("hand", hands)

    def about_players(
        self, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[str, tuple[str, ...], str]]:
        """Whose names some names are, their tags and their notes, by site and name; a few hundred at most."""
        found = self._about("player", names)
        query = sa.select(NAMES).where(NAMES.c.name.in_([name for _, name in names]))
        with self._database.transaction() as connection:
            persons = {(row.site, row.name): row.person for row in connection.execute(query)}
        return {each: (persons.get(each, ""), *rest) for each, rest in found.items()}

    def _about(
        self, about: str, wanted: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[tuple[str, ...], str]]:
        names = [name for _, name in wanted]
        tags: dict[tuple[str, str], list[str]] = {}
        with self._database.transaction() as connection:
            for row in connection.execute(
                sa.select(TAGS).where(TAGS.c.about == about, TAGS.c.name.in_(names)).order_by(TAGS.c.tag)
            ):
                tags.setdefault((row.site, row.name), []).append(row.tag)
            query = sa.select(NOTES).where(NOTES.c.about == about, NOTES.c.name.in_(names))
            notes = {(row.site, row.name): row.note for row in connection.execute(query)}
        return {each: (tuple(tags.get(each, ())), notes.get(each, "")) for each in wanted}

    def answer_verdict(self, site: str, number: str, action: int, answer: str) -> None:
        """Keep what the user thinks of the verdict on an action of a hand; an empty text removes it."""
        self._note("decision", site, f"{number}#{action}", answer)

    def answers(self) -> dict[tuple[str, str, int], str]:
        """The user's opinions of verdicts, by site, hand and action."""
        found = {}
        for row in self._rows(NOTES, {"about": "decision"}):
            number, _, action = row["name"].rpartition("#")
            if action.isdecimal():
                found[row["site"], number, int(action)] = row["note"]
        return found

    def join(self, site: str, name: str, person: str) -> None:
        """Note that a name at a site is a person's; an empty person undoes it."""
        if person:
            self._put(NAMES, {"site": site, "name": name}, {"person": person})
        else:
            self._remove(NAMES, {"site": site, "name": name})

    def person(self, site: str, name: str) -> str:
        """Whose a name is; empty where it stands for itself."""
        return self._one(NAMES, {"site": site, "name": name}, "person")

    def names(self, person: str) -> list[tuple[str, str]]:
        """The names of a person, each with its site."""
        return [(row["site"], row["name"]) for row in self._rows(NAMES, {"person": person})]

    def save_filter(self, name: str, text: str | Filter | None) -> None:
        """Save a filter under a name, in place of another one; None removes it.

        Raises
        ------
        ValueError
            If it is no filter.
        """
        if text is None:
            self._remove(FILTERS, {"name": name})
        else:
            self._put(FILTERS, {"name": name}, {"filter": str(Filter(str(text)))})

    def filters(self) -> dict[str, Filter]:
        """The saved filters, by name."""
        return {row["name"]: Filter(row["filter"]) for row in self._rows(FILTERS, {})}

    def set(self, name: str, value: str | None) -> None:
        """Keep a setting; None removes it."""
        if value is None:
            self._remove(SETTINGS, {"name": name})
        else:
            self._put(SETTINGS, {"name": name}, {"value": value})

    def settings(self) -> dict[str, str]:
        """All settings, by name."""
        return {row["name"]: row["value"] for row in self._rows(SETTINGS, {})}

    # ------------------------------------------------------------------------------------------------------- text

    def to_text(self) -> str:
        """Everything as text: a line of JSON for each entry, in one order."""
        lines = [_HEAD, *({"is": name, **row} for name, table in _BY_NAME.items() for row in self._rows(table, {}))]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def take(self, text: str) -> int:
        """Take over what `to_text` wrote, in place of entries about the same; return how many there are.

        Raises
        ------
        ValueError
            If it is another text. Nothing is taken over then.
        """
        entries = list(_entries(text))
        with self._database.transaction(write=True) as connection:
            for table, which, rest in entries:
                _write(connection, table, which, rest)
            connection.execute(BOOK.update().values(revision=BOOK.c.revision + 1))
        if entries:
            self._save()
        return len(entries)

    def take_beside(self) -> None:
        """Take over the text that lies beside a book, if there is one."""
        path = self._beside
        if path is None or not path.exists():
            return
        try:
            if path.stat().st_size > _LARGEST:
                raise ValueError(f"it has more than {_LARGEST:,} bytes")
            self.take(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BookError(f"{path}: what the user wrote cannot be read: {error}") from None

    def _save(self) -> None:
        if self._beside is not None:
            with self._saving:  # who writes last has read last
                write_text(self._beside, self.to_text())

    def _put(self, table: sa.Table, which: Mapping[str, str], rest: Mapping[str, str]) -> None:
        _check({**which, **rest})
        with self._database.transaction(write=True) as connection:
            _write(connection, table, which, rest)
            connection.execute(BOOK.update().values(revision=BOOK.c.revision + 1))
        self._save()

    def _remove(self, table: sa.Table, which: Mapping[str, str]) -> None:
        with self._database.transaction(write=True) as connection:
            connection.execute(table.delete().where(*_same(table, which)))
            connection.execute(BOOK.update().values(revision=BOOK.c.revision + 1))
        self._save()

    def _rows(self, table: sa.Table, which: Mapping[str, str]) -> list[dict[str, str]]:
        query = sa.select(table).where(*_same(table, which)).order_by(*table.columns)
        with self._database.transaction() as connection:
            return [dict(row._mapping) for row in connection.execute(query)]

    def _one(self, table: sa.Table, which: Mapping[str, str], column: str) -> str:
        return next((row[column] for row in self._rows(table, which)), "")


def _same(table: sa.Table, which: Mapping[str, str]) -> list[Any]:
    return [table.c[name] == value for name, value in which.items()]


def _write(connection: sa.Connection, table: sa.Table, which: Mapping[str, str], rest: Mapping[str, str]) -> None:
    connection.execute(table.delete().where(*_same(table, which)))
    connection.execute(table.insert().values(**which, **rest))


def _known(about: str) -> str:
    check_choice("about", about, ("hand", "player"))
    return about


def _check(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise ValueError(f"{name} is {str(value)[:40]!r}: expected text of {_LONGEST:,} characters at most")
        if value:
            check_name(value)


def _entries(text: str) -> Iterator[tuple[sa.Table, dict[str, str], dict[str, str]]]:
    """Read a text; `ValueError` at the first line that is none of ours."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() and number > 1:
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError(f"line {number} is {line[:40]!r}: expected an object of JSON") from None
        if number == 1:
            if found != _HEAD:
                raise ValueError(f"line 1 is {line[:60]!r}: expected {json.dumps(_HEAD)}")
            continue
        table = _BY_NAME.get(found.pop("is", None)) if isinstance(found, dict) else None
        if table is None or set(found) != set(table.columns.keys()):
            raise ValueError(f"line {number} is {line[:60]!r}: expected one of {', '.join(_BY_NAME)} with its columns")
        try:
            _check(found)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        keys = {column.name for column in table.primary_key}
        yield table, {k: v for k, v in found.items() if k in keys}, {k: v for k, v in found.items() if k not in keys}
    if not text.strip():
        raise ValueError(f"the text is empty: expected {json.dumps(_HEAD)} in its first line")
