"""The win of a local best response from a strategy, with all holdings of both players at once.

A local best response (`pokermodel.tables.players.best_response`; Lisý and Bowling 2017) looks a single answer ahead.
Played, it has the luck of two holdings, so that thousands of hands say little. Yet what it does with each holding is as
public as the strategy that it answers: both follow from the board and the acts so far. So no holding is dealt here. A
hand is a board and a line of acts. Each of the two has a vector of reaches by holding, 1,326 long: the player's is
multiplied by their strategy, the answerer's by 1 where the act is their best and by 0 elsewhere.

1. At each decision all actions are valued. The value of a fold or a called all-in is exact, summed over all pairs of
   holdings that share no card, and over the rest of the board.
2. Among the actions after which the betting goes on, one is drawn, in proportion to the number of pairs of holdings
   that make it, times their pot. Later values are divided by its probability. Nothing else is drawn except the board.
3. A value function removes both kinds of luck, as in `pokermodel.tables.arena.aivat`: the pot, times one range's share
   of it without further bets, times a constant. The luck of a card is its change of that value, whose mean is 0. The
   luck of a drawn action is its value, compared with the sum over all actions.

Walking all lines instead of drawing one would leave only the luck of the board. It needs a solution for every line if
the player solves streets, and more boards in the same time are better. But a solved turn covers all later lines and
rivers. So for such players a hand that reaches the turn goes on in several ways, each with actions and a river of its
own, and has their mean value. Eight of them leave about half of the variance: for the blueprint of limit a board's
standard deviation goes from 410 to 307 thousandths of a big blind. `LocalBestResponse` plays one hand at a time; tests
compare this module with it.

Where bets have sizes, a bet of the pot or all-in before the turn wins less than a call there, since what it gives up is
what the answerer knows better later: the bound is larger where bets begin with the turn, as Lisý and Bowling found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, live_holdings
from pokermodel.evaluation.stakes import stakes_won
from pokermodel.game import Act, Decision, GameSpec, LiveHand, Situation, State
from pokermodel.reading.reader import Reader
from pokermodel.solving.solution import mass_beside
from pokermodel.tables.arena.aivat import GROWTH
from pokermodel.tables.arena.hand import deal_cards
from pokermodel.tables.players.best_response import strategy_of
from pokermodel.tables.players.strategies import SizedExpectation, SizedStrategy
from pokermodel.tables.players.typical import FrozenSession
from pokermodel.worth.answers import raise_sizes

__all__ = ["can_be_walked", "local_responses"]

_NAMES = ("local best response", "player")
_CARDS, _LINES = 0, 1  # streams of the seed
_TURN = 2
_WAYS = 8  # in which a hand goes on from the turn, if that was solved
#: Bets that are looked at where they have sizes, by the pot after a call.
_SIZES = (1.0, math.inf)


def can_be_walked(strategy: Reader, spec: GameSpec, *, exact: bool) -> bool:
    """Whether a strategy says all that a walk has to know, sizes of bets among it.

    Parameters
    ----------
    exact : bool
        Whether it says exactly what its player does (`Player.strategy_is_exact`).
    """
    return exact and (spec.structure.fixed or isinstance(strategy, SizedStrategy))


def local_responses(player: str, spec: GameSpec, seed: int, first: int, deals: range) -> list[float]:
    """The win of a local best response on some boards, in chips a game, each the mean of both seats.

    Parameters
    ----------
    player : str
        The player, as for `make_player`; `can_be_walked` must hold.
    first : int
        The first round in which it bets and raises; before, it folds and calls.
    deals : range
        Numbers of the boards; the same number has the same board and draws.
    """
    strategy = strategy_of(player, _NAMES[1], spec)
    ways = _WAYS if getattr(strategy, "solves_turns", False) else 1
    found = []
    for number in deals:
        board = deal_cards(2, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_CARDS, number)))).board
        worth = 0.0
        for seat in range(2):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_LINES, number, seat)))
            worth += _Walk(strategy, spec, board, seat, first, rng, ways).worth() / 2
        found.append(worth)
    return found


class _Ranges(NamedTuple):
    """Reaches of both players by holding, live on the board so far."""

    own: Floats
    opponent: Floats


class _Branch(NamedTuple):
    """An act of a decision, and how both come out of it."""

    act: Act
    to: int | None
    state: State
    ranges: _Ranges


def _pairs(cards: int) -> int:
    """How many pairs of holdings are possible beside so many cards."""
    return math.comb(52 - cards, 2) * math.comb(50 - cards, 2)


class _Walk:
    """One line of one board, in the seat of a local best response.

    From the turn on there may be several ways, each with a line and a river of its own; with one, the river is that of
    the board.
    """

    def __init__(
        self,
        strategy: Reader,
        spec: GameSpec,
        board: tuple[int, ...],
        seat: int,
        first: int,
        rng: np.random.Generator,
        ways: int = 1,
    ) -> None:
        self.strategy, self.seat, self.first, self.rng, self.ways = strategy, seat, first, rng, ways
        names = _NAMES if seat == 0 else _NAMES[::-1]
        self.live = LiveHand(spec, names)
        self.live.deal(board)
        self.session = FrozenSession(strategy)
        self.session.start(names)

    @property
    def board(self) -> tuple[int, ...]:
        return self.live.dealt

    def worth(self) -> float:
        """The value of the hand to the local best response, in chips."""
        return self._worth_of(_Ranges(np.ones(N_HOLDINGS), np.ones(N_HOLDINGS)))

    def _worth_of(self, ranges: _Ranges) -> float:
        """What the hand is worth from here on, of all pairs of holdings in the ranges."""
        total, scale = 0.0, 1.0
        while True:
            if self.ways > 1 and self.live.state.round >= _TURN:
                return total + scale * float(np.mean([self._another()._worth_of(ranges) for _ in range(self.ways)]))
            situation = self.live.situation()
            branches = self._own(situation, ranges) if situation.seat == self.seat else self._theirs(situation, ranges)
            going, values, masses = [], [], []
            for branch in branches:
                won, mass = self._over(branch)
                if branch.state.over:
                    total += scale * won
                elif mass > 0.0:
                    going.append(branch)
                    values.append(won)
                    masses.append(mass * max(1, _stake(branch.state)))
            if not going:
                return total
            chances = np.array(masses) / sum(masses)
            drawn = int(self.rng.choice(len(going), p=chances))
            total += scale * (sum(values) - values[drawn] / chances[drawn])
            scale /= chances[drawn]
            before = self.board
            ranges, luck = self._go_on(going[drawn], values[drawn], before)
            total -= scale * luck

    def _another(self) -> _Walk:
        """Walk a hand on from its turn with another river."""
        turn = self.board
        left = [card for card in range(52) if card not in turn]
        board = (*turn, left[int(self.rng.integers(len(left)))])
        found = _Walk(self.strategy, self.live.spec, board, self.seat, self.first, self.rng)
        for decision in self.live.decisions:
            found.session.observe(found.live.act(decision.act, decision.to))
        return found

    def _go_on(self, branch: _Branch, value: float, before: tuple[int, ...]) -> tuple[_Ranges, float]:
        """Make an act; the ranges as the next decision finds them, and the luck of cards that were dealt."""
        self.session.observe(self.live.act(branch.act, branch.to))
        if self.board == before:
            return branch.ranges, 0.0
        live = live_holdings(self.board)
        ranges = _Ranges(branch.ranges.own * live, branch.ranges.opponent * live)
        street = self.live.state.round - 1
        return ranges, GROWTH[street] * _stake(self.live.state) * self._wins(ranges, self.board) - value

    @staticmethod
    def _wins(ranges: _Ranges, board: tuple[int, ...]) -> float:
        """What the one range wins of a stake of 1 from the other, as a share of all pairs of holdings."""
        won = stakes_won(ranges.opponent, mass_beside(ranges.opponent), board)
        return float(ranges.own @ won) / _pairs(len(board))

    def _over(self, branch: _Branch) -> tuple[float, float]:
        """What a branch is worth, exactly if it ends the hand, else by the value function; and its share of pairs."""
        state, ranges = branch.state, branch.ranges
        mass = float(ranges.own @ mass_beside(ranges.opponent)) / _pairs(len(self.board))
        if mass <= 0.0:
            return 0.0, 0.0
        if not state.over:
            return GROWTH[self.live.state.round] * _stake(state) * self._wins(ranges, self.board), mass
        if not state.showdown:
            return mass * state.payoffs()[self.seat], mass
        win, lose = (state.payoffs(ranks)[self.seat] for ranks in _ranks(self.seat))
        return (win + lose) / 2 * mass + (win - lose) / 2 * self._wins(ranges, self.board), mass

    def _theirs(self, situation: Situation, ranges: _Ranges) -> list[_Branch]:
        """Acts of the player, by their strategy."""
        expected = self.session.reader.expected(self.session.spot(situation))
        acts: list[tuple[Act, int | None, Floats]] = [
            (act, None, expected.triples[:, act]) for act in situation.legal if act != Act.RAISE
        ]
        if isinstance(expected, SizedExpectation):
            acts += [(Act.RAISE, to, chances) for to, chances in sorted(expected.exact.items())]
        elif situation.raise_range is not None:
            acts.append((Act.RAISE, situation.raise_range[0], expected.triples[:, Act.RAISE]))
        return [
            self._branch(act, to, ranges._replace(opponent=ranges.opponent * np.nan_to_num(chances)))
            for act, to, chances in acts
        ]

    def _branch(self, act: Act, to: int | None, ranges: _Ranges) -> _Branch:
        state = self.live.state.copy()
        state.act(act, to)
        return _Branch(act, to, state, ranges)

    def _own(self, situation: Situation, ranges: _Ranges) -> list[_Branch]:
        """Acts of the local best response: each holding does what is worth most to it; of equals, the largest bet."""
        acts: list[tuple[Act, int | None]] = [(act, None) for act in situation.legal if act != Act.RAISE]
        if situation.round >= self.first:
            acts += [(Act.RAISE, to) for to in raise_sizes(situation, _SIZES)]
        values = np.array([self._value(situation, act, to, ranges.opponent) for act, to in acts])
        best = len(acts) - 1 - values[::-1].argmax(axis=0)
        return [
            self._branch(act, to, ranges._replace(own=ranges.own * (best == number)))
            for number, (act, to) in enumerate(acts)
        ]

    def _value(self, situation: Situation, act: Act, to: int | None, opponent: Floats) -> Floats:
        """What an act is worth with each holding if nobody bets once it is answered, times the pairs it is among."""
        state, board = self.live.state.copy(), self.board
        if act == Act.FOLD:
            state.act(act)
            return mass_beside(opponent) * state.payoffs()[self.seat]
        put_in = state.act(act, to)
        folds: Floats | float = 0.0
        stay = opponent
        if act == Act.RAISE:
            asked = Situation.of(state, situation.players, situation.board)
            done = [Decision("", "", 0, situation, act, put_in)]
            answers = self.session.reader.choices(self.session.spot(situation).at(asked, done))
            gone = opponent * np.nan_to_num(answers[:, Act.FOLD])
            folded = state.copy()
            folded.act(Act.FOLD)
            folds = mass_beside(gone) * folded.payoffs()[self.seat]
            stay = opponent - gone
        street = situation.round
        while not state.over and state.round == street:
            state.act(Act.CALL)
        return folds + _stake(state) * stakes_won(stay, mass_beside(stay), board)


def _stake(state: State) -> int:
    """Chips that each of both has in what they play for."""
    return min(state.committed)


def _ranks(seat: int) -> tuple[Sequence[int], Sequence[int]]:
    """Ranks of both with which a seat wins, and loses."""
    return ((2, 1), (1, 2)) if seat == 0 else ((1, 2), (2, 1))
