"""``pokermodel sample``: hands and a spot to try everything with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from pokermodel._support.files import write_bytes
from pokermodel.cli._options import JSON

__all__ = ["sample"]

_BOOK = "players.db"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@JSON
def sample(folder: Path, as_json: bool) -> None:
    """Write made-up hands into a folder, with a spot to solve and a book that has learnt from the hands.

    Try them with these commands, which the documentation explains:

    \b
      pokermodel study no-limit.txt --hero Robin           a call that loses 5 bb
      pokermodel profile Kit --book players.db --exploits  who folds turns
      pokermodel list limit.txt                            a session of limit
      pokermodel solve spot.toml                           the best play

    The folder is created if it does not exist. Files that exist are not overwritten.
    """  # noqa: D301 (a backspace, by which click keeps lines as they are)
    from pokermodel.histories.samples import FILES, HANDS, contents
    from pokermodel.learning import select_kinds
    from pokermodel.library import Book
    from pokermodel.library.knowledge import learn_files

    files = {name: contents(name) for name in FILES}
    path = folder / _BOOK
    there = {name for name in (*files, _BOOK) if os.path.lexists(folder / name)}
    # a book is taken for that of an earlier `sample` where all files are there, and never learns anything
    other = [name for name in files if name in there and (folder / name).read_bytes() != files[name]]
    if other or (_BOOK in there and there != {*files, _BOOK}):
        raise ValueError(
            f"{folder / (other or [_BOOK])[0]}: there is another file of this name: expected a folder without it"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in files.keys() - there:
        write_bytes(folder / name, files[name])
    if _BOOK not in there:
        with TemporaryDirectory(dir=folder, prefix=".") as own:
            with Book(Path(own) / _BOOK) as book:
                learn_files(book, select_kinds(), *(folder / name for name in HANDS))
            (Path(own) / _BOOK).replace(path)
    with Book(path, create=False) as book:
        players = len(book)
    if as_json:
        written = {str(folder / name): about for name, (about, _) in FILES.items()}
        click.echo(json.dumps({"files": written, "book": str(path), "players": players}))
        return
    for name, (about, _) in FILES.items():
        click.echo(f"{folder / name}: {about}")
    click.echo(f"{path}: a book of {players} players, learnt from all of these hands")
