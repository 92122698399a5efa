"""Files of arrays in NumPy's format (``.npz``): the one door by which they are read, and those with a digest."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

__all__ = ["check_finite", "read_arrays", "read_saved", "saved_bytes"]

_MOST_ARRAYS = 100_000
_MOST_UNPACKED = 1 << 32  # bytes
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Read arrays of numbers. What a header promises is compared with the size of its member before memory is taken.

    Raises `ValueError` if it is no such archive, or a damaged one; in a line.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            size = sum(member.file_size for member in members)
            if len(members) > _MOST_ARRAYS or size > _MOST_UNPACKED + len(content):
                raise ValueError("too large")
            return {member.filename.removesuffix(".npy"): _array(archive, member) for member in members}
    except Exception as error:  # numpy, zipfile and zlib have many ways to say it
        raise ValueError(" ".join(str(error).split())[:200] or type(error).__name__) from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(member) as file:
        shape, by_column, dtype = _HEADERS[npy.read_magic(file)](file)
        if dtype.kind not in "biuf" or math.prod(shape) * dtype.itemsize + file.tell() != member.file_size:
            raise ValueError(f"{member.filename[:40]} is no array of numbers, or of another size")
        found = np.frombuffer(bytearray(file.read()), dtype=dtype)  # to its end, where a checksum is compared
    return found.reshape(shape, order="F" if by_column else "C")


def saved_bytes(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], *, packed: bool = False) -> bytes:
    """Return a file of arrays, with JSON text in the array ``about``, where ``digest`` is that of all the rest."""
    said = json.dumps({**about, "digest": _digest(about, arrays)}).encode()
    file = io.BytesIO()
    save: Any = np.savez_compressed if packed else np.savez
    save(file, about=np.frombuffer(said, dtype=np.uint8), **arrays)
    return file.getvalue()


def _digest(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    found = blake2b(json.dumps(about, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return found.hexdigest()


def read_saved(path: Path, what: str, form: str, version: int) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read the arrays of a file that `saved_bytes` made, but for ``about``, and what it says of itself.

    Raises `ValueError` if it is no such file, one of another version, or damaged; `OSError` if it cannot be read.

    Parameters
    ----------
    what : str
        The expected content in words: "solution".
    form, version : str, int
        The expected ``format`` and ``version`` of the file.
    """
    content = path.read_bytes()
    try:
        arrays = read_arrays(content)
        about = json.loads(arrays.pop("about").tobytes())
        found = about["format"], about["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = None, None
    if found[0] != form:
        raise ValueError(f"{path}: not a {what} that pokermodel saved")
    if found[1] != version:
        raise ValueError(f"{path}: a {what} of version {found[1]}, and this pokermodel reads version {version}")
    if about.pop("digest", None) != _digest(about, arrays):
        raise ValueError(f"{path}: a damaged {what}: its digest is another")
    return arrays, about


def check_finite(name: str, array: NDArray[Any], *, least: float = -math.inf) -> None:
    """Raise `ValueError` unless all numbers are finite and at least so much."""
    if not (np.isfinite(array).all() and (array >= least).all()):
        raise ValueError(f"{name} must have finite numbers{'' if least < 0 else f' of at least {least:g}'}")
