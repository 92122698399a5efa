"""A person as a strategy: what a reader expects of them at every node of a tree, as locks of a solver.

Betting does not depend on cards. So the nodes of a player are worked out once, in the real hand after the acts that
came before the subgame, and a reader answers for all of them on every board (`pokermodel.reading.strategies`). That
happens when a solver takes the locks, board by board; until then a lock is its node, its confidence and its reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy as shallow
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act, Decision, Situation, State
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.reading.calibration import corrected
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import Reader, Spot
from pokermodel.reading.strategies import Strategies, StrategyNode, of_expectation
from pokermodel.reading.street import street_reader, street_tables
from pokermodel.reading.tables import HandTables
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import Tree

if TYPE_CHECKING:
    from pokermodel.solving.solution import Solution

__all__ = ["CONFIDENCE_STRENGTH", "confidence_of", "locks_from"]

#: Acts of a player that are worth as much as what is not known of them: see `confidence_of`.
CONFIDENCE_STRENGTH = 2.0


def confidence_of(observations: Floats) -> Floats:
    """The confidence of a strategy that so many acts stand behind: n/(n + k), k being `CONFIDENCE_STRENGTH`."""
    n = np.asarray(observations, dtype=np.float64)
    found: Floats = n / (n + CONFIDENCE_STRENGTH)
    return found


def locks_from(
    spot: Spot,
    tree: Subgame | Solution,
    player: str | int,
    *,
    confidence: float | None = None,
) -> tuple[Lock, ...]:
    """A reader's forecasts for a player at each of their nodes, as locks.

    Acts that the tree does not have are left out, sizes count for the nearest one of the tree, and the rest is divided
    by its sum. The reader sees the board of each node.

    Parameters
    ----------
    spot : Spot
        Of a decision of the hand, on the street of the tree or later. Its reader is asked when a solver takes the
        locks: it should not learn meanwhile.
    tree : Subgame or Solution
        Of the hand, made by `Subgame.from_spot`.
    player : str or int
        The player that is to be locked: a name, or 0 out of position and 1 in position.
    confidence : float, optional
        Of all locks. Default: n/(n + k) of each node, n being the player's acts that the reader has learnt in such
        situations (`Reader.observations`).

    Returns
    -------
    tuple of Lock
        One for each node of the player, with ``*`` for the cards. A lock that is given beside them for a node goes
        before theirs.

    Raises
    ------
    ValueError
        If the subgame is of no hand, there is no such player in it, the spot has no reader, it does not read the game,
        or it does not say how much stands behind what it expects and no confidence is given.
    """
    subgame = tree if isinstance(tree, Subgame) else tree.subgame
    played, spec = subgame.played, spot.situation.spec
    if played is None or not played.chip:
        raise ValueError("the subgame is of no hand: locks of a reader need one that Subgame.from_spot made")
    if player not in (0, 1, *played.names) or isinstance(player, bool):
        raise ValueError(f"unknown player {player!r}: expected {' or '.join(played.names)}")
    who = played.names.index(player) if isinstance(player, str) else int(player)
    name = played.names[who]
    street = BOARD_CARDS.index(len(subgame.cards))
    reader = street_reader(spot, street)
    if not reader.reads_sizes:
        spec.require_limit("the reader")
    root = _Root(
        street_tables(spot, street),
        [each for each in spot.acts if each.round < street],
        State(spec, spot.situation.stacks_before or None),
        subgame.unit / played.chip,
    )
    grown = _grown(subgame) if isinstance(tree, Subgame) else tree.tree
    numbers: list[int] = []
    nodes: list[StrategyNode] = []
    paths: dict[int, _Path] = {}
    places: dict[int, int] = {}  # of the player's nodes in the list
    seat = spot.situation.players.index(name)
    weights = corrected(root.tables.weights[seat], root.tables.board, spot.exponent)
    for number, node, path in _nodes(root, subgame.cards, grown):  # each after those that lead to it
        paths[number] = path
        if grown.player[number] == who:
            before = tuple([(places[at], column) for at, column in path.numbers if at in places])
            places[number] = len(nodes)
            numbers.append(number)
            nodes.append(node._replace(weights=weights, before=before))
    if confidence is None:
        known = reader.observations(name, nodes)
        if known is None:
            kind = type(reader).__name__
            raise ValueError(f"{kind} does not say what it has seen of a player: expected a confidence")
        confidences = confidence_of(known).tolist()
    else:
        confidences = [confidence] * len(nodes)
    source: Strategies | None = reader.strategies(name, nodes)
    if source is None:
        source = _AskedStrategies(reader, root, nodes, [paths[k] for k in numbers])
    return tuple(
        Lock(grown.name(number), BoardStrategy(source, place, subgame.cards, grown.parts(number)), each)
        for place, (number, each) in enumerate(zip(numbers, confidences, strict=True))
    )


class _Root(NamedTuple):
    """The beginning of a street, in the real hand."""

    tables: HandTables
    acts: list[Decision]  # before it
    start: State  # the hand before its first act
    chips: float  # of the hand, in a unit of the tree's


def _grown(subgame: Subgame) -> Tree:
    """The tree of a subgame, without memory for a solution."""
    solver = subgame.solver()
    solver.grow()
    return Tree(solver, *subgame.root)


@dataclass(frozen=True, slots=True)
class _Path:
    """How a node is reached from the root of the subgame: the acts, in the real hand."""

    acts: tuple[Decision, ...]
    numbers: tuple[tuple[int, int], ...] = ()  #: Of each act its node, and which of the node's children it leads to.


def _nodes(root: _Root, cards: tuple[int, ...], tree: Tree) -> Iterator[tuple[int, StrategyNode, _Path]]:
    """All decisions of a tree, as nodes of the real hand."""
    players = root.tables.players
    state = root.start.copy()
    history = BettingHistory(len(players))
    for each in root.acts:
        if each.out_of_turn:
            state.leave(each.seat)
        else:
            state.act(each.act, each.to)
        history.add(each)
    rest = [card for card in range(52) if card not in cards]
    board = (*cards, *rest[: 5 - len(cards)])
    index = root.acts[-1].index + 1 if root.acts else 0
    todo: list[tuple[int, State, BettingHistory, _Path, int]] = [(0, state, history, _Path(()), index)]
    while todo:
        number, state, history, path, index = todo.pop()
        while not tree.is_decision(number):
            number += 1  # the card that is dealt
        situation = Situation.of(state, players, board)
        children = tree.children(number)
        amounts = [_amount(tree, number, child, root.chips, situation) for child in children]
        acts = [Act(int(tree.act[child])) for child in children]
        raises = tuple(to for act, to in zip(acts, amounts, strict=True) if act == Act.RAISE and to is not None)
        features = history.features(situation)
        yield number, StrategyNode(situation, features, Act.FOLD in acts, raises), path
        for column, (child, act, to) in enumerate(zip(children, acts, amounts, strict=True)):
            if tree.end[child] == child + 1:
                continue  # the hand ends there
            after, seen = state.copy(), history.copy()
            put_in = after.act(act, to)
            if after.over:
                continue  # both are all-in: cards are dealt, and nobody acts
            decision = Decision("", "", index, situation, act, put_in, False)
            seen.add(decision)
            further = _Path((*path.acts, decision), (*path.numbers, (number, column)))
            todo.append((child, after, seen, further, index + 1))


def _amount(tree: Tree, number: int, child: int, chips: float, situation: Situation) -> int | None:
    """What a bet or raise of the tree goes to in its round, in chips of the hand; None for another act."""
    if tree.act[child] != Act.RAISE:
        return None
    if situation.raise_range is None:
        raise ValueError(f"node {tree.name(number)} has a raise that the rules of the hand do not offer")
    actor = int(tree.player[number])
    least, most = situation.raise_range
    to = round((int(tree.put[child, actor]) - tree.round_base(number)) * chips)
    to = max(to, least)
    return to if most is None else min(to, most)


class _AskedStrategies:
    """Strategies of a reader that is asked node by node, on each board after the acts that lead there.

    Boards are told apart by suits, since a reader may tell them apart, and tables may.
    """

    symmetric = False

    def __init__(
        self,
        reader: Reader,
        root: _Root,
        nodes: Sequence[StrategyNode],
        paths: Sequence[_Path],
    ) -> None:
        self._reader = reader
        self._tables = root.tables
        self._acts = root.acts
        self._nodes = nodes
        self._paths = paths
        self._reached: dict[Any, tuple[HandTables, Reader]] = {}

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Strategies of some nodes on some boards; each holding is its own class."""
        found = []
        for board in boards:
            rows = [self._strategy(k, board).T for k in nodes]
            every = np.ascontiguousarray(np.concatenate(rows), dtype=np.float32)
            possible = ~np.isnan(every).any(axis=0)
            found.append((np.where(possible, np.arange(N_HOLDINGS), -1), np.nan_to_num(every)))
        return found

    def _strategy(self, k: int, board: tuple[int, ...]) -> Floats:
        node, path = self._nodes[k], self._paths[k].acts
        tables, reader = self._after(path, board)
        situation = node.situation._replace(board=board)
        spot = Spot(situation, node.features, tables, [*self._acts, *_on(path, board)])
        return of_expectation(node, reader.expect(spot))

    def _after(self, path: tuple[Decision, ...], board: tuple[int, ...]) -> tuple[HandTables, Reader]:
        """The tables, and the reader, after acts of the subgame and the cards that were dealt in between."""
        key = tuple([(each.act, each.put_in) for each in path]), board
        found = self._reached.get(key)
        if found is not None:
            return found
        if not path:
            tables, reader = shallow(self._tables), self._reader
        else:
            *before, last = path
            seen = board[: BOARD_CARDS[last.situation.round]]
            earlier, reader = self._after(tuple(before), seen)
            tables = shallow(earlier)
            situation = last.situation._replace(board=seen)
            done = [*self._acts, *_on(before, seen)]
            history = BettingHistory(len(situation.players))
            for each in done:
                history.add(each)
            spot = Spot(situation, history.features(situation), earlier, done)
            update = reader.judge(spot, last.act, last.put_in)
            if update.weights is not None:
                tables.put(situation.seat, update.weights)
            if reader.follows_hands:
                reader = deepcopy(reader)
                reader.note(last._replace(situation=situation), update)
        tables.deal(board)
        self._reached[key] = tables, reader
        return tables, reader


def _on(path: Sequence[Decision], board: tuple[int, ...]) -> list[Decision]:
    """Acts with the cards that were on the board."""
    return [
        each._replace(situation=each.situation._replace(board=board[: BOARD_CARDS[each.situation.round]]))
        for each in path
    ]
