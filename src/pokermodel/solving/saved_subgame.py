"""The subgame of a saved solution: a spot file, arrays of weights, and locks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import N_HOLDINGS, card_indices, cards_text
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.played_street import PlayedNode
from pokermodel.solving.spot_file import read_spot
from pokermodel.solving.subgame import Subgame
from pokermodel.weights import WeightTable

__all__ = ["range_arrays", "read_subgame"]


def range_arrays(subgame: Subgame) -> dict[str, NDArray[Any]]:
    """Weights of both ranges and of players who folded, by name."""
    return {
        "ranges": np.array([table.values for table in subgame.ranges]),
        "folded": np.array([table.values for table in subgame.folded]).reshape(-1, N_HOLDINGS),
    }


def read_subgame(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Subgame:
    """Make the subgame that a file has; `KeyError`, `TypeError` or `ValueError` if it is damaged."""
    found = Subgame(**read_spot(about["spot"]))  # which is a text, and never the path of another file

    def tables(name: str) -> list[WeightTable]:
        return [WeightTable(values, found.cards) for values in arrays[name]]

    first, second = tables("ranges")[:2]
    found.ranges = first, second
    if "folded" in arrays:
        found.folded = tuple(tables("folded"))
    if "whole" in arrays:
        first, second = tables("whole")
        found.whole = first, second
    found.played = None if about.get("played") is None else PlayedNode.of_dict(about["played"])
    found.dealt = None if about.get("dealt") is None else card_indices(about["dealt"])
    found.locks = _locks(found, about["locks"], arrays)
    return found


def _locks(subgame: Subgame, about: list[dict[str, Any]], arrays: dict[str, NDArray[Any]]) -> tuple[Lock, ...]:
    """Locks of a file."""
    sources: dict[int, _SavedStrategies] = {}
    found = []
    for k, lock in enumerate(about):
        strategy: Any = arrays[f"lock_{k}"]
        if "of_boards" in lock:
            g, parts = int(lock["of_boards"]), tuple(map(str, lock["parts"]))
            if g not in sources:
                boards = [(*subgame.cards, *dealt) for dealt in arrays[f"boards_{g}"].tolist()]
                sources[g] = _SavedStrategies(bool(lock["symmetric"]), boards, arrays[f"classes_{g}"].astype(np.int64))
            ends = np.cumsum(len(parts) * arrays[f"sizes_{g}"])[:-1]
            rows = [each.reshape(len(parts), -1) for each in np.split(strategy, ends)]
            strategy = BoardStrategy(sources[g], sources[g].add(rows), subgame.cards, parts)
        found.append(Lock(lock["node"], strategy, lock["confidence"]))
    return tuple(found)


class _SavedStrategies:
    """Strategies that were saved, on the boards that were solved."""

    def __init__(self, symmetric: bool, boards: list[tuple[int, ...]], of: NDArray[np.int64]) -> None:
        self.symmetric = symmetric
        self._boards = {board: k for k, board in enumerate(boards)}
        self._of = of
        self._rows: list[list[NDArray[np.float32]]] = []

    def add(self, rows: list[NDArray[np.float32]]) -> int:
        """Add a node, by its rows on each board; returns its place."""
        self._rows.append(rows)
        return len(self._rows) - 1

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Strategies of some nodes on some boards, which were solved."""
        found = []
        for board in boards:
            if board not in self._boards:
                raise ValueError(f"a strategy that was saved is not known on {cards_text(board)}, which was not solved")
            at = self._boards[board]
            found.append((self._of[at], np.concatenate([self._rows[node][at] for node in nodes])))
        return found
