"""Betting structures as values: games, hands and tables of pot limit and no limit, and who asks for limit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import card_indices
from pokermodel.classics.bpp.observed_hands import observe_hand
from pokermodel.classics.simulation import Position
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, LiveHand, Situation, State
from pokermodel.learning.identity import identity
from pokermodel.tables.arena import Deal, deal_cards, play_hand, random_hands, tournament
from pokermodel.tables.arena.hand import TableHand
from pokermodel.tables.players import Seat, make_player

FOLD, CALL, RAISE = Act
ACTIONS = [
    *(Action(0, RAISE, to=300), Action(1, RAISE, to=900), Action(0, CALL)),
    *(Action(1, CALL), Action(0, RAISE, to=1100), Action(1, CALL)),
]


def make(**changes: Any) -> Hand:
    """A hand of two with blinds of 50 and 100, all-in on the flop."""
    spec = GameSpec.no_limit(2, 50, 100, stacks=(2000, 3000))
    values: dict[str, Any] = {
        "source": "test",
        "id": "7",
        "spec": spec,
        "players": ("Ann", "Bob"),
        "actions": ACTIONS,
        "board": "2s3s4hJcTd",
        "holdings": {0: "AsAh", 1: "KsKh"},
    }
    return Hand(**values | changes)


# structures and games


def test_a_structure_is_a_value() -> None:
    assert BettingStructure("no limit") is BettingStructure.NO_LIMIT
    assert [structure.fixed for structure in BettingStructure] == [True, False, False]
    assert pickle.loads(pickle.dumps(BettingStructure.POT_LIMIT)) is BettingStructure.POT_LIMIT
    spec = replace(GameSpec.no_limit(3, 5, 10), structure="pot limit")
    assert spec == GameSpec.pot_limit(3, 5, 10)
    assert spec.structure is BettingStructure.POT_LIMIT
    assert hash(spec) != hash(GameSpec.no_limit(3, 5, 10))
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_usual_games() -> None:
    limit, free = GameSpec.ring(4, 5, 10), GameSpec.no_limit(4, 5, 10)
    assert (limit.max_raises, limit.reopening) == ((3, 4, 4, 4), "half")
    assert (free.max_raises, free.reopening, free.min_raise) == ((1_000_000,) * 4, "minimum", "last")
    assert (free.blinds, free.first, free.bets) == (limit.blinds, limit.first, (10,) * 4)
    assert free.small_bet == 10
    assert GameSpec.no_limit(2, 5, 10, button=1).first == (1, 0, 0, 0)
    assert GameSpec.no_limit(2, 5, 10, stacks=[100, 200]).stacks == (100, 200)
    with pytest.raises(ValueError, match="button must be seat 0 or 1"):
        GameSpec.no_limit(2, 5, 10, button=2)
    deep = GameSpec.no_limit(4, 1, 10**15)
    assert deep.bets == (10**15,) * 4  # what bounds the chips of a hand are the stacks


def test_stacks_of_the_game_are_those_of_its_hands() -> None:
    spec = GameSpec.no_limit(2, 50, 100, stacks=(2000, 3000))
    assert State(spec).stacks == (1950, 2900)
    assert State(spec, [500, None]).stacks == (450, None)
    assert make().stacks == (2000, 3000)
    assert make(stacks=(2500, 2500)).stacks == (2500, 2500)
    assert State(replace(GameSpec.ring(2, 5, 10), stacks=(15, 15))).raise_range() == (15, 15)


# hands


def test_replay() -> None:
    hand = make()
    decisions = list(hand.replay())
    assert [decision.name for decision in decisions] == ["raise", "raise", "call", "check", "bet", "call"]
    assert [decision.to for decision in decisions] == [300, 900, None, None, 1100, None]
    assert [decision.to_in_hand for decision in decisions] == [300, 900, None, None, 2000, None]
    assert [decision.put_in for decision in decisions] == [250, 800, 600, 0, 1100, 1100]
    assert [decision.in_round for decision in decisions] == [50, 100, 300, 0, 0, 0]
    assert [decision.round_base for decision in decisions] == [0, 0, 0, 900, 900, 900]
    assert [decision.raise_range for decision in decisions] == [
        *((200, 2000), (500, 3000), (1500, 2000)),
        *((100, 2100), (100, 1100), None),
    ]
    bet = decisions[4].situation
    assert (bet.least_raise, bet.most_raise) == (decisions[4].least_raise, decisions[4].most_raise) == (100, 1100)
    assert (decisions[5].least_raise, decisions[5].most_raise) == (None, None)
    assert hand.payoffs == (2000, -2000)
    assert hand == pickle.loads(pickle.dumps(hand)) == make(actions=[tuple(action) for action in ACTIONS])
    assert hand != make(actions=[Action(0, RAISE, to=301), *ACTIONS[1:]])


def test_round_base_without_antes() -> None:
    spec = replace(GameSpec.no_limit(3, 5, 10, stacks=(500, 500, 500)), antes=(2, 2, 2))
    state = State(spec)
    for _ in range(3):
        state.act(CALL)
    state.act(RAISE, 40)
    facing = Situation.of(state, ("Ann", "Bob", "Cid"), card_indices("2s3s4h"))
    assert (facing.round_base, facing.in_round, facing.committed) == (10, 0, (52, 12, 12))
    assert facing.raise_range == (80, 488)


@pytest.mark.parametrize(
    ("actions", "what"),
    [
        ([Action(0, RAISE)], "action 0: seat 0 cannot raise without an amount: expected 200 to 2000"),
        ([Action(0, RAISE, to=150)], "action 0: seat 0 cannot raise to 150: expected 200 to 2000"),
        ([Action(0, CALL, to=100)], "action 0: seat 0 cannot call to 100"),
        ([*ACTIONS[:4], Action(0, RAISE, to=2000)], "action 4: seat 0 cannot raise to 2000: expected 100 to 1100"),
        ([Action(1, FOLD, out_of_turn=True, to=5)], "action 0: seat 1 can only fold out of turn"),
    ],
)
def test_bad_sizes(actions: list[Action], what: str) -> None:
    with pytest.raises(ValueError, match=f"hand 7, {what}"):
        list(make(actions=actions).replay())


@pytest.mark.parametrize("action", [(0, RAISE, False, "300"), (0, RAISE, False, 300, 1)])
def test_bad_actions(action: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="is not an action, expected seat, act, and perhaps out_of_turn and to"):
        make(actions=[action])


def test_limit_may_say_what_a_raise_goes_to() -> None:
    spec = GameSpec.heads_up(5, 10)
    plain = make(spec=spec, actions=[Action(0, RAISE), Action(1, FOLD)], board="")
    said = make(spec=spec, actions=[Action(0, RAISE, to=20), Action(1, FOLD)], board="")
    assert list(plain.replay()) == list(said.replay())
    assert next(plain.replay()).to == 20
    assert plain.payoffs == said.payoffs == (10, -10)
    with pytest.raises(ValueError, match="seat 0 cannot raise to 30: expected 20"):
        list(make(spec=spec, actions=[Action(0, RAISE, to=30)], board="").replay())


def test_a_raise_that_nobody_can_call_has_a_size() -> None:
    spec = GameSpec.heads_up(5, 10, button=1)
    hand = make(spec=spec, stacks=(500, 25), actions=[(1, RAISE), (0, CALL), (0, CALL), (1, RAISE), (0, RAISE)])
    last = list(hand.replay())[-1]
    assert (last.raise_range, last.to, last.to_in_hand) == (None, 15, 35)


def test_identity_of_a_hand() -> None:
    """By which books know hands."""
    spec = GameSpec.heads_up(5, 10)
    hand = make(spec=spec, actions=[Action(0, RAISE), Action(1, FOLD)], board="", stacks=None)
    assert identity(hand).hex() == "c6db0d51755e996ff9fc0f503012a1f0"
    assert identity(make()) != identity(make(actions=[Action(0, RAISE, to=301), *ACTIONS[1:]]))


# a hand while it is played


def test_a_hand_that_is_played() -> None:
    hand, played = make(), LiveHand(make().spec, ("Ann", "Bob"), source="test", hand_id="7")
    assert played.stacks == (2000, 3000)
    played.deal(hand.board)
    for action in hand.actions:
        played.act(action.act, action.to)
    assert played.decisions == list(hand.replay())
    with pytest.raises(ValueError, match="seat 0 cannot raise to 100: expected 200 to 2000"):
        LiveHand(make().spec, ("Ann", "Bob")).act(RAISE, 100)


def test_a_hand_of_the_arena() -> None:
    spec, hand = make().spec, make()
    deal = Deal((hand.holdings[0], hand.holdings[1]), hand.board)
    whole = TableHand("test", "7", spec, ("Ann", "Bob"), deal, tuple(hand.replay()), hand.payoffs)
    assert whole.to_hand() == make(stated_payoffs=hand.payoffs)
    broken = whole._replace(decisions=whole.decisions[:5], payoffs=()).to_hand()
    assert broken.actions == (*ACTIONS[:5], Action(1, FOLD))


# who asks for limit


def first(hand: Hand) -> Any:
    return next(hand.replay())


def play(spec: GameSpec) -> Any:
    players = [make_player("call"), make_player("loki1")]
    return play_hand(spec, ["Ann", "Bob"], players, deal_cards(2, np.random.default_rng(1)))


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: pm.OpponentModeler("loki1").observe(first(make())), "the opponent modeler needs limit betting"),
        (lambda: pm.OpponentModeler("loki2").observe(first(make())), "the opponent modeler needs limit betting"),
        (lambda: pm.OpponentModeler("bpp").learn(make()), "the opponent modeler needs limit betting"),
        (lambda: observe_hand(make()), "learning what players do with which holdings needs limit betting"),
        (lambda: random_hands(1, make().spec), "random play needs limit betting"),
        (
            lambda: pm.classics.Simulator().run(Position.before(make(), 4), "AsAh", [None, None]),
            "a simulation needs limit betting",
        ),
    ],
)
def test_what_needs_limit_says_so(call: Any, what: str) -> None:
    with pytest.raises(ValueError, match=f"^{what}, got no limit: "):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tournament("call,loki1", 1, spec=make().spec),
        lambda: play(make().spec),
        lambda: Seat(make_player("loki1")).begin(make().spec, "AB", 0, "AsAh"),
        lambda: Seat(make_player("loki1")).sit(LiveHand(make().spec, ("Ann", "Bob")), 0, "AsAh", 1, (0,)),
    ],
)
def test_players_who_need_limit_say_so(call: Any) -> None:
    with pytest.raises(ValueError, match=r"^loki1 plays limit, and this game is no limit"):
        call()


@pytest.mark.parametrize("ask", ["expect", "predict"])
def test_expectations_need_limit(ask: str) -> None:
    modeler = pm.OpponentModeler("loki2")
    modeler.start(("Ann", "Bob"))
    with pytest.raises(ValueError, match="the opponent modeler needs limit betting, got no limit"):
        getattr(modeler, ask)(first(make()).situation)


def test_hands_of_other_structures_are_left_out_of_scores() -> None:
    scores = pm.score([make()], "loki1")
    assert scores.hands == 0
    (error,) = scores.skipped
    assert str(error) == "hand 7: none of loki1 can be scored: it reads limit alone, not no limit"


def test_positions_of_no_limit() -> None:
    assert Position.before(make(), 4).state.raise_range() == (100, 1100)
    decisions = list(make().replay())
    assert Position.after(decisions[:4], "2s3s4h", (2000, 3000)).state.raise_range() == (100, 1100)
