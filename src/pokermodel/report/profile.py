"""A `Profile` in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokermodel._words import counted
from pokermodel.cards import CLASSES
from pokermodel.game import ROUNDS, Act
from pokermodel.learning.profile import Profile, Statistic
from pokermodel.reading.parts.frequencies import Context
from pokermodel.report.grid import count_grid
from pokermodel.report.heatmap import HeatMap
from pokermodel.report.terminal import printable

__all__ = ["print_players", "print_profile"]


_LEFT = ("player", "", "round")
_LEAST_NAME = 12  # columns of a name, however narrow the terminal
_CONTEXTS = (
    "By bets to call. Judged by: how often they fold, call and raise, mixed with defaults while few acts are known. "
    "Call and raise say: threshold mu and spread sigma, as income rates pre-flop (thousandths of a small bet), then as "
    "effective hand strength."
)


def _value(statistic: Statistic, number: float | None, digits: int = 1) -> str:
    if number is None:
        return "n/a"
    return (
        f"{number:.{digits}%}" if statistic.percent else f"{number:.2f}" if statistic.name == "AF" else f"{number:+.3f}"
    )


def _amount(number: float) -> str:
    """A count in full; what is no whole number to six digits, or to the whole number."""
    return f"{number:,d}" if isinstance(number, int) else f"{number:,.6g}" if abs(number) < 1e5 else f"{number:,.0f}"


def _interval(statistic: Statistic) -> str:
    if statistic.low is None and statistic.high is None:
        return ""
    low = _value(statistic, statistic.low or 0.0)
    return f"{low} or more" if statistic.high is None else f"{low} to {_value(statistic, statistic.high)}"


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, no_wrap=column != "", justify="left" if column in _LEFT else "right")
    return table


def _keep_figures(table: Table, *free: int) -> None:
    """Let nothing but the free columns shrink where there is not room for all."""
    for index, column in enumerate(table.columns):
        if index not in free:
            column.no_wrap = True
            column.min_width = max(cell_len(str(cell)) for cell in (column.header, *column.cells))


def print_players(hands: int, profiles: Iterable[Profile], console: Console) -> None:
    """Print one line for each player.

    Parameters
    ----------
    hands : int
        Hands of the book.
    profiles : iterable of Profile
        In the order of the lines.
    console : Console
        Where to.
    """
    rows = list(profiles)
    table = _table("player", "hands", *(rows[0].statistics[key].name for key in (rows[0].statistics if rows else ())))
    for profile in rows:
        figures = (_value(statistic, statistic.value, digits=0) for statistic in profile.statistics.values())
        table.add_row(Text(printable(profile.name)), f"{profile.hands:,}", *figures)
    console.print(f"{counted(hands, 'hand')}, {counted(len(rows), 'player')}")
    _keep_figures(table, 0)
    names = table.columns[0]
    names.max_width = _LEAST_NAME
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    names.max_width += max(console.width - needed, 0)
    console.print(table, width=max(console.width, needed), crop=False)  # a line too long is better than lost figures


def print_profile(profile: Profile, console: Console) -> None:
    """Print what is known of a player.

    Parameters
    ----------
    profile : Profile
        The player.
    console : Console
        Where to.
    """
    console.print(Text(f"{printable(profile.name)}: {counted(profile.hands, 'hand')}", "bold"))
    table = _table("", "value", "95 % interval", "made of", "")
    for statistic in profile.statistics.values():
        made = f"{_amount(statistic.numerator)} / {_amount(statistic.denominator)}"
        table.add_row(
            statistic.name,
            _value(statistic, statistic.value),
            _interval(statistic),
            made,
            Text(statistic.meaning, "dim"),
        )
    _keep_figures(table, 3, 4)
    console.print(table)

    counts = profile.counts
    table = _table("round", "bets", "folds", "calls", "raises", "judged by", "call says", "raise says")
    for round, bets in np.ndindex(4, 3):
        context = Context(round, bets)
        table.add_row(
            "" if bets else ROUNDS[round],
            ("0", "1", "2+")[bets],
            *(f"{count:,}" for count in counts.values[context].tolist()),
            " ".join(f"{share:3.0%}" for share in counts.frequencies(context)),
            _threshold(profile, context, Act.CALL),
            _threshold(profile, context, Act.RAISE),
        )
    console.print(table)
    console.print(Text(_CONTEXTS, "dim"))

    shown = profile.totals.showdowns
    total = int(shown.sum())
    if not total:
        console.print("\nno holding shown")
        return
    console.print(f"\n{counted(total, 'holding')} shown, how often each class was:")
    console.print(HeatMap(count_grid(shown)))
    classes = sorted(np.flatnonzero(shown).tolist(), key=lambda k: (-shown[k], k))
    console.print(Text(", ".join(f"{CLASSES[k]} {shown[k]:,}" for k in classes), "dim"))


def _threshold(profile: Profile, context: Context, act: Act) -> str:
    threshold = profile.threshold(context, act)
    if threshold is None:
        return ""
    return (
        f"{threshold.mu:.0f}, {threshold.sigma:.0f}"
        if context.round == 0
        else f"{threshold.mu:.2f}, {threshold.sigma:.2f}"
    )
