"""Statistics of players: what one hand adds to those of each of its players, as counts that can be added.

A counter is a number below `SIZE`; `PlayerCounts` says which stands for what. Numbers from `CONTEXTS` on count actions
in richer contexts (`pokermodel.reading.parts.contexts`). Few of these are ever met, so that they are kept apart. All
counts are whole numbers: the order in which hands are learnt does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.evaluator import evaluate
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.evaluation.hand_types import hand_type
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.features import RICH, BettingHistory
from pokermodel.reading.parts.contexts import COARSE, ContextCounts
from pokermodel.reading.parts.frequencies import ActionCounts

__all__ = [
    "ACTIONS",
    "CONTEXTS",
    "MOST_SMALL_BETS",
    "SIZE",
    "SQUARES",
    "WON",
    "Contribution",
    "PlayerCounts",
    "PlayerStatistics",
    "action_counter",
    "action_of",
    "context_counts",
    "contributions",
    "has_contexts",
    "preflop_statistics",
]

#: Most small bets that may be won or lost in a hand, so that sums of squares fit into 64 bits.
MOST_SMALL_BETS = 1_000_000

# ------------------------------------------------------------------------------------------------- counters

_SHAPES = {
    # round; bets to call (0, 1, 2+); own previous action (none, call, raise); it had bets to call; act
    "actions": (4, 3, 3, 2, 3),
    "statistics": (13,),
    "showdowns": (169,),  # by class of holding: hands in which it was shown
    # what was done with holdings that were shown later: bets to call; act (call, raise); class of holding or type
    "shown_preflop": (3, 2, 169),
    "shown_postflop": (3, 3, 2, 25),  # flop, turn, river first
}
_STATISTICS = (
    *("hands", "vpip", "vpip_chances", "pfr", "pfr_chances", "three_bets", "three_bet_chances"),
    *("flops", "showdowns", "showdowns_won", "flops_won"),
    *("millionths", "squares"),
)

_FIRST: dict[str, int] = {}
SIZE = 0
for _name, _shape in _SHAPES.items():
    _FIRST[_name] = SIZE
    SIZE += int(np.prod(_shape))
#: Counters below this one are actions.
ACTIONS = _FIRST["statistics"]
#: The counter of an act in a context of `RICH` is this, plus three times the context's number, plus the act.
CONTEXTS = 1 << 14
_AT = {name: ACTIONS + k for k, name in enumerate(_STATISTICS)}
_HANDS = _AT["hands"]
_VPIP, _PFR, _THREE_BETS = _AT["vpip"], _AT["pfr"], _AT["three_bets"]
_VPIP_CHANCES, _PFR_CHANCES, _THREE_BET_CHANCES = _AT["vpip_chances"], _AT["pfr_chances"], _AT["three_bet_chances"]
_FLOPS, _FLOPS_WON = _AT["flops"], _AT["flops_won"]
_SHOWDOWNS, _SHOWDOWNS_WON = _AT["showdowns"], _AT["showdowns_won"]
_SHOWN, _SHOWN_PREFLOP, _SHOWN_POSTFLOP = _FIRST["showdowns"], _FIRST["shown_preflop"], _FIRST["shown_postflop"]
#: Counters of winnings, in millionths of a small bet, and of their squares, in thousandths.
WON, SQUARES = _AT["millionths"], _AT["squares"]


def action_counter(context: int, act: int) -> int:
    """The counter of an action in a context of `RICH`, as `PlayerCounts.actions` is indexed."""
    return context // COARSE * 3 + act


def action_of(counter: int) -> tuple[int, int, int]:
    """Round, bets to call (0, 1, 2 or more) and act of the counter of an action."""
    return counter // 54, counter // 18 % 3, counter % 3


def context_counts(counters: Mapping[int, int]) -> ContextCounts:
    """The actions by contexts, of counts by counter; counters of anything else are ignored."""
    coarse = np.zeros(ACTIONS, dtype=np.int64)
    rich = {}
    for counter, count in counters.items():
        if counter >= CONTEXTS:
            rich[counter - CONTEXTS] = count
        elif counter < ACTIONS:
            coarse[counter] = count
    return ContextCounts(coarse.reshape(_SHAPES["actions"]), rich)


class PlayerCounts:
    """All counts of a player but those of the richer contexts.

    Parameters
    ----------
    counters : mapping of int to int
        Counts by counter, each below `SIZE`; missing ones are 0.

    Attributes
    ----------
    actions : ndarray of int64, shape (4, 3, 3, 2, 3)
        By round, bets to call (0, 1, 2 or more), own previous action in the hand (none, call or check, raise or
        bet), whether that one had bets to call, and act.
    showdowns : ndarray of int64, shape (169,)
        How often each class of holdings was shown.
    shown_preflop : ndarray of int64, shape (3, 2, 169)
        What was done before the flop with holdings that were shown in the end: by bets to call, act (call, raise)
        and class.
    shown_postflop : ndarray of int64, shape (3, 3, 2, 25)
        The same by round from the flop, bets to call, act and type of the hand at that time
        (`pokermodel.evaluation.hand_types.HAND_TYPES`).
    """

    __slots__ = ("_values", "actions", "showdowns", "shown_postflop", "shown_preflop")

    def __init__(self, counters: Mapping[int, int]) -> None:
        values = np.zeros(SIZE, dtype=np.int64)
        if counters:
            values[list(counters)] = list(counters.values())
        self._values = values
        self.actions = self._part("actions")
        self.showdowns = self._part("showdowns")
        self.shown_preflop = self._part("shown_preflop")
        self.shown_postflop = self._part("shown_postflop")

    def _part(self, name: str) -> NDArray[np.int64]:
        shape = _SHAPES[name]
        return self._values[_FIRST[name] : _FIRST[name] + int(np.prod(shape))].reshape(shape)

    def __getitem__(self, statistic: str) -> int:
        """One of the plain numbers: "hands", "vpip", ..."""
        return int(self._values[_AT[statistic]])

    @property
    def counts(self) -> ActionCounts:
        """The actions in Loki-1's twelve contexts."""
        return ActionCounts(self.actions.sum(axis=(2, 3)))

    @property
    def small_bets(self) -> float:
        """Winnings in small bets."""
        return int(self._values[WON]) / 1e6

    @property
    def squared_small_bets(self) -> float:
        """Sum of the squares of the winnings of each hand, in small bets."""
        return int(self._values[SQUARES]) / 1e3


# --------------------------------------------------------------------------------------------------- one hand


class Contribution(NamedTuple):
    """What one hand adds to the counts of one of its players."""

    name: str
    #: Winnings in millionths of a small bet.
    won: int
    #: Counters that go up by one each; those of actions in the order in which the player acted, once as
    #: `PlayerCounts.actions` has them and once, since version 2 of the book, by their richer contexts.
    counters: tuple[int, ...]


class PlayerStatistics:
    """How often each player did what, in which contexts and with which holdings.

    This is the one kind of knowledge that a book keeps player by player, and does not turn into bytes.
    """

    kind: ClassVar[str] = "statistics"
    version: ClassVar[int] = 2  # 1: without the richer contexts

    @staticmethod
    def evidence(hand: Hand, decisions: Sequence[Decision]) -> tuple[Contribution, ...]:
        """What a hand adds to the counts of its players: `contributions`."""
        return contributions(hand, decisions)


def has_contexts(found: Iterable[Contribution]) -> bool:
    """Whether a hand's contributions name the richer contexts of its actions, or there were no actions."""
    counters = [counter for each in found for counter in each.counters]
    return max(counters, default=CONTEXTS) >= CONTEXTS or min(counters) >= ACTIONS


def contributions(hand: Hand, decisions: Sequence[Decision]) -> tuple[Contribution, ...]:
    """Count one hand.

    Parameters
    ----------
    hand : Hand
    decisions : sequence of Decision
        Its replay.

    Returns
    -------
    tuple of Contribution
        By seat.

    Raises
    ------
    ValueError
        If the hand breaks the rules, is not finished or cannot be paid out.
    """
    players = len(hand.players)
    counters: list[list[int]] = [[_HANDS] for _ in range(players)]
    reached: list[set[int]] = [set() for _ in range(players)]
    _count_actions(decisions, counters)
    for decision in decisions:
        if decision.situation.round:
            break
        reached[decision.seat].update(preflop_statistics(decision))
    at_showdown = _count_results(hand, decisions, reached)
    for found, also in zip(counters, reached, strict=True):
        found += sorted(also)
    if at_showdown:
        _count_shown(hand, decisions, counters)
    small_bet = hand.spec.small_bet
    return tuple(
        [
            Contribution(name, round(payoff * 1_000_000 / small_bet), tuple(found))
            for name, payoff, found in zip(hand.players, hand.payoffs, counters, strict=True)
        ]
    )


def _count_actions(decisions: Sequence[Decision], counters: Sequence[list[int]]) -> None:
    """Count in which context each action was done."""
    history = BettingHistory(len(counters))
    for decision in decisions:
        if decision.out_of_turn:
            continue
        situation = decision.situation
        context, act = RICH.encode(history.features(situation)), int(decision.act)
        history.add(decision)
        counters[situation.seat] += (action_counter(context, act), CONTEXTS + 3 * context + act)


def preflop_statistics(decision: Decision) -> list[int]:
    """The statistics in which an action before the flop counts: VPIP, PFR, 3-bet, and the chances of each."""
    if decision.out_of_turn:
        return []
    act, situation = decision.act, decision.situation
    found = [_VPIP_CHANCES]
    if act == Act.RAISE:
        found += (_VPIP, _PFR)
    elif act == Act.CALL and decision.put_in > 0:
        found.append(_VPIP)
    if act == Act.RAISE or Act.RAISE in situation.legal:  # some raises are made that nobody can call any more
        found.append(_PFR_CHANCES)
        if situation.num_bets == 2 and situation.to_call > 0:
            found.append(_THREE_BET_CHANCES)
            if act == Act.RAISE:
                found.append(_THREE_BETS)
    return found


def _count_results(hand: Hand, decisions: Sequence[Decision], reached: Sequence[set[int]]) -> bool:
    """Count flops and showdowns, seen and won; return whether there was a showdown."""
    folds = {decision.seat: decision.round for decision in decisions if decision.act == Act.FOLD}
    folded_preflop = sum(round == 0 for round in folds.values())
    flop, showdown = len(reached) - folded_preflop > 1, len(reached) - len(folds) > 1
    if not flop:
        return showdown
    invested = _invested(hand, decisions)
    for seat, (payoff, found) in enumerate(zip(hand.payoffs, reached, strict=True)):
        last = folds.get(seat, 4)
        if last == 0:
            continue
        won = _collected(seat, payoff, invested)
        found.add(_FLOPS)
        if won:
            found.add(_FLOPS_WON)
        if showdown and last == 4:
            found.add(_SHOWDOWNS)
            if won:
                found.add(_SHOWDOWNS_WON)
    return showdown


def _invested(hand: Hand, decisions: Sequence[Decision]) -> list[int]:
    """Chips that each seat put in."""
    if not decisions:
        return _forced(hand)
    last = decisions[-1]
    chips = list(last.committed)
    chips[last.seat] += last.put_in
    return chips


def _forced(hand: Hand) -> list[int]:
    """Blinds and antes, as far as they could be paid."""
    due = [sum(money) for money in zip_longest(hand.spec.blinds, hand.spec.antes, fillvalue=0)]
    stacks = hand.stacks or [None] * len(due)
    return [money if stack is None else min(money, stack) for money, stack in zip(due, stacks, strict=True)]


def _collected(seat: int, payoff: float, invested: Iterable[int]) -> bool:
    """Whether a seat got something from the pot that was not its own bet returned."""
    chips = list(invested)
    own = chips.pop(seat)
    return payoff + min(own, max(chips)) > 1e-6


def _count_shown(hand: Hand, decisions: Sequence[Decision], counters: Sequence[list[int]]) -> None:
    """Count the holdings that were shown, and what was done with them."""
    shown = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    classes = {seat: int(CLASS_OF_HOLDING[holding_index(holding)]) for seat, holding in shown.items()}
    for seat, number in classes.items():
        counters[seat].append(_SHOWN + number)
    for decision in decisions:
        seat = decision.seat
        if seat not in shown or decision.out_of_turn:
            continue
        situation, act = decision.situation, int(decision.act)
        bets = situation.facing
        if situation.round == 0:
            counters[seat].append(_SHOWN_PREFLOP + (bets * 2 + act - 1) * 169 + classes[seat])
        else:
            made = hand_type(evaluate(situation.board + shown[seat]))
            counters[seat].append(_SHOWN_POSTFLOP + (((situation.round - 1) * 3 + bets) * 2 + act - 1) * 25 + made)
