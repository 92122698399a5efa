"""Made-up hand histories of several formats, and folders and archives of them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

PHH = """\
variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cbr 20', 'p1 f']
"""
ACPC = """\
# name/game/hands/seed made.up holdem.limit.2p.reverse_blinds.game 2 1
STATE:0:rf:5dTs|8c7c:-10|10:p1|p2
STATE:1:rf:5dTs|8c7c:-10|10:p2|p1
SCORE:0|0:p1|p2
"""
IRC = {
    "hdb": "901   1     1  2  0/0     0/0     0/0      1/30\n902   1     2  2  0/0     0/0     0/0      1/15\n",
    "hroster": "901  2 Ann Bob\n902  2 Ann Bob\n",
    "pdb/pdb.Ann": "Ann  901  2  1 Br -  -  -  500  20  30\nAnn  902  2  2 B  -  -  -  500  10  15\n",
    "pdb/pdb.Bob": "Bob  901  2  2 Bf -  -  -  500  10   0\nBob  902  2  1 Bf -  -  -  500   5   0\n",
}
POKERSTARS = """\
PokerStars Hand #71:  Hold'em Limit ($2/$4 USD) - 2020/01/02 3:04:05 ET
Table 'Made Up' 6-max Seat #2 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($50 in chips)
Bob: posts small blind $1
Ann: posts big blind $2
*** HOLE CARDS ***
Bob: folds
Uncalled bet ($1) returned to Ann
Ann collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0

"""


class Memory:
    """Files in memory, as far as the tables of the IRC database are asked for."""

    path = Path("memory")

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.names = sorted(files)

    def open(self, name: str, behind: object = None) -> io.BufferedReader:
        return io.BufferedReader(io.BytesIO(self.files[name]))


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a folder, which is returned."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(data))
    return folder


def tar(files: Mapping[str, str | bytes], mode: str = "w:gz") -> bytes:
    """A tar archive of files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(_bytes(data))
            archive.addfile(member, io.BytesIO(_bytes(data)))
    return buffer.getvalue()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()
