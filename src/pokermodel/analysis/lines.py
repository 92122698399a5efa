"""The betting of a hand in the words of those who use solvers: ``BTN open 2.5bb, BB call | flop BB check -> BTN``."""

from __future__ import annotations

from bisect import bisect

from pokermodel.game import ROUNDS, Act, Decision, GameSpec, Situation, positions, seat_names
from pokermodel.learning.statistics import DEPTH_EDGES, DEPTHS
from pokermodel.reading.adaptive.sizes import CLASS_OF, size_cell

__all__ = ["ANY_STACK", "SIZE_WORDS", "BettingLine", "of_pot", "size_class", "stack_class"]

#: Sizes of bets and raises, in the classes of `SIZE_CLASSES`: what one exceeds a call by, by the pot after the call.
SIZE_WORDS = ("min", "<40%", "40-60%", "60-85%", "85-125%", ">125%", "max")
#: The class of stacks in limit, where they rarely matter.
ANY_STACK = "any"


def size_class(situation: Situation, to: int) -> int:
    """The class of a bet or raise to an amount of the round, as an index into `SIZE_WORDS`.

    A bet that no player can call, which the rules do not offer, has the last class.
    """
    if situation.raise_range is None:
        return len(SIZE_WORDS) - 1
    return int(CLASS_OF[size_cell(situation, to)])


def of_pot(situation: Situation, to: int) -> float:
    """By how much a bet or raise exceeds a call, by the pot after the call: 1 is a bet or raise by the pot."""
    return (to - situation.in_round - situation.to_call) / (situation.pot + situation.to_call)


def stack_class(situation: Situation) -> str:
    """The effective stack before the hand, in classes of big blinds: one of `DEPTHS`, or `ANY_STACK` in limit.

    It is the stack of the player to act, as far as another player who has not folded covers it.
    """
    if situation.spec.structure.fixed:
        return ANY_STACK
    began = [
        None if stack is None else stack + put_in
        for stack, put_in in zip(situation.stacks, situation.committed, strict=True)
    ]
    own = began[situation.seat]
    others = [began[seat] for seat in situation.active if seat != situation.seat]
    known = [stack for stack in others if stack is not None]
    covered = max(known, default=0)
    if own is None or (covered < own and len(known) < len(others)):
        return DEPTHS[-1]
    return DEPTHS[bisect([edge * situation.spec.small_bet for edge in DEPTH_EDGES], min(own, covered))]


def _big_blinds(to: float, exact: bool) -> str:
    """An amount in big blinds: to a tenth, or to halves below 5, whole ones below 20 and then fives."""
    if exact:
        rounded = round(to, 1)
    else:
        step = 0.5 if to < 5 else 1 if to < 20 else 5
        rounded = step * int(to / step + 0.5)
    return f"{rounded:g}bb"


class BettingLine:
    """The betting of a hand so far.

    Folds are not named: who acts later has not folded. Before the flop a raise is called open, or raise after a limp,
    3bet, 4bet and so on, with what it goes to in big blinds. After it bets and raises are in per cent of the pot, a
    raise by what it exceeds the call, and of the pot after the call.

    Parameters
    ----------
    spec : GameSpec
        The game.
    exact : bool
        Name sizes to a tenth of a big blind and one per cent. By default sizes before the flop are rounded to halves of
        a big blind below 5, whole ones below 20 and then fives, and those after it are classes, `SIZE_WORDS`.

    Examples
    --------
    >>> import pokermodel as pm
    >>> hand = pm.example_hand()
    >>> line = BettingLine(hand.spec)
    >>> for decision in hand.replay():
    ...     node = line.before(decision.situation)
    ...     line.add(decision)
    >>> node.split(" | ")[0]
    'UTG open, CO call, BTN 3bet, BB call, UTG call, CO call'
    """

    def __init__(self, spec: GameSpec, *, exact: bool = False) -> None:
        self._names = seat_names(positions(spec))
        self._exact = exact
        self._rounds: list[list[str]] = [[]]
        self._raises = 0
        self._limped = False
        self._straddled = max(spec.blinds) > spec.bets[0] and not spec.structure.fixed

    def before(self, situation: Situation) -> str:
        """The node at which a player is to act: the betting so far, and their position."""
        return f"{self._text(situation.round)} -> {self._names[situation.seat]}"

    def end(self) -> str:
        """All of the betting so far."""
        return self._text(len(self._rounds) - 1)

    def add(self, decision: Decision) -> None:
        """Follow the hand by one act."""
        while len(self._rounds) <= decision.round:
            self._rounds.append([])
        if decision.act != Act.FOLD:
            word = self._before_flop(decision) if decision.round == 0 else self._after_flop(decision)
            self._rounds[-1].append(f"{self._names[decision.seat]} {word}")

    def _text(self, round: int) -> str:
        rounds = [*self._rounds, *([] for _ in range(round + 1 - len(self._rounds)))]
        told = [f"{ROUNDS[k] if k else ''} {', '.join(acts)}".strip() for k, acts in enumerate(rounds)]
        if self._straddled:
            told[0] = f"straddled {told[0]}".strip()
        told[0] = told[0] or ROUNDS[0]
        return " | ".join(told)

    def _before_flop(self, decision: Decision) -> str:
        if decision.act == Act.CALL:
            if self._raises or not decision.to_call:
                return decision.name
            self._limped = True
            return "limp"
        self._raises += 1
        word = ("raise" if self._limped else "open") if self._raises == 1 else f"{self._raises + 1}bet"
        if decision.spec.structure.fixed:
            return word
        assert decision.to is not None
        if decision.put_in == decision.stacks[decision.seat]:
            return f"{word} all-in"
        return f"{word} {_big_blinds(decision.to / decision.spec.bets[0], self._exact)}"

    def _after_flop(self, decision: Decision) -> str:
        if decision.act == Act.CALL or decision.spec.structure.fixed:
            return decision.name
        assert decision.to is not None
        if decision.put_in == decision.stacks[decision.seat]:
            return f"{decision.name} all-in"
        if self._exact:
            return f"{decision.name} {of_pot(decision.situation, decision.to):.0%}"
        return f"{decision.name} {SIZE_WORDS[size_class(decision.situation, decision.to)]}"
