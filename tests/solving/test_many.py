"""Many spots: in order, once, and again after whatever ended it."""

from __future__ import annotations

import json

import pytest

from pokermodel.executors import Processes
from pokermodel.solving import Lock, Subgame
from pokermodel.solving import many as module
from pokermodel.solving.many import Journal, Options, Spot, solve_spots


def spot(k, **more):
    return Spot(f"spot {k}", Subgame("QsJh2h8c3d", 100 + k, 500, ("QQ,AK,98s", "JJ,T9s"), bets=["75%"], **more))


def told(found):
    return [{key: value for key, value in entry.items() if key not in ("seconds", "done_before")} for entry in found]


def solved(spots, jobs=1, journal=None, options=Options()):  # noqa: B008
    return list(solve_spots(spots, Processes(jobs), options, journal))


def test_results_are_in_order_whoever_does_the_work():
    spots = [spot(0), Spot("bad", None, "no board"), spot(1), spot(2), Spot("worse", None, "no pot")]
    one, two = solved(spots), solved(spots, jobs=2)
    assert [entry["spot"] for entry in one] == ["spot 0", "bad", "spot 1", "spot 2", "worse"]
    assert [entry.get("error") for entry in one] == [None, "no board", None, None, "no pot"]
    assert told(one) == told(two)


def test_what_cannot_be_solved_says_why():
    (entry,) = solved([spot(0)], options=Options(memory=10))
    assert entry["error"].startswith("solving needs")


def test_a_journal_is_gone_on_with(tmp_path, monkeypatch):
    """What is there is not solved again; a line that was cut short is."""
    path = tmp_path / "out.jsonl"
    spots = [spot(k) for k in range(4)]
    whole = solved(spots)
    solved(spots[:2], journal=Journal(path))
    path.write_bytes(path.read_bytes() + b'{"spot": "spot 2", "key": "12')
    asked = []
    real = module.solve
    monkeypatch.setattr(
        module, "solve", lambda game, *more, **named: asked.append(game.pot) or real(game, *more, **named)
    )
    journal = Journal(path)
    assert len(journal) == 2
    again = solved(spots, journal=journal)
    assert asked == [102, 103]
    assert [entry["done_before"] for entry in again] == [True, True, False, False]
    assert told(again) == told(whole)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert told(lines) == told(whole)


def test_another_question_is_another_spot(tmp_path):
    """Of other options, ranges or locks nothing is taken from the journal."""
    path = tmp_path / "out.jsonl"
    solved([spot(0)], journal=Journal(path))
    lock = Lock("r:0", {"c": 1.0, "b75": 0.0})
    others = [spot(0, locks=[lock]), spot(0, raises=[]), Spot("spot 0", spot(0).subgame.trim(0.5)), spot(0)]
    found = solved(others, journal=Journal(path), options=Options())
    assert [entry["done_before"] for entry in found] == [False, False, True, True]
    (entry,) = solved([spot(0)], journal=Journal(path), options=Options(target=0.4))
    assert not entry["done_before"]


def test_an_interrupt_keeps_what_is_there(tmp_path, monkeypatch):
    path = tmp_path / "out.jsonl"
    real = module.solve

    def interrupted(game, *more, **named):
        found = real(game, *more, **named)
        found.interrupted = game.pot == 102
        return found

    monkeypatch.setattr(module, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solved([spot(k) for k in range(4)], journal=Journal(path))
    assert len(Journal(path)) == 2


@pytest.mark.parametrize("text", ['{"key": 1}\n', "[]\n", "no list\n", '{"spot": "a"}\n', "cut"])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    path = tmp_path / "out.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"out.jsonl, line 1: no solution of many spots, which --out has written"):
        Journal(path)
    with pytest.raises(ValueError, match="no ordinary file"):
        Journal(tmp_path)
    assert path.read_text() == text
