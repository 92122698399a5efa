"""How often each choice was taken at each node of the betting, and how often a model expects it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pokermodel._support.arrays import Floats
from pokermodel.analysis.lines import SIZE_WORDS, BettingLine, of_pot, size_class, stack_class
from pokermodel.game import Act, Decision, Hand
from pokermodel.learning.profile import wilson
from pokermodel.reading.session import OpponentModeler

__all__ = ["ALL", "Node", "NodeChoice", "NodeKey", "NodeTable", "count_nodes"]

#: The size of a row that has the bets or raises of all sizes.
ALL = "all"


class NodeKey(NamedTuple):
    """The key of a node: decisions with the same key are counted together."""

    structure: str  #: The betting structure.
    players: int  #: Players dealt in.
    stack: str  #: The class of the effective stack, see `stack_class`.
    line: str  #: The betting so far and the position of the player to act, see `BettingLine`.


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """One choice at a node."""

    action: str  #: "fold", "check", "call", "bet" or "raise".
    #: One of `SIZE_WORDS`, "all" for bets or raises of all sizes together; empty for other acts and in limit.
    size: str
    #: `count`, `chances`: how often it was taken, of how many decisions.
    count: int
    chances: int
    expected: float | None  #: The mean probability that the model gave it; None if the model does not foretell acts.
    #: `of_pot`, `to_bb`: of bets and raises outside limit: the mean of the amount above a call, as a share of the pot
    #: after that call; and the mean of the total that they go to, in big blinds of the round.
    of_pot: float | None
    to_bb: float | None

    @property
    def frequency(self) -> float:
        """How often it was taken, 0 to 1."""
        return self.count / self.chances

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the frequency (Wilson 1927)."""
        return wilson(self.count, self.chances)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        low, high = self.interval
        return {
            "action": self.action,
            "size": self.size,
            "count": self.count,
            "frequency": self.frequency,
            "low": low,
            "high": high,
            "expected": self.expected,
            "of_pot": self.of_pot,
            "to_bb": self.to_bb,
        }


_Slot = tuple[str, str]  # action and size


@dataclass(eq=False, slots=True)
class Node:
    """The actions at a node."""

    key: NodeKey
    decisions: int = 0  #: Decisions that were counted.
    _taken: Counter[_Slot] = field(default_factory=Counter)
    _expected: dict[_Slot, float] = field(default_factory=dict)
    _foretold: int = 0
    _of_pot: dict[_Slot, float] = field(default_factory=dict)
    _to_bb: dict[_Slot, float] = field(default_factory=dict)

    def add(self, decision: Decision, predicted: Floats | None, sizes: Floats | None) -> None:
        """Count a decision, beside the forecast of acts (3,) and of classes of sizes (7,)."""
        situation, words = decision.situation, decision.situation.act_names
        fixed = situation.spec.structure.fixed
        self.decisions += 1
        slots: list[_Slot] = [(words[decision.act], "")]
        if decision.act == Act.RAISE and not fixed:
            assert decision.to is not None
            word = words[Act.RAISE]
            slots = [(word, ALL), (word, SIZE_WORDS[size_class(situation, decision.to)])]
            for slot in slots:
                self._of_pot[slot] = self._of_pot.get(slot, 0.0) + of_pot(situation, decision.to)
                self._to_bb[slot] = self._to_bb.get(slot, 0.0) + decision.to / situation.spec.bets[0]
        self._taken.update(slots)
        if predicted is None:
            return
        self._foretold += 1
        for act in situation.legal:
            sized = act == Act.RAISE and not fixed
            self._expect((words[act], ALL if sized else ""), float(predicted[act]))
            if sized and sizes is not None:
                for size, share in zip(SIZE_WORDS, sizes.tolist(), strict=True):
                    self._expect((words[act], size), float(predicted[act]) * share)

    def _expect(self, slot: _Slot, probability: float) -> None:
        self._expected[slot] = self._expected.get(slot, 0.0) + probability

    @property
    def choices(self) -> list[NodeChoice]:
        """Fold, check or call, bet or raise, and then its sizes: all that were taken or expected."""
        found = []
        for slot in sorted({*self._taken, *(slot for slot, p in self._expected.items() if p > 0)}, key=_order):
            count = self._taken[slot]
            sized = slot in self._of_pot
            found.append(
                NodeChoice(
                    *slot,
                    count,
                    self.decisions,
                    self._expected.get(slot, 0.0) / self._foretold if self._foretold else None,
                    self._of_pot[slot] / count if sized else None,
                    self._to_bb[slot] / count if sized else None,
                )
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        structure, players, stack, line = self.key
        return {
            "structure": structure,
            "players": players,
            "stack": stack,
            "node": line,
            "decisions": self.decisions,
            "choices": [choice.to_dict() for choice in self.choices],
        }


def _order(slot: _Slot) -> tuple[int, int]:
    action, size = slot
    return (
        ("fold", "check", "call", "bet", "raise").index(action),
        SIZE_WORDS.index(size) if size in SIZE_WORDS else -1,
    )


class NodeTable:
    """The actions at the nodes of many hands.

    Attributes
    ----------
    hands : int
        Hands that were counted.
    decisions : int
        Decisions that were counted.
    unoffered : int
        Acts of the players that the rules did not offer, such as folds of those who could check: not counted.
    """

    def __init__(self) -> None:
        self.hands = self.decisions = self.unoffered = 0
        self._nodes: dict[NodeKey, Node] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        """Nodes, those with the most decisions first; equal ones in the order in which they were met."""
        return iter(sorted(self._nodes.values(), key=lambda node: -node.decisions))

    def add(self, key: NodeKey, decision: Decision, predicted: Floats | None, sizes: Floats | None) -> None:
        """Count a decision; see `Node.add`."""
        if key not in self._nodes:
            self._nodes[key] = Node(key)
        self._nodes[key].add(decision, predicted, sizes)
        self.decisions += 1

    def select(self, least: int = 1, containing: str = "") -> list[Node]:
        """Nodes with at least so many decisions, and this text in their line."""
        return [node for node in self if node.decisions >= least and containing in node.key.line]


def count_nodes(
    hands: Iterable[Hand],
    session: OpponentModeler,
    *,
    players: Collection[str] = (),
    which: Callable[[Hand], bool] | None = None,
    exact: bool = False,
    skipped: list[ValueError] | None = None,
    progress: Callable[[int], None] | None = None,
) -> NodeTable:
    """Count what was done at each node.

    Each act is foretold before it is seen, and a hand is learnt after it is counted.

    Parameters
    ----------
    hands : iterable of Hand
        In the order in which they were played.
    session : OpponentModeler
        Forecasts actions and sizes, without a hero. It learns the hands.
    players : collection of str
        The players whose decisions are counted. By default all.
    which : callable, optional
        Whether a hand is counted; the others are only learnt. By default all are.
    exact : bool
        Whether lines name sizes exactly, see `BettingLine`.
    skipped : list of ValueError, optional
        Receives the errors of hands that break the rules or of games that the session does not read. By default the
        first one is raised.
    progress : callable, optional
        Called after every hand with the number of hands.

    Raises
    ------
    ValueError
        If the session has a hero, or as `skipped` says.
    """
    if session.hero is not None:
        raise ValueError(f"only what is public is counted: the session has a hero, {session.hero!r}")
    session.learning = False
    table = NodeTable()
    for number, hand in enumerate(hands, 1):
        try:
            session.check_game(hand.spec)
            decisions = list(hand.replay())
            _ = hand.payoffs
        except ValueError as error:
            if skipped is None:
                raise
            skipped.append(error)
            continue
        if which is None or which(hand):
            _count(hand, decisions, session, players, exact, table)
        session.learn(hand, decisions)
        if progress is not None:
            progress(number)
    return table


def _count(
    hand: Hand,
    decisions: list[Decision],
    session: OpponentModeler,
    players: Collection[str],
    exact: bool,
    table: NodeTable,
) -> None:
    line = BettingLine(hand.spec, exact=exact)
    session.start(hand.players)
    for decision in decisions:
        situation = decision.situation
        if not decision.out_of_turn and (not players or decision.player in players):
            if decision.act not in situation.legal:
                table.unoffered += 1
            else:
                key = NodeKey(
                    str(hand.spec.structure), len(hand.players), stack_class(situation), line.before(situation)
                )
                predicted = session.predict(situation)
                table.add(key, decision, predicted, session.predict_sizes(situation))
        session.observe(decision)
        line.add(decision)
    table.hands += 1
