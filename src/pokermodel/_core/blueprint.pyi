from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

def flop_moments(flop: Sequence[int]) -> NDArray[np.float64]: ...
def turn_moments(board: Sequence[int]) -> NDArray[np.float64]: ...
def river_buckets(board: Sequence[int], rivers: int) -> NDArray[np.uint16]: ...
def nested_buckets(
    moments: NDArray[np.float64], square: NDArray[np.float64], mean: NDArray[np.float64]
) -> NDArray[np.uint16]: ...

@final
class GameTree:
    def __new__(
        cls,
        blinds: Sequence[int],
        stack: int,
        structure: str,
        bets: Sequence[int],
        max_raises: Sequence[int],
        menu: Sequence[Sequence[Any]],
        all_in_share: float,
    ) -> Self: ...
    def nodes(self) -> dict[str, NDArray[np.int64]]: ...

def train(
    tree: GameTree,
    offsets: NDArray[np.int64],
    rivers: int,
    borders: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    classes: NDArray[np.uint8],
    stake: float,
    regret: NDArray[np.float32],
    average: NDArray[np.float32],
    key: int,
    number: int,
    flops: int,
    boards: int,
    weight: float,
) -> None: ...
