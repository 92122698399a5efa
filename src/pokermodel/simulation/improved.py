"""Play-outs in which the hero's later acts are improved: at any table, in any betting structure.

As in `pokermodel.simulation.play_outs`, the opponents' holdings are dealt by their tables and do what the reader
expects of them, and deals of one run-out go through one tree of betting. The hero does not: a player who knows what
the others do has no reason to act as the reader would expect of them. At each of their later decisions the hero takes
a step of policy improvement (Howard 1960): of what they can do there, they do what is worth most if nobody bets once
it is answered. That is worked out by the very deals that came to the decision, which are a sample of what the
opponents can hold after the betting that led there.

The hero must not see what is hidden from them. Two things would show it: the cards to come, since all deals of a
run-out have the same ones, and the opponents' holdings, since the best act of a few deals is the best one against
these. So shares of the pot are taken over other cards to come, and what is done in half of the deals is chosen by the
other half.

Why not the value of going on by the reader's strategy instead, as the step is usually taken: it would need play-outs
from each decision of a play-out, with run-outs of their own. And the hero's idea of themselves, that of the reader, is
no good policy to begin with. What is left out: opponents do not adapt to what the hero does now.

Before the flop the hand is played out to the flop alone. With ten players nearly every deal would go through a tree of
its own from there on, at a hundred times the cost. What later streets add is taken to go by the share of the pot: each
player puts in as much more, and it is won as the pot is (`_LATER_BETS`, `_LATER_SHARE`). Who is ahead wins more than
the pot at hand, and who is behind loses more; that the better hand is paid less than it could be and that draws cost
less than they could is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Bools, Bytes, Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Situation, State
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.spot import Spot
from pokermodel.simulation.myopic import raise_sizes
from pokermodel.simulation.play_out_trees import BettingTree, Leaf, Node
from pokermodel.simulation.play_outs import controlled, mean_share, played_against

__all__ = ["ImprovedPlayOuts", "Worths"]

_DECK = 52
_BLOCK = 8  # run-outs between two looks at the error
_LONGEST = 24  # acts after which nobody raises any more
_FEW = 4  # deals of a half below which the hero does as the reader says: so few say nothing
#: What each player puts in after the flop: bets of the first round in limit, and by the pot and opponent elsewhere.
_LATER_BETS, _LATER_SHARE = 1.5, 0.3
_OTHERS = 24  # other cards to come, by which the hero judges
_TRIALS = 8_000  # deals of the mean of the control variate, where there are several opponents
_OWN_SIZE = 0.7  # of the pot after a call, of the hero's later bets and raises
_SIZES = 2  # of bets and raises of a node that are told apart: the likeliest ones


class Worths(NamedTuple):
    """What acts are worth.

    Attributes
    ----------
    ev : ndarray of float64, shape (acts,)
        In chips, from the decision on; 0 for a fold.
    errors : ndarray of float64, shape (acts, acts)
        Standard errors of differences; on the diagonal those of the values.
    deals : int
    """

    ev: Floats
    errors: Floats
    deals: int


class _Choice(NamedTuple):
    """What the hero can do at a later decision, as `_Node.choices` keeps it."""

    move: tuple[Act, int | None]
    cost: float  # chips put in
    pot: float  # that the hero can win, if everybody who is asked folds
    asked: list[tuple[int, Floats, float]]  # seat, chance of a fold with each holding, chips if they stay


class _Node(Node):
    """A decision of the play-outs."""

    __slots__ = ("choices",)

    def __init__(
        self, state: State, situation: Situation, history: BettingHistory, spot: Spot, *, raises: bool
    ) -> None:
        super().__init__(state, situation, history, spot, raises=raises)
        self.choices: list[_Choice] | None = None  # when it is first asked for


class ImprovedPlayOuts(BettingTree):
    """Play-outs of a decision in which the hero's later acts are improved.

    Parameters
    ----------
    spot : Spot
        Of the hero, who is to act and knows their cards (`Spot.held`), with a reader.
    deals : int
        Of a run-out: 16 at least.

    Raises
    ------
    ValueError
        If the hero's cards or a reader are missing, or no holding is left in a table.
    """

    node_type = _Node

    def __init__(self, spot: Spot, *, deals: int = 64) -> None:
        self.own, self.opponents, self.tables = played_against(spot)
        self.deals = check_least("deals", deals, 16)
        super().__init__(spot, _LONGEST, _SIZES)
        self._share: float | None = None

    def run(
        self,
        acts: Sequence[tuple[Act, int | None]],
        rng: RandomLike = None,
        *,
        most: int = 32,
        enough: Callable[[Floats, Floats], bool] | None = None,
    ) -> Worths:
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
        Worths
        """
        check_least("most", most, _BLOCK)
        generator = np.random.default_rng(as_seed_sequence(rng))
        sums: list[Floats] = []  # of each run-out: weight, control, and acts
        while len(sums) < most:
            for _ in range(_BLOCK):
                sums.append(self._run_out(acts, generator))
            ev, errors = self._estimate(np.array(sums))
            if enough is not None and enough(ev, errors):
                break
        return Worths(ev, errors, len(sums) * self.deals)

    def _estimate(self, sums: Floats) -> tuple[Floats, Floats]:
        """Means over run-outs, corrected by the control variate, and standard errors of differences."""
        if self._share is None:
            self._share = mean_share(self.own, self.tables, self.spot.situation.board, _TRIALS)
        return controlled(sums, self._share)

    # --------------------------------------------------------------------------------------------- a run-out

    def _run_out(self, acts: Sequence[tuple[Act, int | None]], generator: np.random.Generator) -> Floats:
        """Play the deals of one run-out: float64 (2 + acts). Before the flop each deal has cards of its own."""
        n, given = self.deals, self.spot.situation.board
        board: tuple[int, ...] = ()
        masses = [1.0]
        if given:
            left = [card for card in range(_DECK) if card not in given and card not in self.own]
            board = given + tuple(generator.choice(left, 5 - len(given), replace=False).tolist())
            live = live_holdings(board + self.own)
            masses = [float((table * live).sum() / table.sum()) for table in self.tables]
        uniform = generator.random((3, _LONGEST + 40, n), dtype=np.float32)
        self._generator = generator
        if not all(masses):
            return np.zeros(2 + len(acts))
        dealt = Dealer(self.tables, board, self.own, rng=generator).deal(n)
        players = len(self.spot.situation.players)
        self.begin(board)
        self._uniform = uniform
        self._weights = dealt.weights * (float(np.prod(masses)) / n)
        held = np.full((n, players), holding_index(self.own), dtype=np.intp)
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        held[:, self.opponents] = high * (high - 1) // 2 + low
        self._held = held
        self._seats = [*self.opponents, self.hero]
        self._others: dict[int, tuple[Integers, Bools]] = {}
        self._ranks, _ = self._ranks_on(dealt.boards[None])
        whole = np.arange(n)
        values = [self.winnings(self._ranks[0], [(1.0, self._seats)])]
        for move in acts:
            out = np.zeros(n)
            if move[0] != Act.FOLD:
                self._play(self.child(self.root, move, 0), whole, 0, out)
            values.append(out)
        sums: Floats = (self._weights[:, None] * np.column_stack([np.ones(n), *values])).sum(axis=0)
        return sums

    def _ranks_on(self, boards: Bytes) -> tuple[Integers, Bools]:
        """Ranks of everybody on boards (n, deals, 5), and whether they hold none of these: (n, deals, players)."""
        n, players = self._held.shape
        cards = HOLDING_CARDS[self._held[:, self._seats]]
        hands = np.empty((len(boards), n, len(self._seats), 7), np.uint8)
        hands[..., 5:] = cards
        hands[..., :5] = boards[:, :, None, :]
        taken = (hands[..., 5:, None] == boards[:, :, None, None, :]).any(axis=(3, 4))
        # hands with a card twice have no rank: they are ranked as something, and not counted
        if taken.any():
            hands[taken] = np.arange(7, dtype=np.uint8)
        free = np.ones((len(boards), n, players), dtype=np.bool_)
        free[:, :, self._seats] = ~taken
        ranks = np.zeros((len(boards), n, players), dtype=np.int64)
        ranks[:, :, self._seats] = evaluate_many(hands.reshape(-1, 7)).reshape(len(boards), n, len(self._seats))
        return ranks, free

    def _imagined(self, street: int) -> tuple[Integers, Bools]:
        """Ranks, and who holds none of these cards, on other cards to come than those of the run-out."""
        found = self._others.get(street)
        if found is None:
            known = self.board[: BOARD_CARDS[street]]
            if street in (0, 3):  # before the flop each deal has cards of its own
                found = self._ranks, np.ones(self._ranks.shape, dtype=np.bool_)
            else:
                left = [card for card in range(_DECK) if card not in known and card not in self.own]
                more = [self._generator.choice(left, 5 - len(known), replace=False).tolist() for _ in range(_OTHERS)]
                boards = np.array([(*known, *cards) for cards in more], dtype=np.uint8)
                found = self._ranks_on(np.broadcast_to(boards[:, None], (_OTHERS, self.deals, 5)))
            self._others[street] = found
        return found

    def _shares(self, street: int, deals: Integers, seats: Sequence[int], stays: Bools | None = None) -> Floats:
        """The hero's share of the pot in some deals against opponents, or those of them that stay, as they see it."""
        ranks, free = self._imagined(street)
        of = ranks[:, deals][:, :, seats]
        if stays is not None:
            of = np.where(stays, of, -1)
        mine = ranks[:, deals, self.hero]
        won = np.where(mine >= of.max(axis=2), 1.0 / (1 + (of == mine[:, :, None]).sum(axis=2)), 0.0)
        if street in (0, 3):
            return won[0]  # type: ignore[no-any-return]
        fits = free[:, deals][:, :, seats].all(axis=2)
        times = fits.sum(axis=0)
        alone = (won * fits).sum(axis=0) / np.maximum(times, 1)
        found: Floats = np.where(times > 0, alone, won.mean(axis=0))
        return found

    def _play(self, node: Node | Leaf, deals: Integers, depth: int, out: Floats) -> None:
        """Play some deals out from a node on: what the hero gets goes to `out`."""
        if isinstance(node, Leaf):
            out[deals] = node.value + self.winnings(self._ranks[0, deals], node.pots)
            return
        assert isinstance(node, _Node)
        if node.situation.seat == self.hero and self._improve(node, deals, depth, out):
            return
        held = self._held[deals, node.situation.seat]
        triples, uniform = self.strategy(node)[held], self._uniform[:, depth, deals]
        folds, calls = triples[:, Act.FOLD], triples[:, Act.CALL]
        for move, some in self.splits(node, deals, held, folds, calls, uniform[0], uniform[1]):
            self._play(self.child(node, move, depth + 1), some, depth + 1, out)

    def _improve(self, node: _Node, deals: Integers, depth: int, out: Floats) -> bool:
        """Play on by the hero's best acts, chosen for each half by the other; False if there are too few deals."""
        even = deals % 2 == 0
        if min(int(even.sum()), len(deals) - int(even.sum())) < _FEW:
            return False
        if node.choices is None:
            node.choices = self._choices(node, depth)
        street = node.situation.round
        weights = self._weights[deals]
        worth = np.empty((len(node.choices), 2))
        for k, choice in enumerate(node.choices):
            if choice.move[0] == Act.FOLD:
                worth[k] = 0.0
                continue
            stays = None
            pot: Any = choice.pot
            if choice.asked:
                fold = np.column_stack([folds[self._held[deals, seat]] for seat, folds, _ in choice.asked])
                draw = self._uniform[2, depth : depth + len(choice.asked), deals].reshape(len(deals), -1)
                stays = draw >= fold
                pot = choice.pot + (stays * np.array([chips for _, _, chips in choice.asked])).sum(axis=1)
            seats = [seat for seat, _, _ in choice.asked] if choice.asked else self._behind(node.situation)
            values = pot * self._shares(street, deals, seats, stays) - choice.cost
            for half, chosen in enumerate((even, ~even)):
                total = float(weights[chosen].sum())
                worth[k, half] = float((weights[chosen] * values[chosen]).sum()) / total if total > 0 else 0.0
        best = worth.argmax(axis=0)
        for half, chosen in enumerate((~even, even)):  # by what the other half says
            if best[0] == best[1]:
                chosen = np.ones(len(deals), dtype=np.bool_)
            some = deals[chosen]
            move = node.choices[best[half]].move
            self._play(self.child(node, move, depth + 1), some, depth + 1, out)
            if best[0] == best[1]:
                break
        return True

    def _behind(self, situation: Situation) -> list[int]:
        """Who is in beside the hero."""
        return [seat for seat in situation.active if seat != self.hero]

    def _choices(self, node: _Node, depth: int) -> list[_Choice]:
        """What the hero can do at a node, and how it would be answered."""
        situation = node.situation
        moves: list[tuple[Act, int | None]] = [(act, None) for act in situation.legal if act != Act.RAISE]
        if Act.RAISE in situation.legal and node.raises:
            if situation.spec.structure.fixed:
                moves.append((Act.RAISE, None))
            else:
                moves += [(Act.RAISE, to) for to in raise_sizes(situation, (_OWN_SIZE,))]
        found = []
        for move in moves:
            state = node.state.copy()
            cost = float(state.act(*move))
            asked: list[tuple[int, Floats, float]] = []
            mine = state.committed[self.hero]
            pot = float(sum(min(chips, mine) for chips in state.committed))
            if move[0] == Act.RAISE:
                asked = self._asked(node, move, depth, mine)
            found.append(_Choice(move, cost, pot, asked))
        return found

    def _asked(
        self, node: _Node, move: tuple[Act, int | None], depth: int, mine: int
    ) -> list[tuple[int, Floats, float]]:
        """Who is asked after a raise if nobody raises again, how likely they fold, and what it costs them."""
        found = []
        after = self.child(node, move, depth + 1)
        street = node.situation.round
        while isinstance(after, Node) and after.situation.round == street and after.situation.seat != self.hero:
            situation, seat = after.situation, after.situation.seat
            call = min(situation.to_call, max(0, mine - situation.committed[seat]))
            found.append((seat, self.strategy(after)[:, Act.FOLD], float(call)))
            depth += 1
            after = self.child(after, (Act.FOLD if Act.FOLD in situation.legal else Act.CALL, None), depth + 1)
        never = np.zeros(N_HOLDINGS)  # who is all-in stays
        there = {seat for seat, _, _ in found}
        found += [(seat, never, 0.0) for seat in self._behind(node.situation) if seat not in there]
        return found

    def leaf(self, state: State, before: Situation, cost: int) -> Leaf | None:  # noqa: D102
        if state.round > before.round == 0 and not state.over:
            return self._later(state, cost)
        return super().leaf(state, before, cost)

    def _later(self, state: State, cost: int) -> Leaf:
        """Where the flop comes, of a hand that is played out from before it."""
        active, spec = [*state.active], self.spot.situation.spec
        pot = float(sum(state.committed))
        if spec.structure.fixed:
            more = _LATER_BETS * spec.bets[0]
        else:
            more = _LATER_SHARE * pot / (len(active) - 1)
        stacks = self.spot.situation.stacks_before
        if stacks:
            known = [stack - state.committed[seat] for seat in active if (stack := stacks[seat]) is not None]
            more = min([more, *known])
        return Leaf(cost - more, [(pot + len(active) * more, active)])
