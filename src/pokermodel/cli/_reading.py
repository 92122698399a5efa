"""Hands of a history, each read by sessions that have learnt the hands before it.

Several hands are read in blocks by an executor. The command's own process learns all hands, in a sixth of the time of
reading and showing them. A block begins with what has been learnt before its first hand, and its worker learns the
hands in it. So the results are the same for any number of workers.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import click

from pokermodel.cli._hands import Skipped, open_source, say_left_out
from pokermodel.cli._numbers import Numbers
from pokermodel.cli._options import Known
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.executors import Executor
    from pokermodel.game import Hand
    from pokermodel.histories import Filter, HandSource
    from pokermodel.reading import OpponentModeler

__all__ = [
    "Learner",
    "Shown",
    "Taken",
    "Wanted",
    "begin",
    "read_before",
    "read_each",
    "read_hand",
    "read_several",
    "say_skipped",
    "take",
]

T = TypeVar("T")

_BLOCK = 25  # hands of a block that is sent to a worker, where little is known
_SHARE = 50_000  # bytes of what has been learnt for which a block has a hand, so that to send it is a small part
_CORRECTING = 200  # hands before the one shown that correct it: more hardly help, and these take half a second


class Learner(NamedTuple):
    """A session, and whether it learns what the players do in the hands before the one shown."""

    session: OpponentModeler
    players: bool

    def apart(self) -> OpponentModeler:
        """A session to read one of several hands with, which leaves this one as it is.

        A reader that learns from actions as it sees them would learn twice from a hand that is shown, and so would what
        corrects tables. Other readers are not copied: if they know many players, it takes longer than to read a hand.
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


def begin(models: Sequence[str], book: str | None, hero: str | None) -> list[Learner]:
    """Begin a session of each model; the book is for those of several that can use it, one at least."""
    from pokermodel.reading import read_reader

    kinds = [read_reader(model)[0] for model in models]
    learning = [kind for kind in kinds if kind.needs] or kinds  # where none learns, the first one says so
    books = [book if kind in learning else None for kind in kinds]
    return [_learner(model, own, hero) for model, own in zip(models, books, strict=True)]


def _learner(model: str, book: str | None, hero: str | None) -> Learner:
    from pokermodel.reading import OpponentModeler, read_reader

    kind, options = read_reader(model)
    if book is not None and not kind.needs:
        raise click.UsageError(f"model {model!r} judges everybody alike: --book is for {_models_that_learn()}")
    known = Known(model, book).open_book()
    session = OpponentModeler(model, known, hero, calibrated=options.get("calibrated", kind.corrected))
    return Learner(session, bool(kind.needs) and known is None)


def _models_that_learn() -> str:
    from pokermodel.reading import reader_kinds

    return ", ".join(kind.name for kind in reader_kinds().values() if kind.needs)


# ------------------------------------------------------------------------------------------------ which hands


class Wanted(NamedTuple):
    """Which hands are to be shown."""

    numbers: Numbers | None  #: None for the first one that fits the filter, or all of them.
    which: Filter
    hero: str | None  #: Empty for no player.
    every: bool  #: Whether all of them are shown, and not only the first one.

    def __call__(self, number: int, hand: Hand) -> bool:
        """Whether a hand is one of them."""
        if self.numbers is not None and number not in self.numbers:
            return False
        if self.every and self.hero and not self._plays(hand):
            return False
        return self.which(hand, self.hero)

    def _plays(self, hand: Hand) -> bool:
        return self.hero in hand.players and hand.players.index(self.hero) in hand.holdings

    @property
    def ids(self) -> Collection[str]:
        """The ids of hands that are asked for."""
        return self.which.values("id")

    def __str__(self) -> str:
        return "that is selected" + ("" if self.numbers is None else f", from {self.numbers.first} on")


class Taken(NamedTuple):
    """A hand that is shown, and the hands since the one before it, which are to be learnt first."""

    number: int
    hand: Hand
    learnt: Sequence[Hand]


def take(source: HandSource, wanted: Wanted, learners: Sequence[Learner]) -> Iterator[Taken]:
    """Yield the hands that are wanted, with those that are to be learnt before each.

    The latest hands before the first one also correct the sessions that can be corrected, and so do all that follow.
    The hands before these are learnt here. If there is no such hand, or one cannot be read, what was left out is
    printed, and a ValueError raised.
    """
    try:
        yield from _take(source, wanted, learners)
    except HistoryError as error:
        if not source.strict:  # the hand that is asked for
            raise
        what = f"{error.reason} (--hand 1 leaves out what cannot be read)"
        raise HistoryError(what, error.path, error.line, error.hand) from None
    except ValueError:  # there is no such hand among those that can be read
        say_skipped(source)
        raise


def _take(source: HandSource, wanted: Wanted, learners: Sequence[Learner]) -> Iterator[Taken]:
    first, hands = 1, iter(source)
    if wanted.numbers is not None and not any(each.players for each in learners):  # few hands before matter, or none
        before = 0 if all(each.session.calibration is None for each in learners) else _CORRECTING
        first = max(1, wanted.numbers.first - before)
        hands = source.between(first, wanted.numbers.last)
    elif wanted.numbers is not None:
        hands = islice(hands, wanted.numbers.last)
    latest: deque[Hand] = deque()
    shown = False
    count = 0
    for count, hand in enumerate(hands, first):
        if wanted(count, hand):
            learnt = [*latest]
            latest.clear()
            yield Taken(count, hand, learnt)
            if not wanted.every:
                return
            shown = True
        latest.append(hand)
        if not shown and len(latest) > _CORRECTING:
            earlier = latest.popleft()
            for session, players in learners:
                if players:
                    session.learn(earlier, calibrate=False)
    if not shown:
        raise _none(source, wanted, count)


def _none(source: HandSource, wanted: Wanted, count: int) -> ValueError:
    """The error that there is no such hand, where the source raises none."""
    if wanted.numbers is not None and count < wanted.numbers.first:
        source.hand(wanted.numbers.first)  # raises the error
    for skipped in source.skipped:
        if skipped.hand is not None and skipped.hand in wanted.ids:
            return skipped
    return ValueError(f"{source.path}: there is no hand {wanted}, of {count:,}")


def say_skipped(source: HandSource) -> None:
    """Say on standard error what was left out up to the hand that is shown."""
    skipped = Skipped()
    for error in source.skipped:
        skipped.append(error)
    say_left_out(source.report(), skipped)


def _learn(learners: Sequence[Learner], hands: Iterable[Hand]) -> None:
    for hand in hands:
        for each in learners:
            each.learn(hand)


# ------------------------------------------------------------------------------------------------ for other commands


def read_before(file: Path, numbers: Numbers, known: Known) -> tuple[Hand, OpponentModeler]:
    """A hand of a file, and a session that knows what was played before it, and has no hero."""
    from pokermodel.histories import Filter

    learners = begin([known.model], known.book, None)
    (taken,) = take(open_source(file), Wanted(numbers, Filter(), None, False), learners)
    _learn(learners, taken.learnt)
    return taken.hand, learners[0].session


def read_each(
    file: Path, numbers: Numbers | None, known: Known, which: Filter, hero: str | None = None
) -> tuple[HandSource, Iterator[tuple[int, Hand, OpponentModeler]]]:
    """Open a file, and read all its hands that fit a filter, or those with these numbers.

    Each comes with a session that knows what was played before it, and whose hero may be named. Unreadable
    hands are left out, and reported at the end.
    """
    learners = begin([known.model], known.book, hero or None)
    source = open_source(file)

    def hands() -> Iterator[tuple[int, Hand, OpponentModeler]]:
        for number, hand, learnt in take(source, Wanted(numbers, which, hero, True), learners):
            _learn(learners, learnt)
            yield number, hand, learners[0].apart()
        say_skipped(source)

    return source, hands()


# ------------------------------------------------------------------------------------------------ reports of hands


class Shown(NamedTuple, Generic[T]):
    """The display of a hand, and the share of the source that was read with it, if known."""

    what: T
    share: float | None


class _Item(NamedTuple):
    """A hand of a block, the hero in whose eyes it is read, and the share of the source that has been read with it."""

    taken: Taken
    hero: str | None
    share: float | None


@dataclass(frozen=True)
class _Block:
    """What a worker gets."""

    #: As they are before the first hand; a pickle for another process, since they go on learning here.
    learners: list[Learner] | bytes
    items: list[_Item]


def read_hand(taken: Taken, hero: str | None, learners: Sequence[Learner], options: dict[str, Any]) -> list[HandReport]:
    """Learn what was played before a hand, and read it with each of the models."""
    from pokermodel.analysis.hand import HandReport

    _learn(learners, taken.learnt)
    found = []
    for each in learners:
        session = each.apart()
        session.hero = hero
        found.append(HandReport.of(taken.hand, session, hero, **options))
    return found


def read_several(
    hands: Iterator[Taken],
    learners: list[Learner],
    executor: Executor,
    show: Callable[[int, list[HandReport]], T],
    hero_of: Callable[[Hand], str | None],
    options: dict[str, Any],
    share: Callable[[int], float | None] = lambda number: None,
) -> Generator[Shown[T], None, None]:
    """Read hands in blocks; an executor that works in this process gets every hand as soon as it is there.

    `show` makes what is yielded of the number and the reports of a hand, and is pickled. `share` says of the number of
    a hand that was just taken how much of the source has been read. An error of the source or of a hand comes after all
    that was read before it.
    """
    failed: list[Exception] = []

    def blocks() -> Iterator[_Block]:
        before: list[Learner] | bytes = learners
        items: list[_Item] = []
        size = 1
        try:
            for taken in hands:
                _learn(learners, taken.learnt)
                if not items:
                    taken = taken._replace(learnt=())
                    if not executor.here:
                        before = pickle.dumps(learners, pickle.HIGHEST_PROTOCOL)
                        size = max(_BLOCK, len(before) // _SHARE)
                items.append(_Item(taken, hero_of(taken.hand), share(taken.number)))
                if len(items) == size:
                    yield _Block(before, items)
                    items = []
        except (ValueError, OSError) as error:  # which comes after the hands before it
            failed.append(error)
        if items:
            yield _Block(before, items)

    with closing(executor.map(partial(_read_block, show, options), blocks())) as done:
        for shown, error in done:
            yield from shown
            if error is not None:
                raise error
    if failed:
        raise failed[0]


def _read_block(
    show: Callable[[int, list[HandReport]], T], options: dict[str, Any], block: _Block
) -> tuple[list[Shown[T]], Exception | None]:
    """Read the hands of a block, on a worker; what is shown of those before an error, and the error."""
    found: list[Shown[T]] = []
    try:
        learners = pickle.loads(block.learners) if isinstance(block.learners, bytes) else block.learners
        for taken, hero, share in block.items:
            reports = read_hand(taken, hero, learners, options)
            found.append(Shown(show(taken.number, reports), share))
    except (ValueError, OSError) as error:
        return found, error
    return found, None
