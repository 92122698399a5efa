"""What players who folded can hold: the last table that they had, times how likely each holding folds."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import live_holdings
from pokermodel.classics.loki1.field import spot_values
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.simulation import Position, Simulator
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, GameSpec, Hand
from pokermodel.learning.thresholds import postflop_threshold, preflop_threshold
from pokermodel.reading import DEFAULT_FREQUENCIES, ActionCounts, OpponentModeler

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(3, 1, 2)
NAMES = ("Ann", "Bob", "Cid")
BOARD = "3h4cJh2s9d"
# Ann folds to a raise before the flop, Cid to a bet on the turn
ACTIONS = [(2, R), (0, F), (1, C), (1, C), (2, R), (1, C), (1, R), (2, F)]
PLAYED = Hand("test", "1", SPEC, NAMES, ACTIONS, BOARD[:8])
ANN, CID = 1, 7  # the two folds


def follow(model, to, **options):
    """A session that observed the acts before one, and that one."""
    session = OpponentModeler(model, folded_tables=True, **options)
    session.start(NAMES)
    decisions = list(PLAYED.replay())
    for decision in decisions[:to]:
        session.observe(decision)
    session.deal(decisions[to].board)
    return session, decisions[to]


def by_ramp(session, decision):
    """One minus Loki-1's ramp of a call."""
    frequencies = DEFAULT_FREQUENCIES[min(decision.bets_to_call, 2)]
    if decision.round == 0:
        mu, sigma = preflop_threshold(frequencies, C)[1:]
        return 1 - reweighting_factors(income_rates_by_holding(), mu, sigma, compensate=False)
    mu, sigma = postflop_threshold(frequencies, C)[1:]
    values, _ = spot_values(session.spot(decision))
    return np.nan_to_num(1 - reweighting_factors(values, mu, sigma))


def by_triples(session, decision):
    """The fold entry of the generic opponent's triples."""
    situation = decision.situation
    spot = TripleSpot(
        situation.round,
        situation.pot,
        situation.to_call,
        situation.bet_size,
        situation.bets_to_call,
        situation.num_bets,
        R in situation.legal,
    )
    if decision.round == 0:
        values, potentials = income_rates_by_holding(), 0.0
        borders = BettingThresholds.preflop(DEFAULT_FREQUENCIES)
    else:
        values, potentials = spot_values(session.spot(decision))
        borders = BettingThresholds.gom()
    triples = TripleGenerator(borders, form="reweighting").apply(spot, values, potentials)
    return np.nan_to_num(triples[:, F])


@pytest.mark.parametrize(
    ("model", "before_flop", "after_flop"),
    [
        ("loki1", by_ramp, by_ramp),
        ("loki2", by_ramp, by_triples),
        ("loki2?preflop=product", by_triples, by_triples),
    ],
)
def test_folds_by_ramp_or_by_triples(model, before_flop, after_flop):
    """As the reader re-weights in the round: `preflop=product` goes by triples before the flop, too."""
    for index, likelihoods in ((ANN, before_flop), (CID, after_flop)):
        session, decision = follow(model, index)
        expected = likelihoods(session, decision)
        assert expected.min() >= 0
        assert expected.max() > 0.5
        np.testing.assert_allclose(
            session.reader.fold_likelihoods(session.spot(decision)), expected, rtol=1e-12, atol=1e-15
        )
        before = session.table(decision.seat).values
        assert session.simulation_tables()[decision.seat].tolist() == before.tolist()
        observation = session.observe(decision)
        assert not observation.reweighted
        np.testing.assert_array_equal(session.table(decision.seat).values, before)  # the last table of the player
        tables = session.simulation_tables()
        np.testing.assert_allclose(tables[decision.seat], before * expected, rtol=1e-12, atol=1e-15)
        for seat in session.tables.active:
            np.testing.assert_array_equal(tables[seat], session.table(seat).values)


def test_ramp_and_triples_differ_before_the_flop():
    ramp, product = (follow(model, ANN) for model in ("loki2", "loki2?preflop=product"))
    one, other = (session.reader.fold_likelihoods(session.spot(fold)) for session, fold in (ramp, product))
    assert np.abs(one - other).max() > 0.05
    strong, weak = pm.cards.holding_index("AsAd"), pm.cards.holding_index("7s2d")
    for likelihoods in one, other:
        assert likelihoods[weak] > 0.9 > 0.1 > likelihoods[strong]


def test_what_was_folded_stays_as_it_was():
    session, decision = follow("loki2", ANN)
    session.observe(decision)
    kept = session.simulation_tables()[0]
    for each in list(PLAYED.replay())[ANN + 1 :]:
        session.observe(each)
        np.testing.assert_array_equal(session.simulation_tables()[0], kept)
    session.start(NAMES)
    assert session.simulation_tables()[0].tolist() == [1.0] * 1326


@pytest.mark.parametrize("model", ["bpp", "loki2:contexts"])
def test_folds_that_are_read_are_in_the_table_already(model):
    session, decision = follow(model, CID)
    observation = session.observe(decision)
    assert observation.reweighted
    np.testing.assert_array_equal(session.simulation_tables()[2], observation.after.values)


def test_nothing_is_kept_unless_asked_for():
    session = OpponentModeler("loki2")
    for decision in PLAYED.replay():
        session.observe(decision)
    tables = session.simulation_tables()
    assert tables[0] is None
    assert tables[2] is None
    np.testing.assert_array_equal(tables[1], session.table(1).values)


def test_who_hardly_ever_folds_is_not_known():
    """Where no ramp can be made of the folds: anything is possible."""
    loose = ActionCounts()
    loose.values[:, :] = [1, 98, 1]
    session, decision = follow("som", ANN, book={"Ann": loose})
    assert not session.reader.fold_likelihoods(session.spot(decision)).any()
    session.observe(decision)
    assert session.simulation_tables()[0] is None


@pytest.mark.parametrize("model", ["loki1", "loki2", "bpp"])
def test_who_leaves_out_of_turn_has_the_last_table(model):
    """Leaving says nothing: no holding folds more than another."""
    actions = [(2, R), (0, C), (1, C), (0, C), (1, R), (0, F, True), (2, C), (1, C), (2, C), (1, C), (2, C)]
    played = Hand("test", "1", SPEC, NAMES, actions, BOARD)
    session = OpponentModeler(model, folded_tables=True)
    decisions = list(played.replay())
    for decision in decisions[:6]:
        session.observe(decision)
    kept = session.simulation_tables()[0]
    assert session.tables.active == (1, 2)
    np.testing.assert_array_equal(kept, session.table("Ann").values)
    assert (kept > 0).sum() == live_holdings(BOARD[:6]).sum()
    assert len(np.unique(kept)) > 3  # a call before the flop said something
    # the next decision is Cid's: such a table is what a simulation can deal by
    position = Position.before(played, 6)
    advice = Simulator().run(position, "AsKs", session.simulation_tables(), trials=64, rng=1)
    assert np.isfinite(advice.ev).all()


def test_the_heros_cards_are_nobody_elses():
    session = OpponentModeler("loki2", hero="Bob", folded_tables=True)
    session.start(NAMES)
    session.hold("AsKd")
    for decision in PLAYED.replay():
        session.observe(decision)
    ann, bob, cid = session.simulation_tables()
    assert not ann[~live_holdings("AsKd")].any()
    assert not cid[~live_holdings(BOARD[:8] + "AsKd")].any()
    assert bob[~live_holdings("AsKd")].any()


def test_what_is_corrected_is_corrected_in_folded_tables_too():
    session, decision = follow("loki2", CID, calibrated=True)
    session.calibration._exponent[:] = 0.5
    before = session.observe(decision).before.values
    assert not np.array_equal(before, session.tables.weights[2])
    analysis = BoardAnalysis(BOARD[:8])
    np.testing.assert_array_equal(before > 0, analysis.live)
    kept = session.simulation_tables()[2]
    twin, same = follow("loki2", CID)  # what a player does follows from tables before correction
    folds = np.nan_to_num(twin.expect(same).triples[:, F])
    np.testing.assert_allclose(kept, before * folds, rtol=1e-12)
