"""A `TournamentResult` as figures in text."""

from __future__ import annotations

import math

from pokermodel._support.words import counted
from pokermodel.report.words import FigureTable
from pokermodel.tables.arena import TournamentResult

__all__ = ["copied_kinds", "played_words", "standings", "unit_words"]


def played_words(result: TournamentResult) -> str:
    """Say what was played."""
    played = f"{counted(result.deals, 'deal')}, {counted(result.games, 'game')}"
    return f"{played}, seed {result.seed}, players anew after {result.block}"


def unit_words(result: TournamentResult) -> str:
    """Say in what winnings are counted."""
    return "small bets" if result.spec.structure.fixed else "big blinds"


def copied_kinds(result: TournamentResult) -> list[str]:
    """Return the kinds with several players."""
    return [kind for kind in dict.fromkeys(result.kinds) if result.kinds.count(kind) > 1]


def standings(result: TournamentResult) -> FigureTable:
    """Return what each player won per game, and what the copies of a kind did on average."""
    rows = []
    for label, name in [(name, name) for name in result.names] + [
        (f"all {kind}", kind) for kind in copied_kinds(result)
    ]:
        found = result.estimate(name)
        rows.append(
            (
                label,
                f"{found.mean:+.4f}",
                "" if math.isnan(found.standard_error) else f"{found.standard_error:.4f}",
                "" if math.isnan(found.low) else f"{found.low:+.4f} to {found.high:+.4f}",
                f"{result.sd_per_game(name):.3f}",
            )
        )
    return FigureTable(("player", f"{result.unit}/game", "standard error", "95% interval", "sd/game"), tuple(rows))
