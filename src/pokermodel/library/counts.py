"""Statistics of any seats: counts of bits and sums of amounts, and what profiles are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import CLASS_OF_HOLDING, HOLDING_CARDS, N_CLASSES
from pokermodel.evaluation.hand_types import SCHEMES, hand_type
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import BOARD_CARDS, POSITIONS, Act, BettingStructure
from pokermodel.learning.bet_sizes import SIZE_NUMBERS, SIZES
from pokermodel.learning.definitions import Statistic, parsed, statistics
from pokermodel.learning.profile import Figure, figure_of
from pokermodel.learning.statistics import DEPTH_EDGES, DEPTHS
from pokermodel.library.bits import A_PAIR, ACT_CELLS, ROUND_BITS, Part, cells, parts_of
from pokermodel.library.columns import BOARD, SeatTable
from pokermodel.library.rows import MILLION
from pokermodel.reading.contexts import COARSE, ContextCounts
from pokermodel.reading.frequencies import ActionCounts

__all__ = ["Counts", "contexts_of", "depths_of"]

_EXACT = 3_000_000_000  # an amount whose square fits into 64 bits
_BUSTED = len(SCHEMES[25].busted)


class Counts:
    """The actions of some seats, in one betting structure.

    Parameters
    ----------
    table : SeatTable
        Where they are: `Columns.own` or `Columns.seats`.
    seats : ndarray of int64
        Rows of it, all of hands of one structure.
    """

    def __init__(
        self,
        table: SeatTable,
        seats: NDArray[np.int64],
        structure: BettingStructure,
        bits: Mapping[str, int],
    ) -> None:
        self.structure = structure
        self._table, self._seats, self._bits = table, seats, bits
        self._sums_of: dict[str, dict[int, int]] = {}
        self._hands = len(seats)
        net, ev = self._column("net"), self._column("ev")
        shown = net[self._had("could", "showdown")]
        self._sums = {name: int(each.sum()) for name, each in (("won", net), ("ev", ev), ("showdown", shown))}
        self._squares = {name: _squares(each) for name, each in (("won", net), ("ev", ev), ("showdown", shown))}

    def _column(self, name: str) -> NDArray[Any]:
        """A column of the seats. It is not kept: of a player with a million hands each takes megabytes."""
        whole = self._table[name]
        return whole if len(self._seats) == len(whole) else whole[self._seats]

    def _had(self, which: str, name: str) -> NDArray[np.bool_]:
        """For which seats a bit is set."""
        pair, bit = divmod(self._bits[name], A_PAIR)
        found: NDArray[np.bool_] = (self._column(f"{which}_{pair}") >> bit & 1).astype(bool)
        return found

    def bit(self, name: str) -> tuple[int, int]:
        """In how many hands something was done, and could have been, by the name of the count."""
        if name not in self._bits:  # a statistic that the book has not counted
            return 0, 0
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
        count = self._of_shown if statistic.table == "shown_postflop" else self._of_columns
        return count(statistic, "success", street), count(statistic, "opportunity", street)

    def _of_columns(self, statistic: Statistic, which: str, street: int | None) -> int:
        return sum(map(self._total, parts_of(statistic, which, street, self._bits)))

    def _of_shown(self, statistic: Statistic, which: str, street: int | None) -> int:
        code = compile(parsed(getattr(statistic, which), tuple(statistic.words)), "<statistic>", "eval")
        rounds = statistic.streets if street is None else (street,)
        return sum(
            count
            for words, count in self._shown
            if (not rounds or words["street"] in rounds) and eval(code, {"__builtins__": {}}, words)
        )

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

    # ---------------------------------------------------------------------------------------- what profiles show

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """Hands dealt in, by `POSITIONS`: int64 (6,)."""
        return np.bincount(self._column("position"), minlength=len(POSITIONS))

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """Hands dealt in, by `DEPTHS`: int64 (5,); zeros in limit."""
        if self.structure.fixed:
            return np.zeros(len(DEPTHS), dtype=np.int64)
        return np.bincount(depths_of(self._column("depth")), minlength=len(DEPTHS))

    @cached_property
    def showdowns(self) -> NDArray[np.int64]:
        """How often each class of holdings was shown: int64 (169,)."""
        cards = self._column("cards")[self._column("shown") != 0]
        return np.bincount(CLASS_OF_HOLDING[cards], minlength=N_CLASSES)

    @cached_property
    def rake(self) -> float:
        """The rake paid, in small bets: in proportion to the money collected."""
        paid = self._column("rake")
        return int(paid[paid > 0].sum()) / MILLION

    @cached_property
    def unstated_rakes(self) -> int:
        """Hands whose rake is not stated: what was won in them is before it."""
        return int((self._column("rake") < 0).sum())

    @cached_property
    def all_ins(self) -> tuple[int, int]:
        """All-ins in which the player was and cards were to come: with the cards of all known, and others."""
        kinds = self._column("all_in")
        return int((kinds == 1).sum()), int((kinds == 2).sum())

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """How often each number of details occurs."""
        return np.bincount(self._table.numbers(self._seats)[0], minlength=0 if self.structure.fixed else SIZE_NUMBERS)

    @property
    def contexts(self) -> ContextCounts:
        """The actions by richer contexts; none outside limit."""
        return contexts_of(self._numbers if self.structure.fixed else np.zeros(0, dtype=np.int64))

    @property
    def counts(self) -> ActionCounts:
        """The actions in Loki-1's twelve contexts; none outside limit."""
        return self.contexts.counts

    def sizes(self, key: str) -> tuple[list[int], int, dict[int, int]]:
        """How often bets and raises of a kind of `SIZES` had which size; nothing in limit.

        By class of the kind's scale; how many were all of the player's chips, which are in no class; and by bin of the
        scale, in order, those that are not 0.
        """
        kind = SIZES[key]
        found = np.zeros(SIZE_NUMBERS, dtype=np.int64) if self.structure.fixed else self._numbers
        bins = found[kind.bins : kind.bins + kind.scale.bins]
        of_bin = {bin: int(bins[bin]) for bin in np.flatnonzero(bins).tolist()}
        return found[kind.first : kind.all_in].tolist(), int(found[kind.all_in]), of_bin

    @cached_property
    def _shown(self) -> list[tuple[dict[str, Any], int]]:
        """What was done after the flop with holdings that were shown in the end, in limit."""
        if not self.structure.fixed:
            return []
        cells: Counter[tuple[int, int, int, bool]] = Counter()
        numbers, of = self._table.numbers(self._seats)
        hands, cards = self._table["hand"][self._seats], self._column("cards").astype(np.int64)
        shown = (self._column("shown") != 0) & (cards >= 0)
        streets = numbers // 3 // COARSE // 18
        for street in (1, 2, 3):
            board = [self._table.hands[name][hands] for name in BOARD[: BOARD_CARDS[street]]]
            here = np.flatnonzero((streets == street) & shown[of])
            seats, at = np.unique(of[here], return_inverse=True)
            held = HOLDING_CARDS[cards[seats]]
            ranks = evaluate_many(np.column_stack([*(each[seats] for each in board), held]).astype(np.uint8))
            kinds, which = np.unique(ranks, return_inverse=True)
            made = np.array([hand_type(rank) < _BUSTED for rank in kinds.tolist()], dtype=bool)[which][at]
            bets, acts = numbers[here] // 3 // COARSE // 6 % 3, numbers[here] % 3
            cells.update(zip([street] * len(here), bets.tolist(), acts.tolist(), made.tolist(), strict=True))
        return [
            (
                {
                    "street": street,
                    "bets_to_call": bets,
                    "calls": act == Act.CALL,
                    "raises": act == Act.RAISE,
                    "busted": busted,
                },
                count,
            )
            for (street, bets, act, busted), count in cells.items()
        ]

    def figures(self) -> dict[str, Figure]:
        """The statistics by key, with their intervals, in the order of their definitions."""
        return {
            key: figure_of(each, self, street, apart=key != each.key)
            for each in statistics(self.structure).values()
            if each.profile
            for key, street in each.figures().items()
        }


def contexts_of(numbers: NDArray[np.int64]) -> ContextCounts:
    """Actions by contexts, given how often each number ``3*context + act`` occurs."""
    there = np.flatnonzero(numbers)
    coarse = np.zeros(216, dtype=np.int64)
    np.add.at(coarse, there // 3 // COARSE * 3 + there % 3, numbers[there])
    rich = dict(zip(there.tolist(), numbers[there].tolist(), strict=True))
    return ContextCounts(coarse.reshape(4, 3, 3, 2, 3), rich)


def depths_of(depth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices into `DEPTHS`, given depths in hundredths of a big blind."""
    edges = [100 * edge for edge in DEPTH_EDGES]
    return np.where(depth < 0, len(DEPTHS) - 1, np.searchsorted(edges, depth, side="right"))


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
