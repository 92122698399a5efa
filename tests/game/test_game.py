"""Game definitions, hands and their replay into decisions."""

from __future__ import annotations

import copy
import pickle
import random
from contextlib import nullcontext
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.cards import card_indices
from pokermodel.game import Act, Action, Decision, GameSpec, Hand, Situation, State
from pokermodel.game.places import placed

FOLD, CALL, RAISE = Act
LETTERS = {"f": FOLD, "c": CALL, "r": RAISE}

TWO = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
THREE = (
    TWO.replace("numPlayers = 2", "numPlayers = 3")
    .replace("10 5\n", "5 10 0\n")
    .replace("firstPlayer = 2", "firstPlayer = 3")
)


def actions(spec: GameSpec, letters: str, stacks: Any = None) -> list[Action]:
    """The actions of ``"rc/cc"``, by whose turn it is."""
    state = State(spec, stacks)
    found = []
    for letter in letters.replace("/", ""):
        found.append(Action(state.seat, LETTERS[letter]))
        state.act(LETTERS[letter])
    return found


def make(letters: str = "rrfc/rc/rrrc/rc", **changes: Any) -> Hand:
    """A hand of the ACPC 2014, or something like it."""
    spec = GameSpec.ring(3, 5, 10)
    values: dict[str, Any] = {
        "source": "test",
        "id": "2",
        "spec": spec,
        "players": ("Ann", "Bob", "Cid"),
        "actions": actions(spec, letters),
        "board": "2sQh7s8c3c",
        "holdings": {0: "KhQs", 1: "4hAs", 2: "JhQc"},
    }
    return Hand(**values | changes)


# game definitions


def test_ring_and_heads_up() -> None:
    assert GameSpec.ring(4, 1, 2) == GameSpec((1, 2, 0, 0), (2, 2, 4, 4), (2, 0, 0, 0), (3, 4, 4, 4))
    assert GameSpec.ring(2, 1, 2) == GameSpec.heads_up(1, 2) == GameSpec((1, 2), (2, 2, 4, 4), (0, 1, 1, 1))
    assert GameSpec.heads_up(1, 2, button=1) == GameSpec((2, 1), (2, 2, 4, 4), (1, 0, 0, 0))
    assert GameSpec.ring(23, 5, 10).players == 23
    assert GameSpec.ring(3, 5, 10).small_bet == 10


def test_spec_makes_tuples_and_is_frozen() -> None:
    spec = GameSpec([5, 10, 0], [10, 10, 20, 20], [2, 0, 0, 0], antes=[0, 0, 0])  # type: ignore[arg-type]
    assert spec == GameSpec.ring(3, 5, 10)
    assert hash(spec) == hash(GameSpec.ring(3, 5, 10))
    with pytest.raises(FrozenInstanceError):
        spec.antes = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"blinds": (5,)}, "2 to 23 players, got 1"),
        ({"blinds": (5,) * 24}, "2 to 23 players, got 24"),
        ({"blinds": (5, -10, 0)}, "blinds must be 0 to"),
        ({"blinds": (5, 0.5, 0)}, "blinds must be whole numbers"),
        ({"blinds": 5}, "blinds must be whole numbers"),
        ({"blinds": (5, 10**16, 0)}, "blinds must be 0 to"),
        ({"bets": (10, 10, 20)}, "bets must have 4 entries, got 3"),
        ({"bets": (10, 10, 20, 0)}, "bets must be 1 to"),
        ({"first": (3, 0, 0, 0)}, "first must be 0 to 2, got 3"),
        ({"max_raises": (-1, 4, 4, 4)}, "max_raises must be 0 to"),
        ({"antes": (1, 1)}, "one entry for each of 3 players"),
        ({"odd_chips": "mine"}, "odd_chips must be one of split, first"),
        ({"reopening": "often"}, "reopening must be one of any, half, whole, full, minimum"),
        ({"structure": "spread"}, "structure must be one of limit, pot limit, no limit, got 'spread'"),
        ({"structure": None}, "structure must be one of"),
        ({"structure": "no limit"}, "reopening must be minimum, full or any in no limit, got 'half'"),
        ({"min_raise": "half"}, "min_raise must be one of last, cumulative"),
        ({"stacks": (100, 100)}, "stacks must have one entry for each of 3 players, got 2"),
        ({"stacks": (100, 100, 0)}, "stacks must be 1 to"),
        ({"cap_heads_up": 1}, "cap_heads_up must be True or False"),
    ],
)
def test_bad_spec(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        replace(GameSpec.ring(3, 5, 10), **changes)


@pytest.mark.parametrize(("players", "button"), [(1, 0), (0, 0), (-3, 0), (24, 0), (2, 2)])
def test_bad_number_of_players(players: int, button: int) -> None:
    with pytest.raises(ValueError, match=r"players|button"):
        GameSpec.heads_up(5, 10, button) if button else GameSpec.ring(players, 5, 10)


@pytest.mark.parametrize("text", [TWO, THREE])
def test_acpc_definition(text: str) -> None:
    spec = GameSpec.from_acpc(text)
    assert spec.to_acpc() == text
    assert spec.bets == (10, 10, 20, 20)
    usual = GameSpec.heads_up(5, 10, button=1) if spec.players == 2 else GameSpec.ring(3, 5, 10)
    assert spec == replace(usual, reopening="any")
    assert GameSpec.from_acpc("# a comment\n\n" + text.replace("numPlayers", "NUMPLAYERS")) == spec


def test_acpc_definition_files(data_dir: Path) -> None:
    files = sorted((data_dir / "acpc-random").glob("*.game"))
    assert len(files) == 4
    for file in files:
        text = file.read_text()
        spec = GameSpec.from_acpc(text)
        assert spec.to_acpc() == text
        assert spec.structure == ("no limit" if "nolimit" in file.name else "limit")


def test_acpc_defaults() -> None:
    text = "\n".join(line for line in THREE.splitlines() if not line.startswith(("first", "max")))
    spec = GameSpec.from_acpc(text.replace("5 10 0", "5 10"))
    assert spec.first == (0, 0, 0, 0)
    assert spec.max_raises == (255,) * 4
    assert spec.blinds == (5, 10, 0)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("limit\n", "nolimit\n", "raiseSize has no meaning in no limit"),
        ("limit\n", "potlimit\n", "expected the lines GAMEDEF, limit or nolimit, END GAMEDEF"),
        ("limit\n", "", "expected the lines"),
        ("END GAMEDEF", "", "expected the lines"),
        ("GAMEDEF\nlimit", "hello\nlimit", "expected the lines"),
        ("numHoleCards = 2", "numHoleCards = 4", "numHoleCards must be 2 for hold'em"),
        ("numRounds = 4", "numRounds = 1", "numRounds"),
        ("numPlayers = 2", "numPlayers = two", "whole numbers"),
        ("numPlayers = 2", "numPlayers = 99999", "2 to 23"),
        ("numPlayers = 2\n", "", "numPlayers"),
        ("raiseSize = 10 10 20 20\n", "", "raiseSize is missing"),
        ("raiseSize = 10 10 20 20", "raiseSize = 10", "4 entries"),
        ("firstPlayer = 2", "firstPlayer = 0", "first must be"),
        ("blind = 10 5", "blind = 10 5 5", "blind has 3 entries"),
        ("blind = 10 5", "stack = 100", "stacks must have one entry"),
        ("blind = 10 5", "stack = 100 0", "stacks must be 1 to"),
        ("blind = 10 5", "colour = 3", "unknown parameter 'colour'"),
    ],
)
def test_bad_acpc_definition(old: str, new: str, what: str) -> None:
    assert old in TWO
    with pytest.raises(ValueError, match=what):
        GameSpec.from_acpc(TWO.replace(old, new, 1))


@given(st.text() | st.lists(st.sampled_from(TWO.splitlines())).map("\n".join))
def test_acpc_definition_of_anything(text: str) -> None:
    try:
        spec = GameSpec.from_acpc(text)
    except ValueError:
        return
    assert GameSpec.from_acpc(spec.to_acpc()) == spec


def test_what_acpc_cannot_say() -> None:
    for change in {"antes": (1, 1, 1)}, {"cap_heads_up": False}:
        with pytest.raises(ValueError, match="ACPC game definition cannot"):
            replace(GameSpec.ring(3, 5, 10), **change).to_acpc()
    for spec in GameSpec.pot_limit(3, 5, 10), replace(GameSpec.no_limit(3, 5, 10), bets=(10, 10, 20, 20)):
        with pytest.raises(ValueError, match="ACPC game definition cannot"):
            spec.to_acpc()


def test_acpc_definition_of_no_limit() -> None:
    text = TWO.replace("limit\n", "nolimit\n").replace("raiseSize = 10 10 20 20\n", "")
    spec = GameSpec.from_acpc(text)
    usual = GameSpec.no_limit(2, 5, 10, button=1)
    assert spec == replace(usual, max_raises=(3, 4, 4, 4), reopening="any", min_raise="cumulative")
    assert spec.to_acpc() == text
    with_stacks = text.replace("blind", "stack = 1000 500\nblind").replace("maxRaises = 3 4 4 4\n", "")
    spec = GameSpec.from_acpc(with_stacks)
    assert spec.stacks == (1000, 500)
    assert spec.max_raises == (255,) * 4
    assert spec.to_acpc() == with_stacks
    assert "maxRaises" not in usual.to_acpc()
    assert GameSpec.from_acpc(text.replace("blind = 10 5\n", "")).bets == (1, 1, 1, 1)


# hands


def test_hand() -> None:
    hand = make(stated_payoffs=[130, -10, -120], unit=2, currency="USD", mucked=[])
    assert hand.payoffs == (130, -10, -120)
    assert hand.shown == (0, 2)
    assert hand.board == card_indices("2sQh7s8c3c")
    assert hand.holdings[0] == card_indices("KhQs")
    assert hand.stated_payoffs == (130, -10, -120)
    assert repr(hand) == "<Hand 2 of test: 3 players, 12 actions, 2sQh7s8c3c>"


def test_whose_history_it_is() -> None:
    hand = make(hero="Bob")
    assert hand.hero == "Bob"
    assert make().hero is None
    assert hand != make()
    assert hand == make(hero="Bob") == pickle.loads(pickle.dumps(hand))
    assert hand.public().hero is None  # as everybody saw it
    assert hand.public() == make().public()
    with pytest.raises(ValueError, match="hand 2: the hero must be one of the players, got 'Zoe'"):
        make(hero="Zoe")


def test_hand_is_a_value() -> None:
    hand = make()
    assert hand == make(board=list(card_indices("2sQh7s8c3c")), players=["Ann", "Bob", "Cid"])
    assert hash(hand) == hash(make())
    assert hand != make(id="3")
    assert hand != "hand"
    assert hand.payoffs  # what has been computed does not matter
    assert pickle.loads(pickle.dumps(hand)) == hand
    with pytest.raises(AttributeError, match="cannot be changed"):
        hand.id = "4"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del hand.board
    with pytest.raises(TypeError):
        hand.holdings[1] = (0, 1)  # type: ignore[index]


def test_fold_ends_a_hand_without_cards() -> None:
    hand = make("ff", board=(), holdings={})
    assert hand.payoffs == (-5, 5, 0)
    assert hand.shown == ()


def test_mucked_hands_lose() -> None:
    hand = make(holdings={0: "KhQs"}, mucked=[2])
    assert hand.payoffs == (130, -10, -120)
    assert make(holdings={}, mucked=[0]).payoffs == (-120, -10, 130)
    assert make(holdings={2: "JhQc", 0: "KhQs"}, mucked=[0]).payoffs == (-120, -10, 130)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"players": ("Ann", "Bob")}, "3 seats need as many players, got 2"),
        ({"players": ("Ann", "Bob", "Ann")}, "different names"),
        ({"players": ("Ann", "Bob", "")}, "different names"),
        ({"stacks": (1, 2)}, "as many stacks, got 2"),
        ({"stated_payoffs": (1, 2)}, "as many payoffs, got 2"),
        ({"holdings": {3: "AsKs"}}, "no seat 3"),
        ({"mucked": [-1]}, "no seat -1"),
        ({"board": "2s"}, "a board has 0, 3, 4 or 5 cards, got 1"),
        ({"board": (0, 1, 2, 3, 4, 5)}, "got 6"),
        ({"board": "2s2s3c"}, "duplicate card 2s"),
        ({"board": "KhQd7s8c3c"}, "duplicate card Kh"),
        ({"board": (0, 1, 52)}, "out of range"),
        ({"board": ("2s", "Qh", "xx")}, "not a card"),
        ({"holdings": {0: "KhQs", 1: "KhAs"}}, "duplicate card Kh"),
        ({"holdings": {0: "KhQs4h"}}, "seat 0 must hold two cards, got 3"),
        ({"holdings": {0: "Kh"}}, "seat 0 must hold two cards, got 1"),
        ({"actions": [(9,)]}, "not an action"),
        ({"actions": [(0, 7)]}, "not an action"),
        ({"actions": [None]}, "not an action"),
    ],
)
def test_bad_hand(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=f"hand 2: .*{what}"):
        make(**changes)


def test_tuples_of_text_are_cards_too() -> None:
    assert make(board=("2s", "Qh", "7s", "8c", "3c"), holdings={0: ("Kh", "Qs"), 2: ("Jh", "Qc")}).payoffs[0] == 130


# replay


def test_replay() -> None:
    hand = make()
    names = ["raise", "raise", "fold", "call", "bet", "call", "bet", "raise", "raise", "call", "bet", "call"]
    decisions = list(hand.replay())
    assert [decision.name for decision in decisions] == names
    spec = hand.spec
    assert decisions[0] == Decision(
        source="test",
        hand_id="2",
        index=0,
        situation=Situation(
            spec=spec,
            players=("Ann", "Bob", "Cid"),
            seat=2,
            player="Cid",
            board=(),
            round=0,
            pot=15,
            to_call=10,
            bet_size=10,
            bets_to_call=1,
            num_bets=1,
            bets_put_in=0,
            active=(0, 1, 2),
            position=0,
            committed=(5, 10, 0),
            in_round=0,
            all_in=(),
            legal=(FOLD, CALL, RAISE),
            raise_range=(20, 20),
        ),
        act=RAISE,
        put_in=20,
    )
    assert decisions[8] == Decision(
        source="test",
        hand_id="2",
        index=8,
        situation=Situation(
            spec=spec,
            players=("Ann", "Bob", "Cid"),
            seat=0,
            player="Ann",
            board=card_indices("2sQh7s8c"),
            round=2,
            pot=150,
            to_call=20,
            bet_size=20,
            bets_to_call=1,
            num_bets=2,
            bets_put_in=1,
            active=(0, 2),
            position=1,
            committed=(60, 10, 80),
            in_round=20,
            all_in=(),
            legal=(FOLD, CALL, RAISE),
            raise_range=(60, 60),
        ),
        act=RAISE,
        put_in=40,
    )


def test_half_bets_are_rounded_up() -> None:
    small_blind = list(make("rrrcc", board=(), holdings={}).replay())
    first, again = small_blind[1], small_blind[4]
    assert (first.to_call, first.bets_to_call, first.bets_put_in) == (15, 2, 0)
    assert (again.to_call, again.bets_to_call, again.bets_put_in) == (10, 1, 3)  # 25 chips of their own will
    limp = list(make("cc", board=(), holdings={}).replay())[1]
    assert (limp.to_call, limp.bets_to_call) == (5, 1)


def test_out_of_turn() -> None:
    spec = GameSpec.ring(4, 5, 10)
    hand = Hand(
        "test",
        "1",
        spec,
        "abcd",
        [Action(2, RAISE), Action(0, FOLD, out_of_turn=True), Action(3, FOLD), Action(2, FOLD, out_of_turn=True)],
    )
    decisions = list(hand.replay())
    assert [(d.seat, d.legal, d.to_call, d.out_of_turn) for d in decisions] == [
        (2, (FOLD, CALL, RAISE), 10, False),
        (0, (FOLD,), 15, True),
        (3, (FOLD, CALL, RAISE), 20, False),
        (2, (FOLD,), 0, True),
    ]
    assert hand.payoffs == (-5, 25, -20, 0)


def test_fold_when_checking_is_free() -> None:
    hand = make("ccc/f", board="2sQh7s")
    last = list(hand.replay())[-1]
    assert last.name == "fold"
    assert last.legal == (CALL, RAISE)


def test_what_is_rare_in_an_action_is_named():
    """A third number would have been taken for a player who left."""
    with pytest.raises(TypeError):
        Action(2, RAISE, 30)
    action = Action(2, RAISE, to=30)
    assert action == (2, RAISE, False, 30)
    for again in (pickle.loads(pickle.dumps(action)), copy.deepcopy(action), action._replace(to=30)):
        assert again == action
        assert type(again) is Action
    assert make(actions=[(2, RAISE)]).actions == (Action(2, RAISE),)


def change(index: int, *action: Any) -> list[Action]:
    found = list(make().actions)
    found[index] = action
    return found


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"actions": change(0, 1, RAISE)}, "action 0: seat 1 acts, but it is the turn of seat 2"),
        ({"actions": change(4, 2, CALL)}, "action 4: seat 2 acts, but it is the turn of seat 0"),
        ({"actions": change(2, 1, CALL, True)}, "action 2: seat 1 can only fold out of turn"),
        ({"actions": change(2, 1, FOLD, True)}, "action 2: it is the turn of seat 1"),
        ({"actions": [*make().actions, Action(0, CALL)]}, "action 12: the hand is over"),
        ({"actions": [*make().actions, Action(0, FOLD, out_of_turn=True)]}, "action 12: the hand is over"),
        ({"actions": change(5, 1, FOLD, True)}, "action 5: seat 1 has folded before"),
        ({"actions": change(0, 77, FOLD, True)}, "action 0: the seat must be 0 to 2, got 77"),
        ({"board": ()}, "action 4: 0 cards on the board on the flop, expected 3"),
        ({"board": "2sQh7s"}, "action 6: 3 cards on the board on the turn, expected 4"),
        ({"stacks": (100, 0, 100)}, "the stack of seat 1 must be 1 to"),
    ],
)
def test_replay_stops_at_what_is_not_allowed(changes: dict[str, Any], what: str) -> None:
    hand = make(**changes)
    with pytest.raises(ValueError, match=f"hand 2.*{what}"):
        list(hand.replay())
    with pytest.raises(ValueError, match=what):
        _ = hand.payoffs


def stepwise(hand: Hand) -> tuple[list[Decision], str]:
    """A replay by one call of the rules after the other, and what stops it."""
    state = State(hand.spec, hand.stacks)
    found = []
    for index, (seat, act, out_of_turn, to) in enumerate(hand.actions):
        try:
            if not out_of_turn and seat != state.seat:
                raise ValueError("turn")
            if out_of_turn and (seat == state.seat or act != FOLD or to is not None):
                raise ValueError("turn")
            situation = Situation.of(state, hand.players, hand.board, seat if out_of_turn else None)
            put_in = 0
            if out_of_turn:
                state.leave(seat)
            else:
                put_in = state.act(act, to)
        except ValueError as error:
            return found, str(error)
        found.append(Decision(hand.source, hand.id, index, situation, act, put_in, out_of_turn))
    return found, ""


@given(st.data(), st.booleans(), st.integers(2, 6))
def test_replay_is_one_act_after_the_other(data: st.DataObject, limit: bool, players: int) -> None:
    stacks = data.draw(st.none() | st.lists(st.none() | st.integers(1, 300), min_size=players, max_size=players))
    spec = GameSpec.ring(players, 5, 10) if limit else GameSpec.no_limit(players, 5, 10)
    sizes = st.none() | st.integers(-5, 400)
    seats = st.integers(-1, players)
    state = State(spec, stacks)
    done: list[Action] = []
    for _ in range(data.draw(st.integers(0, 12))):
        likely = state.seat >= 0 and data.draw(st.integers(0, 9)) > 0
        act = data.draw(st.sampled_from(state.legal() if likely else tuple(Act)))
        span = state.raise_range() if likely else None
        if likely:
            to = span[0] if act == RAISE and span and not limit else None
            done.append(Action(state.seat, act, to=to))
            state.act(act, to)
        else:
            done.append(Action(data.draw(seats), act, out_of_turn=data.draw(st.booleans()), to=data.draw(sizes)))
            if state.seat >= 0 and done[-1].out_of_turn and done[-1].seat in set(state.active) - set(state.all_in):
                state.leave(done[-1].seat)
    board = data.draw(st.sampled_from(["", "2sQh7s", "2sQh7s8c", "2sQh7s8c3c"]))
    names = [f"p{seat}" for seat in range(players)]
    hand = Hand("test", "1", spec, names, done, board, stacks=stacks)
    expected, wrong = stepwise(hand)
    decisions = []
    with pytest.raises(ValueError, match=rf"action {len(expected)}: ") if wrong else nullcontext():
        for decision in hand.replay():
            decisions.append(decision)  # those before an error
    assert repr(decisions) == repr(expected)
    assert {type(decision) for decision in decisions} <= {Decision}
    assert {type(decision.situation) for decision in decisions} <= {Situation}
    assert [*map(hash, decisions)] == [*map(hash, expected)]


def test_cap_in_replay() -> None:
    spec = GameSpec.ring(3, 5, 10)
    loose = replace(spec, max_raises=(9, 9, 9, 9))
    hand = make(actions=actions(loose, "rrrrf"), board=())
    with pytest.raises(ValueError, match="action 3: seat 2 cannot raise: expected fold or call"):
        list(hand.replay())


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"actions": make().actions[:-1]}, "not over: seat 2 is to act"),
        ({"holdings": {0: "KhQs"}}, "the cards of seat 2 are not known"),
        ({"holdings": {}}, "the cards of seat 0 are not known"),
    ],
)
def test_payoffs_need_a_finished_hand_and_cards(changes: dict[str, Any], what: str) -> None:
    hand = make(**changes)
    assert list(hand.replay())
    with pytest.raises(ValueError, match=f"hand 2: .*{what}"):
        _ = hand.payoffs


def test_all_in_before_the_river_needs_the_whole_board() -> None:
    spec = GameSpec.ring(3, 5, 10)
    stacks = (20, 20, 500)
    letters = "rcc"
    hand = make(actions=actions(spec, letters, stacks), stacks=stacks)
    assert list(hand.replay())[-1].all_in == (0,)
    assert hand.payoffs == (40, -20, -20)
    short = make(actions=actions(spec, letters, stacks), stacks=stacks, board=())
    with pytest.raises(ValueError, match="a showdown with 0 cards on the board, expected 5"):
        _ = short.payoffs


def walk(decisions: list[Decision], spec: GameSpec) -> None:
    """Recompute the context of every decision from the acts and chips before it."""
    committed = list(spec.blinds)
    folded: set[int] = set()
    betting_round = num_bets = 0
    voluntary = [0] * spec.players
    for decision in decisions:
        seat = decision.seat
        if decision.round != betting_round:
            betting_round, num_bets = decision.round, 0
            voluntary = [0] * spec.players
        bet = spec.bets[betting_round]
        assert decision.bet_size == bet
        assert decision.committed == tuple(committed)
        assert decision.pot == sum(committed)
        assert decision.to_call == max(committed) - committed[seat]
        assert decision.bets_to_call == -(-decision.to_call // bet)
        assert decision.num_bets == num_bets + (betting_round == 0)
        assert decision.bets_put_in == -(-voluntary[seat] // bet)
        assert decision.active == tuple(s for s in range(spec.players) if s not in folded)
        order = [(spec.first[1] + k) % spec.players for k in range(spec.players)]
        later = order[order.index(seat) + 1 :]
        assert decision.position == sum(s not in folded for s in later)
        expected = {CALL} | ({FOLD} if decision.to_call else set())
        if num_bets < spec.max_raises[betting_round]:
            expected.add(RAISE)
        assert set(decision.legal) == expected
        to_call = decision.to_call
        chips = {FOLD: 0, CALL: to_call, RAISE: to_call + bet}[decision.act]
        assert decision.put_in == chips
        committed[seat] += chips
        voluntary[seat] += chips
        num_bets += decision.act == RAISE
        if decision.act == FOLD:
            folded.add(seat)


@pytest.mark.parametrize("players", [2, 3, 6, 10, 23])
def test_decisions_against_the_textbook(players: int) -> None:
    rng = random.Random(players)
    for spec in (GameSpec.ring(players, 5, 10), *([GameSpec.heads_up(5, 10, 1)] if players == 2 else [])):
        for _ in range(50):
            state = State(spec)
            acts = []
            while not state.over:
                act = rng.choice([*state.legal(), CALL])
                acts.append(Action(state.seat, act))
                state.act(act)
            cards = rng.sample(range(52), 2 * players + 5)
            holdings = {seat: tuple(cards[5 + 2 * seat : 7 + 2 * seat]) for seat in range(players)}
            hand = Hand("test", "1", spec, [f"p{k}" for k in range(players)], acts, cards[:5], holdings)
            walk(list(hand.replay()), spec)
            assert sum(hand.payoffs) == pytest.approx(0)


def test_games_too_large_for_whole_chips():
    with pytest.raises(ValueError, match="a seat could put in more than 9,007,199,254,740,992 chips"):
        GameSpec((0, 0), (10**15,) * 4, (0,) * 4, max_raises=(10**6,) * 4)
    assert GameSpec((10**6, 10**6), (10**6,) * 4, (0,) * 4, max_raises=(10**6,) * 4).players == 2


@pytest.mark.parametrize("where", [{"holdings": {0.5: "AsAh"}}, {"mucked": [0.5]}, {"holdings": {"a": "AsAh"}}])
def test_seats_that_are_none(where):
    with pytest.raises(ValueError, match="there is no seat"):
        Hand("s", "i", GameSpec.ring(3, 1, 2), "abc", [], **where)


def test_a_game_says_where_it_is_played_and_what_for() -> None:
    """In money: what a chip is worth is not part of it. No rule goes by it, and equal games stay equal."""
    cents = GameSpec.ring(6, 400, 800)
    coarse = GameSpec.ring(6, 8, 16)
    told = [placed(cents, "bovada", Fraction(1, 100), "USD"), placed(coarse, "bovada", Fraction(1, 2), "USD")]
    assert {(each.site, each.stake) for each in told} == {("bovada", "8/16 USD")}
    assert told[0] == cents
    assert hash(told[0]) == hash(cents)
    assert placed(cents, "bovada").stake == placed(coarse, "bovada").stake == "chips"
    assert (placed(coarse, "irc/199504").site, placed(coarse, "irc/199504").stake) == ("irc", "16/32")
    assert (placed(coarse, "phh", 1, "EUR").site, placed(coarse, "phh", 1, "EUR").stake) == ("", "16/32 EUR")


def test_where_a_hand_was_played_is_worked_out_once_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = GameSpec.heads_up(1, 2)
    first = placed(spec, "bovada", Fraction(1, 2), "USD")
    assert placed(first, "bovada", Fraction(1, 2), "USD") == first
    assert (placed(first, "pacific", Fraction(1, 2), "USD").site, first.site) == ("pacific", "bovada")
    again = placed(spec, "bovada", Fraction(1, 2), "USD")
    monkeypatch.setattr("pokermodel.game.places._placed", None)
    assert placed(spec, "bovada", Fraction(2, 4), "USD") is again


def test_a_hand_that_was_read_replays_in_the_game_that_says_where_it_was_played() -> None:
    hand = pm.example_hand()
    end = hand._final()
    assert end.spec is hand.spec
    assert {id(decision.situation.spec) for decision in hand.replay()} == {id(hand.spec)}


def test_decisions_are_of_the_game_where_the_hand_was_played() -> None:
    hand = pm.example_hand()
    assert all(decision.spec is hand.spec for decision in hand.replay())
    elsewhere = Hand("bovada", "1", hand.spec, hand.players, hand.actions, hand.board, currency="USD")
    assert elsewhere.spec == hand.spec
    assert {decision.spec.site for decision in elsewhere.replay()} == {"bovada"}
    state = State(hand.spec)
    assert state.begun(elsewhere.spec).spec is elsewhere.spec
    with pytest.raises(ValueError, match="a hand begins with the game that it was played in: got another one"):
        state.begun(GameSpec.ring(hand.spec.players, 7, 14))


def test_acts_on_another_board():
    """Up to an act, a hand could have had other cards; those that players hold cannot come."""
    acts = [Action(0, RAISE, to=20), Action(1, CALL), Action(1, CALL), Action(0, RAISE, to=20), Action(1, FOLD)]
    hand = Hand("", "1", GameSpec.no_limit(2, 5, 10, stacks=(500, 500)), ("Ann", "Bo"), acts, "Qs7h2h", {0: "AsKs"})
    other = hand.on_board("Qd7d2d", 4)
    assert (other.board, other.actions, other.holdings) == (card_indices("Qd7d2d"), hand.actions[:4], hand.holdings)
    before, after = list(hand.replay())[3], list(other.replay())[3]
    assert (before.pot, before.act, before.put_in) == (after.pot, after.act, after.put_in)
    assert hand.on_board("Qs7h2h", 5) == hand
    with pytest.raises(ValueError, match="As"):
        hand.on_board("AsKd2h", 4)
