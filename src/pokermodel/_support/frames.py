"""Rows as data frames of pandas or polars, and as Parquet files. Libraries are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from pokermodel._support.checks import check_choice
from pokermodel._support.files import beside_name

__all__ = ["LIBRARIES", "check_parquet", "to_frame", "write_parquet"]

#: Libraries of data frames, the one that is preferred first.
LIBRARIES = ("pandas", "polars")
_GROUP = 1000  # rows of a Parquet file that are in memory at a time


def to_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], library: str | None = None) -> Any:
    """Return rows as a data frame.

    Raises `ValueError` if `library` is none of these, and `ModuleNotFoundError` if it is not installed.

    Parameters
    ----------
    rows : iterable of mapping
        Values by name of the column. Times without a zone are taken for UTC.
    columns : sequence of str
        Names of the columns, in their order.
    library : {"pandas", "polars"}, optional
        Default: whichever is installed, pandas first.
    """
    if library is not None:
        check_choice("library", library, LIBRARIES)
    there = [name for name in (LIBRARIES if library is None else (library,)) if find_spec(name) is not None]
    if not there:
        what = " or ".join(LIBRARIES) if library is None else library
        raise ModuleNotFoundError(f"a data frame needs {what}, which is not installed: expected pip install {what}")
    values: dict[str, list[Any]] = {name: [] for name in columns}
    for row in rows:
        for name, column in values.items():
            column.append(_plain(row[name]))
    return import_module(there[0]).DataFrame(values)


def check_parquet() -> None:
    """Raise `ModuleNotFoundError` if pyarrow, which writes Parquet files, is not installed."""
    if find_spec("pyarrow") is None:
        raise ModuleNotFoundError('Parquet files need pyarrow: expected pip install "pokermodel[parquet]"')


def write_parquet(path: Path, rows: Iterable[Mapping[str, Any]], schema: Mapping[str, str]) -> int:
    """Write rows to a Parquet file, some at a time, so that memory does not grow with them.

    Raises `ModuleNotFoundError` if pyarrow is not installed, and `OSError` if the file cannot be written.

    Parameters
    ----------
    path : Path
        The file, which is replaced when all rows are written.
    schema : mapping of str to str
        Type of each column by its name: a name of a type of Arrow, or ``"weights"``, 1,326 numbers of float32.
    """
    check_parquet()
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    types = {"weights": arrow.list_(arrow.float32(), 1326), "time": arrow.timestamp("us", "UTC")}
    form = arrow.schema([(name, types.get(kind) or getattr(arrow, kind)()) for name, kind in schema.items()])
    path = path.resolve()  # a symbolic link stays one
    beside = path.with_name(beside_name(path.name))
    count = 0
    each = iter(rows)
    try:
        with parquet.ParquetWriter(beside, form, compression="zstd") as writer:
            while group := list(islice(each, _GROUP)):
                count += len(group)
                plain = {name: [_plain(row[name]) for row in group] for name in schema}
                writer.write_table(arrow.table(plain, schema=form))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return value
