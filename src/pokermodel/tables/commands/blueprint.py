"""``pokermodel blueprint``: strategies for a whole game, learnt once and kept in a file."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel.cli._interrupts import goes_on_from
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor

if TYPE_CHECKING:
    from pokermodel.tables.blueprint import BlueprintGame

__all__ = ["blueprint"]


_STACK = 100  # big blinds
_game_option = click.option(
    "--game",
    type=click.Choice(["limit", "no-limit"]),
    default="limit",
    show_default=True,
    help="Heads-up limit or no limit.",
)


def _big_blinds(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    try:
        return None if value is None else float(value.removesuffix("bb"))
    except ValueError:
        raise click.BadParameter(f"expected big blinds as 100bb, got {value!r}") from None


_stack_option = click.option(
    "--stack",
    callback=_big_blinds,
    metavar="BB",
    help=f"Stacks of no limit in big blinds, as 20bb; by default {_STACK}bb.",
)


def _game(game: str, stack: float | None) -> BlueprintGame:
    from pokermodel.tables.blueprint import BlueprintGame

    if game == "limit":
        if stack is not None:
            raise click.UsageError("--stack is for --game no-limit: in limit stacks cover all bets")
        return BlueprintGame.limit()
    try:
        return BlueprintGame.no_limit(_STACK if stack is None else stack)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@click.group()
def blueprint() -> None:
    """Learn strategies for a whole game, and ask how good they are."""


def _buckets(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split("/"))
    except ValueError:
        raise click.BadParameter(f"expected three numbers as 2000/1000/100, got {value!r}") from None


@blueprint.command()
@_game_option
@_stack_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where it is written; by default where the player solver looks for it, in the user's cache.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same bytes.")
@click.option(
    "--buckets",
    default="2000/1000/100",
    show_default=True,
    callback=_buckets,
    metavar="FLOP/TURN/RIVER",
    help="How many kinds of holdings are told apart.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=300, show_default=True, help="Rounds of learning.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@jobs_option("Number of processes, of which four have work.")
@cluster_option
def build(
    game: str, stack: float | None, out: Path | None, seed: int, buckets: tuple[int, ...], rounds: int, as_json: bool,
    jobs: int, cluster: str | None,
) -> None:  # fmt: skip
    """Learn a strategy for both players, from nothing but the rules.

    It takes some minutes of one processor. What was learnt is kept beside the file every few rounds, and the same
    command goes on from there after an interruption. More --rounds than before begin anew.
    """
    from pokermodel.tables.blueprint import Blueprint
    from pokermodel.tables.blueprint.blueprint import blueprint_path

    asked = _game(game, stack)
    path = blueprint_path(asked) if out is None else out
    checkpoint = path.with_name(path.name + ".part")
    begin = time.perf_counter()
    executor = open_executor(jobs, cluster)
    with goes_on_from(checkpoint), progress("round") as shown:
        found = Blueprint.build(
            asked,
            seed=seed,
            buckets=buckets,
            rounds=rounds,
            flops=1,
            executor=executor,
            checkpoint=checkpoint,
            progress=shown,
        )
    found.save(path)
    size = path.stat().st_size
    if as_json:
        figures = {
            "file": str(path),
            "game": game,
            "stack": None if game == "limit" else asked.depth,
            "seed": seed,
            "buckets": list(found.sizes),
            "rounds": rounds,
        }
        click.echo(json.dumps({**figures, "bytes": size, "seconds": time.perf_counter() - begin}))
        return
    what = game if game == "limit" else f"{game}, {asked.depth:g} big blinds"
    click.echo(f"{path}: {what}, buckets {'/'.join(map(str, found.sizes))}, {size / 1e6:.1f} MB")


@blueprint.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_game_option
@_stack_option
@click.option(
    "--from", "street", type=click.Choice(["flop", "turn", "river"]), default="river", show_default=True,
    help="The street on which the best response begins.",
)  # fmt: skip
@click.option("--subgames", type=click.IntRange(min=2), default=200, show_default=True, help="Drawn by its play.")
@click.option("--resolved", is_flag=True, help="Solve the street again, as the player solver does.")
@click.option(
    "--against", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another blueprint of limit: measure what is won from it, instead of a best response.",
)  # fmt: skip
@click.option("--boards", type=click.IntRange(min=2), default=100, show_default=True, help="Drawn with --against.")
@click.option(
    "--hands", type=click.IntRange(min=2), default=1000, show_default=True, help="Drawn with --against and --resolved."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of what is drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def check(
    file: Path | None, game: str, stack: float | None, street: str, subgames: int, resolved: bool,
    against: Path | None, boards: int, hands: int, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Measure what an exact best response takes from a strategy, from a street on.

    Until then both players keep to FILE, by default the blueprint of the game in the user's cache. A flop needs some
    gigabytes of memory.

    With --against it is what FILE wins from another blueprint, all holdings and lines on drawn boards; with --resolved
    as well, what it wins more if it solves turns or rivers again.
    """
    from pokermodel.tables.blueprint import Blueprint, exploit_from
    from pokermodel.tables.blueprint.blueprint import blueprint_path

    path = blueprint_path(_game(game, stack)) if file is None else file
    if not path.exists():
        raise click.UsageError(f"there is no blueprint at {path}: make one with pokermodel blueprint build")
    if against is not None:
        _check_against(path, against, street, resolved, boards, hands, seed, as_json)
        return
    found = exploit_from(
        Blueprint.load(path), ("flop", "turn", "river").index(street) + 1, subgames, seed, resolved=resolved
    )
    if as_json:
        click.echo(json.dumps({"file": str(path), "from": street, "resolved": resolved, **found._asdict()}))
        return
    click.echo(
        f"a best response from the {street} on takes {found.mean:.1f} +- {1.96 * found.standard_error:.1f} "
        f"thousandths of a big blind a hand ({found.subgames} of {found.hands} hands came there)"
    )


def _check_against(
    path: Path, other: Path, street: str, resolved: bool, boards: int, hands: int, seed: int, as_json: bool
) -> None:
    """Print what a blueprint wins from another."""
    from pokermodel.tables.blueprint import Blueprint, solved_gain, worth_against

    if resolved and street == "flop":
        raise click.UsageError("--from flop: with --against a turn or a river is solved again")
    files = Blueprint.load(path), Blueprint.load(other)
    try:
        alone = worth_against(*files, boards, seed)
    except ValueError as error:
        raise click.UsageError(f"--against {other}: {error}") from None
    more = solved_gain(*files, ("flop", "turn", "river").index(street) + 1, hands, seed) if resolved else None
    if as_json:
        gain = {} if more is None else {key: value for key, value in more._asdict().items() if value == value}
        said = {"file": str(path), "against": str(other), "alone": alone._asdict()}
        click.echo(json.dumps({**said, "from": street, "resolved": gain} if resolved else said))
        return
    unit = "thousandths of a big blind a hand"
    click.echo(f"the blueprint alone wins {_interval(*alone[:2])} {unit} ({boards} boards)")
    if more is None:
        return
    came = f"{more.subgames} of {more.hands} hands came there"
    click.echo(f"with each {street} solved again it wins {_interval(*more[:2])} more ({came})")
    if street == "turn":
        click.echo(f"that is {_interval(*more[2:4])} more than with each river solved again")


def _interval(mean: float, error: float) -> str:
    return f"{mean:.1f} +- {1.96 * error:.1f}"
