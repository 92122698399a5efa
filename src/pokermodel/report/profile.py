"""A `Profile` in the terminal, and as rows of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

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

__all__ = ["Group", "csv_text", "print_groups", "print_players", "print_profile"]

#: The statistics in the list of all players, which must stay narrow.
_LISTED = ("vpip", "pfr", "three_bet", "af", "afq", "wtsd", "w_sd", "wwsf", "small_bets")
_LEFT = ("player", "", "round", "position", "street", "stake", "month", "day")
_COLUMNS = ("player", "by", "group", "statistic", "numerator", "denominator", "value", "low", "high")
_LEAST_NAME = 12  # columns of a name, however narrow the terminal
_CONTEXTS = (
    "By bets to call. Judged by: how often they fold, call and raise, mixed with defaults while few acts are known. "
    "Call and raise say: threshold mu and spread sigma, as income rates pre-flop (thousandths of a small bet), then as "
    "effective hand strength."
)


_INCOMPLETE = (
    "{:,} of these hands were learnt by an older version, which did not count positions, steals, continuation bets, "
    "check-raises and folds to 3-bets: learn them again to add these."
)


class Group(NamedTuple):
    """What is known of a player in some of their hands, or in a betting round.

    Attributes
    ----------
    player : str
    by : str
        What groups are told apart by: ``"position"``, ``"street"``, ``"stake"``, ``"month"`` or ``"day"``; "" for all.
    name : str
        Which of them it is.
    hands : int or None
        How many hands it has; None of a betting round.
    statistics : mapping of str to Statistic
        By key.
    """

    player: str
    by: str
    name: str
    hands: int | None
    statistics: Mapping[str, Statistic]


def csv_text(groups: Iterable[Group]) -> str:
    """Statistics as comma-separated values, one to a line.

    The columns are player, by, group, statistic, numerator, denominator, value, low and high. Proportions are from 0 to
    1, and what is not known is empty. Each group with hands begins with a line of the statistic ``hands``.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for group in groups:
        which = group.player, group.by, group.name
        if group.hands is not None:
            writer.writerow((*which, "hands", group.hands, "", group.hands, "", ""))
        for key, statistic in group.statistics.items():
            writer.writerow((*which, key, *statistic.to_dict().values()))
    return file.getvalue()


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
    table = _table("player", "hands", *(rows[0].statistics[key].name for key in (_LISTED if rows else ())))
    for profile in rows:
        statistics = [profile.statistics[key] for key in _LISTED]
        figures = (_value(statistic, statistic.value, digits=0) for statistic in statistics)
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
    _print_incomplete(profile.incomplete, console)

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


def print_groups(groups: Iterable[Group], incomplete: int, console: Console) -> None:
    """Print the statistics of a player, each by group.

    Parameters
    ----------
    groups : iterable of Group
        Of one player, told apart by the same.
    incomplete : int
        How many hands of the player are not told apart, since an older version learnt them.
    console : Console
        Where to.
    """
    rows = list(groups)
    hands = sum(group.hands or 0 for group in rows)
    of = f": {counted(hands, 'hand')}" if hands else ""
    console.print(Text(f"{printable(rows[0].player)}{of} by {rows[0].by}", "bold"))
    table = _table("", rows[0].by, "value", "95 % interval", "made of")
    for label, cells in _blocks(rows):
        table.add_row(label, *cells)
    _keep_figures(table, 4)
    console.print(table)
    _print_incomplete(incomplete, console)


def _blocks(groups: Iterable[Group]) -> Iterator[tuple[str, tuple[str | Text, ...]]]:
    """The lines of each statistic, with its name in the first, leaving out groups where there was no chance."""
    blocks: dict[str, list[tuple[str | Text, ...]]] = {}
    for group in groups:
        lines: list[tuple[str, str, str, str]] = []
        if group.hands is not None:
            lines.append(("hands", f"{group.hands:,}", "", ""))
        for statistic in group.statistics.values():
            if statistic.denominator:
                made = f"{_amount(statistic.numerator)} / {_amount(statistic.denominator)}"
                lines.append((statistic.name, _value(statistic, statistic.value), _interval(statistic), made))
        for label, *figures in lines:
            blocks.setdefault(label, []).append((Text(printable(group.name)), *figures))
    for label, rows in blocks.items():
        for number, cells in enumerate(rows):
            yield "" if number else label, cells


def _print_incomplete(hands: int, console: Console) -> None:
    if hands:
        console.print(Text(_INCOMPLETE.format(hands), "yellow"))


def _threshold(profile: Profile, context: Context, act: Act) -> str:
    threshold = profile.threshold(context, act)
    if threshold is None:
        return ""
    return (
        f"{threshold.mu:.0f}, {threshold.sigma:.0f}"
        if context.round == 0
        else f"{threshold.mu:.2f}, {threshold.sigma:.2f}"
    )
