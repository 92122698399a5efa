"""Help ends with what the registries hold."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli
from pokermodel.reading import ReaderKind, reader_kinds
from pokermodel.reading import registry as readers
from pokermodel.tables.players import Kind, Player, kinds, registry


def listed(command):
    """What a command's help says of each name in its list."""
    result = CliRunner().invoke(cli, [command, "--help"], terminal_width=100)
    assert result.exit_code == 0, result.output
    _, _, text = result.output.partition("\nModels:\n" if command != "tournament" else "\nPlayers:\n")
    assert text, result.output
    found: dict[str, str] = {}
    for line in text.splitlines():
        name = re.match(r"  (\S+)", line)
        if name:
            found[name[1]] = line[len(name[0]) :]
        elif line.strip():
            found[list(found)[-1]] += " " + line
    return {name: " ".join(about.split()) for name, about in found.items()}


@pytest.mark.parametrize("command", ["read", "score"])
def test_every_reader_is_listed_with_its_options(command):
    found = listed(command)
    assert list(found) == list(reader_kinds())
    for name, kind in reader_kinds().items():
        options = f" Options: {', '.join(kind.options)}." if kind.options else ""
        assert found[name] == f"{kind.about}.{options}"


def test_every_player_is_listed_with_their_options():
    found = listed("tournament")
    assert list(found) == list(kinds())
    for name, kind in kinds().items():
        options = f" Options: {', '.join(kind.options)}." if kind.options else ""
        assert found[name] == f"{kind.about}.{options}"
    assert "model" in found["loki1"].split("Options: ")[1]


def test_what_is_registered_is_listed(monkeypatch):
    monkeypatch.setattr(registry._REGISTRY, "_kinds", kinds())
    monkeypatch.setattr(readers._REGISTRY, "_kinds", reader_kinds())
    registry.register(Kind("sleeper", Player, {"hours": float}, "sleeps"))
    readers.register(ReaderKind("dreamer", lambda known: None, "dreams", {"depth": float}))
    assert listed("tournament")["sleeper"] == "sleeps. Options: hours."
    assert listed("read")["dreamer"] == listed("score")["dreamer"] == "dreams. Options: depth."
