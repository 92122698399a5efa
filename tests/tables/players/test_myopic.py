"""The player that looks no further than the answers to its act."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import holding_index
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import tournament
from pokermodel.tables.arena.hand import deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge, Seat, make_player
from pokermodel.tables.players.best_response import LocalBestResponse
from pokermodel.tables.players.myopic import MyopicPlayer
from pokermodel.tables.players.myopic_strategy import MyopicStrategy
from pokermodel.tables.players.player import Player
from pokermodel.tables.players.typical import FrozenSession
from pokermodel.worth.answers import raise_sizes
from pokermodel.worth.worth import Verdict


def no_limit(players, stack=20):
    return GameSpec.no_limit(players, 1, 2, stacks=(2 * stack,) * players)


@pytest.mark.parametrize(
    ("others", "spec", "deals"),
    [
        ("call", no_limit(2), 40),
        pytest.param("random", no_limit(2), 250, marks=pytest.mark.slow),
        pytest.param("call,random", no_limit(3), 60, marks=pytest.mark.slow),
        ("call,random", GameSpec.pot_limit(3, 1, 2, stacks=(40,) * 3), 80),
        ("call,random", GameSpec.ring(3, 1, 2), 80),
    ],
)
def test_it_beats_simple_players(others, spec, deals):
    result = tournament(f"myopic?deals=200,{others}", deals=deals, seed=1, spec=spec)
    estimate = result.estimate("myopic?deals=200")
    assert estimate.mean > 4 * estimate.standard_error > 0


def test_the_same_seed_is_the_same_play():
    games = [tournament("myopic*3", deals=4, seed=5, spec=no_limit(3, 100)) for _ in range(2)]
    assert (games[0].payoffs == games[1].payoffs).all()
    assert (games[0].acts == games[1].acts).all()
    other = tournament("myopic*3", deals=4, seed=6, spec=no_limit(3, 100))
    assert (games[0].payoffs != other.payoffs).any()


def test_it_says_what_acts_are_worth():
    told = []
    player = make_player("myopic")
    seat = Seat(player)
    seat.begin(no_limit(3, 50), ("Ann", "Bob", "Cid"), 2, "AsAd", seed=1)
    act = player.act
    player.act = lambda view: told.append(player.values(view, also=[9])) or act(view)
    answer = seat.act()
    (values,) = told
    assert isinstance(values, Verdict)
    assert [each.act for each in values.acts[:2]] == [Act.FOLD, Act.CALL]
    assert {each.to for each in values.acts[2:]} == {4, 7, 9}
    assert values.best.act == Act.RAISE == answer.act


def test_options():
    assert make_player("myopic?deals=50").adviser.deals == 50
    with pytest.raises(ValueError, match="deals must be 2 or more"):
        make_player("myopic?deals=1")
    with pytest.raises(ValueError, match="no hand has begun"):
        make_player("myopic").values(None)


def test_it_can_be_asked_what_it_does_with_each_holding():
    """Heads-up in limit, towards a stranger."""
    spec = GameSpec.heads_up(1, 2)
    names = ("Ann", "Bob")
    seen = set()
    for number in range(8):
        deal = deal_cards(2, np.random.default_rng(number))
        hand = play_hand(spec, names, [MyopicPlayer(), make_player("typical")], deal, entropy=number)
        session = FrozenSession(MyopicPlayer().strategy("Ann", spec))
        session.start(names)
        for decision in hand.decisions:
            if decision.player == "Ann":
                triples = session.reader.expected(session.spot(decision)).triples
                assert triples[holding_index(deal.holdings[0])].argmax() == decision.act
                seen.add((decision.round, decision.act))
            session.observe(decision)
    assert len(seen) > 5
    assert MyopicPlayer().strategy("Ann", no_limit(2)) is None
    assert MyopicPlayer().strategy("Ann", GameSpec.ring(3, 1, 2)) is None


@pytest.mark.parametrize("spec", [GameSpec.heads_up(1, 2), no_limit(2, 50)])
def test_it_says_what_it_does_with_each_holding_as_it_learns(spec):
    """And does it: with its own holding, by which its values are worked out anew."""
    noted = []

    class Noted(MyopicPlayer):
        def act(self, view):
            session = self._session(self._start)
            amounts = raise_sizes(view.situation)
            acts, chosen = MyopicStrategy(view.player, session.reader).choices_of_all(session.spot(view), amounts)
            answer = super().act(view)
            noted.append((acts[chosen[holding_index(view.holding)]], (answer.act, answer.to), len(acts)))
            return answer

    players, common = [Noted(), make_player("typical")], CommonKnowledge()
    for number in range(10):
        expectations = []
        deal = deal_cards(2, np.random.default_rng([2, number]))
        hand = play_hand(spec, ("Ann", "Bob"), players, deal, entropy=number, common=common, expectations=expectations)
        for decision, expected in zip(hand.decisions, expectations, strict=True):
            assert (expected is None) == (decision.player == "Bob")
            if expected is not None:
                assert expected.triples[holding_index(deal.holdings[0]), decision.act] == 1.0
                assert decision.act != Act.RAISE or spec.structure.fixed or decision.to in expected.exact
    assert len(noted) > 20
    assert all(chosen == made for chosen, made, _ in noted)
    assert Player.expectation(players[0], None) is None


def test_a_local_best_response_says_what_it_does_with_all_of_its_sizes():
    spec, names = no_limit(2, 50), ("call", "Ann")
    players = [make_player("call"), LocalBestResponse("call", spec=spec)]
    made = set()
    for number in range(6):
        expectations = []
        deal = deal_cards(2, np.random.default_rng([3, number]))
        hand = play_hand(spec, names, players, deal, entropy=number, expectations=expectations)
        for decision, expected in zip(hand.decisions, expectations, strict=True):
            if decision.player == "Ann":
                assert expected.triples[holding_index(deal.holdings[1]), decision.act] == 1.0
                assert set(expected.exact) >= ({decision.to} - {None})
                made.add(len(expected.exact))
    assert max(made) == 3
