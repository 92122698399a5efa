"""Random hands of any structure, for what has to hold of all of them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from pokermodel.game import BOARD_CARDS, Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.game.structure import NO_CAP

__all__ = ["plain_hand", "wild_hand"]


def plain_hand(rng: random.Random, number: int = 1) -> Hand:
    """A hand of the ACPC's rules, two or more players, with and without stacks, all cards known."""
    structure = rng.choice([BettingStructure.LIMIT, BettingStructure.NO_LIMIT])
    n = rng.choice([2, 2, 3, 3, 6, 10])
    stacks = tuple(rng.randint(20, 900) for _ in range(n)) if not structure.fixed or rng.random() < 0.3 else ()
    usual = GameSpec.heads_up(5, 10, button=1) if n == 2 else GameSpec.ring(n, 5, 10)
    bets, raises = (usual.bets, (3, 4, 4, 4)) if structure.fixed else ((10, 10, 10, 10), (255,) * 4)
    spec = GameSpec(
        *(usual.blinds, bets, usual.first, raises),
        reopening="any",
        structure=structure,
        min_raise="last" if structure.fixed else "cumulative",
        stacks=stacks,
    )
    return _play(rng, number, spec, stacks or None, known=1.0)


def wild_hand(rng: random.Random, number: int = 1) -> Hand:
    """A hand with whatever a hand may have: antes, straddles, newcomers, two boards, rake, cards that nobody knows."""
    structure = rng.choice(list(BettingStructure))
    n = rng.choice([2, 2, 3, 4, 6, 9])
    usual = GameSpec.heads_up(5, 10, button=rng.randint(0, 1)) if n == 2 else GameSpec.ring(n, 5, 10)
    blinds, first = list(usual.blinds), list(usual.first)
    for seat in range(2, n):
        if rng.random() < 0.1:  # a newcomer
            blinds[seat] = rng.choice([5, 10])
    if n > 3 and not structure.fixed and rng.random() < 0.3:
        blinds[2], first[0] = 20, 3
    antes = [rng.choice([0, 0, 0, 2])] * n
    if rng.random() < 0.2:
        antes[rng.randrange(n)] += rng.choice([5, 10])
    bets = usual.bets if structure.fixed else (10, 10, 10, 10)
    raises = (4, 4, 4, 4) if structure.fixed else (NO_CAP,) * 4
    spec = GameSpec(tuple(blinds), bets, tuple(first), raises, tuple(antes), structure=structure)
    if rng.random() < 0.4:
        rules = {"odd_chips": "first", "full_blind": False, "reopening": "full", "cap_heads_up": False}
        name = rng.choice(list(rules))
        spec = replace(spec, **{name: rules[name]})
    stacks = [rng.choice([500, None, rng.randint(1, 200)]) for _ in range(n)] if rng.random() < 0.8 else None
    return _play(rng, number, spec, stacks if stacks and any(stacks) else None, known=0.6)


def _play(rng: random.Random, number: int, spec: GameSpec, stacks: object, known: float) -> Hand:
    n = spec.players
    state = State(spec, stacks)
    actions = []
    while not state.over:
        leaving = [seat for seat in state.active if seat != state.seat and seat not in state.all_in]
        if known < 1 and leaving and rng.random() < 0.02:
            actions.append(Action(rng.choice(leaving), Act.FOLD, out_of_turn=True))
            state.leave(actions[-1].seat)
            continue
        acts = [act for act in state.legal() if act != Act.FOLD or state.to_call]
        acts = [act for act in acts if act != Act.RAISE or state.pot < 100_000]
        act = rng.choices(acts, [{0: 1, 1: 5, 2: 2}[act] for act in acts])[0]
        to = None
        if act == Act.RAISE and not spec.structure.fixed:
            least, most = state.raise_range()
            most = 10 * least if most is None else most
            to = rng.choice([least, most, rng.randint(least, most), min(most, 3 * least)])
        actions.append(Action(state.seat, act, to=to))
        state.act(act, to)
    deck = rng.sample(range(52), 9 + 2 * n)
    board = deck[: 5 if state.showdown else BOARD_CARDS[state.round]]
    twice: list[int] = []
    thrice: list[int] = []
    if known < 1 and state.showdown and state.all_in and rng.random() < 0.3:
        shared = rng.choice([3, 4])
        twice = board[:shared] + deck[5 : 5 + 5 - shared]
        if rng.random() < 0.5:
            thrice = board[:shared] + deck[7 + 2 * n : 7 + 2 * n + 5 - shared]
    holdings = {seat: deck[7 + 2 * seat : 9 + 2 * seat] for seat in range(n)}
    shows = set(state.active) if state.showdown else set()
    mucked = {seat for seat in shows if known < 1 and rng.random() < 0.2}
    bets = [state.committed[seat] - spec.antes[seat] if spec.antes else state.committed[seat] for seat in range(n)]
    mucked.discard(max(shows, key=bets.__getitem__, default=-1))  # somebody shows for each pot; antes are in the first
    holdings = {seat: cards for seat, cards in holdings.items() if seat in shows - mucked or rng.random() < known}
    hand = Hand(
        "random",
        str(number),
        spec,
        [f"player {seat}" for seat in range(n)],
        actions,
        board,
        holdings,
        stacks,
        mucked=mucked,
        unit=rng.choice([1, Fraction(1, 100), Fraction(1, 2), 1000]) if known < 1 else 1,
        currency=rng.choice(["", "USD"]) if known < 1 else "",
        time=datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(10**8)) if rng.random() < 0.5 else None,
        second_board=twice,
        table=rng.choice([None, "Made Up", "\u0106 'x' \"y\" 7"]) if known < 1 else None,
        third_board=thrice,
    )
    if rng.random() < 0.5:
        return hand
    stated = list(hand.payoffs)
    if known < 1 and rng.random() < 0.5:
        winner = max(range(n), key=lambda seat: stated[seat])
        stated[winner] -= min(1, max(0, stated[winner]))  # the rake
    content = hand.__reduce__()[1]
    return Hand(*content[:8], stated, *content[9:])
