"""Scores: what they are by hand, and that no forecast can know what it should not."""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cards import N_HOLDINGS, card_indices, holding_index, live_holdings
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli.main import cli, main
from pokermodel.game import Act, Action, GameSpec, Hand, Situation
from pokermodel.histories import HandSource, phh
from pokermodel.learning import kinds
from pokermodel.library import Book
from pokermodel.reading import (
    BettingHistory,
    OpponentModeler,
    Reader,
    ReaderKind,
    Update,
    read_reader,
    reader_kinds,
    register,
)
from pokermodel.reading.baselines import FrequencyReader, ShownHoldings, Uniform
from pokermodel.report import scores
from pokermodel.scoring import LEAST_PROBABILITY, LEAST_SHARE, Score, score
from pokermodel.scoring.measures import Mean
from tests.common.books import HANDS

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(3, 1, 2)
NAMES = ("Ann", "Bob", "Cid")
BOARD = "3h4cJh2s9d"
HOLDINGS = {0: "7c6d", 1: "AsKs", 2: "JcJd"}
# Cid raises, Ann folds, Bob calls; everything else is checked
SHOWDOWN = [(2, R), (0, F), (1, C), *[(seat, C) for _ in range(3) for seat in (1, 2)]]
# all fold to Bob
WALK = [(2, F), (0, F)]


def hand(actions=SHOWDOWN, board=BOARD, id="1", names=NAMES, holdings=HOLDINGS, **more):
    return Hand("test", id, SPEC, names, actions, board, holdings, **more)


class Made(Reader):
    """Forecasts that are handed in; keeps all that it is told."""

    def __init__(self, predicted=None, table=None):
        self.predicted, self.weights = predicted, table
        self.predicts_acts, self.infers_holdings = predicted is not None, table is not None
        self.told = []

    def start(self, players):
        self.told.append(("start", players))

    def predict(self, spot):
        self.told.append(("predict", spot.situation))
        return self.predicted

    def judge(self, spot, act, put_in):
        self.told.append(("judge", spot.situation, act))
        return Update(self.weights, "made")

    def note(self, decision, update):
        self.told.append(("note", decision, update))

    def count(self, decision, features):
        self.told.append(("count", decision))

    def learn(self, hand, decisions):
        self.told.append(("learn", hand, decisions))

    @property
    def calls(self):
        return [what for what, *_ in self.told]


def score_made(hands, made, **options):
    """Score one reader under the name "made"."""
    return score(hands, {"made": OpponentModeler(made)}, **options)


# -------------------------------------------------------------------------------------------- by hand


def test_log_loss_and_accuracy_by_hand():
    """Three decisions facing a bet, all acts legal; six checks, where a fold is not."""
    found = score_made([hand()], Made(np.array([0.2, 0.5, 0.3])))["made"]
    facing = -math.log(0.3) - math.log(0.2) - math.log(0.5)
    checks = -6 * math.log(0.5 / 0.8)
    assert found.decisions == 9
    assert found.action_log_loss == pytest.approx((facing + checks) / 9)
    assert found.uniform_log_loss == pytest.approx((3 * math.log(3) + 6 * math.log(2)) / 9)
    assert found.action_accuracy == pytest.approx(7 / 9)
    report = found.to_dict()
    assert report["streets"]["pre-flop"]["action_log_loss"] == pytest.approx(facing / 3)
    assert [report["streets"][name]["decisions"] for name in ("pre-flop", "flop", "turn", "river")] == [3, 2, 2, 2]
    assert report["players"]["Ann"]["action_log_loss"] == pytest.approx(-math.log(0.2))
    rows = {(row["act"], row["low"]): row for row in report["calibration"]}
    assert rows["fold", 0.2]["decisions"] == 3
    assert rows["fold", 0.2]["observed"] == pytest.approx(1 / 3)
    assert rows["call", 0.6]["predicted"] == pytest.approx(0.625)
    assert rows["call", 0.6]["observed"] == 1


def test_impossible_forecasts_cost_a_stated_amount():
    found = score([hand(WALK, board="")], "call")["call"]
    assert found.action_log_loss == pytest.approx(-math.log(LEAST_PROBABILITY / (1 + 2 * LEAST_PROBABILITY)))
    assert found.action_accuracy == 0


def test_ties_count_in_part():
    found = score([hand()], "uniform")["uniform"]
    assert found.action_accuracy == pytest.approx((3 / 3 + 6 / 2) / 9)
    assert found.action_log_loss == pytest.approx(found.uniform_log_loss)
    assert found.bits_gained == 0


def test_bits_by_hand():
    weights = np.ones(1326)
    weights[holding_index("JcJd")] = 3
    weights[holding_index("AsKs")] = 0
    weights[holding_index("3hAd")] = 1e9  # the board rules it out from the flop on
    found = score_made([hand()], Made(table=weights))["made"]
    live = 47 * 46 // 2
    of_cid, of_bob = math.log2(3 / (live + 1) * live), math.log2(LEAST_SHARE)
    assert (found.holdings, found.decisions, found.action_log_loss) == (2, 0, None)
    assert found.bits_gained == pytest.approx((of_cid + of_bob) / 2)
    tables = found.to_dict()["tables"]
    before_flop = math.log2(1 / (1326 + 1e9 - 1 + 2 - 1) * 1326)  # Ann's at her fold
    assert tables["folded"]["last_decision"]["bits_gained"] == pytest.approx(before_flop)
    assert tables["showed"]["every_decision"]["holdings"] == 8
    assert tables["every_decision"]["holdings"] == 9
    assert tables["showed"]["streets"]["river"]["bits_gained"] == pytest.approx((of_cid + of_bob) / 2)


def test_intervals_are_over_hands():
    """A ratio of two sums: against the textbook formula."""
    rng = np.random.default_rng(1)
    hands = [rng.normal(size=rng.integers(1, 9)) + rng.normal() for _ in range(40)]
    mean = Mean()
    for number, values in enumerate(hands):
        for value in values:
            mean.add(number, value)
    n = sum(map(len, hands))
    expected = sum(map(sum, hands)) / n
    residuals = np.array([values.sum() - expected * len(values) for values in hands])
    assert mean.value == pytest.approx(expected)
    assert mean.standard_error == pytest.approx(math.sqrt(40 / 39 * (residuals**2).sum()) / n)
    assert mean.ci95 == pytest.approx(
        [expected - 1.959964 * mean.standard_error, expected + 1.959964 * mean.standard_error]
    )
    assert (Mean().value, Mean().ci95) == (None, None)


def test_an_interval_is_read_in_the_middle_of_a_hand():
    """Values that follow in the same hand belong to it still."""
    read, unread = Mean(), Mean()
    for number, value in ((1, 0.0), (1, 1.0), (2, 1.0), (2, 1.0), (3, 0.0), (3, 0.0)):
        for mean in (read, unread):
            mean.add(number, value)
        assert read.ci95 == read.ci95
    assert read.standard_error == unread.standard_error


def test_true_probabilities_are_calibrated():
    """Acts drawn from what is predicted: calibrated, and the log-loss is their entropy."""
    rng = np.random.default_rng(2)
    found = Score("true")
    entropy = 0.0
    for k in range(20_000):
        p = rng.dirichlet([1, 1, 1])
        entropy -= float(p @ np.log(p)) / 20_000
        found.add_action(k, 1, "Ann", 0, (F, C, R), p, Act(rng.choice(3, p=p)))
    report = found.to_dict()
    for row in report["calibration"]:
        error = math.sqrt(max(row["predicted"] * (1 - row["predicted"]), 1e-3) / row["decisions"])
        assert abs(row["predicted"] - row["observed"]) < 4.5 * error
    assert found.action_log_loss == pytest.approx(entropy, abs=0.02)
    assert report["calibration_error"] < 0.01
    low, high = report["action_log_loss_ci95"]
    assert high - low < 0.03


# ---------------------------------------------------------------------------------------- the order of things


def test_the_order_of_things():
    made = Made(np.ones(3), np.ones(1326))
    hands = [hand(id=str(k)) for k in range(3)]
    found = score_made(hands, made, warmup=1)
    assert (found.learnt, found.hands) == (1, 2)
    scored, learnt = ["start", *["predict", "judge", "note"] * 9], [*["count"] * 9, "learn"]
    assert made.calls == [*learnt, *scored, *learnt, *scored, *learnt]
    frozen = Made(np.ones(3), np.ones(1326))
    score_made(hands, frozen, warmup=1, frozen=True)
    assert frozen.calls == [*learnt, *scored, *scored]


def test_what_a_reader_is_shown():
    made = Made(np.ones(3))
    score_made([hand()], made)
    (situation, *_), (judged, *_), (learnt, *_) = (
        [rest for call, *rest in made.told if call == what] for what in ("predict", "judge", "learn")
    )
    assert isinstance(situation[0], Situation)
    assert situation[0] is judged[0]
    assert not {"act", "put_in", "hand_id", "source"} & set(situation[0]._fields)
    assert dict(learnt[0].holdings) == {seat: card_indices(HOLDINGS[seat]) for seat in (1, 2)}
    mucked = hand(mucked=[1]).public()
    assert set(mucked.holdings) == {2}
    assert mucked.payoffs == hand(mucked=[1]).payoffs


def test_what_was_not_offered_is_not_predicted():
    free_fold = [(2, R), (0, F), (1, C), (1, F)]
    left = [(2, R), (1, F, True), (0, F)]
    made = Made(np.ones(3))
    found = score_made([hand(free_fold, "3h4cJh"), hand(left, "", id="2")], made)
    assert (found.unoffered, found.out_of_turn) == (1, 1)
    assert found["made"].decisions == 5
    assert made.calls.count("predict") == 5
    assert made.calls.count("judge") == made.calls.count("count") == 6  # but for leaving out of turn


def test_experience_is_counted_in_hands():
    hands = [hand(WALK, "", id=str(k)) for k in range(12)]
    found = score(hands, "uniform", warmup=1)["uniform"].to_dict()
    assert [(row["hands_seen"], row["below"], row["decisions"]) for row in found["learning_curve"]] == [
        (1, 2, 2), (2, 5, 6), (5, 10, 10), (10, 20, 4)
    ]  # fmt: skip


def test_interrupted():
    def hands():
        yield hand()
        raise KeyboardInterrupt

    found = score(hands(), "uniform")
    assert found.interrupted
    assert found["uniform"].decisions == 9


def test_an_interruption_leaves_no_part_of_a_hand():
    class Interrupting(Made):
        def predict(self, spot):
            if len(self.told) > 160:
                raise KeyboardInterrupt
            return super().predict(spot)

    def readers(made):
        return {"uniform": OpponentModeler("uniform"), "made": OpponentModeler(made(np.ones(3), np.ones(N_HOLDINGS)))}

    hands = [hand(id=str(k)) for k in range(9)]
    found = score(hands, readers(Interrupting))
    assert found.interrupted
    assert 0 < found.hands < 9
    whole = score(hands[: found.hands], readers(Made))
    assert found.to_dict() == whole.to_dict() | {"interrupted": True}


def test_forecasts_may_be_made_in_one_place():
    class Reusing(Made):
        def predict(self, spot):
            place[:] = (len(spot.situation.board) + 1, 2, 3)
            return place

    class Fresh(Made):
        def predict(self, spot):
            return np.array([len(spot.situation.board) + 1, 2, 3])

    place = np.zeros(3)
    for calibrated in False, True:
        one, other = (
            score([hand()] * 5, {"made": OpponentModeler(made(np.ones(3)), calibrated=calibrated)})["made"].to_dict()
            for made in (Reusing, Fresh)
        )
        assert one == other


# -------------------------------------------------------------------------------------------------- truth


class Recorded(OpponentModeler):
    """A session whose forecasts and tables are kept, whether or not somebody looks at them."""

    def __init__(self, *args, **options):
        self.said = []
        super().__init__(*args, **options)

    def steps(self, decisions):
        for decision, found in zip(decisions, super().steps(decisions), strict=True):
            if not decision.out_of_turn and decision.act in decision.legal:
                self.said.append(None if found.predicted is None else np.array(found.predicted))
            self.said.append(np.array(self.weights(decision.seat)) if self.reader.infers_holdings else None)
            yield found


def as_scored(name):
    """A session as `score` makes it for a name."""
    return Recorded(name, calibrated=read_reader(name)[0].corrected)


def said(make, hands, warmup=0):
    recorded = make()
    score(hands, {"recorded": recorded}, warmup=warmup)
    return recorded.said


def assert_same(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def assert_does_not_know_the_future(make, hands, warmup=0):
    """What is said of the first hands is the same whatever hands follow, and whatever follows in a hand."""
    half = (warmup + len(hands)) // 2
    alone = said(make, hands[:half], warmup)
    followed = said(make, hands[:half] + hands[half:][::-1], warmup)
    assert_same(alone, followed[: len(alone)])
    last = hands[half]
    for cut, decision in enumerate(last.replay()):
        act = next(act for act in decision.legal if act != decision.act)  # something else, and then all fold
        state = pm.game.State(last.spec, last.stacks)
        changed = [*last.actions[:cut], Action(decision.seat, act)]
        for done in changed:
            state.act(done.act)
        while not state.over:
            changed.append(Action(state.seat, F))
            state.act(F)
        other = Hand(last.source, last.id, last.spec, last.players, changed, last.board, stacks=last.stacks)
        real, changed_said = (said(make, [*hands[:half], each], warmup) for each in (last, other))
        before = len(alone) + 2 * cut + 1  # up to the prediction of what is changed
        assert_same(real[:before], changed_said[:before])


def assert_does_not_know_hidden_cards(make, hands, warmup=0):
    """What is said is the same if those who did not show held something else."""
    rng = np.random.default_rng(3)
    others = []
    for each in hands:
        shown = {seat: cards for seat, cards in each.holdings.items() if seat in each.shown and seat not in each.mucked}
        free = rng.permutation(
            sorted(set(range(52)) - set(each.board) - {c for cards in shown.values() for c in cards})
        )
        hidden = {seat: cards for seat, cards in each.holdings.items() if seat not in shown}
        dealt = {seat: tuple(free[2 * k : 2 * k + 2].tolist()) for k, seat in enumerate(hidden)}
        rest = {"stacks": each.stacks, "mucked": each.mucked}
        others.append(
            Hand(each.source, each.id, each.spec, each.players, each.actions, each.board, shown | dealt, **rest)
        )
    assert_same(said(make, hands, warmup), said(make, others, warmup))


MODELS = sorted(set(reader_kinds()) - {"gom"})


@pytest.fixture(scope="module")
def real_hands(data_dir):
    return list(islice(pm.open_hands(data_dir / "acpc-2014-3p-limit"), 40))


@pytest.mark.parametrize("name", MODELS)
def test_no_model_knows_the_future(name, real_hands):
    assert_does_not_know_the_future(lambda: as_scored(name), real_hands[:12], warmup=4)


@pytest.mark.parametrize("name", MODELS)
def test_no_model_knows_hidden_cards(name, real_hands):
    assert_does_not_know_hidden_cards(lambda: as_scored(name), real_hands, warmup=20)


class Peeking(FrequencyReader):
    """Finds the hand that is scored in the frames of those who call it, and looks."""

    infers_holdings = True

    @staticmethod
    def whole():
        frame = sys._getframe()
        while "hand" not in frame.f_locals:
            frame = frame.f_back
        return frame.f_locals["hand"]

    def predict(self, spot):
        return np.eye(3)[self.whole().actions[-1].act]

    def judge(self, spot, act, put_in):
        weights = np.ones(1326)
        weights[holding_index(self.whole().holdings.get(spot.situation.seat, (0, 1)))] = 1e6
        return Update(weights, "seen")


def test_those_who_look_are_caught(real_hands):
    with pytest.raises(AssertionError):
        assert_does_not_know_the_future(lambda: Recorded(Peeking()), real_hands[:12], warmup=4)
    with pytest.raises(AssertionError):
        assert_does_not_know_hidden_cards(lambda: Recorded(Peeking()), real_hands, warmup=20)


# -------------------------------------------------------------------------------------------------- models


def test_a_modeler_says_what_it_would_say_alone(real_hands):
    """The same tables and triples as the modeler's, which counts at the end of a hand instead of at once."""
    for model in ("som", "loki2:som"):
        alone = OpponentModeler(model)
        alone.learning = False
        expected = []
        for each in real_hands[:10]:
            alone.start(each.players)
            decisions = list(each.replay())
            for decision in decisions:
                expected.append(alone.predict(decision.situation))
                alone.observe(decision)
                expected.append(alone.table(decision.seat).values)
            history = BettingHistory(len(each.players))
            for decision in decisions:
                alone.reader.count(decision, history.features(decision.situation))
                history.add(decision)
        assert_same(said(lambda name=model: Recorded(name), real_hands[:10]), expected)


def test_frequencies_by_hand():
    model = FrequencyReader(own=True)
    session = OpponentModeler(model)
    decisions = list(hand().replay())
    session.learn(hand(), decisions)
    session.start(NAMES)
    (first, *_) = decisions
    everybody = np.array([1, 2, 2]) / 5  # one call and one raise with a bet to call, and one of each before that
    np.testing.assert_allclose(session.predict(first.situation), (np.array([0, 0, 1]) + 20 * everybody) / 21)
    stranger = first.situation._replace(player="Dan")
    np.testing.assert_allclose(model.forecast(session.spot(first).at(stranger)), everybody)


def test_shown_holdings_by_hand():
    model = ShownHoldings()
    session = OpponentModeler(model)
    session.start(NAMES)
    np.testing.assert_allclose(session.weights(0), session.weights(0)[0])
    for _ in range(3):
        model.learn(hand(holdings={1: "AsKs", 2: "JcJd"}), ())
    session.start(NAMES)
    table = session.weights(0) * 1326 / 200
    assert table[holding_index("7c2d")] == pytest.approx(1)
    assert table[holding_index("AhKh")] == pytest.approx(1 + 3 / 4 * 1326 / 200)
    assert table[holding_index("JhJs")] == pytest.approx(1 + 3 / 6 * 1326 / 200)


@pytest.mark.parametrize("name", MODELS)
def test_models_start_from_a_book(name, real_hands):
    raw = f"{name}?calibrated=0"
    with Book("sqlite://") as book:
        book.learn(real_hands[:20], kinds=kinds())
        before = [book.profile(player).counts for player in book]
        known = score(real_hands[20:30], raw, book=book)[raw]
        assert [book.profile(player).counts for player in book] == before
    if name == "bpp":  # a book goes over its hands twice more
        tables = BayesTables()
        tables.fit(real_hands[:20], passes=2)
        warm = score(real_hands[20:30], {raw: OpponentModeler("bpp", tables=tables)})[raw]
    else:
        warm = score(real_hands[:30], raw, warmup=20)[raw]
    assert known.decisions == warm.decisions
    assert known.action_log_loss == pytest.approx(warm.action_log_loss)
    assert known.bits_gained == pytest.approx(warm.bits_gained)


class Distorted(Reader):
    """Says true chances and tables to some power, on a situation that is always the same; what happens is drawn."""

    def __init__(self, power, factors=(1, 1, 1)):
        self.rng = np.random.default_rng(4)
        self.power, self.factors = power, np.array(factors)
        self.table_of_all = self.rng.dirichlet(np.full(1326, 0.5)) + 1e-6
        self.learnt = 0

    def start(self, players):
        self.chances = self.rng.dirichlet([2, 2, 2])

    def prior(self, player):
        return self.table_of_all**self.power

    def predict(self, spot):
        return (self.chances / self.factors) ** self.power

    def judge(self, spot, act, put_in):
        return Update(None, "says nothing")

    def learn(self, hand, decisions):
        self.learnt += 1


def live(distorted, session, hands):
    """Play hands of one decision, by the chances that the reader distorts."""
    (decision, *_) = hand().replay()
    chances = distorted.table_of_all / distorted.table_of_all.sum()
    for _ in range(hands):
        session.start(NAMES)
        session.predict(decision.situation)
        done = decision._replace(act=Act(distorted.rng.choice(3, p=distorted.chances)))
        session.observe(done)
        held = pm.cards.holding_cards(int(distorted.rng.choice(1326, p=chances)))
        board = [card for card in range(7) if card not in held][:5]
        session.learn(hand(board=board, holdings={2: held}), [done])


@pytest.mark.parametrize("power", [0.5, 1.0, 1.6])
def test_what_is_distorted_is_straightened(power):
    distorted = Distorted(power, (1.5, 1, 0.7))
    session = OpponentModeler(distorted, calibrated=True)
    live(distorted, session, 2000)
    calibration = session.calibration
    assert calibration.exponents[0, 1] == pytest.approx(1 / power, rel=0.15)
    factors = calibration.factors[0, 1]
    assert factors / factors[1] == pytest.approx([1.5, 1, 0.7], rel=0.2)
    assert calibration.table_exponents[0] == pytest.approx(1 / power, rel=0.15)
    np.testing.assert_array_equal(calibration.exponents[1:], 1)
    np.testing.assert_array_equal(calibration.table_exponents[1:], 1)
    assert distorted.learnt == 2000
    (decision, *_) = hand().replay()
    assert session.predict(decision.situation) == pytest.approx(distorted.chances, abs=0.05)
    session.start(NAMES)
    session.observe(decision)
    table = session.weights(2)
    assert np.corrcoef(table, distorted.table_of_all)[0, 1] > 0.99


def test_newton_steps_one_by_one_come_to_the_maximum():
    """Against the maximum of the penalised likelihood of all observations at once."""
    optimize = pytest.importorskip("scipy.optimize", reason="SciPy is not installed")
    logs, acts = [], []

    class Watched(Distorted):
        def predict(self, spot):
            found = super().predict(spot)
            logs.append(np.log(np.maximum(found / found.sum(), 0.01)))
            return found

        def note(self, decision, update):
            acts.append(int(decision.act))

    watched = Watched(0.6, (1, 1, 1.4))
    session = OpponentModeler(watched, calibrated=True)
    live(watched, session, 2000)
    assert len(logs) == len(acts) == 2000

    def loss(theta):
        values = theta[0] * np.array(logs) + theta[1:]
        values -= np.log(np.exp(values).sum(axis=1, keepdims=True))
        prior = np.array([10, 2, 2, 2]) @ (theta - [1, 0, 0, 0]) ** 2 / 2
        return prior - values[range(len(acts)), acts].sum()

    best = optimize.minimize(loss, [1, 0, 0, 0]).x
    assert session.calibration.exponents[0, 1] == pytest.approx(best[0], abs=0.05)
    assert np.log(session.calibration.factors[0, 1]) == pytest.approx(best[1:], abs=0.05)


@pytest.mark.parametrize("weight", [1e-3, 1.0, 1e6])
def test_holdings_that_meet_the_board_do_not_count(weight):
    """What a reader says of holdings that nobody can have changes neither what is learnt nor what is said."""
    rng = np.random.default_rng(3)
    hands = [hand(id=str(k)) for k in range(20)]
    of_all = rng.dirichlet(np.full(1326, 0.5)) + 1e-6

    class OnBoard(Made):
        def judge(self, spot, act, put_in):
            return Update(np.where(live_holdings(spot.situation.board), of_all, self.dead), "made")

    def calibrated(dead):
        made = OnBoard(np.ones(3), of_all)
        made.dead = dead
        return OpponentModeler(made, calibrated=True)

    found, expected = calibrated(weight), calibrated(0.0)
    scores = score(hands, {"found": found, "expected": expected})
    assert scores["found"].bits_gained == scores["expected"].bits_gained
    exponents = found.calibration.table_exponents
    np.testing.assert_array_equal(exponents, expected.calibration.table_exponents)
    assert (exponents != 1).all()
    for decision in hands[0].replay():
        for each in (found, expected):
            each.observe(decision)
        live = live_holdings(decision.board)
        for seat in range(len(NAMES)):
            np.testing.assert_array_equal(found.weights(seat)[live], expected.weights(seat)[live])


def test_learning_alone_is_learning_while_scored(real_hands, monkeypatch):
    """A warm-up walks through the hands as a score does."""
    monkeypatch.setattr("pokermodel.reading.calibration.EVERY", 1)
    for name in ("som", "loki2"):
        warmed, scored = (OpponentModeler(name, calibrated=True) for _ in range(2))
        score(real_hands, {"warmed": warmed}, warmup=len(real_hands))
        score(real_hands, {"scored": scored})
        for what in "exponents", "factors", "table_exponents":
            one, other = (getattr(each.calibration, what) for each in (warmed, scored))
            np.testing.assert_array_equal(one, other)
            assert (one != 1).any()


def test_one_hand_of_four_is_asked_about():
    made = Made(np.ones(3), np.ones(1326))
    session = OpponentModeler(made, calibrated=True)
    score([hand(id=str(k)) for k in range(9)], {"calibrated": session}, warmup=9)
    assert made.calls.count("start") == 2
    assert made.calls.count("predict") == 2 * 9
    assert made.calls.count("learn") == 9
    assert made.calls.count("count") == 9 * 9  # nothing is counted twice
    plain = Made(np.ones(3), np.ones(1326))
    score_made([hand(id=str(k)) for k in range(9)], plain, warmup=9)
    assert plain.calls.count("start") == 0


def test_nothing_is_made_of_nothing():
    session = OpponentModeler(Made(), calibrated=True)
    found = score([hand(), hand(id="2")], {"calibrated": session}, warmup=1)["calibrated"]
    assert (found.decisions, found.holdings) == (0, 0)
    assert (session.calibration.factors == 1).all()


def test_what_was_forecast_for_another_situation_is_not_learnt():
    """A forecast belongs to a situation; an act that the rules did not offer, or out of turn, has none."""
    free_fold = hand([(2, R), (0, F), (1, C), (1, F)], "3h4cJh")
    left = hand([(2, R), (1, F, True), (0, F)], "", id="2")
    for played in free_fold, left:
        asked, plain = (OpponentModeler("loki2", calibrated=True) for _ in range(2))
        asked.start(NAMES)
        turns = iter([each for each in played.replay() if not each.out_of_turn])
        upcoming = next(turns)
        for decision in played.replay():  # somebody asks before every act, whatever comes then
            asked.predict(upcoming)
            asked.observe(decision)
            plain.observe(decision)
            if decision == upcoming:
                upcoming = next(turns, upcoming)
        for each in asked, plain:
            each.learn(played, list(played.replay()))
        for what in "exponents", "factors", "table_exponents":
            one, other = (getattr(each.calibration, what) for each in (asked, plain))
            np.testing.assert_array_equal(one, other)
        assert (asked.calibration.factors != 1).any()


def test_another_hand_is_not_learnt_by_what_was_said_of_the_one_before():
    """A hand that was read and never finished has nothing to do with one that is only learnt from."""
    read, fresh = (OpponentModeler("loki2", calibrated=True) for _ in range(2))
    for decision in hand().replay():
        read.observe(decision)
    other = hand(id="2", holdings={1: "7c6d", 2: "AdKd"})
    for each in read, fresh:
        each.learn(other)
        assert (each.calibration.table_exponents == 1).all()  # one hand of four
    read.learn(other)
    assert (read.calibration.factors == 1).all()


def test_only_what_is_public_is_scored():
    with pytest.raises(ValueError, match="'loki' has a hero, 'Ann'"):
        score([hand()], {"loki": OpponentModeler("loki1", hero="Ann")})
    with pytest.raises(ValueError, match="have a book and a prior of their own"):
        score([hand()], {"loki": OpponentModeler("loki1")}, book={})


def test_those_that_are_corrected_unless_told_otherwise():
    names = ["som", "som?calibrated=1", "som?calibrated=0", "bpp", "bpp?calibrated=0", "bpp?calibrated=1"]
    loss = [each.action_log_loss for each in score(HANDS, names).values()]
    assert loss[0] == loss[1] != loss[2]
    assert loss[3] == loss[4] != loss[5]


def test_registered_names():
    with pytest.raises(ValueError, match="already"):
        register(ReaderKind("som", lambda known: Uniform(), ""))
    with pytest.raises(ValueError, match="not a valid name"):
        register(ReaderKind("a,b", lambda known: Uniform(), ""))
    with pytest.raises(ValueError, match="expected one of adaptive, uniform, call"):
        score([], "nonsense")
    there = "field, crude_potential, initial, inverse, contexts, recency, showdowns, sigma, calibrated"
    with pytest.raises(ValueError, match=f"its options are {there}"):
        score([], "som?noise=.4")
    with pytest.raises(ValueError, match="expected a number"):
        score([], "loki2?noise=much")
    assert read_reader("loki2?noise=.4&system=B")[0].corrected


# ----------------------------------------------------------------------------------------------- bad forecasts


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Made(np.ones(2)), "shape"),
        (Made(np.array([0.5, np.nan, 0.5])), "finite"),
        (Made(np.array([1.0, -0.5, 0.5])), "finite"),
        (Made(table=np.ones(3)), "shape"),
        (Made(table=np.zeros(1326)), "positive"),
        (Made(table=-np.ones(1326)), "positive"),
        (Made(table=np.full(1326, np.inf)), "finite"),
    ],
)
def test_what_is_no_forecast_is_refused(made, words):
    with pytest.raises(ValueError, match=rf"made .*{words}"):
        score_made([hand()], made)


def test_bad_input():
    with pytest.raises(ValueError, match="warmup"):
        score([], {}, warmup=-1)
    broken = hand([(2, R), (0, R), (2, R)], "", holdings={})
    unfinished = hand([(2, R)], "", holdings={})
    found = score([broken, unfinished, hand()], "uniform")
    assert found.hands == 1
    for error, words in zip(found.skipped, ("the turn of seat 1", "not over"), strict=True):
        assert words in str(error)


# -------------------------------------------------------------------------------------------------- the command


def run(*args):
    return CliRunner().invoke(cli, ["score", *map(str, args)], catch_exceptions=False)


@pytest.fixture
def acpc(tmp_path, data_dir):
    (log,) = (data_dir / "acpc-2014-3p-limit").glob("*.log")
    path = tmp_path / "match.log"
    path.write_text("\n".join(log.read_text().splitlines()[:60]))
    return path


@pytest.fixture
def history(tmp_path):
    """Forty made-up hands of five players who act at random."""
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS))
    return path


def test_one_model_as_data(history):
    report = json.loads(run(history, "--model", "som", "--warmup", "20", "--json").stdout)
    keys = {"decisions", "action_log_loss", "action_accuracy", "uniform_log_loss", "holdings", "bits_gained"}
    assert keys | {"calibration", "players"} <= set(report)
    assert report["model"] == "som"
    assert report["learnt_hands"] == 20
    assert report["decisions"] == sum(player["decisions"] for player in report["players"].values())
    assert report["decisions"] == sum(street["decisions"] for street in report["streets"].values())
    assert report["holdings"] == sum(player["holdings"] for player in report["players"].values())
    hands = list(pm.open_hands(history))[20:]
    assert report["holdings"] == sum(len(each.shown) for each in hands)
    assert report["scored_hands"] == len(hands)


def test_several_models_as_data(history):
    together = json.loads(run(history, "--model", "som,shown", "--json").stdout)["models"]
    for model in together:
        alone = json.loads(run(history, "--model", model["model"], "--json").stdout)
        assert {key: alone[key] for key in model} == model


def test_text(acpc):
    text = run(acpc, "--model", "uniform,shown").output
    assert "hands scored" in text
    assert "those who folded" in text
    details = run(acpc, "--model", "own").output
    assert "SmooCT" in details
    assert "raise 10% to 20%" in details


@pytest.mark.parametrize("model", ["own", "own?contexts=previous", "frequencies", "bpp"])
def test_frozen_and_book(history, tmp_path, model):
    book = tmp_path / "book.db"
    every = [f"--for={name}" for name in kinds()]
    CliRunner().invoke(cli, ["learn", str(history), "--book", str(book), *every], catch_exceptions=False)
    content = book.read_bytes()
    figures = [
        json.loads(run(history, "--model", model, *more, "--json").stdout)["action_log_loss"]
        for more in ((), ("--book", book), ("--book", book, "--frozen"))
    ]
    assert len(set(figures)) == 3
    assert figures[1] < figures[0]
    assert book.read_bytes() == content


def test_a_book_knows_what_is_shown(history, tmp_path):
    book = tmp_path / "book.db"
    CliRunner().invoke(cli, ["learn", str(history), "--book", str(book)], catch_exceptions=False)
    frozen = "--model", "shown", "--frozen", "--json"
    without, with_book = (json.loads(run(history, *frozen, *more).stdout) for more in ((), ("--book", book)))
    assert without["bits_gained"] == 0
    assert with_book["bits_gained"] > 0


def test_long_texts(history, monkeypatch):
    monkeypatch.setattr(scores, "_PLAYERS", 3)
    text = run(history, "--model", "call").output
    assert "and 2 more players" in text


def test_progress_and_an_interruption(history, monkeypatch, capsys):
    """On a terminal the hands are counted, and Ctrl-C shows what there is."""
    monkeypatch.setattr("pokermodel.cli._progress._EVERY", 0)  # seconds
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    read = HandSource.read

    def interrupted(source, skipped):
        yield from islice(read(source, skipped), 25)
        raise KeyboardInterrupt

    monkeypatch.setattr(HandSource, "read", interrupted)
    with pytest.raises(SystemExit) as stop:
        main(["score", str(history), "--model", "call", "--json"])
    assert stop.value.code == 130
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert (report["scored_hands"], report["interrupted"]) == (25, True)
    lines = printed.err.split("\r\x1b[K")[1:]
    assert len(lines) == 26
    assert re.fullmatch(r"\[[#.]{20}\] 24 hands, [0-9]+%, [0-9.,]+ (hands/s|s a hand)(, [0-9:]+ left)?", lines[23])
    assert lines[-1] == "Aborted.\n"


def test_without_standard_error(history, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)  # as it is when closed
    with pytest.raises(SystemExit) as stop:
        main(["score", str(history), "--model", "call", "--json"])
    assert stop.value.code == 0
    assert json.loads(capsys.readouterr().out)["scored_hands"] == 40


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--model", "nonsense"], "unknown model 'nonsense': expected one of"),
        (["--model", "som,som"], "twice"),
        (["--model", ","], "a model without a name in ','"),
        (["--model", "som,"], "a model without a name in 'som,'"),
        (["--warmup", "1000"], "within --warmup"),
        (["--warmup", "-1"], "--warmup"),
        (["--book", "/nowhere/book.db"], "no such book"),
    ],
)
def test_bad_input_gives_one_line(args, words, capsys, history):
    with pytest.raises(SystemExit) as stop:
        main(["score", str(history), *args])
    assert stop.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = [x for x in printed.err.splitlines() if x and not x.startswith(("Usage:", "Try "))]
    assert words in line


def test_no_history(tmp_path, capsys):
    (tmp_path / "nothing.txt").write_text("nothing")
    for path in (tmp_path / "nothing.txt", tmp_path / "missing"):
        with pytest.raises(SystemExit):
            main(["score", str(path)])
    assert "not a known hand history" in capsys.readouterr().err


def test_files_that_are_no_histories_are_left_out(history, tmp_path):
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("nothing")
    alone = json.loads(run(history, "--model", "call", "--json").stdout)
    for files in (nothing, history), (history, nothing):
        report = json.loads(run(*files, "--model", "call", "--json").stdout)
        found = [(Path(file["path"]), file["status"], file["hands"]) for file in report.pop("files")]
        assert sorted(found) == [(history, "read", 40), (nothing, "foreign", 0)]
        assert report == {key: alone[key] for key in report}


def test_a_file_that_ends_too_early(history, tmp_path, capsys):
    whole = gzip.compress(history.read_bytes())
    damaged = tmp_path / "damaged.phhs.gz"
    for size in 15, len(whole) // 2:
        damaged.write_bytes(whole[:size])
        with pytest.raises(SystemExit):
            main(["score", str(damaged), "--model", "call"])
        (line,) = capsys.readouterr().err.splitlines()
        assert str(damaged) in line
        assert "the compressed file is damaged: " in line
        found = run(history, damaged, "--model", "call", "--json")
        assert [file["status"] for file in json.loads(found.stdout)["files"]] == ["read", "unreadable"]


# -------------------------------------------------------------------------------------------------- real hands


@pytest.mark.slow
def test_what_must_hold_on_real_hands(data_dir):
    """Davidson (2002): counts in twelve contexts tell little more than that everybody calls; richer contexts do."""
    hands = islice(pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz"), 2500)
    names = ("uniform", "call", "frequencies", "own", "contexts")
    found = score(hands, names, warmup=1500)
    right = {name: found[name].action_accuracy for name in names}
    loss = {name: found[name].action_log_loss for name in names}
    assert right["call"] < right["frequencies"] < right["call"] + 0.06
    assert right["contexts"] > right["frequencies"] + 0.06
    assert loss["contexts"] + 0.05 < loss["own"] < loss["frequencies"] - 0.01
    assert loss["frequencies"] < loss["uniform"] == pytest.approx(found["call"].uniform_log_loss)


@pytest.mark.slow
def test_who_reads_better_on_real_hands(data_dir):
    """Specific models before generic ones, these before counts; all of them gain bits."""
    hands = islice(pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz"), 2100)
    found = score(hands, "frequencies,loki1,som", warmup=1800)
    loss = {name: found[name].action_log_loss for name in found}
    assert loss["som"] < loss["loki1"] < loss["frequencies"]
    assert found["loki1"].bits_gained > 0.1
    assert found["som"].bits_gained > 0.2
