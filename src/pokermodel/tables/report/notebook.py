"""Results of tournaments as HTML, for notebooks."""

from __future__ import annotations

from pokermodel._support.forms import makes
from pokermodel._support.words import counted
from pokermodel.report.markup import markup, name_markup
from pokermodel.report.notebook import html_block, html_line, html_table
from pokermodel.tables.arena.tournament import TournamentResult

__all__ = ["tournament_html"]


@makes("html", TournamentResult)
def tournament_html(result: TournamentResult) -> str:
    """Write what each player won per game, in small bets or big blinds, with 95% intervals over deals."""
    rows = []
    for row in result.rows():
        low, high = row["low"], row["high"]
        rows.append(
            (
                name_markup(row["player"]),
                "" if row[result.per_game] is None else f"{row[result.per_game]:+.4f}",
                "" if low is None else f"{low:+.4f} to {high:+.4f}",
                "" if row["sd_per_game"] is None else f"{row['sd_per_game']:.3f}",
            )
        )
    played = f"{counted(result.deals, 'deal')}, {counted(result.games, 'game')}, seed {result.seed}"
    ended = " (interrupted)" if result.interrupted else ""
    return html_block(
        html_line(played + ended),
        html_table(("player", f"{result.unit}/game", "95% interval", "sd/game"), rows),
        html_line(markup(str(result.failure))) if result.failure is not None else "",
    )
