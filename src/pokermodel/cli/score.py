"""``pokermodel score``: how true a model's forecasts are."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._output import open_console
from pokermodel.cli._pages import page_option, write_page
from pokermodel.cli._prior import with_prior
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.histories import HandFilter

__all__ = ["score"]


@click.command(cls=ListsReaders)
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--model",
    "models",
    default="adaptive",
    show_default=True,
    metavar="M,M,...",
    shell_complete=complete_names(lambda: [*ListsReaders.kinds(), "all"], several=True),
    help="Models to score, separated by commas, perhaps with options, as in 'som?calibrated=0'; 'all' scores every "
    "model. Models are listed below.",
)
@click.option(
    "--book",
    metavar="BOOK",
    shell_complete=complete_book,
    help="A book made by `pokermodel learn`, which models start from.",
)
@with_prior
@click.option(
    "--warmup",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of hands that are learnt first, without being scored.",
)
@click.option("--frozen", is_flag=True, help="Learn nothing from the hands that are scored.")
@jobs_option("Number of processes; models are scored beside each other, and with --frozen hands, too.")
@cluster_option
@page_option("the scores, with calibration and learning curves,")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@with_filter
def score(
    files: tuple[Path, ...],
    models: str,
    book: str | None,
    prior: Path | None,
    warmup: int,
    frozen: bool,
    jobs: int,
    cluster: str | None,
    html: Path | None,
    as_json: bool,
    which: HandFilter,
) -> None:
    """Score how well models predict acts and hidden cards.

    Hands are taken in the order in which they were played. Every act is predicted before it is seen, from public
    information alone. The log-loss is the mean of -ln p of the act that was done, among the legal acts; uniform is
    that of equally likely acts. Bits gained compare the probability of the true holding, where it is known, with that
    in a uniform table, at the last decision of players who came to the showdown. Intervals are 95 % intervals over
    hands.

    A hand is learnt after it is scored. Hands that options do not select are learnt, and not scored. The book is never
    written.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. Ctrl-C ends the walk and shows what there is.
    """
    from pokermodel.histories import SourceReport
    from pokermodel.reading import reader_kinds
    from pokermodel.scoring import score as walk

    names = list(reader_kinds()) if models == "all" else models.split(",")
    executor = open_executor(jobs, cluster)
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        known = click.get_current_context().with_resource(Book(book, create=False))
    errors: list[ValueError] = []
    reading = HandReading(errors, files)
    with progress("hand", reading.share) as shown:
        found = walk(
            chain.from_iterable(map(reading.hands, files)),
            names,
            book=known,
            prior=prior,
            warmup=warmup,
            frozen=frozen,
            which=which or None,
            progress=shown,
            executor=executor,
        )
    found.skipped += [error for error in errors if not isinstance(error, HistoryError) or error.line is not None]
    report, skipped = SourceReport(reading.files), Skipped()
    for error in found.skipped:
        skipped.append(error)
    if not found.hands and not found.interrupted:
        raise click.ClickException(
            f"no hand to score: {found.learnt:,} were read, all of them within --warmup"
            if found.learnt
            else f"no hand to score: {found.passed:,} were read, none of them selected"
            if found.passed
            else f"no hand could be read: {reading.refused or (found.skipped[0] if found.skipped else report)}"
        )
    say_left_out(report, skipped)
    if as_json:
        figures = found.to_dict() | {"reasons": skipped.to_list(), "files": report.to_dict()["files"]}
        if len(names) == 1:
            figures.update(figures.pop("models")[0])
        click.echo(json.dumps(figures, allow_nan=False))
    else:
        from pokermodel.report.scores import print_scores

        print_scores(found, open_console())
    if html is not None:
        from pokermodel.report.results import score_page

        write_page(html, score_page(found), as_json)
    if found.interrupted:
        raise click.Abort
