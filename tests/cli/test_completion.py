"""What shells complete: names and files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete, get_completion_class

from pokermodel.classics.experiments import experiments
from pokermodel.cli.main import cli
from pokermodel.learning import kinds as knowledge
from pokermodel.reading import reader_kinds
from pokermodel.tables.players import kinds as players
from tests.common.patience import PATIENCE


def completions(*words):
    """Values for the last word, or the kind of what the shell itself completes."""
    found = ShellComplete(cli, {}, "pokermodel", "").get_completions([*words[:-1]], words[-1])
    return [item.value if item.type == "plain" else item.type for item in found]


def test_names():
    assert completions("read", "--model", "") == list(reader_kinds())
    assert completions("read", "--model", "loki2:") == ["loki2:som", "loki2:contexts"]
    assert completions("score", "--model", "som,loki2:") == ["som,loki2:som", "som,loki2:contexts"]
    assert completions("score", "--model", "al") == ["all"]
    assert completions("tournament", "--players", "")[-1] == list(players())[-1]
    assert completions("tournament", "--players", "loki1*2,bpl") == ["loki1*2,bpl", "loki1*2,bplx"]
    assert completions("experiment", "") == list(experiments())
    assert completions("learn", "--for", "") == list(knowledge())
    assert completions("rea") == ["read"]
    assert "--where" in completions("read", "--")
    assert completions("read", "--where", "pot=3-bet se") == ["pot=3-bet seat=", "pot=3-bet session="]
    assert completions("list", "--where", "pot=l") == ["pot=limped"]
    assert completions("study", "--where", "street>=t") == ["street>=turn"]


@pytest.mark.parametrize(
    "words",
    [
        ("read", ""),
        ("learn", ""),
        ("score", ""),
        ("read", "--book", ""),
        ("profile", "--book", "pla"),
    ],
)
def test_files(words):
    assert completions(*words) == ["file"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pokermodel re", ["read"]),
        ("pokermodel read --model loki2:", ["som", "contexts"]),
        ("pokermodel read --model loki2:so", ["som"]),
        ("pokermodel read --model=loki2:so", ["som"]),
        ("pokermodel read --model=lok", ["loki1", "loki2", "loki2:som", "loki2:contexts"]),
        ("pokermodel score --model som,loki2:c", ["contexts"]),
        ("pokermodel tournament --players 'loki1*2,simp", ["loki1*2,simple"]),
        ("pokermodel experiment gom --se", ["--seed"]),
        ("pokermodel experiment ", list(experiments())),
    ],
)
def test_words_of_bash(line, expected, monkeypatch):
    """Bash splits a word at its colons, and replaces the last part only."""
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_WORDBREAKS", " \t\n\"'><=;|&(:")
    found = get_completion_class("bash")(cli, {}, "pokermodel", "_POKERMODEL_COMPLETE").complete()
    assert found.splitlines() == [f"plain,{value}" for value in expected]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no Bash")
def test_in_bash(tmp_path):
    command = tmp_path / "pokermodel"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pokermodel "$@"\n')
    command.chmod(0o755)
    line = "pokermodel read --model loki2:"
    script = """
    eval "$(_POKERMODEL_COMPLETE=bash_source pokermodel)"
    COMP_LINE=$1 COMP_POINT=${#1}
    _pokermodel_completion pokermodel
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    said = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", line],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        check=True,
        timeout=PATIENCE,
    )
    assert said.stdout.split() == ["som", "contexts"], said.stderr
