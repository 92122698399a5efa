"""Features of a situation as bins, one line of Python a feature: what the kernels are compared with."""

from __future__ import annotations

from bisect import bisect

from pokermodel.reading.features import BETS, ROUND, TWELVE, WITH_PREVIOUS, Feature, Features, Grid, order

__all__ = ["BASIS", "SITUATION", "SIZED_SITUATION", "textbook_cells"]

_ODDS = (0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.24, 0.3, 0.36)
_POT = (2, 3, 4, 5, 6, 8, 10, 14)
_SHARES = (1, 1 + 1e-9, 2, 2 + 1e-9)


# where bets have sizes: half a pot to call is odds of .25, a pot a third
_SIZED_ODDS = (0.05, 0.1, 0.14, 0.18, 0.21, 0.24, 0.265, 0.29, 0.31, 0.33, 0.35, 0.38, 0.41, 0.45)
_SIZED_POT = (2, 3, 4, 6, 9, 14, 22, 35, 60, 100)  # big blinds
_LEVELS = (1.01, 2.01, 2.3, 2.6, 3.1, 3.6, 4.5, 6, 8, 11, 15, 20, 30, 50, 100)
_DEPTHS = (5, 10, 15, 20, 30, 45, 70, 95, 130, 250)
_RATIOS = (0.3, 0.6, 1, 1.5, 2.5, 4, 6, 9, 14, 25)
_PARTS = (0.05, 0.1, 0.2, 0.33, 0.5, 0.75)


def _post(f: Features) -> int:
    return int(f.round > 0)


def _facing(f: Features) -> int:
    return int(f.bets > 0)


def _players(f: Features, most: int) -> int:
    return min(max(f.players, 2), most) - 2


def _price(f: Features) -> int:
    """Pot odds; with nothing to call the size of the pot."""
    if not f.odds:
        return bisect(_POT, f.pot)
    return 10 + bisect(_ODDS, f.odds) + (10 if f.round else 0)


def _odds(f: Features) -> int:
    """Pot odds where bets have sizes; 0 with nothing to call."""
    return bisect(_SIZED_ODDS, f.odds) + 1 if f.odds else 0


def _sized_price(f: Features) -> int:
    """Pot odds; with nothing to call the size of the pot."""
    found = len(_SIZED_POT) + _odds(f) if f.odds else bisect(_SIZED_POT, f.pot)
    return 2 * found + _post(f)


def _depth(f: Features) -> int:
    return 0 if f.depth < 0 else 1 + bisect(_DEPTHS, f.depth)


def _ratio(f: Features) -> int:
    """The effective stack by the pot, both after a call: 0 not known, 1 nothing is left."""
    if f.depth < 0:
        return 0
    left = f.depth - f.share
    return 2 + bisect(_RATIOS, left / (f.pot + f.share)) if left > 1e-9 else 1


def _commitment(f: Features) -> int:
    """The share of the effective stack that a call takes: 0 not known, 1 none."""
    if f.depth < 0:
        return 0
    return 2 + bisect(_PARTS, f.share / f.depth) if f.share and f.depth else 1


_ROUND_BETS = Feature("round, bets", 12, lambda f: 3 * f.round + f.bets)
_PREVIOUS = Feature("bets, previous act", 36, lambda f: ((f.bets * 3 + f.previous) * 2 + f.faced) * 2 + _post(f))
_WHO_LED = (
    Feature("round, aggressor", 12, lambda f: 3 * f.round + f.aggressor),
    Feature("leader, facing", 12, lambda f: (_post(f) * 3 + f.leader) * 2 + _facing(f)),
)
_BETS_MADE = (
    Feature("players", 16, lambda f: 2 * _players(f, 9) + _post(f)),
    Feature("bets made", 12, lambda f: 2 * min(f.num_bets, 5) + _post(f)),
)
_SINCE = (
    Feature("position", 20, lambda f: 2 * min(f.position, 9) + _post(f)),
    Feature("order, players", 9, lambda f: 3 * order(f) + _players(f, 4)),
    Feature("acts in the round", 8, lambda f: min(f.acted, 7)),
    Feature("bets put in", 4, lambda f: min(f.put_in, 3)),
    Feature("raises before the flop", 10, lambda f: 2 * min(f.preflop, 4) + _post(f)),
    Feature("bets in the round before", 16, lambda f: 4 * min(f.before, 3) + f.round),
    Feature("own raises", 12, lambda f: 3 * min(f.raised, 3) + min(f.raised_preflop, 2)),
    Feature("own calls in the round", 3, lambda f: min(f.called, 2)),
    Feature("last to raise, facing", 12, lambda f: (f.last * 2 + _facing(f)) * 2 + _post(f)),
    Feature("callers", 12, lambda f: 2 * min(f.callers, 5) + _post(f)),
    Feature("players dealt in", 9, lambda f: min(max(f.dealt, 2), 10) - 2),
    Feature("players all-in", 3, lambda f: min(f.all_in, 2)),
    Feature("raises made, bets", 15, lambda f: 3 * min(max(f.num_bets - (not f.round), 0), 4) + f.bets),
    Feature("players, callers", 36, lambda f: 6 * _players(f, 7) + 2 * min(f.callers, 2) + _facing(f)),
)
#: The features of a situation that weights are added up for, in limit.
SITUATION: tuple[Feature, ...] = (
    _ROUND_BETS,
    _PREVIOUS,
    *_WHO_LED,
    *_BETS_MADE,
    Feature("price", 30, _price),
    Feature("to call", 6, lambda f: bisect(_SHARES, f.share) + 1 if f.share else 0),
    *_SINCE,
)
#: The same where bets have sizes.
SIZED_SITUATION: tuple[Feature, ...] = (
    _ROUND_BETS,
    _PREVIOUS,
    *_WHO_LED,
    *_BETS_MADE,
    Feature("price", 2 * (len(_SIZED_POT) + len(_SIZED_ODDS) + 2), _sized_price),
    Feature("level", 2 * (len(_LEVELS) + 1), lambda f: 2 * bisect(_LEVELS, f.level) + _post(f)),
    Feature("depth", 4 * (len(_DEPTHS) + 2), lambda f: 4 * _depth(f) + 2 * _facing(f) + _post(f)),
    Feature("stack to pot", 4 * (len(_RATIOS) + 3), lambda f: 4 * _ratio(f) + 2 * _facing(f) + _post(f)),
    Feature("commitment", 2 * (len(_PARTS) + 3), lambda f: 2 * _commitment(f) + _post(f)),
    Feature(
        "position before the flop, raises",
        41,
        lambda f: 0 if f.round else 1 + 4 * min(f.position, 9) + min(f.num_bets, 4) - 1 if f.num_bets else 0,
    ),
    Feature("round, price", 4 * (len(_SIZED_ODDS) + 2), lambda f: f.round * (len(_SIZED_ODDS) + 2) + _odds(f)),
    *_SINCE,
)

BASIS: tuple[tuple[Feature, ...], tuple[Feature, ...]] = (
    (
        Feature("facing", 2, _facing),
        Feature("bets", 3, lambda f: f.bets),
        Feature("facing, previous act", 12, lambda f: 6 * _facing(f) + 2 * f.previous + f.faced),
    ),
    (
        Feature("facing", 2, _facing),
        Feature("round, bets", 9, lambda f: 3 * (f.round - 1) + f.bets),
        Feature("facing, previous act", 12, lambda f: 6 * _facing(f) + 2 * f.previous + f.faced),
    ),
)

_CELL_ODDS = (0.10, 0.14, 0.18, 0.23, 0.30)
_GRIDS = (
    TWELVE,
    WITH_PREVIOUS,
    Grid(
        ROUND,
        BETS,
        Feature("players", 5, lambda f: min(max(f.players, 2), 6) - 2),
        Feature("leader", 3, lambda f: f.leader),
    ),
    Grid(
        ROUND,
        BETS,
        Feature("price", 6, lambda f: sum(f.odds >= border for border in _CELL_ODDS)),
        Feature("num_bets", 5, lambda f: min(f.num_bets, 4)),
    ),
    Grid(
        ROUND,
        BETS,
        Feature("position", 4, lambda f: min(f.position, 3)),
        Feature("acted", 4, lambda f: min(f.acted, 3)),
        Feature("put_in", 2, lambda f: f.put_in > 0),
    ),
)


def textbook_cells(features):
    return tuple(grid.encode(features) for grid in _GRIDS)
