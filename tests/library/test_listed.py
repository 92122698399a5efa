"""Lists of hands of a book, and when they were played."""

from __future__ import annotations

from importlib import resources

import pytest
import sqlalchemy as sa

from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import last_time, rooms_since

#: 8 March 2026, 01:45 UTC: the last hand of the sample of no limit.
LAST = 1772934300


@pytest.fixture
def book(database):
    with Book(database) as book:
        assert last_time(book) is None
        with resources.as_file(resources.files("pokermodel").joinpath("data/samples/no-limit.txt")) as path:
            update(book, path)
        yield book


def test_rooms_of_a_time(book):
    last = last_time(book)
    assert last is not None
    assert last - last % 60 == LAST
    assert rooms_since(book, last, last + 60) == ["pokerstars"]
    assert rooms_since(book, last + 1, last + 3600) == []
    assert rooms_since(book, last - 3600, last - 1) == ["pokerstars"]


def test_times_are_found_without_going_through_all_hands(tmp_path):
    """The Desk asks which rooms are played after every hand that a room writes."""
    asked = []
    with Book(tmp_path / "book.db") as book:
        sa.event.listen(book._database.engine, "before_cursor_execute", lambda *given: asked.append(given[2:4]))
        last_time(book)
        rooms_since(book, LAST, LAST + 60)
        asked[:] = [each for each in asked if each[0].startswith("SELECT")]
        with book.reading() as connection:
            plans = [
                [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)]
                for text, given in list(asked)
                if "hands" in text
            ]
    assert len(plans) == 2
    for plan in plans:
        assert "_hands_time" in plan[0], plan
