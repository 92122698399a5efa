"""The width of ranges: the product of what a player chose, holding by holding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.game import Act, Decision, Situation, State
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


# ------------------------------------------------------------------------- players whose cards are all known


class _Told(NamedTuple):
    """A choice, the width that it leaves over the width before it, and the width at the end of the hand."""

    group: tuple[int, str]
    made: bool
    share: float


def _narrowings(modeler: pm.OpponentModeler, decisions: Iterable[Decision]) -> Iterator[_Told]:
    """For each choice that a player had, by what share of their width it narrows the range, and whether they made it.

    The session goes another way in a copy for the choices that were not made.
    """
    for decision in decisions:
        situation = decision.situation
        before = modeler.width(decision.seat)
        whole = 1.0 if before is None else before.share
        for act in situation.legal:
            if act == Act.FOLD:
                continue
            to = None if act != Act.RAISE or situation.raise_range is None else situation.raise_range[0]
            made = act == decision.act
            put_in = decision.put_in if made else (to or situation.bet_size) if act == Act.RAISE else situation.to_call
            other = modeler.copy()
            other.observe(decision if made else decision._replace(act=act, put_in=put_in))
            yield _Told((situation.round, situation.act_names[act]), made, other.width(decision.seat).share / whole)
        modeler.observe(decision)


def _agrees(told: Iterable[_Told], least: int, off: float) -> int:
    """Compare shares with how often players made each choice; the number of groups."""
    groups: defaultdict[tuple[int, str], list[_Told]] = defaultdict(list)
    for each in told:
        groups[each.group].append(each)
    large = {group: some for group, some in groups.items() if len(some) >= least}
    for group, some in large.items():
        made, shares = (np.array([getattr(each, name) for each in some], float) for name in ("made", "share"))
        error = np.sqrt((shares * (1.0 - shares)).clip(0.0).sum()) / len(some)
        assert abs(made.mean() - shares.mean()) <= off + 3.5 * error, (group, len(some), made.mean(), shares.mean())
    return len(large)


def test_a_share_is_how_often_an_action_is_taken_by_players_of_the_readers_policy():
    """Cards are dealt, and everybody does what the reader expects with theirs: folds, calls and raises alike."""
    spec, rng, names = pm.GameSpec.ring(4, 5, 10), np.random.default_rng(7), ("Ann", "Bob", "Cid", "Dot")
    told: list[_Told] = []
    for number in range(40):
        deck = rng.permutation(52).tolist()
        held = {seat: holding_index(deck[2 * seat : 2 * seat + 2]) for seat in range(4)}
        board, state, decisions = tuple(deck[8:13]), State(spec), []
        modeler = pm.OpponentModeler(learning=False)
        modeler.start(names)
        while not state.over:
            situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
            triple = modeler.expect(situation).with_holding(held[situation.seat])
            act = Act(int(rng.choice(3, p=np.array(triple) / sum(triple))))
            decisions.append(Decision("made up", str(number), len(decisions), situation, act, state.act(act, None)))
            told += _narrowings(modeler, decisions[-1:])
    assert _agrees(told, 30, 0.01) >= 8


def test_a_share_is_how_often_real_players_take_an_action(data_dir):
    """Pluribus and professionals, whose cards are all known, so that no showdown selects the hands."""
    told: list[_Told] = []
    modeler = pm.OpponentModeler()
    for hand in islice(pm.open_hands(data_dir / "phh" / "pluribus.dev.tgz"), 40):
        modeler.start(hand.players)
        told += _narrowings(modeler, (each for each in hand.replay() if not each.out_of_turn))
        modeler.learn(hand)
    assert _agrees(told, 40, 0.05) >= 4
