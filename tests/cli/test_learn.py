"""The commands that learn, and that show what was learnt."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli import main
from pokermodel.histories import phh
from pokermodel.learning import kinds
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, STATISTICS, contents, in_batches_of, played_free, rows
from tests.common.patience import PATIENCE

ANTES = pm.GameSpec((5, 10, 0), (1, 1, 2, 2), (2, 0, 0, 0), antes=(2_000_000,) * 3)
DEAR = pm.Hand("t", "dear", ANTES, ("Ann", "Bob", "Cid"), [(2, pm.Act.FOLD), (0, pm.Act.FOLD)])


# -------------------------------------------------------------------------------------------------- the command line


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args):
        with pytest.raises(SystemExit) as left:
            main([*map(str, args)])
        output = capsys.readouterr()
        return subprocess.CompletedProcess(args, left.value.code, output.out, output.err)

    return run


def example_file(folder, name="example.phh"):
    path = folder / name
    path.write_bytes((Path(pm.__file__).parent / "data" / "example.phh").read_bytes())
    return path


def test_commands(tmp_path, run):
    hands, book = example_file(tmp_path), tmp_path / "players"
    first = run("learn", hands, "--book", book)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == ["1 hand read from 1 file", "1 new, 0 known already", "6 players in the book"]
    damaged = tmp_path / "damaged.phh"
    damaged.write_text("variant = 'FT'\n")
    again = run("learn", example_file(tmp_path, "copy.phh"), damaged, "--book", book, "--jobs", 2, "--json")
    report = json.loads(again.stdout)
    assert (report["new"], report["known"], report["players"]) == (0, 1, 6)
    assert report["skipped"] == 1
    assert [reason["hands"] for reason in report["reasons"]] == [1]
    assert "damaged.phh" in report["reasons"][0]["first"]

    shown = run("profile", "Eve", "--book", book, "--all")
    for text in ("VPIP", "3-bet", "W$SD", "1 / 1", "mu", "sigma", "river", "1 holding shown"):
        assert text in shown.stdout
    assert "\x1b" not in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 100
    report = json.loads(run("profile", "Eve", "--book", book, "--json").stdout)
    assert report["statistics"]["vpip"]["denominator"] == 1
    assert len(report["contexts"]) == 12
    everybody = json.loads(run("profile", "--book", book, "--json").stdout)
    assert everybody["hands"] == 1
    assert {row["name"] for row in everybody["players"]} == set(pm.example_hand().players)
    assert {row["statistics"]["vpip"]["denominator"] for row in everybody["players"]} == {1}
    assert "Eve" in run("profile", "--book", book).stdout

    read = run("read", "--model", "som", "--book", book)
    assert read.returncode == 0, read.stderr
    assert read.stdout != run("read", "--model", "som").stdout
    for model in "som?contexts=previous", "loki2:contexts", "loki2:som?contexts=previous&system=B":
        read = run("read", "--model", model, "--book", book)
        assert read.returncode == 0, read.stderr
        assert read.stdout != run("read", "--model", model).stdout


#: Kinds of knowledge, one of which is not learnt by default.
EVERYTHING = ("--for", "statistics", "--for", "bpp", "--for", "adaptive")


def test_learning_side_by_side_is_learning_one_after_the_other(tmp_path, run, monkeypatch):
    folder = tmp_path / "histories"
    (folder / "deep").mkdir(parents=True)
    for k, hand in enumerate(HANDS):
        (folder / ("deep" if k % 3 else ".") / f"{k}.phh").write_text(pm.histories.phh.dumps(hand))
    (folder / "12.phh").write_text("variant = 'NS'")
    (folder / "44.phh").write_text("variant = 'NO'")
    (folder / "50.phh").write_text(phh.dumps(DEAR))  # is read, but cannot be learnt
    in_batches_of(16, monkeypatch)  # of which tables depend that are learnt from many hands at once
    found = []
    for jobs in 1, 2:
        book = tmp_path / str(jobs)
        report = run("learn", folder, example_file(tmp_path), "--book", book, *EVERYTHING, "--jobs", jobs, "--json")
        with pm.Book(book) as learnt_book:
            tables = [learnt_book.knowledge(kind).to_bytes() for kind in (BayesTables, PopulationModel)]
            found.append((json.loads(report.stdout), report.stderr, rows(learnt_book), tables))
    assert found[0] == found[1]
    report, progress, added, _ = found[0]
    assert (report["new"], report["skipped"], len(added)) == (40, 3, 163)
    assert report["new_to"] == {"statistics": 40, "bpp": 40, "adaptive": 40}
    assert [reason["hands"] for reason in report["reasons"]] == [2, 1]
    assert [(Path(file["path"]).name, file["status"], file["hands"], file["skipped"]) for file in report["files"]] == [
        *((f"{k}.phh", "read", k not in (12, 44), k in (12, 44)) for k in [*range(0, 40, 3), 44, 50]),
        *((f"{k}.phh", "read", 1, 0) for k in range(40) if k % 3),
        ("example.phh", "read", 1, 0),
    ]
    assert progress.splitlines()[:2] == [
        f"{folder}: 39 new hands, 0 known (new to statistics: 39, bpp: 39, adaptive: 39)",
        f"{tmp_path / 'example.phh'}: 1 new hand, 0 known (new to statistics: 1, bpp: 1, adaptive: 1)",
    ]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_one_kind_after_the_other(tmp_path, run, jobs):
    """A hand is new to each kind once, and the same is known in the end as if all had been learnt together."""
    path, book, whole = tmp_path / "hands.phhs", tmp_path / "players", tmp_path / "whole"
    path.write_text(phh.dumps_all(HANDS[:8]))
    command = "learn", path, "--book", book, "--jobs", jobs
    first = run(*command, "--for", "statistics")
    assert first.stderr == f"{path}: 8 new hands, 0 known\n"
    path.write_text(phh.dumps_all(HANDS[:10]))
    second = run(*command, "--for", "bpp", "--for", "statistics", "--json")
    assert second.stderr == f"{path}: 10 new hands, 0 known (new to bpp: 10, statistics: 2)\n"
    assert json.loads(second.stdout)["new_to"] == {"bpp": 10, "statistics": 2}
    assert run(*command).stderr == f"{path}: 10 new hands, 0 known (new to statistics: 0, adaptive: 10)\n"
    again = run(*command, *EVERYTHING).stderr
    assert again == f"{path}: 0 new hands, 10 known (new to statistics: 0, bpp: 0, adaptive: 0)\n"
    run("learn", path, "--book", whole, *EVERYTHING)
    with pm.Book(book) as parts, pm.Book(whole) as at_once:
        assert contents(parts) == contents(at_once)
        for kind in BayesTables, PopulationModel:
            assert parts.knowledge(kind).to_bytes() == at_once.knowledge(kind).to_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_pipe_is_learnt_whole(tmp_path, run, jobs):
    """Though it can be read only once, and by one process."""
    texts = {"hands": phh.dumps_all(HANDS), "damaged": "variant = 'NT'\n"}
    pipes = [tmp_path / name for name in texts]
    for pipe in pipes:
        os.mkfifo(pipe)
    writers = [threading.Thread(target=pipe.write_text, args=(texts[pipe.name],)) for pipe in pipes]
    for writer in writers:
        writer.start()
    said = run("learn", *pipes, "--book", tmp_path / "players", "--jobs", jobs, "--json")
    for writer in writers:
        writer.join()
    report = json.loads(said.stdout)
    assert (report["new"], report["skipped"]) == (40, 1)
    assert report["reasons"][0]["first"].startswith(f"{tmp_path / 'damaged'}:1: ")
    assert f"{tmp_path / 'hands'}: 40 new hands, 0 known" in said.stderr


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_learn_leaves_out(tmp_path, run, monkeypatch, jobs):
    """Files that are no histories, hands that no book takes, and more kinds of damage than are told apart or listed."""
    nothing, dear, damaged = tmp_path / "nothing.txt", tmp_path / "dear.phh", tmp_path / "damaged.phh"
    nothing.write_text("no hand history\n")
    dear.write_text(phh.dumps(DEAR))
    damaged.write_text("variant = 'FT'\n")
    command = "learn", nothing, damaged, dear, example_file(tmp_path), "--book", tmp_path / "players", "--jobs", jobs
    report = json.loads(run(*command, "--json").stdout)
    assert (report["hands"], report["skipped"], len(report["reasons"])) == (1, 2, 2)
    for reason, words in zip(report["reasons"], ("damaged.phh", "1,000,000 small bets"), strict=True):
        assert words in reason["first"]
    assert [(Path(file["path"]).name, file["status"]) for file in report["files"]] == [
        *(("nothing.txt", "foreign"), ("damaged.phh", "read"), ("dear.phh", "read"), ("example.phh", "read"))
    ]
    another = [(*command[:6], tmp_path / f"players{k}", *command[7:]) for k in range(3)]
    said = run(*another[0])
    assert said.stdout.splitlines() == [
        f"2 hands read from 2 files; 1 hand skipped; 1 file is no hand history that pokermodel reads: {nothing}",
        "1 new, 0 known already, 1 that cannot be learnt",
        "6 players in the book",
    ]
    assert f"skipped:\n  once: {damaged}:1: " in said.stderr
    monkeypatch.setattr(sys.modules["pokermodel.cli._hands"], "_LISTED", 1)
    assert run(*another[1]).stderr.splitlines()[-1] == "  and 1 more kinds of damage (--json lists them)"
    monkeypatch.setattr(sys.modules["pokermodel.cli._hands"], "_KINDS", 0)
    reasons = json.loads(run(*another[2], "--json").stdout)["reasons"]
    assert [reason["hands"] for reason in reasons] == [2]


def test_learning_goes_up_to_the_damage_and_hides_no_other(tmp_path, run, monkeypatch):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS[:10]))

    cut = tmp_path / "cut.phhs.gz"
    cut.write_bytes(gzip.compress(path.read_bytes())[:-20])
    said = run("learn", cut, "--book", tmp_path / "players")
    assert re.search(r"[89] new hands", said.stderr)
    assert "1 file cannot be read to the end" in said.stdout

    def broken(*arguments, **options):
        raise ValueError("it cannot be learnt")

    monkeypatch.setattr(pm.Book, "add_rows", broken)
    result = run("learn", path, "--book", tmp_path / "players")
    assert result.returncode
    assert "it cannot be learnt" in result.stderr


def test_learning_is_counted_on_a_terminal(tmp_path, run, monkeypatch):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS))
    in_batches_of(16, monkeypatch)
    monkeypatch.setattr("pokermodel.cli._progress._EVERY", 0)  # seconds
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    said = run("learn", path, "--book", tmp_path / "players").stderr
    lines = said.split("\r\x1b[K")[1:]
    found = [re.search(r"\] (\d+) hands, (\d+)%", line).groups() for line in lines[:-1]]
    assert [hands for hands, _ in found] == ["0", "16", "32", "40"]
    shares = [int(share) for _, share in found]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 100)
    assert lines[-1] == f"{path}: 40 new hands, 0 known (new to statistics: 40, adaptive: 40)\n"


@pytest.mark.skipif(os.name != "posix", reason="no shell that closes a stream")
@pytest.mark.parametrize("jobs", [1, 2])
def test_learning_with_standard_error_closed(tmp_path, jobs):
    arguments = ["learn", example_file(tmp_path), "--book", tmp_path / "players", "--jobs", str(jobs)]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "pokermodel", *arguments]
    said = subprocess.run(closed, stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert said.returncode == 0
    assert said.stdout.startswith("1 hand read from 1 file\n1 new")


def test_help_lists_what_can_be_learnt(run):
    said = run("learn", "--help").stdout
    listed = said.partition("Kinds of knowledge:")[2].splitlines()
    assert [line.split()[0] for line in listed if line[:3].strip()] == list(kinds())
    assert "statistics  How often each player did what" in said


def test_commands_close_the_book(tmp_path, run, monkeypatch):
    hands, book = example_file(tmp_path), tmp_path / "players"
    assert run("learn", hands, "--book", book).returncode == 0
    opened, closed = [], []

    def noted(method, to):
        def called(self, *arguments, **options):
            to.append(id(self))
            method(self, *arguments, **options)

        return called

    monkeypatch.setattr(pm.Book, "__init__", noted(pm.Book.__init__, opened))
    monkeypatch.setattr(pm.Book, "close", noted(pm.Book.close, closed))
    for command in (["read", "--model", "som"], ["score", hands, "--model", "som,own"], ["profile"]):
        assert run(*command, "--book", book).returncode == 0
    assert len(opened) == 3
    assert sorted(closed) == sorted(opened)


def test_commands_refuse(tmp_path, run):
    book = tmp_path / "players"
    with pm.Book(book) as first:
        first.learn([pm.example_hand()], kinds=STATISTICS)
    damaged = tmp_path / "damaged.phh"
    damaged.write_text("variant = 'FT'\n")
    for arguments, message in (
        (("profile", "--book", tmp_path / "none"), "no such book"),
        (("profile", "Eva", "--book", book), "did you mean 'Eve'?"),
        (("profile", "\udcff", "--book", book), r"the book has no player '\udcff'"),
        (("read", "--model", "loki1", "--book", book), "--book is for adaptive, frequencies, own"),
        (("read", "--model", "som", "--book", damaged), "not a database"),
        (("read", "--model", "som?contexts=all"), "expected one of twelve, previous, rich"),
        (("read", "--model", "sam"), "unknown model 'sam'"),
        (("learn", damaged, "--book", book), "no hand could be read"),
        (("learn", damaged, "--book", book, "--for", "nets"), "'nets': expected one of statistics, adaptive, bpp"),
        (("learn", damaged, "--book", book, "--for", ""), "unknown kind of knowledge ''"),
        (("learn", tmp_path / "none.phh", "--book", book), "does not exist"),
    ):
        result = run(*arguments)
        assert result.returncode == 2, arguments
        assert message in result.stderr
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("learnt", "command", "lacking"),
    [
        ((), ("read", "--model", "bpp"), "bpp"),
        ((), ("score", "FILE", "--model", "adaptive,bpp"), "bpp"),
        (("--for", "statistics"), ("read",), "adaptive"),
        (("--for", "statistics"), ("study", "FILE", "--hero", "Eve", "--fast"), "adaptive"),
    ],
)
def test_a_book_that_lacks_what_a_model_needs(tmp_path, run, learnt, command, lacking):
    """One line says what is missing, and the command in it adds it."""
    file, book = example_file(tmp_path), tmp_path / "players.db"
    assert run("learn", file, "--book", book, *learnt).returncode == 0
    words = [file if word == "FILE" else word for word in command]
    refused = run(*words, "--book", book)
    assert refused.returncode == 2
    assert re.fullmatch(
        rf"Error: {re.escape(str(book))} has learnt nothing for model '\w+': "
        rf"run `pokermodel learn FILES --book {re.escape(str(book))} --for {lacking}`\n",
        refused.stderr,
    )
    (mend,) = re.findall("`pokermodel (.*)`", refused.stderr)
    assert run(*mend.replace("FILES", str(file)).split()).returncode == 0
    assert run(*words, "--book", book).returncode == 0


def test_hands_of_other_structures(tmp_path, run):
    """Every kind says which it leaves out, whatever the number of processes."""
    folder = tmp_path / "histories"
    folder.mkdir()
    free = [played_free(k, k, ("Ann", "Bob", "Cid"), stacks=(9000, 8000, 7000)) for k in range(5)]
    for k, hand in enumerate([*HANDS[:3], *free]):
        (folder / f"{k}.phh").write_text(phh.dumps(hand))
    reports = []
    for jobs in 1, 2:
        files = folder, example_file(tmp_path)
        arguments = "learn", *files, "--book", tmp_path / f"book{jobs}", "--jobs", jobs, *EVERYTHING
        report = json.loads(run(*arguments, "--json").stdout)
        assert (report["new"], report["known"], report["skipped"]) == (9, 0, 0)
        assert report["new_to"] == {"statistics": 9, "bpp": 4, "adaptive": 9}
        assert report["structures"] == {"limit": 4, "no limit": 5}
        assert [(each["what"], each["hands"]) for each in report["left_out"]] == [
            *(("bpp", 5), ("contexts of Loki-1", 5)),
        ]
        reports.append(report)
        again = run(*arguments)
        assert again.stdout.splitlines() == [
            "0 hands read from 0 files; 9 files have not changed",
            "0 new, 9 known already",
            "10 players in the book",
            "bpp: 5 hands left out: is learnt from limit alone",
            "contexts of Loki-1: 5 hands left out: they count bets to call, which have one size in limit alone",
        ]
    assert reports[0] == reports[1]
    only = tmp_path / "free"
    only.mkdir()
    (only / "3.phh").write_text(phh.dumps(free[0]))
    refused = run("learn", only, "--book", tmp_path / "bpp", "--for", "bpp")
    assert refused.returncode == 2
    assert refused.stdout.splitlines()[1] == "0 new, 0 known already, 1 left out"
    assert refused.stderr.splitlines()[-1] == "Error: bpp: is learnt from limit alone"
    assert run("learn", only, "--book", tmp_path / "some", "--for", "statistics").returncode == 0


# ------------------------------------------------------------------------------------------------- folders that grow


@pytest.mark.skipif(sys.platform == "win32", reason="no signal to interrupt one process")
@pytest.mark.parametrize("options", [["--poll"], []])
def test_what_comes_into_a_folder_is_learnt(tmp_path, options):
    """At once, until it is interrupted."""
    if not options:
        pytest.importorskip("watchfiles", reason="the extra desk is not installed")
    folder, book = tmp_path / "hands", tmp_path / "players.db"
    folder.mkdir()
    example_file(folder)
    command = [sys.executable, "-m", "pokermodel", "learn", str(folder), "--book", str(book), "--watch", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "1 new hand, 0 known\n"
        path = folder / "more.phhs"
        path.write_text(phh.dumps_all(HANDS[:2]))
        assert process.stdout.readline() == "2 new hands, 1 known\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert said.strip() == "Aborted: the book keeps what is done, and the same command goes on from there."
    with pm.Book(book) as learnt:
        assert learnt.hands == 3
        assert learnt.knowledge(PopulationModel) is not None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--where", "hero=Eve", "--jobs", "2"], "--jobs does not go with --where"),
        (["--where", "hero=Eve", "--watch"], "--watch does not go with --where"),
        (["--watch", "--json"], "--json does not go with --watch"),
        (["--poll"], "--poll is for --watch"),
    ],
)
def test_options_that_exclude_each_other(tmp_path, run, options, said):
    found = run("learn", example_file(tmp_path), "--book", tmp_path / "players", *options)
    assert found.returncode == 2
    assert said in found.stderr
    assert not (tmp_path / "players").exists()
