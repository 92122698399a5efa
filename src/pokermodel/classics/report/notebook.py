"""Results of simulations as HTML, for notebooks."""

from __future__ import annotations

from pokermodel._support.forms import makes
from pokermodel._support.words import counted
from pokermodel.classics.simulation.advice import Advice
from pokermodel.report.notebook import ACT_NAMES, DIM, html_block, html_line, html_table

__all__ = ["advice_html"]


@makes("html", Advice)
def advice_html(advice: Advice) -> str:
    """Write the expected values of the acts with their 95% intervals, the best one in bold."""
    figures = advice.to_dict()
    rows: list[tuple[str, ...]] = []
    for act, (key, name) in enumerate(ACT_NAMES):
        value, error = figures["ev"][key], figures["standard_error"][key]
        if value is None:
            rows.append((name, "not allowed", ""))
            continue
        half = "" if not error else f"± {1.96 * error:.3f}"
        cells: tuple[str, ...] = (name, f"{value:+.3f}", half)
        rows.append(tuple(f"<b>{cell}</b>" for cell in cells) if act == advice.action else cells)
    paired = figures["paired_standard_error"]
    difference = ""
    if paired is not None:
        ahead = figures["ev"]["raise"] - figures["ev"]["call"]
        difference = html_line(f"raise − call: {ahead:+.3f} ± {1.96 * paired:.3f}, over the same deals")
    why = {"trials": "all trials were done", "obvious": "the best act was obvious", "time": "the time was over"}
    return html_block(
        html_table(("act", "EV in small bets", "95%"), rows),
        difference,
        html_line(f"{counted(advice.trials, 'trial')}; {why[advice.stopped]}", DIM),
    )
