"""What is found in folders and archives, to what depth, and what becomes of every file."""

from __future__ import annotations

import builtins
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

import pokermodel as pm
from pokermodel.errors import HistoryError
from pokermodel.histories import (
    FORMATS,
    READABLE,
    HistoryFile,
    NoHistoryError,
    SourceReport,
    SpanTally,
    open_hands,
    phh,
)
from pokermodel.histories import files as containers
from tests.common.histories import ACPC, IRC, PHH, POKERSTARS, tar, write, zipped

ROOT = Path(__file__).resolve().parents[2]


PACK: dict[str, Callable[[Mapping[str, str | bytes]], bytes]] = {
    "tar": lambda files: tar(files, "w"),
    "tgz": tar,
    "zip": zipped,
}


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Check that no more bytes are in use at a time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def hand(number: int) -> str:
    return f"{PHH}hand = {number}\n"


# --------------------------------------------------------------------------------------------------------- the log


def mixed(folder: Path) -> Path:
    """A folder with a history of which one hand is damaged, a file that breaks off, and a file of something else."""
    damaged = POKERSTARS.replace("posts small blind", "posts smal blind")
    files = {
        "a.txt": POKERSTARS + "\n\n\n" + damaged,
        "b.phh.gz": gzip.compress(PHH.encode())[:-20],
        "c.txt": "no history",
    }
    return write(folder, files)


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(each.levelname, each.getMessage().partition(f"{os.sep}mixed{os.sep}")[2]) for each in caplog.records]


def test_files_that_are_left_out_are_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "pokermodel")
    source = open_hands(mixed(tmp_path / "mixed"), strict=False)
    assert list(source)
    lines = logged(caplog)
    assert [(level, line.split(":")[0].split(" ")[0]) for level, line in lines] == [
        ("WARNING", "a.txt"),
        ("WARNING", "b.phh.gz"),
        ("INFO", "c.txt"),
    ]
    assert "1 hand skipped; the first: " in lines[0][1]
    assert {each.name for each in caplog.records} == {"pokermodel.histories"}
    caplog.clear()
    for some in source.spans():
        for span in some:
            tally = SpanTally([])
            list(span.read(tally))
            source.count(span.part, tally)
    assert sorted(logged(caplog)) == sorted(lines)


def test_the_log_is_silent_without_a_handler(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "mixed")
    code = f"import pokermodel as pm; list(pm.open_hands({str(folder)!r}, strict=False))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# -------------------------------------------------------------------------------------------------- archives inside


@pytest.mark.parametrize("outer", ["tar", "tgz", "zip"])
@pytest.mark.parametrize("inner", ["tar", "tgz", "zip"])
def test_archives_in_archives_and_folders(tmp_path: Path, outer: str, inner: str) -> None:
    deep = PACK[inner]({"10.phh": hand(10), "9.phh": hand(9), "b.txt": "no history"})
    middle = PACK[outer]({"z.phh": hand(30), f"deep.{inner}": deep, "README": "no history"})
    folder = write(tmp_path / "folder", {"a.phh": hand(1), f"b.{outer}": middle, "c/d.phh": hand(40)})
    expected = ["1", "9", "10", "30", "40"]  # in the order of the names
    source = open_hands(folder)
    for _ in range(2):
        assert [each.id for each in source] == expected
    assert source.format == "phh"
    assert source.parts == [folder / "a.phh", folder / f"b.{outer}", folder / "c" / "d.phh"]
    assert [each.id for part in source.parts for each in open_hands(part)] == expected
    inside = f"{folder}/b.{outer}"
    assert [(file.path, file.status, file.hands) for file in source.report().files] == [
        (f"{folder}/a.phh", "read", 1),
        (f"{inside}/README", "foreign", 0),
        (f"{inside}/deep.{inner}/9.phh", "read", 1),
        (f"{inside}/deep.{inner}/10.phh", "read", 1),
        (f"{inside}/deep.{inner}/b.txt", "foreign", 0),
        (f"{inside}/z.phh", "read", 1),
        (f"{folder}/c/d.phh", "read", 1),
    ]
    (tmp_path / "whole").write_bytes(PACK[outer]({path.name: path.read_bytes() for path in folder.glob("*.*")}))
    assert [each.id for each in open_hands(tmp_path / "whole")] == expected[:-1]


def test_errors_in_an_archive_say_where(tmp_path: Path) -> None:
    damaged = POKERSTARS.replace("Bob: folds", "Bob: checks")
    folder = write(tmp_path / "folder", {"a.tgz": tar({"sub/b.txt": POKERSTARS + damaged})})
    source = open_hands(folder, strict=False)
    assert len(list(source)) == 1
    (error,) = source.skipped
    line = POKERSTARS.count("\n") + 8
    assert str(error).startswith(f"{folder}/a.tgz/sub/b.txt:{line}: hand 71: ")
    (file,) = source.report().files
    assert file == HistoryFile(f"{folder}/a.tgz/sub/b.txt", "read", "pokerstars", 1, 1, error.reason)


def test_the_irc_database_in_archives_in_an_archive(tmp_path: Path) -> None:
    """As it is distributed: months of channels, each in an archive."""
    months = {
        f"IRCdata/holdem.{month}.tgz": tar({f"holdem/{month}/{name}": IRC[name] for name in IRC})
        for month in ("199901", "199812")
    }
    path = tmp_path / "IRCdata.tgz"
    path.write_bytes(tar(months))
    source = open_hands(path)
    assert source.format == "irc"
    assert [each.source for each in source] == ["irc/199812"] * 2 + ["irc/199901"] * 2
    assert [file.path for file in source.report().files] == [
        f"{path}/IRCdata/holdem.{month}.tgz/holdem/{month}" for month in ("199812", "199901")
    ]
    first, second = iter(source), iter(source)  # one at a time is unpacked, for both
    assert [next(first).source, *(each.source for each in second), *(each.source for each in first)] == [
        *(
            "irc/199812",
            "irc/199812",
            "irc/199812",
            "irc/199901",
            "irc/199901",
            "irc/199812",
            "irc/199901",
            "irc/199901",
        )
    ]


def nested(depth: int) -> bytes:
    data = tar({"1.phh": PHH})
    for _ in range(depth - 1):
        data = tar({"inner.tgz": data, "2.phh": PHH})
    return data


def test_depth(tmp_path: Path) -> None:
    path = tmp_path / "outer.tgz"
    path.write_bytes(nested(containers.DEPTH))
    source = open_hands(path)
    assert len(list(source)) == containers.DEPTH
    path.write_bytes(nested(containers.DEPTH + 1))
    source = open_hands(path, strict=False)
    assert len(list(source)) == containers.DEPTH
    (error,) = source.skipped
    assert error.path == str(path / "/".join(["inner.tgz"] * containers.DEPTH))
    assert error.reason == "archives are only read up to 5 inside one another"
    assert [file.status for file in source.report().files] == ["read"] * containers.DEPTH + ["unreadable"]


def test_archives_without_histories_are_one_file(tmp_path: Path) -> None:
    files = {"1.phh": PHH, "a.docx": zipped({"x.xml": "<x/>", "y.xml": "<y/>"}), "b.zip": zipped({})}
    source = open_hands(write(tmp_path, files | {"c.zip": zipped({"x.tgz": tar({"x": "x"})})}))
    assert len(list(source)) == 1
    assert [(Path(file.path).name, file.status, file.reason) for file in source.report().files] == [
        ("1.phh", "read", ""),
        ("a.docx", "foreign", "an archive of 2 other files"),
        ("b.zip", "foreign", "an empty archive"),
        ("c.zip", "foreign", "an archive of 1 other file"),
    ]


def test_links_in_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "links.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (
            ("/top/1.phh", tarfile.REGTYPE),
            ("hard", tarfile.LNKTYPE),
            ("soft", tarfile.SYMTYPE),
            ("p", tarfile.FIFOTYPE),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "top/1.phh"
            member.size = len(PHH) if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(PHH.encode()))
    source = open_hands(path)
    assert len(list(source)) == 2
    assert [(file.path, file.status, file.reason) for file in source.report().files] == [
        (f"{path}/hard", "read", ""),
        (f"{path}/p", "foreign", "no ordinary file"),
        (f"{path}/soft", "foreign", "a link"),
        (f"{path}/top/1.phh", "read", ""),
    ]


def test_memory_does_not_grow_with_archives_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives beside each other are unpacked one at a time, and closed."""
    data = tar({f"{k}.phh": PHH for k in range(10)} | {"zeros": bytes(100_000)})
    peaks = []
    for number in 3, 9:
        folder = write(tmp_path / str(number), {f"{k}.tgz": data for k in range(number)})
        list(open_hands(folder))
        tracemalloc.start()
        assert sum(1 for _ in open_hands(folder)) == 10 * number
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 100_000, peaks  # what is known of each file, and nothing of its contents


# -------------------------------------------------------------------------------------------------- bombs


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files unpack to little."""
    monkeypatch.setattr(containers, "_SMALL", 1 << 20)
    monkeypatch.setattr(containers, "_RATIO", 20)


@pytest.mark.parametrize("kind", ["tgz", "zip", "gz"])
def test_a_file_that_unpacks_to_too_much(tmp_path: Path, small: None, kind: str) -> None:
    path = tmp_path / "bomb"
    log = ACPC + "# nothing\n" * 300_000
    path.write_bytes(gzip.compress(log.encode()) if kind == "gz" else PACK[kind]({"a.log": log, "b.phh": PHH}))
    with memory(8 << 20), pytest.raises(HistoryError) as caught:
        list(open_hands(path))
    assert caught.value.reason == "unpacks to more than 20 times its size and 1,048,576 bytes"


def test_an_archive_that_unpacks_to_too_much_among_others(tmp_path: Path, small: None) -> None:
    inner = tar({f"{k}.tgz": tar({"zeros": bytes(1 << 19)}) for k in range(8)})
    folder = write(tmp_path / "folder", {"1.phh": PHH, "2.tgz": inner, "3.tgz": tar({"1.phh": PHH})})
    source = open_hands(folder, strict=False)
    assert len(list(source)) == 2
    assert {error.reason for error in source.skipped} == {"unpacks to more than 20 times its size and 1,048,576 bytes"}
    assert {Path(str(error.path)).parent for error in source.skipped} == {folder / "2.tgz"}
    with pytest.raises(NoHistoryError, match="unpacks to more than"):
        open_hands(folder / "2.tgz")


def test_what_unpacks_to_much_of_a_history_is_read(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "_RATIO", 200)
    path = tmp_path / "logs.zip"
    path.write_bytes(zipped({f"{k}.log": ACPC * 400 for k in range(20)}))
    assert sum(1 for _ in open_hands(path)) == 2 * 400 * 20
    archives = {f"{k}.tgz": tar({f"{k}.log": ACPC * 400}) for k in range(20)}
    assert sum(1 for _ in open_hands(write(tmp_path / "folder", archives))) == 2 * 400 * 20


@pytest.mark.parametrize("name", ["zeros.phh", "log", "hands.txt"])
def test_a_line_without_an_end(tmp_path: Path, name: str) -> None:
    start = {"zeros.phh": "", "log": ACPC, "hands.txt": POKERSTARS}[name]
    path = tmp_path / name
    path.write_bytes(start.encode() + bytes(40 << 20))
    with memory(16 << 20):
        source = open_hands(path, strict=False)
        assert len(list(source)) == {"zeros.phh": 0, "log": 2, "hands.txt": 1}[name]
    (error,) = source.skipped
    assert str(error) == f"{path}: not a hand history: it has a line of more than 1,048,576 bytes"
    (file,) = source.report().files
    assert (file.status, file.reason) == ("unreadable", error.reason)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device")
def test_a_device_without_end() -> None:
    with memory(4 << 20), pytest.raises(HistoryError, match="/dev/zero: not a known hand history: expected PHH"):
        open_hands("/dev/zero")


def test_a_hand_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phh, "MOST_BYTES", 100_000)
    path = tmp_path / "hands.phhs"
    path.write_text(f"[1]\n{PHH}\n[2]\n" + f"# {'x' * 100}\n" * 2_000 + "[3]\n" + PHH)
    source = open_hands(path, strict=False)
    assert len(list(source)) == 1
    (error,) = source.skipped
    assert error.reason == "100,000 bytes without the end of a hand: the rest of the file is not read"


# -------------------------------------------------------------------------------------------------- the account


FOREIGN = {
    "empty.txt": ("\n", "empty"),
    "hands.7z": (b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive"),
    "hands.rar": (b"Rar!\x1a\x07\0", "a RAR archive"),
    "index.html": ("<html><title>Hands</title></html>\n", ""),
    "notes.txt": ("Ann bluffs too much\n", ""),
    "pdb.Ann": (
        IRC["pdb/pdb.Ann"],
        "one table of an IRC poker database: open the folder that has hdb, hroster and pdb in it",
    ),
    "picture.png": (bytes(range(256)) * 500, ""),
}  # fmt: skip


def test_every_file_is_accounted_for(tmp_path: Path) -> None:
    write(tmp_path, {name: data for name, (data, _) in FOREIGN.items()})
    write(tmp_path, {"a.log": ACPC, "b.txt": POKERSTARS * 2, "c.phh": PHH.replace("FT", "PO"), ".hidden.phh": PHH})
    write(tmp_path, {"cut.txt.gz": gzip.compress(POKERSTARS.encode())[:40]})
    source = open_hands(tmp_path, strict=False)
    assert {file.status for file in source.report().files} == {"open", "foreign", "unreadable"}
    assert len(list(source)) == 4
    report = source.report()
    found = {Path(file.path).name: file for file in report.files}
    assert list(found) == sorted([*FOREIGN, "a.log", "b.txt", "c.phh", "cut.txt.gz"], key=containers.natural)
    for name, (_, reason) in FOREIGN.items():
        assert (found[name].status, found[name].reason) == ("foreign", reason), name
    assert [found[name][1:5] for name in ("a.log", "b.txt", "c.phh")] == [
        ("read", "acpc", 2, 0),
        ("read", "pokerstars", 2, 0),
        ("read", "phh", 0, 1),
    ]
    assert found["c.phh"].reason.startswith("variant 'PO' is not supported")
    assert found["cut.txt.gz"].status == "unreadable"
    assert (report.hands, report.skipped, report.complete) == (4, 1, False)
    listed = ", ".join(
        f"{tmp_path / name}{f' ({reason})' if reason else ''}" for name, (_, reason) in islice(FOREIGN.items(), 5)
    )
    cut = found["cut.txt.gz"]
    assert str(report) == (
        f"4 hands read from 2 files; 1 hand skipped; 1 file cannot be read to the end: {cut.path} ({cut.reason}); "
        f"7 files are no hand histories that pokermodel reads: {listed}, 2 more"
    )
    assert json.loads(json.dumps(report.to_dict()))["files"][-1] == {
        "path": str(tmp_path / "picture.png"), "status": "foreign", "format": "", "hands": 0, "skipped": 0, "reason": ""
    }  # fmt: skip


def test_an_account_before_the_end(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, {"1.phh": PHH, "2.phh": PHH, "3.phh": PHH}))
    assert [file.status for file in source.report().files] == ["open"] * 3
    hands = iter(source)
    next(hands), next(hands)
    assert [(file.status, file.hands) for file in source.report().files] == [("read", 1), ("open", 1), ("open", 0)]
    assert source.report().complete
    assert str(source.report()) == "2 hands read from 2 files"
    list(source)
    assert str(source.report()) == "3 hands read from 3 files"
    assert str(SourceReport([HistoryFile("x", "read")])) == "0 hands read from 0 files; 1 file has no hand: x"


def test_a_strict_reading_accounts_for_files_that_are_no_histories(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, {"1.phh": PHH, "README": "nothing"}))
    assert len(list(source)) == 1
    assert not source.report().complete


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes")
def test_links_and_pipes_in_a_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder", {"1.phh": PHH})
    write(tmp_path / "other", {"2.phh": PHH})
    (folder / "to file").symlink_to(tmp_path / "other" / "2.phh")
    (folder / "to folder").symlink_to(tmp_path / "other")
    (folder / "to nothing").symlink_to(tmp_path / "missing")
    os.mkfifo(folder / "pipe")
    source = open_hands(folder, strict=False)
    assert len(list(source)) == 2
    assert [(Path(file.path).name, file.status, file.reason) for file in source.report().files] == [
        ("1.phh", "read", ""),
        ("pipe", "foreign", "neither a file nor a folder"),
        ("to file", "read", ""),
        ("to folder", "foreign", "a link to a folder, which is not followed"),
        ("to nothing", "unreadable", "no such file or folder"),
    ]


def test_nothing_to_read_says_what_is_there_and_what_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, {"hands.7z": FOREIGN["hands.7z"][0]}) / "hands.7z"
    with pytest.raises(NoHistoryError) as caught:
        open_hands(path)
    wrong = f"{path}: not a known hand history (a 7z archive): expected {READABLE}"
    assert str(caught.value) == wrong
    assert caught.value.files == (HistoryFile(str(path), "foreign", reason="a 7z archive"),)
    write(tmp_path, {"README": "nothing", "x.zip": zipped({"y": "z"})})
    with pytest.raises(NoHistoryError, match="no hand history found: expected PHH") as caught:
        open_hands(tmp_path)
    assert [Path(file.path).name for file in caught.value.files] == ["README", "hands.7z", "x.zip"]


def test_the_list_of_what_is_read() -> None:
    """Errors have it, and so do the pages and docstrings that name sites."""
    for what in FORMATS.values():
        assert what in READABLE
    names = [
        name
        for what in list(FORMATS.values())[4:]
        for name in what.replace("(", "").replace(")", "").replace(",", "").split()
    ]
    pages = [
        " ".join((ROOT / "docs" / "howto" / "read.md").read_text(encoding="utf-8").split()),
        open_hands.__doc__ or "",
    ]
    for page in pages:
        for name in names:
            assert name in page
    doc = type(open_hands(ROOT / "src" / "pokermodel" / "data" / "example.phh")).__doc__ or ""
    for name in FORMATS:
        assert f'``"{name}"``' in doc


# --------------------------------------------------------------------------------------- nothing is lost at the rim


def names(source):
    """The names of the files that were read."""
    return sorted(Path(file.path).name for file in source.report().files)


@pytest.mark.parametrize("pack", [tar, zipped])
def test_members_that_go_upwards_are_read(tmp_path, pack):
    source = open_hands(write(tmp_path, {"x": pack({"../a.phh": PHH, "b/../../c.phh": PHH, "d.phh": PHH})}))
    assert len(list(source)) == 3
    assert names(source) == ["a.phh", "c.phh", "d.phh"]


def members(*named):
    """A zip archive whose members may have the same name."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore")
        for name, text in named:
            archive.writestr(name, text)
    return buffer.getvalue()


def test_members_of_one_name_are_all_read(tmp_path):
    other = PHH.replace("[500, 500]", "[400, 400]")
    path = write(tmp_path, {"x.zip": members(("a.phh", PHH), ("./a.phh", other), ("a.phh", PHH), ("b/a.phh", PHH))})
    source = open_hands(path)
    assert len(list(source)) == 4
    assert names(source) == ["a (2).phh", "a (3).phh", "a.phh", "a.phh"]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("a", "./a", "a"):
            entry = tarfile.TarInfo(name)
            entry.size = len(PHH)
            archive.addfile(entry, io.BytesIO(PHH.encode()))
    assert len(list(open_hands(write(tmp_path, {"y.tar": buffer.getvalue()}), strict=False))) == 7


def test_a_member_of_negative_size_is_one_that_cannot_be_read(tmp_path):
    packed = bytearray(tar({"a.phh": PHH, "b.phh": PHH}, "w"))
    packed[124:136] = b"\xff" * 11 + b"\x80"  # of the first member, as a number of base 256: below 0
    packed[148:156] = b" " * 8
    packed[148:156] = b"%06o\0 " % sum(packed[:512])
    source = open_hands(write(tmp_path, {"x.tar": bytes(packed), "c.phh": PHH}), strict=False)
    assert len(list(source)) >= 1
    assert all(error.path for error in source.skipped)
    assert "its size is negative" in str(source.skipped[0]) or "damaged" in str(source.skipped[0])


@pytest.mark.parametrize("number", ["1e9999999999999999999", "-1e9999999999999999999", "1.5e99999999999999999999"])
def test_numbers_beyond_all_counting_are_an_error_of_their_hand(tmp_path, number):
    hand = pm.example_hand()
    antes = re.sub(r"antes = \[[^\]]*\]", f"antes = [0, {number}, 0, 0, 0, 0]", hand.to_phh())
    blind = re.sub(r'"big_blind_amount": *[0-9.]+', f'"big_blind_amount": {number}', hand.to_ohh())
    assert number in antes
    assert number in blind
    source = open_hands(write(tmp_path, {"a.phh": antes, "b.ohh": blind, "c.phh": PHH}), strict=False)
    assert len(list(source)) == 1
    assert [Path(error.path).name for error in source.skipped] == ["a.phh", "b.ohh"]
    assert all("is no number that can be counted" in str(error) for error in source.skipped)


BUILTIN = sorted(
    (
        kind
        for kind in vars(builtins).values()
        if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, (Warning, MemoryError))
    ),
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("kind", BUILTIN, ids=lambda kind: kind.__name__)
def test_no_exception_of_one_file_ends_a_walk_over_many(tmp_path, monkeypatch, kind):
    """Whatever a reader raises, in the middle of its file."""
    read = phh.hands

    def hands(path, file, skipped=None, *, mark=None):
        for number, hand in enumerate(read(path, file, skipped, mark=mark)):
            yield hand
            if path.name == "b.phhs" and number == 0:
                if issubclass(kind, UnicodeDecodeError):
                    raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "planted")
                if issubclass(kind, UnicodeEncodeError):
                    raise UnicodeEncodeError("utf-8", "x", 0, 1, "planted")
                if issubclass(kind, UnicodeTranslateError):
                    raise UnicodeTranslateError("x", 0, 1, "planted")
                raise ExceptionGroup("planted", [ValueError()]) if kind is ExceptionGroup else kind("planted")

    monkeypatch.setattr(phh, "hands", hands)
    two = f"[1]\n{PHH}\n[2]\n{PHH}\n"
    path = write(tmp_path, {"a.phh": PHH, "b.phhs": two, "c.phh": PHH})
    source = open_hands(path, strict=False)
    assert len(list(source)) == 3
    (error,) = source.skipped
    assert Path(error.path).name == "b.phhs"
    with pytest.raises(HistoryError, match=r"planted|cannot be read from here on"):
        list(open_hands(path))
