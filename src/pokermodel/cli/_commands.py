"""The group of commands; each is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from pokermodel._support.options import entry_points, is_own, load_own
from pokermodel._support.version import about

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["cli"]

#: Commands in the order in which they are listed: what each does, and where it is, the module of its name or another.
_COMMANDS = {
    "list": ("List hands, one a line.", "list:list_hands"),
    "read": ("Show what everybody in a hand can hold, step by step.", "read"),
    "study": ("Show what every decision was worth, the worst first.", "study"),
    "solve": ("Solve a spot after the flop.", "solve"),
    "learn": ("Learn how people play, and keep it in a book.", "learn"),
    "profile": ("Show how a player plays, and what exploits them.", "profile"),
    "range": ("Show what a range consists of.", "range:show_range"),
    "equity": ("Show what share of the pot hands and ranges have.", "equity"),
    "score": ("Measure how true a model's forecasts are.", "score"),
    "convert": ("Write hands, ranges and spots for other programs.", "convert"),
    "sample": ("Write hands to try everything with.", "sample"),
    "book": ("Check a book, or join the names of a player.", "book"),
    "open": ("Open an application in the browser.", "open:open_desk"),
}
_MAIN = "main"


def _of_wings() -> dict[str, EntryPoint]:
    """Commands of the package's wings, by name: those of a wing together, as installed metadata does not have them."""
    own = (entry for entry in entry_points(group="pokermodel.commands") if is_own(entry))
    return {entry.name: entry for entry in sorted(own, key=lambda entry: entry.module.split(".")[1], reverse=True)}


class _Commands(click.Group):
    """Commands that are imported when they are needed, so that none waits for the imports of another one."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*_COMMANDS, *_of_wings()]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in _COMMANDS:
            module, _, command = _COMMANDS[name][1].partition(":")
            found = getattr(import_module(f"pokermodel.cli.{module}"), command or module)
        else:
            entry = _of_wings().get(name)
            found = None if entry is None else load_own(entry)
        assert found is None or isinstance(found, click.Command)
        return found

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, which fits one screen: a line for each command, by where it belongs."""
        formatter.write(f"Usage: {context.command_path} [--version] [--traceback] [-h] COMMAND ...\n\n{self.help}\n\n")
        group = ""
        for name, (where, what) in self._lines().items():
            formatter.write(f"{'' if where == group else where:10}{name:12}{what}\n")
            group = where

    def _lines(self) -> dict[str, tuple[str, str]]:
        """For each command where it belongs, the main part or a wing, and what it does."""
        lines = {name: (_MAIN, what) for name, (what, _) in _COMMANDS.items()}
        for name, entry in _of_wings().items():
            _, wing, *_ = entry.module.split(".")
            if find_spec(f"pokermodel.{wing}") is not None:
                lines[name] = wing, import_module(entry.module.rpartition(".")[0]).LINES[name]
        return lines


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(about())
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
