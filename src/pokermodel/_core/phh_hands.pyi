from collections.abc import Callable

from pokermodel._core.rules import State
from pokermodel.game import Action, GameSpec

def rebuild(
    document: bytes,
    game: Callable[[tuple[int, ...], tuple[int, ...], tuple[int, int], bool, int, str | None], GameSpec],
    actions: list[list[Action]],
    action: type[Action],
) -> (
    tuple[
        str | None,
        str | None,
        tuple[int, int, int, tuple[int, int, int] | None, str | None] | None,
        str | None,
        int,
        tuple[str, ...],
        tuple[Action, ...],
        tuple[int, ...],
        dict[int, tuple[int, int]],
        frozenset[int],
        tuple[float, ...] | None,
        tuple[float, ...],
        State,
        str | None,
    ]
    | None
): ...
