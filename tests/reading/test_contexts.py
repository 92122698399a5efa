"""Richer contexts: what is told apart, and how counts become frequencies."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.reading import DEFAULT_FREQUENCIES, ActionCounts, BettingHistory, OpponentModeler
from pokermodel.reading.contexts import (
    FACTOR_COUNTS,
    OWN_COUNTS,
    POPULATION_COUNTS,
    ContextCounts,
    ContextModel,
)
from pokermodel.reading.features import RICH
from pokermodel.scoring import score

FOLD, CALL, RAISE = pm.Act.FOLD, pm.Act.CALL, pm.Act.RAISE
SPEC = pm.GameSpec.ring(4, 5, 10)
contexts = st.integers(0, RICH.size - 1)
learnt_acts = st.lists(st.tuples(st.sampled_from("abc"), contexts, st.sampled_from(pm.Act)), max_size=60)


class RichContext(NamedTuple):
    """A context by the names of its features."""

    round: int
    bets: int
    previous: int
    faced: int
    aggressor: int
    players: int
    raised: int
    price: int
    position: int

    @classmethod
    def of(cls, number):
        return cls(*RICH.values(number))

    @property
    def number(self):
        return RICH.number(self)


def told(hand):
    """The contexts of a hand's actions."""
    history = BettingHistory(len(hand.players))
    found = []
    for decision in hand.replay():
        found.append(RichContext.of(RICH.encode(history.features(decision.situation))))
        history.add(decision)
    return found


def test_the_contexts_of_a_hand_by_hand():
    hand = pm.Hand(
        *("t", "1", SPEC, ("Small", "Big", "Cut", "Button")),
        [
            *[(2, CALL), (3, RAISE), (0, FOLD), (1, CALL), (2, CALL)],  # Button raises
            *[(1, CALL), (2, RAISE), (3, RAISE), (1, FOLD), (2, CALL)],  # Cut bets the flop, Button raises
            *[(2, CALL), (3, CALL)],
            *[(2, RAISE), (3, FOLD)],
        ],
        "2c7d9hTsKd",
    )
    first, second, third, fourth = 0, 1, 2, 3  # rounds
    assert told(hand) == [
        # round, bets, previous, faced bets, aggressor before, players, raised, price, position
        RichContext(first, 1, 0, 0, 0, 1, 0, 2, 1),  # 10 into 15: dear
        RichContext(first, 1, 0, 0, 0, 1, 0, 2, 0),
        RichContext(first, 2, 0, 0, 0, 1, 0, 2, 2),  # 15 into 45
        RichContext(first, 1, 0, 0, 0, 1, 1, 1, 2),  # 10 into 45, raised: .18
        RichContext(first, 1, 1, 1, 0, 1, 1, 1, 1),  # 10 into 55: .15
        RichContext(second, 0, 1, 1, 2, 1, 0, 2, 2),  # 65 in the pot of bets of 10: large
        RichContext(second, 0, 1, 1, 2, 1, 0, 2, 1),
        RichContext(second, 1, 2, 1, 1, 1, 0, 0, 0),  # Button himself raised before; 10 into 75: .118
        RichContext(second, 2, 1, 0, 2, 1, 0, 1, 2),  # 20 into 95: .17
        RichContext(second, 1, 2, 0, 2, 0, 1, 0, 1),  # 10 into 95: .095
        RichContext(third, 0, 1, 1, 2, 0, 0, 1, 1),  # 105 in bets of 20
        RichContext(third, 0, 2, 1, 1, 0, 0, 1, 0),
        RichContext(fourth, 0, 1, 0, 0, 0, 0, 1, 1),  # the turn was checked
        RichContext(fourth, 1, 1, 0, 0, 0, 0, 1, 0),  # 20 into 125
    ]


def test_three_bets_to_call_are_more_than_two_or_more():
    """`raised` is about the bets as they are counted, 2 of which stand for more."""
    hand = pm.Hand("t", "1", SPEC, tuple("abcd"), [(2, RAISE), (3, RAISE), (0, FOLD), (1, FOLD), (2, FOLD)])
    bets = [(decision.bets_to_call, decision.num_bets) for decision in hand.replay()]
    assert bets == [(1, 1), (2, 2), (3, 3), (2, 3), (1, 3)]
    assert [context.raised for context in told(hand)] == [0, 0, 1, 1, 1]


def test_who_leaves_out_of_turn_did_nothing():
    leaving = [(2, CALL), (0, FOLD, True), (3, CALL), (1, CALL)]
    hand = pm.Hand("t", "1", SPEC, ("a", "b", "c", "d"), [*leaving, (1, RAISE), (2, FOLD), (3, FOLD)], "2c7d9h")
    session = OpponentModeler("contexts")
    session.learn(hand)
    counts = session.reader._model.counts
    assert counts("a") == ContextCounts()
    assert counts("b").coarse.sum() == 2


@given(contexts)
def test_numbers_of_contexts(number):
    assert RICH.names == RichContext._fields
    context = RichContext.of(number)
    assert context.number == number
    for bets, other in enumerate(RICH.varied(number, "bets").tolist()):
        assert RichContext.of(other) == context._replace(bets=bets)


def test_no_such_context():
    with pytest.raises(ValueError, match="out of bounds"):
        RICH.values(RICH.size)
    with pytest.raises(ValueError, match="invalid entry"):
        RICH.number((0, 3, 0, 0, 0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="contexts must be 0 to 15551"):
        ContextCounts(rich={3 * RICH.size: 1})
    with pytest.raises(ValueError, match="0 or more"):
        ContextCounts(rich={0: -1})
    with pytest.raises(ValueError, match="shape"):
        ContextCounts(np.zeros((4, 3, 3), dtype=int))


# ------------------------------------------------------------------------------------------- counts to frequencies


def textbook(learnt, name, context):
    """The module's three steps, one after the other, for one context."""
    counted = [(who, RichContext.of(number), act) for who, number, act in learnt]

    def everybody(where):
        found = np.array(DEFAULT_FREQUENCIES[where.bets])
        for fields in (2, 4, 7, 8, 9):
            here = np.array([sum(c[:fields] == where[:fields] and a == act for _, c, a in counted) for act in pm.Act])
            found = (here + POPULATION_COUNTS * found) / (here.sum() + POPULATION_COUNTS)
        return found

    own = [(c, act) for who, c, act in counted if who == name]
    where = RichContext.of(context)
    groups = (lambda c: c.bets > 0, lambda c: c[:2], lambda c: (c.bets > 0, c.previous, c.faced))
    found = everybody(where)
    expected = [everybody(c) for c, _ in own]
    if own:
        for group in groups:
            factors = {}
            for key in {group(c) for c, _ in own} | {group(where)}:
                done = np.array([sum(group(c) == key and a == act for c, a in own) for act in pm.Act])
                hoped = sum((e for e, (c, _) in zip(expected, own, strict=True) if group(c) == key), np.zeros(3))
                factors[key] = (done + FACTOR_COUNTS) / (hoped + FACTOR_COUNTS)
            expected = [e * factors[group(c)] for e, (c, _) in zip(expected, own, strict=True)]
            expected = [e / e.sum() for e in expected]
            found = found * factors[group(where)]
            found = found / found.sum()
    here = np.array([sum(c == where and a == act for c, a in own) for act in pm.Act])
    return (here + OWN_COUNTS * found) / (here.sum() + OWN_COUNTS)


@given(learnt_acts, contexts)
def test_frequencies_are_those_of_the_textbook(learnt, context):
    model = ContextModel()
    for name, number, act in learnt:
        model.learn(name, number, act)
    for where in (context, *[number for _, number, _ in learnt[:2]]):
        for name in "ad":
            found = model.frequencies(name, where)
            assert found == pytest.approx(textbook(learnt, name, where), abs=1e-12)
            assert found.sum() == pytest.approx(1)
            assert (found >= 0).all()


def test_without_data_a_player_is_like_everybody():
    model = ContextModel()
    where = RichContext(2, 1, 1, 0, 2, 0, 0, 1, 1).number
    assert model.frequencies("new", where).tolist() == DEFAULT_FREQUENCIES[1].tolist()
    for act, times in (FOLD, 300), (CALL, 600), (RAISE, 100):
        for k in range(times):
            model.learn(f"old {k}", where, act)
    assert model.frequencies("new", where) == pytest.approx([0.3, 0.6, 0.1], abs=1e-3)
    # five levels, each with 1,000 observations, on 60 of the level before
    share = (60 / 1060) ** 5
    assert model.frequencies("new", where) == pytest.approx(
        share * DEFAULT_FREQUENCIES[1] + (1 - share) * np.array([0.3, 0.6, 0.1]), abs=1e-12
    )


def test_with_much_data_a_player_is_like_himself():
    model = ContextModel()
    where = RichContext(1, 0, 2, 1, 1, 0, 0, 1, 1).number
    rng = np.random.default_rng(1)
    for k, act in enumerate(rng.choice(3, p=[0, 0.8, 0.2], size=30_000)):
        model.learn(f"other {k % 10}", where, pm.Act(act))
    for act in rng.choice(3, p=[0, 0.1, 0.9], size=8_000):
        model.learn("own", where, pm.Act(act))
    own = model.counts("own").coarse.sum(axis=(0, 1, 2, 3)) / 8_000
    assert model.frequencies("own", where) == pytest.approx(own, abs=5e-3)


def test_a_way_to_play_is_carried_over():
    model = ContextModel()
    seen, unseen = (RichContext(1, 1, 1, 0, 2, players, 0, 1, 1).number for players in (0, 3))
    elsewhere = RichContext(3, 1, 2, 0, 1, 0, 0, 1, 1).number
    for number in seen, unseen, elsewhere:
        for act, times in (FOLD, 300), (CALL, 500), (RAISE, 200):
            for _ in range(times):
                model.learn("everybody", number, act)
    for _ in range(40):
        model.learn("maniac", seen, RAISE)
    before = model.frequencies("newcomer", unseen)
    assert model.frequencies("maniac", seen)[2] > 0.6
    assert model.frequencies("maniac", unseen)[2] > 0.5 > before[2]
    assert before[2] < model.frequencies("maniac", elsewhere)[2] < model.frequencies("maniac", unseen)[2]
    # bets to call say nothing of what is done when there are none
    free = RichContext(1, 0, 1, 0, 2, 0, 0, 1, 1).number
    assert model.frequencies("maniac", free) == pytest.approx(model.frequencies("newcomer", free))


@given(learnt_acts, learnt_acts)
def test_counts_can_be_added(first, second):
    def counted(learnt):
        counts = ContextCounts()
        for _, number, act in learnt:
            counts.add(number, act)
        return counts

    assert counted(first) + counted(second) == counted([*first, *second])
    assert (counted(first) + counted(second)).counts == counted(first).counts + counted(second).counts
    assert counted(first).counts.values.sum() == len(first)


class Shelf:
    """What is known of players, as a book has it; of some by coarse contexts only."""

    def __init__(self, players):
        self.players = players

    def contexts(self, name):
        return self.players[name]

    def population(self):
        return sum(self.players.values(), ContextCounts())


def test_a_model_goes_on_from_a_book():
    rng = np.random.default_rng(5)
    acts = [(name, int(number), pm.Act(act)) for name, number, act in zip(
        rng.choice(["a", "b"], 400), rng.integers(0, RICH.size, 400), rng.integers(0, 3, 400), strict=True
    )]  # fmt: skip
    known, whole = {"a": ContextCounts(), "b": ContextCounts()}, ContextModel()
    for name, number, act in acts[:300]:
        known[name].add(number, act)
    model = ContextModel(Shelf(known))
    for name, number, act in acts:
        whole.learn(name, number, act)
    for name, number, act in acts[300:]:
        model.learn(name, number, act)
    for name in "abc":
        assert model.frequencies(name, 77) == pytest.approx(whole.frequencies(name, 77), abs=1e-12)
    assert sum(counts.coarse.sum() for counts in known.values()) == 300  # a book is only read


def test_actions_of_which_little_is_known_count():
    """As those of a book's hands that were learnt by its version 1."""
    where = RichContext(2, 1, 1, 0, 2, 0, 0, 1, 1).number
    folder, others = ContextCounts(), ContextCounts()
    folder.coarse[2, 1, 1, 0] = 90, 10, 0
    others.coarse[2, 1, 1, 0] = 30, 50, 20
    model = ContextModel(Shelf({"folder": folder, "others": others}))
    assert model.frequencies("folder", where)[FOLD] > 0.75
    assert model.frequencies("others", where)[FOLD] < 0.5
    assert isinstance(model.counts("folder").counts, ActionCounts)


def test_as_a_reader():
    hand = pm.example_hand()
    found = score([hand, hand, hand], {"contexts": OpponentModeler("contexts")}, warmup=1)["contexts"]
    assert found.action_log_loss < found.uniform_log_loss
    with pm.Book("sqlite://") as book:
        book.learn([hand])
        again = score([hand, hand], "contexts", book=book)["contexts"]
    assert again.action_log_loss == found.action_log_loss


def test_the_previous_action_as_a_reader():
    """20 observations of the player's own in the twelve, these on 20 of everybody's."""
    deals = [(2, CALL), (3, RAISE), (0, FOLD), (1, CALL), (2, CALL), (1, CALL), (2, RAISE), (3, FOLD), (1, FOLD)]
    hand = pm.Hand("t", "1", SPEC, ("Small", "Big", "Cut", "Button"), deals, "2c7d9h")
    decisions = list(hand.replay())

    def predicted(session, times):
        for _ in range(times):
            session.learn(hand, decisions)
        session.learning = False
        for decision in decisions[:6]:
            session.observe(decision)
        return session.predict(decisions[6].situation)

    everybody = np.array([1, 4, 4]) / 9  # on the flop with nothing to call: Big's checks, Cut's bets, one of each act
    twelve = (np.array([0, 0, 3]) + 20 * everybody) / 23
    expected = (np.array([0, 0, 3]) + 20 * twelve) / 23  # Cut called before, with a bet to call
    np.testing.assert_allclose(predicted(OpponentModeler("own?contexts=previous"), 3), expected)
    with pm.Book("sqlite://") as book:
        book.learn([hand])
        np.testing.assert_allclose(predicted(OpponentModeler("own?contexts=previous", book), 2), expected)


@pytest.mark.slow
def test_what_helps_to_predict(data_dir):
    """After the flop counts in twelve contexts beat calls by little, and the previous action adds several points.

    As Davidson, Billings, Schaeffer and Szafron (2000, Table 2) found: 57.3% of actions named with the counts of
    Loki-2, 71.7% with better contexts; and Davidson (2002, Table 5.2): 57.4% by always calling, 57.5% with counts.
    """
    hands = islice(pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz", strict=False), 4500)
    names = ("call", "own", "own?contexts=previous", "contexts")
    found = score(hands, names, warmup=3000)
    accuracy, loss = {}, {}
    for name in names:
        streets = [street for key, street in found[name].to_dict()["streets"].items() if key != "pre-flop"]
        weights = [street["decisions"] for street in streets]
        accuracy[name], loss[name] = (
            np.average([street[what] for street in streets], weights=weights)
            for what in ("action_accuracy", "action_log_loss")
        )
        assert sum(weights) > 7000
    assert -0.01 < accuracy["own"] - accuracy["call"] < 0.06
    assert accuracy["own?contexts=previous"] > accuracy["own"] + 0.02
    assert accuracy["contexts"] > accuracy["own?contexts=previous"] + 0.02
    assert loss["contexts"] < loss["own?contexts=previous"] - 0.02 < loss["own"] - 0.04
    for name in names[1:]:
        assert found[name].to_dict()["calibration_error"] < 0.03


def test_real_hands(data_dir):
    """Better than twelve contexts, own ones too, on hands not seen before."""
    hands = pm.open_hands(data_dir / "irc-199504" / "sample300")
    found = score(hands, "frequencies,own,contexts", warmup=150)
    assert found["contexts"].action_log_loss < min(found["frequencies"].action_log_loss, found["own"].action_log_loss)
