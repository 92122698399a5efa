"""Which version of the tables a database has."""

from __future__ import annotations

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.learning._database import DamageError, Database
from pokermodel.learning._tables import ABOUT, TABLES

__all__ = ["FORMAT", "VERSION", "prepare"]

FORMAT = "pokermodel book"
#: Goes up with every change of the tables, of their bytes, and of what a `Table` of the layout counts.
VERSION = 7


def prepare(database: Database, create: bool) -> None:
    """Make sure that a database is a book of this version; make it one if it is empty.

    Raises
    ------
    BookError
        If it is a database of something else or a book of another version, or it is empty and must not be changed.
    """
    with database.transaction() as connection:
        empty = _is_empty(connection, database)
    if not empty:
        return
    if not create:
        raise BookError(f"{database.where} is no book: it is empty")
    with database.transaction(write=True) as connection:
        if _is_empty(connection, database):  # another process may have been quicker
            TABLES.create_all(connection)
            connection.execute(ABOUT.insert().values(format=FORMAT, version=VERSION))


def _is_empty(connection: sa.Connection, database: Database) -> bool:
    """Whether a database has no tables; raise `BookError` if it has any but those of a book of this version."""
    names = sa.inspect(connection).get_table_names()
    if not names:
        if _has_content(connection):
            raise DamageError("its list of tables is lost")
        return True
    found = connection.execute(sa.select(ABOUT)).all() if ABOUT.name in names else []
    if len(found) != 1 or found[0].format != FORMAT:
        raise BookError(f"{database.where} is no book: it is a database of something else")
    if found[0].version != VERSION:
        raise BookError(f"{database.where} was made by another version; learn its histories again")
    return False


def _has_content(connection: sa.Connection) -> bool:
    """Whether a file of SQLite has pages in use, apart from the first."""
    if connection.dialect.name != "sqlite":
        return False
    pages, free = (connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("page_count", "freelist_count"))
    return int(pages or 0) - int(free or 0) > 1
