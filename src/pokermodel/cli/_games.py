"""``--game``: which game is played, for commands that deal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pokermodel.game import GameSpec

__all__ = ["game_option", "read_game"]

_TEXT = re.compile(r"(?P<structure>limit|no-limit|pot-limit)(:(?P<stack>\d+))?")
_STACK = 100  # big blinds

game_option = click.option(
    "--game",
    default="limit",
    show_default=True,
    metavar="GAME",
    help="The game: limit, no-limit or pot-limit, perhaps with stacks in big blinds, as no-limit:200 (by default "
    f"{_STACK} where bets have sizes), or a file with a game definition of the ACPC.",
)


def read_game(text: str, players: int) -> GameSpec:
    """Make a game of what ``--game`` says.

    Parameters
    ----------
    text : str
        A structure, perhaps with stacks, or the path of a file with a game definition of the ACPC.
    players : int
        How many sit at the table.

    Returns
    -------
    GameSpec
        With blinds of 1 and 2 chips, unless a file says otherwise.

    Raises
    ------
    click.UsageError
        If it is no game, or one for another number of players.
    """
    from pokermodel.game import GameSpec

    found = _TEXT.fullmatch(text)
    if found is None:
        path = Path(text)
        if not path.is_file():
            expected = "limit, no-limit, pot-limit, with stacks as in no-limit:200, or a file with a game definition"
            raise click.UsageError(f"--game {text!r}: expected {expected}")
        try:
            spec = GameSpec.from_acpc(path.read_text(encoding="utf-8", errors="replace"))
        except ValueError as error:
            raise click.UsageError(f"--game {text}: {error}") from None
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
