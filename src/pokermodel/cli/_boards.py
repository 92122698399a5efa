"""One spot on many boards for ``pokermodel solve``: solved one beside the other, and one report of all."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from pokermodel._support.words import counted
from pokermodel.cli._many import gather_spots, say_gathered
from pokermodel.cli._options import Output
from pokermodel.cli._output import text_file, to_standard_output, write_by_ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokermodel.executors import Executor
    from pokermodel.journal import Journal
    from pokermodel.solving import Solution
    from pokermodel.solving.many import Options, Spot

__all__ = ["solve_boards"]

_PAGE = "page"


def solve_boards(
    spots: Sequence[Spot], executor: Executor, options: Options, journal: Journal | None, output: Output
) -> None:
    """Solve the boards of a spot and report on them; on what there is, if it is interrupted."""
    from pokermodel.analysis.boards import BoardsReport
    from pokermodel.report.boards import boards_csv, boards_page, boards_text

    quiet = not output.as_text
    found = gather_spots(iter(spots), executor, options, journal, quiet=quiet, number=len(spots), more=_figures)
    if found.solved:
        pot = next(each.subgame.pot for each in spots if each.subgame is not None)
        report = BoardsReport.of(pot, found.solved)
        figures = json.dumps(report.to_dict(), allow_nan=False)
        if output.out is not None:

            def page(path: Path) -> str:
                folder = path.with_suffix("")
                if not to_standard_output(path):
                    _write_pages(folder, found.solved)
                there = {each["board"] for each in found.solved} if not to_standard_output(path) else set()
                named = quote(folder.name)
                return text_file(
                    "page",
                    lambda: boards_page(report, lambda board: f"{named}/{board}.html" if board in there else None),
                )(path)

            def parquet(path: Path) -> str:
                from pokermodel._support.frames import write_parquet

                texts = {"board": "string", "classes": "string", "weight": "int64"}
                schema = {name: texts.get(name, "float64") for name in report.columns}
                rows = ({name: row.get(name) for name in schema} for row in report.rows)
                return counted(write_parquet(path, rows, schema), "board")

            lines = "".join(json.dumps(row, allow_nan=False) + "\n" for row in report.rows)
            writers = {
                ".html": page,
                ".csv": text_file(counted(len(report.rows), "board"), lambda: boards_csv(report)),
                ".parquet": parquet,
                ".json": text_file("report", lambda: figures + "\n"),
                ".jsonl": text_file(counted(len(report.rows), "board"), lambda: lines),
            }
            write_by_ending(output.out, writers)
        if output.as_json:
            click.echo(figures)
        elif not quiet:
            click.echo(boards_text(report))
    say_gathered(found, journal, quiet=quiet)


def _figures(solution: Solution) -> dict[str, Any]:
    """What the report has of a solution, and its page; on a worker."""
    from pokermodel.analysis.boards import board_figures
    from pokermodel.analysis.solution import solution_report
    from pokermodel.report.solution_page import solution_page

    page = solution_page(solution_report(solution))
    return {**board_figures(solution), _PAGE: base64.b64encode(zlib.compress(page.encode("ascii"))).decode()}


def _write_pages(folder: Path, solved: Sequence[dict[str, Any]]) -> None:
    """Write the pages of all boards into a folder."""
    from pokermodel._support.files import write_bytes

    folder.mkdir(exist_ok=True)
    for entry in solved:
        write_bytes(folder / f"{entry['board']}.html", zlib.decompress(base64.b64decode(entry[_PAGE])))
