"""Where the Desk of a book stands: its host name, its port and its secrets, kept for the user alone."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import socket
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pokermodel._support.files import data_folder

__all__ = ["Place", "hold", "keep", "kept", "place_folder"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SECRET = re.compile(r"[A-Za-z0-9_-]{32}")  # 192 bits
_MOST = 4096  # bytes of the file
_FILE = "place.json"


@dataclass(frozen=True)
class Place:
    """Where a Desk is found, and what opens it.

    Attributes
    ----------
    name : str
        Twelve random letters, the first part of the host name. Cookies of plain ``127.0.0.1`` reach every server of the
        machine; those of this name reach only servers whose name is known.
    port : int
        Kept, so that addresses can be bookmarked.
    cookie, bearer : str
        Secrets of 192 random bits: of browsers, which keep theirs while the port stays, and of programs, new at each
        start.
    """

    name: str
    port: int
    cookie: str
    bearer: str

    @property
    def host(self) -> str:
        """The host names that browsers may use."""
        return f"{self.name}.localhost:{self.port}"

    @property
    def api(self) -> str:
        """Address for programs, which need no name of their own."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Address for browsers, which resolve names that end in ``localhost`` to this machine by themselves."""
        return f"http://{self.host}"


def place_folder(book: str) -> Path:
    """Return the folder of a book's Desk, which only the user reads.

    Parameters
    ----------
    book : str
        Path or URL of the book, as it is opened.
    """
    named = book if "://" in book else str(Path(book).resolve())
    folder = data_folder() / "desks" / hashlib.sha256(os.fsencode(named)).hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(stat.S_IRWXU)
    return folder


def kept(folder: Path) -> Place:
    """Return the place that the folder keeps; one that is new, and then kept, where there is none yet.

    Of several programs that ask for a new one at once, all get the same.

    Raises
    ------
    ValueError
        If the file holds anything else. It can be deleted: bookmarks of the old address end with it.
    """
    path = folder / _FILE
    if not path.exists():
        made = Place(
            name="".join(secrets.choice(_LETTERS) for _ in range(12)),
            port=_free_port(),
            cookie=secrets.token_urlsafe(24),
            bearer=secrets.token_urlsafe(24),
        )
        beside = folder / f".{secrets.token_hex(8)}"
        try:
            _write(beside, made)
            with suppress(FileExistsError):
                os.link(beside, path)  # whole, and never over another one
        finally:
            beside.unlink(missing_ok=True)
    with path.open("rb") as file:
        text = file.read(_MOST + 1)
    try:
        found = json.loads(text) if len(text) <= _MOST else {}
        if found.keys() != {"name", "port", "cookie", "bearer"} or type(found["port"]) is not int:
            raise ValueError
        place = Place(**found)
        right = re.fullmatch("[a-z]{12}", place.name) and 0 < place.port < 2**16
        if not right or not all(_SECRET.fullmatch(secret) for secret in (place.cookie, place.bearer)):
            raise ValueError
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise ValueError(f"{path}: expected name, port, cookie and bearer of a Desk; delete the file") from None
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    return place


def keep(folder: Path, place: Place, port: int) -> Place:
    """Keep a place at a port that was taken, with new secrets where another program may have got the old ones.

    The bearer was sent to the program that answered at the old port. Browsers send the cookie there as long as it is
    in use.
    """
    cookie = place.cookie if port == place.port else secrets.token_urlsafe(24)
    moved = replace(place, port=port, cookie=cookie, bearer=secrets.token_urlsafe(24))
    beside = folder / f".{secrets.token_hex(8)}"
    _write(beside, moved)
    beside.replace(folder / _FILE)
    return moved


def hold(port: int) -> list[socket.socket]:
    """Take a port of this machine.

    Parameters
    ----------
    port : int
        With 0, one that is free.

    Returns
    -------
    list of socket.socket
        The socket of 127.0.0.1, which listens; then that of ``::1``, where there is one. The second never listens:
        browsers may try it first, and no other program may answer there.

    Raises
    ------
    OSError
        If another program has the port.
    """
    first = _bound(socket.AF_INET, "127.0.0.1", port)
    held = [first]
    try:
        held.append(_bound(socket.AF_INET6, "::1", first.getsockname()[1]))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            first.close()
            raise  # else there is no ::1 here
    first.listen()
    return held


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
    except OSError:
        made.close()
        raise
    return made


def _free_port() -> int:
    held = hold(0)
    try:
        return int(held[0].getsockname()[1])
    finally:
        for each in held:
            each.close()


def _write(path: Path, place: Place) -> None:
    """Write a file of mode 0600 from its first byte on."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with open(number, "w", encoding="ascii") as file:
        json.dump(asdict(place), file)
        file.flush()
        os.fsync(number)
