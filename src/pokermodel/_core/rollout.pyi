import numpy as np
from numpy.typing import NDArray

def fill_canonical_boards(boards: NDArray[np.uint8], orbits: NDArray[np.uint8]) -> None: ...
def count_heads_up(
    boards: NDArray[np.uint8],
    orbits: NDArray[np.uint8],
    wins: NDArray[np.uint64],
    ties: NDArray[np.uint64],
) -> None: ...
def count_deals(words: NDArray[np.uint64], deals: int, tally: NDArray[np.uint64]) -> None: ...
