"""Known players are found again: what `docs/experiments.md` says of the bias, on a smaller scale."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.classics.bpp.strength_buckets import class_ranges, strength_classes
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act
from tools.measure import recovery
from tools.measure.recovery import ESTIMATORS, STYLES, _observed, _play, known_table, recover


@pytest.mark.parametrize("style", STYLES)
def test_known_tables(style):
    fold, raises = STYLES[style]
    table = known_table(fold, raises)
    np.testing.assert_allclose(table.sum(axis=2), 1)
    assert (table >= 0).all()
    assert (table[0::3, :, Act.FOLD] == 0).all()  # nobody folds where nothing is to pay
    assert (table[1::3] > 0).all()
    low, high = class_ranges(True)[:14].T
    usual = known_table()
    np.testing.assert_allclose((high - low) @ (table - usual)[1, :14], [fold, -fold - raises, raises], atol=1e-12)


def test_what_the_observer_sees():
    """Candidates and survivals as a textbook has them, holding by holding."""
    rng = np.random.default_rng(2)
    tables = known_table(), known_table(-0.1, 0.1)
    shown = 0
    for number in range(60):
        played = _play(number % 2, tables, number, rng)
        seen = _observed(played)
        own, other = played.own, 1 - played.own
        mine = [k for k, action in enumerate(played.hand.actions) if action.seat == other]
        if not mine:
            assert seen is None
            continue
        hidden, held = seen
        assert list(hidden.acts) == [played.hand.actions[k].act for k in mine]
        for k, survival in zip(mine, hidden.survival, strict=True):
            later = [row for j, row in enumerate(played.chances) if j > k and played.hand.actions[j].seat == own]
            assert survival == pytest.approx(np.prod([1 - row[0] for row in later]))
        decisions = list(played.hand.replay())
        classes = np.column_stack(
            [strength_classes(BoardAnalysis(decisions[k].board) if decisions[k].board else None) for k in mine]
        )
        index = holding_index(played.hand.holdings[other])
        assert held.tolist() == classes[index].tolist()
        if played.hand.shown:
            assert hidden.classes[hidden.shown].tolist() == held.tolist()
            shown += 1
            continue
        assert hidden.shown is None
        live = live_holdings(played.hand.board + played.hand.holdings[own])
        assert hidden.prior.sum() == live.sum()
        for row, mass in zip(hidden.classes, hidden.prior, strict=True):
            assert (live & (classes == row).all(axis=1)).sum() == mass
        assert len(hidden.prior) < N_HOLDINGS
    assert shown > 3


def test_the_measures_of_a_table_that_is_right(monkeypatch):
    """Who knows the truth makes no error; who thinks that everybody nearly always calls makes one, between bounds."""
    truth = known_table(*STYLES["tight passive"])
    caller = np.full_like(truth, 0.01)
    caller[..., Act.CALL] = 0.98
    monkeypatch.setattr(recovery, "_estimate", lambda hands, names: {"truth": truth, "caller": caller})
    found = recover(truth, 60, checked=40, seed=3)
    assert found.hands == 60
    assert 0 < found.shown < 1
    assert found.errors["truth"] == found.calibration["truth"] == found.optimism["truth"] == 0
    off = np.abs(truth - caller).mean(axis=2)
    assert off.min() < found.errors["caller"] < off.max()
    assert found.calibration["caller"] >= abs(found.optimism["caller"]) > 0
    assert recover(truth, 60, checked=40, seed=3) == found
    assert recover(truth, 60, checked=40, seed=4) != found


def test_every_estimator_is_asked():
    found = recover(known_table(), 40, checked=20)
    assert tuple(found.errors) == tuple(found.calibration) == tuple(found.optimism) == ESTIMATORS
    assert all(0 < error < 1 for error in found.errors.values())


def test_wrong_estimators():
    with pytest.raises(ValueError, match="unknown estimator 'guess'"):
        recover(known_table(), 5, checked=5, estimators=["guess"])


@pytest.mark.slow
def test_em_finds_a_player_whom_showdowns_misjudge():
    found = recover(known_table(*STYLES["tight passive"]), 8_000, checked=800, estimators=("showdown_only", "em"))
    assert 0.2 < found.shown < 0.3
    assert found.errors["em"] < found.errors["showdown_only"] / 3
    assert found.calibration["em"] < found.calibration["showdown_only"] / 2
    assert found.optimism["showdown_only"] > 0
