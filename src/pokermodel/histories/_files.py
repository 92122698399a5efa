"""Where the bytes of a history come from: a file, a folder, an archive; plain or compressed by gzip."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pokermodel.errors import HistoryError

__all__ = ["Archive", "Files", "Folder", "open_files", "read_plain"]

_GZIP = b"\x1f\x8b"
_TAR = b"ustar"  # at byte 257 of a tar archive


class Files(Protocol):
    """Several files below one root, each with a name such as ``"199504/hdb"``."""

    path: Path

    @property
    def names(self) -> Sequence[str]:
        """Names in natural order: ``2.phh`` before ``10.phh``."""

    def read(self, name: str) -> bytes:
        """Contents of one file, decompressed."""


class Folder:
    """The files of a folder and of all folders below it; those whose name begins with a dot are left out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = (file.relative_to(path) for file in path.rglob("*") if file.is_file())
        names = [file.as_posix() for file in found if not any(part.startswith(".") for part in file.parts)]
        self.names: Sequence[str] = sorted(names, key=_natural)

    def read(self, name: str) -> bytes:
        """Contents of one file, decompressed; raises `HistoryError` if it cannot be read."""
        return read_plain(self.path / name)


class Archive:
    """The files of a tar archive, held in memory: a compressed archive can only be read from end to end."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self._data: dict[str, bytes] = {}
        try:
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
                for member in archive:
                    file = archive.extractfile(member) if member.isreg() and not member.issparse() else None
                    if file is not None:
                        self._data[member.name.removeprefix("./")] = file.read()
        # a damaged header can make tarfile fail in any of these ways
        except (tarfile.TarError, EOFError, OSError, ValueError, KeyError, RecursionError) as error:
            raise HistoryError(f"the archive is damaged: {error}", str(path)) from None
        self.names: Sequence[str] = sorted(self._data, key=_natural)

    def read(self, name: str) -> bytes:
        """Contents of one file, decompressed; raises `HistoryError` if it is damaged."""
        return _decompressed(self._data[name], self.path / name)


def open_files(path: Path) -> Files | bytes:
    """Look what `path` is.

    Parameters
    ----------
    path : Path
        A file, a folder, or a tar archive.

    Returns
    -------
    Files or bytes
        The files of a folder or an archive, or the decompressed contents of a single file.

    Raises
    ------
    HistoryError
        If there is nothing at `path`, or it cannot be read.
    """
    if path.is_dir():
        return Folder(path)
    data = read_plain(path)
    return Archive(path, data) if data[257:262] == _TAR else data


def read_plain(path: Path) -> bytes:
    """Contents of one file, decompressed if it is gzip.

    Raises
    ------
    HistoryError
        If it is missing, not readable or damaged.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise HistoryError("no such file or folder", str(path)) from None
    except OSError as error:
        raise HistoryError(f"cannot be read: {error.strerror}", str(path)) from None
    return _decompressed(data, path)


def _decompressed(data: bytes, path: Path) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise HistoryError(f"the compressed file is damaged: {error}", str(path)) from None


def _natural(name: str) -> list[tuple[str, int, str]]:
    """Sort key that takes runs of digits as numbers."""
    return [(text, int(digits or 0), digits) for text, digits in re.findall(r"(\D*)([0-9]*)", name)]
