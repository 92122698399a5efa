"""Hands by number: `len`, indices and slices of a source, and the index that makes them quick."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.cli.main import cli
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import HandSource, _lines, acpc, irc, open_hands
from pokermodel.histories import index as indexes
from tests.common.histories import ACPC, PHH, POKERSTARS, tar, write, zipped

MANY = 23  # hands of a file
BOVADA = """\
Bovada Hand #7 TBL#1 HOLDEM Fixed Limit - 2015-12-01 04:04:36
Seat 1: Dealer [ME] ($100 in chips)
Seat 6: Big Blind ($150 in chips)
Dealer  [ME] : Ante/Small Blind $1
Big Blind : Big blind/Bring in $2
*** HOLE CARDS ***
Dealer  [ME] : Card dealt to a spot [Kd 3s]
Big Blind : Card dealt to a spot [Kh 4s]
Dealer  [ME] : Fold
Big Blind : Return uncalled portion of bet $1
Big Blind : Hand result $2
*** SUMMARY ***
Total Pot($2)
"""


def stars(damaged: int = -1) -> str:
    """Hands of a site, one of which breaks off."""
    hands = [POKERSTARS.replace("#71", f"#{number}") for number in range(MANY)]
    if damaged >= 0:
        hands[damaged] = hands[damaged].partition("*** HOLE")[0]
    return "".join(hands)


def log(damaged: int = -1) -> str:
    lines = ACPC.splitlines()
    hands = [lines[1].replace("STATE:0", f"STATE:{number}") for number in range(MANY)]
    if damaged >= 0:
        hands[damaged] += ":more"
    return "\n".join([lines[0], *hands, lines[3], ""])


def tables(damaged: int = -1) -> dict[str, str]:
    found = {"hdb": "", "hroster": "", "pdb/pdb.Ann": "", "pdb/pdb.Bob": ""}
    for number in range(MANY):
        time, pot = 900 + number, 30 + (number == damaged)
        found["hdb"] += f"{time}   1  {number}  2  0/0     0/0     0/0      1/{pot}\n"
        found["hroster"] += f"{time}  2 Ann Bob\n"
        found["pdb/pdb.Ann"] += f"Ann  {time}  2  1 Br -  -  -  500  20  30\n"
        found["pdb/pdb.Bob"] += f"Bob  {time}  2  2 Bf -  -  -  500  10   0\n"
    return found


def sections(damaged: int = -1) -> str:
    hands = [PHH.replace("p2 cbr 20", "p2 cbr 21") if number == damaged else PHH for number in range(MANY)]
    return "".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1))


FILES: dict[str, dict[str, str | bytes]] = {
    "phh": {"a.phhs": sections(), "b.phhs": sections(5)},
    "acpc": {"a.log": log(), "b.log": log(5)},
    "irc": {f"{month}/{name}": text for month in ("1", "2") for name, text in tables(4).items()},
    "site": {"a.txt": stars(), "b.txt": stars(3).replace("\n", "\r\n"), "c.txt": stars(7).replace("\n", "\r")},
    "wide": {"a.txt": stars(3).encode("utf-16")},
    "gzip": {"a.txt.gz": gzip.compress(stars(3).encode()), "b.phhs.gz": gzip.compress(sections(5).encode())},
    "archive": {"a.tgz": tar({"a.txt": stars(3), "b.log": log()}), "b.zip": zipped({"b.phhs": sections(8)})},
    "memory": {"a.txt": "".join(BOVADA.replace("#7", f"#{number}") for number in range(MANY)) + stars(3)},
    "mixed": {"a.txt": stars(3), "b": "no hands", "c.log": log(), **{f"m/{k}": v for k, v in tables().items()}},
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few hands suffice."""
    monkeypatch.setattr(indexes, "_EVERY", 4)
    monkeypatch.setattr(indexes, "_LEAST", 3)
    monkeypatch.setattr(indexes, "_SETTLED", -9.0)  # no file of a test is older
    monkeypatch.setattr(irc, "_AT_ONCE", 6)


def lay(folder: Path, form: str) -> Path:
    return settle(write(folder / form, FILES[form]))


def settle(folder: Path) -> Path:
    """Give all files one time of change."""
    for path in [*folder.rglob("*")]:
        if path.is_file():
            os.utime(path, (1_000_000_000, 1_000_000_000))
    return folder


def walked(path: Path) -> tuple[list[Hand], list[str], str]:
    source = open_hands(path, strict=False, index=False)
    return list(source), list(map(str, source.skipped)), str(source.report())


@pytest.mark.parametrize("form", FILES)
def test_a_hand_by_its_number_is_that_of_the_walk(tmp_path: Path, form: str) -> None:
    """And so is what was left out before it."""
    path = lay(tmp_path, form)
    hands, skipped, report = walked(path)
    source = open_hands(path, strict=False)
    assert len(source) == len(hands)
    assert list(map(str, source.skipped)) == skipped
    assert str(source.report()) == report
    for fresh in (False, True):  # with what was noted here, and with what is kept
        for number in range(0, len(hands), 1 if not fresh else 7):
            source = open_hands(path, strict=False) if fresh else source
            assert source[number] == source[number - len(hands)] == hands[number]
            if not fresh and number % 5:
                continue
            before = open_hands(path, strict=False, index=False)
            assert before.hand(number + 1) == source.hand(number + 1) == hands[number]
            assert list(map(str, source.skipped)) == list(map(str, before.skipped))
            assert str(source.report()) == str(before.report())
    assert indexes.index_path(path).exists()


@pytest.mark.parametrize("form", FILES)
def test_slices_are_those_of_the_list(tmp_path: Path, form: str) -> None:
    path = lay(tmp_path, form)
    hands = walked(path)[0]
    source = open_hands(path, strict=False)
    n = len(hands)
    for start, stop, step in (
        *((None, None, None), (3, 9, None), (n - 2, None, None), (-3, None, None), (None, -5, 2), (9, 2, -2)),
        *((None, None, -1), (5, 5, None), (n, n + 5, None), (2, 10**12, 3), (-(10**9), 4, 1), (n - 1, None, -7)),
    ):
        assert source[start:stop:step] == hands[start:stop:step], (start, stop, step)
    assert list(reversed(source)) == hands[::-1]
    for number in (n, -n - 1):
        with pytest.raises(IndexError, match=f"no hand with the index {number}, there are {n}"):
            source[number]
    with pytest.raises(ValueError, match="step cannot be zero"):
        source[::0]
    with pytest.raises(TypeError):
        source["1"]  # type: ignore[call-overload]


@pytest.mark.parametrize("form", ["phh", "acpc", "irc", "site", "archive"])
def test_a_strict_source_stops_at_the_first_damage(tmp_path: Path, form: str) -> None:
    """Whatever is known from another reading."""
    path = lay(tmp_path, form)
    with pytest.raises(HistoryError) as expected:
        list(open_hands(path, index=False))
    last = len(walked(path)[0]) - 1
    for known in (False, True):
        assert indexes.index_path(path).exists() == known
        source = open_hands(path)
        for ask in (lambda s: s[last], len, lambda s: s[:], list):
            with pytest.raises(HistoryError, match=f"^{re.escape(str(expected.value))}$"):
                ask(source)  # type: ignore[no-untyped-call]
        len(open_hands(path, strict=False))


def read_from(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the lines from which logs are read."""
    starts: list[int] = []
    read = acpc._hand

    def noted(line: str, *about: object) -> Hand:
        starts.append(int(line.split(":")[1]))
        return read(line, *about)  # type: ignore[arg-type]

    monkeypatch.setattr(acpc, "_hand", noted)
    return starts


def test_what_is_known_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = settle(write(tmp_path, {"a.log": log()})) / "a.log"
    starts = read_from(monkeypatch)
    source = open_hands(path)
    assert source[17].id == "17"
    assert starts == list(range(18))
    for ask, expected in (
        (source, [16, 17]),
        (open_hands(path), [16, 17]),
        (open_hands(path, index=False), [*range(18)]),
    ):
        starts.clear()
        assert ask[17].id == "17"
        assert starts == expected
    starts.clear()
    assert len(open_hands(path)) == MANY  # goes on where it stopped
    assert starts == list(range(16, MANY))
    starts.clear()
    assert len(open_hands(path)) == MANY
    assert starts == []


def test_a_list_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it asks for the length, too."""
    path = write(tmp_path, {"a.log": log()}) / "a.log"
    starts = read_from(monkeypatch)
    source = open_hands(path)
    assert len(list(source)) == MANY
    assert starts == list(range(MANY))
    assert len(source) == len(starts) == MANY
    assert tuple(source) == tuple(iter(source))
    assert len(starts) == 3 * MANY
    begun = iter(source)
    next(begun)
    assert len(source) == MANY
    assert len(list(begun)) == MANY - 1
    assert not list(tmp_path.glob(".*"))  # iteration leaves nothing behind
    assert bool(source)


def test_an_index_holds_for_the_files_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = settle(write(tmp_path / "logs", {"a.log": log(), "b.log": log()}))
    assert len(open_hands(folder)) == 2 * MANY
    kept = indexes.index_path(folder)
    first = kept.read_bytes()
    assert len(open_hands(folder)) == 2 * MANY
    assert kept.read_bytes() == first

    def asked() -> int:
        """How many lines are read for the last hand."""
        with monkeypatch.context() as patch:
            starts = read_from(patch)
            assert open_hands(folder)[-1] == list(open_hands(folder, index=False))[-1]
            return len(starts) - len(list(open_hands(folder, index=False)))

    assert asked() < MANY
    with (folder / "a.log").open("a") as file:  # another size
        file.write(ACPC.splitlines()[1] + "\n")
    assert asked() > MANY
    settle(folder)
    text = (folder / "b.log").read_text()
    assert asked() > MANY  # kept now
    assert asked() < MANY
    (folder / "b.log").write_text(text.replace("STATE:22", "STATE:99"))  # another time alone
    assert asked() > MANY
    settle(folder)
    assert open_hands(folder)[-1].id == "99"
    (folder / "c.log").write_text(log())
    settle(folder)
    assert len(open_hands(folder)) == 3 * MANY + 1
    assert asked() < MANY
    monkeypatch.setattr(indexes, "release", lambda: "0.0.0")
    assert asked() > MANY


@pytest.mark.skipif(os.name != "posix", reason="no time of change of the rest")
@pytest.mark.parametrize("how", ["replaced", "written over", "another link"])
def test_another_file_of_the_same_size_and_time_is_another_file(tmp_path: Path, how: str) -> None:
    path = settle(write(tmp_path / "logs", {"a.log": log()})) / "a.log"
    text = log().replace("STATE:1:", "STATE:111:").replace("STATE:20:", "STATE:2:").replace("STATE:21:", "STATE:2:")
    assert len(text) == len(log())  # hands begin elsewhere
    other = settle(write(tmp_path / "more", {"b.log": text.replace("STATE:17:", "STATE:99:")})) / "b.log"
    if how == "another link":
        path = tmp_path / "link.log"
        path.symlink_to(tmp_path / "logs" / "a.log")
    source = open_hands(path)
    assert source[17].id == "17"
    if how == "replaced":
        other.replace(path)
    elif how == "written over":
        path.write_bytes(other.read_bytes())
        settle(path.parent)
    else:
        path.unlink()
        path.symlink_to(other)
    assert path.stat().st_mtime == 1_000_000_000
    assert source[17].id == open_hands(path)[17].id == "99"


@pytest.mark.skipif(os.name != "posix", reason="links take a right there")
def test_an_index_is_not_written_through_a_link(tmp_path: Path) -> None:
    path = settle(write(tmp_path, {"a.log": log()})) / "a.log"
    kept, other = indexes.index_path(path), tmp_path / "precious"
    len(open_hands(path))
    other.write_bytes(kept.read_bytes())
    os.utime(other, (1, 1))
    kept.unlink()
    kept.symlink_to(other)
    settle(tmp_path)
    os.utime(other, (1, 1))
    assert len(open_hands(path)) == MANY
    assert other.stat().st_mtime == 1  # not taken for an index that was used, either
    assert not kept.is_symlink()
    assert kept.is_file()


def test_a_source_whose_file_changes_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.log": log()}) / "a.log"
    source = open_hands(path)
    assert len(source) == MANY
    path.write_text(log().replace("STATE:0:", "STATE:77:") + ACPC.splitlines()[1] + "\n")
    assert source[0].id == "77"
    assert len(source) == MANY + 1


def test_a_damaged_index_does_no_harm(tmp_path: Path) -> None:
    path = settle(write(tmp_path, {"a.txt": stars(3)})) / "a.txt"
    hands = walked(path)[0]
    kept = indexes.index_path(path)
    len(open_hands(path, strict=False))
    whole = kept.read_bytes()
    body = whole.partition(b"\n")[2].decode()
    damaged = [whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :] for k in range(0, len(whole), 7)]
    damaged += [whole[:k] for k in range(0, len(whole), 31)]
    damaged += [b"", b"\xff\xfe", b"\n{}", b"x" * 1000]
    for content in ("{}", "[]", "null", body.replace("[", "{").replace("]", "}"), '{"parts":[],"state":[]}'):
        damaged.append(f"{indexes._head(content)}\n{content}".encode())
    content = json.loads(body)
    hands_, done, errors, marks = content["stretches"][0]
    for wrong in (
        *([str(hands_), done, errors, marks], [float(hands_), done, errors, marks], [-1, done, errors, marks]),
        *([True, done, errors, marks], [hands_, 1, errors, marks], [hands_, done, errors, marks[::-1]]),
        *([hands_, done, errors, [[4.0, *marks[0][1:]]]], [hands_, done, errors, [[4, 0, "7"]]]),
        *([hands_, done, errors, [[hands_ + 9, 1, 0]]], [hands_, done, errors, [[4, 77, 0]]]),
        *([hands_, done, [[7, 1, None, "x"]], marks], [hands_, done, [["", "1", None, "x"]], marks]),
        *([hands_, done, [["", 1, None, None]], marks], [hands_, done, [["", 1, 5, "x"]], marks]),
        *([hands_, done, errors, [*marks, 7]], [hands_, done, {}, marks], [hands_, done, errors, {"4": 1}]),
    ):
        text = json.dumps({**content, "stretches": [wrong]})
        damaged.append(f"{indexes._head(text)}\n{text}".encode())
    deep = "[" * 100_000
    damaged.append(f"{indexes._head(deep)}\n{deep}".encode())
    for data in damaged:
        kept.write_bytes(data)
        source = open_hands(path, strict=False)
        assert source[-1] == hands[-1]
        assert source[4:9] == hands[4:9]
    assert kept.read_bytes() == whole  # written anew
    kept.unlink()
    kept.mkdir()
    assert open_hands(path, strict=False)[-1] == hands[-1]


def test_where_no_index_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(path: Path, **options: bool) -> bool:
        assert len(open_hands(path, **options)) > 0
        return indexes.index_path(path).exists()

    folder = settle(write(tmp_path / "logs", {"a.log": log(), "few.log": ACPC}))
    assert not kept(folder / "few.log")
    assert not kept(folder / "a.log", index=False)
    assert sorted(path.name for path in folder.iterdir()) == ["a.log", "few.log"]
    (tmp_path / "file").write_text("no folder")
    with monkeypatch.context() as patch:
        patch.setenv("POKERMODEL_CACHE", str(tmp_path / "file" / "cache"))
        assert not kept(folder / "a.log")
    with monkeypatch.context() as patch:  # another change within the same tick of the clock would not show
        patch.setattr(indexes, "_SETTLED", 2.0)
        assert not kept(folder / "a.log")
    monkeypatch.setattr(indexes, "write_text", full_disk)
    assert not kept(folder / "a.log")
    monkeypatch.undo()
    monkeypatch.setattr(indexes, "_LEAST", 3)
    monkeypatch.setattr(indexes, "_SETTLED", -9.0)
    assert kept(folder / "a.log")
    monkeypatch.setattr(indexes, "_MOST_ERRORS", 0)
    many = settle(write(tmp_path / "many", {"a.txt": stars(3)})) / "a.txt"
    assert not kept(many, strict=False)
    source = open_hands(many, strict=False)
    assert source[5] == list(source)[5]
    assert len(source.skipped) == 1


def full_disk(path: Path, text: str) -> None:
    raise OSError(28, "No space left on device", str(path))


def test_an_index_is_found_by_whichever_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors have the path by which the source was opened."""
    lay(tmp_path, "site")
    len(open_hands(tmp_path / "site", strict=False))
    monkeypatch.chdir(tmp_path)
    assert indexes.index_path(Path("site")) == indexes.index_path(tmp_path / "site")
    source = open_hands("site", strict=False)
    assert source[-1] is not None
    assert {Path(str(error.path)).parent for error in source.skipped} == {Path("site")}


def test_the_indexes_used_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(indexes, "_MOST_KEPT", 3)
    folder = settle(write(tmp_path / "logs", {f"{k}.log": log() for k in range(5)}))
    for k in (0, 1, 2, 0, 3, 4):
        for path in (tmp_path / "cache").rglob("*.index"):  # they were used a day earlier
            os.utime(path, (path.stat().st_mtime - 86_400,) * 2)
        len(open_hands(folder / f"{k}.log"))
    assert [indexes.index_path(folder / f"{k}.log").exists() for k in range(5)] == [True, False, False, True, True]
    assert sorted(path.name for path in folder.iterdir()) == [f"{k}.log" for k in range(5)]


def test_commands_keep_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path / "cache"))
    path = settle(write(tmp_path / "logs", {"a.log": log()})) / "a.log"
    kept = indexes.index_path(path)
    assert CliRunner().invoke(cli, ["list", str(path)]).exit_code == 0
    assert kept.exists()
    asked: list[Path] = []
    monkeypatch.setattr(indexes.Index, "load", lambda self, path, *more: asked.append(path))
    assert CliRunner().invoke(cli, ["read", "--model", "loki1", "--hand", "20", str(path)]).exit_code == 0
    assert asked == [kept]
    assert [each.name for each in path.parent.iterdir()] == ["a.log"]


def test_the_example_by_index() -> None:
    path = Path(pm.__file__).parent / "data" / "example.phh"
    source = HandSource(path)
    assert source[0] == source[-1] == source.hand(1) == pm.example_hand()
    assert len(source) == 1


@given(
    st.lists(
        st.sampled_from(
            [b"Ann", b"\r", b"\n", b"\r\n", b"\xc3\xa9", b"\xc3", b"\xe2\x82", b"\x80", b"\xef\xbb\xbf", b" ", b"\x85"]
        )
    ).map(b"".join),
    st.integers(1, 9),
)
def test_lines_are_those_of_a_text_stream(data: bytes, chunk: int) -> None:
    """Whatever ends lines, and wherever chunks end; and each line can be read again from where it is said to begin."""
    data += b"end"  # of a byte order mark alone, the stream makes no line
    lines = list(numbered(data, chunk))
    stream = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", _lines._WESTERN)
    expected = [line.removesuffix("\n") for line in stream]
    if expected:
        expected[0] = expected[0].removeprefix(_lines._MANGLED_MARK)
    assert [line.text for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, len(expected) + 1))
    for line in lines[1:]:
        assert next(numbered(data[line.at[0] :], chunk, line.at)) == line


def numbered(data: bytes, chunk: int, start: tuple[int, ...] = ()) -> Iterator[_lines.Line]:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(chunk)

        def peek(self, size: int = 0) -> bytes:
            return self.getvalue()[:4]

    if _lines.wide(data[:4]):
        return iter(())
    return _lines.text_lines(Slow(data), start)  # type: ignore[arg-type]
