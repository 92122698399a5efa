"""The folder of made-up hand histories that the documentation works in."""

from __future__ import annotations

from pathlib import Path

from pokermodel.histories.samples import FILES, contents

SESSIONS = ("no-limit.txt", "limit.txt")
MATCH = "heads-up.log"


def lay(folder: Path, *, match: bool = False) -> None:
    """Put the files there that `pokermodel sample` writes, without the book, and the match of 3,000 hands on demand."""
    for name in FILES:
        if match or name != MATCH:
            (folder / name).write_bytes(contents(name))
