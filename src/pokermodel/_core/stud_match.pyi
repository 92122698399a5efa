from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.stud_player import Player

def play(
    one: Player,
    two: Player,
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    words: NDArray[np.uint64],
    payoffs: NDArray[np.int32],
    cards: NDArray[np.uint8] | None = None,
    acts: NDArray[np.uint8] | None = None,
    lengths: NDArray[np.uint8] | None = None,
    chances: NDArray[np.float64] | None = None,
    wins: NDArray[np.float64] | None = None,
) -> None: ...
