"""Bytes of a history: from a file, a folder or an archive, plain or compressed.

Files are read as streams, and a compressed archive is unpacked into a temporary file.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import re
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol
from weakref import finalize

from pokermodel.errors import HistoryError

__all__ = ["Files", "Sink", "open_files"]

_Opener = Callable[[], IO[bytes]]

_COMPRESSED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ENCRYPTED = 1  # flag of a member of a zip archive
_TAR, _TAR_AT = b"ustar", 257
_BUFFER = 1 << 16
_IN_MEMORY = 1 << 24  # bytes of an unpacked archive that are kept in memory
# errors of those modules for damaged or foreign bytes
_DAMAGE = (
    *(EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile),
    *(OSError, ValueError, KeyError, RuntimeError),
)


class Sink(Protocol):
    """Receives the errors of hands that are left out, for example a list."""

    def append(self, error: HistoryError, /) -> object:
        """Receive an error."""


class Files:
    """A file, or several files below a root, each with a name such as ``"199504/hdb"``.

    Parameters
    ----------
    path : Path
        The root.
    openers : mapping of str to callable
        For each file, by name, a function that opens its contents, perhaps compressed, as a seekable stream. A single
        file has an empty name.

    Attributes
    ----------
    path : Path
        The root.
    names : list of str
        Names in natural order: ``2.phh`` before ``10.phh``.
    """

    def __init__(self, path: Path, openers: Mapping[str, _Opener]) -> None:
        self.path = path
        self.names = sorted(openers, key=_natural)
        self._openers = openers

    @property
    def single(self) -> bool:
        """Whether this is a single file, neither a folder nor an archive."""
        return self.names == [""]

    def open(self, name: str) -> io.BufferedReader:
        """Open one file, decompressed. Opening and reading raise `HistoryError` if it cannot be read or is damaged."""
        file, decompress = self._open(name)
        stack = [file] if decompress is None else [decompress(file), file]
        return io.BufferedReader(_Checked(stack, self.path / name), _BUFFER)

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file, decompressed; raises `HistoryError`."""
        with self.open(name) as file:
            return file.read(size)

    def unpacked(self, name: str) -> IO[bytes]:
        """Open the contents of a file for random access, those of a compressed file in a temporary file."""
        file, decompress = self._open(name)
        if decompress is None:
            return file
        file.close()
        copy: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # the caller closes it
        try:
            with self.open(name) as packed:
                shutil.copyfileobj(packed, copy, _BUFFER)
        except BaseException:
            copy.close()
            raise
        copy.seek(0)
        return copy

    def _open(self, name: str) -> tuple[IO[bytes], Callable[[IO[bytes]], Any] | None]:
        """Open a file, and return it with the function that decompresses it."""
        path = self.path / name
        file = None
        try:
            file = self._openers[name]()
            start = file.read(max(map(len, _COMPRESSED)))
            file.seek(0)
        except _DAMAGE as error:
            if file is not None:
                file.close()
            raise _unreadable(error, path) from None
        return file, next((call for magic, call in _COMPRESSED.items() if start.startswith(magic)), None)


def open_files(path: Path) -> Files:
    """Open a path as a collection of files.

    Parameters
    ----------
    path : Path
        A file, a folder, or a tar or zip archive. In folders and archives, files whose name begins with a dot are left
        out. A folder inside that cannot be listed is among the files, as a file that cannot be opened.

    Returns
    -------
    Files

    Raises
    ------
    HistoryError
        If the path does not exist or cannot be read.
    """
    if path.is_dir():
        return Files(path, _folder_files(path))
    if path.is_file() or not path.exists():
        files = Files(path, {"": partial(_plain, path)})
    else:  # a pipe can be read only once
        try:
            files = Files(path, {"": partial(io.BytesIO, path.read_bytes())})
        except OSError as error:
            raise _unreadable(error, path) from None
    head = files.head("", _TAR_AT + len(_TAR))
    is_tar = len(head) > _TAR_AT and head.endswith(_TAR)
    if not is_tar and not head.startswith(_ZIP):
        return files
    file = files.unpacked("")
    try:
        members = _tar_members(file) if is_tar else _zip_members(file)
    except (*_DAMAGE, RecursionError) as error:
        file.close()
        raise HistoryError(f"the archive is damaged: {error or type(error).__name__}", str(path)) from None
    archive = Files(path, members)
    finalize(archive, file.close)
    return archive


def _folder_files(path: Path) -> dict[str, _Opener]:
    files: dict[str, _Opener] = {}

    def unlisted(error: OSError) -> None:
        name = Path(error.filename).relative_to(path).as_posix()
        files["" if name == "." else name] = partial(_refuse, error)

    for above, folders, names in os.walk(path, onerror=unlisted):
        folders[:] = [name for name in folders if not _hidden(name)]
        for file in (Path(above, name) for name in names if not _hidden(name)):
            try:
                regular = file.is_file()
            except OSError:
                regular = True  # opening it raises the error
            if regular:
                files[file.relative_to(path).as_posix()] = partial(_plain, file)
    return files


def _refuse(error: OSError) -> IO[bytes]:
    raise error


def _plain(path: Path) -> IO[bytes]:
    return path.open("rb")


def _tar_members(file: IO[bytes]) -> dict[str, _Opener]:
    members: dict[str, _Opener] = {}
    with tarfile.open(fileobj=file, mode="r:") as archive:
        while member := archive.next():
            name = member.name.removeprefix("./")
            if member.isreg() and not member.issparse() and not _hidden(name):
                members[name] = partial(_part, file, member.offset_data, member.size)
            archive.members.clear()  # type: ignore[attr-defined]  # in which it keeps all of them
    return members


def _zip_members(file: IO[bytes]) -> dict[str, _Opener]:
    archive = zipfile.ZipFile(file)
    members = (member for member in archive.infolist() if not member.is_dir() and not _hidden(member.filename))
    return {
        member.filename: partial(_refuse, PermissionError(errno.EACCES, "it is encrypted"))
        if member.flag_bits & _ENCRYPTED
        else partial(archive.open, member)
        for member in members
    }


def _unreadable(error: BaseException, path: Path) -> HistoryError:
    if isinstance(error, FileNotFoundError):
        return HistoryError("no such file or folder", str(path))
    if isinstance(error, OSError) and error.strerror:
        return HistoryError(f"cannot be read: {error.strerror}", str(path))
    return HistoryError(f"the compressed file is damaged: {str(error) or type(error).__name__}", str(path))


class _Checked(io.RawIOBase):
    """A stream that raises `HistoryError` for errors of the streams below it."""

    def __init__(self, stack: list[IO[bytes]], path: Path) -> None:
        self._stack = stack
        self._path = path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stack[0].read(len(buffer))
        except _DAMAGE as error:
            raise _unreadable(error, self._path) from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            for file in self._stack:
                file.close()
        super().close()


class _Slice(io.RawIOBase):
    """A part of a file that other readers share."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._start + self._at)
        size = min(len(buffer), self._size - self._at)
        data = self._file.read(max(size, 0))
        if size > 0 and not data:
            raise EOFError("it ends too early")
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def _part(file: IO[bytes], start: int, size: int) -> IO[bytes]:
    return io.BufferedReader(_Slice(file, start, size), _BUFFER)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _natural(name: str) -> list[tuple[str, int, str]]:
    """Sort key that compares runs of digits as numbers."""
    return [(text, int(digits or 0), digits) for text, digits in re.findall(r"(\D*)([0-9]*)", name)]
