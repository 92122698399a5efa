"""Scores, tournaments and experiments as pages: one HTML file that needs no network, without scripts.

A page has the figures that the terminal and JSON have, made of the same rows, and charts of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pokermodel._support.words import counted
from pokermodel.report.charts import (
    CalibrationPoint,
    Chart,
    Interval,
    Series,
    calibration_chart,
    interval_chart,
    line_chart,
)
from pokermodel.report.document import asset, document
from pokermodel.report.scores import (
    calibration_figures,
    guess_words,
    learning_figures,
    model_figures,
    player_figures,
    reason_lines,
    scored_hands,
)
from pokermodel.report.words import FigureTable

if TYPE_CHECKING:
    from pokermodel.scoring.walk import Scores

__all__ = [
    "calibration_of",
    "learning_curves",
    "score_page",
]

_PLAYERS = 1000  # of a model, those with most decisions
TOGETHER = 4  # lines whose bands can still be told apart in one chart
POINTS, FEWER_POINTS = 200, 50  # of a line: of a few lines, and of many
CLAIM_SIGNS = {
    "held": "\N{CHECK MARK}",
    "in order within chance": "\N{ALMOST EQUAL TO}",
    "open": "?",
    "failed": "\N{MULTIPLICATION X}",
}


class Section(NamedTuple):
    """A part of a page; tables of `folded` are opened by their titles."""

    title: str
    notes: Sequence[str] = ()
    tables: Sequence[FigureTable] = ()
    charts: Sequence[Chart] = ()
    folded: Sequence[tuple[str, FigureTable]] = ()
    claims: Sequence[dict[str, Any]] = ()


def results_page(heading: str, lines: Sequence[str], sections: Sequence[Section]) -> str:
    return document(
        "results",
        title=heading,
        style=asset("results.css"),
        heading=heading,
        lines=lines,
        sections=sections,
        signs=CLAIM_SIGNS,
    )


def beside_table(chart: Chart) -> Chart:
    """The chart without its table, which is on the page anyway."""
    return replace(chart, rows=())


# --------------------------------------------------------------------------------------------------- scores


def score_page(scores: Scores) -> str:
    """Write what readers scored, one at least, as a page: tables, calibration and learning curves.

    It is a whole HTML file, in ASCII. Of a reader with more than 1,000 players, those with most decisions are listed.
    """
    models = scores.to_dict()["models"]
    guess = guess_words(models)
    unpredicted = [
        f"{counted(number, 'act')} {why}"
        for number, why in ((scores.unoffered, "not offered by the rules"), (scores.out_of_turn, "out of turn"))
        if number
    ]
    lines = [scored_hands(scores), *reason_lines(models), *([] if guess is None else [guess])]
    lines += [f"not predicted: {', '.join(unpredicted)}"] if unpredicted else []
    sections = [
        Section("Models" if len(models) > 1 else "The model", (), tuple(model_figures(models)), [*_compared(models)]),
        Section(
            "Calibration",
            ("How often acts were done beside how often they were predicted; on the diagonal, forecasts are true.",),
            charts=[calibration_of(each) for each in models if each["calibration"]],
        ),
        Section(
            "Learning",
            ("By how many hands of the player had been seen before.",),
            charts=[*learning_curves(models)],
            folded=[(f"All figures of {each['model']}", learning_figures(each)) for each in models],
        ),
        Section("Players", folded=[_listed(each) for each in models]),
    ]
    return results_page("Scores", lines, [each for each in sections if each.charts or each.tables or each.folded])


def _compared(models: Sequence[dict[str, Any]]) -> Iterator[Chart]:
    """Readers beside each other."""
    for key, title, unit in (
        ("action_log_loss", "Log-loss of acts", "nats per act; lower is better"),
        ("total_log_loss", "Log-loss of acts with their sizes", "nats per act; lower is better"),
        ("bits_gained", "Bits gained on holdings that were shown", "bits per holding; higher is better"),
    ):
        known = [each for each in models if each.get(key) is not None]
        if len(known) > 1:
            rows = [Interval(each["model"], each[key], pair(each[f"{key}_ci95"])) for each in known]
            number = ("{:+.3f}" if key == "bits_gained" else "{:.3f}").format
            zero = key == "bits_gained"
            yield beside_table(interval_chart(rows, title=title, value_label=unit, number=number, zero=zero))


def calibration_of(score: dict[str, Any]) -> Chart:
    """Draw how often acts were done beside how often a reader predicted them, one at least (`Score.to_dict`)."""
    points = [
        CalibrationPoint(row["act"], row["predicted"], row["observed"], row["decisions"])
        for row in score["calibration"]
    ]
    off = "" if score["calibration_error"] is None else f", off by {score['calibration_error']:.1%} on average"
    columns, rows = calibration_figures(score)
    return replace(calibration_chart(points, title=f"{score['model']}{off}"), columns=columns, rows=rows)


def learning_curves(models: Sequence[dict[str, Any]]) -> Iterator[Chart]:
    """Draw log-loss and bits by how many hands of the player had been seen, given what `Score.to_dict` returns."""
    steps = sorted({row["hands_seen"] for each in models for row in each["learning_curve"]})
    names = [f"{step // 1000}k" if step >= 1000 else str(step) for step in steps]
    for key, title, unit, text in (
        ("action_log_loss", "Log-loss of acts", "nats per act", "{:.3f}"),
        ("bits_gained", "Bits gained on holdings that were shown", "bits per holding", "{:+.3f}"),
    ):
        series = []
        for each in models:
            rows = [row for row in each["learning_curve"] if row[key] is not None]
            places = [float(steps.index(row["hands_seen"])) for row in rows]
            intervals = [pair(row[f"{key}_ci95"]) for row in rows]
            series.append(Series(each["model"], places, [row[key] for row in rows], intervals))
        if any(each.y for each in series):
            yield line_chart(
                series,
                title=title,
                x_label="hands seen of the player, at least",
                y_label=unit,
                places=names,
                number=text.format,
                bands=False,
            )


def _listed(score: dict[str, Any]) -> tuple[str, FigureTable]:
    players, more = player_figures(score, _PLAYERS)
    rest = f", those with most decisions; {more:,} more are in JSON" if more else ""
    return f"{counted(len(players.rows), 'player')} as {score['model']} reads them{rest}", players


# ---------------------------------------------------------------------------------------------------- cells


def pair(interval: Sequence[float | None] | None) -> tuple[float, float] | None:
    """Both ends of an interval; None if there is none."""
    if interval is None:
        return None
    low, high = interval
    return None if low is None or high is None else (low, high)


def signed(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:+.{digits}f}"


def plain(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def interval_text(interval: Sequence[float | None]) -> str:
    found = pair(interval)
    return "" if found is None else f"{found[0]:+.4f} to {found[1]:+.4f}"


def filled(figures: FigureTable) -> FigureTable:
    """The table without columns in which nothing stands."""
    kept = [k for k in range(len(figures.columns)) if k == 0 or any(row[k] for row in figures.rows)]
    columns, *rows = (tuple(row[k] for k in kept) for row in (figures.columns, *figures.rows))
    return FigureTable(columns, tuple(rows))
