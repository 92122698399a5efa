"""Locks of a subgame at the nodes of its tree and on the boards that are solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.solver import SubgameSolver
from pokermodel._support.arrays import Floats
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import Tree

__all__ = ["TreeLocks"]

_BOARDS = 32  # that a reader is asked about at once

#: Locks by node, whose strategies depend on the board.
_OfBoards: TypeAlias = dict[int, tuple[Lock, BoardStrategy]]
#: Of a board its number, nodes, the class of each holding, and what each class does at these nodes.
_OnBoard: TypeAlias = tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]


class TreeLocks:
    """Locks of a subgame, as its solver takes them."""

    def __init__(self, subgame: Subgame, tree: Tree, solver: SubgameSolver) -> None:
        self._subgame, self._tree, self._solver = subgame, tree, solver
        self._holdings = [solver.holdings(player) for player in range(2)]

    def put(self, locks: Iterable[Lock]) -> None:
        """Lock nodes, instead of those that were locked before."""
        plain, of_boards = self._divided(locks)
        rows = {
            (node, board): (node, board, model, lock.confidence)
            for lock in plain
            for node, board, model in self._models(lock)
        }
        boards: Any = self._solver.size["boards"]
        room = sum(boards[int(self._tree.street[node])] for node in of_boards)
        self._solver.lock([row for row in rows.values() if row[3] > 0], room)
        for group in self._by_source(of_boards):
            confidences = {node: lock.confidence for node, (lock, _) in group.items()}
            if not any(confidences.values()):
                continue
            for number, nodes, of, found in self._on_boards(group):
                # a lock that is given for one node goes before a reader's
                each = [0.0 if (node, number) in rows else confidence for node, confidence in confidences.items()]
                self._solver.lock_classes(number, nodes, np.array(each, dtype=np.float32), of, found)

    def play(self, strategies: Iterable[Lock]) -> None:
        """Let players play these strategies at their nodes, at any confidence.

        Raises `ValueError` if a strategy tells suits apart, and the solver does not.
        """
        size: dict[str, Any] = self._solver.size
        told = [*strategies]
        for lock in told:
            if size["renamings"] > 1 and len(size["boards"]) > 1 and not lock.symmetric:
                raise ValueError(f"the strategy of {lock.node} tells suits apart, which this solution does not")
        plain, of_boards = self._divided(told)
        for group in self._by_source(of_boards):
            for number, nodes, of, found in self._on_boards(group):
                self._solver.set_classes(number, nodes, of, found)
        for lock in plain:
            # a holding that never came here has no sum that the strategy could scale: the strategy stands for it
            for node, board, model in self._models(lock):
                self._solver.set_average(node, board, model)

    def saved(self) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
        """The subgame's locks for a file, and their arrays by name; see `Solution.save`."""
        about: list[dict[str, Any]] = [
            {"node": lock.node, "confidence": lock.confidence} for lock in self._subgame.locks
        ]
        arrays: dict[str, NDArray[Any]] = {}
        for k, lock in enumerate(self._subgame.locks):
            if not _depends_on_board(lock):
                place = next(self._tree.places(lock.node))
                given = lock.probabilities(self._tree.parts(place.node), place.cards)
                arrays[f"lock_{k}"] = given[0] if lock.symmetric else given
        for g, group in enumerate(self._groups()):
            found = [*self._on_boards({node: (lock, strategy) for node, _, lock, strategy in group})]
            arrays[f"boards_{g}"] = np.array([self._dealt(group[0][0], number) for number, *_ in found], dtype=np.uint8)
            arrays[f"classes_{g}"] = np.array([of for _, _, of, _ in found], dtype=np.int16)
            arrays[f"sizes_{g}"] = np.array([rows.shape[1] for *_, rows in found], dtype=np.int32)
            row = 0
            for _, k, _, strategy in group:
                own = slice(row, row := row + len(strategy.parts))
                arrays[f"lock_{k}"] = np.concatenate([rows[own].ravel() for *_, rows in found])
                about[k] |= {"of_boards": g, "symmetric": strategy.source.symmetric, "parts": list(strategy.parts)}
        return about, arrays

    def _divided(self, locks: Iterable[Lock]) -> tuple[list[Lock], _OfBoards]:
        """Locks with one strategy, and by node those whose strategies depend on the board."""
        plain: list[Lock] = []
        of_boards: _OfBoards = {}
        for lock in locks:
            if isinstance(lock.strategy, BoardStrategy) and not lock.cards:
                node = self._tree.number(lock.node)
                lock.strategy.check(lock.node, self._tree.parts(node))
                of_boards[node] = lock, lock.strategy
            else:
                plain.append(lock)
        return plain, of_boards

    def _by_source(self, of_boards: _OfBoards) -> list[_OfBoards]:
        """Locks whose strategies depend on the board, by source and street."""
        found: dict[tuple[int, int], _OfBoards] = {}
        for node, each in of_boards.items():
            found.setdefault((id(each[1].source), int(self._tree.street[node])), {})[node] = each
        return list(found.values())

    def _groups(self) -> list[list[tuple[int, int, Lock, BoardStrategy]]]:
        """Group the locks on boards: node, place among the locks, lock. A node that is locked again is apart."""
        found: dict[tuple[int, int, int], list[tuple[int, int, Lock, BoardStrategy]]] = {}
        seen: dict[int, int] = {}
        for k, lock in enumerate(self._subgame.locks):
            if isinstance(lock.strategy, BoardStrategy) and not lock.cards:
                node = self._tree.number(lock.node)
                again = seen[node] = seen.get(node, -1) + 1
                key = id(lock.strategy.source), int(self._tree.street[node]), again
                found.setdefault(key, []).append((node, k, lock, lock.strategy))
        return list(found.values())

    def _on_boards(self, group: _OfBoards) -> Iterator[_OnBoard]:
        """Strategies of some nodes of one street and source on each board."""
        nodes = np.array(list(group), dtype=np.int64)
        numbers: Any = self._solver.size["boards"]
        count = numbers[int(self._tree.street[nodes[0]])]
        source = next(iter(group.values()))[1].source
        places = [strategy.place for _, strategy in group.values()]
        for first in range(0, count, _BOARDS):
            some = range(first, min(first + _BOARDS, count))
            boards = [(*self._subgame.cards, *self._dealt(int(nodes[0]), number)) for number in some]
            for number, (of, rows) in zip(some, source.of(places, boards), strict=True):
                yield number, nodes, of, np.ascontiguousarray(rows, dtype=np.float32)

    def _dealt(self, node: int, number: int) -> tuple[int, ...]:
        """The cards that were dealt since the root on a board of a node's street."""
        return self._solver.board(int(self._tree.street[node]), number)[0]

    def _models(self, lock: Lock) -> Iterator[tuple[int, int, Floats]]:
        """The strategy of a lock on each board that it is for: node, board, and float64 (acts, places)."""
        for place in self._tree.places(lock.node):
            given = lock.probabilities(self._tree.parts(place.node), place.cards)
            mine = self._holdings[int(self._tree.player[place.node])]
            yield place.node, place.board, np.ascontiguousarray(given[mine].T)


def _depends_on_board(lock: Lock) -> bool:
    return isinstance(lock.strategy, BoardStrategy) and not lock.cards
