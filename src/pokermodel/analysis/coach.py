"""A coach: what the others can hold in the eyes of a player, and what the player's actions are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pokermodel.analysis.verdict import guessed
from pokermodel.cards import cards_text
from pokermodel.evaluation.equity import equity
from pokermodel.game import Decision, Hand, Situation, State
from pokermodel.game.situation import Situated
from pokermodel.reading.reader import Spot
from pokermodel.reading.session import OpponentModeler
from pokermodel.weights import WeightTable
from pokermodel.worth.adviser import Advisers
from pokermodel.worth.worth import Verdict

__all__ = ["Coach", "Seen"]


@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """The range of an opponent, as the coached player sees it."""

    name: str  #: Of the opponent.
    table: WeightTable
    equity: float  #: The share of the pot that the player's holding wins against it.


class Coach:
    """Judges the decisions of one player as they play. The book holds prior knowledge; the seed drives the draws."""

    def __init__(self, player: str, book: Mapping[str, Any] | None = None, *, seed: int = 0) -> None:
        self.player = player
        self.seed = seed
        self.session = OpponentModeler("adaptive", book, hero=player, folded_tables=True)
        self._advisers = Advisers()
        self._holding: tuple[int, int] | None = None
        self._hands = 0
        self._kept: tuple[Situation, Verdict] | None = None

    def begin(self, players: Sequence[str], holding: tuple[int, int]) -> None:
        """A hand begins, in which the player has these cards."""
        self.session.start(players)
        self.session.hold(holding)
        self._holding = holding
        self._advisers.begin()
        self._hands += 1
        self._kept = None

    def observe(self, decision: Decision) -> None:
        """See an action."""
        self.session.observe(decision)

    def end(self, hand: Hand) -> None:
        """Learn from the hand that it followed."""
        self.session.learn(hand)

    def learn(self, hand: Hand) -> None:
        """Learn from a hand that the player was not in."""
        self.session.learn(hand)

    def spot(self, situation: Situation | Situated, state: State | None = None) -> Spot:
        """The spot of the player's decision, the next one of the hand; a state of the hand saves its replay.

        Raises
        ------
        ValueError
            If no hand has begun.
        """
        if self._holding is None:
            raise ValueError("no hand has begun: call begin() first")
        return self.session.spot(situation).held(self._holding, state)

    def seen(self, player: str, spot: Spot) -> Seen:
        """The range of an opponent at a decision of the player, and how the player's holding does against it."""
        situation = spot.situation
        table = spot.range(situation.players.index(player))
        return Seen(player, table, float(equity([cards_text(spot.own_cards), table], situation.board).equity[0]))

    def verdict(self, spot: Spot, also: Iterable[int] = ()) -> Verdict:
        """The value of the player's actions, the same at each call; `also` are further amounts of raises."""
        situation = spot.situation
        wanted = () if situation.spec.structure.fixed else tuple(also)
        if self._kept is not None and self._kept[0] is situation:
            kept = self._kept[1]
            if set(wanted) <= {each.to for each in kept.acts}:
                return kept
        text, _, _ = self._advisers.named(spot)
        rng = np.random.SeedSequence(self.seed, spawn_key=(self._hands, len(spot.acts)))
        found = self._advisers[text].advise(spot, rng, also=wanted)
        found = replace(found, guess=guessed(self.session, situation))
        self._kept = situation, found
        return found
