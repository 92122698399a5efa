"""``pokermodel tournament``: players against each other on duplicate deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from pokermodel.cli._completion import complete_names
from pokermodel.cli._interrupts import aborted, resume_option
from pokermodel.cli._pages import page_option, write_page
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor
from pokermodel.tables.commands._games import game_option, read_game
from pokermodel.tables.commands._listings import ListsPlayers

if TYPE_CHECKING:
    from pokermodel.tables.arena import TournamentResult

__all__ = ["tournament"]


@click.command(cls=ListsPlayers)
@click.option(
    "--players",
    required=True,
    metavar="A,B,...",
    shell_complete=complete_names(ListsPlayers.kinds, several=True),
    help="Players, separated by commas, as in loki1*2,bpm*8.",
)
@click.option(
    "--deals", required=True, type=click.IntRange(min=1), help="Number of deals; each is played once per player."
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed that makes it repeatable; by default that of --resume, or random."
)
@game_option
@jobs_option("Number of processes.")
@cluster_option
@click.option(
    "--block",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of deals after which players that learn start anew.",
)
@resume_option
@click.option(
    "--export", type=click.Path(path_type=Path, file_okay=False), help="Folder to which all hands are written as PHH."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Most seconds for a decision.",
)
@click.option(
    "--variance",
    type=click.Choice(["duplicate", "aivat"]),
    default="duplicate",
    show_default=True,
    help="What the result of a game is: what was won, or that without the luck that is known (AIVAT).",
)
@page_option("the result, with winnings over the deals,")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def tournament(
    players: str,
    deals: int,
    seed: int | None,
    game: str,
    jobs: int,
    cluster: str | None,
    block: int,
    resume: Path | None,
    export: Path | None,
    time_limit: float,
    variance: Literal["duplicate", "aivat"],
    html: Path | None,
    as_json: bool,
) -> None:
    """Play a duplicate tournament of hold'em.

    Results are small bets per game (big blinds where bets have sizes), with 95 % intervals over deals. Every deal is
    played as often as there are players, in another seating each time, so that everybody holds every hand once.

    A player is a name, perhaps with copies (bpm*8) and options (loki1?tightness=tight&showdown_odds=0). Players are
    listed below.

    With --resume, a tournament that was interrupted goes on where it stopped. A player that fails ends the tournament:
    finished deals are shown, and the hand is written as PHH to the folder of --export or of --resume, or to the current
    folder.
    """
    from pokermodel.tables.arena import tournament as play
    from pokermodel.tables.players import parse_players

    spec = read_game(game, len(parse_players(players)))
    with progress("deal") as shown:
        if shown is not None:
            shown(0, deals)
        result = play(
            players,
            deals,
            seed=seed,
            spec=spec,
            jobs=jobs,
            executor=None if cluster is None else open_executor(jobs, cluster),
            block=block,
            resume=resume,
            export=export,
            time_limit=time_limit,
            on_failure="stop",
            progress=shown,
            variance=variance,
        )
    if as_json:
        click.echo(json.dumps(result.to_dict(), allow_nan=False))
    else:
        _print(result)
    if html is not None:
        from pokermodel.tables.report.tournament_page import tournament_page

        write_page(html, tournament_page(result), as_json)
    if result.failure is not None:
        folder = export or (resume.parent if resume else Path())
        path = folder / f"failed-{result.failure.hand_id}.phh"
        if export is None:
            from pokermodel._support.files import write_text
            from pokermodel._support.words import error_words

            try:
                write_text(path, result.failure.to_phh())
            except OSError as error:
                raise click.ClickException(
                    f"{result.failure} (the hand could not be kept: {error_words(error)})"
                ) from None
        raise click.ClickException(f"{result.failure} (the hand is in {path})")
    if result.interrupted:
        raise aborted(resume)


def _print(result: TournamentResult) -> None:
    from pokermodel.tables.report.standings import played_words, standings

    click.echo(played_words(result))
    if not result.deals:
        return
    width = max(map(len, result.names)) + 6
    click.echo(f"{'':{width}}  {result.unit}/game  95 % interval        sd/game")
    for label, mean, _, interval, deviation in standings(result).rows:
        click.echo(f"{label:{width}}  {mean}  {interval:<20} {deviation:>7}")
