"""Books in which bytes are wrong: nothing wrong is shown, and what is whole is saved."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli import main
from pokermodel.errors import BookError
from pokermodel.histories import phh
from pokermodel.learning import _tables
from pokermodel.learning._pages import rows
from pokermodel.learning.salvage import Check, check, save
from pokermodel.learning.store import Learnt
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, STATISTICS, contents, counted, exported, learnt, played
from tests.common.old_books import written

KNOWN = HANDS[:20]
#: Knowledge of models that is kept beside the statistics.
KEPT = (("bpp", ""), ("adaptive", ""))
MORE = [played(k, k, (f"a{k}", f"b{k}", "Ann")) for k in range(100, 140)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A book of many pages, with statistics and what models learnt."""
    path = tmp_path_factory.mktemp("sound") / "book"
    with pm.Book(path) as book:
        book.learn(KNOWN)
        book.learn(MORE, kinds=STATISTICS)
    return path


def asked(path):
    """All that is asked of a book, each on its own, as text or the error."""

    def answer(ask):
        try:
            return repr(ask())
        except BookError as error:
            return error

    def everything(book):
        return {
            "names": lambda: list(book),
            "hands": lambda: book.hands,
            "profiles": lambda: [book.profile(name).to_dict() for name in ("Ann", "Bob", "a105")],
            "contexts": lambda: sorted(book.contexts("Ann").rich.items()),
            "breakdown": lambda: {key: each.hands for key, each in book.breakdown("position", "Ann").items()},
            "population": lambda: sorted(book.population().rich.items()),
            "tables": lambda: book.knowledge(BayesTables).to_bytes(),
            "people": lambda: book.knowledge(PopulationModel).to_bytes(),
            "added": lambda: list(book.contributions()),
            "again": lambda: tuple(book.learn(KNOWN[3:6], kinds=STATISTICS)),
        }

    try:
        with pm.Book(path, create=False) as book:
            return {what: answer(ask) for what, ask in everything(book).items()}
    except BookError as error:
        return {"open": error}


def flipped(sound, path, place, bit):
    data = bytearray(sound.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.parametrize("flips", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_a_flipped_bit_shows_nothing_wrong_and_loses_little(sound, tmp_path, flips):
    """Each figure is right, or there is an error of one line; and what can be saved is as it was."""
    expected = asked(shutil.copy(sound, tmp_path / "copy"))
    hands = dict(counted([*KNOWN, *MORE]))
    rng, size = random.Random(flips), sound.stat().st_size
    errors = lost = 0
    for number in range(flips):
        path, to = tmp_path / f"{number}", tmp_path / f"{number}.saved"
        flipped(sound, path, rng.randrange(size), rng.randrange(8))
        before = path.read_bytes()
        found = asked(path)
        wrong = {what: error for what, error in found.items() if isinstance(error, BookError)}
        assert not any("\n" in str(error) for error in wrong.values())
        right = found.keys() - wrong
        assert {what: found[what] for what in right} == {what: expected[what] for what in right}
        path.write_bytes(before)
        outcome = save(path, to)
        assert path.read_bytes() == before
        assert outcome.problems or not wrong
        errors += bool(outcome.problems)
        with pm.Book(to, create=False) as saved:
            assert saved.problems() == []
            assert saved.hands == outcome.hands
            assert all(hands[identity] == hand for identity, hand in saved.contributions())
            lost += len(hands) - saved.hands
            if ("adaptive", "") in outcome.kept:
                assert repr(saved.knowledge(PopulationModel).to_bytes()) == expected["people"]
            if ("bpp", "") in outcome.kept:
                assert repr(saved.knowledge(BayesTables).to_bytes()) == expected["tables"]
                assert saved.learn(KNOWN, kinds=["bpp"]) == Learnt(0, len(KNOWN))
    assert errors > flips / 3
    assert lost / flips < 10  # on the average; a page has some of them


def test_a_sound_book(sound, tmp_path):
    assert check(sound) == Check((), 60, 0, KEPT, ())
    assert save(sound, tmp_path / "copy") == check(sound)
    with pm.Book(sound) as book, pm.Book(tmp_path / "copy") as copy:
        assert exported(copy) == exported(book)
        for kind in BayesTables, PopulationModel:
            assert copy.knowledge(kind).to_bytes() == book.knowledge(kind).to_bytes()
        assert copy.learn(KNOWN) == Learnt(0, len(KNOWN))


def damaged(sound, path, *statements):
    shutil.copy(sound, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def test_what_was_lost_is_learnt_again(sound, tmp_path):
    path = damaged(sound, tmp_path / "book", "UPDATE learnt SET added = X'00' || added WHERE number IN (3, 8)")
    outcome = save(path, tmp_path / "saved")
    assert outcome[1:5] == (58, 2, KEPT, ())
    with pm.Book(tmp_path / "saved") as book, pm.Book(sound) as whole:
        learning = book.learn(KNOWN, kinds=STATISTICS)
        assert learning.new > 0
        book.learn(MORE, kinds=STATISTICS)
        assert exported(book) == exported(whole)


@pytest.mark.parametrize(
    ("statement", "hands", "kept"),
    [
        ("DELETE FROM counters WHERE player = 2", 60, True),
        ("UPDATE players SET recent = '' WHERE name = 'Ann'", 60, True),
        ("UPDATE players SET checks = X''", 60, True),  # the index has the names
        ("UPDATE knowledge SET content = X'00' WHERE kind = 'statistics'", 60, True),
        ("UPDATE knowledge SET content = X'00' WHERE kind = 'bpp'", 60, False),
        ("DELETE FROM learnt WHERE added IS NULL AND number < 30", 60, False),
    ],
)
def test_what_can_be_worked_out_again(sound, tmp_path, statement, hands, kept):
    path = damaged(sound, tmp_path / "book", statement)
    outcome = save(path, tmp_path / "saved")
    assert outcome.problems
    assert (outcome.hands, ("bpp", "") in outcome.kept) == (hands, kept)
    with pm.Book(tmp_path / "saved") as book, pm.Book(sound) as whole:
        assert exported(book) == exported(whole)
        assert (book.knowledge(BayesTables) is not None) == kept


def test_a_book_without_its_first_page(sound, tmp_path):
    """SQLite takes it for no database."""
    path = tmp_path / "book"
    data = sound.read_bytes()
    path.write_bytes(bytes(4096) + data[4096:])
    with pytest.raises(BookError):
        pm.Book(path)
    outcome = save(path, tmp_path / "saved")
    assert (outcome.hands, outcome.kept) == (60, KEPT)
    with pm.Book(tmp_path / "saved") as book, pm.Book(sound) as whole:
        assert exported(book) == exported(whole)


def test_rows_of_a_file(tmp_path):
    """Those that SQLite has, long ones included."""
    path = tmp_path / "file"
    values = [
        (None, 1, -1, 1 << 40, -(1 << 62)),
        (None, 0.5, "x\u00e4", b"\0" * 9000, None),
        (None, "y" * 5000, b"", 0, 300),
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA page_size = 1024")
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values * 30)
    found = [
        row for row in rows(path.read_bytes()) if row.id is not None and len(row.values) == 5 and row.values[0] is None
    ]
    assert sorted(row.id for row in found if row.values[1:] == values[0][1:]) == list(range(1, 91, 3))
    assert sorted(row.id for row in found if row.values[1:] == values[1][1:]) == list(range(2, 91, 3))
    assert sorted(row.id for row in found if row.values[1:] == values[2][1:]) == list(range(3, 91, 3))


@pytest.mark.usefixtures("backend")
def test_books_in_any_database(tmp_path):
    from tests.common import books

    where = books.empty()
    if where == "sqlite://":
        where = str(tmp_path / "book")
    with pm.Book(where) as book:
        book.learn(KNOWN)
        assert check(where) == Check((), 20, 0, KEPT, ())
        with book._database.transaction(write=True) as connection:
            connection.execute(_tables.PLAYERS.update().values(recent="zz"))
            connection.execute(sa.delete(_tables.COUNTERS))
    outcome = save(where, tmp_path / "saved")
    assert outcome[1:5] == (20, 0, KEPT, ())
    assert outcome.problems
    with pm.Book(tmp_path / "saved") as saved:
        assert exported(saved) == exported(learnt(KNOWN))
        assert saved.knowledge(BayesTables).hands == 20


def test_what_cannot_be_saved(sound, tmp_path):
    with pytest.raises(BookError, match="no such book"):
        check(tmp_path / "nowhere")
    text = tmp_path / "text"
    text.write_text("a diary\n" * 2000)
    with pytest.raises(BookError, match="not a database"):
        check(text)
    newer = damaged(sound, tmp_path / "newer", "UPDATE pokermodel SET version = 99")
    with pytest.raises(BookError, match="version 99"):
        check(newer)
    with pm.Book(tmp_path / "other") as book:
        book.learn(HANDS[30:32], kinds=STATISTICS)
        before = contents(book)
        with pytest.raises(BookError, match="has something in it: expected a new book"):
            save(sound, tmp_path / "other")
        assert contents(book) == before


@pytest.mark.parametrize("hands", [0, 5, 12])
def test_a_book_that_an_older_version_made(tmp_path, hands):
    """Hands that were learnt again were written a second time, and the file may still have the first."""
    path = written(4, str(tmp_path / "book"))
    with pm.Book(path) as book:
        book.learn(HANDS[:hands], kinds=STATISTICS)
        outcome = save(path, tmp_path / "saved")
        assert outcome[:5] == ((), 12, 0, (("bpp", ""),), ())
        assert (outcome.to_learn_again == ()) == (hands == 12)
        with pm.Book(tmp_path / "saved") as saved:
            assert exported(saved) == exported(book)
            assert saved.knowledge(BayesTables).hands == 8


def test_problems_that_no_checksum_shows(tmp_path):
    """Rows that are whole, but do not fit each other: of another state of the same book."""
    path = tmp_path / "book"
    with pm.Book(path) as book:
        book.learn(KNOWN[:5], kinds=STATISTICS)
        with book._database.transaction() as connection:
            before = connection.execute(sa.select(_tables.PLAYERS)).all()
        book.learn(KNOWN, kinds=STATISTICS)
        assert book.problems() == []
        with book._database.transaction(write=True) as connection:
            for row in before:
                old = _tables.PLAYERS.update().where(_tables.PLAYERS.c.id == row.id)
                connection.execute(old.values(recent=row.recent, checks=row.checks))
        assert len(book.problems()) == len(before)
        assert all("is damaged: the counts of player" in problem for problem in book.problems())


def said(capsys, *arguments):
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*map(str, arguments)])
    output = capsys.readouterr()
    return left.value.code, output.out, output.err


def test_command(sound, tmp_path, capsys):
    assert said(capsys, "book", "check", sound) == (0, f"{sound} is sound\n", "")
    path = damaged(sound, tmp_path / "book", "UPDATE learnt SET added = NULL WHERE number = 3")
    damaged(path, path.with_name("more"), "UPDATE knowledge SET content = X'' WHERE kind = 'bpp'")
    status, output, _ = said(capsys, "book", "check", path)
    assert status == 1
    first, problem, last = output.splitlines()
    assert first == f"{path} is damaged"
    assert problem == "  what a hand added is None"
    assert last == "can be saved: 59 of 60 hands of the statistics, 'bpp', 'adaptive'"
    status, output, _ = said(capsys, "book", "check", path, "--save", tmp_path / "saved")
    assert (status, output.splitlines()[-1]) == (
        1,
        f"saved in {tmp_path / 'saved'}: 59 of 60 hands of the statistics, 'bpp', 'adaptive'",
    )
    assert said(capsys, "book", "check", tmp_path / "saved")[0] == 0
    status, output, _ = said(capsys, "book", "check", path.with_name("more"), "--json")
    report = json.loads(output)
    assert (status, report["sound"], report["hands"], report["lost"]) == (1, False, 59, 1)
    assert (report["kept"], report["left"], report["saved"]) == ([["adaptive", ""]], [], None)
    status, output, errors = said(capsys, "book", "check", path, "--save", sound)
    assert (status, output) == (2, "")
    assert "has something in it" in errors


def test_commands_name_the_way_out(sound, tmp_path, capsys):
    path = damaged(sound, tmp_path / "book", "UPDATE players SET recent = 'zz'")
    history = tmp_path / "hands.phhs"
    history.write_text(phh.dumps_all(HANDS))
    for arguments in (
        ("profile", "--book", path),
        ("profile", "Ann", "--book", path),
        ("learn", history, "--book", path, "--for", "statistics"),
        ("read", history, "--model", "loki2:som", "--book", path),
    ):
        status, _, errors = said(capsys, *arguments)
        assert status == 2, arguments
        (line,) = errors.splitlines()
        assert line.startswith(f"Error: {path} is damaged: ")
        assert line.endswith("(`pokermodel book check` says what can be saved)")


DAMAGES = [
    "UPDATE counters SET count = count + 1 WHERE player = (SELECT max(player) FROM counters)",
    "UPDATE counters SET counter = 60000 WHERE player = (SELECT max(player) FROM counters) "
    "AND counter = (SELECT max(counter) FROM counters AS c WHERE c.player = counters.player)",
    "UPDATE counters SET player = 9999 WHERE player = (SELECT max(player) FROM counters)",
    "UPDATE counters SET count = 'x' WHERE player = (SELECT max(player) FROM counters)",
    "DELETE FROM counters WHERE player = (SELECT max(player) FROM counters)",
    "DELETE FROM players WHERE id = (SELECT max(id) FROM players)",
    "UPDATE players SET checks = X'00' WHERE id = (SELECT max(id) FROM players)",
    "UPDATE players SET alias = 77 WHERE id = (SELECT max(id) FROM players)",
    "UPDATE players SET recent = 'zz' WHERE id = (SELECT max(id) FROM players)",
    "UPDATE editions SET layout = 'x'",
    "UPDATE editions SET hands = 7",
    "DELETE FROM editions",
    "UPDATE learnt SET added = X'01' WHERE number = (SELECT max(number) FROM learnt)",
    "UPDATE knowledge SET content = X'01'",
    "UPDATE knowledge SET hands = -1",
]


@pytest.mark.parametrize("statement", DAMAGES)
def test_damage_of_one_player_is_no_traceback_where_another_is_asked_for(sound, tmp_path, capsys, statement):
    """A profile is set beside what is usual among all players: what is wrong with any of them is one line, too."""
    path = damaged(sound, tmp_path / "book", statement)
    for more in ((), ("--by", "position"), ("--json", "--ranges"), ("--html", tmp_path / "page.html"), ("--csv", "-")):
        for name in (("Ann",), ()) if more in ((), ("--csv", "-")) else (("Ann",),):
            status, _, errors = said(capsys, "profile", *name, "--book", path, *more)
            assert status in (0, 2), (more, name)
            if status:
                (line,) = errors.splitlines()
                assert "is damaged: " in line
                assert line.endswith("(`pokermodel book check` says what can be saved)")
