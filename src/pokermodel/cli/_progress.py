"""How far a command is, and how long the rest will take: one line on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from pokermodel._words import counted

__all__ = ["Progress", "progress"]

_EVERY = 0.1  # seconds from one line to the next
_BAR = 20  # columns
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows how much is done, in a line that replaces the one before.

    The time left follows from the speed since the first line, or in the later half of the time if that is long: what
    was there at once, as deals of an earlier run, does not count for long.

    Parameters
    ----------
    thing : str
        What is counted, such as ``"deal"``.
    stream : file
        The terminal.
    share : callable, optional
        Returns the share of the work that is done, where the number of all things is not known. It is called when a
        line is drawn.
    label : str
        What stands before it.
    """

    def __init__(self, thing: str, stream: TextIO, share: Callable[[], float] | None = None, label: str = "") -> None:
        self._thing = thing
        self._stream = stream
        self._share = share
        self._label = label
        self._drawn: float | None = None  # when the line was drawn that is there
        self._started = time.monotonic()
        self._reports: deque[tuple[float, float]] = deque()  # when which share was done

    def __call__(self, done: int, of: int | None = None) -> None:
        """Show how much is done.

        Parameters
        ----------
        done : int
            Number of things done.
        of : int, optional
            Number of all things, where it is known.
        """
        now = time.monotonic()
        if self._drawn is not None and now - self._drawn < _EVERY and not (of and done >= of):
            return
        self._drawn = now
        parts = [f"{done:,} of {counted(of, self._thing)}" if of else counted(done, self._thing)]
        bar = ""
        share = done / of if of else None if self._share is None else self._share()
        if share is not None:
            full = int(share * _BAR)
            bar = f"[{'#' * full}{'.' * (_BAR - full)}] "
            parts.append(f"{share:.0%}")
            left = self._left(now, share)
            if left is not None:
                parts.append(f"{_duration(left)} left")
        else:
            parts.append(_duration(now - self._started))
        line = f"{self._label}{bar}{', '.join(parts)}"
        self._stream.write(_CLEAR + line[: self._columns() - 1])
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._drawn is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = None

    def _left(self, now: float, share: float) -> float | None:
        """Seconds that the rest will take; None where nobody knows yet, or nothing is left."""
        reports = self._reports
        if not reports or (share > reports[-1][1] and now - reports[-1][0] >= (now - self._started) / 200):
            reports.append((now, share))
        last, done = reports[-1]
        while len(reports) > 2 and reports[1][0] <= last - (last - self._started) / 2:
            reports.popleft()
        first, before = reports[0]
        if done <= before or share >= 1.0:
            return None
        return max(0.0, (1.0 - done) * (last - first) / (done - before) - (now - last))

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80


@contextmanager
def progress(thing: str, share: Callable[[], float] | None = None, *, label: str = "") -> Iterator[Progress | None]:
    """Show progress inside a block; None where standard error is no terminal.

    Parameters
    ----------
    thing, share, label
        As `Progress`.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    shown = Progress(thing, stream, share, label)
    try:
        yield shown
    finally:
        shown.clear()


def _duration(seconds: float) -> str:
    """Text of a duration, as ``"3:05"`` or ``"2:03:05"``."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
