"""Files that change: when to look at folders, by what the system says of them, and now and then anyway."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

__all__ = ["looks"]

_DEBOUNCE = 200  # milliseconds for which changes that follow each other are taken together
_STEP = 20  # milliseconds without a change after which they are
_PATIENCE, _POLL = 10.0, 0.5  # seconds after which files are looked at anyway, with and without events
_GONE = 1.0  # seconds after which a folder that has gone is looked for again
_SHARE = 4  # by how much longer a rest is than a look, where nothing tells of changes


def looks(
    paths: Sequence[Path],
    stop: Event,
    *,
    poll: bool = False,
    failed: Callable[[OSError], object] = lambda error: None,
) -> Iterator[None]:
    """Yield whenever files are to be looked at, until it is to stop: at once, and when they may have changed.

    Now and then they are looked at anyway: of network drives no event may come. Raises `ValueError` if there is no
    `watchfiles`, and `poll` is not given.

    Parameters
    ----------
    paths : sequence of Path
        Folders and files. One that has gone is waited for.
    poll : bool
        Go by time alone. Otherwise `watchfiles` is needed (``pip install "pokermodel[desk]"``).
    failed : callable
        Called with what keeps the system from watching.
    """
    watch = None if poll else _watch()
    while not stop.is_set():
        begun = time.monotonic()
        yield None
        if watch is None:
            if stop.wait(max(_POLL, _SHARE * (time.monotonic() - begun))):
                return
            continue
        there = [path for path in paths if path.exists()]
        try:
            if there:
                for _ in watch(*there, stop_event=stop, rust_timeout=max(int(1000 * _PATIENCE), 1), **_OPTIONS):
                    if stop.is_set():
                        return
                    yield None
                    if [path for path in paths if path.exists()] != there:
                        break
        except OSError as error:  # a folder has gone, or the system watches no more of them
            failed(error)
        if stop.wait(_GONE):
            return


_OPTIONS: dict[str, Any] = {
    "watch_filter": None,
    "debounce": _DEBOUNCE,
    "step": _STEP,
    "yield_on_timeout": True,
    "ignore_permission_denied": True,
}


def _watch() -> Callable[..., Iterator[Any]]:
    try:
        from watchfiles import watch
    except ModuleNotFoundError:
        raise ValueError('no watchfiles to follow folders: pip install "pokermodel[desk]", or --poll') from None
    return watch
