"""Play-outs by any reader: deals go through a tree of betting, which grows where they come.

A node has the strategy of who acts for all 1,326 holdings at once, which is one call of the reader, so that a hundred
deals take little longer than one. Deals come in *run-outs* that share the cards to come: what is asked of the reader
there serves all of them. Run-outs are independent, and deals of one are not: a run-out is a cluster.

The alternative, what `pokermodel.simulation.play_outs` does with readers that can be asked so, is to play deal by deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel.cards import HOLDING_CARDS, holding_index, live_holdings
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Decision, Situation, State
from pokermodel.game.pots import pots, uncalled
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import has_sizes
from pokermodel.reading.spot import Spot
from pokermodel.reading.tables import HandTables
from pokermodel.simulation.answers import answer
from pokermodel.simulation.play_outs import FOLD_ODDS, LONGEST, OF_POT

if TYPE_CHECKING:
    from pokermodel.simulation.play_outs import PlayOuts

__all__ = ["TreePlayOuts"]

_DECK = 52
_DEALS = 32  # of a run-out
_BLOCK = 4  # run-outs of a batch


class _Leaf:
    """Where the hand ends: what the hero gets is said, or by who has the best hand."""

    __slots__ = ("pots", "value")

    def __init__(self, value: float, pots: Sequence[tuple[float, list[int]]] = ()) -> None:
        self.value = value
        self.pots = pots


class _Node:
    """A decision of the play-outs: who acts, what they do with each holding, and where that leads."""

    __slots__ = ("children", "history", "raises", "situation", "sizes", "spot", "state", "triples")

    def __init__(
        self,
        state: State,
        situation: Situation,
        history: BettingHistory,
        spot: Spot,
        triples: Floats | None,
        *,
        raises: bool,
    ) -> None:
        self.state = state
        self.situation = situation
        self.history = history
        self.spot = spot
        self.triples = triples
        self.raises = raises
        self.sizes: tuple[list[int | None], Floats | None] | None = None  # worked out when somebody raises
        self.children: dict[tuple[Act, int | None], tuple[int, _Node | _Leaf]] = {}


class TreePlayOuts:
    """Play-outs of a decision through a tree.

    Parameters
    ----------
    of : PlayOuts
    """

    def __init__(self, of: PlayOuts) -> None:
        self.of, spot = of, of.spot
        assert spot.reader is not None
        self.reader = spot.reader
        self.hero = of.hero
        self.put = spot.state.committed[self.hero]
        history = BettingHistory(len(spot.situation.players))
        for decision in spot.acts:
            history.add(decision)
        self._root = _Node(spot.state.copy(), spot.situation, history, spot, None, raises=True)
        self._boards: dict[int, HandTables] = {}
        self._board: tuple[int, ...] = ()
        self._number = -1

    def batches(
        self, acts: Sequence[tuple[Act, int | None]], generator: np.random.Generator, most: int
    ) -> Iterator[tuple[int, Floats]]:
        """Deals, and by run-out, tilt and act what they give: float64 (run-outs, 3, 2 + acts)."""
        run_outs, number = max(2 * _BLOCK, most // _DEALS), 0
        while number < run_outs:
            n = min(2 * _BLOCK if not number else _BLOCK, run_outs - number)
            yield n * _DEALS, np.stack([self._run_out(acts, generator) for _ in range(n)])
            number += n

    def _run_out(self, acts: Sequence[tuple[Act, int | None]], generator: np.random.Generator) -> Floats:
        """Play deals of acts out on one run-out: float64 (3 tilts, 2 + acts)."""
        of = self.of
        given = of.spot.situation.board
        left = [card for card in range(_DECK) if card not in given and card not in of.own]
        board = given + tuple(generator.choice(left, 5 - len(given), replace=False).tolist())
        live = live_holdings(board + of.own)
        masses = [float((table * live).sum() / table.sum()) for table in of.tables]
        if not all(masses):
            return np.zeros((3, 2 + len(acts)))  # it counts for nothing
        dealt = Dealer(of.tables, board, of.own, rng=generator).deal(_DEALS)
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        held = np.zeros((_DEALS, len(of.spot.situation.players)), dtype=np.intp)
        held[:, of.opponents] = high * (high - 1) // 2 + low
        held[:, of.hero] = holding_index(of.own)
        uniform = generator.random((_DEALS, LONGEST + 40, 2))
        values = self.play(acts, board, held, uniform)
        scale = float(np.prod(masses)) / _DEALS
        found: Floats = of.weighed(dealt, held[:, of.opponents], values, scale).sum(axis=0)
        if self._number < 2 * _BLOCK:
            more, less = (self.play(acts, board, held, uniform, odds)[:, 1:] for odds in FOLD_ODDS)
            of.answered(dealt.weights * scale, (more - less) / 2)
        return found

    def play(
        self,
        acts: Sequence[tuple[Act, int | None]],
        board: tuple[int, ...],
        held: Integers,
        uniform: Floats,
        fold_odds: float = 1.0,
    ) -> Floats:
        """Play acts out in each of n deals of a board: float64 (n, 1 + acts), the hero's share of a showdown first.

        Parameters
        ----------
        acts : sequence of (Act, int or None)
        board : tuple of int
            Five cards.
        held : ndarray of int, shape (n, seats)
            What everybody holds who is in the hand.
        uniform : ndarray of float64, shape (n, acts, 2)
            In [0, 1): what decides on the acts that follow, and on their sizes.
        fold_odds : float
            What the odds of a fold of anybody else are multiplied by.
        """
        n = len(held)
        self._number += 1
        self._board = board
        self._boards = {}
        self._held, self._uniform, self._fold_odds = held, uniform, fold_odds
        seats = [*self.of.opponents, self.hero]
        hands = np.empty((n, len(seats), 7), np.uint8)
        hands[:, :, :5] = np.array(board, np.uint8)
        hands[:, :, 5:] = HOLDING_CARDS[held[:, seats]]
        self._ranks = np.zeros(held.shape, dtype=np.int64)
        self._ranks[:, seats] = evaluate_many(hands.reshape(-1, 7)).reshape(n, len(seats))
        whole = np.arange(n)
        values = [self._winnings([(1.0, seats)], whole)]
        for move in acts:
            out = np.zeros(n)
            if move[0] != Act.FOLD:
                self._play(self._child(self._root, move, 0), whole, 0, out)
            values.append(out)
        return np.column_stack(values)

    # ---------------------------------------------------------------------------------------- the tree

    def _play(self, node: _Node | _Leaf, deals: Integers, depth: int, out: Floats) -> None:
        """Play some deals out from a node on: what the hero gets goes to `out`."""
        if isinstance(node, _Leaf):
            out[deals] = node.value
            if node.pots:
                out[deals] += self._winnings(node.pots, deals)
            return
        assert node.triples is not None
        held = self._held[deals, node.situation.seat]
        triples = node.triples[held]
        uniform = self._uniform[deals, depth, 0]
        folds, calls = triples[:, Act.FOLD], triples[:, Act.CALL]
        if self._fold_odds != 1.0 and node.situation.seat != self.hero:
            stays = 1.0 - folds
            folds = folds * self._fold_odds / (folds * self._fold_odds + stays)
            calls = calls * np.where(stays > 0.0, (1.0 - folds) / np.where(stays > 0.0, stays, 1.0), 1.0)
        raising = uniform >= folds + calls if node.raises else np.zeros(len(deals), dtype=np.bool_)
        folding = uniform < folds
        for act, chosen in ((Act.FOLD, folding), (Act.CALL, ~(folding | raising))):
            some = deals[chosen]
            if len(some):
                self._play(self._child(node, (act, None), depth + 1), some, depth + 1, out)
        if not raising.any():
            return
        if node.sizes is None:
            node.sizes = _sizes(node.situation, self.reader.expect(node.spot))
        amounts, cumulated = node.sizes
        some = deals[raising]
        size = np.zeros(len(some), dtype=np.intp)
        if cumulated is not None:
            size = (self._uniform[some, depth, 1][:, None] > cumulated[held[raising]]).sum(axis=1)
        for k, amount in enumerate(amounts):
            part = some[size == k]
            if len(part):
                self._play(self._child(node, (Act.RAISE, amount), depth + 1), part, depth + 1, out)

    def _winnings(self, pots: Sequence[tuple[float, list[int]]], deals: Integers) -> Floats:
        """What the hero gets of some pots, by rank."""
        found = np.zeros(len(deals))
        ranks = self._ranks[deals]
        for chips, seats in pots:
            of = ranks[:, seats]
            best = of.max(axis=1)
            found += np.where(ranks[:, self.hero] == best, chips / (of == best[:, None]).sum(axis=1), 0.0)
        return found

    def _child(self, node: _Node, move: tuple[Act, int | None], depth: int) -> _Node | _Leaf:
        kept = node.children.get(move)
        if kept is None or kept[0] not in (-1, self._number):
            made = self._made(node, move, depth)
            node.children[move] = kept = self._life(made), made
        return kept[1]

    def _life(self, node: _Node | _Leaf) -> int:
        """Whether a node is there for one run-out (its number) or, before cards are dealt, for all (-1)."""
        if isinstance(node, _Leaf) or node.situation.round == self.of.spot.situation.round:
            return -1
        return self._number

    def _made(self, node: _Node, move: tuple[Act, int | None], depth: int) -> _Node | _Leaf:
        state = node.state.copy()
        situation = node.situation
        put_in = state.act(*move)
        cost = self.put - state.committed[self.hero]
        if move[0] == Act.FOLD and situation.seat == self.hero:
            return _Leaf(cost)
        if state.over:
            return self._end(state, cost)
        history = node.history.copy()
        decision = Decision("", "", 0, situation, move[0], put_in)
        history.add(decision)
        asked = Situation.of(state, situation.players, self._board)
        spot = self._spot(asked, history)
        raises = Act.RAISE in asked.legal and depth < LONGEST
        return _Node(state, asked, history, spot, answer(self.reader, spot), raises=raises)

    def _end(self, state: State, cost: int) -> _Leaf:
        back = uncalled(state)  # which is not raked
        matched = sum(state.committed) - sum(back)
        saw = bool(self.of.spot.situation.round or state.round or state.showdown)
        kept, own = 1.0 - self.of.rake.of(matched, flop=saw), back[self.hero]
        if not state.showdown:
            won = state.payoffs()[self.hero] + state.committed[self.hero]
            return _Leaf(cost + own + kept * (won - own))
        mine = [(pot.chips, list(pot.seats)) for pot in pots(state) if self.hero in pot.seats]
        alone = sum(chips for chips, seats in mine if len(seats) == 1) - own
        return _Leaf(cost + own + kept * alone, [(kept * chips, seats) for chips, seats in mine if len(seats) > 1])

    def _spot(self, asked: Situation, history: BettingHistory) -> Spot:
        """What the reader is given of a node: tables of nobody, since a strategy does not depend on them."""
        tables = self._boards.get(asked.round)
        if tables is None:
            tables = self._boards[asked.round] = HandTables(asked.players)
            tables.deal(asked.board)
        tables.active = asked.active
        return Spot(asked, history.features(asked), tables, [], (self.reader, 1.0, {}))


def _sizes(asked: Situation, expected: Any) -> tuple[list[int | None], Floats | None]:
    """The sizes of a bet or raise, and of each holding how likely it makes which, added up."""
    if not has_sizes(asked):
        return [None], None
    assert asked.raise_range is not None
    least, most = asked.raise_range
    shares = expected.size_shares
    if shares is None or most == least:
        return [least], None
    shares = np.where(shares > 0.0, shares, 0.0)
    after_call = asked.pot + asked.to_call
    amounts: list[int | None] = [least]
    for of_pot in OF_POT[1:].tolist():
        wanted = asked.in_round + asked.to_call + of_pot * after_call
        bound = most if most is not None else 10**9
        amounts.append(bound if np.isinf(wanted) else int(min(max(least, round(wanted)), bound)))
    return amounts, np.cumsum(shares, axis=1)[:, :-1]
