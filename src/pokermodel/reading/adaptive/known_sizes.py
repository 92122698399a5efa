"""The knowledge of the sizes of bets and raises in one game: of everybody, of populations, and of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.reading.adaptive.situations import SituationTable, board_features
from pokermodel.reading.adaptive.sizes import (
    QUARTERS,
    SIZE_CELLS,
    STRENGTHS,
    Size,
    SizeCounts,
    SizePrior,
    SizeRange,
    SizesTold,
    size_context,
    size_habits,
    size_places,
    size_range,
)
from pokermodel.reading.strategies import StrategyNode

__all__ = ["KnownSizes", "Numbers"]

#: The numbers of a population and of a player; -1 where nothing is known.
Numbers: TypeAlias = tuple[int, int]


class KnownSizes:
    """A prior of sizes, and what populations and players chose."""

    def __init__(self, prior: SizePrior) -> None:
        self.prior = prior
        self._chosen = SizeCounts(), SizeCounts()  # of populations and of players

    @property
    def tables(self) -> tuple[Any, ...]:
        """Counts of populations and of players, as kernels take them."""
        return tuple(counts.tables for counts in self._chosen)

    # ---------------------------------------------------------------------------------------------- reading

    def told(
        self, numbers: Numbers, context: int, room: SizeRange, habits: Sequence[int]
    ) -> tuple[SizesTold | None, SizesTold | None]:
        """Copy what was counted of a population and a player in a situation: what is learnt later is not in it."""
        places = size_places(context, room.low, habits)
        among, own = (
            None if number < 0 else counts.kept(number, places)
            for counts, number in zip(self._chosen, numbers, strict=True)
        )
        return among, own

    def forecast(
        self,
        counts: tuple[SizesTold | None, SizesTold | None],
        rows: Sequence[int] | NDArray[np.int16],
        room: SizeRange,
        habits: Sequence[int],
    ) -> Floats:
        """The probability of each size of a bet or raise, by `counts` of population and player: float64 (38,)."""
        found = self.prior.forecast(rows, room, habits)
        for tier, counted in enumerate(counts):
            if counted is not None:
                found = self.prior.known(found, room, tier, habits[0], counted)
        return found

    def at_nodes(
        self,
        numbers: Numbers,
        nodes: Sequence[StrategyNode],
        sized: Sequence[bool],
        table: SituationTable,
        boards: Sequence[tuple[int, ...]],
    ) -> tuple[Floats, NDArray[np.int32], Floats]:
        """Forecasts at the nodes of a tree that are `sized`, on each board, for a kernel.

        Returns
        -------
        forecasts : ndarray of float64, shape (m, nodes, 38)
            Boards with the same features have the same forecasts.
        of : ndarray of int32, shape (boards,)
            The forecasts of each board.
        tilts : ndarray of float64, shape (nodes, 4, 16)
            The evidence of sizes of each quarter on each bin of strength.
        """
        kinds = [board_features(board) for board in boards]
        places = {kind: place for place, kind in enumerate(dict.fromkeys(kinds))}
        forecasts = np.full((len(places), len(nodes), SIZE_CELLS), 1.0 / SIZE_CELLS)
        tilts = np.ones((len(nodes), QUARTERS, STRENGTHS))
        for k, node in enumerate(nodes):
            if not sized[k]:
                continue
            features, context = node.features, size_context(node.features)
            room, habits = size_range(node.situation), size_habits(features)
            tilts[k] = self.prior.tilts_of(context)
            told = self.told(numbers, context, room, habits)
            for kind, place in places.items():
                forecasts[place, k] = self.forecast(told, table.rows(features, kind).rows, room, habits)
        return forecasts, np.array([places[kind] for kind in kinds], dtype=np.int32), tilts

    # --------------------------------------------------------------------------------------------- learning

    def learn(self, numbers: Numbers, acts: NDArray[np.int16], sizes: Sequence[Size]) -> None:
        """Learn sizes that a player of a population chose, given the rows of the situations of all their acts."""
        for size in sizes:
            places = size_places(size.context, size.range.low, size.habits)
            everybody = self.prior.forecast(acts[size.act], size.range, size.habits)
            counted = self._chosen[0].told(numbers[0], places)
            among = self.prior.known(everybody, size.range, 0, size.habits[0], counted)
            own = self.prior.known(among, size.range, 1, size.habits[0], self._chosen[1].told(numbers[1], places))
            for counts, number, forecast in zip(self._chosen, numbers, (everybody, among), strict=True):
                counts.add(number, places, size.cell, forecast)
            self._chosen[1].learn_power(numbers[1], size.habits[0], size.cell, own)

    def merge(self, tier: int, other: KnownSizes, numbers: Sequence[int]) -> None:
        """Add what others chose: populations (tier 0) or players (1), whose numbers are these here."""
        self._chosen[tier].merge(other._chosen[tier], numbers)

    def arrays(self, tier: int) -> dict[str, NDArray[Any]]:
        """All that was learnt of populations (tier 0) or players (1), by name."""
        return {f"sizes{tier}_{name}": array for name, array in self._chosen[tier].arrays().items()}

    @classmethod
    def of_arrays(cls, prior: SizePrior, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Read what `arrays` gave, from among other arrays."""
        found = cls(prior)
        among, own = (
            SizeCounts.of_arrays({name.removeprefix(first): arrays[name] for name in arrays if name.startswith(first)})
            for first in ("sizes0_", "sizes1_")
        )
        found._chosen = among, own
        return found
