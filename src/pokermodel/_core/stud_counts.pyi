from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.hand_types import Types

def card_tables(
    types: Types,
    deck: Sequence[int],
    current: NDArray[np.int64],
    upcards: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> None: ...
def win_by_cards(own: Sequence[int], up: Sequence[int], weights: NDArray[np.float64], deck: Sequence[int]) -> float: ...
