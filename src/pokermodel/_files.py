"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["write_text"]


def write_text(path: Path, text: str) -> None:
    """Write a text file as a whole or not at all, in UTF-8, lines ending in a line feed.

    What is no regular file, such as a pipe, is written to as it is.

    Raises
    ------
    OSError
        If the file cannot be written; the error names it.
    """
    if path.exists() and not path.is_file():  # a pipe or a device, or a folder, which is an error
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return
    real = path.resolve()  # a symbolic link stays one
    beside = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(real)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)
