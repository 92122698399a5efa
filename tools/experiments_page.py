"""Write the figures of docs/experiments.md from what ``pokermodel experiment NAME --json`` printed.

    python tools/experiments_page.py FILE.json... > tables.md
    python tools/experiments_page.py --beside FILE.json... > tables.md    # readings of one table beside each other

The text around the tables is written by hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table as lines of Markdown."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def published(row: dict[str, Any], sources: list[str]) -> list[str]:
    """What the sources print for a row."""
    return [f"{row['published'][s]:+.3f}" if s in row["published"] else "" for s in sources]


def sources_of(outcomes: list[dict[str, Any]]) -> list[str]:
    """The sources, in the order in which rows name them."""
    return list(dict.fromkeys(source for each in outcomes for row in each["rows"] for source in row["published"]))


def half(row: dict[str, Any]) -> str:
    """A figure with half its interval."""
    low, high = row["ci95"]
    return f"{row['small_bets_per_game']:+.3f} ± {(high - low) / 2:.3f}"


def percent(betting: dict[str, Any], kind: str) -> str:
    """How often a player bets or raises on flop, turn and river, and the control."""
    own, control = (
        " ".join("-" if share is None else f"{100 * share:.0f}" for share in betting[side][kind])
        for side in ("own", "control")
    )
    return f"{own}% ({control})"


def beside_control(outcome: dict[str, Any]) -> list[str]:
    """Rows minus their controls, and how often both bet and raise."""
    rows = []
    for row in outcome["rows"]:
        if "control" not in row:
            continue
        found = row["above_control"]
        low, high = found["ci95"]
        betting = [percent(row["betting"], kind) for kind in ("bets", "raises")] if row["betting"] else ["", ""]
        rows.append([row["label"], f"{found['small_bets_per_game']:+.3f}", f"{low:+.3f} to {high:+.3f}", *betting])
    if not rows:
        return []
    head = ["minus control", "ours", "95% interval", "bets: flop, turn, river (control)", "raises (control)"]
    return ["", *markdown(head, rows)]


def table(outcome: dict[str, Any]) -> str:
    """One experiment as Markdown."""
    sources = sources_of([outcome])
    lengths = {row["deals"] for row in outcome["rows"]}
    deals = f"{outcome['deals']:,} deals" if len(lengths) == 1 else f"{min(lengths):,} to {max(lengths):,} deals"
    rows = []
    for row in outcome["rows"]:
        low, high = row["ci95"]
        figures = [f"{row['small_bets_per_game']:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{row['sd_per_game']:.2f}"]
        rows.append([row["label"], f"{row['deals']:,}", *figures, *published(row, sources)])
    lines = [
        f"### `{outcome['experiment']}`: {outcome['title']}",
        "",
        f"{outcome['source']}. {deals} a part, {outcome['games']:,} games in all, seed {outcome['seed']}.",
        "",
        *markdown(["small bets per game", "deals", "ours", "95% interval", "sd per game", *sources], rows),
        *beside_control(outcome),
        "",
        *(f"- **{found['verdict']}**: {found['claim']} ({found['detail']})" for found in outcome["claims"]),
    ]
    return "\n".join(lines) + "\n"


def beside(outcomes: list[dict[str, Any]]) -> str:
    """Experiments that have the same rows, as one table."""
    sources = sources_of(outcomes)
    found = [{row["label"]: row for row in outcome["rows"]} for outcome in outcomes]
    rows = []
    for label in dict.fromkeys(label for each in found for label in each):
        ours = [half(each[label]) if label in each else "" for each in found]
        row = next(each[label] for each in found if label in each)
        rows.append([label, *published(row, sources), *ours])
    head = ["small bets per game", *sources, *(f"`{outcome['experiment']}`" for outcome in outcomes)]
    return "\n".join(markdown(head, rows)) + "\n"


if __name__ == "__main__":
    names = sys.argv[1:]
    read = [json.loads(Path(name).read_text(encoding="utf-8")) for name in names if name != "--beside"]
    print(beside(read) if "--beside" in names else "\n".join(map(table, read)))
