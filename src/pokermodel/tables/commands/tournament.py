"""``pokermodel tournament``: players against each other on duplicate deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from pokermodel.cli._interrupts import aborted
from pokermodel.cli._options import RESUME, Output, Work, output, seed, together, work
from pokermodel.cli._output import text_file, to_standard_output, write_by_ending
from pokermodel.cli._progress import progress
from pokermodel.tables.commands import LINES
from pokermodel.tables.commands._games import GAME, deals, players, read_game, show_notices
from pokermodel.tables.commands._listings import ListsPlayers

if TYPE_CHECKING:
    from pokermodel.tables.arena import TournamentResult
    from pokermodel.tables.arena.hand import Failure

__all__ = ["tournament"]


class _Deals(NamedTuple):
    """How much is played, and how."""

    deals: int
    seed: int | None
    game: str
    block: int
    time_limit: float
    variance: Literal["duplicate", "aivat"]


@click.command(cls=ListsPlayers, short_help=LINES["tournament"])
@players(required=True)
@together(
    "asked",
    _Deals,
    deals(required=True),
    seed(),
    GAME,
    click.option(
        "--block",
        type=click.IntRange(min=1),
        default=100,
        show_default=True,
        help="Number of deals after which players that learn start anew.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=60.0,
        show_default=True,
        help="Most seconds for a decision.",
    ),
    click.option(
        "--variance",
        type=click.Choice(["duplicate", "aivat"]),
        default="duplicate",
        show_default=True,
        help="What the result of a game is: what was won, or that without the luck that is known (AIVAT).",
    ),
)
@work()
@RESUME
@click.option(
    "--export", type=click.Path(path_type=Path, file_okay=False), help="Folder to which all hands are written as PHH."
)
@output("the result, with winnings over the deals,", ".html", ".json")
def tournament(
    players: str, asked: _Deals, work: Work, resume: Path | None, export: Path | None, output: Output
) -> None:
    """Play a duplicate tournament of hold'em.

    Results are small bets per game (big blinds where bets have sizes), with 95% intervals over deals. Every deal is
    played as often as there are players, in another seating each time, so that everybody holds every hand once.

    A player is a name, perhaps with copies (bpm*8) and options (loki1?tightness=tight&showdown_odds=0). Players are
    listed below.

    With --resume, a tournament that was interrupted continues where it stopped. A player that fails ends the
    tournament: finished deals are shown, and the hand is written as PHH to the folder of --export or of --resume, or to
    the current folder.
    """
    from pokermodel.tables.arena import tournament as play
    from pokermodel.tables.players import make_player, parse_players

    if not asked.deals:
        raise click.UsageError("--deals 0: expected 1 or more")
    seated = parse_players(players)
    spec = read_game(asked.game, len(seated))
    show_notices(spec, {text: make_player(text) for text in seated})
    with progress("deal") as shown:
        if shown is not None:
            shown(0, asked.deals)
        result = play(
            players,
            asked.deals,
            seed=asked.seed,
            spec=spec,
            jobs=work.jobs or 1,
            executor=work.remote(),
            block=asked.block,
            resume=resume,
            export=export,
            time_limit=asked.time_limit,
            on_failure="stop",
            progress=shown,
            variance=asked.variance,
        )
    _show(result, output)
    if result.failure is not None:
        raise click.ClickException(_failed(result.failure, resume, export))
    if result.interrupted:
        raise aborted(resume)


def _show(result: TournamentResult, output: Output) -> None:
    """Show a result, and write it to a file."""

    def text() -> str:
        return json.dumps(result.to_dict(), allow_nan=False)

    if output.as_json:
        click.echo(text())
    elif not to_standard_output(output.out):
        _print(result)
    if output.out is not None:
        from pokermodel.tables.report.tournament_page import tournament_page

        page = text_file("page", lambda: tournament_page(result))
        write_by_ending(output.out, {".html": page, ".json": text_file("result", lambda: text() + "\n")})


def _failed(failure: Failure, resume: Path | None, export: Path | None) -> str:
    """Keep the hand in which a player failed; return what is said of it."""
    from pokermodel._support.files import write_text
    from pokermodel._support.words import error_words

    folder = export or (resume.parent if resume else Path())
    path = folder / f"failed-{failure.hand_id}.phh"
    if export is None:
        try:
            write_text(path, failure.to_phh())
        except OSError as error:
            return f"{failure} (the hand could not be kept: {error_words(error)})"
    return f"{failure} (the hand is in {path})"


def _print(result: TournamentResult) -> None:
    from pokermodel.tables.report.standings import played_words, standings

    click.echo(played_words(result))
    if not result.deals:
        return
    width = max(map(len, result.names)) + 6
    click.echo(f"{'':{width}}  {result.unit}/game  95% interval         sd/game")
    for label, mean, _, interval, deviation in standings(result).rows:
        click.echo(f"{label:{width}}  {mean}  {interval:<20} {deviation:>7}")
