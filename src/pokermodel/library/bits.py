"""Statistics as bits: what a seat could have done and did in a hand, evaluated for many hands at once.

A statistic whose counts go up at most once a hand has one bit in two integers, `could` and `did`. The definitions of
`pokermodel.learning.definitions` are expressions over words; here a word is an array with an entry for each act of many
hands, or for each seat, so that an expression costs a few operations on arrays, however many hands there are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import POSITIONS, ROUNDS, Act, BettingStructure
from pokermodel.learning.definitions import Statistic, parsed, statistics

__all__ = [
    *(
        "ACT_CELLS",
        "A_PAIR",
        "BASIC",
        "ROUND_BITS",
        "Words",
        "bits_of",
        "cells",
        "compiled",
        "mark",
        "mark_acts",
        "named",
    ),
    "parts_of",
]

#: Bits that no definition names: they saw the flop and won, and came to the showdown and won. Tables of results are
#: made of them.
BASIC = ("flop", "showdown")
#: Statistics in one pair of integers: a signed integer of 64 bits has one more, which is its sign.
A_PAIR = 63

#: Of the acts of a round that are packed into 14 bits: the act, whether there was something to call, place and mask.
ACT_CELLS = (
    *((Act.FOLD, False, 2, 1), (Act.CALL, False, 0, 1), (Act.RAISE, False, 1, 1)),
    *((Act.FOLD, True, 3, 1), (Act.CALL, True, 4, 31), (Act.RAISE, True, 9, 31)),
)
#: Bits of the acts of a round.
ROUND_BITS = 14
#: Bits of a column that are a number: the column, how many bits stand below them, and the mask of the number.
Part: TypeAlias = tuple[str, int, int]

Words = Mapping[str, Any]
_CONSTANTS = {name.replace(" ", "_"): number for number, name in enumerate(POSITIONS)}


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
    statistics: Sequence[Statistic],
    bits: Mapping[str, int],
    structures: NDArray[np.int64],
    acts: Words,
    seats: Words,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The opportunities and the successes of each seat.

    Parameters
    ----------
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
    could, did = mark_acts(statistics, bits, structures, acts)
    of_hands = [each for each in statistics if not each.streets and not each.table]
    found = [
        (each.key, _where(each, chance, structures), made)
        for each, (chance, made) in zip(of_hands, _asked(of_hands, seats), strict=True)
    ]
    found += [("flop", seats["saw_flop"], seats["won"]), ("showdown", seats["showdown"], seats["won"])]
    for name, chance, made in found:
        pair, bit = divmod(bits[name], A_PAIR)
        could[pair] |= np.asarray(chance, dtype=np.int64) << bit
        did[pair] |= np.logical_and(chance, made).astype(np.int64) << bit
    return could, did


def mark_acts(
    statistics: Sequence[Statistic], bits: Mapping[str, int], structures: NDArray[np.int64], acts: Words
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The result of `mark` by actions alone, without statistics of finished hands."""
    pairs = max(bits.values()) // A_PAIR + 1
    could, did = (np.zeros((pairs, len(structures)), dtype=np.int64) for _ in range(2))
    who = acts["seat"]
    of_act, masks = structures[who], [acts["street"] == street for street in range(4)]
    by_act = np.zeros((pairs, 2, len(who)), dtype=np.int64)
    of_acts = [each for each in statistics if each.streets and not each.table]
    for each, (chance, made) in zip(of_acts, _asked(of_acts, acts), strict=True):
        chance = _where(each, chance, of_act)
        for name, street in each.blocks().items():
            assert street is not None
            pair, bit = divmod(bits[name], A_PAIR)
            here = np.logical_and(chance, masks[street])
            by_act[pair, 0] |= here.astype(np.int64) << bit
            by_act[pair, 1] |= np.logical_and(here, made).astype(np.int64) << bit
    for pair in range(pairs):
        np.bitwise_or.at(could[pair], who, by_act[pair, 0])
        np.bitwise_or.at(did[pair], who, by_act[pair, 1])
    return could, did


def _where(statistic: Statistic, chance: Any, structures: NDArray[np.int64]) -> Any:
    """A chance in the betting structures of a statistic alone."""
    if len(statistic.structures) == len(BettingStructure):
        return chance
    return np.logical_and(chance, _counted(statistic.structures)[structures])


@cache
def _counted(structures: frozenset[BettingStructure]) -> NDArray[np.bool_]:
    """Which betting structures are among some."""
    return np.array([structure in structures for structure in BettingStructure])


def _asked(statistics: Sequence[Statistic], values: Words) -> list[tuple[Any, Any]]:
    """The truth of opportunity and success of each statistic."""
    if not statistics:
        return []
    texts = tuple(text for each in statistics for text in (each.opportunity, each.success))
    found = compiled(texts, tuple(statistics[0].words))(values)
    return list(zip(found[::2], found[1::2], strict=True))


def parts_of(statistic: Statistic, which: str, street: int | None, bits: Mapping[str, int]) -> list[Part]:
    """Where a statistic stands in the columns of seats: what is added up.

    Parameters
    ----------
    statistic : Statistic
        Of one whose holdings are shown, or of money, there is nothing.
    which : {"opportunity", "success"}
    street : int or None
        A betting round, or all that the statistic has.
    """
    if not statistic.table:
        column = "could" if which == "opportunity" else "did"
        names = [name for name, of in statistic.blocks().items() if street is None or of == street]
        numbers = [bits[name] for name in names if name in bits]  # a book may not have counted a new statistic
        return [(f"{column}_{number // A_PAIR}", number % A_PAIR, 1) for number in numbers]
    code = compile(parsed(getattr(statistic, which), tuple(statistic.words)), "<statistic>", "eval")
    rounds = statistic.streets if street is None else (street,)
    return [
        part
        for words, part in cells(statistic.table, bits)
        if (not rounds or words.get("street") in rounds) and eval(code, {"__builtins__": {}}, words)
    ]


def cells(table: str, bits: Mapping[str, int]) -> Iterator[tuple[dict[str, Any], Part]]:
    """The cells of a table of `pokermodel.learning.definitions.TABLES` that rows have: their words, and their place."""
    if table == "results":
        names = {
            "flops": ("could", "flop"),
            "showdowns": ("could", "showdown"),
            "showdowns_won": ("did", "showdown"),
            "flops_won": ("did", "flop"),
        }
        for name, (column, bit) in names.items():
            pair, place = divmod(bits[bit], A_PAIR)
            yield {each: each == name for each in names}, (f"{column}_{pair}", place, 1)
    elif table == "acts":
        for street in range(4):
            for act, facing, place, mask in ACT_CELLS:
                acts = {"folds": act == Act.FOLD, "calls": act == Act.CALL, "raises": act == Act.RAISE}
                yield {"street": street, "facing": facing, **acts}, ("acts", ROUND_BITS * street + place, mask)


def named(key: str, structure: BettingStructure) -> tuple[Statistic, int | None] | None:
    """Return a statistic and the betting round by its key, as ``fold_to_cbet:flop``; None if there is none."""
    name, colon, where = key.partition(":")
    statistic = statistics(structure).get(name)
    if statistic is None or (colon and (where not in ROUNDS or ROUNDS.index(where) not in statistic.streets)):
        return None
    return statistic, ROUNDS.index(where) if colon else None


# ----------------------------------------------------------------------------------------------------- expressions


@lru_cache(32)
def compiled(texts: tuple[str, ...], words: tuple[str, ...]) -> Callable[[Words], tuple[Any, ...]]:
    """A function that works out the truth of expressions, given arrays for their words.

    The common part of several expressions is computed once.

    Parameters
    ----------
    texts : tuple of str
        As `Statistic.opportunity`.
    """
    lines: list[str] = []
    names: dict[str, str] = {}
    asked = [f"_truth({_source(parsed(text, words).body, lines, names)})" for text in texts]
    body = "\n    ".join([*lines, f"return ({', '.join(asked)},)"])
    found: dict[str, Any] = {"np": np, "_truth": _truth, "_number": _number}
    # every word of it is from here: definitions have been parsed and written anew
    exec(compile(f"def asked(w):\n    {body}", "<statistics>", "exec"), found)
    function: Callable[[Words], tuple[Any, ...]] = found["asked"]
    return function


def _truth(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "b" else value != 0
    return value if isinstance(value, bool | np.bool_) else value != 0


def _number(value: Any) -> Any:
    """A truth value as 0 or 1, as Python reckons with it."""
    return value.astype(np.int64) if isinstance(value, np.ndarray) and value.dtype == np.bool_ else value


_OPERATIONS: Mapping[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "mod",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.And: "logical_and",
    ast.Or: "logical_or",
}


def _source(node: ast.expr, lines: list[str], names: dict[str, str]) -> str:
    """What stands for a part of an expression: a word, a number, or a variable that a line gives its value."""
    if isinstance(node, ast.Name):
        return str(_CONSTANTS[node.id]) if node.id in _CONSTANTS else f"w[{node.id!r}]"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    text = ast.unparse(node)
    if text not in names:
        worked_out = _worked_out(node, lambda part: _source(part, lines, names))
        names[text] = f"t{len(names)}"
        lines.append(f"{names[text]} = {worked_out}")
    return names[text]


def _worked_out(node: ast.expr, of: Callable[[ast.expr], str]) -> str:
    if isinstance(node, ast.BoolOp):
        parts = [f"_truth({of(part)})" for part in node.values]
        return _joined(_OPERATIONS[type(node.op)], parts)
    if isinstance(node, ast.UnaryOp):
        inner = of(node.operand)
        return f"np.logical_not(_truth({inner}))" if isinstance(node.op, ast.Not) else f"-_number({inner})"
    if isinstance(node, ast.BinOp):
        return f"np.{_OPERATIONS[type(node.op)]}(_number({of(node.left)}), _number({of(node.right)}))"
    assert isinstance(node, ast.Compare)
    tests, left = [], of(node.left)
    for how, part in zip(node.ops, node.comparators, strict=True):
        if isinstance(how, ast.In | ast.NotIn):
            assert isinstance(part, ast.Tuple)
            test = _joined("logical_or", [f"np.equal({left}, {of(each)})" for each in part.elts])
            tests.append(test if isinstance(how, ast.In) else f"np.logical_not({test})")
        else:
            right = of(part)
            tests.append(f"np.{_OPERATIONS[type(how)]}({left}, {right})")
            left = right
    return _joined("logical_and", tests)


def _joined(operation: str, parts: Sequence[str]) -> str:
    found = parts[0]
    for part in parts[1:]:
        found = f"np.{operation}({found}, {part})"
    return found
