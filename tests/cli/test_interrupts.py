"""What commands say when the user interrupts them."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.cli.main import main
from pokermodel.library import Book
from pokermodel.tables.blueprint import Blueprint


def interrupted(*_, **__):
    raise KeyboardInterrupt


def said(capsys, *command):
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in command])
    assert ended.value.code == 130
    return capsys.readouterr().err.strip()


def test_a_book_keeps_what_is_learnt(tmp_path, monkeypatch, capsys):
    """An interrupted command names no book, since an address can have a password in it."""
    hand = tmp_path / "hand.phh"
    hand.write_text(pm.example_hand().to_phh())
    monkeypatch.setattr(Book, "add_rows", interrupted)
    line = "Aborted: the book keeps what is done, and the same command goes on from there."
    assert said(capsys, "learn", hand, "--book", tmp_path / "players.db") == line


def test_a_blueprint_goes_on_from_what_there_is(tmp_path, monkeypatch, capsys):
    out = tmp_path / "limit.blueprint"
    monkeypatch.setattr(Blueprint, "build", interrupted)
    kept = tmp_path / "limit.kept"
    command = "blueprint", "build", "--out", out, "--resume", kept
    assert said(capsys, *command) == "Aborted."  # before anything was kept
    kept.touch()
    line = f"Aborted: {kept} keeps what is done, and the same command goes on from there."
    assert said(capsys, *command) == line
    assert said(capsys, *command[:4]) == "Aborted."


def test_nothing_goes_on_from_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("pokermodel.tables.players.simple.AlwaysCall.act", interrupted)
    journal = tmp_path / "run.journal"
    command = "tournament", "--players", "call*2", "--deals", 2
    assert said(capsys, *command) == "Aborted."
    line = f"Aborted: {journal} keeps what is done, and the same command goes on from there."
    assert said(capsys, *command, "--resume", journal) == line
