"""Numbers as texts have them, exact: amounts of money, and JSON that keeps its decimals."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NoReturn, TypeAlias

__all__ = ["DIGITS", "JSON", "Money", "decimal_text", "exact_amount", "exact_number"]

DIGITS = 18  # of an amount, before and after the decimal point
_MOST_WHOLE = 10**DIGITS
#: An amount as the text has it, exact.
Money: TypeAlias = int | Fraction


def _no_json(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def exact_number(text: str) -> Decimal:
    """Return a number with a decimal point or an exponent; raises `ValueError` if it cannot be counted."""
    try:
        return Decimal(text)
    except InvalidOperation:  # an ArithmeticError, which nobody who reads a text expects
        raise ValueError(f"{text[:40]} is no number that can be counted") from None


#: Decodes JSON; numbers with a decimal point become a `Decimal`, and NaN and infinity are refused.
JSON = json.JSONDecoder(parse_float=exact_number, parse_constant=_no_json)


def exact_amount(value: object) -> Money | None:
    """Return an amount of money; None if it is infinite. Raises `ValueError` for what is none."""
    if type(value) is int and -_MOST_WHOLE < value < _MOST_WHOLE:
        return value
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError(f"expected an amount, got {value!r}")
    amount = Decimal(value)
    if amount == Decimal("inf"):
        return None
    # checked before it becomes a fraction: 1e999999999 is a short text
    exponent = amount.as_tuple().exponent
    if amount.is_zero():
        return Fraction(0)
    if not isinstance(exponent, int) or exponent < -DIGITS or amount.adjusted() >= DIGITS:
        raise ValueError(f"{str(value)[:40]} is not an amount that can be counted in chips")
    return Fraction(amount)


def decimal_text(amount: Fraction) -> str:
    """Return an amount as decimal text; raises `ValueError` if it is not a finite decimal."""
    digits = next((k for k in range(DIGITS + 1) if (amount * 10**k).denominator == 1), None)
    if digits is None:
        raise ValueError(f"an amount of {amount}")
    whole = str(abs(int(amount * 10**digits))).zfill(digits + 1)
    sign = "-" if amount < 0 else ""
    return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)
