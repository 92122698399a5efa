"""Output for solvers: the range of every player at every node, and node locks of PioSOLVER."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Bools, Floats
from pokermodel.analysis.lines import BettingLine, of_pot
from pokermodel.cards import N_HOLDINGS, card_text, cards_text, live_holdings
from pokermodel.game import ROUNDS, Act, Decision, Hand, Situation, positions, seat_names
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.width import Width
from pokermodel.weights import WeightTable

__all__ = ["HandNode", "Lock", "PioLine", "bet_shares", "hand_nodes", "strategy_rows"]

_DIGITS = 4  # decimals of a strategy
#: What stands for a class of sizes, by the pot; the least and the most are what they are in the situation.
_MIDDLES = (None, 0.3, 0.5, 0.72, 1.03, 1.6, None)


class PioLine:
    """The node of a hand in PioSOLVER's tree of the flop, as ``r:0:b100:c:8h``.

    Bets and raises are the player's totals since the flop, in chips of the hand.

    Attributes
    ----------
    players : tuple of int or None
        The seats out of position and in position; None as long as there is no flop, and where more than two see it.
    """

    def __init__(self, hand: Hand) -> None:
        self._board = hand.board
        self._first = hand.spec.first[1]
        self._put_in: dict[int, int] = {}
        self._parts = ["r", "0"]
        self._round = 0
        self.players: tuple[int, int] | None = None

    def at(self, situation: Situation) -> str | None:
        """The node of the next situation of the hand; None before the flop and where more than two saw it."""
        if situation.round and not self._round:
            if len(situation.active) == 2:
                n = len(situation.players)
                low, high = sorted(situation.active, key=lambda seat: (seat - self._first) % n)
                self.players = low, high
            self._round = 1
        while self._round < situation.round:
            self._parts.append(card_text(self._board[self._round + 2]))
            self._round += 1
        return None if self.players is None else ":".join(self._parts)

    def add(self, decision: Decision) -> None:
        """Follow the hand by one act, whose situation was asked about."""
        if decision.round == 0:
            return
        seat = decision.seat
        self._put_in[seat] = self._put_in.get(seat, 0) + decision.put_in
        self._parts.append({Act.FOLD: "f", Act.CALL: "c"}.get(decision.act, f"b{self._put_in[seat]}"))


def bet_shares(situation: Situation, sizes: ArrayLike | None, bets: Sequence[float]) -> Floats:
    """How bets and raises divide among the sizes of a tree.

    Parameters
    ----------
    sizes : array_like, shape (7,), or None
        The forecast of each class of sizes; None divides evenly.
    bets : sequence of float
        Sizes of the tree, rising: what each exceeds a call by, by the pot after the call.

    Returns
    -------
    ndarray of float64, shape (bets,)
        Sums to 1. Each class goes to the size that is nearest to it by ratio.

    Raises
    ------
    ValueError
        If there is no size, or they are not above 0 and rising.
    """
    tree = np.array(bets, dtype=np.float64)
    if not (len(tree) and tree[0] > 0 and (np.diff(tree) > 0).all()):
        raise ValueError(f"sizes of a tree must be above 0 and rising, got {', '.join(f'{bet:g}' for bet in tree)}")
    if sizes is None:
        return np.full(len(tree), 1 / len(tree))
    assert situation.raise_range is not None
    least, most = situation.raise_range
    middles = list(_MIDDLES)
    middles[0] = of_pot(situation, least)
    middles[-1] = of_pot(situation, least if most is None else most)
    found = np.zeros(len(tree))
    for middle, share in zip(middles, np.asarray(sizes, dtype=np.float64).tolist(), strict=True):
        assert middle is not None
        found[np.abs(np.log(tree / max(middle, 1e-6))).argmin()] += share
    found /= found.sum()
    return found


def strategy_rows(triples: Floats, live: Bools, legal: Sequence[Act], shares: Floats) -> Floats:
    """The strategy of a node, a row for each child in PioSOLVER's order: bets from the largest down, c, f.

    Parameters
    ----------
    triples : ndarray of float64, shape (1326, 3)
        Probability of fold, call and raise with each holding; nan where one is not possible.
    live : ndarray of bool, shape (1326,)
        Holdings that the board leaves.
    legal : sequence of Act
        The acts that the node has.
    shares : ndarray of float64, shape (bets,)
        How raises divide among the bets of the tree, from the smallest up.

    Returns
    -------
    ndarray of float64, shape (children, 1326)
        Four decimals; columns of live holdings sum to 1, the others are 0.
    """
    rows = []
    if Act.RAISE in legal:
        rows += [triples[:, Act.RAISE] * share for share in shares[::-1]]
    rows.append(triples[:, Act.CALL])
    if Act.FOLD in legal:
        rows.append(triples[:, Act.FOLD])
    found = np.nan_to_num(np.array(rows))
    total = found.sum(axis=0)
    found[:, total == 0] = 1.0  # a holding of which the reader says nothing
    found /= found.sum(axis=0)
    scale = 10**_DIGITS
    units = np.round(found * scale)
    largest = units.argmax(axis=0)
    units[largest, np.arange(N_HOLDINGS)] += scale - units.sum(axis=0)  # what rounding took or gave
    units[:, ~live] = 0.0
    strategy: Floats = units / scale
    return strategy


@dataclass(frozen=True, slots=True)
class Lock:
    """The strategy that a model expects at a node, in the format of PioSOLVER."""

    node: str  #: The node in PioSOLVER's tree.
    #: The children that rows are for, in their order: ``b67%`` is a bet or raise of two thirds of the pot.
    children: tuple[str, ...]
    rows: Floats


@dataclass(frozen=True, slots=True)
class HandNode:
    """A node that a hand passed."""

    index: int  #: Of the decision that follows; the number of decisions, at the end of the hand.
    round: int
    board: tuple[int, ...]
    line: str  #: The node in words, see `BettingLine`; at the end of the hand it has no player to act.
    pot: int | None  #: Chips; None at the end of the hand.
    player: str | None  #: Who is to act; None at the end of the hand.
    tables: Mapping[str, WeightTable]  #: The table of every player who has not folded.
    widths: Mapping[str, Width | None]  #: How wide it is; None before the player has chosen anything.
    pio: str | None  #: The node in PioSOLVER's tree, where two players saw the flop.
    positions: Mapping[str, str]  #: Names of the players' seats.
    #: The strategy of the player to act, where `pio` is and the player is one whom the reader has triples for.
    lock: Lock | None
    #: Chips that the shortest stack of those who have not folded has left; None if one is not known, and at the end.
    behind: int | None

    def to_dict(self, solver: str) -> dict[str, Any]:
        """Return plain data for JSON, ranges written for a solver."""
        return {
            "index": self.index,
            "round": ROUNDS[self.round],
            "board": cards_text(self.board),
            "node": self.line,
            "pot": self.pot,
            "player": self.player,
            "pio": self.pio,
            "ranges": {name: table.to_text(solver) for name, table in self.tables.items()},
            "widths": {name: None if each is None else each._asdict() for name, each in self.widths.items()},
        }


def hand_nodes(
    hand: Hand,
    session: OpponentModeler,
    *,
    bets: Sequence[float] | None = None,
    exact: bool = True,
    least: float = 0.0,
    top: float = 1.0,
) -> Iterator[HandNode]:
    """The nodes that a hand passed, each before the act that followed, and the end of the hand.

    Parameters
    ----------
    session : OpponentModeler
        Reads the hand; what it learns stays with it.
    bets : sequence of float, optional
        Make locks, for trees with these sizes of bets and raises: what each exceeds a call by, by the pot after the
        call, rising.
    exact : bool
        Whether lines name sizes exactly, see `BettingLine`.
    least, top : float
        The part left out of the tables, see `WeightTable.trim`.

    Raises
    ------
    ValueError
        If the hand breaks the rules or is of a game that the session does not read, or the sizes are not rising.
    """
    line, pio = BettingLine(hand.spec, exact=exact), PioLine(hand)
    names = dict(zip(hand.players, seat_names(positions(hand.spec)), strict=True))
    session.start(hand.players)
    if session.hero is not None and session.hero in hand.players:
        seat = hand.players.index(session.hero)
        if seat in hand.holdings and not session.public_models:
            session.hold(hand.holdings[seat])

    def trimmed(seat: int) -> WeightTable:
        table = session.table(seat)
        return table.trim(least=least, top=top) if table.total and (least > 0.0 or top < 1.0) else table

    decision: Decision | None = None
    for decision in hand.replay():
        situation = decision.situation
        session.deal(situation.board)
        node = pio.at(situation)
        lock = None
        if bets is not None and node is not None and not decision.out_of_turn:
            lock = _lock(node, session, situation, bets)
        tables = {situation.players[seat]: trimmed(seat) for seat in situation.active}
        stacks = [situation.stacks[seat] for seat in situation.active]
        known = [stack for stack in stacks if stack is not None]
        yield HandNode(
            decision.index,
            situation.round,
            situation.board,
            line.before(situation),
            situation.pot,
            situation.player,
            tables,
            {name: session.width(name) for name in tables},
            node,
            names,
            lock,
            min(known) if len(known) == len(stacks) else None,
        )
        session.observe(decision)
        line.add(decision)
        pio.add(decision)
    if decision is not None and len(session.tables.active) > 1:
        tables = {hand.players[seat]: trimmed(seat) for seat in session.tables.active}
        index, board = decision.index + 1, session.tables.board
        widths = {name: session.width(name) for name in tables}
        yield HandNode(index, decision.round, board, line.end(), None, None, tables, widths, None, names, None, None)


def _lock(node: str, session: OpponentModeler, situation: Situation, bets: Sequence[float]) -> Lock:
    triples = session.expect(situation).triples
    if situation.spec.structure.fixed:
        shares, names = np.ones(1), ["b"]
    else:
        sizes = session.predict_sizes(situation) if Act.RAISE in situation.legal else None
        shares, names = bet_shares(situation, sizes, bets), [f"b{bet:.0%}" for bet in bets]
    children = (
        *(reversed(names) if Act.RAISE in situation.legal else ()),
        "c",
        *(("f",) if Act.FOLD in situation.legal else ()),
    )
    return Lock(node, children, strategy_rows(triples, live_holdings(situation.board), situation.legal, shares))
