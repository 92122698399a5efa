"""A `Profile` in the terminal, and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

import numpy as np
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pokermodel._support import spreadsheets
from pokermodel._support.words import counted, printable
from pokermodel.analysis.player import Group, PlayerReport
from pokermodel.cards import CLASSES
from pokermodel.game import ROUNDS, Act, BettingStructure
from pokermodel.learning.bet_sizes import SIZES
from pokermodel.learning.profile import Figure, Profile, Sizes
from pokermodel.learning.winnings import WinningsPoint
from pokermodel.reading.frequencies import Context
from pokermodel.report.grid import count_grid
from pokermodel.report.heatmap import HeatMap
from pokermodel.report.player import (
    amount_words,
    difference_cells,
    differences_words,
    exploits_words,
    finding_words,
    statistic_cells,
    value_words,
    winnings_words,
)

__all__ = [
    "csv_text",
    "print_findings",
    "print_groups",
    "print_players",
    "print_profile",
    "print_whole",
    "print_winnings",
    "winnings_graph",
]

#: The statistics in the list of all players, which must stay narrow.
_LISTED = ("vpip", "pfr", "three_bet", "af", "afq", "wtsd", "w_sd", "wwsf")
#: What is shown of a player at first: what players of trackers look at, before the other statistics.
_FIRST = (
    *("vpip", "pfr", "rfi", "three_bet", "fold_to_three_bet", "steal", "fold_to_steal", "cbet", "fold_to_cbet"),
    *("check_raise", "af", "afq", "wtsd", "w_sd", "wwsf"),
)
_OF_GROUPS = (*_FIRST, "small_bets", "big_blinds")
_LEFT = ("player", "", "round", "position", "table", "street", "stake", "month", "day", "depth", "structure", "size")
_COLUMNS = ("player", "structure", "by", "group", "statistic", "numerator", "denominator", "value", "low", "high")
_LEAST_NAME = 12  # columns of a name, however narrow the terminal
_CONTEXTS = (
    "By bets to call. Judged by: how often they fold, call and raise, mixed with defaults while few acts are known. "
    "Call and raise say: threshold mu and spread sigma, as income rates pre-flop (thousandths of a small bet), then as "
    "effective hand strength."
)


#: Units of sizes, and what is said of them.
_UNITS = {
    "bb": "What the first raise goes to, in big blinds, when all before have folded. All-ins are in no class.",
    "pot": "Fractions of the pot after a call. All-ins are in no class.",
}


def csv_text(groups: Iterable[Group]) -> str:
    """Statistics as comma-separated values, one to a line.

    The columns are player, structure, by, group, statistic, numerator, denominator, value, low and high. Proportions
    are from 0 to 1, and what is not known is empty. Each group with hands begins with a line of the statistic
    ``hands``. Sizes come last: a line for the median, one for each class, and one for all-ins. Names that a spreadsheet
    would take for formulas have a ``'`` before them.
    """
    rows: list[tuple[object, ...]] = []
    for group in groups:
        which = group.player, str(group.structure), group.by, group.name
        if group.hands is not None:
            rows.append((*which, "hands", group.hands, "", group.hands, "", ""))
        for key, statistic in group.statistics.items():
            rows.append((*which, key, *statistic.to_dict().values()))
        for key, sizes in group.sizes.items():
            for row, figures in sizes.rows(key):
                rows.append((*which, row, *figures.values()))
    return spreadsheets.csv_text(_COLUMNS, rows)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, no_wrap=column != "", justify="left" if column in _LEFT else "right")
    return table


def print_whole(table: Table, console: Console) -> None:
    """Print a table with all of its columns: a line too long is better than lost figures."""
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    console.print(table, width=max(console.width, needed), crop=False)


def _keep_figures(table: Table, *free: int) -> None:
    """Let nothing but the free columns shrink where there is not room for all."""
    for index, column in enumerate(table.columns):
        if index not in free:
            column.no_wrap = True
            column.min_width = max(cell_len(str(cell)) for cell in (column.header, *column.cells))


def print_players(hands: int, profiles: Iterable[Profile], console: Console) -> None:
    """Print one line for each player, in the order of the profiles, in a table for each betting structure."""
    rows = list(profiles)
    console.print(f"{counted(hands, 'hand')}, {counted(len({profile.name for profile in rows}), 'player')}")
    structures = [each for each in BettingStructure if any(profile.structure is each for profile in rows)]
    for structure in structures:
        of_structure = [profile for profile in rows if profile.structure is structure]
        if structures != [BettingStructure.LIMIT]:
            console.print(Text(f"{structure}: {counted(len(of_structure), 'player')}", "bold"))
        _print_list(of_structure, console)


def _print_list(profiles: Sequence[Profile], console: Console) -> None:
    listed = (*_LISTED, "small_bets" if profiles[0].structure.fixed else "big_blinds")
    keys = [key for key in listed if key in profiles[0].statistics]
    table = _table("player", "hands", *(profiles[0].statistics[key].name for key in keys))
    for profile in profiles:
        statistics = [profile.statistics[key] for key in keys]
        figures = (value_words(statistic, statistic.value, digits=0) for statistic in statistics)
        table.add_row(Text(printable(profile.name)), f"{profile.hands:,}", *figures)
    _keep_figures(table, 0)
    names = table.columns[0]
    names.max_width = _LEAST_NAME
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    names.max_width += max(console.width - needed, 0)
    console.print(table, width=max(console.width, needed), crop=False)  # a line too long is better than lost figures


def print_profile(profile: Profile, console: Console, *, every: bool = True) -> None:
    """Print what is known of a player in one betting structure.

    Without `every`, only the statistics that players look at first, as far as there was a chance.
    """
    console.print(Text(f"{printable(profile.name)}: {_hands(profile.hands, profile.structure)}", "bold"))
    if not every:
        _print_first(profile, console)
        return
    table = _table("", "value", "95% interval", "made of", "")
    for statistic in profile.statistics.values():
        table.add_row(*statistic_cells(statistic), Text(statistic.meaning, "dim"))
    _keep_figures(table, 3, 4)
    console.print(table)
    if profile.structure.fixed:
        _print_contexts(profile, console)
    else:
        _print_sizes(console, [("", profile.sizes)])

    shown = profile.totals.showdowns
    total = int(shown.sum())
    if not total:
        console.print("\nno holding shown")
        return
    console.print(f"\n{counted(total, 'holding')} shown, how often each class was:")
    console.print(HeatMap(count_grid(shown)))
    classes = sorted(np.flatnonzero(shown).tolist(), key=lambda k: (-shown[k], k))
    console.print(Text(", ".join(f"{CLASSES[k]} {shown[k]:,}" for k in classes), "dim"))


def _print_first(profile: Profile, console: Console) -> None:
    """Print the statistics that players look at first, in two columns where there is room."""
    found = [profile.statistics[key] for key in _FIRST if key in profile.statistics]
    cells = [statistic_cells(each) for each in found if each.denominator]
    if cells:
        half = -(-len(cells) // 2)
        table = _table(*("statistic", "value", "95% interval", "made of") * 2)
        for column in (0, 4):
            table.columns[column].justify = "left"
        table.columns[4].header = Text("statistic")
        for left, right in zip_longest(cells[:half], cells[half:], fillvalue=("",) * 4):
            table.add_row(*left, *right)
        if console.measure(table, options=console.options.update(max_width=1000)).maximum > console.width:
            table = _table("statistic", "value", "95% interval", "made of")
            table.columns[0].justify = "left"
            for row in cells:
                table.add_row(*row)
        _keep_figures(table)
        console.print(table)


def print_winnings(report: PlayerReport, console: Console, *, every: bool = True) -> None:
    """Print what a player won, and draw it over their hands with all-in EV beside it."""
    console.print(Text("\nWinnings", "bold"))
    winnings = report.winnings
    table = _table("", "value", "95% interval", "made of", "")
    for each in (winnings.per_100, winnings.ev_per_100):
        name, *_ = statistic_cells(each)
        made = f"{each.numerator:+,.6g} / {winnings.hands:,}"
        table.add_row(name, _per_100(each.value), _per_100_ends(each), made, Text(each.meaning, "dim"))
    _keep_figures(table, 3, 4)
    console.print(table)
    for line in winnings_words(winnings):
        console.print(Text(line, "dim"))
    if every and len(report.course.winnings) > 2:
        console.print(Text("\n".join(winnings_graph(report.course.winnings, min(console.width, 80)))))


def _per_100(number: float | None) -> str:
    return "n/a" if number is None else f"{number:+.1f}"


def _per_100_ends(each: Figure) -> str:
    return "" if each.low is None else f"{_per_100(each.low)} to {_per_100(each.high)}"


_LINES = 11  # of a graph


def winnings_graph(points: Sequence[WinningsPoint], width: int) -> list[str]:
    """Draw winnings (``*``) and all-in EV (``o``) over hands as lines of text; ``#`` is where both are."""
    values = [value for each in points for value in (each.net, each.all_in_ev)]
    low, high = min(*values, 0.0), max(*values, 0.0)
    labels = [f"{high:+,.4g}", f"{low:+,.4g}"]
    margin = max(map(len, labels)) + 1
    columns = max(width - margin - 1, 10)
    span = (high - low) or 1.0
    rows = [[" "] * columns for _ in range(_LINES)]

    def line(value: float) -> int:
        return round((high - value) / span * (_LINES - 1))

    rows[line(0.0)] = ["-"] * columns
    hands = points[-1].hands
    place = 0
    for column in range(columns):
        while place < len(points) - 1 and points[place].hands < column * hands / (columns - 1):
            place += 1
        net, ev = line(points[place].net), line(points[place].all_in_ev)
        rows[ev][column] = "o"
        rows[net][column] = "#" if net == ev else "*"
    names = {0: labels[0], _LINES - 1: labels[1]} | ({line(0.0): "0"} if low < 0 < high else {})
    drawn = [f"{names.get(k, ''):>{margin - 1}} |{''.join(row)}".rstrip() for k, row in enumerate(rows)]
    return [*drawn, f"{'':{margin}}0 to {hands:,} hands: * won after the rake, o all-in EV, # both"]


def print_findings(report: PlayerReport, console: Console, *, own: bool = False) -> None:
    """Print where a player differs from others, and what exploits them; to the player (`own`) these are their leaks."""
    console.print(Text("\nWhere you differ" if own else "\nWhere they differ", "bold"))
    console.print(Text(differences_words(report), "dim"))
    if report.sure:
        table = _table("", "value", "made of", "expected", "usual", "difference", "95% interval", "certainty")
        for each in report.sure:
            table.add_row(*difference_cells(each))
        _keep_figures(table)
        print_whole(table, console)
    console.print(Text("\nYour leaks" if own else "\nWhat exploits them", "bold"))
    for advice, computed, why in finding_words(report, own=own):
        console.print(Text(advice))
        if computed is not None:
            console.print(Padding(Text(computed), (0, 0, 0, 4)))
        console.print(Padding(Text(why, "dim"), (0, 0, 0, 4)))
    console.print(Text(exploits_words(report), "dim"))


def _hands(number: int, structure: BettingStructure) -> str:
    return counted(number, "hand") + ("" if structure.fixed else f" of {structure}")


def _print_contexts(profile: Profile, console: Console) -> None:
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


def _print_sizes(console: Console, groups: Sequence[tuple[str, Mapping[str, Sizes]]], by: str = "") -> None:
    """Print how large bets and raises are: of each kind by group, in a table for each unit."""
    for unit, explained in _UNITS.items():
        lines = [
            (sizes, name)
            for key in SIZES
            for name, of_group in groups
            if (sizes := of_group.get(key)) is not None and sizes.unit == unit and sizes.all_in.denominator
        ]
        if not lines:
            continue
        grouped = (by,) if by else ()
        table = _table("size", *grouped, "median", "95%", "bets", *lines[0][0].classes, "all-in")
        before = None
        for sizes, name in lines:
            table.add_row(
                "" if sizes.name == before else sizes.name,
                *((Text(printable(name)),) if by else ()),
                "n/a" if sizes.median is None else f"{sizes.median:.4g}",
                "" if sizes.low is None else f"{sizes.low:.4g}-{sizes.high:.4g}",
                f"{sizes.all_in.denominator:,}",
                *("" if each.value is None else f"{each.value:.0%}" for each in sizes.classes.values()),
                f"{sizes.all_in.value:.0%}",
            )
            before = sizes.name
        _keep_figures(table)
        print_whole(table, console)
        console.print(Text(explained, "dim"))


def print_groups(groups: Iterable[Group], console: Console, *, every: bool = True) -> None:
    """Print the statistics of a player, each by group, of one betting structure unless that tells the groups apart.

    Without `every`, only the statistics that players look at first. They are one table with a column for each group,
    if the terminal has room for that.
    """
    rows = list(groups)
    hands = sum(group.hands or 0 for group in rows)
    structure = rows[0].structure
    if rows[0].by == "structure":
        of = f": {counted(hands, 'hand')}"
    else:
        of = f": {_hands(hands, structure)}" if hands else "" if structure.fixed else f": {structure}"
    console.print(Text(f"{printable(rows[0].player)}{of} by {rows[0].by}", "bold"))
    if not every and (compact := _compact(rows, console)) is not None:
        console.print(compact)
        return
    table = _table("", rows[0].by, "value", "95% interval", "made of")
    for label, cells in _blocks(rows):
        table.add_row(label, *cells)
    _keep_figures(table, 4)
    console.print(table)
    _print_sizes(console, [(group.name, group.sizes) for group in rows], rows[0].by)


def _compact(groups: Sequence[Group], console: Console) -> Table | None:
    """One table with a column for each group; None if the terminal has not the room."""
    table = _table("", *(printable(group.name) for group in groups))
    if any(group.hands is not None for group in groups):
        table.add_row("hands", *("" if group.hands is None else f"{group.hands:,}" for group in groups))
    for key in _OF_GROUPS:
        found = [group.statistics.get(key) for group in groups]
        if some := next((each for each in found if each is not None and each.denominator), None):
            cells = ("" if each is None or not each.denominator else _brief(each) for each in found)
            table.add_row(some.name, *cells)
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    _keep_figures(table)
    return table if needed <= console.width else None


def _brief(statistic: Figure) -> str:
    """A value, and of a share how many there were: ``33% of 6``."""
    value = value_words(statistic, statistic.value, digits=0)
    return f"{value} of {amount_words(statistic.denominator)}" if statistic.percent else value


def _blocks(groups: Iterable[Group]) -> Iterator[tuple[str, tuple[str | Text, ...]]]:
    """The lines of each statistic, with its name in the first, leaving out groups where there was no chance."""
    blocks: dict[str, list[tuple[str | Text, ...]]] = {}
    for group in groups:
        lines: list[tuple[str, str, str, str]] = []
        if group.hands is not None:
            lines.append(("hands", f"{group.hands:,}", "", ""))
        for statistic in group.statistics.values():
            if statistic.denominator:
                lines.append(statistic_cells(statistic))
        for label, *figures in lines:
            blocks.setdefault(label, []).append((Text(printable(group.name)), *figures))
    for label, rows in blocks.items():
        for number, cells in enumerate(rows):
            yield "" if number else label, cells


def _threshold(profile: Profile, context: Context, act: Act) -> str:
    threshold = profile.threshold(context, act)
    if threshold is None:
        return ""
    return (
        f"{threshold.mu:.0f}, {threshold.sigma:.0f}"
        if context.round == 0
        else f"{threshold.mu:.2f}, {threshold.sigma:.2f}"
    )
