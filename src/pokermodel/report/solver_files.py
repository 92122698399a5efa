"""Files for solvers: ranges of the nodes of a hand, locks of PioSOLVER, and spots as other solvers take them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pokermodel._support import spreadsheets
from pokermodel._support.files import write_text
from pokermodel.analysis.hand_nodes import HandNode, Lock
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS, Hand
from pokermodel.reading.width import Width
from pokermodel.report.words import share_words
from pokermodel.solving import Subgame
from pokermodel.solving.menu import PLAYERS, STREETS, read_size
from pokermodel.solving.tree import betting_lines

__all__ = [
    "INDEX_COLUMNS",
    "SPOT_SOLVERS",
    "index_text",
    "lock_text",
    "spot_text",
    "subgame_text",
    "width_comment",
    "write_nodes",
]

#: Columns of the list of files.
INDEX_COLUMNS = (
    *("file", "kind", "hand", "index", "round", "board", "node", "pio", "pot", "player", "position"),
    *("share", "combos"),
)

#: Solvers that a spot is written for.
SPOT_SOLVERS = ("pio", "gto+", "texassolver")


def subgame_text(
    subgame: Subgame, solver: str, target: float = 0.5, widths: Sequence[Width | None] = (None, None)
) -> str:
    """A spot as another solver takes it.

    Raises `ValueError` if there is no such solver, or the spot has what its input cannot say.

    Parameters
    ----------
    subgame : Subgame
        Its locks are left out.
    solver : {"pio", "gto+", "texassolver"}
        ``"pio"``: a script for PioSOLVER with every line of the tree, in whole chips. ``"texassolver"``: an input of
        TexasSolver's console. ``"gto+"``: board, pot, stack and ranges, to be filled in, since GTO+ reads no more.
    target : float
        Exploitability in per cent of the pot at which it is to stop.
    widths : sequence of Width or None
        How wide both ranges are, where a reader made them. It stands in comments: weights are relative to the largest.
    """
    if solver not in SPOT_SOLVERS:
        raise ValueError(f"unknown solver {solver!r}: expected one of {', '.join(SPOT_SOLVERS)}")
    lines = {"pio": _pio_lines, "gto+": _gto_lines, "texassolver": _texas_lines}[solver](subgame, target)
    comments = [f"#{player} {width_comment(each)}" for player, each in zip(PLAYERS, widths, strict=True) if each]
    if solver == "texassolver":  # its input has commands of two words, of which it skips those that it does not know
        comments = [each.replace(" ", "_").replace("_", " ", 1) for each in comments]
    return "\n".join([*lines, *comments]) + "\n"


def width_comment(width: Width) -> str:
    """How wide a range is, whose weights are written relative to the largest."""
    return f"{share_words(width.share)} of hands, {width.combos:.0f} combos"


def _pio_lines(game: Subgame, target: float) -> list[str]:
    pot, stack = game.chips(game.pot), game.chips(min(game.stacks))
    if game.rake:
        raise ValueError("rake cannot be said in a script for PioSOLVER: set it in the program")
    return [
        f"# a chip is {game.unit:.12g} of the spot's units",
        f"set_range OOP {game.ranges[0].to_text('pio-numbers')}",
        f"set_range IP {game.ranges[1].to_text('pio-numbers')}",
        f"set_board {game.board}",
        f"set_pot 0 0 {pot}",
        f"set_eff_stack {stack}",
        "set_isomorphism 1 0",
        "clear_lines",
        *(f"add_line {' '.join(map(str, line))}" for line in betting_lines(game)),
        "build_tree",
        f"set_accuracy {target / 100 * pot:.6g}",
        "go",
    ]


def _gto_lines(game: Subgame, target: float) -> list[str]:
    return [
        f"board {game.board}",
        f"pot {game.pot:g}",
        f"stack {min(game.stacks):g}",
        f"target {target:g}% of the pot",
        f"out of position {game.ranges[0].to_text('gto+')}",
        f"in position {game.ranges[1].to_text('gto+')}",
    ]


def _texas_lines(game: Subgame, target: float) -> list[str]:
    if game.structure.fixed or str(game.structure) != "no limit":
        raise ValueError(f"TexasSolver knows no {game.structure}")
    if game.rake:
        raise ValueError("TexasSolver's input has no rake")
    lines = [
        f"set_pot {game.pot:g}",
        f"set_effective_stack {min(game.stacks):g}",
        f"set_board {','.join(game.board[k : k + 2] for k in range(0, len(game.board), 2))}",
        f"set_range_ip {game.ranges[1].to_text('texassolver')}",
        f"set_range_oop {game.ranges[0].to_text('texassolver')}",
    ]
    for street in STREETS[game.first_street :]:
        for player in PLAYERS:
            menu = game.menu(street, player)
            kinds = [("bet", menu.bets), ("raise", menu.raises)]
            if player == "oop" and menu.leads and street != STREETS[game.first_street]:
                kinds.append(("donk", menu.leads))
            for kind, sizes in kinds:
                shares = [_per_cent(size, street, player) for size in sizes if read_size(size)[0] != "all-in"]
                if shares:
                    lines.append(f"set_bet_sizes {player},{street},{kind},{','.join(shares)}")
            if any(read_size(size)[0] == "all-in" for size in (*menu.bets, *menu.raises)):
                lines.append(f"set_bet_sizes {player},{street},allin")
    return [
        *lines,
        "set_allin_threshold 1",
        "build_tree",
        f"set_accuracy {target:g}",
        "set_max_iteration 1000",
        "set_print_interval 10",
        "set_use_isomorphism 1",
        "start_solve",
        "set_dump_rounds 1",
        "dump_result result.json",
    ]


def _per_cent(size: str, street: str, player: str) -> str:
    kind, share = read_size(size)
    if kind != "pot":
        raise ValueError(f"TexasSolver has no size {size!r}, which the menu of {street}, {player} has")
    return f"{100 * share:g}"


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
    widths = node.widths[oop], node.widths[ip]
    lines = [
        "# " + _line(f"{node.line}: {oop} ({node.positions[oop]}) is OOP, {ip} ({node.positions[ip]}) is IP"),
        *(f"#{player} {width_comment(each)}" for player, each in zip(PLAYERS, widths, strict=True) if each),
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

    Raises `OSError` if a file cannot be written, and `ValueError` as `hand_nodes`.

    Parameters
    ----------
    number : int
        Number of the hand in its file. File names begin with it, since sources may give an id twice.
    solver : str
        For which ranges are written, see `pokermodel.ranges.to_dialect`.

    Returns
    -------
    list of tuple of str
        A row for each file, by `INDEX_COLUMNS`.
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
            *(("", "") if (width := node.widths[player]) is None else (f"{width.share:.4g}", f"{width.combos:.4g}")),
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


def index_text(rows: Sequence[tuple[str, ...]]) -> str:
    """The list of files as comma-separated values."""
    return spreadsheets.csv_text(INDEX_COLUMNS, rows)


def _word(text: str) -> str:
    """A part of a file's name: letters, digits and a few signs."""
    return re.sub(r"[^\w.+]+", "_", text).strip("._") or "_"


def _line(text: str) -> str:
    return " ".join(text.split())
