"""The options of commands that deal: which game is played, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from pokermodel._support.patterns import regex
from pokermodel.cli._completion import complete_names
from pokermodel.tables.commands._listings import ListsPlayers

if TYPE_CHECKING:
    from pokermodel.game import GameSpec
    from pokermodel.tables.players import Player

__all__ = [
    "ACPC_GAMES",
    "GAME",
    "NAMES",
    "deals",
    "hands",
    "players",
    "read_acpc_game",
    "read_definition",
    "read_game",
    "show_notices",
    "split",
    "street",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def show_notices(spec: GameSpec, players: Mapping[str, Player]) -> None:
    """Say on standard error, in a line each, where players are not what their names promise at a game."""
    for name, player in players.items():
        if notice := player.notice(spec):
            click.echo(f"{name}: {notice}", err=True)


def split(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    """The value of an option that names several things, as its callback."""
    return None if value is None else [name.strip() for name in value.split(",")]


_TEXT = regex(r"(?P<structure>limit|no-limit|pot-limit)(:(?P<stack>\d+))?")
_STACK = 100  # big blinds

#: Texts for the games that the ACPC played, and their betting structures.
ACPC_GAMES: Mapping[str, Literal["limit", "no limit"]] = {"limit": "limit", "no-limit": "no limit"}
_ACPC_EXPECTED = "limit, no-limit, or a file with a game definition"

GAME = click.option(
    "--game",
    default="limit",
    show_default=True,
    metavar="GAME",
    help="The game: limit, no-limit or pot-limit, perhaps with stacks in big blinds, as no-limit:200; or a file with a "
    "game definition of the ACPC.",
)
NAMES = click.option("--names", metavar="NAME,...", callback=split, help="Names by seat, separated by commas.")


def players(*, required: bool = False) -> Callable[[_F], _F]:
    """``--players``."""
    return click.option(
        "--players",
        required=required,
        metavar="A,B,...",
        shell_complete=complete_names(ListsPlayers.kinds, several=True),
        help="Players, separated by commas, as in loki1*2,bpm*8. They are listed below.",
    )


def hands(default: int | None = None, *, required: bool = False) -> Callable[[_F], _F]:
    """``--hands``."""
    return click.option(
        "--hands",
        type=click.IntRange(min=1),
        default=default,
        required=required,
        show_default=default is not None,
        help="Number of hands.",
    )


def deals(default: int | None = None, *, required: bool = False) -> Callable[[_F], _F]:
    """``--deals``."""
    return click.option(
        "--deals",
        type=click.IntRange(min=0),
        default=default,
        required=required,
        show_default=default is not None,
        help="Number of deals.",
    )


def street(default: str | None = None) -> Callable[[_F], _F]:
    """``--from``."""
    return click.option(
        "--from",
        "street",
        type=click.Choice(("flop", "turn", "river")),
        default=default,
        show_default=default is not None,
        help="The street from which on the best response is exact.",
    )


def read_game(text: str, players: int) -> GameSpec:
    """Make a game from the text of ``--game``.

    Raises `click.UsageError` if it is no game, or one for another number of players.

    Parameters
    ----------
    text : str
        A structure, perhaps with stacks, or the path of a file with a game definition of the ACPC.
    players : int
        Number of players at the table.

    Returns
    -------
    GameSpec
        With blinds of 1 and 2 chips, unless a file says otherwise.
    """
    from pokermodel.game import GameSpec

    found = _TEXT.fullmatch(text)
    if found is None:
        expected = "limit, no-limit, pot-limit, with stacks as in no-limit:200, or a file with a game definition"
        spec = read_definition(text, expected)
        if spec.players != players:
            raise click.UsageError(f"--game {text}: a game of {spec.players}, and there are {players} players")
        return spec
    stack = None if found["stack"] is None else int(found["stack"])
    if stack == 0:
        raise click.UsageError(f"--game {text!r}: expected stacks of 1 big blind or more")
    try:
        if found["structure"] == "limit":
            spec = GameSpec.ring(players, 1, 2)
            return spec if stack is None else replace(spec, stacks=(2 * stack,) * players)
        make: Any = GameSpec.no_limit if found["structure"] == "no-limit" else GameSpec.pot_limit
        return make(players, 1, 2, stacks=(2 * (stack or _STACK),) * players)  # type: ignore[no-any-return]
    except ValueError as error:
        raise click.UsageError(f"--game {text!r}: {error}") from None


def read_acpc_game(text: str, players: int) -> tuple[GameSpec, str]:
    """Make a game of the ACPC, and its name.

    Raises `click.UsageError` if it is no game, or one for another number of players.

    Parameters
    ----------
    text : str
        ``limit`` or ``no-limit``, for the game that the competition played, or the path of a file with a game
        definition.
    players : int
        Number of players at the table.

    Returns
    -------
    name : str
        Name of the file, or of the file of the competition.
    """
    from pokermodel.histories.acpc import usual_game

    if text not in ACPC_GAMES:
        spec = read_definition(text)
        if spec.players != players:
            raise click.UsageError(f"game {text}: a game of {spec.players}, and there are {players} players")
        return spec, "_".join(Path(text).name.split())
    try:
        spec = usual_game(players, ACPC_GAMES[text])
    except ValueError as error:
        raise click.UsageError(f"game {text}: {error}") from None
    blinds = ".reverse_blinds" if players == 2 else ""
    return spec, f"holdem.{text.replace('-', '')}.{players}p{blinds}.game"


def read_definition(text: str, expected: str = _ACPC_EXPECTED) -> GameSpec:
    """Read a file with a game definition of the ACPC.

    Raises `click.UsageError` if there is no such file, or it has no game definition.

    Parameters
    ----------
    expected : str
        The allowed form of `text`, for the message.
    """
    from pokermodel.game import GameSpec

    path = Path(text)
    if not path.is_file():
        raise click.UsageError(f"game {text!r}: expected {expected}")
    try:
        return GameSpec.from_acpc(path.read_text(encoding="utf-8", errors="replace"))
    except ValueError as error:
        raise click.UsageError(f"game {text}: {error}") from None
