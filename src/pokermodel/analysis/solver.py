"""What solvers are given of a hand: the range of every player at every node, and node locks of PioSOLVER."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._arrays import Bools, Floats
from pokermodel._files import write_text
from pokermodel.analysis.lines import BettingLine, of_pot, seat_names
from pokermodel.cards import N_HOLDINGS, card_text, cards_text, live_holdings
from pokermodel.game import ROUNDS, Act, Decision, Hand, Situation
from pokermodel.reading.session import OpponentModeler
from pokermodel.weights import WeightTable

__all__ = [
    "INDEX_COLUMNS",
    "HandNode",
    "Lock",
    "PioLine",
    "bet_shares",
    "hand_nodes",
    "index_text",
    "spot_text",
    "strategy_rows",
    "write_nodes",
]

_DIGITS = 4  # decimals of a strategy
#: What stands for a class of sizes, by the pot; the least and the most are what they are in the situation.
_MIDDLES = (None, 0.3, 0.5, 0.72, 1.03, 1.6, None)


class PioLine:
    """The node of a hand in PioSOLVER's tree of the flop, as ``r:0:b100:c:8h``.

    Bets and raises are what the player has put in since the flop, in chips of the hand.

    Parameters
    ----------
    hand : Hand

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
    situation : Situation
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
    """The strategy that a model expects at a node, as PioSOLVER is told it.

    Attributes
    ----------
    node : str
        The node in PioSOLVER's tree.
    children : tuple of str
        The children that rows are for, in their order: ``b67%`` is a bet or raise of two thirds of the pot.
    rows : ndarray of float64, shape (children, 1326)
    """

    node: str
    children: tuple[str, ...]
    rows: Floats

    def to_text(self, *comments: str) -> str:
        """A script for `load_script`: it shows the children, sets the strategy and locks the node."""
        lines = [f"# {comment}" for comment in (*comments, f"rows: {' '.join(self.children)}")]
        numbers = " ".join(f"{number:g}" for number in self.rows.ravel().tolist())
        lines += [f"show_children {self.node}", f"set_strategy {self.node} {numbers}", f"lock_node {self.node}"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class HandNode:
    """A node that a hand passed.

    Attributes
    ----------
    index : int
        Of the decision that follows; the number of decisions, at the end of the hand.
    round : int
    board : tuple of int
    line : str
        The node in words, see `BettingLine`; at the end of the hand it has no player to act.
    pot : int or None
        Chips; None at the end of the hand.
    player : str or None
        Who is to act; None at the end of the hand.
    tables : dict of str to WeightTable
        The table of every player who has not folded.
    pio : str or None
        The node in PioSOLVER's tree, where two players saw the flop.
    positions : dict of str to str
        Names of the players' seats.
    lock : Lock or None
        The strategy of the player to act, where `pio` is and the player is one whom the reader has triples for.
    """

    index: int
    round: int
    board: tuple[int, ...]
    line: str
    pot: int | None
    player: str | None
    tables: Mapping[str, WeightTable]
    pio: str | None
    positions: Mapping[str, str]
    lock: Lock | None

    def to_dict(self, solver: str) -> dict[str, Any]:
        """As JSON has it, ranges written for a solver."""
        return {
            "index": self.index,
            "round": ROUNDS[self.round],
            "board": cards_text(self.board),
            "node": self.line,
            "pot": self.pot,
            "player": self.player,
            "pio": self.pio,
            "ranges": {name: table.to_text(solver) for name, table in self.tables.items()},
        }


def hand_nodes(
    hand: Hand,
    session: OpponentModeler,
    *,
    bets: Sequence[float] | None = None,
    exact: bool = True,
) -> Iterator[HandNode]:
    """The nodes that a hand passed, each before the act that followed, and the end of the hand.

    Parameters
    ----------
    hand : Hand
    session : OpponentModeler
        Reads the hand; what it learns stays with it.
    bets : sequence of float, optional
        Make locks, for trees with these sizes of bets and raises: what each exceeds a call by, by the pot after the
        call, rising.
    exact : bool
        Whether lines name sizes exactly, see `BettingLine`.

    Yields
    ------
    HandNode

    Raises
    ------
    ValueError
        If the hand breaks the rules or is of a game that the session does not read, or the sizes are not rising.
    """
    line, pio = BettingLine(hand.spec, exact=exact), PioLine(hand)
    positions = dict(zip(hand.players, seat_names(hand.spec), strict=True))
    session.start(hand.players)
    if session.hero is not None and session.hero in hand.players:
        seat = hand.players.index(session.hero)
        if seat in hand.holdings and not session.public_models:
            session.hold(hand.holdings[seat])
    decision: Decision | None = None
    for decision in hand.replay():
        situation = decision.situation
        session.deal(situation.board)
        node = pio.at(situation)
        lock = None
        if bets is not None and node is not None and not decision.out_of_turn:
            lock = _lock(node, session, situation, bets)
        tables = {situation.players[seat]: session.table(seat) for seat in situation.active}
        yield HandNode(
            decision.index,
            situation.round,
            situation.board,
            line.before(situation),
            situation.pot,
            situation.player,
            tables,
            node,
            positions,
            lock,
        )
        session.observe(decision)
        line.add(decision)
        pio.add(decision)
    if decision is not None and len(session.active) > 1:
        tables = {hand.players[seat]: session.table(seat) for seat in session.active}
        index, board = decision.index + 1, session.board
        yield HandNode(index, decision.round, board, line.end(), None, None, tables, None, positions, None)


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


def spot_text(node: HandNode, hand: Hand) -> str | None:
    """Commands that tell PioSOLVER ranges, board, pot and stacks of the flop; None but where two players see it."""
    if node.pio != "r:0" or node.pot is None:
        return None
    first = hand.spec.first[1]
    n = len(hand.players)
    oop, ip = sorted(node.tables, key=lambda name: (hand.players.index(name) - first) % n)
    lines = [
        "# " + _line(f"{node.line}: {oop} ({node.positions[oop]}) is OOP, {ip} ({node.positions[ip]}) is IP"),
        f"set_range OOP {node.tables[oop].to_text('pio-numbers')}",
        f"set_range IP {node.tables[ip].to_text('pio-numbers')}",
        f"set_board {cards_text(node.board[:3])}",
        f"set_pot 0 0 {node.pot}",
    ]
    behind = _behind(hand, (oop, ip))
    if behind is not None:
        lines.append(f"set_eff_stack {behind}")
    return "\n".join(lines) + "\n"


def _behind(hand: Hand, players: tuple[str, str]) -> int | None:
    """Chips that the shorter of two stacks has at the flop; None if it is not known."""
    for decision in hand.replay():
        if decision.round == 1:
            stacks = [decision.stacks[hand.players.index(name)] for name in players]
            known = [stack for stack in stacks if stack is not None]
            return min(known) if len(known) == 2 else None
    return None


INDEX_COLUMNS = ("file", "kind", "hand", "index", "round", "board", "node", "pio", "pot", "player", "position")


def write_nodes(folder: Path, number: int, hand: Hand, nodes: Iterable[HandNode], solver: str) -> list[tuple[str, ...]]:
    """Write the ranges of a hand's nodes to a folder, a file for each player, and its locks.

    Parameters
    ----------
    folder : Path
        Is made if it is not there.
    number : int
        Of the hand in its file: file names begin with it, since sources may give an id twice.
    hand : Hand
    nodes : iterable of HandNode
        Of this hand.
    solver : str
        For which ranges are written, see `pokermodel.ranges.to_dialect`.

    Returns
    -------
    list of tuple of str
        A row for each file, by `INDEX_COLUMNS`.

    Raises
    ------
    OSError
        If a file cannot be written.
    ValueError
        As `hand_nodes`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, ...]] = []

    def write(kind: str, node: HandNode, player: str, text: str) -> None:
        street = ROUNDS[node.round].replace("-", "")
        name = "-".join(
            _word(part) for part in (str(number), hand.id, f"{node.index:02d}", street, node.positions[player], player)
        )
        file = f"{name}.{kind}.txt"
        write_text(folder / file, text)
        told = (
            hand.id,
            str(node.index),
            ROUNDS[node.round],
            cards_text(node.board),
            node.line,
            node.pio or "",
            "" if node.pot is None else str(node.pot),
            player,
            node.positions[player],
        )
        rows.append((file, kind, *told))

    for node in nodes:
        for player, table in node.tables.items():
            write("range", node, player, table.to_text(solver) + "\n")
        if node.lock is not None and node.player is not None:
            who = f"{node.player} ({node.positions[node.player]})"
            comments = (f"hand {hand.id}, {node.line}", f"strategy of {who}, by the model")
            write("lock", node, node.player, node.lock.to_text(*map(_line, comments)))
            if (spot := spot_text(node, hand)) is not None:
                write("spot", node, node.player, spot)
    return rows


def index_text(rows: Sequence[tuple[str, ...]]) -> str:
    """The list of files as comma-separated values."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(INDEX_COLUMNS)
    writer.writerows(rows)
    return out.getvalue()


def _word(text: str) -> str:
    """A part of a file's name: letters, digits and a few signs."""
    return re.sub(r"[^\w.+]+", "_", text).strip("._") or "_"


def _line(text: str) -> str:
    return " ".join(text.split())
