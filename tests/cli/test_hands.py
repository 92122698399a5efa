"""What commands say of files and hands that they leave out, and how they read from pipes and devices."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli import _hands, main
from pokermodel.cli.main import cli
from pokermodel.histories import READABLE, phh
from pokermodel.tables.arena import tournament
from tests.common.books import HANDS
from tests.common.histories import POKERSTARS, tar, write
from tests.common.patience import PATIENCE

DAMAGED = POKERSTARS.replace("Bob: folds", "Bob: checks")


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args):
        with pytest.raises(SystemExit) as left:
            main([*map(str, args)])
        output = capsys.readouterr()
        return subprocess.CompletedProcess(args, left.value.code, output.out, output.err)

    return run


@pytest.fixture
def folder(tmp_path):
    """Three hands in two files, three that are damaged in two, and files that are no histories."""
    later = DAMAGED.replace("#71", "#72").replace("Ann collected $2", "Ann collected $1")
    broken = POKERSTARS.replace("#71", "#74").replace("Total pot $2", "Total pot $5")
    return write(
        tmp_path / "folder",
        {
            "a.tgz": tar({"b.txt": POKERSTARS + DAMAGED, "c.phh": phh.dumps(pm.example_hand()), "README": "nothing"}),
            "d.txt": later + POKERSTARS.replace("#71", "#73") + broken,
            "e.txt": b"7z\xbc\xaf\x27\x1c\0\4",
        },
    )


def account(folder):
    return [
        f"3 hands read from 3 files; 3 hands skipped; 2 files are no hand histories that pokermodel reads: "
        f"{folder}/a.tgz/README, {folder}/e.txt (a 7z archive)"
    ]


def left_out(folder, found):
    """The lines of standard error that say what was skipped."""
    lines = POKERSTARS.count("\n")
    start = found.index(f"pokermodel reads {READABLE}")
    where = f"{folder}/a.tgz/b.txt:{lines + 8}", f"{folder}/d.txt:{2 * lines + 1}"
    assert found[start + 1 : start + 4] == [
        "skipped:",
        f"  2 times, first: {where[0]}: hand 71: the text differs from the rules: Bob puts in 0, expected 1",
        f"  once: {where[1]}: hand 74: the text has a pot of 5, the replay one of 2",
    ]
    assert found[start + 4 :] == ["skipped, by file:", f"  2: {folder}/d.txt", f"  1: {folder}/a.tgz/b.txt"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_learn_says(folder, run, tmp_path, jobs):
    command = "learn", folder, "--book", tmp_path / "players", "--jobs", jobs
    said = run(*command)
    assert said.stdout.splitlines() == [*account(folder), "3 new, 0 known already", "8 players in the book"]
    left_out(folder, said.stderr.splitlines())
    report = json.loads(run("learn", folder, "--book", tmp_path / "others", "--jobs", jobs, "--json").stdout)
    assert report["files"] == files(folder)
    assert [(reason["hands"], reason["path"], reason["hand"]) for reason in report["reasons"]] == [
        (2, f"{folder}/a.tgz/b.txt", "71"),
        (1, f"{folder}/d.txt", "74"),
    ]


def files(folder):
    source = pm.open_hands(folder, strict=False)
    list(source)
    return source.report().to_dict()["files"]


def test_what_score_says(folder, run):
    said = run("score", folder, "--model", "call")
    assert said.stdout.startswith("3 hands scored, 0 learnt before, 3 left out\n")
    assert said.stderr.splitlines()[:1] == account(folder)
    left_out(folder, said.stderr.splitlines())
    report = json.loads(run("score", folder, "--model", "call", "--json").stdout)
    assert report["files"] == files(folder)
    assert (report["skipped_hands"], [reason["hands"] for reason in report["reasons"]]) == (3, [2, 1])


def test_reading_a_file_stops_at_damage_where_no_option_says_which_hand(tmp_path, run):
    path = tmp_path / "hands.txt"
    path.write_text(DAMAGED + POKERSTARS)
    strict = run("read", path)
    assert strict.returncode == 2
    (line,) = strict.stderr.splitlines()
    assert line.endswith(" (--hand 1 leaves out what cannot be read)")
    assert line.startswith(f"Error: {path}:")
    assert "once: " in run("read", path, "--hand", 1).stderr


def test_reading_all_leaves_out_what_is_damaged_and_says_so(folder, run, tmp_path):
    """`read --all` shows the hands that `list` has, by the same numbers, and names the damage at the end."""
    said = run("read", folder, "--all", "--out", "-.jsonl")
    assert said.returncode == 0
    listed = json.loads(run("list", folder, "--json").stdout)["hands"]
    found = [json.loads(line) for line in said.stdout.splitlines()]
    assert [(each["number"], each["id"]) for each in found] == [(each["number"], each["id"]) for each in listed]
    lines = said.stderr.splitlines()
    assert lines[:1] == account(folder)
    left_out(folder, lines)
    page = tmp_path / "page.html"
    selected = run("read", folder, "--where", "size>=2", "--all", "--out", page)
    assert (selected.returncode, selected.stderr) == (0, f"3 hands written to {page}\n{said.stderr}")
    nothing = write(tmp_path / "nothing", {"a.txt": DAMAGED})
    none = run("read", nothing, "--all")
    assert none.returncode == 2
    assert "once: " in none.stderr
    assert none.stderr.splitlines()[-1] == f"Error: {nothing}: there is no hand that is selected, of 0"


def test_what_read_says(folder, run):
    said = run("read", folder, "--hand", 3)
    assert said.returncode == 0
    assert "73" in said.stdout.splitlines()[0]
    lines = said.stderr.splitlines()
    assert lines[0].startswith("3 hands read from 3 files; 2 hands skipped; 2 files are no hand histories")
    assert lines[2:] == [
        "skipped:",
        lines[3],
        "skipped, by file:",
        f"  1: {folder}/a.tgz/b.txt",
        f"  1: {folder}/d.txt",
    ]
    report = json.loads(run("read", folder, "--hand", 3, "--json").stdout)
    assert report["skipped"] == 2
    assert [file["status"] for file in report["files"]] == ["foreign", "read", "read", "open", "foreign"]
    missing = run("read", folder, "--hand", 4)
    assert missing.returncode == 2
    assert missing.stderr.splitlines()[0] == account(folder)[0]
    assert missing.stderr.splitlines()[-1] == f"Error: {folder}: there is no hand 4, the last hand is 3"


def test_a_hand_is_found_past_damage(folder, run):
    number = run("read", folder, "--hand", 3)
    assert number.returncode == 0
    assert "2 hands skipped" in number.stderr
    hands = list(pm.open_hands(folder, strict=False))
    by_id = run("read", folder, "--where", f"id={hands[2].id}", "--json")
    assert by_id.returncode == 0
    assert json.loads(by_id.stdout)["id"] == hands[2].id


def test_a_damaged_hand_that_is_asked_for_says_what_is_wrong_with_it(tmp_path, run):
    path = tmp_path / "hands.txt"
    path.write_text(DAMAGED.replace("#71", "#72") + POKERSTARS)
    source = pm.open_hands(path, strict=False)
    list(source)
    (error,) = source.skipped
    said = run("read", path, "--where", f"id={error.hand}")
    assert said.returncode == 2
    assert said.stderr.splitlines()[-1] == f"Error: {error}"
    missing = run("read", path, "--where", "id=no-such")
    assert "there is no hand that is selected" in missing.stderr.splitlines()[-1]


def test_what_is_read_is_said_once(tmp_path, run):
    """Where nothing can be read, by the error that ends the command."""
    empty = tmp_path / "empty"
    empty.mkdir()
    other = write(tmp_path / "other", {"notes.txt": "hello"})
    for path, reason in (empty, "the folder is empty"), (other, "no hand history found"):
        for command in ("list", path), ("learn", path, "--book", tmp_path / "players"), ("study", path):
            *before, last = run(*command).stderr.splitlines()
            assert f"{path}: {reason}: expected {READABLE}" in last
            assert not any(READABLE in line for line in before)


def test_nothing_is_said_where_nothing_is_left_out(tmp_path, run):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS[:3]))
    for command in ("read", path, "--hand", 2), ("read", path, "--hand", 1), ("score", path, "--model", "call"):
        assert run(*command).stderr == ""


def test_long_lists_are_cut(tmp_path, run, monkeypatch):
    monkeypatch.setattr(_hands, "_LISTED", 2)
    folder = write(tmp_path / "folder", {f"{k}.txt": POKERSTARS + DAMAGED for k in range(4)})
    said = run("score", folder, "--model", "call").stderr.splitlines()
    assert said[-4:] == [
        *("skipped, by file:", f"  1: {folder}/0.txt", f"  1: {folder}/1.txt"),
        "  and 2 more files (--json lists them)",
    ]


# ------------------------------------------------------------------------------------------ pipes and devices


needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")


@needs_pipes
def test_a_pipe_without_a_writer_is_waited_for_aloud(tmp_path, run, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(_hands, "_PATIENCE", 0.05)

    waited = threading.Event()

    def late():
        waited.wait(PATIENCE)
        pipe.write_text(phh.dumps(pm.example_hand()))

    def echo(*text, **more):
        said(*text, **more)
        waited.set()

    said = _hands.click.echo
    monkeypatch.setattr(_hands.click, "echo", echo)
    for command in ("read", pipe), ("score", pipe, "--model", "call"), ("learn", pipe, "--book", tmp_path / "book"):
        writer = threading.Thread(target=late)
        writer.start()
        found = run(*command)
        writer.join()
        waited.clear()
        assert found.returncode == 0
        assert found.stderr.splitlines()[0] == f"{pipe}: waiting for input"


@needs_pipes
def test_a_pipe_is_read_as_often_as_needed(tmp_path, run, monkeypatch):
    """`som` learns from the hands before the one that is shown."""
    monkeypatch.setattr(_hands, "_PATIENCE", PATIENCE)
    path, pipe = tmp_path / "hands.phhs", tmp_path / "pipe"
    path.write_text(phh.dumps_all(HANDS))
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(path.read_text(),))
    writer.start()
    said = run("read", pipe, "--model", "som", "--hand", 30)
    writer.join()
    assert (said.stdout, said.stderr) == (run("read", path, "--model", "som", "--hand", 30).stdout, "")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device")
@pytest.mark.parametrize("command", ["read", "learn --book {}", "learn --jobs 2 --book {}", "score"])
def test_a_device_without_end(tmp_path, run, command):
    name, *options = command.format(tmp_path / "book").split()
    said = run(name, "/dev/zero", *options)
    assert said.returncode == 2
    assert "/dev/zero: not a known hand history: expected PHH" in said.stderr.splitlines()[-1]


@pytest.mark.skipif(os.name != "posix", reason="no shell")
def test_a_stream_that_does_not_end(tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text(POKERSTARS)
    command = f"(cat '{path}'; cat /dev/zero) | '{sys.executable}' -m pokermodel read /dev/stdin --hand 2"
    said = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert said.returncode == 2
    first, last = said.stderr.splitlines()
    assert first.startswith("1 hand read from 1 file; 1 file cannot be read to the end: /dev/stdin (not a hand history")
    assert last == "Error: /dev/stdin: there is no hand 2, the last hand is 1"


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no name")
@pytest.mark.parametrize("command", ["read - --model som", "list -", "convert - --to phh", "score - --model som"])
def test_a_dash_is_standard_input(tmp_path, command):
    path = tmp_path / "hands.txt"
    path.write_text(POKERSTARS)
    name, _, *options = command.split()

    def said(**given):
        whole = [sys.executable, "-m", "pokermodel", name, "-", *options]
        done = subprocess.run(whole, capture_output=True, text=True, **given)
        return done.returncode, done.stdout, done.stderr

    named = CliRunner().invoke(cli, [name, str(path), *options])
    assert named.exit_code == 0
    expected = 0, named.stdout.replace(str(path), "/dev/stdin"), named.stderr
    assert said(input=POKERSTARS) == expected  # a pipe
    if name == "list":  # all open it alike
        with path.open() as stream:
            assert said(stdin=stream) == expected


# ------------------------------------------------------------------------------------------ what is written


def no_space(descriptor):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_journal_on_a_full_disk(tmp_path, run, monkeypatch):
    path = tmp_path / "run.journal"
    tournament("call,raise", deals=2, block=2, seed=1, resume=path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", no_space)
    said = run("tournament", "--players", "call,raise", "--deals", 4, "--block", 2, "--seed", 1, "--resume", path)
    assert said.returncode == 2
    assert f"{path}: the disk is full" in said.stderr
    assert path.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_what_cannot_be_a_journal(run):
    said = run("tournament", "--players", "call,raise", "--deals", 2, "--resume", "/dev/full")
    assert "/dev/full is no ordinary file, as a journal is" in said.stderr
