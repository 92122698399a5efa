"""The width of ranges: the product of what a player chose, holding by holding."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader
from tests.common.studied import HANDS


class _Fifth(Reader):
    """Whatever the holding, which has a weight of .7, calls are made a fifth of the time."""

    def prior(self, name):
        return np.full(1326, 0.7)

    def expect(self, spot):
        return Expectation.alike([0.0, 0.2, 0.8])


def test_seven_tenths_times_two_tenths():
    """Billings et al. 1999: .14, whatever the scale of the weights."""
    modeler = pm.OpponentModeler(_Fifth())
    call = next(each for each in pm.example_hand().replay() if each.act == Act.CALL)
    for decision in pm.example_hand().replay():
        modeler.observe(decision)
        if decision.index == call.index:
            break
    assert modeler.product(call.seat) == pytest.approx(np.full(1326, 0.14))
    assert modeler.width(call.seat).share == pytest.approx(0.14)
    assert modeler.width(call.seat).share_here == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("model", "hand"),
    [("contexts", pm.example_hand())]
    + [(model, hand) for model in ("adaptive", "uniform") for hand in (pm.example_hand(), *HANDS[:3])],
)
def test_before_the_flop_the_share_is_the_product_of_the_forecasts(model, hand):
    modeler = pm.OpponentModeler(model, learning=False)
    modeler.start(hand.players)
    forecasts: dict[int, float] = {}
    for decision in hand.replay():
        if decision.board:
            break
        predicted = modeler.predict(decision)
        modeler.observe(decision)
        if decision.act == Act.FOLD:
            continue
        seat = decision.seat
        forecasts[seat] = forecasts.get(seat, 1.0) * predicted[decision.act]
        width = modeler.width(seat)
        assert width.share == pytest.approx(forecasts[seat])
        assert width.share_here == pytest.approx(predicted[decision.act])
        assert width.combos == pytest.approx(1326 * width.share)
        assert modeler.product(seat).sum() == pytest.approx(1326 * width.share)
    assert forecasts


def test_products_are_those_of_the_likelihoods_holding_by_holding():
    """Where bets have no sizes, and before the river, whose bets are polar."""
    hand = pm.example_hand()
    modeler = pm.OpponentModeler()
    modeler.start(hand.players)
    products = {seat: np.ones(1326) for seat in range(len(hand.players))}
    for decision in hand.replay():
        if decision.situation.round == 3:
            break
        observation = modeler.observe(decision)
        if decision.act == Act.FOLD:
            continue
        seat = decision.seat
        products[seat] = products[seat] * np.nan_to_num(observation.expected.likelihoods[:, decision.act])
        np.testing.assert_allclose(modeler.product(seat), products[seat], rtol=1e-5, atol=1e-12)


def test_the_heros_cards_count_for_combos_alone():
    """A range is as wide for the hero as for anybody else."""
    hand = pm.example_hand()
    widths = {}
    for hero in (None, "Eve"):
        modeler = pm.OpponentModeler(hero=hero)
        modeler.start(hand.players)
        if hero:
            modeler.hold("9h8h")
        for decision in list(hand.replay())[:14]:
            modeler.observe(decision)
        widths[hero] = modeler.width("Boris")
        held = pm.cards.live_holdings(decision.board + (pm.cards.card_indices("9h8h") if hero else ()))
        assert widths[hero].combos == pytest.approx(modeler.product("Boris")[held].sum())
    assert widths[None][:3] == widths["Eve"][:3]
    assert widths["Eve"].combos < widths[None].combos


def test_without_a_choice_there_is_no_width():
    modeler = pm.OpponentModeler()
    modeler.start(["Ann", "Bob"])
    assert modeler.width("Ann") is None
    modeler.deal("AsKd7h")
    assert modeler.product("Ann").sum() == 49 * 48 / 2


def test_readers_without_forecasts_show_the_mean_of_their_weights():
    modeler = pm.OpponentModeler("loki1")
    decision = next(each for each in pm.example_hand().replay() if each.act != Act.FOLD)
    observation = modeler.observe(decision)
    width = modeler.width(decision.seat)
    assert width.share == pytest.approx(observation.after.values.mean())
    assert 0.0 < width.share < 1.0


def test_a_session_that_is_copied_goes_on_with_its_own_choices():
    hand = pm.example_hand()
    modeler = pm.OpponentModeler()
    decisions = list(hand.replay())
    for decision in decisions[:12]:
        modeler.observe(decision)
    other = modeler.copy()
    before = [modeler.product(seat).sum() for seat in range(len(hand.players))]
    for decision in decisions[12:]:
        other.observe(decision)
    assert [modeler.product(seat).sum() for seat in range(len(hand.players))] == before
