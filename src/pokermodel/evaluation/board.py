"""Analysis of a board: strengths and potentials of all holdings, and showdowns of ranges.

`pokermodel.evaluation` defines the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.strength import Analysis, Counts, first_bad
from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.cache import Cache
from pokermodel.cards import (
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    holding_index,
    holding_text,
    shared_live_holdings,
)
from pokermodel.ranges import as_weights

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = ["BoardAnalysis", "HoldingTable", "Potential", "counts_cache"]

_FEW_HOLDINGS = 8  # up to this number, holdings one by one are quicker than the counts of all

#: Cache of the counts of boards, up to a renaming of suits; at most 64 MiB. A flop takes 0.6 to 1.5 MB for two cards to
#: come, a turn up to 0.8 MB. ``counts_cache.resize(0)`` turns it off.
counts_cache: Cache[tuple[bytes, int], Counts] = Cache(64 << 20)

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

    Every array is indexed by holding and is nan where the holding shares a card with the board or the dead cards.

    Attributes
    ----------
    board, dead : tuple of int
        The board and the dead cards.
    lookahead : int
        Number of cards to come in the potentials; 0 on the river.
    hs, ppot, npot, ehs, ehs_optimistic : ndarray of float64, shape (1326,)
        As `pokermodel.evaluation` defines them.
    counts : ndarray of float64, shape (1326, 3, 3)
        Weight times runouts by ``[now][later]``, each ahead, tied, behind. On the river only ``[x][x]`` are not 0.
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
    """Return checked weights (1326,), without a copy where possible; uniform for None."""
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
    """A board that is analysed once, for any number of ranges.

    The parts that do not depend on weights are computed when first needed and kept: the order of the holdings, and for
    every pair of holdings the number of runouts that each wins.

    Parameters
    ----------
    board : cards
        Three to five cards.
    dead : cards, optional
        Cards out of play: no holding and no runout contains them.

    Raises
    ------
    ValueError
        If the board has another number of cards, or a card occurs twice.

    Notes
    -----
    An analysis may be shared between threads. The counts behind the potentials are also shared between analyses of
    boards that differ only by a renaming of suits, see `counts_cache`.
    """

    __slots__ = ("_live", "_ordered", "_outs", "_uniform", "board", "dead")

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
        self._ordered = Analysis(self.board, self.dead) if self.dead else None  # too many dead cards are refused
        self._live: Bools | None = None
        self._outs: Floats | None = None
        self._uniform: Floats | None = None  # strengths against uniform weights

    @property
    def _analysis(self) -> Analysis:
        """The holdings in order: made when first needed."""
        if self._ordered is None:
            self._ordered = Analysis(self.board, self.dead)
        return self._ordered

    def __reduce__(self) -> tuple[type[BoardAnalysis], tuple[tuple[int, ...], tuple[int, ...]]]:
        """Pickle the cards only; the rest is computed from them."""
        return type(self), (self.board, self.dead)

    def __repr__(self) -> str:
        dead = f", dead={cards_text(self.dead)!r}" if self.dead else ""
        return f"BoardAnalysis({cards_text(self.board)!r}{dead})"

    @property
    def live(self) -> Bools:
        """Which holdings are possible: bool (1326,). Do not write to it."""
        if self._live is None:
            self._live = shared_live_holdings(self.board + self.dead)
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
        """Hand strength of every holding against one opponent, uniform by default: float64 (1326,).

        nan where the holding is not possible.
        """
        if weights is None:
            return self.uniform_strengths.copy()
        strengths = np.empty(N_HOLDINGS)
        self._analysis.strengths(_weights(weights), strengths)
        return strengths

    def against(
        self, tables: list[Floats], method: Literal["mean", "maximum"], potentials: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Hand strength of every holding against one of several opponents, and what it is worth, in one step.

        Parameters
        ----------
        tables : list of ndarray of float64, shape (1326,)
            The opponents' weights, 1 to 22 contiguous arrays.
        method : {"mean", "maximum"}
            How the tables are merged: the mean of the normalised tables, or the maximum by holding.
        potentials : ndarray of float64, shape (1326,)
            Chances to improve.

        Returns
        -------
        merged, strengths, values : ndarray of float64, shape (1326,)
            The merged weights, HS against them, and ``HS + (1 - HS)*potential``; nan where a holding is not possible.

        Raises
        ------
        ValueError
            If tables are no such arrays of finite weights, 0 or more.
        """
        merged, strengths, values = np.empty(N_HOLDINGS), np.empty(N_HOLDINGS), np.empty(N_HOLDINGS)
        self._analysis.against(tables, method == "maximum", potentials, merged, strengths, values)
        return merged, strengths, values

    @property
    def uniform_strengths(self) -> Floats:
        """Hand strength of every holding against all others alike: float64 (1326,). Do not write to it."""
        if self._uniform is None:
            strengths = np.empty(N_HOLDINGS)
            self._analysis.uniform(strengths)
            strengths.setflags(write=False)
            self._uniform = strengths
        return self._uniform

    def _count(self, lookahead: int) -> None:
        """Make sure that the counts for a number of cards to come are there."""
        if self._analysis.counts(lookahead) is None:
            key = self._analysis.key, lookahead
            counts = counts_cache.get(key)
            if counts is None:
                counts = self._analysis.count(lookahead)
                counts_cache.put(key, counts, counts.nbytes)
            self._analysis.keep(counts)

    def crude_potentials(self) -> Floats:
        """PPOTc: a weight-free estimate of one-card positive potential from counting outs.

        Every unseen card that improves the category of the hand gets a value between 0 and 1, by the category and by
        how much of the improvement is on the board. The sum is divided by the number of unseen cards.

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
        """Strength and potential of every holding against one opponent; see `pokermodel.evaluation.hand_potential`.

        Values are nan where a holding shares a card with the board or the dead cards. The lookahead, 1 or 2 cards, is
        ignored on the river, where it is 0. `ValueError` if the weights are not valid, or it goes beyond the river.
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
        """Exact probabilities of winning, tying and losing for a range against another, over all runouts.

        Their sum is 1. Each pair of holdings that share no card has the product of their weights, uniform for None.
        `ValueError` if the weights are not valid, or the ranges have no such pair.
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

        `ValueError` if the holding shares a card with the board or the dead cards.
        """
        return float(self.strengths(weights)[self._index(holding)])

    def joint_strength(self, holding: CardsLike, tables: Sequence[WeightTable | ArrayLike | None]) -> float:
        """Chance that a holding is the best hand now against several opponents, who cannot hold the same card.

        `pokermodel.evaluation.hand_strength` multiplies strengths against one opponent, as if the opponents' holdings
        were independent. Here every combination of holdings without a common card counts, by the product of its
        weights. Papp (1998, section 5.2.1) measures the approximations by this enumeration. It takes one pass over the
        holdings for two opponents, and one with some fifty steps for each holding for three.

        Parameters
        ----------
        holding : cards
            Two cards.
        tables : sequence of WeightTable or array_like of float, shape (1326,), or None
            The weights of each of one to three opponents; uniform for None. They may have any scale. An opponent
            without weight beside the holding and the board has any other holding alike.

        Returns
        -------
        float
            The chance, 0..1. In each combination the holding counts 1 for an opponent whom it beats, 1/2 for one whom
            it ties and 0 for one whom it loses to, and against all of them the product of these, which a product of
            HS approximates. Against one opponent it is HS.

        Raises
        ------
        ValueError
            If the holding shares a card with the board or the dead cards, there are no tables or more than three,
            weights are wrong, or the opponents have no holdings that can be dealt together.

        Examples
        --------
        Each opponent has aces or jacks. If one has jacks, there is one way left for the other to have them, too, and
        six to have aces: queens are ahead of both less often than the product says.

        >>> from pokermodel import WeightTable, hand_strength
        >>> tables = [WeightTable.from_text("AA, JJ")] * 2
        >>> round(BoardAnalysis("9h5d2c").joint_strength("QcQh", tables), 6)
        0.071429
        >>> hand_strength("QcQh", "9h5d2c", tables)
        0.25
        """
        if getattr(tables, "values", None) is not None:
            raise ValueError("expected a list of tables, one for each opponent, got one weight table")
        index = self._index(holding)
        if len(tables) > 3:  # before many numbers are taken for tables
            raise ValueError(f"there must be 1 to 3 tables of opponents, got {len(tables)}")
        return self._analysis.joint(index, [_weights(table) for table in tables])

    def potential(
        self, holding: CardsLike, weights: WeightTable | ArrayLike | None = None, lookahead: int = 1
    ) -> Potential:
        """Potential of one holding against one opponent; see `pokermodel.evaluation.hand_potential`.

        The lookahead, 1 or 2 cards, is ignored on the river, where it is 0. `ValueError` if the holding shares a card
        with the board or the dead cards, the weights are not valid, or it goes beyond the river.
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
