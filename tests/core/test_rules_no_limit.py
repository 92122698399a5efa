"""The rules of no limit and pot limit: worked hands, a textbook of the least and the most, bad input."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.game import Act, GameSpec, State

FOLD, CALL, RAISE = Act
POT_LIMIT, NO_LIMIT = "pot limit", "no limit"


def play(state: State, line: str) -> State:
    """Let the seats act in turn, as in ``"c f r300"``."""
    for word in line.split():
        if word[0] == "r":
            state.act(RAISE, int(word[1:]))
        else:
            state.act({"f": FOLD, "c": CALL}[word])
    return state


def started(*stacks: int | None, line: str = "", **changes: Any) -> State:
    """No limit with blinds of 50 and 100 between these stacks."""
    return play(State(replace(GameSpec.no_limit(len(stacks), 50, 100), **changes), stacks), line)


def flop(*behind: int | None, **changes: Any) -> State:
    """No limit after everybody has called the blind of 100, with these chips behind."""
    stacks = [None if chips is None else chips + 100 for chips in behind]
    state = started(*stacks, line="c " * len(behind), **changes)
    assert state.round == 1
    return state


# what one may raise to


def test_the_least_raise_is_the_last_one() -> None:
    state = started(5000, 5000, 5000)
    assert state.raise_range() == (200, 5000)
    play(state, "r350")
    assert state.raise_range() == (600, 5000)
    play(state, "r1000")
    assert state.raise_range() == (1650, 5000)
    play(state, "c c")
    assert (state.round, state.round_base) == (1, 1000)
    assert state.raise_range() == (100, 4000)
    play(state, "c r100 r200")
    assert state.raise_range() == (300, 4000)


def test_amounts_are_over_the_round() -> None:
    state = started(2000, 2000, antes=(10, 10))
    assert [state.act(RAISE, 250), state.act(CALL)] == [200, 150]
    assert state.committed == (260, 260)
    assert state.round_base == 250
    assert [state.act(CALL), state.act(RAISE, 300), state.act(RAISE, 900), state.act(CALL)] == [0, 300, 900, 600]
    assert state.round_base == 250 + 900
    assert state.act(RAISE, 2000 - 10 - 1150) == 840
    assert state.all_in == (1,)
    assert state.raise_range() is None
    state.act(CALL)
    assert state.payoffs([1, 2]) == (-2000, 2000)


def test_a_stack_below_the_least_raise_is_all_in() -> None:
    state = started(1000, 1000, 150)
    assert state.raise_range() == (150, 150)
    assert state.act(RAISE) == 150  # there is only one amount
    assert state.all_in == (2,)
    assert state.raise_range() == (250, 1000)
    assert flop(60, 500).raise_range() == (100, 500)  # seat 1 is the first to act
    assert play(flop(60, 500), "c").raise_range() == (60, 60)


def test_no_raise_over_an_all_in_that_nobody_else_can_call() -> None:
    state = started(1000, 400, line="c r400")
    assert state.legal() == (FOLD, CALL)
    assert state.raise_range() is None
    assert state.act(RAISE, 1000) == 900  # people do it
    assert state.payoffs([1, 2]) == (-400, 400)


def test_stacks_that_are_not_known() -> None:
    state = started(None, 700, None)
    assert state.stacks == (None, 600, None)
    assert state.raise_range() == (200, None)
    state.act(RAISE, 10**15)
    assert state.raise_range() == (2 * 10**15 - 100, None)
    with pytest.raises(ValueError, match=r"seat 0 cannot raise to 200: expected 1999999999999900 or more"):
        state.act(RAISE, 200)
    play(state, "f c")
    assert state.showdown
    assert state.payoffs([0, 1, 0])[1] == 750


def test_raises_come_to_an_end() -> None:
    state = started(*[None] * 23)
    raises = 0
    while RAISE in state.legal():
        state.act(RAISE, min(10 * state.raise_range()[0], 2**54))
        raises += 1
    assert raises > 10
    while not state.over:
        state.act(CALL)
    assert state.pot == 23 * 2**54
    assert state.payoffs(range(23))[22] == 22 * 2**54


def test_the_pot() -> None:
    state = State(GameSpec.pot_limit(3, 5, 10), [1000, 1000, 1000])
    assert state.raise_range() == (20, 35)  # a call of 10 makes the pot 25
    play(state, "r35")
    assert state.raise_range() == (60, 115)  # 30 to call, then 80 in the pot
    play(state, "f c")
    assert state.pot == 75
    assert state.raise_range() == (10, 75)
    play(state, "r50")
    assert state.raise_range() == (100, 50 + 175)
    antes = State(replace(GameSpec.pot_limit(3, 5, 10), antes=(2, 2, 2)), [1000, 1000, 30])
    assert antes.raise_range() == (20, 28)
    assert State(GameSpec.pot_limit(2, 5, 10), [None, None]).raise_range() == (20, 30)


def test_limit_has_one_amount() -> None:
    state = State(GameSpec.ring(3, 5, 10), [100, 100, 25])
    assert state.raise_range() == (20, 20)
    state.act(RAISE, 20)
    assert state.raise_range() == (30, 30)
    with pytest.raises(ValueError, match=r"seat 0 cannot raise to 40: expected 30$"):
        state.act(RAISE, 40)
    play(state, "c c")
    assert [state.raise_range(), state.round_base] == [(10, 10), 20]
    play(state, "c c")
    assert state.raise_range() == (5, 5)
    assert state.act(RAISE, 5) == 5


# all-in for less


@pytest.mark.parametrize("reopening", ["minimum", "full"])
def test_short_all_ins_that_add_up_to_a_raise(reopening: str) -> None:
    # Tournament Directors Association 2022, rule 47, examples 1 and 1-A
    state = flop(5000, 125, 5000, 200, 5000, reopening=reopening)
    play(state, "r100 r125 c r200 c")
    assert (state.seat, state.legal()) == (0, (FOLD, CALL, RAISE))
    assert state.raise_range() == (300, 5000)
    state.act(CALL)
    assert (state.seat, state.legal()) == (2, (FOLD, CALL))
    state = flop(5000, 125, 5000, 200, 300, reopening=reopening)
    play(state, "r100 r125 c r200 r300 c")
    assert (state.seat, state.legal()) == (2, (FOLD, CALL, RAISE))
    assert state.raise_range() == (400, 5000)


def test_a_short_all_in_over_the_blind() -> None:
    # rule 47, example 2: seats 3 and 4 have called the blind, who has not acted may raise
    for reopening, reopened in ("minimum", False), ("full", True), ("any", True):
        state = started(5000, 5000, 5000, 5000, 125, line="c c r125", reopening=reopening)
        assert state.raise_range() == (225, 5000)
        play(state, "f")
        assert (state.seat, state.raise_range()) == (1, (225, 5000))
        play(state, "c")
        assert state.seat == 2
        assert (RAISE in state.legal()) == reopened


def test_a_short_all_in_bet() -> None:
    for reopening, reopened in ("minimum", False), ("full", True), ("any", True):
        state = flop(5000, 60, 5000, reopening=reopening)
        play(state, "c r60")
        assert state.raise_range() == (160, 5000)
        play(state, "c")
        assert (RAISE in state.legal()) == reopened


def test_a_short_all_in_raise() -> None:
    for reopening, reopened in ("minimum", False), ("full", False), ("any", True):
        state = flop(5000, 5000, 800, 5000, reopening=reopening)
        play(state, "r100 r500 r800")
        assert state.raise_range() == (1200, 5000)
        play(state, "c")
        assert state.raise_range() == (1200, 5000)  # faces 700, more than the raise of 400
        play(state, "c")
        assert (RAISE in state.legal()) == reopened


def test_a_short_raise_is_completed_where_raises_cumulate() -> None:
    changes = {"min_raise": "cumulative", "reopening": "any"}
    state = flop(5000, 150, 180, 5000, **changes)
    play(state, "r100 r150")
    assert state.raise_range() == (180, 180)
    play(state, "r180")
    assert state.raise_range() == (210, 5000)  # 180 and 30: more than 200, what was the least before
    state = flop(5000, 150, 5000, 5000, **changes)
    play(state, "r100 r150")
    assert state.raise_range() == (200, 5000)
    play(state, "r200")
    assert state.raise_range() == (250, 5000)  # raised by 50
    play(state, "r700")
    assert state.raise_range() == (1200, 5000)


def test_short_blinds_are_called_in_full() -> None:
    state = started(5000, 40, 5000)
    assert state.raise_range() == (200, 5000)
    assert state.to_call == 100
    state = started(5000, 40, 5000, full_blind=False)
    assert state.to_call == 50
    assert state.raise_range() == (150, 5000)


def test_side_pots_and_what_nobody_called() -> None:
    state = started(1000, 300, 600, line="r600 r1000 c")
    assert state.showdown
    assert state.committed == (1000, 300, 600)
    assert state.payoffs([1, 3, 2]) == (-600, 600, 0)
    assert state.payoffs([3, 2, 1]) == (900, -300, -600)
    assert state.payoffs([1, 2, 2]) == (-600, 150, 450)


# what it says of a situation


def test_situation() -> None:
    state = started(5000, 5000, 5000, line="r250")
    facts = state.situation()
    round_, pot, to_call, bet_size, bets_to_call, num_bets, bets_put_in = facts[:7]
    assert (round_, pot, to_call, bet_size) == (0, 400, 200, 100)
    assert (bets_to_call, num_bets, bets_put_in) == (2, 2, 0)
    assert facts[-5:] == (50, (), (FOLD, CALL, RAISE), (400, 5000), (5000, 5000, 5000))
    play(state, "r1000 f")
    assert state.situation()[4:7] == (8, 3, 3)  # 750 to call and 250 of their own will, in big blinds


def test_bad_amounts() -> None:
    state = started(1000, 1000, 1000)
    for to, what in (
        (199, "seat 2 cannot raise to 199: expected 200 to 1000"),
        (1001, "expected 200 to 1000"),
        (-5, "cannot raise to -5"),
        (None, "seat 2 cannot raise without an amount: expected 200 to 1000"),
        ("300", "whole number, got '300'"),
        (300.0, "whole number, got 300.0"),
        (2**70, "what a raise goes to must be"),
    ):
        with pytest.raises(ValueError, match=what):
            state.act(RAISE, to)
    with pytest.raises(ValueError, match="seat 2 cannot call to 100: only a raise has an amount"):
        state.act(CALL, 100)
    with pytest.raises(ValueError, match="seat 2 cannot fold to 0"):
        state.act(FOLD, 0)
    assert state.committed == (50, 100, 0)
    play(state, "f f")
    assert state.raise_range() is None
    assert state.round_base == 0


# random play against the textbook


class Textbook:
    """The least and the most, as rule books tell them: by what each seat has in front of it in this round."""

    def __init__(self, spec: GameSpec, stacks: list[int]) -> None:
        self.spec, self.stacks = spec, stacks
        self.before = 0  # of each who matched, in earlier rounds
        self.begin(max(spec.blinds))

    def begin(self, bet: int) -> None:
        self.bet = bet  # what is to be matched
        self.by = max(self.spec.blinds)  # last full bet or raise
        self.goal = bet + self.by  # the dealer's variable: what the next raise goes to at least

    def expect(self, state: State) -> tuple[int, int]:
        antes = self.spec.antes or (0,) * state.players
        stack = self.stacks[state.seat] - antes[state.seat] - self.before
        own = state.committed[state.seat] - antes[state.seat] - self.before
        least = self.bet + self.by if self.spec.min_raise == "last" else self.goal
        most = stack
        if self.spec.structure == POT_LIMIT:
            call = self.bet - own
            most = max(least, self.bet + state.pot + call)
        return min(least, stack), min(most, stack)

    def raised(self, to: int) -> None:
        self.goal = max(self.goal, 2 * to - self.bet)
        self.by = max(self.by, to - self.bet)
        self.bet = to


@given(st.data())
def test_random_hands_against_the_textbook(data: st.DataObject) -> None:
    draw = data.draw
    structure = draw(st.sampled_from([POT_LIMIT, NO_LIMIT]))
    players = draw(st.integers(2, 10))
    spec = replace(
        GameSpec.no_limit(players, 5, 10),
        structure=structure,
        antes=draw(st.sampled_from([(), (2,) * players])),
        min_raise=draw(st.sampled_from(["last", "cumulative"])),
        reopening=draw(st.sampled_from(["minimum", "full", "any"])),
    )
    stacks = draw(st.lists(st.integers(1, 60) | st.integers(100, 400), min_size=players, max_size=players))
    state = State(spec, stacks)
    book = Textbook(spec, stacks)
    round_ = 0
    for choice in draw(st.lists(st.integers(0, 9), min_size=40, max_size=40)):
        if state.over:
            break
        if state.round != round_:
            round_, book.before = state.round, state.round_base
            book.begin(0)
        legal, found = state.legal(), state.raise_range()
        assert (found is not None) == (RAISE in legal)
        seat, before = state.seat, state.committed
        if found is not None and choice > 3:
            least, most = found
            assert found == book.expect(state)
            assert book.bet < least <= most
            to = draw(st.integers(least, most)) if choice > 5 else least
            put_in = state.act(RAISE, to)
            full = to - book.bet >= book.by if spec.min_raise == "last" else to >= book.goal
            assert full or seat in state.all_in
            book.raised(to)
        else:
            put_in = state.act(FOLD if choice == 0 and FOLD in legal else CALL)
        assert state.committed[seat] == before[seat] + put_in
        assert state.pot == sum(state.committed)
        assert all(chips <= stack for chips, stack in zip(state.committed, stacks, strict=True))
    while not state.over:
        state.act(CALL)
    ranks = draw(st.lists(st.integers(1, 3), min_size=players, max_size=players))
    payoffs = state.payoffs(ranks)
    assert sum(payoffs) == pytest.approx(0, abs=1e-9)
    assert all(won >= -chips for won, chips in zip(payoffs, state.committed, strict=True))


# the table's parameters, unchecked by a GameSpec


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"structure": "spread"}, "structure must be one of 'limit', 'pot limit', 'no limit', got 'spread'"),
        ({"structure": NO_LIMIT, "reopening": "half"}, "reopening must be minimum, full or any in no limit"),
        ({"structure": NO_LIMIT, "reopening": "minimum", "min_raise": "half"}, "min_raise must be one of"),
        ({"stacks": (1, 2)}, "stacks must have 3 entries"),
    ],
)
def test_state_checks_what_it_is_given(values: dict[str, Any], what: str) -> None:
    class AnySpec:
        def __init__(self) -> None:
            spec = GameSpec.ring(3, 5, 10)
            for name in spec.__slots__:
                setattr(self, name, values.get(name, getattr(spec, name)))

    with pytest.raises(ValueError, match=what):
        State(AnySpec())
