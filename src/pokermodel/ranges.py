"""Range text: which holdings, and how much of each.

Every function here is a pure function between text and an array of 1,326 weights. `parse_range` reads
what the common programs write; `format_range` writes PioSOLVER's style, and its relatives write what
other programs read.

==================================  ==========================================================
text                                meaning
==================================  ==========================================================
``AA`` ``AKs`` ``AKo`` ``AK``       a class of holdings; ``AK`` is suited and offsuit together
``AhKh`` ``A♥K♥`` ``AKhh``          one holding
``Kx`` ``Kxs`` ``Kxo`` ``K*``       a king with any card that is no higher: ``Ax`` is every ace
``22+`` ``ATs+`` ``KTo+`` ``AT+``   this and better: higher pairs, or a higher kicker
``88-`` ``A5s-`` ``K9o-``           this and worse, down to deuces
``Qx+`` ``7xs-``                    the same of the higher card
``JJ-77`` ``A5s-A2s``               a span of pairs or of kickers, either end first
``T9s-54s``                         a span at a constant distance
``AKs:0.5`` ``AKs@50``              a weight, or a weight in per cent (``@50%`` and ``:50%`` too)
``0.5(AK, QQ)`` ``50%(AK, QQ)``     a weight for a group
``[50]AK, QQ[/50]``                 the same, in per cent
``50:AK, QQ, 20:JJ``                a weight in per cent for all up to the next, if the text begins so
``random`` ``any`` ``*`` ``XX``     every holding, as does ``100%``
``15%`` ``top 15%`` ``15%/ir2``     the best 15% by a ranking, see below
==================================  ==========================================================

Items are separated by commas, semicolons, spaces or newlines; upper and lower case mean the same and
``10`` is ``T``. A weight is any finite number >= 0, 1 where none is given. Weights of groups inside
groups multiply. Where two items cover a holding the later one wins, so ``22+, 55:0`` is every pair but
fives. Text that covers nothing is the empty range. A text that begins as ``50:AK`` has no weights behind
items; ``44:33`` is fours of weight 33, as if it stood anywhere else.

``15%/NAME`` orders the classes by a ranking: ``irN`` are the income rates of a table of N players
(Papp 1998, 5.1), and without a name the `ranking` argument decides. Classes enter from the best down;
the class at the border enters with the fractional weight that makes the total exactly 15% of 1,326
(classes of equal rank there share it equally), so that no suit is preferred to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._income_rates import income_rates
from pokermodel._support.arrays import Bools, Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel._support.patterns import regex
from pokermodel.cards import (
    CARDS,
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_CARDS,
    HOLDINGS,
    HOLDINGS_OF_CLASS,
    N_CLASSES,
    N_HOLDINGS,
    RANKS,
    SUIT_SIGN,
    card_index,
    class_index,
    holding_index,
)
from pokermodel.errors import RangeError

if TYPE_CHECKING:
    from pokerkit import Card

__all__ = [
    "DEFAULT_RANKING",
    "DIALECTS",
    "SOLVERS",
    "Ranking",
    "as_weights",
    "format_range",
    "from_dialect",
    "from_pio",
    "from_pokerkit",
    "parse_range",
    "to_dialect",
    "to_eval7",
    "to_pio",
    "to_pokerkit",
    "top_holdings",
]

#: Name of a ranking (``"ir7"``), or one number per class, higher is better.
Ranking: TypeAlias = str | ArrayLike

#: The ranking of percentages that name none: the income rates that Loki uses before the flop.
DEFAULT_RANKING = "ir7"

#: Texts that solvers read after the flop, see `to_dialect`.
SOLVERS = ("pio", "pio-numbers", "gto+", "texassolver")

#: Texts that other programs read, see `to_dialect`.
DIALECTS = (*SOLVERS, "flopzilla", "equilab", "holdem resources")

_DIGITS = 4  # decimals of a weight in a dialect
_HRC_DIGITS = 2  # those of HoldemResources Calculator
_TEXASSOLVER_LEAST = 0.005  # TexasSolver passes over weights up to this one


def as_weights(values: ArrayLike, live: Bools | None = None) -> Floats:
    """Check weights and copy them.

    Parameters
    ----------
    values : array_like, shape (1326,)
        Weight of every holding.
    live : ndarray of bool, shape (1326,), optional
        Where this is false the value does not matter (it may be nan) and becomes 0.

    Returns
    -------
    ndarray of float64, shape (1326,)
        A new array without negative zeros.

    Raises
    ------
    ValueError
        If the shape is wrong, or a weight is negative, infinite or not a number.
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":
            raise TypeError
        weights = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"weights must be {N_HOLDINGS} numbers, got {type(values).__name__}") from None
    if weights.shape != (N_HOLDINGS,):
        raise ValueError(f"weights must have shape ({N_HOLDINGS},), got {weights.shape}")
    if live is not None:
        np.copyto(weights, 0.0, where=~live)
    if not (weights.min() >= 0.0 and weights.max() < np.inf):  # false of nan, too
        worst = int(np.argmin(np.isfinite(weights) & (weights >= 0.0)))
        raise ValueError(f"the weight of {HOLDINGS[worst]} is {weights[worst]}: expected a finite number >= 0")
    weights += 0.0  # turns -0.0 into 0.0
    return weights


# -- rankings --------------------------------------------------------------------------------------


def _ranking_values(ranking: Ranking) -> Floats:
    if isinstance(ranking, str):
        named = re.fullmatch(r"ir([0-9]{1,2})", ranking.strip().lower())
        if named is None:
            raise ValueError(f"unknown ranking {ranking!r}: expected 'irN', the income rates of N players")
        return np.asarray(income_rates(int(named[1])), dtype=np.float64)
    values = np.asarray(ranking, dtype=np.float64)
    if values.shape != (N_CLASSES,) or np.isnan(values).any():
        raise ValueError(f"a ranking is {N_CLASSES} numbers, one for every class of holdings")
    return values


def top_holdings(percent: float, ranking: Ranking = DEFAULT_RANKING) -> Floats:
    """Weights of the best holdings.

    Parameters
    ----------
    percent : float
        How many of the 1,326 holdings, 0 to 100.
    ranking : str or array_like, shape (169,)
        The ranking: ``"irN"`` for the income rates of N players, or a number for every class.

    Returns
    -------
    ndarray of float64, shape (1326,)
        1 for every class inside, 0 for every class outside; the class at the border, or all classes of
        equal rank there, have the fraction that makes the sum ``1326 * percent / 100``.

    Raises
    ------
    ValueError
        If the percentage is outside 0..100 or the ranking is unknown.
    """
    whole, border, share = _best(percent, ranking)
    weights = np.zeros(N_HOLDINGS)
    weights[whole] = 1.0
    weights[border] = float(share)
    return weights


def _best(percent: float, ranking: Ranking) -> tuple[Integers, Integers, Fraction]:
    """Return the best holdings, those at the border, and the exact share of the latter, above 0 and below 1."""
    if not 0.0 <= percent <= 100.0:
        raise ValueError(f"{percent:g}% of the holdings: expected 0 to 100")
    if percent == 100.0:
        return np.arange(N_HOLDINGS), np.arange(0), _NONE
    values = _ranking_values(ranking)[CLASS_OF_HOLDING]
    _, level, size = np.unique(-values, return_inverse=True, return_counts=True)
    wanted = N_HOLDINGS * Fraction(repr(float(percent))) / 100
    last = int(np.searchsorted(np.cumsum(size), int(wanted), side="right"))  # the first level that is not all inside
    share = (wanted - int(size[:last].sum())) / int(size[last])
    return np.flatnonzero(level < last), np.flatnonzero(level == last) if share else np.arange(0), share


# -- reading ---------------------------------------------------------------------------------------

# ASCII only: without it, ignoring case would take U+212A (kelvin) for a king and U+017F for a spade.
_FLAGS = re.IGNORECASE | re.ASCII
_GAP = r"[\s\u00a0]*"
_RANK = "10|[2-9TJQKA]"
_SUIT = f"[cdhs]|{SUIT_SIGN}"
_UNSIGNED = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,5})?"

_SEPARATORS = regex(r"[\s\u00a0,;]*", _FLAGS)
_NUMBER = regex(_UNSIGNED, _FLAGS)
_BRACKET = regex(rf"\[{_GAP}(/?){_GAP}({_UNSIGNED}){_GAP}%?{_GAP}\]", _FLAGS)
_GROUP = regex(rf"({_UNSIGNED})(?:{_GAP}(%){_GAP})?\(", _FLAGS)  # no blank in 77(AK): 77 is a pair
_TOP = regex(rf"(?:top{_GAP})?({_UNSIGNED}){_GAP}%(?:{_GAP}/{_GAP}([a-z0-9_]*))?", _FLAGS)
_ANY = regex(r"random|any|xx|\*", _FLAGS)
_HOLDING = regex(rf"({_RANK})({_SUIT}){_GAP}({_RANK})({_SUIT})", _FLAGS)
_SUITS_BEHIND = regex(rf"({_RANK})({_RANK})({_SUIT})({_SUIT})", _FLAGS)
_CLASS = regex(rf"(?:({_RANK})({_RANK}|[x*])|x({_RANK}))([so]?)", _FLAGS)
_DASH = r"[-\u2013\u2014]"  # web pages turn hyphens into dashes
_REACH = regex(rf"{_GAP}(?:(\+)|{_DASH}(?={_GAP}(?:[,;:@)\[]|$)))", _FLAGS)
_SPAN = regex(rf"{_GAP}{_DASH}{_GAP}", _FLAGS)
_WEIGHT = regex(rf"{_GAP}([:@]){_GAP}", _FLAGS)
_PERCENT_SIGN = regex(rf"{_GAP}%", _FLAGS)
_HEADING = regex(rf"({_UNSIGNED}){_GAP}:{_GAP}", _FLAGS)
_WEIGHT_ALONE = regex(rf"{_UNSIGNED}{_GAP}%?(?=[\s\u00a0,;]|$)", _FLAGS)


# Weights are multiplied as decimals and rounded once, to a float64: 7% of 0.1 is 0.007. What is too large is infinite.
_EXACT = Context(prec=60, traps=[])
_ONE, _NONE = Decimal(1), Fraction(0)


def _number(text: str, percent: bool) -> Decimal:
    """Value of a number, exactly; that of a percentage is a hundredth."""
    if not percent:
        return Decimal(text)
    digits, _, exponent = text.lower().partition("e")
    return Decimal(f"{digits}e{int(exponent or 0) - 2}")


_LOWER = -1  # the low rank of a wildcard


class _Kind(NamedTuple):
    """A class, or suited and offsuit classes together, as ranks 0..12; `_LOWER` is any that is no higher."""

    high: int
    low: int
    suffix: str

    @property
    def holdings(self) -> Integers:
        return _holdings_of_kind(self)

    def reach(self, *, up: bool) -> list[_Kind]:
        """All that is no worse, or no better: by the kicker, or of pairs and wildcards by the rank."""
        if self.high > self.low != _LOWER:
            return [self._replace(low=rank) for rank in (range(self.low, self.high) if up else range(self.low + 1))]
        ranks = range(self.high, 13) if up else range(self.high + 1)
        return [_Kind(rank, _LOWER if self.low == _LOWER else rank, self.suffix) for rank in ranks]

    def to(self, other: _Kind) -> list[_Kind] | None:
        """Everything from here to `other`; None where that has no meaning."""
        first, last = sorted((self, other))
        alike = first.suffix == last.suffix and (first.high == first.low) == (last.high == last.low)
        if not alike or _LOWER in (first.low, last.low):
            return None
        if first.high == last.high:
            return [first._replace(low=rank) for rank in range(first.low, last.low + 1)]
        if last.high - first.high == last.low - first.low:
            steps = range(last.high - first.high + 1)
            return [_Kind(first.high + step, first.low + step, first.suffix) for step in steps]
        return None


@cache
def _holdings_of_kind(kind: _Kind) -> Integers:
    names = []
    for low in range(kind.high + 1) if kind.low == _LOWER else (kind.low,):
        suffixes = list(kind.suffix or "so") if low < kind.high else [""] * (not kind.suffix)
        names += [RANKS[kind.high] + RANKS[low] + suffix for suffix in suffixes]
    holdings = np.concatenate([np.arange(0), *(HOLDINGS_OF_CLASS[class_index(name)] for name in names)])
    holdings.setflags(write=False)
    return holdings


class _Group(NamedTuple):
    """A group that is still open."""

    factor: Decimal
    opening: str
    percent: str  # "" for a group in parentheses, else the number between the brackets
    start: int


class _Reader:
    """Reads a range text in one pass; open groups are kept on a stack, so that nesting has no limit.

    `headed` says that weights stand before what they are of; None looks how the text begins.
    """

    def __init__(self, text: str, ranking: Ranking, headed: bool | None = None) -> None:
        self.text = text
        self.ranking = ranking
        self.headed = headed
        self.heading = _ONE  # the weight that stood last
        self.position = 0
        self.groups: list[_Group] = []
        self.values = np.zeros(N_HOLDINGS)

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise RangeError(message, self.text, (self.position if at is None else at) + 1)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def found(self) -> str:
        """Quote what stands here, for messages."""
        rest = self.text[self.position : self.position + 20]
        return repr(re.split(r"[\s,;]", rest)[0] or rest[0]) if rest else "the end of the text"

    def read(self) -> Floats:
        self.take(_SEPARATORS)
        if self.headed is None:
            self.headed = ":" in self.text and self.begins_with_weight()
        separated = True
        while self.position < len(self.text):
            start = self.position
            if self.text[start] == ")":
                self.position += 1
                self.close("", start)
                opened = False
            elif (bracket := self.take(_BRACKET)) is not None and bracket[1]:
                self.close(bracket[2], start)
                opened = False
            elif not separated:
                self.position = start
                self.fail(f"expected a separator (a comma or a space), found {self.found()}")
            elif bracket is not None:
                self.open(_number(bracket[2], percent=True), bracket[2], start)
                opened = True
            elif self.headed and (heading := self.take(_HEADING)) is not None:
                self.heading = self.checked(_number(heading[1], percent=True), start)
                opened = True
            elif (group := self.take(_GROUP)) is not None:
                self.open(_number(group[1], percent=bool(group[2])), "", start)
                opened = True
            else:
                self.item()
                opened = False
            separators = self.take(_SEPARATORS)
            separated = opened or (separators is not None and bool(separators[0]))
        if self.groups:
            self.fail(f"{self.groups[-1].opening!r} is never closed", self.groups[-1].start)
        return self.values

    def begins_with_weight(self) -> bool:
        """Whether this is a weight of the classes after it, such as ``50:AK``, and no class, as in ``55:0.5``."""
        heading = _HEADING.match(self.text, self.position)
        if heading is None:
            return False
        return _CLASS.fullmatch(heading[1]) is None or _WEIGHT_ALONE.match(self.text, heading.end()) is None

    def open(self, factor: Decimal, percent: str, start: int) -> None:
        factor = self.checked(self.scaled(factor), start)
        self.groups.append(_Group(factor, self.text[start : self.position], percent, start))

    def scaled(self, weight: Decimal) -> Decimal:
        """A weight within the groups that are open."""
        return _EXACT.multiply(self.groups[-1].factor, weight) if self.groups else weight

    def close(self, percent: str, start: int) -> None:
        closing = self.text[start : self.position]
        if not self.groups:
            self.fail(f"{closing!r} closes nothing", start)
        group = self.groups.pop()
        if bool(percent) != bool(group.percent) or (percent and float(percent) != float(group.percent)):
            self.fail(f"{closing!r} does not close {group.opening!r} at column {group.start + 1}", start)

    def item(self) -> None:
        start = self.position
        holdings: Integers | slice
        border, share = None, _NONE
        if (top := self.take(_TOP)) is not None:
            holdings, border, share = self.top(top)
        elif self.take(_ANY) is not None:
            holdings = slice(None)
        elif (holding := self.take(_HOLDING)) is not None:
            holdings = self.holding(holding, 1, 2, 3, 4)
        elif (holding := self.take(_SUITS_BEHIND)) is not None:
            holdings = self.holding(holding, 1, 3, 2, 4)
        elif (kind := self.take(_CLASS)) is not None:
            holdings = self.classes(self.kind(kind))
        else:
            examples = "as 'AKs', '22+', 'JJ-77', 'AhKh', 'random' or '15%'"
            self.fail(f"expected holdings, {examples}, found {self.found()}")
        weight = self.heading if self.headed else self.weight()
        if self.groups:
            weight = self.checked(self.scaled(weight), start)
        self.values[holdings] = 1.0 if weight is _ONE else float(weight)
        if border is not None:
            parts = _EXACT.multiply(weight, Decimal(share.numerator))
            self.values[border] = float(_EXACT.divide(parts, Decimal(share.denominator)))

    def top(self, match: re.Match[str]) -> tuple[Integers, Integers, Fraction]:
        name = match[2]
        try:
            return _best(float(match[1]), self.ranking if name is None else name)
        except ValueError as error:
            percentage_is_wrong = name is None or float(match[1]) > 100.0
            self.fail(str(error), match.start(1 if percentage_is_wrong else 2))

    def holding(self, match: re.Match[str], *groups: int) -> Integers:
        """The holding of the groups that are rank, suit, rank and suit."""
        rank, suit, other, of = match.group(*groups)
        cards = card_index(rank + suit), card_index(other + of)
        if cards[0] == cards[1]:
            self.fail(f"the card {CARDS[cards[0]]} cannot be held twice", match.start(groups[2]))
        return np.array([holding_index(cards)])

    def kind(self, match: re.Match[str]) -> _Kind:
        texts = match.group(1, 2) if match[1] else (match[3], "x")
        ranks = [_LOWER if rank in "xX*" else RANKS.index("T" if rank == "10" else rank.upper()) for rank in texts]
        suffix = match[4].lower()
        if ranks[0] == ranks[1]:
            if suffix == "s":
                self.fail(f"{match[0]!r}: a pair cannot be suited", match.start(4))
            suffix = ""  # every pair is offsuit
        return _Kind(max(ranks), min(ranks), suffix)

    def classes(self, kind: _Kind) -> Integers:
        kinds = [kind]
        if (reach := self.take(_REACH)) is not None:
            kinds = kind.reach(up=bool(reach[1]))
        elif self.take(_SPAN) is not None:
            kinds = self.span(kind)
        return np.concatenate([kind.holdings for kind in kinds])

    def span(self, kind: _Kind) -> list[_Kind]:
        start = self.position
        end = self.take(_CLASS)
        if end is None:
            self.fail(f"expected the other end of the span, as in 'JJ-77', found {self.found()}")
        kinds = kind.to(self.kind(end))
        if kinds is None:
            self.fail(
                "the ends of a span must be two pairs ('JJ-77'), or alike in suits and in high card "
                "('A5s-A2s') or distance ('T9s-54s')",
                start,
            )
        return kinds

    def weight(self) -> Decimal:
        sign = self.take(_WEIGHT)
        if sign is None:
            return _ONE
        start = self.position
        number = self.take(_NUMBER)
        if number is None:
            self.fail(f"expected a weight, a finite number >= 0, found {self.found()}")
        percent = self.take(_PERCENT_SIGN) is not None or sign[1] == "@"
        return self.checked(_number(number[0], percent), start)

    def checked(self, weight: Decimal, start: int) -> Decimal:
        if weight is not _ONE and float(weight) == inf:
            self.fail("the weight is too large for a float64", start)
        return weight


def parse_range(text: str, *, ranking: Ranking = DEFAULT_RANKING) -> Floats:
    """Read a range.

    Parameters
    ----------
    text : str
        A range in any of the syntaxes that this module's documentation lists.
    ranking : str or array_like, shape (169,)
        The ranking of percentages that name none, see `top_holdings`.

    Returns
    -------
    ndarray of float64, shape (1326,)
        The weight of every holding, 0 for those that the text does not cover.

    Raises
    ------
    RangeError
        If the text cannot be read; the error has the column.

    Examples
    --------
    >>> weights = parse_range("22+, A5s-A2s, AhKh:0.5")
    >>> int((weights > 0).sum())
    95
    """
    if not isinstance(text, str):
        raise RangeError(f"expected the text of a range, got {text!r}", str(text), 1)
    return _Reader(text, ranking).read()


# -- writing ---------------------------------------------------------------------------------------

#: Classes that can be joined, best first: pairs, and those of a high card, suited and offsuit apart.
_COLUMNS = (
    [rank * 2 for rank in reversed(RANKS)],
    *([h + low + s for low in reversed(RANKS[: RANKS.index(h)])] for h in reversed(RANKS[1:]) for s in "so"),
)
_ORDER = [class_index(name) for names in _COLUMNS for name in names]  # of the writers


def _weight_text(weight: float, digits: int | None, *, exponents: bool = True) -> str:
    """Return the shortest text that reads back as the same number, or `digits` significant digits."""
    if weight >= 1e308:
        digits = None  # rounding up might leave the range of float64
    if 1e-16 <= weight < 1e16 or weight == 0.0 or not exponents:
        return np.format_float_positional(weight, precision=digits, fractional=False, trim="-")
    return repr(weight) if digits is None else f"{weight:.{digits - 1}e}"


def _texts(values: ArrayLike, digits: int | None, *, exponents: bool = True) -> list[str]:
    """Text of every weight."""
    if digits is not None:
        check_least("digits", digits, 1)
    known: dict[float, str] = {}
    texts = []
    for weight in as_weights(values).tolist():
        text = known.get(weight)
        if text is None:
            text = known[weight] = _weight_text(weight, digits, exponents=exponents)
        texts.append(text)
    return texts


def _class_items(texts: list[str]) -> Iterator[tuple[str, str]]:
    """(name, weight) of everything above 0: classes where all holdings agree, holdings where not."""
    for index in _ORDER:
        holdings = HOLDINGS_OF_CLASS[index][::-1].tolist()
        first = texts[holdings[0]]
        if all(texts[holding] == first for holding in holdings):
            if first != "0":
                yield CLASSES[index], first
        else:
            yield from ((HOLDINGS[holding], texts[holding]) for holding in holdings if texts[holding] != "0")


def _runs(names: Sequence[str], weights: Sequence[str | None], *, plus: bool = True) -> Iterator[tuple[str, str]]:
    """Join neighbours of equal weight, best first; None marks classes that are not written."""
    start = 0
    for stop in range(1, len(names) + 1):
        weight = weights[start]
        if stop < len(names) and weights[stop] == weight:
            continue
        if weight is not None:
            first, last = names[start], names[stop - 1]
            yield (first if first == last else f"{last}+" if plus and start == 0 else f"{first}-{last}"), weight
        start = stop


def _split(texts: list[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Weights of classes where all holdings agree; (name, weight) of the holdings of others."""
    whole: dict[str, str] = {}
    single: list[tuple[str, str]] = []
    for name, weight in _class_items(texts):
        if len(name) < 4:
            whole[name] = weight
        else:
            single.append((name, weight))
    return whole, single


def _joined_items(texts: list[str], *, plus: bool) -> Iterator[tuple[str, str]]:
    """(name, weight) of classes joined where they can be, suited and offsuit apart, and of single holdings."""
    whole, single = _split(texts)
    for names in _COLUMNS:
        yield from _runs(names, [whole.get(name) for name in names], plus=plus)
    yield from single


def _compact_items(texts: list[str]) -> Iterator[tuple[str, str]]:
    """(name, weight) in as few items as plus signs and spans allow."""
    if texts[0] != "0" and all(text == texts[0] for text in texts):
        yield "random", texts[0]
        return
    whole, single = _split(texts)
    pairs, *columns = _COLUMNS
    yield from _runs(pairs, [whole.get(name) for name in pairs])
    for names in zip(columns[::2], columns[1::2], strict=True):
        suited, offsuit = ([whole.get(name) for name in column] for column in names)
        apart = [*_runs(names[0], suited), *_runs(names[1], offsuit)]
        both = [s if s == o else None for s, o in zip(suited, offsuit, strict=True)]
        rest = [[None if b else w for b, w in zip(both, column, strict=True)] for column in (suited, offsuit)]
        together = [
            *_runs([name[:2] for name in names[0]], both),
            *_runs(names[0], rest[0]),
            *_runs(names[1], rest[1]),
        ]
        yield from together if len(together) < len(apart) else apart
    yield from single


def format_range(values: ArrayLike, *, digits: int | None = None, compact: bool = False) -> str:
    """Write a range in PioSOLVER's style, as ``AA:0.85,AKs,AhKd:0.5``.

    Parameters
    ----------
    values : array_like, shape (1326,)
        Weight of every holding; those of weight 0 are left out, and ``:1`` is not written.
    digits : int, optional
        Significant digits of the weights. The default writes as many as it takes for `parse_range` to
        return exactly the same float64 numbers.
    compact : bool
        Join classes of equal weight, as ``22+,AT+,K9s-K6s:0.5``. The default names every class, which
        more programs read, and breaks a class into holdings only where their weights differ.

    Returns
    -------
    str
        Pairs, then the other classes by high card and kicker, suited before offsuit.

    Raises
    ------
    ValueError
        If the weights are not 1,326 finite numbers >= 0.
    """
    texts = _texts(values, digits)
    items = _compact_items(texts) if compact else _class_items(texts)
    return ",".join(name if weight == "1" else f"{name}:{weight}" for name, weight in items)


def _by_weight(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names joined by commas, by weight; weight 1 first, the others as they come."""
    groups: dict[str, list[str]] = {"1": []}
    for name, weight in items:
        groups.setdefault(weight, []).append(name)
    return {weight: ",".join(names) for weight, names in groups.items() if names}


def to_eval7(values: ArrayLike, *, digits: int | None = None) -> str:
    """Write a range for eval7, as ``AKs,0.85(AA,KK)``; arguments and errors are those of `format_range`.

    Numbers are written without exponents, which eval7 does not read.
    """
    groups = _by_weight(_class_items(_texts(values, digits, exponents=False)))
    return ",".join(names if weight == "1" else f"{weight}({names})" for weight, names in groups.items())


def _percent(weight: str) -> str:
    """Text of a weight in per cent, without a rounding of its own."""
    return f"{Decimal(weight).scaleb(2):f}"


def _bracketed(items: Iterable[tuple[str, str]]) -> str:
    """Items by weight, as ``AKs,[85.0]AA,KK[/85.0]``."""
    parts = []
    for weight, names in _by_weight(items).items():
        percent = _percent(weight)
        percent += "" if "." in percent else ".0"
        parts.append(names if weight == "1" else f"[{percent}]{names}[/{percent}]")
    return ",".join(parts)


def to_pokerkit(values: ArrayLike, threshold: float = 0.0) -> set[frozenset[Card]]:
    """Convert a range to PokerKit's form, which knows no weights: the holdings with more weight than the threshold.

    Needs PokerKit. Raises `ValueError` if the weights are not 1,326 finite numbers >= 0.
    """
    from pokerkit import Card

    deck = [next(iter(Card.parse(text))) for text in CARDS]
    inside = HOLDING_CARDS[as_weights(values) > threshold].tolist()
    return {frozenset((deck[high], deck[low])) for high, low in inside}


def from_pokerkit(holdings: Iterable[Iterable[Card]]) -> Floats:
    """Weights of a range in PokerKit's form.

    Parameters
    ----------
    holdings : iterable of iterable of pokerkit.Card
        The result of PokerKit's ``parse_range``.

    Returns
    -------
    ndarray of float64, shape (1326,)
        1 for the holdings in the range, 0 for the others.

    Raises
    ------
    ValueError
        If an item is not two known cards.
    """
    weights = np.zeros(N_HOLDINGS)
    for holding in holdings:
        weights[holding_index([repr(card) for card in holding])] = 1.0
    return weights


def to_pio(values: ArrayLike, *, digits: int | None = None) -> str:
    """Write all 1,326 weights, separated by spaces, in the order of PioSOLVER's hand list.

    That order, 2d2c, 2h2c, 2h2d, ... AsAh, is ours. Arguments and errors are those of `format_range`.
    """
    return " ".join(_texts(values, digits))


def from_pio(text: str) -> Floats:
    """Read the 1,326 weights that `to_pio` writes: float64 (1326,).

    `RangeError` if something is not a number >= 0, or there are not 1,326 of them.
    """
    weights: list[float] = []
    for word in re.finditer(r"\S+", text):
        weight = float(word[0]) if _NUMBER.fullmatch(word[0]) else float("nan")
        if not weight < float("inf"):
            raise RangeError(f"expected a weight, a finite number >= 0, found {word[0][:20]!r}", text, word.start() + 1)
        if len(weights) == N_HOLDINGS:
            raise RangeError(f"expected {N_HOLDINGS} numbers, found more", text, word.start() + 1)
        weights.append(weight)
    if len(weights) != N_HOLDINGS:
        raise RangeError(f"expected {N_HOLDINGS} numbers, found {len(weights)}", text, len(text) + 1)
    return np.array(weights)


def _equilab_text(texts: list[str]) -> str:
    groups = _by_weight(_joined_items(texts, plus=True))
    if list(groups) == ["1"]:
        return groups["1"]  # which Equilab reads that knows no weights
    return ",".join(f"{_percent(weight)}:{names}" for weight, names in groups.items())


def _hrc_text(texts: list[str]) -> str:
    whole, single = _split(texts)
    if single:
        index = CLASS_OF_HOLDING[holding_index(single[0][0])]
        weights = sorted((float(texts[holding]), HOLDINGS[holding]) for holding in HOLDINGS_OF_CLASS[index].tolist())
        (least, one), (most, other) = weights[0], weights[-1]
        raise ValueError(
            "HoldemResources Calculator has classes of holdings alone: expected one weight for all holdings of "
            f"{CLASSES[index]}, got {least:g} for {one} and {most:g} for {other}"
        )
    items = []
    for names in _COLUMNS:
        for start, name in enumerate(names):
            weight = whole.get(name)
            if weight is None:
                continue
            if weight != "1":
                items.append(f"{name}:{float(weight):.{_HRC_DIGITS}f}")
            elif any(whole.get(better) != "1" for better in names[:start]):
                items.append(name)
            elif start == len(names) - 1 or whole.get(names[start + 1]) != "1":
                items.append(f"{name}+" if start else name)
    return ", ".join(items)


def _check_dialect(dialect: str) -> None:
    if dialect not in DIALECTS:
        raise ValueError(f"unknown dialect {dialect!r}: expected one of {', '.join(DIALECTS)}")


def to_dialect(values: ArrayLike, dialect: str) -> str:
    """Write a range as another program reads it.

    Weights are divided by the largest, which becomes 1, and rounded to four decimals, or to two for ``"holdem
    resources"``. Holdings whose weight rounds to 0 are left out.

    Parameters
    ----------
    values : array_like, shape (1326,)
        Weight of every holding.
    dialect : str
        ``"pio"``
            ``AA:0.75,AKs,AhKd:0.5``, which PioSOLVER reads.
        ``"pio-numbers"``
            1,326 numbers in the order of PioSOLVER's hand list, as ``set_range`` and ``show_range`` of its text
            interface have them.
        ``"gto+"``
            ``AKs,[75.0]AA[/75.0],[50.0]AhKd[/50.0]``, which GTO+ and Flopzilla read.
        ``"texassolver"``
            As ``"pio"``, without weights up to 0.005, which TexasSolver does not read.
        ``"flopzilla"``
            As ``"gto+"``, with classes joined as Flopzilla joins them: ``AA-QQ,[50.0]A5s-A2s[/50.0]``.
        ``"equilab"``
            ``100:QQ+,AKs,50:A5s-A2s,AhKd``, weights in per cent before what they are of, as Power-Equilab keeps its
            ranges. If all weights are the same they are not written: ``QQ+,AKs``. PokerStrategy's Equilab, which
            knows no weights, reads that, too.
        ``"holdem resources"``
            ``QQ+, AKs, A5s:0.50, A4s:0.50``, as HoldemResources Calculator publishes ranges. It has classes of
            holdings and no single ones.

    Raises
    ------
    ValueError
        If there is no such dialect, the weights are not 1,326 finite numbers >= 0, or all of them are 0; for
        ``"holdem resources"`` also if holdings of a class differ in weight, as they do where cards are dead.

    Examples
    --------
    >>> weights = parse_range("AA:3, KK:3, AKs:4, AQs:4, AhKd:2")
    >>> to_dialect(weights, "pio")
    'AA:0.75,KK:0.75,AKs,AQs,AhKd:0.5'
    >>> to_dialect(weights, "flopzilla")
    'AKs-AQs,[75.0]AA-KK[/75.0],[50.0]AhKd[/50.0]'
    >>> to_dialect(weights, "equilab")
    '100:AQs+,75:KK+,50:AhKd'
    >>> to_dialect(parse_range("AA:3, KK:3, AKs:4, AQs:4"), "holdem resources")
    'AA:0.75, KK:0.75, AQs+'
    """
    _check_dialect(dialect)
    weights = as_weights(values)
    largest = weights.max()
    if largest == 0.0:
        raise ValueError("every holding has weight 0: there is no range to write")
    weights = np.round(weights / largest, _HRC_DIGITS if dialect == "holdem resources" else _DIGITS)
    if dialect == "pio-numbers":
        return to_pio(weights)
    if dialect == "gto+":
        return _bracketed(_class_items(_texts(weights, None, exponents=False)))
    if dialect == "flopzilla":
        return _bracketed(_joined_items(_texts(weights, None), plus=False))
    if dialect == "equilab":
        return _equilab_text(_texts(weights, None))
    if dialect == "holdem resources":
        return _hrc_text(_texts(weights, None))
    if dialect == "texassolver":
        weights[weights <= _TEXASSOLVER_LEAST] = 0.0
    return format_range(weights)


def from_dialect(text: str, dialect: str) -> Floats:
    """Read the range of another program.

    Parameters
    ----------
    text : str
        A range as `to_dialect` writes it, or as the program does.
    dialect : str
        One of `DIALECTS`, see `to_dialect`. `parse_range` reads all of them but ``"pio-numbers"``; that a text is of
        ``"equilab"`` matters if it begins as ``44:33``, which is there 44% of threes.

    Returns
    -------
    ndarray of float64, shape (1326,)

    Raises
    ------
    RangeError
        If the text cannot be read.
    ValueError
        If there is no such dialect.
    """
    _check_dialect(dialect)
    if dialect == "pio-numbers":
        return from_pio(text)
    return _Reader(text, DEFAULT_RANKING, headed=dialect == "equilab").read()
