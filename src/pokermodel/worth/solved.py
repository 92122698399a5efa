"""The value of actions by a solution of the street, between two players after the flop.

The street is solved with the ranges that the reader has at its beginning. Values are those of an equilibrium from there
on, in which the hero answers best after the action: a solution hardly knows what a holding does after an action that it
hardly ever takes, and would say of such a check that it loses half of the pot to a bet that the hero may fold to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokermodel.cards import holding_index
from pokermodel.game import Act
from pokermodel.reading.reader import Spot
from pokermodel.solving import Solution, Subgame, locks_from
from pokermodel.solving.solver import solve_whole
from pokermodel.solving.tree import NodeAct
from pokermodel.worth.play_outs import Outcome, Rake, Tilts, along, joint_draws

__all__ = ["Depth", "Move", "Solved", "solved_outcome"]

Move = tuple[Act, int | None]

#: The usual bets of a street that is solved, and one size more, by which the error of the menu is found.
_MORE_BETS = ("50%", "100%", "all-in", "75%")


@dataclass(frozen=True, slots=True)
class Depth:
    """How a street is solved."""

    target: float  #: The exploitability to reach, in per cent of the pot.
    #: A larger one, at which values are looked at before: what they move by from there on is part of their error.
    #: What a solution may be exploited by is a mean over holdings and actions, and says little of one action of one
    #: holding.
    first: float
    #: The share of the likeliest holding's weight below which holdings are left out. On a river few are: thin ones
    #: together are a part that matters.
    least: float
    #: `seconds`, `iterations`: after which solving ends in any case. The fast way goes by iterations, which are the
    #: same on a busy machine.
    seconds: float
    iterations: int = 100_000


class Solved(NamedTuple):
    """The values of a decision by a solution, in chips."""

    acts: list[Move]
    outcome: Outcome
    balanced: tuple[float, ...] | None = None  #: values in the equilibrium, where those of `outcome` are not
    confidence: float | None = None  #: as `Verdict.confidence`
    risk: float | None = None  #: as `Verdict.risk`


def solved_outcome(spot: Spot, made: Sequence[int], tilts: Tilts, depth: Depth, rake: Rake) -> Solved:
    """Solve the street of a decision of the hero, who knows their cards.

    Amounts of bets and raises in `made` are valued beside those of the menu. `tilts` make the opponent's range stronger
    and weaker. Raises `ValueError` if the tree does not have what was made, a range rules the hero's cards out, or
    stacks are not known.
    """
    situation = spot.situation
    first = _Street(spot, made, tilts, depth, rake)
    menu = np.zeros(len(first.acts))
    if not situation.spec.structure.fixed:
        again = _Street(spot, made, tilts, depth, rake, _MORE_BETS)
        wider = dict(zip(again.acts, again.values[1], strict=True))
        for k, (move, ev) in enumerate(zip(first.acts, first.values[1].tolist(), strict=True)):
            menu[k] = abs(wider[move] - ev) if move in wider and move[0] != Act.FOLD else 0.0
    errors, values = first.errors / 2, first.values
    them = _against_them(spot, first.solution, len(first.acts), depth)
    balanced = None if them is None else tuple(values[1].tolist())
    if them is not None:  # the answer to them, with ranges as far off as those of the equilibrium
        values += np.array(them[0]) - values[1]
    fold = [k for k, (act, _) in enumerate(first.acts) if act == Act.FOLD]
    errors[fold, fold] = 0.0
    values[:, fold] = 0.0
    halves, draws = np.tile(values[1], (2, 1)), along(values, joint_draws(1)[:, 0])
    outcome = Outcome(values[1], errors, halves, halves, draws, np.zeros(len(first.acts)), menu)
    return Solved(first.acts, outcome, balanced, *(() if them is None else them[1:]))


class _Street:
    """A street solved for one decision.

    Attributes
    ----------
    values : ndarray of float64, shape (3, acts)
        Against weaker ranges, as they are and stronger.
    errors : ndarray of float64, shape (acts, acts)
        How far differences of two actions are off by the target; of the values on the diagonal.
    """

    def __init__(
        self,
        spot: Spot,
        made: Sequence[int],
        tilts: Tilts,
        depth: Depth,
        rake: Rake,
        bets: tuple[str, ...] | None = None,
    ) -> None:
        subgame = _subgame(spot, made, depth, rake, bets)
        node = subgame.played.node if subgame.played is not None else ""
        index = holding_index(spot.own_cards)
        solution = solve_whole(subgame, depth.first, depth.seconds, jobs=1, iterations=depth.iterations)
        before = solution.ev(node).best_of_acts[index]
        left = max(1, depth.iterations - solution.iterations)
        solution = solve_whole(subgame, depth.target, depth.seconds, jobs=1, iterations=left, start=solution)
        (tilt,) = tilts.values()
        found = [solution.ev(node, factors=np.exp(z * tilt)) for z in (-1.0, 0.0, 1.0)]
        values = np.array([each.best_of_acts[index] for each in found])
        if not np.isfinite(values).all():
            raise ValueError("the hero's cards never come to the node")
        situation = spot.situation
        fixed = situation.spec.structure.fixed
        places = _places(found[1].acts, made, situation.raise_range, fixed=fixed)
        order = list(places.values())
        moved = (values[1] - before)[order]
        errors = np.abs(moved[:, None] - moved)
        np.fill_diagonal(errors, np.abs(moved))
        self.acts, self.values, self.solution = list(places), values[:, order], solution
        self.errors = errors + float(found[1].gap[index])


def _subgame(spot: Spot, made: Sequence[int], depth: Depth, rake: Rake, bets: tuple[str, ...] | None) -> Subgame:
    """The street with the usual bets or some others, and as much of the ranges as a depth has."""
    more: dict[str, Any] = {"bets": bets} if bets else {}
    if rake.share:
        more |= {"rake": rake.share, "rake_cap": rake.cap if math.isfinite(rake.cap) else None}
    subgame = Subgame.from_spot(spot, also=made, **more)
    played = subgame.played
    assert played is not None
    return subgame.trim(depth.least, {played.player: spot.own_cards})


def _places(
    found: Sequence[NodeAct], made: Sequence[int], raise_range: tuple[int, int | None] | None, *, fixed: bool
) -> dict[Move, int]:
    """The actions of a decision and their places at its node; ValueError if one that was made is not there."""
    least, most = (0, None) if raise_range is None else raise_range
    acts: list[Move] = []
    for act in found:
        if act.to is None:
            acts.append((Act.FOLD if act.name == "fold" else Act.CALL, None))
        else:
            # what puts a shorter stack all-in may be less than a whole raise; nobody can call more than it
            to = max(round(act.to), least)
            acts.append((Act.RAISE, to if most is None else min(to, most)))
    sizes = [to for act, to in acts if act == Act.RAISE and to is not None]
    for to in made if not fixed else ():  # the tree rounds, and may make it all-in
        if not sizes:
            raise ValueError("the tree has no bet or raise")
        near = sizes[int(np.abs(np.array(sizes) - to).argmin())]
        if abs(near - to) > 0.15 * to and near != min(to, max(sizes)):  # nobody can call more than the largest
            raise ValueError("the tree does not have the size that was made")
        acts[acts.index((Act.RAISE, near))] = Act.RAISE, to
    if fixed:
        acts = [(act, least if act == Act.RAISE else None) for act, _ in acts]
    # chips are coarser than the tree's: of sizes that they do not tell apart the nearest one is the action
    one: dict[Move, int] = {}
    off = [abs((act.to or 0) - (to or 0)) for act, (_, to) in zip(found, acts, strict=True)]
    for k in sorted(range(len(acts)), key=off.__getitem__):
        one.setdefault(acts[k], k)
    order = sorted(one.values(), key=lambda k: (acts[k][0], acts[k][1] or 0))
    return {acts[k]: k for k in order}


def _against_them(
    spot: Spot, solution: Solution, acts: int, depth: Depth
) -> tuple[tuple[float, ...], float, float] | None:
    """Values against the opponent as the reader knows them, confidence and risk; on rivers alone.

    The opponent does what the reader expects with a confidence that grows with the actions it has seen of them, and
    else as they like. None where the reader does not say how much it has seen.
    """
    if spot.situation.round != 3:
        return None
    subgame, played = solution.subgame, solution.subgame.played
    assert played is not None
    try:
        locks = locks_from(spot, subgame, 1 - played.player)
        answer = solve_whole(subgame, depth.target, depth.seconds, locks=locks, jobs=1)
        values = answer.ev(played.node)
    except ValueError:
        return None
    worth = values.best_of_acts[holding_index(spot.own_cards)].tolist()
    # both trees are one, so that values stand in the same order: fold, check or call, rising sizes
    found = sorted(
        zip(values.acts, worth, strict=True),
        key=lambda each: (each[0].name not in ("fold", "check", "call"), each[0].name != "fold", each[0].to or 0),
    )
    if len(found) != acts or not np.isfinite(worth).all():
        return None
    confidence = float(np.mean([lock.confidence for lock in locks])) if locks else 0.0
    risk = max(0.0, solution.worst_case(played.player) - answer.worst_case(played.player))
    return tuple(ev for _, ev in found), confidence, risk
