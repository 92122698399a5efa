from collections.abc import Sequence
from typing import Final, Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rules import State

MAX_SIZES: Final[int]
MAX_HISTORY: Final[int]

@final
class Tables:
    tables: int
    players: int
    def __new__(
        cls,
        start: State,
        tables: int,
        sizes: NDArray[np.float64],
        history: int,
        seat: int,
        policies: Sequence[str | NDArray[np.float32]],
        unit: float,
    ) -> Self: ...
    @property
    def actions(self) -> int: ...
    @property
    def width(self) -> int: ...
    def seed(self, words: NDArray[np.uint64]) -> None: ...
    def begin(self, which: NDArray[np.uint8] | None = None) -> bool: ...
    def first_illegal(self, actions: NDArray[np.int64], over_too: bool) -> int: ...
    def step(
        self,
        actions: NDArray[np.int64],
        first: int,
        end: int,
        autoreset: str,
        rewards: NDArray[np.float64],
        ended: NDArray[np.uint8],
        payoffs: NDArray[np.float64],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
        endings: NDArray[np.float32] | None = None,
    ) -> bool: ...
    def observe(
        self,
        first: int,
        end: int,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
    ) -> None: ...
    def sample(self, actions: NDArray[np.int64]) -> None: ...
    def skipped(self, hands: NDArray[np.int64], won: NDArray[np.float64]) -> None: ...
    def turn(self, table: int) -> tuple[int, int]: ...
    def legal(self, table: int) -> int: ...
    def state(self, table: int) -> State: ...
    def cards(self, table: int) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]: ...
    def choose(self, table: int, action: int) -> tuple[int, int, int, int]: ...
    def act(self, table: int, act: int, to: int = 0) -> int: ...
    def view(self, table: int, seat: int, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> int: ...
    def payoffs(self, table: int) -> tuple[float, ...]: ...
