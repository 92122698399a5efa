"""Many spots for ``pokermodel solve``, solved one beside the other and shown as they come."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.words import counted
from pokermodel.cli._interrupts import aborted
from pokermodel.cli._options import Output
from pokermodel.cli._output import text_file, write_by_ending
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.executors import Executor
    from pokermodel.journal import Journal
    from pokermodel.solving import Solution
    from pokermodel.solving.many import Options, Spot

__all__ = ["Gathered", "gather_spots", "say_gathered", "solve_many"]


class Gathered(NamedTuple):
    """The solved ones of several spots, and the failures."""

    solved: list[dict[str, Any]]
    failed: list[dict[str, Any]]
    interrupted: bool


def solve_many(
    spots: Iterator[Spot],
    executor: Executor,
    options: Options,
    journal: Journal | None,
    output: Output,
    *,
    number: int | None = None,
    share: Callable[[], float | None] | None = None,
) -> None:
    """Solve spots and print them as they come, or all as one JSON object; what there is, if it is interrupted."""
    quiet = not output.as_text
    found = gather_spots(spots, executor, options, journal, quiet=quiet, number=number, share=share)
    solved, failed, _ = found
    if output.out is not None:
        lines = text_file("spots", lambda: "".join(json.dumps(each, allow_nan=False) + "\n" for each in solved))
        whole = text_file("spots", lambda: json.dumps({"spots": [*solved, *failed]}, allow_nan=False) + "\n")
        write_by_ending(output.out, {".json": whole, ".jsonl": lines})
    if output.as_json:
        click.echo(json.dumps({"spots": [*solved, *failed]}, allow_nan=False))
    say_gathered(found, journal, quiet=quiet)


def gather_spots(
    spots: Iterator[Spot],
    executor: Executor,
    options: Options,
    journal: Journal | None,
    *,
    quiet: bool,
    number: int | None = None,
    share: Callable[[], float | None] | None = None,
    more: Callable[[Solution], dict[str, Any]] | None = None,
) -> Gathered:
    """Solve spots, and print them as they come unless it is to be quiet; what there is, if it is interrupted."""
    from pokermodel.solving.many import solve_spots

    solved: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    interrupted = False
    with progress("spot", share) as shown:
        tell = None if shown is None else lambda done: shown(done, number)
        found = solve_spots(spots, executor, options, journal, tell, more)
        try:
            for entry in found:
                (failed if "error" in entry else solved).append(entry)
                if not quiet and "error" not in entry:
                    if shown is not None:
                        shown.clear()
                    click.echo(_line(entry))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            found.close()
    return Gathered(solved, failed, interrupted)


def say_gathered(found: Gathered, journal: Journal | None, *, quiet: bool) -> None:
    """Say how many spots were solved, and what is wrong with the others; ends the command if it was interrupted."""
    solved, failed, interrupted = found
    for entry in failed:
        named = entry["error"].startswith(entry["spot"])
        click.echo(entry["error"] if named else f"{entry['spot']}: {entry['error']}", err=True)
    before = sum(entry["done_before"] for entry in solved)
    words = [counted(len(solved), "spot") + " solved"]
    words += [f"{before} of them before"] if before else []
    words += [f"{counted(len(failed), 'spot')} left out"] if failed else []
    if not solved and not interrupted:
        raise click.ClickException("no spot was solved" if failed else "there is no spot to solve")
    if not quiet:
        click.echo(", ".join(words) + (f", in {journal.path}" if journal is not None else ""))
    if interrupted:
        raise aborted(None if journal is None else journal.path)


def _line(entry: dict[str, Any]) -> str:
    """A result in a line."""
    first, second = entry["ev"]
    cost = f"{counted(entry['iterations'], 'iteration')}, {entry['seconds']:.1f} s"
    row = ""
    if "hand" in entry:
        acts = [each for each in entry["hand"]["acts"] if (each["frequency"] or 0) >= 0.005]
        acts.sort(key=lambda each: -each["frequency"])
        does = ", ".join(f"{_words(each)} {each['frequency']:.0%}" for each in acts)
        row = f"; {entry['hand']['holding']}: {does}"
    return f"{entry['spot']}: EV {first:.4g} and {second:.4g}, off by {entry['exploitability']:.2g}% ({cost}){row}"


def _words(act: dict[str, Any]) -> str:
    return (
        str(act["act"]) if act["to"] is None else f"{act['act']} {'to ' if act['act'] == 'raise' else ''}{act['to']:g}"
    )
