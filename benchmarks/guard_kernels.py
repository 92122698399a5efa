"""What the guard counts: run by `benchmarks.guard` under callgrind, once for each side and vector level.

    python guard_kernels.py LIBRARY LEVEL LAYOUT [] []      # count; prints JSON: why cases could not run, and calls
    python guard_kernels.py LIBRARY LEVEL LAYOUT [] NAMES   # count these cases
    python guard_kernels.py LIBRARY LEVEL LAYOUT PLANS []   # count kernels of a planted build, measured or slowed
    python guard_kernels.py --list                          # names and limits as JSON

A case is a function that prepares and returns what is then called with 0, to warm the simulated caches, and with
1, which counts; all cases prepare before the first is counted. The two boards differ by more than suits, and the
package's memory of boards is turned off: what is a first range must be one.
Everything is deterministic: fixed weights, seeds and boards. The base may be as old as the guard's anchor. Cases use
the names of the working tree; `MOVED` and `RENAMED` say what these were before. A case that the base has and that does
not run there makes the guard fail.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

if __name__ == "__main__" and len(sys.argv) == 6:  # before anything large is imported: numpy's names have to move too
    moved = [bytes(500 + 40 * k) for k in range(300 * int(sys.argv[3]))]

import numpy as np

LEVELS = ("portable", "avx2")  # of vector instructions; the highest that is here also counts what knows no levels
KERNEL, CALL = 1.02, 1.05  # how many times the base's cost is too much: a kernel's, and a short call's from Python

Pass = Callable[[int], object]


class Counted(NamedTuple):
    prepare: Callable[[], Pass]
    limit: float
    vectors: bool  # whether levels differ; else one is enough


CASES: dict[str, Counted] = {}


def counted(
    name: str, limit: float = KERNEL, *, vectors: bool = False
) -> Callable[[Callable[[], Pass]], Callable[[], Pass]]:
    def add(prepare: Callable[[], Pass]) -> Callable[[], Pass]:
        CASES[name] = Counted(prepare, limit, vectors)
        return prepare

    return add


def weights(seed: int, players: int | None = None) -> np.ndarray:
    return np.random.default_rng(seed).random(1326 if players is None else (players, 1326))


def hands(n: int, cards: int) -> np.ndarray:
    return np.argsort(np.random.default_rng(1).random((n, 52)), axis=1)[:, :cards].astype(np.uint8)


def many_times(call: Callable[[], object], times: int = 100) -> Pass:
    def run(_: int) -> None:
        for _ in range(times):
            call()

    return run


# boards of one kind each; two to come take long to simulate, so there the deck is made smaller by dead cards
KINDS = {
    "rainbow": ("2c7d9h", "3c8dTh"),
    "two-tone": ("Ts9s8d", "Js8s7d"),
    "monotone": ("Ac7c4c", "Kc8c5c"),
    "paired": ("KhKd5s", "QhQd6s"),
}
DEAD = "2h3h4h6h6d5d4d3d2d2s3s4s6c9c5hAdQc7h9dTc"


def all_holdings(kind: str) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel import BoardAnalysis

        opponent = weights(2)
        return lambda k: BoardAnalysis(KINDS[kind][k], DEAD).evaluate(opponent, 2)

    return prepare


for _kind in KINDS:
    counted(f"{_kind} flop, all holdings, two to come, first range", vectors=True)(all_holdings(_kind))


@counted("flop, all holdings, one to come, first range", vectors=True)
def flop_one_to_come() -> Pass:
    from pokermodel import BoardAnalysis

    opponent = weights(2)
    return lambda k: BoardAnalysis(KINDS["rainbow"][k]).evaluate(opponent, 1)


@counted("flop, all holdings, further range", vectors=True)
def flop_further() -> Pass:
    from pokermodel import BoardAnalysis

    flop = BoardAnalysis("2c7d9h")
    flop.evaluate(None, 1)
    opponents = weights(2), weights(3)
    return lambda k: flop.evaluate(opponents[k], 1)


@counted("flop, one holding, two to come, cold")
def flop_one_holding() -> Pass:
    from pokermodel import BoardAnalysis

    opponent = weights(2)
    return lambda k: BoardAnalysis(KINDS["rainbow"][k]).potential("AhKd", opponent, 2)


@counted("flop, one holding, one to come, analysed")
def flop_one_holding_further() -> Pass:
    from pokermodel import BoardAnalysis

    flop = BoardAnalysis("2c7d9h")
    flop.evaluate(None, 1)
    opponent = weights(2)
    return many_times(lambda: flop.potential("AhKd", opponent, 1), 10)


@counted("turn, all holdings, first range", vectors=True)
def turn_first() -> Pass:
    from pokermodel import BoardAnalysis

    opponent = weights(2)
    return lambda k: BoardAnalysis(("2c7d9hTs", "3c8dThQs")[k]).evaluate(opponent, 1)


@counted("river, all holdings, from scratch")
def river() -> Pass:
    from pokermodel import BoardAnalysis

    opponent, boards = weights(2), np.argsort(np.random.default_rng(1).random((2, 20, 52)), axis=2)[:, :, :5].tolist()
    return lambda k: [BoardAnalysis(board).strengths(opponent) for board in boards[k]]


@counted("river, all holdings, further ranges")
def river_further() -> Pass:
    from pokermodel import BoardAnalysis

    river, opponents = BoardAnalysis("2c7d9hTsQc"), weights(2, 10)
    return lambda k: [river.strengths(opponent) for opponent in opponents[5 * k :][:5]]


@counted("rivers, holdings in order")
def rivers() -> Pass:
    from pokermodel import BoardAnalysis

    boards = np.argsort(np.random.default_rng(1).random((2, 20, 52)), axis=2)[:, :, :5].tolist()
    return lambda k: [BoardAnalysis(board) for board in boards[k]]


@counted("tables in a few numbers", vectors=True)
def tables_in_numbers() -> Pass:
    from pokermodel import WeightTable

    given = [np.round(each, 2) for each in weights(2, 20)]  # as of readers, few are different

    def run(k: int) -> None:
        for values in given[10 * k :][:10]:
            table = WeightTable(values, dead=(1, 17, 30))
            table.entropy_bits(), table.top(8)

    return run


@contextmanager
def few_flops() -> Iterator[None]:
    """Find the borders of a blueprint's buckets on eight flops: on the usual 120 it took twenty seconds, uncounted."""
    module: Any = import_module("pokermodel.tables.blueprint.blueprint")
    usual = module._FLOPS_FITTED
    module._FLOPS_FITTED = 8
    try:
        yield
    finally:
        module._FLOPS_FITTED = usual


def solving_case(board: str, bits: int, iterations: int) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.solving import Solution, Subgame

        first = "22-99,A2s-ATs,A8o-AJo,K2s-KJs,K9o-KQo,Q2s-QTs,QTo,J6s-JTs,JTo,T6s-T9s,96s-98s,85s-87s,74s-76s"
        second = "66+,A2s+,A8o+,K5s+,KTo+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,86s+,75s+,65s,54s"
        game = Subgame(board, 200, 900, (first, second), bets=["50%", "100%", "all-in"], raises=["60%", "all-in"])
        solution = Solution(game, bits=bits)
        solution.learn(2)
        return lambda k: solution.learn(iterations)

    return prepare


for _bits in 32, 16:
    counted(f"a river solved, {_bits} bits", vectors=True)(solving_case("QsJh2h8c3d", _bits, 20))


@counted("best responses on a river", vectors=True)
def best_responses() -> Pass:
    from pokermodel.solving import Solution, Subgame

    ranges = "22-99,A2s-ATs,K2s-KJs,Q2s-QTs,J6s-JTs", "66+,A2s+,A8o+,K5s+,KTo+,Q8s+,QTo+"
    solution = Solution(Subgame("QsJh2h8c3d", 200, 900, ranges, bets=["50%", "100%"], raises=["60%"]))
    solution.learn(5)
    return lambda k: [solution.measure() for _ in range(20)]


@counted("boards of a blueprint learnt")
def blueprint_boards() -> Pass:
    from pokermodel.executors import Threads
    from pokermodel.tables.blueprint.blueprint import BlueprintGame, Build, _Learning

    with few_flops():
        learning = _Learning(BlueprintGame.limit(), Build(1, (100, 100, 20), 1000, 1, 1, 1))
    rounds = learning.run(Threads(1))
    next(rounds)
    return lambda k: next(rounds)


@counted("boards of a blueprint of no limit learnt")
def no_limit_boards() -> Pass:
    from pokermodel.executors import Threads
    from pokermodel.tables.blueprint.blueprint import BlueprintGame, Build, _Learning

    with few_flops():
        learning = _Learning(BlueprintGame.no_limit(50), Build(1, (100, 100, 20), 1000, 1, 1, 1))
    rounds = learning.run(Threads(1))
    next(rounds)
    return lambda k: next(rounds)


def made_turn() -> tuple[Any, Any]:
    """A turn that two see, and a session: what a solver's locks are made of."""
    import pokermodel as pm
    from pokermodel.game import Act, Action, GameSpec

    f, c, r = Act.FOLD, Act.CALL, Act.RAISE
    acts = [(2, f, None), (3, f, None), (4, f, None), (5, r, 250), (0, f, None), (1, c, None)]
    acts += [(1, c, None), (5, r, 180), (1, c, None), (1, c, None), (5, r, 400), (1, f, None)]
    actions = [Action(seat, act, to=to) for seat, act, to in acts]
    names = ["Sam", "Bea", "Uma", "Hal", "Cy", "Dee"]
    spec = GameSpec.no_limit(6, 50, 100)
    hand = pm.Hand("", "1", spec, names, actions, "Qh8h2c3c", {}, [10_000] * 6)
    return hand, pm.OpponentModeler()


@counted("a reader's strategy at every node of a turn tree", vectors=True)
def reader_locks() -> Pass:
    from pokermodel.solving import Subgame, locks_from

    hand, session = made_turn()
    session.learn(hand)
    sizes: dict[str, Any] = {"bets": ["50%", "all-in"], "raises": ["60%"]}
    if hasattr(Subgame, "from_hand"):  # of a base that took sessions
        spot = Subgame.from_hand(hand, 10, session, **sizes)
        locks = locks_from(session, spot, "Bea", confidence=0.5)
    else:
        from pokermodel.reading import spot_of

        decision = spot_of(session, hand, 10)
        spot = Subgame.from_spot(decision, **sizes)
        locks = locks_from(decision, spot, "Bea", confidence=0.5)
    source = locks[0].strategy.source
    rivers = [lock.strategy.place for lock in locks if "*" in lock.node]
    boards = [(*spot.cards, card) for card in range(52) if card not in spot.cards]
    source.of(rivers, boards)
    return lambda k: source.of(rivers, boards[8 * k :][:8])


@counted("hands played out by a reader's strategy")
def play_outs() -> Pass:
    from pokermodel.game import Act, Decision, GameSpec, Situation, State
    from pokermodel.reading import OpponentModeler
    from pokermodel.worth.play_outs import PlayOuts

    spec, names = GameSpec.no_limit(4, 50, 100, stacks=(10_000,) * 4), ("Ann", "Bea", "Cy", "Dan")
    session, state = OpponentModeler("adaptive"), State(spec)
    session.start(names)
    situation = Situation.of(state, names)
    session.observe(Decision("", "", 0, situation, Act.RAISE, state.act(Act.RAISE, 250)))
    play = PlayOuts(session.spot(Situation.of(state, names)).held("AhTd", state))
    acts = [(Act.CALL, None), (Act.RAISE, 800)]
    return lambda k: play.run(acts, k, most=64)


def endless(effort: Any) -> Any:
    """The effort of a verdict whose solutions end at their first look at how far they are off."""
    from dataclasses import replace

    def changed(depth: Any) -> Any:
        return replace(depth, seconds=float("inf"), first=100.0, target=100.0)

    return replace(effort, depths={street: changed(depth) for street, depth in effort.depths.items()})


def verdict(board: str, calls: int) -> Callable[[], Pass]:
    """A whole verdict: after a raise and calls by so many of six players, and a bet on the board."""

    def prepare() -> Pass:
        from pokermodel.cards import card_indices
        from pokermodel.game import Act, Decision, GameSpec, Situation, State
        from pokermodel.game.rounds import BOARD_CARDS
        from pokermodel.reading import OpponentModeler
        from pokermodel.worth.verdict import VerdictAdviser

        spec, names = GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6), tuple(f"player {k}" for k in range(6))
        session, state, cards = OpponentModeler("adaptive"), State(spec), card_indices(board)
        session.start(names)

        def asked() -> Situation:
            return Situation.of(state, names, cards[: BOARD_CARDS[state.round]])

        def act(what: Act, to: int | None = None) -> None:
            session.observe(Decision("", "", 0, asked(), what, state.act(what, to)))

        act(Act.RAISE, 250)
        for _ in range(calls):
            act(Act.CALL)
        while state.round == 0:
            act(Act.FOLD)
        while len(cards) > BOARD_CARDS[state.round]:
            act(Act.CALL)
        act(Act.RAISE, 400)
        spot = session.spot(asked()).held("AhTd", state)
        adviser = VerdictAdviser(fast=True, deals=128)
        # a solution ends at its first look at how far it is off, after ten iterations: whole ones took minutes. The
        # clock, which goes fifty times as fast in the eyes of what is simulated, ends none.
        if hasattr(adviser, "depths"):  # of a base whose advisers kept them
            for street, depth in adviser.depths.items():
                adviser.depths[street] = depth._replace(seconds=float("inf"), first=100.0, target=100.0)
        else:
            adviser.effort = endless(adviser.effort)
        return lambda k: adviser.advise(spot, k)

    return prepare


counted("a verdict by play-outs, three players on a flop")(verdict("2c7d9h", 2))
# at one level: what is solved is counted at each as rivers and their best responses
counted("a verdict by a solved river")(verdict("QsJh2h8c3d", 1))


@counted("a river solved with locks")
def locked_river() -> Pass:
    from pokermodel.solving import Lock, Solution, Subgame

    game = Subgame("QsJh2h8c3d", 200, 900, ("22-99,A2s-ATs,K2s-KJs", "66+,A2s+,A8o+"), bets=["50%"], raises=["60%"])
    names = "r:0:c", "r:0:b100", "r:0:c:b100:b340"
    locks = [Lock(name, np.full(parts, 1 / parts), 0.5) for name, parts in zip(names, (2, 3, 3), strict=True)]
    solution = Solution(game.with_locks(locks))
    solution.learn(2)
    return lambda k: solution.learn(20)


@counted("rows against rows", vectors=True)
def rows_against_rows() -> Pass:
    from pokermodel._core.simd import compare_rows

    space = np.random.default_rng(1).integers(-126, 126, 100 * 1024 + 64).astype(np.int8)
    rows = space[-space.ctypes.data % 64 :][: 100 * 1024].reshape(100, 1024)  # aligned as they must be
    wins, ties = np.zeros((2, 20, 100), np.uint16)
    return lambda _: compare_rows(rows[:20], rows, wins, ties)


@counted("sums over counts", vectors=True)
def sums_over_counts() -> Pass:
    from pokermodel._core.simd import add_pairs

    counts, row = np.random.default_rng(1).integers(0, 1000, (3, 20_000)).astype(np.uint16), np.ones(20_000)
    hero, others = np.zeros(3), np.zeros((3, 20_000))
    return lambda _: add_pairs(counts, row, 0.5, hero, others)


@counted("crude potentials of a flop")
def crude() -> Pass:
    from pokermodel import BoardAnalysis

    return lambda k: BoardAnalysis(KINDS["two-tone"][k]).crude_potentials()


@counted("range against range on the river")
def range_against_range() -> Pass:
    from pokermodel.evaluation.equity import equity

    ranges = weights(2, 2)
    return lambda k: equity(ranges, ("2c7d9hTsQc", "3c8dThQsKc")[k])


@counted("three known holdings on a flop")
def known_holdings() -> Pass:
    from pokermodel.evaluation.equity import equity

    return lambda k: equity(["AsKs", "QdQh", "JcTc"], KINDS["rainbow"][k])


@counted("two known holdings before the flop")
def known_before_the_flop() -> Pass:
    from pokermodel.evaluation.equity import equity

    return lambda k: equity([("AsKs", "AhQh")[k], "TdTh"], "", DEAD)


@counted("three known holdings before the flop")
def three_before_the_flop() -> Pass:
    from pokermodel.evaluation.equity import equity

    return lambda k: equity([("AsKs", "AhQh")[k], "TdTh", "8c7c"], "", DEAD + "8hJhJd7s")


@counted("ranges of pairs on a flop")
def ranges_on_a_flop() -> Pass:
    from pokermodel.evaluation.equity import equity

    return lambda k: equity(["77+,AJs+,KQs", "22-99,ATs+,QJs"], KINDS["rainbow"][k])


def simulated(players: int, weighted: bool) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.evaluation.equity import equity

        ranges = list(weights(2, players)) if weighted else [None] * players
        return lambda k: equity(ranges, trials=10_000, exact=False, rng=k, jobs=1)

    return prepare


counted("simulation, 2 random players")(simulated(2, False))
counted("simulation, 6 random players")(simulated(6, False))
counted("simulation, 3 weighted ranges")(simulated(3, True))


def few_cards(players: int, cards: int) -> list[np.ndarray]:
    """Weights of those holdings alone that are of the lowest cards: they collide so often that deals are weighed."""
    row = np.zeros(1326)
    row[: cards * (cards - 1) // 2] = weights(2)[: cards * (cards - 1) // 2]
    return [row] * players


def dealt(
    ranges: Callable[[], list[np.ndarray | None]], mode: str = "joint", trials: int = 5_000, **options: bool
) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.evaluation.dealing import Dealer

        dealer = Dealer(ranges(), "7d9hQc", "AsKd", mode, rng=1, **options)  # type: ignore[arg-type]
        return lambda _: dealer.deal(trials)

    return prepare


counted("joint deals, 5 weighted holdings")(dealt(lambda: [*weights(2, 5)]))
counted("joint deals, 9 weighted holdings")(dealt(lambda: [*weights(2, 9)], trials=500))
counted("joint deals, 6 random holdings")(dealt(lambda: [None] * 6))
counted("joint deals, 6 holdings of 12 cards")(dealt(lambda: [*few_cards(6, 12)], trials=500))
counted("published deals, 5 weighted holdings")(dealt(lambda: [*weights(2, 5)], "published"))


def on_runouts(mode: str) -> Callable[[], Pass]:
    def prepare() -> Pass:
        return dealt(lambda: [*weights(2, 5)], mode, stratified=True)()

    return prepare


counted("joint deals, 5 weighted holdings on runouts dealt first")(on_runouts("joint"))
counted("published deals, 5 weighted holdings on runouts dealt first")(on_runouts("published"))


@counted("tables of weighted holdings to draw from")
def tables_to_draw_from() -> Pass:
    from pokermodel._core.dealing import draw

    ranges, words, out = weights(2, 10), np.arange(1, 5, dtype=np.uint64), np.zeros(10, np.uint16)

    def run(k: int) -> None:
        for row in ranges[5 * k :][:5]:
            draw(row, (), words, out)

    return run


def batch(cards: int) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel import evaluate_many

        rows = hands(20_000, cards)
        return lambda _: evaluate_many(rows)

    return prepare


counted("evaluate_many, seven cards", vectors=True)(batch(7))
counted("evaluate_many, five cards", vectors=True)(batch(5))


@counted("all-in showdowns of 23 holdings")
def rollout() -> Pass:
    from pokermodel._core.rollout import count_deals

    tally = np.zeros((23, 169, 23), np.uint64)
    words = np.arange(1, 5, dtype=np.uint64)
    return lambda _: count_deals(words, 1_000, tally)


@counted("showdowns of all holdings on 50 boards")
def heads_up() -> Pass:
    from pokermodel._core.rollout import count_heads_up

    boards, orbits = hands(50, 5), np.ones(50, np.uint8)
    wins, ties = np.zeros((2, 169), np.uint64)
    return lambda _: count_heads_up(boards, orbits, wins, ties)


@counted("stud, hands")
def stud_hands() -> Pass:
    from pokermodel.classics.stud import StudPlayer, play_match

    player = StudPlayer()
    return lambda seed: play_match(player, player, 300, seed=seed)


@counted("stud, hands compared card by card")
def stud_by_cards() -> Pass:
    from pokermodel.classics.stud import Reader, StudPlayer, play_match

    player = StudPlayer(Reader.parse("net25+carry+cards"))
    return lambda seed: play_match(player, player, 50, seed=seed)


@counted("stud, hands judged")
def stud_judged() -> Pass:
    from pokermodel.classics.stud import StudPlayer, play_match

    player = StudPlayer()
    games = play_match(player, player, 500).games
    return lambda _: games.judged(player, 0)


@counted("stud, hands observed")
def stud_observed() -> Pass:
    from pokermodel.classics.stud import StudPlayer, play_match

    player = StudPlayer()
    games = play_match(player, player, 100).games
    return lambda _: games.observed(0, player.reader)


schemes_named = iter(range(1_000_000))


@counted("stud, tables of a small deck")
def stud_tables() -> Pass:
    from pokermodel.classics.stud import card_tables
    from pokermodel.classics.stud.tables import get_scheme

    def run(k: int) -> None:  # tables are kept: another name makes another scheme
        card_tables(replace(get_scheme(9), name=f"9, {next(schemes_named)}"), range(8 + 20 * k, 20 + 20 * k))

    return run


@counted("stud, chance to win by enumeration")
def stud_enumeration() -> Pass:
    from pokermodel.classics.stud import exact_win

    belief = (np.arange(52) % 16 == 15).astype(np.float64)
    return lambda k: exact_win(("2c7d9h", "3c8dTh")[k], ("4s5s", "5s6s")[k], belief)


# ------------------------------------------------------------------------------------ short calls from Python


@counted("call: evaluate", CALL)
def call_evaluate() -> Pass:
    from pokermodel import evaluate

    cards = [51, 45, 3, 17, 30, 8, 22]
    return many_times(lambda: evaluate(cards))


@counted("call: evaluate_many, one hand", CALL)
def call_evaluate_many() -> Pass:
    from pokermodel import evaluate_many

    row = hands(1, 7)
    return many_times(lambda: evaluate_many(row))


@counted("call: hand_strength", CALL)
def call_strength() -> Pass:
    from pokermodel import hand_strength

    return many_times(lambda: hand_strength((51, 45), (3, 17, 30)), 20)


@counted("call: hand_potential on the turn", CALL)
def call_potential() -> Pass:
    from pokermodel.evaluation import hand_potential

    return many_times(lambda: hand_potential((51, 45), (3, 17, 30, 8)), 5)


@counted("triples of all holdings")
def triples() -> Pass:
    from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot

    generator = TripleGenerator()
    spot = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    values, out = np.resize(weights(1), 13_260), np.empty((13_260, 3))
    return lambda _: generator.core.triples(spot, values, values, values, False, out)


def one_board() -> tuple[Any, Any, Any]:
    """Values, potentials and weights of the holdings of a flop."""
    from pokermodel import BoardAnalysis

    flop = BoardAnalysis("2c7d9h")
    return flop.strengths(), flop.crude_potentials(), np.where(flop.live, weights(2), 0.0)


@counted("forecasts by Loki-1's ramps", vectors=True)
def ramp_forecasts() -> Pass:
    from pokermodel.classics.loki1.reweighting import ramp_forecast
    from pokermodel.learning.thresholds import Threshold

    board, high, low = one_board(), Threshold(0.8, 0.8, 0.08), Threshold(0.5, 0.5, 0.2)
    return many_times(lambda: ramp_forecast(*board, high, low, odds=0.2), 20)


@counted("forecasts by Loki-2's triples", vectors=True)
def triple_forecasts() -> Pass:
    from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
    from pokermodel.classics.loki2.triples import TripleSpot, expect_triples

    board, borders = one_board(), BettingThresholds.gom().one_bet
    spot = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    return many_times(lambda: expect_triples(borders, spot, *board), 20)


@counted("weights by Loki-1's ramps", vectors=True)
def ramp_weights() -> Pass:
    from pokermodel.classics.loki1.reweighting import reweight

    values, potentials, held = one_board()
    exempt, live = potentials >= 0.2, held > 0
    return many_times(lambda: reweight(held, values, 0.5, 0.2, exempt=exempt, live=live), 40)


@counted("triples by Loki-1's ramps")
def ramps_as_triples() -> Pass:
    from pokermodel.classics.loki1.reweighting import ramp_triples
    from pokermodel.learning.thresholds import Threshold

    (values, potentials, _), high, low = one_board(), Threshold(0.8, 0.8, 0.08), Threshold(0.5, 0.5, 0.2)
    return many_times(lambda: ramp_triples(values, high, low, exempt=potentials >= 0.2), 20)


@counted("factors of a fold by Loki-1's ramps")
def ramp_factors() -> Pass:
    from pokermodel.classics.loki1.reweighting import reweighting_factors

    values, _, _ = one_board()
    return many_times(lambda: (reweighting_factors(values, 0.5, 0.2), reweighting_factors(values, 0.1, 0.36)), 20)


@counted("weights by Bayes' rule", vectors=True)
def bayes_weights() -> Pass:
    from pokermodel.classics.loki1.reweighting import ramp_triples
    from pokermodel.learning.thresholds import Threshold
    from pokermodel.reading import posterior

    values, _, held = one_board()
    triples = ramp_triples(values, Threshold(0.8, 0.8, 0.08), Threshold(0.5, 0.5, 0.2))
    alone = np.ascontiguousarray(triples[:, 1])
    return many_times(lambda: (posterior(held, triples[:, 1], 0.01), posterior(held, alone)), 40)


@counted("means of triples by weights")
def mean_triples() -> Pass:
    from pokermodel.reading import Expectation

    triples, held = np.random.default_rng(3).random((1326, 3)), weights(2)
    return many_times(lambda: Expectation.of(triples, held), 40)


@counted("tables of opponents merged", vectors=True)
def merged_tables() -> Pass:
    from pokermodel.classics.loki1.field import field_array

    opponents = list(weights(2, 6))
    return many_times(lambda: (field_array(opponents, "mean"), field_array(opponents, "maximum")), 20)


@counted("forecasts by BPP's tables")
def bpp_forecasts() -> Pass:
    from pokermodel import BoardAnalysis, example_hand
    from pokermodel.classics.bpp.class_tables import BayesTables
    from pokermodel.classics.bpp.strength_buckets import strength_classes
    from pokermodel.reading.features import Replay

    hand, tables = example_hand(), BayesTables()
    decisions = Replay.of(hand, None)
    tables.learn(hand, decisions)
    asked = [
        (features, decision.situation, strength_classes(BoardAnalysis(decision.board) if decision.board else None))
        for features, decision in zip(decisions.features, decisions, strict=True)
    ]
    held = weights(2)

    def forecast() -> None:
        for features, situation, classes in asked:
            tables.expect(features, situation.legal, situation.player, classes, held, 1)

    return many_times(forecast, 10)


@counted("forecasts by the adaptive reader", vectors=True)
def adaptive_forecasts() -> Pass:
    from pokermodel import OpponentModeler, example_hand

    hand = example_hand()
    decisions, session = list(hand.replay()), OpponentModeler("adaptive")
    for decision in decisions[:-1]:
        session.observe(decision)
    asked = decisions[-1].situation
    session.predict(asked)
    held = weights(4)
    spot = session.spot(asked)
    return many_times(lambda: session.reader.expect(spot).posterior(held, 1), 10)


@counted("call: forecasts and tables corrected", CALL)
def corrected_forecasts() -> Pass:
    from pokermodel import example_hand
    from pokermodel.reading import Calibration
    from pokermodel.reading.calibration import corrected

    calibration, predicted, held = Calibration(), np.array([0.3, 0.5, 0.2]), weights(4)
    situations = [decision.situation for decision in example_hand().replay()]

    def correct() -> None:
        for situation in situations:
            calibration.forecast(situation, predicted)
            corrected(held, situation.board, 0.7)

    return many_times(correct, 5)


@counted("hand strengths against a field")
def strengths_of_field() -> Pass:
    from pokermodel import BoardAnalysis

    flop, opponents = BoardAnalysis("2c7d9h"), list(weights(2, 3))
    potentials = flop.crude_potentials()
    return many_times(lambda: flop.against(opponents, "mean", potentials), 20)


def jointly(opponents: int, times: int) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel import BoardAnalysis

        flop, tables = BoardAnalysis("2c7d9h"), list(weights(2, opponents))
        return many_times(lambda: flop.joint_strength("AhKd", tables), times)

    return prepare


counted("strength against two opponents at once")(jointly(2, 20))
counted("strength against three opponents at once")(jointly(3, 5))


def played_out(policy: str, trials: int, known: bool, **options: str) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.classics.simulation import Simulator, StrengthCache
        from pokermodel.game import Act, GameSpec, State

        state = State(GameSpec.ring(4, 1, 2))
        while state.round == 0:
            state.act(Act.CALL)
        tables = list(weights(1, 4))
        cache = StrengthCache()
        simulator = Simulator(policy=policy, stop="none", cache=cache, **options)  # type: ignore[arg-type]

        def run(_: int) -> None:
            if not known:
                cache.clear()
            simulator.run((state, "2c7d9h"), "AhKd", tables, trials=trials, rng=1)

        return run

    return prepare


counted("play-outs of a flop, four players", vectors=True)(played_out("triples", 15, known=False))
counted("play-outs of a flop, crude potentials")(played_out("triples", 20, known=False, potential="crude"))
counted("play-outs, strengths known")(played_out("triples", 500, known=True))
counted("play-outs by Loki-1's rules, strengths known")(played_out("loki1", 500, known=True))


@counted("heads-up hands of random players")
def random_play() -> Pass:
    from pokermodel.tables.arena import random_hands

    return lambda seed: random_hands(10_000, rng=seed)


def stepped(game: str) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel._core.environment import Tables
        from pokermodel.game import GameSpec, State

        limit = game == "limit"
        spec = GameSpec.ring(6, 1, 2) if limit else GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
        sizes, n = np.array([0.0] if limit else [0.5, 1.0, np.inf]), 200
        tables = Tables(State(spec), n, sizes, 8, -1, ("random",) * 5 if limit else (), 2)
        tables.seed(np.random.default_rng(1).integers(0, 2**63, (n, 8), dtype=np.uint64))
        tables.begin()
        outcome = np.empty(n), np.empty(n, np.uint8), np.empty((n, spec.players))
        seen = np.empty((n, tables.width), np.float32), np.empty((n, tables.actions), np.int8), np.empty(n, np.int8)
        actions = np.empty(n, np.int64)

        def run(_: int) -> None:
            for _ in range(10):
                tables.sample(actions)
                tables.step(actions, 0, n, "SameStep", *outcome, *seen)

        return run

    return prepare


counted("steps of tables of no limit")(stepped("no limit"))
counted("steps of tables of six with opponents")(stepped("limit"))


@counted("a hand learnt by the adaptive reader")
def learn_people() -> Pass:
    from pokermodel import example_hand
    from pokermodel.reading import PopulationModel

    people, found = PopulationModel(), PopulationModel.evidence(example_hand())
    return lambda seed: people.update([found])


@counted("sizes learnt and foretold by the adaptive reader")
def sizes_of_people() -> Pass:
    from pokermodel import GameSpec
    from pokermodel.game import Act, BettingStructure, Hand
    from pokermodel.reading import PopulationModel

    spec = GameSpec.no_limit(2, 50, 100, stacks=(10_000, 10_000))
    actions = [(0, Act.RAISE, False, 300), (1, Act.RAISE, False, 900), (0, Act.FOLD)]
    found = PopulationModel.evidence(Hand("guard", "1", spec, ["Ann", "Bob"], actions))
    people = PopulationModel().of(BettingStructure.NO_LIMIT)
    told = [(acts, size) for acts in found.players for size in acts.sizes]

    def follow() -> None:
        for acts, size in told:
            rows = acts.rows[size.act]
            people.size_forecast(found.population, acts.name, rows, size.context, size.range, size.habits)
            people.learn_sizes(found.population, acts)

    return many_times(follow, 20)


@counted("classes of holdings on ten boards")
def classes_of_holdings() -> Pass:
    from pokermodel.reading.adaptive.holdings import holding_classes

    boards = np.argsort(np.random.default_rng(1).random((2, 10, 52)), axis=2)[:, :, :5].tolist()
    return lambda k: [len(holding_classes(tuple(board[:n]))) for board in boards[k] for n in (3, 4, 5)]


@counted("call: what a hand says of people", CALL)
def say_of_people() -> Pass:
    from pokermodel import example_hand
    from pokermodel.reading import PopulationModel
    from pokermodel.reading.features import Replay

    hand = example_hand()
    replayed = Replay.of(hand, None)
    return lambda seed: PopulationModel.evidence(hand, replayed)


@counted("hands counted again by BPP")
def count_hands() -> Pass:
    from pokermodel import example_hand
    from pokermodel.classics.bpp.class_tables import BayesTables

    tables, found = BayesTables(), [BayesTables.evidence(example_hand())] * 40
    return lambda seed: tables.update(found)


@counted("call: the rows of a hand", CALL)
def call_library_rows() -> Pass:
    from pokermodel import example_hand
    from pokermodel.library.rows import Place, rows_of

    hand = example_hand()
    return many_times(lambda: rows_of([(hand, Place())]), 5)


@counted("call: what tells a hand from others", CALL)
def call_identity() -> Pass:
    from pokermodel import example_hand
    from pokermodel.learning.identity import identity

    hand = example_hand()
    return many_times(lambda: identity(hand), 20)


@counted("20 hands as rows of a new book", CALL)
def new_book() -> Pass:
    from pokermodel import example_hand
    from pokermodel.game import Hand
    from pokermodel.library import Book

    hand = example_hand()
    parts = hand.spec, hand.players, hand.actions, hand.board, hand.holdings, hand.stacks
    hands = [Hand("guard", str(number), *parts) for number in range(20)]

    def run(_: int) -> None:
        with Book("sqlite://") as book:
            book.add(hands)

    return run


def scored(model: str) -> Callable[[], Pass]:
    """A hand that is foretold and read: what boards say is worked out again each time."""

    def prepare() -> Pass:
        from pokermodel import OpponentModeler, example_hand

        hand = example_hand()
        decisions, session = list(hand.replay()), OpponentModeler(model)
        session.learn(hand, decisions)

        def run(_: int) -> None:
            session.start(hand.players)
            for decision in decisions:
                session.predict(decision)
                session.observe(decision)

        return run

    return prepare


for _model in ("som", "loki2:som", "bpp", "adaptive"):
    counted(f"call: a hand read by {_model}", CALL)(scored(_model))


@counted("hands as tables by class see them")
def observe_hands() -> Pass:
    from pokermodel import example_hand
    from pokermodel.classics.bpp.class_tables import BayesTables
    from pokermodel.reading.features import Replay

    hand = example_hand()
    replay = Replay.of(hand, None)
    _ = replay.features  # worked out before
    return many_times(lambda: BayesTables.evidence(hand, replay), 20)


@counted("call: features of a hand's situations", CALL)
def call_features() -> Pass:
    from pokermodel import example_hand
    from pokermodel.reading.features import Replay

    decisions = list(example_hand().replay())
    return many_times(lambda: Replay(decisions).features, 20)


@counted("call: a hand's forecasts and bits in a score", CALL)
def call_score() -> Pass:
    import numpy as np

    from pokermodel import example_hand
    from pokermodel.scoring import Score

    decisions, found = list(example_hand().replay()), Score("guard")
    predicted, weights, live = np.full(3, 1 / 3), np.linspace(0, 1, 1326), np.ones(1326, dtype=np.bool_)

    def add() -> None:
        for decision in decisions:
            asked = decision.situation
            found.add_action(1, asked.round, asked.player, 7, asked.legal, predicted, decision.act)
            found.bits(weights, live, 900)

    return many_times(add, 10)


@counted("call: corrections learnt from a hand", CALL)
def call_corrections() -> Pass:
    import numpy as np

    from pokermodel import example_hand
    from pokermodel.reading import Calibration
    from pokermodel.reading.calibration import Forecast

    hand, weights = example_hand(), np.repeat(np.linspace(0.1, 1, 221), 6)
    said = [Forecast(decision, np.full(3, 1 / 3), weights) for decision in hand.replay()]
    holdings = dict.fromkeys(range(len(hand.players)), 1325)
    calibration = Calibration()
    return many_times(lambda: calibration.learn_hand(said, holdings), 4)


@counted("call: a hand's situations as rows", CALL)
def call_rows() -> Pass:
    from pokermodel import example_hand
    from pokermodel.reading.adaptive.situations import LIMIT_TABLE, board_features
    from pokermodel.reading.features import Replay

    replay = Replay.of(example_hand(), None)
    features, boards = replay.features, [board_features(decision.board) for decision in replay]
    return many_times(lambda: LIMIT_TABLE.arrays(features, boards), 20)


@counted("call: BoardAnalysis", CALL)
def call_analysis() -> Pass:
    from pokermodel import BoardAnalysis

    return many_times(lambda: BoardAnalysis((3, 17, 30)), 20)


@counted("call: Dealer.deal, one deal", CALL)
def call_deal() -> Pass:
    from pokermodel.evaluation.dealing import Dealer

    dealer = Dealer([None, None], rng=1)
    return many_times(lambda: dealer.deal(1))


@counted("call: replay of a hand", CALL)
def call_replay() -> Pass:
    from pokermodel import example_hand

    hand = example_hand()
    return many_times(lambda: list(hand.replay()), 10)


@counted("call: replay of a hand of no limit", CALL)
def call_replay_no_limit() -> Pass:
    from pokermodel.game import Act, Action, GameSpec, Hand

    spec = GameSpec.no_limit(3, 5, 10, stacks=(1000, 1000, 1000))
    done = [(2, Act.RAISE, 30), (0, Act.RAISE, 100), (1, Act.FOLD, None), (2, Act.CALL, None)]
    done += [(0, Act.RAISE, 150), (2, Act.CALL, None), (0, Act.CALL, None), (2, Act.RAISE, 500), (0, Act.FOLD, None)]
    actions = [Action(seat, act, to=to) for seat, act, to in done]
    hand = Hand("guard", "1", spec, ("Ann", "Bob", "Cid"), actions, (0, 1, 2, 3))
    return many_times(lambda: list(hand.replay()), 10)


def reading(files: Callable[[int], dict[str, str]], hands: int = 40) -> Callable[[], Pass]:
    """Read a folder of hands to their decisions, given the files of so many."""

    def prepare() -> Pass:
        from pokermodel import open_hands

        folder = tempfile.mkdtemp(prefix="guard")
        atexit.register(shutil.rmtree, folder)
        for name, text in files(hands).items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return lambda seed: sum(1 for hand in open_hands(folder, index=False) for _ in hand.replay())

    return prepare


def irc_month(hands: int) -> dict[str, str]:
    """A month of the IRC database."""
    players = {
        "Ann": "3 1 Bf  -  -  -  500  5   0",
        "Bob": "3 2 Bc  kr b  b  500 80 145",
        "Cy": "3 3 r   bc c  f  500 60   0",
    }
    times = range(797_210_868, 797_210_868 + hands)
    pdb = {f"pdb/pdb.{name}": "".join(f"{name} {time} {rest}\n" for time in times) for name, rest in players.items()}
    return pdb | {
        "hdb": "".join(f"{time} 1 {time % 1000} 3 2/45 2/85 2/125 1/145 2c 7d 9h Ks 3s\n" for time in times),
        "hroster": "".join(f"{time} 3 Ann Bob Cy\n" for time in times),
    }


SITE_HAND = """\
PokerStars Hand #{number}:  Hold'em No Limit ($0.05/$0.10 USD) - 2009/11/10 12:14:37 ET
Table 'Guard' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($7.35 in chips)
Seat 3: Cid ($12.40 in chips)
Bob: posts small blind $0.05
Cid: posts big blind $0.10
*** HOLE CARDS ***
Ann: raises $0.20 to $0.30
Bob: folds
Cid: calls $0.20
*** FLOP *** [2c 7d 9h]
Cid: checks
Ann: bets $0.40
Cid: calls $0.40
*** TURN *** [2c 7d 9h] [Ks]
Cid: checks
Ann: bets $1.10
Cid: folds
Uncalled bet ($1.10) returned to Ann
Ann collected $1.40 from pot
*** SUMMARY ***
Total pot $1.45 | Rake $0.05
Board [2c 7d 9h Ks]
Seat 1: Ann (button) collected ($1.40)
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cid (big blind) folded on the Turn

"""


def site_text(hands: int) -> dict[str, str]:
    """Text of PokerStars."""
    return {"stars.txt": "".join(SITE_HAND.format(number=number) for number in range(1, hands + 1))}


def unusual_site_text(hands: int) -> dict[str, str]:
    """Text of PokerStars that goes to the reader of lines, as that of all other sites does."""
    return {name: text.replace("($10 in", "($1,000 in") for name, text in site_text(hands).items()}


def phh_text(hands: int) -> dict[str, str]:
    """PHH with the same hand many times."""
    from pokermodel import example_hand
    from pokermodel.histories.phh import dumps_all

    return {"many.phhs": dumps_all([example_hand()] * hands)}


def unusual_phh_text(hands: int) -> dict[str, str]:
    """PHH that goes to the careful reader."""
    return {name: text.replace("'d db Kc'", "'d db Kc # the turn'") for name, text in phh_text(hands).items()}


def one_hand_files(hands: int) -> dict[str, str]:
    """Text of PokerStars, a file for each hand."""
    return {f"{number}.txt": SITE_HAND.format(number=number) for number in range(1, hands + 1)}


def hand_to_report() -> Callable[[], Any]:
    """What reads a hand as its hero sees it: a report that nobody has drawn."""
    from pokermodel import OpponentModeler, open_hands
    from pokermodel.analysis.hand import HandReport

    folder = tempfile.mkdtemp(prefix="guard")
    atexit.register(shutil.rmtree, folder)
    dealt = "*** HOLE CARDS ***\nDealt to Ann [Ah Qh]"
    Path(folder, "a.txt").write_text(SITE_HAND.format(number=1).replace("*** HOLE CARDS ***", dealt))
    hand = next(iter(open_hands(folder, index=False)))
    return lambda: HandReport.of(hand, OpponentModeler(hero="Ann"), "Ann", verdicts=False)


@counted("call: a hand read for a report", CALL)
def report_of_hand() -> Pass:
    read = hand_to_report()
    return lambda _: read().to_dict(ranges=False)


def reported(draw: Callable[[Any], object]) -> Callable[[], Pass]:
    """A hand drawn that is read already, which costs several times as much and is a case of its own."""

    def prepare() -> Pass:
        read = hand_to_report()
        reports = [read() for _ in range(3)]  # of which each is drawn once: they remember what was drawn
        for report in reports:
            for step in report.steps:
                _ = step.price  # its deals are a part of reading the hand, whenever they are drawn
        unseen = cycle(reports)
        return lambda _: draw(next(unseen))

    return prepare


def as_json(report: Any) -> str:
    from pokermodel._core.json_text import dumps

    return dumps(report.to_dict(ranges=False))


def as_text(report: Any) -> None:
    import io

    from rich.console import Console

    from pokermodel.report.terminal import print_report

    print_report(report, Console(file=io.StringIO(), width=1000, highlight=False, color_system=None))


def as_page(report: Any) -> object:
    from pokermodel.report.page import hand_data

    return hand_data([report])


counted("call: the report of a hand, as JSON", CALL)(reported(as_json))
counted("call: the report of a hand, as text", CALL)(reported(as_text))
counted("call: the report of a hand, for a page", CALL)(reported(as_page))


@counted("JSON of floats")
def json_of_floats() -> Pass:
    from pokermodel._core.json_text import dumps

    values = [np.random.default_rng(seed).random(2000).tolist() for seed in range(2)]
    return lambda k: dumps(values[k])


@counted("shares of a holding on a flop")
def shares_of_holding() -> Pass:
    from pokermodel._core.matchups import Matchups

    boards, found = ((0, 23, 30), (5, 24, 32)), np.empty(1326)  # 2c 7s 9h, 3d 8c Tc
    return lambda k: Matchups(boards[k]).against(1325, found)


counted("reading hands of PokerStars, a file each", CALL)(reading(one_hand_files, 25))
counted("reading hands of the IRC database", CALL)(reading(irc_month))
counted("reading hands of PokerStars", CALL)(reading(site_text))
counted("reading unusual hands of PokerStars", CALL)(reading(unusual_site_text, 10))
counted("reading hands of PHH", CALL)(reading(phh_text))
counted("reading unusual hands of PHH", CALL)(reading(unusual_phh_text, 10))


BOARD = ("2c", "7d", "9h", "Ks", "3s")
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")


class Done(NamedTuple):
    """An act of a hand, and what there is before it."""

    street: int
    seat: int
    act: int
    opens: bool  # nobody has bet in this round
    put_in: int
    to: int  # the seat's bet in this round


def capped_hand() -> tuple[list[Done], list[int], list[int]]:
    """Six raise as often as limit allows in each round, and all but one fold at the end.

    Texts of it have a mistake at their end, up to which kernels make few objects.

    Returns the acts, the pots after each round, and the chips that each seat put in.
    """
    from pokermodel.game import Act, GameSpec, State

    spec = GameSpec.ring(6, 5, 10)
    state = State(spec, (500,) * 6)
    acts, pots, before = list[Done](), list[int](), (0,) * 6
    raises = 1
    while not state.over:
        street, seat = state.round, state.seat
        if street == len(pots):
            pots.append(state.pot)
            raises = 0
            before = state.committed if street else before
        legal = state.legal()
        act = Act.RAISE if Act.RAISE in legal else Act.FOLD if street == 3 else Act.CALL
        put_in = state.act(act)
        acts.append(Done(street, seat, act, raises == 0 and street > 0, put_in, state.committed[seat] - before[seat]))
        raises += act == Act.RAISE
    return acts, [*pots[1:], state.pot], list(state.committed)


@counted("long hands of PHH, refused at their end")
def phh_refused() -> Pass:
    from pokermodel._core.phh_hands import rebuild
    from pokermodel.game import Act, Action, BettingStructure, Hand
    from pokermodel.histories import phh

    spec = phh.pokerkit_game((0,) * 6, (5, 10, 0, 0, 0, 0), (10, 20), BettingStructure.LIMIT)
    actions = [Action(done.seat, Act(done.act)) for done in capped_hand()[0]]
    text = Hand("phh", "1", spec, NAMES, actions, "".join(BOARD), {}, [500] * 6).to_phh()
    document = text.replace("d db 3s", "d db 2c").encode()  # which is on the board already
    return many_times(lambda: rebuild(document, phh._usual_game, phh._ACTIONS, Action), 20)


@counted("long hands of the IRC database, refused at their end")
def irc_refused() -> Pass:
    from functools import partial

    from pokermodel._core.irc_hands import rebuild
    from pokermodel.histories import irc

    acts, pots, put_in = capped_hand()
    letters = [["B" if seat < 2 else "", "", "", ""] for seat in range(6)]
    for done in acts:
        letters[done.seat][done.street] += ("f", "c", "b" if done.opens else "r")[done.act]
    line = f"797210868 1 7 6 6/{pots[0]} 6/{pots[1]} 6/{pots[2]} 1/{pots[3] + 1} {' '.join(BOARD)}".encode()
    won = [pots[3] if letters[seat][3][-1] == "r" else 0 for seat in range(6)]
    rows: list[int | bytes] = []
    for seat, name in enumerate(NAMES):
        rows += [
            seat,
            f"{name} 797210868 6 {seat + 1} {' '.join(letters[seat])} 500 {put_in[seat]} {won[seat]}".encode(),
        ]
    roster = f"6 {' '.join(NAMES)}".encode()
    game = partial(irc._spec, bet=10)
    return many_times(lambda: rebuild(line, roster, rows, game, irc._ACTIONS), 20)


@counted("long hands of PokerStars, refused at their end")
def stars_refused() -> Pass:
    from pokermodel._core.stars_hands import rebuild
    from pokermodel.game import Action
    from pokermodel.histories import pokerstars

    acts, pots, put_in = capped_hand()
    back = sorted(put_in)[-1] - sorted(put_in)[-2]
    winner = NAMES[put_in.index(max(put_in))]
    lines = [
        "PokerStars Hand #7:  Hold'em Limit ($10/$20 USD) - 2009/11/10 12:14:37 ET",
        "Table 'Guard' 6-max Seat #6 is the button",
        *(f"Seat {seat}: {name} ($500 in chips)" for seat, name in enumerate(NAMES, 1)),
        "Ann: posts small blind $5",
        "Bob: posts big blind $10",
        "*** HOLE CARDS ***",
    ]
    street = 0
    for done in acts:
        if done.street > street:
            street = done.street
            dealt = f"[{' '.join(BOARD[: street + 2])}]"
            new = f"[{' '.join(BOARD[: street + 1])}] [{BOARD[street + 1]}]"
            lines.append(f"*** {('FLOP', 'TURN', 'RIVER')[street - 1]} *** {dealt if street == 1 else new}")
        raised = f"bets ${done.to}" if done.opens else f"raises $10 to ${done.to}"
        lines.append(f"{NAMES[done.seat]}: {('folds', f'calls ${done.put_in}', raised)[done.act]}")
    lines += [
        f"Uncalled bet (${back}) returned to {winner}",
        f"{winner} collected ${pots[3] - back} from pot",
        "*** SUMMARY ***",
        f"Total pot ${pots[3] - back} | Rake $1",
        f"Board [{' '.join(BOARD)}]",
        "",
    ]
    data = "\n".join(lines).encode()
    usual = pokerstars._usual_game, pokerstars._hour, pokerstars.game_of, pokerstars._ACTIONS, Action
    return many_times(lambda: rebuild(data, 0, len(data), *usual), 20)


# ---------------------------------------------------------------------------------------------------- counting


class Plan(NamedTuple):
    """What is done to a kernel of a planted build: it is measured, or slowed."""

    name: str
    case: str
    kernel: int
    period: int = 0  # 0 to measure; else each so many of its calls
    steps: float = 0.0  # wastes so many steps


def carry_out(plans: Iterable[Plan], requests: ctypes.CDLL) -> dict[str, int]:
    """Count the case of each plan, with what it says done in the counted pass; calls of the kernels, by name."""
    names = ("kernel", "measures", "period", "wait", "calls")
    kernel, measures, period, wait, calls = (ctypes.c_int.in_dll(requests, f"planted_{name}") for name in names)
    steps = ctypes.c_double.in_dll(requests, "planted_steps")
    called = {}
    for plan in plans:
        run = CASES[plan.case].prepare()
        run(0)
        gc.collect()
        requests.count_start()
        run(0)
        kernel.value, measures.value, period.value, steps.value = plan.kernel, not plan.period, plan.period, plan.steps
        wait.value = calls.value = 0
        if not plan.period:
            requests.count_toggle()
        requests.count_from_zero()
        run(1)
        requests.count_write(plan.name.encode())
        if not plan.period:
            requests.count_toggle()
        requests.count_stop()
        kernel.value, measures.value = -1, 0
        called[plan.name] = calls.value
    return called


def count(requests: ctypes.CDLL, names: Collection[str]) -> dict[str, str]:
    """Count cases; what kept a case from being counted, by name.

    All are prepared before the first is counted: whenever counting starts or stops, all code is translated again, which
    took longer than to run most cases.

    Layouts differ in where objects lie, upon which the collisions in Python's cache of methods depend, up to 7% of
    a short call, and those in the simulated caches, up to 3% of a kernel's cost.
    """
    problems: dict[str, str] = {}
    prepared: dict[str, Pass] = {}
    for name in names:
        try:
            run = CASES[name].prepare()
            run(0)  # first without counting: it can fail, and it fills what is filled at the first call
        except Exception as error:
            problems[name] = f"{type(error).__name__}: {error}"
        else:
            prepared[name] = run
    gc.collect()
    requests.count_start()
    for name, run in prepared.items():
        run(0)
        requests.count_from_zero()
        run(1)
        requests.count_write(name.encode())
    requests.count_stop()
    return problems


#: Where bases have the modules that cases import: the name in the working tree, and earlier ones, the latest first.
MOVED: dict[str, tuple[str, ...]] = {
    "classics.bpp.class_tables": ("reading.bpp.class_tables",),
    "classics.bpp.strength_buckets": ("reading.bpp.strength_buckets",),
    "classics.loki1.field": ("reading.loki.field",),
    "classics.loki1.reweighting": ("reading.loki.reweighting",),
    "classics.loki2.decision_thresholds": ("reading.loki.decision_thresholds",),
    "classics.loki2.triples": ("reading.loki.triples",),
    "classics.simulation": ("simulation",),
    "classics.stud": ("stud",),
    "classics.stud.tables": ("stud.tables",),
    "learning.thresholds": ("reading.loki.thresholds",),
    "tables.arena": ("arena",),
    "tables.blueprint.blueprint": ("solving.blueprint",),
    "worth.play_outs": ("simulation.play_outs",),
    "worth.verdict": ("players.verdict",),
}
#: What bases call the names that cases import, by module of the working tree: the present name, and the earlier one.
RENAMED: dict[str, dict[str, str]] = {}


def imported(name: str) -> ModuleType | None:
    """A module of the package, if this side has it."""
    full = f"pokermodel.{name}"
    try:
        return import_module(full)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{full}.".startswith(f"{error.name}."):
            raise  # it is there, and something that it needs is not
        return None


def find_what_moved() -> None:
    """Let cases find what a base has elsewhere, under the names of the working tree."""
    lacking = [now for now in MOVED if imported(now) is None]  # before any is found: parents would load children twice
    for now in lacking:
        found = next(filter(None, map(imported, MOVED[now])), None)
        if found is not None:
            sys.modules[f"pokermodel.{now}"] = found
    for now, names in RENAMED.items():
        module = imported(now)
        for name, before in names.items():
            if not hasattr(module, name):
                setattr(module, name, getattr(module, before))


def use(level: str) -> list[str]:
    """Import the package, from the side that is counted, and use a vector level; the cases to count at it.

    They are none if the level is lacking here, and at the highest one also those that know no levels.
    """
    import pokermodel
    from pokermodel import evaluation, simd

    if not Path(pokermodel.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"what would be counted is {pokermodel.__file__}, and not the side's")
    find_what_moved()
    available = [each for each in LEVELS if each in simd.available()]
    if level not in available:
        return []
    simd.use(level)
    evaluation.counts_cache.resize(0)
    return [name for name, case in CASES.items() if case.vectors or level == available[-1]]


def main(library: str, level: str, layout: int, plans: list[Plan], wanted: list[str]) -> None:
    requests = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)  # before the kernels, that planted ones find it
    requests.count_write.argtypes = [ctypes.c_char_p]
    names = [name for name in use(level) if (name in wanted if wanted else not layout or CASES[name].limit == CALL)]
    plans = [plan for plan in plans if plan.case in names]
    cases = {plan.case for plan in plans}
    gc.disable()
    problems = {}
    if not any(plan.period for plan in plans):
        problems = count(requests, [name for name in names if name in cases or not plans])
    calls = carry_out([plan for plan in plans if plan.case not in problems], requests)
    print(json.dumps({"problems": problems, "calls": calls}))


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: case.limit for name, case in CASES.items()}))
    else:
        _, library_, level_, layout_, plans_, names_ = sys.argv
        main(library_, level_, int(layout_), [Plan(*plan) for plan in json.loads(plans_)], json.loads(names_))
