"""`open_hands`: one door for all formats, plain and compressed, alone, in folders and in archives."""

from __future__ import annotations

import builtins
import bz2
import errno
import gzip
import itertools
import lzma
import os
import pickle
import threading
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.errors import HistoryError
from pokermodel.histories import HandSource, open_hands, phh
from pokermodel.histories import files as containers
from pokermodel.histories import index as indexes
from tests.common.histories import ACPC, IRC, PHH, POKERSTARS, tar, write, zipped

FILES = {"phh": {"1.phh": PHH}, "acpc": {"a.log": ACPC}, "irc": {f"199901/{name}": IRC[name] for name in IRC}}
HANDS = {"phh": 1, "acpc": 2, "irc": 2}


@pytest.mark.parametrize("form", ["phh", "acpc"])
@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress], ids=["plain", "gzip", "bzip2", "xz"]
)
@pytest.mark.parametrize("name", ["right", "wrong"])
def test_file(tmp_path: Path, form: str, pack: Callable[[bytes], bytes], name: str) -> None:
    ((right, text),) = FILES[form].items()
    path = tmp_path / (right if name == "right" else "some.file")
    path.write_bytes(pack(text.encode()))
    source = open_hands(path)
    assert source.format == form
    assert len(list(source)) == len(list(source)) == HANDS[form]


@pytest.mark.parametrize("form", ["phh", "acpc", "irc"])
def test_folder_and_archives(tmp_path: Path, form: str) -> None:
    files = FILES[form]
    expected = list(open_hands(write(tmp_path / "folder", files)))
    assert len(expected) == HANDS[form]
    below, above = ({prefix + name: text for name, text in files.items()} for prefix in ("./", "above/"))
    packed = [tar(files, mode) for mode in ("w", "w:gz", "w:bz2", "w:xz")] + [tar(below, "w"), tar(above)]
    for place, data in enumerate([*packed, zipped(files), zipped(above), gzip.compress(zipped(files))]):
        path = tmp_path / str(place)
        path.write_bytes(data)
        source = open_hands(str(path))
        assert source.format == form
        assert list(source) == expected


def test_database_at_the_root(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path / "199901", IRC))
    assert [hand.source for hand in source] == ["irc/199901"] * 2


def test_several_months(tmp_path: Path) -> None:
    folders = {f"{month}/{name}": text for month in ("9", "10") for name, text in IRC.items()}
    source = open_hands(write(tmp_path, folders))
    assert [hand.source for hand in source] == ["irc/9"] * 2 + ["irc/10"] * 2  # in natural order
    assert source.hand(3).source == "irc/10"


def test_a_damaged_month_among_others(tmp_path: Path) -> None:
    folders = {f"{month}/{name}": text for month in ("9", "10") for name, text in IRC.items()}
    del folders["9/hroster"]
    write(tmp_path, folders)
    source = open_hands(tmp_path, strict=False)
    assert [hand.source for hand in source] == ["irc/10"] * 2
    assert len(source.skipped) == 1
    with pytest.raises(HistoryError, match="needs three tables"):
        list(open_hands(tmp_path))


def test_a_month_among_other_histories(tmp_path: Path) -> None:
    months = {f"199901/{name}": text for name, text in IRC.items()}
    others = {"1.phh": PHH, "199901/x.log": ACPC, "z/ps.txt": POKERSTARS, "z/README": "nothing"}
    folder = write(tmp_path / "folder", months | others)
    formats = ["phh", "irc", "irc", "acpc", "acpc", "pokerstars"]
    for place, data in enumerate([None, tar(months | others), zipped(months | others)]):
        path = folder
        if data is not None:
            path = tmp_path / str(place)
            path.write_bytes(data)
        source = open_hands(path)
        assert source.format == "acpc+irc+phh+pokerstars"
        assert [hand.source.partition("/")[0] for hand in source] == formats
    parts = open_hands(folder).parts
    assert parts == [folder / "1.phh", folder / "199901", folder / "z" / "ps.txt"]
    assert [hand for part in parts for hand in open_hands(part)] == list(open_hands(folder))


def test_a_month_at_the_root_among_other_histories(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, {**IRC, "1.phh": PHH, "deep/a.log": ACPC}))
    assert source.format == "acpc+irc+phh"
    assert len(list(source)) == 5
    assert source.parts == [tmp_path]


def test_a_file_that_only_bears_the_name_of_a_table(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path / "text", {"ps.txt": POKERSTARS, "hdb": "what my laptop has\n"}))
    assert source.format == "pokerstars"
    assert len(list(source)) == 1
    source = open_hands(write(tmp_path / "table", {"ps.txt": POKERSTARS, "hdb": IRC["hdb"]}), strict=False)
    assert len(list(source)) == 1
    (error,) = source.skipped
    assert "needs three tables" in str(error)


def test_folder_of_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "README.md": "what this is",
            ".hidden.phh": "nothing",
            "10.phh": f"{PHH}hand = 10\n",
            "9.phh": f"{PHH}hand = 9\n",
            "deep/down/11.phh": f"{PHH}hand = 11\n",
            "x.log": ACPC,
        },
    )
    (tmp_path / "12.phh.gz").write_bytes(gzip.compress(PHH.encode()))
    source = open_hands(tmp_path)
    assert source.format == "acpc+phh"
    assert [hand.id for hand in source] == ["9", "10", "12", "11", "0", "1"]


def test_compressed_files_in_archives(tmp_path: Path) -> None:
    files = {"1.phh.gz": gzip.compress(PHH.encode()), "2.phh.xz": lzma.compress(PHH.encode()), ".3.phh": PHH.encode()}
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    assert len(list(open_hands(path))) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes")
def test_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(ACPC,))
    writer.start()
    source = open_hands(path)
    writer.join()
    assert len(list(source)) == len(list(source)) == 2


def many(form: str, count: int) -> bytes:
    """A file of so many hands."""
    if form == "acpc":
        lines = (f"STATE:{k}:rf:5dTs|8c7c:-10|10:p1|p2\n" for k in range(count))
        return "".join(lines).encode()
    if form == "phh":
        return "".join(f"[{k}]\n{PHH}\n" for k in range(count)).encode()
    if form == "pokerstars":
        return "".join(POKERSTARS.replace("#71", f"#{k}") for k in range(count)).encode()
    tables = {"hdb": "", "hroster": "", "pdb/pdb.Ann": "", "pdb/pdb.Bob": ""}
    tables = {
        name: "".join(IRC[name].splitlines(True)[0].replace("901", str(k)) for k in range(count)) for name in tables
    }
    return tar({f"199901/{name}": text for name, text in tables.items()}, "w")


@pytest.mark.parametrize(
    ("form", "pack", "count"),  # three times so many are 300 kB more
    [
        *[("acpc", bytes, 2000), ("acpc", gzip.compress, 2000), ("phh", gzip.compress, 500)],
        *[("pokerstars", gzip.compress, 400), ("irc", gzip.compress, 1000)],
    ],
)
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, form: str, pack: Callable[[bytes], bytes], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "IN_MEMORY", 1 << 10)  # of an unpacked archive
    peaks = []
    few = tmp_path / "few"
    few.write_bytes(pack(many(form, 50)))
    list(open_hands(few))  # fills caches
    for hands in count, 3 * count:
        path = tmp_path / str(hands)
        path.write_bytes(pack(many(form, hands)))
        tracemalloc.start()
        assert sum(1 for _ in open_hands(path)) == hands
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 150_000, peaks


def test_memory_does_not_grow_with_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what an index keeps."""
    monkeypatch.setattr(indexes, "_MOST_ERRORS", 300)

    class Count:
        errors = 0

        def append(self, error: HistoryError) -> None:
            self.errors += 1

    peaks = []
    for hands in 400, 2000:
        path = tmp_path / str(hands)
        path.write_bytes(many("pokerstars", hands).replace(b"Hold'em Limit", b"Omaha Pot Limit"))
        tracemalloc.start()
        assert not list(open_hands(path).read(skipped := Count()))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert skipped.errors == hands
    assert peaks[1] < peaks[0] + 150_000, peaks


def test_parts(tmp_path: Path) -> None:
    folder = write(tmp_path / "several", {"b.phh": PHH, "deep/a.log": ACPC, "README": "nothing"})
    source = open_hands(folder)
    assert source.parts == [folder / "b.phh", folder / "deep" / "a.log"]
    assert [hand for part in source.parts for hand in open_hands(part)] == list(source)
    months = write(
        tmp_path / "months", {f"{month}/{name}": text for month in ("9", "10") for name, text in IRC.items()}
    )
    source = open_hands(months)
    assert source.parts == [months / "9", months / "10"]
    assert [hand for part in source.parts for hand in open_hands(part)] == list(source)
    assert open_hands(folder / "b.phh").parts == [folder / "b.phh"]


def test_a_damaged_file_among_others(tmp_path: Path) -> None:
    write(tmp_path, {"1.phh": PHH, "2.phh": PHH.replace("FT", "PO")})
    (tmp_path / "3.phh.gz").write_bytes(gzip.compress(PHH.encode())[:40])
    source = open_hands(tmp_path, strict=False)
    assert len(list(source)) == 1
    assert [Path(str(error.path)).name for error in source.skipped] == ["2.phh", "3.phh.gz"]
    source = open_hands(tmp_path)
    hands = iter(source)
    next(hands)
    with pytest.raises(HistoryError, match="variant 'PO' is not supported"):
        next(hands)
    assert source.skipped == []


def test_what_cannot_be_read_among_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["1.phh", "locked.txt", "secret/2.phh", ".secret/3.phh"]
    write(tmp_path, dict.fromkeys(names, PHH))
    (tmp_path / "3.txt.gz").write_bytes(gzip.compress(POKERSTARS.encode())[:40])
    refuse(monkeypatch, tmp_path / "locked.txt", tmp_path / "secret", tmp_path / ".secret")
    source = open_hands(tmp_path, strict=False)
    for _ in range(2):
        assert [source.format, len(list(source))] == ["phh", 1]
        assert [Path(str(error.path)).name for error in source.skipped] == ["3.txt.gz", "locked.txt", "secret"]
    assert str(source.skipped[1]) == f"{tmp_path / 'locked.txt'}: cannot be read: Permission denied"
    assert [path.name for path in source.parts] == ["1.phh", "3.txt.gz", "locked.txt", "secret"]
    hands = iter(open_hands(tmp_path))
    next(hands)
    with pytest.raises(HistoryError, match="the compressed file is damaged"):
        next(hands)


def test_nothing_that_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"deep/locked.txt": POKERSTARS})
    for name in "deep/locked.txt", "deep", "":
        refuse(monkeypatch, tmp_path / name)
        with pytest.raises(HistoryError) as caught:
            open_hands(tmp_path)
        assert str(caught.value) == f"{tmp_path / name}: cannot be read: Permission denied"


def refuse(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> None:
    """Let these files and folders be such that may not be read: permissions do not bind every user."""

    def guard(real: Callable[..., object]) -> Callable[..., object]:
        def guarded(path: str | Path | int, *args: object, **more: object) -> object:
            if not isinstance(path, int) and Path(path) in paths:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *args, **more)

        return guarded

    monkeypatch.setattr(builtins, "open", guard(open))
    monkeypatch.setattr(os, "open", guard(os.open))
    monkeypatch.setattr(os, "scandir", guard(os.scandir))


def test_a_file_of_one_hand_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path, {f"{number}.phh": PHH for number in range(5)})
    opened, real = Counter[str](), os.open
    monkeypatch.setattr(os, "open", lambda path, *more: opened.update([str(path)]) or real(path, *more))
    source = open_hands(folder)
    first = list(source)
    assert set(opened.values()) == {1}
    assert list(source) == first  # what was kept is read again from the files
    assert set(opened.values()) == {2}
    (folder / "3.phh").write_text(PHH.replace("FT", "PO"))
    with pytest.raises(HistoryError, match="variant 'PO' is not supported"):
        list(source)


@pytest.mark.parametrize("room", [0, 5_000, 1 << 20])
def test_hands_in_files_of_their_own_are_those_of_one_file(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the hand of a file is kept from when it was recognised, for which there may be no room, or read again."""
    monkeypatch.setattr(containers, "IN_MEMORY", room)
    texts = [POKERSTARS.replace("#71", f"#{number}") for number in range(30)]
    texts[3] = texts[3].replace("\n", "\r\n")  # whose ends are not usual
    texts[4] = "\ufeff" + texts[4]
    all_in_one = "\n\n\n".join(POKERSTARS.replace("#71", f"#{k}") for k in range(30))
    expected = list(open_hands(write(tmp_path / "one", {"all.txt": all_in_one})))
    folder = write(tmp_path, {f"in/{number}.txt": text for number, text in enumerate(texts)}) / "in"
    source = open_hands(folder, index=False)
    assert source.format == "pokerstars"
    assert list(source) == expected
    assert list(source) == expected
    assert [(file.status, file.hands) for file in source.report().files] == [("read", 1)] * 30
    assert [source[k].id for k in (29, 0, 7)] == ["29", "0", "7"]
    half = iter(open_hands(folder, index=False))
    assert [next(half).id for _ in range(5)] == ["0", "1", "2", "3", "4"]
    (folder / "9.txt").write_text(texts[9].replace("$100", "$-1"))
    assert len(list(open_hands(folder, strict=False, index=False))) == 29


def test_a_file_of_one_hand_is_read_as_it_was_when_it_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, {f"{number}.txt": POKERSTARS for number in range(3)})
    opened, real = Counter[str](), os.open
    monkeypatch.setattr(os, "open", lambda path, *more: opened.update([str(path)]) or real(path, *more))
    source = open_hands(folder, index=False)
    assert set(opened.values()) == {1}
    (folder / "1.txt").write_text(POKERSTARS.replace("#71", "#72"))
    assert [hand.id for hand in source] == ["71"] * 3
    assert set(opened.values()) == {1}
    assert [hand.id for hand in source] == ["71", "72", "71"]


def test_an_encrypted_archive(tmp_path: Path) -> None:
    path = tmp_path / "hands.zip"
    data = bytearray(zipped({"1.phh": PHH, "2.phh": PHH}))
    data[data.index(b"PK\1\2") + 8] |= 1  # the flag in the directory
    path.write_bytes(data)
    source = open_hands(path, strict=False)
    assert len(list(source)) == 1
    assert [str(error) for error in source.skipped] == [f"{path / '1.phh'}: cannot be read: it is encrypted"]


def test_hand_by_number(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, FILES["acpc"]))
    assert source.hand(2).id == "1"
    assert source.hand(1).id == "0"
    for number, message in (3, "there is no hand 3, the last hand is 2"), (0, "hands are numbered from 1, got 0"):
        with pytest.raises(ValueError, match=message):
            source.hand(number)


def test_hands_between_numbers(tmp_path: Path) -> None:
    """From whatever is kept of where hands are, and to the end where there are fewer."""
    path = write(tmp_path, FILES["acpc"])
    for source in (open_hands(path, index=False), open_hands(path), open_hands(path)):
        for first, last, ids in ((1, 2, "01"), (2, 2, "1"), (2, 99, "1"), (3, 5, ""), (2, 1, "")):
            assert "".join(hand.id for hand in source.between(first, last)) == ids
    with pytest.raises(ValueError, match="hands are numbered from 1, got 0"):
        next(source.between(0, 3))


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="no such file or folder"):
        open_hands(tmp_path / "missing")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (b"Some Site Hand #1: Hold'em Limit", "not a known hand history: expected PHH"),
        (b"\x00\xff" * 100, "not a known hand history"),
        (IRC["hdb"].encode(), "open the folder that has hdb, hroster and pdb in it"),
        (IRC["pdb/pdb.Ann"].encode(), "open the folder that has hdb, hroster and pdb in it"),
        (gzip.compress(PHH.encode(), mtime=0)[:30], "the compressed file is damaged"),
        (b"\x1f\x8b nothing of the kind", "the compressed file is damaged"),
        (tar({}), "not a known hand history|no hand history found|the archive is damaged"),
        (tar({"README": "nothing"}), "no hand history found: expected PHH"),
        (tar({"1.phh": PHH}, "w")[:300], "the archive is damaged|not a known hand history"),
        (zipped({"1.phh": PHH})[:-30], "the archive is damaged"),
        (zipped({"README": "nothing"}), "no hand history found: expected PHH"),
        (bz2.compress(PHH.encode())[:30], "the compressed file is damaged"),
        (lzma.compress(PHH.encode())[:30], "the compressed file is damaged"),
    ],
    ids=itertools.count(),  # not by the data, in which is the time
)
def test_foreign_and_damaged_files(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(data)
    with pytest.raises(HistoryError, match=message) as caught:
        open_hands(path)
    assert caught.value.path == str(path)
    assert isinstance(caught.value, ValueError)


def test_folder_without_histories(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="no hand history found: expected PHH"):
        open_hands(write(tmp_path, {"README": "nothing"}))


def test_hands_and_errors_cross_processes(tmp_path: Path) -> None:
    (hand,) = open_hands(write(tmp_path, FILES["phh"]))
    assert pickle.loads(pickle.dumps(hand)) == hand
    error = HistoryError("what", "file", 3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == ("file:3: what", 3)


def test_public_name() -> None:
    assert pm.open_hands is open_hands
    assert pm.histories.HandSource is HandSource


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mangled") / "file"


WHOLE = [
    *(
        tar(FILES["irc"]),
        tar(FILES["irc"], "w"),
        tar({"a.tgz": tar(FILES["phh"], "w"), "b.zip": zipped(FILES["acpc"])}, "w"),
        tar(FILES["phh"], "w"),
        zipped(FILES["irc"]),
        PHH.encode(),
    ),
    *(pack(ACPC.encode()) for pack in (gzip.compress, bz2.compress, lzma.compress)),
]


@pytest.mark.parametrize(
    "whole", [*(data for data in WHOLE if len(data) < 2000), ACPC.encode(), POKERSTARS.encode()], ids=itertools.count()
)
def test_truncated_at_every_byte(scratch: Path, whole: bytes) -> None:
    """What is left is read, or is an error that says where; there are no more hands than in the whole."""
    scratch.write_bytes(whole)
    everything = len(list(open_hands(scratch, strict=False)))
    assert everything > 0
    for size in range(len(whole)):
        scratch.write_bytes(whole[:size])
        try:
            source = open_hands(scratch, strict=False)
        except HistoryError:
            continue
        assert len(list(source)) <= everything
        assert all(str(error.path).startswith(str(scratch)) for error in source.skipped)


@given(st.sampled_from(WHOLE), st.data())
@settings(max_examples=300, deadline=None)
def test_mangled_bytes(scratch: Path, whole: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole)))
        if data.draw(st.booleans()):
            whole = whole[:at] + data.draw(st.binary(max_size=2)) + whole[at + 1 :]
        else:
            whole = whole[:at]
    scratch.write_bytes(whole)
    try:
        source = open_hands(scratch, strict=False)
    except HistoryError:
        return
    list(source)  # from here on, damage is only counted
    if source.skipped:
        with pytest.raises(HistoryError) as caught:
            list(open_hands(scratch))
        assert str(caught.value) == str(source.skipped[0])


@pytest.mark.parametrize(
    ("path", "form", "count"),
    [
        ("acpc-2014-3p-limit", "acpc", 2_000),
        ("irc-199504/sample300", "irc", 300),
        ("phh/wsop-2023-43-5/34.phh", "phh", 1),
    ],
)
def test_real_files(data_dir: Path, path: str, form: str, count: int) -> None:
    source = open_hands(data_dir / path)
    assert source.format == form
    assert sum(1 for _ in source) == count


def test_real_files_of_other_kinds(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")) + sorted(data_dir.rglob("*.md")):
        if path.suffix == ".txt" and (
            {"sites-limit", "nolimit", "cases"} & {*path.parts} or path.name.startswith("LHE-")
        ):
            continue  # text of poker sites
        with pytest.raises(HistoryError):
            list(open_hands(path))


@pytest.mark.parametrize("strict", [True, False])
def test_a_hand_is_found_past_damage(tmp_path: Path, strict: bool) -> None:
    damaged = POKERSTARS.replace("#71", "#72").replace("Bob: folds", "Bob: checks")
    for name, text in ("1.txt", damaged), ("2.txt", POKERSTARS), ("3.phh", phh.dumps(pm.example_hand())):
        (tmp_path / name).write_text(text)
    hands = list(open_hands(tmp_path, strict=False))
    assert len(hands) == 2
    source = open_hands(tmp_path, strict)
    assert [source.hand(1), source.hand(2)] == hands
    assert [source.find(hand.id) for hand in hands] == hands
    (error,) = source.skipped
    with pytest.raises(HistoryError) as caught:
        source.find(str(error.hand))
    assert caught.value.line == error.line
    with pytest.raises(ValueError, match="there is no hand with the id 'x'"):
        source.find("x")
    with pytest.raises(ValueError, match="there is no hand 3, the last hand is 2"):
        source.hand(3)


def test_a_member_of_an_archive_without_a_name_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "hands.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hands.phh", phh.dumps(pm.example_hand()))
        archive.writestr(zipfile.ZipInfo(""), b"nameless")
    assert [hand.id for hand in open_hands(path)] == [pm.example_hand().id]


@pytest.mark.parametrize("path", [None, 5, ["a.phh"]])
def test_what_is_no_path(path: Any) -> None:
    with pytest.raises(HistoryError, match="expected the path of a hand history, got "):
        open_hands(path)
