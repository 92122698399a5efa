"""How a player is doing, as a page: figures with their intervals, one graph, and the sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from pokermodel._support.words import counted
from pokermodel.analysis.today import PERIODS, Today
from pokermodel.report.charts import Series, line_chart
from pokermodel.report.document import Page, asset
from pokermodel.report.hand_list import SUITS, list_address, won_words
from pokermodel.report.study_screen import judged_words, loss_rows, mistake_cards, pending_note

__all__ = ["today_address", "today_body"]

_LOSSES = 4  # sorts of mistakes, at most
_PERIODS = dict(zip(PERIODS, ("all time", "last 90 days", "last session"), strict=True))


def today_body(
    found: Today, *, problem: str = "", waiting: bool = False, made: int = 0, playing: Sequence[str] = ()
) -> Page:
    """Draw how a player is doing as a page.

    Parameters
    ----------
    waiting : bool
        Whether verdicts are being made.
    made : int
        How many hands were judged so far, by which the page knows when there are more.
    playing : sequence of str
        Sites whose verdicts wait.
    """
    words = [counted(found.hands, "hand")]
    chart = None
    if found.sums is not None and found.hands:
        words += won_words(found.sums)
        if found.study is not None and found.study.total.mistakes:
            words.append(f"named mistakes {found.study.total.lost:.1f} {found.sums.unit}")
        across = [float(each.hands) for each in found.course]
        ends = found.sums.ci95
        band = [None if ends is None else (ends[0] * each / 100, ends[1] * each / 100) for each in across]
        unit = found.sums.unit
        chart = line_chart(
            [
                Series("won", across, [each.net for each in found.course], band if ends is not None else ()),
                Series("all-in EV", across, [each.all_in_ev for each in found.course]),
            ],
            title="Winnings" if ends is None else "Winnings, with the 95% interval of the rate",
            x_label="hands",
            y_label=unit,
            number="{:+.1f}".format,
        )
    return Page(
        "today",
        title=f"{found.player or 'Nobody'}: today",
        script=asset("today.js"),
        style=asset("ranges.css") + asset("list.css") + asset("today.css"),
        data={"judged": made},
        player=found.player,
        problem=problem,
        sums=" \N{MIDDLE DOT} ".join(words),
        choices=[(_PERIODS[each], today_address(found.where, each), each == found.period) for each in PERIODS],
        suits=SUITS,
        costly="Costliest since your last visit" if found.since else "Costliest mistakes",
        mistakes=mistake_cards(found.mistakes, found.where),
        judged="" if found.study is None else " \N{MIDDLE DOT} ".join(judged_words(found.study, playing)),
        pending=[]
        if found.study is None
        else pending_note(
            found.study, found.of_period, today_address(found.where, found.period), waiting=waiting, playing=playing
        ),
        losses=loss_rows(found.losses, _LOSSES),
        unit="" if found.sums is None else found.sums.unit,
        chart=None if chart is None else chart.figure(alone=True),
        sessions=[
            (
                f"{datetime.fromisoformat(each.began):%d %b %Y %H:%M}\u2013{datetime.fromisoformat(each.ended):%H:%M}",
                list_address(each.where),
                f"{each.hands:,}",
                f"{each.net:+.1f}",
                f"{each.all_in_ev:+.1f}",
            )
            for each in found.sessions
        ],
    )


def today_address(where: str, period: str = "all") -> str:
    """Return the address of how a player is doing."""
    query = {name: value for name, value in (("q", where), ("period", period)) if value and value != "all"}
    return f"/?{urlencode(query)}" if query else "/"
