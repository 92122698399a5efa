"""What acts are worth when the hand is played out by the reader's strategy, sizes of bets included.

Loki-2's simulation (Pena 1999, chapter 5) carried to any betting structure: the opponents' holdings are dealt by their
tables, the rest of the board is dealt, and from the act that is valued on everybody does what the reader expects of
them with the holding that they were dealt: the hero, too. What an act is worth is what the hero gets of the pots, less
what they put in from the decision on.

How it is done: all deals of a *run-out* (the cards to come) go through one tree of betting, which grows where deals
come. A node has the strategy of who acts for all 1,326 holdings at once, which is one call of the reader's kernels, so
that a hundred deals take little longer than one. Every act of the hero is played out with the same holdings, the same
cards and the same random numbers, so that differences are known better than values. Run-outs are independent, and
deals of one are not: errors are over run-outs.

The hero's share of the pot at a showdown, over the same deals, goes along with what they win and has a mean that is
known exactly. It is a control variate: what the run-outs favoured the hero by is taken out.

What this leaves out: players do not adapt to what the hero does now, and the hero's later acts are those of the
reader's idea of them, which is not the best that they could do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, cards_text, holding_index, live_holdings
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Decision, Situation, State
from pokermodel.game.pots import pots
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.adviser import own_cards
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import has_sizes
from pokermodel.reading.spot import Spot
from pokermodel.reading.tables import HandTables
from pokermodel.simulation.answers import answer

__all__ = ["NO_RAKE", "Outcome", "PlayOuts", "Rake", "Tilts"]

_DECK = 52
_DEALS = 48  # of a run-out
_BLOCK = 8  # run-outs between two looks at the error
_SIZES = 3  # most sizes of a node that are told apart: the likeliest ones
_LONGEST = 28  # acts after which nobody raises any more
#: What the classes of sizes stand for, by the pot after a call; those of the least and the most are said by the rules.
_OF_POT = (0.0, 0.3, 0.5, 0.72, 1.0, 1.7, np.inf)
_TRIALS = 20_000  # deals of the mean of the control variate, where there are several opponents


class Rake(NamedTuple):
    """What the house takes of a pot that saw a flop.

    Attributes
    ----------
    share : float
        Of the pot.
    cap : float
        The most, in chips; infinite for none.
    """

    share: float = 0.0
    cap: float = float("inf")

    def of(self, pot: float, *, flop: bool = True) -> float:
        """The share of a pot that is taken."""
        return min(self.share, self.cap / pot) if flop and pot > 0 else 0.0


#: What nobody takes.
NO_RAKE = Rake()

#: How the opponents' tables are made stronger and weaker, for the error of ranges: logarithms of factors of weights,
#: float64 (1326,) by seat.
Tilts: TypeAlias = "dict[int, Floats]"


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What acts are worth by play-outs.

    Attributes
    ----------
    ev : ndarray of float64, shape (acts,)
        In chips; 0 for a fold.
    weaker, stronger : ndarray of float64, shape (acts,)
        The same against tables that are a tilt weaker and stronger.
    errors : ndarray of float64, shape (acts, acts)
        Standard errors of differences; on the diagonal those of the values.
    deals : int
    """

    ev: Floats
    weaker: Floats
    stronger: Floats
    errors: Floats
    deals: int


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


class PlayOuts:
    """Play-outs of a decision.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`), with a reader.
    tilts : dict of int to ndarray of float64, shape (1326,)
        By seat of an opponent; those that are not there are not tilted.
    rake : Rake
    deals : int
        Of a run-out.

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, or no holding is left in a table.
    """

    def __init__(self, spot: Spot, tilts: Tilts | None = None, *, rake: Rake = NO_RAKE, deals: int = _DEALS) -> None:
        own, situation = own_cards(spot), spot.situation
        if spot.reader is None:
            raise ValueError("nobody says how players act: expected a spot with a reader")
        self.spot, self.reader, self.rake = spot, spot.reader, rake
        self.deals = check_least("deals", deals, 4)
        self.hero = situation.seat
        self.own = own
        self.opponents = [seat for seat in situation.active if seat != self.hero]
        live = live_holdings(situation.board + own)
        self.tables = [spot.likely(seat) * live for seat in self.opponents]
        for seat, table in zip(self.opponents, self.tables, strict=True):
            if not table.any():
                name = situation.players[seat]
                words = f"{cards_text(own)} and the board {cards_text(situation.board)}"
                raise ValueError(f"no holding of {name} is left beside {words}")
        zero = np.zeros(N_HOLDINGS)
        self.tilts = [(tilts or {}).get(seat, zero) for seat in self.opponents]
        self.put = spot.state.committed[self.hero]
        history = BettingHistory(len(situation.players))
        for decision in spot.acts:
            history.add(decision)
        self._root = _Node(spot.state.copy(), situation, history, spot, None, raises=True)
        self._boards: dict[int, HandTables] = {}
        self._board: tuple[int, ...] = ()
        self._number = -1
        self._means: list[float] = []

    # ------------------------------------------------------------------------------------------- the run

    def run(
        self,
        acts: Sequence[tuple[Act, int | None]],
        rng: RandomLike = None,
        *,
        most: int = 32,
        enough: Callable[[Floats, Floats], bool] | None = None,
    ) -> Outcome:
        """Play acts out.

        Parameters
        ----------
        acts : sequence of (Act, int or None)
            Legal ones, and what bets and raises go to.
        rng : int, Generator, SeedSequence or None
        most : int
            Run-outs, 8 at least.
        enough : callable, optional
            Given the values so far and the standard errors of their differences, whether they do; asked after every
            eight run-outs.

        Returns
        -------
        Outcome
        """
        check_least("most", most, _BLOCK)
        generator = np.random.default_rng(as_seed_sequence(rng))
        sums: list[Floats] = []  # of each run-out: by tilt, weight, control, and acts
        while len(sums) < most:
            for _ in range(_BLOCK):  # the first ones are to see whether it is clear at once
                sums.append(self._run_out(acts, generator, self.deals if sums[_BLOCK - 1 :] else self.deals // 2))
            ev, errors = self._estimate(np.array(sums), 1)
            if enough is not None and enough(ev, errors):
                break
        found = np.array(sums)
        weaker, stronger = (self._estimate(found, tilt)[0] for tilt in (0, 2))
        return Outcome(ev, weaker, stronger, errors, len(sums) * self.deals - _BLOCK * (self.deals - self.deals // 2))

    def _estimate(self, sums: Floats, tilt: int) -> tuple[Floats, Floats]:
        """Means over run-outs, corrected by the control variate, and standard errors of differences."""
        weights = sums[:, tilt, 0]
        shares = weights / weights.sum()
        each = sums[:, tilt, 1:] / weights[:, None]
        means = (shares[:, None] * each).sum(axis=0)
        away = each - means
        spread = float((shares * away[:, 0] ** 2).sum())
        slopes = (shares[:, None] * away[:, :1] * away[:, 1:]).sum(axis=0) / spread if spread > 1e-12 else 0.0
        ev = means[1:] - slopes * (means[0] - self._mean(tilt))
        residuals = away[:, 1:] - slopes * away[:, :1]
        n = len(shares)
        pairs = residuals[:, :, None] - residuals[:, None, :]
        index = np.arange(len(ev))
        pairs[:, index, index] = residuals
        errors = np.sqrt((shares[:, None, None] ** 2 * pairs**2).sum(axis=0) * n / max(n - 2, 1))
        return ev, errors

    def _mean(self, tilt: int) -> float:
        """The hero's share of the pot against tilted tables, if nobody folds."""
        while len(self._means) <= 2:
            z = len(self._means) - 1
            tables = [table * np.exp(z * up) for table, up in zip(self.tables, self.tilts, strict=True)]
            mine = np.zeros(N_HOLDINGS)
            mine[holding_index(self.own)] = 1.0
            found = equity([mine, *tables], self.spot.situation.board, trials=_TRIALS, rng=0, jobs=1)
            self._means.append(float(found.equity[0]))
        return self._means[tilt]

    def _run_out(self, acts: Sequence[tuple[Act, int | None]], generator: np.random.Generator, n: int) -> Floats:
        """Play `n` deals of acts out on one run-out: float64 (3 tilts, 2 + acts)."""
        given = self.spot.situation.board
        left = [card for card in range(_DECK) if card not in given and card not in self.own]
        board = given + tuple(generator.choice(left, 5 - len(given), replace=False).tolist())
        live = live_holdings(board + self.own)
        masses = [float((table * live).sum() / table.sum()) for table in self.tables]
        result = np.zeros((3, 2 + len(acts)))
        if not all(masses):
            result[:, 0] = 1e-300  # it counts for nothing
            return result
        dealt = Dealer(self.tables, board, self.own, rng=generator).deal(n)
        self._number += 1
        self._board = board
        self._boards = {}
        players = len(self.spot.situation.players)
        self._held = np.zeros((n, players), dtype=np.intp)
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        self._held[:, self.opponents] = high * (high - 1) // 2 + low
        self._held[:, self.hero] = holding_index(self.own)
        seats = [*self.opponents, self.hero]
        hands = np.empty((n, len(seats), 7), np.uint8)
        hands[:, :, :5] = np.array(board, np.uint8)
        hands[:, :, 5:] = HOLDING_CARDS[self._held[:, seats]]
        self._ranks = np.zeros((n, players), dtype=np.int64)
        self._ranks[:, seats] = evaluate_many(hands.reshape(-1, 7)).reshape(n, len(seats))
        self._uniform = generator.random((2, _LONGEST + 40, n), dtype=np.float32)
        whole = np.arange(n)
        values = [self._winnings([(1.0, seats)], whole)]
        for move in acts:
            out = np.zeros(n)
            if move[0] != Act.FOLD:
                self._play(self._child(self._root, move, 0), whole, 0, out)
            values.append(out)
        table = np.column_stack([np.ones(n), *values])
        up = sum(tilt[self._held[:, seat]] for seat, tilt in zip(self.opponents, self.tilts, strict=True))
        for k, z in enumerate((-1.0, 0.0, 1.0)):
            scale = dealt.weights * np.exp(z * np.asarray(up)) * float(np.prod(masses)) / self.deals
            result[k] = (scale[:, None] * table).sum(axis=0)  # not by BLAS, whose bits depend on its threads
        return result

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
        uniform = self._uniform[0, depth, deals]
        folds = triples[:, Act.FOLD]
        raising = uniform >= folds + triples[:, Act.CALL] if node.raises else np.zeros(len(deals), dtype=np.bool_)
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
        some, size = deals[raising], 0
        if cumulated is not None:
            size = (self._uniform[1, depth, some][:, None] > cumulated[held[raising]]).sum(axis=1)
        for k, amount in enumerate(amounts):
            part = some if cumulated is None else some[size == k]
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
        if isinstance(node, _Leaf) or node.situation.round == self.spot.situation.round:
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
        raises = Act.RAISE in asked.legal and depth < _LONGEST
        return _Node(state, asked, history, spot, answer(self.reader, spot), raises=raises)

    def _end(self, state: State, cost: int) -> _Leaf:
        whole = sum(state.committed)
        kept = 1.0 - self.rake.of(whole, flop=bool(self.spot.situation.round or state.round or state.showdown))
        if not state.showdown:
            return _Leaf(cost + kept * (state.payoffs()[self.hero] + state.committed[self.hero]))
        # an uncalled bet is a pot of its own, and is not raked
        mine = [(pot.chips, list(pot.seats)) for pot in pots(state) if self.hero in pot.seats]
        alone = sum(chips for chips, seats in mine if len(seats) == 1)
        return _Leaf(cost + alone, [(kept * chips, seats) for chips, seats in mine if len(seats) > 1])

    def _spot(self, asked: Situation, history: BettingHistory) -> Spot:
        """What the reader is given of a node: tables of nobody, since a strategy does not depend on them."""
        tables = self._boards.get(asked.round)
        if tables is None:
            tables = self._boards[asked.round] = HandTables(asked.players)
            tables.deal(asked.board)
        tables.active = asked.active
        return Spot(asked, history.features(asked), tables, [], (self.reader, 1.0, {}))


def _sizes(asked: Situation, expected: Any) -> tuple[list[int | None], Floats | None]:
    """The likeliest sizes of a bet or raise, and of each holding how likely it makes which, added up."""
    if not has_sizes(asked):
        return [None], None
    assert asked.raise_range is not None
    least, most = asked.raise_range
    shares = expected.size_shares
    if shares is None or most == least:
        return [least], None
    shares = np.where(shares > 0.0, shares, 0.0)
    mean = shares.mean(axis=0)
    kept = sorted(np.argsort(-mean, kind="stable")[:_SIZES].tolist())
    kept = [k for k in kept if mean[k] > 0.02 * mean.sum()] or [int(mean.argmax())]
    nearest = np.abs(np.arange(len(mean))[:, None] - np.array(kept)).argmin(axis=1)
    after_call = asked.pot + asked.to_call
    amounts: list[int | None] = []
    for k in kept:
        wanted = asked.in_round + asked.to_call + _OF_POT[k] * after_call
        bound = most if most is not None else 10**9
        amounts.append(least if k == 0 else bound if np.isinf(wanted) else int(min(max(least, round(wanted)), bound)))
    return amounts, np.cumsum(shares @ (nearest[:, None] == np.arange(len(kept))), axis=1)[:, :-1]
