"""The door by which files of arrays are read."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from pokermodel._support.saved import read_arrays


def packed(**arrays: object) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def header(text: str, more: bytes = b"", version: bytes = b"\1\0") -> bytes:
    return zipped("a.npy", b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text.encode() + more)


def zipped(name: str, content: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def flipped(content: bytes, after: int, bit: int) -> bytes:
    """With another bit in the last entry of the directory."""
    at = content.rindex(b"PK\1\2") + after
    return content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]


def test_arrays_are_those_that_were_saved() -> None:
    given = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": np.asfortranarray(np.arange(6, dtype=np.int64).reshape(3, 2)),
        "c": np.zeros((0, 5), np.float16),
        "d": np.array(7, np.uint8),
    }
    found = read_arrays(packed(**given))
    assert list(found) == list(given)
    for name, array in given.items():
        np.testing.assert_array_equal(found[name], array)
        assert (found[name].dtype, found[name].flags.writeable) == (array.dtype, True)


DICT = "{{'descr': '{}', 'fortran_order': False, 'shape': {}}}"
SOUND = packed(a=np.zeros(999))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"PK", b"no archive", SOUND[:-9], packed(a=np.array(["text"])), zipped("a.npy", b"")),
        packed(a=np.array([None], dtype=object)),
        header(DICT.format("<f8", "(1000000000000,)")),
        header(DICT.format("<f8", "(-1, -1)"), b"x" * 8),
        header(DICT.format("<f8", "(0, -1)")),
        header(DICT.format("<f8", "(2, 2.0)"), b"x" * 32),
        header(DICT.format("|V0", "(1000000000000,)")),
        header("(" * 5000),
        header("{" + "-" * 9000 + "1}"),
        header(DICT.format("<f8", "(1,)"), b"x" * 8, b"\3\0"),
        zipped("a.npy", b"x" * 99, zipfile.ZIP_LZMA),
        flipped(SOUND, 6, 128),  # the version of the format
        flipped(SOUND, 8, 1),  # whether it is encrypted
        flipped(SOUND, 10, 64),  # how it is packed
        flipped(SOUND, 16, 1),  # the checksum
        flipped(SOUND, 27, 64),  # the size
    ],
)
def test_what_is_no_archive_of_numbers_is_refused_in_a_line(content: bytes) -> None:
    """Before memory is taken for it."""
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            read_arrays(content)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()
