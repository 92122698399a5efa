"""``pokermodel score``: how true a model's forecasts are."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._options import WHERE, Known, Output, Work, known, output, work
from pokermodel.cli._output import open_console, text_file, write_by_ending
from pokermodel.cli._progress import progress
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.histories import Filter
    from pokermodel.scoring import Scores

__all__ = ["score"]


@click.command(cls=ListsReaders)
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@known(several=True, every=True)
@WHERE
@click.option(
    "--warmup",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of hands that are learnt first, without being scored.",
)
@click.option("--frozen", is_flag=True, help="Learn nothing from the hands that are scored.")
@work()
@output("the scores, with calibration and learning curves,", ".html", ".json")
def score(
    files: tuple[Path, ...], known: Known, which: Filter, warmup: int, frozen: bool, work: Work, output: Output
) -> None:
    """Score how well models predict acts and hidden cards.

    Hands are taken in the order in which they were played. Every action is predicted before it is seen, from public
    information alone. The log-loss is the mean of -ln p of the action that was taken, among the legal ones; uniform is
    that of equally likely actions. Bits gained compare the probability of the true holding, where it is known, with
    that in a uniform table, at the last decision of players who came to the showdown. Intervals are 95% intervals over
    hands.

    Several models have commas between them; 'all' scores every one. A hand is learnt after it is scored. Hands that
    --where leaves out are learnt, and not scored. The book is never written.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. Ctrl-C ends the walk and shows what there is.
    """
    from pokermodel.reading import reader_kinds
    from pokermodel.scoring import score as walk

    names = list(reader_kinds()) if known.model == "all" else known.model.split(",")
    executor = work.executor()
    errors: list[ValueError] = []
    reading = HandReading(errors, files)
    with progress("hand", reading.share) as shown:
        found = walk(
            chain.from_iterable(map(reading.hands, files)),
            names,
            book=known.open_book(),
            warmup=warmup,
            frozen=frozen,
            which=which or None,
            progress=shown,
            executor=executor,
        )
    found.skipped += [error for error in errors if not isinstance(error, HistoryError) or error.line is not None]
    report, skipped = reading.report(), Skipped()
    for error in found.skipped:
        skipped.append(error)
    if not found.hands and not found.interrupted:
        raise click.ClickException(_nothing(found, reading))
    say_left_out(report, skipped)
    figures = found.to_dict() | {"reasons": skipped.to_list(), "files": report.to_dict()["files"]}
    if len(names) == 1:
        figures.update(figures.pop("models")[0])
    if output.as_json:
        click.echo(json.dumps(figures, allow_nan=False))
    elif output.as_text:
        from pokermodel.report.scores import print_scores

        print_scores(found, open_console())
    if output.out is not None:
        from pokermodel.report.results import score_page

        text = text_file("scores", lambda: json.dumps(figures, allow_nan=False) + "\n")
        write_by_ending(output.out, {".html": text_file("page", lambda: score_page(found)), ".json": text})
    if found.interrupted:
        raise click.Abort


def _nothing(found: Scores, reading: HandReading) -> str:
    """Why there is no hand to score."""
    if found.learnt:
        return f"no hand to score: {found.learnt:,} were read, all of them within --warmup"
    if found.passed:
        return f"no hand to score: {found.passed:,} were read, none of them selected"
    return f"no hand could be read: {reading.refused or next(iter(found.skipped), reading.report())}"
