"""AIVAT: what a game was worth, with most of its luck taken out (Burch, Schmid, Moravčík, Morrill and Bowling 2018).

What a player wins in a heads-up game is the sum of their skill and of the luck of cards, of their own drawn acts, and
of the holding that they happened to have. Three kinds of luck are known exactly, and taken out without a bias:

- *Cards of the board.* What they did to a value function, less what they do to it on average.
- *Acts of a player whose strategy is known.* What the drawn act did to it, less the mean over the strategy.
- *Their holding.* Everything the opponent saw would have been the same with other holdings, each as likely as the
  strategy makes it; what the game was worth is the mean over all of these.

Each correction has mean 0 whatever the value function is, so that the winnings stay unbiased, even if it is a bad one.
It must only be fixed before the games are seen: here it is what both have in the pot, times what the holding wins of it
if nobody bets any more, times a constant of the round for the bets to come (`GROWTH`). A value function that is learnt
would take out more; this one is the same for every game and player, and nobody has to train it first.

Where both strategies are known, the game is corrected from either side, and the mean of the two is taken. Where none
is, the luck of the board and of the two holdings alone is taken out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokermodel._support.arrays import Bools, Floats, Integers
from pokermodel.arena.table import TableHand
from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation import evaluate_many
from pokermodel.game import BOARD_CARDS, Act, Decision, State
from pokermodel.players.typical import FrozenSession
from pokermodel.reading.adaptive.sizes import size_class
from pokermodel.reading.reader import Choice, Expectation, Reader

__all__ = ["GROWTH", "Luck", "adjusted_payoffs"]

#: By round, how much larger the pot is taken to be in the end than it is now.
GROWTH = (2.0, 1.6, 1.25, 1.0)

#: Boards that are drawn to know what holdings win before the flop and on it.
_BOARDS = 100

_HOLDINGS: Integers = np.array([(hi, lo) for hi in range(52) for lo in range(hi)], dtype=np.uint8)


def _wins(opponent: int, boards: Integers) -> Floats:
    """What each holding gets of a pot against one of the opponent's, 1 to -1, on average over whole boards.

    float64 (1326,), nan where a holding meets the opponent's, or every board.
    """
    beside = live_holdings(_HOLDINGS[opponent].tolist())
    theirs = evaluate_many(
        np.ascontiguousarray(np.concatenate([boards, np.tile(_HOLDINGS[opponent], (len(boards), 1))], axis=1))
    ).astype(np.int64)
    met = np.zeros((len(boards), 52), dtype=bool)
    met[np.arange(len(boards))[:, None], boards] = True
    can: Bools = ~(met[:, _HOLDINGS[:, 0]] | met[:, _HOLDINGS[:, 1]]) & (beside > 0)
    board, holding = np.nonzero(can)
    ours = evaluate_many(np.concatenate([boards[board], _HOLDINGS[holding]], axis=1)).astype(np.int64)
    won = np.bincount(holding, np.sign(ours - theirs[board]), N_HOLDINGS)
    count = np.bincount(holding, minlength=N_HOLDINGS)
    shares: Floats = np.divide(won, count, out=np.full(N_HOLDINGS, np.nan), where=count > 0)
    return shares


class _Board:
    """What every holding of a player wins against the opponent's one, street by street; worked out when asked for.

    On the turn and the river that is exact. Before, boards are drawn: the mean over them is that of all boards, so that
    the corrections that stand on it keep the mean 0.
    """

    def __init__(self, board: Sequence[int], opponent: int, rng: np.random.Generator) -> None:
        self.board = np.array(board, dtype=np.uint8)
        self.opponent = opponent
        self._rng = rng
        self._known: dict[int, Floats] = {}

    def wins(self, round_: int) -> Floats:
        """Of the board of a round: float64 (1326,), nan where a holding is not possible."""
        if round_ not in self._known:
            seen = self.board[: BOARD_CARDS[round_]]
            left = np.setdiff1d(np.arange(52, dtype=np.uint8), [*seen, *_HOLDINGS[self.opponent]])
            missing = 5 - len(seen)
            if missing == 0:
                more = np.empty((1, 0), dtype=np.uint8)
            elif missing == 1:
                more = left[:, None]
            else:
                more = left[np.argsort(self._rng.random((_BOARDS, len(left))), axis=1)[:, :missing]]
            boards = np.concatenate([np.tile(seen, (len(more), 1)), more], axis=1)
            self._known[round_] = _wins(self.opponent, boards)
        return self._known[round_]


@dataclass(frozen=True, slots=True)
class Luck:
    """Where the luck of a game was, in chips of the player: what was taken out of what they won.

    Attributes
    ----------
    cards : float
        Of the cards of the board and of the opponent's.
    acts : float
        Of the player's own drawn acts.
    holding : float
        Of the player's holding.
    """

    cards: float
    acts: float
    holding: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.cards + self.acts + self.holding


def _stake(state: State) -> int:
    """Chips that each has in what they play for: no more than the shorter stack."""
    spec = state.spec
    most = [stack for stack in (spec.stacks or ()) if stack is not None]
    return min([max(state.committed), *most])


class _Side:
    """One game, from the side of a player whose strategy is known, or may be."""

    def __init__(
        self,
        hand: TableHand,
        seat: int,
        strategy: Reader | None,
        rng: np.random.Generator,
    ) -> None:
        self.hand, self.seat, self.strategy = hand, seat, strategy
        self.other = 1 - seat
        self.own = holding_index(hand.deal.holdings[seat])
        opponent = hand.deal.holdings[self.other]
        self.board = _Board(hand.deal.board, holding_index(opponent), rng)
        self.reach: Floats = live_holdings(opponent).astype(np.float64)
        if strategy is None:  # nothing is known of the holdings that they might have: only of the one that they have
            self.reach[:] = 0.0
            self.reach[self.own] = 1.0

    def mean(self, values: Floats) -> float:
        """Of values by holding, over those that the player might have."""
        possible = (self.reach > 0) & ~np.isnan(values)
        return float(self.reach[possible] @ values[possible] / self.reach[possible].sum())

    def deal(self, round_: int) -> None:
        """See the board of a round: holdings that it rules out go."""
        self.reach = self.reach * live_holdings(self.hand.deal.board[: BOARD_CARDS[round_]])

    def value(self, state: State, round_: int) -> Floats:
        """The value function: float64 (1326,)."""
        return GROWTH[round_] * _stake(state) * self.board.wins(round_)

    def after(self, state: State, choice: Choice) -> Floats:
        """The value of an act of the player: a fold loses what is in, and any other is answered by a call."""
        if choice.act == Act.FOLD:
            return np.full(N_HOLDINGS, -float(state.committed[self.seat]))
        after = state.copy()
        after.act(choice.act, _representative(state, choice))
        return self.value(after, state.round)

    def adjusted(self) -> tuple[float, Luck]:
        """What the game was worth to the player, and what was taken out."""
        hand, state = self.hand, State(self.hand.spec)
        won = float(hand.payoffs[self.seat])
        session = None if self.strategy is None else FrozenSession(self.strategy)
        if session is not None:
            session.start(hand.players)
        cards = self.mean(self.value(state, 0))  # the mean over all holdings of both is 0
        acts = 0.0
        round_ = 0
        for decision in hand.decisions:
            while round_ < decision.round:
                before = self.mean(self.value(state, round_) * GROWTH[round_ + 1] / GROWTH[round_])
                round_ += 1
                self.deal(round_)
                cards += self.mean(self.value(state, round_)) - before
            if session is not None:
                if decision.seat == self.seat:
                    acts += self._act(session, decision, state)
                session.observe(decision)
            state.act(decision.act, decision.to)
        if state.showdown:
            while round_ < 3:  # all-in: the rest of the board is luck alone
                before = self.mean(self.value(state, round_) * GROWTH[round_ + 1] / GROWTH[round_])
                round_ += 1
                self.deal(round_)
                cards += self.mean(self.value(state, round_)) - before
            stake = _stake(state) if min(state.committed) == max(state.committed) else min(state.committed)
            base = self.mean(stake * self.board.wins(3))
        else:
            base = won
        return base - cards - acts, Luck(cards, acts, won - base)

    def _act(self, session: FrozenSession, decision: Decision, state: State) -> float:
        """The luck of an own act; what it says of the holding is taken note of."""
        expected = session.reader.expected(session.spot(decision))
        chances = np.nan_to_num(expected.strategy)
        made = _made(expected, decision)
        possible = self.reach > 0
        values = np.zeros(N_HOLDINGS)
        for number, choice in enumerate(expected.actions):
            if (chances[possible, number] > 0).any():
                values += chances[:, number] * np.nan_to_num(self.after(state, choice))
        before = self.mean(values)
        self.reach = self.reach * chances[:, made]
        if not self.reach[self.own] > 0:
            raise ValueError(
                f"{decision.player} did in hand {self.hand.hand_id} what their strategy never does with their cards: "
                "expected the strategy of this player"
            )
        return self.mean(self.after(state, expected.actions[made])) - before


#: Sizes that stand for their classes, by the pot after a call.
_CENTRES = (0.0, 0.3, 0.5, 0.72, 1.05, 1.7)


def _representative(state: State, choice: Choice) -> int | None:
    """What a bet or raise of a class of sizes goes to, as the value function takes it."""
    if choice.act != Act.RAISE:
        return None
    found = state.raise_range()
    if found is None or choice.size is None:
        return None if found is None else found[0]
    least, most = found
    if choice.size == len(_CENTRES):
        return least if most is None else most
    stay = max(state.committed) - state.round_base
    amount = round(stay + _CENTRES[choice.size] * (state.pot + state.to_call))
    return max(least, amount if most is None else min(most, amount))


def _made(expected: Expectation, decision: Decision) -> int:
    """Which action of a strategy was done."""
    actions = expected.actions
    for number, choice in enumerate(actions):
        if choice.act != decision.act:
            continue
        if choice.act != Act.RAISE or choice.size is None:
            return number
        assert decision.to is not None
        if choice.size == size_class(decision.situation, decision.to):
            return number
    raise ValueError(f"the strategy has no action for what {decision.player} did: {decision.name}")


def adjusted_payoffs(
    hand: TableHand, strategies: Mapping[int, Reader], rng: np.random.Generator
) -> tuple[tuple[float, float], Luck]:
    """What a heads-up game was worth to both, with the luck that is known taken out.

    Parameters
    ----------
    hand : TableHand
        With its payoffs and all cards.
    strategies : mapping of int to Reader
        Of those players whose strategy is known exactly, by seat. Anything else makes the result wrong.
    rng : Generator
        Draws boards. It must not be what the cards or the players were drawn by.

    Returns
    -------
    tuple of (float, float)
        In chips; they add up to 0.
    Luck
        Of the first seat, or of the only player whose strategy is known.

    Raises
    ------
    ValueError
        If it is no heads-up game, was broken off, or an act is one that the player's strategy never chooses.

    Notes
    -----
    Burch, N., Schmid, M., Moravčík, M., Morrill, D. and Bowling, M. (2018). AIVAT: a new variance reduction technique
    for agent evaluation in imperfect information games. AAAI 2018.
    """
    if len(hand.players) != 2 or len(hand.payoffs) != 2:
        raise ValueError(f"AIVAT is for finished heads-up games, got {len(hand.players)} players")
    worth, luck = [], None
    for seat in sorted(strategies) or [0]:
        value, found = _Side(hand, seat, strategies.get(seat), rng).adjusted()
        worth.append(value if seat == 0 else -value)
        luck = luck or found
    assert luck is not None
    first = float(np.mean(worth))
    return (first, -first), luck
