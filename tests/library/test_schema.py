"""The views of a book: that their columns are what the documentation says, and answer what it asks."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from importlib import resources
from pathlib import Path

import pytest

from pokermodel.learning.definitions import Statistic, other_statistics, registry
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.schema import columns_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "book.md"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("views")
    data = resources.files("pokermodel").joinpath("data/samples")
    for name in ("no-limit.txt", "limit.txt"):
        (folder / name).write_bytes(data.joinpath(name).read_bytes())
    with Book(folder / "hands.db") as book:
        update(book, folder / "no-limit.txt", folder / "limit.txt")
        for text, where in (("pot=3-bet", "hero=Robin pot=3-bet"),):
            assert len(book.select(text).hands) >= len(book.select(where).hands)
    return folder / "hands.db"


def columns(path, view):
    with sqlite3.connect(path) as connection:
        return [each[0] for each in connection.execute(f"SELECT * FROM {view} LIMIT 0").description]


def questions():
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_questions_of_the_page_are_answered(path):
    asked = questions()
    assert len(asked) == 3
    with sqlite3.connect(path) as connection, Book(path) as book:
        by_pot, by_seat, folds = (connection.execute(question).fetchall() for question in asked)
        for pot, made, chances in by_pot:
            found = [0, 0]
            names = [row[0] for row in connection.execute("SELECT DISTINCT player FROM seats")]
            for name in names:
                for structure, counts in book.counts(f"hero={name} pot={pot}").items():
                    if structure == "no limit":
                        pair = counts.bit("three_bet")
                        found = [found[0] + pair[0], found[1] + pair[1]]
            assert found == [made, chances]
        for seat, hands, won, ev in by_seat:
            (counts,) = book.counts(f"hero=Robin seat={seat} structure=no-limit").values()
            assert (counts["hands"], counts.small_bets / hands * 100) == (hands, pytest.approx(won))
            assert counts.ev_small_bets / hands * 100 == pytest.approx(ev)
        assert folds
        assert all(folded <= faced for _, folded, faced in folds)


def answered(path):
    with sqlite3.connect(path) as plain:
        return [plain.execute(question).fetchall() for question in questions()]


def test_datasette_answers_them(path):
    """At the address that the page names, on the file as a book is."""
    app = pytest.importorskip("datasette.app", reason="Datasette is not installed: the extra sql").Datasette([path])

    async def ask(question):
        return await app.client.get("/hands.json", params={"sql": question, "_shape": "arrays"})

    for question, rows in zip(questions(), answered(path), strict=True):
        found = asyncio.run(ask(question)).json()
        assert [tuple(row) for row in found["rows"]] == rows


def test_duckdb_answers_them(path):
    """As the page has it in Python: over a frame of a view."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: the extra sql")
    (script,) = re.findall(r"```py\n(import sqlite3\n.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    loaded = {}
    exec(script.replace("hands.db", str(path)).partition("duckdb.sql(")[0], loaded)
    connection = duckdb.connect()
    connection.register("seats", loaded["seats"])
    for question, rows in zip(questions(), answered(path), strict=True):
        assert connection.execute(question).fetchall() == list(map(approximately, rows))


def approximately(row):
    return tuple(pytest.approx(value) if isinstance(value, float) else value for value in row)


def test_duckdb_attaches_a_book(path):
    """With its extension for SQLite, which it fetches."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: the extra sql")
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    try:
        connection.execute(f"ATTACH '{path}' AS book (TYPE sqlite); USE book")
    except duckdb.Error as error:
        pytest.skip(str(error))
    assert [connection.execute(question).fetchall() for question in questions()] == answered(path)


def test_the_page_names_the_columns(path):
    text = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", text))
    figures = {name for each in registry() for name, _ in columns_of(each)}
    figures |= {f"{name}_could" for name in figures}
    for view in ("hands", "seats"):
        assert set(columns(path, view)) - figures <= named
    assert set(columns(path, "seats")) >= {
        name for name in figures if "_bets" not in name and "_blinds" not in name
    } - {
        *(f"shown_bluff{more}" for more in ("", "_could")),
    }


def test_tables_are_private(path):
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    assert all(name.startswith("_") for (name,) in tables)
    assert sorted(name for (name,) in views) == ["hands", "seats", "statistics"]


def test_another_build_makes_its_views(path):
    new = Statistic("limp_raise", "Limp-raise", "raised / limped", "acted and can_raise", "raises", streets=(0,))
    with other_statistics(*registry(), new), Book(path):
        assert "limp_raise_could" in columns(path, "seats")
    with Book(path, create=False):
        assert "limp_raise_could" in columns(path, "seats")  # who only reads changes nothing
    with Book(path):
        assert "limp_raise_could" not in columns(path, "seats")
