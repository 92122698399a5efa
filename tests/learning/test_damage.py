"""Books in which bytes are wrong: nothing wrong is shown, and one line says so."""

from __future__ import annotations

import json
import pickle
import random
import shutil
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli import main
from pokermodel.errors import BookError, DamagedBookError
from pokermodel.histories import phh
from pokermodel.learning import _tables
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, STATISTICS, played

KNOWN = HANDS[:20]
MORE = [played(k, k, (f"a{k}", f"b{k}", "Ann")) for k in range(100, 140)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A book of many pages, with statistics and what models learnt."""
    path = tmp_path_factory.mktemp("sound") / "book"
    with pm.Book(path) as book:
        book.learn(KNOWN, kinds=["statistics", "bpp", "adaptive"])
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
def test_a_flipped_bit_shows_nothing_wrong(sound, tmp_path, flips):
    """Each figure is right, or there is an error of one line."""
    expected = asked(shutil.copy(sound, tmp_path / "copy"))
    rng, size = random.Random(flips), sound.stat().st_size
    errors = 0
    for number in range(flips):
        path = tmp_path / str(number)
        flipped(sound, path, rng.randrange(size), rng.randrange(8))
        found = asked(path)
        wrong = {what: error for what, error in found.items() if isinstance(error, BookError)}
        assert not any("\n" in str(error) for error in wrong.values())
        right = found.keys() - wrong
        assert {what: found[what] for what in right} == {what: expected[what] for what in right}
        errors += bool(wrong)
    assert errors > flips / 4


def damaged(sound, path, *statements):
    shutil.copy(sound, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


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
        assert all("the counts of player" in problem for problem in book.problems())


def said(capsys, *arguments):
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*map(str, arguments)])
    output = capsys.readouterr()
    return left.value.code, output.out, output.err


def test_an_error_can_be_pickled():
    error = pickle.loads(pickle.dumps(DamagedBookError("players.db", "a row is lost")))
    assert (error.where, error.reason) == ("players.db", "a row is lost")
    assert str(error) == "players.db is damaged: a row is lost; learn its histories again"


def test_command(sound, tmp_path, capsys):
    assert said(capsys, "book", "check", sound) == (0, f"{sound} is sound\n", "")
    path = damaged(sound, tmp_path / "book", "UPDATE learnt SET added = NULL WHERE number = 3")
    status, output, errors = said(capsys, "book", "check", path)
    assert (status, errors) == (1, "")
    assert output == f"{path} is damaged; learn its histories again\n  what a hand added is None\n"
    more = damaged(path, tmp_path / "more", "UPDATE knowledge SET content = X'' WHERE kind = 'bpp'")
    status, output, _ = said(capsys, "book", "check", more, "--json")
    problems = ["what is known of 'bpp' is not what was written", "what a hand added is None"]
    assert (status, json.loads(output)) == (1, {"sound": False, "problems": problems, "to_learn_again": []})


def test_a_file_that_sqlite_finds_wrong(sound, tmp_path, capsys):
    path = tmp_path / "book"
    data = bytearray(sound.read_bytes())
    data[3 * 4096 :] = bytes(len(data) - 3 * 4096)
    path.write_bytes(data)
    status, output, errors = said(capsys, "book", "check", path)
    assert (status, errors) == (1, "")
    assert output.startswith(f"{path} is damaged; learn its histories again\n  ")


def test_what_is_no_book_cannot_be_checked(tmp_path, capsys):
    text = tmp_path / "text"
    text.write_text("a diary\n" * 2000)
    for path, reason in (tmp_path / "nowhere", "no such book"), (text, "file is not a database"):
        status, output, errors = said(capsys, "book", "check", path)
        assert (status, output) == (2, "")
        assert reason in errors


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
        assert line.endswith("; learn its histories again")


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
    csv = "--out", tmp_path / "all.csv"
    for more in ((), ("--by", "position"), ("--json", "--all"), ("--out", tmp_path / "page.html"), csv):
        for name in (("Ann",), ()) if more in ((), csv) else (("Ann",),):
            status, _, errors = said(capsys, "profile", *name, "--book", path, *more)
            assert status in (0, 2), (more, name)
            if status:
                (line,) = errors.splitlines()
                assert "is damaged: " in line
                assert line.endswith("; learn its histories again")
