"""BPP at a hold'em table."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.classics.bpp.player import BppPlayer, act_values
from pokermodel.game import Act, GameSpec, LiveHand
from pokermodel.tables.arena import tournament
from pokermodel.tables.arena.hand import Deal, deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge, Player, make_player

SPEC = GameSpec.ring(3, 1, 2)


class Scripted(Player):
    """Does what it is told, and keeps what it saw."""

    def __init__(self, *acts):
        self.acts, self.views = list(acts), []

    def act(self, view):
        self.views.append(view)
        return self.acts.pop(0) if self.acts else Act.CALL


def views(board="3h4cJh2s9d", holdings=("AdQc", "8d7d", "KsKh"), acts=((), (), ())):
    players = [Scripted(*each) for each in acts]
    cards = [pm.cards.card_indices(holding) for holding in holdings]
    deal = Deal(tuple((max(pair), min(pair)) for pair in cards), pm.cards.card_indices(board))
    play_hand(SPEC, "ABC", players, deal)
    return [player.views for player in players]


def test_what_acts_are_worth():
    # three in for 2 each; on the flop the first bets 2, the second looks: 8 in the pot, 2 to call, the third owes 2
    second = views(acts=((Act.CALL, Act.RAISE), (), ()))[1][1]
    assert (second.pot, second.to_call, second.round) == (8, 2, 1)
    # later rounds: one bet of 4 each on turn and river, by three players
    worth = act_values(second, 0.5, later=1.0)
    assert worth.passing == 0.5 * (8 + 2 + 2 + 3 * 8) - (2 + 8)
    assert worth.betting == 0.5 * (8 + 2 + 2 + 3 * 8 + 3 * 2) - (2 + 8 + 2)
    # without later bets a call is worth it by the odds, and a raise by a fair share of what it adds
    assert act_values(second, 2 / 12, later=0.0).passing == pytest.approx(0)
    third = act_values(second, 1 / 3, later=0.7)
    assert third.betting == pytest.approx(third.passing)


def test_the_probability_of_winning():
    view = views()[0][-1]
    assert view.round == 3
    session = pm.OpponentModeler("bpp", public_models=True)
    for decision in view.decisions:
        session.observe(decision)
    session.deal(view.board)
    expected = 1.0
    mine = pm.evaluate(view.board + view.holding)
    for seat in (1, 2):
        won = total = 0.0
        for index in np.flatnonzero(pm.cards.live_holdings(view.board + view.holding)).tolist():
            weight = session.weights(seat)[index]
            theirs = pm.evaluate(view.board + pm.cards.holding_cards(index))
            won += weight * (mine > theirs) + weight * (mine == theirs) / 2
            total += weight
        expected *= won / total
    assert BppPlayer.win(view, session) == pytest.approx(expected)


def play(players, hands, seed=1, common=None):
    rng = np.random.default_rng(seed)
    common = CommonKnowledge() if common is None else common
    played = []
    for number in range(hands):
        streams = [(number, seat) for seat in range(3)]
        deal = deal_cards(3, rng)
        hand_id = str(number)
        played.append(
            play_hand(SPEC, "ABC", players, deal, hand_id=hand_id, entropy=seed, streams=streams, common=common)
        )
    return played


def test_it_learns_from_game_to_game_what_an_observer_would():
    common = CommonKnowledge()
    players = [make_player("bpp"), make_player("random"), make_player("bpp")]
    hands = play(players, 25, common=common)
    session = common.session(("bpp", "em", 1.0), lambda: pytest.fail("there is one"))
    tables = BayesTables()
    for hand in hands:
        tables.learn(hand.to_hand())
    assert tables.hands == session.reader.tables.hands == 25
    assert tables.to_bytes() == session.reader.tables.to_bytes()


def test_it_finds_out_who_bets_whatever_they_have():
    """Against somebody who always raises it calls more and more."""
    player = make_player("bpp?bluffs=0")
    wins = []

    class Watched(BppPlayer):
        @staticmethod
        def win(view, session):
            found = BppPlayer.win(view, session)
            uniform = session.tables.analysis.strength(view.holding) if view.round == 3 else np.nan
            wins.append(found - uniform)
            return found

    player = Watched(bluffs=0.0)
    rng = np.random.default_rng(5)
    common, spec = CommonKnowledge(), GameSpec.ring(2, 1, 2)
    for number in range(150):
        deal = deal_cards(2, rng)
        play_hand(spec, "AB", [player, make_player("raise")], deal, hand_id=str(number), common=common)
    river = np.array(wins)[~np.isnan(wins)]
    assert len(river) > 20
    early, late = river[:8].mean(), river[-8:].mean()
    assert early < -0.02  # raises are taken for strength at first
    assert abs(late) < abs(early)


def test_the_best_act():
    player = BppPlayer(bluffs=0.0)
    nuts = views("AhKhQh2c3d", ("JhTh", "8d7d", "KsKc"))[0]
    river = nuts[-1]
    common = CommonKnowledge()
    hand = LiveHand(SPEC, river.players, source=river.source, hand_id=river.hand_id)
    hand.deal(river.board)
    common.begin(hand)
    for decision in river.decisions:
        assert hand.act(decision.act) == decision
    player._start = type("Start", (), {"common": common, "rng": np.random.default_rng(1)})
    assert player.act(river) == Act.RAISE
    nothing = river._replace(
        holding=pm.cards.card_indices("7c5s"), situation=river.situation._replace(to_call=4, bets_to_call=1)
    )
    assert player.act(nothing) == Act.FOLD
    checked = river._replace(holding=pm.cards.card_indices("7c5s"))
    assert player.act(checked) == Act.CALL
    always = BppPlayer(bluffs=1.0)
    always._start = player._start
    assert always.act(checked) == Act.RAISE
    assert always.act(checked) == Act.CALL  # once a hand
    drawn = BppPlayer(rule="randomised", bluffs=0.0)
    drawn._start = player._start
    assert {drawn.act(checked) for _ in range(60)} == {Act.CALL, Act.RAISE}
    assert {drawn.act(river) for _ in range(20)} == {Act.RAISE}


def test_tournaments_can_be_repeated():
    one, two = (tournament("bpp,bpp?rule=randomised,loki1", 6, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.to_dict()["players"], two.to_dict()["players"])


@pytest.mark.parametrize("text", ["rule=guess", "sharpness=-1", "later=9", "bluffs=2", "estimator=x", "decay=0"])
def test_wrong_options(text):
    with pytest.raises(ValueError, match=r"expected|must be|unknown"):
        make_player(f"bpp?{text}")


def test_its_own_cards_are_nobody_elses():
    """The shared tables are public; own cards are ruled out in the comparison."""
    view = views()[2][1]
    session = pm.OpponentModeler("bpp", public_models=True)
    for decision in view.decisions:
        session.observe(decision)
    assert session.weights(0)[holding_index(view.holding)] > 0
    masked = pm.OpponentModeler("bpp", hero="C")
    masked.start(view.players)
    masked.hold(view.holding)
    for decision in view.decisions:
        masked.observe(decision)
    assert masked.weights(0)[holding_index(view.holding)] == 0
    assert BppPlayer.win(view, session) == pytest.approx(BppPlayer.win(view, masked))
