from collections.abc import Collection, Mapping, Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Decision
from pokermodel.reading.features import Features

_Floats = NDArray[np.float64]
_Integers = NDArray[np.intp]
_Bytes = NDArray[np.uint8]

CLASSES: int
MOST_SCORE: int

@final
class BucketBorders:
    def __new__(cls, by_score: _Bytes, draw: float, made: int, draws: int) -> Self: ...
    def classes(self, board: Sequence[int], out: _Bytes) -> None: ...

def observe(
    decisions: Sequence[Decision],
    features: Sequence[Features],
    board: Sequence[int],
    known: Mapping[int, Sequence[int]],
    mucked: Collection[int],
    best: int,
    preflop: _Bytes,
    borders: BucketBorders,
) -> tuple[list[int], bytes] | None: ...
def unpack(
    content: bytes,
) -> tuple[_Integers, _Integers, _Integers, _Integers, _Floats, _Bytes, _Floats, _Integers]: ...
