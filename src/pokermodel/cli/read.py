"""``pokermodel read``: a hand step by step, and what everybody in it can hold."""

from __future__ import annotations

import json
from pathlib import Path

import click

__all__ = ["read"]


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--hand", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Which hand of FILE.")
@click.option(
    "--hero",
    metavar="NAME",
    help="A player whose cards are known: say what Loki would do where he acts, loki2 with what each act is worth.",
)
@click.option(
    "--model",
    default="loki1",
    show_default=True,
    metavar="MODEL",
    help="Who reads: loki1 (or gom) by one threshold an action, loki2 by the chance of every action with every "
    "holding, bpp by the chance with every class of holdings, learnt with the cards that were shown. som, loki2:som, "
    "loki2:contexts and bpp learn each player from the hands before, the others judge everybody alike. Options as in "
    "'loki2:som?contexts=previous&system=B'.",
)
@click.option(
    "--book",
    metavar="BOOK",
    help="What the models that learn know of the players, made by `pokermodel learn`, instead of the hands before.",
)
@click.option("--skip-damaged", is_flag=True, help="Leave out hands that cannot be read, instead of stopping there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def read(
    file: Path | None, number: int, hero: str | None, model: str, book: str | None, skip_damaged: bool, as_json: bool
) -> None:
    """Show, step by step, what every opponent in a hand can hold, and why.

    FILE is a hand history: PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or the IRC poker database (a
    folder or .tgz); or a folder or an archive of such files. Without FILE, the hand that ships with the package is
    read.
    """
    from pokermodel import example_hand, open_hands
    from pokermodel.modeling import OpponentModeler
    from pokermodel.report.hand import HandReport

    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        known = click.get_current_context().with_resource(Book(book, create=False))
    tables = None
    if known is not None and model == "bpp":
        from pokermodel.modeling import BayesTables

        tables = known.knowledge(BayesTables)
        if tables is None:
            raise click.UsageError(f"{book} has no tables of BPP: `pokermodel learn --for bpp` makes them")
    modeler = OpponentModeler(model=model, book=known, hero=hero, tables=tables)
    if known is not None and not modeler.specific:
        raise click.UsageError(
            f"model {model!r} judges everybody alike: --book is for som, loki2:som, loki2:contexts and bpp"
        )
    if file is None:
        if number != 1:
            raise click.UsageError("--hand needs a FILE: the hand that ships with the package is only one")
        hand = example_hand()
    else:
        hands = open_hands(file, strict=not skip_damaged)
        if modeler.specific and known is None:  # what the players did in the hands before this one
            for earlier, hand in enumerate(hands, 1):
                if earlier == number:
                    break
                modeler.learn(hand)
        hand = hands.hand(number)
    report = HandReport(hand, modeler, hero)
    if as_json:
        click.echo(json.dumps(report.to_dict(), allow_nan=False))
        return
    from rich.console import Console

    from pokermodel.report.terminal import print_report

    print_report(report, Console(highlight=False, soft_wrap=False))
