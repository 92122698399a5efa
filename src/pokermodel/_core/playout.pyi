from collections.abc import Sequence
from typing import Final, Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.dealing import Deals
from pokermodel._core.rules import Act, State
from pokermodel._core.triples import TripleSpot

FIELD_TOTAL: Final[int]

@final
class Loki1Rules:
    def __new__(
        cls,
        make1: float = 0.5,
        make2: float = 0.85,
        pot_odds: bool = True,
        showdown_odds: bool = True,
        semi_bluff: bool = True,
        simple: bool = False,
        make0: bool = True,
    ) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def act(
        self, spot: TripleSpot, put_in: bool, strength: float, ppot: float, npot: float, semi_bluff: bool
    ) -> tuple[Act, bool]: ...

@final
class Strengths:
    flop: tuple[int, ...]
    potential: str
    def __new__(cls, flop: Sequence[int], potential: str = "exact") -> Self: ...
    def bind(self, weights: NDArray[np.float64]) -> None: ...
    @property
    def nbytes(self) -> int: ...
    def clear(self) -> None: ...
    def worth(self, holding: int, come: Sequence[int], field: int) -> tuple[float, float, float]: ...

@final
class Scene:
    def __new__(
        cls,
        state: State,
        holding: Sequence[int],
        board: Sequence[int],
        fields: Sequence[Sequence[int]],
        policies: Sequence[object],
        semi_bluff: bool,
    ) -> Self: ...
    def play(
        self,
        deals: Deals,
        strengths: Strengths,
        words: NDArray[np.uint64],
        chips: NDArray[np.float64],
        weights: NDArray[np.float64],
        acts: NDArray[np.uint64],
        folded: NDArray[np.uint64],
        log_acts: NDArray[np.int8] | None = None,
        log_cards: NDArray[np.uint8] | None = None,
        log_boards: NDArray[np.uint8] | None = None,
        key: int = 0,
        first: int = 0,
    ) -> None: ...
