"""A showdown without further bets: what the hero's cards win against the others' ranges, and how far that may be off.

One opponent is counted out. Against more, deals are drawn once and serve every pot, since side pots have other seats.
The others' ranges are looked at as the reader says, and a standard deviation weaker and stronger (`range_tilts`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, holding_index
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.preflop import income_shares
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act
from pokermodel.game.pots import pots
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot
from pokermodel.worth.play_outs import NO_RAKE, Rake, Tilts, along, joint_draws

__all__ = ["Call", "Showdown", "range_tilts"]

#: One standard deviation of a range, as the logarithm of how much likelier the strongest holdings are and the weakest
#: unlikelier, for an opponent who has acted once; it grows with the root of their acts.
_TILT = 0.35
_MOST_ACTS = 6
_DEALS = 20_000  # of an all-in against several


class Call(NamedTuple):
    """The worth of a call that ends all betting, in chips."""

    ev: float
    draws: Floats  #: Against joint draws of the opponents' ranges, as `joint_draws` has them: float64 (draws,).
    error: float  #: The standard error of the deals; 0 where it is counted out.


def range_tilts(spot: Spot) -> Tilts:
    """How far the opponents' ranges may be off: a standard deviation, as logarithms of factors of weights.

    A reader whose likelihoods are off is off in one direction mostly: who bets has stronger or weaker hands than it
    says. So a range is made stronger or weaker as a whole, by the strength of each holding among all, and the more, the
    more acts of the player it was made of.

    Parameters
    ----------
    spot : Spot
        Of the hero.

    Returns
    -------
    dict of int to ndarray of float64, shape (1326,)
        By seat.
    """
    situation = spot.situation
    strengths = shared_analysis(situation.board).uniform_strengths if situation.board else income_shares()
    place = 2.0 * np.nan_to_num(strengths, nan=0.5) - 1.0
    found: Tilts = {}
    for seat in situation.active:
        if seat != situation.seat:
            acts = sum(each.seat == seat for each in spot.acts)
            found[seat] = _TILT * math.sqrt(min(acts, _MOST_ACTS)) * place
    return found


class Showdown:
    """The hero's cards against what the others can hold, without further betting.

    Parameters
    ----------
    spot : Spot
        Of the hero, who knows their cards (`Spot.held`).
    villains : dict of int to ndarray of float64, shape (1326,)
        As `Spot.villains` has them.
    rake : Rake
        The rake.
    rng : int, Generator, SeedSequence or None
        Of the deals against several opponents.

    Attributes
    ----------
    tilts : dict of int to ndarray of float64, shape (1326,)
        As `range_tilts` has them.
    seats : list of int
        The opponents who are in.

    Raises
    ------
    ValueError
        If the hero's cards are missing.
    """

    def __init__(
        self, spot: Spot, villains: Mapping[int, Floats], rake: Rake = NO_RAKE, rng: RandomLike = None
    ) -> None:
        self.spot, self.own, self.rake = spot, spot.own_cards, rake
        self.tilts = range_tilts(spot)
        self.seats, self.tables = list(villains), list(villains.values())
        self._ranks: Any = None
        self._weights: list[Floats] = []
        if len(self.seats) > 1:
            self._deal(rng)

    def _deal(self, rng: RandomLike) -> None:
        situation = self.spot.situation
        dealt = Dealer(self.tables, situation.board, self.own, rng=rng).deal(_DEALS)
        players = len(self.seats)
        hands = np.empty((_DEALS, players + 1, 7), np.uint8)
        hands[:, :, :5] = dealt.boards[:, None, :]
        hands[:, :players, 5:] = dealt.holdings
        hands[:, players, 5:] = self.own
        self._ranks = evaluate_many(hands.reshape(-1, 7)).reshape(_DEALS, players + 1).astype(np.int64)
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        held = high * (high - 1) // 2 + low
        z = joint_draws(players)
        up = np.asarray(sum(z[:, k, None] * self.tilts[seat][held[:, k]] for k, seat in enumerate(self.seats)))
        self._weights = [dealt.weights, *(dealt.weights * np.exp(each) for each in up)]

    def shares(self, seats: Sequence[int]) -> tuple[Floats, float]:
        """The hero's share of a pot for which these opponents compete.

        Parameters
        ----------
        seats : sequence of int
            Some of `seats`; with one opponent they are not looked at.

        Returns
        -------
        shares : ndarray of float64, shape (1 + draws,)
            Against the ranges as they are, and against joint draws of them.
        error : float
            The standard error of the deals.
        """
        if self._ranks is None:
            mine = np.zeros(N_HOLDINGS)
            mine[holding_index(self.own)] = 1.0
            up = self.tilts[self.seats[0]]
            found = []
            for z in (-1.0, 0.0, 1.0):
                table = self.tables[0] * np.exp(z * up)
                board = self.spot.situation.board
                if board:
                    win, tie, _ = shared_analysis(board).showdowns(mine, table)
                    found.append(win + tie / 2)
                else:
                    found.append(float(equity([mine, table], jobs=1).equity[0]))
            return np.array([found[1], *along(np.array(found), joint_draws(1)[:, 0])]), 0.0
        columns = [self.seats.index(seat) for seat in seats] + [len(self.seats)]
        of = self._ranks[:, columns]
        best = of.max(axis=1)
        won = np.where(of[:, -1] == best, 1.0 / (of == best[:, None]).sum(axis=1), 0.0)
        # no products of vectors by BLAS, whose bits depend on the number of its threads
        means = np.array([float((weights * won).sum() / weights.sum()) for weights in self._weights])
        weights = self._weights[0]
        error = math.sqrt(float(((weights * (won - means[0])) ** 2).sum())) / float(weights.sum())
        return means, error

    def share(self) -> float:
        """The hero's share of the pot against all."""
        return float(self.shares(self.seats)[0][0])

    def call(self) -> Call | None:
        """The worth of a check or call; None if somebody can bet after it."""
        situation = self.spot.situation
        end = self.spot.state.copy()
        put_in = end.act(Act.CALL)
        if not end.over or not end.showdown:
            return None
        kept = 1.0 - self.rake.of(sum(end.committed))
        won, error = np.full(1 + len(joint_draws(1)), -float(put_in)), 0.0
        for pot in pots(end):
            if situation.seat not in pot.seats:
                continue
            others = [seat for seat in pot.seats if seat != situation.seat]
            if not others:
                won += pot.chips
                continue
            shares, of = self.shares(others)
            won += kept * pot.chips * shares
            error += kept * pot.chips * of
        return Call(float(won[0]), won[1:], error)
