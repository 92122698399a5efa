"""How a player is doing: what they won over a time, its course, and their sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.analysis.book_study import KeptDecision, Loss, Summary, judged_hands, kept_decisions
from pokermodel.analysis.hand_list import HandSums, hand_sums, meant
from pokermodel.histories import Filter
from pokermodel.learning.winnings import WinningsPoint, winnings_course
from pokermodel.library import Book
from pokermodel.library.columns import NO_TIME
from pokermodel.library.listed import listed_hands
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection, sessions

__all__ = ["PERIODS", "PlayedSession", "Today", "today"]

#: The times that can be chosen; all but the first end with the last hand.
PERIODS = ("all", "90 days", "session")
_DAYS = 90 * 24 * 3600
_POINTS = 300  # of the course, at most: a graph is hardly wider
_SESSIONS = 12  # that are listed, at most
_CARDS = 5  # mistakes that are shown, at most


@dataclass(frozen=True)
class PlayedSession:
    """Hands of a player less than 30 minutes apart.

    Attributes
    ----------
    began, ended : str
        When its first and its last hand were dealt (UTC).
    net, all_in_ev : float
        In small bets in limit, else in big blinds.
    """

    began: str
    ended: str
    hands: int
    net: float
    all_in_ev: float
    where: str


@dataclass(frozen=True)
class Today:
    """How a player is doing.

    Attributes
    ----------
    where, period : str
        The canonical text of the filter, and one of `PERIODS`.
    of_period : str
        A filter that means the hands of the period.
    player : str
        Whose hands they are, the one of the last hand; "" if there is none.
    sums : HandSums or None
        None without a hand.
    course : tuple of WinningsPoint
        The winnings after so many hands, at most 301 points.
    sessions : tuple of PlayedSession
        The last ones, the last one first.
    study : Summary or None
        The summary of the verdicts on these hands; None without a hand.
    since : str or None
        From when on hands are meant by `mistakes`, if there are any since the last visit (UTC).
    mistakes : tuple of KeptDecision
        The costliest mistakes, five at most.
    """

    where: str
    period: str
    player: str
    hands: int
    sums: HandSums | None
    course: tuple[WinningsPoint, ...]
    sessions: tuple[PlayedSession, ...]
    study: Summary | None = None
    since: str | None = None
    mistakes: tuple[KeptDecision, ...] = ()
    losses: tuple[Loss, ...] = ()
    of_period: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        plain = {**asdict(self), "course": [each._asdict() for each in self.course]}
        plain["study"] = None if self.study is None else self.study.to_dict()
        plain["mistakes"] = [each.to_dict() for each in self.mistakes]
        return {**plain, "losses": [each._asdict() for each in self.losses]}


def today(
    book: Book, where: str = "", *, period: str = "all", since: int | None = None, hidden: Collection[str] = ()
) -> Today:
    """Work out how a player is doing.

    Raises `ValueError` if the text is no filter, or there is no such time.

    Parameters
    ----------
    where : str
        A filter. Without ``hero=NAME`` the hero of a hand is the player whose history it is.
    period : str
        One of `PERIODS`: all hands, those of the last 90 days, or those of the last session. Hands without a time are
        in the first alone.
    since : int, optional
        When the book was looked at last, in seconds since 1970: mistakes are of hands that were played later, if there
        are any.
    hidden : collection of str
        Sites whose verdicts wait.
    """
    if period not in PERIODS:
        raise ValueError(f"unknown time: {period!r}, expected {', '.join(PERIODS)}")
    which = Filter(where)
    found = meant(book, which)
    if found.table is None or not len(found.hands):
        return Today(str(which), period, "", 0, None, (), ())
    hands, every = book.columns.hands, _in_time(book, str(which), found)
    keep = _within(period, every)
    order, time, net, ev = every.order[keep], every.time[keep], every.net[keep], every.ev[keep]
    chosen = found
    if len(order) < len(found.hands):
        inside = np.sort(order)  # a selection has its hands in order
        chosen = Selection(found.hands[inside], found.table, found.seats[inside])
    judged = judged_hands(book, chosen, hidden=hidden)
    fresh = time > since if since is not None else np.zeros(0, dtype=bool)
    after = since if fresh.any() else None
    later = None if after is None else found.hands[order[fresh]]
    begun = period != "all" and len(time)
    since_then = f" since={datetime.fromtimestamp(int(time[0]), UTC):%Y-%m-%dT%H:%M}" if begun else ""
    last = int(every.order[-1])
    row, seat = int(hands["id"][found.hands[last]]), int(found.table["seat"][found.seats[last]])
    return Today(
        where=str(which),
        period=period,
        player=listed_hands(book, [row], [seat])[0].player,
        hands=len(order),
        sums=hand_sums(net, ev, chosen.of_hands(hands, "structure") == 0),
        course=winnings_course(net, ev, _POINTS) if len(net) else (),
        sessions=tuple(_sessions(which, every, keep)),
        study=judged.summary,
        since=None if after is None else datetime.fromtimestamp(after, UTC).isoformat(),
        mistakes=tuple(kept_decisions(book, judged.mistakes(_CARDS, later))),
        losses=judged.losses,
        of_period=str(Filter(f"{which}{since_then}")),
    )


class _InTime(NamedTuple):
    """The hands of a filter in the order of time; `order` leads to them, `session` has the number of each or -1."""

    where: str
    order: NDArray[np.int64]
    time: NDArray[np.int64]
    net: NDArray[np.int64]
    ev: NDArray[np.int64]
    session: NDArray[np.int64]
    ends: NDArray[np.int64]  # by session: where its last hand stands


def _in_time(book: Book, where: str, found: Selection) -> _InTime:
    """The hands of a filter in the order of time: kept until another one is used."""
    memo = book.columns.memo
    if "in time" not in memo or memo["in time"].where != where:
        time = found.of_hands(book.columns.hands, "time").astype(np.int64)
        order = np.argsort(time, kind="stable")
        time = time[order]
        session = sessions(found.column("player")[order], time)
        ends = np.full(int(session.max(initial=-1)) + 2, -1)
        ends[session] = np.arange(len(session))  # of several the last one stays; those without a time are put last
        net, ev = (found.column(name)[order].astype(np.int64) for name in ("net", "ev"))
        memo["in time"] = _InTime(where, order, time, net, ev, session, ends[:-1])
    kept: _InTime = memo["in time"]
    return kept


def _within(period: str, every: _InTime) -> slice | NDArray[np.int64]:
    """The hands of a period."""
    if period == "90 days":
        return slice(int(np.searchsorted(every.time, max(every.time[-1] - _DAYS, NO_TIME), side="right")), None)
    last = every.session[-1]
    return slice(None) if period == "all" else np.flatnonzero((every.session == last) & (last >= 0))


def _sessions(which: Filter, every: _InTime, keep: slice | NDArray[np.int64]) -> Iterator[PlayedSession]:
    """The last sessions with a hand that is kept, the last one first."""
    first = keep.start or 0 if isinstance(keep, slice) else int(keep[0]) if len(keep) else len(every.order)
    for number in np.argsort(-every.ends)[:_SESSIONS].tolist():
        if every.ends[number] < first:
            return
        of = np.flatnonzero(every.session[: every.ends[number] + 1] == number)
        began, ended = (datetime.fromtimestamp(int(every.time[k]), UTC) for k in (of[0], of[-1]))
        meant_by = f"since={began:%Y-%m-%dT%H:%M} until={ended:%Y-%m-%dT%H:%M}"
        sums = int(every.net[of].sum()) / MILLION, int(every.ev[of].sum()) / MILLION
        where = str(Filter(f"{which} {meant_by}"))
        yield PlayedSession(began.isoformat(), ended.isoformat(), len(of), *sums, where)
