"""The watcher, on real folders."""

from __future__ import annotations

import shutil
import time

import pytest

from tests.common.patience import PATIENCE

pytest.importorskip("watchfiles", reason="the extra desk is not installed")

from pokermodel.desk.watch import Watcher
from pokermodel.library import watching


class Reader:
    """Reads all text of a folder each time, and may be made to fail."""

    def __init__(self, folder):
        self.folder, self.text, self.looks, self.errors, self.wrong = folder, "", 0, [], False

    def look(self):
        self.looks += 1
        if self.wrong:
            raise ValueError("no hand")
        self.text = "".join(sorted(path.read_text() for path in self.folder.rglob("*.txt")))

    def wait(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.005)


@pytest.mark.parametrize("poll", [False, True])
def test_what_is_written_is_read(tmp_path, poll):
    """At once, in folders within, and after an error."""
    (tmp_path / "a.txt").write_text("a")
    reader = Reader(tmp_path)
    watcher = Watcher([tmp_path], reader.look, reader.errors.append, poll=poll)
    watcher.start()
    reader.wait(lambda: reader.text == "a")
    time.sleep(0.3)  # until the system watches
    with (tmp_path / "a.txt").open("a") as file:
        file.write("b")
    reader.wait(lambda: reader.text == "ab")
    reader.wrong = True
    (tmp_path / "within").mkdir()
    (tmp_path / "within" / "c.txt").write_text("c")
    reader.wait(lambda: reader.errors)
    assert isinstance(reader.errors[0], ValueError)
    reader.wrong = False
    (tmp_path / "d.txt").write_text("d")
    reader.wait(lambda: reader.text == "abcd")
    begun = time.monotonic()
    watcher.close()
    assert time.monotonic() - begun < 5


def test_files_are_looked_at_without_events(tmp_path, monkeypatch):
    """Network drives may tell nothing."""
    monkeypatch.setattr(watching, "_PATIENCE", 0.02)
    reader = Reader(tmp_path)
    watcher = Watcher([tmp_path], reader.look, reader.errors.append)
    watcher.start()
    reader.wait(lambda: reader.looks > 4)
    watcher.close()


def test_a_folder_that_vanishes_and_comes_back(tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "_GONE", 0.02)
    monkeypatch.setattr(watching, "_PATIENCE", 0.05)
    folder = tmp_path / "hands"
    folder.mkdir()
    reader = Reader(folder)
    watcher = Watcher([folder], reader.look, reader.errors.append)
    watcher.start()
    reader.wait(lambda: reader.looks > 1)
    shutil.rmtree(folder)
    before = reader.looks
    reader.wait(lambda: reader.looks > before + 2)
    folder.mkdir()
    (folder / "a.txt").write_text("back")
    reader.wait(lambda: reader.text == "back")
    watcher.close()
