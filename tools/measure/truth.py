"""What actions of a hero are truly worth against players of known policy: by simulation.

The opponents' cards are drawn given all that they did in the hand. A policy knows its own cards and what everybody
sees, so that every holding has a likelihood of its own: the product over the player's actions. Holdings are drawn by
these products, folded players' as well, and deals in which two players have the same card are rejected: that is the
exact distribution. The rest of the board comes from what is left. Then the hand is played on by the policies, with the
same cards and the same random numbers for every action of the hero, by compiled code (`_known.pyx`).

Afterwards the hero goes on as this program advises: by the rule that play-outs of the decision learn (`rule_of`), by
giving up at the next bet, or by calling everything. The rule knows what the reader knows of the opponents; here it
meets the true ones. Which of the three is best after an action is chosen on one half of the deals and counted on the
other half, and the reverse. So is the best of the other actions. No value is flattered by its choice. A hero who knew
the opponents would win more after calls and raises than anybody can who has seen the same hands. That would be an
advantage of knowledge, and no error of a verdict.

Deals are added until the difference between the best other action and the one that was made is decided. The interval
holds for all the looks together (Pocock 1977).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from pokermodel._core.play_outs import LaterActs
from pokermodel.cards import holding_index, live_holdings
from pokermodel.game import BOARD_CARDS, Act, Decision, Hand, State
from pokermodel.reading.adaptive.holdings import made_and_draws, strength_bins
from pokermodel.reading.reader import Spot
from pokermodel.worth.answers import raise_sizes
from pokermodel.worth.play_outs import OWN_SIZE, PLAIN, LaterRule, PlayOuts
from tools.measure.compiled import known
from tools.measure.generated import PAIRS, Facing, Option, Policy, Strengths, strengths

#: Numbers of deals after which the interval is looked at, and the standard errors of one that holds at all four looks
#: together with 95% (Pocock 1977, table 1).
LOOKS, SURE = (256, 1024, 4096, 16384), 2.361
LEARNING = 1024  # deals by which play-outs learn the hero's rule
NARROW = 0.1  # the width of an interval that is enough, in units
SIZES = (0.5, 0.75, 1.0)  # of the hero's bets and raises, by the pot after a call
RAISED = (0.75,)  # likewise, where the rule is learnt
DRAWS = 12  # random numbers of a player and a hand: later actions take them again
BOARDS = 4096  # before the flop: their strengths are found once for all decisions


def numbers_of(policy: Policy) -> tuple[float, ...]:
    """A policy as the compiled players take it: its kind and its numbers."""
    flat: list[float] = []
    for each in vars(policy).values():
        flat.extend(each if isinstance(each, tuple) else (each,))
    return (known().KINDS[type(policy).__name__], *flat)


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
            options, seen, policy = Facing.of(state).options, strengths(decision.board), policies[decision.seat]
            done = next(k for k, each in enumerate(options) if each == (decision.act, decision.to))
            board = np.array([*decision.board, *[0] * 5], np.uint8)
            likely = known().all_chances(numbers_of(policy), state, seen.all_now, seen.all_draws, board, done)
            found[decision.seat] *= np.where(live_holdings(decision.board), likely, 0.0)
        state.act(decision.act, decision.to)
    raise ValueError(f"hand {hand.id} has no decision {index}")


def rule_of(spot: Spot) -> np.ndarray:
    """The rule by which play-outs of a decision let the hero play on: float64 of the shape of `_known.SHAPE`.

    It is learnt against the players as the reader knows them.
    """
    situation, rule = spot.situation, LaterRule()
    tos = raise_sizes(situation, RAISED) if Act.RAISE in situation.legal else []
    acts = [(act, None) for act in situation.legal if act == Act.CALL]
    acts += [(Act.RAISE, None if situation.spec.structure.fixed else to) for to in tos]
    PlayOuts(spot, {}, rule=rule).run(acts, 0, most=LEARNING)
    return rule.fitted(LaterActs(OWN_SIZE))


def _masks(cards: np.ndarray) -> np.ndarray:
    """Sets of cards as bits: uint64."""
    return np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=-1)


def draw(
    weights: Mapping[int, np.ndarray],
    dead: Sequence[int],
    count: int,
    rng: np.random.Generator,
    boards: np.ndarray | None = None,
) -> np.ndarray:
    """Draw holdings by weights, in which no card occurs twice: int (count, seats), in the order of the seats.

    With boards, uint8 (boards, 5), of which each is as likely, a last column has their numbers.

    Raises
    ------
    ValueError
        If the weights hardly leave such holdings.
    """
    live = live_holdings(sorted(dead))
    masks = _masks(np.array(PAIRS))
    chances = [np.where(live, each, 0.0) / (each @ live) for each in weights.values()]
    of_boards = None if boards is None else _masks(boards)
    found: list[np.ndarray] = []
    have = 0
    for _ in range(1000):
        some = np.stack([rng.choice(len(PAIRS), 2 * count, p=each) for each in chances], axis=1)
        taken, fine = np.zeros(2 * count, np.uint64), np.ones(2 * count, bool)
        columns = list(masks[some].T)
        if of_boards is not None:
            chosen = rng.integers(len(of_boards), size=2 * count)
            some = np.column_stack([some, chosen])
            columns.append(of_boards[chosen])
        for column in columns:
            fine &= (taken & column) == 0
            taken |= column
        found.append(some[fine])
        have += int(fine.sum())
        if have >= count:
            return np.concatenate(found)[:count]
    raise ValueError(f"no {count} deals were found in {2000 * count} that the actions of the opponents leave")


def bins_of(board: tuple[int, ...]) -> np.ndarray:
    """The bin of strength and the draw of every holding, as play-outs look at them: int8 (2, 1326)."""
    draws = made_and_draws(board)[1] if 0 < len(board) < 5 else np.zeros(len(PAIRS))
    return np.array([strength_bins(board), draws], np.int8)


class Boards:
    """All boards that a street can become, or many before the flop, and strengths on each of their streets.

    Parameters
    ----------
    begun : tuple of int
        The cards that are there.
    """

    def __init__(self, begun: tuple[int, ...]) -> None:
        left = [card for card in range(52) if card not in begun]
        if len(begun) == 0:
            rng = np.random.default_rng(1)
            rest = np.argsort(rng.random((BOARDS, 52)), axis=1)[:, :5].tolist()
        else:
            rest = [list(each) for each in permutations(left, 5 - len(begun))]
        self.boards = np.array([[*begun, *each] for each in rest], np.uint8)
        self._rows: list[np.ndarray] = []  # of each street: those of the boards
        self._now: list[np.ndarray] = []
        self._draws: list[np.ndarray] = []
        self._bins: list[np.ndarray] = []
        for street, cards in enumerate(BOARD_CARDS):
            if cards < len(begun):
                self._rows.append(np.zeros(len(rest), np.intp))
                self._now.append(np.zeros((1, len(PAIRS)), np.float32))
                self._draws.append(self._now[-1])
                self._bins.append(np.zeros((1, 2, len(PAIRS)), np.int8))
                continue
            numbers: dict[tuple[int, ...], int] = {}
            keys = [tuple(sorted(row)) for row in self.boards[:, :cards].tolist()]
            self._rows.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys]))
            found = [Strengths(key) for key in numbers]
            self._bins.append(np.array([bins_of(key) for key in numbers]))
            self._now.append(np.array([each.all_now for each in found]))
            self._draws.append(np.array([each.all_draws for each in found]) if 0 < street < 3 else self._now[0] * 0)

    def deal(self, which: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Strengths and draws of holdings (deals, seats) on boards of these numbers: float32 (deals, 4, seats)."""
        rows = [each[which][:, None] for each in self._rows]
        now = [of[row, held] for of, row in zip(self._now, rows, strict=True)]
        draws = [of[np.minimum(row, len(of) - 1), held] for of, row in zip(self._draws, rows, strict=True)]
        return np.stack(now, axis=1), np.stack(draws, axis=1)

    def bins(self, which: np.ndarray, holding: int) -> np.ndarray:
        """Bins of strength and draws of a holding on boards of these numbers: int8 (deals, 4, 2)."""
        return np.stack([of[rows[which], :, holding] for of, rows in zip(self._bins, self._rows, strict=True)], axis=1)


@lru_cache(2)
def _boards(begun: tuple[int, ...]) -> Boards:
    return Boards(begun)


@lru_cache(1)
def _before_the_flop() -> Boards:
    return Boards(())


class Deals(NamedTuple):
    """Cards of deals, and what the players draw."""

    boards: np.ndarray  # uint8 (deals, 5)
    held: np.ndarray  # by seat: int16 (deals, seats)
    now: np.ndarray  # float32 (deals, 4, seats)
    draws: np.ndarray
    at: np.ndarray  # float64 (deals, seats, 12)
    own: np.ndarray  # of the hero: int8 (deals, 4, 2)


class PlayedOn:
    """The rest of a hand, played on by policies from a decision of the hero.

    Parameters
    ----------
    rule : ndarray of float64
        How the hero may play on, beside the two plain ways (`rule_of`).

    Raises
    ------
    ValueError
        If the hero's cards are not known.
    """

    def __init__(
        self, hand: Hand, index: int, policies: Mapping[int, Policy], rule: np.ndarray, also: Sequence[Option] = ()
    ) -> None:
        self.decision, self.state, self.weights = likelihoods(hand, index, policies)
        self.rules = np.stack([*PLAIN, rule])
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
        raised = [each.seat for each in hand.replay() if each.index < index and each.act == Act.RAISE]
        self.raiser = raised[-1] if raised else -1
        self.begun = situation.committed[self.hero]
        self.players = known().Table({seat: numbers_of(each) for seat, each in policies.items()})

    def deals(self, count: int, rng: np.random.Generator) -> Deals:
        """Deal hands that the opponents' actions leave."""
        boards = _boards(tuple(self.board)) if self.board else _before_the_flop()
        apart = ~np.isin(boards.boards, self.cards).any(axis=1)
        which = np.flatnonzero(apart)
        left = boards.boards[which][:, len(self.board) :]
        found = draw(self.weights, (*self.cards, *self.board), count, rng, left)
        held = np.zeros((count, len(self.weights) + 1), np.int16)
        held[:, list(self.weights)] = found[:, :-1]
        held[:, self.hero] = holding_index(self.cards)
        which = which[found[:, -1]]
        at = rng.random((count, held.shape[1], DRAWS))
        bins = np.ascontiguousarray(boards.bins(which, holding_index(self.cards)))
        return Deals(boards.boards[which], held, *boards.deal(which, held), at, bins)

    def table(self, deals: Deals, *, drawn: bool = False) -> np.ndarray:
        """What each option wins with each rule of the hero, by deal: float64 (deals, options, rules).

        Folds that end the hand count by their chance, if they are not drawn.
        """
        acts = [(int(act), to) for act, to in self.options]
        found = self.players.play(self.state, self.raiser, acts, self.rules, OWN_SIZE, *deals, drawn=drawn)
        return np.asarray(found / self.unit)

    def measure(self, rng: np.random.Generator, looks: Sequence[int] = LOOKS) -> Truth:
        """Measure what the options are worth, until that of the action that was made is decided."""
        return self.sample(rng, looks)[0]

    def sample(self, rng: np.random.Generator, looks: Sequence[int] = LOOKS) -> tuple[Truth, np.ndarray]:
        """As `measure`, and what the options are worth by deal: float64 (deals, options)."""
        at = self.options.index(self.made)
        rows = np.empty((0, len(self.options), len(self.rules)))
        for look in looks:
            rows = np.concatenate([rows, self.table(self.deals(look - len(rows), rng))])
            found, values = self._truth(rows, at)
            if found.low > 0.0 or found.high <= 0.0 or found.high - found.low < NARROW:
                break
        return found, values

    def _truth(self, rows: np.ndarray, at: int) -> tuple[Truth, np.ndarray]:
        """Choose on each half of the deals, and measure on the other one."""
        n, options = len(rows), np.arange(len(self.options))
        halves = np.arange(n) % 2 == 0
        values, against, lost = np.empty((n, len(options))), np.empty(n), np.empty(n)
        for half in (halves, ~halves):
            means = rows[half].mean(axis=0)
            values[~half] = rows[~half][:, options, means.argmax(axis=1)]
            tops = means.max(axis=1)
            others = np.where(options == at, -np.inf, tops)
            best = int(np.argmax(others))
            against[~half] = values[~half, best] - values[~half, at]
            lost[~half] = against[~half] if tops[best] > tops[at] else 0.0
        more = values - values[:, at : at + 1]
        error = float(against.std(ddof=1)) / math.sqrt(n)
        difference = float(against.mean())
        found = Truth(
            [[int(act), to] for act, to in self.options],
            values.mean(axis=0).tolist(),
            list(zip(more.mean(axis=0).tolist(), (more.std(axis=0, ddof=1) / math.sqrt(n)).tolist(), strict=True)),
            difference,
            difference - SURE * error,
            difference + SURE * error,
            float(lost.mean()),
            n,
        )
        return found, values
