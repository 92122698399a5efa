"""The Bayesian Poker Program at a hold'em table.

Before the flop it plays as Loki-1. After it, it acts by its probability of winning at the showdown. This is the
probability of its holding against the range of each opponent (`pokermodel.classics.bpp.class_tables.BayesTables`), over
all cards to come, multiplied over the opponents. The decision network (Carlton 2000, for one opponent) is extended to n
opponents, who are all assumed to stay::

    pass (check, call)   p*F - b      b: what it will pay from now on, F: the pot in the end
    bet (raise)          p*(F + (n+1)*u) - (b + u)
    fold                 0

Here u is the bet of the round, and in later rounds all players pay the same number of bets. Folds to a bet are not in
it, as in the original, which bluffed instead: in the last round, with a small probability and any hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from pokermodel.cards import N_HOLDINGS, holding_index
from pokermodel.classics.bpp.class_tables import Estimator
from pokermodel.classics.loki1.player import Loki1
from pokermodel.game import Act
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import HandStart, Player, View

__all__ = ["ActValues", "BppPlayer", "BppRule", "act_values"]

#: How expected winnings become an act: the best one, or by a draw.
BppRule: TypeAlias = Literal["deterministic", "randomised"]


@dataclass(frozen=True, slots=True)
class ActValues:
    """The value of the acts of a decision.

    Attributes
    ----------
    win : float
        Probability of winning at the showdown, ties half.
    passing, betting : float
        Expected winnings of check or call, and of bet or raise, in chips from now on; a fold is worth 0.
    """

    win: float
    passing: float
    betting: float


def act_values(view: View, win: float, later: float) -> ActValues:
    """The value of the acts of a decision by the decision network.

    Parameters
    ----------
    view : View
        The situation, after the flop or before it.
    win : float
        Probability of winning at the showdown if all who are in stay.
    later : float
        Bets that everybody pays in each later round.
    """
    stay = len(view.active)
    rest = later * sum(view.spec.bets[view.round + 1 :])
    level = max(view.committed)
    owed = sum(level - view.committed[seat] for seat in view.opponents)
    pot = view.pot + view.to_call + owed + stay * rest
    pays = view.to_call + rest
    unit = view.bet_size
    return ActValues(win, win * pot - pays, win * (pot + stay * unit) - pays - unit)


def _chance(gain: float) -> float:
    """1 of a large gain, 0 of a large loss."""
    return 1 / (1 + math.exp(-min(max(gain, -700.0), 700.0)))


@dataclass(eq=False)
class BppPlayer(Player):
    """BPP at a table. It learns its opponents from game to game.

    Attributes
    ----------
    rule : {"deterministic", "randomised"}
        The best act, or a draw in two stages: whether to fold, then whether to bet.
    sharpness : float
        Of the draw: how fast a gain of one bet decides it.
    later : float
        Bets expected in each later round.
    bluffs : float
        How often it bets or raises at its first decision of the last round with any hand.
    estimator, decay
        How it learns: as `BayesTables`.
    style : dict
        Before the flop: as `Loki1`.

    Raises
    ------
    ValueError
        If a choice is unknown or a number out of range.
    """

    rule: BppRule = "deterministic"
    sharpness: float = 2.0
    later: float = 0.6
    bluffs: float = 0.05
    estimator: Estimator = "em"
    decay: float = 1.0
    style: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.rule not in get_args(BppRule):
            raise ValueError(f"unknown rule {self.rule!r}: expected one of {', '.join(get_args(BppRule))}")
        for name, value, most in (
            ("sharpness", self.sharpness, math.inf),
            ("later", self.later, 4.0),
            ("bluffs", self.bluffs, 1.0),
        ):
            if not 0 <= value <= most:
                raise ValueError(f"{name} must be 0 to {most:g}, got {value}")
        self._loki = Loki1(**self.style)
        self._session()  # wrong options are refused here
        self._start: HandStart | None = None
        self._bluffed = False

    def _session(self, book: Mapping[str, Any] | None = None) -> OpponentModeler:
        return OpponentModeler("bpp", book, public_models=True, estimator=self.estimator, decay=self.decay)

    def _shared(self, start: HandStart) -> OpponentModeler:
        # Public: its own cards are ruled out when they are compared with those of others.
        key = "bpp", self.estimator, self.decay
        return start.common.session(key, lambda: self._session(start.common.book))

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._bluffed = False
        self._loki.begin()
        self._shared(start)  # has to be there from the first hand on

    def act(self, view: View) -> Act:  # noqa: D102
        assert self._start is not None
        session = self._shared(self._start)
        if view.round == 0:
            return self._loki.choose(view.situation, view.holding).act
        session.deal(view.board)
        can_bet = Act.RAISE in view.legal
        if view.round == 3 and not self._bluffed:
            self._bluffed = True
            if self._start.rng.random() < self.bluffs and can_bet:
                return Act.RAISE
        worth = act_values(view, self.win(view, session), self.later)
        unit = view.bet_size
        gain, more = worth.passing / unit, (worth.betting - worth.passing) / unit
        if self.rule == "deterministic":
            if can_bet and more > 0 and worth.betting > 0:
                return Act.RAISE
            return Act.CALL if gain > 0 or not view.to_call else Act.FOLD
        folds = 1 - _chance(self.sharpness * gain) if view.to_call else 0.0
        bets = _chance(self.sharpness * more) if can_bet else 0.0
        drawn = float(self._start.rng.random())
        if drawn < folds:
            return Act.FOLD
        return Act.RAISE if drawn < folds + (1 - folds) * bets else Act.CALL

    @staticmethod
    def win(view: View, session: OpponentModeler) -> float:
        """Probability of winning against all who are in, ties half, as if they held their cards independently."""
        analysis = session.tables.analysis
        assert analysis is not None
        own = np.zeros(N_HOLDINGS)
        own[holding_index(view.holding)] = 1.0
        chance = 1.0
        for seat in view.opponents:
            win, tie, _ = analysis.showdowns(own, session.weights(seat))
            chance *= win + tie / 2
        return chance
