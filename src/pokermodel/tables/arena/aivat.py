"""AIVAT: what a game was worth, with most of its luck taken out (Burch, Schmid, Moravčík, Morrill and Bowling 2018).

What a player wins in a heads-up game is the sum of their skill and of the luck of cards, of their own drawn acts, and
of the holding that they happened to have. Three kinds of luck are known exactly, and taken out without a bias:

- *Cards of the board.* What they did to a value function, less what they do to it on average.
- *Acts of a player whose strategy is known.* What the drawn act did to it, less the mean over the strategy; of either
  player.
- *Their holding.* Everything the opponent saw would have been the same with other holdings, each as likely as the
  strategy makes it; what the game was worth is the mean over all of these.

Each correction has mean 0 for any value function, so the winnings stay unbiased even with a bad one. It must only be
fixed before the games. Here it is the pot of both players, times the holding's share of it without further bets, times
a constant of the round for later bets (`GROWTH`), as far as stacks reach. A learnt value function would remove more
luck; this one is the same for every game and player, and needs no training.

Where both strategies are known, the game is corrected from either side, and the mean of the two is taken: a side has
the mean over the holdings of one, and the holding that the other had. Where none is, the luck of the board and of the
two holdings alone is taken out.

Among more than two only the luck of the board is removed (`board_luck`), because the value of an action to one of many
depends on all the others. All holdings are known, also those of players who folded, and the board comes from the rest
of the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.evaluation.shares import holding_shares
from pokermodel.game import BOARD_CARDS, ROUNDS, Act, Decision, State
from pokermodel.reading.adaptive.sizes import size_class
from pokermodel.reading.expectation import Choice, Expectation
from pokermodel.reading.reader import Reader
from pokermodel.tables.arena.hand import Deal, TableHand
from pokermodel.tables.players.purse import GROWTH
from pokermodel.tables.players.typical import FrozenSession

__all__ = ["GROWTH", "adjusted_payoffs", "board_luck"]

_BOARDS = 500  # that stand for all of them before the flop, where there are too many to go through
_CALLED = 0.5  # share of a bet that the other player still has to call which the value function takes to be called

#: Where bets have sizes, how much the side of a player counts who says what they do as they learn, beside one of whom
#: it is known beforehand. What it leaves varies three times as much between a blueprint and the myopic player.
_SAID = 0.25


def _stake(state: State, round_: int) -> float:
    """Chips that each plays for in the end, as the value function takes it: no more than the shorter stack."""
    most = [stack for stack in (state.spec.stacks or ()) if stack is not None]
    return float(min([GROWTH[round_] * max(state.committed), *most]))


class _Side:
    """One game, from the side of a player.

    Parameters
    ----------
    expected : sequence of Expectation or None
        What the strategy of whoever acted was at each decision; None where it is not known.
    known : bool
        Whether the player's strategy is.
    """

    def __init__(self, hand: TableHand, seat: int, expected: Sequence[Expectation | None], known: bool) -> None:
        self.hand, self.seat, self.expected = hand, seat, expected
        self.own = holding_index(hand.deal.holdings[seat])
        self.opponent = holding_index(hand.deal.holdings[1 - seat])
        #: How likely the player had each holding, in the eyes of the opponent.
        self.reach: Floats = live_holdings(hand.deal.holdings[1 - seat]).astype(np.float64)
        if not known:  # nothing is known of the holdings that they might have: only of the one that they have
            self.reach[:] = 0.0
            self.reach[self.own] = 1.0

    def mean(self, values: Floats) -> float:
        """Of values by holding, over those that the player might have."""
        return float(self.reach @ values / self.reach.sum())

    def wins(self, round_: int) -> Floats:
        """The share of a stake of each holding against the opponent's, 1 to -1, on the board of a round."""
        wins: Floats = 1.0 - 2.0 * holding_shares(self.opponent, self.hand.deal.board[: BOARD_CARDS[round_]])
        return wins

    def value(self, state: State, round_: int) -> Floats:
        """The value function: float64 (1326,); of holdings that are not possible, anything."""
        return _stake(state, round_) * self.wins(round_)

    def dealt(self, state: State, round_: int) -> float:
        """The luck of the cards that begin a round; holdings that they rule out go."""
        stake = _stake(state, round_)  # on either side of the deal, so that the cards alone make a difference
        before = self.mean(stake * self.wins(round_ - 1))
        self.reach = self.reach * live_holdings(self.hand.deal.board[: BOARD_CARDS[round_]])
        return self.mean(stake * self.wins(round_)) - before

    def after(self, state: State, choice: Choice) -> Floats:
        """The value of an act: a fold loses what is in, and any other is answered by a call.

        Where bets have sizes, folds are as likely an answer: a bet counts by `_CALLED`.
        """
        if choice.act == Act.FOLD:
            lost = float(state.committed[state.seat])
            return np.full(N_HOLDINGS, -lost if state.seat == self.seat else lost)
        after = state.copy()
        after.act(choice.act, _representative(state, choice))
        value = self.value(after, state.round)
        if not self.hand.spec.structure.fixed:
            value *= _CALLED + (1.0 - _CALLED) * min(after.committed) / max(after.committed)
        return value

    def adjusted(self) -> float:
        """The value of the game to the player."""
        hand, state = self.hand, State(self.hand.spec)
        luck = self.mean(self.value(state, 0))  # of the opponent's cards: the mean over all holdings of both is 0
        round_ = 0
        for decision, expected in zip(hand.decisions, self.expected, strict=True):
            if decision.round > round_:
                round_ += 1
                luck += self.dealt(state, round_)
            if expected is not None:
                luck += self.acted(state, decision, expected)
            state.act(decision.act, decision.to)
        if not state.showdown:
            return hand.payoffs[self.seat] - luck
        for street in range(round_ + 1, len(ROUNDS)):  # all-in: the rest of the board is luck alone
            luck += self.dealt(state, street)
        return self.mean(min(state.committed) * self.wins(len(ROUNDS) - 1)) - luck

    def acted(self, state: State, decision: Decision, expected: Expectation) -> float:
        """The luck of an act, by the strategy of who acted; what it says of the player's holding is taken note of."""
        chances = np.nan_to_num(expected.strategy)
        made, mine = _made(expected, decision), decision.seat == self.seat
        if not chances[self.own if mine else self.opponent, made] > 0:
            raise ValueError(
                f"{decision.player} did in hand {self.hand.hand_id} what their strategy never does with their cards: "
                "expected the strategy of this player"
            )
        if not mine:  # they have one holding, and what it does says nothing of the player's
            chances = np.broadcast_to(chances[self.opponent], chances.shape)
        possible = self.reach > 0
        before, after = np.zeros(N_HOLDINGS), np.zeros(N_HOLDINGS)
        for number, choice in enumerate(expected.actions):
            if (chances[possible, number] > 0).any():  # else the rules may not offer it
                value = self.after(state, choice)
                before += chances[:, number] * value
                after = value if number == made else after
        expected_before = self.mean(before)
        if mine:
            self.reach = self.reach * chances[:, made]
        return self.mean(after) - expected_before


def _expected(hand: TableHand, strategies: Mapping[int, Reader]) -> list[Expectation | None]:
    """What whoever acted might have done at each decision, where their strategy is known."""
    sessions = {seat: FrozenSession(strategy) for seat, strategy in strategies.items()}
    for session in sessions.values():
        session.start(hand.players)
    found: list[Expectation | None] = []
    for decision in hand.decisions:
        asked = sessions.get(decision.seat)
        found.append(None if asked is None else asked.reader.expected(asked.spot(decision)))
        for session in sessions.values():
            session.observe(decision)
    return found


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


def _shares(deal: Deal, live: Sequence[int], dealt: int) -> Floats:
    """Of the first cards of a board, the share of the pot that each seat wins if those who are in stay: (seats,).

    Before the flop it is the mean over some boards. They are drawn by the holdings alone, so that what they are away
    from the mean over all boards has nothing to do with the one that comes.
    """
    board, known = deal.board[:dealt], {card for holding in deal.holdings for card in holding}
    deck = np.array([card for card in range(52) if card not in known and card not in board], np.uint8)
    missing = len(deal.board) - dealt
    if missing > 2:
        held = [holding_index(holding) for holding in deal.holdings]
        rng = np.random.default_rng(np.random.SeedSequence(held))
        runouts = rng.permuted(np.broadcast_to(deck, (_BOARDS, len(deck))), axis=1)[:, :missing]
    else:
        every = list(combinations(deck.tolist(), missing))
        runouts = np.array(every, np.uint8).reshape(len(every), missing)
    hands = np.empty((len(runouts), len(live), len(deal.board) + 2), np.uint8)
    hands[:, :, :dealt] = board
    hands[:, :, dealt:-2] = runouts[:, None, :]
    hands[:, :, -2:] = [deal.holdings[seat] for seat in live]
    ranks = evaluate_many(hands.reshape(-1, hands.shape[2])).reshape(hands.shape[:2])
    best = ranks == ranks.max(axis=1, keepdims=True)
    shares = np.zeros(len(deal.holdings))
    shares[list(live)] = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def board_luck(hand: TableHand) -> Floats:
    """The luck of the board cards for each player of a game.

    Parameters
    ----------
    hand : TableHand
        With all cards; any number of players.

    Returns
    -------
    ndarray of float64, shape (players,)
        In chips; they add up to 0. The mean over all possible boards is 0 at every street for any play, so winnings
        less the luck have the mean of the winnings.
    """
    state, luck, round_ = State(hand.spec), np.zeros(len(hand.players)), 0

    def dealt(growth: float) -> Floats:
        before, now = (_shares(hand.deal, state.active, BOARD_CARDS[street]) for street in (round_ - 1, round_))
        found: Floats = growth * state.pot * (now - before)
        return found

    for decision in hand.decisions:
        while decision.round > round_:
            round_ += 1
            luck += dealt(GROWTH[round_])
        state.act(decision.act, decision.to)
    while state.showdown and round_ + 1 < len(ROUNDS):  # nobody can bet any more: the pot does not grow
        round_ += 1
        luck += dealt(1.0)
    return luck


def adjusted_payoffs(
    hand: TableHand, strategies: Mapping[int, Reader], expectations: Sequence[Expectation | None] = ()
) -> tuple[float, ...]:
    """The value of a game to everybody, with the luck that is known taken out.

    Parameters
    ----------
    hand : TableHand
        With its payoffs and all cards.
    strategies : mapping of int to Reader
        Exact strategies of players, by seat. Inexact ones make the result wrong. They are unused among more than two.
    expectations : sequence of Expectation or None
        Players' own strategies for each holding, before each action of the hand, as `play_hand` records them. A player
        with one before each of their actions is known in this hand, too.

    Returns
    -------
    tuple of float
        In chips, by seat; they add up to 0.

    Raises
    ------
    ValueError
        If it was broken off, or an act is one that the player's strategy never chooses.

    Notes
    -----
    Burch, N., Schmid, M., Moravčík, M., Morrill, D. and Bowling, M. (2018). AIVAT: a new variance reduction technique
    for agent evaluation in imperfect information games. AAAI 2018.
    """
    if len(hand.payoffs) != len(hand.players):
        raise ValueError(f"AIVAT is for finished games, got {len(hand.payoffs)} payoffs of {len(hand.players)} players")
    if len(hand.players) > 2:
        return tuple((np.array(hand.payoffs) - board_luck(hand)).tolist())
    expected = _expected(hand, strategies)
    known = set(strategies)
    for seat in {0, 1} - known if expectations else ():
        own = [k for k, decision in enumerate(hand.decisions) if decision.seat == seat]
        if own and all(expectations[k] is not None for k in own):
            known.add(seat)
            for k in own:
                expected[k] = expectations[k]
    seats = sorted(known) or [0]
    worth = [(1 - 2 * seat) * _Side(hand, seat, expected, seat in known).adjusted() for seat in seats]
    weights = [1.0 if seat in strategies or hand.spec.structure.fixed else _SAID for seat in seats]
    first = float(np.average(worth, weights=weights))
    return first, -first
