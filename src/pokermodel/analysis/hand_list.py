"""Lists of the hands of a book: what a filter means, added up, and so many of them in an order."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.patterns import regex
from pokermodel._support.student import t_quantile
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.columns import NO_TIME
from pokermodel.library.listed import ListedHand, hand_numbers, listed_hands
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection, among
from pokermodel.worth.worth import MISTAKES

__all__ = [
    *("DECIDED", "SORTS", "HandList", "HandPlace", "HandSums", "bet_unit", "first_rows", "hand_list", "hand_place"),
    *("hand_sums", "key_of", "meant", "rows_behind"),
]

#: Orders of a list: a column of the hands or of the hero's seats, and whether small values come first.
SORTS: Mapping[str, tuple[str, bool]] = {
    "time": ("time", False),
    "oldest": ("time", True),
    "lost": ("net", True),
    "won": ("net", False),
    "pot": ("pot", False),
}
#: The filter of a list without one: hands in which the hero did not fold at once.
DECIDED = "line!=f"
_FEW = 100  # hands of which no rate is given
_OF_HAND = ("time", "pot")
_KEY = regex(r"(-?[0-9]{1,19})\.([0-9]{1,10})")


@dataclass(frozen=True)
class HandSums:
    """A player's winnings in some hands, in small bets in limit, else in big blinds.

    Attributes
    ----------
    unit : str
        ``"bb"``, ``"sb"``, or ``"bets"`` where there are both.
    net, all_in_ev, luck : float
        The winnings, the winnings with all-ins at their EV, and the difference.
    per_100 : float or None
        Won in 100 hands; None with fewer than 100 hands.
    ci95 : tuple of float or None
        Its t interval of 95%.
    """

    unit: str
    net: float
    all_in_ev: float
    luck: float
    per_100: float | None
    ci95: tuple[float, float] | None


@dataclass(frozen=True)
class HandList:
    """Hands that a filter means.

    Attributes
    ----------
    where, sort : str
        The canonical text of the filter, and the order.
    all, total : int
        Hands in the book, and those that are meant.
    sums : HandSums or None
        Of those that are meant; None without a hero.
    hands : tuple of ListedHand
        So many of them, in the order.
    next : str or None
        The key after which the list goes on; None at its end.
    mistakes : tuple of float or None
        The loss of named mistakes in each of `hands`, in bets; None for a hand without verdicts.
    """

    where: str
    sort: str
    all: int
    total: int
    sums: HandSums | None
    hands: tuple[ListedHand, ...]
    next: str | None
    mistakes: tuple[float | None, ...] = ()
    lost: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it: times in UTC."""
        rows = []
        mistakes = self.mistakes or (None,) * len(self.hands)
        for hand, mistake in zip(self.hands, mistakes, strict=True):
            time = None if hand.time is None else datetime.fromtimestamp(hand.time, UTC).isoformat()
            rows.append({**hand._asdict(), "time": time, "mistake": mistake})
        found = {name: getattr(self, name) for name in ("where", "sort", "all", "total", "next", "lost")}
        return {**found, "sums": None if self.sums is None else asdict(self.sums), "hands": rows}


@dataclass(frozen=True)
class HandPlace:
    """Where a hand stands in a list.

    Attributes
    ----------
    before, after : (str, str) or None
        Site and id of its neighbours.
    """

    before: tuple[str, str] | None
    after: tuple[str, str] | None


def hand_list(
    book: Book,
    where: str = DECIDED,
    *,
    sort: str = "time",
    after: str | None = None,
    most: int = 50,
    stamp: str = "",
    hidden: Collection[str] = (),
) -> HandList:
    """List hands of a book.

    Raises `ValueError` if the text is no filter, there is no such order, or the key is none.

    Parameters
    ----------
    where : str
        A filter. Without ``hero=NAME`` the hero of a hand is the player whose history it is; ``hero=""`` names none.
    sort : str
        One of `SORTS`; hands with the same value follow each other as they came, the last one first.
    after : str, optional
        The key of the list before this one: its `HandList.next`. So hands that arrive move nothing.
    stamp : str
        Of the verdicts by which mistakes are named; without it, none are.
    hidden : collection of str
        Sites whose verdicts wait.
    """
    which, found, values = _selected(book, where, sort)
    columns = book.columns
    candidates = rows_behind(values, found.hands, key_of(after))
    rows = first_rows(values, candidates, most)
    numbers = columns.hands["id"][found.hands[rows]]
    seats = None if found.table is None else found.column("seat")[rows].tolist()
    last = f"{values[rows[-1]]}.{found.hands[rows[-1]]}" if len(candidates) > len(rows) else None
    judged, lost = _lost(book, stamp, hidden)
    of = dict(zip(judged.tolist(), lost.tolist(), strict=True))
    return HandList(
        where=str(which),
        sort=sort,
        all=len(columns.hands),
        total=len(found.hands),
        sums=_sums(book, found),
        hands=tuple(listed_hands(book, numbers.tolist(), seats)),
        next=last,
        mistakes=tuple(of.get(each) for each in found.hands[rows].tolist()),
        lost=math.fsum(lost[among(judged, found.hands)].tolist()),
    )


def _lost(book: Book, stamp: str, hidden: Collection[str]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The hands that are judged, by row, and what named mistakes lost in each: kept until either changes."""
    if not stamp:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    kept, key = book.verdicts.on_hands(stamp), ("lost", frozenset(hidden))
    if key not in kept.memo:
        shown = np.array([row.site not in hidden for row in kept.rows], dtype=bool)
        lost = np.array([row.loss if row.verdict in MISTAKES else 0.0 for row in kept.rows])
        judged, of = np.unique(kept.hands[shown], return_inverse=True)
        kept.memo[key] = judged, np.bincount(of, lost[shown], len(judged))
    found: tuple[NDArray[np.int64], NDArray[np.float64]] = kept.memo[key]
    return found


def hand_place(book: Book, site: str, number: str, where: str = DECIDED, *, sort: str = "time") -> HandPlace:
    """Find the neighbours of a hand in a list; there are none where the list does not have it.

    Raises `KeyError` if the book has no such hand, and `ValueError` as `hand_list`.
    """
    ids = hand_numbers(book, site, number)
    if not ids:
        raise KeyError(f"{site} {number}")
    _, found, values = _selected(book, where, sort)
    numbers = book.columns.hands["id"]
    at = np.flatnonzero(numbers[found.hands] == ids[0])
    if not len(at):
        return HandPlace(None, None)
    key = int(values[at[0]]), int(found.hands[at[0]])
    after = first_rows(values, rows_behind(values, found.hands, key), 1)
    # of those before it, the last one: the first in the opposite order
    others = np.flatnonzero((values < key[0]) | ((values == key[0]) & (found.hands > key[1])))
    before = others[np.lexsort((found.hands[others], -values[others]))[:1]] if len(others) else others
    near = [numbers[found.hands[each]].tolist() for each in (before, after)]
    rows = {row.hand: (row.site, row.number) for row in listed_hands(book, [*near[0], *near[1]])}
    return HandPlace(*(rows[each[0]] if each else None for each in near))


def _selected(book: Book, where: str, sort: str) -> tuple[Filter, Selection, NDArray[np.int64]]:
    """The filter, what it means, and by hand what it is sorted by, small values first."""
    if sort not in SORTS:
        raise ValueError(f"unknown order: {sort!r}, expected {', '.join(SORTS)}")
    which = Filter(where)
    name, small = SORTS[sort]
    found = meant(book, which)
    if name in _OF_HAND:
        values = book.columns.hands[name][found.hands].astype(np.int64)
    elif found.table is None:
        raise ValueError(f"the order {sort!r} is of a hero: expected hero=NAME in the filter")
    else:
        values = found.column(name).astype(np.int64)
    return which, found, values if small else -values


def key_of(text: str | None) -> tuple[int, int] | None:
    """Read the key after which a list goes on: a value and a number; None stands for its beginning."""
    if text is None:
        return None
    match = _KEY.fullmatch(text)
    if match is None or abs(int(match[1])) > -NO_TIME:
        raise ValueError(f"unknown place in a list: {text[:40]!r}, expected the key that a list ends with")
    return int(match[1]), int(match[2])


def rows_behind(values: NDArray[np.int64], hands: NDArray[np.int64], key: tuple[int, int] | None) -> NDArray[np.int64]:
    """Return the rows behind a key, in the order of the columns: larger values, or smaller numbers of the same."""
    if key is None:
        return np.arange(len(values))
    return np.flatnonzero((values > key[0]) | ((values == key[0]) & (hands < key[1])))


def first_rows(values: NDArray[np.int64], rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the first so many of some rows: of those with the same value, the later one first."""
    if len(rows) > most:
        of = values[rows]
        limit = np.partition(of, most - 1)[most - 1]
        less = rows[of < limit]
        rows = np.concatenate([less, rows[of == limit][len(less) - most :]])
    return rows[np.lexsort((-rows, values[rows]))]


def _sums(book: Book, found: Selection) -> HandSums | None:
    if found.table is None:
        return None
    return hand_sums(found.column("net"), found.column("ev"), book.columns.hands["structure"][found.hands] == 0)


def bet_unit(fixed: NDArray[np.bool_]) -> str:
    """Return the unit of bets of hands, given whether some or all are limit: ``"bb"``, ``"sb"``, or ``"bets"``."""
    return "sb" if len(fixed) and fixed.all() else "bets" if fixed.any() else "bb"


def hand_sums(net: NDArray[Any], ev: NDArray[Any], fixed: NDArray[np.bool_]) -> HandSums:
    """Add up the winnings of hands, in millionths of a bet; some hands are limit."""
    count, won, worth = len(net), int(net.sum()) / MILLION, int(ev.sum()) / MILLION
    rate, ends = None, None
    if count >= _FEW:
        rate = 100 * won / count
        spread = float(np.std(net / MILLION, ddof=1)) / math.sqrt(count) * 100 * t_quantile(count - 1)
        ends = rate - spread, rate + spread
    return HandSums(bet_unit(fixed), won, worth, won - worth, rate, ends)


def meant(book: Book, which: Filter) -> Selection:
    """Return the hands that a filter means: without a hero, of the players whose histories they are."""
    if which.hero is not None or which.needs_hero:
        return book.select(which)
    own = book.select(Filter(f"{which} reached>=pre-flop"))
    return own if len(own.hands) else book.select(which)
