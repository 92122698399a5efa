"""Empty databases on a server of PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import sqlalchemy as sa

from . import books

__all__ = ["new_databases"]

_NUMBERS = count()  # of databases, of this process


@contextmanager
def new_databases() -> Iterator[Callable[[], str]]:
    """Make empty databases, of a name each, on the server of POKERMODEL_POSTGRESQL; all are dropped afterwards."""
    url = sa.make_url(os.environ["POKERMODEL_POSTGRESQL"])
    engine = sa.create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")

    def new() -> str:
        schema = f"test_{os.getpid()}_{next(_NUMBERS)}"
        with engine.begin() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
        made.append(schema)
        return url.set(query={"options": f"-csearch_path={schema}"}).render_as_string(hide_password=False)

    made: list[str] = []
    try:
        yield new
    finally:
        books.close_all()
        with engine.begin() as connection:
            for schema in made:
                connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
        engine.dispose()
