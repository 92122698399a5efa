"""Write the tables of docs/scores.md from what ``pokermodel score --json`` printed.

    python tools/scores_page.py "TITLE=FILE.json,FILE.json..." ... > tables.md

Files of one title are of the same hands. The text around the tables is written by hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

STREETS = ("pre-flop", "flop", "turn", "river")
#: Whose learning is shown by hands seen of a player.
CURVES = ("frequencies", "own", "contexts", "loki1", "som", "loki2:som?noise=.4", "bpp")


def rows(columns: Iterable[str], cells: Iterable[Iterable[str]]) -> str:
    titles = list(columns)
    lines = [titles, ["---"] + ["---:"] * (len(titles) - 1), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(value: float | None, digits: str = ".3f") -> str:
    return "" if value is None else format(value, digits)


def mean(part: dict[str, Any], key: str, digits: str = ".3f") -> str:
    """A mean and half its interval."""
    interval = part[f"{key}_ci95"]
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:.3f}"
    return number(part[key], digits) + half


def tables(reports: list[dict[str, Any]]) -> str:
    """Models on the same hands."""
    first = reports[0]
    models = [model for report in reports for model in report.get("models", [report])]
    uniform = next(model["uniform_log_loss"] for model in models if model["decisions"])
    decisions = max(model["decisions"] for model in models)
    holdings = max(model["holdings"] for model in models)
    left_out = first["unpredicted"]
    parts = [
        f"{first['scored_hands']:,} hands scored after {first['learnt_hands']:,}; {decisions:,} actions predicted, "
        f"{left_out['unoffered']:,} that the rules did not offer and {left_out['out_of_turn']:,} out of turn left out; "
        f"{holdings:,} holdings shown. Equally likely acts: {uniform:.3f}.\n",
        rows(
            ("model", "log-loss", "right", "off by", "bits gained"),
            (
                (
                    f"`{model['model']}`",
                    mean(model, "action_log_loss"),
                    number(model["action_accuracy"], ".1%"),
                    number(model["calibration_error"], ".1%"),
                    mean(model, "bits_gained", "+.3f"),
                )
                for model in models
            ),
        ),
        rows(
            ("model", *(f"log-loss {name}" for name in STREETS), *(f"bits {name}" for name in STREETS)),
            (
                (
                    f"`{model['model']}`",
                    *(number(model["streets"][name]["action_log_loss"]) for name in STREETS),
                    *(number(model["streets"][name]["bits_gained"], "+.2f") for name in STREETS),
                )
                for model in models
            ),
        ),
    ]
    if any(model["tables"]["folded"]["every_decision"]["holdings"] for model in models):
        groups = ("showed", "folded")
        parts.append(
            rows(
                ("bits at every decision", "of all", *groups, *(f"{g}, {s}" for g in groups for s in STREETS)),
                (
                    (
                        f"`{model['model']}`",
                        mean(model["tables"]["every_decision"], "bits_gained", "+.3f"),
                        *(mean(model["tables"][g]["every_decision"], "bits_gained", "+.3f") for g in groups),
                        *(
                            number(model["tables"][g]["streets"][s]["bits_gained"], "+.2f")
                            for g in groups
                            for s in STREETS
                        ),
                    )
                    for model in models
                    if model["holdings"]
                ),
            )
        )
    shown = [model for model in models if model["model"] in CURVES]
    steps = sorted({row["hands_seen"] for model in shown for row in model["learning_curve"]})
    if len(steps) > 3:
        curves = [{row["hands_seen"]: row for row in model["learning_curve"]} for model in shown]
        count = [max(curve[step]["decisions"] for curve in curves if step in curve) for step in steps]
        parts.append(
            rows(
                ("log-loss by hands seen of the player", *(f"{step:,}+" for step in steps)),
                (
                    ("actions", *(f"{n:,}" for n in count)),
                    *(
                        (
                            f"`{model['model']}`",
                            *(number(curve.get(step, {}).get("action_log_loss")) for step in steps),
                        )
                        for model, curve in zip(shown, curves, strict=True)
                    ),
                ),
            )
        )
    return "\n".join(parts)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        title, _, names = argument.partition("=")
        found = [json.loads(Path(name).read_text(encoding="utf-8")) for name in names.split(",")]
        print(f"## {title}\n\n{tables(found)}")
