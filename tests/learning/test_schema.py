"""Databases that are no book of this version."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

import pokermodel as pm
from pokermodel.errors import BookError, DamagedBookError
from tests.common.books import HANDS, STATISTICS


@pytest.mark.parametrize("version", ["6", "8", "0", "-1", "'new'", "NULL", "1.5"])
def test_another_version(tmp_path, version):
    path = tmp_path / "book"
    pm.Book(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE pokermodel SET version = {version}")
    before = path.read_bytes()
    with pytest.raises(BookError) as refused:
        pm.Book(path)
    assert str(refused.value) == f"{path} was made by another version; learn its histories again"
    assert path.read_bytes() == before


def test_a_list_of_tables_that_is_lost(tmp_path):
    """An empty list of tables does not make a file a new book, if there is something in it."""
    path = tmp_path / "book"
    with pm.Book(path) as book:
        book.learn(HANDS[:5], kinds=STATISTICS)
    data = bytearray(path.read_bytes())
    data[103:105] = bytes(2)  # the number of entries on the first page
    path.write_bytes(data)
    with pytest.raises(DamagedBookError, match="is damaged: its list of tables is lost; learn its histories again"):
        pm.Book(path)
    assert path.read_bytes() == data
