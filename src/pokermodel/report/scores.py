"""`Scores` as figures in text, and in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokermodel._support.words import counted, printable
from pokermodel.game import ROUNDS
from pokermodel.report.words import FigureTable
from pokermodel.scoring.walk import Scores

__all__ = [
    "calibration_figures",
    "guess_words",
    "learning_figures",
    "model_figures",
    "player_figures",
    "print_scores",
    "reason_lines",
    "score_cells",
    "scored_hands",
]

_PLAYERS = 20  # listed, those with most decisions
_FIGURES = ("decisions", "log-loss", "right", "holdings", "bits gained")  # of a part of the decisions


def _table(figures: FigureTable) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for k, column in enumerate(figures.columns):
        table.add_column(column, no_wrap=True, justify="right" if k else "left")
    for name, *cells in figures.rows:
        table.add_row(Text(printable(name)), *cells)
    return table


def _number(value: float | None, text: str = "{:.3f}") -> str:
    return "" if value is None else text.format(value)


def _mean(part: dict[str, Any], key: str, text: str = "{:.3f}") -> str:
    """A mean with half its interval."""
    value, interval = part[key], part[f"{key}_ci95"]
    if value is None:
        return ""
    half = "" if interval is None else f" ±{(interval[1] - interval[0]) / 2:.3f}"
    return text.format(value) + half


def scored_hands(scores: Scores) -> str:
    """Say of how many hands the scores are."""
    return (
        f"{counted(scores.hands, 'hand')} scored, {scores.learnt:,} learnt before"
        + (f", {scores.passed:,} not selected" if scores.passed else "")
        + (f", {len(scores.skipped):,} left out" if scores.skipped else "")
        + (" (interrupted)" if scores.interrupted else "")
    )


def score_cells(score: dict[str, Any]) -> tuple[str, ...]:
    """Return decisions, log-loss, share of right ones, calibration error, holdings and bits gained, as text."""
    if not score["available"]:
        return ("not available", *[""] * 5)
    return (
        f"{score['decisions']:,}",
        _mean(score, "action_log_loss"),
        _number(score["action_accuracy"], "{:.1%}"),
        _number(score["calibration_error"], "{:.1%}"),
        f"{score['holdings']:,}",
        _mean(score, "bits_gained", "{:+.3f}"),
    )


def reason_lines(models: Sequence[dict[str, Any]]) -> list[str]:
    """Say why models have no score, or none of some of the hands."""
    lines = []
    for each in models:
        if not each["available"]:
            lines.append(f"{each['model']} is not available: {each['reason']}")
        elif each["left_out"]:
            lines.append(f"{each['model']} is not scored on {counted(each['left_out'], 'hand')}: {each['reason']}")
    return lines


def guess_words(models: Sequence[dict[str, Any]]) -> str | None:
    """Say what a guess is worth; None where no act was predicted."""
    known = (each["uniform_log_loss"] for each in models if each["uniform_log_loss"] is not None)
    uniform = next(known, None)
    return None if uniform is None else f"a guess among the legal acts has a log-loss of {uniform:.3f}"


def model_figures(models: Sequence[dict[str, Any]]) -> Iterator[FigureTable]:
    """Yield the tables in which models stand beside each other, those that have something to show."""

    def table(columns: Iterable[str], cells: Callable[[dict[str, Any]], Iterable[str]]) -> FigureTable:
        return FigureTable(tuple(columns), tuple((each["model"], *cells(each)) for each in models))

    yield table(("model", "decisions", "log-loss", "right", "off by", "holdings", "bits gained"), score_cells)
    sized = [each for each in models if "sizes" in each]
    if sized:
        columns = "where bets have sizes", "total log-loss", "of a guess", "sizes", "log-loss of sizes", "of a guess"
        yield FigureTable(columns, tuple((each["model"], *_size_cells(each)) for each in sized))
    for title, key, text in (("log-loss", "action_log_loss", "{:.3f}"), ("bits gained", "bits_gained", "{:+.3f}")):
        if any(each[key] is not None for each in models):
            yield table(
                (f"{title} by street", *ROUNDS),
                lambda each, key=key, text=text: (  # type: ignore[misc]
                    _number(street[key], text) for street in each["streets"].values()
                ),
            )
    if any(each["tables"]["folded"]["every_decision"]["holdings"] for each in models):

        def every(score: dict[str, Any]) -> Iterator[str]:
            parts = score["tables"]
            for part in (parts, parts["showed"], parts["folded"]):
                yield _mean(part["every_decision"], "bits_gained", "{:+.3f}")

        def last(score: dict[str, Any]) -> Iterator[str]:
            parts = score["tables"]["last_decision"]
            for part in (parts["everybody"], parts["not_folded"], score["tables"]["showed"]["last_decision"]):
                yield _mean(part, "bits_gained", "{:+.3f}")

        yield table(("bits at every decision", "of all", "those who showed", "those who folded"), every)
        yield table(("bits at the last decision", "of all", "those who did not fold", "those who showed"), last)


def calibration_figures(score: dict[str, Any]) -> FigureTable:
    """Return how often acts were done that were predicted to some degree."""
    rows = tuple(
        (
            f"{row['act']} {row['low']:.0%} to {row['high']:.0%}",
            f"{row['predicted']:.1%}",
            f"{row['observed']:.1%}",
            f"{row['decisions']:,}",
        )
        for row in score["calibration"]
    )
    return FigureTable(("calibration", "predicted", "happened", "decisions"), rows)


def learning_figures(score: dict[str, Any]) -> FigureTable:
    """Return what is known of a model by how many hands of a player it had seen."""
    rows = []
    for row in score["learning_curve"]:
        seen = f"{row['hands_seen']:,}" + ("" if row["below"] is None else f" to {row['below'] - 1:,}")
        rows.append((seen if row["below"] else f"{seen} or more", *_figures(row)))
    return FigureTable(("hands seen of the player", *_FIGURES), tuple(rows))


def player_figures(score: dict[str, Any], most: int) -> tuple[FigureTable, int]:
    """Return what is known of a model by player, of those with most decisions, and how many others there are."""
    players = score["players"]
    rows = tuple((name, *_figures(row)) for name, row in islice(players.items(), most))
    return FigureTable(("player", *_FIGURES), rows), len(players) - len(rows)


def print_scores(scores: Scores, console: Console) -> None:
    """Print what models scored: all of them in one table, and for a single one everything."""
    models = scores.to_dict()["models"]
    console.print(scored_hands(scores))
    for line in reason_lines(models):
        console.print(Text(printable(line)))
    guess = guess_words(models)
    if guess is not None:
        console.print(guess)
    for figures in model_figures(models):
        console.print(_table(figures))
    if len(models) == 1:
        (only,) = models
        if only["calibration"]:
            console.print(_table(calibration_figures(only)))
        console.print(_table(learning_figures(only)))
        players, more = player_figures(only, _PLAYERS)
        console.print(_table(players))
        if more:
            console.print(Text(f"and {more:,} more players (--json lists all)", "dim"))


def _size_cells(score: dict[str, Any]) -> tuple[str, ...]:
    """What is shown where bets have sizes."""
    return (
        _mean(score, "total_log_loss"),
        _number(score["uniform_total_log_loss"], "{:.3f}"),
        f"{score['sizes']:,}",
        _mean(score, "size_log_loss"),
        _number(score["uniform_size_log_loss"], "{:.3f}"),
    )


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{row['decisions']:,}",
        _mean(row, "action_log_loss"),
        _number(row["action_accuracy"], "{:.1%}"),
        f"{row['holdings']:,}",
        _mean(row, "bits_gained", "{:+.3f}"),
    )
