"""The watcher: a thread that has new hands read when the files of folders change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from pokermodel.library.watching import looks

__all__ = ["Watcher"]


class Watcher:
    """Calls a function at the start and whenever files of folders may have changed.

    Parameters
    ----------
    folders : sequence of Path
    look : callable
        Reads what is new. It is called by one thread alone.
    failed : callable
        Called with what it raised; it is called again at the next change.
    poll : bool
        Look at all files again and again, instead of waiting for the system to report changes.
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
        for _ in looks(self._folders, self._stop, poll=self._poll, failed=self._failed):
            try:
                self._look()
            except Exception as error:  # the next change is another chance, and the window stays open
                self._failed(error)
