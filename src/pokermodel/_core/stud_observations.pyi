import numpy as np
from numpy.typing import NDArray

from pokermodel._core.hand_types import Types

def observations(
    types: Types,
    form: str,
    columns: int,
    observer: int,
    reveal: bool,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
    chances: NDArray[np.float64],
    shown: NDArray[np.intp],
    prior: NDArray[np.float64],
    survival: NDArray[np.float64],
    cells: NDArray[np.intp],
    first_row: NDArray[np.intp],
    first_action: NDArray[np.intp],
    games: NDArray[np.intp],
) -> tuple[int, int, int, int]: ...
