"""The adaptive reader."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, GameSpec, LiveHand, Situation
from pokermodel.reading import PopulationModel, Prior, default_prior
from pokermodel.reading.adaptive.expectation import AdaptiveExpectation
from pokermodel.reading.adaptive.holdings import made_at_least
from pokermodel.report.facts import fact_lines
from tests.common.books import HANDS, played
from tests.common.copies import pickled


def observed(hand: pm.Hand, session: pm.OpponentModeler) -> list[pm.reading.Observation]:
    return [session.observe(decision) for decision in hand.replay()]


def test_it_is_the_default_reader() -> None:
    session = pm.OpponentModeler()
    assert session.model == "adaptive"
    assert list(pm.score([pm.example_hand()])) == ["adaptive"]


def test_the_example_is_read() -> None:
    """The cards that were shown are held likelier than chance has it, all of them together."""
    hand = pm.example_hand()
    session = pm.OpponentModeler()
    observed(hand, session)
    gained = [session.showdown(seat, hand.holdings[seat]).bits_gained for seat in hand.shown]
    assert sum(gained) > 1


def test_a_table_is_the_product_of_likelihoods() -> None:
    """But for what bets on the river say besides."""
    hand = pm.example_hand()
    limit = default_prior().games["limit"].with_polarity(None)
    session = pm.OpponentModeler(prior=Prior([limit], {}))
    tables: dict[str, np.ndarray] = {}
    for observation in observed(hand, session):
        decision, expected = observation.decision, observation.expected
        before = tables.get(decision.player, np.ones(1326))
        weights = np.where(
            np.isnan(expected.triples[:, 0]), 0, before * np.nan_to_num(expected.triples[:, decision.act])
        )
        tables[decision.player] = weights
        after = observation.weights_after
        np.testing.assert_allclose(after / after.sum(), weights / weights.sum(), atol=1e-12)
        held = before * ~np.isnan(expected.triples[:, 0])
        mean = held @ np.nan_to_num(expected.triples) / held.sum()
        np.testing.assert_allclose(expected.predicted, mean, atol=1e-6)


def test_probabilities_are_those_of_acts_that_are_offered() -> None:
    for hand in HANDS[:20]:
        session = pm.OpponentModeler()
        session.start(hand.players)
        for decision in hand.replay():
            triples = session.expect(decision).triples
            live = ~np.isnan(triples[:, 0])
            np.testing.assert_allclose(triples[live].sum(axis=1), 1, atol=1e-6)
            offered = [act in decision.legal for act in Act]
            assert (triples[live][:, ~np.array(offered)] == 0).all()
            assert (triples[live][:, offered] > 0).all()
            session.observe(decision)


def test_strong_hands_raise_and_weak_ones_fold() -> None:
    hand = pm.example_hand()
    session = pm.OpponentModeler()
    session.start(hand.players)
    first = next(iter(hand.replay()))
    triples = session.expect(first).triples
    best, worst = (pm.cards.holding_index(pm.cards.card_indices(text)) for text in ("AsAd", "7d2c"))
    assert triples[best, Act.RAISE] > triples[worst, Act.RAISE] + 0.3
    assert triples[worst, Act.FOLD] > triples[best, Act.FOLD] + 0.3


def test_the_heros_cards_are_ruled_out_for_others() -> None:
    hand = pm.example_hand()
    session = pm.OpponentModeler(hero="Farid")
    session.start(hand.players)
    session.hold("QsQd")
    decision = next(iter(hand.replay()))
    assert np.isfinite(session.expect(decision).predicted).all()
    session.observe(decision)
    table = session.table("Carmen")
    assert table.values[pm.cards.holding_index(pm.cards.card_indices("QsQd"))] == 0
    assert table.values[pm.cards.holding_index(pm.cards.card_indices("QsAd"))] == 0


def test_facts_say_what_moved_the_table() -> None:
    session = pm.OpponentModeler()
    for hand in HANDS:
        session.learn(hand)
    lines = [line for observation in observed(played(50, 50), session) for _, line in fact_lines(observation.facts())]
    said = "\n".join(lines)
    assert "times as often as an unknown player here would" in said
    assert "an unknown player here: fold" in said
    assert "likel" in said
    assert "of the range)" in said
    fresh = [line for each in observed(pm.example_hand(), pm.OpponentModeler()) for _, line in fact_lines(each.facts())]
    assert not any("unknown player" in line for line in fresh)  # everybody is


def test_the_group_that_an_act_speaks_for() -> None:
    """Its figures are those of the triples and the weights; strong holdings raise."""
    ends = {"a pair or better": 4, "top pair or better": 6, "two pair or better": 9, "three of a kind or better": 10}
    rounds = []
    for observation in observed(pm.example_hand(), pm.OpponentModeler()):
        decision, expected = observation.decision, observation.expected
        told = next(fact.value for fact in observation.facts() if fact.key == "speaks_for")
        if told["holdings"] in ends:
            inside = made_at_least(decision.board, ends[told["holdings"]])
        else:
            inside = income_shares() >= 1 - int(told["holdings"].split("best ")[1].split("%")[0]) / 100
        weights = observation.weights_before / observation.weights_before.sum()
        likelihood = np.nan_to_num(expected.triples[:, decision.act])
        share = weights[inside].sum()
        within, without = (
            weights[inside] @ likelihood[inside] / share,
            weights[~inside] @ likelihood[~inside] / (1 - share),
        )
        assert told["share"] == pytest.approx(share, abs=1e-4)
        assert told["times"] == pytest.approx(within / without, abs=1e-3)
        assert told["act"] == decision.situation.act_names[decision.act]
        if decision.act == Act.RAISE and decision.round == 0:
            assert told["times"] > 1
        rounds.append(decision.round)
    assert set(rounds) == {0, 1, 2, 3}


def test_an_expectation_can_be_copied() -> None:
    session = pm.OpponentModeler()
    session.learn(HANDS[0])
    hand = played(60, 60, HANDS[0].players)
    session.start(hand.players)
    expected = session.expect(next(iter(hand.replay())))
    assert isinstance(expected, AdaptiveExpectation)
    assert expected.known
    for other in (copy.deepcopy(expected), pickled(expected)):
        np.testing.assert_array_equal(other.triples, expected.triples)
        np.testing.assert_array_equal(other.others, expected.others)
    assert not np.allclose(expected.others, expected.predicted)


def test_what_others_do_is_as_it_was_known_then() -> None:
    session = pm.OpponentModeler()
    session.learn(HANDS[0])
    hand = played(61, 61, HANDS[0].players)
    session.start(hand.players)
    late, early = (session.reader.expect(session.spot(next(iter(hand.replay())))) for _ in range(2))
    before = early.others.copy()
    for each in HANDS[1:]:
        session.learn(each)
    np.testing.assert_array_equal(late.others, before)


def test_it_starts_from_a_book() -> None:
    book = pm.Book("sqlite://")
    book.learn(HANDS)
    session, fresh = pm.OpponentModeler(book=book), pm.OpponentModeler()
    for hand in HANDS:
        fresh.learn(hand)
    decision = next(iter(played(70, 70).replay()))
    for each in (session, fresh):
        each.start(decision.players)
    np.testing.assert_allclose(session.predict(decision), fresh.predict(decision), atol=1e-9)
    assert isinstance(book.knowledge(PopulationModel), PopulationModel)
    book.close()


def test_every_decision_of_limit_has_the_package_s_own_verdict() -> None:
    hand = pm.example_hand()
    hero = next(name for seat, name in enumerate(hand.players) if seat in hand.holdings)
    steps = [step for step in HandReport.of(hand, pm.OpponentModeler(hero=hero), hero).steps if step.opponents]
    assert steps
    assert all(step.verdict is not None and step.verdict.made is not None for step in steps)


def test_a_player_sees_with_its_eyes() -> None:
    players = ["loki2:sr?model=adaptive&trials=4", "call", "random"]
    result = pm.tables.tournament(players, 3, seed=1, jobs=1)
    assert result.games == 9


def test_what_is_expected_after_acts_that_nobody_has_done() -> None:
    """It is what is expected once they are done; the session goes on as if nobody had asked."""
    live = LiveHand(GameSpec.no_limit(3, 1, 2, stacks=(200,) * 3), ("Ann", "Bob", "Cid"))
    done, asked, untouched = (pm.OpponentModeler() for _ in range(3))
    for session in (done, asked, untouched):
        session.start(live.players)
    imagined = copy.copy(live.state)
    situation = live.situation()
    acts = [Decision("", "", 0, situation, Act.RAISE, imagined.act(Act.RAISE, 9))]
    next_one = Situation.of(imagined, live.players)
    acts.append(Decision("", "", 1, next_one, Act.FOLD, imagined.act(Act.FOLD)))
    facing = Situation.of(imagined, live.players)
    before = asked.expect(situation)
    spot = asked.spot(situation)
    alone, after = asked.reader.expect(spot.at(next_one, acts[:1])), asked.reader.expect(spot.at(facing, acts))
    assert asked.expect(situation) is before
    done.observe(live.act(Act.RAISE, 9))
    np.testing.assert_array_equal(alone.triples, done.expect(live.situation()).triples)
    done.observe(live.act(Act.FOLD))
    np.testing.assert_array_equal(after.triples, done.expect(live.situation()).triples)
    assert (after.triples != asked.reader.expect(spot.at(facing)).triples).any()
    for decision in live.decisions:
        one, other = asked.observe(decision), untouched.observe(decision)
        np.testing.assert_array_equal(one.posterior, other.posterior)
