from collections.abc import Callable, Collection

from pokermodel._core.rules import State
from pokermodel.game import Action, GameSpec

def rebuild(
    line: bytes,
    roster: bytes,
    lines: list[int | bytes],
    game: Callable[[int, int], GameSpec],
    actions: list[list[Action]],
) -> (
    tuple[
        str,
        int,
        tuple[str, ...],
        tuple[Action, ...],
        tuple[int, ...],
        dict[int, tuple[int, int]],
        tuple[int, ...],
        tuple[float, ...],
        State,
    ]
    | None
): ...
def divide_lines(data: bytes, number: int) -> tuple[list[tuple[int, bytes, bytes]], int]: ...
def number_lines(data: bytes, number: int, numbers: dict[bytes, int]) -> int: ...
def keep_rosters(data: bytes, rosters: dict[bytes, bytes]) -> None: ...
def sort_lines(
    data: bytes, place: int, groups: dict[bytes, list[int | bytes]], wanted: Collection[bytes] | None
) -> int: ...
