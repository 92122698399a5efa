"""Errors of the system as the command line says them: in words, in one line, without numbers."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pokermodel._support.words import error_words
from pokermodel.cli import main
from pokermodel.histories import phh
from tests.common.books import HANDS


def failed(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as left:
        main([str(each) for each in arguments])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = failed(capsys, "acpc", "deal", "--players", "remote,call", "--ports", port, "--hands", 1)
    assert line == f"Error: 127.0.0.1, port {port}: another program uses this port"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are of POSIX systems")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    import resource

    (tmp_path / "hands.phhs").write_text(phh.dumps_all(HANDS))
    command = [sys.executable, "-B", "-m", "pokermodel", "convert", "hands.phhs", "--to", "ohh", "--out", "hands.ohh"]
    found = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert (found.returncode, found.stderr) == (2, "Error: hands.ohh: a file may not become so large here\n")


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_no_number_of_the_system_is_shown(number: int) -> None:
    assert "Errno" not in error_words(OSError(number, os.strerror(number), "some file"))
    assert error_words(OSError(number, os.strerror(number), "some file")).startswith("some file: ")
    assert not error_words(OSError(number, os.strerror(number))).startswith(":")
    assert error_words(ValueError("what is wrong")) == "what is wrong"


def test_linear_algebra_has_one_thread() -> None:
    """Or last digits would depend on the number of processors; once NumPy is there it is too late."""
    code = """
import os, sys
from pokermodel.cli import main
assert "numpy" not in sys.modules
try:
    main(["range", "AA"])
except SystemExit:
    assert "numpy" in sys.modules
    print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for given, expected in ({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3"):
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment | given, capture_output=True, text=True, check=True
        )
        assert run.stdout.splitlines()[-1] == expected


def test_a_defect_is_a_line_that_names_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a traceback for who looks for it."""

    def faulty(*_: object, **__: object) -> None:
        raise KeyError("a\nkey")

    monkeypatch.setattr("pokermodel.ranges.parse_range", faulty)
    monkeypatch.setattr("pokermodel.cli.range.show_range.callback", faulty)
    with pytest.raises(SystemExit) as left:
        main(["range", "AA"])
    assert left.value.code == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(r"Error: a defect of pokermodel ends pokermodel range: KeyError: 'a\nkey'; please report it")
    assert line.endswith("with what --traceback prints")
    for given in (["--traceback", "range", "AA"], ["range", "AA", "--traceback"]):
        with pytest.raises(KeyError):
            main(given)


def test_a_traceback_is_shown_of_any_error(tmp_path: Path) -> None:
    (tmp_path / "spot.toml").write_text("board")
    command = [sys.executable, "-m", "pokermodel", "--traceback", "solve", str(tmp_path / "spot.toml")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr.startswith("Traceback (most recent call last):\n")


def test_what_an_option_needs_is_looked_for_before_work_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hands.phhs").write_text(phh.dumps_all(HANDS))
    monkeypatch.setattr("pokermodel._support.frames.find_spec", lambda name: None)
    monkeypatch.setattr("pokermodel.report.picture.find_spec", lambda name: None)
    for command in ("study", "read"):
        line = failed(capsys, command, tmp_path / "hands.phhs", "--out", tmp_path / "all.parquet")
        assert line == 'Error: Parquet files need pyarrow: expected pip install "pokermodel[parquet]"'
    long = tmp_path / ("x" * 300 + ".csv")
    line = failed(capsys, "study", tmp_path / "hands.phhs", "--out", long)
    assert line.endswith("expected a name of at most 255 bytes")
    assert [path.name for path in tmp_path.iterdir()] == ["hands.phhs"]


@pytest.mark.parametrize("length", [244, 246, 250, 255])
def test_a_name_may_be_as_long_as_the_system_takes(tmp_path: Path, length: int) -> None:
    (tmp_path / "hands.phhs").write_text(phh.dumps_all(HANDS))
    out = tmp_path / ("\u00fc" * ((length - 4) // 2) + "x" * (length % 2) + ".ohh")
    assert len(os.fsencode(out.name)) == length
    with pytest.raises(SystemExit) as left:
        main(["convert", str(tmp_path / "hands.phhs"), "--to", "ohh", "--out", str(out)])
    assert left.value.code == 0
    assert out.stat().st_size
