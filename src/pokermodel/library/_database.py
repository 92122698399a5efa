"""The database of a book: a SQLite file, or PostgreSQL for many writers."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar, cast
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from pokermodel.errors import BookError, DamagedBookError

__all__ = ["DamageError", "Database", "checked", "chunks", "execute_many", "insert_into"]

T = TypeVar("T")

_PATIENCE = 120  # seconds to wait for another process that writes
_MOST_PROBLEMS = 5
_ASKED = 5000  # values in one query: databases bound them


class DamageError(ValueError):
    """What was read is not what was written; `Database.transaction` says in which book."""


def checked(value: object, kind: type[T], what: str) -> T:
    """Return a value that was read if it is of a type; raise `DamageError` if it is not, as SQLite allows."""
    if not isinstance(value, kind):
        raise DamageError(f"{what} is {value!r}")
    return value


#: Exceptions that damaged data raises, in the driver and in this package.
_DAMAGE = (DamageError, SQLAlchemyError, ArithmeticError, LookupError, TypeError, ValueError, struct.error)


class Database:
    """A database, and how it is read and written.

    Raises `BookError` if there is no such file, or a URL is none of SQLite or PostgreSQL.

    Parameters
    ----------
    where : path-like or str
        A SQLite file or a URL.
    create : bool
        Whether a file that does not exist may be made.
    """

    def __init__(self, where: str | os.PathLike[str], create: bool) -> None:
        self.engine = _engine(where, create)
        # a database in memory has but one connection: threads take turns, and a transaction within another is refused
        self._turn: AbstractContextManager[Any] = RLock() if _in_memory(self.engine.url) else nullcontext()
        #: What to call it in messages.
        self.where = self.engine.url.render_as_string()
        #: The URL that opens it from any folder, a password included; None for a database in memory.
        self.address = _address(self.engine.url)
        if self.engine.dialect.name == "sqlite":
            self.where = self.engine.url.database or ":memory:"

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def write_ahead(self) -> None:
        """Let those that read go on while another one writes, from now on, in every process: SQLite's WAL mode.

        Raises `BookError` if the file cannot be written.
        """
        if self.engine.dialect.name == "sqlite" and self.address is not None:
            with self.engine.connect() as plain:  # and no transaction, in which the mode cannot be changed
                driver: Any = plain.connection.driver_connection
                try:
                    driver.execute("PRAGMA journal_mode = WAL")
                except self.engine.dialect.loaded_dbapi.Error as error:
                    raise BookError(f"{self.where}: {error}") from None

    @contextmanager
    def transaction(self, write: bool = False) -> Iterator[sa.Connection]:
        """All or nothing. Those that write come one after the other; those that read see what was finished.

        Raises `BookError` if the database refuses, or what is read is damaged.
        """
        try:
            with self._turn, self.engine.connect() as plain:
                connection = plain.execution_options(pokermodel_write=write)
                if connection.dialect.name == "postgresql" and not write:
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    if write and connection.dialect.name == "postgresql":
                        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5230671)")
                    yield connection
        except DBAPIError as error:
            reason = " ".join(str(error.orig).split()) or type(error.orig).__name__
            if any(word in reason for word in ("malformed", "decode")):
                raise DamagedBookError(self.where, reason) from None
            raise BookError(f"{self.where}: {reason}") from None
        except BookError:
            raise
        except _DAMAGE as error:
            raise DamagedBookError(self.where, str(error)) from error

    def state(self, connection: sa.Connection) -> tuple[int, int] | None:
        """Figures that differ after any change, for this connection alone; None where there are none."""
        if self.engine.dialect.name != "sqlite":
            return None
        driver: Any = connection.connection.driver_connection
        return driver.execute("PRAGMA data_version").fetchone()[0], driver.total_changes

    def problems(self) -> list[str]:
        """The first fault that SQLite finds in its file; a server checks its own."""
        if self.engine.dialect.name != "sqlite":
            return []
        with self.transaction() as connection:
            found = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PROBLEMS})").scalars().all()
        lines = [
            line for text in found for line in str(text).splitlines() if line != "ok" and not line.startswith("***")
        ]
        return lines[:_MOST_PROBLEMS]


def insert_into(table: str, columns: Sequence[str]) -> str:
    """The statement for `execute_many` that inserts rows."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def execute_many(connection: sa.Connection, statement: str, values: list[tuple[Any, ...]]) -> None:
    """Carry out a statement for many rows."""
    if not values:
        return
    if connection.dialect.name != "sqlite":
        statement = statement.replace("?", "%s")
    connection.exec_driver_sql(statement, values)


def chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """Values, as many at once as a query may have."""
    rest = iter(values)
    while some := list(islice(rest, _ASKED)):
        yield some


def _in_memory(url: sa.URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _address(url: sa.URL) -> str | None:
    if _in_memory(url):
        return None
    if url.get_backend_name() == "sqlite":
        url = url.set(database=os.path.abspath(cast(str, url.database)))
    return url.render_as_string(hide_password=False)


def _engine(where: str | os.PathLike[str], create: bool) -> sa.Engine:
    text = os.fspath(where)
    if not text:
        raise BookError("the name of the book is empty: expected a file or a URL")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BookError(f"{text!r} cannot name a book: it is not UTF-8 text") from None
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
    except ArgumentError:
        raise BookError(f"{text!r} is no URL of a database") from None
    kind = url.get_backend_name()
    if kind == "sqlite":
        return _sqlite(url, create)
    if kind != "postgresql":
        raise BookError(f"a book is a SQLite file or a PostgreSQL database, got a URL of {kind!r}")
    if url.drivername == kind:
        url = url.set(drivername="postgresql+psycopg")
    try:
        return sa.create_engine(url)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise BookError(f'no driver for PostgreSQL ({error}): pip install "pokermodel[postgresql]"') from None


def _sqlite(url: sa.URL, create: bool) -> sa.Engine:
    options: dict[str, Any] = {"connect_args": {"timeout": _PATIENCE}}
    if _in_memory(url):
        options["connect_args"]["check_same_thread"] = False
        options["poolclass"] = sa.StaticPool  # else every thread had an empty database of its own
    else:
        path = Path(url.database or "")
        if path.is_dir():
            raise BookError(f"{path} is a folder, expected the file of a book")
        if not path.exists() and not create:
            raise BookError(f"{path}: no such book: `pokermodel learn` makes one")
        if not path.exists() and not path.parent.is_dir():
            raise BookError(f"{path}: there is no folder {path.parent}")
        if path.exists() and not os.access(path.absolute().parent, os.W_OK):
            # the files of WAL mode cannot be made there; without them nobody else writes, either
            mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
            address = f"file:{quote(str(path.absolute()))}?{mode}"
            options["creator"] = lambda: sqlite3.connect(address, uri=True, check_same_thread=False)
    engine = sa.create_engine(url, **options)
    sa.event.listen(engine, "connect", _on_connect)
    sa.event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say ourselves when a transaction begins
    connection.execute("PRAGMA synchronous = FULL")


def _on_begin(connection: sa.Connection) -> None:
    # a transaction that reads first and writes then could find that another one was quicker
    write = connection.get_execution_options().get("pokermodel_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
