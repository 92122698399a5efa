"""The value of acts if all betting ends with the answers to an act: myopic, but for bets of any size.

The opponents who are still to act answer an act of the hero's, a check or call as well as a bet or raise. The reader
gives the probability of a fold with each holding, in the situation after the action. Who does not fold calls. No
betting comes after that: the rest of the board is dealt, and the best hand wins. The value of an action is the hero's
part of the pots, less the chips of the action; a fold has 0.

Left out are:

- There are no raises back and no bets to come: draws win nothing more when they get there, and bluffs cost nothing
  more when they are called. Acts that end the betting look better than they are.
- An opponent answers as if those who answered before had folded, whether they did or not.
- An act says nothing of the hero's own hand beyond what the reader makes of the betting.

With one opponent the values are exact, given their table. With more, holdings and boards are dealt by the tables, the
same ones for every act; the answers are not drawn, but weighted by their probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel.cards import N_HOLDINGS, holding_index
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Decision, Situation
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Reader, Spot
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.answers import SIZES, answer, raise_sizes
from pokermodel.worth.worth import Verdict, Worth

__all__ = ["MyopicAdviser", "myopic_verdict"]

#: Deals where there are several opponents.
DEALS = 2000
_SURE = 2.0  # standard errors of an error


def myopic_verdict(
    spot: Spot,
    *,
    sizes: Iterable[float] = SIZES,
    also: Iterable[int] = (),
    deals: int = DEALS,
    rng: RandomLike = None,
) -> Verdict:
    """The value of the actions of a decision if all betting ends with the answers to them.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`). Its reader says how the others answer.
    sizes : iterable of float
        Of bets and raises, as for `raise_sizes`.
    also : iterable of int
        Further amounts that bets and raises go to, within the range of raises.
    deals : int
        Drawn where there are two opponents or more, 2 at least.
    rng : int, Generator, SeedSequence or None
        By which they are drawn.

    Returns
    -------
    Verdict
        Errors are two standard errors; 0 against one opponent.

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, an amount is out of range, or no holding is left in a table.
    """
    own, situation = spot.own_cards, spot.situation
    if deals < 2:
        raise ValueError(f"deals must be 2 or more for a standard error, got {deals}")
    if spot.reader is None:
        raise ValueError("nobody says how the others answer: expected a spot with a reader")
    villains = spot.villains()
    opponents, tables = list(villains), list(villains.values())
    judge: _OneOpponent | _Deals
    if len(tables) == 1:
        judge = _OneOpponent(holding_index(own), situation.board, tables[0])
    else:
        judge = _Deals(own, situation.board, tables, deals, rng)
    unit = situation.spec.small_bet
    amounts = sorted({*raise_sizes(situation, sizes), *also})
    acts = [(act, None) for act in situation.legal if act != Act.RAISE] + [(Act.RAISE, amount) for amount in amounts]
    worths, by_deal = [], []
    for act, to in acts:
        if act == Act.FOLD:
            worths.append(Worth(act, to, 0.0, "myopic"))
            by_deal.append(np.zeros(len(judge.weights)))
            continue
        answers = _Answers.to(spot, spot.reader, opponents, act, to)
        values, weights, all_fold = judge.shares(answers)
        values = (values - answers.cost) / unit
        mean, error = _mean(values, weights)
        folds = all_fold if act == Act.RAISE else None
        worths.append(Worth(act, to, mean, "myopic", 0.0 if judge.exact else _SURE * error, folds=folds))
        by_deal.append(values)
    errors = np.zeros((len(acts), len(acts)))
    if not judge.exact:
        for one, other in combinations(range(len(acts)), 2):
            errors[one, other] = errors[other, one] = _SURE * _mean(by_deal[one] - by_deal[other], judge.weights)[1]
    needed = situation.to_call / (situation.pot_to_win + situation.to_call)
    return Verdict(tuple(worths), errors, needed, judge.equity(), float(unit), situation.pot / unit)


def _mean(values: Floats, weights: Floats) -> tuple[float, float]:
    """A weighted mean and its standard error."""
    total, n = float(weights.sum()), len(values)
    mean = float(weights @ values) / total
    error = math.sqrt(float((weights * weights) @ (values - mean) ** 2) * n / (n - 1)) / total
    return mean, error


class _Answers(NamedTuple):
    """How the opponents answer an act, and who has put in how much then; opponents in their order."""

    own: int  # chips of the hero's that compete for pots, antes not included
    cost: int  # chips that the act puts in
    dead: int  # antes
    stay: Integers  # chips of each opponent if they do not fold: (opponents,)
    leave: Integers  # if they fold
    folded: Integers  # chips of those who folded before
    folds: Floats  # probability of a fold with each holding: (opponents, 1326)

    @classmethod
    def to(
        cls,
        spot: Spot,
        reader: Reader,
        opponents: Sequence[int],
        act: Act,
        to: int | None,
    ) -> _Answers:
        """Ask the reader about the answers to an act of the seat to act."""
        situation, state = spot.situation, spot.state
        after = state.copy()
        put_in = after.act(act, to)
        calls, street = after.copy(), situation.round
        while not calls.over and calls.round == street:
            calls.act(Act.CALL)
        folds = np.zeros((len(opponents), N_HOLDINGS))
        done = [Decision("", "", 0, situation, act, put_in)]
        answering = after.copy()
        while not answering.over and answering.round == street:
            asked = Situation.of(answering, situation.players, situation.board)
            reply = Act.FOLD if Act.FOLD in asked.legal else Act.CALL
            if reply == Act.FOLD:
                folds[opponents.index(asked.seat)] = answer(reader, spot.at(asked, done))[:, Act.FOLD]
            done.append(Decision("", "", len(done), asked, reply, answering.act(reply)))
        antes = _antes(situation)
        before, final = (np.array(each.committed) - antes for each in (state, calls))
        hero = situation.seat
        gone = [seat for seat in range(len(antes)) if seat != hero and seat not in opponents]
        others = list(opponents)
        return cls(int(final[hero]), put_in, int(antes.sum()), final[others], before[others], before[gone], folds)


def _antes(situation: Situation) -> Integers:
    """Antes that each seat has put in."""
    spec, stacks = situation.spec, situation.stacks_before
    antes = np.array(spec.antes or (0,) * spec.players)
    return np.array(
        [
            ante if k >= len(stacks) or stacks[k] is None else min(ante, stacks[k])
            for k, ante in enumerate(antes.tolist())
        ]
    )


class _Layer(NamedTuple):
    """A pot: who competes for it, and how much of it is whose."""

    fixed: int  # the hero's chips, and those of players who folded before
    within: list[int]  # opponents who compete if they stay
    stay: Integers
    leave: Integers


def _layers(answers: _Answers) -> list[_Layer]:
    """The pots that the hero can win, from the main pot on."""
    stay, own = answers.stay, answers.own
    bounds = sorted({int(chips) for chips in (*stay, own) if 0 < chips <= own})
    layers = []
    if answers.dead:
        nothing = np.zeros_like(stay)
        layers.append(_Layer(answers.dead, list(range(len(stay))), nothing, nothing))
    low = 0
    for high in bounds:
        # what only players who folded have put in goes to the pot below
        top = max(int(answers.folded.max(initial=high)), high) if high == own == bounds[-1] >= stay.max() else high

        def part(chips: Integers, low: int = low, top: int = top) -> Integers:
            return np.clip(chips, low, top) - low

        within = [k for k in range(len(stay)) if stay[k] >= high]
        fixed = high - low + int(part(answers.folded).sum())
        layers.append(_Layer(fixed, within, part(stay), part(answers.leave)))
        low = high
    return layers


@cache
def _nodes(number: int) -> list[tuple[float, float]]:
    """Points of [0, 1] and their measures, by which Gauss and Legendre integrate."""
    nodes, measures = np.polynomial.legendre.leggauss(number)
    return list(zip(((nodes + 1) / 2).tolist(), (measures / 2).tolist(), strict=True))


def _shares(answers: _Answers, folds: Floats, order: Integers) -> Floats:
    """Chips that the hero gets of the pots, on average over the answers.

    Parameters
    ----------
    folds : ndarray of float64, shape (n, opponents)
        Probability that each folds, in each of n deals.
    order : ndarray of int, shape (n, opponents)
        Whether the hero's hand is better (1), as good (0), or worse (-1).

    Notes
    -----
    The hero gets 1 / (1 + t) of a pot if nobody with a better hand stays, and t with an equal one. Since that is the
    integral of x^t over x from 0 to 1, its mean over independent answers is the integral of a product over the
    opponents: 1 for who is beaten, P(fold) for who beats, P(fold) + x P(stay) for who ties.
    """
    stays = 1.0 - folds
    most_tied = int((order == 0).sum(axis=1).max(initial=0))
    nodes = _nodes(most_tied // 2 + 1)  # exact for polynomials of that degree
    total = np.zeros(len(folds))
    for layer in _layers(answers):
        for x, measure in nodes:
            staying = stays * np.where(order > 0, 1.0, np.where(order == 0, x, 0.0))
            factors = [folds[:, k] + staying[:, k] for k in layer.within]
            chips = [layer.leave[k] * folds[:, k] + layer.stay[k] * staying[:, k] for k in layer.within]
            total += measure * _of_products(layer.fixed, factors, chips)
    return total


def _of_products(fixed: float, factors: Sequence[Floats], chips: Sequence[Floats]) -> Floats | float:
    """The product of all factors times `fixed`, and for each k of all but one, times its chips; added up."""
    product: Any = 1.0
    worth: Any = fixed
    for factor, each in zip(factors, chips, strict=True):
        worth = worth * factor + product * each
        product = product * factor
    return worth  # type: ignore[no-any-return]


class _OneOpponent:
    """The showdown against one opponent: exact, by their table."""

    exact = True

    def __init__(self, index: int, board: tuple[int, ...], table: Floats) -> None:
        self.board = board
        self.own = np.zeros(N_HOLDINGS)
        self.own[index] = 1.0
        self.table = table / table.sum()
        self.weights = np.ones(1)

    def _showdown(self, table: Floats) -> tuple[float, float, float]:
        if self.board:
            return shared_analysis(self.board).showdowns(self.own, table)
        found = equity([self.own, table], jobs=1)
        return float(found.win[0]), float(found.tie[0]), float(found.lose[0])

    def equity(self) -> float:
        win, tie, _ = self._showdown(self.table)
        return win + tie / 2

    def shares(self, answers: _Answers) -> tuple[Floats, Floats, float]:
        staying = self.table * (1.0 - answers.folds[0])
        stays = float(staying.sum())
        chances = np.array(self._showdown(staying) if stays > 0 else (0.0, 0.0, 0.0))
        folds = np.array([[1.0], [0.0], [0.0], [0.0]])
        order = np.array([[1], [1], [0], [-1]])
        all_fold = 1.0 - stays
        return _shares(answers, folds, order), np.array([all_fold, *(stays * chances)]), all_fold


class _Deals:
    """Showdowns against several opponents, dealt by their tables."""

    exact = False

    def __init__(
        self, own: tuple[int, ...], board: tuple[int, ...], tables: Sequence[Floats], deals: int, rng: RandomLike
    ) -> None:
        dealt = Dealer(tables, board, own, rng=rng).deal(deals)
        players = len(tables)
        hands = np.empty((deals, players + 1, 7), np.uint8)
        hands[:, :, :5] = dealt.boards[:, None, :]
        hands[:, :players, 5:] = dealt.holdings
        hands[:, players, 5:] = own
        ranks = evaluate_many(hands.reshape(-1, 7)).reshape(deals, players + 1).astype(np.int64)
        self.order = np.sign(ranks[:, players:] - ranks[:, :players])
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        self.held = high * (high - 1) // 2 + low
        self.weights = dealt.weights

    def equity(self) -> float:
        ties = 1.0 / (1.0 + (self.order == 0).sum(axis=1))
        return _mean(np.where((self.order >= 0).all(axis=1), ties, 0.0), self.weights)[0]

    def shares(self, answers: _Answers) -> tuple[Floats, Floats, float]:
        folds = np.take_along_axis(answers.folds, self.held.T, axis=1).T
        all_fold = _mean(folds.prod(axis=1), self.weights)[0]
        return _shares(answers, folds, self.order), self.weights, all_fold


class MyopicAdviser(Adviser):
    """Values acts as if all betting ended with the answers to them; two opponents or more take deals, 2 at least."""

    def __init__(self, deals: int = DEALS) -> None:
        self.deals = check_least("deals", deals, 2)

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        return myopic_verdict(spot, also=also, deals=self.deals, rng=rng)
