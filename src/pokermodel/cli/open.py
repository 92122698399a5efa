"""``pokermodel open``: the Desk, an application in the browser."""

from __future__ import annotations

import gc
import json
import threading
import webbrowser
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.files import data_folder
from pokermodel.cli._completion import complete_book
from pokermodel.cli._options import JSON, POLL

if TYPE_CHECKING:
    from pokermodel.desk.serve import Opened

__all__ = ["open_desk"]

_BOOK = "book.db"
_PARTS = ("starlette", "uvicorn", "watchfiles")


@click.command("open")
@click.argument("folders", nargs=-1, metavar="[FOLDER...]", type=click.Path(path_type=Path))
@click.option(
    "--book", metavar="BOOK", shell_complete=complete_book, help="The book to open. Default: one in your data folder."
)
@click.option("--port", type=click.IntRange(1, 65535), help="Listen on this port. Default: that of the last time.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@POLL
@click.option("--study-while-playing", is_flag=True, help="Show ranges of a room while its hands come in.")
@click.option("--masked", is_flag=True, help="Hide names and what was won, as for a screen that others see.")
@JSON
def open_desk(
    folders: tuple[Path, ...],
    book: str | None,
    port: int | None,
    no_browser: bool,
    poll: bool,
    study_while_playing: bool,
    masked: bool,
    as_json: bool,
) -> None:
    """Open a local application in the browser: lists of hands, and every hand to step through.

    It follows every FOLDER in which poker rooms write hand histories, and keeps a book of the hands up to date. Without
    one it asks in the browser once, and follows the folder that was chosen there. Files are only read. It listens on
    this machine alone, and nothing leaves it. The line that is printed is an address that opens the application once,
    within five minutes; `pokermodel open` prints a new one at any time. Ctrl-C ends it.

    With --json the line is an object: url, api (for programs), bearer (as in "Authorization: Bearer ...") and book.
    """
    try:
        from pokermodel.desk.serve import serve
    except ModuleNotFoundError as missing:
        if missing.name not in _PARTS:
            raise
        raise ValueError(f'the application needs {missing.name}: pip install "pokermodel[desk]"') from None
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{folder}: there is no such folder of hand histories")
    if book is None:
        place = data_folder() / _BOOK
        place.parent.mkdir(parents=True, exist_ok=True)
        book = str(place)

    gc.freeze()  # modules stay, and what pages make at once is rows and text: there is little to look for
    gc.set_threshold(50_000)

    def opened(found: Opened) -> None:
        click.echo(json.dumps(asdict(found)) if as_json else found.url)
        if not (no_browser or as_json):
            threading.Thread(target=webbrowser.open, args=(found.url,), daemon=True).start()

    serve(
        book,
        [folder.absolute() for folder in folders],
        opened,
        port=port,
        poll=poll,
        study_while_playing=study_while_playing,
        masked=masked,
    )
