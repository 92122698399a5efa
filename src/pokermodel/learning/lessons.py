"""What one hand teaches about each of its players, as counters that can be added.

A counter is a number below `SIZE`; `Tally` says which stands for what. Numbers from `CONTEXTS` on count actions in
richer contexts (`pokermodel.reading.parts.contexts`): few of these are ever met, so that they are kept apart. All
counts are whole numbers, so that the order in which hands are learnt leaves no trace.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._checks import check_name
from pokermodel._core.evaluator import evaluate
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.evaluation.hand_types import hand_type
from pokermodel.game import Act, Hand
from pokermodel.reading.features import RICH, BettingHistory
from pokermodel.reading.parts.contexts import COARSE, ContextCounts
from pokermodel.reading.parts.frequencies import ActionCounts

__all__ = [
    "ACTIONS",
    "CONTEXTS",
    "SIZE",
    "SQUARES",
    "WON",
    "Lesson",
    "Share",
    "Tally",
    "action_counter",
    "action_of",
    "check_names",
    "context_counts",
    "identity",
    "lesson",
]

_MOST = 1_000_000  # small bets a hand, so that sums of squares fit into 64 bits


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
_AT = {name: _FIRST["statistics"] + k for k, name in enumerate(_STATISTICS)}
#: The counter of an act in a `context of `RICH`` is this, plus three times the context's number, plus the act.
CONTEXTS = 1 << 14
_SHOWDOWNS, _PREFLOP, _POSTFLOP = _FIRST["showdowns"], _FIRST["shown_preflop"], _FIRST["shown_postflop"]
#: Counters of winnings, in millionths of a small bet, and of their squares, in thousandths.
WON, SQUARES = _AT["millionths"], _AT["squares"]


class Tally:
    """All counters of a player, but those of the richer contexts.

    Parameters
    ----------
    counters : mapping of int to int
        Counts by counter, each below `SIZE`; what is missing is 0.

    Attributes
    ----------
    actions : ndarray of int64, shape (4, 3, 3, 2, 3)
        By round, bets to call (0, 1, 2 or more), own previous action in the hand (none, call or check, raise or
        bet), whether that one had bets to call, and act.
    showdowns : ndarray of int64, shape (169,)
        How often a class of holdings was shown.
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


def action_counter(context: int, act: int) -> int:
    """The counter of an action in a `context of `RICH``, as `Tally.actions` is indexed."""
    return context // COARSE * 3 + act


def context_counts(counters: Mapping[int, int]) -> ContextCounts:
    """The actions by contexts, of counts by counter; others than those of actions do not count."""
    coarse = np.zeros(ACTIONS, dtype=np.int64)
    rich = {}
    for counter, count in counters.items():
        if counter >= CONTEXTS:
            rich[counter - CONTEXTS] = count
        elif counter < ACTIONS:
            coarse[counter] = count
    return ContextCounts(coarse.reshape(_SHAPES["actions"]), rich)


#: Counters below this one are actions.
ACTIONS = _FIRST["statistics"]


def action_of(counter: int) -> tuple[int, int, int]:
    """Round, bets to call (0, 1, 2 or more) and act of the counter of an action."""
    return counter // 54, counter // 18 % 3, counter % 3


# ------------------------------------------------------------------------------------------------- lessons


class Share(NamedTuple):
    """What a hand teaches about one of its players."""

    name: str
    #: Winnings in millionths of a small bet.
    won: int
    #: Counters that go up by one each; those of actions in the order in which he acted, once as `Tally.actions` has
    #: them and once, since version 2 of the book, by their richer contexts.
    counters: tuple[int, ...]


class Lesson(NamedTuple):
    """What a hand teaches."""

    identity: bytes
    shares: tuple[Share, ...]

    @property
    def has_contexts(self) -> bool:
        """Whether it says in which richer contexts actions were done; none were since nobody acted will do."""
        counters = [counter for share in self.shares for counter in share.counters]
        return max(counters, default=CONTEXTS) >= CONTEXTS or min(counters) >= ACTIONS


#: Sources that number their hands, each of which several players may have kept.
_SITES = frozenset({"pokerstars", "bovada", "fulltilt", "partypoker", "absolute", "cake", "entraction", "everest"})


def identity(hand: Hand) -> bytes:
    """What tells a hand from all others, wherever it was read from: 16 bytes.

    It is made of what was dealt, done and known, of names, stacks and stakes, and of the number that the source gave
    the hand; not of `Hand.source`, which can have a folder's name in it. PHH numbers its hands: an id of PHH that
    is no number is the file's name, and does not count.

    Text of a poker site is what one player saw. Site and number tell its hands from one another, and what differs
    between two players' copies of a hand does not count: whose cards are known, and at Bovada's anonymous tables
    the names. Of such copies the first is learnt. That is no loss: a lesson is about what the whole table saw.
    """
    if hand.source in _SITES:
        names = hand.players if hand.source != "bovada" else ()
        seen = [hand.source, hand.id, names, hand.stacks, hand.actions, hand.board]
        return hashlib.blake2b(json.dumps(seen).encode(), digest_size=16).digest()
    number = hand.id if hand.source != "phh" or hand.id.isdecimal() else ""
    spec = hand.spec
    content = [
        *(number, hand.currency, str(Fraction(hand.unit)), spec.blinds, spec.antes, spec.bets, hand.players),
        *(hand.stacks, hand.actions, hand.board, sorted(hand.holdings.items()), sorted(hand.mucked)),
    ]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=16).digest()


def check_names(hand: Hand) -> None:
    """Raise `ValueError` if a player of the hand has a name that cannot be kept."""
    for name in hand.players:
        try:
            check_name(name)
        except ValueError as error:
            raise ValueError(f"hand {hand.id}: {error}") from None


def lesson(hand: Hand) -> Lesson:
    """Learn one hand.

    Raises
    ------
    ValueError
        If the hand breaks the rules, is not finished, cannot be paid out, or has a name that cannot be kept.
    """
    check_names(hand)
    players = hand.players
    n = len(players)
    found: list[list[int]] = [[_AT["hands"]] for _ in players]
    history = BettingHistory(n)
    seen: list[set[str]] = [set() for _ in players]
    folded_before_flop = 0
    folded = [False] * n
    saw_flop = [True] * n
    invested: list[int] | None = None
    done: list[tuple[int, int, int, int, tuple[int, ...]]] = []
    for decision in hand.replay():
        seat, act, street = decision.seat, int(decision.act), decision.round
        invested = list(decision.committed)
        invested[seat] += decision.put_in
        if act == Act.FOLD:
            folded[seat] = True
            if street == 0:
                folded_before_flop += 1
                saw_flop[seat] = False
        if decision.out_of_turn:
            continue
        context = RICH.encode(history.features(decision.situation))
        history.add(decision)
        found[seat] += (action_counter(context, act), CONTEXTS + 3 * context + act)
        done.append((seat, street, min(decision.bets_to_call, 2), act, decision.board))
        if street == 0:
            reached = seen[seat]
            reached.add("vpip_chances")
            if act == Act.RAISE or (act == Act.CALL and decision.put_in > 0):
                reached.add("vpip")
            if act == Act.RAISE:
                reached.add("pfr")
            if Act.RAISE in decision.legal or act == Act.RAISE:  # some are made that nobody can call any more
                reached.add("pfr_chances")
                if decision.num_bets == 2 and decision.to_call > 0:
                    reached.add("three_bet_chances")
                    if act == Act.RAISE:
                        reached.add("three_bets")
    payoffs = hand.payoffs
    small_bet = hand.spec.small_bet
    if max(map(abs, payoffs)) > _MOST * small_bet:
        raise ValueError(f"hand {hand.id}: somebody wins or loses more than {_MOST:,} small bets")
    if invested is None:
        invested = _forced(hand)
    showdown = n - sum(folded) > 1
    flop = n - folded_before_flop > 1
    for seat, reached in enumerate(seen):
        won = _collected(seat, payoffs[seat], invested)
        if flop and saw_flop[seat]:
            reached.add("flops")
            if won:
                reached.add("flops_won")
        if showdown and not folded[seat]:
            reached.add("showdowns")
            if won:
                reached.add("showdowns_won")
        found[seat] += sorted(_AT[name] for name in reached)
    shown = [seat for seat in hand.shown if seat not in hand.mucked] if showdown else []
    if shown:
        holdings = hand.holdings
        classes = {seat: int(CLASS_OF_HOLDING[holding_index(holdings[seat])]) for seat in shown}
        for seat in shown:
            found[seat].append(_SHOWDOWNS + classes[seat])
        for seat, street, bets, act, board in done:
            if seat not in classes:
                continue
            if street == 0:
                found[seat].append(_PREFLOP + (bets * 2 + act - 1) * 169 + classes[seat])
            else:
                made = hand_type(evaluate(board + holdings[seat]))
                found[seat].append(_POSTFLOP + (((street - 1) * 3 + bets) * 2 + act - 1) * 25 + made)
    shares = zip(players, payoffs, found, strict=True)
    return Lesson(
        identity(hand),
        tuple(Share(name, round(payoff * 1_000_000 / small_bet), tuple(counters)) for name, payoff, counters in shares),
    )


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
