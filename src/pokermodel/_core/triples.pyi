from typing import Literal, Self, final

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rules import State

_Floats = NDArray[np.float64]

@final
class TripleSpot:
    def __new__(
        cls,
        round: int,
        pot: float,
        to_call: float,
        bet: float,
        bets_to_call: int,
        num_bets: int,
        can_raise: bool,
    ) -> Self: ...
    @staticmethod
    def of(state: State) -> TripleSpot: ...
    @property
    def round(self) -> int: ...
    @property
    def pot(self) -> float: ...
    @property
    def to_call(self) -> float: ...
    @property
    def bet(self) -> float: ...
    @property
    def bets_to_call(self) -> int: ...
    @property
    def num_bets(self) -> int: ...
    @property
    def can_raise(self) -> bool: ...
    @property
    def pot_odds(self) -> float: ...
    @property
    def showdown_odds(self) -> float: ...
    @property
    def semi_bluff_odds(self) -> float: ...

@final
class Generator:
    def __new__(
        cls,
        form: Literal["printed", "own", "reweighting"],
        borders: _Floats,
        table: _Floats | None,
        pot_odds: bool,
        showdown_odds: bool,
        semi_bluff: bool,
        two_bet_limit: bool,
        least: float,
        noise: float,
        tilts: _Floats | None = None,
    ) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def triple(
        self, spot: TripleSpot, value: float, potential: float, effective: float, semi_bluff: bool
    ) -> tuple[float, float, float]: ...
    def triples(
        self,
        spot: TripleSpot,
        values: _Floats,
        potentials: _Floats,
        effectives: _Floats,
        semi_bluff: bool,
        out: _Floats,
    ) -> None: ...
    def expect(
        self,
        spot: TripleSpot,
        values: _Floats,
        potentials: _Floats,
        weights: _Floats,
        out: _Floats,
        mean: _Floats,
    ) -> None: ...
    def semi_bluff_after(
        self, spot: TripleSpot, value: float, potential: float, effective: float, semi_bluff: bool, act: int
    ) -> bool: ...

def expected_triples(
    borders: tuple[float, float, float, float],
    noise: float,
    least: float,
    spot: TripleSpot,
    values: _Floats,
    potentials: _Floats,
    weights: _Floats,
    out: _Floats | None,
    mean: _Floats,
) -> None: ...
def printed_triple(borders: _Floats, value: float, odds: float) -> tuple[float, float, float]: ...
def pot_odds(pot: float, chips: float) -> float: ...
def showdown_odds(pot: float, to_call: float, bet: float, *, flop: bool) -> float: ...
def semi_bluff_odds(pot: float, bet: float) -> float: ...
