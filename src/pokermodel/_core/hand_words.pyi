import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rules import State
from pokermodel.game import Action

WORDS: tuple[str, ...]
SEAT_WORDS: tuple[str, ...]

def play(
    state: State,
    actions: tuple[Action, ...],
    board: int,
    positions: tuple[int, ...],
    acts: NDArray[np.int64],
    first: int,
    seats: NDArray[np.int64],
    at: int,
) -> tuple[int, list[bytes], str] | tuple[int, None, None]: ...
