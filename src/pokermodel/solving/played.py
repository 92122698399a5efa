"""Nodes of real hands: what a subgame takes from the street in which a decision was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS, Act, BettingStructure, Decision, GameSpec, Hand, Situation
from pokermodel.solving.menu import MOST_CAP
from pokermodel.weights import WeightTable

if TYPE_CHECKING:
    from pokermodel.reading import OpponentModeler
    from pokermodel.reading.reader import Spot

__all__ = ["MadeSizes", "PlayedNode", "made_sizes", "played_street", "spot_street"]

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
    """The decision of a hand that a subgame was made for.

    Attributes
    ----------
    node : str
        Its node in the tree: ``"r:0"`` at the beginning of a street, else what was done in the street before it.
    names : tuple of str
        The players, out of position first.
    player : int
        Who acts at the node: 0 out of position, 1 in position.
    done : str
        The last part of the name of the node that the act which was made led to.
    hand : Hand or None
        The hand; None of a solution that was loaded.
    before : int
        How many decisions of the hand came before the street.
    """

    node: str
    names: tuple[str, str]
    player: int
    done: str
    hand: Hand | None = None
    before: int = 0

    def to_dict(self) -> dict[str, Any]:
        """All but the hand, as data for JSON."""
        return {"node": self.node, "names": list(self.names), "player": self.player, "done": self.done}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Self:
        """What `to_dict` gave."""
        first, second = map(str, data["names"])
        return cls(str(data["node"]), (first, second), int(data["player"]), str(data["done"]))


@dataclass
class _Street:
    """What was done in the street of a decision."""

    all_in: float  # chips that can be played for, from its beginning on
    parts: list[str] = field(default_factory=lambda: ["r", "0"])
    put: dict[int, int] = field(default_factory=dict)
    sizes: dict[tuple[int, str], list[str]] = field(default_factory=dict)  # of a seat's bets and raises
    left: list[float] = field(default_factory=list)  # of each bet, what it left of a stack, by the pot after a call


def played_street(
    hand: Hand,
    decision: Decision | int,
    session: OpponentModeler,
    floor: float,
    bets: Sequence[str] | None,
    raises: Sequence[str] | None,
    folded: bool = False,
) -> tuple[dict[str, Any], PlayedNode]:
    """What a subgame is made of that begins with the street of a decision; see `Subgame.from_hand`.

    Returns
    -------
    dict
        Arguments of `Subgame`.
    PlayedNode

    Raises
    ------
    ValueError
        As `Subgame.from_hand`.
    """
    if not 0.0 <= floor < 1.0:
        raise ValueError(f"floor must be a share of the largest weight from 0 to below 1, got {floor!r}")
    decisions = list(hand.replay())
    asked = _asked(hand, decisions, decision)
    where = f"hand {hand.id}, act {asked.index + 1}"
    if asked.round == 0:
        raise ValueError(f"{where} is before the flop: only what comes after it can be solved")
    if asked.out_of_turn:
        raise ValueError(f"{where} is a fold out of turn: there is nothing to decide")
    return _street_of(hand, decisions, asked, session, floor, bets, raises, where, folded=folded)


def spot_street(
    spot: Spot,
    session: OpponentModeler,
    floor: float,
    also: Sequence[int] = (),
    bets: Sequence[str] | None = None,
    raises: Sequence[str] | None = None,
) -> tuple[dict[str, Any], PlayedNode]:
    """What a subgame is made of, in chips, of a spot in which nothing was done yet; see `Subgame.from_spot`."""
    situation = spot.situation
    if situation.round == 0:
        raise ValueError("the spot is before the flop: only what comes after it can be solved")
    decisions = [*spot.acts, Decision("", "", len(spot.acts), situation, Act.CALL, situation.to_call)]
    asked = decisions[-1]
    of_spot = _SpotHand(situation.spec, situation.players, tuple(decisions), situation.stacks_before)
    return _street_of(of_spot, decisions, asked, session, floor, bets, raises, "the spot", also)


class MadeSizes(NamedTuple):
    """What was bet in a street between two."""

    node: str  #: that the acts lead to in a subgame in chips which begins with the street
    sizes: dict[str, dict[str, list[str]]]  #: of "oop" and "ip", sizes of "bets" and "raises"
    left: list[float]  #: of each bet, what it left of a stack, by the pot after a call


def made_sizes(root: Situation, decisions: Sequence[Decision], seats: tuple[int, int]) -> MadeSizes:
    """Sizes of the bets and raises of a street, as a menu says them.

    Parameters
    ----------
    root : Situation
        In which the street began.
    decisions : sequence of Decision
        Those of the street so far.
    seats : pair of int
        Out of position first.

    Raises
    ------
    ValueError
        If the stacks are not known, or somebody is all-in when the street begins.
    """
    stacks = _stacks(root, seats, "the street")
    street = _Street(np.inf if stacks is None else min(stacks))
    hand = _SpotHand(root.spec, root.players, (), root.stacks_before)
    for each in decisions:
        _follow(hand, street, each)
    sizes: dict[str, dict[str, list[str]]] = {}
    for (seat, row), found in street.sizes.items():
        sizes.setdefault(("oop", "ip")[seats.index(seat)], {})[row] = found
    return MadeSizes(":".join(street.parts), sizes, street.left)


class _SpotHand(NamedTuple):
    """What of a hand a street and its locks are made of, where there is a spot alone: its money is chips."""

    spec: GameSpec
    players: tuple[str, ...]
    decisions: tuple[Decision, ...]
    stacks: tuple[int | None, ...]
    source: str = ""
    id: str = ""

    @staticmethod
    def money(chips: float) -> float:
        return float(chips)

    def replay(self) -> Iterator[Decision]:
        return iter(self.decisions)


def _street_of(
    hand: Hand | _SpotHand,
    decisions: Sequence[Decision],
    asked: Decision,
    session: OpponentModeler,
    floor: float,
    bets: Sequence[str] | None,
    raises: Sequence[str] | None,
    where: str,
    also: Sequence[int] = (),
    *,
    folded: bool = False,
) -> tuple[dict[str, Any], PlayedNode]:
    """What a subgame is made of; `also` is what further bets and raises of who is asked go to."""
    begin = next(each for each in decisions if each.round == asked.round)
    root = begin.situation
    if len(root.active) != 2:
        left = f"{len(asked.active)} players are left, and {len(root.active)} were at the beginning of the street"
        raise ValueError(f"{where}: {left}: only two can be solved")
    n = len(root.players)
    first, second = sorted(root.active, key=lambda seat: (seat - hand.spec.first[root.round]) % n)
    seats = first, second
    stacks = _stacks(root, seats, where)
    street = _Street(np.inf if stacks is None else min(stacks))
    for each in decisions[begin.index : asked.index + 1]:
        _follow(hand, street, each)
    done = street.parts.pop()
    for to in also:
        _add_size(hand, street, asked, to)
    reading = _followed(session, hand, decisions[: begin.index], root.board, folded=folded)
    tables = _tables(reading, root, seats, floor, where)
    found: dict[str, Any] = {
        "board": root.board,
        "pot": hand.money(root.pot),
        "stacks": None if stacks is None else [hand.money(chips) for chips in stacks],
        "ranges": tables,
        "structure": hand.spec.structure,
        "folded": _folded(reading, root.board) if folded else (),
    }
    if hand.spec.structure.fixed:
        found |= _limit(hand, root, sum(map(len, street.sizes.values())), where)
    else:
        found |= {"least": hand.money(hand.spec.bets[root.round]), **_menu(street, root, seats, bets, raises)}
        if street.left:  # a bet that was made is not to become an all-in
            found["all_in_share"] = min(0.2, 0.99 * min(street.left))
    names = root.players[first], root.players[second]
    node = ":".join(street.parts)
    return found, PlayedNode(node, names, seats.index(asked.seat), done, cast("Hand", hand), begin.index)


def _asked(hand: Hand, decisions: Sequence[Decision], decision: Decision | int) -> Decision:
    """The decision of the hand that is meant."""
    index = decision.index if isinstance(decision, Decision) else decision
    if isinstance(index, bool) or not isinstance(index, int):
        raise ValueError(f"expected a decision of the hand or its index, got {decision!r}")
    if not 0 <= index < len(decisions):
        raise ValueError(f"hand {hand.id} has no act {index + 1}: it has {len(decisions)}")
    found = decisions[index]
    if isinstance(decision, Decision) and decision.situation != found.situation:
        raise ValueError(f"the decision is not one of hand {hand.id}: act {index + 1} was made in another situation")
    return found


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


def _follow(hand: Hand | _SpotHand, street: _Street, each: Decision) -> None:
    """Go on by one act of the street: its part of the node's name, and its size for the menu."""
    put = street.put[each.seat] = street.put.get(each.seat, 0) + each.put_in
    if each.act != Act.RAISE:
        street.parts.append("f" if each.act == Act.FOLD else "c")
        return
    street.parts.append(f"b{hand.money(min(put, street.all_in)):.12g}")
    _add_size(hand, street, each, put)


def _add_size(hand: Hand | _SpotHand, street: _Street, each: Decision, to: float) -> None:
    """Add a bet or raise to the menu of who makes it."""
    to = min(to, street.all_in)  # nobody can call more
    level, pot = each.in_round + each.to_call, each.pot + each.to_call
    whole = to >= street.all_in and hand.spec.structure is BettingStructure.NO_LIMIT
    size = "all-in" if whole else f"{100 * (to - level) / pot:.12g}%"
    sizes = street.sizes.setdefault((each.seat, "raises" if each.to_call else "bets"), [])
    if size not in sizes:
        sizes.append(size)
    if to < street.all_in:
        street.left.append((street.all_in - to) / (pot + 2 * (to - level)))


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


def _limit(hand: Hand | _SpotHand, root: Situation, made: int, where: str) -> dict[str, Any]:
    spec = hand.spec
    if spec.bets[2] != spec.bets[3] and root.round < 3:
        raise ValueError(f"{where}: bets differ on turn and river, which cannot be solved")
    if made > MOST_CAP:
        raise ValueError(f"{where}: the street has {made} bets and raises, and at most {MOST_CAP} can be solved")
    most = spec.max_raises[root.round]
    cap = max(_LIMIT_CAP, made) if not spec.cap_heads_up or most > MOST_CAP else max(1, most)
    big = spec.bets[max(2, root.round)]
    return {"small_bet": hand.money(spec.bets[1]), "big_bet": hand.money(big), "cap": cap}


def _tables(
    reading: OpponentModeler, root: Situation, seats: tuple[int, int], floor: float, where: str
) -> list[WeightTable]:
    """Both tables as they are when the street begins."""
    found = []
    for seat in seats:
        table = reading.table(seat)
        if not table.total > 0:
            who = root.players[seat]
            raise ValueError(f"{where}: the range of {who} is dead on {cards_text(root.board)}: no holding is left")
        found.append(_floored(table, root.board, floor))
    return found


def _folded(reading: OpponentModeler, board: Sequence[int]) -> list[WeightTable]:
    """The last tables of players who folded, as far as the board leaves them."""
    tables = [WeightTable(weights, dead=board) for _, weights in sorted(reading.followed.folded.items())]
    return [table for table in tables if table.total > 0]


def _followed(
    session: OpponentModeler,
    hand: Hand | _SpotHand,
    before: Sequence[Decision],
    board: Sequence[int],
    *,
    folded: bool = False,
) -> OpponentModeler:
    reading = session.copy()  # the user's may be in the middle of a hand
    reading.folded_tables = folded
    # nobody's cards are told: a player's own row means something beside their whole range only
    reading.start(hand.players)
    for each in before:
        reading.observe(each)
    reading.deal(board)
    return reading


def begun(session: OpponentModeler, hand: Hand, before: int) -> OpponentModeler:
    """A copy of a session that has followed a hand to the beginning of the street after so many acts."""
    decisions = list(hand.replay())
    return _followed(session, hand, decisions[:before], decisions[before].situation.board)


def _floored(table: WeightTable, board: Sequence[int], floor: float) -> WeightTable:
    values: Floats = np.asarray(table.values)
    return WeightTable(np.maximum(values, floor * float(values.max())), {*table.dead, *board})
