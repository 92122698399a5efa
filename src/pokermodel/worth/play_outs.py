"""The value of actions when the hand is played out: at any table, in any betting structure, for any reader.

The opponents' holdings are dealt by their tables, the rest of the board is dealt, and everybody else does what the
reader expects of them with the holding that they were dealt (``play_outs.h``). The value of an action is the hero's
part of the pots, less their chips from the decision on. A reader that cannot be asked for one holding at a time
(`Reader.actors`) has its own ranges, and the people in the play-outs act as the default reader expects of strangers.

The hero does not act as expected: a player who knows what the others do has a better play. Their later actions are
found by the play-outs themselves. In some deals the hero tries an action at one later decision, and from there on does
what looks best; the outcome is fitted, for each action and kind of decision, by a function of the few things that they
see there (``later_acts.h``). After every batch of deals the hero does what is worth most by the functions so far:
policy improvement (Howard 1960) by Monte Carlo, with the regression of Longstaff and Schwartz (2001). Two plain rules
are played out beside it on the same deals: to give up at the next bet, and to call everything. An action is worth what
the best of the three gives, so that none is worth less than giving up next.

Actions are valued by the deals in which nothing is tried, and each deal is played by what was learnt before it. So
nothing is chosen by the cards that it is then measured on. For the same reason values are there by halves of the deals:
`Outcome.chosen` is the value by one half, with the rule that is best in it, and `Outcome.measured` is the value of that
rule in the other half.

Every action is played out with the same holdings, the same cards and the same random numbers, so that differences are
known better than values. The hero's share of the pot at a showdown, over the same deals, goes along with what they win
and has a known mean. It is a control variate: what the deals favoured the hero by is taken out. Folds that end the hand
are not drawn (``play_outs.h``).

What is left out: opponents do not adapt to what the hero does now. An earlier way walked a tree of all lines, which
took a gigabyte for a decision between ten players; another let the hero go on as an average person, who loses more
after a call than a fold would have saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from pokermodel._core.play_outs import LATER_BASIS, LATER_KINDS, LaterActs
from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.checks import check_least
from pokermodel.cards import N_HOLDINGS, holding_index
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import Reader, Spot
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.worth.answers import LEAST_PRICE

__all__ = [
    "FOLD_ODDS",
    "LONGEST",
    "NO_RAKE",
    "OF_POT",
    "OWN_SIZE",
    "PLAIN",
    "RAISE_ODDS",
    "LaterRule",
    "Outcome",
    "PlayOuts",
    "Rake",
    "Tilts",
    "along",
    "controlled",
    "joint_draws",
]

#: Acts after which nobody raises any more.
LONGEST = 28
#: What the classes of sizes stand for, by the pot after a call; those of the least and the most are given by the rules.
OF_POT = np.array((0.0, 0.3, 0.5, 0.72, 1.0, 1.7, np.inf))
#: Of the pot after a call, of the hero's later bets and raises.
OWN_SIZE = 0.7
#: By how much logarithms of odds of a fold are off, as a standard deviation: from one cell of street, price and
#: strength to the next, and from one player to the next. Both as ``tools/measure/verdicts.py folds`` finds them in
#: hands of The Big Game, where people differ most (docs/study.md).
_OFF = float(np.hypot(0.25, 0.25))
#: Odds of a fold if the others fold more and less than the reader expects.
FOLD_ODDS = (float(np.exp(_OFF)), float(np.exp(-_OFF)))
#: The same of bets and raises (``tools/measure/verdicts.py raises``), of players before the flop.
_RAISES_OFF = float(np.hypot(0.22, 0.22))
RAISE_ODDS = (float(np.exp(_RAISES_OFF)), float(np.exp(-_RAISES_OFF)))
_ODDS = tuple((fold, 1.0) for fold in FOLD_ODDS), tuple((1.0, raise_) for raise_ in RAISE_ODDS)

_BATCH = 256  # deals between two looks at the error, after which the rule is fitted again
_LEAST_DEALS = 64
_TRIED = 1 / 3  # of the deals in which something is tried
_FORGOTTEN = 0.5  # of what was learnt by the rule before, after a batch
_KEPT = 0.9  # of what was learnt in decisions before, after a decision
_BELIEVED = 150.0  # decisions that the rule of decisions before counts for at most, of each kind and act
_RIDGE = 1.0
_TRIALS = 8_000  # deals of the mean of the control variate, where there are several opponents
_DRAWS = 16  # of what is known of the opponents, together

#: How the opponents' tables are made stronger and weaker, for the error of ranges: logarithms of factors of weights,
#: float64 (1326,) by seat.
Tilts: TypeAlias = "dict[int, Floats]"


class Rake(NamedTuple):
    """The rake of a pot that saw a flop."""

    share: float = 0.0  #: Of the pot.
    cap: float = float("inf")  #: The most, in chips; infinite for none.

    def of(self, pot: float, *, flop: bool = True) -> float:
        """The share of a pot that is taken."""
        return min(self.share, self.cap / pot) if flop and pot > 0 else 0.0


#: No rake.
NO_RAKE = Rake()


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """The value of actions by one method, in chips from the decision on."""

    ev: Floats  #: 0 for a fold.
    errors: Floats  #: Standard errors of differences; on the diagonal those of the values.
    #: `chosen`, `measured`: values by halves, float64 (2, acts): those that choose, and those of the other half.
    chosen: Floats
    measured: Floats
    draws: Floats  #: Values against joint draws of the opponents, float64 (draws, acts), as `joint_draws` has them.
    #: How much more an action is worth if the others fold a standard deviation more than the reader expects.
    answers: Floats
    menu: Floats  #: How much one more size would change.
    deals: int = 0  #: Played out; 0 of a solution.


@cache
def joint_draws(opponents: int) -> Floats:
    """How far off each opponent's range is, in joint draws, and last their folds and raises.

    In standard deviations: float64 (draws, opponents + 2). Columns have a mean of 0 and a deviation of 1, and are the
    same for all decisions.
    """
    rng = np.random.default_rng(7)
    found = np.column_stack([rng.standard_normal((_DRAWS, opponents + 1)), rng.standard_normal(_DRAWS)])
    found -= found.mean(axis=0)
    return found / found.std(axis=0)  # type: ignore[no-any-return]


def along(values: Floats, z: Floats) -> Floats:
    """Values at draws of one range, by those against it a deviation weaker, as it is, and stronger: (3, ...)."""
    by = z.reshape(-1, *(1,) * (values.ndim - 1))
    found: Floats = values[1] + by * (values[2] - values[0]) / 2 + by * by * (values[2] + values[0] - 2 * values[1]) / 2
    return found


class LaterRule:
    """The value of later decisions in the play-outs of decisions before: the rule that the next one begins with."""

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


def _plain(call: float) -> Floats:
    found = np.zeros((LATER_KINDS, 2, LATER_BASIS))
    found[..., 0], found[:, 0, 0] = -1.0, call
    return found


#: Rules that never bet: one gives up at the next bet, the other calls everything.
PLAIN = _plain(-1.0), _plain(1.0)


@cache
def _strangers() -> Reader:
    """The default reader, which has learnt of nobody at a table."""
    return make_reader(reader_kinds()["adaptive"])


class PlayOuts:
    """Play-outs of a decision.

    Raises `ValueError` if the hero's cards or a reader are missing, or no holding is left in a table.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`), with a reader.
    tilts : dict of int to ndarray of float64, shape (1326,)
        By seat of an opponent; those that are not there are not tilted.
    rule : LaterRule, optional
        The rule of the hero's later actions, which learning extends. Default: a new one.
    improved : bool
        Whether the hero's later actions are improved. Otherwise the hero goes on as the reader expects of them, which
        is less noisy where two opponents are compared.
    """

    def __init__(
        self,
        spot: Spot,
        tilts: Tilts | None = None,
        *,
        rake: Rake = NO_RAKE,
        rule: LaterRule | None = None,
        improved: bool = True,
    ) -> None:
        self.improved = improved
        self.own, villains = spot.own_cards, spot.villains()
        self.opponents, self.tables = list(villains), list(villains.values())
        if spot.reader is None:
            raise ValueError("nobody says how players act: expected a spot with a reader")
        self.spot, self.rake, self.rule = spot, rake, LaterRule() if rule is None else rule
        self.tilts = None if tilts is None else [tilts.get(seat, np.zeros(N_HOLDINGS)) for seat in self.opponents]
        actors = spot.reader.actors(spot)
        self._actors = _strangers().actors(spot) if actors is None else actors

    def run(
        self,
        acts: Sequence[tuple[Act, int | None]],
        rng: RandomLike = None,
        *,
        most: int = 2048,
        enough: Callable[[Floats, Floats], bool] | None = None,
    ) -> Outcome:
        """Play actions out.

        Raises `ValueError` if there are too few deals, an act is not legal, or the tables hardly admit a deal.

        Parameters
        ----------
        acts : sequence of (Act, int or None)
            Legal ones, and what bets and raises go to.
        most : int
            Deals, 64 at least. They come in batches of 256, 512 if nothing is improved, or in two halves.
        enough : callable, optional
            Given the values so far and the standard errors of their differences, whether they do; asked after every
            batch from the second one on.
        """
        check_least("most", most, _LEAST_DEALS)
        generator = np.random.default_rng(as_seed_sequence(rng))
        spot, situation, n_acts = self.spot, self.spot.situation, len(acts)
        history, raiser = BettingHistory(len(situation.players)), -1
        for decision in spot.acts:
            history.add(decision)
            raiser = decision.situation.seat if decision.act == Act.RAISE else raiser
        dealer = Dealer(self.tables, situation.board, self.own, rng=generator)
        key = int(generator.integers(1 << 63))
        played = [(int(act), to) for act, to in acts]
        mine = np.zeros(N_HOLDINGS)
        mine[holding_index(self.own)] = 1.0
        # the mean of the control variate: the share of the pot that is won if nobody folds
        share = float(equity([mine, *self.tables], situation.board, trials=_TRIALS, rng=0, jobs=1).equity[0])
        costs = 0.0 - np.array([self._cost(*each) for each in acts])
        later, rules = LaterActs(OWN_SIZE), [LaterActs(OWN_SIZE) for _ in PLAIN if self.improved]
        for each, worth in zip(rules, PLAIN, strict=False):
            each.decide(worth)
        if not self.rule.empty:
            later.decide(self.rule.fitted(later))
        sums = np.empty(
            (0, 2 + (1 + len(rules)) * n_acts)
        )  # of each deal: weight, and times that control and acts by rule
        held = np.empty((0, len(self.opponents)), dtype=np.intp)
        answers = np.zeros((2, 1 + n_acts))  # of folds and raises: weights, and these times what acts are worth more
        actors = self._actors
        assert actors is not None
        batch, number, found = min(_BATCH if self.improved else 2 * _BATCH, most // 2), 0, None

        def play(
            chosen: np.ndarray, rule: LaterActs, tried: np.ndarray, folds: float = 1.0, raises: float = 1.0
        ) -> Floats:
            values: Floats = actors.play(
                spot.state,
                history,
                played,
                boards[chosen],
                holdings[chosen],
                np.arange(number, number + len(boards), dtype=np.uint64)[chosen],
                key,
                LONGEST,
                LEAST_PRICE,
                OF_POT,
                self.rake.share,
                self.rake.cap,
                folds,
                raises,
                later=rule if self.improved else None,
                explore=tried[chosen],
                weights=(weights / max(float(weights.mean()), 1e-300))[chosen],
                raiser=raiser,
            )
            return values

        while number + batch <= most:
            dealt = dealer.deal(batch)
            there = dealt.weights > 0.0  # where not, no deal was found
            n, weights = int(there.sum()), dealt.weights[there]
            boards = np.ascontiguousarray(dealt.boards[there])
            high, low = (dealt.holdings[there, :, k].astype(np.intp) for k in (0, 1))
            holdings = np.zeros((n, len(situation.players)), dtype=np.int16)
            holdings[:, self.opponents] = high * (high - 1) // 2 + low
            holdings[:, situation.seat] = holding_index(self.own)
            tried = np.where(
                generator.random(n) < (_TRIED if self.improved else 0.0), generator.geometric(0.5, n) - 1, -1
            )
            tried = np.clip(tried, -1, 100).astype(np.int8)
            known, measured = bool(number) or not (self.improved and self.rule.empty), np.flatnonzero(tried < 0)
            values = play(np.arange(n), later, tried)[measured]
            if known and len(measured):
                others = [play(measured, rule, tried)[:, 1:] for rule in rules]
                table = np.column_stack([np.ones(len(measured)), values, *others])
                sums = np.concatenate([sums, weights[measured, None] * table])
                held = np.concatenate([held, holdings[measured][:, self.opponents]])
                if not answers[0, 0] or self.tilts is None:  # one batch says enough of an error among others
                    scratch = LaterActs(OWN_SIZE)
                    scratch.decide(self.rule.fitted(later))
                    for of, odds in zip(answers, _ODDS[:1] if answers[1, 0] else _ODDS, strict=False):
                        more, less = (play(measured, scratch, tried, *each)[:, 1:] for each in odds)
                        of[0] += weights[measured].sum()
                        of[1:] += (weights[measured, None] * (more - less) / 2).sum(axis=0)
            number += batch
            later.decide(self.rule.fitted(later))
            if known:
                found, behind = _settled(sums, share, costs)
                if enough is not None and number > batch and enough(*found[:2]):
                    break
                if number + batch <= most and behind.any():  # rules that are worse for every action are left
                    sums = sums[:, [True, True, *np.repeat(~behind, n_acts)]]
                    rules = [rule for rule, worse in zip(rules, behind[1:], strict=True) if not worse]
            if number + batch <= most:
                later.gram[:] *= 1.0 - _FORGOTTEN
                later.moment[:] *= 1.0 - _FORGOTTEN
        self.rule.learn(later)
        assert found is not None
        ev, errors, chosen, measured_evs, best = found
        more = answers[:, 1:] / np.maximum(answers[:, :1], 1e-300)
        draws = ev + self._moved(sums[:, [0, *(2 + best)]], held) + joint_draws(len(self.opponents))[:, -2:] @ more
        return Outcome(ev, errors, chosen, measured_evs, draws, more[0], np.zeros(n_acts), number)

    def _cost(self, act: Act, to: int | None) -> int:
        """What an action puts in: nobody loses more who gives up afterwards."""
        return 0 if act == Act.FOLD else self.spot.state.copy().act(act, to)

    def _moved(self, sums: Floats, held: np.ndarray) -> Floats:
        """How values move with joint draws of the opponents' ranges: float64 (draws, acts).

        The deals are the same, with other weights, so that nothing but the ranges differs.
        """
        if self.tilts is None:
            return np.zeros((_DRAWS, sums.shape[1] - 1))
        z = joint_draws(len(self.opponents))
        up = sum(tilt[held[:, k], None] * z[:, k] for k, tilt in enumerate(self.tilts))
        totals = (np.exp(up)[:, :, None] * sums[:, None, :]).sum(axis=0)
        plain = sums.sum(axis=0)
        return totals[:, 1:] / totals[:, :1] - plain[1:] / plain[0]  # type: ignore[no-any-return]


def _settled(
    sums: Floats, share: float, costs: Floats
) -> tuple[tuple[Floats, Floats, Floats, Floats, np.ndarray], Bools]:
    """Values with the best rule for each action, errors of differences, values by halves, and columns of the rules.

    And which rules are behind another one for every action by four standard errors; the first one never is.
    """
    n, each = len(costs), np.arange(len(costs))
    values, errors = controlled(sums, share)
    best = values.reshape(-1, n).argmax(axis=0) * n + each
    halves = [controlled(sums[k::2], share)[0] for k in (0, 1)]
    ruled = [half.reshape(-1, n).argmax(axis=0) * n + each for half in halves]
    chosen = np.array([halves[k][ruled[k]] for k in (0, 1)])
    measured = np.array([halves[1 - k][ruled[k]] for k in (0, 1)])
    found = [np.maximum(some, costs) for some in (values[best], chosen, measured)]
    rows = np.arange(len(values)).reshape(-1, n)
    behind = ((values[best] - values[rows] >= 4.0 * errors[best, rows]) & (rows != best)).all(axis=1)
    behind[0] = False
    return (found[0], errors[np.ix_(best, best)], found[1], found[2], best), behind


def controlled(sums: Floats, mean: float) -> tuple[Floats, Floats]:
    """Means over clusters of deals, corrected by the control variate, and standard errors of differences.

    Raises `ValueError` if no cluster has a weight.

    Parameters
    ----------
    sums : ndarray of float64, shape (clusters, 2 + acts)
        For each cluster its weight, then the control variate and the worth of each act, both times the weight.

    Returns
    -------
    errors : ndarray of float64, shape (acts, acts)
        On the diagonal those of the values.
    """
    sums = sums[sums[:, 0] > 0.0]
    if not len(sums):
        raise ValueError("the tables hardly admit a deal")
    weights = sums[:, 0]
    shares = weights / weights.sum()
    each = sums[:, 1:] / weights[:, None]
    means = (shares[:, None] * each).sum(axis=0)
    away = each - means
    spread = float((shares * away[:, 0] ** 2).sum())
    slopes = (shares[:, None] * away[:, :1] * away[:, 1:]).sum(axis=0) / spread if spread > 1e-12 else 0.0
    ev = means[1:] - slopes * (means[0] - mean)
    residuals = away[:, 1:] - slopes * away[:, :1]
    n = len(shares)
    pairs = residuals[:, :, None] - residuals[:, None, :]
    index = np.arange(len(ev))
    pairs[:, index, index] = residuals
    errors = np.sqrt((shares[:, None, None] ** 2 * pairs**2).sum(axis=0) * n / max(n - 2, 1))
    return ev, errors
