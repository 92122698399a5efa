"""Tables of others: an engine that knows the rules and seats, and nothing else of the package."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pokermodel.game import Act, Action, Decision, GameSpec, Hand, State
from pokermodel.tables.players import Seat

BOARD = (0, 3, 4, 5)


def random_hand(
    seed: int, spec: GameSpec, *, stacks: Sequence[int | None] | None = None, leaving: float = 0.0
) -> tuple[Hand, State]:
    """A hand of random acts on a random deal, in which players now and then leave out of turn; and how it ended."""
    rng = random.Random(seed)
    deck = rng.sample(range(52), 2 * spec.players + 5)
    state = State(spec, stacks)
    actions = []
    while not state.over:
        others = [seat for seat in state.active if seat != state.seat and seat not in state.all_in]
        if others and rng.random() < leaving:
            seat = rng.choice(others)
            actions.append(Action(seat, Act.FOLD, out_of_turn=True))
            state.leave(seat)
        else:
            act = rng.choices(state.legal(), [(1, 3, 3)[act] for act in state.legal()])[0]
            to = None
            if act == Act.RAISE and not spec.structure.fixed:
                least, most = state.raise_range()
                most = 5 * least if most is None else most
                to = rng.choice([least, most, rng.randint(least, most), min(most, 2 * least)])
            actions.append(Action(state.seat, act, to=to))
            state.act(act, to)
    names = [f"p{seat}" for seat in range(spec.players)]
    holdings = {seat: tuple(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in range(spec.players)}
    hand = Hand("test", str(seed), spec, names, actions, deck[: BOARD[state.round]], holdings, stacks)
    return hand, state


def play_out(
    seats: Sequence[Seat],
    spec: GameSpec,
    names: Sequence[str],
    holdings: Sequence[tuple[int, int]],
    board: Sequence[int],
    *,
    stacks: Sequence[int | None] | None = None,
    leaving: random.Random | None = None,
    **about: Any,
) -> tuple[Hand, list[list[Decision]]]:
    """Let players with tables of their own play a hand: what was done, and what each of them was told of it."""
    state = State(spec, stacks)
    for number, seat in enumerate(seats):
        seat.begin(spec, names, number, holdings[number], stacks=stacks, **about)
    told: list[list[Decision]] = [[] for _ in seats]
    actions = []
    dealt = 0
    while not state.over:
        if BOARD[state.round] != dealt:
            dealt = BOARD[state.round]
            for seat in seats:
                seat.deal(board[:dealt])
        others = [seat for seat in state.active if seat != state.seat and seat not in state.all_in]
        if leaving is not None and others and leaving.random() < 0.1:
            leaver = leaving.choice(others)
            actions.append(Action(leaver, Act.FOLD, out_of_turn=True))
            state.leave(leaver)
        else:
            answer = seats[state.seat].act()
            actions.append(Action(state.seat, answer.act, to=answer.to))
            state.act(*answer)
        for seat, seen in zip(seats, told, strict=True):
            seen.append(seat.observe(actions[-1].act, actions[-1].to, seat=actions[-1].seat))
    final = list(board[: BOARD[state.round]])
    shown = {seat: holdings[seat] for seat in state.active} if state.showdown else {}
    source, hand_id = about.get("source", "table"), about.get("hand_id", "1")
    hand = Hand(source, hand_id, spec, names, actions, final, shown, stacks)
    for seat in seats:
        seat.end(hand.payoffs, shown, board=final)
    return hand, told
