"""``pokermodel convert``: hands in another format."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.files import whole_file
from pokermodel._support.words import counted
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.histories import HandFilter

__all__ = ["convert"]

_AT_ONCE = 100  # hands


def _money(context: click.Context, parameter: click.Parameter, value: str | None) -> Fraction | None:
    if value is None:
        return None
    try:
        money = Fraction(value)
    except (ValueError, ZeroDivisionError):
        money = Fraction()
    if money <= 0:
        raise click.BadParameter(f"{value!r} is not an amount of more than 0")
    return money


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option("--to", "form", required=True, type=click.Choice(("phh", "acpc", "ohh")), help="The format to write.")
@click.option("--out", type=click.Path(path_type=Path), metavar="OUT", help="Where to; by default standard output.")
@click.option("--skip", is_flag=True, help="Leave out hands that the format cannot express, and say how many.")
@click.option("--hero", metavar="NAME", help="With --to ohh: whose history it is, for trackers.")
@click.option(
    "--stack",
    metavar="AMOUNT",
    callback=_money,
    help="With --to ohh: what players begin with whose stacks are not known, which trackers need.",
)
@with_filter
def convert(
    files: tuple[Path, ...],
    form: str,
    out: Path | None,
    skip: bool,
    hero: str | None,
    stack: Fraction | None,
    which: HandFilter,
) -> None:
    """Write hands in another format.

    phh is PHH (.phhs), which PokerKit reads; acpc a log of the ACPC dealer, with the game definition in comments; and
    ohh Open Hand History (.ohh), which trackers import.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. Options select hands; a hand has to fit all of them. A hand that the format cannot express
    is an error, unless --skip is given; OUT is then not written.
    """
    from pokermodel.histories import SourceReport, ohh, writer

    if form != "ohh" and (hero is not None or stack is not None):
        raise click.UsageError(f"--hero and --stack are for --to ohh, not for --to {form}")
    skipped, refused = Skipped(), _Refused()
    reading = HandReading(skipped, files, which)
    write = partial(ohh.write, hero=hero, stack=stack) if form == "ohh" else writer(form)
    written = 0

    def pieces() -> Iterator[bytes]:
        nonlocal written
        try:
            for text in write(refused.located(reading, files), refused if skip else None):
                written += 1
                yield text.encode()
        except ValueError as error:
            raise refused.named(error) from None

    if out is None:
        texts = pieces()
        while some := b"".join(islice(texts, _AT_ONCE)):
            click.echo(some, nl=False)
    else:
        with whole_file(out) as put:
            for piece in pieces():
                put(piece)
        of = f" of {SourceReport(reading.files).hands:,}" if which or refused.count else ""
        click.echo(f"{out}: {counted(written, 'hand')}{of}")
    report = SourceReport(reading.files)
    refused.say(form)
    say_left_out(report, skipped)
    if not report.hands:
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))


class _Refused:
    """Hands that the format cannot express, and where the current hand is."""

    def __init__(self) -> None:
        self._kinds = Skipped()
        self._where = ""

    @property
    def count(self) -> int:
        return len(self._kinds)

    def located(self, reading: HandReading, files: tuple[Path, ...]) -> Iterator[Hand]:
        """Yield the hands, and note where each is."""
        for path in files:
            for number, hand in reading.numbered(path):
                self._where = f"{path}: hand {number}"
                yield hand

    def named(self, error: ValueError) -> ValueError:
        """Return an error that says which hand it is of."""
        return ValueError(f"{self._where}: {error}")

    def append(self, error: ValueError) -> None:
        """Note a hand that is left out."""
        self._kinds.append(self.named(error))

    def say(self, form: str) -> None:
        """Say on standard error what was left out, if anything was, and why."""
        if not self.count:
            return
        click.echo(f"{counted(self.count, 'hand')} left out, which {form} cannot express:", err=True)
        for kind in self._kinds.most():
            click.echo(f"  {f'{kind.hands:,} times, first' if kind.hands > 1 else 'once'}: {kind.first}", err=True)
