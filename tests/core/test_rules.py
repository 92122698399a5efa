"""The rules of limit hold'em: worked hands, a textbook showdown, bad input."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel import example_hand
from pokermodel._core.rules import put_attributes
from pokermodel.game import Act, BettingStructure, GameSpec, State
from tests.common.copies import WAYS, content, pickled

FOLD, CALL, RAISE = Act
LETTERS = {"f": FOLD, "c": CALL, "r": RAISE}


def play(state: State, letters: str) -> list[int]:
    """Let the seats act in turn, as in ``"crf/cc"``; return who acted."""
    seats = []
    for letter in letters.replace("/", ""):
        seats.append(state.seat)
        state.act(LETTERS[letter])
    return seats


def test_heads_up_the_button_is_first_before_the_flop_and_last_after() -> None:
    state = State(GameSpec.heads_up(5, 10))
    assert state.committed == (5, 10)
    assert play(state, "rc/cc/cc/cc") == [0, 1, 1, 0, 1, 0, 1, 0]
    assert state.showdown
    assert state.round == 3
    assert state.payoffs([1, 2]) == (-20, 20)


def test_heads_up_with_the_big_blind_listed_first() -> None:
    state = State(GameSpec.heads_up(5, 10, button=1))
    assert state.committed == (10, 5)
    assert play(state, "rc/cc/cc/cr") == [1, 0, 0, 1, 0, 1, 0, 1]
    assert play(state, "f") == [0]
    assert state.over
    assert not state.showdown
    assert state.round == 3
    assert state.payoffs() == (-20, 20)


def test_ring_order_skips_those_who_folded() -> None:
    state = State(GameSpec.ring(4, 5, 10))
    assert play(state, "cfcc/ccc/fcc/cc") == [2, 3, 0, 1, 0, 1, 2, 0, 1, 2, 1, 2]


def test_big_blind_has_the_option() -> None:
    state = State(GameSpec.ring(3, 5, 10))
    play(state, "cc")
    assert (state.seat, state.round) == (1, 0)
    assert state.legal() == (CALL, RAISE)
    assert state.act(CALL) == 0
    assert (state.seat, state.round) == (0, 1)
    raised = State(GameSpec.ring(3, 5, 10))
    assert play(raised, "ccrcc") == [2, 0, 1, 2, 0]
    assert raised.round == 1


def test_walk() -> None:
    state = State(GameSpec.ring(3, 5, 10))
    play(state, "ff")
    assert state.over
    assert state.seat == -1
    assert state.round == 0
    assert state.legal() == ()
    assert state.payoffs() == (-5, 5, 0)


def test_bet_sizes() -> None:
    state = State(GameSpec.ring(2, 1, 2))
    assert [state.act(RAISE), state.act(CALL)] == [3, 2]
    assert [state.act(RAISE), state.act(RAISE), state.act(CALL)] == [2, 4, 2]
    assert [state.act(RAISE), state.act(CALL)] == [4, 4]
    assert [state.act(CALL), state.act(RAISE), state.act(RAISE), state.act(FOLD)] == [0, 4, 8, 0]
    assert state.committed == (16, 20)
    assert state.payoffs() == (-16, 16)


def test_cap() -> None:
    state = State(GameSpec.ring(3, 5, 10))
    play(state, "rrr")
    assert state.legal() == (FOLD, CALL)
    with pytest.raises(ValueError, match="seat 2 cannot raise: expected fold or call"):
        state.act(RAISE)
    play(state, "cc/rrrr")
    assert state.round == 1
    assert state.legal() == (FOLD, CALL)


def test_cap_between_the_last_two() -> None:
    spec = GameSpec.ring(3, 5, 10)
    for lifted in False, True:
        state = State(replace(spec, cap_heads_up=not lifted))
        play(state, "rrr")
        assert state.legal() == (FOLD, CALL)
        play(state, "f")
        assert (RAISE in state.legal()) == lifted
    play(state, "r" * 20)
    assert state.legal() == (FOLD, CALL, RAISE)


def test_all_23_seats() -> None:
    state = State(GameSpec.ring(23, 5, 10), [1000] * 23)
    assert play(state, "c" * 23) == [*range(2, 23), 0, 1]
    assert play(state, "r" + "c" * 22) == [*range(23)]
    play(state, "c" * 23 + "c" * 22)
    assert state.seat == 22
    play(state, "c")
    assert state.pot == 23 * 20
    assert state.payoffs(range(23)) == (-20,) * 22 + (22 * 20,)
    assert state.payoffs([3] * 23) == (0,) * 23


# side pots and split pots


def test_three_pots() -> None:
    state = State(GameSpec.ring(4, 5, 10), [15, 30, 100, 100])
    play(state, "rccc")  # to 20, which is more than seat 0 has
    assert state.all_in == (0,)
    assert state.committed == (15, 20, 20, 20)
    assert play(state, "rcc") == [1, 2, 3]  # seat 1 bets the last 10
    assert state.all_in == (0, 1)
    assert play(state, "rc/rc") == [2, 3, 2, 3]
    assert state.committed == (15, 30, 70, 70)
    assert state.stacks == (0, 0, 30, 30)
    # 60 for all, 45 for seats 1 to 3, 80 for seats 2 and 3
    assert state.payoffs([9, 8, 7, 6]) == (45, 15, 10, -70)
    assert state.payoffs([1, 2, 3, 4]) == (-15, -30, -70, 115)
    assert state.payoffs([9, 9, 7, 7]) == (15, 45, -30, -30)
    assert state.payoffs([7, 1, 7, 7]) == (5, -30, 12.5, 12.5)
    assert state.payoffs([5, 5, 5, 5]) == (0, 0, 0, 0)


def test_uncalled_bet_comes_back() -> None:
    state = State(GameSpec.heads_up(5, 10), [100, 25])
    play(state, "rc/crc")  # seat 0 bets 10, seat 1 has 5
    assert state.committed == (30, 25)
    assert state.payoffs([2, 1]) == (25, -25)
    assert state.payoffs([1, 2]) == (-25, 25)


def test_rest_of_the_board_when_one_has_chips_left() -> None:
    state = State(GameSpec.heads_up(5, 10), [100, 20])
    play(state, "rc")
    assert state.showdown
    assert state.round == 3


def test_dead_money_of_those_who_folded_more_than_the_others_have() -> None:
    state = State(GameSpec.ring(4, 5, 10), [10, 100, 10, 100])
    play(state, "crcc/ff")  # seats 1 and 3 have 20 in and fold when they could check
    assert state.active == (0, 2)
    assert state.payoffs([2, 0, 1, 0]) == (50, -20, -10, -20)


def test_odd_chips() -> None:
    spec = GameSpec.ring(3, 5, 10)
    for odd_chips, expected in ("split", (-5, 2.5, 2.5)), ("first", (-5, 3, 2)):
        state = State(replace(spec, odd_chips=odd_chips))
        play(state, "cfc/cc/cc/cc")
        assert state.pot == 25
        assert state.payoffs([0, 4, 4]) == expected
    state = State(replace(GameSpec.ring(4, 5, 10), odd_chips="first", antes=(0, 0, 0, 3)))
    play(state, "ccfc/ccc/ccc/ccc")
    assert state.pot == 38
    assert state.payoffs([0, 4, 4, 4]) == (-5, 3, 3, -1)  # two odd chips, one each


def test_antes_are_dead_money() -> None:
    state = State(replace(GameSpec.ring(3, 5, 10), antes=(0, 3, 2)))
    assert state.pot == 20
    assert state.committed == (5, 13, 2)
    assert state.act(CALL) == 10
    play(state, "fc/cc/cc/cc")
    assert state.payoffs([0, 1, 2]) == (-5, -13, 18)
    assert state.payoffs([0, 1, 1]) == (-5, 2, 3)


def test_stack_smaller_than_the_ante() -> None:
    state = State(replace(GameSpec.ring(3, 5, 10), antes=(3, 3, 3)), [100, 100, 2])
    assert state.all_in == (2,)
    assert play(state, "cc") == [0, 1]
    play(state, "cc/cc/cc")
    assert state.payoffs([1, 2, 3]) == (-13, 7, 6)


def test_what_a_player_wins_whose_last_chips_were_the_ante() -> None:
    spec = replace(GameSpec.no_limit(4, 5, 10), antes=(10, 10, 10, 4))
    paid = {}
    for rule in "whole", "matched":
        state = State(replace(spec, short_ante=rule), [100, 100, 100, 4])
        assert play(state, "fcc/cc/cc/cc") == [2, 0, 1, 0, 1, 0, 1, 0, 1]
        paid[rule] = state.payoffs([1, 2, 0, 3])
        assert state.payoffs([3, 2, 0, 1]) == (34, -20, -10, -4)
    assert paid == {"whole": (-20, 0, -10, 30), "matched": (-20, 18, -10, 12)}


def test_antes_that_nobody_matches_come_back() -> None:
    spec = replace(GameSpec.no_limit(3, 5, 10), antes=(3, 4, 10), short_ante="matched")
    state = State(spec, [3, 4, 10])
    assert state.showdown
    assert state.payoffs([1, 2, 3]) == (-3, -4, 7)
    assert state.payoffs([3, 2, 1]) == (6, -2, -4)


# all-in for less


def test_nothing_to_decide_against_a_blind_who_is_covered() -> None:
    state = State(GameSpec.heads_up(5, 10), [100, 4])
    assert state.showdown
    assert state.payoffs([1, 2]) == (-4, 4)
    state = State(GameSpec.heads_up(5, 10), [5, 100])
    assert state.showdown
    assert state.payoffs([1, 2]) == (-5, 5)


def test_short_blind_is_called_in_full() -> None:
    spec = GameSpec.ring(4, 5, 10)
    state = State(spec, [100, 4, 100, 100])
    assert [state.act(CALL), state.act(RAISE), state.act(CALL)] == [10, 20, 15]
    state = State(replace(spec, full_blind=False), [100, 4, 100, 100])
    assert [state.act(CALL), state.act(RAISE), state.act(CALL)] == [5, 15, 10]


@pytest.fixture
def flop() -> Any:
    """A function: limit 20-40 on the flop, everybody in for 20, with these chips behind."""

    def start(reopening: str, *behind: int) -> State:
        spec = replace(GameSpec.ring(len(behind), 10, 20), reopening=reopening)
        state = State(spec, [20 + chips for chips in behind])
        play(state, "c" * len(behind))
        assert state.round == 1
        return state

    return start


@pytest.mark.parametrize(("reopening", "chips"), [("half", 35), ("whole", 40), ("full", 35), ("any", 35)])
def test_half_a_bet_is_raised_by_a_full_one(flop: Any, reopening: str, chips: int) -> None:
    # "raising a $15 all-in bet to $35", Robert's Rules of Poker
    state = flop(reopening, 15, 500, 500)
    assert [state.act(RAISE), state.act(RAISE)] == [15, chips]


@pytest.mark.parametrize(("reopening", "chips"), [("half", 20), ("whole", 20), ("full", 28), ("any", 28)])
def test_less_than_half_a_bet_is_completed(flop: Any, reopening: str, chips: int) -> None:
    state = flop(reopening, 8, 500, 500)
    assert [state.act(RAISE), state.act(RAISE)] == [8, chips]
    assert state.act(RAISE) == chips + 20
    play(state, "r")
    # completing is the first of four bets where the 8 chips do not count
    assert (RAISE in state.legal()) == (reopening in ("half", "whole"))


@pytest.mark.parametrize(
    ("reopening", "behind", "reopened"),
    [
        ("half", 8, False),
        ("half", 10, True),
        ("whole", 8, False),
        ("whole", 10, True),
        ("full", 8, True),  # the largest bet of the round so far
        ("any", 8, True),
    ],
)
def test_short_bet_after_a_check(flop: Any, reopening: str, behind: int, reopened: bool) -> None:
    state = flop(reopening, 500, behind, 500)
    play(state, "cr")
    assert state.legal() == (FOLD, CALL, RAISE)  # seat 2 has not acted
    play(state, "c")
    assert state.seat == 0
    assert (RAISE in state.legal()) == reopened


@pytest.mark.parametrize(
    ("reopening", "behind", "reopened"),
    [
        *[("half", 29, False), ("half", 30, True), ("whole", 29, False), ("whole", 30, True)],
        *[("full", 30, False), ("full", 40, True), ("any", 21, True)],
    ],
)
def test_short_raise(flop: Any, reopening: str, behind: int, reopened: bool) -> None:
    state = flop(reopening, 500, behind, 500)
    play(state, "rrc")
    assert state.seat == 0
    assert state.legal() == ((FOLD, CALL, RAISE) if reopened else (FOLD, CALL))


def test_short_raises_add_up(flop: Any) -> None:
    state = flop("half", 500, 26, 500, 32)
    play(state, "rrcr")
    assert state.act(RAISE) == 32  # 12 to call, which is half a bet, and 20 more


def test_all_in_raises_go_back_to_whole_bets(flop: Any) -> None:
    # a bet of 13 stands for 20, and so do 15; 27 are no second bet, 33 are
    for behind, stakes in ((13, 500, 15, 500), (13, 0, 15, 40)), ((13, 27, 500, 500), (13, 27, 40, 60)):
        state = flop("whole", *behind)
        done = []
        for stake in stakes:
            state.act(RAISE if stake else CALL)
            done.append(stake and state.committed[len(done)] - 20)
        assert tuple(done) == stakes
    state = flop("whole", 13, 33, 500, 500)
    play(state, "rr")
    assert state.act(RAISE) == 60
    state.act(RAISE)
    assert state.legal() == (FOLD, CALL)  # four bets, of which two were short


def test_raise_that_nobody_can_call() -> None:
    state = State(GameSpec.heads_up(5, 10, button=1), [500, 25])
    play(state, "rc/cr")  # seat 1 bets the last 5
    assert state.legal() == (FOLD, CALL)
    assert state.act(RAISE) == 15  # people do it
    assert state.payoffs([2, 1]) == (25, -25)


# leaving


def test_leave_out_of_turn() -> None:
    state = State(GameSpec.ring(4, 5, 10))
    state.leave(0)
    assert state.seat == 2
    assert state.situation(1)[-3:] == ((FOLD,), None, ())
    assert play(state, "rcc") == [2, 3, 1]
    state.leave(2)
    assert state.active == (1, 3)
    assert play(state, "rf") == [1, 3]
    assert state.payoffs() == (-5, 45, -20, -20)


def test_leave_in_turn_and_last() -> None:
    state = State(GameSpec.ring(3, 5, 10))
    state.leave(2)
    assert state.seat == 0
    state.leave(1)
    assert state.over
    assert state.payoffs() == (10, -10, 0)
    with pytest.raises(ValueError, match="the hand is over"):
        state.leave(0)


def test_leave_errors() -> None:
    state = State(GameSpec.ring(3, 5, 10), [100, 10, 100])
    play(state, "f")
    for seat, what in (2, "has folded"), (1, "is all-in"), (3, "must be 0 to 2"), ("a", "whole number"):
        with pytest.raises(ValueError, match=what):
            state.leave(seat)
        with pytest.raises(ValueError, match=what):
            state.situation(seat)


# the state as an object


def test_copy() -> None:
    state = State(GameSpec.ring(3, 5, 10), [100, None, 50])
    twin = state.copy()
    play(twin, "rcc/r")
    assert (state.round, state.pot, state.seat) == (0, 15, 2)
    assert (twin.round, twin.pot, twin.seat) == (1, 70, 1)
    assert twin.stacks == (70, None, 30)
    assert copy.copy(twin).committed == twin.committed
    del state
    assert twin.copy().spec == GameSpec.ring(3, 5, 10)
    assert "seat 1 to act, pot 70" in repr(twin)


@st.composite
def specs(draw: st.DrawFn) -> GameSpec:
    """Games of any structure, with any house rules."""
    players = draw(st.integers(2, 6))
    structure = draw(st.sampled_from(list(BettingStructure)))
    return replace(
        GameSpec.ring(players, 5, 10),
        structure=structure,
        antes=draw(st.sampled_from([(), (2,) * players])),
        stacks=draw(st.sampled_from([(), (50,) * players])),
        odd_chips=draw(st.sampled_from(["split", "first"])),
        reopening=draw(st.sampled_from(["minimum", "full", "any"] + ["half", "whole"] * structure.fixed)),
        min_raise=draw(st.sampled_from(["last", "cumulative"])),
        full_blind=draw(st.booleans()),
        cap_heads_up=draw(st.booleans()),
    )


def look(state: State) -> tuple[Any, ...]:
    """All that a state says."""
    seen = state.committed, state.stacks, state.active, state.all_in, state.legal(), state.round_base, state.to_call
    if state.over:
        return *seen, state.round, state.showdown, state.payoffs(range(state.players))
    return *seen, state.situation()


@given(specs(), st.data(), st.sampled_from(list(WAYS)))
def test_copies_play_on_alike(spec: GameSpec, data: st.DataObject, way: str) -> None:
    """And by themselves, at any moment of a hand."""
    n = spec.players
    stacks = data.draw(st.none() | st.lists(st.integers(1, 90) | st.none(), min_size=n, max_size=n))
    state = State(spec, stacks)
    for choice in data.draw(st.lists(st.integers(0, 20), max_size=30)):
        if state.over:
            break
        before = look(state)
        other = WAYS[way](state)
        assert other.spec == spec
        assert content(other) == content(state)
        assert look(other) == before
        legal = state.legal()
        if choice == 20:
            for each in state, other:
                each.leave(next(seat for seat in each.active if seat not in each.all_in))
        else:
            act = legal[choice % len(legal)]
            to = state.raise_range()[choice % 2] if act == RAISE else None  # type: ignore[index]
            if act == RAISE and to is None:  # nothing bounds it
                to = state.raise_range()[0] + choice  # type: ignore[index]
            assert other.act(act, to) == state.act(act, to)
            assert look(WAYS[way](other)) == look(other) == look(state)
            again = WAYS[way](state)
            if not again.over:
                again.act(CALL)
                assert look(state) == look(other)


def test_what_no_state_can_be() -> None:
    """A damaged pickle is refused."""
    state = State(GameSpec.ring(3, 5, 10), [100, None, 50])
    play(state, "rc")
    make, arguments, found = state.__reduce__()
    for place, values in {
        0: [(), (0,) * 4, (101, 0, 0), (0, -1, 0), (0, 0, 2**60), 7, ("x", 0, 0)],
        **{place: [-1, 2**62] for place in range(1, 4)},
        4: [2**62, -(2**62)],
        5: [0, 8],
        **{place: [-1, 8] for place in range(6, 9)},
        9: [-1, 2**31],
        10: [-1, 4],
        11: [-2, 3, None, 1.0],
    }.items():
        for value in values:
            damaged = (*found[:place], value, *found[place + 1 :])
            with pytest.raises((ValueError, TypeError)):
                make(*arguments).__setstate__(damaged)
    for damaged in (), found[1:], (*found, 0):
        with pytest.raises(ValueError, match="the state of a hand must have 12 entries"):
            make(*arguments).__setstate__(damaged)
    with pytest.raises(ValueError, match="what it took when the round began must be 0 to 20, got 21"):
        make(*arguments).__setstate__((*found[:2], 21, *found[3:]))
    assert look(state) == look(pickled(state))


def test_bad_acts() -> None:
    state = State(GameSpec.ring(3, 5, 10))
    for act in -1, 3, 2**70, "r", None, 1.0:
        with pytest.raises(ValueError, match="an act must be"):
            state.act(act)
    with pytest.raises(ValueError, match="not over: seat 2"):
        state.payoffs([1, 2, 3])
    play(state, "ff")
    for call in (lambda: state.act(CALL), state.situation):
        with pytest.raises(ValueError, match="the hand is over"):
            call()


def test_bad_ranks() -> None:
    state = State(GameSpec.heads_up(5, 10), [5, 5])
    assert state.payoffs((7, 6)) == (5, -5)
    for ranks in None, [1], [1, 2, 3], [1, None], [1, 2**40], [1, 2.5]:
        with pytest.raises(ValueError, match="rank"):
            state.payoffs(ranks)


@pytest.mark.parametrize("stacks", [[1], [1] * 4, [0, 1, 1], [-5, 1, 1], [1.5, 1, 1], ["a", 1, 1], [10**16, 1, 1]])
def test_bad_stacks(stacks: list[Any]) -> None:
    with pytest.raises(ValueError, match="stack"):
        State(GameSpec.ring(3, 5, 10), stacks)


def test_state_cannot_be_made_without_a_game() -> None:
    with pytest.raises(TypeError):
        State.__new__(State)
    with pytest.raises(AttributeError):
        State(None)


class AnySpec:
    """Something that has the attributes of a `GameSpec` and none of its checks."""

    def __init__(self, **values: Any) -> None:
        spec = GameSpec.ring(3, 5, 10)
        for name in spec.__slots__:
            setattr(self, name, values.get(name, getattr(spec, name)))


@pytest.mark.parametrize(
    "values",
    [
        {"blinds": (5,)},
        {"blinds": (5,) * 24},
        {"blinds": (-5, 10, 0)},
        {"blinds": (2**63, 10, 0)},
        {"blinds": ("a", 10, 0)},
        {"antes": (1, 1)},
        {"bets": (10, 10, 20)},
        {"bets": (10, 10, 20, 0)},
        {"first": (3, 0, 0, 0)},
        {"first": (-1, 0, 0, 0)},
        {"max_raises": (1, 1, 1, -1)},
        {"reopening": "often"},
        {"odd_chips": []},
    ],
)
def test_state_checks_what_it_is_given(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        State(AnySpec(**values))


# random play


@st.composite
def games(draw: st.DrawFn) -> State:
    """A hand played to its end by chance, some of it out of turn."""
    players = draw(st.integers(2, 6))
    spec = replace(
        GameSpec.ring(players, 5, 10),
        antes=draw(st.sampled_from([(), (2,) * players])),
        odd_chips=draw(st.sampled_from(["split", "first"])),
        reopening=draw(st.sampled_from(["half", "whole", "full", "any"])),
        full_blind=draw(st.booleans()),
        cap_heads_up=draw(st.booleans()),
    )
    stacks = draw(st.lists(st.one_of(st.integers(1, 90), st.none()), min_size=players, max_size=players))
    state = State(spec, stacks)
    before = state.committed
    for choice in draw(st.lists(st.integers(0, 40), min_size=60, max_size=60)):
        if state.over:
            break
        legal = state.legal()
        assert CALL in legal
        if choice == 40:
            leaver = next(seat for seat in state.active if seat not in state.all_in)
            state.leave(leaver)
        else:
            seat, round_before = state.seat, state.round
            chips = state.act(FOLD if choice > 36 else legal[choice % len(legal)])
            assert state.committed[seat] == before[seat] + chips
            if state.round != round_before and not state.over:
                able = [s for s in state.active if s not in state.all_in]
                assert len(able) > 1
                dead = state.spec.antes or (0,) * players
                assert len({state.committed[s] - dead[s] for s in able}) == 1
        assert state.pot == sum(state.committed)
        assert all(a <= b for a, b in zip(before, state.committed, strict=True))
        before = state.committed
    while not state.over:
        state.act(CALL)
    return state


def textbook_winnings(state: State, stacks: list[int], ranks: list[int]) -> list[Fraction]:
    """Share out the pot chip by chip: every chip that everybody put in as his k-th is one little pot."""
    dead = [min(ante, stack) for ante, stack in zip(state.spec.antes or (0,) * len(stacks), stacks, strict=True)]
    chips = [committed - ante for committed, ante in zip(state.committed, dead, strict=True)]
    contenders = list(state.active)
    won = [Fraction(0)] * len(chips)
    for k in range(max(chips) + 1):
        amount = sum(dead) if k == 0 else sum(count >= k for count in chips)
        contenders = [seat for seat in state.active if chips[seat] >= k] or contenders
        best = max(ranks[seat] for seat in contenders)
        winners = [seat for seat in contenders if ranks[seat] == best]
        for seat in winners:
            won[seat] += Fraction(amount, len(winners))
    return won


@given(games(), st.lists(st.integers(1, 3), min_size=6, max_size=6))
def test_payoffs_against_the_textbook(state: State, ranks: list[int]) -> None:
    players = state.players
    stacks = [
        committed + (10**6 if behind is None else behind)
        for committed, behind in zip(state.committed, state.stacks, strict=True)
    ]
    payoffs = state.payoffs(ranks[:players])
    expected = textbook_winnings(state, stacks, ranks)
    assert sum(payoffs) == pytest.approx(0, abs=1e-9)
    pots = players  # no more than that
    for seat in range(players):
        assert payoffs[seat] >= -state.committed[seat]
        if seat not in state.active:
            assert payoffs[seat] == -state.committed[seat]
        won = payoffs[seat] + state.committed[seat]
        if state.spec.odd_chips == "split":
            assert won == pytest.approx(float(expected[seat]), abs=1e-9)
        else:
            assert won == int(won)
            assert abs(won - expected[seat]) < pots


def test_the_beginning_of_a_hand() -> None:
    spec = GameSpec.no_limit(3, 5, 10)
    state = State(spec, (100, None, 40))
    begun = repr(state.__reduce__())
    state.act(Act.RAISE, 30)
    state.act(Act.FOLD)
    again = state.begun()
    assert repr(again.__reduce__()) == begun
    assert again.spec is spec
    again.act(Act.CALL)
    assert (state.pot, again.pot) == (45, 25)


def test_attributes_that_nobody_sets() -> None:
    hand = example_hand()
    with pytest.raises(ValueError, match="2 attributes need as many values, got 1"):
        put_attributes(hand, ("id", "source"), ("x",))
    with pytest.raises(AttributeError):
        put_attributes(hand, ("nothing",), (1,))
