from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel import evaluation as ev
from pokermodel.cards import live_holdings
from pokermodel.classics.loki1.field import field_array, spot_strengths, spot_values
from pokermodel.classics.loki1.frequency_models import FrequencyModel, frequency_model
from pokermodel.classics.loki1.initial import income_weights
from pokermodel.classics.loki1.reader import Loki1Reader, RampDetail
from pokermodel.classics.loki1.reweighting import ramp_triples, reweight, reweighting_factors
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.triples import TripleGenerator, multiply_by_triples
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.learning.thresholds import postflop_threshold, preflop_threshold
from pokermodel.reading import (
    DEFAULT_FREQUENCIES,
    ActionCounts,
    BettingHistory,
    Context,
    OpponentModeler,
    reader_kinds,
)
from pokermodel.reading.contexts import ContextModel
from pokermodel.reading.features import RICH
from tests.common import textbook
from tests.common.books import HANDS

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(3, 1, 2)


def hand(actions, board="", id="1", names=("Ann", "Bob", "Cid"), **more):
    return Hand("test", id, SPEC, names, actions, board, **more)


# three players: Cid opens, Ann folds, Bob calls; flop: Bob bets, Cid raises, Bob re-raises, Cid calls; turn checked
STORY = [
    (2, R), (0, F), (1, C),
    (1, R), (2, R), (1, R), (2, C),
    (1, C), (2, C),
    (1, R), (2, F),
]  # fmt: skip
BOARD = "3h4cJh2s9d"


#: Readers that infer holdings from acts.
READERS = [
    name for name in reader_kinds() if name not in ("uniform", "call", "frequencies", "own", "contexts", "shown")
]


def read(modeler, *hands):
    return [modeler.observe(decision) for played in hands for decision in played.replay()]


def features_of(played):
    """The features of every decision of a hand."""
    history, found = BettingHistory(len(played.players)), []
    for decision in played.replay():
        found.append(history.features(decision.situation))
        history.add(decision)
    return found


def frequencies(modeler, features):
    """What the frequency model of a reader says of a player, in their features."""
    player, seen = features
    return modeler.reader.frequencies.frequencies(player, seen)[seen.bets]


def context(observation):
    """Where an act was counted, as a report says it."""
    fact = observation.facts()[0]
    assert fact.key == "context"
    return Context(*fact.value["context"])


def test_tables_start_uniform():
    modeler = OpponentModeler()
    modeler.start(["Ann", "Bob"])
    assert modeler.table("Ann") == pm.WeightTable()
    assert modeler.table(1) == pm.WeightTable()
    assert modeler.tables.players == ("Ann", "Bob")
    assert len(modeler.tables.opponents(0)) == 1


@pytest.mark.parametrize("model", READERS)
def test_a_forecast_is_what_is_expected(model):
    """To the bit: some readers forecast without the triples of all holdings."""
    modeler = OpponentModeler(model)
    for played in (hand(STORY, BOARD), hand(STORY, BOARD, id="2")):
        modeler.start(played.players)
        for decision in played.replay():
            predicted = modeler.predict(decision)
            if modeler.reader.predicts_acts:
                np.testing.assert_array_equal(predicted, modeler.expect(decision).predicted)
            modeler.observe(decision)


@pytest.mark.parametrize("model", ["loki2:som", "loki2:som?contexts=previous", "loki2:som?showdowns=1"])
def test_a_generator_is_that_of_when_it_was_expected(model):
    """It is only made if it is asked for, but not of what was counted since."""
    modeler = OpponentModeler(model)
    read(modeler, *[hand(STORY, BOARD, id=str(k)) for k in range(3)])
    decisions = list(hand(STORY, BOARD, id="4").replay())
    modeler.start(decisions[0].players)
    for decision in decisions:
        expected, again = modeler.expect(decision), modeler.reader.expect(modeler.spot(decision))
        asked = expected.generator.borders
        assert asked.at(decision.bets_to_call) == expected.borders
        for _ in range(30):
            modeler.reader.count(decision, modeler.spot(decision.situation).features)
        for late in (again, copy.copy(again), pickle.loads(pickle.dumps(again))):
            assert late.generator.borders == asked
            np.testing.assert_array_equal(late.triples, expected.triples)
        modeler.observe(decision)


@pytest.mark.parametrize("model", ["loki1", "gom", "som", "loki2", "loki2:som"])
def test_tables_start_with_income_weights(model):
    """As a prior: after it acts re-weight as they do, and boards and the hero's cards are taken out."""
    modeler = OpponentModeler(f"{model}?initial=income", hero="Cid", public_models=False)
    modeler.start(("Ann", "Bob", "Cid"))
    assert modeler.table("Ann") == pm.WeightTable(income_weights())
    modeler.hold("AhKh")
    assert modeler.table("Ann") == pm.WeightTable(income_weights(), dead="AhKh")
    plain, one, income = (
        OpponentModeler(model, **options).observe(next(hand(STORY, BOARD).replay())).posterior
        for options in ({}, {"initial": "one"}, {"initial": "income"})
    )
    np.testing.assert_array_equal(plain, one)
    np.testing.assert_allclose(income, np.maximum(one * income_weights(), 0.01))  # Cid's raise


def test_the_story_by_the_book():
    """Every table of a hand recomputed here from the published rules and the parts they are made of."""
    modeler = OpponentModeler(model="loki1")
    decisions = list(hand(STORY, BOARD).replay())
    rates = income_rates_by_holding(7)
    observations = [modeler.observe(decision) for decision in decisions[:3]]
    opened, folded, called = observations

    bob = np.ones(1326)
    cid = np.ones(1326)
    threshold = preflop_threshold([0.5, 0.3, 0.2], R)
    assert isinstance(opened.detail, RampDetail)
    assert opened.detail.threshold == threshold
    assert context(opened) == Context(0, 1)
    assert opened.detail.exempt is None
    cid = reweight(cid, rates, threshold.mu, 330.0, compensate=False)
    np.testing.assert_array_equal(opened.after.values, cid)
    assert not folded.reweighted
    assert "dropped" in folded.reason
    threshold = preflop_threshold([0.5, 0.3, 0.2], C)  # one small bet to call
    assert called.detail.threshold == threshold
    bob = reweight(bob, rates, threshold.mu, 330.0, compensate=False)
    np.testing.assert_array_equal(modeler.table("Bob").values, bob)

    live = live_holdings("3h4cJh")
    bob_start, cid_start = bob * live, cid * live
    flop = ev.BoardAnalysis("3h4cJh")
    crude = flop.crude_potentials()

    def judged(start, field, mu, put_in, pot):
        hs = flop.strengths(field_array([field]))
        return reweight(start, hs + (1 - hs) * crude, mu, 0.4 * (1 - mu), exempt=crude >= put_in / (pot + put_in))

    bet, raised, reraised, last = (modeler.observe(decision) for decision in decisions[3:7])
    bob = judged(bob_start, cid_start, 0.5, 2, 9)
    np.testing.assert_array_equal(bet.after.values, bob)
    np.testing.assert_array_equal(bet.before.values, bob_start)
    cid = judged(cid_start, bob, 0.8, 4, 11)
    np.testing.assert_array_equal(raised.after.values, cid)
    bob = judged(bob_start, cid, 0.8, 4, 15)  # a higher threshold: from the start of the round again
    np.testing.assert_array_equal(reraised.after.values, bob)
    assert reraised.detail.threshold.mu == pytest.approx(0.8)
    assert not last.reweighted  # a call of one bet, mu .50, says less than the raise before it
    assert last.detail.threshold.mu == pytest.approx(0.5)
    np.testing.assert_array_equal(modeler.table("Cid").values, cid)

    for decision in decisions[7:9]:  # checks: nothing but the new card
        observation = modeler.observe(decision)
        assert not observation.reweighted
    np.testing.assert_array_equal(modeler.table("Cid").values, cid * live_holdings("3h4cJh2s"))
    river = modeler.observe(decisions[9])
    assert river.detail.exempt is None  # no exemption on the river
    hs = ev.BoardAnalysis(BOARD).strengths(field_array([cid * live_holdings(BOARD)]))
    np.testing.assert_array_equal(river.after.values, reweight(bob * live_holdings(BOARD), hs, 0.5, 0.2))
    assert modeler.observe(decisions[10]).reason.startswith("a fold")
    assert modeler.tables.opponents(1) == []


def test_loki_1_expects_its_ramps():
    """Read as probabilities: of a raise, and of not folding."""
    modeler = OpponentModeler("loki1")
    modeler.start(["Ann", "Bob", "Cid"])
    for decision in hand(STORY, BOARD).replay():
        situation = decision.situation
        expected = modeler.expect(situation)
        rule = postflop_threshold if situation.round else preflop_threshold
        odds = ([0, 0.5, 0.5], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1])[situation.facing]
        values, potentials = spot_values(modeler.spot(situation))
        price = situation.to_call / (situation.pot + situation.to_call)
        triples = ramp_triples(
            values,
            rule(odds, R),
            rule(odds, C) if situation.to_call else None,
            exempt=potentials >= price if situation.round in (1, 2) and situation.to_call else None,
            compensate=situation.round > 0,
        )
        np.testing.assert_array_equal(expected.triples, triples)
        mean = modeler.table(situation.seat).probabilities() @ np.nan_to_num(triples)
        np.testing.assert_allclose(expected.predicted, mean, rtol=1e-12)
        np.testing.assert_array_equal(modeler.predict(situation), expected.predicted)
        modeler.observe(decision)


def test_observations_explain_themselves():
    for observation in read(OpponentModeler("loki1"), hand(STORY, BOARD)):
        decision = observation.decision
        assert observation.reason
        if decision.name in ("call", "bet", "raise"):
            assert sum(observation.detail.frequencies) == pytest.approx(1)
            assert observation.detail.threshold is not None
            assert observation.detail.values.shape == (1326,)
            assert observation.reweighted == (observation.before != observation.after)
            if decision.round in (1, 2):
                odds = decision.put_in / (decision.pot + decision.put_in)
                crude = ev.BoardAnalysis(decision.board).crude_potentials()
                np.testing.assert_array_equal(observation.detail.exempt, crude >= odds)
        else:
            assert observation.detail is None
            assert observation.before == observation.after


def test_only_the_board_is_ruled_out():
    modeler = OpponentModeler(hero="Bob")
    played = hand(STORY, BOARD, holdings={1: "JcJd", 2: "AhKh"})
    read(modeler, played)
    for name in ("Bob", "Cid"):
        table = modeler.table(name)
        np.testing.assert_array_equal(table.values > 0, live_holdings(BOARD))


def test_hidden_cards_do_not_matter():
    """The tables of two hands that differ only in what nobody saw are the same."""
    first, second = OpponentModeler(), OpponentModeler()
    read(first, hand(STORY, BOARD, holdings={1: "JcJd", 2: "AhKh"}))
    read(second, hand(STORY, BOARD))
    for name in ("Bob", "Cid"):
        assert first.table(name) == second.table(name)


def test_the_specific_model_counts_before_it_judges():
    modeler = OpponentModeler(model="som")
    observations = read(modeler, hand(STORY, BOARD))
    counts = modeler.reader.frequencies.counts
    assert counts("Bob").values.sum() == 5  # call; bet, raise; check; bet
    assert counts("Bob").values[2, 0].tolist() == [0, 1, 0]  # checks count
    assert counts("Ann").values[0, 2].tolist() == [1, 0, 0]  # folds count; a bet and a half to call
    # one observation of twenty in this context: its own raise
    np.testing.assert_allclose(observations[0].detail.frequencies, np.array([9.5, 5.7, 4.8]) / 20)
    assert observations[0].detail.threshold.percentile == pytest.approx(1 - 4.8 / 20)
    read(modeler, hand(STORY, BOARD, id="2"))
    assert counts("Bob").values.sum() == 10  # kept from hand to hand
    generic = OpponentModeler(model="gom")
    assert not generic.reader.learns
    generic.observe(next(hand(STORY, BOARD).replay()))
    assert frequencies(generic, ("Cid", features_of(hand(STORY, BOARD))[0])).tolist() == [0.5, 0.3, 0.2]


def test_the_specific_model_takes_a_book():
    maniac = ActionCounts()
    maniac.values[:, :, 2] = 100
    book = {"Cid": maniac}
    modeler = OpponentModeler(model="som", book=book)
    played = hand(STORY, BOARD)
    opened = read(modeler, played)[0]
    assert opened.detail.threshold is None  # a raise with everything: says nothing
    assert "95%" in opened.reason
    check = features_of(played)[8]
    assert (check.round, check.bets) == (2, 0)
    assert frequencies(modeler, ("Cid", check._replace(round=1))).tolist()[2] == 1.0
    assert frequencies(modeler, ("Cid", check)).tolist() == [0, 1 / 101, 100 / 101]
    # a book is only read
    assert list(book) == ["Cid"]
    assert book["Cid"] is maniac
    assert maniac.values[:, :, 2].sum() == maniac.values.sum() == 1200


@pytest.mark.parametrize("model", READERS)
def test_what_is_imagined_is_what_comes(model):
    played = hand(STORY, BOARD)
    modeler, other = OpponentModeler(model), OpponentModeler(model)
    modeler.start(played.players)
    for decision in played.replay():
        if decision.act == F:
            with pytest.raises(ValueError, match="fold"):
                modeler.imagine(decision, F)
        for act in (C, R):  # in vain
            modeler.imagine(decision, act)
        imagined = None if decision.act == F else modeler.imagine(decision, decision.act)
        observed = modeler.observe(decision)
        np.testing.assert_array_equal(observed.weights_after, other.observe(decision).weights_after)
        if (
            imagined is not None and not modeler.reader.learns_acts
        ):  # a reader that learns counts the act before it judges
            np.testing.assert_array_equal(observed.weights_after, imagined)


def test_low_thresholds_use_the_longer_ramp():
    loose = ActionCounts()
    loose.values[:, :] = [5, 90, 5]
    modeler = OpponentModeler(model="som", book={"Bob": loose, "Cid": ActionCounts(loose.values)})
    actions = [(2, C), (0, F), (1, C), (1, R), (2, C)]
    observation = read(modeler, hand([*actions, (1, R), (2, F)], "3h4cJh2s"))[4]
    assert observation.detail.threshold.mu < 2 / 7
    weights = observation.after.values[live_holdings("3h4cJh")]
    assert weights.min() > 0.5  # r = 1 - 2*mu/(mu + sigma)


@pytest.mark.parametrize("field", ["mean", "maximum", "product"])
@pytest.mark.parametrize("crude_potential", ["outs", "exact1"])
def test_options(field, crude_potential):
    four = GameSpec.ring(4, 1, 2)
    actions = [(2, C), (3, C), (0, C), (1, C), (0, R), (1, C), (2, R), (3, F), (0, C), (1, C)]
    played = Hand("test", "1", four, list("abcd"), actions, "3h4cJh")
    modeler = OpponentModeler("loki1", field=field, crude_potential=crude_potential)
    observations = read(modeler, played)
    assert observations[6].reweighted
    table = modeler.table("c")
    assert 0 < table.entropy_bits() < np.log2(1176)
    other = OpponentModeler("loki1")
    read(other, played)
    if (field, crude_potential) != ("mean", "outs"):
        assert other.table("c") != table


def test_judgement_of_a_shown_holding():
    modeler = OpponentModeler()
    read(modeler, hand(STORY, BOARD))
    judged = modeler.showdown("Bob", "JcJd")
    table = modeler.table("Bob")
    assert judged.probability == pytest.approx(table.probabilities()[pm.cards.holding_index("JcJd")])
    assert judged.uniform == pytest.approx(1 / 1081)
    assert judged.bits_gained == pytest.approx(np.log2(judged.probability * 1081))
    assert judged.rank >= 1
    with pytest.raises(ValueError, match="not possible"):
        modeler.showdown("Bob", "JhJd")


def test_leaving_out_of_turn_says_nothing():
    modeler = OpponentModeler(model="som")
    played = hand([(2, C), (0, C), (1, C), (0, C), (2, F, True), (1, R), (0, F)], "3h4cJh")
    observation = read(modeler, played)[4]
    assert observation.facts() == []
    assert "out of turn" in observation.reason
    assert modeler.reader.frequencies.counts("Cid").values.sum() == 1
    assert 2 not in modeler.tables.active


def test_a_new_hand_is_noticed():
    modeler = OpponentModeler("loki1")  # which leaves the tables of those who fold alone
    read(modeler, hand(STORY, BOARD), hand(STORY[:3], BOARD, id="2"))
    assert modeler.tables.board == ()
    np.testing.assert_array_equal(modeler.table("Ann").values, np.ones(1326))


def test_a_broken_sequence_is_refused():
    modeler = OpponentModeler()
    decisions = list(hand(STORY, BOARD).replay())
    modeler.observe(decisions[0])
    with pytest.raises(ValueError, match="does not follow"):
        modeler.observe(decisions[2])
    with pytest.raises(ValueError, match="does not follow"):
        OpponentModeler().observe(decisions[2])
    with pytest.raises(ValueError, match="does not follow"):
        modeler.observe(next(d for d in hand(STORY, BOARD, id="2").replay() if d.index == 1))
    modeler.observe(decisions[0])  # from the start again: fine


def dealt():
    modeler = OpponentModeler()
    modeler.start(["Ann", "Bob", "Cid"])
    return modeler


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OpponentModeler(model="loki7"), "unknown model 'loki7'"),
        (lambda: OpponentModeler(None), "a model is None: expected its name"),
        (
            lambda: OpponentModeler().predict(None),
            "expected a Situation, or a Decision or View, which have one, got None",
        ),
        (lambda: OpponentModeler().spot("flop"), "expected a Situation, or a Decision or View, .*, got 'flop'"),
        (lambda: OpponentModeler().learn(3), "learns from a finished hand: expected a Hand, got 3"),
        (lambda: OpponentModeler("loki1", field="median"), "unknown field method"),
        (lambda: OpponentModeler("loki1", crude_potential="guess"), "unknown crude potential"),
        (lambda: OpponentModeler("loki2", system="C"), "unknown system 'C'"),
        (lambda: OpponentModeler("loki2", preflop="none"), "unknown pre-flop re-weighting"),
        (lambda: OpponentModeler("loki2", noise=2.0), "noise must be 0 to 1"),
        (lambda: OpponentModeler("loki2", generators=TripleGenerator()), "form 'reweighting'"),
        (lambda: OpponentModeler("loki2", generators={"Ann": TripleGenerator(form="printed")}), "form 'reweighting'"),
        (lambda: OpponentModeler("loki1", noise=0.4), "unknown option 'noise' of model loki1: its options are field"),
        (lambda: OpponentModeler("som", generators={}), "unknown option 'generators' of model som"),
        (lambda: OpponentModeler("loki1", contexts="rich"), "unknown option 'contexts' of model loki1"),
        (lambda: OpponentModeler("bpp", contexts="rich"), "unknown option 'contexts' of model bpp"),
        (lambda: OpponentModeler("som", contexts="thirteen"), "unknown contexts 'thirteen'"),
        (lambda: OpponentModeler("som?contexts=thirteen"), "expected one of twelve, previous, rich"),
        (lambda: OpponentModeler("som?system=B"), "unknown option 'system' of model som"),
        (lambda: OpponentModeler("bpp?field=mean"), "its options are estimator, strength, decay, calibrated"),
        (lambda: OpponentModeler("uniform", field="mean"), "it has none"),
        (lambda: OpponentModeler(Loki1Reader(FrequencyModel()), {}), "has its own book and options"),
        (lambda: OpponentModeler(Loki1Reader(FrequencyModel()), field="mean"), "has its own book and options"),
        (
            lambda: OpponentModeler("loki2").hold("AsKs"),
            r"has no hero who could hold cards: expected OpponentModeler\(hero=NAME\)",
        ),
        (lambda: OpponentModeler().table("Zoe"), "unknown player 'Zoe'"),
        (lambda: OpponentModeler().table(3), "seat 3 is out of range"),
        (lambda: OpponentModeler().start(["Ann", "Ann"]), "different names"),
        (lambda: OpponentModeler().deal("3h4c"), "3 to 5 cards"),
        (lambda: spot_strengths(dealt().spot(next(hand(STORY, BOARD).replay()))), "no hand strength before the flop"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_board_continues():
    modeler = OpponentModeler()
    modeler.start(["Ann", "Bob"])
    modeler.deal("3h4cJh")
    modeler.deal("3h4cJh")
    with pytest.raises(ValueError, match="does not continue"):
        modeler.deal("3h4cJc2s")


# ---------------------------------------------------------------------------------------------------- Loki-2


def generic_triple(e, bets, crude, odds):
    """The re-weighting triple of the generic opponent, from the printed rules (no raise is capped in the story)."""
    borders = [(0.60, 0.40, -1, -1), (0.90, 0.70, 0.60, 0.40), (0.99, 0.80, 0.80, 0.60)][min(bets, 2)]
    fold, call, raise_ = textbook.printed_triple(e, borders, 1 if bets and crude >= odds else 0)
    if not bets:
        fold, call = 0.0, fold + call
    entries = [max(x, 0.01) for x in (fold, call, raise_)]
    return [x / sum(entries) for x in entries]


def test_the_story_by_triples():
    """Every table after the flop recomputed here, holding by holding, from the printed rules."""
    modeler, loki1 = OpponentModeler("loki2"), OpponentModeler("loki1")
    decisions = list(hand(STORY, BOARD).replay())
    for decision in decisions[:3]:  # before the flop: Loki-1
        assert modeler.observe(decision).after == loki1.observe(decision).after
    weights = {1: modeler.table(1).values, 2: modeler.table(2).values}
    for decision in decisions[3:10]:
        live = live_holdings(decision.board)
        weights = {seat: table * live for seat, table in weights.items()}
        seat, other = decision.seat, 3 - decision.seat
        analysis = ev.BoardAnalysis(decision.board)
        hs, crude = analysis.strengths(weights[other]), analysis.crude_potentials()
        values = hs + (1 - hs) * crude
        odds = decision.to_call / (decision.pot + decision.to_call)
        chance = values if decision.round == 3 else crude
        after = np.zeros(1326)
        for k in np.flatnonzero(live):
            triple = generic_triple(values[k], decision.bets_to_call, chance[k], odds)
            after[k] = weights[seat][k] * triple[decision.act]
        weights[seat] = np.where(live, np.maximum(after / after.max(), 1e-6), 0.0)
        observation = modeler.observe(decision)
        np.testing.assert_allclose(observation.after.values, weights[seat], rtol=1e-9, atol=0)
        assert observation.reweighted  # checks too
        assert observation.detail is observation.expected
        np.testing.assert_allclose(observation.expected.values, values, rtol=1e-12)
        assert observation.expected.predicted.sum() == pytest.approx(1)
        assert observation.expected.borders == BettingThresholds.gom().at(decision.bets_to_call)
    assert modeler.observe(decisions[10]).expected is None  # a fold


def test_every_action_of_a_round_counts():
    """No copy of the round's start, no highest threshold: two equal checks are two factors."""
    modeler = OpponentModeler("loki2")
    actions = [(2, C), (0, C), (1, C), (0, C), (1, R), (2, C), (0, C), (0, R), (1, C), (2, F)]
    observations = read(modeler, hand(actions, "3h4cJh2s"))
    check, call = observations[3], observations[6]
    assert check.decision.name == "check"
    assert check.after != check.before
    product = multiply_by_triples(check.after.values, call.expected.triples, C)
    np.testing.assert_array_equal(call.after.values, product)


def test_the_heros_cards_are_taken_from_the_others():
    played = hand(STORY, BOARD, holdings={1: "JcJd", 2: "AhKh"})
    modeler = OpponentModeler("loki2", hero="Bob")
    modeler.start(played.players)
    modeler.hold("JcJd")
    assert modeler.table("Cid") == pm.WeightTable(dead="JcJd")
    observations = read(modeler, played)
    cid, bob = modeler.table("Cid"), modeler.table("Bob")
    np.testing.assert_array_equal(cid.values > 0, live_holdings(BOARD + "JcJd"))
    np.testing.assert_array_equal(bob.values > 0, live_holdings(BOARD))  # what the others think of him
    flop = next(o for o in observations if o.decision.round == 1 and o.decision.player == "Cid")
    assert flop.after.live.sum() == 1081
    assert modeler.showdown("Cid", "AhKh").uniform == 1 / 990
    with pytest.raises(ValueError, match="not possible"):
        modeler.showdown("Cid", "Jd9s")
    # the next hand has other cards
    read(modeler, hand(STORY[:3], BOARD, id="2"))
    assert modeler.table("Cid").dead == ()

    public = OpponentModeler("loki2", hero="Bob", public_models=True)
    public.start(played.players)
    public.hold("JcJd")
    read(public, played)
    np.testing.assert_array_equal(public.table("Cid").values > 0, live_holdings(BOARD))
    private = OpponentModeler("loki1", hero="Bob", public_models=False)
    private.start(played.players)
    private.hold("JcJd")
    read(private, played)
    np.testing.assert_array_equal(private.table("Cid").values > 0, live_holdings(BOARD + "JcJd"))


def test_holding_cards_at_the_wrong_time():
    modeler = OpponentModeler("loki2", hero="Bob")
    with pytest.raises(ValueError, match=r"no hand to hold cards in: expected start\(players\) before hold"):
        modeler.hold("JcJd")
    modeler.start(["Ann", "Cid"])
    with pytest.raises(ValueError, match="the hero 'Bob' is not in the hand: its players are Ann, Cid"):
        modeler.hold("JcJd")
    modeler.start(["Ann", "Bob", "Cid"])
    with pytest.raises(ValueError, match="two"):
        modeler.hold("Jc")
    modeler.hold("JcJd")
    with pytest.raises(ValueError, match="card of the hero's"):
        modeler.deal("Jc3h4c")
    modeler.observe(next(hand(STORY, BOARD).replay()))
    with pytest.raises(ValueError, match="before the first action"):
        modeler.hold("JcJd")


def test_what_is_expected_of_a_fold():
    """A player who folded had what he folds: the weights times the fold entries."""
    modeler = OpponentModeler("loki2")
    decisions = list(hand(STORY, BOARD).replay())
    for decision in decisions[:-1]:
        modeler.observe(decision)
    expected = modeler.expect(decisions[-1])
    before = modeler.table("Cid")
    folded = pm.WeightTable(multiply_by_triples(before.values, expected.triples, F), dead=BOARD)
    assert modeler.table("Cid") == before  # asking changes nothing
    strengths = ev.BoardAnalysis(BOARD).strengths()
    kept = before.probabilities() @ np.nan_to_num(strengths)
    assert folded.probabilities() @ np.nan_to_num(strengths) < kept
    np.testing.assert_allclose(expected.predicted, before.probabilities() @ np.nan_to_num(expected.triples))


def test_the_specific_model_of_triples():
    modeler = OpponentModeler("loki2:som")
    observations = read(modeler, hand(STORY, BOARD))
    counts = modeler.reader.frequencies.counts
    assert counts("Bob").values.sum() == 5
    bet, reraise, river = (
        o for o in observations if o.decision.player == "Bob" and o.decision.name in ("bet", "raise")
    )
    # his own bet counts: one observation of twenty in both records, (.5 + .525)/2 ... and both are the same
    whole = (np.array([0, 0, 1]) + 19 * np.array([0, 0.5, 0.5])) / 20
    ending = (np.array([0, 0, 1]) + 19 * whole) / 20
    np.testing.assert_allclose(bet.expected.frequencies, (whole + ending) / 2)
    assert bet.expected.borders.raise_low == pytest.approx(1 - (whole + ending)[2] / 2 - 0.1)
    assert reraise.expected.borders.raise_low < BettingThresholds.gom().one_bet.raise_low
    assert context(river) == Context(3, 0)
    for _ in range(30):  # the record of the session is the last twenty actions after the flop
        read(modeler, hand(STORY, BOARD, id=str(_ + 10)))
    before_river = features_of(hand(STORY, BOARD))[9]
    assert (before_river.round, before_river.bets) == (3, 0)
    # 31 river bets; of the last twenty, five rounds of (bet 0, raise 1, check 0, bet 0)
    matching = np.array([0, 5, 10])
    assert counts("Bob").values[3, 0].tolist() == [0, 0, 31]
    found = frequencies(modeler, ("Bob", before_river))
    np.testing.assert_allclose(found, (np.array([0, 0, 1]) + (matching + 5 * np.array([0, 0, 1])) / 20) / 2)
    other = OpponentModeler("loki2:som", book={"Bob": counts("Bob")})
    np.testing.assert_allclose(frequencies(other, ("Bob", before_river)), [0, 0, 1])  # a new session


def test_borders_and_tables_can_be_handed_in():
    played = hand(STORY, BOARD)
    same = OpponentModeler("loki2", generators=TripleGenerator(form="reweighting"))
    plain = OpponentModeler("loki2")
    read(same, played), read(plain, played)
    assert same.table("Cid") == plain.table("Cid")

    rock = TripleGenerator(BettingThresholds.around((0.9, 0.97, 0.98), (0, 0.8, 0.9)), form="reweighting")
    named = OpponentModeler("loki2", generators={"Bob": rock})
    observations = read(named, played)
    assert observations[3].expected.generator is rock
    assert observations[3].expected.frequencies is None
    assert observations[4].expected.frequencies is not None
    strong = np.nan_to_num(ev.BoardAnalysis(BOARD).strengths())
    assert named.table("Bob").probabilities() @ strong > plain.table("Bob").probabilities() @ strong

    flat = TripleGenerator(table=np.full((3, 1, 3), 1 / 3), form="reweighting")
    silent = OpponentModeler("loki2", generators=flat)
    observations = read(silent, played)
    assert observations[3].expected.borders is None
    np.testing.assert_allclose(
        silent.table("Cid").probabilities(),
        pm.WeightTable(observations[0].after.values, dead=BOARD).probabilities(),
    )


def test_switches_of_poki():
    played = hand(STORY, BOARD)
    entropies = {}
    for name, options in {
        "plain": {},
        "noise": {"noise": 0.4},
        "all noise": {"noise": 1.0},
        "B": {"system": "B"},
        "B-weighted": {"system": "B-weighted"},
        "maximum": {"field": "maximum"},
        "exact1": {"crude_potential": "exact1"},
        "product": {"preflop": "product"},
    }.items():
        modeler = OpponentModeler("loki2", **options)
        observations = read(modeler, played)
        entropies[name] = modeler.table("Bob").entropy_bits()
        assert np.isfinite(modeler.table("Bob").values).all()
        assert observations[0].expected is None or name == "product"
    assert entropies["noise"] > entropies["plain"]  # less sure
    assert entropies.pop("maximum") == pytest.approx(entropies["plain"])  # against one opponent a field is he
    assert len({round(entropy, 6) for entropy in entropies.values()}) == len(entropies)
    silent = OpponentModeler("loki2", noise=1.0)
    observations = read(silent, played)
    assert observations[5].after.top(3) == pm.WeightTable(observations[5].before.values, dead="3h4cJh").top(3)


def test_system_b_goes_by_rank():
    modeler = OpponentModeler("loki2", system="B")
    bet = read(modeler, hand(STORY, BOARD))[3]
    values = bet.expected.values[live_holdings("3h4cJh")]
    mid = bet.expected.borders.raise_low + 0.1
    assert np.mean(values >= mid) == pytest.approx(0.5, abs=0.01)
    assert mid != pytest.approx(0.5, abs=0.001)
    weighted = read(OpponentModeler("loki2", system="B-weighted"), hand(STORY, BOARD))[3]
    p = weighted.before.probabilities()
    above = np.nan_to_num(weighted.expected.values) >= weighted.expected.borders.raise_low + 0.1 - 1e-9
    assert p[above].sum() == pytest.approx(0.5, abs=0.01)


def test_options_in_the_text_of_a_model():
    played = hand(STORY, BOARD)
    for text, model, options in (
        ("loki2:som?system=B&noise=.3", "loki2:som", {"system": "B", "noise": 0.3}),
        ("som?contexts=previous", "som", {"contexts": "previous"}),
        ("loki2?preflop=product&field=maximum", "loki2", {"preflop": "product", "field": "maximum"}),
        ("loki2:som?contexts=rich&system=rank&preflop=product", "loki2:contexts", {}),
        ("loki2:contexts?system=A&noise=0", "loki2:som", {"contexts": "rich", "preflop": "product"}),
        ("som?initial=income&contexts=108", "som", {"initial": "income", "contexts": "108"}),
    ):
        for ours, theirs in zip(
            read(OpponentModeler(text), played), read(OpponentModeler(model, **options), played), strict=True
        ):
            np.testing.assert_array_equal(ours.weights_after, theirs.weights_after)


def test_the_previous_action_counts():
    """Its contexts back off to the twelve with 20 observations."""
    modeler = OpponentModeler("som", contexts="previous")
    for number in range(10):
        last = read(modeler, hand(STORY, BOARD, id=str(number)))
    # Bob's bet on the river, after a check with nothing to call: ten bets of ten in the context of the twelve,
    # mixed with the turn (ten checks), the flop (ten bets) and the default
    flop = (10 * np.array([0, 0, 1]) + 10 * np.array([0, 0.5, 0.5])) / 20
    turn = (10 * np.array([0, 1, 0]) + 10 * flop) / 20
    twelve = (10 * np.array([0, 0, 1]) + 10 * turn) / 20
    np.testing.assert_allclose(last[9].detail.frequencies, (np.array([0, 0, 10]) + 20 * twelve) / 30)
    # Cid's fold, the last decision, as it was then: ten of ten; as many bets to call they had on the flop, twenty times
    seen = features_of(hand(STORY, BOARD))
    np.testing.assert_allclose(frequencies(modeler, ("Cid", seen[10])), np.array([20, 5, 5]) / 30)
    never = seen[9]._replace(previous=2, faced=1)  # after a raise that faced bets Bob was never seen on the river
    np.testing.assert_allclose(frequencies(modeler, ("Bob", never)), twelve)
    # on the flop Bob bet after a call: nothing is known of them there after a raise
    other = hand([*STORY[:2], (1, R), (2, C), (1, C)], "3h4cJh", id="other")  # this time they re-raise before
    check = features_of(other)[4]
    assert (check.round, check.previous) == (1, 2)
    read(modeler, other)
    unseen = frequencies(modeler, ("Bob", check))
    coarse = frequencies(modeler, ("Bob", check._replace(previous=0, faced=0)))
    np.testing.assert_allclose(unseen, (np.array([0, 1, 0]) + 20 * coarse) / 21)


def test_the_number_of_opponents_and_the_position_count():
    """Contexts that back off to the twelve with 20 observations, and never count more than these."""
    modeler = OpponentModeler("som", contexts="position")
    for number in range(10):
        read(modeler, hand(STORY, BOARD, id=str(number)))
    seen = features_of(hand(STORY, BOARD))[3]
    assert (seen.round, seen.bets, seen.players, seen.position) == (1, 0, 2, 1)  # Bob, first of two
    # ten bets of ten on the flop, before it none: of twenty half are those of the default
    twelve = (10 * np.array([0, 0, 1]) + 10 * np.array([0, 0.5, 0.5])) / 20
    there = (np.array([0, 0, 10]) + 20 * twelve) / 30
    np.testing.assert_allclose(frequencies(modeler, ("Bob", seen)), there)
    for elsewhere in seen._replace(position=0), seen._replace(players=3), seen._replace(players=3, position=2):
        np.testing.assert_allclose(frequencies(modeler, ("Bob", elsewhere)), twelve)
    # with all three in, Bob checks between the others, after a check before the flop
    read(modeler, hand([(2, C), (0, C), (1, C), (0, C), (1, C), (2, C)], BOARD[:8], id="other"))
    before = (np.array([0, 1, 0]) + 19 * np.array([0, 0.5, 0.5])) / 20
    twelve = (np.array([0, 1, 10]) + 9 * before) / 20
    between = (np.array([0, 1, 0]) + 20 * twelve) / 21
    np.testing.assert_allclose(frequencies(modeler, ("Bob", seen._replace(players=3))), between)
    np.testing.assert_allclose(frequencies(modeler, ("Bob", seen)), (np.array([0, 0, 10]) + 20 * twelve) / 30)


def test_the_number_of_opponents_and_the_raises_count():
    """Papp's 108 contexts, which back off to the twelve with 20 observations."""
    modeler = OpponentModeler("som", contexts="108")
    for number in range(10):
        read(modeler, hand(STORY, BOARD, id=str(number)))
    seen = features_of(hand(STORY, BOARD))
    assert [(each.num_bets, each.players) for each in seen] == [
        *((1, 3), (2, 3), (2, 2), (0, 2), (1, 2), (2, 2), (3, 2), (0, 2), (0, 2), (0, 2), (1, 2))
    ]
    # Cid raised the flop bet ten times of ten, and called the re-raise: both with one bet to call
    flop = (np.array([0, 10, 10])) / 20
    np.testing.assert_allclose(frequencies(modeler, ("Cid", seen[4])), (np.array([0, 0, 10]) + 20 * flop) / 30)
    np.testing.assert_allclose(frequencies(modeler, ("Cid", seen[6])), (np.array([0, 10, 0]) + 20 * flop) / 30)
    np.testing.assert_allclose(frequencies(modeler, ("Cid", seen[4]._replace(num_bets=0))), flop)
    np.testing.assert_allclose(frequencies(modeler, ("Cid", seen[4]._replace(players=3))), flop)


def test_what_a_player_put_in_counts():
    """Ann calls one bet on the river where they have put in four small bets, and folds where they have put in two."""
    modeler, names = OpponentModeler("som", contexts="invested"), ("Ann", "Bob")
    two, rounds = GameSpec.heads_up(1, 2), ([(1, C), (0, C)], [(1, R), (0, C)])
    found = []
    for number in range(20):
        much = number % 2
        # the button is the first seat: Ann; one small bet before the flop each, one more on flop and turn or not
        actions = [(0, C), (1, C), *rounds[1], *rounds[much], (1, R), (0, C if much else F)]
        played = Hand("test", str(number), two, names, actions, BOARD)
        read(modeler, played)
        found = [*found, features_of(played)[-1]][-2:]
    little, much = found
    assert (little.invested, much.invested) == (2, 4)
    twelve = np.array([0.5, 0.5, 0.0])
    np.testing.assert_allclose(frequencies(modeler, ("Ann", little)), (np.array([10, 0, 0]) + 20 * twelve) / 30)
    np.testing.assert_allclose(frequencies(modeler, ("Ann", much)), (np.array([0, 10, 0]) + 20 * twelve) / 30)
    np.testing.assert_allclose(frequencies(modeler, ("Ann", much._replace(invested=1))), twelve)


@given(st.sets(st.integers(0, len(HANDS) - 1), max_size=12), st.sampled_from(["108", "position", "invested"]))
def test_counts_in_contexts_that_divide_the_twelve_sum_to_theirs(drawn, contexts):
    model = frequency_model(contexts, None, recent=False)
    for number in drawn:
        for decision, seen in zip(HANDS[number].replay(), features_of(HANDS[number]), strict=True):
            model.count(decision, seen)
    for name in {name for number in drawn for name in HANDS[number].players}:
        parts = [counts for (player, _), counts in model._parts.items() if player == name]
        assert len(parts) <= model.grid.neighbours(2)
        assert sum(parts, ActionCounts()) == (model.counts(name) or ActionCounts())


def test_recent_acts_count_more():
    """A player who turns from checks to bets on the flop; a half-life that is very long changes next to nothing."""
    models = {recency: OpponentModeler("som", recency=recency) for recency in (None, 10.0, 1e9)}
    check = [(2, C), (0, F), (1, C), (1, C), (2, C), (1, C), (2, C), (1, C), (2, C)]
    for number in range(60):
        for modeler in models.values():
            read(modeler, hand(STORY if number >= 40 else check, BOARD, id=str(number)))
    bets = {recency: frequencies(each, ("Bob", features_of(hand(STORY, BOARD))[3])) for recency, each in models.items()}
    np.testing.assert_allclose(bets[None], [0, 40 / 60, 20 / 60])
    np.testing.assert_allclose(bets[1e9], bets[None], rtol=1e-6)
    fade = 0.5 ** (1 / 10)
    raised, checked = ((1 - fade**n) / (1 - fade) for n in (20, 40))
    flop = np.array([0, checked * fade**20, raised])
    assert 13 < flop.sum() < 20  # not enough to be believed alone
    blind = np.array([0, checked, 0])  # checked before the flop in the first forty, and never seen there since
    before = (blind + (20 - checked) * np.array([0, 0.5, 0.5])) / 20
    np.testing.assert_allclose(bets[10.0], (flop + (20 - flop.sum()) * before) / 20)


def test_what_a_book_knows_fades_as_a_whole():
    counts = np.zeros((4, 3, 3))
    counts[1, 0] = 0, 30, 10
    model = frequency_model("twelve", {"Bob": ActionCounts(counts)}, recent=False, recency=1.0)
    for decision, seen in zip(hand(STORY, BOARD).replay(), features_of(hand(STORY, BOARD)), strict=True):
        model.count(decision, seen)  # Bob bets the flop once
    assert model.counts("Bob").values[1, 0].tolist() == [0, 15, 6]


@pytest.mark.parametrize("model", ["som", "loki2:som"])
def test_acts_without_an_order_do_not_fade(model):
    for contexts in "previous", "rich":
        message = f"recency goes with contexts twelve, 108, position, invested, not with '{contexts}'"
        with pytest.raises(ValueError, match=message):
            OpponentModeler(f"{model}?recency=20&contexts={contexts}")
    with pytest.raises(ValueError, match="half-life of counts must be positive"):
        OpponentModeler(f"{model}?recency=0")
    with pytest.raises(ValueError, match="unknown option 'recency' of model gom"):
        OpponentModeler("gom?recency=20")


def test_richer_contexts_count_what_was_observed():
    known = ContextModel()
    for contexts in "rich", "previous":
        modeler, later = (OpponentModeler("loki2:som", contexts=contexts) for _ in range(2))
        later.learning = False
        known = ContextModel()
        for number in range(5):
            played = hand([*STORY[:3], (2, F, True)] if number == 2 else STORY, BOARD, id=str(number))
            read(modeler, played)
            read(later, played)
            later.learn(played)
            for decision, seen in zip(played.replay(), features_of(played), strict=True):
                if not decision.out_of_turn:
                    known.learn(decision.player, RICH.encode(seen), decision.act)
        for name in "Ann", "Bob", "Cid":
            ours, theirs = (each.reader.frequencies._model.counts(name) for each in (modeler, later))
            assert ours == theirs == known.counts(name)
    rich = OpponentModeler("loki2:contexts")
    rich.reader.frequencies._model = known
    seen = features_of(hand(STORY, BOARD))[0]
    np.testing.assert_array_equal(frequencies(rich, ("Cid", seen)), known.frequencies("Cid", RICH.encode(seen)))


def test_ranks_foresee_what_a_player_does():
    """The chances of acts, averaged over his table, are those of his contexts; and folds are read."""
    modeler = OpponentModeler("loki2:contexts")
    for number in range(3):
        observations = read(modeler, hand(STORY, BOARD, id=str(number)))
    for each in observations:
        legal = [each.expected.frequencies[act] for act in each.decision.legal]
        foreseen = each.expected.predicted
        for act in each.decision.legal:
            assert foreseen[act] == pytest.approx(each.expected.frequencies[act] / sum(legal), abs=0.025)
    folded = observations[1]
    assert modeler.reader.reads_folds
    assert folded.after["7s2d"] > 2 * folded.after["AsAd"] > 0
    plain = OpponentModeler("loki2:som")
    assert not plain.reader.reads_folds
    assert not read(plain, hand(STORY, BOARD))[1].reweighted


def test_before_the_flop_by_product():
    modeler = OpponentModeler("loki2", preflop="product")
    opened, folded, called = read(modeler, hand(STORY[:3], ""))
    rates = income_rates_by_holding(7)
    borders = opened.expected.borders
    assert borders == BettingThresholds.preflop(DEFAULT_FREQUENCIES).one_bet
    ramp = reweighting_factors(rates, preflop_threshold([0.5, 0.3, 0.2], R).mu, 330.0, compensate=False)
    between = (ramp > 0.02) & (ramp < 0.98)  # there the chance of a raise is Loki-1's ramp
    ratio = opened.after.values[between] / ramp[between]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)
    assert folded.expected is None
    assert called.after["7s2d"] < 0.02
    assert called.after["AsAd"] < 0.02  # he would have raised with them


@pytest.mark.parametrize("model", [*READERS, "loki2?system=rank", "loki2:som?system=rank&contexts=previous"])
def test_every_model_reads_a_hand_of_many(model):
    spec = GameSpec.ring(6, 1, 2)
    actions = [(2, R), (3, R), (4, C), (5, F), (0, C), (1, C), (2, R), (3, C), (4, C), (0, C), (1, C)]
    actions += [(0, C), (1, C), (2, R), (3, C), (4, R), (0, F), (1, C), (2, R), (3, C), (4, R), (1, C), (2, C), (3, C)]
    actions += [(1, C), (2, C), (3, C), (4, C), (1, R), (2, C), (3, C), (4, F)]
    played = Hand("test", "1", spec, list("abcdef"), actions, BOARD)
    modeler = OpponentModeler(model)
    for observation in read(modeler, played):
        values = observation.after.values
        assert np.isfinite(values).all()
        np.testing.assert_array_equal(values > 0, live_holdings(observation.decision.board))
        if observation.expected is not None:
            assert observation.expected.triples.shape == (1326, 3)
    specific = model not in ("loki1", "gom", "loki2", "loki2?system=rank")
    assert modeler.reader.learns == specific
    if specific and model not in ("bpp", "adaptive"):  # which learn from whole hands
        predicted = []
        for each in modeler, OpponentModeler(model):
            each.start(played.players)
            predicted.append(each.predict(next(played.replay()).situation))
        assert np.abs(predicted[0] - predicted[1]).max() > 1e-6


def test_folds_of_exactly_five_percent_are_no_reason_to_leave_a_table_alone():
    """Papp 1998, section 7.2.2: a threshold below .05 says nothing; 1 of 20 is not below."""
    for folds, calls, raises in [(1, 18, 1), (1, 19, 0), (1, 17, 2), (2, 37, 1), (3, 50, 7)]:
        total = folds + calls + raises
        frequencies = (folds / total, calls / total, raises / total)
        assert preflop_threshold(frequencies, C) is not None, frequencies
    assert preflop_threshold((0.049, 0.9, 0.051), C) is None


def test_what_cannot_be_raised_is_predicted_to_be_called():
    actions = [(2, C), (0, C), (1, C), (0, R), (1, R), (2, R), (0, R), (1, C), (2, C), (0, C), (1, C), (2, C)]
    played = hand(actions, "3h4cJh2s")
    for model in ("gom", "som", "loki2"):
        modeler = OpponentModeler(model)
        for decision in played.replay():
            if decision.index:
                free = decision.situation._replace(legal=(F, C, R) if decision.to_call else (C, R))
                capped = free._replace(legal=tuple(act for act in free.legal if act != R))
                with_room, without = modeler.predict(free), modeler.predict(capped)
                assert without.sum() == pytest.approx(1)
                assert without[R] <= 0.01
                assert without[F] <= with_room[F] + 0.01
            modeler.observe(decision)


def test_a_game_without_blinds():
    spec = GameSpec((0, 0), (2, 2, 4, 4), (0, 1, 1, 1))
    checked = [Action(0, C), Action(1, C), *(Action(seat, C) for _ in range(3) for seat in (1, 0))]
    played = Hand("test", "1", spec, ("Ann", "Bob"), checked, "3h4cJh2s9d")
    for model in ("gom", "som", "loki2", "bpp"):
        modeler = OpponentModeler(model)
        modeler.start(played.players)
        for decision in played.replay():
            assert modeler.predict(decision).sum() == pytest.approx(1)
            modeler.observe(decision)


def test_a_raise_that_the_rules_leave_no_room_for_is_not_expected():
    modeler = OpponentModeler("loki2")
    actions = [(2, C), (0, C), (1, C), (0, R), (1, R), (2, R), (0, R), (1, C), (2, C), (0, C), (1, C), (2, C)]
    observations = read(modeler, hand(actions, "3h4cJh2s"))
    capped = observations[7].expected  # a call of the fourth bet
    assert capped.triples[pm.cards.holding_index("JcJd")].tolist() == pytest.approx(
        [0.01 / 1.02, 1 / 1.02, 0.01 / 1.02]
    )


def test_hands_of_a_player_are_counted():
    """Those of the book, of the same game, and those that were learnt since."""
    played = pm.example_hand()
    with pm.Book("sqlite://") as book:
        book.learn(HANDS[:3])
        name, spec = HANDS[0].players[0], HANDS[0].spec
        modeler = OpponentModeler(book=book)
        assert modeler.hands_of(name, spec) == book.profile(name, str(spec.structure)).hands > 0
        assert modeler.hands_of("nobody", spec) == modeler.hands_of(played.players[0], played.spec) == 0
        modeler.learn(played)
        assert modeler.copy().hands_of(played.players[0], played.spec) == 1
        assert modeler.hands_of(name, GameSpec.no_limit(2, 1, 2)) == 0
