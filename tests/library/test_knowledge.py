"""What readers learn from a book, in pieces: the same bits as the whole, in however many steps."""

from __future__ import annotations

import pytest

from pokermodel.executors import Processes
from pokermodel.histories import open_hands
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.knowledge import learn, learn_files
from pokermodel.library.pieces import Pieces
from pokermodel.reading import PopulationModel
from tests.library.test_files import HANDS


def pieces(book):
    with book._database.transaction() as connection:
        rows = connection.exec_driver_sql("SELECT scope, name, content FROM _knowledge").all()
    return {(row.scope, row.name): bytes(row.content) for row in rows}


def whole(path):
    people = PopulationModel()
    for hand in open_hands(path):
        people.learn(PopulationModel.evidence(hand))
    return people.pieces()


def test_hands_are_learnt_once_in_any_number_of_steps(tmp_path, database):
    path = tmp_path / "a.txt"
    with Book(database) as book:
        for end in (3, 4, 9):
            path.write_text("".join(HANDS[:end]), encoding="utf-8", newline="")
            update(book, path)
            assert learn(book, PopulationModel) == {3: 3, 4: 1, 9: 5}[end]
            assert learn(book, PopulationModel) == 0
        assert pieces(book) == whole(path)


def test_hands_are_learnt_in_the_order_in_which_they_were_added(tmp_path):
    for name, hands in (("b", HANDS[:3]), ("a", HANDS[3:6])):
        (tmp_path / name).write_text("".join(hands), encoding="utf-8", newline="")
    with Book("sqlite://") as book:
        update(book, tmp_path / "b")
        update(book, tmp_path / "a")
        assert learn(book, PopulationModel) == 6
        (tmp_path / "both").write_text("".join(HANDS[:6]), encoding="utf-8", newline="")
        assert pieces(book) == whole(tmp_path / "both")


def test_who_was_slower_goes_on_behind(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS[:4]), encoding="utf-8", newline="")
    with Book(tmp_path / "b.db") as book, Book(tmp_path / "b.db") as other:
        update(book, path)
        plain = Pieces.put

        def late(self, *arguments, **options):
            monkeypatch.setattr(Pieces, "put", plain)
            assert learn(other, PopulationModel) == 4
            return plain(self, *arguments, **options)

        monkeypatch.setattr(Pieces, "put", late)
        assert learn(book, PopulationModel) == 0
        assert pieces(book) == whole(path)


def test_pieces_make_the_model_again(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS[:5]), encoding="utf-8", newline="")
    found = whole(path)
    assert {scope for scope, _ in found} == {"population", "player"}
    people = PopulationModel.of_pieces(found)
    assert people.pieces() == found
    some = dict(list(found.items())[-2:])
    assert PopulationModel.of_pieces(some).pieces() == some


@pytest.mark.parametrize("harm", ["cut", "flip", "other prior", "game"])
def test_damaged_pieces_are_refused(tmp_path, harm):
    path = tmp_path / "a.txt"
    path.write_text(HANDS[0], encoding="utf-8")
    found = whole(path)
    key, content = next(iter(found.items()))
    if harm == "game":
        with pytest.raises(ValueError, match="is of no game that the prior knows"):
            PopulationModel.of_pieces({("player", "stud/Ann"): content})
        return
    bad = {
        "cut": content[:-9],
        "flip": content[:60] + bytes([content[60] ^ 1]) + content[61:],
        "other prior": b"\0" * 8 + content[8:],
    }[harm]
    with pytest.raises(ValueError, match="was learnt with the prior" if harm == "other prior" else "is damaged"):
        PopulationModel.of_pieces({key: bad})


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_new_file_is_parsed_once(tmp_path, monkeypatch, jobs):
    """And what is learnt is the same, in however many batches it is read, and wherever."""
    path = tmp_path / "a.txt"
    path.write_text("".join(HANDS), encoding="utf-8", newline="")
    monkeypatch.setattr("pokermodel.library.files.BATCH", 4)
    with monkeypatch.context() as patch, Book(tmp_path / "b.db") as book, Processes(jobs) as executor:
        patch.delattr("pokermodel.library.knowledge.open_hands")
        shares = []
        learnt, _ = learn_files(book, {"adaptive": PopulationModel}, path, share=shares.append, executor=executor)
        assert learnt.new_to == {"adaptive": len(HANDS)}
        assert pieces(book) == whole(path)
        assert shares == sorted(shares)
        assert 0 < shares[-1] <= 1


def test_what_an_earlier_run_has_left_is_learnt_first(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, hands in zip(paths, (HANDS[:4], HANDS[4:]), strict=True):
        path.write_text("".join(hands), encoding="utf-8", newline="")
    (tmp_path / "both").write_text("".join(HANDS), encoding="utf-8", newline="")
    with Book(tmp_path / "b.db") as book:
        update(book, paths[0])  # without the reader, as a kill leaves it
        learnt, _ = learn_files(book, {"adaptive": PopulationModel}, *paths)
        assert learnt.new_to == {"adaptive": len(HANDS)}
        assert pieces(book) == whole(tmp_path / "both")
