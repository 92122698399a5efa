"""A spot on many boards as text, as comma-separated values, and as a page that sorts and filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pokermodel._support.words import counted
from pokermodel.analysis.boards import BoardsReport
from pokermodel.report.document import asset, document

__all__ = ["boards_csv", "boards_page", "boards_text"]


def boards_text(report: BoardsReport) -> str:
    """The report for the terminal: means of all boards and of classes of flops, then each board."""
    heads, cells = _columns(report)
    lines = [_about(report), ""]
    means = [(row["name"], counted(row["boards"], "board"), *cells(row)) for row in [report.whole(), *report.classes()]]
    lines += _table([("flops", "", *heads), *means])
    boards = [(row["board"], f"{row['weight']:,}", *cells(row)) for row in report.rows]
    return "\n".join([*lines, "", *_table([("board", "weight", *heads), *boards])])


def boards_csv(report: BoardsReport) -> str:
    """Each board as comma-separated values."""
    from pokermodel._support.spreadsheets import csv_text

    return csv_text(report.columns, ([row.get(name) for name in report.columns] for row in report.rows))


def boards_page(report: BoardsReport, address: Callable[[str], str | None]) -> str:
    """The report as a page, a whole HTML file in ASCII, whose rows sort and are filtered by words.

    Parameters
    ----------
    address : callable
        Where the solution of a board is, given its text; None where there is none.
    """
    heads, cells = _columns(report)
    return document(
        "boards",
        title=f"{counted(len(report.rows), 'board')}, solved",
        script=asset("boards.js"),
        style=asset("boards.css"),
        about=_about(report),
        heads=heads,
        means=[(row["name"], row["boards"], cells(row)) for row in [report.whole(), *report.classes()]],
        rows=[
            (row["board"], address(row["board"]), row["classes"], f"{row['weight']:,}", cells(row))
            for row in report.rows
        ],
    )


def _about(report: BoardsReport) -> str:
    worst = max(row["exploitability"] for row in report.rows)
    number = counted(len(report.rows), "board")
    return f"{number}, pot {report.pot:g}: each is exploitable by {worst:.2g}% of the pot at most."


def _columns(report: BoardsReport) -> tuple[list[str], Callable[[Mapping[str, Any]], list[str]]]:
    """Names of the columns of figures, and what fills them, given a row."""
    forms: dict[str, tuple[str, Callable[[float], str]]] = {}
    for side in ("oop", "ip"):
        forms[f"ev_{side}"] = f"EV {side}", "{:.4g}".format
        forms[f"equity_{side}"] = f"equity {side}", "{:.1%}".format
        forms[f"realised_{side}"] = f"realised {side}", "{:.0%}".format
    forms |= {name: (name, "{:.0%}".format) for name in report.actions}

    def cells(row: Mapping[str, Any]) -> list[str]:
        return ["" if row.get(name) is None else form(row[name]) for name, (_, form) in forms.items()]

    return [head for head, _ in forms.values()], cells


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
