from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.stud_player import Player

MOST_ACTS: int

def check_games(
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
) -> None: ...
def judge(
    player: Player,
    who: int,
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
    wins: NDArray[np.float64],
) -> None: ...
