from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.hand_types import Types
from pokermodel._core.stud_rules import StudState

FORMS: dict[str, int]
RULES: dict[str, int]
BLUFFS: dict[str, int]
SITUATIONS: int
ACTS: int

@final
class Player:
    def __new__(
        cls,
        types: Types,
        form: str,
        carries: bool,
        by_cards: bool,
        winning: NDArray[np.float64],
        both: NDArray[np.float64],
        upcards: NDArray[np.float64],
        opponent: NDArray[np.float64],
        own: NDArray[np.float64],
        rule: str,
        fold: Sequence[float],
        call: Sequence[float],
        bet: Sequence[float],
        steepness: float,
        sharpness: float,
        later: float,
        bluffing: str,
        bluffs: float,
        explores: float,
    ) -> Self: ...
    def choose(self, state: StudState, acts: Sequence[int]) -> tuple[tuple[float, float, float], float, float]: ...
