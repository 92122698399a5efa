"""Some of the hands of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pokermodel._support.checks import check_choice
from pokermodel._support.frames import to_frame
from pokermodel.game import Hand
from pokermodel.histories.filter import Filter
from pokermodel.histories.rows import DECISION_COLUMNS, HAND_COLUMNS, decision_rows, hand_row

__all__ = ["HandSelection"]


class HandSelection:
    """The hands of a source that filters select, read on demand. Created by `HandSource.select`.

    Each iteration reads from the start.

    Parameters
    ----------
    source : iterable of Hand
        All hands.
    filters : iterable of Filter
        A hand has to fit all of them.
    """

    def __init__(self, source: Iterable[Hand], filters: Iterable[Filter] = ()) -> None:
        self._source = source
        self._filters = tuple(filters)

    def __repr__(self) -> str:
        return f"<HandSelection of {self._source!r}: {', '.join(map(repr, self._filters)) or 'all hands'}>"

    def __iter__(self) -> Iterator[Hand]:
        return (hand for _, hand in self.numbered())

    def numbered(self) -> Iterator[tuple[int, Hand]]:
        """Read the hands with their numbers in the source.

        Yields
        ------
        number : int
            From 1, as `HandSource.hand` and ``pokermodel read --hand`` take it.
        hand : Hand

        Raises
        ------
        HistoryError
            As iteration over the source.
        """
        for number, hand in enumerate(self._source, 1):
            if all(means(hand) for means in self._filters):
                yield number, hand

    def select(self, where: str | Filter) -> HandSelection:
        """Select some of these hands.

        Raises
        ------
        ValueError
            As `Filter`.
        """
        more = Filter(where) if isinstance(where, str) else where
        return HandSelection(self._source, (*self._filters, more))

    def to_frame(self, what: Literal["hands", "decisions"] = "hands", *, library: str | None = None) -> Any:
        """Return a data frame with a row for each hand, or for each decision in them.

        `library` and its errors are those of `WeightTable.to_frame`; others are those of iteration over the source.

        Parameters
        ----------
        what : {"hands", "decisions"}
            What has a row. Amounts are in the money of the source, and times in UTC. Of a hand, ``players``,
            ``holdings`` (of those who showed) and ``result`` (what was won or lost) are lists with an entry for each
            seat.
        """
        check_choice("kind of row", what, ("hands", "decisions"))
        if what == "hands":
            return to_frame((hand_row(*each) for each in self.numbered()), HAND_COLUMNS, library)
        rows = (row for each in self.numbered() for row in decision_rows(*each))
        return to_frame(rows, DECISION_COLUMNS, library)
