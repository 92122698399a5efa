"""A book that is open: the folders that it follows, what goes on, and what waits while a room is played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.responses import Response

from pokermodel.desk.events import Events
from pokermodel.desk.judging import Judging
from pokermodel.errors import BookError
from pokermodel.histories.samples import write_hands
from pokermodel.histories.usual_folders import UsualFolder, usual_folders
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import last_time, rooms_since
from pokermodel.report.document import Page
from pokermodel.report.frame import frame, line_words, status_words
from pokermodel.report.start import SAMPLE

__all__ = ["FOLDER", "PLAYING", "Desk"]

#: The setting that names the folder which the user chose.
FOLDER = "folder"
#: Seconds after the last hand of a room for which it is being played.
PLAYING = 600
_OFTEN = 10  # seconds after which it is looked up again, without a new hand
_DAY = 24 * 3600
_VISITED = "visited"  # the time of the last hand that was there to see
_AT_ONCE = 100_000  # seats that are counted before a request may be answered


class Desk:
    """A book and the folders that it follows.

    Parameters
    ----------
    book : Book
    folders : sequence of Path
        Where hand histories are, and come.
    work : Path
        The table of work.
    study_while_playing : bool
        Whether ranges are shown of rooms that are being played.
    masked : bool
        Whether names and what was won are hidden, as for a screen that others see.
    sample : Path, optional
        Where the sample is put if the user chooses it.
    follow : callable
        Begins to follow a folder that the user chose, as it is asked where there are neither hands nor folders.

    Attributes
    ----------
    lock : threading.Lock
        Held while the columns of the book are in use: they are extended by one thread at a time.
    visited : int or None
        The time of the last hand that was there to see at the last visit.
    files : dict of str to str
        Styles and scripts that pages have named.
    """

    def __init__(
        self,
        book: Book,
        folders: Sequence[Path],
        work: Path,
        *,
        study_while_playing: bool = False,
        masked: bool = False,
        sample: Path | None = None,
        follow: Callable[[Path], object] = lambda folder: None,
    ) -> None:
        self.book = book
        self.events = Events()
        self.lock = threading.Lock()
        self.files: dict[str, str] = {}
        visited = book.mine.settings().get(_VISITED, "")
        self.visited = int(visited) if visited.isdecimal() else None
        self.judging = Judging(
            book, work, self.lock, waits=self.playing, reading=lambda: self._reading, changed=self.tell
        )
        self._folders = list(folders)
        self._lifted = study_while_playing
        self._left_out, self._problem = 0, ""
        self._reading = bool(folders)
        self._looked = False
        self._played: tuple[tuple[int, int], frozenset[str]] = (0, 0), frozenset()
        self._sample, self._follow, self._masked = sample, follow, masked
        self._usual: list[UsualFolder] | None = None

    def start(self) -> None:
        """Begin to do what was asked for before."""
        self.judging.work.start()
        if not self._folders:
            self.judging.learn()

    def close(self) -> None:
        """End what is done in the background, and note what was there to see."""
        self.judging.work.close()
        with suppress(BookError, OSError):  # a book that is only read
            if (last := last_time(self.book)) is not None:
                self.book.mine.set(_VISITED, str(last))

    def look(self) -> None:
        """Read what is new in the folders."""
        self._reading = True
        try:
            folders = [folder for folder in self._folders if folder.exists()]
            found = update(self.book, *folders, progress=lambda hands: self.tell())
            self._left_out, self._problem = len(found.errors), ""
        except (OSError, BookError) as error:
            self._problem = line_words(error)
            raise
        finally:
            self._reading = False
            self.tell()
        if found.read or found.gone or not self._looked:
            self._looked = True
            self.judging.learn()
        self.judging.work.wake()
        counted = False
        while not (counted or self.events.closed):  # what is usual is known before a player is looked at
            with self.lock:
                counted = self.book.everybody.count(_AT_ONCE)

    def tell(self) -> None:
        """Send what has changed to all tabs."""
        self.events.publish("status", {"text": self.status()})
        self.events.publish("hands", {"total": self.book.hands})
        self.events.publish("work", self.judging.news())

    def status(self) -> str:
        """What goes on, in a line."""
        return status_words(
            self.book.hands,
            reading=self._reading,
            playing=sorted(self.playing()),
            left_out=self._left_out,
            problem=self._problem,
            waiting=self.judging.waiting(),
        )

    def playing(self) -> frozenset[str]:
        """The rooms that are being played, as far as it matters. A clock of another time zone is a day off at most."""
        if self._lifted:
            return frozenset()
        now = int(time.time())
        at = self.book.hands, now // _OFTEN
        if self._played[0] != at:  # all hands are looked at, which takes long where there are a million
            self._played = at, frozenset(rooms_since(self.book, now - PLAYING, now + _DAY))
        return self._played[1]

    def lift(self) -> None:
        """Show ranges of rooms that are being played until the end of the process."""
        self._lifted = True
        self.judging.work.wake()
        self.tell()

    def page(self, body: Page, here: str = "", status: int = 200, **around: Any) -> Response:
        """A page in the frame of a screen; its files can then be asked for."""
        framed = body.framed({**frame(here, status=self.status(), **around), "masked": self._masked})
        self.files.update(framed.files)
        return Response(framed.html, status, media_type="text/html")

    # --------------------------------------------------------------------------------------------- the first minute

    def asks(self) -> bool:
        """Whether there is nothing to show, and no folder to read."""
        return not (self._folders or self.book.hands)

    def proposed(self) -> list[UsualFolder]:
        """Folders in which rooms write, as they were when they were first looked for: answers are numbers of them."""
        if self._usual is None:
            self._usual = usual_folders()
        return self._usual

    def choose(self, which: str) -> None:
        """Begin to follow the sample, or a proposed folder by its number, unless there is one; `KeyError` if not."""
        with self.lock:
            if not self.asks():
                return
            if which == SAMPLE and self._sample is not None:
                write_hands(self._sample)
                chosen = self._sample
            else:
                chosen = {str(k): each.path for k, each in enumerate(self.proposed())}[which]
            self._folders.append(chosen)
            self._reading = True
        self.book.mine.set(FOLDER, str(chosen))
        self._follow(chosen)
