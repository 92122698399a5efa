"""Hands that ``pokermodel read`` shows, read by several processes: the same as by one, in the same order.

What is learnt of the hands before a hand goes into it, and hands come in order. This process therefore takes them from
their source and learns them, which is the smaller part. Others read and show them, a block of hands each, beginning
with what had been learnt before the first of them. In a block they learn as it is done here: to learn a hand again is
less than to send what was learnt.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.executors import Executor
    from pokermodel.game import Hand
    from pokermodel.reading import OpponentModeler

__all__ = ["JsonLine", "PageHand", "Rows", "Shown", "Student", "Taken", "Text", "numbered", "read_hand", "shown_by"]

T = TypeVar("T")
_BLOCK = 25  # hands of a block, where little is known
_SHARE = 50_000  # bytes of what was learnt for which a block has a hand: to send it is a twentieth of reading them


class Student(NamedTuple):
    """A session, and whether it learns what the players do in the hands before the one shown."""

    session: OpponentModeler
    players: bool

    def apart(self) -> OpponentModeler:
        """A session that may read one of several hands: what is shown later does not depend on it.

        A reader that learns from acts as it sees them would learn twice from a hand that is shown, and so would what
        corrects tables. To copy what others know of many players takes longer than to read a hand.
        """
        session = self.session
        return session.copy() if session.calibration is not None or session.reader.learns_acts else session

    def learn(self, hand: Hand) -> None:
        """Learn from one of the latest hands before one that is shown."""
        decisions = list(hand.replay())
        if self.session.calibration is not None:
            self.session.calibrate(hand, decisions)
        if self.players:
            self.session.learn(hand, decisions, calibrate=False)


class Taken(NamedTuple):
    """A hand that is shown, and the hands that were learnt since the one before it."""

    number: int
    hand: Hand
    learnt: Sequence[Hand]


class _Asked(NamedTuple):
    """A hand that is shown, as whom it is read, and how much of the source had been taken."""

    taken: Taken
    hero: str | None
    share: float | None


class _Block(NamedTuple):
    """What a worker gets: the students before the first of some hands, as a pickle, since they go on learning here."""

    students: bytes
    hands: list[_Asked]
    options: dict[str, Any]
    show: Callable[[int, list[HandReport]], Any]


class Shown(NamedTuple, Generic[T]):
    """What is shown of a hand, and how much of the source had been taken with it."""

    number: int
    what: T
    share: float | None


def read_hand(
    hand: Hand, hero: str | None, sessions: Sequence[OpponentModeler], options: dict[str, Any]
) -> list[HandReport]:
    """Read a hand in each session, as somebody."""
    from pokermodel.analysis.hand import HandReport

    for session in sessions:
        session.hero = hero
    return [HandReport.of(hand, session, hero, **options) for session in sessions]


def shown_by(
    executor: Executor,
    hands: Iterator[Taken],
    students: Sequence[Student],
    hero_of: Callable[[Hand], str | None],
    options: dict[str, Any],
    show: Callable[[int, list[HandReport]], T],
    share: Callable[[int], float | None] = lambda number: None,
    told: Callable[[Exception], Exception] = lambda error: error,
) -> Generator[Shown[T], None, None]:
    """Read hands by an executor, and show them.

    Parameters
    ----------
    executor : Executor
    hands : iterator of Taken
        The students have learnt what is before each when it comes.
    students : sequence of Student
    hero_of : callable
        As whom a hand is read.
    options : dict
        Of `HandReport.of`.
    show : callable
        Given the number and the reports of a hand, makes what is yielded of it. It is pickled.
    share : callable
        Given the number of a hand that was just taken, how much of the source has been.
    told : callable
        What is raised of an error of the source.

    Yields
    ------
    Shown
        In order.

    Raises
    ------
    ValueError, OSError
        Of the source or of a hand, after all that was read before it.
    """
    failed: list[Exception] = []

    def blocks() -> Iterator[_Block]:
        before, size = b"", _BLOCK
        some: list[_Asked] = []
        try:
            for taken in hands:
                if not some:
                    before, taken = pickle.dumps(list(students), pickle.HIGHEST_PROTOCOL), taken._replace(learnt=())
                    size = max(_BLOCK, len(before) // _SHARE)
                some.append(_Asked(taken, hero_of(taken.hand), share(taken.number)))
                if len(some) == size:
                    yield _Block(before, some, options, show)
                    some = []
        except (ValueError, OSError) as error:  # which comes after what was read before it
            failed.append(error)
        if some:
            yield _Block(before, some, options, show)

    with closing(executor.map(_show_block, blocks())) as done:
        for found, error in done:
            yield from found
            if error is not None:
                raise error
    if failed:
        raise told(failed[0]) from None


def _show_block(block: _Block) -> tuple[list[Shown[Any]], Exception | None]:
    """Read the hands of a block; what was shown before an error, and the error."""
    students: list[Student] = pickle.loads(block.students)
    found = []
    try:
        for taken, hero, share in block.hands:
            for hand in taken.learnt:
                for each in students:
                    each.learn(hand)
            reports = read_hand(taken.hand, hero, [each.apart() for each in students], block.options)
            found.append(Shown(taken.number, block.show(taken.number, reports), share))
    except (ValueError, OSError) as error:
        return found, error
    return found, None


# ---------------------------------------------------------------------------------------------- how a hand is shown


@dataclass(frozen=True)
class JsonLine:
    """As a line of JSON."""

    weights: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> str:
        from pokermodel._core.json_text import dumps

        return dumps({"number": number, **reports[0].to_dict(weights=self.weights, ranges=self.weights)})


@dataclass(frozen=True)
class Rows:
    """As rows of a table."""

    weights: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> list[dict[str, Any]]:
        return list(reports[0].rows(number, weights=self.weights))


@dataclass(frozen=True)
class PageHand:
    """As a part of a page."""

    def __call__(self, number: int, reports: Sequence[HandReport]) -> bytes:
        from pokermodel.report.hands_page import hand_content

        return hand_content(number, reports)


@dataclass(frozen=True)
class Text:
    """As text, on a console of this kind."""

    console: dict[str, Any]
    maps: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> str:
        from pokermodel.cli._output import console_like
        from pokermodel.report.terminal import print_report

        console, told = console_like(self.console)
        print_report(reports[0], console, maps=self.maps)
        return told.getvalue()


def numbered(shown: Iterable[Shown[T]]) -> Iterator[tuple[int, T]]:
    """What is shown of each hand, with its number."""
    return ((each.number, each.what) for each in shown)
