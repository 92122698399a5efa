"""A hand of no limit at a table, followed in a blueprint and solved as it goes on.

A blueprint has a few sizes, and a table all of them. Before the first solved street, an action is looked up in the
blueprint's tree. A bet between two sizes of the tree is mapped to one of them by the pseudo-harmonic mapping (Ganzfried
and Sandholm 2013). It uses the frequency with which a size has to be called, so bets slightly off the tree gain
nothing. The published mapping draws one of the two. Here the likelier one is used, so play is a function of the hand
and can be measured exactly. Solving such a bet anew would need a flop, which takes minutes and gigabytes. The sizes of
the tree are shares of the pot and return to the table as such, so slightly different stacks need no other blueprint.

From there on nothing is mapped. Whenever the opponent bets a size outside the menu, the street is solved anew from its
beginning, with that size in the menu. The first such street has its ranges from the blueprint. The opponent's
alternative to playing it is the value of a best response to the blueprint, in shares of the pot
(`pokermodel.tables.blueprint.resolving`). The next street has both from the one before.

If a player is all-in in the tree and not at the table, a call goes all-in, because the tree ends there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import card_text
from pokermodel.game import BOARD_CARDS, Act, Decision, Situation
from pokermodel.solving.played_street import made_sizes
from pokermodel.solving.solution import Solution
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.blueprint.blueprint import Blueprint
from pokermodel.tables.blueprint.resolving import Deadline, blueprint_solution, floored, learn_behind_gate
from pokermodel.weights import WeightTable

__all__ = ["NoLimitTable", "Offer", "mapped_size"]

_DECISION, _SHOWDOWN = 0, 3
_RIVER = 3
_KEPT = 24  # solutions, of a turn up to some tens of megabytes each in all
_STREETS = ("flop", "turn", "river")
#: Bets and raises of streets that are solved, by the street that is solved: those of later ones are for its values.
_MENUS: dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "turn": {"turn": (("50%", "100%", "all-in"), ("100%", "all-in")), "river": (("75%", "all-in"), ("all-in",))},
    "river": {"river": (("33%", "75%", "150%", "all-in"), ("75%", "all-in"))},
}
_ALL_IN_SHARE = 0.2


class Offer(NamedTuple):
    """An act that a strategy may choose."""

    act: Act
    to: int | None = None  #: in chips of the round


class _Solved(NamedTuple):
    """A street that was solved for one player, with the sizes that had been bet in it."""

    solution: Solution
    root: Situation


def mapped_size(size: float, known: Sequence[float]) -> int:
    """Which of the sizes of a tree a bet is taken for, by the pseudo-harmonic mapping.

    Parameters
    ----------
    size : float
        Above a call, by the pot after it.

    Examples
    --------
    >>> mapped_size(0.7, [0.5, 1.0]), mapped_size(0.75, [0.5, 1.0])
    (0, 1)
    """
    above = next((k for k, each in enumerate(known) if each >= size), len(known))
    if above in (0, len(known)):
        return min(above, len(known) - 1)
    low, high = known[above - 1], known[above]
    nearer_low = (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))
    return above - 1 if nearer_low >= 0.5 else above


class NoLimitTable:
    """The play of a blueprint with solving in hands of no limit between two.

    Parameters
    ----------
    first : int
        The round from which on hands are solved: 2 the turn, 3 the river; 4 for none.
    seconds : float, optional
        Time for a decision. A street that has too little of it for 16 iterations is played by the blueprint.
    sure : float
        As `pokermodel.tables.blueprint.resolve` has it.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        first: int = 2,
        iterations: tuple[int, int] = (50, 150),
        seconds: float | None = None,
        sure: float = 0.75,
    ) -> None:
        self.blueprint = blueprint
        self.first = first
        self.iterations = iterations
        self.seconds = seconds
        self.sure = sure
        self._kept: OrderedDict[Hashable, _Solved | None] = OrderedDict()

    def strategy(self, situation: Situation, decisions: Sequence[Decision]) -> tuple[list[Offer], Floats]:
        """The strategy of the player who is to act with each holding.

        Returns
        -------
        probabilities : ndarray of float64, shape (1326, offers)
            Nan where a holding is not possible.
        """
        if situation.round < self.first:
            return self._by_blueprint(situation, decisions)
        solved = self._street(situation.round, decisions, situation, situation.seat, Deadline(self.seconds))
        if solved is None:
            return self._by_blueprint(situation, decisions)
        name = _name(solved.root, decisions)
        tree, solution = solved.solution.tree, solved.solution
        base = situation.round_base
        place = tree.place(name)
        put_before = base - solved.root.round_base  # since the root, when the round began: 0 where it is the root's
        offers = []
        for act in tree.acts(place.node):
            if act.to is None:
                offers.append(Offer(Act.FOLD if act.name == "fold" else Act.CALL))
            else:
                offers.append(self._raise(situation, round(act.to) - put_before, all_in=act.all_in))
        rows = solution.strategy(name)
        live = ~np.isin(CARDS_OF, situation.board).any(axis=1)
        rows[live & np.isnan(rows).any(axis=1)] = 1.0 / rows.shape[1]
        return _legal(situation, offers, rows)

    # -- by the blueprint --------------------------------------------------------------------------

    def follow(self, decisions: Sequence[Decision]) -> tuple[int, bool]:
        """The decision of the blueprint's tree that acts lead to, and whether it is where the hand is.

        Where it is not, since the tree has no such act, it is the last one that the tree has.
        """
        node = 0
        for each in decisions:
            step = self._step(node, each)
            if step is None:
                return node, False
            node = step
        return node, True

    def _step(self, node: int, decision: Decision) -> int | None:
        tree, situation = self.blueprint.tree, decision.situation
        acts = tree.acts(node)
        if tree.player[node] != (situation.seat != situation.spec.first[0]):
            return None
        fitting = [k for k, (act, _) in enumerate(acts) if act == decision.act]
        if not fitting:
            return None
        number = fitting[0]
        if decision.act == Act.RAISE:
            assert decision.to is not None
            offers = [self._raise_of(node, k, situation).to for k in fitting]
            pot, stay = situation.pot + situation.to_call, situation.in_round + situation.to_call
            if decision.to in offers:
                number = fitting[offers.index(decision.to)]
            elif decision.to >= _most(situation):
                number = fitting[-1]
            else:
                sizes = [self._size(node, k) for k in fitting]
                number = fitting[mapped_size((decision.to - stay) / pot, sizes)]
        found = tree.child(node, number)
        return found if tree.kind[found] == _DECISION else None

    def _size(self, node: int, number: int) -> float:
        """A raise of the tree, above a call, by the pot after it."""
        tree = self.blueprint.tree
        put, actor = tree.put[node], int(tree.player[node])
        level = int(put.max())
        to = int(tree.put[tree.children(node)[number], actor])
        return (to - level) / (int(put.sum()) + level - int(put[actor]))

    def _raise_of(self, node: int, number: int, situation: Situation) -> Offer:
        """A raise of the tree at the table."""
        tree = self.blueprint.tree
        all_in = tree.put[tree.children(node)[number], tree.player[node]] >= self.blueprint.game.stack
        pot, stay = situation.pot + situation.to_call, situation.in_round + situation.to_call
        return self._raise(situation, round(stay + self._size(node, number) * pot), all_in=bool(all_in))

    @staticmethod
    def _raise(situation: Situation, to: int, *, all_in: bool) -> Offer:
        if situation.raise_range is None:
            return Offer(Act.RAISE, to)
        least = situation.raise_range[0]
        most = _most(situation)
        return Offer(Act.RAISE, most if all_in else min(most, max(least, to)))

    def _by_blueprint(self, situation: Situation, decisions: Sequence[Decision]) -> tuple[list[Offer], Floats]:
        node, there = self.follow(decisions)
        tree = self.blueprint.tree
        board = situation.board[: BOARD_CARDS[situation.round]]
        if not there or int(tree.street[node]) != situation.round:
            rows = np.ones((len(CARDS_OF), 1))
            rows[np.isin(CARDS_OF, board).any(axis=1)] = np.nan
            return [Offer(Act.CALL)], rows
        offers = []
        for number, (act, _) in enumerate(tree.acts(node)):
            if act == Act.RAISE:
                offers.append(self._raise_of(node, number, situation))
            elif (
                act == Act.CALL
                and situation.raise_range is not None
                and situation.round < _RIVER
                and tree.kind[tree.child(node, number)] == _SHOWDOWN
            ):
                offers.append(Offer(Act.RAISE, _most(situation)))
            else:
                offers.append(Offer(Act(act)))
        return _legal(situation, offers, self.blueprint.strategy(node, board))

    # -- solved ------------------------------------------------------------------------------------

    def _street(
        self, round_: int, decisions: Sequence[Decision], situation: Situation, seat: int, deadline: Deadline
    ) -> _Solved | None:
        """The last solution of a street for a player, which has all that was done in it so far; None if it was late.

        The street is solved when they first act in it, and again when they face a size that was not in the menu: what
        they went by follows from the hand alone.
        """
        before = sum(each.round < round_ for each in decisions)
        root = decisions[before].situation if before < len(decisions) else situation
        own = [k for k in range(before, len(decisions)) if decisions[k].seat == seat]
        found = None
        for upto in [*own, len(decisions)]:
            if found is not None:
                try:
                    found.solution.tree.find(_name(root, decisions[:upto]))
                    continue
                except ValueError:  # a size that was not in the menu
                    pass
            elif upto == len(decisions) and own and situation.round > round_:
                break  # it was played by the blueprint
            found = self._solve(round_, decisions[:upto], root, seat, deadline)
        return found

    def _solve(
        self, round_: int, decisions: Sequence[Decision], root: Situation, seat: int, deadline: Deadline
    ) -> _Solved | None:
        board = root.board[: BOARD_CARDS[round_]]
        key = seat, board, root.stacks_before, tuple([(each.seat, each.act, each.put_in) for each in decisions])
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        before = [each for each in decisions if each.round < round_]
        button = root.spec.first[0]
        player = int(seat == button)
        ranges, shares = self._come(round_, before, root, board, seat, deadline)
        subgame = self._subgame(round_, decisions[len(before) :], root, board, ranges)
        solution = Solution(subgame)
        away = None
        if shares is not None:
            masses = solution._masses(1 - player, solution._weights[player], ())[solution._holdings[1 - player]]
            away = np.nan_to_num((shares[solution._holdings[1 - player]] - 0.5) * solution._pot) * masses
        in_time = learn_behind_gate(solution, player, away, self.iterations[round_ - 2], deadline, self.sure)
        while len(self._kept) >= _KEPT:
            self._kept.popitem(last=False)
        found = self._kept[key] = _Solved(solution, root) if in_time else None
        return found

    def _come(
        self,
        round_: int,
        before: Sequence[Decision],
        root: Situation,
        board: tuple[int, ...],
        seat: int,
        deadline: Deadline,
    ) -> tuple[list[Floats], Floats | None]:
        """Both ranges as they come to a street, out of position first, and what the opponent may have of the pot.

        The latter is by their holding, and None where the blueprint's tree is not where the hand is.
        """
        player = int(seat == root.spec.first[0])
        solved = self._street(round_ - 1, before, root, seat, deadline) if round_ > self.first else None
        if solved is not None:
            solution = solved.solution
            name = f"{_name(solved.root, before)}:{card_text(board[-1])}"
            ranges = [np.asarray(solution.range(name, each).values) for each in range(2)]
            worth = solution.ev(name, 1 - player)
            return ranges, (worth.of_holdings + worth.gap) / root.pot
        node, there = self.follow(before)
        tree = self.blueprint.tree
        there = there and int(tree.street[node]) == round_
        known = board
        if not there:
            known = board[: BOARD_CARDS[int(tree.street[node])]]
        button, other = self.blueprint.reach(node, known)
        if not there:
            return [other, button], None
        solution = blueprint_solution(self.blueprint, node, board)
        return [other, button], solution.best_response(1 - player).of_holdings / solution.subgame.pot

    @staticmethod
    def _subgame(
        round_: int, decisions: Sequence[Decision], root: Situation, board: tuple[int, ...], ranges: Sequence[Floats]
    ) -> Subgame:
        """The subgame of a street in chips, with the sizes that were bet in it."""
        button = root.spec.first[0]
        made = made_sizes(root, decisions, (1 - button, button))
        street = _STREETS[round_ - 1]
        streets: dict[str, dict[str, Any]] = {}
        for name, (bets, raises) in _MENUS[street].items():
            streets[name] = {"bets": bets, "raises": raises}
            if name == street:
                usual = {"bets": bets, "raises": raises}
                for who, rows in made.sizes.items():
                    streets[name][who] = {
                        row: tuple(dict.fromkeys([*usual[row], *found])) for row, found in rows.items()
                    }
        stacks = [root.stacks[seat] for seat in (1 - button, button)]
        subgame = Subgame(
            board,
            pot=root.pot,
            stacks=[float(stack) for stack in stacks if stack is not None],
            ranges=[WeightTable(floored(weights), board) for weights in ranges],
            structure=root.spec.structure,
            least=root.spec.bets[round_],
            streets=streets,
            all_in_share=min([_ALL_IN_SHARE, *(0.99 * left for left in made.left)]),
        )
        subgame.unit = 1.0  # sizes are whole chips
        return subgame


def _most(situation: Situation) -> int:
    """What a raise goes to that has the shorter stack all-in."""
    assert situation.raise_range is not None
    least, most = situation.raise_range
    level = situation.in_round + situation.to_call
    theirs = situation.stacks[1 - situation.seat] if situation.stacks_before else None
    found = [each for each in (most, None if theirs is None else level + theirs) if each is not None]
    return max(least, min(found)) if found else least


def _legal(situation: Situation, offers: list[Offer], rows: Floats) -> tuple[list[Offer], Floats]:
    """Acts of the tree as the rules offer them, each once: what they do not offer is a call."""
    kept = [offer if offer.act in situation.legal else Offer(Act.CALL) for offer in offers]
    distinct = sorted(set(kept), key=lambda offer: (offer.act, offer.to or 0))
    found = np.zeros((len(rows), len(distinct)))
    for column, offer in enumerate(kept):
        found[:, distinct.index(offer)] += rows[:, column]
    return distinct, found


def _name(root: Situation, decisions: Sequence[Decision]) -> str:
    """The node that the acts of a street lead to in its subgame."""
    button = root.spec.first[0]
    return made_sizes(root, [each for each in decisions if each.round == root.round], (1 - button, button)).node
