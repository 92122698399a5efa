"""The forecasts of the adaptive reader at the nodes of a tree: all of them on many boards, by classes of holdings.

The likelihood knows holdings by four features alone, so that a few dozen classes stand for all holdings of a board.
Effects and factors of who acts are worked out once for all nodes; what is left is the network, once for each node,
board and class. The alternative, `AdaptiveReader.expect` at each node, makes a situation, a forecast and 1,326 triples
for each, and a turn tree has thousands.

The first money that a player puts in on the river is polar (`pokermodel.reading.adaptive.polarity`): how so depends on
the range that they come with. It is followed from the root of the tree as the reader's tables are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.reading.adaptive.holdings import first_bin, holding_classes
from pokermodel.reading.adaptive.kinds import NO_LABELS, labels_of
from pokermodel.reading.adaptive.names import population
from pokermodel.reading.adaptive.polarity import first_on_river
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.sizes import size_middles
from pokermodel.reading.strategies import StrategyNode, nearest_raises, sizes_of

__all__ = ["AdaptiveStrategies"]

#: Acts of a player, as `StrategyNode.before` has them.
_Way: TypeAlias = "tuple[tuple[int, int], ...]"
_LEAST = 1e-300  # of a range, so that an empty one stays empty
_KEPT = 1_000  # nodes on a board, of which what each holding does is kept: some 16 kB each


class AdaptiveStrategies:
    """Strategies of a player by what the adaptive reader knows.

    Parameters
    ----------
    people : GamePopulation
        The knowledge of people in the game. Each strategy uses the knowledge at the time of its call.
    player : str
        As `known_as` names them.
    nodes : sequence of StrategyNode
        After the flop.

    Attributes
    ----------
    symmetric : bool
        Features of holdings and boards do not name suits.
    """

    symmetric = True

    def __init__(self, people: GamePopulation, player: str, nodes: Sequence[StrategyNode]) -> None:
        self._people = people
        self._player = player
        self._nodes = tuple(nodes)
        self._among, self._labels, self._sized = "", NO_LABELS, False
        self._kept: dict[tuple[int, tuple[int, ...]], NDArray[np.float32]] = {}  # what is done at a node on a board
        self._weights = next((node.weights for node in nodes if node.weights is not None), None)
        if nodes:
            situation = nodes[0].situation
            self._sized = not situation.spec.structure.fixed
            self._among = population(situation.spec)
            self._labels = labels_of(situation.spec, situation.stacks_before)

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Strategies of some nodes of one street on some boards, as classes of holdings and what each does."""
        rows = self._rows(nodes, boards)
        return [(holding_classes(board).of.astype(np.int64), each) for board, each in zip(boards, rows, strict=True)]

    def _rows(
        self,
        nodes: Sequence[int],
        boards: Sequence[tuple[int, ...]],
        polar: bool = True,
    ) -> list[NDArray[np.float32]]:
        """What each class does, of all nodes one after the other, on each board."""
        ways: dict[_Way, int] = {}
        way_of = np.full(len(nodes), -1, dtype=np.int32)
        for place, k in enumerate(nodes):
            if self._ranged(k, polar):
                way_of[place] = ways.setdefault(self._nodes[k].before, len(ways))
        ranges = (self._ranges([*ways], boards), way_of) if ways else None
        asked = [self._nodes[k] for k in nodes]
        raises = np.array([len(node.raises) for node in asked], dtype=np.int32)
        chosen = self._sized and (ranges is not None or raises.max(initial=0) > 1)
        return self._people.strategies(
            self._among,
            self._player,
            asked,
            np.array([(node.fold, 1, len(node.raises) > 0) for node in asked], dtype=np.float32),
            raises,
            [_cells(node) for node in asked] if chosen else None,
            boards,
            [holding_classes(board) for board in boards],
            np.array([first_bin(board) for board in boards], dtype=np.int32),
            self._labels,
            ranges,
            polar,
        )

    def _ranged(self, k: int, polar: bool) -> bool:
        """Whether what is done at a node depends on a range, and somebody knows it."""
        node, prior = self._nodes[k], self._people.prior
        polar = polar and prior.polarity is not None and bool(node.raises) and first_on_river(node.situation)
        return node.weights is not None and (polar or (prior.standings is not None and node.features.bets < 2))

    def _ranges(self, ways: Sequence[_Way], boards: Sequence[tuple[int, ...]]) -> list[Floats]:
        """Shares of the classes in what is left of the player's range after acts of theirs: float64 (ways, classes)."""
        rounds, last = [node.situation.round for node in self._nodes], len(boards[0]) - BOARD_CARDS[1] + 1
        earlier: dict[_Way, int] = {}  # what was done on earlier streets: on few boards, so holding by holding
        of = [earlier.setdefault(tuple([each for each in way if rounds[each[0]] < last]), len(earlier)) for way in ways]
        left = {board: self._left([*earlier], board) for board in dict.fromkeys(board[:-1] for board in boards)}
        here = list(dict.fromkeys(k for way in ways for k, _ in way if rounds[k] == last))
        rows = self._rows(here, boards, polar=False) if here else [None] * len(boards)
        ends = np.cumsum([self._nodes[k].acts for k in here]).tolist()
        firsts = {k: end - self._nodes[k].acts for k, end in zip(here, ends, strict=True)}
        found = []
        for board, done in zip(boards, rows, strict=True):
            masses = holding_classes(board).masses(left[board[:-1]])[of]
            for way, before in enumerate(ways):
                for k, column in before:
                    if done is not None and k in firsts:
                        masses[way] *= done[firsts[k] + column]
            found.append(masses / np.maximum(masses.sum(axis=1, keepdims=True), _LEAST))
        return found

    def _left(self, ways: Sequence[_Way], board: tuple[int, ...]) -> Floats:
        """Weights by holding after acts on earlier streets, on their last board: float64 (ways, 1326)."""
        found = np.tile(cast(Floats, self._weights), (len(ways), 1))
        for way, before in enumerate(ways):
            for k, column in before:
                found[way] *= self._chances(k, board[: BOARD_CARDS[self._nodes[k].situation.round]])[column]
        return found

    def _chances(self, k: int, board: tuple[int, ...]) -> NDArray[np.float32]:
        """What each holding does at a node before the river: float32 (acts, 1326)."""
        kept = self._kept.get((k, board))
        if kept is None:
            if len(self._kept) > _KEPT:
                self._kept.clear()
            [rows] = self._rows([k], [board], polar=False)
            of = holding_classes(board).of
            kept = self._kept[k, board] = np.where(of < 0, np.float32(0), rows[:, of])
        return kept


def _cells(node: StrategyNode) -> NDArray[Any]:
    """Which raise of a node each cell of sizes counts for: uint8 (38,)."""
    if len(node.raises) < 2:
        return np.zeros(len(size_middles()), dtype=np.uint8)
    assert node.situation.raise_range is not None
    least, most = node.situation.raise_range
    sizes = size_middles()
    sizes[0], sizes[-1] = sizes_of(node.situation, (least, node.raises[-1] if most is None else most))
    return nearest_raises(node.situation, node.raises, sizes)
