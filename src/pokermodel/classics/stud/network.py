"""The networks of the Bayesian Poker Program: the probability of winning, given the evidence.

One network for each round, of the same structure (Carlton 2000; Korb and Nicholson 2004)::

    BPP_Final -> BPP_Win <- OPP_Final        BPP_Final -> BPP_Current
    OPP_Final -> OPP_Current -> OPP_Upcards  OPP_Current -> OPP_Action

and, optionally, ``BPP_Final -> OPP_Final``, the dependence of the hands. The evidence is the program's own hand, the
opponent's cards face up, and the opponent's acts of the round. BPP is the player, OPP the opponent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.hand_types import STATES
from pokermodel._support.arrays import Floats
from pokermodel.classics.stud.tables import CardTables, card_tables
from pokermodel.evaluation.hand_types import TypeScheme

__all__ = ["StudNetwork"]


@dataclass(frozen=True, eq=False)
class StudNetwork:
    """The four networks of a scheme of types.

    Attributes
    ----------
    tables : CardTables
        Counts of cards.
    arc : bool
        Whether the opponent's final type depends on the player's, as both hands come from one deck.

    Examples
    --------
    >>> from pokermodel.classics.stud.tables import hand_state
    >>> network = StudNetwork.of(25)
    >>> own, up = hand_state("QsQh7c2d"), hand_state("Kc8d3h")
    >>> round(network.win_probability(2, own, up), 4)
    0.8773
    """

    tables: CardTables
    arc: bool = False

    @classmethod
    def of(cls, scheme: int | TypeScheme = 25, arc: bool = False) -> StudNetwork:
        """Return the networks with a scheme's tables for the whole deck."""
        return cls(card_tables(scheme), arc)

    @property
    def scheme(self) -> TypeScheme:
        """The types."""
        return self.tables.scheme

    @property
    def given(self) -> Floats:
        """P(OPP_Final | BPP_Final): float64 (types, types); without the arc all rows are equal."""
        if self.arc:
            return self.tables.opponent
        return np.tile(self.tables.final, (len(self.tables.final), 1))

    @property
    def win(self) -> Floats:
        """P(BPP_Win | BPP_Final, OPP_Final): float64 (types, types); equal types win half the time."""
        types = np.arange(len(self.tables.final))
        return np.asarray((np.sign(types[:, None] - types) + 1) / 2)

    @cached_property
    def both(self) -> Floats:
        """P(BPP_Current, OPP_Current): float64 (4, 36, 36) by round, BPP and OPP."""
        return self._joint(self.tables.final[:, None] * self.given)

    @cached_property
    def winning(self) -> Floats:
        """P(BPP_Win, BPP_Current, OPP_Current): float64 (4, 36, 36) by round, BPP and OPP."""
        return self._joint(self.tables.final[:, None] * self.given * self.win)

    @cached_property
    def upcards(self) -> Floats:
        """P(OPP_Upcards | OPP_Current): float64 (4, 36, 36) by round, upcards and state."""
        return np.ascontiguousarray(self.tables.upcards.transpose(0, 2, 1))

    def _joint(self, finals: Floats) -> Floats:
        current = self.tables.current
        return np.ascontiguousarray(current @ finals @ current.transpose(0, 2, 1))

    def posterior(
        self, round: int, own: int, upcards: int | None = None, likelihood: ArrayLike | None = None
    ) -> tuple[float, Floats]:
        """Return the probability of winning and that of the opponent's states, given the evidence.

        Parameters
        ----------
        round : int
            0 to 3.
        own : int
            State of the player's cards.
        upcards : int, optional
            State of the opponent's cards face up.
        likelihood : array_like of float, shape (36,), optional
            Likelihood of the opponent's acts in this round, by state: the product of ``M(act | state)``.

        Returns
        -------
        win : float
            P(BPP_Win | evidence), ties half.
        state : ndarray of float64, shape (36,)
            P(OPP_Current | evidence).

        Raises
        ------
        ValueError
            If the round or a state is out of range, or the evidence is impossible.
        """
        if not 0 <= round <= 3:
            raise ValueError(f"a round is 0 to 3, got {round}")
        for what, state in (("own", own), ("upcards", upcards)):
            if state is not None and not 0 <= state < STATES:
                raise ValueError(f"{what} is no state: expected 0..{STATES - 1}, got {state}")
        weight = np.ones(STATES) if upcards is None else self.upcards[round, upcards]
        if likelihood is not None:
            weight = weight * np.asarray(likelihood, dtype=np.float64)
        joint = self.both[round, own] * weight
        total = float(joint.sum())
        if not total > 0:
            raise ValueError("the evidence is impossible: no state of the opponent goes with it")
        return float(self.winning[round, own] @ weight) / total, joint / total

    def win_probability(
        self, round: int, own: int, upcards: int | None = None, likelihood: ArrayLike | None = None
    ) -> float:
        """Return P(BPP_Win | evidence); see `posterior`."""
        return self.posterior(round, own, upcards, likelihood)[0]
