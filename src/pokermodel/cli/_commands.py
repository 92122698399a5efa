"""The group of commands, each of which is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from pokermodel._support.options import entry_points, is_own, load_own
from pokermodel._support.version import about

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["cli"]

#: Commands in the order in which they are listed, and where each is: the module of its name, or another and its name.
_COMMANDS = {
    "read": "read",
    "sample": "sample",
    "list": "list:list_hands",
    "convert": "convert",
    "learn": "learn",
    "profile": "profile",
    "versus": "versus",
    "nodes": "nodes",
    "book": "book",
    "score": "score",
    "fit": "fit",
    "equity": "equity",
    "range": "range:show_range",
    "study": "study",
    "solve": "solve",
}


def _of_wings() -> dict[str, EntryPoint]:
    """Commands of the package's wings, by name."""
    return {entry.name: entry for entry in entry_points(group="pokermodel.commands") if is_own(entry)}


class _Commands(click.Group):
    """Commands that are imported when they are needed, so that none waits for the imports of another one."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*_COMMANDS, *_of_wings()]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in _COMMANDS:
            module, _, command = _COMMANDS[name].partition(":")
            found = getattr(import_module(f"pokermodel.cli.{module}"), command or module)
        else:
            entry = _of_wings().get(name)
            found = None if entry is None else load_own(entry)
        assert found is None or isinstance(found, click.Command)
        return found


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(about())
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_say_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Infer what poker opponents can hold from what they did."""
