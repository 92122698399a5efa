"""Studies of hands of files: what a book that has these hands says, in a book in memory."""

from __future__ import annotations

import json
import re

import pytest

import pokermodel as pm
from pokermodel.analysis import book_study
from pokermodel.analysis.book_study import study, study_book, study_hands
from pokermodel.analysis.book_verdicts import Question, Stamp, question
from pokermodel.analysis.study import HandWanted
from pokermodel.executors import Processes
from pokermodel.histories import Filter, open_hands
from pokermodel.journal import Journal
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.reading import PopulationModel
from pokermodel.worth.play_outs import Rake
from tests.common.desk import SESSIONS, lay
from tests.common.studied import CALLED, FOLDED, HANDS, RIVER, UNKNOWN
from tests.library.test_session_starts import dated

MINUTES = [0, 1, 60, 61]  # two sessions


@pytest.fixture(scope="module", params=SESSIONS)
def file(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    lay(folder)
    hands = (folder / request.param).read_text(encoding="utf-8").split("\n\n\n")
    path = folder / "six" / request.param
    path.parent.mkdir()
    texts = dated([each for each in hands if "*** FLOP" in each][: len(MINUTES)], MINUTES)
    path.write_text("".join(texts), encoding="utf-8")
    return path


def studied(hands, where="", *, stamp=None, **options):
    wanted = [HandWanted("hands", number, hand) for number, hand in enumerate(hands, 1)]
    with Processes(1) as executor:
        return study_hands(wanted, Filter(where), executor=executor, stamp=stamp or Stamp(), **options)


@pytest.fixture
def judged(monkeypatch):
    """Questions that are answered."""
    found = []
    real = book_study.judge
    monkeypatch.setattr(book_study, "judge", lambda asked: found.append(asked) or real(asked))
    return found


def bare(found):
    """The hands as JSON has them, without the name of the file."""
    return json.loads(re.sub('"file": "[^"]*"', '"file": ""', json.dumps([hand.to_dict() for hand in found.hands])))


def test_files_are_studied_as_a_book_is(file, tmp_path, judged):
    """Number by number, whatever the hero, in sessions by what was known when they began."""
    with Book(tmp_path / "b.db") as book:
        update(book, file)
        expected = study_book(book, executor=Processes(1))
    del judged[:]
    found = study(open_hands(file), hero="Robin")
    in_order = sorted(judged, key=lambda asked: asked.hand.time)
    assert [bool(asked.people) for asked in in_order] == [False, False, True, True]
    assert bare(found) == bare(expected)
    assert sum(len(hand.decisions) for hand in found.hands) > 6
    if file.stem == "limit":  # of processes it is enough once
        assert study(open_hands(file), jobs=2).to_dict() == found.to_dict()


def test_a_book_says_what_is_known_of_the_players(file, judged):
    """Hands of the file are not learnt, then: it is what the book knows today."""
    hands = list(open_hands(file))
    with Book("sqlite://") as book:
        book.learn(hands, kinds=["adaptive"])
        found = study(hands[:1], book=book)
        names = PopulationModel.pieces_of_hand(hands[0])
        assert judged[0].people == book.pieces.read(PopulationModel.kind, PopulationModel.piece_version, names)
    assert judged[0].stamp.known == "now"
    assert [hand.id for hand in found.hands] == [hands[0].id]
    with Book("sqlite://") as other:
        other.learn(hands, kinds=["statistics"])
        with pytest.raises(ValueError, match="has learnt nothing for model 'adaptive'"):
            study(hands, book=other)


def test_other_readers_judge_too(file, judged):
    (hand, *_) = open_hands(file)
    with Book("sqlite://") as book:
        book.learn([hand], kinds=["statistics"])
        found = studied([hand], stamp=Stamp(reader="frequencies"), known=book)
        assert judged[0].book is book
    assert not judged[0].people
    assert found.decisions
    assert studied([hand], stamp=Stamp(reader="uniform")).decisions != found.decisions


def test_the_hero_is_whom_hands_name_or_who_is_asked_for():
    named = study([FOLDED, RIVER])
    assert [hand.hero for hand in named.hands] == ["Hero", "Hero"]
    other = study([RIVER], hero="Bob")
    assert {each.hero for each in other.decisions} == {"Bob"}
    assert study([FOLDED], hero="Nobody").hands == []


def test_hands_are_numbered_as_they_are_given():
    """Copies count once, and what is not meant is left out."""
    found = studied([UNKNOWN, FOLDED, FOLDED, CALLED], "hero=Hero size>=6000")
    assert {(hand.file, hand.number, hand.id) for hand in found.hands} == {("hands", 4, "2")}
    assert {(each.file, each.number) for each in found.decisions} == {("hands", 4)}
    assert [hand.number for hand in studied([UNKNOWN, FOLDED, FOLDED, CALLED]).hands] == [1, 2, 4]


def test_what_was_done_before_is_not_done_again(tmp_path, judged):
    path = tmp_path / "journal"
    hands = [FOLDED, UNKNOWN, CALLED]
    whole = studied(hands)
    del judged[:]
    kept = {"journal": Journal(path, "study", {})}
    assert studied(hands[:2], **kept).hands == whole.hands[:2]
    assert sorted(each.hand.id for each in judged) == ["1", "4"]
    assert studied(hands, **kept) == whole
    assert [each.hand.id for each in judged[2:]] == ["2"]
    assert studied(hands, journal=Journal(path, "study", {})) == whole
    assert len(judged) == 3


def test_a_question_has_all_that_a_verdict_depends_on(monkeypatch):
    with Book("sqlite://") as book:
        (number,) = book.hold([FOLDED])
        asked = question(book, number, Stamp())
    assert asked == Question(FOLDED, {}, Rake(), Stamp())
    others = [
        asked._replace(hand=CALLED),
        asked._replace(hand=FOLDED.seen_by("Bob")),
        asked._replace(people={("player", "Bob"): b"x"}),
        asked._replace(rake=Rake(0.05, 3.0)),
        *(asked._replace(stamp=stamp) for stamp in (Stamp(fast=False), Stamp(seed=1), Stamp(reader="uniform"))),
    ]
    assert len({each.key for each in (asked, *others)}) == 1 + len(others)
    before = asked.key
    monkeypatch.setattr("pokermodel.analysis.book_verdicts.revision", lambda: "another")
    assert asked.key != before


def test_hands_that_cannot_be_kept_are_left_out():
    unfinished = pm.Hand("made up", "9", FOLDED.spec, FOLDED.players, FOLDED.actions[:1], [], hero="Hero")
    with pytest.raises(ValueError, match="9"):
        study([*HANDS[:1], unfinished])
    skipped = []
    found = studied([unfinished, FOLDED], skipped=skipped)
    assert ([hand.number for hand in found.hands], len(skipped)) == ([2], 1)
