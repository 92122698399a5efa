"""What the guard counts: run by `benchmarks.guard` under callgrind, once for each side and vector level.

    python guard_kernels.py LIBRARY LEVEL LAYOUT   # count; prints a JSON object {name: why it could not run}
    python guard_kernels.py --list                 # names and limits as JSON

A case is a function that prepares and returns what is then called with 0, to warm the simulated caches, and with
1, which counts. The two boards differ by more than suits, and the package's memory of boards is turned off: what is
a first range must be one.
Everything is deterministic: fixed weights, seeds and boards. The base may be an older revision, so only names
that are there to stay are used; what a revision lacks is reported and not compared.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

KERNEL, CALL = 1.02, 1.05  # how many times the base's cost is too much: a kernel's, and a short call's from Python

Pass = Callable[[int], object]


class Counted(NamedTuple):
    prepare: Callable[[], Pass]
    limit: float


CASES: dict[str, Counted] = {}


def counted(name: str, limit: float = KERNEL) -> Callable[[Callable[[], Pass]], Callable[[], Pass]]:
    def add(prepare: Callable[[], Pass]) -> Callable[[], Pass]:
        CASES[name] = Counted(prepare, limit)
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
    counted(f"{_kind} flop, all holdings, two to come, first range")(all_holdings(_kind))


@counted("flop, all holdings, one to come, first range")
def flop_one_to_come() -> Pass:
    from pokermodel import BoardAnalysis

    opponent = weights(2)
    return lambda k: BoardAnalysis(KINDS["rainbow"][k]).evaluate(opponent, 1)


@counted("flop, all holdings, further range")
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


@counted("turn, all holdings, first range")
def turn_first() -> Pass:
    from pokermodel import BoardAnalysis

    opponent = weights(2)
    return lambda k: BoardAnalysis(("2c7d9hTs", "3c8dThQs")[k]).evaluate(opponent, 1)


@counted("river, all holdings, from scratch")
def river() -> Pass:
    from pokermodel import BoardAnalysis

    opponent, boards = weights(2), np.argsort(np.random.default_rng(1).random((2, 20, 52)), axis=2)[:, :, :5].tolist()
    return lambda k: [BoardAnalysis(board).strengths(opponent) for board in boards[k]]


@counted("crude potentials of a flop")
def crude() -> Pass:
    from pokermodel import BoardAnalysis

    return lambda k: BoardAnalysis(KINDS["two-tone"][k]).crude_potentials()


@counted("range against range on the river")
def range_against_range() -> Pass:
    from pokermodel.equity import equity

    ranges = weights(2, 2)
    return lambda k: equity(ranges, ("2c7d9hTsQc", "3c8dThQsKc")[k])


@counted("three known holdings on a flop")
def known_holdings() -> Pass:
    from pokermodel.equity import equity

    return lambda k: equity(["AsKs", "QdQh", "JcTc"], KINDS["rainbow"][k])


@counted("two known holdings before the flop")
def known_before_the_flop() -> Pass:
    from pokermodel.equity import equity

    return lambda k: equity([("AsKs", "AhQh")[k], "TdTh"], "", DEAD + "8h8sJhJd7s")


def simulated(players: int, weighted: bool) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.equity import equity

        ranges = list(weights(2, players)) if weighted else [None] * players
        return lambda k: equity(ranges, trials=10_000, exact=False, rng=k, jobs=1)

    return prepare


counted("simulation, 2 random players")(simulated(2, False))
counted("simulation, 6 random players")(simulated(6, False))
counted("simulation, 3 weighted ranges")(simulated(3, True))


def dealt(mode: str) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel.dealing import Dealer

        dealer = Dealer(list(weights(2, 5)), "2c7d9h", "AsKd", mode, rng=1)  # type: ignore[arg-type]
        return lambda _: dealer.deal(5_000)

    return prepare


counted("joint deals, 5 weighted holdings")(dealt("joint"))
counted("published deals, 5 weighted holdings")(dealt("published"))


def batch(cards: int) -> Callable[[], Pass]:
    def prepare() -> Pass:
        from pokermodel import evaluate_many

        rows = hands(20_000, cards)
        return lambda _: evaluate_many(rows)

    return prepare


counted("evaluate_many, seven cards")(batch(7))
counted("evaluate_many, five cards")(batch(5))


@counted("all-in showdowns of 23 holdings")
def rollout() -> Pass:
    from pokermodel._core.rollout import count_deals

    tally = np.zeros((23, 169, 23), np.uint64)
    words = np.arange(1, 5, dtype=np.uint64)
    return lambda _: count_deals(words, 1_000, tally)


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
    from pokermodel import hand_potential

    return many_times(lambda: hand_potential((51, 45), (3, 17, 30, 8)), 5)


@counted("triples of all holdings")
def triples() -> Pass:
    from pokermodel.modeling import Spot, TripleGenerator

    generator = TripleGenerator()
    spot = Spot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    values = weights(1)
    return many_times(lambda: generator.apply(spot, values, values), 20)


@counted("play-outs of a flop, four players")
def play_outs() -> Pass:
    from pokermodel.game import Act, GameSpec, State
    from pokermodel.simulation import Simulator, StrengthCache

    state = State(GameSpec.ring(4, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    tables = list(weights(1, 4))
    simulator = Simulator(stop="none", cache=StrengthCache())
    return lambda seed: simulator.run((state, "2c7d9h"), "AhKd", tables, trials=500, rng=seed)


@counted("heads-up hands of random players")
def random_play() -> Pass:
    from pokermodel.arena import random_hands

    return lambda seed: random_hands(20_000, rng=seed)


@counted("call: BoardAnalysis", CALL)
def call_analysis() -> Pass:
    from pokermodel import BoardAnalysis

    return many_times(lambda: BoardAnalysis((3, 17, 30)), 20)


@counted("call: Dealer.deal, one deal", CALL)
def call_deal() -> Pass:
    from pokermodel.dealing import Dealer

    dealer = Dealer([None, None], rng=1)
    return many_times(lambda: dealer.deal(1))


@counted("call: replay of a hand", CALL)
def call_replay() -> Pass:
    from pokermodel import example_hand

    hand = example_hand()
    return many_times(lambda: list(hand.replay()), 10)


# ---------------------------------------------------------------------------------------------------- counting


def count(library: str, level: str, layout: int) -> dict[str, str]:
    """Count every case, none if the level is lacking here; what kept a case from being counted, by name.

    Layouts differ in where objects lie, upon which the collisions in Python's cache of methods depend: up to 6 % of
    a short call. All but layout 0 count the short calls only.
    """
    _ = [bytes(500 + 40 * k) for k in range(300 * layout)]
    import pokermodel
    from pokermodel import evaluation, simd

    if not Path(pokermodel.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"what would be counted is {pokermodel.__file__}, and not the side's")
    requests = ctypes.CDLL(library)
    requests.count_write.argtypes = [ctypes.c_char_p]
    if level not in simd.available():
        return {}
    simd.use(level)
    if hasattr(evaluation, "counts_cache"):  # older bases have none
        evaluation.counts_cache.resize(0)
    problems: dict[str, str] = {}
    gc.disable()
    for name, case in CASES.items():
        if layout and case.limit == KERNEL:
            continue
        try:
            run = case.prepare()
            run(0)  # first without counting: it can fail, and it fills what is filled at the first call
        except Exception as error:
            problems[name] = f"{type(error).__name__}: {error}"
            continue
        gc.collect()
        requests.count_start()
        run(0)
        requests.count_from_zero()
        run(1)
        requests.count_write(name.encode())
        requests.count_stop()
    return problems


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: case.limit for name, case in CASES.items()}))
    else:
        print(json.dumps(count(*sys.argv[1:3], int(sys.argv[3]))))
