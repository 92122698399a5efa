"""The default folders in which poker rooms write hand histories.

The patterns are those of the rooms' own programs on Windows and macOS, and under Wine. Each is looked for on this
machine, and only what is there is proposed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

__all__ = ["FOLDERS", "UsualFolder", "usual_folders"]

#: Room, and a pattern below the home folder; those that begin with a stroke are below the drive.
FOLDERS = (
    ("PokerStars", "AppData/Local/PokerStars*/HandHistory"),
    ("PokerStars", "Library/Application Support/PokerStars*/HandHistory"),
    ("Winamax", "Documents/Winamax Poker/accounts/*/history"),
    ("Winamax", "AppData/Roaming/winamax/documents/accounts/*/history"),
    ("Winamax", "Library/Application Support/winamax/documents/accounts/*/history"),
    ("888poker", "Documents/888poker/HandHistory"),
    ("iPoker", "AppData/Local/*/data/*/History/Data"),
    ("Ignition", "Ignition Casino Poker/Hand History"),
    ("Bovada", "Bovada.lv Poker/Hand History"),
    ("Americas Cardroom", "Downloads/AmericasCardroom/handHistory"),
    ("Americas Cardroom", "/AmericasCardroom/handHistory"),
    ("Black Chip Poker", "/BlackChipPoker/handHistory"),
    ("partypoker", "/Programs/PartyGaming/PartyPoker/HandHistory"),
)
_WINE = (".wine/drive_c", ".wine/drive_c/users/*")
_MOST = 20  # folders
_COUNTED = 10_000  # files


class UsualFolder(NamedTuple):
    """A folder in which a room writes."""

    room: str
    path: Path
    files: int  #: How many there are in it, and in folders within; 10,000 at most.


def usual_folders() -> list[UsualFolder]:
    """Return the folders of `FOLDERS` that are on this machine, those with the most files first."""
    home = Path.home()
    found = {path: room for room, path in _there(home, Path(home.anchor))}
    counted = [UsualFolder(room, path, _files(path)) for path, room in islice(found.items(), _MOST)]
    return sorted(counted, key=lambda each: -each.files)


def _there(home: Path, drive: Path) -> Iterator[tuple[str, Path]]:
    for room, pattern in FOLDERS:
        below = drive if pattern.startswith("/") else home
        patterns = [(below, pattern.strip("/"))]
        patterns += [(home, f"{wine}/{pattern.strip('/')}") for wine in _WINE]
        for root, each in patterns:
            try:
                yield from ((room, path) for path in sorted(root.glob(each)) if path.is_dir())
            except OSError:  # a folder that this user may not read
                continue


def _files(path: Path) -> int:
    names = (name for _, _, names in os.walk(path) for name in names if not name.startswith("."))
    return sum(1 for _ in islice(names, _COUNTED))
