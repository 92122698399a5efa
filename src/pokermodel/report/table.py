"""What a model made of actions, as a Parquet file: a row for each action."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pokermodel._support.frames import write_parquet
from pokermodel.analysis.hand import STEP_COLUMNS, HandReport

__all__ = ["write_reports", "write_rows"]


def write_reports(path: Path, reports: Iterable[tuple[int, HandReport]], *, weights: bool = False) -> int:
    """Write a Parquet file with a row for each action of some hands.

    Parameters
    ----------
    path : Path
        The file.
    reports : iterable of (int, HandReport)
        Hands with their numbers. They are taken as they are needed.
    weights : bool
        Add the weights of all 1,326 holdings, as a list of float32.

    Returns
    -------
    int
        Number of rows.

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is not installed.
    OSError
        If the file cannot be written.
    """
    rows = (row for number, report in reports for row in report.rows(number, weights=weights))
    return write_rows(path, rows, weights=weights)


def write_rows(path: Path, rows: Iterable[dict[str, Any]], *, weights: bool = False) -> int:
    """Write the same, given the rows as `HandReport.rows` has them; raises as `write_reports` does."""
    return write_parquet(path, rows, {**STEP_COLUMNS, **({"weights": "weights"} if weights else {})})
