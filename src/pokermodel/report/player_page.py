"""A player as a page: one HTML file that needs no script, no other file and no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.words import counted
from pokermodel.analysis.player import PlayerReport, Ranges, class_means
from pokermodel.game import ROUNDS, Act
from pokermodel.learning.winnings import Winnings
from pokermodel.reading.tendencies import BOARDS, STRENGTHS, PostflopTendency, PreflopTendency
from pokermodel.report.charts import Chart, Interval, Series, interval_chart, line_chart
from pokermodel.report.document import asset, document
from pokermodel.report.grid import ClassMap, chance_grid, count_grid
from pokermodel.report.palette import level_class, level_rules
from pokermodel.report.player import (
    difference_cells,
    differences_words,
    exploits_words,
    finding_rates,
    finding_words,
    place_words,
    preflop_words,
    ranges_words,
    size_cells,
    statistic_cells,
    winnings_words,
)

__all__ = ["difference_chart", "over_time_charts", "player_page", "player_parts", "strength_charts", "winnings_chart"]

#: What is drawn over time.
_OVER_TIME = ("vpip", "pfr", "afq", "wtsd", "w_sd", "small_bets", "big_blinds")
#: How many differences are drawn; the table has all of them.
_DRAWN = 12


def player_page(reports: Sequence[PlayerReport], *, own: bool = False) -> str:
    """Draw a player as a page, a whole HTML file in ASCII; `own` is for the player, who sees their leaks.

    The reports are of one player, one for each betting structure, with ranges.

    Raises
    ------
    ValueError
        If there is no report, one has no ranges, or they are not of one player.
    """
    if any(report.ranges is None for report in reports):
        raise ValueError(f"a page needs the ranges of {reports[0].profile.name!r}: expected reports that have them")
    return document("player", about=None, **player_parts(reports, own=own))


def player_parts(
    reports: Sequence[PlayerReport], *, own: bool, hands_of: Mapping[str, str] | None = None, style: str = ""
) -> dict[str, Any]:
    """Gather what the template ``player`` shows, for a file or for the Desk; errors are those of `player_page`.

    Parameters
    ----------
    reports : sequence of PlayerReport
        Ranges are left out where they were not asked for.
    own : bool
    hands_of : mapping of str to str, optional
        By the key of a rate, the address of the hands in which there was a chance of it.
    style : str
        More rules of style.
    """
    if not reports:
        raise ValueError("a page needs a report, got none")
    name = reports[0].profile.name
    if any(report.profile.name != name for report in reports):
        raise ValueError("a page shows one player: expected reports of the same one")
    return {
        "title": f"{name}: a player's profile",
        "style": asset("chart.css") + asset("player.css") + level_rules(("w",)) + style,
        "name": name,
        "level_class": level_class,
        "exploits_title": "Your leaks" if own else "What exploits them",
        "differences_title": "Where you differ" if own else "Where they differ",
        "games": [_game(report, own, hands_of or {}) for report in reports],
    }


def _game(report: PlayerReport, own: bool, hands_of: Mapping[str, str]) -> dict[str, Any]:
    """What the template shows of a betting structure."""
    profile, ranges = report.profile, report.ranges
    shown = profile.totals.showdowns
    winnings = report.winnings
    return {
        "winnings": _winnings_rows(winnings),
        "winnings_words": winnings_words(winnings),
        "winnings_chart": winnings_chart(report),
        "structure": str(profile.structure),
        "hands": counted(profile.hands, "hand"),
        "played": _played(report),
        "statistics": [(*statistic_cells(each), each.meaning) for each in profile.statistics.values()],
        "sizes": [size_cells(each) for each in profile.sizes.values() if each.all_in.denominator],
        "exploits_words": exploits_words(report),
        "exploits": [
            (*words, hands_of.get(key))
            for words, key in zip(finding_words(report, own=own), finding_rates(report, own=own), strict=True)
        ],
        "differences_words": differences_words(report),
        "difference_chart": difference_chart(report),
        "differences": [difference_cells(each) for each in report.differences],
        "over_time": list(over_time_charts(report)),
        "days": _days(report),
        "ranges": None if ranges is None else _ranges(ranges),
        "shown": counted(int(shown.sum()), "holding"),
        "shown_map": count_grid(shown) if shown.any() else None,
    }


def _ranges(ranges: Ranges) -> dict[str, Any]:
    """What the template shows of ranges."""
    return {
        "words": ranges_words(ranges),
        "positions": _positions(ranges.preflop),
        "boards": BOARDS,
        "strengths": list(strength_charts(ranges.postflop)),
    }


def _winnings_rows(winnings: Winnings) -> list[tuple[str, str, str, str]]:
    """What was won per 100 hands: name, value, interval and meaning."""
    return [
        (
            each.name,
            "n/a" if each.value is None else f"{each.value:+.1f}",
            "" if each.low is None else f"{each.low:+.1f} to {each.high:+.1f}",
            each.meaning,
        )
        for each in (winnings.per_100, winnings.ev_per_100)
    ]


def winnings_chart(report: PlayerReport) -> Chart | None:
    """Draw winnings and all-in EV over the hands of a player; None where there are too few points."""
    points = report.course.winnings
    if len(points) < 3:
        return None
    across = [each.hands for each in points]
    return line_chart(
        [
            Series("won after the rake", across, [each.net for each in points]),
            Series("all-in EV", across, [each.all_in_ev for each in points]),
        ],
        title="Winnings over hands",
        x_label="hands of the player",
        y_label=report.winnings.unit,
        number="{:+.2f}".format,
    )


def _played(report: PlayerReport) -> str:
    """When, for what and with how many players."""
    course, parts = report.course, []
    days = [each for period in course.periods for each in (period.first, period.last) if each is not None]
    if days:
        parts.append(days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}")
    if course.usual_stake:
        parts.append(f"most often for {course.usual_stake}")
    if course.usual_table:
        parts.append(f"most often with {course.usual_table} players")
    return ", ".join(parts)


def _days(report: PlayerReport) -> str | None:
    """How many hands a point of the charts over time is."""
    periods = report.course.periods
    if len(periods) < 2:
        return None
    return (
        f"Each point is {counted(periods[0].profile.hands, 'hand')} that were played one after the other; the band is "
        "a 95% interval."
    )


def difference_chart(report: PlayerReport) -> Chart | None:
    """Draw the differences that are sure, the most certain first; None if there are none."""
    drawn = report.sure[:_DRAWN]
    if not drawn:
        return None
    rows = [
        Interval(each.rate.name, 100 * each.difference, (100 * each.low, 100 * each.high))
        for each in sorted(drawn, key=lambda each: -each.difference)
    ]
    return interval_chart(
        rows,
        title="Differences that are sure by 95% each",
        value_label="percentage points above what is usual",
        number="{:+.1f}".format,
    )


def over_time_charts(report: PlayerReport) -> Iterator[Chart]:
    """Draw some statistics over time; none where there are fewer than two periods."""
    periods = report.course.periods
    if len(periods) < 2:
        return
    for key in _OVER_TIME:
        parts = [(each.before + each.profile.hands / 2, each.profile.statistics.get(key)) for each in periods]
        known = [(place, each) for place, each in parts if each is not None and each.value is not None]
        if len(known) < 2:
            continue
        first = known[0][1]
        factor = 100 if first.percent else 1
        ends = [
            None if each.low is None or each.high is None else (factor * each.low, factor * each.high)
            for _, each in known
        ]
        values = [factor * each.value for _, each in known if each.value is not None]
        title = f"{first.name}: {first.meaning}"
        yield line_chart(
            [Series(title, [place for place, _ in known], values, ends)],
            title=title,
            x_label="hands of the player",
            y_label="%" if first.percent else first.name,
            number=("{:.1f}" if first.percent else "{:+.3f}").format,
        )


def strength_charts(tendencies: Sequence[PostflopTendency]) -> Iterator[Chart]:
    """Draw what is done after the flop by the strength of the holding, a chart for each situation."""
    for each in sorted(tendencies, key=lambda each: (each.facing, each.round)):
        names = {Act.RAISE: "raise", Act.CALL: "call", Act.FOLD: "fold"}
        if not each.facing:
            names = {Act.RAISE: "bet", Act.CALL: "check"}
        series = [
            Series(name, range(len(STRENGTHS)), _without_nan(100 * each.chances[:, act])) for act, name in names.items()
        ]
        street = ROUNDS[each.round].capitalize()
        overall = ", ".join(f"{name}s {each.acts[act]:.0%}" for act, name in names.items())
        yield line_chart(
            series,
            title=f"{street}, {'facing a bet' if each.facing else 'nothing to call'}: {overall}",
            x_label="strength of the holding: share of random ones beaten, %",
            y_label="%",
            places=[name.replace(" to ", "\N{EN DASH}").removesuffix("%") for name in STRENGTHS],
            number="{:.0f}".format,
        )


def _without_nan(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


def _positions(tendencies: Sequence[PreflopTendency]) -> list[dict[str, Any]]:
    """What is done before the flop, by position: lines and maps."""
    found: dict[str, dict[str, Any]] = {}
    for each in tendencies:
        here = found.setdefault(each.position, {"name": each.position, "lines": [], "maps": []})
        here["lines"].append(preflop_words(each))
        here["maps"] += _maps(each)
    return list(found.values())


def _maps(each: PreflopTendency) -> list[tuple[str, ClassMap]]:
    share = each.acts.tolist()
    if each.raiser is None:
        up = class_means(each.chances, Act.RAISE)
        return [(f"raises first in: {share[Act.RAISE]:.1%}", chance_grid(up, "raises"))]
    call, again = (class_means(each.chances, act) for act in (Act.CALL, Act.RAISE))
    return [
        (f"calls a raise from {place_words(each.raiser)}: {share[Act.CALL]:.1%}", chance_grid(call, "calls")),
        (f"raises it again: {share[Act.RAISE]:.1%}", chance_grid(again, "raises again")),
    ]
