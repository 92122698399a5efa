"""Statistics of any seats: counts of bits and sums of amounts, and the figures that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Act, BettingStructure
from pokermodel.learning.definitions import Statistic, parsed, statistics
from pokermodel.learning.profile import Figure, figure_of
from pokermodel.library.bits import A_PAIR
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection

__all__ = ["Counts"]

#: Of the acts of a round that are packed into 14 bits: the act, whether there was something to call, place and mask.
ACT_CELLS = (
    *((Act.CALL, False, 0, 1), (Act.RAISE, False, 1, 1), (Act.FOLD, False, 2, 1)),
    *((Act.FOLD, True, 3, 1), (Act.CALL, True, 4, 31), (Act.RAISE, True, 9, 31)),
)
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
        self._bit_counts: dict[str, tuple[int, int]] = {}
        self._acts: list[list[list[int]]] | None = None
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
        if name not in self._bit_counts:
            self._bit_counts[name] = int(self._had("did", name).sum()), int(self._had("could", name).sum())
        return self._bit_counts[name]

    @property
    def acts(self) -> list[list[list[int]]]:
        """Acts by round, nothing or something to call, and kind."""
        if self._acts is None:
            packed = self._column("acts")
            self._acts = [[[0] * 3 for _ in range(2)] for _ in range(4)]
            for street in range(4):
                part = packed >> 14 * street
                for act, facing, place, mask in ACT_CELLS:
                    self._acts[street][facing][act] = int((part >> place & mask).sum())
        return self._acts

    def pair(self, statistic: Statistic, street: int | None = None) -> tuple[int, int]:
        """How often something was done, and could have been; in a betting round, or in all."""
        if statistic.table:
            made, chances = (
                self._of_table(statistic, getattr(statistic, which), street) for which in ("success", "opportunity")
            )
            return made, chances
        found = [self.bit(name) for name, of in statistic.blocks().items() if street is None or of == street]
        return sum(made for made, _ in found), sum(chances for _, chances in found)

    def _of_table(self, statistic: Statistic, text: str, street: int | None) -> int:
        code = compile(parsed(text, tuple(statistic.words)), "<statistic>", "eval")
        rounds = statistic.streets if street is None else (street,)
        total = 0
        for words, count in self._cells(statistic.table):
            if (not rounds or words.get("street") in rounds) and eval(code, {"__builtins__": {}}, words):
                total += count
        return total

    def _cells(self, table: str) -> list[tuple[dict[str, Any], int]]:
        if table == "results":
            flops_won, flops = self.bit("flop")
            won, showdowns = self.bit("showdown")
            counts = {"flops": flops, "showdowns": showdowns, "showdowns_won": won, "flops_won": flops_won}
            return [({each: each == name for each in counts}, count) for name, count in counts.items()]
        found = []
        for street, by_facing in enumerate(self.acts):
            for facing, by_act in enumerate(by_facing):
                for act, count in enumerate(by_act):
                    acts = {"folds": act == Act.FOLD, "calls": act == Act.CALL, "raises": act == Act.RAISE}
                    found.append(({"street": street, "facing": bool(facing), **acts}, count))
        return found

    def __getitem__(self, name: str) -> int:
        """A plain number: "hands", "flops", "showdowns", "showdowns_won" or "flops_won"."""
        if name == "hands":
            return self._hands
        made, chances = self.bit("flop" if name.startswith("flops") else "showdown")
        return made if name.endswith("_won") else chances

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


def _squares(amounts: NDArray[np.int64]) -> int:
    """The sum of the squares of amounts in millionths, each in whole thousandths."""
    small = np.abs(amounts) < _EXACT
    few = amounts[small]
    large = sum((int(each) ** 2 + 500_000_000) // 1_000_000_000 for each in amounts[~small].tolist())
    return int(((few * few + 500_000_000) // 1_000_000_000).sum()) + large
