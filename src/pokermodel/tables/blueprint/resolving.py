"""Subgames of a blueprint: solved again at the table, and the best answers to what is played in them.

A blueprint says how both players come to a street, with each holding. What it does from there on over buckets can be
solved again over holdings. With the ranges as they come by the blueprint that wins most from an opponent who plays
alike, and nothing is promised against one who does not: they may come with other holdings than they are thought to. The
answer of `resolve` is kept safe by a gate (`pokermodel/solving/solver.h`; Burch, Johanson and Bowling 2014): with each
holding the opponent may rather be paid what a best response to the blueprint would be worth there, so that an answer
which gives somebody more than that gains nothing. A gate alone, since a best response takes so much, leaves most
holdings away and little to solve for; the largest margin for the worst holding (Moravcik et al. 2016) gives up the
ranges, too. So a share of the opponent's range, as the blueprint has it, comes in any case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pokermodel._core.solver import BEST, SubgameSolver
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.solving.menu import STREETS
from pokermodel.solving.solution import Solution, mass_beside, with_confidence
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import ROOT, Place
from pokermodel.tables.blueprint.blueprint import Blueprint
from pokermodel.weights import WeightTable

__all__ = [
    "Deadline",
    "Exploitation",
    "Resolved",
    "blueprint_solution",
    "blueprint_subgame",
    "exploit_from",
    "floored",
    "learn_behind_gate",
    "resolve",
    "risked",
]

_DECISION = 0
_FLOOR = 1e-4  # least weight of a holding, as a share of the largest of its range
#: Iterations below which an answer is worse than the blueprint: on turns, best responses took 408 mbb/g of the answers
#: after 8 iterations and 206 of the blueprint.
_LEAST_ITERATIONS = 16
_SHARES = 1.0, 0.5, 0.25  # of confidences, as far as a risk is kept
_PRIOR = 0.5  # share of the gate's weights that is the same for all holdings


class Deadline:
    """When an answer has to be there.

    Parameters
    ----------
    seconds : float, optional
        From now on; without it there is no deadline.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left: infinite without a deadline, negative after it."""
        return self._end - self._clock()

    def part(self, parts: int) -> Deadline:
        """The deadline of the next of so many equal parts of the time that is left."""
        return self if math.isinf(self._end) else Deadline(self.left / parts, self._clock)

    def learn(self, solver: SubgameSolver, iterations: int) -> bool:
        """Learn until a number of iterations is reached or the next one would end too late.

        Returns
        -------
        bool
            Whether the answer has iterations enough. If it cannot have them in time, learning ends at once.
        """
        enough = iterations if math.isinf(self._end) else min(_LEAST_ITERATIONS, iterations)
        begun = left = self.left
        slowest = 0.0
        while solver.iterations < iterations:
            done, missing = solver.iterations, enough - solver.iterations
            mean = (begun - left) / done if done and math.isfinite(left) else 0.0
            if left <= (mean * missing if missing > 0 else slowest):
                break
            solver.learn(1)
            before, left = left, self.left
            slowest = max(slowest, before - left) if math.isfinite(left) else 0.0
        return bool(solver.iterations >= enough)


def blueprint_subgame(blueprint: Blueprint, node: int, board: CardsLike, *, chip: float = 1.0) -> Subgame:
    """The subgame at the beginning of a street, with the ranges as they come there by the blueprint.

    Parameters
    ----------
    node : int
        A node of the blueprint's tree: the first decision of flop, turn or river.
    chip : float
        The value of a chip of the blueprint in the subgame.

    Returns
    -------
    Subgame
        Out of position is the blueprint's seat 1, which has no button.

    Raises
    ------
    ValueError
        If the node does not begin a street after the flop, or the board is not of that street.
    """
    tree = blueprint.tree
    cards = card_indices(board)
    street = int(tree.street[node])
    if tree.kind[node] != _DECISION or street < 1 or tree.street[tree.parent[node]] == street:
        raise ValueError("a subgame begins with the first decision of flop, turn or river")
    if len(cards) != street + 2:
        raise ValueError(f"the subgame begins with {street + 2} cards, got {len(cards)}")
    button, other = (floored(weights) for weights in blueprint.reach(node, cards))
    game = blueprint.game
    pot = int(tree.put[node].sum())
    more: dict[str, Any] = {"small_bet": chip * game.bets[1], "big_bet": chip * game.bets[2], "cap": game.max_raises[1]}
    if game.structure != "limit":
        rows = dict(zip(STREETS, game.menu[1:], strict=True))
        streets = {name: {"bets": _texts(bets), "raises": _texts(raises)} for name, (bets, raises) in rows.items()}
        more = {"stacks": chip * (game.stack - pot // 2), "least": chip * game.bets[street], "streets": streets}
        more["all_in_share"] = game.all_in_share
    ranges = WeightTable(other, cards), WeightTable(button, cards)
    found = Subgame(cards, pot=chip * pot, ranges=ranges, structure=game.structure, **more)
    if game.structure != "limit":
        found.unit = chip  # sizes are rounded as the blueprint has them, so that its tree is the same
    return found


def floored(weights: Floats) -> Floats:
    """A range in which no holding is quite impossible: values of holdings without a weight would be noise."""
    most = float(weights.max())
    return np.maximum(weights, _FLOOR * most) if most > 0 else np.ones(len(weights))


def _texts(sizes: Iterable[tuple[str, float]]) -> list[str]:
    """Sizes as a menu has them."""
    return [f"{100 * share:.12g}%" if kind == "pot" else kind for kind, share in sizes]


def _fill(solution: Solution, blueprint: Blueprint, node: int) -> None:
    """Let a solution play the blueprint's strategies."""
    tree, mine, solver = blueprint.tree, solution.tree, solution._solver
    n = len(mine)
    same = tree.end[node] == node + n and (tree.act[node + 1 : node + n] == mine.act[1:]).all()
    if not (same and (tree.kind[node : node + n] == mine.kind).all()):
        raise ValueError("the subgame has another tree than the blueprint")
    offsets = np.ascontiguousarray(tree.offset[node : node + n])
    root = solution.subgame.cards
    boards_of: Any = solver.size["boards"]
    for street, boards in enumerate(boards_of):
        for board in range(boards):
            dealt = solver.board(street, board)[0]
            solver.fill(street, board, offsets, blueprint.numbers, blueprint.buckets((*root, *dealt)))


def blueprint_solution(
    blueprint: Blueprint, node: int, board: CardsLike, *, subgame: Subgame | None = None
) -> Solution:
    """A solution of the subgame that plays as the blueprint does, for values and best responses.

    Parameters
    ----------
    blueprint, node, board
        As `blueprint_subgame`.
    subgame : Subgame, optional
        The subgame to solve, if it has other ranges or locks.
    """
    solution = Solution(blueprint_subgame(blueprint, node, board) if subgame is None else subgame)
    _fill(solution, blueprint, node)
    solution._solver.iterations = 1
    return solution


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """A street of a blueprint that was solved again for one player.

    Attributes
    ----------
    solution : Solution
        The player's strategy to play, and the opponent's strategy of its training.
    node : int
        The root of the answer in the blueprint's tree.
    player : int
        The player of the answer: 0 out of position, 1 in position.
    allowed : ndarray of float64, shape (1326,)
        The return of a best response to the blueprint with each of the opponent's holdings, from the root on; nan if
        they cannot have it, or without time to compute it.
    in_time : bool
        Whether there was time for enough iterations. If not, both players follow the blueprint.
    """

    solution: Solution
    node: int
    player: int
    allowed: Floats
    in_time: bool = True

    def strategy(self, node: int, board: CardsLike) -> Floats:
        """The strategy of the player, or of the opponent in training, at a node with each holding.

        Parameters
        ----------
        node : int
            A decision of the blueprint's tree below the root.
        board : cards
            The board at that node.

        Returns
        -------
        ndarray of float64, shape (1326, acts)
            Nan where a holding cannot be held.

        Raises
        ------
        ValueError
            If the node is none of these, or the board does not go on from that of the root.
        """
        tree, here = self.solution.tree, node - self.node
        cards = card_indices(board)
        root = self.solution.subgame.cards
        if not 0 <= here < len(tree) or not tree.is_decision(here):
            raise ValueError("the node is no decision of what was solved")
        dealt = cards[len(root) :]
        if cards[: len(root)] != root or len(dealt) != tree.street[here]:
            raise ValueError(f"the board does not go on from {self.solution.subgame.board} as far as the node")
        place = Place(ROOT, 0, 0, (0, 1, 2, 3), ())
        above = here
        deals = []
        while above > 0:
            above = int(tree.parent[above])
            if tree.is_deal(above):
                deals.append(above)
        for deal, card in zip(reversed(deals), dealt, strict=True):
            place = tree.dealt(replace(place, node=deal), card)
        place = replace(place, node=here)
        average = self.solution._solver.average(here, place.board).T
        return self.solution._spread(place, int(tree.player[here]), average)

    def excess(self) -> float:
        """How much more than allowed a best response to the answer gets, at most over the opponent's holdings.

        Returns
        -------
        float
            In chips of the blueprint; at most 0 if the answer is safe.
        """
        return float(np.nanmax(self.solution.best_response(1 - self.player).of_holdings - self.allowed))


def resolve(
    blueprint: Blueprint,
    node: int,
    board: CardsLike,
    player: int,
    *,
    iterations: int = 100,
    seconds: float | Deadline | None = None,
    sure: float = 0.75,
    subgame: Subgame | None = None,
    risk: float | None = None,
) -> Resolved:
    """Solve a street and what comes after it again, for one player, safely.

    Parameters
    ----------
    node : int
        The first decision of flop, turn or river in its tree.
    player : int
        0 out of position, 1 in position.
    seconds : float or Deadline, optional
        Time limit of the answer. If it is too short for 16 iterations, the answer is the blueprint.
    sure : float
        Share of the opponent's range that is taken for granted. With 0 the answer approaches one that gives no holding
        of the opponent more than the blueprint does.
    subgame : Subgame, optional
        A subgame in place of the blueprint's: with its own range of the opponent, and with locks of their believed
        strategy.
    risk : float, optional
        With locks, the largest excess of a best response's win over that from the answer without `subgame`, in per cent
        of the pot, for the believed range and for the blueprint's. If the excess is larger, all confidences are halved,
        twice at most, and then the answer is the one without.

    Raises
    ------
    ValueError
        If an argument is wrong.
    """
    check_least("iterations", iterations, 1)
    if not 0.0 <= sure <= 1.0:
        raise ValueError(f"sure must be 0 to 1, got {sure!r}")
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, got {player!r}")
    deadline = seconds if isinstance(seconds, Deadline) else Deadline(seconds)
    given = blueprint_subgame(blueprint, node, board) if subgame is None else subgame

    def answer(spot: Subgame, parts: int = 1) -> Resolved:
        return _answer(blueprint, node, board, player, iterations, deadline.part(parts), sure, spot)

    if risk is None or not given.locks:
        return answer(given)
    if not risk > 0:
        raise ValueError(f"risk must be above 0 per cent of the pot, got {risk!r}")
    plain = blueprint_subgame(blueprint, node, board, chip=given.pot / int(blueprint.tree.put[node].sum()))
    free = answer(plain, 1 + len(_SHARES))
    ranges = [spot.ranges[1 - player] for spot in (given, plain)]
    for number, share in enumerate(_SHARES if free.in_time else ()):
        found = answer(given.with_locks(with_confidence(given.locks, share)), len(_SHARES) - number)
        if not found.in_time:
            break
        if risked(found, free, ranges) <= risk / 100 * given.pot:
            return found
    return free


def risked(answer: Resolved, free: Resolved, ranges: Iterable[WeightTable]) -> float:
    """How much more a best response takes from an answer than from another, at most over some ranges.

    Parameters
    ----------
    answer, free : Resolved
        Two results of the same street and player.
    ranges : iterable of WeightTable
        Holdings of the opponent; at least one.

    Returns
    -------
    float
        In money of the subgame, exact over all holdings.
    """
    other = 1 - answer.player
    more = answer.solution.best_response(other).of_holdings - free.solution.best_response(other).of_holdings
    beside = mass_beside(np.asarray(answer.solution.subgame.ranges[answer.player].values))
    known = ~np.isnan(more)
    pairs = [(np.asarray(weights.values) * beside)[known] for weights in ranges]
    return max(float(each @ more[known] / each.sum()) for each in pairs)


def _answer(
    blueprint: Blueprint,
    node: int,
    board: CardsLike,
    player: int,
    iterations: int,
    deadline: Deadline,
    sure: float,
    subgame: Subgame,
) -> Resolved:
    before = deadline.left
    filled = blueprint_solution(blueprint, node, board, subgame=subgame)
    solver, other = filled._solver, 1 - player
    if 3 * deadline.left < 2 * before:  # 16 iterations take at least twice as long as filling in the blueprint
        return Resolved(filled, node, player, np.full(N_HOLDINGS, np.nan), False)
    allowed = filled.best_response(other)
    solver.begin(BEST, other, False)  # the opponent keeps to no lock
    solver.share(0, 1)
    away = solver.end()
    solution = Solution(filled.subgame)
    in_time = learn_behind_gate(solution, player, away, iterations, deadline, sure)
    return Resolved(solution if in_time else filled, node, player, allowed.of_holdings, in_time)


def learn_behind_gate(
    solution: Solution, player: int, away: Floats | None, iterations: int, deadline: Deadline, sure: float
) -> bool:
    """Learn an answer for a player, while the opponent may stay away.

    Parameters
    ----------
    solution : Solution
        In which nothing is learnt yet.
    away : ndarray of float64 or None
        The value of staying away with each of the opponent's holdings, as `SubgameSolver.end` has values; None where
        there is no gate.
    sure : float
        As `resolve` has it.

    Returns
    -------
    bool
        As `Deadline.learn` has it.
    """
    solver, other = solution._solver, 1 - player
    if away is not None:
        weights = solver.weights(other)
        prior = _PRIOR / len(weights) + (1.0 - _PRIOR) * weights
        solver.gate(other, sure, prior, away)
    return deadline.learn(solver, iterations)


class Exploitation(NamedTuple):
    """The gain of a best response to a strategy from a street on, per hand."""

    mean: float  #: in thousandths of a big blind, over both seats
    standard_error: float
    hands: int  #: drawn
    subgames: int  #: of those, that came to the street


def exploit_from(
    blueprint: Blueprint,
    street: int,
    subgames: int,
    rng: RandomLike = None,
    *,
    resolved: bool = False,
    **options: Any,
) -> Exploitation:
    """Measure what a best response from a street on takes from a blueprint, or from its streets solved again.

    Hands are drawn by the blueprint until enough came to the street, and best responses over all holdings are worked
    out exactly on each of their boards, for both seats. What both could gain, halved, is the exploitability of the
    subgame: by so much a strategy loses, on average over the seats, to an opponent who plays the blueprint before and
    the best answer from there on, beside one that could not be exploited there.

    Parameters
    ----------
    street : int
        1 flop, 2 turn, 3 river.
    resolved : bool
        Whether the street is solved again, by `resolve` with these options.
    """
    check_least("subgames", subgames, 2)
    random = np.random.default_rng(as_seed_sequence(rng))
    found: list[float] = []
    hands = 0
    while len(found) < subgames:
        hands += 1
        drawn = draw_street(blueprint, street, random)
        if drawn is None:
            continue
        node, board = drawn
        if resolved:
            answers = [resolve(blueprint, node, board, player, **options) for player in range(2)]
            pot = answers[0].solution.subgame.pot
            best = sum(answer.solution.best_response(1 - answer.player).value for answer in answers)
        else:
            solution = blueprint_solution(blueprint, node, board)
            pot = solution.subgame.pot
            best = sum(solution.best_response(player).value for player in range(2))
        found.append(1000.0 * (best - pot) / 2 / blueprint.game.big_blind)
    values = np.zeros(hands)
    values[: len(found)] = found
    return Exploitation(float(values.mean()), float(values.std(ddof=1) / np.sqrt(hands)), hands, len(found))


def draw_street(blueprint: Blueprint, street: int, random: np.random.Generator) -> tuple[int, tuple[int, ...]] | None:
    """A hand drawn by the blueprint, as far as the beginning of a street: node and board; None if it ends before."""
    tree = blueprint.tree
    cards = random.permutation(52)[:9].tolist()
    board = tuple(cards[:5])
    holdings = [max(c) * (max(c) - 1) // 2 + min(c) for c in (cards[5:7], cards[7:9])]
    node = 0
    while tree.kind[node] == _DECISION:
        at = int(tree.street[node])
        if at == street:
            return node, board[: street + 2]
        buckets = blueprint.buckets(board[: (0, 3, 4)[at]])
        row = blueprint._rows(node, buckets[[holdings[int(tree.player[node])]]])[0]
        node = tree.child(node, int(np.searchsorted(np.cumsum(row), random.random() * row.sum(), side="right")))
    return None
