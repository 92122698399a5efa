"""Files that grow, are cut, replaced, renamed and removed, beside a book that reads them for the first time."""

from __future__ import annotations

import gzip
import re
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import pokermodel as pm
from pokermodel.library import Added, Book
from pokermodel.library.files import stored_hands, update

TEXT = resources.files("pokermodel").joinpath("data/samples/no-limit.txt").read_text(encoding="utf-8-sig")
HANDS = re.split(r"(?=^PokerStars Hand #)", TEXT, flags=re.MULTILINE)[1:]
NAMES = ["number", "seat", "player", "net", "all_in_ev", "cards", "shown", "line", "rake_paid", "board", "vpip", "wtsd"]


def content(book: Book) -> list[tuple[object, ...]]:
    """The seats of hands that have a source, in an order that does not depend on how they came there."""
    with book._database.transaction() as connection:
        rows = connection.exec_driver_sql(
            f"SELECT {', '.join(f's.{name}' for name in NAMES)} FROM seats s JOIN hands h ON h.hand = s.hand "
            "WHERE h.path IS NOT NULL"
        ).all()
    return sorted(map(tuple, rows), key=repr)


def numbers(book: Book) -> set[str]:
    with book._database.transaction() as connection:
        return set(connection.exec_driver_sql("SELECT number FROM hands").scalars())


class Growing(RuleBasedStateMachine):
    """A folder in which a room writes, and a book that looks at it now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.book = Book("sqlite://")
        self.rest: dict[str, str] = {}  # what is still to be written of a last hand
        self.next = 0
        self.damaged = False  # a hand that was cut stays so when others follow

    def teardown(self) -> None:
        self.book.close()
        self.folder.cleanup()

    def path(self, name: str) -> Path:
        return self.root / name

    def write(self, name: str, text: str) -> None:
        with open(self.path(name), "a", encoding="utf-8", newline="") as file:
            file.write(text)

    @rule(name=st.sampled_from("ab"), count=st.integers(1, 3), cut=st.floats(0, 1))
    def append(self, name: str, count: int, cut: float) -> None:
        """Whole hands, and the beginning of another one."""
        text = self.rest.pop(name, "")
        for _ in range(count):
            text += HANDS[self.next % len(HANDS)]
            self.next += 1
        half = HANDS[self.next % len(HANDS)]
        self.next += 1
        place = int(cut * len(half))
        self.write(name, text + half[:place])
        self.rest[name] = half[place:]

    @rule(name=st.sampled_from("ab"))
    def finish(self, name: str) -> None:
        if name in self.rest:
            self.write(name, self.rest.pop(name))

    @rule(name=st.sampled_from("ab"), share=st.floats(0, 1))
    def cut(self, name: str, share: float) -> None:
        if self.path(name).exists():
            data = self.path(name).read_bytes()
            self.path(name).write_bytes(data[: int(share * len(data))])
            self.damaged = True
            self.rest.pop(name, None)

    @rule(name=st.sampled_from("ab"), first=st.integers(0, 30), count=st.integers(0, 3))
    def replace(self, name: str, first: int, count: int) -> None:
        self.path(name).write_text("".join(HANDS[first : first + count]), encoding="utf-8", newline="")
        self.rest.pop(name, None)

    @rule(name=st.sampled_from("ab"))
    def remove(self, name: str) -> None:
        self.path(name).unlink(missing_ok=True)
        self.rest.pop(name, None)

    @rule()
    def swap(self) -> None:
        if self.path("a").exists() and self.path("b").exists():
            self.path("a").rename(self.path("c"))
            self.path("b").rename(self.path("a"))
            self.path("c").rename(self.path("b"))
            self.rest = {"ab"["ab".index(name) ^ 1]: rest for name, rest in self.rest.items()}

    @rule()
    def look(self) -> None:
        before = numbers(self.book)
        found = update(self.book, self.root)
        with Book("sqlite://") as fresh:
            update(fresh, self.root)
            assert content(self.book) == content(fresh)
            assert numbers(fresh) <= numbers(self.book)
            assert self.damaged or not found.errors
        # the last hand of a file may have been taken for whole when it was not
        assert len(before - numbers(self.book)) <= 2
        self.book.check()
        assert update(self.book, self.root).read == 0

    @invariant()
    def columns_are_rows(self) -> None:
        assert len(self.book.columns.hands) == self.book.hands


TestGrowing = Growing.TestCase
TestGrowing.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)


def test_an_appended_hand_is_read_from_the_bookmark(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS[:10]), encoding="utf-8")
    with Book(tmp_path.parent / f"{tmp_path.name}.db") as book:
        assert update(book, tmp_path).added == Added(10, 0)
        assert update(book, tmp_path)[1:5] == (0, 1, 0, ())
        with open(path, "a", encoding="utf-8") as file:
            file.write(HANDS[10])
        assert update(book, tmp_path).added == Added(1, 10)  # the last one is read again
        (mark,) = book.bookmarks.all()
        assert (mark.hands, mark.size) == (11, path.stat().st_size)
        assert path.read_bytes()[mark.at[0] :].startswith(HANDS[10][:30].encode())


@pytest.mark.parametrize("cut", [5, 60, 300, 700, -400, -200, -40, -3])
def test_a_half_written_hand_waits_without_an_error(tmp_path, cut):
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS[:3]) + HANDS[3][:cut], encoding="utf-8", newline="")
    with Book("sqlite://") as book, Book("sqlite://") as whole:
        found = update(book, path)
        assert found.errors == ()
        assert found.added.new in (3, 4)
        path.write_text("".join(HANDS[:4]), encoding="utf-8", newline="")
        assert update(book, path).errors == ()
        update(whole, path)
        assert content(book) == content(whole)
        assert book.hands == 4


def test_damage_between_hands_is_an_error(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(HANDS[0] + HANDS[1].replace("calls", "dances") + HANDS[2], encoding="utf-8")
    with Book("sqlite://") as book:
        found = update(book, path)
        assert found.added == Added(2, 0)
        assert len(found.errors) == 1
        assert str(path) in str(found.errors[0])


def test_hands_without_a_source_stay(tmp_path, database):
    tmp_path = tmp_path / "rooms"
    tmp_path.mkdir()
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("".join(HANDS[:3] if name == "a" else HANDS[2:5]), encoding="utf-8")
    with Book(database) as book:
        assert update(book, tmp_path).added.new == 5
        (tmp_path / "a.txt").unlink()
        assert update(book, tmp_path).gone == 1
        assert book.hands == 5
        with book._database.transaction() as connection:
            missing = connection.exec_driver_sql("SELECT count(*) FROM hands WHERE path IS NULL").scalar()
        assert missing == 2  # one of the three is in the other file
        assert [hand.id for hand in stored_hands(book)] == [re.findall(r"#(\d+)", text)[0] for text in HANDS[2:5]]


def test_all_kinds_of_sources(tmp_path):
    (tmp_path / "notes.txt").write_text("buy milk")
    (tmp_path / ".hidden").write_text(HANDS[0])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.txt.gz").write_bytes(gzip.compress("".join(HANDS[:4]).encode()))
    (tmp_path / "hand.phh").write_text(pm.example_hand().to_phh())
    outside = tmp_path.parent / f"{tmp_path.name}-outside.txt"
    outside.write_text(HANDS[9])
    (tmp_path / "link.txt").symlink_to(outside)
    with Book("sqlite://") as book:
        found = update(book, tmp_path)
        assert found.added == Added(5, 0)
        assert found.errors == ()
        assert update(book, tmp_path).read == 0
        with pytest.raises(pm.HistoryError, match="no such file or folder"):
            update(book, tmp_path / "none")


def test_files_that_have_not_changed_ask_nothing_of_the_book(tmp_path):
    """A room leaves a file for each session: a look at hundreds of them must not go through all hands for each."""
    folder = tmp_path / "hands"
    folder.mkdir()
    for number, hand in enumerate(HANDS[:12]):
        (folder / f"{number}.txt").write_text(hand, encoding="utf-8")
    asked: list[str] = []
    with Book(tmp_path / "b.db") as book:
        update(book, folder)
        sa.event.listen(book._database.engine, "before_cursor_execute", lambda *about: asked.append(about[2]))
        assert update(book, folder).unchanged == 12
    assert len(asked) < 12


def test_structures_of_hands_that_are_not_read_again(tmp_path):
    folder = tmp_path / "hands"
    folder.mkdir()
    for number, hand in enumerate(HANDS[:3]):
        (folder / f"{number}.txt").write_text(hand, encoding="utf-8")
    with Book(tmp_path / "b.db") as book:
        assert update(book, folder, learner=lambda *_: None).structures == {"no limit": 3}
        with open(folder / "1.txt", "a", encoding="utf-8") as file:
            file.write("".join(HANDS[3:5]))
        assert update(book, folder, learner=lambda *_: None).structures == {"no limit": 5}


def test_columns_follow_a_file_that_moves(tmp_path):
    """Hands whose file has gone have none, and those of a file that is found again have it."""
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS[:3]), encoding="utf-8")
    with Book(tmp_path / "book") as book:
        update(book, path)
        assert (book.columns.hands["file"] > 0).all()
        book.bookmarks.forget(path)
        assert (book.columns.hands["file"] <= 0).all()
        update(book, path)
        assert (book.columns.hands["file"] > 0).all()
