"""What the adaptive reader expects at the nodes of a tree: all of them on many boards, by classes of holdings.

The likelihood knows holdings by four features alone, so that a few hundred classes stand for all holdings of a board.
Effects and factors of who acts are worked out once for all nodes; what is left is the network, once for each node,
board and class. The alternative, `AdaptiveReader.expect` at each node, makes a situation, a forecast and 1,326 triples
for each, and a turn tree has thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.reading.adaptive.holdings import first_bin, holding_classes
from pokermodel.reading.adaptive.population import GamePopulation, population
from pokermodel.reading.adaptive.sizes import size_middles
from pokermodel.reading.strategies import StrategyNode, nearest_raises, sizes_of

__all__ = ["AdaptiveStrategies"]


class AdaptiveStrategies:
    """Strategies of a player by what the adaptive reader knows.

    Parameters
    ----------
    people : GamePopulation
        What is known of people in the game. Strategies are those of what is known when they are asked for.
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
        self._among = population(nodes[0].situation.spec) if nodes else ""

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Strategies of some nodes of one street on some boards, as classes of holdings and what each does."""
        asked = [self._nodes[k] for k in nodes]
        classes = [holding_classes(board) for board in boards]
        legal = np.array([(node.fold, 1, len(node.raises) > 0) for node in asked], dtype=np.float32)
        raises = np.array([len(node.raises) for node in asked], dtype=np.int32)
        found = self._people.strategies(
            self._among,
            self._player,
            asked,
            legal,
            raises,
            [_cells(node) for node in asked] if raises.max(initial=0) > 1 else None,
            boards,
            classes,
            np.array([first_bin(board) for board in boards], dtype=np.int32),
        )
        return [(each.of.astype(np.int64), rows) for each, rows in zip(classes, found, strict=True)]


def _cells(node: StrategyNode) -> NDArray[Any]:
    """Which raise of a node each cell of sizes counts for: uint8 (38,)."""
    if len(node.raises) < 2:
        return np.zeros(len(size_middles()), dtype=np.uint8)
    assert node.situation.raise_range is not None
    least, most = node.situation.raise_range
    sizes = size_middles()
    sizes[0], sizes[-1] = sizes_of(node.situation, (least, node.raises[-1] if most is None else most))
    return nearest_raises(node.situation, node.raises, sizes)
