"""Options that say which hands are meant: the same ones in all commands that read histories."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pokermodel.game import POSITIONS, ROUNDS, SEATS

if TYPE_CHECKING:
    from pokermodel.histories import HandFilter

__all__ = ["filter_options", "with_filter"]

_F = TypeVar("_F", bound=Callable[..., Any])


def _position(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.replace("-", " ") for each in value)


# those of tables of nine or fewer
_SEATS = tuple(name for name in SEATS if name in ("UTG", "UTG+1", "UTG+2") or "+" not in name)
_OPTIONS = (
    click.option(
        "--player", multiple=True, metavar="NAME", help="Hands of this player; of all of them, if it is given again."
    ),
    click.option(
        "--position",
        multiple=True,
        type=click.Choice([name.replace(" ", "-") for name in (*POSITIONS, *_SEATS)]),
        callback=_position,
        help="Hands in which the player sat there; give it again for several positions.",
    ),
    click.option(
        "--min-pot", type=click.FloatRange(min=0), metavar="AMOUNT", help="Hands with at least so much put in."
    ),
    click.option(
        "--max-pot", type=click.FloatRange(min=0), metavar="AMOUNT", help="Hands with at most so much put in."
    ),
    click.option("--street", type=click.Choice(ROUNDS[1:]), help="Hands that reached this betting round."),
    click.option(
        "--since", metavar="DATE", help="Hands played then or later, as 1995, 1995-04 or '1995-04-07 12:30' (UTC)."
    ),
    click.option("--until", metavar="DATE", help="Hands played before the end of it."),
    click.option("--stake", metavar="BETS", help="Hands with this small and big bet, as 10/20 or '2/4 USD'."),
    click.option("--showdown/--no-showdown", default=None, help="Hands with a showdown, or without."),
)
_NAMES = ("player", "position", "min_pot", "max_pot", "street", "since", "until", "stake", "showdown")


def filter_options(command: _F) -> _F:
    """Add the options to a command, which gets their values as parameters: see `with_filter`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def with_filter(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which gets them as one parameter, ``which``: a `HandFilter`."""

    @wraps(command)
    def filtered(*args: Any, **values: Any) -> Any:
        from pokermodel.histories import HandFilter

        which: HandFilter = HandFilter(**{name: values.pop(name) for name in _NAMES})
        return command(*args, which=which, **values)

    return filter_options(filtered)
