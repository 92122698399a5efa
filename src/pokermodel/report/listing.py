"""Hands as lines of text: one for each, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from pokermodel.report.terminal import printable

__all__ = ["hand_lines"]

_COLUMNS = ("number", "id", "time", "stake", "players", "pot", "rake", "street", "showed", "result")
_RIGHT = frozenset(("number", "players", "pot", "rake"))
_SEEN = 100  # hands after which the widths of the columns are settled
_WIDEST = 24  # columns of an id


def hand_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Write hands as lines of text, with a line of headings before them if there are any.

    Parameters
    ----------
    rows : iterable of mapping
        Hands, as `HandSource.to_frame` has them. They are taken as they are needed.

    Yields
    ------
    str
        One line for each hand. The result has those who won something, with their winnings after the rake, and of an
        all-in their all-in EV, too. The rake is ``?`` where the source does not say it.
    """
    cells = (_cells(row) for row in rows)
    first = list(islice(cells, _SEEN))
    if not first:
        return
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *first, strict=True)]
    widths[1] = min(widths[1], _WIDEST)
    for line in chain([_COLUMNS], first, cells):
        padded = (
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(_COLUMNS, line, widths, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _cells(row: Mapping[str, Any]) -> Sequence[str]:
    time = row["time"]
    players = row["players"]
    seats = range(len(players))
    shown = [f"{printable(players[k])} {row['holdings'][k]}" for k in seats if row["holdings"][k]]
    won = [f"{printable(players[k])} {row['net'][k]:+.12g}{_ev(row, k)}" for k in seats if row["net"][k] > 0]
    return (
        f"{row['number']}",
        printable(row["id"]),
        "" if time is None else f"{time:%Y-%m-%d %H:%M}",
        row["stake"],
        f"{len(players)}",
        f"{row['pot']:.12g}",
        "?" if row["rake"] is None else f"{row['rake']:.12g}",
        row["street"],
        ", ".join(shown),
        ", ".join(won),
    )


def _ev(row: Mapping[str, Any], seat: int) -> str:
    """What an all-in was worth to a player on average."""
    ev = row["all_in_ev"][seat]
    return "" if row["all_in"] is None or ev is None else f" (EV {ev:+.2f})"
