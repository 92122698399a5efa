from collections.abc import Collection, Mapping, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Decision
from pokermodel.learning.bet_sizes import Scale
from pokermodel.reading.features import Features

ONCE: tuple[str, ...]
LINES: tuple[str, ...]

def rich_context(features: Features) -> int: ...
def with_numbers(head: bytes, ids: Sequence[int], added: bytes) -> bytes: ...
def without_numbers(record: bytes, start: int) -> tuple[list[int], bytes]: ...
def seats(added: bytes) -> list[tuple[int, tuple[int, ...]]]: ...

@final
class Counters:
    def __new__(
        cls,
        pages: Sequence[int],
        first: Mapping[str, int],
        at: Mapping[str, int],
        *,
        coarse: int,
        stealing: Collection[int],
        blinds: Collection[int],
        depth_edges: Sequence[int],
        sizes: Sequence[tuple[int, int, int, Scale]],
        types: NDArray[np.uint8],
    ) -> Counters: ...
    def count(
        self,
        structure: int,
        small_bet: int,
        straddled: bool,
        positions: tuple[int, ...],
        decisions: Sequence[Decision],
        features: list[Features] | None,
        payoffs: tuple[float, ...],
        stacks: tuple[int | None, ...] | None,
        forced: tuple[int, ...],
        shown: Mapping[int, tuple[int, int]],
        board: tuple[int, ...],
    ) -> bytes: ...

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
