"""Names of the nodes of a subgame's tree, and where on the boards that are solved each one is.

A node is named as PioSOLVER does: ``r:0`` is the root, and each part after it is an act or a card: ``f``, ``c`` for a
check or a call, ``b100`` for a bet or raise after which the player has put 100 in since the root, ``8h``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pokermodel._core.solver import SubgameSolver
from pokermodel._support.arrays import Integers
from pokermodel.cards import N_HOLDINGS, card_index, card_text, holding_cards
from pokermodel.solving.subgame import Subgame

__all__ = ["NodeAct", "Place", "Tree", "betting_lines"]

ROOT = "r:0"
_DECISION, _DEAL, _FOLD_END = range(3)
_FOLD, _CALL, _RAISE = range(3)
_SAME = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class NodeAct:
    """An act of a node.

    Attributes
    ----------
    name : str
        ``"fold"``, ``"check"``, ``"call"``, ``"bet"`` or ``"raise"``.
    to : float or None
        The total of a bet or raise in its round.
    part : str
        The last part of the child's name.
    all_in : bool
    """

    name: str
    to: float | None
    part: str
    all_in: bool

    def __str__(self) -> str:
        """The act in words, as ``"raise to 340"``."""
        if self.to is None:
            return self.name
        return f"{self.name} {'to ' if self.name == 'raise' else ''}{self.to:g}{', all-in' if self.all_in else ''}"


@dataclass(frozen=True, slots=True)
class Place:
    """A node on a board.

    Attributes
    ----------
    name : str
    node : int
        Its number in the tree.
    board : int
        The board of its street that is solved.
    suits : tuple of int
        The name of each suit on that board.
    cards : tuple of int
        Cards that were dealt since the root.
    """

    name: str
    node: int
    board: int
    suits: tuple[int, ...]
    cards: tuple[int, ...]


class Tree:
    """The tree of a subgame.

    Parameters
    ----------
    solver : SubgameSolver
        Of the subgame, with its memory.
    cards : tuple of int
        Of the board at the root.
    unit : float
        The value of a chip of the solver.
    stack : int
        Chips that each player can put in.
    """

    def __init__(self, solver: SubgameSolver, cards: tuple[int, ...], unit: float, stack: int) -> None:
        self._unit = unit
        self._limit = stack
        self._solver = solver
        found = solver.nodes()
        self.parent, self.end, self.kind = found["parent"], found["end"], found["kind"]
        self.player, self.street, self.act, self.put = found["player"], found["street"], found["act"], found["put"]
        self._root_cards = set(cards)

    def __len__(self) -> int:
        return len(self.parent)

    def children(self, node: int) -> list[int]:
        """Numbers of a node's children."""
        found = []
        child = node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def is_decision(self, node: int) -> bool:
        """Whether somebody acts at the node."""
        return bool(self.kind[node] == _DECISION)

    def is_deal(self, node: int) -> bool:
        """Whether a card is dealt at the node."""
        return bool(self.kind[node] == _DEAL)

    def is_fold(self, node: int) -> bool:
        """Whether a fold led to the node, by the player whom it has."""
        return bool(self.kind[node] == _FOLD_END)

    def _amount(self, chips: int) -> str:
        return f"{float(f'{chips * self._unit:.9f}'):.12g}"

    def part(self, node: int) -> str:
        """The last part of the name of a node that an act led to."""
        if self.act[node] == _RAISE:
            return f"b{self._amount(int(self.put[node, self.player[self.parent[node]]]))}"
        return "f" if self.act[node] == _FOLD else "c"

    def acts(self, node: int) -> tuple[NodeAct, ...]:
        """The actions of the player who acts at a node."""
        found = []
        actor = int(self.player[node])
        base = self.round_base(node)
        facing = self.put[node, 1 - actor] > self.put[node, actor]
        for child in self.children(node):
            kind, to = self.act[child], int(self.put[child, actor])
            name = {_FOLD: "fold", _CALL: "call" if facing else "check"}.get(int(kind), "raise" if facing else "bet")
            amount = float(f"{(to - base) * self._unit:.9f}") if kind == _RAISE else None
            found.append(NodeAct(name, amount, self.part(child), bool(kind == _RAISE and to >= self._limit)))
        return tuple(found)

    def parts(self, node: int) -> tuple[str, ...]:
        """The last parts of the names of a decision's children."""
        return tuple([self.part(child) for child in self.children(node)])

    def name(self, node: int) -> str:
        """The name of a node, with ``*`` for cards."""
        found: list[str] = []
        while self.parent[node] >= 0:
            above = int(self.parent[node])
            found.append("*" if self.is_deal(above) else self.part(node))
            node = above
        return ":".join([ROOT, *found[::-1]])

    def number(self, name: str) -> int:
        """The number of the decision of a name, for any cards in it; raises as `places`."""
        parts = _parts(name)
        node = 0
        for part in parts:
            if self.is_deal(node):
                node += 1
                continue
            found = [child for child in self.children(node) if _same_part(self.part(child), part)]
            if not (found and self.is_decision(node)):
                raise ValueError(f"there is no node {name!r}")
            node = found[0]
        if not self.is_decision(node):
            raise ValueError(f"nobody acts at node {name!r}")
        return node

    def round_base(self, node: int) -> int:
        """Each player's chips in the pot at the start of a node's round."""
        while self.parent[node] >= 0 and self.street[self.parent[node]] == self.street[node]:
            node = int(self.parent[node])
        return int(self.put[node].max())

    # -- names -------------------------------------------------------------------------------------

    def places(self, name: str) -> Iterator[Place]:
        """The decisions of a name, one for each card that a ``*`` stands for.

        Raises
        ------
        ValueError
            If there is no such node, or it has no player to act.
        """
        for place in self._named(name):
            if not self.is_decision(place.node):
                raise ValueError(f"nobody acts at node {name!r}")
            yield place

    def place(self, name: str) -> Place:
        """The decision of a name without ``*``; raises as `places`."""
        found = list(self.places(name))
        if len(found) > 1 or "*" in name:
            raise ValueError(f"{name!r} is more than one node: expected a card where * stands")
        return found[0]

    def find(self, name: str) -> Place:
        """The node of a name without ``*``, whether somebody acts there or not.

        Raises
        ------
        ValueError
            If there is no such node, or more than one.
        """
        found = self._named(name)
        if len(found) > 1 or "*" in name:
            raise ValueError(f"{name!r} is more than one node: expected a card where * stands")
        return found[0]

    def _named(self, name: str) -> list[Place]:
        found = list(self._follow(_parts(name), Place(ROOT, 0, 0, _SAME, ())))
        if not found:
            raise ValueError(f"there is no node {name!r}")
        return found

    def after(self, at: Place, child: int) -> Place:
        """Where an act leads to, which the number of the child says."""
        return Place(f"{at.name}:{self.part(child)}", child, *self._where(at))

    def _follow(self, parts: list[str], at: Place) -> Iterator[Place]:
        if not parts:
            yield at
            return
        part, rest = parts[0], parts[1:]
        if self.is_decision(at.node):
            for child in self.children(at.node):
                if _same_part(self.part(child), part):
                    yield from self._follow(rest, self.after(at, child))
            return
        if not self.is_deal(at.node):
            return
        taken = {*self._root_cards, *at.cards}
        try:
            cards = [card for card in range(52) if card not in taken] if part == "*" else [card_index(part)]
        except ValueError:
            return
        for card in cards:
            if card not in taken:
                yield from self._follow(rest, self.dealt(at, card))

    @staticmethod
    def _where(at: Place) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        return at.board, at.suits, at.cards

    def dealt(self, at: Place, card: int) -> Place:
        """Where a card leads from a node at which one is dealt."""
        street = int(self.street[at.node])
        known = (card & ~3) | at.suits[card & 3]
        for board in self._solver.children(street, at.board):
            for image, renaming in self._solver.board(street + 1, board)[2]:
                if image == known:
                    back = tuple(renaming.index(suit) for suit in at.suits)
                    return Place(f"{at.name}:{card_text(card)}", at.node + 1, board, back, (*at.cards, card))
        raise ValueError(f"{card_text(card)} cannot be dealt at {at.name}")

    def path(self, place: Place) -> list[tuple[int, int, int]]:
        """Decisions above a place: node, board and which act was taken."""
        found = []
        node, board = place.node, place.board
        while self.parent[node] >= 0:
            above = int(self.parent[node])
            if self.street[above] != self.street[node]:
                board = self._solver.board(int(self.street[node]), board)[1]
            elif self.is_decision(above):
                found.append((above, board, self.children(above).index(node)))
            node = above
        return found[::-1]


def _parts(name: str) -> list[str]:
    """The parts of a name after the root."""
    parts = name.strip().split(":")
    return parts[2:] if parts[:2] == ROOT.split(":") else [part for part in parts if part]


def _same_part(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return one[0] == other[:1] == "b" and abs(float(one[1:]) - float(other[1:])) < 1e-6
    except ValueError:
        return False


def betting_lines(subgame: Subgame) -> list[tuple[int, ...]]:
    """All lines of betting of a subgame, as what each player has put in since the root after each of their acts.

    Chips are as whole as `Subgame.chips` has them. Folds, calls that end a hand, and lines with
    which another line begins are left out.

    Raises
    ------
    ValueError
        If the tree is too large.
    """
    solver = subgame.solver()
    solver.grow()
    tree = Tree(solver, *subgame.root)
    found: list[tuple[int, ...]] = []

    def walk(node: int, line: tuple[int, ...], checked: bool) -> bool:
        """Whether a line was found from here on."""
        while tree.is_deal(node):
            node += 1
        if not tree.is_decision(node):
            if checked:
                found.append(line)
            return checked
        actor = int(tree.player[node])
        facing = tree.put[node, 1 - actor] > tree.put[node, actor]
        any_line = False
        for child in tree.children(node):
            if tree.act[child] != _FOLD:
                raised = tree.act[child] == _RAISE
                any_line |= walk(child, (*line, int(tree.put[child, actor])), not (facing or raised))
        if not any_line:
            found.append(line)
        return True

    walk(0, (), False)
    return found


#: The two cards of each holding, intp (1326, 2).
CARDS_OF: Integers = np.array([holding_cards(holding) for holding in range(N_HOLDINGS)], dtype=np.intp)


def inverse(suits: tuple[int, ...]) -> tuple[int, ...]:
    """The renaming of suits that undoes another one."""
    return tuple([suits.index(suit) for suit in range(4)])


def renamed_holdings(suits: tuple[int, ...]) -> Integers:
    """Each holding by other names of the suits, intp (1326,)."""
    cards = (CARDS_OF & ~3) | np.array(suits)[CARDS_OF & 3]
    high, low = cards.max(axis=1), cards.min(axis=1)
    return np.asarray(high * (high - 1) // 2 + low, dtype=np.intp)
