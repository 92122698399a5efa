"""How a player is doing: what they won over a time, its course, and their sessions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.analysis.book_study import KeptDecision, Loss, Summary, judged_hands, kept_decisions
from pokermodel.analysis.hand_list import HandSums, hand_sums, meant
from pokermodel.histories import Filter
from pokermodel.learning.winnings import WinningsPoint
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
    hands : int
    net, all_in_ev : float
        In small bets in limit, else in big blinds.
    where : str
        A filter that means its hands.
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
    player : str
        Whose hands they are, the one of the last hand; "" if there is none.
    hands : int
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
    losses : tuple of Loss
        Where EV is lost.
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

    Parameters
    ----------
    book : Book
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

    Raises
    ------
    ValueError
        If the text is no filter, or there is no such time.
    """
    if period not in PERIODS:
        raise ValueError(f"unknown time: {period!r}, expected {', '.join(PERIODS)}")
    which = Filter(where)
    found = meant(book, which)
    if found.table is None or not len(found.hands):
        return Today(str(which), period, "", 0, None, (), ())
    hands = book.columns.hands
    order, time, number = _in_time(book, str(which), found)
    rows, seats = found.hands[order], found.seats[order]
    keep = _within(period, time, number)
    net, ev = found.table["net"][seats], found.table["ev"][seats]
    inside = np.sort(order[keep])  # a selection has its hands in order
    chosen = Selection(found.hands[inside], found.table, found.seats[inside])
    judged = judged_hands(book, chosen, hidden=hidden)
    fresh = time[keep] > since if since is not None else np.zeros(0, dtype=bool)
    after = since if fresh.any() else None
    later = None if after is None else rows[keep][fresh]
    last = listed_hands(book, [int(hands["id"][rows[-1]])], [int(found.table["seat"][seats[-1]])])
    return Today(
        where=str(which),
        period=period,
        player=last[0].player,
        hands=int(keep.sum()),
        sums=hand_sums(net[keep], ev[keep], hands["structure"][rows[keep]] == 0),
        course=_course(net[keep], ev[keep]),
        sessions=tuple(_sessions(which, number[keep], time[keep], net[keep], ev[keep])),
        study=judged.summary,
        since=None if after is None else datetime.fromtimestamp(after, UTC).isoformat(),
        mistakes=tuple(kept_decisions(book, judged.mistakes(_CARDS, later))),
        losses=judged.losses,
    )


def _in_time(
    book: Book, where: str, found: Selection
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The hands of a filter in the order of time, their times and their sessions; kept until another one is used."""
    memo = book.columns.memo
    if "in time" not in memo or memo["in time"][0] != where:
        time = book.columns.hands["time"][found.hands].astype(np.int64)
        order = np.argsort(time, kind="stable")
        time = time[order]
        memo["in time"] = where, order, time, sessions(found.column("player")[order], time)
    kept: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] = memo["in time"][1:]
    return kept


def _within(period: str, time: NDArray[np.int64], number: NDArray[np.int64]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_]
    if period == "90 days":
        found = (time != NO_TIME) & (time > time[-1] - _DAYS)
    elif period == "session":
        found = (number >= 0) & (number == number[-1])
    else:
        found = np.ones(len(time), dtype=bool)
    return found


def _course(net: NDArray[Any], ev: NDArray[Any]) -> tuple[WinningsPoint, ...]:
    steps = min(_POINTS, len(net))
    at = np.unique(np.linspace(0, len(net), steps + 1).round().astype(np.int64))
    sums = [np.concatenate([[0], np.cumsum(each, dtype=np.int64)])[at] / MILLION for each in (net, ev)]
    return tuple(WinningsPoint(*each) for each in zip(at.tolist(), *(each.tolist() for each in sums), strict=True))


def _sessions(
    which: Filter, number: NDArray[np.int64], time: NDArray[np.int64], net: NDArray[Any], ev: NDArray[Any]
) -> list[PlayedSession]:
    found = []
    # hands are in the order of time: the sessions that end last are met first from the end
    last = number[number >= 0][::-1]
    for each in list(dict.fromkeys(last[np.diff(last, prepend=-1) != 0].tolist()))[:_SESSIONS]:
        of = np.flatnonzero(number == each)
        began, ended = (datetime.fromtimestamp(int(time[k]), UTC) for k in (of[0], of[-1]))
        meant_by = f"since={began:%Y-%m-%dT%H:%M} until={ended:%Y-%m-%dT%H:%M}"
        sums = int(net[of].sum()) / MILLION, int(ev[of].sum()) / MILLION
        where = str(Filter(f"{which} {meant_by}"))
        found.append(PlayedSession(began.isoformat(), ended.isoformat(), len(of), *sums, where))
    return found
