from collections.abc import Iterable, Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from pokermodel._core.likelihood import HoldingClasses
from pokermodel.reading.features import Features

CELLS: Final[int]
EXPECTED: Final[int]
HIDDEN: Final[int]
HABITS: Final[int]
SIDES: Final[int]
TIERS: Final[int]
DIVISIONS: Final[int]
COMPARED: Final[int]
TERMS: Final[int]
BINS: Final[int]
CONTEXTS: Final[int]
PLACES: Final[int]
QUARTERS: Final[int]
STRENGTHS: Final[int]
SHARE: Final[float]
BIN_WIDTH: Final[float]
LEAST: Final[float]
GROUPS: Final[int]
WEAK: Final[int]
LEAST_MASS: Final[float]

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

def context(features: Features) -> int: ...
def habits(features: Features) -> tuple[int, int, int, int]: ...
def places(context: int, low: int, habits: Sequence[int]) -> tuple[int, ...]: ...
def room(
    borders: NDArray[np.float64], least: int, most: int | None, stay: int, after: float
) -> tuple[int, int, bool, bool]: ...

@disjoint_base
class KeyRows:
    def __new__(cls, keys: Iterable[int] = ()) -> Self: ...
    def __len__(self) -> int: ...
    def keys(self) -> NDArray[np.int64]: ...
    def find(self, key: int) -> int: ...
    def find_all(self, first: int, places: Sequence[int]) -> list[int]: ...
    def add_all(self, first: int, places: Sequence[int]) -> list[int]: ...
    def add(self, key: int) -> int: ...

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
def learn_power(
    expected: NDArray[np.float32], row: int, cell: int, forecast: NDArray[np.float64], class_of: NDArray[np.uint8]
) -> None: ...
def keep(
    chosen: NDArray[np.float32],
    expected: NDArray[np.float32],
    chosen_rows: KeyRows,
    expected_rows: KeyRows,
    first: int,
    places: Sequence[int],
) -> tuple[NDArray[np.float32], NDArray[np.float32], list[int]]: ...
def polar_factors(masses: NDArray[np.float64], tilts: NDArray[np.float32], power: float) -> NDArray[np.float64]: ...
def posterior(
    weights: NDArray[np.float64],
    classes: HoldingClasses,
    first: int,
    factors: NDArray[np.float64],
    after: NDArray[np.float64],
) -> float: ...
