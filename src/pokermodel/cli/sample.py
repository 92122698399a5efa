"""``pokermodel sample``: hands and a spot to try everything with."""

from __future__ import annotations

import json
import os
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from pokermodel._support.files import write_bytes
from pokermodel.cli._options import JSON

__all__ = ["FILES", "HANDS", "sample"]

#: The files of hands, with what is in each and where it is among the data of the package.
HANDS = {
    "no-limit.txt": ("an evening of no limit for six, as PokerStars writes it for Robin", "samples/no-limit.txt"),
    "limit.txt": ("the same of limit", "samples/limit.txt"),
    "hands.phh": ("a hand of limit, the one that `pokermodel read` shows", "example.phh"),
    "cash.phhs": ("five hands of no limit", "samples/cash.phhs"),
    "match.log": ("three hands of an ACPC match", "samples/match.log"),
    "holdem.199504.tgz": ("two hands as the IRC poker database keeps them", "samples/holdem.199504.tgz"),
}
#: All files.
FILES = HANDS | {"spot.toml": ("a river for `pokermodel solve`", "samples/spot.toml")}
_BOOK = "players.db"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@JSON
def sample(folder: Path, as_json: bool) -> None:
    """Write hands to try everything with into a folder, a spot to solve, and a book that has learnt from the hands.

    All hands are made up. The folder is created if there is none; files that are there already are not overwritten.
    The examples of the documentation run in it.
    """
    from pokermodel.histories import open_hands
    from pokermodel.learning.store import Book

    data = resources.files("pokermodel").joinpath("data")
    contents = {name: data.joinpath(place).read_bytes() for name, (_, place) in FILES.items()}
    path = folder / _BOOK
    there = {name for name in (*contents, _BOOK) if os.path.lexists(folder / name)}
    # a book is taken for that of an earlier `sample` where all files are there, and never learns anything
    other = [name for name in contents if name in there and (folder / name).read_bytes() != contents[name]]
    if other or (_BOOK in there and there != {*contents, _BOOK}):
        raise ValueError(
            f"{folder / (other or [_BOOK])[0]}: there is another file of this name: expected a folder without it"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in contents.keys() - there:
        write_bytes(folder / name, contents[name])
    if _BOOK not in there:
        with TemporaryDirectory(dir=folder, prefix=".") as own:
            with Book(Path(own) / _BOOK) as book:
                for name in HANDS:
                    book.learn(open_hands(folder / name))
            (Path(own) / _BOOK).replace(path)
    with Book(path, create=False) as book:
        players = len(book)
    if as_json:
        files = {str(folder / name): about for name, (about, _) in FILES.items()}
        click.echo(json.dumps({"files": files, "book": str(path), "players": players}))
        return
    for name, (about, _) in FILES.items():
        click.echo(f"{folder / name}: {about}")
    click.echo(f"{path}: a book of {players} players, learnt from all of these hands")
