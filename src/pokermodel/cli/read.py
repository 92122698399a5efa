"""``pokermodel read``: a hand step by step, and what everybody in it can hold."""

from __future__ import annotations

import json
from collections import deque
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._hands import Skipped, open_source, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._output import open_console
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.histories import HandSource
    from pokermodel.reading import OpponentModeler

__all__ = ["read"]

_CORRECTING = 200  # hands before the one shown that correct it: more hardly help, and these take half a second


@click.command(cls=ListsReaders)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--hand", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Number of the hand in FILE."
)
@click.option(
    "--hero",
    metavar="NAME",
    help="A player whose cards are known: show what they should do and, with loki2, the expected value of each act.",
)
@click.option(
    "--model",
    default="loki1",
    show_default=True,
    metavar="MODEL",
    shell_complete=complete_names(ListsReaders.kinds),
    help="The model that infers the ranges, perhaps with options, as in 'loki2:som?contexts=previous&system=B'. "
    "Models are listed below.",
)
@click.option(
    "--book",
    metavar="BOOK",
    shell_complete=complete_book,
    help="A book made by `pokermodel learn`, which models that learn start from. Without it, they learn from the "
    "earlier hands of FILE.",
)
@click.option(
    "--skip-damaged", is_flag=True, help="Skip hands that cannot be read, instead of stopping at the first one."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--weights", is_flag=True, help="With --json, add the weights of all 1,326 holdings to every step.")
def read(
    file: Path | None,
    number: int,
    hero: str | None,
    model: str,
    book: str | None,
    skip_damaged: bool,
    as_json: bool,
    weights: bool,
) -> None:
    """Show, step by step, what every opponent in a hand can hold, and why.

    FILE is a hand history: PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or the IRC poker database (a
    folder or .tgz); or a folder or an archive of such files. Without FILE, the hand that ships with the package is
    read.

    The tables of Loki's models are too sure as they are. They are corrected by the outcome of earlier hands of FILE;
    the heading says whether, and 'loki2?calibrated=0' leaves the correction out.
    """
    from pokermodel import example_hand
    from pokermodel.reading import OpponentModeler, read_reader
    from pokermodel.report.hand import HandReport

    if weights and not as_json:
        raise click.UsageError("--weights needs --json")
    kind, _ = read_reader(model)
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        if not kind.needs:
            raise click.UsageError(f"model {model!r} judges everybody alike: --book is for {_learners()}")
        known = click.get_current_context().with_resource(Book(book, create=False))
        for need in kind.knowledge:
            if known.knowledge(need) is None:
                raise click.UsageError(
                    f"{book} has nothing for model {kind.name!r}: `pokermodel learn --for {need.kind}` adds it"
                )
    session = OpponentModeler(model, known, hero, calibrated=kind.corrected)
    if file is None:
        if number != 1:
            raise click.UsageError("--hand needs a FILE: the hand that ships with the package is only one")
        hand = example_hand()
        source = None
    else:
        source = open_source(file, strict=not skip_damaged)
        try:
            hand = _learn_up_to(source, number, session, players=bool(kind.needs) and known is None)
        except HistoryError as error:
            what = f"{error.reason} (--skip-damaged leaves out what cannot be read)"
            raise HistoryError(what, error.path, error.line, error.hand) from None
        except ValueError:  # there is no such hand among those that can be read
            _say_left_out(source)
            raise
        _say_left_out(source)
    report = HandReport(hand, session, hero)
    if as_json:
        click.echo(json.dumps(report.to_dict(weights=weights) | _read_so_far(source), allow_nan=False))
        return
    from pokermodel.report.terminal import print_report

    print_report(report, open_console())


def _learn_up_to(source: HandSource, number: int, session: OpponentModeler, *, players: bool) -> Hand:
    """Return a hand, after learning from those before it: what the players do in all of them, if wanted.

    The latest of them also correct the session, if it can be corrected.
    """
    if not players:  # few hands before it matter, or none
        hands = [] if session.calibration is None else source[max(0, number - 1 - _CORRECTING) : number]
        if len(hands) != min(number, _CORRECTING + 1):
            return source.hand(number)  # or an error: there is none
        for earlier in hands[:-1]:
            session.calibrate(earlier)
        return hands[-1]
    count = 0
    latest: deque[Hand] = deque()
    for count, hand in enumerate(islice(source, number), 1):  # noqa: B007
        latest.append(hand)
        if len(latest) > _CORRECTING + 1:
            earlier = latest.popleft()
            if players:
                session.learn(earlier, calibrate=False)
    if count < number:
        return source.hand(number)  # raises the error
    shown = latest.pop()
    for earlier in latest:
        decisions = list(earlier.replay())
        if session.calibration is not None:
            session.calibrate(earlier, decisions)
        if players:
            session.learn(earlier, decisions, calibrate=False)
    return shown


def _say_left_out(source: HandSource) -> None:
    """Say on standard error what was left out up to the hand that is shown."""
    skipped = Skipped()
    for error in source.skipped:
        skipped.append(error)
    say_left_out(source.report(), skipped)


def _read_so_far(source: HandSource | None) -> dict[str, Any]:
    """What became of every file, as JSON has it."""
    return {} if source is None else {key: value for key, value in source.report().to_dict().items() if key != "hands"}


def _learners() -> str:
    """Readers that start from what is known of players."""
    from pokermodel.reading import reader_kinds

    return ", ".join(kind.name for kind in reader_kinds().values() if kind.needs)
