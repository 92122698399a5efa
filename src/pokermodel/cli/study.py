"""``pokermodel study``: what every decision of a player was worth, the worst first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._interrupts import goes_on_from
from pokermodel.cli._options import (
    HERO,
    RESUME,
    WHERE,
    Known,
    Output,
    Work,
    known,
    output,
    refuse,
    seed,
    subject,
    together,
    work,
)
from pokermodel.cli._output import text_file, write_by_ending
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.analysis.book_verdicts import Stamp
    from pokermodel.analysis.study import Study
    from pokermodel.histories import Filter

__all__ = ["study"]


class _How(NamedTuple):
    """How decisions are judged, and how many are explained."""

    fast: bool
    worst: int
    seed: int


@click.command()
@click.argument("files", nargs=-1, type=HistoryPath(), metavar="[FILE...]")
@HERO
@known()
@WHERE
@together(
    "how",
    _How,
    click.option(
        "--fast",
        is_flag=True,
        help="Play turns out, too, with few sizes and fewer deals: some tenths of a second a decision, with larger "
        "errors.",
    ),
    click.option("--worst", type=click.IntRange(min=1), default=10, show_default=True, help="How many are explained."),
    seed(0),
)
@work()
@RESUME
@output("every decision, or a page", ".html", ".csv", ".parquet", ".json")
def study(
    files: tuple[Path, ...],
    hero: str | None,
    known: Known,
    which: Filter,
    how: _How,
    work: Work,
    resume: Path | None,
    output: Output,
) -> None:
    """Study a session: what every decision was worth, and what mistakes cost, the costliest first.

    Each FILE is a hand history, or a folder or an archive of them, as for `pokermodel read`. Every legal action of
    every decision of the hero gets its EV, by the best method that fits: exactly where betting is over, by a
    solution where two players are left after the flop, and by play-outs otherwise. The verdict on the action that was
    made is right, mistake, probably a mistake, cannot tell, or not judged.

    Each hand is judged by what was known of the players when its session began, from the hands that were played before.
    With --book it is judged by what the book knows today.

    With --book and no FILE the hands of the book are studied. The book keeps the verdicts: a second run takes seconds,
    and a new session costs only its own hands.

    The cost of mistakes stands beside the result and the all-in EV, which separates skill from luck. In tournaments EV
    is in chips; prizes do not enter.
    """
    from pokermodel.analysis.book_verdicts import Stamp

    hero = subject(hero, which)
    where = which if hero is None else which.with_hero(hero)
    stamp = Stamp(fast=how.fast, reader=known.model, seed=how.seed)
    found = _of_files(files, where, known, stamp, work, resume) if files else _of_book(where, known, stamp, work)
    _show(found, how.worst, output)


def _of_files(
    files: tuple[Path, ...], where: Filter, known: Known, stamp: Stamp, work: Work, resume: Path | None
) -> Study:
    """Study the hands of files."""
    from pokermodel.analysis.book_study import study_hands
    from pokermodel.analysis.study import HandWanted
    from pokermodel.journal import Journal

    book = known.open_book()
    options = {"hero": where.hero, "model": stamp.reader, "fast": stamp.fast, "seed": stamp.seed}
    if book is not None and stamp.reader != "adaptive":
        options["book"] = book.digest()
    journal = None if resume is None else Journal(resume, "study", options)
    skipped = Skipped()
    reading = HandReading(skipped, files)
    hands = (HandWanted(str(path), *each) for path in files for each in reading.numbered(path))
    with goes_on_from(resume), progress("decision") as shown:
        found = study_hands(
            *(hands, where),
            executor=work.executor(),
            stamp=stamp,
            known=book,
            skipped=skipped,
            journal=journal,
            progress=shown,
        )
    say_left_out(reading.report(), skipped)
    if not found.hands:
        why = reading.refused or f"no hand fits {str(where)!r}, or none has a hero"
        raise click.ClickException(f"nothing to study: {why}")
    return found


def _of_book(where: Filter, known: Known, stamp: Stamp, work: Work) -> Study:
    """Study the hands of a book."""
    if known.book is None:
        raise click.UsageError("Missing argument 'FILE...': expected histories, or --book with the hands of a book.")
    refuse("is for FILE", "--resume", "--seed")
    if known.model != "adaptive":
        refuse("is for FILE: a book keeps verdicts by the reader adaptive", "--model")
    from pokermodel.analysis.book_study import study_book
    from pokermodel.library import Book

    with Book(known.book, create=False) as book, progress("decision") as shown:
        found = study_book(book, str(where), executor=work.executor(), stamp=stamp, progress=shown)
    if not found.hands:
        raise click.ClickException(f"nothing to study: no hand of the book fits {str(where)!r}, or none has a hero")
    return found


def _show(found: Study, worst: int, output: Output) -> None:
    """Show a study, and write it to a file."""
    from pokermodel.report.study import study_csv, study_page, study_text

    def parquet(path: Path) -> str:
        from pokermodel._support.frames import write_parquet
        from pokermodel.analysis.study import STUDY_COLUMNS

        return counted(write_parquet(path, found.rows(), STUDY_COLUMNS), "decision")

    def text() -> str:
        return json.dumps(found.to_dict(), allow_nan=False)

    if output.out is not None:
        writers = {
            ".html": text_file("page", lambda: study_page(found, worst)),
            ".csv": text_file(counted(len(list(found.rows())), "decision"), lambda: study_csv(found)),
            ".parquet": parquet,
            ".json": text_file("study", lambda: text() + "\n"),
        }
        write_by_ending(output.out, writers)
    if output.as_json:
        click.echo(text())
    elif output.as_text:
        click.echo(study_text(found, worst))
