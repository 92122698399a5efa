"""``pokermodel study``: what every decision of a player was worth, the worst first."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from pokermodel.cli._output import text_file, to_standard_output, write_by_ending
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.analysis.study import HandWanted, Study
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

    With --book and no FILE the hands of the book are studied, each by what was known of the players when its session
    began. The book keeps the verdicts: a second run takes seconds, and a new session costs only its own hands.

    The cost of mistakes stands beside the result and the all-in EV, which separates skill from luck. In tournaments EV
    is in chips; prizes do not enter.
    """
    from pokermodel.analysis.study import Study, study_hands
    from pokermodel.journal import Journal
    from pokermodel.reading import OpponentModeler, read_reader
    from pokermodel.worth.verdict import VerdictAdviser

    hero = subject(hero, which)
    if not files:
        _show(_of_book(hero, known, which, how, work), how.worst, output)
        return
    book = known.open_book()
    kind, _ = read_reader(known.model)
    session = OpponentModeler(known.model, book, hero, calibrated=kind.corrected)
    executor = work.executor()
    hands = _Hands(files, which, hero)
    options = {"hero": hero, "model": known.model, "fast": how.fast, "seed": how.seed}
    journal = None if resume is None else Journal(resume, "study", options)
    found = Study()
    decisions = 0
    with goes_on_from(resume), progress("decision", hands.reading.share) as shown:
        blocks = study_hands(
            iter(hands),
            session,
            hero,
            executor,
            adviser=VerdictAdviser(fast=how.fast),
            learning=book is None,
            seed=how.seed,
            journal=journal,
        )
        for block in blocks:
            found.add(block)
            decisions += sum(len(hand.decisions) for hand in block)
            if shown is not None:
                shown(decisions)
    hands.say_left_out()
    if not found.hands:
        raise click.ClickException(f"nothing to study: {hands.nothing(hero)}")
    _show(found, how.worst, output)


def _of_book(hero: str | None, known: Known, which: Filter, how: _How, work: Work) -> Study:
    """Study the hands of a book."""
    if known.book is None:
        raise click.UsageError("Missing argument 'FILE...': expected histories, or --book with the hands of a book.")
    refuse("is for FILE", "--resume", "--seed")
    if known.model != "adaptive":
        refuse("is for FILE: a book keeps verdicts by the reader adaptive", "--model")
    from pokermodel.analysis.book_study import study_book
    from pokermodel.analysis.judged import Stamp
    from pokermodel.library import Book

    where = which if hero is None else which.with_hero(hero)
    with Book(known.book, create=False) as book, progress("decision") as shown:
        found = study_book(book, str(where), executor=work.executor(), stamp=Stamp(fast=how.fast), progress=shown)
    if not found.hands:
        raise click.ClickException(f"nothing to study: no hand of the book fits {str(where)!r}, or none has a hero")
    return found


class _Hands:
    """The hands that are read, of which those that do not fit a filter are only learnt from."""

    def __init__(self, files: tuple[Path, ...], which: Filter, hero: str | None) -> None:
        self._files, self._which, self._hero = files, which, hero
        self._skipped = Skipped()
        self.reading = HandReading(self._skipped, files)
        self._left_out = 0

    def __iter__(self) -> Iterator[HandWanted]:
        from pokermodel.analysis.study import HandWanted

        for path in self._files:
            for number, hand in self.reading.numbered(path):
                meant = self._which(hand, self._hero)
                self._left_out += not meant
                yield HandWanted(str(path), number, hand, meant)

    def say_left_out(self) -> None:
        """Say on standard error what could not be read."""
        say_left_out(self.reading.report(), self._skipped)

    def nothing(self, hero: str | None) -> str:
        """Why there is no decision."""
        if self.reading.refused:
            return str(self.reading.refused)
        who = "no hand names a hero: expected --hero NAME" if hero is None else f"{hero!r} plays in none of the hands"
        return f"{who} that fit --where; {counted(self._left_out, 'hand')} not selected" if self._left_out else who


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
    elif not to_standard_output(output.out):
        click.echo(study_text(found, worst))
