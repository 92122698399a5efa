from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

NO_CARD: int

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
    def stratified(self) -> int: ...
    @property
    def known(self) -> tuple[bool, ...]: ...
    def runouts(self, key: int, first: int, cards: NDArray[np.uint8]) -> None: ...
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
