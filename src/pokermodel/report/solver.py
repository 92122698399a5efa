"""Files for solvers: the ranges of a hand's nodes, and scripts that lock nodes of PioSOLVER."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pokermodel._support import spreadsheets
from pokermodel._support.files import write_text
from pokermodel.analysis.solver import HandNode, Lock
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS, Hand

__all__ = ["INDEX_COLUMNS", "index_text", "lock_text", "spot_text", "write_nodes"]

#: Columns of the list of files.
INDEX_COLUMNS = ("file", "kind", "hand", "index", "round", "board", "node", "pio", "pot", "player", "position")


def lock_text(lock: Lock, *comments: str) -> str:
    """A script for PioSOLVER's `load_script`: it shows the children, sets the strategy and locks the node."""
    lines = [f"# {comment}" for comment in (*comments, f"rows: {' '.join(lock.children)}")]
    numbers = " ".join(f"{number:g}" for number in lock.rows.ravel().tolist())
    lines += [f"show_children {lock.node}", f"set_strategy {lock.node} {numbers}", f"lock_node {lock.node}"]
    return "\n".join(lines) + "\n"


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
    if node.behind is not None:
        lines.append(f"set_eff_stack {node.behind}")
    return "\n".join(lines) + "\n"


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
            write("lock", node, node.player, lock_text(node.lock, *map(_line, comments)))
            if (spot := spot_text(node, hand)) is not None:
                write("spot", node, node.player, spot)
    return rows


def index_text(rows: Sequence[tuple[str, ...]], raw: bool = False) -> str:
    """The list of files as comma-separated values; `raw` leaves text that looks like a formula as it is."""
    return spreadsheets.csv_text(INDEX_COLUMNS, rows, raw)


def _word(text: str) -> str:
    """A part of a file's name: letters, digits and a few signs."""
    return re.sub(r"[^\w.+]+", "_", text).strip("._") or "_"


def _line(text: str) -> str:
    return " ".join(text.split())
