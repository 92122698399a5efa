"""Made-up hands of the package, to try everything with."""

from __future__ import annotations

import lzma
from importlib import resources
from pathlib import Path

from pokermodel._support.files import write_bytes

__all__ = ["FILES", "HANDS", "contents", "write_hands"]

#: The files of hands, with what is in each and where it is among the data of the package.
HANDS = {
    "no-limit.txt": ("40 hands of no limit for six, as PokerStars writes them for Robin", "samples/no-limit.txt"),
    "limit.txt": ("40 hands of limit, likewise", "samples/limit.txt"),
    "heads-up.log": ("3,000 hands of no limit between Sam and Kit, as the ACPC logs them", "samples/heads-up.log.xz"),
    "hands.phh": ("a hand of limit, the one that `pokermodel read` shows", "example.phh"),
    "cash.phhs": ("five hands of no limit", "samples/cash.phhs"),
    "match.log": ("three hands of an ACPC match", "samples/match.log"),
    "holdem.199504.tgz": ("two hands as the IRC poker database keeps them", "samples/holdem.199504.tgz"),
}
#: All files.
FILES = HANDS | {"spot.toml": ("a river for `pokermodel solve`", "samples/spot.toml")}


def contents(name: str) -> bytes:
    """Return what is in one of `FILES`."""
    _, place = FILES[name]
    data = resources.files("pokermodel").joinpath("data", place).read_bytes()
    return lzma.decompress(data) if place.endswith(".xz") else data


def write_hands(folder: Path) -> None:
    """Write the files of hands into a folder, which is made if there is none; files that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in HANDS:
        if not (folder / name).exists():
            write_bytes(folder / name, contents(name))
