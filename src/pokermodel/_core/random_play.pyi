import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rules import State

def random_hands(
    state: State, words: NDArray[np.uint64], payoffs: NDArray[np.float64], acts: NDArray[np.int64]
) -> int: ...
