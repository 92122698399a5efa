"""Strategies of players who can be asked, as readers: what they do with each holding is known, and not inferred.

A reader's expectation is the strategy of a person, and that of a program is no other thing. As a reader it goes
wherever readers go: a session keeps the range that follows from it, an adviser asks how it answers, a solver locks its
nodes. A second protocol for "strategies" would need each of these again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading.adaptive.sizes import SIZE_CLASSES, size_class
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.features import Features
from pokermodel.reading.reader import Reader, Reading, Spot, Update

__all__ = ["AmongOthers", "SharesStrategy", "SizedExpectation", "SizedStrategy"]


@dataclass(frozen=True, eq=False, slots=True)
class SizedExpectation(Expectation):
    """The strategy of a player with a few amounts of bets and raises, which may differ by holding.

    Attributes
    ----------
    shares : ndarray of float64, shape (1326, 7), or None
        Of a bet or raise, the probability of each class of sizes; None where none is made, or its size is not free.
    exact : mapping of int to ndarray of float64, shape (1326,)
        Probability of a bet or raise to an amount, in chips of the round.
    """

    shares: Floats | None = None
    exact: Mapping[int, Floats] = field(default_factory=dict)

    @property
    def size_shares(self) -> Floats | None:
        """The shares."""
        return self.shares

    @classmethod
    def of_acts(
        cls, situation: Situation, weights: Floats, acts: Sequence[tuple[Act, int | None]], chances: Floats
    ) -> Self:
        """The expectation that follows from the probability of each act with each holding.

        Parameters
        ----------
        weights : ndarray of float64, shape (1326,)
            The player's.
        acts : sequence of (Act, int or None)
            Each once, with what a bet or raise goes to.
        chances : ndarray of float64, shape (1326, acts)
            Nan where a holding is not possible.
        """
        dead = np.isnan(chances).any(axis=1)
        triples = np.zeros((len(chances), 3))
        sizes = np.zeros((len(chances), len(SIZE_CLASSES)))
        exact = {}
        for (act, to), column in zip(acts, chances.T, strict=True):
            triples[:, act] += column
            if act == Act.RAISE and to is not None and not situation.spec.structure.fixed:
                sizes[:, size_class(situation, to)] += column
                exact[to] = column
        shares = None
        if exact:
            made = np.bincount([size_class(situation, to) for to in exact], minlength=len(SIZE_CLASSES)) > 0
            some = made / made.sum()  # of holdings that never bet
            total = sizes.sum(axis=1, keepdims=True)
            with np.errstate(invalid="ignore", divide="ignore"):
                shares = np.where(total > 0, sizes / total, some)
        triples[dead] = np.nan
        return cls.of(triples, weights, shares=shares, exact=exact)


class SizedStrategy(Reader):
    """A strategy for games in which bets have sizes, that says each amount: its expectations are `SizedExpectation`."""

    reads_sizes = True


class SharesStrategy(Reader):
    """Acts by relative shares among those that are legal, the same with every holding; a call where none is left."""

    reads_sizes = True

    def __init__(self, fold: float, call: float, raise_: float) -> None:
        self.shares = np.array([fold, call, raise_], dtype=np.float64)

    def expect(self, spot: Spot) -> Expectation:
        """The shares of the legal acts."""
        chances = np.zeros(3)
        legal = list(spot.situation.legal)
        chances[legal] = self.shares[legal]
        total = chances.sum()
        if not total > 0:
            return Expectation.alike([0.0, 1.0, 0.0])
        return Expectation.alike(chances / total)

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """Nothing is learnt of the holding."""
        return Update(None, "acts do not depend on the holding", self.expected(spot))


class AmongOthers(Reader):
    """The strategy of a player with each holding, who reads the others at the table by a reader.

    The other players' actions are judged as the player judges them, so that the tables are the player's own.

    Parameters
    ----------
    name : str
        The player's name at the table.
    others : Reader
        The reader of the other players.
    """

    #: Whether it leaves nothing out of what the player does, towards somebody of whom they know what `others` does.
    complete = False

    def __init__(self, name: str, others: Reader) -> None:
        self.name = name
        self.others = others

    def answers(self, spot: Spot) -> Expectation:
        """The strategy of the player to act."""
        raise NotImplementedError

    def expect(self, spot: Spot) -> Expectation:  # noqa: D102
        return self.answers(spot) if spot.player == self.name else self.others.expect(spot)

    def predict_sizes(self, spot: Spot) -> Floats:  # noqa: D102
        return self.others.predict_sizes(spot)

    def start(self, players: tuple[str, ...]) -> None:  # noqa: D102
        self.others.start(players)

    def prior(self, player: str) -> Floats | None:  # noqa: D102
        return None if player == self.name else self.others.prior(player)

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:  # noqa: D102
        if spot.player == self.name:
            return super().judge(spot, act, put_in)
        return self.others.judge(spot, act, put_in)

    def step(self, spot: Spot, decision: Decision) -> Reading:  # noqa: D102
        return super().step(spot, decision) if spot.player == self.name else self.others.step(spot, decision)

    def note(self, decision: Decision, update: Update) -> None:  # noqa: D102
        self.others.note(decision, update)

    def count(self, decision: Decision, features: Features) -> None:  # noqa: D102
        self.others.count(decision, features)

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:  # noqa: D102
        self.others.learn(hand, decisions)
