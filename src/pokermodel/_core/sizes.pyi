from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import HoldingClasses

def population(
    weights: NDArray[np.float32],
    rows: NDArray[np.int16],
    room: tuple[int, int, bool, bool],
    counts: NDArray[np.float64] | None,
    strength: float,
) -> NDArray[np.float64]: ...
def habits(
    forecast: NDArray[np.float64],
    told: Iterable[NDArray[np.float32]],
    least: float,
    strength: float,
    cell: int = -1,
) -> None: ...
def posterior(
    weights: NDArray[np.float64],
    classes: HoldingClasses,
    first: int,
    factors: NDArray[np.float64],
    after: NDArray[np.float64],
) -> float: ...
