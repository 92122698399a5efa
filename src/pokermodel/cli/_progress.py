"""How far a command is, and how long the rest will take: one line on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from pokermodel._words import counted

__all__ = ["Progress", "progress"]

_EVERY = 0.1  # seconds from one line to the next
_BAR = 20  # columns
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows how much is done, in a line that replaces the one before.

    The time left follows from the speed in the later half of the time so far, so that deals of an earlier run, which
    are there at once, do not count for long.

    Parameters
    ----------
    thing : str
        What is counted, such as ``"deal"``.
    stream : file
        The terminal.
    label : str
        What stands before it.
    """

    def __init__(self, thing: str, stream: TextIO, label: str = "") -> None:
        self._thing = thing
        self._stream = stream
        self._label = label
        self._drawn = -_EVERY
        self._started = time.monotonic()
        self._reports = deque([(self._started, 0.0)])  # when, and which share was done

    def __call__(self, done: int, of: int | None = None, *, share: float | None = None) -> None:
        """Show how much is done.

        Parameters
        ----------
        done : int
            Number of things done.
        of : int, optional
            Number of all things, where it is known.
        share : float, optional
            Share of the work that is done, where only that is known.
        """
        now = time.monotonic()
        if of:
            share = done / of
        if now - self._drawn < _EVERY and not (of and done >= of):
            return
        self._drawn = now
        parts = [f"{done:,} of {counted(of, self._thing)}" if of else counted(done, self._thing)]
        bar = ""
        if share is not None:
            share = min(max(share, 0.0), 1.0)
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
        if self._drawn >= 0:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = -_EVERY

    def _left(self, now: float, share: float) -> float | None:
        """Seconds that the rest will take; None where nobody knows yet."""
        reports, elapsed = self._reports, now - self._started
        while len(reports) > 1 and reports[1][0] <= now - elapsed / 2:
            reports.popleft()
        then, before = reports[0]
        if now - reports[-1][0] >= elapsed / 100:
            reports.append((now, share))
        if share <= before or now <= then:
            return None
        return (1.0 - share) * (now - then) / (share - before)

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80


@contextmanager
def progress(thing: str, label: str = "") -> Iterator[Progress | None]:
    """Show progress inside a block; None where standard error is no terminal.

    Parameters
    ----------
    thing, label
        As `Progress`.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    shown = Progress(thing, stream, label)
    try:
        yield shown
    finally:
        shown.clear()


def _duration(seconds: float) -> str:
    """Text of a duration, as ``"3:05"`` or ``"2:03:05"``."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
