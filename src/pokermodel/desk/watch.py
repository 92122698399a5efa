"""The watcher: a thread that has new hands read when the files of folders change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from watchfiles import watch

__all__ = ["Watcher"]

_DEBOUNCE = 200  # milliseconds for which changes that follow each other are taken together
_STEP = 20  # milliseconds without a change after which they are
_POLL = 300  # milliseconds from one look at all files to the next, where the system does not tell of changes
_ANYWAY = 10_000  # milliseconds after which files are looked at anyway: of network drives no event may come
_GONE = 1.0  # seconds after which a folder that has gone is looked for again


class Watcher:
    """Calls a function at the start and whenever files of folders may have changed.

    Parameters
    ----------
    folders : sequence of Path
    look : callable
        Reads what is new. It is called by one thread alone, and is to raise nothing but what it cannot help.
    failed : callable
        Called with what it raised; it is called again at the next change.
    poll : bool
        Look at all files again and again, instead of being told of changes by the system.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        look: Callable[[], object],
        failed: Callable[[Exception], None],
        *,
        poll: bool = False,
    ) -> None:
        self._folders = list(folders)
        self._look, self._failed, self._poll = look, failed, poll
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Look, and begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """End when the function that is called has returned."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            there = [folder for folder in self._folders if folder.is_dir()]
            try:
                self._call()
                if there:
                    self._watch(there)
            except OSError as error:  # a folder has gone, or the system watches no more of them
                self._failed(error)
            self._stop.wait(_GONE)

    def _watch(self, there: Sequence[Path]) -> None:
        changes = watch(
            *there,
            watch_filter=None,
            debounce=_DEBOUNCE,
            step=_STEP,
            stop_event=self._stop,
            rust_timeout=_ANYWAY,
            yield_on_timeout=True,
            force_polling=self._poll or None,
            poll_delay_ms=_POLL,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for _ in changes:
            if self._stop.is_set():
                return
            self._call()
            if [folder for folder in self._folders if folder.is_dir()] != there:
                return

    def _call(self) -> None:
        try:
            self._look()
        except Exception as error:  # the next change is another chance, and the window stays open
            self._failed(error)
