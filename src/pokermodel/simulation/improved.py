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
from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, cards_text, holding_index, live_holdings
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act, Decision, Situation, State
from pokermodel.game.pots import pots
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.adviser import own_cards
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.reader import has_sizes
from pokermodel.reading.spot import Spot
from pokermodel.reading.tables import HandTables
from pokermodel.simulation.answers import answer
from pokermodel.simulation.myopic import raise_sizes

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
#: What the classes of sizes stand for, by the pot after a call: the least and the most are said by the rules.
_OF_POT = (0.0, 0.3, 0.5, 0.72, 1.0, 1.7, np.inf)
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


class _Leaf:
    """Where the hand ends: what the hero gets is said, or by who has the best hand."""

    __slots__ = ("pots", "value")

    def __init__(self, value: float, pots: Sequence[tuple[float, list[int]]] = ()) -> None:
        self.value = value
        self.pots = pots


class _Choice(NamedTuple):
    """What the hero can do at a later decision, as `_Node.choices` keeps it."""

    move: tuple[Act, int | None]
    cost: float  # chips put in
    pot: float  # that the hero can win, if everybody who is asked folds
    asked: list[tuple[int, Floats, float]]  # seat, chance of a fold with each holding, chips if they stay


class _Node:
    """A decision of the play-outs."""

    __slots__ = ("children", "choices", "history", "raises", "situation", "sizes", "spot", "state", "triples")

    def __init__(self, state: State, situation: Situation, history: BettingHistory, spot: Spot, raises: bool) -> None:
        self.state = state
        self.situation = situation
        self.history = history
        self.spot = spot
        self.raises = raises
        self.triples: Floats | None = None  # these three when they are first asked for
        self.sizes: tuple[list[int | None], Floats | None] | None = None
        self.choices: list[_Choice] | None = None
        self.children: dict[tuple[Act, int | None], tuple[int, _Node | _Leaf]] = {}


class ImprovedPlayOuts:
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

    def __init__(self, spot: Spot, *, deals: int = 64) -> None:
        own, situation = own_cards(spot), spot.situation
        if spot.reader is None:
            raise ValueError("nobody says how players act: expected a spot with a reader")
        self.spot, self.reader, self.own = spot, spot.reader, own
        self.deals = check_least("deals", deals, 16)
        self.hero = situation.seat
        self.opponents = [seat for seat in situation.active if seat != self.hero]
        live = live_holdings(situation.board + own)
        self.tables = [spot.likely(seat) * live for seat in self.opponents]
        for seat, table in zip(self.opponents, self.tables, strict=True):
            if not table.any():
                name = situation.players[seat]
                words = f"{cards_text(own)} and the board {cards_text(situation.board)}"
                raise ValueError(f"no holding of {name} is left beside {words}")
        self.put = spot.state.committed[self.hero]
        history = BettingHistory(len(situation.players))
        for decision in spot.acts:
            history.add(decision)
        self._root = _Node(spot.state.copy(), situation, history, spot, raises=True)
        self._number = -1
        self._board: tuple[int, ...] = ()
        self._boards: dict[int, HandTables] = {}
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
        weights = sums[:, 0]
        if not weights.any():
            raise ValueError("the tables hardly admit a deal")
        shares = weights / weights.sum()
        each = np.where(weights[:, None] > 0, sums[:, 1:] / np.where(weights > 0, weights, 1.0)[:, None], 0.0)
        means = (shares[:, None] * each).sum(axis=0)
        away = each - means
        spread = float((shares * away[:, 0] ** 2).sum())
        slopes: Any = 0.0
        if spread > 1e-9:
            slopes = (shares[:, None] * away[:, :1] * away[:, 1:]).sum(axis=0) / spread
        ev = means[1:] - slopes * (means[0] - self._mean_share())
        residuals = away[:, 1:] - slopes * away[:, :1]
        pairs = residuals[:, :, None] - residuals[:, None, :]
        index = np.arange(len(ev))
        pairs[:, index, index] = residuals
        n = len(shares)
        errors = np.sqrt((shares[:, None, None] ** 2 * pairs**2).sum(axis=0) * n / max(n - 2, 1))
        return ev, errors

    def _mean_share(self) -> float:
        """The hero's share of the pot if nobody folds."""
        if self._share is None:
            mine = np.zeros(N_HOLDINGS)
            mine[holding_index(self.own)] = 1.0
            found = equity([mine, *self.tables], self.spot.situation.board, trials=_TRIALS, rng=0, jobs=1)
            self._share = float(found.equity[0])
        return self._share

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
        self._number += 1
        self._board, self._boards, self._uniform = board, {}, uniform
        self._weights = dealt.weights * (float(np.prod(masses)) / n)
        held = np.full((n, players), holding_index(self.own), dtype=np.intp)
        high, low = dealt.holdings[:, :, 0].astype(np.intp), dealt.holdings[:, :, 1].astype(np.intp)
        held[:, self.opponents] = high * (high - 1) // 2 + low
        self._held = held
        self._seats = [*self.opponents, self.hero]
        self._others: dict[int, tuple[Integers, Bools]] = {}
        self._ranks, _ = self._ranks_on(dealt.boards[None])
        whole = np.arange(n)
        values = [self._winnings([(1.0, self._seats)], whole)]
        for move in acts:
            out = np.zeros(n)
            if move[0] != Act.FOLD:
                self._play(self._child(self._root, move, 0), whole, 0, out)
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
            known = self._board[: BOARD_CARDS[street]]
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

    def _winnings(self, of_pots: Sequence[tuple[float, list[int]]], deals: Integers) -> Floats:
        """What the hero gets of some pots, by rank."""
        found = np.zeros(len(deals))
        ranks = self._ranks[0, deals]
        for chips, seats in of_pots:
            of = ranks[:, seats]
            best = of.max(axis=1)
            found += np.where(ranks[:, self.hero] == best, chips / (of == best[:, None]).sum(axis=1), 0.0)
        return found

    # ---------------------------------------------------------------------------------------------- the tree

    def _play(self, node: _Node | _Leaf, deals: Integers, depth: int, out: Floats) -> None:
        """Play some deals out from a node on: what the hero gets goes to `out`."""
        if isinstance(node, _Leaf):
            out[deals] = node.value
            if node.pots:
                out[deals] += self._winnings(node.pots, deals)
            return
        if node.situation.seat == self.hero and self._improve(node, deals, depth, out):
            return
        if node.triples is None:
            node.triples = answer(self.reader, node.spot)
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
        some, size = deals[raising], np.zeros(int(raising.sum()), dtype=np.intp)
        if cumulated is not None:
            size = (self._uniform[1, depth, some][:, None] > cumulated[held[raising]]).sum(axis=1)
        for k, amount in enumerate(amounts):
            part = some[size == k]
            if len(part):
                self._play(self._child(node, (Act.RAISE, amount), depth + 1), part, depth + 1, out)

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
            self._play(self._child(node, move, depth + 1), some, depth + 1, out)
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
        after = self._child(node, move, depth + 1)
        street = node.situation.round
        while isinstance(after, _Node) and after.situation.round == street and after.situation.seat != self.hero:
            if after.triples is None:
                after.triples = answer(self.reader, after.spot)
            situation, seat = after.situation, after.situation.seat
            call = min(situation.to_call, max(0, mine - situation.committed[seat]))
            found.append((seat, after.triples[:, Act.FOLD], float(call)))
            depth += 1
            after = self._child(after, (Act.FOLD if Act.FOLD in situation.legal else Act.CALL, None), depth + 1)
        never = np.zeros(N_HOLDINGS)  # who is all-in stays
        there = {seat for seat, _, _ in found}
        found += [(seat, never, 0.0) for seat in self._behind(node.situation) if seat not in there]
        return found

    def _child(self, node: _Node, move: tuple[Act, int | None], depth: int) -> _Node | _Leaf:
        kept = node.children.get(move)
        if kept is None or kept[0] not in (-1, self._number):
            made = self._made(node, move, depth)
            # before cards are dealt a node is there for all run-outs, else for this one
            lasting = isinstance(made, _Leaf) or made.situation.round == self.spot.situation.round
            node.children[move] = kept = -1 if lasting else self._number, made
        return kept[1]

    def _made(self, node: _Node, move: tuple[Act, int | None], depth: int) -> _Node | _Leaf:
        state, situation = node.state.copy(), node.situation
        put_in = state.act(*move)
        cost = self.put - state.committed[self.hero]
        if move[0] == Act.FOLD and situation.seat == self.hero:
            return _Leaf(cost)
        if state.over:
            if not state.showdown:
                return _Leaf(cost + state.payoffs()[self.hero] + state.committed[self.hero])
            mine = [(float(pot.chips), list(pot.seats)) for pot in pots(state) if self.hero in pot.seats]
            return _Leaf(cost, mine)
        if state.round > situation.round == 0:
            return self._later(state, cost)
        history = node.history.copy()
        history.add(Decision("", "", 0, situation, move[0], put_in))
        asked = Situation.of(state, situation.players, self._board)
        tables = self._boards.get(asked.round)
        if tables is None:
            tables = self._boards[asked.round] = HandTables(asked.players)
            tables.deal(asked.board)
        tables.active = asked.active
        spot = Spot(asked, history.features(asked), tables, [], (self.reader, 1.0, {}))
        return _Node(state, asked, history, spot, raises=Act.RAISE in asked.legal and depth < _LONGEST)

    def _later(self, state: State, cost: int) -> _Leaf:
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
        return _Leaf(cost - more, [(pot + len(active) * more, active)])


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
    nearest = np.abs(np.arange(len(mean))[:, None] - np.array(kept)).argmin(axis=1)
    amounts: list[int | None] = [(raise_sizes(asked, [_OF_POT[k]]) or (least,))[0] if k else least for k in kept]
    chances: Floats = np.cumsum(shares @ (nearest[:, None] == np.arange(len(kept))), axis=1)[:, :-1]
    return amounts, chances
