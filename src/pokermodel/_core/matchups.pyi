from collections.abc import Sequence
from typing import Final, Self, final

import numpy as np
from numpy.typing import NDArray

N_MATCHUPS: Final[int]

def list_matchups(weights: NDArray[np.float64], opponent: NDArray[np.float64], out: NDArray[np.uint16]) -> int: ...

@final
class Matchups:
    def __new__(cls, board: Sequence[int] = (), dead: Sequence[int] = ()) -> Self: ...
    def tally(
        self,
        weights: NDArray[np.float64],
        opponent: NDArray[np.float64],
        matchups: NDArray[np.uint16],
        sums: NDArray[np.float64],
    ) -> None: ...
    def against(self, holding: int, out: NDArray[np.float64]) -> None: ...
