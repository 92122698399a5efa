"""The group of commands, each of which is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from pokermodel._support.version import about

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
    "blueprint": "blueprint",
    "play": "play",
    "tournament": "tournament",
    "exploit": "exploit",
    "experiment": "experiment",
    "acpc": "acpc",
    "acpc-dealer": "acpc:acpc_dealer",
    "income-rates": "income_rates",
}


class _Commands(click.Group):
    """Commands that are imported when they are asked for, so that none waits for what another one needs."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, _, command = _COMMANDS[name].partition(":")
        found = getattr(import_module(f"pokermodel.cli.{module}"), command or module)
        assert isinstance(found, click.Command)
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
