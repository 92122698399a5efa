from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

def with_numbers(head: bytes, ids: Sequence[int], added: bytes) -> bytes: ...
def without_numbers(record: bytes, start: int) -> tuple[list[int], bytes]: ...
def seats(added: bytes) -> list[tuple[int, tuple[int, ...]]]: ...

@final
class Tally:
    def __new__(
        cls,
        pages: Sequence[int],
        *,
        won: int,
        squares: int,
        showdown: int,
        showdown_won: int,
        showdown_squares: int,
        flops: int,
        letters: bytes,
    ) -> Tally: ...
    def __len__(self) -> int: ...
    def learn(self, ids: Sequence[int], added: bytes) -> list[tuple[int, str]]: ...
    def add(self, player: int, counter: int, count: int) -> None: ...
    def take(self, keys: NDArray[np.int64], counts: NDArray[np.int64]) -> None: ...
