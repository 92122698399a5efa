"""Verdicts on the hands of a book: the same bits in whatever order, and when they are read again."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from pokermodel.analysis import book_verdicts
from pokermodel.analysis.book_study import book_study, pending, study_book
from pokermodel.analysis.book_verdicts import Stamp, judge_hand, packed, read_stored, stored_verdicts, unpacked
from pokermodel.analysis.hand_list import meant
from pokermodel.analysis.study import Group, HandWanted, study_hand
from pokermodel.analysis.today import today
from pokermodel.executors import Processes
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import listed_hands
from pokermodel.library.session_starts import learn_then
from pokermodel.reading import PopulationModel
from pokermodel.reading.session import OpponentModeler
from pokermodel.worth.verdict import VerdictAdviser
from tests.common.desk import lay
from tests.library.test_session_starts import dated

SITE = "pokerstars"


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    lay(folder)
    hands = (folder / "no-limit.txt").read_text(encoding="utf-8").split("\n\n\n")
    return dated([each for each in hands if "*** FLOP" in each][:6], [0, 1, 2, 60, 61, 62])


@pytest.fixture
def book(tmp_path, texts):
    path = tmp_path / "a.txt"
    path.write_text("".join(texts), encoding="utf-8")
    with Book(tmp_path / "b.db") as found:
        update(found, path)
        yield found


def names(book):
    return [(row.site, row.number) for row in listed_hands(book, book.columns.hands["id"].tolist())]


WORDS = ("big mistake", "mistake", "probably a mistake", "cannot tell", "not judged")


def sorted_out(path):
    """Give the decisions that are kept one word after the other, and a loss that goes with it; return how many."""
    count = 0
    with Book(path) as book:
        hands = {}
        for row in book.verdicts.of(Stamp().text):
            hands.setdefault(row.number, []).append(row)
        for _, rows in sorted(hands.items()):
            found = unpacked(rows)
            decisions = []
            for each in found.hand.decisions:
                word = WORDS[count % len(WORDS)]
                count += 1
                loss = None if word == "not judged" else 10.0 / count
                ends = None if loss is None else (loss - 1 if "cannot" in word else loss / 2, 1.5 * loss)
                best = next(act for act in each.acts if not act["made"])
                decisions.append(
                    replace(
                        each,
                        word=word,
                        lost=loss,
                        ci95=ends,
                        kind="folded too much",
                        best=best["name"],
                        p=0.9,
                        not_judged="a guess" if loss is None else "",
                    )
                )
            hand = replace(found.hand, decisions=tuple(decisions))
            book.verdicts.put(packed(SITE, book_verdicts.Judged(hand, found.verdicts), Stamp().text))
    return count


def test_the_order_in_which_hands_are_judged_changes_nothing(book, tmp_path):
    found = names(book)[::2]
    forward = {name: judge_hand(book, *name) for name in found}
    with Book(tmp_path / "other.db") as other:
        update(other, tmp_path / "a.txt")
        assert {name: judge_hand(other, *name) for name in reversed(found)} == forward
    assert any(row.verdict for rows in forward.values() for row in rows)


def test_it_is_what_a_study_says_by_what_was_known_then(book, texts):
    """Number by number: the same reader, which has learnt the hands before the session."""
    *before, last = [hand for _, hand in stored(book)]
    people = PopulationModel()
    for hand in before[:3]:
        people.learn(PopulationModel.evidence(hand))
    session = OpponentModeler("adaptive", people=people, hero=last.hero)
    rake = book_verdicts._stated(book, 6, last)
    adviser = VerdictAdviser(book_verdicts.verdict_rake(last, rake), fast=True)
    found, _ = study_hand(HandWanted("", 0, last), session, last.hero, adviser)
    rows = judge_hand(book, SITE, last.id)
    assert unpacked(rows).hand.to_dict() == found.to_dict()
    assert rake.share > 0


def stored(book):
    from pokermodel.library.listed import stored_hand

    return [(number, stored_hand(book, number)) for number in book.columns.hands["id"].tolist()]


def test_what_is_kept_is_read_to_the_bit(book):
    (_, hand), *_ = stored(book)
    session = OpponentModeler("adaptive", people=PopulationModel(), hero=hand.hero)
    adviser = VerdictAdviser(fast=True)
    found, verdicts = study_hand(HandWanted(SITE, 0, hand), session, hand.hero, adviser)
    book.verdicts.put(packed(SITE, book_verdicts.Judged(found, verdicts), Stamp().text))
    read = stored_verdicts(book, SITE, hand.id)
    assert json.dumps(read.hand.to_dict()) == json.dumps(found.to_dict())
    assert list(read.verdicts) == list(verdicts)
    for index, verdict in verdicts.items():
        other = read.verdicts[index]
        for field in fields(verdict):
            one, two = getattr(verdict, field.name), getattr(other, field.name)
            np.testing.assert_array_equal(np.array(one, dtype=object), np.array(two, dtype=object))
        for name in ("word", "loss", "ci95", "p", "best", "against", "reason_not_judged", "noisy"):
            assert getattr(verdict, name) == getattr(other, name)
    report, known = read_stored(book, 1, hero=hand.hero)
    assert known is False
    assert [step.loss for step in report.steps if step.verdict] == [each.loss for each in verdicts.values()]


def test_a_study_of_a_book_costs_only_what_is_new(book, tmp_path, texts, monkeypatch):
    done = []
    plain = book_verdicts.judge
    monkeypatch.setattr("pokermodel.analysis.book_study.judge", lambda asked: (done.append(1), plain(asked))[1])
    (tmp_path / "a.txt").write_text("".join(texts[:4]), encoding="utf-8")
    with Book(tmp_path / "c.db") as other:
        update(other, tmp_path / "a.txt")
        assert len(study_book(other, executor=Processes(1)).hands) == len(done) == 4
        (tmp_path / "a.txt").write_text("".join(texts), encoding="utf-8")
        update(other, tmp_path / "a.txt")
        found = study_book(other, executor=Processes(1))
        assert len(found.hands) == len(done) == 6
        whole = study_book(book, executor=Processes(2))  # in other processes
        assert json.dumps(whole.to_dict()) == json.dumps(found.to_dict())
        assert json.dumps(study_book(book, executor=Processes(1)).to_dict()) == json.dumps(found.to_dict())
        assert len(done) == 6
        # and the screen says the same
        screen = book_study(book)
        assert screen.summary.total == found.total()._replace(name="all")
        assert screen.summary.missing == 0
        listed = [each.decision.to_dict() for each in screen.mistakes]
        assert [each["index"] for each in listed] == [each.index for each in found.worst(100)]


def test_a_stamp_says_which_values_it_is_of(monkeypatch):
    text = Stamp().text
    assert Stamp().text == text
    assert Stamp(fast=False).text != text != Stamp(known="now").text
    book_verdicts.revision.cache_clear()
    monkeypatch.setattr(book_verdicts, "ADVISER_REVISION", 99)
    assert Stamp().text != text
    assert Stamp().text.endswith(Stamp().options)
    monkeypatch.undo()
    book_verdicts.revision.cache_clear()
    assert Stamp().text == text


def test_what_is_not_judged_is_counted(book):
    found = meant(book, Filter(""))
    waiting = pending(book, found)
    assert sorted(each.hand for each in waiting) == book.columns.hands["id"].tolist()
    assert [each.stake for each in waiting] == sorted((each.stake for each in waiting), reverse=True)
    assert pending(book, found, hidden=[SITE]) == []
    learn_then(book, PopulationModel)
    name = names(book)[0]
    rows = judge_hand(book, *name)
    (counted,) = [each.decisions for each in waiting if each.hand == 1]
    assert len(rows) - 1 == counted
    book.verdicts.put(rows)
    assert {each.hand for each in pending(book, found)} == {each.hand for each in waiting} - {1}
    # by an older version they wait again, and the screen says so
    book.verdicts.put([row._replace(stamp=f"old {Stamp().options}") for row in rows[1:]])
    assert book_study(book).summary.older == counted
    assert book_study(book).summary.total.decisions == 0
    book.verdicts.put(rows)
    assert book_study(book).summary.older == 0
    assert book_study(book).summary.total.decisions == counted
    assert book_study(book, hidden=[SITE]).summary.total.decisions == 0


def test_today_adds_up_the_same_whatever_the_order_of_files(tmp_path, texts):
    for name, some in (("late", texts[3:]), ("early", texts[:3])):
        (tmp_path / name).write_text("".join(some), encoding="utf-8")
    with Book(tmp_path / "b.db") as book:
        update(book, tmp_path / "late")
        update(book, tmp_path / "early")
        book.verdicts.put(judge_hand(book, *names(book)[0]))
        found = today(book)
        assert found.study == book_study(book).summary
        last = today(book, period="session")
        assert last.study.judged == 1
        assert last.study.missing_hands == 2
        fresh = pending(book, meant(book, Filter("")))
        assert [each.hand for each in fresh if each.recent] == [each.hand for each in fresh if each.hand in (2, 3)]


def test_verdicts_of_all_words_add_up(book):
    for name in names(book)[:3]:
        book.verdicts.put(judge_hand(book, *name))
    count = sorted_out(book.path)
    decisions = [each for row in names(book)[:3] for each in stored_verdicts(book, *row).hand.decisions]
    found = book_study(book)
    assert found.summary.total == Group.of("all", decisions)
    assert len(decisions) == count
    assert sum(len(getattr(found, name)) for name in ("mistakes", "probable", "unclear", "withheld")) == count
    assert {each.decision.not_judged for each in found.withheld} == {"a guess"}
    for loss in found.losses:
        some = [each for each in decisions if getattr(each, loss.by) == loss.name]
        group = Group.of(loss.name, some)
        assert (loss.decisions, loss.mistakes, loss.lost) == (group.decisions, group.mistakes, group.lost)
        assert loss.per_100 == pytest.approx(100 * group.lost / 3)
        assert loss.ci95 == pytest.approx([100 * end / 3 for end in group.ci95])
    assert [each.ci95[0] for each in found.losses] == sorted([each.ci95[0] for each in found.losses], reverse=True)


def test_unknown_hands_and_damage(book):
    with pytest.raises(KeyError):
        judge_hand(book, SITE, "no such hand")
    rows = judge_hand(book, *names(book)[0])
    with pytest.raises(ValueError, match="is damaged"):
        unpacked([rows[0]._replace(rest=b"x")])
    assert unpacked([]) is None
