"""Features of situations, against a walk through all earlier acts; grids, against NumPy's way to number cells."""

from __future__ import annotations

import copy
import random
import re
from bisect import bisect
from itertools import islice
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core.features import Bin, hand_acts
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.reading import BettingHistory, Features, OpponentModeler
from pokermodel.reading.features import (
    RICH,
    TWELVE,
    WITH_INVESTED,
    WITH_POSITION,
    WITH_PREVIOUS,
    WITH_RAISES,
    Feature,
    Grid,
    Replay,
)
from tests.common.betting_history import TextbookHistory
from tests.common.copies import WAYS, content
from tests.common.random_hands import wild_hand
from tests.common.situations import situation

SPEC = GameSpec.ring(5, 5, 10)
BOARD = "3h4cJh2s9d"


@st.composite
def hands(draw):
    """Hands of random acts, in which players leave out of turn now and then."""
    state, actions = State(SPEC), []
    while not state.over:
        others = [seat for seat in state.active if seat != state.seat]
        if len(others) > 1 and draw(st.integers(0, 9)) == 0:
            seat = draw(st.sampled_from(others))
            actions.append(Action(seat, Act.FOLD, out_of_turn=True))
            state.leave(seat)
            continue
        # folds seldom, or few hands get far; a fold that the rules do not offer, too
        act = draw(st.sampled_from([*(act for act in state.legal() if act), Act.CALL, Act.CALL, Act.FOLD]))
        actions.append(Action(state.seat, act))
        state.act(act)
    return Hand("t", "1", SPEC, "abcde", actions, BOARD)


def by_hand(decisions):
    """The features of the last decision, from all before it."""
    situation = decisions[-1].situation
    earlier = [(each.seat, each.round, each.act, each.bets_to_call) for each in decisions[:-1] if not each.out_of_turn]
    own = [(act, bets) for seat, _, act, bets in earlier if seat == situation.seat]
    own_raises = [round for seat, round, act, _ in earlier if seat == situation.seat and act == Act.RAISE]
    callers = [
        each.seat
        for each in decisions[:-1]
        if each.round == situation.round and each.act == Act.CALL and each.situation.to_call > 0
    ]
    raisers = [(round, seat) for seat, round, act, _ in earlier if act == Act.RAISE]

    here = [seat for round, seat in raisers if round == situation.round]
    last = len(situation.players) - 1

    def who(seats):
        return (1 if seats[-1] == situation.seat else 2) if seats else 0

    return Features(
        round=situation.round,
        bets=min(situation.bets_to_call, 2),
        previous=0 if not own else 2 if own[-1][0] == Act.RAISE else 1,
        faced=int(bool(own) and own[-1][1] > 0),
        aggressor=who([seat for round, seat in raisers if round == situation.round - 1]),
        leader=who([seat for round, seat in raisers if round < situation.round]),
        players=len(situation.active),
        num_bets=situation.num_bets,
        odds=situation.to_call / (situation.pot + situation.to_call),
        pot=situation.pot / situation.bet_size,
        position=situation.position,
        acted=sum(round == situation.round for _, round, _, _ in earlier),
        put_in=situation.bets_put_in,
        dealt=len(situation.players),
        callers=len(callers),
        preflop=sum(round == 0 for round, _ in raisers),
        before=sum(round == situation.round - 1 for round, _ in raisers),
        raised=len(own_raises),
        raised_preflop=own_raises.count(0),
        called=callers.count(situation.seat),
        last=who([seat for _, seat in raisers]),
        share=situation.to_call / situation.bet_size,
        all_in=len(situation.all_in),
        invested=situation.committed[situation.seat] // SPEC.bets[0],
        seat=last - situation.seat,
        raiser=next((last - seat for seat in (*here[::-1], *callers)), -1),
    )


@given(hands())
def test_features_are_those_of_all_earlier_acts(hand):
    history, session = BettingHistory(len(hand.players)), OpponentModeler("uniform")
    decisions = list(hand.replay())
    for number, decision in enumerate(decisions, 1):
        found = history.features(decision.situation)
        assert found == by_hand(decisions[:number])
        assert found == history.features(decision.situation)  # asking changes nothing
        if number > 1:
            assert session.spot(decision.situation).features == found
        history.add(decision)
        session.observe(decision)


def test_who_leaves_out_of_turn_did_nothing():
    """Neither as an act of a round nor as their own; but one player less is left."""
    actions = [(2, Act.RAISE), (4, Act.FOLD, True), (3, Act.CALL), (0, Act.FOLD), (1, Act.CALL)]
    actions += [(3, Act.FOLD, True), (1, Act.CALL), (2, Act.FOLD)]
    hand = Hand("t", "1", SPEC, "abcde", actions, "3h4cJh")
    history, found = BettingHistory(5), []
    for decision in hand.replay():
        found.append(history.features(decision.situation))
        history.add(decision)
    assert [each.players for each in found] == [5, 5, 4, 4, 3, 3, 2, 2]
    assert [each.acted for each in found] == [0, 1, 1, 2, 3, 0, 0, 1]
    assert found[5].previous == 1  # seat 3 called before the flop, and then left
    assert [each.aggressor for each in found[5:]] == [2, 2, 1]


def textbook(decisions):
    """The features of a hand's situations, bit for bit and with their types, as Python has them."""
    history, found = TextbookHistory(len(decisions[0].situation.players)), []
    for decision in decisions:
        found.append(history.features(decision.situation))
        history.add(decision)
    return content(found)


@given(st.integers(0, 2**32))
def test_the_kernel_is_the_textbook(seed):
    """In any structure, with stacks that are known or not, all-in, and with players who leave."""
    decisions = list(wild_hand(random.Random(seed)).replay())
    if decisions:
        assert content(Replay(decisions).features) == textbook(decisions)


@pytest.mark.parametrize("source", ["irc-199504/sample300", "sites-limit", "sites-nolimit", "big-game"])
def test_the_kernel_is_the_textbook_on_real_hands(source, data_dir):
    replays = (list(hand.replay()) for hand in islice(pm.open_hands(data_dir / source, strict=False), 150))
    read = [decisions for decisions in replays if decisions]
    assert len(read) > 50
    for decisions in read:
        assert content(Replay(decisions).features) == textbook(decisions)


@given(st.integers(0, 2**32), st.integers(0, 100), st.sampled_from([*WAYS, "its own"]))
def test_copies_of_a_history_go_on_by_themselves(seed, part, way):
    decisions = list(wild_hand(random.Random(seed)).replay())
    number = len(decisions) * part // 101
    history = BettingHistory(len(wild_hand(random.Random(seed)).players))
    for decision in decisions[:number]:
        history.add(decision)
    other = history.copy() if way == "its own" else WAYS[way](history)
    assert type(other) is BettingHistory
    for decision in decisions[number:]:
        other.add(decision)
    assert content(history) == content(copy.copy(history))
    for decision in decisions[number:]:
        assert history.features(decision.situation) is not None
        history.add(decision)
    assert content(history) == content(other)


LIMIT = situation(0, 3, 1, 2, 1, 1, 0)
SIZED = LIMIT._replace(spec=GameSpec.no_limit(2, 1, 2), stacks_before=(100, 200))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (LIMIT._replace(seat=2), "the seat of a situation must be 0 to 1, got 2"),
        (LIMIT._replace(seat=-1), "the seat of a situation must be 0 to 1, got -1"),
        (LIMIT._replace(round=4), "the round of a situation must be 0 to 3, got 4"),
        (LIMIT._replace(pot=-1), "pot must be 0 or more chips, got -1"),
        (LIMIT._replace(to_call=float("nan")), "chips must be 0 or more chips, got nan"),
        (LIMIT._replace(bet_size=0), "a bet must be positive, got 0"),
        (LIMIT._replace(num_bets=-3), "a number of bets must be 0 or more, got -3"),
        (SIZED._replace(active=(1,)), "seat 0 is to act, but not among the active (1,)"),
        (SIZED._replace(active=(0, 5)), "an active seat must be 0 to 1, got 5"),
        (SIZED._replace(committed=()), "a situation of 0 seats has no seat 0"),
        (tuple(LIMIT)[:19], "expected a situation, got ("),
        (3, "expected a situation, got 3"),
    ],
)
def test_situations_that_cannot_be(asked, message):
    history = BettingHistory(2)
    for _ in range(2):
        with pytest.raises(ValueError, match=re.escape(message)):
            history.features(asked)
    assert history.features(LIMIT).round == 0


@pytest.mark.parametrize("players", [-1, 24])
def test_histories_have_as_many_seats_as_games(players):
    with pytest.raises(ValueError, match=f"the number of players must be 0 to 23, got {players}"):
        BettingHistory(players)


def test_what_is_no_decision():
    decision = next(pm.example_hand().replay())
    history = BettingHistory(len(decision.players))
    with pytest.raises(ValueError, match="expected a decision, got 3"):
        history.add(3)
    with pytest.raises(ValueError, match="an act must be 0 to 2, got 3"):
        history.add(decision._replace(act=3))
    with pytest.raises(ValueError, match="expected a decision, got 3"):
        Replay([decision, 3]).features  # noqa: B018


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: (4, *state[1:]), "the round must be 0 to 3, got 4"),
        (lambda state: (0, 2, *state[2:]), "who bet or raised last must be -1 to 1, got 2"),
        (lambda state: (*state[:7], (0,), state[8]), "expected the raises of 4 rounds"),
        (lambda state: (*state[:8], ()), "acts of 2 seats"),
    ],
)
def test_states_that_cannot_be(change, message):
    history = BettingHistory(2)
    with pytest.raises(ValueError, match=re.escape(message)):
        history.__setstate__(change(history.__reduce__()[2]))


# ------------------------------------------------------------------------------------------------------------ grids

features = st.builds(
    Features,
    round=st.integers(0, 3),
    bets=st.integers(0, 2),
    previous=st.integers(0, 2),
    faced=st.integers(0, 1),
    aggressor=st.integers(0, 2),
    leader=st.integers(0, 2),
    players=st.integers(2, 23),
    num_bets=st.integers(0, 9),
    odds=st.one_of(st.just(0.0), st.floats(0.001, 0.5)),
    pot=st.floats(0.1, 100),
    position=st.integers(0, 22),
    acted=st.integers(0, 60),
    put_in=st.integers(0, 9),
)


@st.composite
def grids(draw):
    """A grid of made-up features, and the values of one of its contexts."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    values = tuple(draw(st.integers(0, size - 1)) for size in sizes)
    fields = ("round", "bets", "previous", "faced", "players")
    parts = [
        Feature(f"feature {field}", size, lambda found, field=field: getattr(found, field))
        for field, size in zip(fields, sizes, strict=False)
    ]
    return Grid(*parts), values, dict(zip(fields, values, strict=False))


@given(grids(), features)
def test_numbers_are_those_of_numpy(made, found):
    grid, values, fields = made
    expected = int(np.ravel_multi_index(values, grid.shape))
    assert grid.size == np.prod(grid.shape)
    assert grid.encode(found._replace(**fields)) == grid.number(values) == expected
    assert grid.values(expected) == tuple(map(int, np.unravel_index(expected, grid.shape))) == values


@given(grids(), st.data())
def test_contexts_that_differ_in_one_feature(made, data):
    grid, values, _ = made
    place = data.draw(st.integers(0, len(values) - 1))
    found = grid.varied(grid.number(values), grid.names[place])
    expected = [
        np.ravel_multi_index((*values[:place], value, *values[place + 1 :]), grid.shape)
        for value in range(grid.shape[place])
    ]
    assert found.tolist() == expected
    assert found.dtype == np.intp


@given(grids(), st.integers(0, 5))
def test_contexts_that_share_the_first_features_are_neighbours(made, first):
    grid, _, _ = made
    block = grid.neighbours(first)
    of = np.array(np.unravel_index(np.arange(grid.size), grid.shape))[:first].T
    groups = [of[start : start + block] for start in range(0, grid.size, block)]
    assert all((group == group[0]).all() for group in groups)
    assert len({tuple(group[0]) for group in groups}) == len(groups)
    assert {len(group) for group in groups} == {block}


def test_grids_that_are_used():
    assert (TWELVE.size, WITH_PREVIOUS.size, WITH_POSITION.size, RICH.size) == (12, 72, 108, 15_552)
    assert (WITH_RAISES.size, WITH_INVESTED.size) == (108, 36)
    assert RICH.names[:4] == WITH_PREVIOUS.names
    assert RICH.names[:2] == TWELVE.names
    assert repr(TWELVE) == "<Grid of round, bets: 12 contexts>"


@given(features)
def test_bins_of_the_rich_grid(found):
    """As the borders say, by `numpy.digitize`; the coarser grids are blocks of the finer."""
    number = RICH.encode(found)
    price = np.digitize(found.odds, [0.12, 0.2]) if found.odds else np.digitize(found.pot, [3, 6])
    assert RICH.values(number) == (
        *found[:5],
        np.digitize(found.players, [3, 5, 8]),
        found.num_bets > found.bets,
        price,
        min(found.position, 2),
    )
    assert number // RICH.neighbours(4) == WITH_PREVIOUS.encode(found)
    assert number // RICH.neighbours(2) == TWELVE.encode(found)


@given(features)
def test_the_108_divide_the_twelve(found):
    """Papp 1998, section 7.1.2: by active opponents (1, 2, 3+) and raises of the round (0, 1, 2+), nine by nine."""
    number = WITH_RAISES.encode(found)
    assert WITH_RAISES.values(number) == (*found[:2], min(found.players - 1, 3) - 1, min(found.num_bets, 2))
    assert number // WITH_RAISES.neighbours(2) == TWELVE.encode(found)
    assert WITH_RAISES.neighbours(2) == 9


def test_the_big_blind_and_the_first_bet_are_raises():
    """Before the flop nobody acts with none; after it the first to act does, and who faces the bet has one."""
    actions = [(2, Act.CALL), (3, Act.RAISE), (4, Act.FOLD), (0, Act.FOLD), (1, Act.CALL), (2, Act.CALL)]
    actions += [(1, Act.RAISE), (2, Act.CALL), (3, Act.RAISE), (1, Act.FOLD), (2, Act.CALL)]
    hand = Hand("t", "1", SPEC, "abcde", actions, "3h4cJh")
    found = [WITH_RAISES.values(WITH_RAISES.encode(each))[3] for each in Replay.of(hand, None).features]
    assert found == [1, 1, 2, 2, 2, 2, 0, 1, 1, 2, 2]


def test_what_a_player_has_put_in():
    """In whole small bets of 10, a blind of 5 being none yet: less than two, less than four, more."""
    actions = [(2, Act.CALL), (3, Act.RAISE), (4, Act.FOLD), (0, Act.CALL), (1, Act.CALL), (2, Act.CALL)]
    actions += [(0, Act.RAISE), (1, Act.RAISE), (2, Act.FOLD), (3, Act.FOLD), (0, Act.CALL), (0, Act.RAISE)]
    hand = Hand("t", "1", SPEC, "abcde", actions, "3h4cJh2s")
    features = Replay.of(hand, None).features
    assert [each.invested for each in features] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4]
    parts = [WITH_INVESTED.values(WITH_INVESTED.encode(each))[2] for each in features]
    assert parts == [0] * 6 + [1] * 5 + [2]
    assert all(WITH_INVESTED.encode(each) // 3 == TWELVE.encode(each) for each in features)


@given(features)
def test_the_position_divides_the_twelve(found):
    """By opponents and the place in the order of later rounds, nine by nine."""
    number = WITH_POSITION.encode(found)
    last = found.position == 0
    first = not last and found.position >= found.players - 1
    assert WITH_POSITION.values(number) == (*found[:2], min(found.players - 1, 3) - 1, 0 if first else 2 if last else 1)
    assert number // WITH_POSITION.neighbours(2) == TWELVE.encode(found)
    assert WITH_POSITION.neighbours(2) == 9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TWELVE.number((4, 0)), "invalid entry"),
        (lambda: TWELVE.number((0, 0, 0)), "must be a sequence of length 2"),
        (lambda: TWELVE.values(12), "out of bounds"),
        (lambda: TWELVE.values(-1), "out of bounds"),
        (lambda: TWELVE.varied(0, "weather"), "unknown feature 'weather': expected one of round, bets"),
    ],
)
def test_no_such_context(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_the_example():
    hand = pm.example_hand()
    decisions = list(hand.replay())
    history = BettingHistory(len(hand.players))
    for number, decision in enumerate(decisions, 1):
        assert history.features(decision.situation) == by_hand(decisions[:number])
        history.add(decision)


@given(hands())
def test_a_replay_has_the_features_of_each_situation(hand):
    replay = Replay.of(hand, None)
    assert replay == list(hand.replay())
    assert Replay.of(hand, replay) is replay
    assert replay.features is replay.features
    assert replay.features == Replay.of(hand, iter(list(hand.replay()))).features
    for number, (decision, features) in enumerate(zip(replay, replay.features, strict=True), 1):
        if not decision.out_of_turn:
            assert features == by_hand(replay[:number])
    assert Replay([]).features == []
    assert Replay([]).counted == ([], {})


#: The contexts of `RICH` once more, each bin as Python has it.
TEXTBOOK_RICH = Grid(
    *[Feature(name, size, attrgetter(name)) for name, size in zip(RICH.names[:5], RICH.shape, strict=False)],
    Feature("players", 4, lambda f: bisect((3, 5, 8), f.players)),
    Feature("raised", 2, lambda f: f.num_bets > f.bets),
    Feature("price", 3, lambda f: bisect((0.12, 0.2), f.odds) if f.odds else bisect((3, 6), f.pot)),
    Feature("position", 3, lambda f: min(f.position, 2)),
)


@given(features)
def test_bins_are_those_of_the_textbook(found):
    assert (RICH.names, RICH.shape) == (TEXTBOOK_RICH.names, TEXTBOOK_RICH.shape)
    assert RICH.encode(found) == TEXTBOOK_RICH.encode(found)
    round, bets, opponents, _ = WITH_POSITION.values(WITH_POSITION.encode(found))
    assert (round, bets, opponents) == (found.round, found.bets, min(max(found.players, 2), 4) - 2)


@given(st.integers(0, 2**32))
def test_what_statistics_count_by_is_what_was_done(seed):
    """In any structure, with players who leave: acts in turn as decisions have them, and everybody who folded."""
    replay = Replay.of(wild_hand(random.Random(seed)), None)
    acts, folds = replay.counted
    assert replay.counted[0] is acts
    assert acts == [
        (
            *(each.seat, each.round, each.act, each.to_call, each.num_bets, each.situation.facing),
            *(each.act == Act.RAISE or Act.RAISE in each.legal, each.put_in, TEXTBOOK_RICH.encode(features), each.pot),
        )
        for each, features in zip(replay, replay.features, strict=True)
        if not each.out_of_turn
    ]
    assert folds == {each.seat: each.round for each in replay if each.act == Act.FOLD}


def test_bins_that_there_cannot_be():
    with pytest.raises(ValueError, match="place of a feature must be 0 to 27, got 28"):
        Bin(28, (1,))
    with pytest.raises(ValueError, match="place of a feature must be -1 to 27, got -2"):
        Bin(0, (1,), less=-2)
    with pytest.raises(ValueError, match="4 edges of bins at most, got 5"):
        Bin(0, range(5))
    with pytest.raises(ValueError, match="must rise"):
        Bin(0, (1, 1))
    with pytest.raises(ValueError, match="expected the 28 features"):
        Bin(0, (1,))((0,) * 25)
    with pytest.raises(ValueError, match="16 features at most, got 17"):
        hand_acts(((2, Bin(0, (1,))),) * 17, [])
    with pytest.raises(TypeError):
        hand_acts(((2, attrgetter("round")),), [])
    with pytest.raises(ValueError, match="expected a decision"):
        Replay([3]).counted  # noqa: B018
