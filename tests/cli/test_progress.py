"""Progress: one line on a terminal, with the total, the speed and the time left; nothing elsewhere."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from contextlib import contextmanager

import pytest

import pokermodel as pm
from pokermodel.cli import _progress
from pokermodel.cli._hands import HandReading
from pokermodel.cli._progress import Progress, progress
from pokermodel.cli.main import main
from pokermodel.histories import phh
from tests.common.books import in_batches_of, played


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
        "[##..................] 1,000 of 10,000 deals, 10%, 17 deals/s, 9:00 left",
        "[#####...............] 2,500 of 10,000 deals, 25%, 25 deals/s, 5:00 left",  # the latest speed
        "[##########..........] 5,000 of 10,000 deals, 50%, 33 deals/s, 2:30 left",
        "[##################..] 9,000 of 10,000 deals, 90%, 1.8 s a deal, 30:00 left",
        "[####################] 10,000 of 10,000 deals, 100%, 1.8 s a deal",
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
    assert terminal.lines()[-1].endswith("950 of 1,000 deals, 95%, 1.0 deals/s, 0:50 left")


def test_lines_are_not_drawn_more_often_than_eyes_can_read(clock):
    terminal = Terminal()
    shown = Progress("hand", terminal)
    for done in range(1, 1001):
        clock[0] += 0.001
        shown(done)
    assert len(terminal.lines()) <= 11
    clock[0] += 3700
    shown(1001)
    assert terminal.lines()[-1] == "1,001 hands, 41 s a hand, 1:01:41"


def test_a_share_without_a_total(clock):
    """A share goes up in steps; until the next one, the time left counts down."""
    terminal = Terminal()
    share = [0.1]
    shown = Progress("hand", terminal, lambda: share[0])
    shown(1)
    for hands, share[0], seconds in ((500, 0.1, 20), (1000, 0.4, 10), (1400, 0.4, 20)):
        clock[0] += seconds
        shown(hands)
    assert terminal.lines() == [
        "[##..................] 1 hand, 10%",
        "[##..................] 500 hands, 10%, 25 hands/s",
        "[########............] 1,000 hands, 40%, 33 hands/s, 1:00 left",
        "[########............] 1,400 hands, 40%, 30 hands/s, 0:40 left",
    ]


@pytest.mark.parametrize(
    ("done", "seconds", "rate"),
    [
        (12_500, 10, "1,250 hands/s"),
        (99, 10, "9.9 hands/s"),
        (999, 100, "10 hands/s"),
        (32, 10, "3.2 hands/s"),
        (10, 10, "1.0 hands/s"),
        (10, 11, "1.1 s a hand"),
        (1, 12, "12 s a hand"),
        (2, 198, "99 s a hand"),
        (2, 300, "2.5 min a hand"),
    ],
)
def test_speed(clock, done, seconds, rate):
    terminal = Terminal()
    shown = Progress("hand", terminal)
    shown(0, 100_000)
    clock[0] += seconds
    shown(done, 100_000)
    assert terminal.lines()[-1].split(", ", 2)[-1].rpartition(", ")[0] == rate


def test_what_begins_anew(clock):
    """A number that falls is that of other work: its speed is none of the one before."""
    terminal = Terminal()
    shown = Progress("pass", terminal)
    for done, seconds in ((0, 0), (1, 4), (2, 4), (1, 60), (2, 30)):
        clock[0] += seconds
        shown(done, 2)
    assert [line.partition("] ")[2] for line in terminal.lines()] == [
        "0 of 2 passes, 0%",
        "1 of 2 passes, 50%, 4.0 s a pass, 0:04 left",
        "2 of 2 passes, 100%, 4.0 s a pass",
        "1 of 2 passes, 50%",
        "2 of 2 passes, 100%, 30 s a pass",
    ]


def test_a_narrow_terminal_shows_the_time_rather_than_the_speed(clock, monkeypatch):
    terminal = Terminal()
    terminal.fileno = lambda: 2
    whole = "[##########..........] 50 of 100 hands, 50%, 5.0 hands/s, 0:10 left"
    for columns, line in ((len(whole) + 1, whole), (len(whole), whole.replace(", 5.0 hands/s", ""))):
        size = os.terminal_size((columns, 24))
        monkeypatch.setattr(_progress.os, "get_terminal_size", lambda number, size=size: size)
        shown = Progress("hand", terminal)
        shown(0, 100)
        clock[0] += 10
        shown(50, 100)
        assert terminal.lines()[-1] == line


def test_a_line_does_not_wrap(clock, monkeypatch):
    monkeypatch.setattr(_progress.os, "get_terminal_size", lambda number: _progress.os.terminal_size((20, 24)))
    terminal = Terminal()
    terminal.fileno = lambda: 2
    Progress("hand", terminal)(12, 100)
    assert terminal.lines() == ["[##..................]"[:19]]


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
    assert re.search(r" deals, 100%(, .+ (deals/s|a deal))?$", lines[-2])
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
    reading = HandReading([], paths)
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
    assert lines[1] == f"[{'.' * 20}] 0 hands, 0%"
    assert lines[-1] == f"{path}: 1 new hand, 0 known\n"


@contextmanager
def real_terminal(monkeypatch, columns=100):
    """Standard error is a terminal of the system; what is written to it is read at the end."""
    fcntl, pty, struct, termios = map(pytest.importorskip, ("fcntl", "pty", "struct", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    read, written = [], []

    def drain():
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # it is closed
                return
            if not part:
                return
            read.append(part)

    reader = threading.Thread(target=drain)
    reader.start()
    with open(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("TERM", "xterm")
        patch.setattr(_progress, "_EVERY", 0)  # seconds
        yield written
    reader.join()
    os.close(ours)
    written.append(b"".join(read).decode())


def screen(text):
    """What a terminal has on it, line by line, after a text of lines that are cleared."""
    return [line.rpartition("\r\x1b[K")[2].rstrip("\r") for line in text.split("\n")]


COMMANDS_ON_FILES = {
    "learn": ("hand", ["learn", "HANDS", "--book", "BOOK", "--for", "statistics"]),
    "learn by two processes": ("hand", ["learn", "HANDS", "--book", "BOOK", "--for", "statistics", "--jobs", "2"]),
    "score": ("hand", ["score", "HANDS", "--model", "call"]),
    "nodes": ("hand", ["profile", "--nodes", "--history", "FOLDER"]),
    "tournament": ("deal", ["tournament", "--players", "call,raise", "--deals", "8", "--seed", "1", "--block", "2"]),
    "experiment": ("deal", ["experiment", "bpp-decision", "--deals", "10"]),
}


@pytest.mark.parametrize("name", COMMANDS_ON_FILES)
def test_every_command_that_takes_long(name, tmp_path, monkeypatch, capsys):
    """On a terminal of the system each shows how far it is, how fast and how long yet, and nothing of it stays."""
    thing, command = COMMANDS_ON_FILES[name]
    names = [f"p{k}" for k in range(20)]
    files = [tmp_path / f"{k}.phhs" for k in range(5)]  # each is so short that it is read at once
    for number, path in enumerate(files):
        hands = range(64 * number, 64 * (number + 1))
        path.write_text(phh.dumps_all(played(k, k, [names[(7 * k + 3 * j) % 20] for j in range(3)]) for k in hands))
    places = {"HANDS": files, "FOLDER": [tmp_path], "BOOK": [tmp_path / "book"]}
    in_batches_of(8, monkeypatch)

    with real_terminal(monkeypatch) as written, pytest.raises(SystemExit) as ended:
        main([str(each) for word in command for each in places.get(word, [word])])
    assert not ended.value.code, written
    (text,) = written
    lines = text.split("\r\x1b[K")
    assert any(re.search(rf"\[[#.]{{20}}\] .*{thing}s?, [0-9]+%", line) for line in lines), text
    assert any(re.search(rf"%, [0-9.,]+ ({thing}s/s|s a {thing})", line) for line in lines), text
    assert any(re.search(rf"({thing}s/s|s a {thing}), [0-9:]+ left", line) for line in lines), text
    assert not any("[#" in line or "[." in line for line in screen(text)), text
    capsys.readouterr()
