"""Processes that follow the same items in order, of which each is answered by one of them.

This is for work in which an answer depends on all items before it, through something that grows with each, and in which
to let it grow is cheap and to answer is dear. To map a function over the items, what has grown would have to be sent
along, which costs as much as many answers. Here every process lets it grow by itself, so that nothing but items and
answers is sent, and whoever has room answers the next item:

1. This process answers the first items alone. Few items start nobody.
2. It forks another one where nobody has room for an item. That one has at once all that has grown by then, and all that
   is loaded, for which one that is started anew takes as long as a hundred items.
3. Each item goes to whoever has least to do. Items that others answer are sent with the next one that is theirs.
4. Where everybody has enough to do, this process answers an item itself.

Neither side ever waits for the other to listen: what cannot be sent yet is kept, or two processes that both send would
wait for each other.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import sys
import traceback
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeVar

from pokermodel.errors import ClusterError

if TYPE_CHECKING:
    from socket import socket

__all__ = ["Follower", "can_follow", "followed", "interrupts_blocked"]

T = TypeVar("T")
R = TypeVar("R")

_ALONE = 20  # items that are answered before anybody is started: to start them takes as long as two or three hands
_ROOM = 6  # items that somebody may have to do, so that they do not wait while this process answers one
_AHEAD = 16  # for each process, items beyond the one whose answer is awaited: so many answers are kept
_LOAD = 300.0  # for each process, the weight of such items: so much is kept of what was taken
_BEHIND = 150.0  # weight of items after which this process, having had no time for any, leaves them to others for good
_PART = 1 << 18  # bytes that are received at once
_LENGTH = 8  # bytes of the length of a message


class Follower(ABC, Generic[T, R]):
    """What follows items, in the order in which they come. It is pickled.

    What it answers depends on the items that it followed, and not on which of them it answered.
    """

    def weight(self, item: T) -> float:
        """How long it takes to follow an item, and how much to keep it, where to answer one takes 1."""
        return 0.2

    @abstractmethod
    def follow(self, item: T) -> None:
        """Take in an item that somebody else answers."""

    @abstractmethod
    def answer(self, item: T) -> R:
        """Take in an item, and answer it. The answer is pickled, and so is what is raised."""


def can_follow() -> bool:
    """Whether this system can: it forks, and its libraries can live with it, unlike those of macOS."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def followed(
    items: Iterable[T], follower: Follower[T, R], jobs: int, *, thrifty: bool = False
) -> Generator[R, None, None]:
    """Answer items by several processes, as ``map(follower.answer, items)`` does by one.

    Parameters
    ----------
    items : iterable
        Taken by this process as they are needed: some for each process are in progress, and answers do not pile up.
    follower : Follower
        It has followed some of the items at the end, or all.
    jobs : int
        Number of processes, with this one; 2 or more.
    thrifty : bool
        Start only such as will answer for longer than they follow.

    Yields
    ------
    object
        Answers, in the order of the items. ``close`` of the generator ends the other processes.

    Raises
    ------
    Exception
        That of the first item in order of which an answer raises one; or of the items, after all answers.
    ClusterError
        If a process ends while it is at work.
    """
    rest = iter(items)
    weights = []
    for item in islice(rest, _ALONE):
        weights.append(follower.weight(item))
        yield follower.answer(item)
    if thrifty and weights:  # of n processes, each answers one item in n, and follows all
        median = sorted(weights)[len(weights) // 2]
        jobs = min(jobs, int(1.0 / max(median, 1.0 / jobs)))
    if jobs == 1:
        yield from map(follower.answer, rest)
        return
    with closing(_Team(rest, follower, jobs)) as team:
        yield from team.answers()


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Hold back Ctrl-C, as far as the system can: it is heard at the end of the block.

    Processes that are started in the block never hear it. A terminal sends it to all of them. The one that was started
    by the user hears it, and ends the others, which would each print where they were.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Line:
    """One end of a line to another process, on which objects go either way, and nobody waits to be listened to.

    Parameters
    ----------
    end : socket
        Of a pair.
    """

    def __init__(self, end: socket) -> None:
        end.setblocking(False)
        self._end = end
        self._out, self._in = bytearray(), bytearray()

    def close(self) -> None:
        """Hang up."""
        self._end.close()

    def fileno(self) -> int:
        """What `select` calls it."""
        return self._end.fileno()

    @property
    def events(self) -> int:
        """What there is to wait for: that something comes, and that what is kept can be sent."""
        return select.POLLIN | (select.POLLOUT if self._out else 0)

    def send(self, told: object) -> None:
        """Send an object; what the line does not take at once is kept."""
        data = pickle.dumps(told, pickle.HIGHEST_PROTOCOL)
        self._out += len(data).to_bytes(_LENGTH, "little")
        self._out += data
        self.flush()

    def flush(self) -> None:
        """Send of what is kept as much as the line takes."""
        with suppress(BlockingIOError):
            while self._out:
                del self._out[: self._end.send(self._out)]

    def received(self) -> Iterator[Any]:
        """Objects that have come whole.

        Raises
        ------
        EOFError, OSError
            If the other end hung up.
        """
        with suppress(BlockingIOError):
            while True:
                part = self._end.recv(_PART)
                if not part:
                    raise EOFError
                self._in += part
                if len(part) < _PART:
                    break
        while len(self._in) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._in[:_LENGTH], "little")
            if len(self._in) < end:
                break
            yield pickle.loads(self._in[_LENGTH:end])
            del self._in[:end]


class _Asked(NamedTuple):
    """What a process gets: pickles of items that it follows, of which it answers the last."""

    items: list[bytes]
    number: int


class _Answer(NamedTuple):
    """What comes back: the answer, or what was raised instead."""

    number: int
    found: Any
    error: Exception | None


class _Mate:
    """Another process.

    Parameters
    ----------
    pid : int
    line : _Line
    position : int
        How many items it has, those included that it was sent.
    """

    def __init__(self, pid: int, line: _Line, position: int) -> None:
        self.pid = pid
        self.line = line
        self.position = position
        self.busy = 0  # items that it has to answer

    def end(self) -> int:
        """End it, at whatever it is; the status with which it ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.line.close()
        try:
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        except ChildProcessError:  # somebody else has waited for it
            return 0


class _Team(Generic[T, R]):
    """Processes, with this one, while they answer items."""

    def __init__(self, items: Iterator[T], follower: Follower[T, R], jobs: int) -> None:
        self._items = items
        self._follower = follower
        self._most = jobs - 1  # others that there may be
        self._mates: list[_Mate] = []
        self._sent: deque[bytes] = deque()  # pickles of the latest items, back to the first that somebody lacks
        self._own: deque[T] | None = deque()  # items that this process has not followed yet; None if it never will
        self._behind = 0.0  # their weight
        self._taken = self._given = 0  # items; answers
        self._weights: deque[float] = deque()  # of items that are not answered
        self._load = 0.0  # their sum
        self._answers: dict[int, _Answer] = {}  # those whose turn has not come

    def close(self) -> None:
        """End the others."""
        for mate in self._mates:
            mate.end()
        self._mates.clear()

    def answers(self) -> Generator[R, None, None]:
        """Answer all items."""
        failed: Exception | None = None
        more = True
        while more or self._given < self._taken:
            self._listen(wait=False)
            while self._given in self._answers:
                told = self._answers.pop(self._given)
                self._given += 1
                self._load -= self._weights.popleft()
                if told.error is not None:
                    raise told.error
                yield told.found
            if more and self._may_take():
                try:
                    item = next(self._items)
                except StopIteration:
                    more = False
                except Exception as error:  # which comes after what was answered before it
                    failed, more = error, False
                else:
                    self._give(item, self._free())
                continue
            if self._given < self._taken and self._given not in self._answers:
                self._listen(wait=True)
        if failed is not None:
            raise failed

    def _may_take(self) -> bool:
        """Whether another item may be taken before the answer that is awaited, and somebody can answer it."""
        several = 1 + len(self._mates)
        if self._taken - self._given >= several * _AHEAD or self._load >= several * _LOAD:
            return False
        return self._own is not None or any(mate.busy < _ROOM for mate in self._mates)

    def _free(self) -> _Mate | None:
        """Who has least to do, and room for more; perhaps somebody new. None if it is this process."""
        who = min(self._mates, key=lambda mate: mate.busy, default=None)
        if who is not None and who.busy < _ROOM:
            return who
        return self._fork() if len(self._mates) < self._most else None

    def _give(self, item: T, who: _Mate | None) -> None:
        """Let somebody answer an item; this process if it is nobody else."""
        number = self._taken
        self._taken += 1
        weight = self._follower.weight(item)
        self._weights.append(weight)
        self._load += weight
        self._sent.append(pickle.dumps(item, pickle.HIGHEST_PROTOCOL))
        if who is None:
            assert self._own is not None
            self._answers[number] = _answer(self._follower, self._own, item, number)
            self._behind = 0.0
        else:
            before = len(self._sent) - (self._taken - who.position)
            who.line.send(_Asked(list(islice(self._sent, before, None)), number))
            who.position = self._taken
            who.busy += 1
            if self._own is not None:
                self._own.append(item)
                self._behind += weight
                if self._behind > _BEHIND:
                    self._own = None
        least = min([mate.position for mate in self._mates] or [self._taken])
        if self._own is not None:  # where somebody new would begin
            least = min(least, self._taken - len(self._own))
        while len(self._sent) > self._taken - least:
            self._sent.popleft()

    def _listen(self, *, wait: bool) -> None:
        """Take in the answers that have come, and send what can be sent.

        Raises
        ------
        ClusterError
            If somebody is gone.
        """
        if not self._mates:
            return
        poll = select.poll()
        mates = {mate.line.fileno(): mate for mate in self._mates}
        for number, mate in mates.items():
            poll.register(number, mate.line.events)
        for number, _ in poll.poll(None if wait else 0):
            mate = mates[number]
            try:
                mate.line.flush()
                for told in mate.line.received():
                    self._answers[told.number] = told
                    mate.busy -= 1
            except (EOFError, OSError):
                self._mates.remove(mate)
                raise ClusterError(f"a process ended while it was at work: {_ending(mate.end())}") from None

    def _fork(self) -> _Mate | None:
        """Another process that is where this one is; None if the system has no room for it."""
        assert self._own is not None
        from socket import socketpair  # here, since most commands start without it

        try:
            ours, theirs = socketpair()
        except OSError:
            self._most = len(self._mates)
            return None
        try:
            with interrupts_blocked(), warnings.catch_warnings():
                # of threads, which the other process is without, and has none of their work
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
                if not pid:  # with lines of others open they would not hear that this process is gone
                    _work(self._follower, theirs, [ours, *(mate.line for mate in self._mates)])
                mate = _Mate(pid, _Line(ours), self._taken - len(self._own))
                self._mates.append(mate)
        except OSError:
            ours.close()
            theirs.close()
            self._most = len(self._mates)
            return None
        theirs.close()
        return mate


def _answer(follower: Follower[T, R], before: deque[T], item: T, number: int) -> _Answer:
    """Follow what came before an item, and answer it."""
    try:
        while before:
            follower.follow(before.popleft())
        return _Answer(number, follower.answer(item), None)
    except Exception as error:
        return _Answer(number, None, error)


def _work(follower: Follower[Any, Any], end: socket, others: Sequence[socket | _Line]) -> NoReturn:
    """Answer what is asked, until nobody is there to ask; then end, and leave all else to the process that forked."""
    status = 1
    try:
        for each in others:
            each.close()
        gc.freeze()  # what was there before is shared, until it is written to
        _serve(follower, _Line(end))
    except (EOFError, ConnectionError):
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _serve(follower: Follower[Any, Any], line: _Line) -> NoReturn:
    """Answer what is asked on a line."""
    failed = None
    try:
        follower = pickle.loads(pickle.dumps(follower))  # which opens a database anew: a connection cannot be shared
    except Exception as error:
        failed = error
    waiting: deque[_Asked] = deque()
    poll = select.poll()
    while True:
        poll.register(line.fileno(), line.events)
        poll.poll(0 if waiting else None)
        line.flush()
        waiting.extend(line.received())
        if waiting:
            items, number = waiting.popleft()
            *before, item = map(pickle.loads, items)
            found = _Answer(number, None, failed) if failed else _answer(follower, deque(before), item, number)
            line.send(_sendable(found))


def _sendable(told: _Answer) -> _Answer:
    """An answer that can be sent; of an error that is nobody's fault but ours, where it was raised goes with it."""
    if told.error is None:
        return told
    if not isinstance(told.error, (ValueError, OSError)):
        told.error.add_note("".join(traceback.format_exception(told.error)))
    try:
        pickle.loads(pickle.dumps(told.error))
    except Exception:
        what = f"an error cannot be sent: {type(told.error).__name__}: {told.error}"
        return told._replace(error=ClusterError(what))
    return told


def _ending(status: int) -> str:
    """How a process ended, in words."""
    return f"it was killed by {signal.Signals(-status).name}" if status < 0 else f"its status is {status}"
