"""A tournament as a page: one HTML file that needs no network, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pokermodel.report.charts import Chart, Interval, Series, interval_chart, line_chart
from pokermodel.report.results import FEWER_POINTS, POINTS, TOGETHER, Section, beside_table, pair, results_page
from pokermodel.tables.arena.tournament import TournamentResult
from pokermodel.tables.report.standings import copied_kinds, played_words, standings, unit_words

__all__ = ["tournament_page", "winnings_charts"]


def tournament_page(result: TournamentResult) -> str:
    """Write the result of a tournament as a page: winnings by player, and over the deals.

    Parameters
    ----------
    result : TournamentResult
        The result, of any number of deals.

    Returns
    -------
    str
        A whole HTML file, in ASCII.
    """
    lines = [played_words(result)]
    if result.interrupted:
        lines.append("The tournament was interrupted: these are the deals before.")
    if result.failure is not None:
        lines.append(f"The tournament ended early: {result.failure}.")
    return results_page("Tournament", lines, _tournament_sections(result) if result.deals else [])


def _tournament_sections(result: TournamentResult) -> list[Section]:
    unit = unit_words(result)
    table = standings(result)
    copies = copied_kinds(result)
    found = [(name, result.estimate(name)) for name in result.names]
    found += [(f"all {kind}", result.estimate(kind)) for kind in copies]
    rows = [
        Interval(label, each.mean, None if each.low != each.low else (each.low, each.high)) for label, each in found
    ]
    label = f"{unit} per game"
    bars = beside_table(interval_chart(rows, title="Winnings per game", value_label=label))
    notes = ["With 95% intervals over deals."]
    over = ["The band is the 95% interval of the sum after so many deals, from the spread of all deals."]
    if copies:
        over.append("Of players of which there are copies, it is the mean of the copies.")
    return [
        Section("Winnings", notes, [table], [bars]),
        Section("Winnings over the deals", over, charts=[*winnings_charts(result)]),
    ]


def winnings_charts(result: TournamentResult) -> Iterator[Chart]:
    """Draw what each kind of player won over the deals: with bands in one chart, or of many one by one, too.

    Parameters
    ----------
    result : TournamentResult
        A tournament of at least one deal.
    """
    kinds = list(dict.fromkeys(result.kinds))
    few = len(kinds) <= TOGETHER
    series = []
    for kind in kinds:
        rows = list(result.course(kind, points=POINTS if few else FEWER_POINTS))
        intervals = [pair([row["low"], row["high"]]) for row in rows]
        series.append(Series(kind, [row["deals"] for row in rows], [row["won"] for row in rows], intervals))
    unit = unit_words(result)
    options: dict[str, Any] = {"x_label": "deals", "y_label": f"{unit} won", "number": "{:+,.1f}".format}
    if few:
        yield line_chart(series, title="Winnings over the deals", **options)
        return
    yield line_chart([each._replace(intervals=()) for each in series], title="All players", **options)
    ends = [end for each in series for interval in each.intervals if interval is not None for end in interval]
    for each in series:
        yield line_chart([each], title=each.name, around=(min(ends, default=0.0), max(ends, default=0.0)), **options)
