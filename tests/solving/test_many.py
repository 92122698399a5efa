"""Many spots: in order, once, and again after whatever ended it."""

from __future__ import annotations

import pytest

from pokermodel.executors import Processes
from pokermodel.journal import Journal
from pokermodel.solving import Lock, Subgame
from pokermodel.solving import many as module
from pokermodel.solving.many import Options, Spot, solve_spots


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


def kept(path, options=Options()):  # noqa: B008
    return Journal(path, "solve", options._asdict())


def test_a_journal_is_gone_on_with(tmp_path, monkeypatch):
    """What is there is not solved again."""
    path = tmp_path / "spots.journal"
    spots = [spot(k) for k in range(4)]
    whole = solved(spots)
    solved(spots[:2], journal=kept(path))
    asked = []
    real = module.solve
    monkeypatch.setattr(
        module, "solve", lambda game, *more, **named: asked.append(game.pot) or real(game, *more, **named)
    )
    again = solved(spots, journal=kept(path))
    assert asked == [102, 103]
    assert [entry["done_before"] for entry in again] == [True, True, False, False]
    assert told(again) == told(whole)


def test_another_spot_has_another_key(tmp_path):
    """Of other ranges or locks nothing is taken from the journal; another option is another run."""
    path = tmp_path / "spots.journal"
    solved([spot(0)], journal=kept(path))
    lock = Lock("r:0", {"c": 1.0, "b75": 0.0})
    others = [spot(0, locks=[lock]), spot(0, raises=[]), Spot("spot 0", spot(0).subgame.trim(0.5)), spot(0)]
    found = solved(others, journal=kept(path))
    assert [entry["done_before"] for entry in found] == [False, False, True, True]
    with pytest.raises(ValueError, match=r"is the journal of another solve: its target is 0\.5, expected 0\.4"):
        kept(path, Options(target=0.4))


def test_a_spot_that_cannot_be_solved_is_tried_again_when_it_has_changed(tmp_path):
    path = tmp_path / "spots.journal"
    bad = Spot("spot 0", None, "no board")
    assert solved([bad], journal=kept(path)) == [{"spot": "spot 0", "error": "no board"}]
    assert [entry.get("error") for entry in solved([bad, spot(0)], journal=kept(path))] == ["no board", None]


def test_an_interrupt_keeps_what_is_there(tmp_path, monkeypatch):
    path = tmp_path / "spots.journal"
    real = module.solve

    def interrupted(game, *more, **named):
        found = real(game, *more, **named)
        found.interrupted = game.pot == 102
        return found

    monkeypatch.setattr(module, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solved([spot(k) for k in range(4)], journal=kept(path))
    assert len(kept(path)) == 2
