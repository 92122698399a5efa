"""Nodes of the betting as text and as comma-separated values."""

from __future__ import annotations

from collections.abc import Sequence

from pokermodel._support import spreadsheets
from pokermodel.analysis.nodes import ALL, Node

__all__ = ["CSV_COLUMNS", "csv_text", "node_text"]

#: Columns of the CSV.
CSV_COLUMNS = (
    *("structure", "players", "stack", "node", "decisions", "action", "size", "count", "frequency", "low", "high"),
    *("expected", "of_pot", "to_bb"),
)


def csv_text(nodes: Sequence[Node]) -> str:
    """Nodes as comma-separated values, a row for each choice; frequencies are shares of 1."""
    rows = []
    for node in nodes:
        for choice in node.choices:
            low, high = choice.interval
            figures = (choice.frequency, low, high, choice.expected, choice.of_pot, choice.to_bb)
            told = ("" if figure is None else f"{figure:.4f}" for figure in figures)
            rows.append([*node.key, node.decisions, choice.action, choice.size, choice.count, *told])
    return spreadsheets.csv_text(CSV_COLUMNS, rows)


def node_text(node: Node) -> str:
    """A node as lines of text; frequencies are in per cent."""
    structure, players, stack, line = node.key
    depth = "" if stack == "any" else f", stacks {stack}{'' if stack == 'unknown' else ' bb'}"
    told = [line, f"  {structure}, {players} players{depth}: {node.decisions:,} decision{'s' * (node.decisions != 1)}"]
    for choice in node.choices:
        low, high = choice.interval
        name = choice.action if choice.size in ("", ALL) else f"  {choice.size}"
        figures = f"{choice.count:>7,}  {choice.frequency:6.1%}  ({low:.1%} to {high:.1%})"
        expected = "" if choice.expected is None else f"  expected {choice.expected:.1%}"
        size = "" if choice.of_pot is None else f"  mean {choice.of_pot:.0%} of the pot, to {choice.to_bb:.1f} bb"
        told.append(f"  {name:<10}{figures:<34}{expected:<18}{size}".rstrip())
    return "\n".join(told)
