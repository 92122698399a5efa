"""Simulations of decisions, on one thread: the first one on a flop, and more trials of the same."""

from __future__ import annotations

from itertools import count, cycle

import numpy as np

from benchmarks.cases.boards import flops
from benchmarks.registry import Run, at_most, case
from pokermodel.cards import N_HOLDINGS, card_indices
from pokermodel.classics.simulation import Position, Simulator, StrengthCache
from pokermodel.game import Act, Action, Decision, GameSpec, Hand, Situation, State
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.worth.myopic import raise_sizes
from pokermodel.worth.play_outs import LaterRule, PlayOuts
from pokermodel.worth.verdict import VerdictAdviser

MS = 1e-3
HERO = "AhKd"
WARM_TRIALS = 20_000


def limped(players: int) -> State:
    """A flop that everybody saw; the first to speak has checked."""
    state = State(GameSpec.ring(players, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    state.act(Act.CALL)
    return state


def tables(players: int) -> list[np.ndarray]:
    """A table for each that has nothing in common with the others': nothing can be shared."""
    rng = np.random.default_rng(1)
    return list(np.maximum(rng.random((players, N_HOLDINGS)) ** 2, 0.01))


FOUR_SEE_THE_FLOP = "ffrfcffcfc kbc"
ALL_SEE_THE_FLOP = "ccrccccccccccc kkkbcccc"


def read(line: str, flop: tuple[int, ...]) -> tuple[Position, list[np.ndarray | None]]:
    """A decision between ten players, after a raise before the flop and a bet on it, and how Loki-2 reads them."""
    acts = [{"f": Act.FOLD, "r": Act.RAISE, "b": Act.RAISE}.get(letter, Act.CALL) for letter in line.replace(" ", "")]
    state, actions = State(GameSpec.ring(10, 1, 2)), []
    for act in acts:
        actions.append(Action(state.seat, act))
        state.act(act)
    position = Position(state.copy(), flop)
    while not state.over:
        actions.append(Action(state.seat, Act.FOLD))
        state.act(Act.FOLD)
    turn = next(card for card in range(52) if card not in flop)
    hand = Hand("benchmark", "1", state.spec, [f"player {k}" for k in range(10)], actions, (*flop, turn))
    session = OpponentModeler("loki2", folded_tables=True)
    for decision in list(hand.replay())[: len(acts)]:
        session.observe(decision)
    return position, session.simulation_tables()


def first_read(line: str) -> Run:
    boards = flops("two-tone", apart_from=HERO)
    ready = cycle([read(line, next(boards)) for _ in range(16)])

    def decide() -> object:
        position, weights = next(ready)
        return Simulator(stop="none", cache=StrengthCache()).run(position, HERO, weights, 500, 1)

    return Run(decide, 1, "500 trials, tables as Loki-2 reads them")


def further_read(line: str) -> Run:
    position, weights = read(line, next(flops("two-tone", apart_from=HERO)))
    simulator = Simulator(stop="none", cache=StrengthCache())
    simulator.run(position, HERO, weights, 100_000, 1)
    return Run(
        lambda: simulator.run(position, HERO, weights, WARM_TRIALS, 2), WARM_TRIALS, "tables as Loki-2 reads them"
    )


for _line, _who in ((FOUR_SEE_THE_FLOP, "four of ten players"), (ALL_SEE_THE_FLOP, "ten of ten players")):
    case(f"simulation: first decision on a flop, {_who}", "decision", at_most(100 * MS)).ours(
        lambda line=_line: first_read(line)
    )
    case(f"simulation: further trials on a flop, {_who}", "trial", at_most(1 / 200_000)).ours(
        lambda line=_line: further_read(line)
    )


def first(players: int, suits: str) -> Run:
    state, weights = limped(players), tables(players)
    boards = flops(suits, apart_from=HERO)

    def decide() -> object:
        simulator = Simulator(stop="none", cache=StrengthCache())
        return simulator.run((state, next(boards)), HERO, weights, 500, 1)

    return Run(decide, 1, "500 trials, another flop each time, all tables different")


def further(players: int) -> Run:
    state, weights = limped(players), tables(players)
    simulator = Simulator(stop="none", cache=StrengthCache())
    position = state, next(flops("two-tone", apart_from=HERO))
    simulator.run(position, HERO, weights, 100_000, 1)
    return Run(lambda: simulator.run(position, HERO, weights, WARM_TRIALS, 2), WARM_TRIALS, "all tables different")


for _suits in ("rainbow", "two-tone", "monotone"):
    case(f"simulation: first decision on a {_suits} flop, ten unlike players", "decision", at_most(100 * MS)).ours(
        lambda suits=_suits: first(10, suits)
    )
for _players in (2, 4, 10):
    case(f"simulation: further trials on a flop, {_players} unlike players", "trial").ours(
        lambda players=_players: further(players)
    )


def raised(street: int, callers: tuple[int, ...] = (0, 1)) -> Spot:
    """A decision of no limit: six players were dealt in, and somebody raised before the flop or bets on a street."""
    spec = GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6)
    names, flop = tuple(f"player {k}" for k in range(6)), next(flops("two-tone", apart_from=HERO))
    board = *flop, *[card for card in range(52) if card not in {*flop, *card_indices(HERO)}][:2]
    session, state, index = OpponentModeler("adaptive"), State(spec), 0
    session.start(names)

    def asked() -> Situation:
        return Situation.of(state, names, board[: BOARD_CARDS[state.round]])

    def act(what: Act, to: int | None = None) -> None:
        nonlocal index
        session.observe(Decision("", "", index, asked(), what, state.act(what, to)))
        index += 1

    act(Act.RAISE, 250)
    while state.round < street:
        act(Act.CALL if state.round or state.seat in callers else Act.FOLD)
    if street:
        act(Act.RAISE, 400)
    return session.spot(asked()).held(HERO, state)


def verdict(street: int, callers: tuple[int, ...]) -> Run:
    spot, adviser = raised(street, callers), VerdictAdviser(fast=True)
    seeds = count()
    return Run(lambda: adviser.advise(spot, next(seeds)), 1, "the fast way")


for _street, _callers, _where in (
    (0, (), "before the flop, six players, by play-outs"),
    (1, (0, 1), "on a flop, three players, by play-outs"),
    (1, (0,), "on a flop, two players, by play-outs"),
    (2, (0,), "on a turn, two players, by play-outs"),
    (3, (0,), "on a river, two players, solved"),
):
    case(f"verdicts: {_where}", "decision", at_most(0.5)).ours(
        lambda street=_street, callers=_callers: verdict(street, callers)
    )


def played_out(street: int) -> Run:
    spot, rule = raised(street), LaterRule()
    acts = [(Act.FOLD, None), (Act.CALL, None), *[(Act.RAISE, to) for to in raise_sizes(spot.situation, (0.5, 1.0))]]
    play = PlayOuts(spot, rule=rule)
    play.run(acts, 0, most=1024)
    return Run(lambda: play.run(acts, 1, most=1024), 1024, "four acts, what was learnt before is gone on from")


for _street, _where in enumerate(("before the flop, six players", "on a flop, three players")):
    case(f"play-outs: {_where}", "deal").ours(lambda street=_street: played_out(street))
