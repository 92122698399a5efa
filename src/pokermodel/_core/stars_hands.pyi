from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from pokermodel._core.rules import State
from pokermodel.game import Action, BettingStructure, GameSpec

class _Game(Protocol):
    def __call__(
        self,
        blinds: tuple[int, ...],
        bets: tuple[int, int],
        first: tuple[int, int],
        raises: tuple[int, int, int, int] | None,
        antes: tuple[int, ...],
        structure: BettingStructure,
        /,
    ) -> GameSpec: ...

def find_next(data: bytes, start: int) -> int: ...
def rebuild(
    data: bytes,
    start: int,
    end: int,
    level: Callable[[bytes], tuple[BettingStructure, int, int, int, str] | None],
    hour: Callable[[bytes, bytes], datetime | None],
    game: _Game,
    actions: list[list[Action]],
    action: type[Action],
) -> (
    tuple[
        int,
        str,
        datetime | None,
        str,
        int,
        tuple[str, ...],
        tuple[Action, ...],
        tuple[int, ...],
        dict[int, tuple[int, int]],
        frozenset[int],
        tuple[float, ...],
        tuple[float, ...],
        State,
        str | None,
        str | None,
    ]
    | None
): ...
