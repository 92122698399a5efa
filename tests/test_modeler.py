from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel import evaluation as ev
from pokermodel.cards import live_holdings
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.modeling import ActionCounts, Context, OpponentModeler, reweight
from pokermodel.modeling.field import field_array
from pokermodel.modeling.thresholds import preflop_threshold
from pokermodel.preflop import income_rates_by_holding

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(3, 1, 2)


def hand(actions, board="", id="1", names=("Ann", "Bob", "Cid"), **more):
    return Hand("test", id, SPEC, names, [Action(*action) for action in actions], board, **more)


# three players: Cid opens, Ann folds, Bob calls; flop: Bob bets, Cid raises, Bob re-raises, Cid calls; turn checked
STORY = [
    (2, R), (0, F), (1, C),
    (1, R), (2, R), (1, R), (2, C),
    (1, C), (2, C),
    (1, R), (2, F),
]  # fmt: skip
BOARD = "3h4cJh2s9d"


def read(modeler, *hands):
    return [modeler.observe(decision) for played in hands for decision in played.replay()]


def test_tables_start_uniform():
    modeler = OpponentModeler()
    modeler.start(["Ann", "Bob"])
    assert modeler.table("Ann") == pm.WeightTable()
    assert modeler.table(1) == pm.WeightTable()
    assert modeler.players == ("Ann", "Bob")
    assert modeler.opponents("Ann") == (1,)


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
    assert opened.threshold == threshold
    assert opened.context == Context(0, 1)
    assert opened.exempt is None
    cid = reweight(cid, rates, threshold.mu, 330.0, compensate=False)
    np.testing.assert_array_equal(opened.after.values, cid)
    assert not folded.reweighted
    assert "dropped" in folded.reason
    threshold = preflop_threshold([0.5, 0.3, 0.2], C)  # one small bet to call
    assert called.threshold == threshold
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
    assert reraised.threshold.mu == pytest.approx(0.8)
    assert not last.reweighted  # a call of one bet, mu .50, says less than the raise before it
    assert last.threshold.mu == pytest.approx(0.5)
    np.testing.assert_array_equal(modeler.table("Cid").values, cid)

    for decision in decisions[7:9]:  # checks: nothing but the new card
        observation = modeler.observe(decision)
        assert not observation.reweighted
    np.testing.assert_array_equal(modeler.table("Cid").values, cid * live_holdings("3h4cJh2s"))
    river = modeler.observe(decisions[9])
    assert river.exempt is None  # no exemption on the river
    hs = ev.BoardAnalysis(BOARD).strengths(field_array([cid * live_holdings(BOARD)]))
    np.testing.assert_array_equal(river.after.values, reweight(bob * live_holdings(BOARD), hs, 0.5, 0.2))
    assert modeler.observe(decisions[10]).reason.startswith("a fold")
    assert modeler.opponents("Bob") == ()


def test_observations_explain_themselves():
    for observation in read(OpponentModeler(), hand(STORY, BOARD)):
        decision = observation.decision
        assert observation.reason
        if decision.name in ("call", "bet", "raise"):
            assert observation.frequencies.sum() == pytest.approx(1)
            assert observation.threshold is not None
            assert observation.values.shape == (1326,)
            assert observation.reweighted == (observation.before != observation.after)
            if decision.round in (1, 2):
                odds = decision.put_in / (decision.pot + decision.put_in)
                crude = ev.BoardAnalysis(decision.board).crude_potentials()
                np.testing.assert_array_equal(observation.exempt, crude >= odds)
        else:
            assert observation.threshold is None
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
    counts = modeler.book["Bob"]
    assert counts.values.sum() == 5  # call; bet, raise; check; bet
    assert counts.values[2, 0].tolist() == [0, 1, 0]  # checks count
    assert modeler.book["Ann"].values[0, 2].tolist() == [1, 0, 0]  # folds count; a bet and a half to call
    # one observation of twenty in this context: its own raise
    np.testing.assert_allclose(observations[0].frequencies, np.array([9.5, 5.7, 4.8]) / 20)
    assert observations[0].threshold.percentile == pytest.approx(1 - 4.8 / 20)
    read(modeler, hand(STORY, BOARD, id="2"))
    assert modeler.book["Bob"].values.sum() == 10  # kept from hand to hand
    assert OpponentModeler(model="gom").book == {}


def test_the_specific_model_takes_a_book():
    maniac = ActionCounts()
    maniac.values[:, :, 2] = 100
    modeler = OpponentModeler(model="som", book={"Cid": maniac})
    opened = read(modeler, hand(STORY, BOARD))[0]
    assert opened.threshold is None  # he raises everything: says nothing
    assert "95 %" in opened.reason
    assert modeler.frequencies("Cid", Context(1, 0)).tolist()[2] == 1.0


def test_low_thresholds_use_the_longer_ramp():
    loose = ActionCounts()
    loose.values[:, :] = [5, 90, 5]
    modeler = OpponentModeler(model="som", book={"Bob": loose, "Cid": ActionCounts(loose.values)})
    actions = [(2, C), (0, F), (1, C), (1, R), (2, C)]
    observation = read(modeler, hand([*actions, (1, R), (2, F)], "3h4cJh2s"))[4]
    assert observation.threshold.mu < 2 / 7
    weights = observation.after.values[live_holdings("3h4cJh")]
    assert weights.min() > 0.5  # r = 1 - 2*mu/(mu + sigma)


@pytest.mark.parametrize("field", ["mean", "maximum", "product"])
@pytest.mark.parametrize("crude_potential", ["outs", "exact1"])
def test_options(field, crude_potential):
    four = GameSpec.ring(4, 1, 2)
    actions = [(2, C), (3, C), (0, C), (1, C), (0, R), (1, C), (2, R), (3, F), (0, C), (1, C)]
    played = Hand("test", "1", four, list("abcd"), [Action(*a) for a in actions], "3h4cJh")
    modeler = OpponentModeler(field=field, crude_potential=crude_potential)
    observations = read(modeler, played)
    assert observations[6].reweighted
    table = modeler.table("c")
    assert 0 < table.entropy_bits() < np.log2(1176)
    other = OpponentModeler()
    read(other, played)
    if (field, crude_potential) != ("mean", "outs"):
        assert other.table("c") != table


def test_judgement_of_a_shown_holding():
    modeler = OpponentModeler()
    read(modeler, hand(STORY, BOARD))
    judged = modeler.showdown("Bob", "JcJd")
    table = modeler.table("Bob")
    assert judged.probability == pytest.approx(table.probabilities()[pm.holding_index("JcJd")])
    assert judged.uniform == pytest.approx(1 / 1081)
    assert judged.bits_gained == pytest.approx(np.log2(judged.probability * 1081))
    assert judged.rank >= 1
    with pytest.raises(ValueError, match="not possible"):
        modeler.showdown("Bob", "JhJd")


def test_leaving_out_of_turn_says_nothing():
    modeler = OpponentModeler(model="som")
    played = hand([(2, C), (0, C), (1, C), (0, C), (2, F, True), (1, R), (0, F)], "3h4cJh")
    observation = read(modeler, played)[4]
    assert observation.context is None
    assert "out of turn" in observation.reason
    assert modeler.book["Cid"].values.sum() == 1
    assert 2 not in modeler.opponents(0)


def test_a_new_hand_is_noticed():
    modeler = OpponentModeler()
    read(modeler, hand(STORY, BOARD), hand(STORY[:3], BOARD, id="2"))
    assert modeler.board == ()
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OpponentModeler(model="loki7"), "unknown model 'loki7'"),
        (lambda: OpponentModeler(field="median"), "unknown field method"),
        (lambda: OpponentModeler(crude_potential="guess"), "unknown crude potential"),
        (lambda: OpponentModeler().table("Zoe"), "unknown player 'Zoe'"),
        (lambda: OpponentModeler().table(3), "seat 3 is out of range"),
        (lambda: OpponentModeler().start(["Ann", "Ann"]), "different names"),
        (lambda: OpponentModeler().deal("3h4c"), "3 to 5 cards"),
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
