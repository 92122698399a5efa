"""A reader's forecasts at every node of a tree with some sizes: the strategy of a person.

A node is a situation without its cards, since betting does not depend on them. `Reader.strategies` answers for many
nodes on many boards at once, by classes of holdings that are alike to the reader: thousands of forecasts of 1,326
holdings each would cost more than solving the tree. Readers that have no quick way are asked node by node
(`pokermodel.solving.locks_from`).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.game import Act, Situation
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.features import Features

__all__ = ["Strategies", "StrategyNode", "nearest_raises", "of_expectation"]

#: What stands for a class of sizes, by the pot; the least and the most are what they are in the situation.
_MIDDLES = (None, 0.3, 0.5, 0.72, 1.03, 1.6, None)
_LEAST_SIZE = 1e-3  # of the pot, so that its logarithm is there


class StrategyNode(NamedTuple):
    """A node at which a player acts, with the acts that a tree has there."""

    situation: Situation  #: The situation; the board cards are arbitrary, and only their number counts.
    features: Features  #: The same as numbers, with the betting before it.
    fold: bool  #: Whether the tree has a fold there. It always has a check or a call.
    raises: tuple[int, ...]  #: The total of each bet or raise of the tree in its round, in chips, rising.
    #: Of shape (1326,). The player's weights at the root of the tree, by the reader's knowledge; None if unknown.
    weights: Floats | None = None
    #: The player's actions on the way from the root: for each, the place of its node in the list of the call, and the
    #: place of the action at that node, in the order of `Strategies.of`.
    before: tuple[tuple[int, int], ...] = ()

    @property
    def acts(self) -> int:
        """How many acts the tree has there."""
        return 1 + self.fold + len(self.raises)


class Strategies(Protocol):
    """Strategies of a player at some nodes, on any board."""

    symmetric: bool  #: Whether boards and holdings that differ in names of suits have the same strategy by other names.

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """The strategies of some nodes of one street on some boards.

        Parameters
        ----------
        nodes : sequence of int
            Their places in the list that the strategies were made of.

        Returns
        -------
        list of tuple
            Of each board the class of each holding, int64 (1326,), -1 where it is not possible, and float32 (all acts,
            classes): of the nodes one after the other fold, if there is one, check or call, and the raises.
        """


def sizes_of(situation: Situation, raises: Sequence[int]) -> list[float]:
    """The part of each raise above a call, by the pot after that call."""
    pot = situation.pot + situation.to_call
    stay = situation.in_round + situation.to_call
    return [max((to - stay) / pot, _LEAST_SIZE) for to in raises]


def nearest_raises(situation: Situation, raises: Sequence[int], sizes: Sequence[float]) -> NDArray[np.uint8]:
    """The raise of a tree that is nearest to each of some sizes, by ratio: uint8 (n,).

    `raises` rise, and `sizes` are as `sizes_of` has them.
    """
    places = [log(size) for size in sizes_of(situation, raises)]
    borders = [(one + other) / 2 for one, other in pairwise(places)]
    return np.array([bisect(borders, log(max(size, _LEAST_SIZE))) for size in sizes], dtype=np.uint8)


def of_expectation(node: StrategyNode, expected: Expectation) -> Floats:
    """A reader's expectation as the strategy of a node: float64 (1326, acts), nan where it is not possible.

    Acts that the tree has not are left out, and the rest divided by its sum. Classes of sizes count for the raise that
    is nearest to their middle. Where a reader says nothing of sizes, all raises are alike.
    """
    triples = expected.triples
    columns = [triples[:, Act.FOLD]] if node.fold else []
    columns.append(triples[:, Act.CALL])
    if node.raises:
        shares = expected.size_shares if len(node.raises) > 1 else None
        raised = triples[:, Act.RAISE]
        if shares is None:
            columns += [raised / len(node.raises)] * len(node.raises)
        else:
            least, most = node.situation.raise_range or (node.raises[0], node.raises[-1])
            ends = sizes_of(node.situation, (least, node.raises[-1] if most is None else most))
            middles = [ends[0], *(middle for middle in _MIDDLES if middle is not None), ends[1]]
            nearest = nearest_raises(node.situation, node.raises, middles)
            columns += [raised * shares[:, nearest == k].sum(axis=1) for k in range(len(node.raises))]
    found: Floats = np.stack(columns, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = found.sum(axis=1, keepdims=True)
        return np.where(total > 0, found / total, np.where(np.isnan(total), np.nan, 1 / found.shape[1]))
