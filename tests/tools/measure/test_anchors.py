"""Plain models beside the reader: nothing is foretold from what comes later, and losses are those that `score` has."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from pokermodel.reading import default_prior
from pokermodel.scoring import score
from tests.common.books import played_free
from tools.measure import anchors
from tools.measure.anchors import (
    Rows,
    SeenHand,
    Tallies,
    Tally,
    act_losses,
    adaptive_losses,
    follow,
    masked,
    see,
    shrink,
)

NAMES = ("Ann", "Bob", "Cid")


@pytest.fixture(scope="module")
def hands():
    return [played_free(number, number, NAMES) for number in range(40)]


def rows_of(hands):
    everybody, rows = Tally(), Rows()
    for player in ("Ann", "Bob"):
        for seen in see(played_free(0, 99, (player, "Cid"))).decisions:
            everybody.add(seen)
    follow(hands, Tallies(everybody), rows)
    return rows


def test_nothing_is_foretold_from_what_comes_later(hands):
    seen = [see(hand) for hand in hands]
    whole = rows_of(seen)
    assert whole.sizes
    for last in (1, 10, 39):
        for kept in range(1, len(seen[last].decisions) + 1):
            *before, end = seen[last].decisions[:kept]
            # the last act is another one, of which only the size of a raise may be told
            end = end._replace(act=(end.act + 1) % 3, size=-1 if end.room is None else 0)
            cut = rows_of([*seen[:last], SeenHand(seen[last].population, [*before, end])])
            n, n_sizes = len(cut.acts), len(cut.sizes)
            np.testing.assert_array_equal(cut.inputs, whole.inputs[:n])
            np.testing.assert_array_equal(cut.counted, whole.counted[:n])
            np.testing.assert_array_equal(np.ravel(cut.counted_sizes), np.ravel(whole.counted_sizes[:n_sizes]))
            for mine, theirs in zip(cut.size_inputs, whole.size_inputs, strict=False):
                np.testing.assert_array_equal(mine, theirs)


def test_what_players_did_is_told_in_later_hands(hands):
    seen = [see(hand) for hand in hands]
    first, again = rows_of(seen[:1]), rows_of([*seen[1:], seen[0]])
    n = len(first.acts)
    assert (np.array(first.counted) != np.array(again.counted[-n:])).any(axis=1).all()
    assert len({row.shape for row in again.inputs}) == 1


def test_frequencies_shrink_to_what_was_believed():
    np.testing.assert_allclose(shrink(np.array([0.5, 0.3, 0.2]), np.array([0, 10, 0]), 10), [0.25, 0.65, 0.1])
    np.testing.assert_allclose(shrink(np.array([0.5, 0.3, 0.2]), np.zeros(3), 10), [0.5, 0.3, 0.2])


def test_probabilities_are_of_what_there_is_room_for():
    given = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    room = np.array([[False, True, True], [False, True, True]])
    np.testing.assert_allclose(masked(given, room), [[0, 0.375, 0.625], [0, 0.5, 0.5]])


def test_a_size_without_room_loses_the_most_there_is():
    room = [[True, True] + [False] * 5]
    given = np.array([[1.0, 0, 0, 0, 0, 0, 0]])
    assert act_losses(given, room, [5])[0] == pytest.approx(np.log(1000))
    assert act_losses(given, room, [1])[0] == pytest.approx(np.log(1001))


def test_the_reader_loses_what_score_says(hands):
    found = adaptive_losses(default_prior(), hands[:10], hands[10:])
    told = score(hands, "adaptive", warmup=10)["adaptive"]
    assert len(found.choice) == told.decisions
    assert found.choice.mean() == pytest.approx(told.action_log_loss, abs=1e-9)
    assert found.size.mean() == pytest.approx(told.size_log_loss, abs=1e-9)
    rows = Rows()
    follow(map(see, hands[10:]), Tallies(Tally()), rows)
    assert anchors.total(rows, found).mean() == pytest.approx(told.total_log_loss, abs=1e-9)


@pytest.mark.slow
def test_anchors_end_to_end(hands, monkeypatch, tmp_path, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.setattr(anchors, "read", lambda path: hands)
    monkeypatch.setattr(anchors, "TREES", {"max_iter": 5, "min_samples_leaf": 10, "early_stopping": False})
    anchors.main(["made up", "--fit", "30", "--json", str(tmp_path / "found.json")])
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["made up"]
    assert (found["fitted_hands"], found["hands"]) == (30, 10)
    assert found["decisions"] == sum(len(see(hand).decisions) for hand in hands[30:])
    models = found["models"]
    assert list(models) == ["uniform", "trees", "counts", "mean"]
    assert models["mean"]["total"] <= max(models["trees"]["total"], models["counts"]["total"])
    for each in models.values():
        share = found["raises"] / found["decisions"]
        assert each["total"] == pytest.approx(each["choice"] + share * each["size"])
    assert "| trees |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        anchors.main(["made up", "--fit", "40"])


def test_scikit_learn_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(SystemExit, match=r"pokermodel\[anchors\]"):
        anchors.boosted([np.zeros(2, dtype=np.float32)] * 2, [0, 1])
