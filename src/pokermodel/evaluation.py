"""Hand strength and hand potential against weighted holdings.

Definitions are Papp's (1998, sections 5.2, 5.3 and 6.3). With ``ahead``, ``tied`` and ``behind`` the weight of the
opponent's holdings that a holding beats, ties and loses to now:

- hand strength ``HS = (ahead + tied/2) / (ahead + tied + behind)``, against n opponents ``HS**n``;
- positive potential, the chance to come from behind, and negative potential, the chance to fall behind::

    PPOT = (HP[behind][ahead] + HP[behind][tied]/2 + HP[tied][ahead]/2) / (T[behind] + T[tied]/2)
    NPOT = (HP[ahead][behind] + HP[ahead][tied]/2 + HP[tied][behind]/2) / (T[ahead] + T[tied]/2)

  where ``HP[now][later]`` counts weight times runouts and ``T`` is its sum over ``later``;
- effective hand strength ``EHS = HS + (1 - HS)*PPOT - HS*NPOT``, and without the last term the optimistic EHS'.

Weights need not be normalised and may have any scale. Where no weight is left for the opponent, every holding
that he can have counts the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._arrays import Bools, Floats
from pokermodel._cache import Cache
from pokermodel._core import evaluator as _evaluator
from pokermodel._core.strength import Analysis, Counts, first_bad
from pokermodel.cards import (
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    holding_index,
    holding_text,
    live_holdings,
)
from pokermodel.ranges import as_weights

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = [
    "CATEGORIES",
    "BoardAnalysis",
    "HoldingTable",
    "Potential",
    "category",
    "counts_cache",
    "effective_hand_strength",
    "evaluate",
    "evaluate_holdings",
    "evaluate_many",
    "hand_potential",
    "hand_strength",
]


_FEW_HOLDINGS = 8  # up to here, one holding after the other is quicker than the counts of all

#: Counts of the boards last analysed, whatever their suits are called; at most 64 MiB. A flop takes 0.6 to 1.5 MB for
#: two cards to come, a turn up to 0.8 MB. ``counts_cache.resize(0)`` keeps none.
counts_cache: Cache[tuple[bytes, int], Counts] = Cache(64 << 20)

#: Names of the nine categories, weakest first.
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


# --------------------------------------------------------------------------------------------------- ranks


def evaluate(cards: CardsLike) -> int:
    """Rank of a hand of five to seven cards.

    Parameters
    ----------
    cards : str or sequence of int or str
        Five to seven different cards.

    Returns
    -------
    int
        1 (seven high) to 7462 (royal flush): stronger hands are higher, equal hands equal.

    Raises
    ------
    ValueError
        If it is not five to seven different cards.

    Examples
    --------
    >>> evaluate("AsKsQsJsTs"), evaluate("7c5d4h3s2c")
    (7462, 1)
    """
    try:
        return _evaluator.evaluate(cards)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        return _evaluator.evaluate(card_indices(cards))


def evaluate_many(cards: ArrayLike) -> NDArray[np.uint16]:
    """Ranks of many hands.

    Parameters
    ----------
    cards : array_like of int, shape (n, 5), (n, 6) or (n, 7)
        Card indices, a hand a row. A contiguous ``uint8`` array is used as it is.

    Returns
    -------
    ndarray of uint16, shape (n,)
        As `evaluate`.

    Raises
    ------
    ValueError
        If the array has another shape or type, or a row is not that many different cards.
    """
    array = np.asarray(cards)
    if array.ndim != 2 or array.shape[1] not in (5, 6, 7):
        raise ValueError(f"cards must have shape (n, 5), (n, 6) or (n, 7), got {array.shape}")
    if array.dtype != np.uint8:
        if array.size and array.dtype.kind not in "iu":
            raise ValueError(f"cards must be integers, got dtype {array.dtype}")
        if array.size and (array.min() < 0 or array.max() > 51):
            row = int(np.flatnonzero(((array < 0) | (array > 51)).any(axis=1))[0])
            raise ValueError(f"row {row} holds a card index outside 0..51: {array[row].tolist()}")
    ranks = np.empty(len(array), dtype=np.uint16)
    _evaluator.evaluate_many(np.ascontiguousarray(array, dtype=np.uint8), ranks)
    return ranks


def category(rank: int) -> str:
    """Name of the category of a rank (one of `CATEGORIES`).

    Raises
    ------
    ValueError
        If the rank is not 1..7462.

    Examples
    --------
    >>> category(evaluate("AdQc3h4cJh"))
    'high card'
    """
    if not 1 <= rank <= 7462:
        raise ValueError(f"rank {rank} is out of range: expected 1..7462")
    return CATEGORIES[_evaluator.category(rank)]


# ------------------------------------------------------------------------------------------------- results


class Potential(NamedTuple):
    """Positive and negative potential, and the counts behind them."""

    #: Chance to be ahead later, given behind now (ties count half).
    ppot: float
    #: Chance to be behind later, given ahead now.
    npot: float
    #: Weight times runouts by ``[now][later]``, each ahead, tied, behind: float64 (3, 3).
    counts: Floats


@dataclass(frozen=True, eq=False, slots=True)
class HoldingTable:
    """Strength and potential of all 1,326 holdings on a board.

    Every array is indexed by holding and is nan where the holding meets the board or a dead card.

    Attributes
    ----------
    board, dead : tuple of int
        The cards it was made for.
    lookahead : int
        Cards to come that the potentials look at; 0 on the river.
    hs, ppot, npot, ehs, ehs_optimistic : ndarray of float64, shape (1326,)
        As defined at the top of the module.
    counts : ndarray of float64, shape (1326, 3, 3)
        Weight times runouts by ``[now][later]``, each ahead, tied, behind. On the river only ``[x][x]`` is
        there.
    """

    board: tuple[int, ...]
    dead: tuple[int, ...]
    lookahead: int
    hs: Floats
    ppot: Floats
    npot: Floats
    ehs: Floats
    ehs_optimistic: Floats
    counts: Floats


# ------------------------------------------------------------------------------------------------- weights


_UNIFORM = np.ones(N_HOLDINGS)
_UNIFORM.setflags(write=False)


def _weights(weights: WeightTable | ArrayLike | None) -> Floats:
    """Checked weights (1326,), not copied where they are such an array; uniform for None."""
    if weights is None:
        return _UNIFORM
    values = getattr(weights, "values", weights)
    if not (isinstance(values, np.ndarray) and values.dtype == np.float64 and values.flags.c_contiguous):
        return as_weights(values)
    if values.shape != (N_HOLDINGS,) or first_bad(values) >= 0:
        as_weights(values)  # says what is wrong
    return values


# ------------------------------------------------------------------------------------------------ analysis


class BoardAnalysis:
    """A board, ready to be asked about any number of ranges.

    What does not depend on weights is computed once, when first needed, and kept: the order of the holdings, and
    for every pair of holdings how many runouts each wins.

    Parameters
    ----------
    board : cards
        Three to five cards.
    dead : cards, optional
        Cards known to be elsewhere: no holding contains them and no runout brings them.

    Raises
    ------
    ValueError
        If the board has another number of cards, or a card occurs twice.

    Notes
    -----
    Safe to share between threads. The counts behind the potentials are also shared between analyses of boards that
    differ in the names of suits alone: see `counts_cache`.
    """

    __slots__ = ("_analysis", "_live", "_outs", "board", "dead")

    def __init__(self, board: CardsLike, dead: CardsLike = ()) -> None:
        #: The board, as card indices.
        self.board: tuple[int, ...] = card_indices(board)
        #: The dead cards, as card indices.
        self.dead: tuple[int, ...] = () if type(dead) is tuple and not dead else card_indices(dead)
        if not 3 <= len(self.board) <= 5:
            raise ValueError(
                f"a board to evaluate on has 3 to 5 cards, got {len(self.board)}: {cards_text(self.board)!r}"
            )
        if self.dead:
            card_indices(self.board + self.dead)  # no card twice
        self._analysis = Analysis(self.board, self.dead)
        self._live: Bools | None = None
        self._outs: Floats | None = None

    def __reduce__(self) -> tuple[type[BoardAnalysis], tuple[tuple[int, ...], tuple[int, ...]]]:
        """Pickle the cards: the rest follows from them."""
        return type(self), (self.board, self.dead)

    def __repr__(self) -> str:
        dead = f", dead={cards_text(self.dead)!r}" if self.dead else ""
        return f"BoardAnalysis({cards_text(self.board)!r}{dead})"

    @property
    def live(self) -> Bools:
        """Which holdings are possible: bool (1326,)."""
        if self._live is None:
            self._live = live_holdings(self.board + self.dead)
        return self._live

    def _lookahead(self, lookahead: int) -> int:
        to_come = 5 - len(self.board)
        if to_come == 0:
            return 0
        if lookahead not in range(1, to_come + 1):
            raise ValueError(
                f"lookahead must be {'1 or 2' if to_come == 2 else '1'} on a board of {len(self.board)} cards, "
                f"got {lookahead}"
            )
        unseen = 52 - len(self.board) - len(self.dead)
        if unseen < 4 + lookahead:
            raise ValueError(f"two holdings and {lookahead} more cards cannot be dealt from {unseen} that are unseen")
        return lookahead

    def strengths(self, weights: WeightTable | ArrayLike | None = None) -> Floats:
        """Hand strength of every holding against one opponent.

        Parameters
        ----------
        weights : WeightTable or array_like of float, shape (1326,), optional
            The opponent's weights; uniform without.

        Returns
        -------
        ndarray of float64, shape (1326,)
            HS, nan where the holding is not possible.
        """
        strengths = np.empty(N_HOLDINGS)
        self._analysis.strengths(_weights(weights), strengths)
        return strengths

    def _count(self, lookahead: int) -> None:
        """Have the counts for so many cards to come."""
        if self._analysis.counts(lookahead) is None:
            key = self._analysis.key, lookahead
            counts = counts_cache.get(key)
            if counts is None:
                counts = self._analysis.count(lookahead)
                counts_cache.put(key, counts, counts.nbytes)
            self._analysis.keep(counts)

    def crude_potentials(self) -> Floats:
        """PPOTc: a weight-free estimate of one-card positive potential from counting outs.

        Every unseen card that improves the holding's category is worth something between 0 and 1, by what it
        makes and how much of it is the board's; the sum is divided by the number of unseen cards.

        Returns
        -------
        ndarray of float64, shape (1326,)
            PPOTc, nan where the holding is not possible, 0 on the river.

        References
        ----------
        Papp 1998, section 7.2.3, prints only the flush draw (one hole card of the suit: 0.5 for the deuce up to
        1 for the ace); the values of the other improvements are ours.
        """
        if self._outs is None:
            potentials = np.full(N_HOLDINGS, np.nan)
            if len(self.board) == 5:
                potentials[self.live] = 0.0
            else:
                self._analysis.outs(potentials)
            potentials.setflags(write=False)
            self._outs = potentials
        return self._outs

    def evaluate(self, weights: WeightTable | ArrayLike | None = None, lookahead: int = 1) -> HoldingTable:
        """Strength and potential of every holding against one opponent.

        Parameters
        ----------
        weights : WeightTable or array_like of float, shape (1326,), optional
            The opponent's weights; uniform without.
        lookahead : {1, 2}
            Cards to come that the potentials look at. On the river there are none, whatever is asked.

        Returns
        -------
        HoldingTable

        Raises
        ------
        ValueError
            If the weights are not, or `lookahead` looks beyond the river.
        """
        lookahead = self._lookahead(lookahead)
        checked = _weights(weights)
        if lookahead:
            self._count(lookahead)
        table, cells = np.empty((5, N_HOLDINGS)), np.empty((N_HOLDINGS, 9))
        self._analysis.table(checked, lookahead, table, cells)
        hs, ppot, npot, ehs, optimistic = table
        counts = cells.reshape(N_HOLDINGS, 3, 3)
        return HoldingTable(self.board, self.dead, lookahead, hs, ppot, npot, ehs, optimistic, counts)

    def showdowns(
        self, weights: WeightTable | ArrayLike | None, opponent: WeightTable | ArrayLike | None
    ) -> tuple[float, float, float]:
        """How two ranges fare against each other when all cards have come, exactly.

        Parameters
        ----------
        weights, opponent : WeightTable or array_like of float, shape (1326,), or None
            The two players' weights; uniform for None. Each pair of holdings that share no card counts with the
            product of its weights, over every runout.

        Returns
        -------
        win, tie, lose : float
            Probabilities for the first player; they sum to 1.

        Raises
        ------
        ValueError
            If the weights are none, or the two cannot hold cards at the same time.
        """
        own, other = _weights(weights) * self.live, _weights(opponent)
        own /= own.max() or 1.0  # sums neither overflow nor vanish
        held = np.flatnonzero(own)
        lookahead = 5 - len(self.board)
        if lookahead == 0:
            cells = np.zeros((N_HOLDINGS, 3))
            self._analysis.masses(other, cells)
        else:
            nine = np.zeros((N_HOLDINGS, 9))
            if len(held) <= _FEW_HOLDINGS:
                for index in held.tolist():
                    self._analysis.holding_cells(index, other, lookahead, nine[index])
            else:
                self._count(lookahead)
                self._analysis.cells(other, lookahead, nine)
            cells = nine
        sums = (own[held, None] * cells[held]).sum(axis=0).reshape(-1, 3).sum(axis=0)
        total = float(sums.sum())
        if total <= 0:
            raise ValueError("the two ranges have no holdings that can be dealt together on this board")
        win, tie, lose = (sums / total).tolist()
        return win, tie, lose

    def _index(self, holding: CardsLike) -> int:
        index = holding_index(holding)
        if not self.live[index]:
            raise ValueError(
                f"{holding_text(index)} shares a card with the board {cards_text(self.board)}"
                + (f" or the dead cards {cards_text(self.dead)}" if self.dead else "")
            )
        return index

    def strength(self, holding: CardsLike, weights: WeightTable | ArrayLike | None = None) -> float:
        """Hand strength of one holding against one opponent; see `strengths`.

        Raises
        ------
        ValueError
            If the holding meets the board or the dead cards.
        """
        return float(self.strengths(weights)[self._index(holding)])

    def potential(
        self, holding: CardsLike, weights: WeightTable | ArrayLike | None = None, lookahead: int = 1
    ) -> Potential:
        """Potential of one holding against one opponent.

        Parameters
        ----------
        holding : cards
            Two cards.
        weights : WeightTable or array_like of float, shape (1326,), optional
            The opponent's weights; uniform without.
        lookahead : {1, 2}
            Cards to come to look at. On the river there are none, whatever is asked.

        Returns
        -------
        Potential

        Raises
        ------
        ValueError
            If the holding meets the board or the dead cards, the weights are wrong, or `lookahead` looks beyond
            the river.
        """
        index = self._index(holding)
        lookahead = self._lookahead(lookahead)
        checked = _weights(weights)
        if lookahead == 0:
            counts = self.evaluate(checked).counts[index]
            return Potential(0.0, 0.0, counts)
        cells = np.empty(9)
        ppot, npot = self._analysis.potential(index, checked, lookahead, cells)
        return Potential(ppot, npot, cells.reshape(3, 3))


# ----------------------------------------------------------------------------------------------- functions


def _check_opponents(opponents: int) -> None:
    if opponents not in range(1, 23):
        raise ValueError(f"opponents must be a whole number from 1 to 22, got {opponents!r}")


def hand_strength(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    opponents: int = 1,
) -> float:
    """Chance that a holding is the best hand now (Papp 1998, Eq 5.3 and 5.4).

    Parameters
    ----------
    holding : cards
        Two cards.
    board : cards
        Three to five cards.
    weights : WeightTable, array_like of float, shape (1326,) or (k, 1326), or sequence of WeightTable, optional
        The opponents' weights; uniform without. One table stands for every opponent; several tables, one for
        each opponent, give the product of the strengths against each.
    opponents : int
        Number of opponents: the strength against one, to this power. Not together with several tables.

    Returns
    -------
    float
        HSn, 0..1.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, or the weights are wrong.

    Examples
    --------
    >>> round(hand_strength("AdQc", "3h4cJh"), 6)
    0.585106
    >>> round(hand_strength("AdQc", "3h4cJh", opponents=5), 3)
    0.069
    """
    _check_opponents(opponents)
    analysis = BoardAnalysis(board)
    tables = _several(weights)
    if tables is None:
        return analysis.strength(holding, weights) ** opponents
    if opponents not in (1, len(tables)):
        raise ValueError(f"{len(tables)} weight tables do not go with opponents={opponents}")
    return math.prod(analysis.strength(holding, table) for table in tables)


def _several(weights: WeightTable | ArrayLike | None) -> Floats | None:
    """The tables (k, 1326), if it is several of them."""
    try:
        array = None if weights is None else np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None  # which is refused where one table is taken
    return array if array is not None and array.ndim == 2 else None


def hand_potential(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    lookahead: int = 1,
) -> Potential:
    """Chances that a holding overtakes, or is overtaken, in the cards to come (Papp 1998, section 5.3).

    Parameters
    ----------
    holding : cards
        Two cards.
    board : cards
        Three to five cards.
    weights : WeightTable or array_like of float, shape (1326,), optional
        The opponent's weights; uniform without.
    lookahead : {1, 2}
        Cards to come to look at.

    Returns
    -------
    Potential
        ``(ppot, npot, counts)``.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, the weights are wrong, or `lookahead` looks beyond the
        river.

    Examples
    --------
    >>> ppot, npot, counts = hand_potential("AdQc", "3h4cJh", lookahead=2)
    >>> round(ppot, 6), round(npot, 6)
    (0.208324, 0.273693)
    >>> counts[0].astype(int).tolist()
    [449005, 3211, 169504]
    """
    return BoardAnalysis(board).potential(holding, weights, lookahead)


def effective_hand_strength(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    opponents: int = 1,
    lookahead: int = 1,
    optimistic: bool = False,
) -> float:
    """Strength and potential in one number (Papp 1998, section 6.3).

    Parameters
    ----------
    holding, board, weights, lookahead
        As `hand_potential`.
    opponents : int
        Number of opponents; the potentials are used without correction for it.
    optimistic : bool
        Leave out the negative potential: EHS', used for betting and re-weighting.

    Returns
    -------
    float
        ``HSn + (1 - HSn)*PPOT - HSn*NPOT``, the last term not if `optimistic`.

    Raises
    ------
    ValueError
        As `hand_potential`.

    Examples
    --------
    >>> round(effective_hand_strength("AdQc", "3h4cJh"), 6)
    0.544969
    """
    _check_opponents(opponents)
    analysis = BoardAnalysis(board)
    strength = analysis.strength(holding, weights) ** opponents
    ppot, npot, _ = analysis.potential(holding, weights, lookahead)
    return strength + (1 - strength) * ppot - (0.0 if optimistic else strength * npot)


def evaluate_holdings(
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    lookahead: int = 1,
    dead: CardsLike = (),
) -> HoldingTable:
    """Strength and potential of all holdings on a board against one weighted opponent.

    Parameters
    ----------
    board : cards
        Three to five cards.
    weights : WeightTable or array_like of float, shape (1326,), optional
        The opponent's weights; uniform without.
    lookahead : {1, 2}
        Cards to come that the potentials look at.
    dead : cards, optional
        Cards known to be elsewhere.

    Returns
    -------
    HoldingTable
        nan where a holding meets the board or the dead cards.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, the weights are wrong, or `lookahead` looks beyond the
        river.
    """
    return BoardAnalysis(board, dead).evaluate(weights, lookahead)
