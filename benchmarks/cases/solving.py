"""Solving: an iteration of the three spots that the documentation measures, beside the whole-range river kernel."""

from __future__ import annotations

from functools import partial

import numpy as np

import pokermodel as pm
from benchmarks.registry import Run, at_least, case
from pokermodel.executors import Threads
from pokermodel.game import Act, Action, GameSpec
from pokermodel.reading import spot_of
from pokermodel.solving import Solution, Subgame, locks_from
from pokermodel.tables.blueprint.blueprint import BlueprintGame, Build, _Learning

OOP = (
    "22-88,99:.75,TT:.25,A2s-A8s,A9s:.75,ATs:.5,AJs:.25,A2o:.25,A3o:.25,A4o:.5,A5o:.75,A6o:.25,A7o:.5,A8o:.75,A9o,ATo,"
    "AJo:.75,AQo:.25,K2s-K9s,KTs:.75,KJs:.5,K8o:.25,K9o:.75,KTo,KJo,KQo:.5,Q2s-Q9s,QTs:.75,QJs:.5,Q9o:.75,QTo,QJo,"
    "J4s:.75,J5s:.75,J6s-J9s,JTs:.75,J9o:.75,JTo,T5s:.5,T6s-T9s,T8o:.25,T9o:.75,94s:.25,95s:.75,96s-98s,98o:.5,84s:.5,"
    "85s-87s,87o:.25,73s:.25,74s-76s,62s:.25,63s-65s,52s-54s,42s:.5,43s,32s:.5"
)
IP = (
    "66+,A2s+,A8o+,K5s+,KTo+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,86s+,75s+,65s,54s,55:.75,44:.5,33:.5,22:.5,K4s-K2s:.5,Q7s:.5,"
    "J7s:.5,T7s:.5,96s:.5,85s:.5,64s:.5,A7o:.5,A5o:.5,K9o:.5,Q9o:.5,J9o:.5,T9o:.5"
)
RIVER_SIZES = {"bets": ["50%", "100%", "all-in"], "raises": ["60%", "all-in"]}
KERNEL = "strengths of all holdings on a river"
SOLVED = "ten of the some 100 iterations that solve it"


def spot(street: str) -> Subgame:
    """One of the three spots; chips are a tenth of a big blind."""
    if street == "river":
        return Subgame("QsJh2h8c3d", 200, 900, (OOP, IP), bets=RIVER_SIZES["bets"], raises=RIVER_SIZES["raises"])
    if street == "turn":
        return Subgame("QsJh2h8c", 110, 950, (OOP, IP), streets={"river": RIVER_SIZES})
    later = {"turn": {"bets": ["75%"]}, "river": {"bets": ["75%"]}}
    return Subgame("QsJh2h", 55, 975, (OOP, IP), bets=["50%"], streets=later)


def limit(street: str) -> Subgame:
    """A spot of limit with all holdings."""
    board = "QsJh2h8c3d" if street == "river" else "QsJh2h8c"
    everything = pm.WeightTable()
    return Subgame(board, 6, None, (everything, everything), structure="limit", small_bet=1, big_bet=2)


def iterations(subgame: Subgame, bits: int, number: int) -> Run:
    solution = Solution(subgame, bits=bits)
    solution.learn(3)
    return Run(lambda: solution.learn(number), number)


def played() -> tuple[pm.Hand, pm.OpponentModeler]:
    """A turn that the big blind and the button of six see, and a session that knows them."""
    f, c, r = Act.FOLD, Act.CALL, Act.RAISE
    acts = [(2, f, None), (3, f, None), (4, f, None), (5, r, 250), (0, f, None), (1, c, None)]
    acts += [(1, c, None), (5, r, 180), (1, c, None), (1, c, None), (5, r, 400), (1, f, None)]
    actions = [Action(seat, act, to=to) for seat, act, to in acts]
    names = ["Sam", "Bea", "Uma", "Hal", "Cy", "Dee"]
    hand = pm.Hand("", "1", GameSpec.no_limit(6, 50, 100), names, actions, "Qh8h2c3c", {}, [10_000] * 6)
    session = pm.OpponentModeler()
    session.learn(hand)
    return hand, session


def locks() -> Run:
    """What the reader expects at every node of a turn tree, made and put where the solver reads it."""
    hand, session = played()
    decision = spot_of(session, hand, 10)
    spot = Subgame.from_spot(decision)
    solution = Solution(spot)

    def run() -> None:
        solution._locks.put(locks_from(decision, spot, "Bea", confidence=0.5))

    run()
    return Run(run, 1)


def solved(number: int) -> Run:
    """Iterations on a turn whose opponent is locked to what the reader expects."""
    hand, session = played()
    decision = spot_of(session, hand, 10)
    spot = Subgame.from_spot(decision)
    solution = Solution(spot.with_locks(locks_from(decision, spot, "Bea", confidence=0.5)))
    return Run(lambda: solution.learn(number), 1)


def kernel() -> Run:
    river, weights = pm.BoardAnalysis("QsJh2h8c3d"), np.random.default_rng(1).random(1326)
    return Run(lambda: [river.evaluate(weights) for _ in range(20)], 20)


for _street, _number, _most in ("river", 100, 1.9), ("turn", 2, 750), ("flop", 1, 43_000):
    for _bits in 32, 16:
        _rounds = 3 if _street == "flop" else None
        _case = case(
            f"solving: {_street}, an iteration, {_bits} bits", "iteration", at_least(1 / _most, KERNEL), rounds=_rounds
        )
        _case.ours(partial(iterations, spot(_street), _bits, _number))
        _case.peer(KERNEL)(kernel)
_case = case("solving: a reader's strategy at every node of a turn tree", "tree", at_least(1, SOLVED), rounds=3)
_case.ours(locks)
_case.peer(SOLVED)(partial(solved, 10))
for _street, _number in ("river", 20), ("turn", 1):
    _case = case(f"solving: {_street} in limit, all holdings, an iteration", "iteration")
    _case.ours(partial(iterations, limit(_street), 32, _number))
    _case.peer(KERNEL)(kernel)


def boards(number: int, game: BlueprintGame | None = None) -> Run:
    """Boards of a game, heads-up limit by default, from which a blueprint learns, all on one flop."""
    rounds = _Learning(game or BlueprintGame.limit(), Build(1, (2000, 1000, 100), 10**6, 1, number, 1)).run(Threads(1))
    next(rounds)
    return Run(lambda: next(rounds), number)


_case = case("solving: a blueprint of limit, a board", "board", at_least(1 / 400, KERNEL))
_case.ours(partial(boards, 24))
_case.peer(KERNEL)(kernel)

_case = case("solving: a blueprint of no limit, 100 big blinds, a board", "board", at_least(1 / 400, KERNEL))
_case.ours(partial(boards, 24, BlueprintGame.no_limit(100)))
_case.peer(KERNEL)(kernel)
