from collections.abc import Iterable, Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel.reading.features import Features

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
        groups: _Integers,
    ) -> Self: ...

def table(tables: Tables, given: Sequence[int], number: int, legal: tuple[int, ...], out: _Floats) -> None: ...
def expect(
    tables: Tables,
    features: Features,
    number: int,
    legal: tuple[int, ...],
    classes: _Bytes,
    weights: _Floats,
    out: _Floats,
    predicted: _Floats,
    act: int = -1,
    after: _Floats | None = None,
) -> bool: ...
def spread(table: _Floats, classes: _Bytes, live: _Bytes, triples: _Floats) -> None: ...
def posterior(table: _Floats, act: int, classes: _Bytes, live: _Bytes, weights: _Floats, out: _Floats) -> float: ...
def count(
    into: Tables,
    judge: Tables,
    hands: Iterable[tuple[tuple[str, ...], bytes]],
    numbers: dict[str, int],
    own: dict[str, int],
    hidden_count: bool,
    decay: float,
) -> None: ...
