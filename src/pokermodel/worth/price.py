"""The price of a call, and the equity that it needs.

The price and the equities need no play after this, so that they are known exactly in any game. To value a call by its
equity as if all betting ended is an adviser (`pokermodel.worth.myopic`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, holding_index, shared_live_holdings
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.shares import holding_shares
from pokermodel.game import Situation
from pokermodel.randomness import RandomLike
from pokermodel.weights import WeightTable

__all__ = ["Against", "Price"]

_TRIALS = 100_000
_HARDLY = 1e-9  # of a range that is possible beside the hero's cards


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a call, and how often the hero's hand wins without further betting.

    Attributes
    ----------
    to_call, pot : int
        In chips; the pot before the call.
    big_blind : int
        In chips.
    needed : float
        The share of the pot that a call has to win: ``to_call / (pot + to_call)``, 0 with nothing to call. Chips that a
        short-stacked player cannot match are no part of that pot.
    against : mapping of str to float
        Equity against each opponent's table alone, exact. Worked out when it is asked for.
    against_all : float
        Equity against all of them together.
    standard_error : float
        Its standard error; 0 with one opponent, where it is exact.
    """

    to_call: int
    pot: int
    big_blind: int
    needed: float
    against: Mapping[str, float]
    against_all: float
    standard_error: float

    @classmethod
    def of(
        cls,
        situation: Situation,
        holding: tuple[int, int],
        tables: Mapping[str, WeightTable],
        rng: RandomLike = None,
        *,
        trials: int = _TRIALS,
    ) -> Self:
        """Find the price of a situation.

        Parameters
        ----------
        situation : Situation
            The hero's.
        holding : (int, int)
            Their cards.
        tables : mapping of str to WeightTable
            Tables of the opponents who are in, one or more.
        rng : int, Generator, SeedSequence or None
            For two opponents and more, against whom deals are drawn.
        trials : int
            How many.

        Raises
        ------
        ValueError
            If there is no opponent, or no holding of theirs is left.
        """
        own, board = _held(holding), situation.board
        against = Against(holding, board, tables)
        if len(tables) == 1:
            (together,), error = against.all().values(), 0.0
        else:
            found = equity(
                [own, *tables.values()], board, trials=trials, rng=rng, jobs=1
            )  # threads take longer to start
            together, error = float(found.equity[0]), float(found.standard_error[0])
        to_call, pot = situation.to_call, situation.pot
        needed = to_call / (situation.pot_to_win + to_call)
        return cls(to_call, pot, situation.bet_size, needed, against, together, error)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "to_call": self.to_call,
            "pot": self.pot,
            "big_blind": self.big_blind,
            "needed": self.needed,
            "equity": self.against_all,
            "equity_standard_error": self.standard_error,
            "equity_against": self.against.all() if isinstance(self.against, Against) else dict(self.against),
        }


@lru_cache(64)  # a holding is asked about at all decisions of a hand
def _held(holding: tuple[int, int]) -> WeightTable:
    """The range of a player with one holding."""
    weights = np.zeros(N_HOLDINGS)
    weights[holding_index(holding)] = 1.0
    return WeightTable(weights)


class Against(Mapping[str, float]):
    """Exact equity of a holding against each of some tables, by their names.

    It is worked out when it is asked for: with cards to come it takes a while.

    Parameters
    ----------
    tables : mapping of str to WeightTable
        Asking raises `ValueError` if one of them has no holding that is possible beside these cards.
    """

    __slots__ = ("_asked", "_found")

    def __init__(self, holding: tuple[int, int], board: tuple[int, ...], tables: Mapping[str, WeightTable]) -> None:
        self._asked = holding, board, dict(tables)
        self._found: dict[str, float] | None = None

    def all(self) -> dict[str, float]:
        """All of them, as a dictionary of its own."""
        return dict(self._all())

    def _all(self) -> dict[str, float]:
        if self._found is None:
            holding, board, tables = self._asked
            own, shares = _held(holding), holding_shares(holding, board)
            live = shared_live_holdings((*board, *holding)).astype(np.float64)
            # players of whom nothing is known yet have a table in common
            each = {id(table): table for table in tables.values()}
            found = {key: _against(own, board, table, shares, live) for key, table in each.items()}
            self._found = {name: found[id(table)] for name, table in tables.items()}
        return self._found

    def __getitem__(self, name: str) -> float:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._asked[2])

    def __len__(self) -> int:
        return len(self._asked[2])

    def __repr__(self) -> str:
        return repr(self._all())


def _against(own: WeightTable, board: tuple[int, ...], table: WeightTable, shares: Floats, live: Floats) -> float:
    """Equity of a holding against one table, exact, by its shares against each holding."""
    probabilities = table.shares
    whole = float(probabilities @ live)
    if whole < _HARDLY:  # nothing, which is an error, or so little that digits are lost
        return float(equity([own, table], board).equity[0])
    return float(probabilities @ shares) / whole
