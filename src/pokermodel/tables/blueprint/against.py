"""The win of a blueprint from another, and the gain of solving streets again, without the luck of a match.

Both strategies are known with all holdings. So a hand between two blueprints has no luck but that of the board: on each
that is drawn, all lines are walked with all pairs of holdings, from both seats (`win_rate_against`). Over boards that
has a standard deviation of two hundredths of a big blind, where a deal by AIVAT has four tenths.

To solve each street of each line is too much. What it gains is worked out where hands come to the street: from there on
exactly, over all pairs of holdings and all cards to come. How they come there is drawn, by the play of both: a line of
acts and a board. A hand that ends before counts 0, since nothing differs (`solved_gain`).

The sum of both has the mean of a match in which the player solves that street.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel.cards import holding_index, shared_live_holdings
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import Act
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.solving.solution import mass_beside
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.blueprint.blueprint import Blueprint
from pokermodel.tables.blueprint.resolving import blueprint_solution, blueprint_subgame, resolve
from pokermodel.weights import WeightTable

__all__ = ["SolvedGain", "WinRate", "solved_gain", "win_rate_against"]

_DECISION, _DEAL = 0, 1
_DEALT = 0, 3, 4, 5
_RIVER = 3
_ITERATIONS = {2: 60, _RIVER: 120}  # as the player solves
#: Least weight of a holding, as a share of the largest: so little that it is worth nothing, and all that are possible
#: have a place in the solution.
_LEAST = 1e-12
#: Lines that could not be worth more, in chips, are drawn: one that stays counts for those that do not. It adds a
#: hundredth to the variance over boards, and leaves a third of the ends.
_RARE = 1e-3


class WinRate(NamedTuple):
    """The win of a blueprint from another, in thousandths of a big blind a hand."""

    mean: float  #: over both seats
    standard_error: float
    boards: int


def win_rate_against(blueprint: Blueprint, other: Blueprint, boards: int, rng: RandomLike = None) -> WinRate:
    """Work out what a blueprint wins from another, all holdings and lines on drawn boards.

    Parameters
    ----------
    blueprint, other : Blueprint
        Blueprints of the same game of limit, without solving.

    Raises
    ------
    ValueError
        If the games differ, or are no limit, where stacks end some lines before the river.
    """
    check_least("boards", boards, 2)
    _check_games(blueprint, other)
    if blueprint.game.structure != "limit":
        raise ValueError("a blueprint of no limit ends some lines before the river: expected two of limit")
    sequence = as_seed_sequence(rng)
    found = []
    for number in range(boards):
        random = np.random.default_rng(np.random.SeedSequence(sequence.entropy, spawn_key=(number,)))
        found.append(worth_of_board(blueprint, other, tuple(random.permutation(52)[:5].tolist()), random))
    return WinRate(*_mean(1000.0 / blueprint.game.big_blind * np.array(found)), boards)


def worth_of_board(
    blueprint: Blueprint, other: Blueprint, board: tuple[int, ...], random: np.random.Generator, rare: float = _RARE
) -> float:
    """The win of a blueprint from another in limit if this board comes, in chips, over both seats.

    Parameters
    ----------
    random : Generator
        Generator that samples the lines that are worth little.
    rare : float
        Chips below which a line is worth little.
    """
    live = np.flatnonzero(shared_live_holdings(board))
    cards = CARDS_OF[live]
    ranks = evaluate_many(np.hstack([np.tile(board, (len(live), 1)), cards]).astype(np.uint8)).astype(np.int64)
    of_cards = np.zeros((len(live), 52), np.float32)
    for each in cards.T:
        of_cards[np.arange(len(live)), each] = 1.0
    apart = of_cards @ of_cards.T == 0.0
    wins = np.where(apart, np.sign(ranks[:, None] - ranks), 0).astype(np.float32)
    total = 0.0
    for pair, sign in (((blueprint, other), 1.0), ((other, blueprint), -1.0)):
        nodes, first, second = _ends(pair, board, live, random, rare * apart.sum())
        tree = pair[0].tree
        put = tree.put[nodes].astype(np.float64)
        folds = tree.act[nodes] == Act.FOLD
        loses = tree.player[tree.parent[nodes]] == 0
        a, b = first[folds], second[folds]
        # all pairs, less those that share a card, plus those that share both, which were taken off twice
        beside = a.sum(axis=1) * b.sum(axis=1) - ((a @ of_cards) * (b @ of_cards)).sum(axis=1) + (a * b).sum(axis=1)
        worth = np.where(loses, -put[:, 0], put[:, 1])[folds] @ beside
        a, b = first[~folds], second[~folds]
        worth += put.min(axis=1)[~folds] @ (a * (b @ wins.T)).sum(axis=1)
        total += sign * float(worth) / float(apart.sum())
    return total / 2


def _ends(
    pair: tuple[Blueprint, Blueprint],
    board: tuple[int, ...],
    live: Integers,
    random: np.random.Generator,
    rare: float,
) -> tuple[Integers, Floats, Floats]:
    """Ends of a hand on a board, and how likely each seat comes there with each holding that is possible."""
    tree = pair[0].tree
    buckets = [[each.buckets(board[:dealt])[live] for dealt in _DEALT] for each in pair]
    most = float(tree.put.max())
    ends, first, second = [], [], []
    every = np.ones(len(live), np.float32)
    waiting = [(0, (every, every), (float(len(live)),) * 2)]
    while waiting:
        node, reach, sums = waiting.pop()
        if tree.kind[node] != _DECISION:
            ends.append(node)
            first.append(reach[0])
            second.append(reach[1])
            continue
        player, street = int(tree.player[node]), int(tree.street[node])
        rows = pair[player]._rows(node, buckets[player][street]).T.astype(np.float32) * reach[player]
        for child, row, amount in zip(tree.children(node), rows, rows.sum(axis=1).tolist(), strict=True):
            worth = most * amount * sums[1 - player]
            counts = 1.0
            if worth < rare:
                if random.random() * rare >= worth:
                    continue
                counts = rare / worth
            below = child
            while tree.kind[below] == _DEAL:
                below += 1
            new = counts * row, counts * amount
            both = ((new[0], reach[1]), (new[1], sums[1])) if player == 0 else ((reach[0], new[0]), (sums[0], new[1]))
            waiting.append((below, *both))
    return np.array(ends), np.array(first), np.array(second)


class SolvedGain(NamedTuple):
    """The gain of solving streets again, in thousandths of a big blind a hand."""

    mean: float  #: beside the blueprint alone, over both seats
    standard_error: float
    beside_rivers: float  #: beside rivers solved; nan where the river is the street that is solved
    beside_rivers_error: float
    hands: int  #: drawn
    subgames: int  #: of those, that came to the street


def solved_gain(
    blueprint: Blueprint,
    other: Blueprint,
    street: int,
    hands: int,
    rng: RandomLike = None,
    *,
    rivers: int = 8,
    **options: Any,
) -> SolvedGain:
    """Measure what a player who solves a street again wins more from an opponent who plays another blueprint.

    Parameters
    ----------
    blueprint : Blueprint
        The player's.
    other : Blueprint
        The opponent's, of the same game; they know nothing and solve nothing.
    street : int
        2 turn, 3 river.
    hands : int
        Drawn, in turn from either seat.
    rivers : int
        Of each turn, so many ways on to the river are drawn, to say what rivers solved are worth there.
    **options
        Of `resolve`, for the street. By default iterations are those of the player: 60 of a turn, 120 of a river, also
        of rivers beside which a turn is set.

    Raises
    ------
    ValueError
        If the games differ, or a number is out of range.
    """
    check_least("hands", hands, 2)
    check_least("rivers", rivers, 1)
    if street not in (2, _RIVER):
        raise ValueError(f"street must be 2 or 3, turn or river, got {street!r}")
    _check_games(blueprint, other)
    sequence = as_seed_sequence(rng)
    gains, besides, reached = [], [], 0
    for number in range(hands):
        random = np.random.default_rng(np.random.SeedSequence(sequence.entropy, spawn_key=(number,)))
        found = gain_of_hand(blueprint, other, street, number % 2, random, rivers=rivers, **options)
        reached += found is not None
        gain, beside = found or (0.0, 0.0)
        gains.append(gain)
        besides.append(gain - beside)
    scale = 1000.0 / blueprint.game.big_blind
    (mean, error), (less, less_error) = (_mean(scale * np.array(each)) for each in (gains, besides))
    if street == _RIVER:
        less = less_error = float("nan")
    return SolvedGain(mean, error, less, less_error, hands, reached)


def _check_games(blueprint: Blueprint, other: Blueprint) -> None:
    if blueprint.game != other.game:
        raise ValueError("the blueprints are of different games")


def _mean(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def gain_of_hand(
    blueprint: Blueprint,
    other: Blueprint,
    street: int,
    seat: int,
    random: np.random.Generator,
    *,
    rivers: int = 8,
    **options: Any,
) -> tuple[float, float] | None:
    """The gain of solving a street in one hand, in chips of the blueprint, and that of solving its rivers.

    Parameters
    ----------
    blueprint, other, street
        As `solved_gain`.
    seat : int
        The player's seat in the blueprint's game: 0 has the button.
    rivers, **options
        As `solved_gain`.

    Returns
    -------
    pair of float, or None
        None if the hand ends before the street. The second is 0 of a river.
    """
    pair = (blueprint, other) if seat == 0 else (other, blueprint)
    cards = random.permutation(52)[:9].tolist()
    held = tuple(holding_index(cards[at : at + 2]) for at in (5, 7))
    node = _played(pair, 0, street, tuple(cards[:5]), (held[0], held[1]), random)
    if node is None:
        return None
    board = tuple(cards[: _DEALT[street]])
    gain = _gain(blueprint, other, node, board, seat, {"iterations": _ITERATIONS[street]} | options)
    if street == _RIVER:
        return gain, 0.0
    beside = 0.0
    for holdings, dealt in _ways_on(pair, node, board, rivers, random):
        at = _played(pair, node, _RIVER, dealt, holdings, random)
        if at is not None:
            beside += _gain(blueprint, other, at, dealt, seat, {"iterations": _ITERATIONS[_RIVER]}) / rivers
    return gain, beside


def _played(
    pair: tuple[Blueprint, Blueprint],
    node: int,
    street: int,
    board: tuple[int, ...],
    held: tuple[int, int],
    random: np.random.Generator,
) -> int | None:
    """Where the play of both comes to a street, from a node on; None if the hand ends before.

    Holdings, as strategies, are by seat of the blueprint's game.
    """
    tree = pair[0].tree
    while tree.kind[node] == _DECISION and tree.street[node] < street:
        player, at = int(tree.player[node]), int(tree.street[node])
        row = pair[player].strategy(node, board[: _DEALT[at]])[held[player]]
        node = tree.child(node, int(np.searchsorted(np.cumsum(row), random.random() * row.sum(), side="right")))
    return node if tree.kind[node] == _DECISION else None


def _ways_on(
    pair: tuple[Blueprint, Blueprint], node: int, board: tuple[int, ...], number: int, random: np.random.Generator
) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Draw holdings of both, by how likely they come to a turn, and a river card that they leave."""
    first, second = _reaches(pair, node, board)
    beside = mass_beside(second)
    found = []
    for one in random.choice(len(first), number, p=first * beside / (first @ beside)).tolist():
        apart = second * shared_live_holdings(tuple(CARDS_OF[one].tolist()))
        two = int(random.choice(len(second), p=apart / apart.sum()))
        known = {*board, *CARDS_OF[one].tolist(), *CARDS_OF[two].tolist()}
        deck = [card for card in range(52) if card not in known]
        found.append(((int(one), two), (*board, deck[int(random.integers(len(deck)))])))
    return found


def _reaches(pair: tuple[Blueprint, Blueprint], node: int, board: tuple[int, ...]) -> tuple[Floats, Floats]:
    """How likely either seat comes to a node with each holding, each by their own blueprint."""
    return pair[0].reach(node, board)[0], pair[1].reach(node, board)[1]


def _gain(
    blueprint: Blueprint, other: Blueprint, node: int, board: tuple[int, ...], seat: int, options: dict[str, Any]
) -> float:
    """What the player wins more from a street on, in chips, if they solve it again."""
    button, out = _reaches((blueprint, other) if seat == 0 else (other, blueprint), node, board)
    own = blueprint_subgame(blueprint, node, board)
    own.suits_alike = blueprint.suits_alike and other.suits_alike  # or the two would have other boards
    subgame = own.with_locks(())
    live = shared_live_holdings(board)
    tables = (WeightTable(np.where(live, np.maximum(each, _LEAST * each.max()), 0.0), board) for each in (out, button))
    subgame.ranges = next(tables), next(tables)
    player = 1 if seat == 0 else 0  # who has the button is in position
    opponent = blueprint_solution(other, node, board, subgame=subgame)
    before = opponent.value(1 - player, against=blueprint_solution(blueprint, node, board, subgame=own))
    answer = resolve(blueprint, node, board, player, subgame=own, **options)
    after = opponent.value(1 - player, against=answer.solution)
    return before - after
