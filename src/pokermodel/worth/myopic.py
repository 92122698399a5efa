"""What acts are worth if nobody bets any more once an act is answered: myopic, but for bets of any size.

The opponents who are still to act answer an act of the hero's, a check or call as well as a bet or raise. How likely
each of them folds, with each holding, is what a reader expects of them in the situation after the act. Who does not
fold calls. No betting comes after that: the rest of the board is dealt, and the best hand wins. The value of an act is
what the hero gets of the pots then, less what the act puts in; that of a fold is 0.

What this leaves out:

- Nobody raises back, and there are no bets to come: draws win nothing more when they get there, and bluffs cost nothing
  more when they are called. Acts that end the betting look better than they are.
- An opponent answers as if those who answered before had folded, whether they did or not.
- An act says nothing of the hero's own hand beyond what the reader makes of the betting.

With one opponent the values are exact, given their table. With more, holdings and boards are dealt by the tables, the
same ones for every act; the answers are not drawn, but weighted by their probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel.cards import N_HOLDINGS, cards_text, holding_index, live_holdings
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, BettingStructure, Decision, Situation
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Reader, Spot
from pokermodel.worth.adviser import Advice, Adviser, Cost, Worth, own_cards
from pokermodel.worth.answers import answer as answered

__all__ = ["SIZES", "ActValue", "MyopicAdvice", "MyopicAdviser", "myopic_advice", "raise_sizes"]

#: Bets and raises that are looked at where they have sizes: what they add to a call, by the pot after that call. Larger
#: ones are left out, unless the stack leaves no others: people make few of them, so that readers know little of the
#: answers.
SIZES = (0.5, 1.0)

#: Deals where there are several opponents.
DEALS = 2000


@dataclass(frozen=True, eq=False, slots=True)
class ActValue:
    """What an act is worth.

    Attributes
    ----------
    act : Act
        What is done.
    to : int or None
        What a bet or raise goes to, in chips counted from the beginning of the round; None for other acts.
    ev : float
        In small bets, or big blinds where bets have sizes, from the decision on: 0 for a fold.
    standard_error : float
        Of `ev`; 0 where it is exact.
    all_fold : float
        Probability that all opponents fold to it.
    """

    act: Act
    to: int | None
    ev: float
    standard_error: float
    all_fold: float
    _values: Floats | None = None  # by deal

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "act": self.act.name.lower(),
            "to": self.to,
            "ev": self.ev,
            "standard_error": self.standard_error,
            "all_fold": self.all_fold,
        }


@dataclass(frozen=True, eq=False, slots=True)
class MyopicAdvice(Advice):
    """What the acts of a decision are worth, if nobody bets any more once they are answered.

    Attributes
    ----------
    acts : tuple of ActValue
        Fold (where there is something to call), check or call, and bets or raises by rising size.
    equity : float
        The hero's share of the pot if nobody folds.
    deals : int
        How many were drawn; 0 where the values are exact.
    """

    acts: tuple[ActValue, ...]
    equity: float
    deals: int
    _weights: Floats  # of the deals

    @property
    def best(self) -> ActValue:
        """The act with the largest value: of equal ones the more aggressive, and of these the smallest size."""
        return max(self.acts, key=lambda each: (each.ev, each.act))

    @property
    def worths(self) -> tuple[Worth, ...]:  # noqa: D102
        return tuple(Worth(each.act, each.to, each.ev, each.standard_error) for each in self.acts)

    @property
    def recommended(self) -> tuple[Act, int | None]:  # noqa: D102
        best = self.best
        return best.act, best.to

    def cost(self, act: Act, to: int | None = None) -> Cost:
        """What an act loses beside the best one: both are judged by the same deals.

        Raises
        ------
        ValueError
            If that act was not looked at.
        """
        best, value = self.best, self.acts[self.worths.index(self.worth(act, to))]
        first, other = best._values, value._values
        if best is value:
            error = 0.0
        elif first is not None and other is not None:
            error = _mean(first - other, self._weights)[1]
        else:
            error = value.standard_error + best.standard_error
        return Cost(best.ev - value.ev, error, (best.act, best.to))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"equity": self.equity, "deals": self.deals, "acts": [each.to_dict() for each in self.acts]}


def raise_sizes(situation: Situation, sizes: Iterable[float] = SIZES) -> tuple[int, ...]:
    """What bets and raises of some sizes go to, as far as the rules allow them.

    Parameters
    ----------
    situation : Situation
        What the player faces.
    sizes : iterable of float
        What they add to a call, by the pot after that call; infinity is all-in. Those out of range are as large or as
        small as the rules allow, and an all-in is left out where the stack is not known.

    Returns
    -------
    tuple of int
        Different amounts, rising, in chips counted from the beginning of the round. Empty where there is no raise.

    Examples
    --------
    >>> from pokermodel.game import GameSpec, State
    >>> spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    >>> raise_sizes(Situation.of(State(spec), ("Ann", "Bob")))
    (4, 6)
    """
    if situation.raise_range is None:
        return ()
    least, most = situation.raise_range
    after_call = situation.pot + situation.to_call
    found = set()
    for size in sizes:
        if math.isinf(size):
            amount = most
        else:
            wanted = round(situation.in_round + situation.to_call + size * after_call)
            amount = max(least, wanted if most is None else min(most, wanted))
        if amount is not None:
            found.add(amount)
    return tuple(sorted(found))


def myopic_advice(
    spot: Spot,
    *,
    sizes: Iterable[float] = SIZES,
    also: Iterable[int] = (),
    deals: int = DEALS,
    rng: RandomLike = None,
) -> MyopicAdvice:
    """What the acts of a decision are worth, if nobody bets any more once they are answered.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`). Its reader is asked how the others answer.
    sizes : iterable of float
        Of bets and raises, as for `raise_sizes`.
    also : iterable of int
        What further bets and raises go to, within the range of raises.
    deals : int
        Drawn where there are two opponents or more, 2 at least.
    rng : int, Generator, SeedSequence or None
        By which they are drawn.

    Returns
    -------
    MyopicAdvice

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, an amount is out of range, or no holding is left in a table.
    """
    own, situation = own_cards(spot), spot.situation
    index, cards = holding_index(own), situation.board
    if deals < 2:
        raise ValueError(f"deals must be 2 or more for a standard error, got {deals}")
    if spot.reader is None:
        raise ValueError("nobody says how the others answer: expected a spot with a reader")
    opponents = [seat for seat in situation.active if seat != situation.seat]
    tables = [spot.likely(seat) * live_holdings(cards + own) for seat in opponents]
    for seat, table in zip(opponents, tables, strict=True):
        if not table.any():
            name = situation.players[seat]
            raise ValueError(f"no holding of {name} is left beside {cards_text(own)} and the board {cards_text(cards)}")
    judge = _OneOpponent(index, cards, tables[0]) if len(tables) == 1 else _Deals(own, cards, tables, deals, rng)
    unit = situation.spec.small_bet
    amounts = sorted({*raise_sizes(situation, sizes), *also})
    acts = [(act, None) for act in situation.legal if act != Act.RAISE] + [(Act.RAISE, amount) for amount in amounts]
    values = []
    for act, to in acts:
        if act == Act.FOLD:
            values.append(ActValue(act, to, 0.0, 0.0, 0.0))
            continue
        answers = _Answers.to(spot, spot.reader, opponents, act, to)
        worth, weights, all_fold = judge.shares(answers)
        worth = (worth - answers.cost) / unit
        mean, error = _mean(worth, weights)
        exact = isinstance(judge, _OneOpponent)
        values.append(ActValue(act, to, mean, 0.0 if exact else error, all_fold, None if exact else worth))
    return MyopicAdvice(tuple(values), judge.equity(), judge.deals, judge.weights)


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
            answer = Act.FOLD if Act.FOLD in asked.legal else Act.CALL
            if answer == Act.FOLD:
                folds[opponents.index(asked.seat)] = answered(reader, spot.at(asked, done))[:, Act.FOLD]
            done.append(Decision("", "", len(done), asked, answer, answering.act(answer)))
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
    answers : _Answers
        Who puts in how much.
    folds : ndarray of float64, shape (n, opponents)
        Probability that each folds, in each of n deals.
    order : ndarray of int, shape (n, opponents)
        Whether the hero's hand is better (1), as good (0), or worse (-1).

    Returns
    -------
    ndarray of float64, shape (n,)

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

    deals = 0

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
        self.deals, self.weights = deals, dealt.weights

    def equity(self) -> float:
        ties = 1.0 / (1.0 + (self.order == 0).sum(axis=1))
        return _mean(np.where((self.order >= 0).all(axis=1), ties, 0.0), self.weights)[0]

    def shares(self, answers: _Answers) -> tuple[Floats, Floats, float]:
        folds = np.take_along_axis(answers.folds, self.held.T, axis=1).T
        all_fold = _mean(folds.prod(axis=1), self.weights)[0]
        return _shares(answers, folds, self.order), self.weights, all_fold


class MyopicAdviser(Adviser):
    """Values acts as if nobody bet any more once they are answered.

    Parameters
    ----------
    deals : int
        Drawn where there are two opponents or more.

    Raises
    ------
    ValueError
        If there are fewer than 2 deals.
    """

    structures = frozenset(BettingStructure)

    def __init__(self, deals: int = DEALS) -> None:
        self.deals = check_least("deals", deals, 2)

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> MyopicAdvice:  # noqa: D102
        return myopic_advice(spot, also=also, deals=self.deals, rng=rng)
