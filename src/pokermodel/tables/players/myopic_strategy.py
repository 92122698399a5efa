"""The strategy of the myopic player with each holding, for measures of strength."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pokermodel._support.arrays import Integers
from pokermodel.cards import N_HOLDINGS, live_holdings
from pokermodel.evaluation.stakes import stakes_won
from pokermodel.game import Act, Decision, Situation
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Spot
from pokermodel.solving.solution import mass_beside
from pokermodel.tables.players.strategies import AmongOthers, SizedExpectation
from pokermodel.worth.answers import answer, raise_sizes

__all__ = ["MyopicStrategy"]


class MyopicStrategy(AmongOthers):
    """The strategy of `MyopicPlayer` heads-up, with all holdings at once.

    It is the player with the knowledge of `others`.
    """

    complete = True

    def answers(self, spot: Spot) -> Expectation:
        """The act that is worth most to each holding."""
        acts, chosen = self.choices_of_all(spot, raise_sizes(spot.situation))
        return SizedExpectation.of_acts(spot.situation, spot.weights, acts, np.eye(len(acts))[chosen])

    def choices_of_all(self, spot: Spot, amounts: Iterable[int]) -> tuple[list[tuple[Act, int | None]], Integers]:
        """The valued actions, and the choice of each holding, int (1326,); `amounts` are the totals of raises.

        Among equals the more aggressive action wins, then the smaller size.
        """
        situation = spot.situation
        [opponent] = [seat for seat in situation.active if seat != situation.seat]
        likely = spot.likely(opponent) * live_holdings(situation.board)
        state = spot.state
        acts: list[tuple[Act, int | None]] = [(Act.RAISE, to) for to in sorted(amounts)]
        acts += [(act, None) for act in (Act.CALL, Act.FOLD) if act in situation.legal]
        values = np.zeros((len(acts), N_HOLDINGS))
        for number, (act, to) in enumerate(acts):
            if act == Act.FOLD:
                continue
            after = state.copy()
            put_in = after.act(act, to)
            stay, street = likely, situation.round
            if not after.over and after.round == street:
                asked = Situation.of(after, situation.players, situation.board)
                if Act.FOLD in asked.legal:
                    done = [Decision("", "", 0, situation, act, put_in)]
                    folds = np.nan_to_num(answer(self.others, spot.at(asked, done))[:, Act.FOLD])
                    stay = likely * (1.0 - folds)
            while not after.over and after.round == street:
                after.act(Act.CALL)
            before, stake = state.committed, min(after.committed)
            called = mass_beside(stay)
            gone = mass_beside(likely) - called
            # an uncalled bet comes back, and the rest of what was put in before is there to be won
            won = gone * before[opponent] + stake * stakes_won(stay, called, situation.board)
            values[number] = won + (gone + called) * before[situation.seat]  # beside a fold, which is worth nothing
        return acts, values.argmax(axis=0)
