from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

STATES: int

@final
class Types:
    @property
    def types(self) -> int: ...
    def __new__(
        cls,
        type_of_rank: NDArray[np.uint8],
        busted_class: NDArray[np.uint8],
        pair_class: NDArray[np.uint8],
        wheel: bool,
    ) -> Self: ...
    def state(self, cards: Sequence[int]) -> int: ...
