"""``pokermodel study``: what every decision of a player was worth, the worst first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_book
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._interrupts import goes_on_from, resume_option
from pokermodel.cli._output import raw_option, write_csv
from pokermodel.cli._pages import page_option, write_page
from pokermodel.cli._prior import with_prior
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.analysis.study import HandWanted, Study
    from pokermodel.histories import HandFilter

__all__ = ["study"]


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--hero",
    metavar="NAME",
    help="Whose decisions are studied. Default: whom each hand names as the player whose history it is.",
)
@click.option(
    "--book",
    metavar="BOOK",
    shell_complete=complete_book,
    help="A book made by `pokermodel learn`: what is known of players. It is only read. Without it, they are learnt "
    "from the hands of FILE before each.",
)
@with_prior
@click.option(
    "--fast",
    is_flag=True,
    help="Solve flops and turns with few sizes and samples of ranges and cards, and play fewer deals out: some tenths "
    "of a second a decision, with larger errors.",
)
@click.option(
    "--solve",
    "solve_from",
    type=click.Choice(["flop", "turn", "river"]),
    help="The street from which on hands of two players are solved; by default the turn, with --fast the flop. Without "
    "it a flop takes minutes and gigabytes.",
)
@click.option("--worst", type=click.IntRange(min=1), default=10, show_default=True, help="How many are explained.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of play-outs: the same one gives the same result."
)
@resume_option
@jobs_option("Number of processes that share the hands out.")
@cluster_option
@page_option("the study")
@click.option(
    "--csv",
    "csv",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write every decision to a file, as comma-separated values; - for standard output.",
)
@raw_option
@click.option(
    "--parquet",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False),
    help='Write every decision to a Parquet file; needs pip install "pokermodel[parquet]".',
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text, with every decision.")
@with_filter
def study(
    files: tuple[Path, ...],
    hero: str | None,
    book: str | None,
    prior: Path | None,
    fast: bool,
    solve_from: str | None,
    worst: int,
    seed: int,
    resume: Path | None,
    jobs: int,
    cluster: str | None,
    html: Path | None,
    csv: Path | None,
    raw: bool,
    parquet: Path | None,
    as_json: bool,
    which: HandFilter,
) -> None:
    """Study a session: what every decision was worth, and what errors cost, the worst first.

    Each FILE is a hand history, or a folder or an archive of them, as for `pokermodel read`. Every legal act of every
    decision of the hero gets its EV, by the best method that fits: exactly where nobody can bet any more, by a
    solution where two players are left after the flop, and by play-outs else. Each has an error, and a difference that
    is not above it is too close to call.

    What decisions lost stands beside the result and the all-in EV, so that luck and skill are told apart. In
    tournaments EV is in chips; prizes do not enter.
    """
    from pokermodel.analysis.study import STUDY_COLUMNS, HandWanted, Study, study_hands
    from pokermodel.journal import Journal
    from pokermodel.reading import OpponentModeler
    from pokermodel.worth.verdict import VerdictAdviser

    if as_json and csv is not None and str(csv) == "-":
        raise click.UsageError("--json and --csv - both write to standard output")
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        known = click.get_current_context().with_resource(Book(book, create=False))
    street = solve_from or ("flop" if fast else "turn")
    adviser = VerdictAdviser(street, fast=fast)
    options: dict[str, Any] = {} if prior is None else {"prior": prior}
    session = OpponentModeler("adaptive", known, hero, **options)
    executor = open_executor(jobs, cluster)
    errors: list[ValueError] = []
    reading = HandReading(errors, files)
    left_out = 0

    def hands() -> Iterator[HandWanted]:
        nonlocal left_out
        for path in files:
            for number, hand in reading.numbered(path):
                meant = which(hand)  # players are learnt from the others, too
                left_out += not meant
                yield HandWanted(str(path), number, hand, meant)

    settings = {"hero": hero, "solve": street, "fast": fast, "seed": seed}
    journal = None if resume is None else Journal(resume, "study", settings)
    found = Study()
    decisions = 0
    with goes_on_from(resume), progress("decision", reading.share) as shown:
        blocks = study_hands(
            hands(),
            session,
            hero,
            executor,
            adviser=adviser,
            learning=known is None,
            seed=seed,
            journal=journal,
        )
        for block in blocks:
            found.add(block)
            decisions += sum(len(hand.decisions) for hand in block)
            if shown is not None:
                shown(decisions)
    _say(reading, errors)
    if not found.hands:
        who = "no hand names a hero: expected --hero NAME" if hero is None else f"{hero!r} plays in none of the hands"
        if left_out:
            who = f"{who} that the options select; {counted(left_out, 'hand')} not selected"
        raise click.ClickException(f"nothing to study: {reading.refused or who}")
    if parquet is not None:
        from pokermodel._support.frames import write_parquet

        rows = write_parquet(parquet, found.rows(), STUDY_COLUMNS)
        if not as_json:
            click.echo(f"{counted(rows, 'decision')} written to {parquet}")
    _show(found, worst, csv, raw, as_json=as_json)
    if html is not None:
        from pokermodel.report.study import study_page

        write_page(html, study_page(found, worst), as_json or str(csv) == "-")


def _show(found: Study, worst: int, csv: Path | None, raw: bool, *, as_json: bool) -> None:
    from pokermodel.report.study import study_csv, study_text

    if csv is not None:
        write_csv(csv, study_csv(found, raw=raw))
    if as_json:
        click.echo(json.dumps(found.to_dict(), allow_nan=False))
    elif str(csv) != "-":
        click.echo(study_text(found, worst))


def _say(reading: HandReading, errors: list[ValueError]) -> None:
    from pokermodel.histories import SourceReport

    skipped = Skipped()
    for error in errors:
        if not isinstance(error, HistoryError) or error.line is not None:
            skipped.append(error)
    say_left_out(SourceReport(reading.files), skipped)
