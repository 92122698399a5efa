from collections.abc import Iterable, Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import HoldingClasses, Likelihood
from pokermodel.game import Decision
from pokermodel.reading.features import Features

_Floats = NDArray[np.float64]
_Rows = NDArray[np.int16]
_Bits = NDArray[np.uint8]
_Levels = NDArray[np.float32]

def gather(
    decisions: Sequence[Decision], features: Sequence[Features], sized: bool, firsts: _Rows, contexts: _Rows
) -> tuple[Any, ...] | None: ...
def possible(board: Sequence[int], holdings: Iterable[Sequence[int]], mucked: bool) -> tuple[_Bits, _Bits | None]: ...

@final
class Expected:
    @property
    def predicted(self) -> _Floats: ...
    @property
    def rows(self) -> _Rows: ...
    def triples(self) -> _Floats: ...
    def triple(self, holding: int) -> tuple[float, float, float]: ...
    def after(self, act: int) -> _Floats: ...
    def polar(
        self, shares: _Floats, tilts: NDArray[np.float32], power: float, first: int
    ) -> tuple[_Floats, NDArray[np.float32]]: ...
    def unknown(self) -> _Floats: ...

@final
class KnownPopulation:
    def __new__(
        cls,
        cells: int,
        scales: tuple[float, float],
        strengths: _Floats,
        kinds: tuple[_Levels, _Levels] | None = None,
        habits: bool = True,
    ) -> Self: ...
    @property
    def kept(self) -> int: ...
    def number(self, tier: int, n: int) -> None: ...
    def means(self, tier: int) -> _Floats: ...
    def covariances(self, tier: int) -> _Floats: ...
    def factors(self, tier: int) -> tuple[NDArray[np.int64], _Floats]: ...
    def told(self) -> _Floats: ...
    def add_told(self, told: _Floats) -> None: ...
    def shares(self, population: int, begin: _Floats | None) -> _Floats: ...
    def belief(self, tier: int, number: int) -> tuple[_Floats, _Floats]: ...
    def believe(self, tier: int, number: int, mean: _Floats, covariance: _Floats) -> None: ...
    def put(self, tier: int, means: _Floats, covariances: _Floats, keys: NDArray[np.int64], table: _Floats) -> None: ...
    def add(self, tier: int, keys: NDArray[np.int64], table: _Floats) -> None: ...
    def effects(self, population: int, player: int, begin: _Floats | None = None) -> _Floats: ...
    def offsets(self, population: int, player: int, cells: _Rows, begin: _Floats | None = None) -> _Floats: ...
    def habits(self, population: int, player: int, cells: _Rows) -> _Floats: ...
    def expect(
        self,
        likelihood: Likelihood,
        population: int,
        player: int,
        sized: bool,
        features: Features,
        board: tuple[int, ...],
        firsts: _Rows,
        contexts: _Rows,
        legal: Iterable[int],
        classes: HoldingClasses,
        weights: _Floats,
        begin: _Floats | None = None,
        standings: bool = True,
    ) -> Expected: ...
    def observations(self, player: int, cells: _Rows) -> _Floats: ...
    def strategies(
        self,
        likelihood: Likelihood,
        population: int,
        player: int,
        sized: bool,
        features: Sequence[Features],
        firsts: _Rows,
        contexts: _Rows,
        legal: NDArray[np.float32],
        raises: NDArray[np.int32],
        sizes: tuple[object, ...] | None,
        boards: Sequence[tuple[int, ...]],
        classes: Sequence[HoldingClasses],
        bins: NDArray[np.int32],
        begin: _Floats | None = None,
        polar: tuple[object, ...] | None = None,
    ) -> list[NDArray[np.float32]]: ...
    def learn(
        self,
        likelihood: Likelihood,
        population: int,
        numbers: NDArray[np.int32],
        counts: NDArray[np.int32],
        holdings: NDArray[np.int32],
        mucked: _Bits,
        rounds: _Bits,
        rows: _Rows,
        basis: _Rows,
        cells: _Rows,
        legal: NDArray[np.float32],
        acts: _Rows,
        live: _Bits,
        losing: _Bits | None,
        classes: Sequence[HoldingClasses | None],
        begin: _Floats | None = None,
    ) -> None: ...
