"""Write shares of the pot before the flop of every two holdings: ``src/pokermodel/data/preflop_shares.bin``.

    python tools/preflop_shares.py

Pairs of holdings that other names of suits, or the other order, make the same are counted once: 47,008 are left. Of
each stands there twice the number of the 1,712,304 runouts that the first holding wins and once that of those that are
tied: three bytes, all low ones first, deflated.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.matchups import Matchups
from pokermodel.cards import CLASS_OF_HOLDING, HOLDINGS_OF_CLASS, N_CLASSES, N_HOLDINGS, holding_cards, live_holdings
from pokermodel.evaluation.shares import suit_orders

RUNOUTS = 1_712_304


def leaders() -> NDArray[np.int64]:
    """Of each pair of a class and a holding, the first pair that is the same: int64 (169, 1326)."""
    orders, of = suit_orders(), CLASS_OF_HOLDING.astype(np.int64)
    first = np.array([each[0] for each in HOLDINGS_OF_CLASS])
    found = np.arange(N_CLASSES * N_HOLDINGS).reshape(N_CLASSES, N_HOLDINGS)
    for order in orders:
        kept = order[first] == first
        found[kept] = np.minimum(found[kept], N_HOLDINGS * np.flatnonzero(kept)[:, None] + order)
        turned = order == first[of]
        found[:, turned] = np.minimum(found[:, turned], N_HOLDINGS * of[turned] + order[first][:, None])
    return found


def told() -> NDArray[np.uint32]:
    """What `pokermodel.evaluation.shares.read_told` is to return."""
    lead, matchups, row = leaders(), Matchups(), np.empty(N_HOLDINGS)
    parts = []
    for k, of in enumerate(HOLDINGS_OF_CLASS):
        matchups.against(int(of[0]), row)
        own = live_holdings(holding_cards(int(of[0])))
        own &= lead[k] == N_HOLDINGS * k + np.arange(N_HOLDINGS)
        parts.append(np.rint(row[own] * (2 * RUNOUTS)).astype(np.uint32))
    return np.concatenate(parts)


def packed(numbers: NDArray[np.uint32]) -> bytes:
    """The content of the file."""
    planes = numbers.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3]
    return zlib.compress(np.ascontiguousarray(planes.T).tobytes(), 9)


if __name__ == "__main__":
    Path("src/pokermodel/data/preflop_shares.bin").write_bytes(packed(told()))
