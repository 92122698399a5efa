"""Players: their names, what they see, and what they do."""

from __future__ import annotations

import gc
import re

import numpy as np
import pytest

from pokermodel.cards import card_indices
from pokermodel.classics.bpp.player import BppPlayer
from pokermodel.classics.loki1.opponents import SpotTables
from pokermodel.classics.loki1.player import Loki1Player
from pokermodel.classics.loki1.postflop import PostflopFeatures
from pokermodel.game import Act, Decision, GameSpec, Situation
from pokermodel.reading import OpponentModeler
from pokermodel.tables.arena import Deal, Entrant, deal_cards, play_hand, tournament
from pokermodel.tables.players import (
    CommonKnowledge,
    HandEnd,
    HandStart,
    Kind,
    Player,
    View,
    kinds,
    make_player,
    parse_players,
    register,
)
from pokermodel.tables.players.registry import _REGISTRY

TEN = GameSpec.ring(10, 1, 2)


# ------------------------------------------------------------------------------------------------------- names


def test_copies_and_options():
    assert parse_players("call,bpm*2, loki1?tightness=tight&shift=-50*2") == [
        "call", "bpm", "bpm", "loki1?tightness=tight&shift=-50", "loki1?tightness=tight&shift=-50",
    ]  # fmt: skip
    assert parse_players(["som*1", "random*2?fold=0"]) == ["som", "random?fold=0", "random?fold=0"]


def test_options_reach_the_player():
    player = make_player("loki1?tightness=moderate&shift=25&make1=.4&make2=.8&showdown_odds=0&one_opponent=1")
    assert isinstance(player, Loki1Player)
    loki = player.loki
    assert (loki.tightness, loki.shift, loki.make1, loki.make2) == ("moderate", 25.0, 0.4, 0.8)
    assert loki.one_opponent
    assert not loki.features.showdown_odds
    assert loki.features.pot_odds
    assert loki.features.semi_bluff
    assert make_player("bpl?make1=.45").loki.make1 == 0.45  # an option goes before the style
    assert make_player("simple").loki.features.make0
    assert not make_player("simple?make0=0").loki.features.make0
    assert make_player("bpm?array=caller").array == "caller"


@pytest.mark.parametrize(
    ("kind", "tightness", "make1", "make2", "shift", "one_opponent"),
    [
        ("bpt", "tight", 0.60, 0.90, 100, False),
        ("bpm", "moderate", 0.50, 0.85, 0, False),
        ("bpl", "loose", 0.40, 0.80, -100, False),
        ("bplx", "loose", 0.40, 0.80, -100, True),
    ],
)
def test_basic_players_are_those_of_papp(kind, tightness, make1, make2, shift, one_opponent):
    """Papp 1998, sections 8.3 and 8.4.1."""
    player = make_player(kind)
    loki = player.loki
    assert (loki.tightness, loki.make1, loki.make2, loki.shift) == (tightness, make1, make2, shift)
    assert loki.one_opponent == one_opponent
    assert loki.features == PostflopFeatures()
    assert (player.model, player.array) == (None, "reasonable")


def test_what_a_player_must_be():
    with pytest.raises(ValueError, match=re.escape("'call*2' is 2 players: expected one")):
        make_player("call*2")
    with pytest.raises(ValueError, match="unknown array 'ours': expected one of"):
        Loki1Player(array="ours")
    with pytest.raises(ValueError, match="unknown rule 'guess': expected one of"):
        BppPlayer(rule="guess")
    with pytest.raises(NotImplementedError, match="Player does not say how it acts"):
        Player().act(None)


@pytest.mark.parametrize(("text", "message"), [
    ("bob", "unknown player 'bob': expected one of call, raise, shove, random, myopic, ring, solver, follower"),
    ("call?tightness=tight", "unknown option 'tightness' of player call: it has none"),
    ("loki1?odds=1", "unknown option 'odds' of player loki1: its options are tightness, shift, make1"),
    ("loki1?tightness=odd", "is 'odd': expected one of tight, moderate, loose"),
    ("loki1?pot_odds=yes", "expected 0 or 1"),
    ("loki1?make1=nan", "expected a number"),
    ("loki1?make1", "has no value"),
    ("loki1?make1=.5&make1=.6", "given twice"),
    ("call*0", "0 copies"),
    ("call*24", "24 copies"),
    ("call*2?*2", "is no player"),
    ("", "is no player"),
    (5, "5 is no player"),
    (None, "None is no player"),
    ("call*2*2", "is no player"),
    ("random?fold=-1", "0 or more"),
    ("random?fold=0&call=0&raise=0", "not all 0"),
])  # fmt: skip
def test_what_is_no_player(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_players([text])


def test_what_are_no_players():
    with pytest.raises(ValueError, match="players are 5: expected their names"):
        parse_players(5)
    with pytest.raises(ValueError, match="None is no player: expected a name"):
        make_player(None)


def test_a_kind_is_registered_once(monkeypatch):
    monkeypatch.setattr(_REGISTRY, "_kinds", kinds())
    with pytest.raises(ValueError, match="the player 'call' is registered already"):
        register(Kind("call", Player))
    with pytest.raises(ValueError, match=re.escape("not a valid name: expected no space and none of , ? * & = #")):
        register(Kind("a,b", Player))
    register(Kind("folder", Folder))
    assert isinstance(make_player("folder"), Folder)
    assert "folder" in kinds()


# ------------------------------------------------------------------------------------------------------ the view


class Folder(Player):
    def act(self, view):
        return Act.FOLD if Act.FOLD in view.legal else Act.CALL


class Witness(Player):
    """Plays like the player it is given, and keeps what it is told."""

    def __init__(self, player: str = "random") -> None:
        self.player = make_player(player)
        self.starts: list[HandStart] = []
        self.views: list[View] = []
        self.seen: list[Decision] = []
        self.ends: list[HandEnd] = []

    def begin(self, start):
        self.starts.append(start)
        self.player.begin(start)

    def act(self, view):
        self.views.append(view)
        return self.player.act(view)

    def observe(self, decision):
        self.seen.append(decision)

    def end(self, end):
        self.ends.append(end)


def play(kinds, seed=1, hands=1, spec=None):
    """Hands between witnesses."""
    spec = spec or GameSpec.ring(len(kinds), 1, 2)
    players = [Witness(kind) for kind in kinds]
    names = [f"p{seat}" for seat in range(len(kinds))]
    played = [
        play_hand(spec, names, players, deal, hand_id=str(number), entropy=number)
        for number, deal in enumerate(deal_cards(len(kinds), np.random.default_rng([seed, k])) for k in range(hands))
    ]
    return players, played


def test_a_view_says_what_the_decision_says():
    players, played = play(["random"] * 6, hands=20)
    views = {(view.hand_id, view.index): view for player in players for view in player.views}
    decisions = [decision for hand in played for decision in hand.decisions]
    assert len(views) == len(decisions)
    shared = set(View._fields) & set(Decision._fields)
    assert set(Decision._fields) - shared == {"act", "out_of_turn", "put_in"}
    for decision in decisions:
        view = views[decision.hand_id, decision.index]
        for name in shared:
            assert getattr(view, name) == getattr(decision, name), name
        for name in Situation._fields:
            assert getattr(view, name) == getattr(decision, name) == getattr(decision.situation, name), name
        same_hand = [other for other in decisions if other.hand_id == view.hand_id]
        assert view.decisions == tuple(same_hand[: view.index])
        assert view.opponents == tuple(set(view.active) - {view.seat})


def test_everybody_sees_every_action_and_the_end():
    players, (hand,) = play(["call"] * 4)
    for seat, player in enumerate(players):
        assert player.seen == list(hand.decisions)
        (start,), (end,) = player.starts, player.ends
        assert (start.seat, start.player, start.holding) == (seat, f"p{seat}", hand.deal.holdings[seat])
        assert end.payoffs == hand.payoffs
        assert end.board == hand.deal.board
        assert dict(end.shown) == dict(enumerate(hand.deal.holdings))


def test_nothing_is_shown_without_a_showdown():
    players, (hand,) = play(["random?call=0&raise=0"] * 3)
    assert hand.payoffs == (-1.0, 1.0, 0.0)
    assert players[0].ends[0].shown == {}
    assert players[0].ends[0].board == ()


def reachable(roots):
    """Everything that plain data leads to."""
    seen, stack = {}, list(roots)
    while stack:
        item = stack.pop()
        if id(item) in seen or isinstance(item, (type, type(gc), type(reachable), np.ndarray)):
            continue
        seen[id(item)] = item
        stack += gc.get_referents(item)
    return seen.values()


def test_no_hidden_card_can_be_reached():
    """Not the deal, and not the holdings of the others, from anything that a seat is told before the end."""
    players, (hand,) = play(["gom", "som", "bpm", "random"], seed=5)
    for seat, player in enumerate(players):
        others = {holding for k, holding in enumerate(hand.deal.holdings) if k != seat}
        for item in reachable([*player.views, *player.seen, *player.starts]):
            assert not isinstance(item, Deal)
            assert not (type(item) is tuple and len(item) == 2 and item in others)


def test_nothing_private_is_left_in_common_knowledge():
    """Not even which holding somebody asked about."""
    common = CommonKnowledge()
    deal = deal_cards(3, np.random.default_rng(9))
    hand = play_hand(GameSpec.ring(3, 1, 2), "abc", [make_player("bpl") for _ in "abc"], deal, common=common)
    assert any(decision.round > 0 for decision in hand.decisions)
    assert {key for notes in common._notes.values() for key in notes} == {"reasonable"}


@pytest.mark.parametrize("kind", ["loki1", "bpm", "loki2:b", "bpp"])
def test_a_hand_of_the_same_name_is_another_hand(kind):
    """`play_hand` calls all hands alike unless told otherwise."""
    spec = GameSpec.ring(2, 1, 2)

    def acts(player, text):
        deal = Deal((card_indices(text), card_indices("KdTc")), card_indices("2c7d9hJsQd"))
        hand = play_hand(spec, "pq", [player, make_player("call")], deal)
        return [decision.act for decision in hand.decisions if decision.player == "p"]

    used = make_player(kind)
    assert acts(used, "AsAh")[0] == Act.RAISE
    assert acts(used, "3s2h") == acts(make_player(kind), "3s2h")


def test_a_players_state_is_their_own():
    class Tamperer(Player):
        def act(self, view):
            while not view.state.over:
                view.state.act(Act.CALL)
            return Act.CALL

    deal = deal_cards(2, np.random.default_rng(1))
    hand = play_hand(GameSpec.heads_up(1, 2), "ab", [Tamperer(), Tamperer()], deal)
    assert len(hand.decisions) == 8


def test_streams_belong_to_deal_game_and_player():
    """The same numbers whoever else sits there, others in every game."""
    seen = []
    for other in ("call", "raise"):
        witness = Witness("call")
        tournament([Entrant("w", lambda w=witness: w), other], deals=3, seed=9)
        seen.append([(start.hand_id, start.rng.random()) for start in witness.starts])
    assert seen[0] == seen[1]
    assert len({draw for _, draw in seen[0]}) == 6
    first = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(1, 0, 0, 0)))
    assert seen[0][0] == ("1-1", first.random())


# ------------------------------------------------------------------------------------------------------- Loki-1


class Hermit(Loki1Player):
    """Loki-1 with a session of its own, told of every action."""

    def begin(self, start):
        self.loki.begin()
        self._own = getattr(self, "_own", None) or OpponentModeler(self.model)
        self._own.start(start.players)

    def _tables(self, situation):
        return SpotTables(self._own.spot(situation)) if situation.round else None

    def observe(self, decision):
        self._own.observe(decision)


@pytest.mark.parametrize("model", ["gom", "som"])
def test_shared_tables_are_those_of_ones_own(model):
    """Ten players of one family share a session; one with a session of its own plays the same."""
    spec, names = TEN, [f"p{k}" for k in range(10)]
    company = [Loki1Player(model) if k < 6 else make_player("bpl") for k in range(10)]
    hermits = [Hermit(model) if k < 6 else make_player("bpl") for k in range(10)]
    common = CommonKnowledge()
    postflop = 0
    for number in range(15):
        deal = deal_cards(10, np.random.default_rng(number))
        one = play_hand(spec, names, company, deal, hand_id=str(number), common=common)
        two = play_hand(spec, names, hermits, deal, hand_id=str(number))
        assert one == two
        postflop += sum(decision.round > 0 for decision in one.decisions)
    assert postflop > 50


def test_styles_keep_their_order():
    """Looser styles play more hands: share of hands with a voluntary bet before the flop."""
    shares = []
    for kind in ("bpt", "bpm", "bpl"):
        _, played = play([kind] * 10, hands=60)
        voluntary = {
            (decision.hand_id, decision.seat)
            for hand in played
            for decision in hand.decisions
            if decision.round == 0 and decision.put_in
        }
        shares.append(len(voluntary) / 600)
    assert shares[0] < shares[1] < shares[2]


def test_one_opponent_is_bolder():
    """BPL' bets the strength against one opponent, BPL that against all: so it bets and raises more."""
    raises = []
    for kind in ("bpl", "bplx"):
        _, played = play([kind] * 10, hands=60)
        raises.append(
            sum(decision.act == Act.RAISE for hand in played for decision in hand.decisions if decision.round)
        )
    assert raises[0] < raises[1]
