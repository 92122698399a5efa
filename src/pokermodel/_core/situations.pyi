from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel.reading.features import Features

LIMIT_FEATURES: int
SIZED_FEATURES: int
BOARD_FEATURES: int
PLACE: int
REPLIES: int
CELLS: int

def cells(features: Features) -> tuple[int, int, int, int, int]: ...
def rows(
    sized: bool,
    features: Sequence[Features],
    boards: Sequence[tuple[int, ...]],
    firsts: NDArray[np.int16],
    out: NDArray[np.int16],
    basis: NDArray[np.int16],
    contexts: NDArray[np.int16],
) -> None: ...
def board_features(board: Sequence[int]) -> tuple[int, int, int, int, int]: ...
