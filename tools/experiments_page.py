"""Write the figures of docs/experiments.md from what ``pokermodel experiment NAME --json`` printed.

    python tools/experiments_page.py FILE.json... > tables.md

The text around the tables is written by hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def table(outcome: dict[str, Any]) -> str:
    """One experiment as Markdown."""
    sources = list(dict.fromkeys(source for row in outcome["rows"] for source in row["published"]))
    lengths = {row["deals"] for row in outcome["rows"]}
    deals = f"{outcome['deals']:,} deals" if len(lengths) == 1 else f"{min(lengths):,} to {max(lengths):,} deals"
    lines = [
        f"### `{outcome['experiment']}`: {outcome['title']}",
        "",
        f"{outcome['source']}. {deals} a part, {outcome['games']:,} games in all, seed {outcome['seed']}.",
        "",
        "| small bets per game | deals | ours | 95 % interval | sd per game | " + " | ".join(sources) + " |",
        "|---|---|---|---|---|" + "---|" * len(sources),
    ]
    for row in outcome["rows"]:
        low, high = row["ci95"]
        published = [f"{row['published'][s]:+.3f}" if s in row["published"] else "" for s in sources]
        lines.append(
            f"| {row['label']} | {row['deals']:,} | {row['small_bets_per_game']:+.3f} | {low:+.3f} to {high:+.3f} "
            f"| {row['sd_per_game']:.2f} | " + " | ".join(published) + " |"
        )
    lines.append("")
    lines += [f"- **{found['verdict']}**: {found['claim']} ({found['detail']})" for found in outcome["claims"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(table(json.loads(Path(name).read_text(encoding="utf-8"))))
