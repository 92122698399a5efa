"""Nodes of real hands: what a subgame takes from the street of a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS, Act, BettingStructure, Decision, Situation
from pokermodel.reading.calibration import corrected
from pokermodel.reading.reader import Spot
from pokermodel.reading.street import street_weights
from pokermodel.solving.menu import MOST_CAP
from pokermodel.weights import WeightTable

__all__ = ["MadeSizes", "PlayedNode", "made_sizes", "played_street"]

_NEAR = 1.1  # sizes of the usual menu that are nearer to one that was made, by ratio, make room for it
_LIMIT_CAP = 4  # bets and raises of a street where the game has no cap between two players
#: The usual menu outside limit, by the street of the root. A flop with several sizes on each street needs more memory
#: than most machines have.
_USUAL: tuple[dict[str, tuple[str, ...]], ...] = (
    {"bets": ("50%",), "raises": ("60%",)},
    {"bets": ("50%", "100%", "all-in"), "raises": ("60%", "all-in")},
    {"bets": ("50%", "100%", "all-in"), "raises": ("60%", "all-in")},
)


@dataclass(frozen=True, slots=True)
class PlayedNode:
    """The decision that a subgame was made for.

    Attributes
    ----------
    node : str
        Its node in the tree: ``"r:0"`` at the beginning of a street, else the acts of the street before it.
    names : tuple of str
        The players, out of position first.
    player : int
        Who acts at the node: 0 out of position, 1 in position.
    done : str
        The last part of the name of the node that the act which was made led to.
    chip : float
        The value of a chip of the hand in the amounts of the subgame; 0 of a solution that was loaded.
    """

    node: str
    names: tuple[str, str]
    player: int
    done: str
    chip: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """All but the chip, as data for JSON."""
        return {"node": self.node, "names": list(self.names), "player": self.player, "done": self.done}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Self:
        """The result of `to_dict`."""
        first, second = map(str, data["names"])
        return cls(str(data["node"]), (first, second), int(data["player"]), str(data["done"]))


@dataclass
class _Street:
    """What was done in the street of a decision."""

    all_in: float  # chips that can be played for, from its beginning on
    money: Callable[[float], float]
    parts: list[str] = field(default_factory=lambda: ["r", "0"])
    put: dict[int, int] = field(default_factory=dict)
    sizes: dict[tuple[int, str], list[str]] = field(default_factory=dict)  # of a seat's bets and raises
    left: list[float] = field(default_factory=list)  # of each bet, what it left of a stack, by the pot after a call

    def follow(self, each: Decision) -> None:
        """Go on by one act of the street: its part of the node's name, and its size for the menu."""
        put = self.put[each.seat] = self.put.get(each.seat, 0) + each.put_in
        if each.act != Act.RAISE:
            self.parts.append("f" if each.act == Act.FOLD else "c")
            return
        self.parts.append(f"b{self.money(min(put, self.all_in)):.12g}")
        self.add_size(each.situation, put)

    def add_size(self, asked: Situation, to: float) -> None:
        """Add a bet or raise to the menu of the player who makes it."""
        to = min(to, self.all_in)  # nobody can call more
        level, pot = asked.in_round + asked.to_call, asked.pot + asked.to_call
        whole = to >= self.all_in and asked.spec.structure is BettingStructure.NO_LIMIT
        size = "all-in" if whole else f"{100 * (to - level) / pot:.12g}%"
        sizes = self.sizes.setdefault((asked.seat, "raises" if asked.to_call else "bets"), [])
        if size not in sizes:
            sizes.append(size)
        if to < self.all_in:
            self.left.append((self.all_in - to) / (pot + 2 * (to - level)))


def played_street(
    spot: Spot,
    made: Decision | None,
    also: Iterable[int],
    floor: float,
    bets: Sequence[str] | None,
    raises: Sequence[str] | None,
    money: Callable[[float], float],
    *,
    folded: bool,
) -> tuple[dict[str, Any], PlayedNode]:
    """The arguments of a subgame that begins with the street of a spot; see `Subgame.from_spot`.

    Returns
    -------
    dict
        Arguments of `Subgame`.
    PlayedNode

    Raises
    ------
    ValueError
        As `Subgame.from_spot`.
    """
    if not 0.0 <= floor < 1.0:
        raise ValueError(f"floor must be a share of the largest weight from 0 to below 1, got {floor!r}")
    asked = spot.situation
    where = f"the decision of {asked.player}"
    if asked.round == 0:
        raise ValueError(f"{where} is before the flop: only what comes after it can be solved")
    before = [each for each in spot.acts if each.round == asked.round]
    root = before[0].situation if before else asked
    if len(root.active) != 2:
        left = f"{len(asked.active)} players are left, and {len(root.active)} were at the beginning of the street"
        raise ValueError(f"{where}: {left}: only two can be solved")
    n = len(root.players)
    first, second = sorted(root.active, key=lambda seat: (seat - root.spec.first[root.round]) % n)
    seats = first, second
    stacks = _stacks(root, seats, where)
    street = _Street(np.inf if stacks is None else min(stacks), money)
    for each in before:
        street.follow(each)
    node = ":".join(street.parts)
    street.follow(Decision("", "", 0, asked, Act.CALL, asked.to_call) if made is None else made)
    for to in also:
        street.add_size(asked, to)
    found: dict[str, Any] = {
        "board": root.board,
        "pot": money(root.pot),
        "stacks": None if stacks is None else [money(chips) for chips in stacks],
        "ranges": _ranges(spot, root, seats, floor, where),
        "structure": root.spec.structure,
        "folded": _folded(spot, root.board) if folded else (),
    }
    if root.spec.structure.fixed:
        found |= _limit(root, sum(map(len, street.sizes.values())), money, where)
    else:
        found |= {"least": money(root.spec.bets[root.round]), **_menu(street, root, seats, bets, raises)}
        if street.left:  # a bet that was made is not to become an all-in
            found["all_in_share"] = min(0.2, 0.99 * min(street.left))
    names = root.players[first], root.players[second]
    return found, PlayedNode(node, names, seats.index(asked.seat), street.parts[-1], money(1))


class MadeSizes(NamedTuple):
    """The bets of a street between two players."""

    node: str  #: that the acts lead to in a subgame in chips which begins with the street
    sizes: dict[str, dict[str, list[str]]]  #: of "oop" and "ip", sizes of "bets" and "raises"
    left: list[float]  #: of each bet, what it left of a stack, by the pot after a call


def made_sizes(root: Situation, decisions: Sequence[Decision], seats: tuple[int, int]) -> MadeSizes:
    """Sizes of the bets and raises of a street, as a menu says them.

    Raises `ValueError` if the stacks are not known, or somebody is all-in when the street begins.

    Parameters
    ----------
    seats : pair of int
        Out of position first.
    """
    stacks = _stacks(root, seats, "the street")
    street = _Street(np.inf if stacks is None else min(stacks), float)
    for each in decisions:
        street.follow(each)
    sizes: dict[str, dict[str, list[str]]] = {}
    for (seat, row), found in street.sizes.items():
        sizes.setdefault(("oop", "ip")[seats.index(seat)], {})[row] = found
    return MadeSizes(":".join(street.parts), sizes, street.left)


def _stacks(root: Situation, seats: tuple[int, int], where: str) -> list[int] | None:
    """What both have behind; None in limit where it is not known, and nobody is ever all-in."""
    stacks = [root.stacks[seat] for seat in seats]
    known = [stack for stack in stacks if stack is not None]
    if not known and root.spec.structure.fixed:
        return None
    unknown = [root.players[seat] for seat, stack in zip(seats, stacks, strict=True) if stack is None]
    if unknown and not root.spec.structure.fixed:
        raise ValueError(f"{where}: the stack of {' and '.join(unknown)} is not known")
    if min(known) <= 0:
        raise ValueError(f"{where}: one of the two is all-in, so that nothing is left to bet")
    return [min(known) if stack is None else stack for stack in stacks]


def _menu(
    street: _Street,
    root: Situation,
    seats: tuple[int, int],
    bets: Sequence[str] | None,
    raises: Sequence[str] | None,
) -> dict[str, Any]:
    """The usual sizes, or those that are asked for, and those that were made in the street, each by who made it."""
    usual = _USUAL[root.round - 1]
    asked = {"bets": bets, "raises": raises}
    top = {row: usual[row] if sizes is None else tuple(sizes) for row, sizes in asked.items()}
    players: dict[str, Any] = {}
    for name, seat in zip(("oop", "ip"), seats, strict=True):
        for row in top:
            made = street.sizes.get((seat, row), [])
            if made:
                near = [s for s in top[row] if asked[row] is None and any(_near(s, m) for m in made)]
                kept = [s for s in top[row] if s not in near]
                players.setdefault(name, {})[row] = tuple(dict.fromkeys([*made, *kept]))
    return {**top, "streets": {ROUNDS[root.round]: players}}


def _near(one: str, other: str) -> bool:
    if "%" not in one or "%" not in other:
        return False
    a, b = float(one[:-1]), float(other[:-1])
    return max(a, b) <= _NEAR * min(a, b)


def _limit(root: Situation, made: int, money: Callable[[float], float], where: str) -> dict[str, Any]:
    spec = root.spec
    if spec.bets[2] != spec.bets[3] and root.round < 3:
        raise ValueError(f"{where}: bets differ on turn and river, which cannot be solved")
    if made > MOST_CAP:
        raise ValueError(f"{where}: the street has {made} bets and raises, and at most {MOST_CAP} can be solved")
    most = spec.max_raises[root.round]
    cap = max(_LIMIT_CAP, made) if not spec.cap_heads_up or most > MOST_CAP else max(1, most)
    big = spec.bets[max(2, root.round)]
    return {"small_bet": money(spec.bets[1]), "big_bet": money(big), "cap": cap}


def _ranges(spot: Spot, root: Situation, seats: tuple[int, int], floor: float, where: str) -> list[WeightTable]:
    """Both ranges as they are when the street begins, with a least weight for what is possible."""
    weights = street_weights(spot)
    found = []
    for seat in seats:
        values: Floats = corrected(weights[seat], root.board, spot.exponent)
        if not values.any():
            who = root.players[seat]
            raise ValueError(f"{where}: the range of {who} is dead on {cards_text(root.board)}: no holding is left")
        found.append(WeightTable.of_known(np.maximum(values, floor * float(values.max())), root.board))
    return found


def _folded(spot: Spot, board: Sequence[int]) -> list[WeightTable]:
    """The last tables of players who folded, as far as the board leaves them."""
    tables = [WeightTable(weights, dead=board) for _, weights in sorted(spot.folded.items())]
    return [table for table in tables if table.total > 0]
