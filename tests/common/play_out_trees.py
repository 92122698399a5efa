"""Hands played out in Python by any reader, through a tree: what the compiled play-outs are held to.

A node has the strategy of the player to act for all 1,326 holdings, which is one call of the reader. Everybody acts by
the reader's strategy, the hero, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel.cards import HOLDING_CARDS
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Decision, Situation, State
from pokermodel.game.pots import pots, uncalled
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import Spot, has_sizes
from pokermodel.reading.tables import HandTables
from pokermodel.worth.answers import answer
from pokermodel.worth.play_outs import LONGEST, OF_POT, Rake


class Leaf:
    """Where the hand ends: what the hero gets is said, or by who has the best hand."""

    __slots__ = ("pots", "value")

    def __init__(self, value: float, pots: Sequence[tuple[float, list[int]]] = ()) -> None:
        self.value = value
        self.pots = pots


class Node:
    """A decision of the play-outs: who acts, what they do with each holding, and where that leads."""

    __slots__ = ("children", "history", "raises", "situation", "sizes", "spot", "state", "triples")

    def __init__(
        self, state: State, situation: Situation, history: BettingHistory, spot: Spot, *, raises: bool
    ) -> None:
        self.state = state
        self.situation = situation
        self.history = history
        self.spot = spot
        self.raises = raises
        # these two when they are first asked for
        self.triples: Floats | None = None
        self.sizes: tuple[list[int | None], Floats | None] | None = None
        self.children: dict[tuple[Act, int | None], tuple[int, Node | Leaf]] = {}


class TreePlayOuts:
    """Play-outs of a decision through a tree: the betting from the decision on, as far as deals have come."""

    def __init__(self, spot: Spot, rake: Rake) -> None:
        assert spot.reader is not None
        self.rake, self.reader, self.spot = rake, spot.reader, spot
        self.hero, self.opponents = spot.situation.seat, list(spot.villains())
        self.put = spot.state.committed[self.hero]
        history = BettingHistory(len(spot.situation.players))
        for decision in spot.acts:
            history.add(decision)
        self.root = Node(spot.state.copy(), spot.situation, history, spot, raises=True)
        self.number = -1
        self.board: tuple[int, ...] = ()
        self._tables: dict[int, HandTables] = {}

    def begin(self, board: tuple[int, ...]) -> None:
        """Begin a run-out; the board may be as far as it is known."""
        self.number += 1
        self.board, self._tables = board, {}

    def strategy(self, node: Node) -> Floats:
        """What who acts at a node does with each holding: float64 (1326, 3)."""
        if node.triples is None:
            node.triples = answer(self.reader, node.spot)
        return node.triples

    def child(self, node: Node, move: tuple[Act, int | None], depth: int) -> Node | Leaf:
        """Where a move leads, so many moves from the root."""
        kept = node.children.get(move)
        if kept is None or kept[0] not in (-1, self.number):
            made = self._made(node, move, depth)
            # before cards are dealt a node is there for all run-outs, else for this one
            lasting = isinstance(made, Leaf) or made.situation.round == self.spot.situation.round
            node.children[move] = kept = -1 if lasting else self.number, made
        return kept[1]

    def splits(
        self, node: Node, deals: Integers, held: Integers, folds: Floats, calls: Floats, uniform: Floats, sizes: Floats
    ) -> Iterator[tuple[tuple[Act, int | None], Integers]]:
        """Moves that are made at a node, and in which of the n deals that came there.

        The numbers `uniform` and `sizes`, in [0, 1), decide on the act, and on its size.
        """
        raising = uniform >= folds + calls if node.raises else np.zeros(len(deals), dtype=np.bool_)
        folding = uniform < folds
        for act, chosen in ((Act.FOLD, folding), (Act.CALL, ~(folding | raising))):
            if chosen.any():
                yield (act, None), deals[chosen]
        if not raising.any():
            return
        if node.sizes is None:
            node.sizes = sizes_of(node.situation, self.reader.played_out(node.spot))
        amounts, cumulated = node.sizes
        some, size = deals[raising], np.zeros(int(raising.sum()), dtype=np.intp)
        if cumulated is not None:
            size = (sizes[raising][:, None] > cumulated[held[raising]]).sum(axis=1)
        for k, amount in enumerate(amounts):
            part = some[size == k]
            if len(part):
                yield (Act.RAISE, amount), part

    def _made(self, node: Node, move: tuple[Act, int | None], depth: int) -> Node | Leaf:
        state, situation = node.state.copy(), node.situation
        put_in = state.act(*move)
        cost = self.put - state.committed[self.hero]
        if move[0] == Act.FOLD and situation.seat == self.hero:
            return Leaf(cost)
        if (leaf := self._leaf(state, cost)) is not None:
            return leaf
        history = node.history.copy()
        history.add(Decision("", "", 0, situation, move[0], put_in))
        asked = Situation.of(state, situation.players, self.board)
        tables = self._tables.get(asked.round)
        if tables is None:  # tables of nobody, since a strategy does not depend on them
            tables = self._tables[asked.round] = HandTables(asked.players)
            tables.deal(asked.board)
        tables.active = asked.active
        spot = Spot(asked, history.features(asked), tables, [], (self.reader, 1.0, {}))
        return Node(state, asked, history, spot, raises=Act.RAISE in asked.legal and depth < LONGEST)

    def winnings(self, ranks: Integers, of_pots: Sequence[tuple[float, list[int]]]) -> Floats:
        """What the hero gets of some pots in each deal, by the ranks of all seats: float64 (n,)."""
        found = np.zeros(len(ranks))
        for chips, seats in of_pots:
            of = ranks[:, seats]
            best = of.max(axis=1)
            found += np.where(ranks[:, self.hero] == best, chips / (of == best[:, None]).sum(axis=1), 0.0)
        return found

    def play(
        self,
        acts: Sequence[tuple[Act, int | None]],
        board: tuple[int, ...],
        held: Integers,
        uniform: Floats,
        fold_odds: float = 1.0,
        raise_odds: float = 1.0,
    ) -> Floats:
        """Play acts out in each of n deals of a board: float64 (n, 1 + acts), the hero's share of a showdown first.

        `held` has the holdings of everybody in the hand, (n, seats); `uniform` the numbers in [0, 1) that decide on the
        acts that follow and on their sizes, (n, acts, 2). The odds of folds and raises of anybody else are multiplied
        by `fold_odds` and `raise_odds`.
        """
        n = len(held)
        self.begin(board)
        self._held, self._uniform, self._odds = held, uniform, np.array([fold_odds, 1.0, raise_odds])
        seats = [*self.opponents, self.hero]
        hands = np.empty((n, len(seats), 7), np.uint8)
        hands[:, :, :5] = np.array(board, np.uint8)
        hands[:, :, 5:] = HOLDING_CARDS[held[:, seats]]
        self._ranks = np.zeros(held.shape, dtype=np.int64)
        self._ranks[:, seats] = evaluate_many(hands.reshape(-1, 7)).reshape(n, len(seats))
        whole = np.arange(n)
        values = [self.winnings(self._ranks, [(1.0, seats)])]
        for move in acts:
            out = np.zeros(n)
            if move[0] != Act.FOLD:
                self._goes_on = np.ones(n)
                self._play(self.child(self.root, move, 0), whole, 0, out)
            values.append(out)
        return np.column_stack(values)

    def _play(self, node: Node | Leaf, deals: Integers, depth: int, out: Floats) -> None:
        """Play some deals out from a node on: what the hero gets is added to `out`.

        A fold that ends the hand counts by its chance, and the rest of the deal goes on (``play_outs.h`` says why).
        """
        if isinstance(node, Leaf):
            out[deals] += self._goes_on[deals] * (node.value + self.winnings(self._ranks[deals], node.pots))
            return
        held = self._held[deals, node.situation.seat]
        triples = self.strategy(node)[held]
        if (self._odds != 1.0).any() and node.situation.seat != self.hero:
            triples = triples * self._odds
            triples /= triples.sum(axis=1, keepdims=True)
        folds, calls = triples[:, Act.FOLD], triples[:, Act.CALL]
        uniform = self._uniform[deals, depth]
        acts, sizes = uniform[:, 0], uniform[:, 1]
        if (node.situation.seat == self.hero or len(node.situation.active) == 2) and folds.any():
            end = self.child(node, (Act.FOLD, None), depth + 1)
            assert isinstance(end, Leaf)
            out[deals] += self._goes_on[deals] * folds * end.value
            self._goes_on[deals] *= 1.0 - folds
            acts = folds + acts * (1.0 - folds)
            left = self._goes_on[deals] > 0.0
            deals, held, folds, calls, acts, sizes = (
                each[left] for each in (deals, held, folds, calls, acts, sizes)
            )  # fmt: skip
        for move, some in self.splits(node, deals, held, folds, calls, acts, sizes):
            self._play(self.child(node, move, depth + 1), some, depth + 1, out)

    def _leaf(self, state: State, cost: int) -> Leaf | None:
        """What the hero gets where play ends, less `cost`, which is below 0; None where it goes on."""
        if not state.over:
            return None
        back = uncalled(state)  # which is not raked
        matched = sum(state.committed) - sum(back)
        saw = bool(self.spot.situation.round or state.round or state.showdown)
        kept, own = 1.0 - self.rake.of(matched, flop=saw), back[self.hero]
        if not state.showdown:
            won = state.payoffs()[self.hero] + state.committed[self.hero]
            return Leaf(cost + own + kept * (won - own))
        mine = [(pot.chips, list(pot.seats)) for pot in pots(state) if self.hero in pot.seats]
        alone = sum(chips for chips, seats in mine if len(seats) == 1) - own
        return Leaf(cost + own + kept * alone, [(kept * chips, seats) for chips, seats in mine if len(seats) > 1])


def sizes_of(asked: Situation, expected: Any) -> tuple[list[int | None], Floats | None]:
    """What each size of a bet or raise goes to, and for each holding how likely it makes which, added up.

    None where bets have one size.
    """
    if not has_sizes(asked):
        return [None], None
    assert asked.raise_range is not None
    least, most = asked.raise_range
    shares = expected.size_shares
    if shares is None or most == least:
        return [least], None
    shares = np.where(shares > 0.0, shares, 0.0)
    after_call = asked.pot + asked.to_call
    bound = most if most is not None else 10**9
    amounts: list[int | None] = [least]
    for of_pot in OF_POT[1:].tolist():
        wanted = asked.in_round + asked.to_call + of_pot * after_call
        amounts.append(bound if np.isinf(wanted) else int(min(max(least, round(wanted)), bound)))
    chances: Floats = np.cumsum(shares, axis=1)[:, :-1]
    return amounts, chances
