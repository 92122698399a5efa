"""The table of statistics of docs/howto/profile.md, from their definitions. Notes below it are written by hand."""

from __future__ import annotations

from pathlib import Path

from pokermodel.learning.definitions import Statistic, registry

HEAD = "| statistic | key | opportunity: the denominator | success: the numerator |\n|---|---|---|---|\n"


def row(statistic: Statistic) -> str:
    """A line of the table."""
    cells = statistic.name.replace("$", r"\$"), f"`{statistic.key}`", statistic.definition, statistic.made
    return f"| {' | '.join(cells)} |\n"


def write(folder: Path) -> None:
    """Write the table: the statistics that profiles show, in their order."""
    rows = (row(each) for each in registry() if each.profile)
    (folder / "statistics.txt").write_text(HEAD + "".join(rows), encoding="utf-8")
