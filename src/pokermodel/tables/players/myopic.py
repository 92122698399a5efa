"""A player for games of any betting structure: it looks no further than the answers to its act."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pokermodel.cards import holding_index
from pokermodel.game import GameSpec
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View
from pokermodel.tables.players.strategies import SizedExpectation
from pokermodel.worth.myopic import DEALS, MyopicAdviser
from pokermodel.worth.worth import Verdict

__all__ = ["MyopicPlayer"]


class MyopicPlayer(Player):
    """Takes the best action if there are no bets after the answer to it.

    It reads its opponents by the adaptive reader, and learns from hand to hand. `pokermodel.worth.myopic` says how
    values are worked out, and what they leave out: it does not see that it may be raised back or bet at later, and it
    does not hide what it holds.

    Parameters
    ----------
    deals : int
        Drawn in decisions with two opponents or more.

    Raises
    ------
    ValueError
        If there are fewer than 2 deals.
    """

    structures = ALL_STRUCTURES

    def __init__(self, deals: int = DEALS) -> None:
        self.adviser = MyopicAdviser(deals)
        self._start: HandStart | None = None

    def strategy(self, name: str, spec: GameSpec) -> Reader | None:
        """Its strategy of heads-up limit towards a stranger; None for other games."""
        from pokermodel.tables.players.myopic_strategy import (
            MyopicStrategy,  # it needs the solver, and playing does not
        )

        if spec.players != 2 or not spec.structure.fixed:
            return None
        return MyopicStrategy(name, make_reader(reader_kinds()["adaptive"]))

    def expectation(self, view: View) -> Expectation | None:
        """Of games between two, with all that was learnt by now."""
        from pokermodel.tables.players.myopic_strategy import MyopicStrategy

        if view.spec.players != 2 or self._start is None:
            return None
        session = self._session(self._start)
        values = self.values(view)
        best = values.best  # with their own holding: where two acts are alike, rounding decides
        spot = session.spot(view)
        amounts = [each.to for each in values.acts if each.to is not None]
        acts, chosen = MyopicStrategy(view.player, session.reader).choices_of_all(spot, amounts)
        chosen[holding_index(view.holding)] = acts.index((best.act, best.to))
        return SizedExpectation.of_acts(view.situation, spot.weights, acts, np.eye(len(acts))[chosen])

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._session(start)  # it learns: it has to be there from the first hand on

    def _session(self, start: HandStart) -> OpponentModeler:
        common = start.common
        return common.session("adaptive", lambda: OpponentModeler("adaptive", common.book, public_models=True))

    def values(self, view: View, also: Iterable[int] = ()) -> Verdict:
        """Its values of its actions.

        Parameters
        ----------
        view : View
            A decision of the hand that has begun.
        also : iterable of int
            The totals of further bets and raises.

        Raises
        ------
        ValueError
            If no hand has begun, or an amount is out of range.
        """
        if self._start is None:
            raise ValueError("no hand has begun: call begin() first")
        session = self._session(self._start)
        return self.adviser.advise(session.spot(view).held(view.holding, view.state), self._start.rng, also=also)

    def act(self, view: View) -> Answer:  # noqa: D102
        best = self.values(view).best
        return Answer(best.act, best.to)
