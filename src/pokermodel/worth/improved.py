"""Play-outs in which the hero's later acts are improved: at any table, in any betting structure.

As in `pokermodel.worth.play_outs`, the opponents' holdings are dealt by their tables, the rest of the board is
dealt, and everybody else does what the reader expects of them. The hero does not: a player who knows what the others do
has no reason to act as the reader would expect of them. Their later acts are found by the play-outs themselves. In some
deals the hero tries an act at one later decision, and from there on does what looks best; what that came to is fitted,
for each act and kind of decision, by a function of the few things that they see there (``later_acts.h``). After every
batch of deals the hero does what is worth most by the functions so far: policy improvement (Howard 1960) by Monte
Carlo, with the regression of Longstaff and Schwartz (2001).

Acts are valued by the deals in which nothing is tried, and each deal is played by what was learnt before it. So nothing
is chosen by the cards that it is then measured on: what is hidden from the hero stays hidden, and an act is worth what
the hero gets by a rule that they could follow, which is no more than they could get.

What is learnt in one decision is a good beginning in the next one: `LaterRule` keeps it. Without it the beginning is
what the reader expects of the hero, and then what an act is worth against random hands if nobody bets again.

An earlier way was to walk a tree of all lines, and to do at each of the hero's nodes what was best in the deals that
came there, if nobody bet any more. It kept a strategy of all holdings at each node, up to a gigabyte for a decision
between ten players, and had to leave out what comes after the flop in decisions before it.

What is left out: opponents do not adapt to what the hero does now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pokermodel._core.play_outs import LATER_BASIS, LATER_KINDS, LaterActs
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel.cards import holding_index
from pokermodel.evaluation.dealing import Dealer
from pokermodel.game import Act
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import Spot
from pokermodel.worth.answers import LEAST_PRICE
from pokermodel.worth.play_outs import LONGEST, NO_RAKE, OF_POT, Outcome, controlled, mean_share

__all__ = ["ImprovedPlayOuts", "LaterRule"]

_BATCH = 256  # deals between two looks at the error, after which the rule is fitted again
_TRIED = 1 / 3  # of the deals in which something is tried
_FORGOTTEN = 0.5  # of what was learnt by the rule before, after a batch
_KEPT = 0.9  # of what was learnt in decisions before, after a decision
_BELIEVED = 150.0  # decisions that the rule of decisions before counts for at most, of each kind and act
_RIDGE = 1.0
_TRIALS = 8_000  # deals of the mean of the control variate, where there are several opponents
_OWN_SIZE = 0.7  # of the pot after a call, of the hero's later bets and raises


class LaterRule:
    """What later decisions were worth in the play-outs of decisions before: the rule that the next one begins with."""

    def __init__(self) -> None:
        shape = LATER_KINDS, 2, LATER_BASIS
        self._gram, self._moment = np.zeros((*shape, LATER_BASIS)), np.zeros(shape)
        # nobody bets any more, and everybody has a random hand: the share of the pot that is won, less the price
        self._simple = np.zeros(shape)
        self._simple[..., 2], self._simple[..., 5] = 1.0, -1.0

    @property
    def empty(self) -> bool:
        """Whether nothing was learnt."""
        return not self._gram.any()

    def fitted(self, later: LaterActs) -> Floats:
        """Coefficients by what was learnt before and is learnt now: float64 (kinds, 2, basis)."""
        count = self._gram[..., 0, 0]
        scale = np.minimum(1.0, _BELIEVED / np.maximum(count, 1e-9))
        gram = later.gram + scale[..., None, None] * self._gram + _RIDGE * np.eye(LATER_BASIS)
        moment = later.moment + scale[..., None] * self._moment + _RIDGE * self._simple
        found = np.linalg.solve(gram, moment[..., None])[..., 0]
        return np.ascontiguousarray(found, dtype=np.float64)

    def learn(self, later: LaterActs) -> None:
        """Take in what was learnt in a decision."""
        self._gram = _KEPT * self._gram + later.gram
        self._moment = _KEPT * self._moment + later.moment


class ImprovedPlayOuts:
    """Play-outs of a decision in which the hero's later acts are improved.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`), with a reader that can be asked for one holding
        at a time (`Reader.actors`), as the adaptive one.
    rule : LaterRule, optional
        What the hero's later acts begin with, and what is learnt is added to. Default: a new one.

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, the reader cannot be asked so, or no holding is left in a table.
    """

    def __init__(self, spot: Spot, rule: LaterRule | None = None) -> None:
        self.own, villains = spot.own_cards, spot.villains()
        self.opponents, self.tables = list(villains), list(villains.values())
        if spot.reader is None:
            raise ValueError("nobody says how players act: expected a spot with a reader")
        actors = spot.reader.actors(spot)
        if actors is None:
            raise ValueError(
                f"the reader {type(spot.reader).__name__} cannot be played out for one holding at a time: "
                "expected one with `actors`, as the adaptive reader"
            )
        self.spot, self.rule, self._actors = spot, LaterRule() if rule is None else rule, actors

    def run(
        self,
        acts: Sequence[tuple[Act, int | None]],
        rng: RandomLike = None,
        *,
        most: int = 2048,
        enough: Callable[[Floats, Floats], bool] | None = None,
    ) -> Outcome:
        """Play acts out.

        Parameters
        ----------
        acts : sequence of (Act, int or None)
            Legal ones, and what bets and raises go to.
        most : int
            Deals, 512 at least.
        enough : callable, optional
            Given the values so far and the standard errors of their differences, whether they do; asked after every
            256 deals from the second time on.

        Raises
        ------
        ValueError
            If there are too few deals, an act is not legal, or the tables hardly admit a deal.
        """
        check_least("most", most, 2 * _BATCH)
        generator = np.random.default_rng(as_seed_sequence(rng))
        spot, situation = self.spot, self.spot.situation
        history = BettingHistory(len(situation.players))
        raiser = -1
        for decision in spot.acts:
            history.add(decision)
            raiser = decision.situation.seat if decision.act == Act.RAISE else raiser
        dealer = Dealer(self.tables, situation.board, self.own, rng=generator)
        key = int(generator.integers(1 << 63))
        played = [(int(act), to) for act, to in acts]
        share = mean_share(self.own, self.tables, situation.board, _TRIALS)
        later = LaterActs(_OWN_SIZE)
        if not self.rule.empty:
            later.decide(self.rule.fitted(later))
        sums = np.empty((0, 2 + len(acts)))  # of each deal: weight, and times that control and acts
        number, ev, errors = 0, np.zeros(len(acts)), np.zeros((len(acts),) * 2)
        while number + _BATCH <= most:
            dealt = dealer.deal(_BATCH)
            there = dealt.weights > 0.0  # where not, no deal was found
            n = int(there.sum())
            holdings = np.zeros((n, len(situation.players)), dtype=np.int16)
            high, low = (dealt.holdings[there, :, k].astype(np.int16) for k in (0, 1))
            holdings[:, self.opponents] = high * (high - 1) // 2 + low
            holdings[:, situation.seat] = holding_index(self.own)
            tried = np.where(generator.random(n) < _TRIED, generator.geometric(0.5, n) - 1, -1)
            weights = dealt.weights[there]
            values = self._actors.play(
                *(spot.state, history, played, np.ascontiguousarray(dealt.boards[there]), holdings),
                np.arange(number, number + n, dtype=np.uint64),
                key,
                LONGEST,
                LEAST_PRICE,
                OF_POT,
                *NO_RAKE,
                later=later,
                explore=np.clip(tried, -1, 100).astype(np.int8),
                weights=weights / max(float(weights.mean()), 1e-300) if n else weights,
                raiser=raiser,
            )
            if number or not self.rule.empty:
                counted = tried < 0
                table = np.column_stack([np.ones(n), values])[counted]
                sums = np.concatenate([sums, weights[counted, None] * table])
            number += _BATCH
            later.decide(self.rule.fitted(later))
            if number > _BATCH:
                ev, errors = controlled(sums, share)
                if enough is not None and enough(ev, errors):
                    break
            if number + _BATCH <= most:
                later.gram[:] *= 1.0 - _FORGOTTEN
                later.moment[:] *= 1.0 - _FORGOTTEN
        self.rule.learn(later)
        none = np.zeros(len(acts))
        return Outcome(ev, errors, ev, ev, none, none, number)
