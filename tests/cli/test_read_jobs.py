"""Hands that several processes read: they are shown as one process shows them, byte by byte."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pokermodel.cli import _reading
from pokermodel.cli.main import main
from tests.common.patience import PATIENCE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the hands that ship."""
    path = tmp_path_factory.mktemp("hands")
    with pytest.raises(SystemExit) as left:
        main(["sample", str(path)])
    assert not left.value.code
    return path


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few hands, however much is known, so that there are several."""
    monkeypatch.setattr(_reading, "_BLOCK", 7)
    monkeypatch.setattr(_reading, "_SHARE", 1 << 40)
    monkeypatch.setenv("COLUMNS", "100")


def shown(capfd: pytest.CaptureFixture[str], *args: object) -> tuple[object, str, str]:
    """What a command ends with, and shows."""
    with pytest.raises(SystemExit) as left:
        main(list(map(str, args)))
    return left.value.code, *capfd.readouterr()


def hands(folder: Path) -> Path:
    (cash,) = (path for path in folder.iterdir() if "no-limit" in path.name or "nolimit" in path.name)
    return cash


def lines(*options: object) -> tuple[object, ...]:
    """Options, and those by which lines of JSON are printed."""
    return (*options, "--out", "-.jsonl")


@pytest.mark.parametrize(
    "options",
    [
        ("--hand", "1-17"),
        lines("--all"),
        lines("--hand", "5-16", "--weights"),
        ("--hand", "3,9-12", "--maps", "--hero", ""),
        lines("--all", "--where", "street>=turn"),
    ],
)
def test_the_number_of_processes_changes_nothing(
    capfd: pytest.CaptureFixture[str], folder: Path, options: tuple[str, ...]
) -> None:
    one = shown(capfd, "read", hands(folder), *options, "--jobs", 1)
    two = shown(capfd, "read", hands(folder), *options, "--jobs", 2)
    assert one[0] == 0
    assert one[1].count("\n") > 9
    assert one == two


def test_blocks_have_more_hands_where_much_is_known(
    capfd: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has been learnt is sent with each."""
    sent = []
    real = _reading._Block
    monkeypatch.setattr(_reading, "_Block", lambda learners, items: sent.append(len(items)) or real(learners, items))
    shown(capfd, "read", hands(folder), *lines("--all"), "--jobs", 2)
    assert sent == [7, 7, 7, 7, 7, 5]
    sent.clear()
    monkeypatch.setattr(_reading, "_SHARE", 1000)
    shown(capfd, "read", hands(folder), *lines("--all"), "--jobs", 2)
    assert sent == [40]


def test_readers_that_are_corrected_by_earlier_hands(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    (limit,) = (path for path in folder.iterdir() if path != hands(folder) and path.suffix == ".txt")
    options = lines("--hand", "2-17", "--model", "loki2:som", "--hero", "")
    one, two = (shown(capfd, "read", limit, *options, "--jobs", jobs) for jobs in (1, 2))
    assert '"corrected": true' in one[1]
    assert one == two


def test_a_page(capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "1.html", tmp_path / "2.html"]
    for jobs, path in enumerate(paths, 1):
        code, _, said = shown(capfd, "read", hands(folder), "--hand", "1-17", "--out", path, "--jobs", jobs)
        assert (code, said) == (0, f"17 hands written to {path}\n")
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_page_that_becomes_too_large(
    capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is given up at the same hand, with the same words, though hands are taken ahead."""
    from pokermodel.report import hands_page

    monkeypatch.setattr(hands_page, "MOST_BYTES", 250_000)
    monkeypatch.setattr(hands_page, "_FEW", 5)
    page = tmp_path / "page.html"
    one, two = (shown(capfd, "read", hands(folder), "--all", "--out", page, "--jobs", jobs) for jobs in (1, 2))
    assert one[0] == 2
    assert "expected a page of at most" in one[2]
    assert one == two
    assert not page.exists()


def test_a_table(capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.parquet"
        code, _, _ = shown(capfd, "read", hands(folder), "--hand", "1-15", "--out", path, "--jobs", jobs)
        assert code == 0
        tables.append(parquet.read_table(path))
    assert tables[0].num_rows > 50
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("options", [(), lines()])
def test_damage_is_left_out_alike(
    capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    text = hands(folder).read_text(encoding="utf-8")
    blocks = text.split("\n\n\n")
    blocks[20] = blocks[20].replace(": folds", ": frowns", 1)
    damaged = tmp_path / "damaged.txt"
    damaged.write_text("\n\n\n".join(blocks), encoding="utf-8")
    one, two = (shown(capfd, "read", damaged, "--all", *options, "--jobs", jobs) for jobs in (1, 2))
    assert one[0] == 0
    assert one[1]
    assert "1 hand skipped" in one[2]
    assert "damaged.txt:" in one[2]
    assert one == two


@pytest.mark.parametrize("which", [("--hand", "90-95"), ("--hand", "38-95")])
def test_numbers_beyond_the_end(capfd: pytest.CaptureFixture[str], folder: Path, which: tuple[str, ...]) -> None:
    """What the source says when hands are asked for that it does not have is said alike."""
    one, two = (shown(capfd, "read", hands(folder), *which, "--jobs", jobs) for jobs in (1, 2))
    assert one == two
    assert one[0] == (2 if which[1] == "90-95" else 0)


def test_a_hand_that_cannot_be_read_so(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    """What a worker raises is the error of the command, after the hands before it."""
    one, two = (shown(capfd, "read", folder, "--all", "--model", "som", "--jobs", jobs) for jobs in (1, 2))
    assert one[0] == 2
    assert len(one[2].splitlines()) == 1
    assert one == two


@pytest.mark.parametrize("options", [("--hand", "1"), ("--json",), ("--where", "id=1"), ("--hand", "1-3", "--json")])
def test_what_has_no_use_for_processes(
    capfd: pytest.CaptureFixture[str], folder: Path, options: tuple[str, ...]
) -> None:
    code, said, error = shown(capfd, "read", hands(folder), *options, "--jobs", 2)
    assert (code, said) == (2, "")
    assert "several hands" in error or "--json prints one object" in error


def test_on_a_terminal(folder: Path) -> None:
    """Colours are those of one process."""

    def seen(jobs: int) -> bytes:
        master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
        env.pop("NO_COLOR", None)
        process = subprocess.Popen(
            [sys.executable, "-m", "pokermodel", "read", hands(folder), "--hand", "1-4", "--jobs", str(jobs)],
            stdin=slave, stdout=slave, stderr=slave, close_fds=True, env=env,
        )  # fmt: skip
        os.close(slave)
        parts = []
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        os.close(master)
        assert process.wait(timeout=PATIENCE) == 0
        return b"".join(parts)

    one, two = seen(1), seen(2)
    assert b"\x1b[" in one
    assert one == two


def test_hands_that_come_through_a_pipe_are_shown_at_once(folder: Path) -> None:
    """One process takes no hand ahead of the one that it shows."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pokermodel", "read", "-", *lines("--all")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    first = threading.Event()

    def write() -> None:
        assert process.stdin is not None
        process.stdin.write(hands(folder).read_bytes() * 4)  # more than what tells the format
        process.stdin.flush()
        first.wait(PATIENCE)
        process.stdin.close()

    threading.Thread(target=write, daemon=True).start()
    assert process.stdout.readline().startswith(b'{"number": 1')
    first.set()
    with process, process.stdout as rest:
        assert rest.read().count(b"\n") == 159
    timer.cancel()
    assert process.returncode == 0


# ---------------------------------------------------------------------------------------------- ended early


def begun(path: Path, *options: str) -> subprocess.Popen[bytes]:
    """A command in a group of processes of its own, that has shown a hand, and waits for somebody to read on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pokermodel", "read", path, *map(str, lines("--all")), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"{")
    return process


def nobody_left(group: int) -> bool:
    """Whether nobody is left of a group of processes, after a while."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_all(folder: Path, jobs: str) -> None:
    """A terminal sends it to all processes."""
    process = begun(hands(folder), "--jobs", jobs)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert said.decode().splitlines()[-1] == "Aborted."
    assert b"Traceback" not in said
    assert nobody_left(process.pid)


def test_nobody_reads_on(folder: Path) -> None:
    """The end of a pipe, as of ``head``, is told as one process tells it."""

    def told(jobs: str) -> tuple[int, bytes]:
        process = begun(hands(folder), "--jobs", jobs)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        with process.stderr as stream:
            said = stream.read()
        code = process.wait(timeout=PATIENCE)
        assert nobody_left(process.pid)
        return code, said

    one = told("1")
    assert b"Traceback" not in one[1]
    assert told("2") == one


def test_what_is_known_of_players(capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    """Each process opens the book for itself."""
    book = tmp_path / "players.db"
    assert shown(capfd, "learn", hands(folder), "--book", book)[0] == 0
    one, two = (shown(capfd, "read", hands(folder), *lines("--all"), "--book", book, "--jobs", jobs) for jobs in (1, 3))
    assert one[0] == 0
    assert one[1].count("\n") > 9
    assert one == two
