from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

FORMS: dict[str, int]
RULES: dict[str, int]
BLUFFS: dict[str, int]
STATES: int
SITUATIONS: int
ACTS: int
MOST_ACTS: int

@final
class Types:
    @property
    def types(self) -> int: ...
    def __new__(
        cls,
        type_of_rank: NDArray[np.uint8],
        busted_class: NDArray[np.uint8],
        pair_class: NDArray[np.uint8],
        wheel: bool,
    ) -> Self: ...
    def state(self, cards: Sequence[int]) -> int: ...

def card_tables(
    types: Types,
    deck: Sequence[int],
    current: NDArray[np.int64],
    upcards: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> None: ...
def showing(up: Sequence[int]) -> int: ...

@final
class StudState:
    def __new__(
        cls, ante: int, bets: Sequence[int], max_bets: int, cards: Sequence[Sequence[int]], tie: int
    ) -> Self: ...
    @property
    def player(self) -> int | None: ...
    @property
    def round(self) -> int: ...
    @property
    def chips(self) -> tuple[int, int]: ...
    @property
    def owed(self) -> int: ...
    @property
    def over(self) -> bool: ...
    @property
    def showdown(self) -> bool: ...
    def legal(self) -> tuple[int, ...]: ...
    def act(self, act: int) -> None: ...
    def payoffs(self) -> tuple[int, int]: ...

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

def win_by_cards(own: Sequence[int], up: Sequence[int], weights: NDArray[np.float64], deck: Sequence[int]) -> float: ...
def play(
    one: Player,
    two: Player,
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    words: NDArray[np.uint64],
    payoffs: NDArray[np.int32],
    cards: NDArray[np.uint8] | None = None,
    acts: NDArray[np.uint8] | None = None,
    lengths: NDArray[np.uint8] | None = None,
    chances: NDArray[np.float64] | None = None,
    wins: NDArray[np.float64] | None = None,
) -> None: ...
def check_games(
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
) -> None: ...
def judge(
    player: Player,
    who: int,
    ante: int,
    bets: Sequence[int],
    max_bets: int,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
    wins: NDArray[np.float64],
) -> None: ...
def observations(
    types: Types,
    form: str,
    columns: int,
    observer: int,
    reveal: bool,
    cards: NDArray[np.uint8],
    acts: NDArray[np.uint8],
    lengths: NDArray[np.uint8],
    chances: NDArray[np.float64],
    shown: NDArray[np.intp],
    prior: NDArray[np.float64],
    survival: NDArray[np.float64],
    cells: NDArray[np.intp],
    first_row: NDArray[np.intp],
    first_action: NDArray[np.intp],
    games: NDArray[np.intp],
) -> tuple[int, int, int, int]: ...
