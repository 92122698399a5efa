"""Bytes of histories: of files, and of the files in folders and archives, inside one another, plain or compressed.

Files are read as streams. An archive that has to be unpacked is unpacked into a temporary file; of the archives beside
each other in a folder or an archive, one at a time.
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
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple, Protocol, TypeVar
from weakref import finalize, ref

from pokermodel.errors import HistoryError

__all__ = ["DEPTH", "Files", "Held", "Piece", "Reached", "Sink", "is_archive", "natural", "open_files", "other_archive"]

#: Archives inside one another that are opened.
DEPTH = 5

_Opener = Callable[[], IO[bytes]]
_T = TypeVar("_T")

_COMPRESSED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OTHER_ARCHIVES = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "RAR",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"\x04\x22\x4d\x18": "LZ4",
    b"LZIP": "lzip",
    b"\x1f\x9d": "compress (.Z)",
}
_ENCRYPTED = 1  # flag of a member of a zip archive
_TAR, _TAR_AT = b"ustar", 257
_BUFFER = 1 << 16
_IN_MEMORY = 1 << 24  # bytes of an unpacked archive that are kept in memory
_LONGEST_LINE = 1 << 20  # bytes
_SMALL, _RATIO = 1 << 28, 200  # a file may unpack to so many bytes, and so many times its size
# errors of those modules for damaged or foreign bytes
_DAMAGE = (
    *(EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile),
    *(OSError, ValueError, KeyError, RuntimeError),
)


class Sink(Protocol):
    """Receives the errors of hands that are left out, for example a list."""

    def append(self, error: HistoryError, /) -> object:
        """Receive an error."""


class _Bound:
    """How many bytes a file on disk may unpack to, so that a decompression bomb ends.

    Parameters
    ----------
    size : callable
        Returns the size of the file.
    """

    def __init__(self, size: Callable[[], int]) -> None:
        self._size = size
        self._spent = 0

    def spend(self, size: int, path: Path) -> None:
        """Count bytes that are unpacked; raises `HistoryError` for too many."""
        self._spent += size
        if self._spent > _SMALL and self._spent > _SMALL + _RATIO * self._size():
            raise HistoryError(f"unpacks to more than {_RATIO} times its size and {_SMALL:,} bytes", str(path))

    def copy(self) -> _Bound:
        """Return one that begins to count."""
        return _Bound(self._size)


class Reached:
    """How far the file has been read that was opened last."""

    def __init__(self) -> None:
        self._file: ref[IO[bytes]] | None = None
        self._size = 0

    def begin(self, file: IO[bytes]) -> None:
        """Note a file as it is stored, before anything of it is read."""
        self._file = None
        if isinstance(file, io.BufferedReader) and not isinstance(file.raw, _FromPipe):
            self._size = file.seek(0, io.SEEK_END)
            self._file = ref(file)
            file.seek(0)

    @property
    def share(self) -> float:
        """The share that has been read, 0 to 1; 0 where it is not known, as of a pipe."""
        file = None if self._file is None else self._file()
        return file.tell() / self._size if file is not None and not file.closed and self._size else 0.0


class _Members:
    """The files of a folder or an archive.

    Parameters
    ----------
    openers : mapping of str to callable
        For each file, by name, a function that opens its contents, perhaps compressed, as a seekable stream.
    others : mapping of str to str
        What else is there, and why it is not read.
    file : file, optional
        What the openers read. It is closed when neither the members nor a stream of theirs is in use any more.
    below : _Members, optional
        Those to which `file` belongs.
    """

    def __init__(
        self,
        openers: Mapping[str, _Opener],
        others: Mapping[str, str],
        file: IO[bytes] | None = None,
        below: _Members | None = None,
    ) -> None:
        self.openers = openers
        self.others = others
        self._below = below
        if file is not None:
            finalize(self, file.close)


class Files(ABC):
    """A file, or the files of a folder or an archive, each with a name such as ``"199504/hdb"``.

    Attributes
    ----------
    path : Path
        The file, folder or archive. The path of an archive inside another one goes on inside.
    on_disk : Path or None
        The file in which all of them are; None for a folder.
    depth : int
        Number of archives around the files.
    reached : Reached
        How far the file has been read that was opened last, in whichever of the archives.
    """

    def __init__(self, path: Path, on_disk: Path | None, depth: int = 0, reached: Reached | None = None) -> None:
        self.path = path
        self.on_disk = on_disk
        self.depth = depth
        self.reached = Reached() if reached is None else reached
        self._members: _Members | None = None
        self._names: list[str] | None = None
        self._opened: ref[Files] | None = None  # the archive among the files that is unpacked

    @abstractmethod
    def _list(self) -> _Members:
        """Return the files; raises `HistoryError`."""

    @abstractmethod
    def _bound(self, name: str) -> _Bound:
        """Return what the file on disk may unpack to in which a file is."""

    @property
    def names(self) -> list[str]:
        """Names in natural order: ``2.phh`` before ``10.phh``."""
        members = self._listed()
        if self._names is None:
            self._names = sorted(members.openers, key=natural)
        return self._names

    @property
    def others(self) -> Mapping[str, str]:
        """What else is there, by name, and why it is not read."""
        return self._listed().others

    def open(self, name: str, at: int = 0) -> io.BufferedReader:
        """Open one file, decompressed.

        Parameters
        ----------
        name : str
            The file.
        at : int
            The first byte that is read.

        Returns
        -------
        io.BufferedReader
            Reading raises `HistoryError` if the file cannot be read or is damaged, a line of it is too long for any
            history, or it unpacks to too much.

        Raises
        ------
        HistoryError
            If the file cannot be read.
        """
        return self._stream(name, lines=True, at=at)

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file, decompressed; raises `HistoryError`."""
        with self._stream(name, lines=False) as file:
            return file.read(size)

    def archive(self, name: str) -> Files:
        """Return the files of an archive, which is opened when they are asked for."""
        return _Archive(self, name)

    def close(self) -> None:
        """Let go of an archive's contents. They are unpacked again when they are asked for."""
        if self._opened is not None and (inner := self._opened()) is not None:
            inner.close()
        self._opened = self._members = self._names = None

    def _listed(self) -> _Members:
        if self._members is None:
            self._members = self._list()
        return self._members

    def _stream(self, name: str, lines: bool, bound: _Bound | None = None, at: int = 0) -> io.BufferedReader:
        members, file, decompress = self._open(name)
        if lines:
            self.reached.begin(file)
        stack = [file] if decompress is None else [decompress(file), file]
        if bound is None and not _random_access(stack):
            bound = self._bound(name).copy()
        if at and _random_access(stack):
            file.seek(at)
        opened: io.BufferedReader = io.BufferedReader(_Checked(stack, self.path / name, lines, bound, members), _BUFFER)
        if at and not _random_access(stack):
            left = at
            while left and (passed := opened.read(min(left, _BUFFER))):
                left -= len(passed)
        return opened

    def _open(self, name: str) -> tuple[_Members, IO[bytes], Callable[[IO[bytes]], Any] | None]:
        """Open a file, and return it with the function that decompresses it."""
        members = self._listed()
        file = None
        try:
            file = members.openers[name]()
            start = file.read(max(map(len, _COMPRESSED)))
            file.seek(0)
        except _DAMAGE as error:
            if file is not None:
                file.close()
            raise _unreadable(error, self.path / name) from None
        return members, file, next((call for magic, call in _COMPRESSED.items() if start.startswith(magic)), None)

    def _unpacked(self, name: str, bound: _Bound) -> tuple[IO[bytes], _Members]:
        """Open a file for random access, in a temporary file where it has to be unpacked."""
        members, file, decompress = self._open(name)
        if decompress is None and _random_access([file]):
            return file, members
        file.close()
        copy: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # the caller closes it
        try:
            with self._stream(name, lines=False, bound=bound) as packed:
                shutil.copyfileobj(packed, copy, _BUFFER)
        except BaseException:
            copy.close()
            raise
        copy.seek(0)
        return copy, members


class _Folder(Files):
    def __init__(self, path: Path) -> None:
        super().__init__(path, None)

    def _list(self) -> _Members:
        openers: dict[str, _Opener] = {}
        others: dict[str, str] = {}

        def unlisted(error: OSError) -> None:
            openers[self._name(Path(error.filename))] = partial(_refuse, error)

        for above, folders, names in os.walk(self.path, onerror=unlisted):
            folders[:] = [name for name in folders if not _hidden(name)]
            for path in (Path(above, name) for name in folders):
                if path.is_symlink():
                    others[self._name(path)] = "a link to a folder, which is not followed"
            for path in (Path(above, name) for name in names if not _hidden(name)):
                try:
                    readable = path.is_file() or not path.exists()  # opening what is missing raises the error
                except OSError:
                    readable = True  # likewise
                if readable:
                    openers[self._name(path)] = partial(_plain, path)
                else:
                    others[self._name(path)] = "neither a file nor a folder"
        return _Members(openers, others)

    def _name(self, path: Path) -> str:
        name = path.relative_to(self.path).as_posix()
        return "" if name == "." else name

    def _bound(self, name: str) -> _Bound:
        return _Bound(partial(_size, self.path / name))


class _Single(Files):
    """A file, whose name is empty; or a pipe, which is read into a temporary file as far as it is asked for."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, path)
        self._pipe: _Pipe | None = None
        if path.exists() and not path.is_file():
            try:
                self._pipe = _Pipe(path)
            except OSError as error:
                raise _unreadable(error, path) from None

    def _list(self) -> _Members:
        return _Members({"": partial(_plain, self.path) if self._pipe is None else self._pipe.open}, {})

    def _bound(self, name: str) -> _Bound:
        return _Bound(partial(_size, self.path) if self._pipe is None else self._pipe.size)


class _Archive(Files):
    """A tar or zip archive. Only one of those that are beside each other is unpacked at a time."""

    def __init__(self, above: Files, name: str) -> None:
        path = above.path / name
        super().__init__(path, above.on_disk or path, above.depth + 1, above.reached)
        self._above = above
        self._name = name
        self._all = above._bound(name)  # of all archives in the file on disk
        self._counted = False

    def _list(self) -> _Members:
        above, name = self._above, self._name
        if above._opened is not None and (other := above._opened()) is not None and other is not self:
            other.close()
        above._opened = ref(self)
        file, below = above._unpacked(name, self._all.copy() if self._counted else self._all)
        self._counted = True
        try:
            found = _zip_members(file) if file.read(len(_ZIP[0])) in _ZIP else _tar_members(file)
        except (*_DAMAGE, RecursionError) as error:
            file.close()
            raise HistoryError(f"the archive is damaged: {error or type(error).__name__}", str(self.path)) from None
        return _Members(*found, file, below)

    def _bound(self, name: str) -> _Bound:
        return self._all


class Piece(NamedTuple):
    """Some bytes of a file, or all.

    Attributes
    ----------
    content : bytes
        Decompressed.
    start : tuple of int
        Where they begin, as `Bookmark.start`; empty for the beginning of the file.
    error : HistoryError or None
        What reading the file ends with after them.
    """

    content: bytes
    start: tuple[int, ...] = ()
    error: HistoryError | None = None


class Held(Files):
    """Files that are held in memory, of each a piece, and can be pickled.

    Parameters
    ----------
    path : Path
        Path of the collection.
    pieces : mapping of str to Piece
        By name.
    """

    def __init__(self, path: Path, pieces: Mapping[str, Piece]) -> None:
        super().__init__(path, None)
        self._pieces = dict(pieces)

    def __reduce__(self) -> tuple[type[Held], tuple[Path, dict[str, Piece]]]:
        return type(self), (self.path, self._pieces)

    def start(self, name: str) -> tuple[int, ...]:
        """Where the piece of a file begins."""
        return self._pieces[name].start

    @property
    def size(self) -> int:
        """Bytes of all pieces."""
        return sum(len(piece.content) for piece in self._pieces.values())

    def open(self, name: str, at: int = 0) -> io.BufferedReader:
        """Open a file; reading begins where its piece does, whatever `at` is."""
        return io.BufferedReader(_Held(self._pieces[name]), _BUFFER)

    def head(self, name: str, size: int) -> bytes:
        """Return the first bytes of a file's piece, so many at most."""
        return self._pieces[name].content[:size]

    def _list(self) -> _Members:
        return _Members({name: partial(self.open, name) for name in self._pieces}, {})

    def _bound(self, name: str) -> _Bound:
        return _Bound(lambda: len(self._pieces[name].content))


class _Held(io.RawIOBase):
    """The bytes of a piece, and the error after them."""

    def __init__(self, piece: Piece) -> None:
        self._rest = memoryview(piece.content)
        self._error = piece.error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), len(self._rest))
        if not size and self._error is not None:
            raise self._error
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def open_files(path: Path) -> Files:
    """Open a path as a collection of files.

    Parameters
    ----------
    path : Path
        A file, or a folder. In folders and archives, files whose name begins with a dot are left out. A folder inside
        that cannot be listed is among the files, as a file that cannot be opened.

    Returns
    -------
    Files
        Of a file, that file alone, with an empty name, even if it is an archive.

    Raises
    ------
    HistoryError
        If the path is a pipe that cannot be read.
    """
    return _Folder(path) if path.is_dir() else _Single(path)


def is_archive(head: bytes) -> bool:
    """Return whether a file is a tar or zip archive, by its beginning."""
    return head.startswith(_ZIP) or head.startswith(_TAR, _TAR_AT)


def other_archive(head: bytes) -> str | None:
    """Return the kind of an archive or compressed file that is not read, by its beginning."""
    return next((kind for magic, kind in _OTHER_ARCHIVES.items() if head.startswith(magic)), None)


def _random_access(stack: Sequence[IO[bytes]]) -> bool:
    """Return whether a stream can be read at any place without unpacking what is before it."""
    return len(stack) == 1 and not isinstance(stack[0], zipfile.ZipExtFile)


def _size(path: Path) -> int:
    return path.stat().st_size


def _refuse(error: OSError) -> IO[bytes]:
    raise error


def _plain(path: Path) -> IO[bytes]:
    return path.open("rb")


def _tar_members(file: IO[bytes]) -> tuple[dict[str, _Opener], dict[str, str]]:
    openers: dict[str, _Opener] = {}
    others: dict[str, str] = {}
    file.seek(0)
    with tarfile.open(fileobj=file, mode="r:") as archive:
        while member := archive.next():
            name = _member_name(member.name)
            if member.isreg() and not member.issparse():
                if member.size < 0:
                    found: _Opener = partial(_refuse, OSError(errno.EINVAL, "its size is negative"))
                else:
                    found = partial(_part, file, member.offset_data, member.size)
                openers[_other_name(name, openers)] = found
            elif member.islnk() and (linked := _member_name(member.linkname)) in openers:
                openers[_other_name(name, openers)] = openers[linked]
            elif not member.isdir():
                others[_other_name(name, others)] = "a link" if member.issym() or member.islnk() else "no ordinary file"
            archive.members.clear()  # type: ignore[attr-defined]  # in which it keeps all of them
    return _shown(openers), _shown(others)


def _zip_members(file: IO[bytes]) -> tuple[dict[str, _Opener], dict[str, str]]:
    archive = zipfile.ZipFile(file)
    openers: dict[str, _Opener] = {}
    for member in archive.infolist():
        if not member.is_dir():
            encrypted = member.flag_bits & _ENCRYPTED
            opener = partial(_refuse, PermissionError(errno.EACCES, "it is encrypted")) if encrypted else None
            name = _other_name(_member_name(member.filename), openers)
            openers[name] = partial(archive.open, member) if opener is None else opener
    return _shown(openers), {}


def _member_name(name: str) -> str:
    """Return the name of a member below the archive: no archive names files elsewhere.

    What goes upwards stays where it is: nothing is unpacked to a disk, so that such a name does no harm, and a hand is
    not to be lost for it.
    """
    return "/".join(part for part in name.split("/") if part not in ("", ".", ".."))


def _other_name(name: str, taken: Container[str]) -> str:
    """Return a name that no member before has: of two of one name both are read, ``a.phh`` and ``a (2).phh``."""
    if name not in taken:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or "/" in suffix:
        stem, suffix = name, ""
    return next(other for k in count(2) if (other := f"{stem} ({k}){dot and '.'}{suffix}") not in taken)


def _shown(members: dict[str, _T]) -> dict[str, _T]:
    return {name: member for name, member in members.items() if name and not _hidden(name)}


def _unreadable(error: BaseException, path: Path) -> HistoryError:
    if isinstance(error, FileNotFoundError):
        return HistoryError("no such file or folder", str(path))
    if isinstance(error, OSError) and error.strerror:
        return HistoryError(f"cannot be read: {error.strerror}", str(path))
    return HistoryError(f"the compressed file is damaged: {str(error) or type(error).__name__}", str(path))


class _Checked(io.RawIOBase):
    """A stream that raises `HistoryError` for errors of the streams below it, and for more than a history can have.

    Parameters
    ----------
    stack : list of file
        The stream and those below it.
    path : Path
        Path for error messages.
    lines : bool
        Whether to check that the lines are not too long.
    bound : _Bound or None
        To which what is read counts.
    owner : _Members
        Which must not be closed before.
    """

    def __init__(self, stack: list[IO[bytes]], path: Path, lines: bool, bound: _Bound | None, owner: _Members) -> None:
        self._stack = stack
        self._path = path
        self._lines = lines
        self._bound = bound
        self._owner = owner
        self._unended = 0  # bytes since the end of a line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stack[0].read(len(buffer))
        except _DAMAGE as error:
            raise _unreadable(error, self._path) from None
        if self._bound is not None:
            self._bound.spend(len(data), self._path)
        if self._lines:
            end = max(data.rfind(b"\n"), data.rfind(b"\r"))
            self._unended = len(data) - end - 1 + (self._unended if end < 0 else 0)
            if self._unended > _LONGEST_LINE:
                what = f"not a hand history: it has a line of more than {_LONGEST_LINE:,} bytes"
                raise HistoryError(what, str(self._path))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            for file in self._stack:
                file.close()
        super().close()


class _Positioned(io.RawIOBase):
    """A seekable stream over something that reads at any place."""

    _at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0 if whence == io.SEEK_SET else self._at if whence == io.SEEK_CUR else self._end())
        return self._at

    def readinto(self, buffer: Any) -> int:
        data = self._read_at(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _end(self) -> int:
        raise NotImplementedError

    def _read_at(self, place: int, size: int) -> bytes:
        raise NotImplementedError


class _Slice(_Positioned):
    """A part of a file that other readers share."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size

    def _end(self) -> int:
        return self._size

    def _read_at(self, place: int, size: int) -> bytes:
        size = min(size, self._size - place)
        if size <= 0:
            return b""
        self._file.seek(self._start + place)
        data = self._file.read(size)
        if not data:
            raise EOFError("it ends too early")
        return data


def _part(file: IO[bytes], start: int, size: int) -> IO[bytes]:
    return io.BufferedReader(_Slice(file, start, size), _BUFFER)


class _Pipe:
    """What comes through a pipe or from a device, as far as it has been asked for, in a temporary file."""

    def __init__(self, path: Path) -> None:
        self._source = path.open("rb", buffering=0)
        self._kept = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # closed with the pipe
        self._size = 0
        self._ended = False
        finalize(self, self._kept.close)
        finalize(self, self._source.close)

    def open(self) -> IO[bytes]:
        """Open a stream from the beginning."""
        return io.BufferedReader(_FromPipe(self), _BUFFER)

    def size(self) -> int:
        """Return the number of bytes that have come so far."""
        return self._size

    def read_at(self, place: int, size: int) -> bytes:
        """Read at a place, and wait for what is not there yet."""
        self._kept.seek(0, io.SEEK_END)
        while not self._ended and self._size < place + size:
            data = self._source.read(_BUFFER)
            self._ended = not data
            self._kept.write(data or b"")
            self._size += len(data or b"")
        self._kept.seek(place)
        return self._kept.read(size)

    def end(self) -> int:
        """Read to the end; return the number of bytes."""
        while not self._ended:
            self.read_at(self._size, _BUFFER)
        return self._size


class _FromPipe(_Positioned):
    def __init__(self, pipe: _Pipe) -> None:
        self._pipe = pipe

    def _end(self) -> int:
        return self._pipe.end()

    def _read_at(self, place: int, size: int) -> bytes:
        return self._pipe.read_at(place, size)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def natural(name: str) -> list[tuple[str, int, str]]:
    """Sort key that compares runs of digits as numbers."""
    return [(text, int(digits or 0), digits) for text, digits in re.findall(r"(\D*)([0-9]*)", name)]
