"""The server of the Desk: one for each book, on this machine alone, until Ctrl-C."""

from __future__ import annotations

import http.client
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from pokermodel._support.files import data_folder
from pokermodel.desk.app import LIGHT, application
from pokermodel.desk.desk import FOLDER, Desk
from pokermodel.desk.guard import Guard
from pokermodel.desk.place import Place, hold, keep, kept, place_folder
from pokermodel.desk.watch import Watcher
from pokermodel.library import Book

__all__ = ["Opened", "serve"]

_PATIENCE = 2.0  # seconds for another Desk to answer


@dataclass(frozen=True)
class Opened:
    """Where a Desk is.

    Attributes
    ----------
    url : str
        The address to open once, within five minutes.
    api : str
        The address for programs.
    bearer : str
        Their secret.
    book : str
    """

    url: str
    api: str
    bearer: str
    book: str


class _Server(uvicorn.Server):
    """A server whose streams end when it is to end: else it would wait for them."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._desk.events.close()
        self.should_exit = True


def serve(
    book: str,
    folders: Sequence[Path],
    opened: Callable[[Opened], object],
    *,
    port: int | None = None,
    poll: bool = False,
    study_while_playing: bool = False,
    masked: bool = False,
) -> None:
    """Serve a book until the process is asked to end; where it is served already, only make a new address to open.

    Parameters
    ----------
    book : str
        Path or URL. It is made if there is none.
    folders : sequence of Path
        Folders to follow.
    opened : callable
        Called when requests are answered.
    port : int, optional
        Default: that of the last time.
    poll : bool
        Look at all files again and again, where the system does not tell of changes.
    study_while_playing : bool
    masked : bool
        Hide names and what was won.

    Raises
    ------
    OSError
        If `port` is another program's, or the port of the last time belongs to one that does not answer.
    BookError
        If the book cannot be opened.
    """
    folder = place_folder(book)
    place = kept(folder)
    if (token := _token_of(place, port)) is not None:
        opened(Opened(f"{place.url}/enter?token={token}", place.api, place.bearer, book))
        return
    sockets = _held(place, port)
    place = keep(folder, place, sockets[0].getsockname()[1])
    try:
        with Book(book) as own:
            folders = folders or [Path(each) for each in [own.mine.settings().get(FOLDER)] if each]
            watchers: list[Watcher] = []

            def follow(chosen: Path) -> None:
                watchers.append(Watcher([chosen], desk.look, _say, poll=poll))
                watchers[-1].start()

            desk = Desk(
                own,
                folders,
                folder / "work.db",
                study_while_playing=study_while_playing,
                masked=masked,
                sample=data_folder() / "sample",
                follow=follow,
            )
            guard = Guard(application(desk), place, light=LIGHT)
            config = uvicorn.Config(
                guard,
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=1,
                limit_concurrency=256,
            )
            server = _Server(config, desk)
            opened(Opened(f"{place.url}/enter?token={guard.token()}", place.api, place.bearer, book))
            desk.start()
            if folders:
                watchers.append(Watcher(folders, desk.look, _say, poll=poll))
                watchers[0].start()
            try:
                server.run(sockets[:1])
            finally:
                desk.events.close()
                for watcher in watchers:
                    watcher.close()
                desk.close()
    finally:
        for each in sockets:
            each.close()


def _held(place: Place, port: int | None) -> list[socket.socket]:
    """Take the port that was asked for, else that of a place, or another one where it is another program's."""
    if port is not None:
        return hold(port)
    try:
        return hold(place.port)
    except OSError:
        return hold(0)


def _token_of(place: Place, port: int | None) -> str | None:
    """Ask the Desk of this place for a token; None if there is none. One that is busy may not answer in time."""
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=_PATIENCE)
    try:
        connection.request("POST", "/enter", headers={"Authorization": f"Bearer {place.bearer}"})
        answer = connection.getresponse()
        text = answer.read(200).decode("ascii", "replace")
        return text if answer.status == 200 and len(text) == 32 and text.isascii() else None
    except TimeoutError:
        if port not in (None, place.port):
            return None  # the user knows better
        raise OSError(
            f"port {place.port} is in use, perhaps by this application, but does not answer: try again, or choose "
            "another --port"
        ) from None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _say(error: Exception) -> None:
    """Say what is wrong with files where the folders may be named: in the terminal."""
    with suppress(OSError):
        print(f"Warning: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
