"""What was known when a session began: the same bits in whatever order hands came and were asked about."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from pokermodel.histories import open_hands
from pokermodel.library import Book, knowledge, session_starts
from pokermodel.library.files import update
from pokermodel.library.pieces import Pieces
from pokermodel.library.session_starts import begun_at, known_then, learn_then
from pokermodel.reading import PopulationModel
from tests.common.desk import lay

BEGIN = datetime(2031, 2, 1, 20)
KIND = PopulationModel


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    lay(folder)
    return (folder / "no-limit.txt").read_text(encoding="utf-8").split("\n\n\n")[:12]


def dated(texts, minutes):
    """Hands that begin so many minutes after the beginning."""
    found = []
    for text, minute in zip(texts, minutes, strict=True):
        time = f"{BEGIN + timedelta(minutes=minute):%Y/%m/%d %H:%M:%S}"
        found.append(re.sub(r"\d{4}/\d\d/\d\d +\d+:\d\d:\d\d", time, text) + "\n\n\n")
    return found


def expected(path, count, of):
    """What a model that has learnt so many hands knows of those who sit in another one."""
    hands = list(open_hands(path))
    people = PopulationModel()
    for hand in hands[:count]:
        people.learn(KIND.evidence(hand))
    pieces = people.pieces()
    return {name: pieces[name] for name in KIND.pieces_of_hand(hands[of]) if name in pieces}


def then(book, number):
    with book._database.transaction() as connection:
        query = f"SELECT id FROM _hands WHERE number = '{number}'"
        (hand,) = connection.exec_driver_sql(query).scalars().all()
    found = next(each for each in open_all(book) if each.id == number)
    return known_then(book, KIND, begun_at(book, hand), KIND.pieces_of_hand(found))


def open_all(book):
    return [hand for each in book.bookmarks.all() for hand in open_hands(each.path)]


def ids(texts):
    return [re.search(r"#(\d+)", text)[1] for text in texts]


def test_a_session_begins_with_what_was_learnt_before_it(tmp_path, sample):
    texts = dated(sample, [0, 1, 2, 3, 60, 61, 62, 63, 120, 121, 122, 123])
    path = tmp_path / "a.txt"
    path.write_text("".join(texts), encoding="utf-8")
    with Book(tmp_path / "b.db") as book:
        update(book, path)
        assert then(book, ids(texts)[4]) is None
        assert learn_then(book, KIND) == 12
        assert learn_then(book, KIND) == 0
        for of, known in ((1, 0), (4, 4), (7, 4), (8, 8), (11, 8)):
            assert then(book, ids(texts)[of]) == expected(path, known, of)


@pytest.mark.parametrize("steps", [(12,), (5, 6, 12), (4, 8, 12), (1, 2, 3, 7, 9, 12)])
def test_a_book_that_grows_knows_the_same(tmp_path, sample, steps):
    texts = dated(sample, [0, 1, 2, 3, 60, 61, 62, 63, 120, 121, 122, 123])
    path = tmp_path / "a.txt"
    path.write_text("".join(texts), encoding="utf-8")
    with Book("sqlite://") as whole, Book("sqlite://") as book:
        update(whole, path)
        learn_then(whole, KIND)
        kept = {number: then(whole, number) for number in ids(texts)}
        for end in steps:
            path.write_text("".join(texts[:end]), encoding="utf-8")
            update(book, path)
            learn_then(book, KIND)
        assert {number: then(book, number) for number in ids(texts)} == kept


def test_hands_that_come_late_begin_it_anew(tmp_path, sample):
    texts = dated(sample, [0, 1, 2, 3, 60, 61, 62, 63, 120, 121, 122, 123])
    for name, some in (("late", texts[:4]), ("early", texts[4:])):
        (tmp_path / name).write_text("".join(some), encoding="utf-8")
    with Book("sqlite://") as book:
        update(book, tmp_path / "early")
        learn_then(book, KIND)
        assert then(book, ids(texts)[4]) == {}
        update(book, tmp_path / "late")
        assert then(book, ids(texts)[4]) is None
        assert learn_then(book, KIND) == 12
        (tmp_path / "all").write_text("".join(texts), encoding="utf-8")
        assert then(book, ids(texts)[4]) == expected(tmp_path / "all", 4, 4)


@pytest.mark.parametrize("again", [[2], [*range(12)]])
def test_a_copy_is_learnt_once(tmp_path, sample, again, monkeypatch):
    """Copies far behind the hand, and in the same step."""
    for module in knowledge, session_starts:
        monkeypatch.setattr(module, "_AT_ONCE", 4)
    texts = dated(sample, [0, 1, 2, 3, 60, 61, 62, 63, 120, 121, 122, 123])
    for order in (texts + [texts[k] for k in again], [texts[k] for k in again] + texts):
        path = tmp_path / "a.txt"
        path.write_text("".join(order), encoding="utf-8")
        (tmp_path / "once").write_text("".join(texts), encoding="utf-8")
        with Book("sqlite://") as book:
            update(book, path)
            assert learn_then(book, KIND) == 12
            for of, known in ((1, 0), (4, 4), (11, 8)):
                assert then(book, ids(texts)[of]) == expected(tmp_path / "once", known, of)


def test_hands_without_a_file_are_passed(tmp_path, sample):
    texts = dated(sample, range(12))
    (tmp_path / "a").write_text("".join(texts[:6]), encoding="utf-8")
    (tmp_path / "b").write_text("".join(texts[6:]), encoding="utf-8")
    with Book("sqlite://") as book:
        update(book, tmp_path)
        (tmp_path / "a").unlink()
        update(book, tmp_path)
        assert learn_then(book, KIND) == 12
        assert then(book, ids(texts)[7]) == {}


def test_who_was_slower_goes_on_behind(tmp_path, sample, monkeypatch):
    texts = dated(sample, range(12))
    (tmp_path / "a").write_text("".join(texts), encoding="utf-8")
    with Book(tmp_path / "b.db") as book, Book(tmp_path / "b.db") as other:
        update(book, tmp_path / "a")
        plain = Pieces.swap

        def late(self, *arguments, **options):
            monkeypatch.setattr(Pieces, "swap", plain)
            assert learn_then(other, KIND) == 12
            return plain(self, *arguments, **options)

        monkeypatch.setattr(Pieces, "swap", late)
        assert learn_then(book, KIND) == 0
        assert then(book, ids(texts)[7]) == {}
