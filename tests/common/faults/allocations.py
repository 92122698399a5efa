"""Every allocation that a kernel or its binding makes by itself fails, one after the other, and from each of them on.

The call then raises `MemoryError`, or does without; what it gives afterwards is what it gave before.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pokermodel as pm
from pokermodel import evaluation
from pokermodel._core.matchups import Matchups, list_matchups
from pokermodel.classics.simulation import Simulator, StrengthCache
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, GameSpec, State
from pokermodel.reading import PopulationModel

from ..books import FREE
from .preloaded import ALLOCATIONS, FROM, ONCE, Faults

__all__ = ["CASES", "attempts"]

#: Where allocations are met: kernels and their bindings. Not those that NumPy makes for itself: where it has no memory
#: for the buffers of a loop, NumPy 2.4 raises `MemoryError` without the interpreter's lock, and crashes.
_LIBRARIES = "pokermodel/_core/"
_MOST = 100  # allocations of a case of which each fails; where there are more, as many of them at even distances


def _weights(seed: int, players: int) -> Any:
    return np.random.default_rng(seed).random((players, 1326))


def _evaluated(board: str) -> Callable[[], Any]:
    def case() -> Any:
        evaluation.counts_cache.clear()
        return pm.BoardAnalysis(board).evaluate(_weights(1, 1)[0], 1)

    return case


def _analysed() -> Any:
    evaluation.counts_cache.clear()
    analysis = pm.BoardAnalysis("Ts9s8d4s")
    return analysis.potential("AhKd", _weights(1, 1)[0], 1), analysis.crude_potentials()


def _tallied() -> Any:
    ranges = _weights(5, 2)
    numbers = np.empty(91 * 92 // 2, np.uint16)
    numbers = numbers[: list_matchups(*ranges, numbers)][::400].copy()
    sums = np.empty(3)
    Matchups().tally(*ranges, numbers, sums)
    return sums


def _dealt(**more: Any) -> Callable[[], Any]:
    return lambda: Dealer(list(_weights(2, 3)), "2c7d9h", rng=4, **more).deal(50)


def _simulated() -> Any:
    state = State(GameSpec.ring(4, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    simulator = Simulator(stop="none", cache=StrengthCache())
    return simulator.run((state, "Tc8c2h"), "Jh9h", _weights(3, 4), trials=10, rng=1).ev


def _read(model: str) -> Callable[[], Any]:
    def case() -> Any:
        evaluation.counts_cache.clear()
        modeler = pm.OpponentModeler(model)
        for decision in pm.example_hand().replay():
            modeler.observe(decision)
        return [np.array(modeler.table(name).values) for name in pm.example_hand().players]

    return case


def _learnt() -> Any:
    people = PopulationModel()
    people.update([PopulationModel.evidence(hand, list(hand.replay())) for hand in FREE[:4]])
    return people.to_bytes()


CASES: dict[str, Callable[[], Any]] = {
    "holdings on a flop": _evaluated("2c7d9h"),
    "holdings on a turn": _evaluated("2c7d9hTs"),
    "an analysis of a board": _analysed,
    "equities": lambda: equity(["AsAh", "KK+, AKs"], "2c7d9h").equity,
    "equities of three": lambda: equity(["AsAh", "KK+, AKs", "QJs"], "2c7d9hTs", rng=1).equity,
    "matchups": _tallied,
    "deals": _dealt(),
    "deals as published": _dealt(mode="published"),
    "a simulation": _simulated,
    "the reader adaptive": _read("adaptive"),
    "a population": _learnt,
}


def _frozen(value: Any) -> Any:
    """What can be compared, to the bit."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return [_frozen(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return [_frozen(getattr(value, name)) for name in value.__dataclass_fields__]
    return repr(value)


def attempts(names: list[str] | None = None, step: int = 1) -> Iterator[str]:
    """Have every `step`-th allocation of some cases fail; in a process in which `preloaded` can do that."""
    faults = Faults()
    for name in CASES if names is None else names:
        case = CASES[name]
        case()  # what is kept for good is there
        expected = _frozen(case())
        with faults.failing(ALLOCATIONS, _LIBRARIES, 0):
            case()
        number, stride = 1, max(step, faults.met // _MOST)
        while number <= faults.met:
            for way, mode in (("once", ONCE), ("from there on", FROM)):
                what = f"{name}, allocation {number} fails {way}"
                faults.arm(ALLOCATIONS, _LIBRARIES, number, mode)
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        found = case()
                except MemoryError:
                    found = None
                finally:
                    faults.disarm()
                assert found is None or _frozen(found) == expected, f"{what}: another result"
                yield f"in {name}"
                assert _frozen(case()) == expected, f"{what}: another result afterwards"
            with faults.failing(ALLOCATIONS, _LIBRARIES, 0):
                case()
            number += stride
