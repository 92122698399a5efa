"""How far a reader's strategy of a person is to be believed, by how many acts stand behind it: fit k of n/(n + k).

    python tools/fit_confidence.py hands.tgz [more.txt ...] [--hands 4000]

A lock with confidence c says that a player does what the reader expects with probability c, and else as they like. If p
is what the reader expects of them and q what they do, that is true for every c up to the least of q_a / p_a over the
acts a, and for none above. What they do is seen through few acts. So the logarithms of q are taken as those of p and a
deviation, normal and the same for acts of a player in situations of one kind. Its standard deviation is fitted by the
likelihood of acts that were not learnt yet; the confidence is then the mean of the least q_a / p_a.

Each hand is forecast before it is learnt, so that all hands are kept aside. Acts after the flop are put together by
player, by kind of situation (round, bets to call, the player's act before, price, who led, position), and by n in steps
that double: how many of the player's acts were learnt in the same round with as many bets to call after the same act of
their own. k is what makes n/(n + k) nearest to the confidences of the steps; it is fitted on every other player, on the
rest, and on all.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.population import known_as
from pokermodel.reading.strategies import StrategyNode

_DEVIATIONS = (0.0, *np.geomspace(0.1, 2.5, 25))
#: Deviations of three acts, and what each is worth: those of a standard normal distribution.
_POINTS, _WORTH = np.polynomial.hermite_e.hermegauss(7)
_GRID = np.stack(np.meshgrid(_POINTS, _POINTS, _POINTS), axis=-1).reshape(-1, 3)
_WORTHS = np.prod(np.stack(np.meshgrid(_WORTH, _WORTH, _WORTH), axis=-1).reshape(-1, 3), axis=1)
_WORTHS /= _WORTHS.sum()


def forecasts(path: str, hands: int) -> Iterator[tuple[str, tuple[Any, ...], float, np.ndarray, int, tuple[int, ...]]]:
    """Of each act after the flop: who, in what kind of situation, n, the forecast, the act, and what was offered."""
    session = pm.OpponentModeler(calibrated=False)
    for hand in islice(pm.open_hands(path, strict=False), hands):
        try:
            decisions = list(hand.replay())
        except ValueError:
            continue
        for decision in decisions:
            spot = session.spot(decision) if decision.round else None
            if spot is not None and len(decision.legal) > 1 and decision.act in decision.legal:
                features = spot.features
                node = StrategyNode(decision.situation, features, False, ())
                n = float(session.reader.observations(decision.player, [node])[0])
                holding = hand.holdings.get(decision.seat)
                if holding is None:
                    session.observe(decision)
                    continue
                index = holding_index(holding)
                strength = int(strength_bins(decision.board)[index]) // 4
                kind = (features.round, features.bets, features.previous, features.faced, strength)
                predicted = session.expect(decision).triples[index]
                yield known_as(decision.player, hand.spec), kind, n, predicted, int(decision.act), decision.legal
            session.observe(decision)
        session.learn(hand.public() if hasattr(hand, "public") else hand, decisions)


def gathered(paths: list[str], hands: int) -> dict[Any, list[tuple[np.ndarray, int]]]:
    """Forecasts and acts by player, kind of situation, what is offered, and n in steps that double."""
    found: dict[Any, list[tuple[np.ndarray, int]]] = defaultdict(list)
    ns: dict[Any, list[float]] = defaultdict(list)
    for path in paths:
        for player, kind, n, predicted, act, legal in forecasts(path, hands):
            step = -1 if n < 1 else int(np.log2(n))
            key = player, kind, tuple(map(int, legal)), step
            found[key].append((predicted[list(legal)] / predicted[list(legal)].sum(), legal.index(act)))
            ns[key].append(n)
    return {(*key, float(np.mean(ns[key]))): acts for key, acts in found.items()}


Group = list[tuple[np.ndarray, int]]


def does(predicted: np.ndarray, deviation: float) -> np.ndarray:
    """What a player does with each deviation of the grid: float64 (grid, acts)."""
    found = predicted * np.exp(deviation * _GRID[:, : len(predicted)])
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def likelihood(group: Group, deviation: float) -> float:
    """The logarithm of how likely the acts are."""
    logs = sum(np.log(does(predicted, deviation)[:, act]) for predicted, act in group)
    return float(np.log(np.exp(logs - logs.max()) @ _WORTHS) + logs.max())


def confidence(groups: list[Group], deviation: float) -> float:
    """The mean of the least q_a / p_a."""
    found = [
        (does(predicted, deviation) / predicted).min(axis=1) @ _WORTHS for group in groups for predicted, _ in group
    ]
    return float(np.mean(found))


def fit(groups: dict[Any, Group]) -> float:
    """Print a row for each step of n, and return k."""
    rows = []
    for step in sorted({key[3] for key in groups}):
        some = [(key, group) for key, group in groups.items() if key[3] == step]
        acts = sum(len(group) for _, group in some)
        n = float(np.average([key[-1] for key, _ in some], weights=[len(group) for _, group in some]))
        told = [group for _, group in some if len(group) > 1]  # one act says nothing of a deviation
        deviation = max(_DEVIATIONS, key=lambda each: sum(likelihood(group, each) for group in told))
        rows.append((n, acts, deviation, confidence([group for _, group in some], deviation)))
        print(
            f"  n about {n:6.1f}: {acts:6} acts, deviation {deviation:.2f}, confidence {rows[-1][-1]:.2f}", flush=True
        )
    ns, weights, _, wanted = map(np.array, zip(*rows, strict=True))
    ks = np.geomspace(0.1, 300, 400)
    losses = [float(weights @ (ns / (ns + k) - wanted) ** 2) for k in ks]
    return float(ks[int(np.argmin(losses))])


def main() -> None:
    """Fit k on every other player, on the rest, and on all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--hands", type=int, default=4000, help="of each path, at most")
    given = parser.parse_args()
    groups = gathered(given.paths, given.hands)
    players = sorted({key[0] for key in groups})
    print(f"{len(players)} players, {sum(map(len, groups.values()))} acts in {len(groups)} groups")
    for name, some in (("every other player", players[::2]), ("the rest", players[1::2]), ("all", players)):
        print(f"{name}: k = {fit({key: group for key, group in groups.items() if key[0] in some}):.1f}")


if __name__ == "__main__":
    main()
