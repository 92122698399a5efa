"""Readers of one's own, and what every reader that is registered must do."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._support import options as _options
from pokermodel.analysis.hand import HandReport
from pokermodel.cards import holding_index, live_holdings
from pokermodel.classics.simulation import Position, Simulator
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, GameSpec, Hand
from pokermodel.reading import (
    Expectation,
    Fact,
    OpponentModeler,
    Reader,
    ReaderKind,
    make_reader,
    number,
    read_reader,
    reader_kinds,
    register,
    registry,
)
from pokermodel.reading.features import Replay
from pokermodel.scoring import score
from tests.common.books import HANDS, played_free
from tests.common.six_handed import HANDS as SIX_HANDED

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(4, 1, 2)
NAMES = ("Ann", "Bob", "Cid", "Dee")
BOARD = "3h4cJh2s9d"
HOLDINGS = {0: "7c6d", 1: "AsKs", 2: "JcJd", 3: "8d8c"}
# Cid raises, Dee folds, Ann leaves out of turn, Bob calls; bets and raises on flop and turn; the river is checked
ACTIONS = [(2, R), (3, F), (0, C), (1, C), (0, R), (2, F, True), (1, R), (0, C), (0, C), (1, R), (0, C), (0, C), (1, C)]
PLAYED = Hand("test", "1", SPEC, NAMES, ACTIONS, BOARD, HOLDINGS)


class ByStrength(Reader):
    """Nothing but `expect`: the better the holding, the more it raises and the less it folds."""

    @staticmethod
    def triples(situation):
        shares = income_shares() if not situation.board else BoardAnalysis(situation.board).strengths()
        raises = shares / 2 if R in situation.legal else 0 * shares
        folds = (1 - shares) / 2 if F in situation.legal else 0 * shares
        return np.stack([folds, 1 - folds - raises, raises], axis=1)

    def expect(self, spot):
        return Expectation.of(self.triples(spot.situation), spot.weights)


def brute_force(played, prior=1.0):
    """Each decision of a hand, with the forecast by Bayes' rule and the player's probabilities of holdings after it."""
    weights = {seat: np.full(1326, prior) if np.isscalar(prior) else prior for seat in range(len(played.players))}
    found = []
    for decision in played.replay():
        triples = np.nan_to_num(ByStrength.triples(decision.situation))
        before = weights[decision.seat] * live_holdings(decision.board)
        predicted = before @ triples / before.sum()
        after = before
        if not decision.out_of_turn and decision.act in decision.legal:
            after = before * triples[:, decision.act]
        weights[decision.seat] = after
        found.append((decision, predicted, after / after.sum()))
    return found


# ------------------------------------------------------------------------------------------------ one of one's own


def test_a_reader_needs_nothing_but_an_expectation():
    session = OpponentModeler(ByStrength())
    assert session.model == "ByStrength"
    session.start(NAMES)
    for decision, predicted, after in brute_force(PLAYED):
        if not decision.out_of_turn:
            np.testing.assert_allclose(session.predict(decision.situation), predicted, rtol=1e-9)
        observation = session.observe(decision)
        np.testing.assert_allclose(observation.after.probabilities(), after, rtol=1e-9, atol=1e-15)
        assert observation.after == session.table(decision.seat)
        assert (observation.expected is None) == decision.out_of_turn
        assert observation.reweighted == (not decision.out_of_turn)
        if observation.expected is not None:
            facts = {fact.key: fact for fact in observation.facts()}
            assert facts["predicted"].value == pytest.approx(predicted.tolist())
            assert facts["predicted"].kind == "acts"


def test_it_is_scored():
    scores = score([PLAYED, PLAYED], {"strength": OpponentModeler(ByStrength())}, warmup=1)["strength"]
    losses, bits, last = [], [], {}
    for decision, predicted, after in brute_force(PLAYED):
        if decision.out_of_turn:
            continue
        legal = predicted[list(decision.legal)]
        losses.append(-math.log(predicted[decision.act] / legal.sum()))
        held = after[holding_index(HOLDINGS[decision.seat])] * live_holdings(decision.board).sum()
        bits.append(math.log2(held))
        last[decision.seat] = math.log2(held)
    report = scores.to_dict()
    assert (scores.decisions, scores.holdings) == (12, 2)
    assert scores.action_log_loss == pytest.approx(np.mean(losses))
    assert scores.bits_gained == pytest.approx((last[0] + last[1]) / 2)
    assert report["tables"]["every_decision"]["bits_gained"] == pytest.approx(np.mean(bits))
    assert report["tables"]["folded"]["last_decision"]["holdings"] == 2


def test_it_is_reported():
    report = HandReport.of(PLAYED, OpponentModeler(ByStrength(), hero="Bob"), "Bob").to_dict()
    assert report["model"] == "ByStrength"
    for step, (decision, predicted, after) in zip(report["steps"], brute_force(PLAYED), strict=True):
        if decision.out_of_turn:
            assert step["predicted"] is None
            continue
        assert step["predicted"] == pytest.approx(predicted.tolist())
        true = step["true_holding"]
        held = holding_index(HOLDINGS[decision.seat])
        assert true["probability"] == pytest.approx(after[held])
        assert true["triple"] == pytest.approx(ByStrength.triples(decision.situation)[held].tolist())
        assert (step["advice"] is not None) == (decision.player == "Bob")
        if decision.player == "Bob":  # by the package's own verdict with its tables
            assert {each["method"] for each in step["advice"]["acts"]} <= {"exact", "simulated", "solved"}
            assert all(math.isfinite(each["ev"]) for each in step["advice"]["acts"])


def test_what_it_says_of_itself():
    class Candid(ByStrength):
        def expect(self, spot):
            found = super().expect(spot)
            return Said(found.triples, found.predicted)

    class Said(Expectation):
        def facts(self, observation):
            return [*super().facts(observation), Fact("mood", "mood", observation.decision.player.lower())]

    report = HandReport.of(PLAYED, OpponentModeler(Candid())).to_dict()
    assert [step.get("mood") for step in report["steps"][:6]] == ["cid", "dee", "ann", "bob", "ann", None]


def test_it_starts_from_a_prior():
    """Asked for each seat of each hand, and by Bayes' rule like any other table."""
    best = income_shares() ** 4

    class Prejudiced(ByStrength):
        asked = 0

        def prior(self, player):
            self.asked += 1
            return best if player != "Ann" else None

    reader = Prejudiced()
    session = OpponentModeler(reader, hero="Bob", public_models=False)
    assert reader.asked == 0
    session.start(NAMES)
    assert reader.asked == 4
    assert session.table("Ann") == pm.WeightTable()
    assert session.table("Cid") == pm.WeightTable(best)
    session.hold("AsKs")
    assert session.table("Ann") == pm.WeightTable(dead="AsKs")
    assert session.table("Cid") == pm.WeightTable(best, dead="AsKs")
    assert session.table("Bob") == pm.WeightTable(best)

    by_seat = {"Ann": brute_force(PLAYED), "Bob": brute_force(PLAYED, best)}
    by_seat["Cid"] = by_seat["Dee"] = by_seat["Bob"]
    session = OpponentModeler(Prejudiced())
    for decision in PLAYED.replay():
        observation = session.observe(decision)
        expected = by_seat[decision.player][decision.index][2]
        np.testing.assert_allclose(observation.after.probabilities(), expected, rtol=1e-9, atol=1e-15)
    np.testing.assert_array_equal(best, income_shares() ** 4)  # nothing is written to what a reader hands in


def test_no_holding_falls_below_the_least_weight():
    class Careful(ByStrength):
        least_weight = 0.05

    session, least = OpponentModeler(Careful()), []
    for decision in PLAYED.replay():
        observation = session.observe(decision)
        possible = observation.posterior[live_holdings(decision.board)]
        assert possible.max() == pytest.approx(1) or decision.out_of_turn
        least.append(possible.min())
    assert min(least) == pytest.approx(0.05)


def test_folds_are_read_or_not():
    class Blind(ByStrength):
        reads_folds = False

    for reader, reads in (ByStrength(), True), (Blind(), False):
        session = OpponentModeler(reader)
        folded = [session.observe(decision) for decision in PLAYED.replay()][1]
        assert folded.decision.act == F
        assert folded.reweighted == reads
        assert folded.reason.startswith("a fold: each weight" if reads else "a fold: the table is dropped")


def test_an_act_that_the_rules_did_not_offer_says_nothing():
    free = Hand("t", "1", SPEC, NAMES, [(2, C), (3, C), (0, C), (1, C), (0, F), (1, C)], "3h4cJh")
    session = OpponentModeler(ByStrength())
    folded = [session.observe(decision) for decision in free.replay()][4]
    assert not folded.reweighted
    assert "did not offer" in folded.reason
    assert session.tables.active == (1, 2, 3)


def test_a_reader_without_an_expectation():
    class Silent(Reader):
        pass

    session = OpponentModeler(Silent())
    session.start(NAMES)
    with pytest.raises(NotImplementedError, match="Silent does not say what it expects"):
        session.predict(next(PLAYED.replay()))


def test_a_reader_is_told_of_a_hand_once_and_finds_it_begun():
    seen = []

    class Watching(ByStrength):
        def start(self, players):
            seen.append((players, session.tables.board, [float(each.sum()) for each in session.tables.weights]))

    session = OpponentModeler(Watching())
    assert seen == []
    for played in PLAYED, Hand("test", "2", SPEC, NAMES, ACTIONS, BOARD, HOLDINGS):
        for decision in played.replay():
            session.observe(decision)
    assert seen == [(NAMES, (), [1326.0] * 4)] * 2


# -------------------------------------------------------------------------------------------------- by other packages


@pytest.fixture
def other_package(monkeypatch):
    """A package with a reader of its own, whose module was not imported yet; gives what was asked and loaded."""
    asked, loaded = [], []

    class Entry:
        name, module, dist = "timid", "timid", None

        def load(self):
            loaded.append("timid")

            def timid(known, nerve=1.0):
                made = ByStrength()
                made.nerve, made.known = nerve, known
                return made

            register(ReaderKind("timid", timid, "everybody folds", {"nerve": number}))

    def entry_points(*, group):
        asked.append(group)
        return [Entry()]

    readers = registry._REGISTRY
    monkeypatch.setattr(_options, "entry_points", entry_points)
    monkeypatch.setattr(readers, "_kinds", dict(readers._kinds))
    monkeypatch.setattr(readers, "_complete", False)
    return asked, loaded


def test_readers_of_other_packages(other_package):
    asked, loaded = other_package
    assert read_reader("som")[0].name == "som"
    assert loaded == []  # nobody asked for what is not there
    session = OpponentModeler("timid?nerve=.5", {"Ann": None})
    assert session.reader.nerve == 0.5
    assert session.reader.known == {"Ann": None}
    assert OpponentModeler("timid", nerve=2).reader.nerve == 2
    assert "timid" in reader_kinds()
    assert asked == ["pokermodel.readers"]
    assert loaded == ["timid"]
    scores = score([PLAYED], "timid?nerve=2,call")
    assert scores["timid?nerve=2"].action_log_loss < scores["call"].action_log_loss
    with pytest.raises(ValueError, match="unknown option 'noise' of model timid: its options are nerve, calibrated"):
        OpponentModeler("timid?noise=1")


def test_readers_of_other_packages_are_listed(other_package):
    assert "timid" in reader_kinds()
    assert other_package[1] == ["timid"]


def test_what_there_is_is_listed(other_package):
    with pytest.raises(ValueError, match=r"unknown model 'shy': expected one of adaptive, uniform, call, .*, timid$"):
        OpponentModeler("shy")


# ---------------------------------------------------------------------------------------------- all that there are

KINDS = sorted(reader_kinds())


def test_kinds_say_what_they_are():
    for name, kind in reader_kinds().items():
        assert kind.name == name
        assert kind.about
        assert set(kind.needs) <= {"statistics", "bpp", "adaptive"}
        assert "calibrated" not in kind.options  # which every kind has
        assert read_reader(f"{name}?calibrated=1") == (kind, {"calibrated": True})
        with pytest.raises(ValueError, match=f"unknown option 'colour' of model {name}: "):
            make_reader(kind, colour=1)


@pytest.mark.parametrize("name", KINDS)
def test_every_reader_reads_learns_scores_and_feeds_a_simulation(name):
    session = OpponentModeler(name, folded_tables=True)
    reader = session.reader
    session.start(NAMES)
    simulated = 0
    for turn in range(2):
        for decision in PLAYED.replay():
            predicted = session.predict(decision.situation)
            if not reader.predicts_acts:
                assert predicted is None
            else:
                assert predicted.shape == (3,)
                assert (predicted >= 0).all()
                assert predicted.sum() == pytest.approx(1)
            live = live_holdings(decision.board)
            if reader.infers_holdings and decision.round and not decision.out_of_turn:
                position = Position.before(PLAYED, decision.index)
                advice = Simulator().run(
                    position, HOLDINGS[decision.seat], session.simulation_tables(), trials=64, rng=turn
                )
                assert np.isfinite(advice.ev[list(decision.legal)]).all()
                simulated += 1
            observation = session.observe(decision)
            assert np.isfinite(observation.weights_after).all()
            assert observation.weights_after[live].min() >= 0
            assert observation.weights_after[live].sum() > 0
            if not reader.infers_holdings:
                assert not observation.reweighted
            assert session.showdown(decision.seat, HOLDINGS[decision.seat]).probability > 0
        decisions = list(PLAYED.replay())
        session.learn(PLAYED, decisions)
        session.learn(PLAYED)
        session.start(NAMES)
    assert simulated == (2 * 8 if reader.infers_holdings else 0)

    found = score([PLAYED] * 3, name, warmup=1)[name]
    assert found.decisions == (2 * 12 if reader.predicts_acts else 0)
    assert found.holdings == (2 * 2 if reader.infers_holdings else 0)


def test_who_judges_everybody_alike_learns_nothing():
    """So that nobody has to show them acts that nobody asks about."""
    for name, acts, hands in (
        *(("loki1", False, False), ("som", True, False), ("loki2", False, False), ("loki2:contexts", True, False)),
        *(("frequencies", True, False), ("own", True, False), ("bpp", False, True), ("shown", False, True)),
    ):
        session = OpponentModeler(name)
        assert (session.reader.learns_acts, session.learns_hands) == (acts, hands)
        assert OpponentModeler(name, calibrated=True).learns_hands


@pytest.mark.parametrize("name", KINDS)
def test_who_learns_is_known(name):
    """Where nothing is learnt from acts, or from hands, nothing changes when it is left out."""
    session, other = OpponentModeler(name), OpponentModeler(name)
    hands = [played for played in HANDS if "Ann" in played.players][:15]
    for played in hands:
        decisions = list(played.replay())
        if session.reader.learns_acts:
            for decision in decisions:
                session.observe(decision)
        if session.learns_hands:
            session.learn(played, decisions)
        other.learn(played, decisions)
    fresh, differ = OpponentModeler(name), False
    for each in session, other, fresh:
        each.learning = False
        each.start(hands[0].players)
    for decision in hands[0].replay():
        one, two, three = (each.predict(decision.situation) for each in (session, other, fresh))
        if one is not None:
            np.testing.assert_array_equal(one, two)
            differ |= bool(np.abs(one - three).max() > 1e-6)
        for each in session, other, fresh:
            each.observe(decision)
        one, two, three = (each.weights(decision.seat) for each in (session, other, fresh))
        np.testing.assert_array_equal(one, two)
        differ |= bool(np.abs(one / one.sum() - three / three.sum()).max() > 1e-9)
    assert differ == (session.reader.learns_acts or session.learns_hands)


# ------------------------------------------------------------------------------------------------- an act in one step

SIZED = [SIX_HANDED[0], SIX_HANDED[3], *(played_free(k, k, ("Ann", "Bob", "Cid")) for k in range(3))]


def bits(value):
    """What a forecast or a table is, to the last bit."""
    return None if value is None else np.asarray(value).tobytes()


@pytest.mark.parametrize("calibrated", [False, True])
@pytest.mark.parametrize("learning", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_a_step_is_a_forecast_and_an_observation(name, learning, calibrated):
    stepping, other = (OpponentModeler(name, calibrated=calibrated, learning=learning) for _ in range(2))
    for played in [PLAYED, *HANDS[:5], *(SIZED if stepping.reader.reads_sizes else [])]:
        decisions = list(played.replay())
        other.start(played.players)  # which a step does by itself
        for decision in decisions:
            found, predicted, sizes = next(stepping.steps((decision,))), other.predict(decision), None
            if decision.act == R:
                sizes = other.predict_sizes(decision)
            observation = other.observe(decision)
            if decision.out_of_turn or decision.act not in decision.legal:
                assert (found.predicted, found.sizes) == (None, None)
            else:
                assert (bits(found.predicted), bits(found.sizes)) == (bits(predicted), bits(sizes))
            assert found.update.reason == observation.reason
            assert isinstance(observation.detail, type(found.update.detail))
            for seat in range(len(played.players)):
                assert bits(stepping.weights(seat)) == bits(other.weights(seat))
        for each in stepping, other:
            each.learn(played, decisions)


@pytest.mark.parametrize("name", KINDS)
def test_steps_through_a_replay_are_steps(name):
    """A replay has the features of its situations; they need not be worked out again."""
    through, apart = (OpponentModeler(name, calibrated=True, learning=False) for _ in range(2))
    for played in [PLAYED, *HANDS[:5], *(SIZED if through.reader.reads_sizes else [])]:
        replay = Replay(played.replay())
        for found, decision in zip(through.steps(replay), replay, strict=True):
            other = next(apart.steps((decision,)))
            assert (bits(found.predicted), bits(found.sizes)) == (bits(other.predicted), bits(other.sizes))
            assert bits(found.update.weights) == bits(other.update.weights)
        for each in through, apart:
            each.learn(played, replay)


@pytest.mark.parametrize("name", KINDS)
def test_forecasts_of_a_step_know_nothing_of_the_act(name):
    session = OpponentModeler(name, learning=False)
    for played in [PLAYED, *HANDS[:3], *(SIZED[:2] if session.reader.reads_sizes else [])]:
        for decision in played.replay():
            if not decision.out_of_turn:
                forecasts = {
                    bits(next(session.copy().steps((decision._replace(act=act, put_in=decision.to_call),))).predicted)
                    for act in decision.legal
                }
                assert len(forecasts) == 1
            session.observe(decision)


# ------------------------------------------------------------------------------------------------------- calibrated


@pytest.mark.parametrize("name", KINDS)
def test_corrections_are_the_same_wherever_one_looks(name):
    session, plain = OpponentModeler(f"{name}?calibrated=1"), OpponentModeler(f"{name}?calibrated=0")
    assert session.calibration is not None
    assert plain.calibration is None
    for each in session, plain:
        each.learning = False
    for played in HANDS[:30]:
        decisions = list(played.replay())
        session.start(played.players)
        for decision in decisions:
            session.observe(decision)
        for each in session, plain:
            each.learn(played, decisions)
    reader, calibration = session.reader, session.calibration
    assert (calibration.factors != 1).any() == reader.predicts_acts
    tells = reader.infers_holdings and name != "uniform"  # any power of a uniform table is the same
    assert (calibration.table_exponents != 1).any() == tells
    for played in HANDS[30:33]:
        for each in session, plain:
            each.start(played.players)
        for decision in played.replay():
            situation, seat = decision.situation, decision.seat
            live = live_holdings(decision.board)
            predicted, uncorrected = session.predict(situation), plain.predict(situation)
            assert (predicted is None) == (not reader.predicts_acts)
            if predicted is not None:
                np.testing.assert_array_equal(predicted, calibration.forecast(situation, uncorrected))
                assert predicted[list(decision.legal)].sum() == pytest.approx(1)
            imagined = None if decision.act == F or session.learning else session.imagine(situation, decision.act)
            observation, without = session.observe(decision), plain.observe(decision)
            np.testing.assert_array_equal(observation.posterior, without.posterior)
            np.testing.assert_array_equal(session.weights(seat)[live], observation.weights_after[live])
            np.testing.assert_array_equal(session.tables.weights[seat], plain.weights(seat))
            assert session.table(seat) == observation.after
            if imagined is not None:
                np.testing.assert_array_equal(imagined, observation.weights_after)
            exponent = calibration.exponent(decision.round)
            assert observation.exponent == exponent
            powers = (without.after.values / without.after.values.max()) ** exponent * live
            expected = pm.WeightTable(powers, dead=decision.board).probabilities()
            np.testing.assert_allclose(observation.after.probabilities(), expected, rtol=1e-12)
            for each in session.tables.active:
                np.testing.assert_array_equal(session.simulation_tables()[each], session.table(each).values)
