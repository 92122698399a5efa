"""Five-card stud for two players: stakes and hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pokermodel._core.stud_rules import StudState, showing
from pokermodel.cards import cards_text
from pokermodel.game import Act

__all__ = ["StudDecision", "StudHand", "StudSpec", "StudState", "showing"]


@dataclass(frozen=True, slots=True)
class StudSpec:
    """Stakes, in chips.

    The published stakes are not known. The defaults are antes of half a unit, bets of one unit in the first two rounds
    and of two in the others, and four bets a round. A unit is two chips.

    Attributes
    ----------
    ante : int
        Chips of each player.
    bets : tuple of int
        Size of a bet, by round.
    max_bets : int
        Bets and raises in a round, 1 to 4.
    """

    ante: int = 1
    bets: tuple[int, int, int, int] = (2, 2, 4, 4)
    max_bets: int = 4

    def __post_init__(self) -> None:
        self.start(([0, 1, 2, 3, 4], [5, 6, 7, 8, 9]))

    @property
    def unit(self) -> int:
        """Unit of reported winnings: a bet of the first round, in chips."""
        return self.bets[0]

    def start(self, cards: Sequence[Sequence[int]], tie: int = 0) -> StudState:
        """Return a hand before its first act.

        Parameters
        ----------
        cards : sequence of two sequences of int
            Five cards of each player, the one face down first.
        tie : int
            The player who acts first if the showing hands are equal.

        Raises
        ------
        ValueError
            If the stakes or the cards are impossible.
        """
        return StudState(self.ante, self.bets, self.max_bets, cards, tie)


class StudDecision(NamedTuple):
    """An act, and what both players saw before it."""

    #: Place in the hand, from 0.
    number: int
    player: int
    act: Act
    #: 0 to 3.
    round: int
    #: Cards face up, by player.
    up: tuple[tuple[int, ...], tuple[int, ...]]
    #: Chips of both players in the pot.
    pot: int
    #: Chips to call.
    owed: int
    legal: tuple[Act, ...]

    @property
    def name(self) -> str:
        """Name of the act: fold, pass, call, bet or raise."""
        if self.act == Act.FOLD:
            return "fold"
        return (("pass", "call"), ("bet", "raise"))[self.act == Act.RAISE][self.owed > 0]


@dataclass(frozen=True, slots=True)
class StudHand:
    """A hand that was played.

    Attributes
    ----------
    spec : StudSpec
    cards : tuple of two tuples of int
        Five cards of each player, the card face down first, including those of rounds that were not played.
    acts : tuple of Act
        In order.
    tie : int
        The player who acts first if the showing hands are equal.
    chances : tuple of tuple of float
        For each act, the player's probabilities of fold, call and raise; empty if unknown.
    wins : tuple of float
        For each act, the player's probability of winning; empty if unknown.
    bluffs : frozenset of int
        Indices of acts that were bluffs.

    Raises
    ------
    ValueError
        If the hand breaks the rules or is not finished.
    """

    spec: StudSpec
    cards: tuple[tuple[int, ...], tuple[int, ...]]
    acts: tuple[Act, ...]
    tie: int = 0
    chances: tuple[tuple[float, float, float], ...] = ()
    wins: tuple[float, ...] = ()
    bluffs: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if not self._end().over:
            raise ValueError(f"the hand is not over after {len(self.acts)} acts")
        for what, values in (("chances", self.chances), ("wins", self.wins)):
            if values and len(values) != len(self.acts):
                raise ValueError(f"{len(values)} {what} do not fit {len(self.acts)} acts")

    def __str__(self) -> str:
        names = " ".join(decision.name for decision in self.replay())
        one, two = (f"({cards_text(cards[:1])}){cards_text(cards[1:])}" for cards in self.cards)
        return f"{one} {two}: {names}: {self.payoffs[0]:+d}"

    def _end(self) -> StudState:
        state = self.spec.start(self.cards, self.tie)
        for index, act in enumerate(self.acts):
            try:
                state.act(act)
            except ValueError as error:
                raise ValueError(f"act {index}: {error}") from None
        return state

    @property
    def payoffs(self) -> tuple[int, int]:
        """Chips won, by player."""
        return self._end().payoffs()

    @property
    def showdown(self) -> bool:
        """Whether the hand ended with a showdown."""
        return self._end().showdown

    def replay(self) -> Iterator[StudDecision]:
        """Yield the decisions, in order."""
        state = self.spec.start(self.cards, self.tie)
        for index, act in enumerate(self.acts):
            player = state.player
            assert player is not None
            stop = state.round + 2
            one, two = (tuple(cards[1:stop]) for cards in self.cards)
            legal = tuple(map(Act, state.legal()))
            yield StudDecision(index, player, act, state.round, (one, two), sum(state.chips), state.owed, legal)
            state.act(act)
