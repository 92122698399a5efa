"""Nothing can damage a book: killed processes, several writers, full disks, folders that are locked, foreign files."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.histories import phh
from pokermodel.library import Learnt
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, STATISTICS, contents, learnt, played
from tests.common.faults import preloaded
from tests.common.faults.writes import cut_connections
from tests.common.patience import PATIENCE

START = """
import json, os, random, sys
from tests.common.books import HANDS, STATISTICS, contents, in_batches_of, learnt, pm
from pokermodel.cli import main
arguments = sys.argv[1:]
"""


def start(script: str, *arguments: object, wrapper: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Run a script that has imported what it needs; it prints JSON."""
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.Popen(
        [*wrapper, sys.executable, "-c", START + script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([root, *sys.path])},
    )


def finish(process: subprocess.Popen[str], seconds: float = PATIENCE) -> Any:
    with process:
        output, errors = process.communicate(timeout=seconds)
    assert process.returncode == 0, errors
    return json.loads(output or "null")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS))
    return path


# ---------------------------------------------------------------------------------------------- killed, side by side

KILL = """
from tests.common.faults.kills import kill_learning
print(json.dumps(kill_learning(arguments[0], arguments[1], int(arguments[2]))))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kills", [6, pytest.param(1000, marks=pytest.mark.slow)])
def test_killed_at_any_statement(database: str, history: Path, kills: int) -> None:
    history.write_text(phh.dumps_all(HANDS[:16]))
    stops = finish(start(KILL, database, history, kills), PATIENCE + 10 * kills)
    assert len(stops) == kills + 1
    assert stops[0] == 16
    assert len(set(stops)) > 3  # they were different ones


@pytest.mark.skipif(preloaded.lacking() is not None, reason=str(preloaded.lacking()))
def test_writes_that_fail(tmp_path: Path) -> None:
    """Or are torn: the book is the old one or the new one. Some of all writes, which tools/inject_faults.py tries."""
    counts = preloaded.run("writes", tmp_path, 97)
    assert len(counts) == 3
    assert sum(counts.values()) >= 6


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_messages_that_are_lost(database: str) -> None:
    """Or torn, or without an answer."""
    counts = Counter(cut_connections(database, 251, [True]))
    assert len(counts) == 3
    assert counts.total() >= 3


LEARN = """
in_batches_of(2)
pm.Book(arguments[0]).learn(HANDS[int(arguments[1])::2], kinds=STATISTICS)
"""


def test_two_writers_lose_nothing(database: str) -> None:
    both = [start(LEARN, database, k) for k in (0, 1)]
    for process in both:
        finish(process)
    with pm.Book(database) as book:
        assert contents(book) == contents(learnt(HANDS))


MANY = """
in_batches_of(3)
k = int(arguments[1])
hands = [*HANDS[k::10], *HANDS[:12], *HANDS[(k + 1) % 10::10]]  # some of its own, some of all, some of another's
random.Random(k).shuffle(hands)
found = pm.Book(arguments[0]).learn(hands, kinds=["statistics", "adaptive"])
print(json.dumps([dict(found.new_to), found.new + found.known]))
"""


@pytest.mark.slow
def test_ten_writers_lose_and_double_nothing(database: str) -> None:
    """The same hands and others: each is learnt once, for every kind."""
    reports = [finish(process) for process in [start(MANY, database, k) for k in range(10)]]
    for kind in ("statistics", "adaptive"):
        assert sum(new[kind] for new, _ in reports) == len(HANDS)
    assert all(hands == 20 for _, hands in reports)
    with pm.Book(database) as book:
        assert contents(book) == contents(learnt(HANDS))
        people = book.knowledge(PopulationModel)
        assert people is not None
        assert people.hands == len(HANDS)
        assert book.learn(HANDS, kinds=["statistics", "adaptive"]) == (0, len(HANDS))


def test_two_commands_with_the_same_hands(database: str, history: Path) -> None:
    script = "sys.exit(main(['learn', arguments[1], '--book', arguments[0], '--json']))"
    reports = [finish(process) for process in [start(script, database, history) for _ in range(2)]]
    assert sum(report["new_to"]["statistics"] for report in reports) == len(HANDS)
    with pm.Book(database) as book:
        assert contents(book) == contents(learnt(HANDS))


def test_every_database_keeps_the_same(database: str) -> None:
    with pm.Book(database) as book:
        assert book.learn(HANDS[:25], kinds=STATISTICS) == Learnt(25, 0)
        assert book.merge(learnt(HANDS[20:])) == Learnt(15, 5)
    with pm.Book(database, create=False) as book:
        assert contents(book) == contents(learnt(HANDS))
        assert book["Ann"] == learnt(HANDS)["Ann"]
        again = learnt([])
        again.merge(book)
        assert contents(again) == contents(book)


# ------------------------------------------------------------------------------------------ what is no book of ours


def commands(book: object, history: Path) -> Iterator[list[str]]:
    yield ["learn", str(history), "--book", str(book)]
    yield ["profile", "--book", str(book)]


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says that fails, which must be one line."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main(arguments)
    output = capsys.readouterr()
    assert left.value.code == 2
    assert output.out == ""
    (line,) = output.err.splitlines()
    assert line.startswith("Error: ")
    return line


def test_foreign_files_are_left_alone(tmp_path: Path, history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text"
    text.write_text("a diary\n" * 1000)
    other = tmp_path / "other"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE diary (day TEXT)")
    connection.close()
    another = tmp_path / "another"
    with pm.Book(another) as book:
        book.learn(HANDS, kinds=STATISTICS)
    with sqlite3.connect(another) as connection:
        connection.execute("UPDATE _book SET version = 99")
    connection.close()
    for path, message in (text, "not a database"), (other, "something else"), (another, "made by another version"):
        before = path.read_bytes()
        for arguments in commands(path, history):
            line = refused(arguments, capsys)
            assert message in line
            assert str(path) in line
        assert path.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"text", "other", "another", "hands.phhs"}


def test_foreign_databases_are_left_alone(database: str, history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pm.Book(database) as book:
        book.learn(HANDS, kinds=STATISTICS)
        known = contents(book)
        about = sa.text("UPDATE _book SET version = :version")
        with book._database.transaction(write=True) as connection:
            version = connection.scalar(sa.text("SELECT version FROM _book"))
            connection.execute(about, {"version": 99})
        for arguments in commands(database, history):
            assert "was made by another version" in refused(arguments, capsys)
        with book._database.transaction(write=True) as connection:
            connection.execute(about, {"version": version})
        assert contents(book) == known
        with book._database.transaction(write=True) as connection:
            connection.execute(sa.text("ALTER TABLE _book RENAME TO diary"))
        for arguments in commands(database, history):
            assert "is no book: it is a database of something else" in refused(arguments, capsys)
        with book._database.transaction(write=True) as connection:
            connection.execute(sa.text("ALTER TABLE diary RENAME TO _book"))
        assert contents(book) == known


def test_a_server_that_is_not_there(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("psycopg")
    for arguments in commands("postgresql://nobody@127.0.0.1:1/nothing", history):
        assert "127.0.0.1" in refused(arguments, capsys)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_database_that_may_only_be_read(database: str, history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pm.Book(database) as book:
        book.learn(HANDS[:5], kinds=STATISTICS)
        known = contents(book)
        locked = f"{database}%20-cdefault_transaction_read_only=on"
        assert "read-only transaction" in refused(["learn", str(history), "--book", locked], capsys)
        with pm.Book(locked, create=False) as reader:
            assert contents(reader) == known
        assert contents(book) == known


# ---------------------------------------------------------------------------------------------------- no room, no right


def test_a_database_that_is_full(tmp_path: Path) -> None:
    path = tmp_path / "full"
    with pm.Book(path) as book:
        book.learn(HANDS[:5], kinds=STATISTICS)
        known = contents(book)
        sa.event.listen(book._database.engine, "begin", lambda c: c.exec_driver_sql("PRAGMA max_page_count = 1"))
        with pytest.raises(pm.BookError, match=r"full"):
            book.learn([played(k, k, (f"a{k}", f"b{k}", f"c{k}")) for k in range(100)])
    with pm.Book(path) as book:
        assert contents(book) == known


FULL = """
import contextlib, io
folder, history = arguments
in_batches_of(10)
book = os.path.join(folder, "book")
code = None
with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()):
    try:
        main(["learn", history, "--book", book, "--for", "statistics"])
    except SystemExit as left:
        code = left.code
hands = list(pm.open_hands(history))
with pm.Book(book, create=False) as found:
    number = found.hands
    whole = contents(found) == contents(learnt(hands[:number]))
os.system(f"mount -o remount,size=64m {folder}")
with pm.Book(book) as found:
    found.learn(hands, kinds=STATISTICS)
    resumed = contents(found) == contents(learnt(hands))
print(json.dumps([code, errors.getvalue(), number, whole, resumed]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mounts a small disk, as Linux does")
def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    history = tmp_path / "many.phhs"
    history.write_text(phh.dumps_all([played(k, k, ("Ann", f"b{k % 7}", "Cid")) for k in range(300)]))
    mount = (
        *("unshare", "--map-root-user", "--mount", "sh", "-c"),
        f'mount -t tmpfs -o size=400k tmpfs {disk} && "$@"',
        "-",
    )
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a disk cannot be mounted here")
    code, errors, number, whole, resumed = finish(start(FULL, disk, history, wrapper=mount))
    assert code == 2
    assert errors == f"Error: {disk / 'book'}: database or disk is full\n"
    assert 0 < number < 300
    assert whole
    assert resumed


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder with a book in it, and one without, in which only the superuser can write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "with").mkdir()
        (folder / "without").mkdir()
        with pm.Book(folder / "with" / "book") as book:
            book.learn(HANDS[:5], kinds=STATISTICS)
        (folder / "hands.phhs").write_text(phh.dumps_all(HANDS))
        (folder / "hands.phhs").chmod(0o444)
        (folder / "with" / "book").chmod(0o444)
        for part in "with", "without":
            (folder / part).chmod(0o555)
        yield folder
        for part in "with", "without":
            (folder / part).chmod(stat.S_IRWXU)


LOCKED = """
import contextlib, io
from pathlib import Path
folder = Path(arguments[0])
hands = list(pm.open_hands(folder / "hands.phhs"))
learnt(hands).profile("Ann")
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    for command in "learn", "profile":
        main([command, str(folder / "hands.phhs"), "--book", "sqlite://"])
if os.geteuid() == 0:  # who may write anywhere; what was not imported so far may be out of reach for others
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
found = []
for place in "with", "without":
    book = folder / place / "book"
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            main(["learn", str(folder / "hands.phhs"), "--book", str(book)])
        except SystemExit as left:
            found.append([left.code, errors.getvalue()])
with pm.Book(folder / "with" / "book", create=False) as book:
    readable = contents(book) == contents(learnt(hands[:5]))
print(json.dumps([found, readable]))
"""


@pytest.mark.skipif(os.name != "posix", reason="folders are locked in another way")
def test_a_locked_folder(locked: Path) -> None:
    if any(not parent.stat().st_mode & stat.S_IXOTH for parent in locked.parents):
        pytest.skip(f"others cannot look into {locked}")
    path = locked / "with" / "book"
    before = path.read_bytes()
    found, readable = finish(start(LOCKED, locked))
    assert readable
    assert [code for code, _ in found] == [2, 2]
    assert found[0][1] == f"Error: {path}: attempt to write a readonly database\n"
    assert found[1][1] == f"Error: {locked / 'without' / 'book'}: unable to open database file\n"
    assert path.read_bytes() == before
    assert [each.name for each in (locked / "with").iterdir()] == ["book"]
    assert not list((locked / "without").iterdir())


def test_a_locked_folder_in_which_its_owner_writes(locked: Path) -> None:
    """Another user reads the hands that are not yet in the file itself."""
    if os.geteuid() != 0:
        pytest.skip("needs to be another user")
    path = locked / "with" / "book"
    with pm.Book(path) as writer:
        writer.learn(HANDS[5:7], kinds=STATISTICS)
        assert path.with_name("book-wal").stat().st_size
        (number,) = finish(start(READER, path))
    assert number == 7


READER = """
os.setgid(65534)
os.setuid(65534)
with pm.Book(arguments[0], create=False) as book:
    print(json.dumps([book.hands]))
"""
