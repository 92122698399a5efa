"""The folder of made-up hand histories that the documentation works in."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from pokermodel.cli.sample import FILES

SESSIONS = ("no-limit.txt", "limit.txt")


def lay(folder: Path) -> None:
    """Put the files there that `pokermodel sample` writes, without the book."""
    data = resources.files("pokermodel").joinpath("data")
    for name, (_, place) in FILES.items():
        (folder / name).write_bytes(data.joinpath(place).read_bytes())
