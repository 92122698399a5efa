"""Scores, tournaments and experiments as pages: one HTML file that needs no network, without scripts.

A page has the figures that the terminal and JSON have, made of the same rows, and charts of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
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
from pokermodel.report.standings import copied_kinds, played_words, standings, unit_words
from pokermodel.report.words import FigureTable

if TYPE_CHECKING:
    from pokermodel.arena import TournamentResult
    from pokermodel.experiments.registry import Outcome
    from pokermodel.scoring.walk import Scores

__all__ = [
    "calibration_of",
    "experiment_page",
    "learning_curves",
    "published_beside",
    "score_page",
    "tournament_page",
    "winnings_charts",
]

_PLAYERS = 1000  # of a model, those with most decisions
_TOGETHER = 4  # lines whose bands can still be told apart in one chart
_POINTS, _FEWER_POINTS = 200, 50  # of a line: of a few lines, and of many
_COMPARED = "Our figures and the published ones"
_SIGNS = {"held": "\N{CHECK MARK}", "failed": "\N{MULTIPLICATION X}", "open": "?"}


class _Section(NamedTuple):
    """A part of a page; tables of `folded` are opened by their titles."""

    title: str
    notes: Sequence[str] = ()
    tables: Sequence[FigureTable] = ()
    charts: Sequence[Chart] = ()
    folded: Sequence[tuple[str, FigureTable]] = ()
    claims: Sequence[dict[str, Any]] = ()


def _page(heading: str, lines: Sequence[str], sections: Sequence[_Section]) -> str:
    return document(
        "results",
        title=heading,
        style=asset("results.css"),
        heading=heading,
        lines=lines,
        sections=sections,
        signs=_SIGNS,
    )


def _beside_table(chart: Chart) -> Chart:
    """The chart without its table, which is on the page anyway."""
    return replace(chart, rows=())


# --------------------------------------------------------------------------------------------------- scores


def score_page(scores: Scores) -> str:
    """Write what readers scored as a page: tables, calibration and learning curves.

    Parameters
    ----------
    scores : Scores
        Of at least one reader.

    Returns
    -------
    str
        A whole HTML file, in ASCII. Of a reader with more than 1,000 players, those with most decisions are listed.
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
        _Section("Models" if len(models) > 1 else "The model", (), tuple(model_figures(models)), [*_compared(models)]),
        _Section(
            "Calibration",
            ("How often acts were done beside how often they were predicted; on the diagonal, forecasts are true.",),
            charts=[calibration_of(each) for each in models if each["calibration"]],
        ),
        _Section(
            "Learning",
            ("By how many hands of the player had been seen before.",),
            charts=[*learning_curves(models)],
            folded=[(f"All figures of {each['model']}", learning_figures(each)) for each in models],
        ),
        _Section("Players", folded=[_listed(each) for each in models]),
    ]
    return _page("Scores", lines, [each for each in sections if each.charts or each.tables or each.folded])


def _compared(models: Sequence[dict[str, Any]]) -> Iterator[Chart]:
    """Readers beside each other."""
    for key, title, unit in (
        ("action_log_loss", "Log-loss of acts", "nats per act; lower is better"),
        ("total_log_loss", "Log-loss of acts with their sizes", "nats per act; lower is better"),
        ("bits_gained", "Bits gained on holdings that were shown", "bits per holding; higher is better"),
    ):
        known = [each for each in models if each.get(key) is not None]
        if len(known) > 1:
            rows = [Interval(each["model"], each[key], _pair(each[f"{key}_ci95"])) for each in known]
            number = ("{:+.3f}" if key == "bits_gained" else "{:.3f}").format
            zero = key == "bits_gained"
            yield _beside_table(interval_chart(rows, title=title, value_label=unit, number=number, zero=zero))


def calibration_of(score: dict[str, Any]) -> Chart:
    """Draw how often acts were done beside how often a reader predicted them.

    Parameters
    ----------
    score : dict
        As `Score.to_dict` returns it, of one decision at least.
    """
    points = [
        CalibrationPoint(row["act"], row["predicted"], row["observed"], row["decisions"])
        for row in score["calibration"]
    ]
    off = "" if score["calibration_error"] is None else f", off by {score['calibration_error']:.1%} on average"
    columns, rows = calibration_figures(score)
    return replace(calibration_chart(points, title=f"{score['model']}{off}"), columns=columns, rows=rows)


def learning_curves(models: Sequence[dict[str, Any]]) -> Iterator[Chart]:
    """Draw log-loss and bits by how many hands of the player had been seen.

    Parameters
    ----------
    models : sequence of dict
        As `Score.to_dict` returns them.
    """
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
            intervals = [_pair(row[f"{key}_ci95"]) for row in rows]
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


# ---------------------------------------------------------------------------------------------- tournaments


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
    return _page("Tournament", lines, _tournament_sections(result) if result.deals else [])


def _tournament_sections(result: TournamentResult) -> list[_Section]:
    unit = unit_words(result)
    table = standings(result)
    copies = copied_kinds(result)
    found = [(name, result.estimate(name)) for name in result.names]
    found += [(f"all {kind}", result.estimate(kind)) for kind in copies]
    rows = [
        Interval(label, each.mean, None if each.low != each.low else (each.low, each.high)) for label, each in found
    ]
    label = f"{unit} per game"
    bars = _beside_table(interval_chart(rows, title="Winnings per game", value_label=label))
    notes = ["With 95 % intervals over deals."]
    over = ["The band is the 95 % interval of the sum after so many deals, from the spread of all deals."]
    if copies:
        over.append("Of players of which there are copies, it is the mean of the copies.")
    return [
        _Section("Winnings", notes, [table], [bars]),
        _Section("Winnings over the deals", over, charts=[*winnings_charts(result)]),
    ]


def winnings_charts(result: TournamentResult) -> Iterator[Chart]:
    """Draw what each kind of player won over the deals: with bands in one chart, or of many one by one, too.

    Parameters
    ----------
    result : TournamentResult
        Of one deal at least.
    """
    kinds = list(dict.fromkeys(result.kinds))
    few = len(kinds) <= _TOGETHER
    series = []
    for kind in kinds:
        rows = list(result.course(kind, points=_POINTS if few else _FEWER_POINTS))
        intervals = [_pair([row["low"], row["high"]]) for row in rows]
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


# ---------------------------------------------------------------------------------------------- experiments


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
        counts = ", ".join(f"{verdicts.count(each)} {each}" for each in _SIGNS if each in verdicts)
        note = f"{counts}. Open: the figures speak against a claim, but not beyond chance at this number of deals."
        sections.append(_Section("Claims of the source", [note], claims=report["claims"]))
    return _page(report["title"], lines, sections)


def _measured(rows: Sequence[dict[str, Any]]) -> list[_Section]:
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
                _pair(row["ci95"]),
                (("published", row["published"]),) if "published" in row else (),
            )
            for row in found
        ]
        columns = "figure", "ours", "standard error", "95 % interval", "published"
        cells = [
            (
                row["label"],
                _signed(row["mean"]),
                _plain(row["standard_error"]),
                _interval(row["ci95"]),
                _signed(row.get("published")),
            )
            for row in found
        ]
        table = _filled(FigureTable(columns, tuple(cells)))
        title = _COMPARED if any(each.others for each in intervals) else "Our figures"
        charts = [_beside_table(interval_chart(intervals, title=title, value_label=name))]
        sections.append(_Section(name, tables=[table], charts=charts))
    return sections


def _played(rows: Sequence[dict[str, Any]]) -> list[_Section]:
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
        "95 % interval",
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
                _signed(row["small_bets_per_game"]),
                _plain(row["standard_error"]),
                _interval(row["ci95"]),
                _plain(row["sd_per_game"], 3),
                *(_signed(row["published"].get(source), 3) for source in sources),
            )
            for row in rows
        ),
    )
    charts = [_beside_table(published_beside(rows))]
    found = [_Section("Figures", ["In small bets per game, with 95 % intervals."], [_filled(table)], charts)]
    beside = [row for row in rows if "control" in row]
    if beside:
        note = "Shares of bets and raises are of flop, turn and river; those of the control are in brackets."
        found.append(_Section("Beside their controls", [note], [_controls(beside)]))
    return found


def published_beside(rows: Sequence[dict[str, Any]]) -> Chart:
    """Draw the figures of an experiment that consists of tournaments, and the published ones.

    Parameters
    ----------
    rows : sequence of dict
        As `TournamentOutcome.to_dict` has them.
    """
    intervals = [
        Interval(row["label"], row["small_bets_per_game"], _pair(row["ci95"]), tuple(row["published"].items()))
        for row in rows
    ]
    return interval_chart(intervals, title=_COMPARED, value_label="small bets per game")


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
        ("figure", "control", "minus control", "95 % interval", "bets", "raises"),
        tuple(
            (
                row["label"],
                row["control"],
                _signed(row["above_control"]["small_bets_per_game"]),
                _interval(row["above_control"]["ci95"]),
                shares(row, "bets"),
                shares(row, "raises"),
            )
            for row in rows
        ),
    )


# ---------------------------------------------------------------------------------------------------- cells


def _pair(interval: Sequence[float | None] | None) -> tuple[float, float] | None:
    """Both ends of an interval; None if there is none."""
    if interval is None:
        return None
    low, high = interval
    return None if low is None or high is None else (low, high)


def _signed(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:+.{digits}f}"


def _plain(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _interval(interval: Sequence[float | None]) -> str:
    found = _pair(interval)
    return "" if found is None else f"{found[0]:+.4f} to {found[1]:+.4f}"


def _filled(figures: FigureTable) -> FigureTable:
    """The table without columns in which nothing stands."""
    kept = [k for k in range(len(figures.columns)) if k == 0 or any(row[k] for row in figures.rows)]
    columns, *rows = (tuple(row[k] for k in kept) for row in (figures.columns, *figures.rows))
    return FigureTable(columns, tuple(rows))
