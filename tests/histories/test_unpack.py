"""Compressed files and archives that are damaged: everything before the damage is read, and the rest is told."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.errors import HistoryError
from pokermodel.histories import SpanTally, _unpack, open_hands
from pokermodel.histories import files as containers
from tests.common.histories import PHH, POKERSTARS, tar, write, zipped

HANDS = 300
_RNG = random.Random(2)
NAMES = [_RNG.randbytes(6).hex() for _ in range(HANDS)]  # so that little can be compressed
TEXTS = {
    "stars.txt": "".join(POKERSTARS.replace("#71", f"#{k}").replace("Bob", name) for k, name in enumerate(NAMES)),
    "log.log": "".join(f"STATE:{k}:rf:5dTs|8c7c:-10|10:p1|{name}\n" for k, name in enumerate(NAMES)),
    "hands.phhs": "".join(f"[{k}]\n{PHH}players = ['a', '{name}']\n" for k, name in enumerate(NAMES, 1)),
}
PACK = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "bz2": lambda data: b"".join(map(bz2.compress, batched(data, 5000))) or bz2.compress(b""),  # whose blocks are large
    "xz": lzma.compress,
}
STEPS = {"gz": _unpack.gzip_steps, "bz2": _unpack.bz2_steps, "xz": _unpack.xz_steps}


def batched(data: bytes, size: int) -> list[bytes]:
    return [data[k : k + size] for k in range(0, len(data), size)]


def read(folder: Path, name: str, data: bytes) -> tuple[int, list[str]]:
    """The number of hands, in one go and in spans, and the errors."""
    source = open_hands(write(folder, {name: data}) / name, strict=False, index=False)
    hands = len(list(source))
    assert len(open_hands(folder / name, strict=False, index=False)) == hands
    with pytest.raises(HistoryError):
        list(open_hands(folder / name, index=False))
    spans = open_hands(folder / name, strict=False, index=False)
    in_spans = sum(len(list(span.read(SpanTally([])))) for some in spans.spans(10_000) for span in some)
    assert in_spans == hands
    return hands, [str(error) for error in source.skipped]


def whole_before(name: str, content: bytes) -> int:
    """Hands that are whole in the first bytes of a text."""
    if name == "log.log":
        return content.decode().rpartition("\n")[0].count("STATE:")
    return max(content.decode().count("PokerStars Hand" if name == "stars.txt" else "actions = ") - 1, 0)


@pytest.mark.parametrize("name", TEXTS)
def test_damage_behind_the_last_hand_costs_none(tmp_path: Path, name: str) -> None:
    """Behind the end of bzip2 and xz, anything may be."""
    packed = PACK["gz"](TEXTS[name].encode())
    hands, errors = read(tmp_path, name, packed + b"x")
    assert (hands, len(errors)) == (HANDS, 1)
    assert "the compressed file is damaged" in errors[0]
    assert "; 1 of its" in errors[0]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("end", ["\n", ""])
def test_a_wrong_checksum_costs_no_hand(tmp_path: Path, name: str, end: str) -> None:
    packed = bytearray(PACK["gz"]((TEXTS[name].rstrip("\n") + end).encode()))
    packed[-8] ^= 1
    hands, errors = read(tmp_path, name, bytes(packed))
    assert (hands, len(errors)) == (HANDS, 1)
    assert "CRC check failed" in errors[0]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("form", PACK)
def test_a_file_that_is_cut_gives_what_is_there(tmp_path: Path, name: str, form: str) -> None:
    content = TEXTS[name].encode()
    packed = PACK[form](content)
    half = packed[: len(packed) // 2]
    there = _unpack.rescue(io.BytesIO(half), STEPS[form], 0).content
    assert content.startswith(there)
    assert len(there) > len(content) // 4
    hands, errors = read(tmp_path, name, half)
    assert whole_before(name, there) <= hands <= whole_before(name, there) + 1
    assert any("the compressed file is damaged" in error for error in errors)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("seed", range(4))
def test_damage_in_the_middle_costs_what_is_behind_it(tmp_path: Path, name: str, seed: int) -> None:
    """As much is read as a decompressor gives that is asked for a byte at a time; nothing less."""
    packed = bytearray(PACK["gz"](TEXTS[name].encode()))
    rng = random.Random(seed)
    at = rng.randrange(len(packed) // 3, len(packed) - 100)
    packed[at : at + 40] = rng.randbytes(40)
    there = b""
    alone = zlib.decompressobj(31)
    try:
        for byte in packed:
            there += alone.decompress(bytes([byte]))
    except zlib.error:
        pass
    hands, errors = read(tmp_path, name, bytes(packed))
    good = TEXTS[name].encode()
    same = next((k for k, (one, other) in enumerate(zip(there, good, strict=False)) if one != other), len(there))
    assert hands >= whole_before(name, good[:same]) > 0
    assert "are not unpacked" in errors[-1]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("name", TEXTS)
def test_a_member_of_a_zip_archive(tmp_path: Path, name: str, compression: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        archive.writestr(name, TEXTS[name])
        archive.writestr("z.phh", PHH)
        member = archive.getinfo(name)
    data = bytearray(buffer.getvalue())
    start = member.header_offset + 30 + len(name)
    for where in (data.index(b"PK\1\2") + 16, start + member.compress_size * 3 // 4):
        bad = bytearray(data)
        bad[where] ^= 8
        source = open_hands(write(tmp_path, {"x.zip": bytes(bad)}) / "x.zip", strict=False, index=False)
        hands = len(list(source))
        assert hands > HANDS // 2 + 1
        assert hands == HANDS + 1 or where == start + member.compress_size * 3 // 4
        assert any("the compressed file is damaged" in str(error) for error in source.skipped)


def test_an_archive_that_is_cut_gives_the_files_before(tmp_path: Path) -> None:
    rng = random.Random(1)
    files = {f"{k:02}.phh": f"{PHH}# {rng.randbytes(500).hex()}\n" for k in range(40)}
    files["50.tar"] = tar(dict(files), "w")
    for data in (tar(files, "w")[:30_000], tar(files)[:12_000]):
        source = open_hands(write(tmp_path, {"x": data}) / "x", strict=False)
        hands = len(list(source))
        assert 10 < hands < 40
        with pytest.raises(HistoryError, match="damaged"):
            list(open_hands(tmp_path / "x"))
        assert any("damaged" in str(error) for error in source.skipped)
        assert {str(error.path).rstrip("0123456789.ph/") for error in source.skipped} == {str(tmp_path / "x")}


def test_what_begins_no_file_in_an_archive_is_no_end_of_it(tmp_path: Path) -> None:
    data = bytearray(tar({f"{k}.phh": PHH for k in range(5)}, "w"))
    data[2048:2560] = b"?" * 512  # the header of the third
    source = open_hands(write(tmp_path, {"x.tar": bytes(data)}), strict=False)
    assert len(list(source)) == 2
    assert [str(error) for error in source.skipped] == [
        f"{tmp_path / 'x.tar'}: the archive is damaged: byte 2,048 of what it unpacks to begins no file"
    ]
    (tmp_path / "x.tar").write_bytes(tar({"1.phh": PHH}, "w").rstrip(b"\0") + b"\0" * 4)
    assert len(list(open_hands(tmp_path, strict=False))) == 1


def test_many_members_in_few_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "_MEMBERS", 1000)
    inner = zipped({f"{k}.zip": zipped({}) for k in range(200)})
    bomb = zipped({f"{k}.zip": inner for k in range(20)})
    monkeypatch.setattr(containers, "_BYTES_A_MEMBER", len(bomb) // 500)
    source = open_hands(write(tmp_path, {"a.phh": PHH, "bomb.zip": zipped({"b.zip": bomb})}), strict=False)
    assert len(list(source)) == 1
    assert any("holds more than 1,000 files" in str(error) for error in source.skipped)


@given(st.sampled_from(sorted(PACK)), st.binary(max_size=300), st.binary(max_size=300), st.data())
@settings(deadline=None)
def test_rescue_agrees_with_a_decompressor(form: str, one: bytes, two: bytes, data: st.DataObject) -> None:
    """Whatever was given before: what is given and what is rescued are together the content, or its beginning."""
    whole = one + two
    packed = PACK[form](one) + PACK[form](two)
    given_before = data.draw(st.integers(0, len(whole)))
    found = _unpack.rescue(io.BytesIO(packed), STEPS[form], given_before)
    assert (found.content, found.ended, found.left, found.size) == (whole[given_before:], True, 0, len(packed))
    cut = packed[: data.draw(st.integers(0, len(packed) - 1))]
    try:
        there = len(_unpack.rescue(io.BytesIO(cut), STEPS[form], 0).content)
    except ValueError:
        return
    found = _unpack.rescue(io.BytesIO(cut), STEPS[form], min(given_before, there))
    assert whole[: min(given_before, there)] + found.content == whole[:there]


def test_tar_members_that_are_links_beside_damage(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("a.phh")
        entry.size = len(PHH)
        archive.addfile(entry, io.BytesIO(PHH.encode()))
        link = tarfile.TarInfo("b.phh")
        link.type, link.linkname = tarfile.LNKTYPE, "a.phh"
        archive.addfile(link)
    cut = buffer.getvalue()[:1700]
    source = open_hands(write(tmp_path, {"x.tar": cut}), strict=False)
    assert len(list(source)) == 2
