"""Statistics of any seats: counts of bits and sums of amounts, and the figures that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import CLASS_OF_HOLDING, N_CLASSES
from pokermodel.game import Act, BettingStructure
from pokermodel.learning.definitions import Statistic, statistics
from pokermodel.learning.profile import Figure, figure_of
from pokermodel.library.bits import A_PAIR, ACT_CELLS, ROUND_BITS, Part, cells, parts_of
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection

__all__ = ["Counts"]

_EXACT = 3_000_000_000  # an amount whose square fits into 64 bits


class Counts:
    """What the seats of a selection did, in one betting structure.

    Parameters
    ----------
    selection : Selection
        With a hero: their seats are counted.
    structures : ndarray of int8
        The betting structure of each hand of the selection.
    structure : BettingStructure
        The one that is counted.
    bits : mapping of str to int
        Where each statistic stands.
    """

    def __init__(
        self,
        selection: Selection,
        structures: NDArray[np.int8],
        structure: BettingStructure,
        bits: Mapping[str, int],
    ) -> None:
        self.structure = structure
        self._selection, self._bits = selection, bits
        here = structures == list(BettingStructure).index(structure)
        self._rows = slice(None) if here.all() else np.flatnonzero(here)
        self._columns: dict[str, Any] = {}
        self._sums_of: dict[str, dict[int, int]] = {}
        net = self._column("net")
        self._hands = len(net)
        at_showdown = self._had("could", "showdown")
        ev, shown = self._column("ev"), net[at_showdown]
        self._sums = {name: int(each.sum()) for name, each in (("won", net), ("ev", ev), ("showdown", shown))}
        self._squares = {name: _squares(each) for name, each in (("won", net), ("ev", ev), ("showdown", shown))}

    def _column(self, name: str) -> NDArray[Any]:
        if name not in self._columns:
            self._columns[name] = self._selection.column(name)[self._rows]
        found: NDArray[Any] = self._columns[name]
        return found

    def _had(self, which: str, name: str) -> NDArray[np.bool_]:
        """For which seats a bit is set."""
        pair, bit = divmod(self._bits[name], A_PAIR)
        found: NDArray[np.bool_] = (self._column(f"{which}_{pair}") >> bit & 1).astype(bool)
        return found

    def bit(self, name: str) -> tuple[int, int]:
        """In how many hands something was done, and could have been, by the name of the count."""
        pair, bit = divmod(self._bits[name], A_PAIR)
        return self._total((f"did_{pair}", bit, 1)), self._total((f"could_{pair}", bit, 1))

    @property
    def acts(self) -> list[list[list[int]]]:
        """Acts by round, nothing or something to call, and kind."""
        found = [[[0] * 3 for _ in range(2)] for _ in range(4)]
        for words, part in cells("acts", self._bits):
            act = Act.FOLD if words["folds"] else Act.CALL if words["calls"] else Act.RAISE
            found[words["street"]][words["facing"]][act] = self._total(part)
        return found

    def pair(self, statistic: Statistic, street: int | None = None) -> tuple[int, int]:
        """How often something was done, and could have been; in a betting round, or in all."""
        made, chances = (
            sum(map(self._total, parts_of(statistic, which, street, self._bits)))
            for which in ("success", "opportunity")
        )
        return made, chances

    def _total(self, part: Part) -> int:
        """The sum of some bits of a column over all seats: each column is looked at once, a few bits at a time."""
        column, shift, _ = part
        if column not in self._sums_of:
            values = self._column(column)
            self._sums_of[column] = _sums_of_acts(values) if column == "acts" else _sums_of_bits(values)
        return self._sums_of[column].get(shift, 0)

    def __getitem__(self, name: str) -> int:
        """A plain number: "hands", "flops", "showdowns", "showdowns_won" or "flops_won"."""
        if name == "hands":
            return self._hands
        made, chances = self.bit("flop" if name.startswith("flops") else "showdown")
        return made if name.endswith("_won") else chances

    @property
    def showdowns(self) -> NDArray[np.int64]:
        """How often each class of holdings was shown: shape (169,)."""
        cards = self._column("cards")
        there = cards[(self._column("shown") != 0) & (cards >= 0)]
        return np.bincount(CLASS_OF_HOLDING[there], minlength=N_CLASSES)

    @property
    def rake(self) -> float:
        """What the player paid of the rake."""
        paid = self._column("rake")
        return int(paid[paid > 0].sum()) / MILLION

    @property
    def unstated_rakes(self) -> int:
        """Hands whose rake is not stated."""
        return int((self._column("rake") < 0).sum())

    @property
    def all_ins(self) -> tuple[int, int]:
        """All-ins with cards to come: with the cards of all known, and others."""
        kinds = self._column("all_in")
        return int((kinds == 1).sum()), int((kinds == 2).sum())

    @property
    def small_bets(self) -> float:
        """Winnings after the rake in small bets; outside limit, here and below, in big blinds."""
        return self._sums["won"] / MILLION

    @property
    def squared_small_bets(self) -> float:
        """Sum of the squares of the winnings of each hand."""
        return self._squares["won"] / 1e3

    @property
    def ev_small_bets(self) -> float:
        """Winnings with all-ins at their EV."""
        return self._sums["ev"] / MILLION

    @property
    def squared_ev_small_bets(self) -> float:
        """Sum of the squares of the all-in EV of each hand."""
        return self._squares["ev"] / 1e3

    @property
    def showdown_small_bets(self) -> float:
        """Winnings of the hands in which the player was at the showdown."""
        return self._sums["showdown"] / MILLION

    @property
    def squared_showdown_small_bets(self) -> float:
        """Sum of the squares of the winnings of each of these hands."""
        return self._squares["showdown"] / 1e3

    def figures(self) -> dict[str, Figure]:
        """The statistics by key, with their intervals, in the order of their definitions.

        What is made of shown holdings is not among them: rows do not have it.
        """
        return {
            key: figure_of(each, self, street, apart=key != each.key)
            for each in statistics(self.structure).values()
            if each.profile and each.table != "shown_postflop"
            for key, street in each.figures().items()
        }


_OF_BYTE = np.arange(256)[:, None] >> np.arange(8) & 1
_OF_ROUND = [np.arange(1 << ROUND_BITS) >> place & mask for *_, place, mask in ACT_CELLS]


def _sums_of_bits(values: NDArray[np.int64]) -> dict[int, int]:
    """How many have each bit: a byte at a time, of which there are 256."""
    parts = np.ascontiguousarray(values, dtype="<i8").view(np.uint8).reshape(-1, 8)
    sums = [np.bincount(parts[:, k], minlength=256) @ _OF_BYTE for k in range(8)]
    return dict(enumerate(np.concatenate(sums).tolist()))


def _sums_of_acts(values: NDArray[np.int64]) -> dict[int, int]:
    """The sums of the numbers of acts, by their place."""
    found = {}
    for street in range(4):
        counts = np.bincount(values >> ROUND_BITS * street & (1 << ROUND_BITS) - 1, minlength=1 << ROUND_BITS)
        for (*_, place, _), number in zip(ACT_CELLS, _OF_ROUND, strict=True):
            found[ROUND_BITS * street + place] = int(counts @ number)
    return found


def _squares(amounts: NDArray[np.int64]) -> int:
    """The sum of the squares of amounts in millionths, each in whole thousandths."""
    small = np.abs(amounts) < _EXACT
    few = amounts[small]
    large = sum((int(each) ** 2 + 500_000_000) // 1_000_000_000 for each in amounts[~small].tolist())
    return int(((few * few + 500_000_000) // 1_000_000_000).sum()) + large
