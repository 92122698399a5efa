"""Where a search begins: the made-up histories of the tests, and the corpus that is kept beside this file."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

from pokermodel.histories import acpc, ohh, phh
from tests.common.histories import IRC
from tests.common.random_hands import plain_hand, wild_hand
from tests.fuzz.doors import DOORS
from tests.fuzz.readers import tables_text
from tests.histories import test_irc
from tests.histories.cases import histories

__all__ = ["CORPUS", "KERNELS", "kept", "seeds"]

CORPUS = Path(__file__).parent / "corpus"
#: The fuzz targets in C (of ``stars.h``, ``stars.c``), and the formats whose usual hands they read.
KERNELS = {"irc.h": "irc", "phh.h": "phh", "stars.h": "pokerstars"}
_HANDS = 12  # of those that are made up at random
_WRITERS = {"phh": phh.dumps, "ohh": ohh.dumps, "acpc": acpc.dumps}


def _written(target: str) -> list[str]:
    """Random hands in one of the formats that are written."""
    rng = random.Random(1)
    hands = [plain_hand(rng, number) if target == "acpc" else wild_hand(rng, number) for number in range(_HANDS)]
    texts = []
    for hand in hands:
        with suppress(ValueError):
            texts.append(_WRITERS[target](hand))
    return texts


def _one_hand(month: dict[str, bytes]) -> bytes:
    """The line of hdb and those of pdb."""
    rows = [data for name, data in month.items() if name.startswith("pdb/")]
    return month["hdb"] + b"".join(rows).rstrip(b"\n")


def seeds(target: str) -> list[bytes]:
    """Return what the search of a target begins with, but for the corpus."""
    if target in DOORS:
        return DOORS[target].make()
    form = KERNELS.get(target, target)
    if form != "irc":
        written = _written(target) if target in _WRITERS else []
        return [*(case.data for case in histories(form)), *(text.encode() for text in written)]
    whole = target == "irc"
    months = [*map(test_irc.tables, [*test_irc.HANDS, *(["".join(test_irc.HANDS)] if whole else [])]), *([IRC] * whole)]
    encoded = [{name: text.encode() for name, text in month.items()} for month in months]
    return [*map(tables_text if whole else _one_hand, encoded)]


def kept(target: str) -> list[Path]:
    """Return the files of the corpus of a target."""
    return sorted((CORPUS / target).glob("*"))
