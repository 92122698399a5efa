"""Hands that ``pokermodel read`` shows, read by several processes: the same as by one, in the same order.

What is learnt of the hands before a hand goes into it, and hands come in order. To learn a hand is a sixth of reading
and showing it. Processes of this machine therefore learn all hands, each for itself, and show every so many-th, see
`pokermodel._support.followers`.

The workers of a cluster know nothing of the hands before. They are given a block of hands each, beginning with what had
been learnt before the first of them, which this process learns; in a block they learn as it is done here. Processes of
a system that cannot fork work as these do.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pokermodel._support.followers import Follower, followed

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.executors import Executor
    from pokermodel.game import Hand
    from pokermodel.reading import OpponentModeler

__all__ = ["JsonLine", "PageHand", "Rows", "SharedHands", "Shown", "Student", "Taken", "Text", "read_hand"]

T = TypeVar("T")
_LEARNING = 1 / 6  # of the time that it takes to read and show a hand goes to learn one
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
    """A hand that is shown, and the hands since the one before it, which are to be learnt first."""

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


class _LearningError(Exception):
    """What is wrong with a hand that was to be learnt, as `args` has it: told as what is wrong with the source is."""


def _learn(students: Sequence[Student], hands: Iterable[Hand]) -> None:
    """Learn hands before one that is shown."""
    try:
        for hand in hands:
            for each in students:
                each.learn(hand)
    except (ValueError, OSError) as error:
        raise _LearningError(error) from None


@dataclass(frozen=True)
class _Reading(Follower[_Asked, "Shown[T]"]):
    """Learns hands, and shows some of them."""

    students: list[Student]
    options: dict[str, Any]
    show: Callable[[int, list[HandReport]], T]

    def weight(self, item: _Asked) -> float:
        return len(item.taken.learnt) * _LEARNING

    def follow(self, item: _Asked) -> None:
        _learn(self.students, item.taken.learnt)

    def answer(self, item: _Asked) -> Shown[T]:
        self.follow(item)
        number, hand, _ = item.taken
        reports = read_hand(hand, item.hero, [each.apart() for each in self.students], self.options)
        return Shown(number, self.show(number, reports), item.share)


class SharedHands(NamedTuple, Generic[T]):
    """Hands that others read and show, too.

    Parameters
    ----------
    hands : iterator of Taken
        The students have learnt all that is before the first, but for what it says itself.
    students : list of Student
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
    """

    hands: Iterator[Taken]
    students: list[Student]
    hero_of: Callable[[Hand], str | None]
    options: dict[str, Any]
    show: Callable[[int, list[HandReport]], T]
    share: Callable[[int], float | None]
    told: Callable[[Exception], Exception]

    def by_processes(self, jobs: int, *, thrifty: bool) -> Generator[Shown[T], None, None]:
        """Read them by so many processes of this machine, with this one, where it can fork; see `followed`.

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
        reading = _Reading(self.students, self.options, self.show)
        try:
            with closing(followed(self._asked(failed), reading, jobs, thrifty=thrifty)) as shown:
                yield from shown
        except _LearningError as error:
            failed.append(error.args[0])
        if failed:
            raise self.told(failed[0]) from None

    def by_executor(self, executor: Executor) -> Generator[Shown[T], None, None]:
        """Read them in blocks; as `by_processes`."""
        failed: list[Exception] = []
        with closing(executor.map(_show_block, self._blocks(failed))) as done:
            for found, error in done:
                yield from found
                if isinstance(error, _LearningError):
                    raise self.told(error.args[0]) from None
                if error is not None:
                    raise error
        if failed:
            raise self.told(failed[0]) from None

    def _asked(self, failed: list[Exception]) -> Iterator[_Asked]:
        """The hands, up to an error of the source, which comes after what was read before it."""
        try:
            for taken in self.hands:
                yield _Asked(taken, self.hero_of(taken.hand), self.share(taken.number))
        except (ValueError, OSError) as error:
            failed.append(error)

    def _blocks(self, failed: list[Exception]) -> Iterator[_Block]:
        before, size = b"", _BLOCK
        some: list[_Asked] = []
        try:
            for asked in self._asked(failed):
                _learn(self.students, asked.taken.learnt)
                if not some:
                    before = pickle.dumps(self.students, pickle.HIGHEST_PROTOCOL)
                    asked = asked._replace(taken=asked.taken._replace(learnt=()))
                    size = max(_BLOCK, len(before) // _SHARE)
                some.append(asked)
                if len(some) == size:
                    yield _Block(before, some, self.options, self.show)
                    some = []
        except _LearningError as error:
            failed.append(error.args[0])
        if some:
            yield _Block(before, some, self.options, self.show)


def _show_block(block: _Block) -> tuple[list[Shown[Any]], Exception | None]:
    """Read the hands of a block; what was shown before an error, and the error."""
    found: list[Shown[Any]] = []
    try:
        reading = _Reading(pickle.loads(block.students), block.options, block.show)
        for asked in block.hands:
            found.append(reading.answer(asked))
    except (ValueError, OSError, _LearningError) as error:
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
