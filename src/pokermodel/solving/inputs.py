"""The numbers and ranges that a subgame is made of, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from pokermodel.cards import cards_text
from pokermodel.solving.menu import MOST_CAP
from pokermodel.weights import WeightTable

__all__ = ["LimitBets", "read_folded", "read_limit", "read_number", "read_ranges", "read_stacks", "unit_of"]

_FINE = 2000  # units of chips that a pot has at least, so that sizes in per cent are what they say
_MOST_CHIPS = 10**12
_MOST_DECIMALS = 30
_LEAST_WEIGHT = 1e-100


class LimitBets(NamedTuple):
    """Bets of limit: on the flop, on turn and river, and how many a street has. 0 where bets have sizes."""

    small: float
    big: float
    cap: int

    @property
    def most_in(self) -> float:
        """The largest sum that limit lets a player put in from the flop on."""
        return self.cap * (self.small + 2 * self.big)


def read_number(what: str, value: object, least: float = 0.0, *, strict: bool = False) -> float:
    """A finite number of at least so much, or above it."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{what} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{what} must be at most {_MOST_CHIPS:g}, got a number of very many digits") from None
    if not math.isfinite(number) or number < least or (strict and number == least):
        raise ValueError(f"{what} must be {'above' if strict else 'at least'} {least:g}, got {value!r}")
    return number


def read_limit(small_bet: float | None, big_bet: float | None, cap: int, *, fixed: bool, flop: bool) -> LimitBets:
    """Bets of limit; on turn and river the small bet may be left out."""
    if isinstance(cap, bool) or not isinstance(cap, int) or not 1 <= cap <= MOST_CAP:
        raise ValueError(f"cap must be 1 to {MOST_CAP} bets and raises of a street, got {cap!r}")
    if not fixed:
        return LimitBets(0.0, 0.0, cap)
    if big_bet is None or (small_bet is None and flop):
        raise ValueError("limit needs small_bet and big_bet")
    big = read_number("big_bet", big_bet, strict=True)
    return LimitBets(big if small_bet is None else read_number("small_bet", small_bet, strict=True), big, cap)


def read_stacks(stacks: float | Sequence[float] | None, default: float | None) -> tuple[float, float]:
    """Both stacks, given as one number or two; without a default they must be given."""
    if stacks is None:
        if default is None:
            raise ValueError("stack is missing: what each player has behind")
        return default, default
    pair = list(stacks) if isinstance(stacks, Sequence | np.ndarray) else [stacks, stacks]
    if len(pair) != 2:
        raise ValueError(f"stacks must be one number or two, got {len(pair)}")
    first, second = (read_number("a stack", stack, strict=True) for stack in pair)
    return first, second


def read_ranges(ranges: Sequence[Any], board: tuple[int, ...]) -> tuple[WeightTable, WeightTable]:
    """Both ranges, each a text, a table or an array."""
    if isinstance(ranges, str) or len(ranges) != 2:
        raise ValueError("ranges must be two: of the player out of position and of the one in position")
    first, second = (
        _table(given, board, f"the range of the player {who} position")
        for who, given in zip(("out of", "in"), ranges, strict=True)
    )
    return first, second


def read_folded(folded: Sequence[Any], board: tuple[int, ...]) -> tuple[WeightTable, ...]:
    """Tables of players who folded, each a text, a table or an array."""
    if isinstance(folded, str) or not isinstance(folded, Sequence):
        raise ValueError("folded must be a list of tables, one for each player who folded")
    return tuple(_table(given, board, "the table of a player who folded") for given in folded)


def _table(given: Any, board: tuple[int, ...], what: str) -> WeightTable:
    """A table whose dead cards have the board among them."""
    try:
        table = WeightTable.from_text(given) if isinstance(given, str) else given
        table = table if isinstance(table, WeightTable) else WeightTable(table)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if not set(board) <= set(table.dead):
        table = WeightTable(table.values, {*table.dead, *board})
    if not (table.values > 0).any():
        raise ValueError(f"{what} is dead on the board {cards_text(board)}")
    if not _LEAST_WEIGHT < table.values.max() < 1 / _LEAST_WEIGHT:  # products and sums are numbers, too
        raise ValueError(f"{what}: weights must be at most {1 / _LEAST_WEIGHT:g}, and one above {_LEAST_WEIGHT:g}")
    return table


def unit_of(pot: float, amounts: list[float]) -> float:
    """The unit of all amounts, small enough for sizes in per cent."""
    if not max(amounts) <= _MOST_CHIPS:
        raise ValueError(f"amounts must be at most {_MOST_CHIPS:g}, got {max(amounts):g}")
    digits = max(0, *(-int(Decimal(repr(amount)).normalize().as_tuple().exponent) for amount in amounts))
    if digits > _MOST_DECIMALS:
        raise ValueError(f"amounts must have at most {_MOST_DECIMALS} decimals, got {min(amounts):g}")
    while pot * 10**digits < _FINE and digits < 9:
        digits += 1
    if max(amounts) * 10**digits > _MOST_CHIPS:
        raise ValueError(f"amounts must be at most {_MOST_CHIPS * 10**-digits:g} with {digits} decimals")
    return float(10**-digits)
