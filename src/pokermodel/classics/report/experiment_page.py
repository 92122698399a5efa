"""An experiment as a page: one HTML file that needs no network, without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from pokermodel._support.words import counted
from pokermodel.classics.experiments.registry import Outcome
from pokermodel.report.charts import Chart, Interval, interval_chart
from pokermodel.report.results import (
    CLAIM_SIGNS,
    Section,
    beside_table,
    filled,
    interval_text,
    pair,
    plain,
    results_page,
    signed,
)
from pokermodel.report.words import FigureTable

__all__ = ["experiment_page", "published_beside"]

COMPARED = "Our figures and the published ones"


def experiment_page(outcome: Outcome) -> str:
    """Write the outcome of an experiment as a page: figures beside the published ones, and verdicts on the claims.

    Parameters
    ----------
    outcome : Outcome
        Of any experiment.

    Returns
    -------
    str
        A whole HTML file, in ASCII.
    """
    report = outcome.to_dict()
    played = f"{counted(report['deals'], report.get('unit', 'deal'))}, {counted(report['games'], 'game')}"
    lines = [report["source"], f"{played}, seed {report['seed']}, {report['seconds']:.0f} s"]
    rows = report["rows"]
    sections = _measured(rows) if any("table" in row for row in rows) else _played(rows)
    if report["claims"]:
        verdicts = [found["verdict"] for found in report["claims"]]
        counts = ", ".join(f"{verdicts.count(each)} {each}" for each in CLAIM_SIGNS if each in verdicts)
        note = f"{counts}. Open: the figures speak against a claim, but not beyond chance at this number of deals."
        sections.append(Section("Claims of the source", [note], claims=report["claims"]))
    return results_page(report["title"], lines, sections)


def _measured(rows: Sequence[dict[str, Any]]) -> list[Section]:
    """A section for each table of figures that were measured one by one."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        tables.setdefault(row["table"], []).append(row)
    sections = []
    for name, found in tables.items():
        intervals = [
            Interval(
                row["label"],
                row["mean"],
                pair(row["ci95"]),
                (("published", row["published"]),) if "published" in row else (),
            )
            for row in found
        ]
        columns = "figure", "ours", "standard error", "95% interval", "published"
        cells = [
            (
                row["label"],
                signed(row["mean"]),
                plain(row["standard_error"]),
                interval_text(row["ci95"]),
                signed(row.get("published")),
            )
            for row in found
        ]
        table = filled(FigureTable(columns, tuple(cells)))
        title = COMPARED if any(each.others for each in intervals) else "Our figures"
        charts = [beside_table(interval_chart(intervals, title=title, value_label=name))]
        sections.append(Section(name, tables=[table], charts=charts))
    return sections


def _played(rows: Sequence[dict[str, Any]]) -> list[Section]:
    """Figures of tournaments, and those of players beside their controls."""
    sources = list(dict.fromkeys(chain.from_iterable(row["published"] for row in rows)))
    columns = (
        "figure",
        "player",
        "minus",
        "copies",
        "deals",
        "sb/game",
        "standard error",
        "95% interval",
        "sd/game",
        *sources,
    )
    table = FigureTable(
        columns,
        tuple(
            (
                row["label"],
                row["player"],
                row["minus"] or "",
                f"{row['copies']}",
                f"{row['deals']:,}",
                signed(row["small_bets_per_game"]),
                plain(row["standard_error"]),
                interval_text(row["ci95"]),
                plain(row["sd_per_game"], 3),
                *(signed(row["published"].get(source), 3) for source in sources),
            )
            for row in rows
        ),
    )
    charts = [beside_table(published_beside(rows))]
    found = [Section("Figures", ["In small bets per game, with 95% intervals."], [filled(table)], charts)]
    beside = [row for row in rows if "control" in row]
    if beside:
        note = "Shares of bets and raises are of flop, turn and river; those of the control are in brackets."
        found.append(Section("Beside their controls", [note], [_controls(beside)]))
    return found


def published_beside(rows: Sequence[dict[str, Any]]) -> Chart:
    """Draw the figures of an experiment that consists of tournaments, and the published ones.

    Parameters
    ----------
    rows : sequence of dict
        As `TournamentOutcome.to_dict` has them.
    """
    intervals = [
        Interval(row["label"], row["small_bets_per_game"], pair(row["ci95"]), tuple(row["published"].items()))
        for row in rows
    ]
    return interval_chart(intervals, title=COMPARED, value_label="small bets per game")


def _controls(rows: Sequence[dict[str, Any]]) -> FigureTable:
    def shares(row: dict[str, Any], kind: str) -> str:
        if row["betting"] is None:
            return ""
        own, control = (
            " ".join("-" if share is None else f"{share:.0%}" for share in row["betting"][whose][kind])
            for whose in ("own", "control")
        )
        return f"{own} ({control})"

    return FigureTable(
        ("figure", "control", "minus control", "95% interval", "bets", "raises"),
        tuple(
            (
                row["label"],
                row["control"],
                signed(row["above_control"]["small_bets_per_game"]),
                interval_text(row["above_control"]["ci95"]),
                shares(row, "bets"),
                shares(row, "raises"),
            )
            for row in rows
        ),
    )
