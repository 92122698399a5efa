"""``pokermodel sample``: hands and a spot to try everything with."""

from __future__ import annotations

import json
import lzma
import os
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from pokermodel._support.files import write_bytes
from pokermodel.cli._options import JSON

__all__ = ["FILES", "HANDS", "contents", "sample"]

#: The files of hands, with what is in each and where it is among the data of the package.
HANDS = {
    "no-limit.txt": ("40 hands of no limit for six, as PokerStars writes them for Robin", "samples/no-limit.txt"),
    "limit.txt": ("40 hands of limit, likewise", "samples/limit.txt"),
    "heads-up.log": ("3,000 hands of no limit between Sam and Kit, as the ACPC logs them", "samples/heads-up.log.xz"),
    "hands.phh": ("a hand of limit, the one that `pokermodel read` shows", "example.phh"),
    "cash.phhs": ("five hands of no limit", "samples/cash.phhs"),
    "match.log": ("three hands of an ACPC match", "samples/match.log"),
    "holdem.199504.tgz": ("two hands as the IRC poker database keeps them", "samples/holdem.199504.tgz"),
}
#: All files.
FILES = HANDS | {"spot.toml": ("a river for `pokermodel solve`", "samples/spot.toml")}
_BOOK = "players.db"


def contents(name: str) -> bytes:
    """Return what is in one of `FILES`."""
    _, place = FILES[name]
    data = resources.files("pokermodel").joinpath("data", place).read_bytes()
    return lzma.decompress(data) if place.endswith(".xz") else data


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@JSON
def sample(folder: Path, as_json: bool) -> None:
    """Write made-up hands into a folder, with a spot to solve and a book that has learnt from the hands.

    Try them with these commands, which the documentation explains:

    \b
      pokermodel study no-limit.txt --hero Robin           a call on the river that loses 5 bb
      pokermodel profile Kit --book players.db --exploits  a player who folds too much to bets on the turn
      pokermodel list limit.txt                            a session of limit
      pokermodel solve spot.toml                           the best play on a river

    The folder is created if it does not exist. Files that exist are not overwritten.
    """  # noqa: D301 (a backspace, by which click keeps lines as they are)
    from pokermodel.histories import open_hands
    from pokermodel.learning.store import Book

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
                for name in HANDS:
                    book.learn(open_hands(folder / name))
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
