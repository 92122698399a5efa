"""What actions of a hero are truly worth against players of known policy: by simulation.

The opponents' cards are drawn given all that they did in the hand. A policy knows its own cards and what everybody
sees, so that every holding has a likelihood of its own: the product over the player's actions. Holdings are drawn by
these products, folded players' as well, and deals in which two players have the same card are rejected: that is the
exact distribution. The rest of the board comes from what is left. Then the hand is played on by the policies, with the
same cards and the same random numbers for every action of the hero.

Afterwards the hero plays on by one of the policies of `LATER`; two of them give up at once, or never fold. First deals,
which are not measured, choose the two that are best after each action. Of these the better one is chosen on one half of
the measured deals and counted on the other half, and the reverse. So is the best of the other actions. No value is
flattered by its choice. It is the value of a hero who plays well and not perfectly. A fold alone is worth no less than
that, so that the truth finds a little too few folds wrong, and a little too many calls and raises.

Deals are added until the difference between the best other action and the one that was made is decided. The interval
holds for all the looks together (Pocock 1977).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokermodel.cards import live_holdings
from pokermodel.evaluation.ranks import evaluate
from pokermodel.game import BOARD_CARDS, Act, Decision, Hand, State
from pokermodel.worth.answers import raise_sizes
from tools.measure.generated import PAIRS, POLICIES, Facing, Option, Policy, Strengths, Threshold, pick, strengths

#: Numbers of deals after which the interval is looked at, and the standard errors of one that holds at all four looks
#: together with 95 % (Pocock 1977, table 1).
LOOKS, SURE = (256, 1024, 4096, 16384), 2.361
CHOOSING = 128  # deals that choose how the hero plays on
NARROW = 0.1  # the width of an interval that is enough, in units
SIZES = (0.5, 0.75, 1.0)  # of the hero's bets and raises, by the pot after a call
_DRAWS = 12  # random numbers of a player and a hand: later actions take them again


@dataclass(frozen=True)
class Simple:
    """Never bets, and always or never folds to a bet."""

    fold: float

    def chances(self, holding: int, seen: Strengths, facing: Facing) -> list[float]:  # noqa: D102
        return facing.spread(self.fold, 0.0, 0.0)


#: How the hero may play on.
LATER: tuple[Policy, ...] = (
    Simple(1.0),
    Simple(0.0),
    POLICIES["regular"],
    Threshold(0.7, 0.9, 0.65, 0.7, 0.0),  # bets for value alone
    Threshold(0.7, 0.9, 0.4, 0.85, 0.0),  # calls down, and bets the best hands
    Threshold(0.7, 0.9, 0.6, 0.65, 0.6),  # bluffs
)


class Truth(NamedTuple):
    """What actions of a decision are truly worth, in big blinds, or small bets in limit."""

    options: list[list[Any]]  # what could be done: the act and what it goes to
    values: list[float]
    more: list[tuple[float, float]]  # than the action that was made: the difference and its standard error
    difference: float  # of the best other action and the one that was made, which may be negative
    low: float
    high: float
    lost: float  # the best action less the one that was made, without a bias by choice
    deals: int

    @property
    def word(self) -> str:
        """Whether the action that was made was a mistake: "true", "false" or "open"."""
        return "true" if self.low > 0.0 else "false" if self.high <= 0.0 else "open"


def likelihoods(
    hand: Hand, index: int, policies: Mapping[int, Policy]
) -> tuple[Decision, State, dict[int, np.ndarray]]:
    """The decision of a number, the state there, and each opponent's likelihoods by holding: float64 (1326,)."""
    state = State(hand.spec)
    found = {seat: np.ones(len(PAIRS)) for seat in policies}
    for decision in hand.replay():
        if decision.index == index:
            return decision, state, found
        if decision.seat in policies:  # what they did is one of their options, or they are others than these
            facing, seen, policy = Facing.of(state), strengths(decision.board), policies[decision.seat]
            done = next(k for k, each in enumerate(facing.options) if each == (decision.act, decision.to))
            live = live_holdings(decision.board)
            found[decision.seat] *= [
                policy.chances(k, seen, facing)[done] if live[k] else 0.0 for k in range(len(PAIRS))
            ]
        state.act(decision.act, decision.to)
    raise ValueError(f"hand {hand.id} has no decision {index}")


def draw(weights: Mapping[int, np.ndarray], dead: Sequence[int], count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw holdings by weights, in which no card occurs twice: int (count, seats), in the order of the seats.

    Raises
    ------
    ValueError
        If the weights hardly leave such holdings.
    """
    live = live_holdings(sorted(dead))
    masks = np.array([1 << high | 1 << low for high, low in PAIRS], dtype=np.uint64)
    chances = [np.where(live, each, 0.0) / (each @ live) for each in weights.values()]
    found: list[np.ndarray] = []
    have = 0
    for _ in range(1000):
        some = np.stack([rng.choice(len(PAIRS), 2 * count, p=each) for each in chances], axis=1)
        taken, fine = np.zeros(2 * count, np.uint64), np.ones(2 * count, bool)
        for column in masks[some].T:
            fine &= (taken & column) == 0
            taken |= column
        found.append(some[fine])
        have += int(fine.sum())
        if have >= count:
            return np.concatenate(found)[:count]
    raise ValueError(f"no {count} deals were found in {2000 * count} that the actions of the opponents leave")


class PlayedOn:
    """The rest of a hand, played on by policies from a decision of the hero.

    Raises
    ------
    ValueError
        If the hero's cards are not known.
    """

    def __init__(self, hand: Hand, index: int, policies: Mapping[int, Policy], also: Sequence[Option] = ()) -> None:
        self.policies = policies
        self.decision, self.state, self.weights = likelihoods(hand, index, policies)
        situation = self.decision.situation
        self.hero, self.unit, self.board = situation.seat, hand.spec.small_bet, situation.board
        if self.hero not in hand.holdings:
            raise ValueError(f"the cards of {situation.player} are not known in hand {hand.id}")
        self.cards = hand.holdings[self.hero]
        fixed = hand.spec.structure.fixed
        self.made: Option = (self.decision.act, None if fixed else self.decision.to)
        tos = {None} if fixed else {*raise_sizes(situation, SIZES)}
        raises = [(Act.RAISE, to) for to in tos if Act.RAISE in situation.legal]
        all_options = {*((act, None) for act in situation.legal if act != Act.RAISE), *raises, self.made, *also}
        self.options = sorted(all_options, key=lambda each: (each[0], each[1] or 0))
        self.begun = situation.committed[self.hero]

    def deals(self, count: int, rng: np.random.Generator) -> list[_Dealt]:
        """Deal hands that the opponents' actions leave."""
        holdings = draw(self.weights, (*self.cards, *self.board), count, rng)
        found = []
        high, low = sorted(self.cards, reverse=True)
        for row in holdings.tolist():
            held = dict(zip(self.weights, row, strict=True))
            held[self.hero] = high * (high - 1) // 2 + low
            gone = {card for each in held.values() for card in PAIRS[each]} | set(self.board)
            left = [card for card in range(52) if card not in gone]
            come = rng.choice(left, 5 - len(self.board), replace=False).tolist()
            found.append(_Dealt(held, (*self.board, *come), rng.random((len(held), _DRAWS)).tolist()))
        return found

    def value(self, dealt: _Dealt, option: Option, later: Policy) -> tuple[float, bool]:
        """What an action wins in a deal from here on, and whether the hero acted again."""
        state, asked, taken = self.state.copy(), False, [0] * len(dealt.held)
        state.act(*option)
        while not state.over:
            seat, facing = state.seat, Facing.of(state)
            if seat == self.hero:
                policy, asked = later, True
            elif not state.active:
                break
            else:
                policy = self.policies[seat]
            chances = policy.chances(dealt.held[seat], dealt.seen(facing.round), facing)
            state.act(*facing.options[pick(chances, dealt.at[seat][taken[seat] % _DRAWS])])
            taken[seat] += 1
            if self.hero not in state.active:
                return float(self.begun - state.committed[self.hero]) / self.unit, asked
        payoffs = state.payoffs(dealt.ranks(state.active) if state.showdown else None)
        return (payoffs[self.hero] + self.begun) / self.unit, asked

    def table(self, dealt: list[_Dealt], laters: Mapping[Option, Sequence[Policy]]) -> list[np.ndarray]:
        """For each option what it wins with each way to play on, by deal: float64 (deals, ways)."""
        found = []
        for option in self.options:
            rows = np.zeros((len(dealt), len(laters[option])))
            if option[0] != Act.FOLD:
                for deal, row in zip(dealt, rows, strict=True):
                    row[:], asked = self.value(deal, option, laters[option][0])
                    if asked:
                        row[1:] = [self.value(deal, option, later)[0] for later in laters[option][1:]]
            found.append(rows)
        return found

    def measure(self, rng: np.random.Generator, looks: Sequence[int] = LOOKS) -> Truth:
        """Measure what the options are worth, until that of the action that was made is decided."""
        first = self.table(self.deals(CHOOSING, rng), dict.fromkeys(self.options, LATER))
        laters = {
            option: [LATER[k] for k in np.argsort(-rows.mean(axis=0), kind="stable")[:2]]
            for option, rows in zip(self.options, first, strict=True)
        }
        at = self.options.index(self.made)
        rows = [np.empty((0, 2))] * len(self.options)
        for look in looks:
            new = self.table(self.deals(look - len(rows[0]), rng), laters)
            rows = [np.concatenate(both) for both in zip(rows, new, strict=True)]
            found = self._truth(rows, at)
            if found.low > 0.0 or found.high <= 0.0 or found.high - found.low < NARROW:
                break
        return found

    def _truth(self, rows: list[np.ndarray], at: int) -> Truth:
        """Choose on each half of the deals, and measure on the other one."""
        n = len(rows[0])
        halves = np.arange(n) % 2 == 0
        values, against, lost = np.empty((n, len(rows))), np.empty(n), np.empty(n)
        for half in (halves, ~halves):
            means = [each[half].mean(axis=0) for each in rows]
            for k, each in enumerate(rows):
                values[~half, k] = each[~half, int(np.argmax(means[k]))]
            tops = np.array([mean.max() for mean in means])
            others = np.where(np.arange(len(rows)) == at, -np.inf, tops)
            best = int(np.argmax(others))
            against[~half] = values[~half, best] - values[~half, at]
            lost[~half] = against[~half] if tops[best] > tops[at] else 0.0
        more = values - values[:, at : at + 1]
        error = float(against.std(ddof=1)) / math.sqrt(n)
        difference = float(against.mean())
        return Truth(
            [[int(act), to] for act, to in self.options],
            values.mean(axis=0).tolist(),
            list(zip(more.mean(axis=0).tolist(), (more.std(axis=0, ddof=1) / math.sqrt(n)).tolist(), strict=True)),
            difference,
            difference - SURE * error,
            difference + SURE * error,
            float(lost.mean()),
            n,
        )


class _Dealt:
    """The cards of a deal, and the random numbers of its players."""

    def __init__(self, held: dict[int, int], board: tuple[int, ...], at: list[list[float]]) -> None:
        self.held, self.board = held, board
        self.at = dict(zip(held, at, strict=True))
        self._seen: dict[int, Strengths] = {}
        self._ranks: dict[int, int] = {}

    def seen(self, round: int) -> Strengths:
        """The strengths on a street, which all lines of the deal share."""
        if round not in self._seen:
            self._seen[round] = strengths(self.board[: BOARD_CARDS[round]])
        return self._seen[round]

    def ranks(self, active: Sequence[int]) -> list[int]:
        """The ranks of those who show their cards; 0 of others."""
        for seat in active:
            if seat not in self._ranks:
                self._ranks[seat] = evaluate([*self.board, *PAIRS[self.held[seat]]])
        return [self._ranks[seat] if seat in active else 0 for seat in range(len(self.held))]
