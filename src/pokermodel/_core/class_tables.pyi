from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel.reading.parts.observed_hands import ObservedHand

_Floats = NDArray[np.float64]
_Integers = NDArray[np.intp]
_Bytes = NDArray[np.uint8]

CLASSES: int
SITUATIONS: int
GROUPS: int
CELLS: int
DIVISIONS: int

@final
class Tables:
    def __new__(
        cls,
        prior: _Floats,
        strength: float,
        counts: _Floats,
        probabilities: _Floats | None,
        divisions: Sequence[tuple[_Floats, _Floats, _Floats, float]],
    ) -> Self: ...

def table(tables: Tables, cells: _Integers, number: int, legal: _Floats, groups: _Integers, out: _Floats) -> None: ...
def spread(
    table: _Floats,
    classes: NDArray[np.uint8],
    live: NDArray[np.uint8],
    weights: _Floats,
    triples: _Floats,
    predicted: _Floats,
) -> None: ...
def count(
    into: Tables,
    judge: Tables,
    found: ObservedHand,
    numbers: _Integers,
    own: _Integers,
    groups: _Integers,
    hidden_count: bool,
    decay: float,
) -> None: ...
def strength_classes(
    strengths: _Floats, potentials: _Floats | None, borders: _Floats, draw: float, made: int, out: _Bytes
) -> None: ...
def candidates(classes: _Bytes, live: _Bytes, losing: _Bytes | None, found: _Bytes, masses: _Floats) -> int: ...
