from collections.abc import Sequence
from typing import Any, Final, Self, final

import numpy as np
from numpy.typing import NDArray

HIDDEN: Final[int]
MIXED: Final[int]
OUT: Final[int]
EFFECTS: Final[int]
PLACE: Final[int]
REPLIES: Final[int]
STANDINGS: Final[int]
HOLDING_FEATURES: Final[int]
HOLDING_ROWS: Final[int]
CELLS: Final[tuple[int, int]]
LEVELS: Final[int]
SIDE: Final[int]
WEIGHTS: Final[tuple[str, ...]]

@final
class HoldingClasses:
    def __new__(
        cls,
        board: Sequence[int],
        *,
        shares: NDArray[np.float64] | None = None,
        before: HoldingClasses | None = None,
    ) -> Self: ...
    @property
    def nbytes(self) -> int: ...
    def __len__(self) -> int: ...
    @property
    def of(self) -> NDArray[np.intp]: ...
    def masses(self, weights: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def column(self, feature: int, first: int = 0) -> NDArray[np.int16]: ...
    @property
    def strength_rows(self) -> NDArray[np.int16]: ...
    @property
    def rows(self) -> NDArray[np.intp]: ...

@final
class Likelihood:
    @property
    def weights(self) -> tuple[NDArray[Any], ...]: ...
    @property
    def replies(self) -> NDArray[np.float32] | None: ...
    @property
    def standings(self) -> NDArray[np.float32] | None: ...
    def __new__(
        cls,
        weights: Sequence[NDArray[Any]],
        replies: NDArray[Any] | None = None,
        standings: NDArray[Any] | None = None,
    ) -> Self: ...
    def refresh(self) -> None: ...
    def judge(
        self,
        rows: NDArray[np.int16],
        basis: NDArray[np.int16],
        levels: NDArray[np.float64],
        effects: NDArray[np.float64],
        offsets: NDArray[np.float64],
        legal: NDArray[np.float32],
        classes: HoldingClasses,
        weights: NDArray[np.float64],
        predicted: NDArray[np.float64],
        triples: NDArray[np.float64] | None = None,
    ) -> None: ...
    def follow(
        self,
        rows: NDArray[np.int16],
        basis: NDArray[np.int16],
        levels: NDArray[np.float64],
        effects: NDArray[np.float64],
        offsets: NDArray[np.float64],
        legal: NDArray[np.float32],
        acts: NDArray[np.int16],
        classes: list[HoldingClasses],
        weights: NDArray[np.float64],
        shown: int,
        forecasts: NDArray[np.float64],
        gradient: NDArray[np.float64] | None = None,
        directions: NDArray[np.float64] | None = None,
        learnt: Sequence[NDArray[Any]] | None = None,
        slopes: NDArray[np.float64] | None = None,
    ) -> float: ...

def narrow(
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
    gradient: NDArray[np.float64],
    directions: NDArray[np.float64],
    forecasts: NDArray[np.float64],
) -> None: ...
def narrow_levels(
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
    basis: NDArray[np.int16],
    slopes: NDArray[np.float64],
    forecasts: NDArray[np.float64],
) -> None: ...
def factor_offsets(
    table: NDArray[np.float64],
    strengths: NDArray[np.float64],
    places: NDArray[np.int32],
    offsets: NDArray[np.float64],
) -> None: ...
def factor_update(
    table: NDArray[np.float64],
    strengths: NDArray[np.float64],
    places: NDArray[np.int32],
    acts: NDArray[np.int16],
    forecasts: NDArray[np.float64],
) -> None: ...
