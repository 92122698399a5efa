"""A strategy by class of holdings: 169 cells, in each how often every act is taken."""

from __future__ import annotations

from pokermodel.analysis.solution import SolvedNode
from pokermodel.cards import CLASSES
from pokermodel.report.markup import markup
from pokermodel.report.palette import ACT_COLORS, act_names, hex_code

__all__ = ["act_words", "strategy_figure", "strategy_rows"]

_CELL = "padding:2px 3px;text-align:center;border:1px solid rgba(128,128,128,.4);color:#000"
_KEY = "color:#000;padding:0 4px"


def act_words(node: SolvedNode) -> list[str]:
    """The acts of a node in words."""
    return [str(act) for act in node.acts]


def strategy_rows(node: SolvedNode) -> list[list[float] | None]:
    """How often each class takes each act, to a thousandth; None where it never comes to the node."""
    return [
        None if any(share != share for share in row) else [round(share, 3) for share in row]
        for row in node.class_strategy().tolist()
    ]


def strategy_figure(node: SolvedNode, *, title: str | None = None) -> str:
    """Draw what a node's player does as an HTML table, for notebooks: one ``<figure>`` element with inline styles only.

    Cells are divided as the acts are: bets and raises from the left, then checks and calls, then folds. Every cell says
    its numbers when pointed at.
    """
    names = act_names([act.name for act in node.acts])
    words = act_words(node)
    cells = []
    for name, row in zip(CLASSES, strategy_rows(node), strict=True):
        if row is None:
            said, fill = f"{name}: never comes here", hex_code(ACT_COLORS["none"])
        else:
            parts = (f"{act} {share:.0%}" for act, share in zip(words, row, strict=True) if share >= 0.005)
            said, fill = f"{name}: {', '.join(parts)}", _fill(names, row)
        cells.append(f'<td title="{markup(said)}" style="{_CELL};background:{fill}">{name}</td>')
    rows = (f"<tr>{''.join(cells[start : start + 13])}</tr>" for start in range(0, len(cells), 13))
    caption = "" if title is None else f"<div><b>{markup(title)}</b></div>\n"
    key = " ".join(
        f'<span style="background:{hex_code(ACT_COLORS[color])};{_KEY}">{markup(act)} {share:.1%}</span>'
        for color, act, share in zip(names, words, node.frequencies.tolist(), strict=True)
    )
    table = '<table style="border-collapse:collapse;border:0;width:auto;font:11px/1.3 monospace">'
    return (
        f'<figure style="margin:0;display:inline-block;font:11px/1.3 monospace">\n{caption}'
        f"{table}\n{chr(10).join(rows)}\n</table>\n<figcaption>{key}</figcaption>\n</figure>"
    )


def _fill(names: list[str], row: list[float]) -> str:
    """A background that is divided as the acts are, the last one first."""
    stops, at = [], 0.0
    for color, share in zip(reversed(names), reversed(row), strict=True):
        if share > 0:
            stops.append(f"{hex_code(ACT_COLORS[color])} {at:.1%} {at + share:.1%}")
            at += share
    return f"linear-gradient(to right,{','.join(stops)})"
