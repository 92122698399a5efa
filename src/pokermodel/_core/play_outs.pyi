from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.features import Betting
from pokermodel._core.likelihood import Likelihood
from pokermodel._core.population import KnownPopulation
from pokermodel._core.rules import State

_Floats = NDArray[np.float64]

LATER_KINDS: int
LATER_BASIS: int

def uniforms(key: int, deal: int, n: int) -> _Floats: ...

@final
class LaterActs:
    gram: _Floats
    moment: _Floats
    def __new__(cls, share: float) -> Self: ...
    def decide(self, worth: _Floats) -> None: ...

@final
class Actors:
    def __new__(
        cls,
        likelihood: Likelihood,
        known: KnownPopulation,
        population: int,
        players: Sequence[int],
        begin: _Floats | None,
        firsts: NDArray[np.int16],
        contexts: NDArray[np.int16],
        shares: _Floats,
        sizes: tuple[Any, ...] | None,
    ) -> Self: ...
    def play(
        self,
        state: State,
        betting: Betting,
        acts: Sequence[tuple[int, int | None]],
        boards: NDArray[np.uint8],
        holdings: NDArray[np.int16],
        numbers: NDArray[np.uint64],
        key: int,
        longest: int,
        least_price: float,
        of_pot: _Floats,
        rake: float,
        cap: float,
        fold_odds: float = 1.0,
        raise_odds: float = 1.0,
        later: LaterActs | None = None,
        explore: NDArray[np.int8] | None = None,
        weights: _Floats | None = None,
        raiser: int = -1,
    ) -> _Floats: ...
