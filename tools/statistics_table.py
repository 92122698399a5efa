"""Write the table of statistics in docs/howto/profile.md from their definitions.

    python tools/statistics_table.py            # --check: say whether it is what they are, and change nothing

The notes below the table are written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pokermodel.learning.definitions import Statistic, registry

PAGE = Path(__file__).resolve().parent.parent / "docs/howto/profile.md"
HEAD = "| statistic | key | opportunity: the denominator | success: the numerator |\n|---|---|---|---|\n"


def row(statistic: Statistic) -> str:
    """A line of the table."""
    cells = statistic.name.replace("$", r"\$"), f"`{statistic.key}`", statistic.definition, statistic.made
    return f"| {' | '.join(cells)} |\n"


def table() -> str:
    """The table: what profiles show, in that order."""
    return HEAD + "".join(row(each) for each in registry() if each.profile)


def page(text: str) -> str:
    """The page with the table as it has to be."""
    before, _, after = text.partition(HEAD)
    _, _, rest = after.partition("\n\n")
    return f"{before}{table()}\n{rest}"


if __name__ == "__main__":
    there = PAGE.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--check"]:
        sys.exit(f"{PAGE} is not what the definitions say" if page(there) != there else None)
    PAGE.write_text(page(there), encoding="utf-8")
