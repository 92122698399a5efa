"""Another model's forecasts, corrected by what came of its earlier ones.

A model can be right about the order of things, which holdings are likelier and which situations are more dangerous,
and yet be far too sure. Its forecasts then want an exponent, and its predictions a factor for each act besides. Both
are learnt, hand by hand, from what is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel._arrays import Floats
from pokermodel.cards import holding_index, live_holdings
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.reading.parts.frequencies import Context
from pokermodel.scoring.forecaster import Forecaster

__all__ = ["EVERY", "Calibrated"]


#: Of so many hands that are only learnt from, one is used to correct.
EVERY = 4
_LEAST = 0.01  # of a prediction: what is held less likely counts as that
_PRIOR = np.diag([10.0, 2.0, 2.0, 2.0])  # how sure it is at first that nothing is to be corrected
_TABLE_PRIOR = 100.0
_MOST = 2.0  # exponent of a table


class _Made(NamedTuple):
    """What the model said around one decision."""

    decision: Decision
    predicted: Floats | None
    table: Floats | None  # 0 for holdings that meet the board


class Calibrated:
    """A forecaster that corrects those of another.

    A prediction p becomes proportional to ``exp(b) * p**w``: the exponent w and the three b are those of one of
    Loki-1's twelve contexts, by logistic regression on all actions so far (after Platt 1999). A table becomes
    ``table**t``, with an exponent for each round, by maximum likelihood of the holdings shown so far (after Guo
    et al. 2017). Every observation is one Newton step with the information gathered up to it, so that there is no
    rate of learning to choose and nothing to be kept but sums.

    Parameters
    ----------
    inner : Forecaster
        The other one. For hands that are only learnt from it has to be asked, too, which takes as long as to score
        them.
    every : int
        It is asked about one of so many of these.

    Raises
    ------
    ValueError
        If `every` is less than 1.

    Attributes
    ----------
    inner, every
        As given.
    """

    def __init__(self, inner: Forecaster, every: int = EVERY) -> None:
        if every < 1:
            raise ValueError(f"every must be 1 or more hands, got {every}")
        self.inner = inner
        self.every = every
        self._theta = np.tile([1.0, 0.0, 0.0, 0.0], (4, 3, 1))  # w, b
        self._information = np.tile(_PRIOR, (4, 3, 1, 1))
        self._exponent = np.ones(4)
        self._table_information = np.full(4, _TABLE_PRIOR)
        self._made: list[_Made] = []
        self._predicted: Floats | None = None
        self._passed = 0  # hands not asked about since the last one

    @property
    def exponents(self) -> Floats:
        """The w: float64 (4, 3), by round and bets to call (0, 1, 2 or more)."""
        return self._theta[:, :, 0].copy()

    @property
    def factors(self) -> Floats:
        """The ``exp(b)`` of fold, call and raise: float64 (4, 3, 3), likewise."""
        factors: Floats = np.exp(self._theta[:, :, 1:])
        return factors

    @property
    def table_exponents(self) -> Floats:
        """The t: float64 (4,), by round."""
        return self._exponent.copy()

    def start(self, spec: GameSpec, players: Sequence[str]) -> None:
        """Begin a hand."""
        self._made.clear()
        self._predicted = None
        self.inner.start(spec, players)

    def predict(self, situation: Situation) -> Floats | None:
        """What the other one predicts, corrected."""
        predicted = self.inner.predict(situation)
        self._predicted = predicted
        if predicted is None:
            return None
        legal = list(situation.legal)
        chances = np.zeros(3)
        design = _design(predicted, legal)
        chances[legal] = _softmax(design @ self._theta[Context.of(situation.round, situation.bets_to_call)])
        return chances

    def observe(self, decision: Decision) -> None:
        """See what was done."""
        self.inner.observe(decision)
        self._made.append(_Made(decision, self._predicted, _live(self.inner.table(decision.seat), decision)))
        self._predicted = None

    def table(self, seat: int) -> Floats | None:
        """What the other one says, corrected."""
        last = self._made[-1] if self._made else None
        if last is not None and last.decision.seat == seat:
            table = last.table
        else:
            table = _live(self.inner.table(seat), last and last.decision)
        if table is None:
            return None
        corrected: Floats = (table / table.max()) ** self._exponent[0 if last is None else last.decision.round]
        return corrected

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn what is to be corrected, and let the other one learn."""
        if not self._made:
            self._passed += 1
            if self._passed == self.every:
                self._walk(hand, decisions)
                self._passed = 0
        for decision, predicted, table in self._made:
            if predicted is not None:
                self._learn_action(decision, predicted)
            if table is not None and decision.seat in hand.holdings:
                self._learn_table(decision.round, table, holding_index(hand.holdings[decision.seat]))
        self._made.clear()
        self.inner.learn(hand, decisions)

    def _walk(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Ask the other one about a hand that is not scored."""
        self.start(hand.spec, hand.players)
        for decision in decisions:
            if decision.act in decision.legal and not decision.out_of_turn:
                self._predicted = self.inner.predict(decision.situation)
            self.observe(decision)

    def _learn_action(self, decision: Decision, predicted: Floats) -> None:
        context = Context.of(decision.round, decision.bets_to_call)
        legal = list(decision.legal)
        design = _design(predicted, legal)
        chances = _softmax(design @ self._theta[context])
        off = -chances
        off[legal.index(decision.act)] += 1.0
        information = self._information[context]
        information += (design.T * chances) @ design - np.outer(chances @ design, chances @ design)
        self._theta[context] += np.linalg.solve(information, off @ design)

    def _learn_table(self, round: int, table: Floats, holding: int) -> None:
        if not table[holding] > 0:
            return  # no exponent mends that
        logs = np.log(table[table > 0])
        chances = _softmax(self._exponent[round] * logs)
        mean = float(chances @ logs)
        self._table_information[round] += float(chances @ logs**2) - mean * mean
        step = (float(np.log(table[holding])) - mean) / self._table_information[round]
        self._exponent[round] = min(max(self._exponent[round] + step, 0.0), _MOST)


def _live(table: Floats | None, decision: Decision | None) -> Floats | None:
    """A table without the holdings that meet the board of a decision: whatever is said of them does not count."""
    if table is None or decision is None:
        return table
    return np.where(live_holdings(decision.board), table, 0.0)


def _design(predicted: Floats, legal: list[Act]) -> Floats:
    """The regressors of each legal act, whose parameters are w and three b: shape (legal, 4)."""
    design = np.zeros((len(legal), 4))
    chances = np.asarray(predicted, dtype=np.float64)[legal]
    design[:, 0] = np.log(np.maximum(chances / max(chances.sum(), 1e-300), _LEAST))
    design[range(len(legal)), [1 + act for act in legal]] = 1.0
    return design


def _softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max())
    shares: Floats = powers / powers.sum()
    return shares
