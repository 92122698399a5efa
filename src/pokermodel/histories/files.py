"""Bytes of histories: of files, and of the files in folders and archives, inside one another, plain or compressed.

Files are read as streams. An archive that has to be unpacked is unpacked into a temporary file; of the archives beside
each other in a folder or an archive, one at a time. Of a compressed file that is damaged, all that can be unpacked is
read before the error (`pokermodel.histories._unpack`); of an archive, the files before the damage.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
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

from pokermodel._support.patterns import regex
from pokermodel.errors import HistoryError
from pokermodel.histories import _unpack

__all__ = ["DEPTH", "Files", "Held", "Piece", "Reached", "Sink", "is_archive", "natural", "open_files", "other_archive"]

#: Archives inside one another that are opened.
DEPTH = 5

_Opener = Callable[[], IO[bytes]]
_Packed = Callable[[], tuple[IO[bytes], _unpack.Steps]]
_T = TypeVar("_T")

_COMPRESSED: dict[bytes, tuple[Callable[[IO[bytes]], Any], _unpack.Steps]] = {
    b"\x1f\x8b": (lambda file: gzip.GzipFile(fileobj=file), _unpack.gzip_steps),
    b"BZh": (bz2.BZ2File, _unpack.bz2_steps),
    b"\xfd7zXZ\0": (lzma.LZMAFile, _unpack.xz_steps),
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
_MAGIC = tuple(_COMPRESSED)
_BUFFER = 1 << 16
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_SMALL_FILE = 1 << 15  # bytes; no line of such a file is too long
IN_MEMORY = 1 << 24  # bytes of an unpacked archive that are kept in memory
_HAND = 6  # times the bytes of its text that a hand takes in memory
_LONGEST_LINE = 1 << 20  # bytes
_SMALL, _RATIO = 1 << 28, 200  # a file may unpack to so many bytes, and so many times its size
# A file may hold so many files, and one for so many of its bytes. Real archives have a file for 500 bytes or more; each
# costs some 0.1 ms whatever is in it, so that a few bytes full of archives in archives would hold a command for long.
_MEMBERS, _BYTES_A_MEMBER = 10_000, 50
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
    """How many bytes and files a file on disk may unpack to, so that a decompression bomb ends."""

    def __init__(self, size: Callable[[], int]) -> None:
        self._size = size
        self._spent = self._members = 0

    def spend(self, size: int, path: Path) -> None:
        """Count bytes that are unpacked; raises `HistoryError` for too many."""
        self._spent += size
        if self._spent > _SMALL and self._spent > _SMALL + _RATIO * self._size():
            raise HistoryError(f"unpacks to more than {_RATIO} times its size and {_SMALL:,} bytes", str(path))

    def count(self, members: int, path: Path) -> None:
        """Count files of an archive; raises `HistoryError` for too many."""
        self._members += members
        if self._members > _MEMBERS and self._members > _MEMBERS + self._size() // _BYTES_A_MEMBER:
            what = f"holds more than {_MEMBERS:,} files and one for each {_BYTES_A_MEMBER} bytes of its size"
            raise HistoryError(what, str(path))

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

    def pass_over(self) -> None:
        """Note that a file was read that is too small to have a share."""
        self._file = None

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
    packed : mapping of str to callable, optional
        For files that an archive compresses by itself, a function that returns the compressed bytes as a stream, and
        how they are unpacked in steps.
    """

    def __init__(
        self,
        openers: Mapping[str, _Opener],
        others: Mapping[str, str],
        file: IO[bytes] | None = None,
        below: _Members | None = None,
        packed: Mapping[str, _Packed] | None = None,
        damage: HistoryError | None = None,
    ) -> None:
        self.openers = openers
        self.others = others
        self.packed = {} if packed is None else packed
        self.damage = damage
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
        """Other files by name, with the reason why they are not read."""
        return self._listed().others

    @property
    def damage(self) -> HistoryError | None:
        """The damage of an archive, which may have had more files than these; None if it is whole."""
        return self._listed().damage

    def open(self, name: str, at: int = 0, behind: list[HistoryError] | None = None) -> io.BufferedReader:
        """Open one file, decompressed.

        Raises `HistoryError` if the file cannot be read.

        Parameters
        ----------
        at : int
            The first byte that is read.
        behind : list, optional
            Receives an error behind the end of the compressed data, such as a wrong checksum: the file then is complete
            up to its end. Without the list, the error is raised.

        Returns
        -------
        io.BufferedReader
            Reading raises `HistoryError` if the file cannot be read or is damaged, behind all that can be unpacked; if
            a line of it is too long for any history; or if it unpacks to too much.
        """
        return self._stream(name, lines=True, at=at, behind=behind)

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file, decompressed; raises `HistoryError`."""
        read = b""
        with self._stream(name, lines=False) as file:
            try:
                while len(read) < size and (some := file.read1(size - len(read))):
                    read += some
            except HistoryError:
                if not read:
                    raise  # else what can be read tells what the file is, and reading it meets the error again
        return read

    def archive(self, name: str) -> Files:
        """Return the files of an archive, which is opened when they are asked for."""
        return _Archive(self, name)

    def trade(self, name: str) -> bool:
        """Whether the bytes of a file are kept, and there is room to keep its hand with them."""
        return False

    def let_go(self, name: str) -> None:
        """Say that a file was read whose hand was kept."""
        self.reached.pass_over()

    def close(self) -> None:
        """Let go of an archive's contents. They are unpacked again when they are asked for."""
        if self._opened is not None and (inner := self._opened()) is not None:
            inner.close()
        self._opened = self._members = self._names = None

    def _listed(self) -> _Members:
        if self._members is None:
            self._members = self._list()
        return self._members

    def _stream(
        self,
        name: str,
        lines: bool,
        bound: _Bound | None = None,
        at: int = 0,
        behind: list[HistoryError] | None = None,
    ) -> io.BufferedReader:
        members, file, compressed = self._open(name)
        if lines:
            self.reached.begin(file)
        if compressed is None:
            stack, packed = [file], members.packed.get(name)
        else:
            decompress, steps = compressed
            stack, packed = [decompress(file), file], partial(_rewound, file, steps)
        if bound is None and not _random_access(stack):
            bound = self._bound(name).copy()
        if at and _random_access(stack):
            file.seek(at)
        checked = _Checked(stack, self.path / name, lines, bound, members, packed, behind)
        opened: io.BufferedReader = io.BufferedReader(checked, _BUFFER)
        if at and not _random_access(stack):
            left = at
            while left and (passed := opened.read(min(left, _BUFFER))):
                left -= len(passed)
        return opened

    def _open(self, name: str) -> tuple[_Members, IO[bytes], tuple[Callable[[IO[bytes]], Any], _unpack.Steps] | None]:
        """Open a file, and return it with the functions that decompress it, at once and in steps."""
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
        return members, file, next((how for magic, how in _COMPRESSED.items() if start.startswith(magic)), None)

    def _unpacked(self, name: str, bound: _Bound) -> tuple[IO[bytes], _Members, HistoryError | None]:
        """Open a file for random access, in a temporary file where it has to be unpacked; and what it is damaged with.

        What is there of a damaged file is enough for the files at the beginning of an archive.
        """
        members, file, compressed = self._open(name)
        if compressed is None and _random_access([file]):
            return file, members, None
        file.close()
        copy: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # the caller closes it
        damage = None
        try:
            with self._stream(name, lines=False, bound=bound) as packed:
                while data := packed.read1(_BUFFER):
                    copy.write(data)
        except _DamagedError as error:
            damage = error
        except BaseException:
            copy.close()
            raise
        copy.seek(0)
        return copy, members, damage


class _Folder(Files):
    """A folder. Programs write a file for each hand, so that folders of many thousand small files are common.

    A small file is read at once, without the streams that unpack, watch and count what a large one may have: they take
    longer to make than such a file takes to read. What was read to recognise it is kept until its hands are, within
    bounds, since to open it again takes as long.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, None)
        self._kept: dict[str, bytes] = {}
        self._room = IN_MEMORY

    def close(self) -> None:
        self._forget()
        super().close()

    def _forget(self) -> None:
        self._kept.clear()
        self._room = IN_MEMORY

    def _list(self) -> _Members:
        openers: dict[str, _Opener] = {}
        others: dict[str, str] = {}

        def unlisted(error: OSError) -> None:
            openers[self._name(Path(error.filename))] = partial(_refuse, error)

        pending = [(str(self.path), "")]
        while pending:
            above, inside = pending.pop()
            try:
                with os.scandir(above) as listed:
                    entries = list(listed)
            except OSError as error:
                unlisted(error)
                continue
            for entry in entries:
                name = entry.name
                if _hidden(name):
                    continue
                if _leads_to_folder(entry):
                    if entry.is_symlink():
                        others[inside + name] = "a link to a folder, which is not followed"
                    else:
                        pending.append((entry.path, f"{inside}{name}/"))
                # opening what is missing raises the error
                elif _is_file(entry) or not os.path.exists(entry.path):
                    openers[inside + name] = partial(_plain, entry.path)
                else:
                    others[inside + name] = "neither a file nor a folder"
        return _Members(openers, others)

    def _name(self, path: Path) -> str:
        name = path.relative_to(self.path).as_posix()
        return "" if name == "." else name

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file, decompressed; raises `HistoryError`."""
        content = self._small(name)
        if content is None:
            return super().head(name, size)
        if len(content) <= self._room:
            self._kept[name] = content
            self._room -= len(content)
        return content[:size]

    def trade(self, name: str) -> bool:
        """Whether the bytes of a file are kept, and there is room to keep its hand with them."""
        content = self._kept.get(name)
        if content is None or self._room < _HAND * len(content):
            return False
        self._room -= _HAND * len(content)
        return True

    def let_go(self, name: str) -> None:
        """Say that a file was read whose hand was kept."""
        content = self._kept.pop(name, None)
        if content is not None:
            self._room += (1 + _HAND) * len(content)
        super().let_go(name)

    def _stream(
        self,
        name: str,
        lines: bool,
        bound: _Bound | None = None,
        at: int = 0,
        behind: list[HistoryError] | None = None,
    ) -> io.BufferedReader:
        content = self._kept.pop(name, None)
        if content is None:
            content = self._small(name)
        else:
            self._room += len(content)
        if content is None:
            return super()._stream(name, lines, bound, at, behind)
        self.reached.pass_over()
        opened: io.BufferedReader = io.BufferedReader(io.BytesIO(content))
        if at:
            opened.seek(at)
        return opened

    def _small(self, name: str) -> bytes | None:
        """All of a file, if it is small and not compressed; None if it is not, or cannot be read."""
        opener = self._listed().openers[name]
        if not isinstance(opener, partial) or opener.func is not _plain:
            return None
        try:
            (path,) = opener.args
            file = os.open(path, _READING)  # without an object around it, which takes as long as to read a hand
            try:
                size = os.fstat(file).st_size
                content = os.read(file, _SMALL_FILE + 1) if size <= _SMALL_FILE else b""
            finally:
                os.close(file)
        except OSError:
            return None
        return None if len(content) != size or content.startswith(_MAGIC) else content

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
        first, self._counted = not self._counted, True
        file, below, damage = above._unpacked(name, self._all if first else self._all.copy())
        packed: dict[str, _Packed] = {}
        try:
            if file.read(len(_ZIP[0])) in _ZIP:
                openers, packed = _zip_members(file)
                others: dict[str, str] = {}
            else:
                openers, others, wrong = _tar_members(file)
                if wrong and damage is None:
                    damage = HistoryError(f"the archive is damaged: {wrong}", str(self.path))
            if first:
                self._all.count(len(openers) + len(others), self.path)
        except HistoryError:
            file.close()
            raise
        except (*_DAMAGE, RecursionError) as error:
            file.close()
            if damage is not None:
                raise damage from None
            raise HistoryError(f"the archive is damaged: {error or type(error).__name__}", str(self.path)) from None
        return _Members(openers, others, file, below, packed, damage)

    def _bound(self, name: str) -> _Bound:
        return self._all


class Piece(NamedTuple):
    """Some bytes of a file, or all."""

    content: bytes
    start: tuple[int, ...] = ()  #: Where they begin, as `ReaderMark.start`; empty for the beginning of the file.
    error: HistoryError | None = None
    behind: bool = False  #: Whether that is behind the end of the file, as `Files.open` tells it.


class Held(Files):
    """Files that are held in memory, of each a piece, and can be pickled."""

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

    def open(self, name: str, at: int = 0, behind: list[HistoryError] | None = None) -> io.BufferedReader:
        """Open a file; reading begins at its piece, for any `at`."""
        return io.BufferedReader(_Held(self._pieces[name], behind), _BUFFER)

    def head(self, name: str, size: int) -> bytes:
        """Return the first bytes of a file's piece, so many at most."""
        return self._pieces[name].content[:size]

    def _list(self) -> _Members:
        return _Members({name: partial(self.open, name) for name in self._pieces}, {})

    def _bound(self, name: str) -> _Bound:
        return _Bound(lambda: len(self._pieces[name].content))


class _Held(io.RawIOBase):
    """The bytes of a piece, and the error after them."""

    def __init__(self, piece: Piece, behind: list[HistoryError] | None) -> None:
        self._rest = memoryview(piece.content)
        self._error = piece.error
        if piece.behind and piece.error is not None and behind is not None:
            behind.append(piece.error)
            self._error = None

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

    Raises `HistoryError` if the path is a pipe that cannot be read.

    Parameters
    ----------
    path : Path
        A file, or a folder. In folders and archives, files whose name begins with a dot are left out. A folder inside
        that cannot be listed is among the files, as a file that cannot be opened.

    Returns
    -------
    Files
        Of a file, that file alone, with an empty name, even if it is an archive.
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


def _plain(path: str | Path) -> IO[bytes]:
    return open(path, "rb")


def _tar_members(file: IO[bytes]) -> tuple[dict[str, _Opener], dict[str, str], str]:
    """Return the files, what else is there, and what is wrong behind them, if anything is."""
    openers: dict[str, _Opener] = {}
    others: dict[str, str] = {}
    wrong = ""
    file.seek(0)
    with tarfile.open(fileobj=file, mode="r:") as archive:
        while True:
            try:
                member = archive.next()
            except _DAMAGE as error:
                if not openers and not others:
                    raise
                wrong = str(error) or type(error).__name__
                break
            if member is None:
                # `tarfile` takes any block that is no header for the end, which is a block of zeros, or no block
                file.seek(archive.offset)
                if any(block := file.read(tarfile.BLOCKSIZE)) or 0 < len(block) < tarfile.BLOCKSIZE:
                    wrong = f"byte {archive.offset:,} of what it unpacks to begins no file"
                break
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
    return _shown(openers), _shown(others), wrong


def _zip_members(file: IO[bytes]) -> tuple[dict[str, _Opener], dict[str, _Packed]]:
    """Return the files, and those of them that can be unpacked in steps."""
    archive = zipfile.ZipFile(file)
    openers: dict[str, _Opener] = {}
    packed: dict[str, _Packed] = {}
    for member in archive.infolist():
        if not member.filename.endswith("/"):  # is_dir() does not take an empty name before Python 3.12
            encrypted = member.flag_bits & _ENCRYPTED
            opener = partial(_refuse, PermissionError(errno.EACCES, "it is encrypted")) if encrypted else None
            name = _other_name(_member_name(member.filename), openers)
            openers[name] = partial(archive.open, member) if opener is None else opener
            if (steps := _ZIP_STEPS.get(member.compress_type)) is not None and opener is None:
                packed[name] = partial(_zip_packed, file, member, steps)
    return _shown(openers), packed


_ZIP_STEPS = {zipfile.ZIP_STORED: _unpack.plain_steps, zipfile.ZIP_DEFLATED: _unpack.deflate_steps}
_LOCAL_HEADER, _LOCAL_LENGTHS = 30, 26  # of a member of a zip archive: its size, and where two lengths are in it


def _zip_packed(file: IO[bytes], member: zipfile.ZipInfo, steps: _unpack.Steps) -> tuple[IO[bytes], _unpack.Steps]:
    """Return the compressed bytes of a member, which are behind a header, its name, and more about it."""
    file.seek(member.header_offset + _LOCAL_LENGTHS)
    lengths = file.read(_LOCAL_HEADER - _LOCAL_LENGTHS)
    start = member.header_offset + _LOCAL_HEADER + sum(int.from_bytes(lengths[k : k + 2], "little") for k in (0, 2))
    return _part(file, start, member.compress_size), steps


def _rewound(file: IO[bytes], steps: _unpack.Steps) -> tuple[IO[bytes], _unpack.Steps]:
    file.seek(0)
    return file, steps


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


class _DamagedError(HistoryError):
    """A file that cannot be read to its end, though perhaps in part."""


def _unreadable(error: BaseException, path: Path, more: str = "") -> HistoryError:
    if isinstance(error, FileNotFoundError):
        return HistoryError("no such file or folder", str(path))
    if isinstance(error, OSError) and error.strerror:
        return _DamagedError(f"cannot be read: {error.strerror}{more}", str(path))
    return _DamagedError(f"the compressed file is damaged: {str(error) or type(error).__name__}{more}", str(path))


class _Checked(io.RawIOBase):
    """A stream that raises `HistoryError` for errors of the streams below it, and for more than a history can have.

    Decompressors drop what they unpacked in the call that meets the damage, up to a buffer full of whole hands. So the
    file is unpacked once more, from its beginning to where the last call ended, and from there on byte by byte. To keep
    a copy of the decompressor at each call would cost every file what only a damaged one needs.

    Parameters
    ----------
    lines : bool
        Whether to check that the lines are not too long.
    owner : _Members
        Which must not be closed before.
    packed : callable or None
        Returns the compressed bytes, and how they are unpacked in steps; None where nothing is compressed.
    behind : list or None
        As `Files.open` takes it.
    """

    def __init__(
        self,
        stack: list[IO[bytes]],
        path: Path,
        lines: bool,
        bound: _Bound | None,
        owner: _Members,
        packed: _Packed | None,
        behind: list[HistoryError] | None,
    ) -> None:
        self._stack = stack
        self._path = path
        self._lines = lines
        self._bound = bound
        self._owner = owner
        self._packed = packed
        self._behind = behind
        self._given = 0  # bytes
        self._unended = 0  # bytes since the end of a line
        self._rest: memoryview | None = None  # what comes before the error, once there is one
        self._error: HistoryError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(len(buffer))
        self._given += len(data)
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

    def _read(self, size: int) -> bytes:
        """Read some bytes: of the streams below, and when those fail, of what can be unpacked all the same."""
        if self._rest is None:
            try:
                return self._stack[0].read1(size)  # type: ignore[attr-defined,no-any-return]  # `read` drops more
            except _DAMAGE as error:
                self._rest = memoryview(self._rescue(error))
        data, self._rest = bytes(self._rest[:size]), self._rest[size:]
        if not data and self._error is not None:
            raise self._error
        return data

    def _rescue(self, error: BaseException) -> bytes:
        """Return what can be unpacked behind what was given, and note the error, with how much was not unpacked."""
        if self._packed is None:
            self._error = _unreadable(error, self._path)
            return b""
        try:
            file, steps = self._packed()
            found = _unpack.rescue(file, steps, self._given)
        except _DAMAGE:
            self._error = _unreadable(error, self._path)
            return b""
        more = f"; {found.left:,} of its {found.size:,} bytes are not unpacked" if found.left else ""
        self._error = _unreadable(error, self._path, more)
        if found.ended and self._behind is not None:
            self._behind.append(self._error)
            self._error = None
        return found.content

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
        self._kept = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed with the pipe
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


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _hidden(name: str) -> bool:
    return name.startswith(".") or "/." in name


_RUNS = regex(r"(\D*)([0-9]*)")


def natural(name: str) -> list[tuple[str, int, str]]:
    """Sort key that compares runs of digits as numbers."""
    return [(text, int(digits or 0), digits) for text, digits in _RUNS.findall(name)]
