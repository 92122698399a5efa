"""Locks: what a player is believed to do at a node, and how far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.ranges import parse_range

if TYPE_CHECKING:
    from pokermodel.reading.strategies import Strategies

__all__ = ["BoardStrategy", "Lock"]

_NAMES = {"fold": "f", "check": "c", "call": "c"}


@dataclass(frozen=True, slots=True, eq=False)
class BoardStrategy:
    """A strategy that depends on the board: what a source of strategies says of one of its nodes.

    Attributes
    ----------
    source : Strategies
    place : int
        Of the node in the source.
    board : tuple of int
        Of the root.
    parts : tuple of str
        The acts that it is for: last parts of the names of the node's children.
    """

    source: Strategies
    place: int
    board: tuple[int, ...]
    parts: tuple[str, ...]

    def check(self, node: str, acts: tuple[str, ...]) -> None:
        """Raise `ValueError` unless a node has the acts that the strategy is for."""
        if acts != self.parts:
            raise ValueError(f"the lock of {node} is for {', '.join(self.parts)}: the node has {', '.join(acts)}")

    def on(self, acts: tuple[str, ...], dealt: Sequence[int]) -> Floats:
        """The strategy after some cards, float64 (1326, acts), nan where a holding is not possible."""
        self.check("a node", acts)
        [(of, rows)] = self.source.of([self.place], [(*self.board, *dealt)])
        found: Floats = np.asarray(rows, dtype=np.float64).T[of]
        found[of < 0] = np.nan
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Lock:
    """The believed strategy of the player to act at a node.

    With probability `confidence` they play the strategy, and else as they like (data-biased responses, Johanson and
    Bowling 2009). A confidence of 1 is a node lock, one confidence at all nodes of a player a restricted Nash response
    (Johanson, Zinkevich and Bowling 2007), and 0 no lock.

    Parameters
    ----------
    node : str
        The node, as in ``"r:0:c:b100"``; a ``*`` where a card is dealt stands for every card.
    strategy : mapping, array_like or BoardStrategy
        By act (``"fold"``, ``"check"``, ``"call"`` or the last part of the child's name, as ``"b100"``) a probability
        for every holding, or a range text whose weights are probabilities; one act may be left out and gets what is
        left. Or an array of shape (acts,) or (1326, acts). Or what a reader expects, as `locks_from` has it.
    confidence : float
        0 to 1.

    Raises
    ------
    ValueError
        If the confidence is not 0 to 1.
    """

    node: str
    strategy: Mapping[str, float | str] | ArrayLike | BoardStrategy
    confidence: float = 1.0

    def __post_init__(self) -> None:
        """Check the confidence."""
        if not (isinstance(self.confidence, (int, float)) and 0.0 <= self.confidence <= 1.0):
            raise ValueError(f"the confidence of a lock must be 0 to 1, got {self.confidence!r}")

    @property
    def symmetric(self) -> bool:
        """Whether it says the same of all suits: one strategy for all holdings, on every card."""
        if self.cards:
            return False
        if isinstance(self.strategy, BoardStrategy):
            return self.strategy.source.symmetric
        if isinstance(self.strategy, Mapping):
            return not any(isinstance(value, str) for value in self.strategy.values())
        return np.ndim(np.asarray(self.strategy)) == 1

    @property
    def cards(self) -> bool:
        """Whether the node's name has cards, and not ``*`` alone."""
        parts = self.node.split(":")[2:]
        return any(part[0].upper() in "23456789TJQKA" and len(part) == 2 for part in parts if part)

    def probabilities(self, acts: tuple[str, ...], dealt: Sequence[int] = ()) -> Floats:
        """The strategy as an array, float64 (1326, acts).

        Parameters
        ----------
        acts : tuple of str
            Last parts of the names of the node's children: ``"f"``, ``"c"``, ``"b100"``.
        dealt : sequence of int
            Cards that were dealt since the root, on which a `BoardStrategy` depends.

        Raises
        ------
        ValueError
            If there is no such act, or the probabilities of a holding are no distribution.
        """
        if isinstance(self.strategy, BoardStrategy):
            found = self.strategy.on(acts, dealt)
        elif isinstance(self.strategy, Mapping):
            found = self._of_mapping(self.strategy, acts)
        else:
            found = np.array(self.strategy, dtype=np.float64)
            if found.shape == (len(acts),):
                found = np.tile(found, (N_HOLDINGS, 1))
            if found.shape != (N_HOLDINGS, len(acts)):
                shape = f"({len(acts)},) or ({N_HOLDINGS}, {len(acts)})"
                raise ValueError(f"the lock of {self.node} must have shape {shape}, got {found.shape}")
        found = np.where(np.isnan(found).any(axis=1, keepdims=True), 1 / len(acts), found)
        if (found < -1e-9).any() or (np.abs(found.sum(axis=1) - 1) > 1e-6).any():
            raise ValueError(f"the lock of {self.node} must give each holding probabilities that sum to 1")
        found = found.clip(0.0, 1.0)
        found /= found.sum(axis=1, keepdims=True)
        return found

    def _of_mapping(self, strategy: Mapping[str, Any], acts: tuple[str, ...]) -> Floats:
        found = np.full((N_HOLDINGS, len(acts)), np.nan)
        for name, value in strategy.items():
            act = _NAMES.get(name, name)
            if act not in acts:
                raise ValueError(f"the lock of {self.node} has no act {name!r}: expected one of {', '.join(acts)}")
            if isinstance(value, str):
                found[:, acts.index(act)] = parse_range(value)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                found[:, acts.index(act)] = value
            else:
                raise ValueError(f"the lock of {self.node} needs a probability or a range for {name!r}, got {value!r}")
        missing = [k for k in range(len(acts)) if np.isnan(found[:, k]).all()]
        left = 1.0 - np.nansum(found, axis=1)
        if len(missing) == 1:
            found[:, missing[0]] = left
        else:
            found[:, missing] = 0.0
        return found
