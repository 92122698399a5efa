from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from pokermodel._core.likelihood import HoldingClasses

CELLS: Final[int]
HIDDEN: Final[int]
HABITS: Final[int]
SIDES: Final[int]
TIERS: Final[int]
DIVISIONS: Final[int]
COMPARED: Final[int]
TERMS: Final[int]
BINS: Final[int]
SHARE: Final[float]
BIN_WIDTH: Final[float]
LEAST: Final[float]

@disjoint_base
class SizeNetwork:
    def __init__(
        self,
        weights: NDArray[np.float32],
        hidden: NDArray[np.float32],
        out: NDArray[np.float32],
        mixing: NDArray[np.float32],
    ) -> None: ...
    def everybody(
        self, rows: NDArray[np.int16], room: tuple[int, int, bool, bool], habits: Sequence[int]
    ) -> NDArray[np.float64]: ...
    def known(
        self,
        forecast: NDArray[np.float64],
        room: tuple[int, int, bool, bool],
        tier: int,
        side: int,
        chosen: NDArray[np.float32],
        expected: NDArray[np.float32],
        at: Sequence[int],
    ) -> NDArray[np.float64]: ...

def terms(
    forecast: NDArray[np.float64],
    room: tuple[int, int, bool, bool],
    chosen: NDArray[np.float32],
    expected: NDArray[np.float32],
    at: Sequence[int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def count(
    chosen: NDArray[np.float32],
    expected: NDArray[np.float32],
    at: Sequence[int],
    cell: int,
    forecast: NDArray[np.float64],
) -> None: ...
def keep(
    chosen: NDArray[np.float32],
    expected: NDArray[np.float32],
    chosen_rows: dict[int, int],
    expected_rows: dict[int, int],
    first: int,
    places: Sequence[int],
) -> tuple[NDArray[np.float32], NDArray[np.float32], list[int]]: ...
def posterior(
    weights: NDArray[np.float64],
    classes: HoldingClasses,
    first: int,
    factors: NDArray[np.float64],
    after: NDArray[np.float64],
) -> float: ...
