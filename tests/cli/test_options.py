"""The options of all commands: declared once, few, and explained in lines that fit."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import pokermodel
from pokermodel.cli._options import Output, output, refuse, subject, together
from pokermodel.cli.main import cli, main
from pokermodel.histories import Filter

PACKAGE = Path(pokermodel.__file__).parent
#: Ceilings of what a user has to learn of the main part.
MAIN_COMMANDS, MAIN_OPTIONS = 13, 124
#: Ceilings of a function of a command.
PARAMETERS, LINES = 8, 100
#: Options whose help names what the command writes, or takes: `solve` has another board, and `open` its own book.
OF_THEIR_OWN = {"--out", "--all", "--board", "--book"}


def commands() -> Iterator[tuple[str, click.Command]]:
    """All commands, those of groups among them, by the words that call them."""

    def walk(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        if not isinstance(command, click.Group):
            yield name, command
            return
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from walk(f"{name} {each}".strip(), found)

    yield from walk("", cli)


COMMANDS = dict(commands())


def is_main(command: click.Command) -> bool:
    return (command.callback or main).__module__.startswith("pokermodel.cli.")


def options(command: click.Command) -> list[click.Option]:
    return [each for each in command.params if isinstance(each, click.Option)]


def test_commands_and_options_are_few() -> None:
    ours = {name: command for name, command in COMMANDS.items() if is_main(command)}
    assert len({name.split()[0] for name in ours}) <= MAIN_COMMANDS
    assert sum(len(options(command)) for command in ours.values()) <= MAIN_OPTIONS


def test_an_option_is_the_same_in_every_command() -> None:
    """One name, one type and one explanation; only what is written, and its choices, are each command's own."""
    found: defaultdict[str, set[tuple[object, ...]]] = defaultdict(set)
    for command in COMMANDS.values():
        for option in options(command):
            name = option.opts[0]
            kind = "choice" if isinstance(option.type, click.Choice) else repr(option.type)
            if name not in OF_THEIR_OWN:
                found[name].add((kind, option.metavar, option.help, option.is_flag, option.multiple, option.name))
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_every_command_prints_json_where_it_prints_results() -> None:
    without = {
        name for name, command in COMMANDS.items() if "--json" not in {each.opts[0] for each in options(command)}
    }
    assert without == {"play", "book export", "book import"}  # a file, and a person at a table


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions of the modules of commands."""
    for folder in ("cli", "tables/commands", "classics/commands"):
        for path in sorted((PACKAGE / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    yield f"{path.relative_to(PACKAGE)}: {node.name}", node


def test_functions_of_commands_are_short() -> None:
    many = {}
    for name, node in functions():
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        parameters = len([each for each in given if each.arg not in ("self", "cls")])
        lines = (node.end_lineno or 0) - node.lineno + 1
        if parameters > PARAMETERS or lines > LINES:
            many[name] = parameters, lines
    assert many == {}


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_the_lines_of_a_terminal(name: str) -> None:
    usage, _, text = CliRunner(env={"COLUMNS": "120"}).invoke(cli, [*name.split(), "--help"]).stdout.partition("\n\n")
    assert usage.startswith("Usage: ")
    assert max(map(len, [*usage.splitlines(), *text.splitlines()])) <= 80
    assert "\\b" not in text
    assert "\b" not in text
    assert not [line for line in text.splitlines() if line.endswith("...")]


def test_the_help_of_the_program_fits_one_screen() -> None:
    lines = CliRunner().invoke(cli, ["--help"]).stdout.splitlines()
    assert len(lines) <= 24
    assert [line.split()[0] for line in lines[4:] if line[:1].strip()] == ["main", "tables", "classics"]
    listed = {line[10:22].strip() for line in lines[4:]}
    assert listed == {name.split()[0] for name in COMMANDS}
    assert all(line.endswith(".") for line in lines[4:])


def test_options_together() -> None:
    """A command gets them as one parameter; those that have no use are refused only if they are given."""

    @click.command()
    @together("output", Output, click.option("--json", "as_json", is_flag=True), click.option("--out"))
    @click.option("--other", default=1)
    def command(output: Output, other: int) -> None:
        refuse("has no use here", "--other")
        click.echo(repr((output, other)))

    found = CliRunner().invoke(command, ["--json", "--out", "x"])
    assert found.stdout == "(Output(as_json=True, out='x'), 1)\n"
    assert "Error: --other has no use here" in CliRunner().invoke(command, ["--other", "1"]).stderr


def test_one_standard_output() -> None:
    @click.command()
    @output("it", ".csv")
    def command(output: Output) -> None:
        click.echo(repr(output))

    found = CliRunner().invoke(command, ["--json", "--out", "-.csv"])
    assert "--json and --out -.csv both write to standard output: expected one" in found.stderr


def test_the_hero_of_an_option_or_of_a_filter() -> None:
    assert subject(None, Filter()) is None
    assert subject("Ann", Filter()) == subject(None, Filter("hero=Ann")) == subject("Ann", Filter("hero=Ann")) == "Ann"
    assert subject("", Filter()) == subject(None, Filter('hero=""')) == ""
    with pytest.raises(click.UsageError, match="are two players: expected one"):
        subject("Ann", Filter("hero=Bob"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["list", "x.phh", "--where", "pot=9bets"],
            "Error: Invalid value for '--where': the filter at '9bets', character",
        ),
        (["read", "--nothing"], "Error: No such option"),
        (["tournament"], "Error: Missing option '--players'"),
    ],
)
def test_errors_of_a_command_line_are_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.phh").write_text(pokermodel.example_hand().to_phh())
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)


def test_a_wing_has_one_heading_in_any_order_of_its_entry_points(monkeypatch):
    """An installed package has its entry points sorted by name."""
    entries = list(metadata.entry_points(group="pokermodel.commands"))
    for order in (entries, entries[::-1], sorted(entries, key=lambda entry: entry.name)):
        monkeypatch.setattr("pokermodel.cli._commands.entry_points", lambda group, order=order: order)
        lines = CliRunner().invoke(cli, ["--help"]).output.splitlines()
        headings = [line[:10].strip() for line in lines[4:] if line[:10].strip()]
        assert sorted(headings) == ["classics", "main", "tables"]
