"""`tools/freeze.py`: values before and after a rebuild."""

from __future__ import annotations

import json
import sys
import time

import pytest

from tests.common.tools import load

freeze = load("freeze")


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the tool: what it ends with, and the lines that it prints."""
    monkeypatch.setattr(time, "perf_counter", time.perf_counter)  # which it changes

    def ran(what, folder, *options):
        monkeypatch.setattr(sys, "argv", ["freeze.py", what, str(folder), *options])
        return freeze.main(), capsys.readouterr().out.splitlines()

    return ran


def test_a_changed_value_is_found_and_a_part_that_was_never_frozen(tmp_path, run):
    only = "--only", "range text"
    assert run("write", tmp_path, *only)[0] == 0
    code, lines = run("check", tmp_path, *only)
    assert (code, lines[-1]) == (0, "nothing differs")
    (file,) = (tmp_path / "parts").iterdir()
    frozen = json.loads(file.read_text())
    file.write_text(json.dumps(frozen | {"holdings": 1}))
    code, lines = run("check", tmp_path, "--only", "range text|list all")
    assert code == 1
    assert any("differs: range text: .holdings: 1, now " in line for line in lines)
    assert any("not frozen: list all" in line for line in lines)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": [1, 2.0]}, {"a": [1, 2.0]}, ""),
        ({"a": [1, 2.0]}, {"a": [1, 2]}, ".a[1]: 2.0, now 2"),
        ({"a": float("nan")}, {"a": float("nan")}, ""),
        ({"a": 1}, {"b": 1}, ": keys ['a', 'b']"),
        ([1], [1, 2], ": 1 items, now 2"),
    ],
)
def test_the_first_difference(old, new, expected):
    assert freeze.difference(old, new) == expected


def test_what_changed_on_purpose_is_not_compared(monkeypatch):
    monkeypatch.setitem(freeze.RENAMED, "read .*", {"acts": "actions"})
    monkeypatch.setitem(freeze.LEFT_OUT, "read .*", frozenset({"share"}))
    monkeypatch.setitem(freeze.CHANGED, "read limit.*", frozenset({"advice"}))
    old, new = {"acts": 1, "advice": "fold", "seconds": 1}, {"actions": 1, "advice": "call", "share": 0.5}
    assert freeze.difference(*freeze.compared("read limit adaptive", old, new)) == ""
    assert freeze.difference(*freeze.compared("read no-limit adaptive", old, new)) == ".advice: fold, now call"
    assert freeze.difference(*freeze.compared("study limit", old, new))


def test_a_renamed_command_runs_by_its_new_name(monkeypatch):
    expected = freeze.command("range {text} --json", text="QQ+, AKs")
    monkeypatch.setitem(freeze.COMMANDS, "combos {text}", "range {text}")
    assert freeze.command("combos {text} --json", text="QQ+, AKs") == expected
    assert "status" not in expected


def test_every_kind_of_part_has_a_cheap_one(tmp_path):
    found = list(freeze.parts(freeze.Files(tmp_path)))
    assert len({part.file for part in found}) == len(found)
    assert {part.name.split()[0] for part in found} == {part.name.split()[0] for part in found if part.quick}
