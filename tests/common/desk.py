"""Hand histories that were made up: what the documentation's commands read."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pokermodel as pm
from pokermodel.histories import phh
from tests.common.six_handed import HANDS

ACPC = """\
# name/game/hands/seed made.up holdem.limit.2p.reverse_blinds.game 3 1
STATE:0:rrc/crrc/rrc/cc:5dTs|8c7c/6d2dKs/Js/6c:90|-90:Alice|Bruno
STATE:1:rc/cc/rf:AsKd|7h2c/6d2dKs/Jc:20|-20:Bruno|Alice
STATE:2:cc/cc/cc/rc:9c9d|QhJh/2s3s4d/5h/Td:30|-30:Alice|Bruno
"""
IRC = {
    "hdb": """\
797000001   1     1  2    2/20     2/20     2/20     2/20 2c 7d 9h Ks 3s
797000002   1     2  2    2/20     0/0      0/0      1/50 2c 7d 9h
""",
    "hroster": """\
797000001  2 Ann Bob
797000002  2 Ann Bob
""",
    "pdb/pdb.Ann": """\
Ann       797000001  2  1 Bc    k     k     k          500   10   20 As Ad
Ann       797000002  2  1 Bc    bf    -     -          510   20    0
""",
    "pdb/pdb.Bob": """\
Bob       797000001  2  2 Bk    k     k     k          500   10    0 4c 5d
Bob       797000002  2  2 Bk    r     -     -          490   30   50
""",
}


def lay(folder: Path) -> None:
    """Put the files there that the documentation speaks of."""
    (folder / "hands.phh").write_text(phh.dumps(pm.example_hand()))
    no_limit = [f"[{number}]\n{phh.dumps(hand)}\n" for number, hand in enumerate(HANDS, 1)]
    (folder / "cash.phhs").write_text("".join(no_limit))
    (folder / "match.log").write_text(ACPC)
    with tarfile.open(folder / "holdem.199504.tgz", "w:gz") as archive:
        for name, text in IRC.items():
            entry = tarfile.TarInfo(f"199504/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
