"""Where a search begins: the made-up histories of the tests, and the corpus that is kept beside this file."""

from __future__ import annotations

import json
import random
from pathlib import Path

from pokermodel.histories import acpc, ohh, phh
from tests.common.histories import ACPC, IRC, PHH
from tests.common.random_hands import plain_hand, wild_hand
from tests.fuzz.readers import READERS, tables_text
from tests.histories import (
    test_acpc,
    test_irc,
    test_networks,
    test_ohh,
    test_older_sites,
    test_phh,
    test_phh_hands,
    test_sites,
    test_stars_hands,
)

__all__ = ["CORPUS", "KERNELS", "kept", "seeds"]

CORPUS = Path(__file__).parent / "corpus"
#: The fuzz targets in C: of ``stars.h``, ``stars.c``.
KERNELS = ("irc.h", "phh.h", "stars.h")
_HANDS = 12  # of those that are made up at random


def _older() -> dict[str, list[str]]:
    names = {"fulltilt": "Full Tilt", "runitonce": "Run It Once"}
    return {
        name: [
            text.replace("{No Limit}", "No Limit").replace("{NL}", "NL").replace("{no-limit}", "no-limit")
            for key, text in test_older_sites.TEXTS.items()
            if key.lower().startswith(names.get(name, name).lower())
        ]
        for name in READERS
    }


def _written() -> tuple[list[str], list[str], list[str]]:
    """Random hands in PHH, in Open Hand History and as logs."""
    rng = random.Random(1)
    wild = [wild_hand(rng, number) for number in range(_HANDS)]
    plain = [plain_hand(rng, number) for number in range(_HANDS)]
    found: tuple[list[str], list[str], list[str]] = ([], [], [])
    for hands, dumps, texts in (
        (wild, phh.dumps, found[0]),
        (wild, ohh.dumps, found[1]),
        (plain, acpc.dumps, found[2]),
    ):
        for hand in hands:
            try:
                texts.append(dumps(hand))
            except ValueError:
                continue
    return found


def _one_hand(month: dict[str, bytes]) -> bytes:
    """The line of hdb and those of pdb."""
    rows = [data for name, data in month.items() if name.startswith("pdb/")]
    return month["hdb"] + b"".join(rows).rstrip(b"\n")


def seeds(target: str) -> list[bytes]:
    """Return what the search of a target begins with, but for the corpus."""
    if target == "stars.h":
        return [text.encode() for text in test_stars_hands.TEXTS]
    if target == "phh.h":
        return [text.encode() for text in test_phh_hands.TEXTS]
    if target in ("irc", "irc.h"):
        hands = [*test_irc.HANDS, *(["".join(test_irc.HANDS)] if target == "irc" else [])]
        months = [*map(test_irc.tables, hands), *([IRC] if target == "irc" else [])]
        encoded = [{name: text.encode() for name, text in month.items()} for month in months]
        if target == "irc":
            return [*map(tables_text, encoded)]
        return [_one_hand(month) for month in encoded]
    in_phh, in_ohh, in_logs = _written()
    texts = {
        "phh": [*test_phh_hands.TEXTS, *test_phh_hands.CAREFUL, test_phh.RING, PHH, *in_phh],
        "ohh": [test_ohh.cash(), json.dumps(json.loads(test_ohh.cash()), indent=1), *in_ohh],
        "acpc": [ACPC, *in_logs],
        "pokerstars": test_stars_hands.TEXTS,
    }.get(target, [])
    if target in test_sites.TEXTS:
        texts = [*texts, test_sites.TEXTS[target]]
    if target in test_networks.HANDS:
        texts = [*texts, test_networks.text(target)]
    found = [text.encode() for text in [*texts, *_older().get(target, [])]]
    return [*found, test_acpc.LOG, test_acpc.TWO] if target == "acpc" else found


def kept(target: str) -> list[Path]:
    """Return the files of the corpus of a target."""
    return sorted((CORPUS / target).glob("*"))
