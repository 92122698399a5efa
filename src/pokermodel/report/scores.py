"""`Scores` in the terminal."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokermodel._words import counted
from pokermodel.game import ROUNDS
from pokermodel.report.terminal import printable
from pokermodel.scoring.walk import Scores

__all__ = ["print_scores", "score_cells", "scored_hands"]

_PLAYERS = 20  # listed, those with most decisions


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for k, column in enumerate(columns):
        table.add_column(column, no_wrap=True, justify="right" if k else "left")
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
    """Return decisions, log-loss, share of right ones, calibration error, holdings and bits gained, as text.

    Parameters
    ----------
    score : dict
        As `Score.to_dict` returns it.
    """
    return (
        f"{score['decisions']:,}",
        _mean(score, "action_log_loss"),
        _number(score["action_accuracy"], "{:.1%}"),
        _number(score["calibration_error"], "{:.1%}"),
        f"{score['holdings']:,}",
        _mean(score, "bits_gained", "{:+.3f}"),
    )


def print_scores(scores: Scores, console: Console) -> None:
    """Print what models scored: all of them in one table, and for a single one everything.

    Parameters
    ----------
    scores : Scores
        Of at least one model.
    console : Console
        Where to.
    """
    models = [score.to_dict() for score in scores.values()]
    console.print(scored_hands(scores))
    first = models[0]
    uniform = next((each["uniform_log_loss"] for each in models if each["uniform_log_loss"] is not None), None)
    if uniform is not None:
        console.print(f"a guess among the legal acts has a log-loss of {uniform:.3f}")
    table = _table("model", "decisions", "log-loss", "right", "off by", "holdings", "bits gained")
    for each in models:
        table.add_row(each["model"], *score_cells(each))
    console.print(table)

    if any("sizes" in each for each in models):
        table = _table(
            "where bets have sizes", "total log-loss", "of a guess", "sizes", "log-loss of sizes", "of a guess"
        )
        for each in models:
            if "sizes" in each:
                table.add_row(
                    each["model"],
                    _mean(each, "total_log_loss"),
                    _number(each["uniform_total_log_loss"], "{:.3f}"),
                    f"{each['sizes']:,}",
                    _mean(each, "size_log_loss"),
                    _number(each["uniform_size_log_loss"], "{:.3f}"),
                )
        console.print(table)
    for title, key, text in (("log-loss", "action_log_loss", "{:.3f}"), ("bits gained", "bits_gained", "{:+.3f}")):
        if any(each[key] is not None for each in models):
            table = _table(f"{title} by street", *ROUNDS)
            for each in models:
                table.add_row(each["model"], *(_number(street[key], text) for street in each["streets"].values()))
            console.print(table)
    if any(each["tables"]["folded"]["every_decision"]["holdings"] for each in models):
        table = _table("bits at every decision", "of all", "those who showed", "those who folded")
        for each in models:
            tables = each["tables"]
            parts = (tables["every_decision"], tables["showed"]["every_decision"], tables["folded"]["every_decision"])
            table.add_row(each["model"], *(_mean(part, "bits_gained", "{:+.3f}") for part in parts))
        console.print(table)
        table = _table("bits at the last decision", "of all", "those who did not fold", "those who showed")
        for each in models:
            last = each["tables"]["last_decision"]
            parts = (last["everybody"], last["not_folded"], each["tables"]["showed"]["last_decision"])
            table.add_row(each["model"], *(_mean(part, "bits_gained", "{:+.3f}") for part in parts))
        console.print(table)
    if len(models) == 1:
        _details(first, console)


def _details(score: dict[str, Any], console: Console) -> None:
    """What is shown of a single model."""
    if score["calibration"]:
        table = _table("calibration", "predicted", "happened", "decisions")
        for row in score["calibration"]:
            table.add_row(
                f"{row['act']} {row['low']:.0%} to {row['high']:.0%}",
                f"{row['predicted']:.1%}",
                f"{row['observed']:.1%}",
                f"{row['decisions']:,}",
            )
        console.print(table)
    table = _table("hands seen of the player", "decisions", "log-loss", "right", "holdings", "bits gained")
    for row in score["learning_curve"]:
        seen = f"{row['hands_seen']:,}" + ("" if row["below"] is None else f" to {row['below'] - 1:,}")
        table.add_row(seen if row["below"] else f"{seen} or more", *_figures(row))
    console.print(table)
    table = _table("player", "decisions", "log-loss", "right", "holdings", "bits gained")
    for name, row in list(score["players"].items())[:_PLAYERS]:
        table.add_row(Text(printable(name)), *_figures(row))
    console.print(table)
    if len(score["players"]) > _PLAYERS:
        console.print(Text(f"and {len(score['players']) - _PLAYERS:,} more players (--json lists all)", "dim"))


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{row['decisions']:,}",
        _mean(row, "action_log_loss"),
        _number(row["action_accuracy"], "{:.1%}"),
        f"{row['holdings']:,}",
        _mean(row, "bits_gained", "{:+.3f}"),
    )
