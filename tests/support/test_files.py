"""Files are written as a whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pokermodel._support.files import append_text, whole_file, write_text


def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    write_text(path, "first\n")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left.*table\.csv"):
        write_text(path, "second\n")
    assert path.read_text() == "first\n"
    assert os.listdir(tmp_path) == ["table.csv"]


def test_a_file_that_is_written_bit_by_bit(tmp_path):
    path = tmp_path / "page.html"
    write_text(path, "first\n")
    with whole_file(path) as write:
        write(b"second ")
        assert path.read_text() == "first\n"
        write(b"and more\n")
    assert path.read_text() == "second and more\n"

    def fail():
        with whole_file(path) as write:
            write(b"third\n")
            (tmp_path / "another").read_bytes()

    with pytest.raises(FileNotFoundError, match="another"):  # the error names the file that it is of
        fail()
    assert path.read_text() == "second and more\n"
    assert os.listdir(tmp_path) == ["page.html"]
    with pytest.raises(FileNotFoundError, match="there"), whole_file(tmp_path / "not" / "there"):
        raise AssertionError


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_text()))
    reader.start()
    write_text(path, "text\n")
    reader.join()
    assert found == ["text\n"]
    assert path.is_fifo()


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "table.csv", tmp_path / "link"
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("links need a privilege here")
    write_text(link, "text\n")
    assert link.is_symlink()
    assert path.read_text() == "text\n"


def test_an_append_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "log"
    append_text(path, "first\n")
    append_text(path, "zweite \u00e4\n")
    assert path.read_bytes() == "first\nzweite \u00e4\n".encode()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left.*log"):
        append_text(path, "third\n")
    assert path.read_bytes() == "first\nzweite \u00e4\n".encode()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("write", [write_text, append_text])
def test_a_full_device_is_named(write):
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write(Path("/dev/full"), "text\n")
