"""``pokermodel blueprint``: strategies for a whole game, learnt once and kept in a file."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from pokermodel.cli._interrupts import goes_on_from
from pokermodel.cli._options import JSON, RESUME, Work, seed, together, work
from pokermodel.cli._progress import progress
from pokermodel.tables.commands import LINES
from pokermodel.tables.commands._games import GAME, hands, read_game, street

if TYPE_CHECKING:
    from pokermodel.tables.blueprint import BlueprintGame

__all__ = ["blueprint"]

_BLUEPRINT = click.Path(exists=True, dir_okay=False, path_type=Path)
_STREETS = ("flop", "turn", "river")


def _game(text: str) -> BlueprintGame:
    """The game of ``--game``, of which blueprints are of two players, in limit or no limit."""
    from pokermodel.tables.blueprint import BlueprintGame

    spec = read_game(text, 2)
    if Path(text).is_file() or not (spec.structure.fixed or text.startswith("no-limit")):
        raise click.UsageError(f"--game {text}: expected limit, or no-limit with stacks, as no-limit:20")
    if spec.structure.fixed:
        if text != "limit":
            raise click.UsageError(f"--game {text}: in limit stacks cover all bets, expected limit")
        return BlueprintGame.limit()
    try:
        return BlueprintGame.no_limit(spec.stacks[0] / spec.small_bet)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@click.group(short_help=LINES["blueprint"])
def blueprint() -> None:
    """Learn strategies for a whole game, and ask how good they are."""


def _buckets(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split("/"))
    except ValueError:
        raise click.BadParameter(f"expected three numbers as 2000/1000/300, got {value!r}") from None


class _Build(NamedTuple):
    """How a blueprint is made."""

    game: str
    seed: int
    buckets: tuple[int, ...]
    rounds: int


@blueprint.command(short_help="Learn a strategy for both players.")
@together(
    "asked",
    _Build,
    GAME,
    seed(0),
    click.option(
        "--buckets",
        default="2000/1000/300",
        show_default=True,
        callback=_buckets,
        metavar="FLOP/TURN/RIVER",
        help="Numbers of different kinds of holdings.",
    ),
    click.option("--rounds", type=click.IntRange(min=1), default=400, show_default=True, help="Rounds of learning."),
)
@work()
@RESUME
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where it is written; by default where the player solver looks for it, in the user's cache.",
)
@JSON
def build(asked: _Build, work: Work, resume: Path | None, out: Path | None, as_json: bool) -> None:
    """Learn a strategy for both players, from nothing but the rules.

    The game is limit, or no limit with stacks such as no-limit:20, of two players. It takes some minutes of one
    processor; four have work. With --resume, a build that was interrupted goes on where it stopped, and so does one
    with more --rounds.
    """
    from pokermodel.tables.blueprint import Blueprint
    from pokermodel.tables.blueprint.blueprint import blueprint_path

    game = _game(asked.game)
    path = blueprint_path(game) if out is None else out
    begin = time.perf_counter()
    with goes_on_from(resume), progress("round") as shown:
        found = Blueprint.build(
            game,
            seed=asked.seed,
            buckets=asked.buckets,
            rounds=asked.rounds,
            executor=work.executor(),
            resume=resume,
            progress=shown,
        )
    found.save(path)
    size = path.stat().st_size
    name, limit = asked.game.partition(":")[0], asked.game == "limit"
    if as_json:
        figures = {
            "file": str(path),
            "game": name,
            "stack": None if limit else game.depth,
            "seed": asked.seed,
            "buckets": list(found.sizes),
            "rounds": asked.rounds,
        }
        click.echo(json.dumps({**figures, "bytes": size, "seconds": time.perf_counter() - begin}))
        return
    what = name if limit else f"{name}, {game.depth:g} big blinds"
    click.echo(f"{path}: {what}, buckets {'/'.join(map(str, found.sizes))}, {size / 1e6:.1f} MB")


class _Check(NamedTuple):
    """What is measured, and how much is drawn for it."""

    street: Literal["flop", "turn", "river"]
    subgames: int
    resolved: bool
    boards: int
    hands: int
    seed: int


@blueprint.command(short_help="Measure what a best response takes from a strategy.")
@click.argument("file", required=False, type=_BLUEPRINT)
@click.argument("other", required=False, type=_BLUEPRINT)
@GAME
@together(
    "asked",
    _Check,
    street("river"),
    click.option("--subgames", type=click.IntRange(min=2), default=200, show_default=True, help="Drawn by its play."),
    click.option("--resolved", is_flag=True, help="Solve the street again, as the player solver does."),
    click.option("--boards", type=click.IntRange(min=2), default=100, show_default=True, help="Drawn against OTHER."),
    hands(1000),
    seed(1),
)
@JSON
def check(file: Path | None, other: Path | None, game: str, asked: _Check, as_json: bool) -> None:
    """Measure what an exact best response takes from a strategy, from a street on.

    Until then both players follow FILE, by default the blueprint of the game in the user's cache. A flop needs some
    gigabytes of memory.

    With OTHER, also a blueprint of limit, the result is FILE's winnings from it, with all holdings and lines on drawn
    boards. With --resolved, it is also FILE's gain from solving turns or rivers again, in --hands drawn hands.
    """
    from pokermodel.tables.blueprint import Blueprint, exploit_from
    from pokermodel.tables.blueprint.blueprint import blueprint_path

    path = blueprint_path(_game(game)) if file is None else file
    if not path.exists():
        raise click.UsageError(f"there is no blueprint at {path}: make one with pokermodel blueprint build")
    if other is not None:
        _check_against(path, other, asked, as_json=as_json)
        return
    found = exploit_from(
        Blueprint.load(path), _STREETS.index(asked.street) + 1, asked.subgames, asked.seed, resolved=asked.resolved
    )
    if as_json:
        figures = {"file": str(path), "from": asked.street, "resolved": asked.resolved}
        click.echo(json.dumps({**figures, **found._asdict()}))
        return
    click.echo(
        f"a best response from the {asked.street} on takes {found.mean:.1f} +- {1.96 * found.standard_error:.1f} "
        f"thousandths of a big blind a hand ({found.subgames} of {found.hands} hands came there)"
    )


def _check_against(path: Path, other: Path, asked: _Check, *, as_json: bool) -> None:
    """Print what a blueprint wins from another."""
    from pokermodel.tables.blueprint import Blueprint, solved_gain, win_rate_against

    street = asked.street
    if asked.resolved and street == "flop":
        raise click.UsageError("--from flop: against OTHER a turn or a river is solved again")
    files = Blueprint.load(path), Blueprint.load(other)
    try:
        alone = win_rate_against(*files, asked.boards, asked.seed)
    except ValueError as error:
        raise click.UsageError(f"{other}: {error}") from None
    more = solved_gain(*files, _STREETS.index(street) + 1, asked.hands, asked.seed) if asked.resolved else None
    if as_json:
        gain = {} if more is None else {key: value for key, value in more._asdict().items() if value == value}
        said = {"file": str(path), "against": str(other), "alone": alone._asdict()}
        click.echo(json.dumps({**said, "from": street, "resolved": gain} if asked.resolved else said))
        return
    unit = "thousandths of a big blind a hand"
    click.echo(f"the blueprint alone wins {_interval(*alone[:2])} {unit} ({asked.boards} boards)")
    if more is None:
        return
    came = f"{more.subgames} of {more.hands} hands came there"
    click.echo(f"with each {street} solved again it wins {_interval(*more[:2])} more ({came})")
    if street == "turn":
        click.echo(f"that is {_interval(*more[2:4])} more than with each river solved again")


def _interval(mean: float, error: float) -> str:
    return f"{mean:.1f} +- {1.96 * error:.1f}"
