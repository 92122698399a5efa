"""How much of a source has been read: for whoever shows progress."""

from __future__ import annotations

import gzip
import os
import tarfile
import threading
import zipfile

import pytest

import pokermodel as pm
from pokermodel.histories import phh
from tests.common import desk
from tests.common.patience import PATIENCE

HANDS = 400
ONE = phh.dumps(pm.example_hand())
TEXT = "".join(f"[{number}]\n{ONE}\n" for number in range(1, HANDS + 1))  # many times what is read at once


def plain(folder):
    path = folder / "hands.phhs"
    path.write_text(TEXT)
    return path


def compressed(folder):
    path = folder / "hands.phhs.gz"
    path.write_bytes(gzip.compress(TEXT.encode(), compresslevel=0))  # else all of it would be in one buffer
    return path


def archive(folder):
    path = folder / "hands.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        file.add(plain(folder), "hands.phhs")
    return path


@pytest.mark.parametrize("make", [plain, compressed, archive])
def test_a_file_bit_by_bit(tmp_path, make):
    source = pm.open_hands(make(tmp_path))
    assert source.share_read == 0
    shares = [source.share_read for _ in source]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5
    assert abs(shares[HANDS // 2] - 0.5) < 0.3
    assert len(set(shares)) > 3
    assert source.share_read == 1
    hands = iter(source)  # from the start
    next(hands)
    assert source.share_read == shares[0]


def zipped(folder):
    path = folder / "hands.zip"
    with zipfile.ZipFile(path, "w") as file:
        for k in range(4):
            file.writestr(f"{k}.phh", phh.dumps(pm.example_hand()))
        file.writestr("notes.txt", "no history")
    return path


def files(folder):
    for k in range(4):
        (folder / f"{k}.phh").write_text(phh.dumps(pm.example_hand()))
    (folder / "notes.txt").write_text("no history")
    return folder


@pytest.mark.parametrize("make", [zipped, files])
def test_files_one_by_one(tmp_path, make):
    source = pm.open_hands(make(tmp_path))
    shares = [source.share_read for _ in source]
    for k, share in enumerate(shares):
        assert k / 4 <= share <= (k + 1) / 4
    assert source.share_read == 1


def test_irc(tmp_path):
    desk.lay(tmp_path)
    source = pm.open_hands(tmp_path / "holdem.199504.tgz", strict=False)
    assert all(0 < source.share_read <= 1 for _ in source)
    assert source.share_read == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    told = threading.Event()

    def write():
        with path.open("w") as pipe:
            pipe.write(TEXT)
            pipe.flush()
            told.wait(PATIENCE)

    writer = threading.Thread(target=write)
    writer.start()
    source = pm.open_hands(path)
    hands = iter(source)
    next(hands)
    assert source.share_read == 0  # the end is not there yet
    told.set()
    assert sum(1 for _ in hands) == HANDS - 1
    writer.join()
    assert source.share_read == 1
