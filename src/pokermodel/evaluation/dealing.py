"""Deals for simulations: a holding for each player, by weight tables, and the rest of the board.

There are two modes. With the weights ``w_i`` of player i:

``joint``
    The probability of a deal is proportional to the product of the ``w_i``, over holdings that share no card. This is
    the joint distribution if each table describes its player alone. Deals in which two holdings share a card are
    rejected as a whole. Where fewer than about one in 2,000 would be accepted, holdings are drawn one player after the
    other, in random order, and each deal gets an importance weight.

``published``
    Holdings are drawn one player after the other in seat order, each from the table without the cards already dealt
    (Pena 1999, 5.1.1: draw two cards and ``u`` in [0, 1), keep them if the weight is ``u`` or more). Early players are
    drawn without regard to later ones, so that this is another distribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any, Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.dealing import Deals
from pokermodel._support.arrays import Bytes, Floats
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices
from pokermodel.evaluation.preflop import RANKING_PLAYERS, income_rates_by_holding, income_shares
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.ranges import as_weights, parse_range
from pokermodel.weights import WeightTable

__all__ = ["Deal", "Dealer", "DealingMode", "RangeLike", "folded_weights", "stack_ranges"]

#: How holdings are dealt.
DealingMode: TypeAlias = Literal["joint", "published"]

#: The range of a player: range text (``"AsAh"``, ``"QQ+, AKs:0.5"``), weights, or None for any holding.
RangeLike: TypeAlias = WeightTable | str | ArrayLike | None


class Deal(NamedTuple):
    """A batch of deals."""

    #: Holdings as card indices, the higher one first: uint8 (n, players, 2); 255 in deals of weight 0.
    holdings: Bytes
    #: Boards as card indices, the given cards first: uint8 (n, 5).
    boards: Bytes
    #: Importance weights of the deals, float64 (n,): all 1, but for narrow tables dealt jointly and stratified boards.
    weights: Floats


def _weights(item: RangeLike) -> Floats:
    if item is None:
        return np.ones(N_HOLDINGS)
    if isinstance(item, str):
        return parse_range(item)
    return item.values if isinstance(item, WeightTable) else as_weights(item)


def stack_ranges(ranges: Iterable[RangeLike]) -> Floats:
    """Weights of several ranges, one row each: float64 (n, 1326).

    `ValueError` if a range text cannot be read, or weights have another shape, are negative or not finite.
    """
    if isinstance(ranges, WeightTable):
        raise ValueError("expected a list of ranges, one for each player, got one weight table")
    rows = [_weights(item) for item in ranges]
    found = np.empty((len(rows), N_HOLDINGS))  # NumPy would look at every row for what it could be
    for to, row in zip(found, rows, strict=True):
        to[:] = row
    return found


def folded_weights(mode: DealingMode = "joint") -> Floats:
    """Weights of the holdings of a player who folded, if nothing else is known: float64 (1326,).

    Lower income rates are more likely. ``"published"`` keeps a holding if its income rate in bets is below ``u`` in
    [0, 1) (Pena 1999, 5.1.1), which gives weight ``1 - rate``, between 0 and 1. ``"joint"`` gives the share of all
    holdings with a higher rate, equal ones counted half. `ValueError` for another mode.
    """
    if _check_mode(mode) == "published":
        return 1.0 - np.clip(income_rates_by_holding(RANKING_PLAYERS) / 1000.0, 0.0, 1.0)
    return 1.0 - income_shares(RANKING_PLAYERS)


class Dealer:
    """Deals holdings and boards.

    Parameters
    ----------
    tables : sequence of str, WeightTable, array_like of float (1326,) or None
        Range of each player, in seat order (the small blind first, the button last). None is any holding; for a player
        who folded see `folded_weights`.
    board : cards
        Up to five cards.
    dead : cards
        Other known cards, such as the own holding.
    mode : "joint" or "published"
        The mode of dealing, see the top of the module.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Source of randomness.
    stratified : bool
        Have every next card of the board come once in each cycle of a batch; see Notes.

    Raises
    ------
    ValueError
        If a table, a card or the mode is not valid, there are no tables or more than 23, or no holdings without a
        common card can be dealt.

    Notes
    -----
    Published dealing reaches a dead end when the earlier holdings leave a player no holding. The deal then starts anew.

    With a stratified board the runout is dealt first (Peña 1999, section 5.1.1). On a flop with n unseen cards, 47 with
    one holding dead, each comes exactly once as the turn in each cycle of n deals, and after n - 1 cycles each turn
    card has had each river exactly once. Within a cycle the rivers are all different, too (ours). On a turn each river
    comes once in a cycle; before the flop the next two cards are treated so, and the others are dealt at random. Cards
    that a player holds for certain are not among the n, if deals are joint. Each batch begins a cycle of its own.

    Holdings are then drawn from what the runout leaves of the tables. That alone would be another law: a runout that
    meets likely holdings has to come less often. So deals have importance weights, and weighted means estimate what
    those of plain deals do, with the usual small bias of a ratio, of the order of 1/n after n deals:

    - Joint deals are drawn one player after the other, and a deal counts the product of the shares left of each table
      at its turn. Tables are first tilted away from cards that later players are likely to hold, which makes weights
      nearly equal, and the weight undoes that.
    - Published deals are drawn in seat order, and a deal counts, for each player, the share that the runout left of
      what earlier holdings left. Weighted means are then those of published dealing. Without weights they would be
      those of a third law, under which every runout is equally likely, with any tables.

    Where many draws end with a player who can have nothing, several are made for each deal, one is chosen by its
    weight, and it counts their mean. If all fail, the deal has weight 0 and no holdings.

    A dealer can be copied and pickled. The copy deals by itself what the original would have dealt from there.

    Examples
    --------
    >>> dealer = Dealer(["AA, KK", None], board="AsKd7h", dead="QsQh", rng=1)
    >>> dealt = dealer.deal(1000)
    >>> dealt.holdings.shape, dealt.boards.shape
    ((1000, 2, 2), (1000, 5))
    >>> bool((dealt.weights == 1).all())
    True
    """

    __slots__ = ("_deals", "_rng", "_stratified", "_tables", "board", "dead", "mode")

    def __init__(
        self,
        tables: Sequence[RangeLike],
        board: CardsLike = (),
        dead: CardsLike = (),
        mode: DealingMode = "joint",
        rng: RandomLike = None,
        *,
        stratified: bool = False,
    ) -> None:
        #: The board and the dead cards, as card indices.
        self.board: tuple[int, ...] = card_indices(board)
        self.dead: tuple[int, ...] = card_indices(dead)
        #: The mode of dealing.
        self.mode: DealingMode = _check_mode(mode)
        card_indices(self.board + self.dead)  # no card twice
        self._tables = stack_ranges(tables)
        self._stratified = bool(stratified)
        self._deals = self._make_deals()
        self._rng = np.random.default_rng(as_seed_sequence(rng))

    def _make_deals(self) -> Deals:
        return Deals(self._tables, self.board, self.dead, self.mode == "joint", self._stratified)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Dealer.__slots__ if name != "_deals"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._deals = self._make_deals()

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        for name in Dealer.__slots__:
            setattr(other, name, getattr(self, name))  # none of which is changed, but for one
        other._rng = deepcopy(self._rng)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.__copy__()

    @property
    def weighs(self) -> bool:
        """Whether deals have different weights, so that averages over them must be weighted."""
        return self._deals.method == "weigh" or self._deals.stratified > 0

    def deal(self, n: int) -> Deal:
        """Deal `n` times, independently of each other and of earlier deals.

        `ValueError` if `n` is negative, or the tables allow so few deals that none was found in very many tries.
        """
        if n < 0:
            raise ValueError(f"n must be 0 or more, got {n}")
        words = self._rng.integers(2**64, size=4, dtype=np.uint64)
        players = len(self._deals.known)
        dealt = Deal(np.empty((n, players, 2), np.uint8), np.empty((n, 5), np.uint8), np.empty(n))
        self._deals.deal(words, *dealt)
        return dealt


def _check_mode(mode: DealingMode) -> DealingMode:
    if mode not in get_args(DealingMode):
        raise ValueError(f"unknown mode of dealing {mode!r}: expected 'joint' or 'published'")
    return mode
