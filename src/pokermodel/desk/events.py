"""Events: one stream for each tab, which says what has changed.

An event has a kind and the figures of that kind as they are now, so that the latest one replaces those before it. A
stream that was lost goes on with what has changed since; however many changes there are, little is sent.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pokermodel._core.json_text import dumps

__all__ = ["Events"]

_TAB = re.compile(r"[A-Za-z0-9-]{1,40}")
_MOST_TABS = 32  # the stream that is the oldest ends
_QUIET = 15.0  # seconds after which something is sent, so that a tab that has gone is noticed
_REST = 0.1  # seconds between what is sent
_RETRY = b"retry: 1000\n\n"  # milliseconds after which a browser connects again


class _Event(NamedTuple):
    number: int
    kind: str
    text: str

    def line(self) -> bytes:
        return f"id: {self.number}\nevent: {self.kind}\ndata: {self.text}\n\n".encode()


@dataclass
class _Stream:
    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def wake(self) -> None:
        self.loop.call_soon_threadsafe(self.news.set)


class Events:
    """The latest changes by kind, and the streams of their listeners. Safe to call from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, _Event] = {}
        self._streams: dict[str, _Stream] = {}
        self._number = 0
        self._closed = False

    def publish(self, kind: str, data: Any) -> None:
        """Send the figures of a kind to all streams; figures that did not change are not sent.

        Parameters
        ----------
        kind : str
        data : object
            As JSON has it.
        """
        text = dumps(data, compact=True)
        with self._lock:
            before = self._latest.get(kind)
            if before is not None and before.text == text:
                return
            self._number += 1
            self._latest[kind] = _Event(self._number, kind, text)
            for stream in self._streams.values():
                stream.wake()

    def stream(self, tab: str, last: str | None = None) -> AsyncIterator[bytes]:
        """Begin the stream of a tab; the one that it had before ends.

        Parameters
        ----------
        tab : str
            The name that a tab has given itself: up to 40 letters, digits and hyphens.
        last : str, optional
            The number of the last event that it has.

        Raises
        ------
        ValueError
            If it is no such name.
        """
        if not _TAB.fullmatch(tab):
            raise ValueError(f"unknown name of a tab: {tab[:40]!r}, expected 1 to 40 letters, digits and hyphens")
        number = int(last) if last is not None and re.fullmatch("[0-9]{1,15}", last) else 0
        return self._sent(tab, number)

    async def _sent(self, tab: str, last: int) -> AsyncIterator[bytes]:
        stream = _Stream(asyncio.get_running_loop())
        with self._lock:
            if last > self._number:  # of an earlier run
                last = 0
            leaving = [self._streams.pop(tab, None)]
            while len(self._streams) >= _MOST_TABS:
                leaving.append(self._streams.pop(next(iter(self._streams))))
            for other in leaving:
                if other is not None:
                    other.ended = True
                    other.wake()
            self._streams[tab] = stream
        try:
            yield _RETRY
            while not (stream.ended or self._closed):
                stream.news.clear()
                with self._lock:
                    fresh = sorted(each for each in self._latest.values() if each.number > last)
                if fresh:
                    last = fresh[-1].number
                    yield b"".join(each.line() for each in fresh)
                    await asyncio.sleep(_REST)
                    continue
                try:
                    await asyncio.wait_for(stream.news.wait(), _QUIET)
                except TimeoutError:
                    yield b":\n\n"
        finally:
            with self._lock:
                if self._streams.get(tab) is stream:
                    del self._streams[tab]

    @property
    def closed(self) -> bool:
        """Whether all have ended for good."""
        return self._closed

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        with self._lock:
            for stream in self._streams.values():
                stream.wake()
