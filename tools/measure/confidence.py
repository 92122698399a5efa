"""How far a reader's strategy of a person is to be believed, by how many acts stand behind it: fit k of n/(n + k).

    python -m tools.measure.confidence hands.tgz [more.txt ...] [--hands 4000]

A lock with confidence c says that a player does what the reader expects with probability c, and else as they like. If p
is what the reader expects of them and q what they do, that is true for every c up to the least of q_a / p_a over the
acts a, and for none above. What they do is seen through few acts. So the logarithms of q are taken as those of p and a
deviation, normal and the same for acts of a player in situations of one kind. The confidence of a standard deviation is
the mean of the least q_a / p_a; k is what makes acts that were not learnt yet most likely.

Each hand is forecast before it is learnt, so that all hands are kept aside. Acts after the flop whose cards the history
knows are put together by player, by kind of situation (round, bets to call, the player's act before, and the quarter of
strength that the cards are of), and by n in steps that double: how many of the player's acts were learnt in such
situations, whatever the cards; from n = 8 on. Histories should know all cards: those that were shown are not like the
others.
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
from pokermodel.reading.adaptive.names import known_as
from pokermodel.reading.strategies import StrategyNode

_KS = (0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 14, 20, 30, 50)
#: By how much what is as likely as the best may be less likely, in logarithms: 95% by the ratio of likelihoods.
_LIKELY = 1.92
#: Of fewer acts there are too few to see how one player deviates: n/(n + k) is small there, which is the safe side.
_LEAST = 8
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
        session.learn(hand.public(), decisions)


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


def tables(groups: dict[Any, Group]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of groups n, how many acts they have, their likelihood with each deviation; and the confidence of each."""
    ns = np.array([key[-1] for key in groups])
    acts = np.array([len(group) for group in groups.values()])
    logs = np.array([[likelihood(group, each) for each in _DEVIATIONS] for group in groups.values()])
    some = list(groups.values())[:: max(1, len(groups) // 300)]
    return ns, acts, logs, np.array([confidence(some, each) for each in _DEVIATIONS])


def likelihood_of(k: float, ns: np.ndarray, logs: np.ndarray, confidences: np.ndarray) -> float:
    """The logarithm of how likely all acts are, if confidences are n/(n + k)."""
    places = np.interp(-ns / (ns + k), -confidences, np.arange(len(confidences)))
    low = np.minimum(places.astype(int), len(confidences) - 2)
    rows = np.arange(len(ns))
    return float((logs[rows, low] + (places - low) * (logs[rows, low + 1] - logs[rows, low])).sum())


def main() -> None:
    """Fit k on every other player, on the rest, and on all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--hands", type=int, default=4000, help="of each path, at most")
    given = parser.parse_args()
    groups = gathered(given.paths, given.hands)
    players = sorted({key[0] for key in groups})
    print(f"{len(players)} players, {sum(map(len, groups.values()))} acts in {len(groups)} groups")
    known = {key: group for key, group in groups.items() if key[-1] >= _LEAST}
    ns, acts, logs, confidences = tables(known)
    for deviation, each in list(zip(_DEVIATIONS, confidences, strict=True))[::4]:
        print(f"  deviation {deviation:.2f}: confidence {each:.2f}")
    for name, some in (("every other player", players[::2]), ("the rest", players[1::2]), ("all", players)):
        mine = np.array([key[0] in some for key in known])
        found = [likelihood_of(k, ns[mine], logs[mine], confidences) / acts[mine].sum() for k in _KS]
        best = int(np.argmax(found))
        likely = [k for k, each in zip(_KS, found, strict=True) if (found[best] - each) * acts[mine].sum() < _LIKELY]
        print(
            f"{name}: k = {_KS[best]:g}, {min(likely):g} to {max(likely):g}; log-likelihood an act less the best one's:"
        )
        print("  " + ", ".join(f"{k:g} {each - found[best]:.5f}" for k, each in zip(_KS, found, strict=True)))


if __name__ == "__main__":
    main()
