"""How far a command is, how fast, and how long the rest will take: a line on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from pokermodel._support.words import counted, plural

__all__ = ["Progress", "progress"]

_EVERY = 0.1  # seconds from one line to the next
_BAR = 20  # columns
_CLEAR = "\r\x1b[K"


class _Speed:
    """How fast a number grows: since it was first told, or in the later half of the time if that is long.

    What was there at once, as deals of an earlier run, does not count for long. A number that falls begins anew.
    """

    def __init__(self, started: float) -> None:
        self._started = started
        self._told: deque[tuple[float, float]] = deque()  # when which number was reached

    def tell(self, now: float, number: float) -> None:
        """Note that a number is reached."""
        told = self._told
        if told and number < told[-1][1]:
            told.clear()
            self._started = now
        if not told or (number > told[-1][1] and now - told[-1][0] >= (now - self._started) / 200):
            told.append((now, number))
        last = told[-1][0]
        while len(told) > 2 and told[1][0] <= last - (last - self._started) / 2:
            told.popleft()

    def last(self) -> tuple[float, float]:
        """When the number grew last, and to what."""
        return self._told[-1]

    def per_second(self) -> float | None:
        """Growth in a second; None where it has not grown yet, or the time is unknown."""
        (first, before), (last, number) = self._told[0], self._told[-1]
        return (number - before) / (last - first) if last > first else None


class Progress:
    """Shows how much is done, in a line that replaces the one before, with the speed and the time left.

    Things are counted, such as ``"deal"``. Where their number is not known, `share` returns the share of the work that
    is done, or None; it is called when a line is drawn.
    """

    def __init__(self, thing: str, stream: TextIO, share: Callable[[], float | None] | None = None) -> None:
        self._thing = thing
        self._stream = stream
        self._share = share
        self._drawn: float | None = None  # when the line was drawn that is there
        self._started = time.monotonic()
        self._things = _Speed(self._started)
        self._shares = _Speed(self._started)

    def __call__(self, done: int, of: int | None = None) -> None:
        """Show how much is done, of all things where their number is known."""
        now = time.monotonic()
        if self._drawn is not None and now - self._drawn < _EVERY and not (of and done >= of):
            return
        self._drawn = now
        parts = [f"{done:,} of {counted(of, self._thing)}" if of else counted(done, self._thing)]
        bar = end = ""
        share = done / of if of else None if self._share is None else self._share()
        if share is not None:
            full = int(share * _BAR)
            bar = f"[{'#' * full}{'.' * (_BAR - full)}] "
            parts.append(f"{share:.0%}")
            left = self._left(now, share)
            if left is not None:
                end = f", {_duration(left)} left"
        else:
            end = f", {_duration(now - self._started)}"
        line = f"{bar}{', '.join(parts)}"
        rate = self._rate(now, done)
        if len(line) + len(rate) + len(end) < self._columns():  # the time matters more
            line += rate
        line += end
        self._stream.write(_CLEAR + line[: self._columns() - 1])
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._drawn is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = None

    def _rate(self, now: float, done: int) -> str:
        """Text of the speed; empty where nobody knows yet."""
        self._things.tell(now, done)
        speed = self._things.per_second()
        return "" if speed is None else f", {_rate(speed, self._thing)}"

    def _left(self, now: float, share: float) -> float | None:
        """Seconds that the rest will take; None where nobody knows yet, or nothing is left."""
        self._shares.tell(now, share)
        speed = self._shares.per_second()
        if speed is None or share >= 1.0:
            return None
        last, done = self._shares.last()
        return max(0.0, (1.0 - done) / speed - (now - last))

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80


@contextmanager
def progress(thing: str, share: Callable[[], float | None] | None = None) -> Iterator[Progress | None]:
    """Show progress inside a block; None where standard error is no terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    shown = Progress(thing, stream, share)
    try:
        yield shown
    finally:
        shown.clear()


def _duration(seconds: float) -> str:
    """Text of a duration, as ``"3:05"`` or ``"2:03:05"``."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def _rate(speed: float, thing: str) -> str:
    """Text of a speed, as ``"1,250 hands/s"``, ``"3.2 deals/s"``, ``"12 s a deal"`` or ``"2.5 min a part"``."""
    if speed >= 1.0:
        return f"{speed:,.{0 if speed >= 9.95 else 1}f} {plural(thing)}/s"
    seconds = 1.0 / speed
    number, unit = (seconds, "s") if seconds < 99.5 else (seconds / 60, "min")
    return f"{number:,.{0 if number >= 9.95 else 1}f} {unit} a {thing}"
