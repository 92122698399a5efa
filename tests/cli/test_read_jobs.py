"""Hands that several processes read: they are shown as one process shows them, byte by byte."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from pokermodel.cli import _read_jobs
from pokermodel.cli.main import main

from ..common.patience import PATIENCE


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
    monkeypatch.setattr(_read_jobs, "_BLOCK", 7)
    monkeypatch.setattr(_read_jobs, "_SHARE", 1 << 40)
    monkeypatch.setenv("COLUMNS", "100")


def shown(capfd: pytest.CaptureFixture[str], *args: object) -> tuple[object, str, str]:
    """What a command ends with, and shows."""
    with pytest.raises(SystemExit) as left:
        main(list(map(str, args)))
    return left.value.code, *capfd.readouterr()


def hands(folder: Path) -> Path:
    (cash,) = (path for path in folder.iterdir() if "no-limit" in path.name or "nolimit" in path.name)
    return cash


@pytest.mark.parametrize(
    "options",
    [
        ("--all",),
        ("--all", "--jsonl"),
        ("--hand", "5-16", "--jsonl", "--weights"),
        ("--hand", "3,9-12", "--maps", "--no-hero"),
        ("--all", "--street", "turn", "--jsonl"),
    ],
)
def test_the_number_of_processes_changes_nothing(
    capfd: pytest.CaptureFixture[str], folder: Path, options: tuple[str, ...]
) -> None:
    one = shown(capfd, "read", hands(folder), *options)
    two = shown(capfd, "read", hands(folder), *options, "--jobs", 2)
    assert one[0] == 0
    assert one[1].count("\n") > 9
    assert one == two


def test_readers_that_are_corrected_by_earlier_hands(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    (limit,) = (path for path in folder.iterdir() if path != hands(folder) and path.suffix == ".txt")
    options = "--hand", "2-17", "--model", "loki2:som", "--no-hero", "--jsonl"
    one, two = (shown(capfd, "read", limit, *options, "--jobs", jobs) for jobs in (1, 2))
    assert '"corrected": true' in one[1]
    assert one == two


def test_a_page(capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "1.html", tmp_path / "2.html"]
    for jobs, path in enumerate(paths, 1):
        code, said, _ = shown(capfd, "read", hands(folder), "--hand", "1-17", "--html", path, "--jobs", jobs)
        assert (code, said) == (0, f"17 hands written to {path}\n")
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_page_that_becomes_too_large(
    capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is given up at the same hand, with the same words, though processes take hands ahead."""
    from pokermodel.report import hands_page

    monkeypatch.setattr(hands_page, "MOST_BYTES", 250_000)
    monkeypatch.setattr(hands_page, "_FEW", 5)
    page = tmp_path / "page.html"
    one, two = (shown(capfd, "read", hands(folder), "--all", "--html", page, "--jobs", jobs) for jobs in (1, 2))
    assert one[0] == 2
    assert "expected a page of at most" in one[2]
    assert one == two
    assert not page.exists()


def test_a_table(capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.parquet"
        code, _, _ = shown(capfd, "read", hands(folder), "--hand", "1-15", "--parquet", path, "--jobs", jobs)
        assert code == 0
        tables.append(parquet.read_table(path))
    assert tables[0].num_rows > 50
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("options", [(), ("--jsonl",)])
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


@pytest.mark.parametrize(
    "options", [("--hand", "1"), ("--json",), ("--all", "--ranges", "pio"), ("--id", "1"), ("--hand", "1-3", "--json")]
)
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
