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
    """Or a file that `fit` writes would depend on the number of processors; once NumPy is there it is too late."""
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
