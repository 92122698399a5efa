"""Counts of a player made by hand: what figures are made of, without hands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokermodel.game import BettingStructure
from pokermodel.learning.definitions import Statistic
from pokermodel.learning.profile import Profile
from pokermodel.reading.frequencies import ActionCounts

__all__ = ["MadeCounts", "made_profile"]


class MadeCounts:
    """How often what was done and could have been; nothing but that unless it is set.

    Parameters
    ----------
    pairs : mapping of str to (int, int)
        By the key of a statistic; after a colon the betting round, as a number, of one round alone.
    """

    def __init__(
        self,
        pairs: Mapping[str, tuple[int, int]],
        structure: BettingStructure = BettingStructure.LIMIT,
        *,
        hands: int = 0,
        small_bets: float = 0.0,
        showdowns: Mapping[int, int] | None = None,
    ) -> None:
        self.structure, self._pairs, self._hands = structure, pairs, hands
        self.small_bets = self.ev_small_bets = small_bets
        self.squared_small_bets = self.squared_ev_small_bets = 0.0
        self.showdown_small_bets = self.squared_showdown_small_bets = 0.0
        self.showdowns = np.zeros(169, dtype=np.int64)
        for place, count in (showdowns or {}).items():
            self.showdowns[place] = count
        self.depths = np.zeros(5, dtype=np.int64)
        self.counts = ActionCounts()
        self.rake, self.unstated_rakes, self.all_ins = 0.0, 0, (0, 0)

    def __getitem__(self, name: str) -> int:
        return self._hands if name == "hands" else 0

    def pair(self, statistic: Statistic, street: int | None = None) -> tuple[int, int]:
        """As of `Totals`."""
        if street is not None:
            return self._pairs.get(f"{statistic.key}:{street}", (0, 0))
        if statistic.key in self._pairs:
            return self._pairs[statistic.key]
        found = [self._pairs.get(f"{statistic.key}:{street}", (0, 0)) for street in statistic.streets]
        return sum(made for made, _ in found), sum(chances for _, chances in found)

    def sizes(self, key: str) -> tuple[list[int], int, dict[int, int]]:
        """None."""
        return [0] * 6, 0, {}


def made_profile(
    pairs: Mapping[str, tuple[int, int]], structure: BettingStructure = BettingStructure.LIMIT, **rest: object
) -> Profile:
    """A profile of Ann."""
    return Profile("Ann", MadeCounts(pairs, structure, **rest))  # type: ignore[arg-type]
