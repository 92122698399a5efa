"""What the user wrote: that nothing else touches it, and that it survives the loss of everything else."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.histories import Filter
from pokermodel.library import Book

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)


def filled(book: Book) -> None:
    mine = book.mine
    mine.tag("hand", "pokerstars", "7", "ask Al")
    mine.tag("hand", "pokerstars", "7", "ask Al")
    mine.tag("hand", "pokerstars", "7", "bluff")
    mine.note("hand", "pokerstars", "7", "why call?\nfolding was right")
    mine.note("player", "pokerstars", "Ann", "opens small")
    mine.join("pokerstars", "Ann", "Ann B.")
    mine.join("bovada", "Annie", "Ann B.")
    mine.save_filter("big", "lost>20bb  hero=Robin")
    mine.set("hero", "Robin")


def test_it_is_read_as_it_was_written(database):
    with Book(database) as book:
        filled(book)
        mine = book.mine
        assert mine.tags("hand", "pokerstars", "7") == ["ask Al", "bluff"]
        assert mine.note_of("hand", "pokerstars", "7").startswith("why call?\n")
        assert mine.note_of("player", "pokerstars", "Ann") == "opens small"
        assert mine.note_of("player", "bovada", "Ann") == ""
        assert mine.person("bovada", "Annie") == "Ann B."
        assert mine.names("Ann B.") == [("bovada", "Annie"), ("pokerstars", "Ann")]
        assert mine.filters() == {"big": Filter("hero=Robin lost>20bb")}
        assert mine.settings() == {"hero": "Robin"}
        mine.note("hand", "pokerstars", "7", "")
        mine.untag("hand", "pokerstars", "7", "bluff")
        mine.join("bovada", "Annie", "")
        mine.save_filter("big", None)
        mine.set("hero", None)
        assert mine.tags("hand", "pokerstars", "7") == ["ask Al"]
        assert (mine.note_of("hand", "pokerstars", "7"), mine.person("bovada", "Annie")) == ("", "")
        assert (mine.filters(), mine.settings()) == ({}, {})


def test_whoever_deletes_the_book_loses_none_of_it(tmp_path):
    path = tmp_path / "b.db"
    with Book(path) as book:
        book.add([pm.example_hand()])
        filled(book)
        text = book.mine.to_text()
    for file in (path, *tmp_path.glob("b.db-*")):
        file.unlink()
    with Book(path) as book:
        assert book.hands == 0
        assert book.mine.to_text() == text
        book.add([pm.example_hand()])
        assert book.mine.to_text() == text
    path.unlink()
    (tmp_path / "b.db.mine").write_text("nonsense")
    with pytest.raises(pm.BookError, match=r"b\.db\.mine: what the user wrote cannot be read: line 1"):
        Book(path)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=5))
def test_any_text_comes_back(entries):
    with Book("sqlite://") as book, Book("sqlite://") as other:
        for site, name, note in entries:
            book.mine.note("player", site, name, note)
            book.mine.tag("player", site, name, f"#{note}")  # a tag of blanks alone is refused
        text = book.mine.to_text()
        assert other.mine.take(text) == len(text.split("\n")) - 2
        assert other.mine.to_text() == text
        for site, name, _ in entries:
            assert other.mine.note_of("player", site, name) == book.mine.note_of("player", site, name)


HEAD = json.dumps({"pokermodel": "what the user wrote", "version": 1}) + "\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1 is ''"),
        ("[]\n", "line 1 is '\\[\\]'"),
        (HEAD + "{\n", "line 2 is '{'"),
        (HEAD + '{"is": "hands"}\n', "line 2 .* expected one of tags, notes, names, filters, settings"),
        (HEAD + '{"is": "tags", "site": "a"}\n', "line 2 .* with its columns"),
        (HEAD + '{"is": "settings", "name": "a", "value": 5}\n', "line 2: value is '5': expected text"),
        (HEAD + '{"is": "settings", "name": "a", "value": "\\u0000"}\n', "line 2: .* not text that can be kept"),
        (HEAD + "[" * 100_000, "line 2 is"),
    ],
)
def test_another_text_is_refused_whole(text, said):
    with Book("sqlite://") as book:
        filled(book)
        before = book.mine.to_text()
        good = '{"is": "settings", "name": "b", "value": "c"}\n'
        for given_text in (text, text.replace(HEAD, HEAD + good)):
            if given_text != text:
                said = said.replace("line 2", "line 3")
            with pytest.raises(ValueError, match=said):
                book.mine.take(given_text)
            assert book.mine.to_text() == before


def test_what_cannot_be_kept_is_refused():
    with Book("sqlite://") as book:
        with pytest.raises(ValueError, match="there is no key 'colour'"):
            book.mine.save_filter("f", "colour=red")
        with pytest.raises(ValueError, match=r"note is .xxxx.*65,536 characters at most"):
            book.mine.note("player", "", "Ann", "x" * 70_000)
        assert book.mine.filters() == {}


def test_answers_to_verdicts_are_kept_and_taken_back():
    with Book("sqlite://") as book:
        book.mine.answer_verdict("pokerstars", "12#3", 7, "disagree")
        assert book.mine.answers() == {("pokerstars", "12#3", 7): "disagree"}
        assert book.mine.note_of("hand", "pokerstars", "12#3") == ""
        book.mine.answer_verdict("pokerstars", "12#3", 7, "")
        assert book.mine.answers() == {}


def test_threads_that_write_at_once_lose_nothing(tmp_path):
    """The text beside the book is the newest one, whoever writes last."""
    with Book(tmp_path / "book") as book, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: book.mine.tag("hand", "phh", str(k), "odd"), range(40)))
        assert (tmp_path / "book.mine").read_text(encoding="utf-8") == book.mine.to_text()
        assert len(book.mine.to_text().splitlines()) == 41
