"""Progress: one line on a terminal, with the total and the time left; nothing elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

import pokermodel as pm
from pokermodel.cli import _progress
from pokermodel.cli._hands import Reading
from pokermodel.cli._progress import Progress, progress
from pokermodel.cli.main import main
from pokermodel.histories import phh


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def lines(self):
        """Every line that was shown, one after the other."""
        return self.getvalue().split("\r\x1b[K")[1:]


@pytest.fixture
def clock(monkeypatch):
    """A clock that only goes when it is told to: ``clock[0] += seconds``."""
    now = [1000.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    return now


def test_total_and_time_left(clock):
    terminal = Terminal()
    shown = Progress("deal", terminal)
    shown(0, 10_000)
    for done in (1000, 2500, 5000):
        clock[0] += 60
        shown(done, 10_000)
    clock[0] += 7200
    shown(9_000, 10_000)
    shown(10_000, 10_000)
    shown.clear()
    assert terminal.lines() == [
        "[....................] 0 of 10,000 deals, 0%",
        "[##..................] 1,000 of 10,000 deals, 10%, 9:00 left",
        "[#####...............] 2,500 of 10,000 deals, 25%, 5:00 left",  # at 1,500 a minute, the latest speed
        "[##########..........] 5,000 of 10,000 deals, 50%, 2:30 left",
        "[##################..] 9,000 of 10,000 deals, 90%, 30:00 left",
        "[####################] 10,000 of 10,000 deals, 100%",
        "",
    ]


def test_what_was_there_already_does_not_count_for_long(clock):
    terminal = Terminal()
    shown = Progress("deal", terminal)
    clock[0] += 10
    shown(900, 1000)  # most of them are of an earlier run
    for done in range(910, 960, 10):
        clock[0] += 10
        shown(done, 1000)
    assert terminal.lines()[-1].endswith("950 of 1,000 deals, 95%, 0:50 left")


def test_lines_are_not_drawn_more_often_than_eyes_can_read(clock):
    terminal = Terminal()
    shown = Progress("hand", terminal)
    for done in range(1, 1001):
        clock[0] += 0.001
        shown(done)
    assert len(terminal.lines()) <= 11
    clock[0] += 3700
    shown(1001)
    assert terminal.lines()[-1] == "1,001 hands, 1:01:41"


def test_a_share_without_a_total(clock):
    """A share goes up in steps; until the next one, the time left counts down."""
    terminal = Terminal()
    share = [0.1]
    shown = Progress("hand", terminal, lambda: share[0], "hands.phh: ")
    shown(1)
    for hands, share[0], seconds in ((500, 0.1, 20), (1000, 0.4, 10), (1400, 0.4, 20)):
        clock[0] += seconds
        shown(hands)
    assert terminal.lines() == [
        "hands.phh: [##..................] 1 hand, 10%",
        "hands.phh: [##..................] 500 hands, 10%",
        "hands.phh: [########............] 1,000 hands, 40%, 1:00 left",
        "hands.phh: [########............] 1,400 hands, 40%, 0:40 left",
    ]


def test_a_line_does_not_wrap(clock, monkeypatch):
    monkeypatch.setattr(_progress.os, "get_terminal_size", lambda number: _progress.os.terminal_size((20, 24)))
    terminal = Terminal()
    terminal.fileno = lambda: 2
    Progress("hand", terminal, label="a-very-long-name-of-a-history.txt: ")(12)
    assert terminal.lines() == ["a-very-long-name-of"]


def test_only_on_a_terminal(monkeypatch):
    for stream in None, io.StringIO():
        monkeypatch.setattr(sys, "stderr", stream)
        with progress("deal") as shown:
            assert shown is None
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("deal") as shown:
        pass
    assert terminal.getvalue() == ""

    def interrupted():
        with progress("deal") as shown:
            shown(1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.lines()[-1] == ""  # the line is gone before anything else is said
    monkeypatch.setenv("TERM", "dumb")
    with progress("deal") as shown:
        assert shown is None


COMMANDS = [
    ("tournament", "--players", "call,raise", "--deals", "4", "--seed", "1", "--block", "2"),
    ("experiment", "gom", "--deals", "2"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_commands(command, monkeypatch, capsys):
    def said():
        with pytest.raises(SystemExit) as ended:
            main(list(command))
        assert not ended.value.code
        return capsys.readouterr()

    assert said().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    lines = said().err.split("\r\x1b[K")
    assert "] 0 of " in lines[1]
    assert lines[-2].startswith("[####################] ")
    assert lines[-2].endswith(" deals, 100%")
    assert lines[-1] == ""


def test_files_count_by_their_sizes(tmp_path):
    sizes = {"one": 1, "two": 4}
    paths = []
    for name, hands in sizes.items():
        paths.append(tmp_path / f"{name}.phhs")
        paths[-1].write_text(phh.dumps_all([pm.example_hand()] * hands))
    paths.append(tmp_path / "folder")
    paths[-1].mkdir()
    (paths[-1] / "five.phhs").write_text(phh.dumps_all([pm.example_hand()] * 5))
    reading = Reading([], paths)
    assert reading.share() == 0
    for path, share in zip(paths, (0.1, 0.5, 1.0), strict=True):
        before = reading.share()
        for _ in reading.hands(path):
            assert before <= reading.share() <= share + 0.01
        assert reading.share() == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("jobs", [1, 2])
def test_learning(tmp_path, monkeypatch, capsys, jobs):
    """What is said of each file stays, and the line that goes on is no longer there then."""
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps(pm.example_hand()))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["learn", str(path), "--book", str(tmp_path / "book"), "--for", "statistics", "--jobs", str(jobs)])
    assert not ended.value.code
    lines = capsys.readouterr().err.split("\r\x1b[K")
    assert lines[1] == "[....................] 0 hands, 0%"
    assert lines[-1] == f"{path}: 1 new hand, 0 known\n"


def test_income_rates(monkeypatch, capsys):
    """The exact part, which takes long, is told to be quick."""
    from pokermodel.evaluation import rollout

    def counts(jobs, tell):
        tell(1, 1)
        raise ValueError("that is enough")

    monkeypatch.setattr(rollout, "heads_up_counts", counts)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with pytest.raises(SystemExit):
        main(["income-rates", "--deals", "10000"])
    shown, said = capsys.readouterr().err.split("\r\x1b[K")[1:]
    assert shown == "two players, exactly: [####################] 1 of 1 part, 100%"
    assert said == "Error: that is enough\n"
