"""Statistics as bits: what a seat could have done and did in a hand, evaluated for many hands at once.

A statistic whose counts go up at most once a hand has one bit in two integers, `could` and `did`. The definitions of
`pokermodel.learning.definitions` are expressions over words; here a word is an array with an entry for each act of many
hands, or for each seat, so that an expression costs a few operations on arrays, however many hands there are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import POSITIONS, BettingStructure
from pokermodel.learning.definitions import Statistic, parsed

__all__ = ["BASIC", "Bit", "Words", "bits_of", "evaluate", "mark"]

#: Bits that no definition names: they saw the flop and won, and came to the showdown and won. Tables of results are
#: made of them.
BASIC = ("flop", "showdown")
#: Statistics in one pair of integers: a signed integer of 64 bits has one more, which is its sign.
A_PAIR = 63

Words = Mapping[str, Any]
_CONSTANTS = {name.replace(" ", "_"): number for number, name in enumerate(POSITIONS)}


class Bit(NamedTuple):
    """Where a statistic stands.

    Attributes
    ----------
    name : str
        Of its counts, as `Statistic.blocks` has it: ``"three_bet"``, ``"cbet:turn"``; or one of `BASIC`.
    number : int
        Which bit, of all pairs: bit ``number % 63`` of the pair ``number // 63``.
    """

    name: str
    number: int


def bits_of(statistics: Iterable[Statistic], taken: Mapping[str, int] | None = None) -> dict[str, int]:
    """The number of the bit of each count, by name: those that are taken stay, and others come behind them."""
    found = dict(taken or {})
    wanted = [*BASIC, *(name for each in statistics for name in each.blocks())]
    free = max(found.values(), default=-1) + 1
    for name in wanted:
        if name not in found:
            found[name], free = free, free + 1
    return found


def mark(
    statistics: Iterable[Statistic],
    bits: Mapping[str, int],
    structures: NDArray[np.int64],
    acts: Words,
    seats: Words,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What each seat could have done, and did.

    Parameters
    ----------
    statistics : iterable of Statistic
    bits : mapping of str to int
        As `bits_of` has it.
    structures : ndarray of int64, shape (seats,)
        The betting structure of the hand of each seat, as an index into `BettingStructure`.
    acts : mapping of str to ndarray, shape (acts,)
        The words of acts, and ``"seat"``: the row of the seat that acts.
    seats : mapping of str to ndarray, shape (seats,)
        The words of hands that are over.

    Returns
    -------
    could, did : ndarray of int64, shape (pairs, seats)
    """
    pairs = max(bits.values()) // A_PAIR + 1
    could, did = (np.zeros((pairs, len(structures)), dtype=np.int64) for _ in range(2))
    who = acts["seat"]
    of_act = structures[who]
    masks = [acts["street"] == street for street in range(4)]
    order = list(BettingStructure)
    by_act = [np.zeros((2, len(who)), dtype=np.int64) for _ in range(pairs)]
    known: dict[str, Any] = {}
    over: dict[str, Any] = {}
    for each in statistics:
        if each.table:
            continue
        counted = [order.index(structure) for structure in each.structures]
        everywhere = len(counted) == len(order)
        if each.streets:
            chance = _truth(evaluate(each.opportunity, tuple(each.words), acts, known))
            made = _truth(evaluate(each.success, tuple(each.words), acts, known))
            if not everywhere:
                chance = chance & np.isin(of_act, counted)
            for name, street in each.blocks().items():
                assert street is not None
                pair, bit = divmod(bits[name], A_PAIR)
                here = np.logical_and(chance, masks[street])
                by_act[pair][0] |= here.astype(np.int64) << bit
                by_act[pair][1] |= np.logical_and(here, made).astype(np.int64) << bit
        else:
            chance = _truth(evaluate(each.opportunity, tuple(each.words), seats, over))
            made = _truth(evaluate(each.success, tuple(each.words), seats, over))
            if not everywhere:
                chance = chance & np.isin(structures, counted)
            pair, bit = divmod(bits[each.key], A_PAIR)
            here = np.logical_and(chance, np.ones(len(structures), dtype=bool))
            could[pair] |= here.astype(np.int64) << bit
            did[pair] |= np.logical_and(here, made).astype(np.int64) << bit
    for pair, (chances, successes) in enumerate(by_act):
        np.bitwise_or.at(could[pair], who, chances)
        np.bitwise_or.at(did[pair], who, successes)
    for name, chance, made in (("flop", "saw_flop", "won"), ("showdown", "showdown", "won")):
        pair, bit = divmod(bits[name], A_PAIR)
        could[pair] |= seats[chance].astype(np.int64) << bit
        did[pair] |= (seats[chance] & seats[made]).astype(np.int64) << bit
    return could, did


def evaluate(text: str, words: tuple[str, ...], values: Words, known: dict[str, Any]) -> Any:
    """The value of an expression over arrays: an array, or a number where it depends on none.

    Parameters
    ----------
    text : str
        As `Statistic.opportunity`.
    words : tuple of str
        That it may have.
    values : mapping of str to ndarray
        Of each word.
    known : dict
        Values of expressions that were worked out before, by their text: most definitions have parts in common.
    """
    return _value(parsed(text, words).body, values, known)


def _truth(value: Any) -> Any:
    return value if np.asarray(value).dtype == np.bool_ else value != 0


def _value(node: ast.expr, values: Words, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return values[node.id] if node.id in values else _CONSTANTS[node.id]
    if isinstance(node, ast.Constant):
        return node.value
    text = ast.unparse(node)
    if text not in known:
        known[text] = _worked_out(node, values, known)
    return known[text]


_ARITHMETIC: Mapping[type[ast.operator], Any] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
}
_COMPARED: Mapping[type[ast.cmpop], Any] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}


def _worked_out(node: ast.expr, values: Words, known: dict[str, Any]) -> Any:
    def of(part: ast.expr) -> Any:
        return _value(part, values, known)

    if isinstance(node, ast.BoolOp):
        join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        found = _truth(of(node.values[0]))
        for part in node.values[1:]:
            found = join(found, _truth(of(part)))
        return found
    if isinstance(node, ast.UnaryOp):
        inner = of(node.operand)
        return np.logical_not(_truth(inner)) if isinstance(node.op, ast.Not) else np.negative(_number(inner))
    if isinstance(node, ast.BinOp):
        return _ARITHMETIC[type(node.op)](_number(of(node.left)), _number(of(node.right)))
    assert isinstance(node, ast.Compare)
    tests = list(_tests(node, of))
    found = tests[0]
    for test in tests[1:]:
        found = np.logical_and(found, test)
    return found


def _number(value: Any) -> Any:
    """A truth value as 0 or 1, as Python reckons with it."""
    return value.astype(np.int64) if isinstance(value, np.ndarray) and value.dtype == np.bool_ else value


def _tests(node: ast.Compare, of: Any) -> Iterator[Any]:
    left = of(node.left)
    for how, part in zip(node.ops, node.comparators, strict=True):
        if isinstance(how, ast.In | ast.NotIn):
            assert isinstance(part, ast.Tuple)
            found = np.logical_or.reduce([np.equal(left, of(each)) for each in part.elts])
            yield found if isinstance(how, ast.In) else np.logical_not(found)
        else:
            right = of(part)
            yield _COMPARED[type(how)](left, right)
            left = right
