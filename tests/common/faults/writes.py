"""Every write of learning fails, or is torn: of SQLite to its files, and of a client to a server of PostgreSQL.

The book afterwards is the old one, the new one, or the old one with new rows. It is sound, and learning once more makes
it the new one.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import pokermodel as pm

from ..books import HANDS, drop_all, known
from .preloaded import KILLED, ONCE, TORN, WRITES, Faults

__all__ = ["attempts", "cut_connections"]

OLD, NEW = HANDS[:3], HANDS[:5]
_KINDS = "statistics", "adaptive"  # two of those that a batch is learnt for
_MODES = {"that fail": ONCE, "torn, and all after them fail": TORN, "torn, and the process is killed": KILLED}


def _learn(where: str | Path) -> None:
    with pm.Book(where) as book:
        book.learn(NEW, kinds=_KINDS)


def _said(where: str) -> str:
    """Learn, and return the error, if there is one."""
    try:
        _learn(where)
    except pm.BookError as error:
        return str(error)
    return ""


def _checked(where: str | Path, books: dict[str, Any], learnt: bool, what: str) -> None:
    """Look at a book after a fault."""
    with pm.Book(where) as book:
        found = known(book)
        rows_alone = [*books["new"][:2], *books["old"][2:]]  # they come first, and then what readers learn of them
        between = books["old"], rows_alone
        assert found == books["new"] or (not learnt and found in between), f"{what}: neither old nor new"
        book.check()
    _learn(where)
    with pm.Book(where) as book:
        assert known(book) == books["new"], f"{what}: learning again gives something else"


def _books(where: Callable[[], str | Path], old: bool) -> dict[str, Any]:
    with pm.Book(where()) as book:
        if old:
            book.learn(OLD, kinds=_KINDS)
        before = known(book)
        book.learn(NEW, kinds=_KINDS)
        return {"old": before, "new": known(book)}


# ------------------------------------------------------------------------------------------------------- SQLite


def attempts(step: int = 1) -> Iterator[str]:
    """Have every `step`-th write of SQLite fail, in each way; in a process in which `preloaded` can do that."""
    faults = Faults()
    with tempfile.TemporaryDirectory() as name:
        for old in False, True:
            folder = Path(name, "old" if old else "none")
            folder.mkdir()
            start = folder / "start"
            if old:
                with pm.Book(start) as book:
                    book.learn(OLD, kinds=_KINDS)
            numbers = iter(range(10**6))
            books = _books(lambda folder=folder, numbers=numbers: folder / f"right{next(numbers)}", old)
            for way, mode in _MODES.items():
                number = 1
                while _write(faults, start, folder / "book", number, mode, books):
                    yield f"writes of SQLite {way}"
                    number += step


def _write(faults: Faults, start: Path, path: Path, number: int, mode: int, books: dict[str, Any]) -> bool:
    """Whether there were so many writes that one failed."""
    for each in path.parent.glob(f"{path.name}*"):
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    if start.exists():
        shutil.copyfile(start, path)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            faults.arm(WRITES, "sqlite3", number, mode)
            try:
                _learn(path)
                status = 10
            except pm.BookError:
                status = 11
            faults.disarm()
            if faults.met < number:
                status = 12
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    code = -1 if killed else os.waitstatus_to_exitcode(status)
    what = f"write {number} of SQLite, way {mode}, {'of an old book' if start.exists() else 'of a new file'}"
    assert code in ((-1, 12) if mode == KILLED else (10, 11, 12)), f"{what}: ended with {status}"
    if code == 12:
        return False
    _checked(path, books, code == 10, what)
    return True


# ------------------------------------------------------------------------------------------------------- PostgreSQL


class _Proxy:
    """Between a client and a server, message by message; cuts the connection at one of those of the client.

    Ways: the message is lost; half of it comes; it comes, and no answer does.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = host, port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.messages, self.wanted, self.way = 0, 0, "lost"
        self._lock = threading.Lock()
        self._relays: list[threading.Thread] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def aim(self, wanted: int, way: str) -> None:
        """Cut at a message from now on; 0 for none."""
        self.messages, self.wanted, self.way = 0, wanted, way

    def settle(self) -> None:
        """Wait for the connections that are there."""
        for relay in self._relays:
            relay.join()
        self._relays = []

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            relay = threading.Thread(target=self._relay, args=(client,), daemon=True)
            self._relays.append(relay)
            relay.start()

    def _relay(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server:
            silent = threading.Event()
            back = threading.Thread(target=self._answers, args=(server, client, silent), daemon=True)
            back.start()
            with suppress(OSError):
                first = True
                while message := _message(client, first):
                    first = False
                    with self._lock:
                        self.messages += 1
                        cut = self.messages == self.wanted
                    if not cut:
                        server.sendall(message)
                        continue
                    silent.set()
                    if self.way != "lost":
                        server.sendall(message if self.way == "unanswered" else message[: len(message) // 2])
                    break
            with suppress(OSError):
                server.shutdown(socket.SHUT_WR)
            back.join()  # until the server has done what it still had to do

    @staticmethod
    def _answers(server: socket.socket, client: socket.socket, silent: threading.Event) -> None:
        with suppress(OSError):
            while data := server.recv(1 << 16):
                if not silent.is_set():
                    client.sendall(data)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


def _message(client: socket.socket, first: bool) -> bytes:
    """The next message of the protocol: a type, but in the first one, a length and so many bytes; empty at the end."""
    head = _exactly(client, 4 if first else 5)
    if not head:
        return b""
    (length,) = struct.unpack("!I", head[-4:])
    return head + _exactly(client, length - 4)


def _exactly(client: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = client.recv(size - len(found))
        if not more:
            return b""
        found += more
    return found


def cut_connections(address: str, step: int = 1, starts: Sequence[bool] = (True, False)) -> Iterator[str]:
    """Have every `step`-th message to a server be lost, torn or without an answer, while a book learns.

    The address is that of an empty database; `starts` says whether there is an old book, or nothing.
    """
    direct = sa.make_url(address)
    proxy = _Proxy(direct.host or "127.0.0.1", direct.port or 5432)
    query = {**direct.query, "sslmode": "disable", "gssencmode": "disable"}
    by_proxy = direct.set(host="127.0.0.1", port=proxy.port, query=query).render_as_string(hide_password=False)

    def emptied() -> str:
        drop_all(address)
        return address

    try:
        for old in starts:
            books = _books(emptied, old)
            for way in "lost", "torn", "unanswered":
                number = 1 + step // 2
                while True:
                    emptied()
                    if old:
                        with pm.Book(address) as book:
                            book.learn(OLD, kinds=_KINDS)
                    proxy.aim(number, way)
                    what = f"message {number} to PostgreSQL {way}, {'of an old book' if old else 'of a new one'}"
                    said = _said(by_proxy)
                    assert said.count("\n") == 0, f"{what}: {said}"
                    proxy.settle()
                    if proxy.messages < number:
                        break
                    _checked(address, books, not said, what)
                    yield f"messages to PostgreSQL {way}"
                    number += step
    finally:
        proxy.close()
