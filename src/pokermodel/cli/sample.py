"""``pokermodel sample``: hands and a spot to try everything with."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import click

from pokermodel._support.files import whole_file
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
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        path = folder / name
        if path.exists() and path.read_bytes() != content:
            raise ValueError(f"{path}: there is another file of this name: expected a folder without it")
    for name, content in contents.items():
        with whole_file(folder / name) as write:
            write(content)
    with Book(folder / _BOOK) as book:
        for name in HANDS:
            book.learn(open_hands(folder / name))
        players = len(book)
    if as_json:
        files = {str(folder / name): about for name, (about, _) in FILES.items()}
        click.echo(json.dumps({"files": files, "book": str(folder / _BOOK), "players": players}))
        return
    for name, (about, _) in FILES.items():
        click.echo(f"{folder / name}: {about}")
    click.echo(f"{folder / _BOOK}: a book of {players} players, learnt from all of these hands")
