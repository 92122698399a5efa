"""The content of a solution's page: each node with both ranges, strategies and values, computed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.analysis.range import GROUPS, holding_groups
from pokermodel.cards import CLASS_OF_HOLDING, N_CLASSES, card_index, card_text, cards_text
from pokermodel.evaluation.equity import equity
from pokermodel.reading.width import Width
from pokermodel.solving import Gain, Solution
from pokermodel.solving.solution import mass_beside
from pokermodel.solving.tree import ROOT, NodeAct, Place
from pokermodel.weights import WeightTable

__all__ = ["DealtCard", "SolutionReport", "SolvedGroup", "SolvedNode", "solution_report", "solved_node"]

_WHOLE = 3  # cards of a flop, behind each card of which a value takes a walk of a turn


class SolvedGroup(NamedTuple):
    """The hand of some holdings of a range with the board."""

    name: str
    share: float  #: of the range as it comes to the node
    acts: tuple[float, ...]  #: how often they take each act; empty where the other player acts


class DealtCard(NamedTuple):
    """The node after a card.

    ``ev`` has what each player gets back from there on, None behind a flop, and ``acts`` how often the player who acts
    first takes each act.
    """

    card: str
    ev: tuple[float, float] | None
    acts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SolvedNode:
    """A node of a solution.

    Attributes
    ----------
    name : str
    kind : {"decision", "deal", "all-in", "fold", "showdown"}
        ``"all-in"`` is a deal without later actions.
    board : tuple of int
    pot : float
        The pot, with the chips that both have put in.
    to_call : float
    player : int or None
        The player to act, or who folded: 0 out of position, 1 in position; else None.
    acts : tuple of NodeAct
    parts : tuple of str
        Last parts of the children's names; none for a deal.
    frequencies, act_means : ndarray of float64, shape (acts,)
        Frequency of each action, and its mean value for the holdings that take it; nan without any.
    strategy, of_acts : ndarray of float64, shape (1326, acts)
        Probability and value of each action with each holding of the player to act; nan as in `Solution.ev`.
    ev : tuple of float or None
        The return of each player from here on; nan if the node is never reached.
    of_holdings, gap : tuple of ndarray of float64, shape (1326,)
        The same with each holding, and the bound of its error; empty without a player to act.
    mean_gap : tuple of float
        Empty without a player to act.
    ranges : tuple of WeightTable
        The ranges that reach the node.
    equities : tuple of float or None
        Share of the pot of each range without further bets; None if they cannot be dealt together.
    groups : tuple of tuple of SolvedGroup
        The hands of both ranges with the board, strongest first.
    confidence : float or None
        The confidence of the lock, if there is one.
    cards : tuple of DealtCard
        The cards of a deal.
    """

    name: str
    kind: str
    board: tuple[int, ...]
    pot: float
    to_call: float
    player: int | None
    acts: tuple[NodeAct, ...]
    frequencies: Floats
    act_means: Floats
    strategy: Floats
    of_acts: Floats
    ev: tuple[float, float]
    of_holdings: tuple[Floats, ...]
    gap: tuple[Floats, ...]
    mean_gap: tuple[float, ...]
    ranges: tuple[WeightTable, WeightTable]
    equities: tuple[float, float] | None
    groups: tuple[tuple[SolvedGroup, ...], tuple[SolvedGroup, ...]]
    confidence: float | None = None
    cards: tuple[DealtCard, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """Last parts of the children's names."""
        return tuple(act.part for act in self.acts)

    def class_weights(self, player: int) -> Floats:
        """Mean weight of the holdings of each class that are possible, float64 (169,); nan where none is."""
        table = self.ranges[player]
        combos = table.grid_combos().ravel()
        return np.where(combos > 0, table.grid().ravel(), np.nan)

    def class_strategy(self) -> Floats:
        """How often each class takes each act, float64 (169, acts); nan where it never comes here."""
        assert self.player is not None
        known = ~np.isnan(self.strategy).any(axis=1)
        weights = np.where(known, self.ranges[self.player].values, 0.0)
        return _class_means(np.nan_to_num(self.strategy), weights)

    def class_ev(self, player: int) -> Floats:
        """The return of a player with each class, float64 (169,); nan where it never comes here."""
        values = self.of_holdings[player]
        weights = np.where(np.isnan(values), 0.0, self.ranges[player].values)
        return _class_means(np.nan_to_num(values)[:, None], weights)[:, 0]


@dataclass(frozen=True, slots=True, eq=False)
class SolutionReport:
    """The content of a solution's page."""

    solution: Solution
    names: tuple[str, str]  #: Of the players, out of position first.
    summary: dict[str, Any]  #: As `Solution.summary`.
    nodes: dict[str, SolvedNode]  #: The street of the root, and what lies behind the cards that were asked for.
    start: str  #: The node to look at first.
    gain: Gain | None = None  #: What the answer to locks gains and risks beside the equilibrium.
    widths: tuple[Width | None, Width | None] = (None, None)  #: Of both ranges at the root, where a reader made them.

    def width(self, node: SolvedNode, player: int) -> Width:
        """How wide a range is as it comes to a node.

        Where no reader made it, the weights at the root count over the largest of them.
        """
        root = self.nodes[ROOT].ranges[player]
        whole = root.total
        width = self.widths[player]
        if width is None:
            combos = whole / float(root.values.max())
            width = Width(combos / int(root.live.sum()), 1.0, None, combos)
        parts = node.name.split(":")
        before = [self.nodes[":".join(parts[:k])] for k in range(2, len(parts))]
        chosen = [each for each in before if each.kind == "decision" and each.player == player]
        left = node.ranges[player].total
        if not chosen:
            return width._replace(combos=width.combos * left / whole)
        here = left / chosen[-1].ranges[player].total
        return Width(width.share * left / whole, here, None, width.combos * left / whole)

    @property
    def left_out(self) -> int:
        """Deals with a card that leads to a missing node."""
        return sum(
            any(f"{node.name}:{each.card}" not in self.nodes for each in node.cards)
            for node in self.nodes.values()
            if node.kind == "deal"
        )


def solved_node(solution: Solution, name: str = ROOT) -> SolvedNode:
    """Work out what is shown of any node, an end of the hand and a deal, too; ValueError if it is not there."""
    return _solved(solution, solution.tree.find(name), _locks(solution))


def solution_report(
    solution: Solution,
    *,
    cards: Iterable[Sequence[int]] | None = (),
    names: tuple[str, str] = ("out of position", "in position"),
    start: str = ROOT,
    gain: Gain | None = None,
    widths: tuple[Width | None, Width | None] = (None, None),
) -> SolutionReport:
    """Work out what is shown of a solution.

    Parameters
    ----------
    cards : iterable of sequence of int, or None
        Behind which cards nodes are worked out: each is one card of the next street, or of the next two; None for all
        cards of the next street. The street of the root is worked out in any case.
    names : tuple of str
        Of the players, out of position first.
    start : str
        The node to look at first; the cards of its name are among those worked out.
    gain : Gain, optional
        The gain and the risk of the answer to locks, by `gain_of`.
    widths : tuple of Width or None
        Of both ranges at the root.

    Raises
    ------
    ValueError
        If the start is no node, or a card is none that can be dealt.
    """
    tree = solution.tree
    first = tree.find(start)
    known = set(solution.subgame.cards)
    runs = [first.cards] if first.cards else []
    every = cards is None
    for run in () if cards is None else cards:
        if len(set(run)) < len(run) or known & set(run) or not 0 < len(run) <= 5 - len(known):
            raise ValueError(f"{cards_text(run)} cannot be dealt on {solution.subgame.board}")
        runs.append(tuple(run))
    wanted = {run[:k] for run in runs for k in range(1, len(run) + 1)}
    locks = _locks(solution)
    nodes: dict[str, SolvedNode] = {}

    def walk(place: Place) -> Iterator[Place]:
        yield place
        if tree.is_decision(place.node):
            for child in tree.children(place.node):
                yield from walk(tree.after(place, child))
        elif tree.is_deal(place.node) and tree.is_decision(place.node + 1):
            for card in range(52):
                run = (*place.cards, card)
                if card not in known and card not in place.cards and (run in wanted or (every and len(run) == 1)):
                    yield from walk(tree.dealt(place, card))

    for place in walk(tree.find(ROOT)):
        nodes[place.name] = _solved(solution, place, locks)
    return SolutionReport(solution, names, solution.summary(), nodes, first.name, gain, widths)


def _class_means(values: Floats, weights: Floats) -> Floats:
    """Means of values by class, weighted: (169, columns)."""
    totals = np.bincount(CLASS_OF_HOLDING, weights, minlength=N_CLASSES)
    sums = [np.bincount(CLASS_OF_HOLDING, weights * column, minlength=N_CLASSES) for column in values.T]
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(totals > 0, np.array(sums).reshape(-1, N_CLASSES) / totals, np.nan).T
    return found


def _locks(solution: Solution) -> dict[str, float]:
    """Names of nodes that have a lock, and how far it is believed; the last one of a node counts."""
    return {
        place.name: lock.confidence
        for lock in solution.subgame.locks
        for place in solution.tree.places(lock.node)
        if lock.confidence > 0
    }


def _solved(solution: Solution, place: Place, locks: dict[str, float]) -> SolvedNode:
    tree, game = solution.tree, solution.subgame
    put = [float(chips) * game.unit for chips in tree.put[place.node]]
    board = (*game.cards, *place.cards)
    ranges = solution.range(place.name, 0), solution.range(place.name, 1)
    try:
        shares = equity(ranges, board, jobs=1).equity
        equities = float(shares[0]), float(shares[1])
    except ValueError:  # no two holdings of what comes here go together
        equities = None
    none, empty = np.zeros(0), np.zeros((0, 0))
    if tree.is_decision(place.node):
        actor = int(tree.player[place.node])
        values = solution.ev(place.name, 0), solution.ev(place.name, 1)
        acting = values[actor]
        strategy = solution.strategy(place.name)
        groups = tuple(_groups(ranges[p], board, strategy if p == actor else None) for p in range(2))
        return SolvedNode(
            place.name, "decision", board, game.pot + sum(put), max(put) - put[actor], actor, acting.acts,
            acting.frequencies, acting.act_means, strategy, acting.of_acts, (values[0].mean, values[1].mean),
            (values[0].of_holdings, values[1].of_holdings), (values[0].gap, values[1].gap),
            (values[0].mean_gap, values[1].mean_gap), ranges, equities, (groups[0], groups[1]),
            locks.get(place.name),
        )  # fmt: skip
    both = _groups(ranges[0], board, None), _groups(ranges[1], board, None)
    folded = tree.is_fold(place.node)
    player: int | None = int(tree.player[place.node]) if folded else None
    pot = game.pot + sum(put)  # at the end of a hand with what nobody called
    matched = game.pot + 2 * min(put)
    left = matched - min(game.rake * matched, game.rake_cap)
    cards: tuple[DealtCard, ...] = ()
    if folded:
        kind = "fold"
        won = left + max(put) - min(put)
        ev = (0.0, won) if player == 0 else (won, 0.0)
    elif tree.is_deal(place.node) and tree.is_decision(place.node + 1):
        kind = "deal"
        cards = tuple(_cards(solution, place))
        ev = _mean_of_cards(solution, place.name, cards)
    else:
        kind = "all-in" if tree.is_deal(place.node) else "showdown"
        ev = (np.nan, np.nan) if equities is None else (equities[0] * left, equities[1] * left)
    return SolvedNode(
        place.name, kind, board, pot, 0.0, player, (), none, none, empty, empty, ev, (), (), (), ranges, equities, both,
        None, cards,
    )  # fmt: skip


def _groups(table: WeightTable, board: tuple[int, ...], strategy: Floats | None) -> tuple[SolvedGroup, ...]:
    """What a range makes with the board, and what is done with that."""
    codes = holding_groups(board)
    weights = np.where(codes >= 0, table.values, 0.0)
    total = float(weights.sum())
    found = []
    for k, name in enumerate(GROUPS):
        inside = np.where(codes == k, weights, 0.0)
        if not inside.sum() > 0:
            continue
        acts: tuple[float, ...] = ()
        if strategy is not None:
            known = np.where(np.isnan(strategy).any(axis=1), 0.0, inside)
            if known.sum() > 0:
                acts = tuple((known @ np.nan_to_num(strategy) / known.sum()).tolist())
        found.append(SolvedGroup(name, float(inside.sum()) / total, acts))
    return tuple(found)


def _cards(solution: Solution, place: Place) -> Iterator[DealtCard]:
    """What each card leads to."""
    taken = {*solution.subgame.cards, *place.cards}
    valued = len(taken) > _WHOLE
    for card in range(52):
        if card in taken:
            continue
        name = solution.tree.dealt(place, card).name
        acts = solution.acts(name)
        if valued:
            first, second = solution.ev(name, 0), solution.ev(name, 1)
            ev, acting = (first.mean, second.mean), first if first.acts else second
            frequencies = acting.frequencies
        else:
            ev = None
            table = solution.range(name, solution.player(name))
            strategy = np.nan_to_num(solution.strategy(name), nan=0.0)
            total = table.values @ strategy
            frequencies = total / total.sum() if total.sum() > 0 else np.full(len(acts), np.nan)
        yield DealtCard(
            card_text(card), ev, tuple((str(act), float(p)) for act, p in zip(acts, frequencies, strict=True))
        )


def _mean_of_cards(solution: Solution, name: str, cards: Sequence[DealtCard]) -> tuple[float, float]:
    """What a deal is worth to both: every card is as likely as the pairs of holdings that it leaves."""
    known = [each for each in cards if each.ev is not None and not np.isnan(each.ev).any()]
    if not known:
        return np.nan, np.nan
    chances = solution.subgame.deals  # where cards of players who folded count
    pairs = [
        chances[card_index(each.card)] * _pairs(*(solution.range(f"{name}:{each.card}", player) for player in range(2)))
        for each in known
    ]
    first, second = np.average([each.ev for each in known], axis=0, weights=pairs).tolist()
    return first, second


def _pairs(one: WeightTable, other: WeightTable) -> float:
    """The weight of all pairs of holdings that share no card."""
    return float(one.values @ mass_beside(other.values))
