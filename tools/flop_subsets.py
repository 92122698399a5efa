"""Choose weighted subsets of flops that stand for all 22,100: ``src/pokermodel/data/flop_subsets.csv``.

    python tools/flop_subsets.py

The 1,755 flops that differ by more than names of suits have many functions: for each of the 169 hands the mean and the
mean square of its strength on the river, quantiles of these over all holdings, suits, pairs, ranks and straights. A
subset with weights should have the means of all flops: of each function, and, by a kernel of the distance between
flops, of every smooth function. Flops are taken and exchanged one by one while that error falls.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.optimize import nnls  # type: ignore[import-untyped]

from pokermodel._core.blueprint import flop_moments
from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, card_indices, shared_live_holdings
from pokermodel.solving.flops import FLOP_SUBSETS, FLOPS, all_flops

DATA = Path(__file__).resolve().parents[1] / "src" / "pokermodel" / "data" / "flop_subsets.csv"
_QUANTILES = 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99
#: How much each group of functions counts beside the others.
_SHARES = {"hands": 1.0, "shape": 0.5, "suits": 1.0, "pairs": 1.0, "ranks": 1.0, "straights": 0.5}
_SMOOTH = 0.5  # of the kernel, beside all functions


def functions(flop: tuple[int, ...]) -> dict[str, list[float]]:
    """Functions of a flop, by group."""
    live = shared_live_holdings(flop)
    mean, square = flop_moments(flop)[52][:, live]
    of = CLASS_OF_HOLDING[live]
    count = np.maximum(np.bincount(of, minlength=169), 1)
    hands = [np.bincount(of, each, minlength=169) / count for each in (mean, square)]
    ranks = sorted(card // 4 for card in flop)
    held = set(ranks) | ({-1} if 12 in ranks else set())
    windows = [len(held & set(range(low, low + 5))) for low in range(-1, 9)]
    return {
        "hands": np.concatenate(hands).tolist(),
        "shape": [float(np.quantile(each, q)) for each in (mean, square) for q in _QUANTILES],
        "suits": [float(len({card % 4 for card in flop}) == n) for n in (1, 2)],
        "pairs": [float(len(set(ranks)) == n) for n in (1, 2)],
        "ranks": [float(rank in ranks) for rank in range(13)] + [float(ranks[2] == rank) for rank in range(13)],
        "straights": [float(windows.count(3)), float(windows.count(2)), float(ranks[2] - ranks[0])],
    }


def kernel(flops: list[str]) -> Floats:
    """What the error of weights is a quadratic form of: (flops, flops)."""
    values_of = [functions(card_indices(flop)) for flop in flops]
    chances = np.array([all_flops()[flop] for flop in flops]) / FLOPS
    parts = []
    for group, share in _SHARES.items():
        values = np.array([each[group] for each in values_of])
        values -= chances @ values
        spread = np.sqrt(chances @ values**2)
        values = values[:, spread > 1e-9] / spread[spread > 1e-9]
        parts.append(values * np.sqrt(share / values.shape[1]))
    x = np.hstack(parts)
    linear = x @ x.T
    distance = np.diag(linear)[:, None] + np.diag(linear) - 2 * linear
    found: Floats = linear + _SMOOTH * np.exp(-distance / np.median(distance))
    return found


def _weights(root: Floats, goal: Floats, chosen: list[int]) -> tuple[Floats, float]:
    """The best weights of some flops, and their error."""
    columns = np.vstack([root[:, chosen], np.full(len(chosen), 1e3)])  # weights sum to 1
    found, _ = nnls(columns, np.append(goal, 1e3))
    found /= found.sum()
    return found, float(((root[:, chosen] @ found - goal) ** 2).sum())


def choose(form: Floats, chances: Floats, number: int, passes: int = 4) -> tuple[list[int], Floats, float]:
    """Choose so many flops: their places, weights, and error."""
    values, vectors = np.linalg.eigh(form)
    kept = values > 1e-9 * values.max()
    root = (vectors[:, kept] * np.sqrt(values[kept])).T
    goal = root @ chances
    chosen: list[int] = []
    weights, error = np.zeros(0), np.inf

    def best(inside: list[int], at: Floats) -> int:
        rest = goal - root[:, inside] @ at if inside else goal
        gain = root.T @ rest / np.sqrt((root**2).sum(axis=0))
        gain[inside] = -np.inf
        return int(gain.argmax())

    while len(chosen) < number:
        chosen.append(best(chosen, weights))
        weights, error = _weights(root, goal, chosen)
    for _ in range(passes):
        before = error
        for place in np.argsort(weights).tolist():
            without = chosen[:place] + chosen[place + 1 :]
            at, _ = _weights(root, goal, without)
            other = best(without, at)
            changed = [*chosen]
            changed[place] = other
            new, less = _weights(root, goal, changed)
            if less < error - 1e-15 and (new > 0.2 / FLOPS).all():
                chosen, weights, error = changed, new, less
        if error > 0.999 * before:
            break
    return chosen, weights, error


def whole(weights: Floats) -> list[int]:
    """Whole numbers of at least 1 in proportion to weights, whose sum is 22,100."""
    exact = 1 + weights * (FLOPS - len(weights))
    found = np.floor(exact).astype(int)
    for place in np.argsort(found - exact)[: FLOPS - found.sum()]:
        found[place] += 1
    return [int(each) for each in found]


def main() -> None:
    """Write the subsets."""
    flops = list(all_flops())
    chances = np.array(list(all_flops().values())) / FLOPS
    form = kernel(flops)
    rows = ["flops,flop,weight"]
    for number in FLOP_SUBSETS:
        chosen, weights, error = choose(form, chances, number)
        print(number, f"error {np.sqrt(error):.4f}, of as many drawn {_drawn(form, chances, number):.4f}")
        rows += [
            f"{number},{flops[place]},{weight}" for place, weight in sorted(zip(chosen, whole(weights), strict=True))
        ]
    DATA.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _drawn(form: Floats, chances: Floats, number: int) -> float:
    """The error of as many flops drawn at random, in the root of the mean square."""
    spread = (chances * np.diag(form)).sum() - chances @ form @ chances
    return float(np.sqrt(spread / number))


if __name__ == "__main__":
    main()
