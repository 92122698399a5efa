"""What a model made of actions, as a table: a row for each action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pokermodel._frames import to_frame, write_parquet
from pokermodel.analysis.hand import HandReport
from pokermodel.histories import DECISION_COLUMNS, decision_rows

__all__ = ["STEP_COLUMNS", "step_rows", "steps_to_frame", "write_reports"]

_TYPES = {
    "int64": ("number",),
    "int32": ("index", "opponents", "bets_to_call"),
    "time": ("time",),
    "bool_": ("out_of_turn",),
    "string": ("id", "stake", "round", "board", "player", "position", "action", "holding", "model", "reason"),
}
_COLUMNS = (
    *DECISION_COLUMNS,
    *("model", "reason", "predicted_fold", "predicted_call", "predicted_raise"),
    *("entropy_bits_before", "entropy_bits", "probability", "bits_gained"),
)
#: Columns and their types, as Arrow names them.
STEP_COLUMNS = {name: next((kind for kind, names in _TYPES.items() if name in names), "float64") for name in _COLUMNS}


def step_rows(number: int, report: HandReport, *, weights: bool = False) -> Iterator[dict[str, Any]]:
    """Yield a row for each action of a hand.

    Parameters
    ----------
    number : int
        Number of the hand in its source, from 1.
    report : HandReport
        How a model reads it.
    weights : bool
        Add the weights of all 1,326 holdings after the action, by index, as ``weights``.

    Yields
    ------
    dict
        Amounts are in the money of the source. ``probability`` and ``bits_gained`` are of the true holding after the
        action, where it is known, and the predictions of the act before it.
    """
    for row, step in zip(decision_rows(number, report.hand), report.steps(), strict=True):
        seen, judged = step.observation, step.judgement
        predicted = (None,) * 3 if seen.expected is None else seen.expected.predicted.tolist()
        yield {
            **row,
            "model": report.modeler.model,
            "reason": seen.reason,
            **dict(zip(("predicted_fold", "predicted_call", "predicted_raise"), predicted, strict=True)),
            "entropy_bits_before": seen.before.entropy_bits(),
            "entropy_bits": seen.after.entropy_bits(),
            "probability": None if judged is None else judged.probability,
            "bits_gained": None if judged is None else judged.bits_gained,
            **({"weights": seen.after.values} if weights else {}),
        }


def steps_to_frame(report: HandReport, *, weights: bool = False, library: str | None = None) -> Any:
    """Return a data frame with a row for each action of a hand; parameters and errors as `HandReport.to_frame`."""
    columns = [*STEP_COLUMNS, *(["weights"] if weights else [])]
    return to_frame(step_rows(1, report, weights=weights), columns, library)


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
    rows = (row for number, report in reports for row in step_rows(number, report, weights=weights))
    return write_parquet(path, rows, {**STEP_COLUMNS, **({"weights": "weights"} if weights else {})})
