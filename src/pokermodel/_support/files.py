"""Files that are written as a whole or not at all, errors that name them, and the user's folders."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = [
    "MOST_NAME",
    "append_text",
    "beside_name",
    "cache_folder",
    "data_folder",
    "whole_file",
    "write_bytes",
    "write_text",
]

MOST_NAME = 255  # bytes of a file's name, on usual systems


def cache_folder() -> Path:
    """Return the folder for what can be made again: of the variable ``POKERMODEL_CACHE``, or the system's for the user.

    It need not exist.
    """
    if named := os.environ.get("POKERMODEL_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("pokermodel", appauthor=False)


def data_folder() -> Path:
    """Return the folder for what is the user's own: of the variable ``POKERMODEL_HOME``, or the system's for the user.

    It need not exist.
    """
    if named := os.environ.get("POKERMODEL_HOME"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("pokermodel", appauthor=False)


def beside_name(name: str) -> str:
    """Return the name of a file's temporary file: of this thread, and no longer than a file system allows."""
    end = f".{os.getpid()}-{threading.get_ident()}"
    return f".{os.fsdecode(os.fsencode(name)[: MOST_NAME - len(end) - 1])}{end}"


def write_text(path: Path, text: str) -> None:
    """Write a text file as a whole or not at all, in UTF-8, lines ending in a line feed.

    A path that is no regular file, such as a pipe, is written directly. Raises `OSError` if the file cannot be written;
    the error names it.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all; as `write_text`."""
    with whole_file(path) as write:
        write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Write a file bit by bit, but as a whole or not at all.

    The block gets a function that writes bytes. They stand in a file beside it, which takes its place when the block
    ends, unless it ends with an error. What is no regular file, such as a pipe, is written to as it is. Raises
    `OSError` if the file cannot be written; the error names it.
    """
    special = path.exists() and not path.is_file()  # a pipe or a device, or a folder, which is an error
    real = path if special else path.resolve()  # a symbolic link stays one
    place = path if special else real.with_name(beside_name(real.name))
    try:
        with _named(path):
            file = place.open("wb")
        try:

            def write(content: bytes) -> None:
                with _named(path):
                    file.write(content)

            yield write
            with _named(path):
                file.flush()
                if not special:
                    os.fsync(file.fileno())
        finally:
            with _named(path):
                file.close()
        if not special:
            with _named(path):
                place.replace(real)
    finally:
        if not special:
            place.unlink(missing_ok=True)


def append_text(path: Path, text: str) -> None:
    """Append text to a file, in UTF-8, and wait until it is on disk.

    Of text that cannot be written as a whole, nothing is kept, unless the process is killed. Raises `OSError` if the
    file cannot be written; the error names it.
    """
    with _named(path), path.open("ab", buffering=0) as file:
        size = file.tell()
        data = memoryview(text.encode())
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                file.truncate(size)
            raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let errors name the file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
