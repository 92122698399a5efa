"""Weight tables: relative probabilities of the 1,326 holdings of a player."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pokermodel import ranges
from pokermodel._core import summaries
from pokermodel._support.arrays import Bools, Floats, Integers
from pokermodel._support.forms import form_of, text_of
from pokermodel._support.frames import to_frame
from pokermodel.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDINGS,
    HOLDINGS_OF_CLASS,
    N_CLASSES,
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    class_index,
    holding_index,
    shared_live_holdings,
)

if TYPE_CHECKING:
    from pokerkit import Card
    from rich.console import RenderableType

__all__ = ["WeightTable"]

_NUMBERS = np.dtype(np.float64)
_SHAPE = (N_HOLDINGS,)


def _class_means(values: Floats, live: Bools) -> Floats:
    """Mean over the live holdings of every class, nan where there are none.

    Every class is scaled by its own maximum first, so that no sum overflows and none loses small weights.
    """
    largest = np.zeros(N_CLASSES)
    np.maximum.at(largest, CLASS_OF_HOLDING, values)
    divisor = np.where(largest > 0.0, largest, 1.0)[CLASS_OF_HOLDING]
    sums = np.bincount(CLASS_OF_HOLDING, values / divisor, minlength=N_CLASSES)
    counts = np.bincount(CLASS_OF_HOLDING[live], minlength=N_CLASSES)
    means = np.full(N_CLASSES, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means * largest


def _class_of(what: str | CardsLike) -> int | None:
    """Index of a class of holdings; None for a holding, which has two suits and is longer than any class."""
    return class_index(what) if isinstance(what, str) and len(what.replace("10", "T")) < 4 else None


@lru_cache(256)
def _dead_and_live(dead: tuple[int, ...]) -> tuple[tuple[int, ...], Bools, bytes]:
    """Dead cards, given by index, ascending, and the holdings without them, also as bytes."""
    cards = tuple(sorted(dead))
    live = shared_live_holdings(cards).view()  # a view of what is read-only stays so
    return cards, live, live.tobytes()


def _operand(table: WeightTable, other: object) -> tuple[Floats | float, Iterable[int]] | None:
    """Numbers to calculate with, and the dead cards of the result; None for what no table goes with."""
    if isinstance(other, WeightTable):
        return other.values, {*table.dead, *other.dead}
    if isinstance(other, Real):
        try:
            number = float(other)
        except OverflowError:
            number = math.inf
        if not 0.0 <= number < math.inf:
            raise ValueError(f"weights cannot be combined with {number}: expected a finite number >= 0")
        return number, table.dead
    if isinstance(other, (np.ndarray, list, tuple)):
        return ranges.as_weights(other, table.live), table.dead
    if isinstance(other, str):
        what = "expected another table, 1,326 numbers or one number"
        raise TypeError(f"a WeightTable cannot be combined with the text {other!r}: {what}; from_text reads a range")
    return None


def _likeliest(probabilities: Floats, least: float, top: float) -> Bools:
    """Which holdings have this share of the largest probability, and are among those that make this share of all."""
    falling = np.sort(probabilities)[::-1]
    # a share that the holdings before it fall short of by no more than rounding is reached
    last = int(np.searchsorted(np.cumsum(falling), top - 1e-12))
    border = max(float(falling[min(last, len(falling) - 1)]), least * float(falling[0]))
    found: Bools = probabilities >= border
    return found


class WeightTable:
    """Weights of all holdings, except those that known cards exclude.

    A weight is proportional to the probability of a holding; only ratios matter, and any scale will do.
    Tables are immutable and compare equal when weights and dead cards do.

    ``table * other`` multiplies the weights of each holding, as Bayes' rule does with the probability of an action,
    and ``table + other`` adds them. The other operand is a table, 1,326 numbers, or one number; cards that are dead in
    either table are dead in the result. A sum depends on the scale of both: ``a * (1 / a.total) + b * (1 / b.total)``
    is the even mixture of two ranges.

    As a container a table has the holdings that are possible, those with a weight above 0: `len` counts them, ``in``
    asks for a holding or a class, and iteration gives each with its weight, in the order of `holding_index`. That is
    the order of `values` and of every other array by holding; `top` lists the most probable ones first.

    Parameters
    ----------
    values : array_like, shape (1326,), optional
        Finite weights >= 0 in the order of `holding_index`; 1 for every holding when left out. Values of holdings that
        contain a dead card are ignored, nan included.
    dead : cards
        Cards that are known to be elsewhere, as text (``"AsKd"``) or indices.

    Raises
    ------
    ValueError
        If there are not 1,326 weights, one is negative, infinite or not a number, or something in `dead`
        is not a card or occurs twice.

    Examples
    --------
    >>> table = WeightTable.from_text("22+, A5s-A2s, AhKh:0.5", dead="AsKd7h")
    >>> table["AhKh"], table["AA"]
    (0.5, 1.0)
    >>> table.top(1)
    [('AhAd', 0.012269938650306749)]
    >>> "KK" in table, "AsAh" in table, len(WeightTable.from_text("AKs, QQ"))
    (True, False, 10)
    >>> dict(WeightTable.from_text("AsKs, AA:0.5", dead="AhAd") * 2)
    {'AsKs': 2.0, 'AsAc': 1.0}
    """

    __slots__ = ("_dead", "_live", "_shares", "_values", "fixed")

    #: Arrays leave ``array * table`` and ``array + table`` to the table.
    __array_priority__ = 1000.0

    #: The weights in a kernel, which tells of them what is asked for.
    fixed: summaries.FixedWeights
    _dead: tuple[int, ...]
    _live: Bools
    _values: Floats  # the weights, once they were asked for
    _shares: Floats  # the probabilities, likewise

    def __init__(self, values: ArrayLike | None = None, dead: CardsLike = ()) -> None:
        self._fill(values, card_indices(dead))

    def _fill(self, values: ArrayLike | None, dead: tuple[int, ...]) -> None:
        self._dead, self._live, live = _dead_and_live(dead)
        fixed: summaries.FixedWeights | None = None
        if type(values) is np.ndarray and values.dtype == _NUMBERS and values.shape == _SHAPE:
            fixed = summaries.fixed_weights(np.ascontiguousarray(values), live)
        if fixed is None:  # something else, or wrong
            weights = self._live.astype(np.float64) if values is None else ranges.as_weights(values, self._live)
            fixed = summaries.fixed_weights(weights, live)
            assert fixed is not None
        self.fixed = fixed

    # -- other ways to make one ---------------------------------------------------------------------

    @classmethod
    def of_known(cls, values: ArrayLike | None, dead: tuple[int, ...]) -> Self:
        """Make one where `dead` has indices of different cards for certain, which is not looked at again."""
        table = object.__new__(cls)
        table._fill(values, dead)
        return table

    @classmethod
    def uniform(cls, dead: CardsLike = ()) -> Self:
        """Give every holding without dead cards weight 1."""
        return cls(None, dead)

    @classmethod
    def from_text(cls, text: str, dead: CardsLike = (), *, ranking: ranges.Ranking = ranges.DEFAULT_RANKING) -> Self:
        """Read range text, as ``"22+, A5s-A2s, AhKh:0.5"``.

        Parameters
        ----------
        text : str
            A range in any of the syntaxes of `pokermodel.ranges`.
        dead : cards
            Cards that are known to be elsewhere.
        ranking : str or array_like, shape (169,)
            The ranking of percentages (``15%``) that name none.

        Raises
        ------
        RangeError
            If the text cannot be read.
        ValueError
            If `dead` is not a list of cards.
        """
        return cls(ranges.parse_range(text, ranking=ranking), dead)

    @classmethod
    def from_pio(cls, text: str, dead: CardsLike = ()) -> Self:
        """Read 1,326 numbers in the order of PioSOLVER's hand list; raises as `ranges.from_pio` does."""
        return cls(ranges.from_pio(text), dead)

    @classmethod
    def from_pokerkit(cls, holdings: Iterable[Iterable[Card]], dead: CardsLike = ()) -> Self:
        """Give weight 1 to the holdings of a range of PokerKit's; raises as `ranges.from_pokerkit` does."""
        return cls(ranges.from_pokerkit(holdings), dead)

    def without(self, cards: CardsLike) -> Self:
        """Remove the holdings that contain any of some cards that became known; the other weights are unchanged.

        Cards that are dead already may be among them. `ValueError` if something is not a card, or occurs twice.
        """
        return type(self)(self.values, set(self._dead).union(card_indices(cards)))

    def scaled(self) -> Self:
        """Divide all weights by the largest; `ValueError` if every weight is 0."""
        return type(self)(self.values / self._largest(), self._dead)

    def trim(self, *, least: float = 0.0, top: float = 1.0) -> Self:
        """Leave out what is least probable: solvers need longer for each holding, however rarely it is held.

        Parameters
        ----------
        least : float
            Holdings of less than this share of the largest weight are left out.
        top : float
            The most probable holdings that make this share of the range are kept; those as probable as the last of
            them are, too.

        Raises
        ------
        ValueError
            If one of them is not from 0 to 1, or every weight is 0.

        Examples
        --------
        >>> WeightTable.from_text("AA, KK:0.5, 72o:0.01").trim(least=0.1).to_text()
        'AA,KK:0.5'
        >>> WeightTable.from_text("AA, KK:0.5, 72o:0.01").trim(top=0.5).to_text()
        'AA'
        """
        for name, share in (("least", least), ("top", top)):
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"{name} is {share}: expected a share from 0 to 1")
        return self.of_known(np.where(_likeliest(self.shares, least, top), self.values, 0.0), self._dead)

    # -- arithmetic ----------------------------------------------------------------------------------

    def __mul__(self, other: WeightTable | ArrayLike) -> Self:
        """Multiply the weights by those of another table, by 1,326 numbers or by one, all finite and >= 0."""
        operand = _operand(self, other)
        if operand is None:
            return NotImplemented
        values, dead = operand
        with np.errstate(over="ignore"):  # what is not finite is refused
            return type(self)(self.values * values, dead)

    __rmul__ = __mul__

    def __add__(self, other: WeightTable | ArrayLike) -> Self:
        """Add the weights of another table, 1,326 numbers or one to those of live holdings, all finite and >= 0."""
        operand = _operand(self, other)
        if operand is None:
            return NotImplemented
        values, dead = operand
        with np.errstate(over="ignore"):
            return type(self)(self.values + values, dead)

    __radd__ = __add__

    # -- contents ------------------------------------------------------------------------------------

    @property
    def values(self) -> Floats:
        """Weights, float64 (1326,), read-only; 0 where `live` is false."""
        try:
            return self._values
        except AttributeError:
            self._values = np.frombuffer(self.fixed.values)  # which cannot be made writeable
            return self._values

    @property
    def dead(self) -> tuple[int, ...]:
        """Indices of the dead cards, ascending."""
        return self._dead

    @property
    def live(self) -> Bools:
        """Which holdings contain no dead card, bool (1326,), read-only."""
        return self._live

    @property
    def total(self) -> float:
        """Sum of the weights; infinite where a float64 cannot hold it."""
        with np.errstate(over="ignore"):
            return float(self.values.sum())

    def __len__(self) -> int:
        """Count the possible holdings, those with a weight above 0."""
        return int(np.count_nonzero(self.values))

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Go through the possible holdings.

        Yields
        ------
        (str, float)
            Holding (``"AsKd"``) and weight, in the order of `holding_index`.
        """
        possible = np.flatnonzero(self.values)
        for index, weight in zip(possible.tolist(), self.values[possible].tolist(), strict=True):
            yield HOLDINGS[index], weight

    def __contains__(self, what: str | CardsLike) -> bool:
        """Whether a holding, or any holding of a class, is possible; raises as ``table[what]`` does."""
        index = _class_of(what)
        of = holding_index(what) if index is None else HOLDINGS_OF_CLASS[index]
        return bool((self.values[of] > 0.0).any())

    def __getitem__(self, what: str | CardsLike) -> float:
        """Weight of a holding (``"AsKd"``, cards, an index) or mean weight of a class (``"AKs"``).

        Returns
        -------
        float
            For a class, the mean over its live holdings, nan where it has none.

        Raises
        ------
        ValueError
            If it is neither.
        """
        index = _class_of(what)
        if index is None:
            return float(self.values[holding_index(what)])
        return float(_class_means(self.values, self._live)[index])

    def probabilities(self) -> Floats:
        """The weights, scaled to sum 1: float64 (1326,); `ValueError` if every weight is 0."""
        return self.shares.copy()

    @property
    def shares(self) -> Floats:
        """The `probabilities`, worked out once and read-only; raises `ValueError` if every weight is 0."""
        try:
            return self._shares
        except AttributeError:
            self._shares = np.frombuffer(self.fixed.shares)
            return self._shares

    @property
    def possible(self) -> bool:
        """Whether any holding has a weight above 0, so that the table has probabilities."""
        return self.fixed.possible

    def entropy_bits(self) -> float:
        """Uncertainty about the holding, in bits: 10.37 for 1,326 equal weights, 0 for a single holding.

        `ValueError` if every weight is 0.
        """
        return self.fixed.entropy_bits

    def top(self, n: int = 10) -> list[tuple[str, float]]:
        """List the most probable holdings.

        Parameters
        ----------
        n : int
            How many at most; holdings of probability 0 are left out.

        Returns
        -------
        list of (str, float)
            Holding (``"AsAh"``) and probability, falling; equal ones with the higher cards first.

        Raises
        ------
        ValueError
            If every weight is 0, or `n` is negative.
        """
        if n < 0:
            raise ValueError(f"cannot list {n} holdings: expected a number >= 0")
        return self.fixed.largest(n, HOLDINGS)

    def grid(self) -> Floats:
        """Mean weight of every class over its live holdings: float64 (13, 13), nan where it has none.

        Rows and columns are ``AKQJT98765432``, suited above the diagonal.
        """
        return _class_means(self.values, self._live).reshape(13, 13)

    def grid_combos(self) -> Integers:
        """Count the live holdings of every class: intp (13, 13), 6 a pair, 4 suited, 12 offsuit, less dead cards."""
        return np.bincount(CLASS_OF_HOLDING[self._live], minlength=N_CLASSES).reshape(13, 13)

    # -- other forms --------------------------------------------------------------------------------

    def to_text(self, dialect: str | None = None, *, digits: int | None = None, compact: bool = False) -> str:
        """Write range text in PioSOLVER's style, or as another program reads it; see `ranges.format_range`.

        Parameters
        ----------
        dialect : str, optional
            Write for this program, one of ``"pio"``, ``"pio-numbers"``, ``"gto+"``, ``"texassolver"``,
            ``"flopzilla"``, ``"equilab"`` and ``"holdem resources"``: the largest weight becomes 1, and weights are
            rounded; see `ranges.to_dialect`.
        digits : int, optional
            Significant digits of the weights; without it, `from_text` returns exactly the same weights.
        compact : bool
            Join classes of equal weight, as ``22+,A5s-A2s``.

        Raises
        ------
        ValueError
            If there is no such dialect; or with `dialect`, if `digits` or `compact` is given, every weight is 0, or the
            dialect cannot say the range.

        Examples
        --------
        >>> table = WeightTable.from_text("AA:3, AKs:4")
        >>> table.to_text(), table.to_text("pio"), table.to_text("gto+")
        ('AA:3,AKs:4', 'AA:0.75,AKs', 'AKs,[75.0]AA[/75.0]')
        """
        if dialect is None:
            return ranges.format_range(self.values, digits=digits, compact=compact)
        if digits is not None or compact:
            raise ValueError(f"the text of {dialect} has a form of its own: expected neither digits nor compact")
        return ranges.to_dialect(self.values, dialect)

    def to_pio(self, *, digits: int | None = None) -> str:
        """Write 1,326 numbers in the order of PioSOLVER's hand list."""
        return ranges.to_pio(self.values, digits=digits)

    def to_eval7(self, *, digits: int | None = None) -> str:
        """Write range text for eval7, as ``AKs,0.85(AA,KK)``."""
        return ranges.to_eval7(self.values, digits=digits)

    def to_pokerkit(self, threshold: float = 0.0) -> set[frozenset[Card]]:
        """Convert to PokerKit's range of holdings whose weight is above the threshold. Needs PokerKit."""
        return ranges.to_pokerkit(self.values, threshold)

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame with a row for each live holding: ``holding``, ``class``, ``weight``, ``probability``.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Default: whichever is installed, pandas first.

        Raises
        ------
        ValueError
            If `library` is none of these, or every weight is 0.
        ModuleNotFoundError
            If it is not installed.
        """
        shares, live = self.shares.tolist(), self._live.tolist()
        rows = zip(HOLDINGS, CLASS_OF_HOLDING.tolist(), self.values.tolist(), shares, live, strict=True)
        return to_frame(
            (
                {"holding": holding, "class": CLASSES[of], "weight": weight, "probability": share}
                for holding, of, weight, share, possible in rows
                if possible
            ),
            ["holding", "class", "weight", "probability"],
            library,
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Floats:
        return np.array(self.values, dtype=dtype, copy=copy)

    # -- as an object -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightTable):
            return NotImplemented
        return self._dead == other._dead and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self._dead, self.values.tobytes()))

    def __reduce__(self) -> tuple[type[Self], tuple[Floats, tuple[int, ...]]]:
        return type(self), (self.values, self._dead)

    def __repr__(self) -> str:
        possible = int(np.count_nonzero(self.values))
        bits = f", {self.entropy_bits():.2f} bits" if possible else ""
        dead = f", dead {cards_text(self._dead)}" if self._dead else ""
        return f"<WeightTable: {possible} of {int(self._live.sum())} holdings{bits}{dead}>"

    def __rich__(self) -> RenderableType:
        shown: RenderableType = form_of(self, "rich")
        return shown

    def _repr_html_(self) -> str:
        return text_of(self, "html")

    def _largest(self) -> float:
        largest = float(self.values.max())
        if largest == 0.0:
            raise ValueError("every holding has weight 0: the table has no probabilities")
        return largest
