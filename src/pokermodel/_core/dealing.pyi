from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

@final
class Deals:
    def __new__(
        cls,
        weights: NDArray[np.float64],
        board: Sequence[int],
        dead: Sequence[int],
        joint: bool,
        stratified: bool = False,
    ) -> Self: ...
    @property
    def method(self) -> str: ...
    @property
    def known(self) -> tuple[bool, ...]: ...
    def deal(
        self,
        words: NDArray[np.uint64],
        holdings: NDArray[np.uint8],
        boards: NDArray[np.uint8],
        weights: NDArray[np.float64],
    ) -> None: ...

def draw(
    weights: NDArray[np.float64], dead: Sequence[int], words: NDArray[np.uint64], out: NDArray[np.uint16]
) -> None: ...
