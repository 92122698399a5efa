"""Unpacking of a damaged compressed file: everything before the damage, to the byte.

The standard library's files of compressed bytes unpack a buffer at a time, and drop all of it when they meet an error.
Here decompressors are asked for a byte at a time where it matters.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import IO, NamedTuple, Protocol

__all__ = ["Rescued", "Steps", "bz2_steps", "deflate_steps", "gzip_steps", "plain_steps", "rescue", "xz_steps"]

_CHUNK = 512  # compressed bytes at once
_MOST = 1 << 24  # bytes behind what was given that are unpacked, so that a damaged bomb ends
_DAMAGE = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)
_CHECKS = ("incorrect data check", "incorrect length check")  # of zlib, behind all data


class _Decompressor(Protocol):
    """One of those of the standard library for bzip2 and xz; the others are made alike here."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Steps(NamedTuple):
    """How bytes are unpacked in steps."""

    new: Callable[[], _Decompressor]
    magic: bytes = b""  #: The first bytes of a member; empty for a format with only one.
    plain: bool = False  #: Whether nothing is compressed.


class _Zlib:
    """A decompressor of the zlib module, which leaves what it has not looked at to its caller."""

    def __init__(self, bits: int) -> None:
        self._all = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        return self._all.eof

    @property
    def unused_data(self) -> bytes:
        return self._all.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._all.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._all.decompress(self._all.unconsumed_tail + data, max_length)


class _Plain:
    """Bytes that are not compressed."""

    eof = False
    unused_data = b""

    def __init__(self) -> None:
        self._left = b""

    @property
    def needs_input(self) -> bool:
        return not self._left

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data = self._left + data
        self._left = data[max_length:]
        return data[:max_length]


gzip_steps = Steps(lambda: _Zlib(16 + zlib.MAX_WBITS), b"\x1f\x8b")
bz2_steps = Steps(bz2.BZ2Decompressor, b"BZh")
xz_steps = Steps(lzma.LZMADecompressor, b"\xfd7zXZ\0")
deflate_steps = Steps(lambda: _Zlib(-zlib.MAX_WBITS))
plain_steps = Steps(_Plain, plain=True)


class Rescued(NamedTuple):
    """The unpacked part of a damaged file."""

    content: bytes  #: The part of the data that can be unpacked behind the data given before.
    #: Whether all that was compressed is there: the damage is a checksum, or what is behind the last member.
    ended: bool
    left: int  #: Compressed bytes that are not unpacked, give or take some hundred.
    size: int  #: Compressed bytes.


def rescue(file: IO[bytes], steps: Steps, given: int) -> Rescued:
    """Unpack a damaged file once more, as far as that goes.

    Parameters
    ----------
    file : file
        The compressed bytes, at their beginning.
    given : int
        Bytes that were unpacked before, and are not wanted again.
    """
    size = file.seek(0, 2)
    file.seek(0)
    content = bytearray()
    unpacked = taken = 0  # bytes that were unpacked, and compressed bytes before the last call
    ended = False
    rest = b""
    try:
        member = steps.new()
        while len(content) < _MOST:
            taken = file.tell() - len(rest)
            some = rest or (file.read(_CHUNK) if member.needs_input else b"")
            if not some and member.needs_input:
                ended = steps.plain
                break
            while not member.eof and (data := member.decompress(some, min(max(given - unpacked, 1), _MOST))):
                some = b""
                unpacked += len(data)
                if unpacked > given:
                    content += data
            rest = b""
            if member.eof:
                rest = member.unused_data.lstrip(b"\0") or file.read(_CHUNK).lstrip(b"\0")
                taken = file.tell() - len(rest)
                if not (steps.magic and rest.startswith(steps.magic)):
                    ended = True
                    break
                member = steps.new()
    except _DAMAGE as error:
        ended = isinstance(error, zlib.error) and str(error).endswith(_CHECKS)
    return Rescued(bytes(content), ended, size - taken, size)
