"""Together in a book at once: how often each player did what they could do, and what they won from the hero.

All of it is a cache over columns, which grows with them: a hand that arrives costs what a hand costs. It is kept in
memory alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import BettingStructure
from pokermodel.learning.rates import UsualRate, rates, usual_among
from pokermodel.library.bits import A_PAIR, Part, named, parts_of
from pokermodel.library.columns import Columns
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection

__all__ = ["Everybody", "Together"]

_AT_ONCE = 200_000  # seats
_STRUCTURES = tuple(BettingStructure)
_CODE = 16  # could and did of two statistics
_FIGURES = ("vpip", "pfr")


class Together(NamedTuple):
    """The actions of some players in some hands.

    Attributes
    ----------
    players : ndarray of int64, shape (players,)
        Their numbers in the book; only those who were dealt in, and without the hero.
    hands : ndarray of int64, shape (players,)
        Hands in which they were dealt in.
    vpip, pfr : tuple of two ndarrays of int64, shape (players,)
        How often they did it, and could have.
    won : ndarray of float64, shape (players,), or None
        What they won from the hero, in small bets or big blinds, as `pokermodel.analysis.versus.won_from` divides it;
        None where there is no hero.
    """

    players: NDArray[np.int64]
    hands: NDArray[np.int64]
    vpip: tuple[NDArray[np.int64], NDArray[np.int64]]
    pfr: tuple[NDArray[np.int64], NDArray[np.int64]]
    won: NDArray[np.float64] | None


class _Grown:
    """An array to which entries are added."""

    def __init__(self, kind: str) -> None:
        self._room = np.empty(1024, dtype=kind)
        self.size = 0

    def add(self, values: NDArray[Any]) -> None:
        end = self.size + len(values)
        if end > len(self._room):
            larger = np.empty(max(end, 2 * len(self._room)), dtype=self._room.dtype)
            larger[: self.size] = self._room[: self.size]
            self._room = larger
        self._room[self.size : end] = values
        self.size = end

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self.size]


class Everybody:
    """The counts of all players.

    Parameters
    ----------
    columns : Columns
        Up to date whenever this is asked.
    """

    def __init__(self, columns: Columns, bits: Mapping[str, int]) -> None:
        self._columns, self._bits = columns, bits
        self._generation = columns.generation
        self._keys, self._won, self._most = _Grown("i4"), _Grown("f4"), _Grown("f4")
        self._shares: tuple[int, tuple[float, float]] | None = None
        self._counted = 0  # seats whose rates are counted
        self._rates: dict[BettingStructure, NDArray[np.int32]] = {}
        self._hands = np.zeros(0, dtype=np.int64)  # by player

    def _current(self) -> None:
        if self._generation != self._columns.generation:
            self.__init__(self._columns, self._bits)  # type: ignore[misc]

    # ---------------------------------------------------------------------------------------------- in some hands

    def of(self, found: Selection) -> Together:
        """The actions of all players but the hero in the hands of a selection."""
        self._look()
        hands, seats = self._columns.hands, self._columns.seats
        keys, won = self._keys.values, self._won.values
        rows: Any = slice(None)
        heroes = found.table is not None
        if len(found.hands) < len(hands):
            meant = np.zeros(len(hands), dtype=bool)
            meant[found.hands] = True
            rows = meant[seats["hand"]]
            keys = keys[rows]
        ids: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        if heroes:
            ids = np.unique(found.column("player")).astype(np.int64)
            own = found.table is self._columns.own and len(found.hands) == len(found.seats)
            won = won[rows] if own else self._against(found, rows)
        size = int(keys.max(initial=-1)) // _CODE + 1
        counts, sums = np.zeros(size * _CODE, dtype=np.int64), np.zeros(size)
        for first in range(0, len(keys), _AT_ONCE):
            some = keys[first : first + _AT_ONCE].astype(np.int64)
            counts += np.bincount(some, minlength=size * _CODE)
            if heroes:
                sums += np.bincount(some // _CODE, won[first : first + _AT_ONCE], minlength=size)
        table = counts.reshape(-1, _CODE)
        total = table.sum(axis=1)
        total[ids[ids < size]] = 0
        who = np.flatnonzero(total)
        code = np.arange(_CODE)
        could_and_did = [table[who] @ (code >> k & 1) for k in range(4)]
        return Together(
            who,
            total[who],
            (could_and_did[1], could_and_did[0]),
            (could_and_did[3], could_and_did[2]),
            sums[who] / MILLION if heroes else None,
        )

    def at(self, player: int, seats: NDArray[np.int64], *, heroes: bool) -> Together:
        """A player's actions in some of their seats, as `of` has them for the hands of others."""
        self._look()
        codes = np.bincount(self._keys.values[seats] % _CODE, minlength=_CODE)
        did = [np.array([codes[np.arange(_CODE) >> k & 1 == 1].sum()]) for k in range(4)]
        won = np.array([float(self._won.values[seats].sum(dtype=np.float64)) / MILLION]) if heroes else None
        return Together(np.array([player]), np.array([len(seats)]), (did[1], did[0]), (did[3], did[2]), won)

    def shares(self) -> tuple[float, float]:
        """How often all players but heroes do what VPIP and PFR say, up to a hundredth of the seats.

        They are those of hands with a hero, if there are any: as a list of players has them.
        """
        self._look()
        keys = self._keys.values
        if self._shares is None or len(keys) > 1.01 * self._shares[0]:
            hands, seats = self._columns.hands, self._columns.seats
            every, met = np.zeros((2, _CODE), dtype=np.int64)
            for first in range(0, len(keys), _AT_ONCE):
                some = slice(first, first + _AT_ONCE)
                hero = hands["hero"][seats["hand"][some]]
                other = seats["seat"][some] != hero
                every += np.bincount(keys[some][other] % _CODE, minlength=_CODE)
                met += np.bincount(keys[some][other & (hero >= 0)] % _CODE, minlength=_CODE)
            codes = met if met.any() else every
            did = [int(codes[np.arange(_CODE) >> k & 1 == 1].sum()) for k in range(4)]
            self._shares = len(keys), (did[1] / max(did[0], 1), did[3] / max(did[2], 1))
        return self._shares[1]

    def _look(self) -> None:
        """Take in the seats that are new."""
        self._current()
        hands, seats = self._columns.hands, self._columns.seats
        while self._keys.size < len(seats):
            first = self._keys.size
            last = min(first + _AT_ONCE, len(seats))
            if last < len(seats):  # hands are whole
                last = int(np.searchsorted(seats["hand"], seats["hand"][last]))
            some = slice(first, last)
            code = np.zeros(last - first, dtype=np.int32)
            for place, name in enumerate(_FIGURES):
                pair, bit = divmod(self._bits[name], A_PAIR)
                for k, which in enumerate(("could", "did")):
                    code |= ((seats[f"{which}_{pair}"][some] >> bit & 1) << (2 * place + k)).astype(np.int32)
            hand, net = seats["hand"][some].astype(np.int64), seats["net"][some].astype(np.float64)
            own = seats["seat"][some] == hands["hero"][hand]
            begin = int(hand[0])
            size = int(hand[-1]) - begin + 1
            gain = np.bincount(hand - begin, np.maximum(net, 0), minlength=size)
            loss = np.bincount(hand - begin, np.maximum(-net, 0), minlength=size)
            most = np.maximum(gain, loss)
            of_hero = np.zeros(size)
            of_hero[hand[own] - begin] = net[own]
            self._keys.add(seats["player"][some].astype(np.int32) * _CODE + code)
            self._won.add(_divided(net, of_hero[hand - begin], most[hand - begin]))
            self._most.add(most)

    def _against(self, found: Selection, rows: Any) -> NDArray[np.float64]:
        """What seats won from a hero whose histories not all of them are."""
        seats = self._columns.seats
        of_hero = np.zeros(len(self._columns.hands))
        of_hero[found.hands] = found.column("net")
        hand = seats["hand"][rows]
        return _divided(seats["net"][rows].astype(np.float64), of_hero[hand], self._most.values[hand])

    # --------------------------------------------------------------------------------------------- how others play

    def count(self, most: int | None = None) -> bool:
        """Count the rates of seats that are new."""
        self._current()
        seats = self._columns.seats
        end = len(seats) if most is None else min(len(seats), self._counted + most)
        while self._counted < end:
            some = slice(self._counted, min(self._counted + _AT_ONCE, end))
            player, hand = seats["player"][some].astype(np.int64), seats["hand"][some]
            dealt = np.bincount(player, minlength=len(self._hands))
            dealt[: len(self._hands)] += self._hands
            self._hands = dealt
            of = self._columns.hands["structure"][hand]
            columns = {name: seats[name][some] for name in _columns(self._bits)}
            for number in np.unique(of).tolist():
                here = of == number
                every = bool(here.all())
                self._add(
                    _STRUCTURES[number],
                    player if every else player[here],
                    columns if every else {name: each[here] for name, each in columns.items()},
                )
            self._counted = some.stop
        return self._counted == len(seats)

    def _add(self, structure: BettingStructure, player: NDArray[np.int64], columns: Mapping[str, Any]) -> None:
        table = self._rates.get(structure)
        size = int(player.max()) + 1
        if table is None or table.shape[2] < size:
            larger = np.zeros((len(rates(structure)), 2, size + 1024), dtype=np.int32)
            if table is not None:
                larger[:, :, : table.shape[2]] = table
            table = self._rates[structure] = larger
        for row, rate in enumerate(rates(structure)):
            for side, parts in enumerate(_parts(rate.key, structure, self._bits)):
                for column, shift, mask in parts:
                    value = columns[column] >> shift & mask
                    there = np.flatnonzero(value)
                    if len(player) < size:  # of a hand that was just written: not all players are looked at
                        np.add.at(table[row, side], player[there], value[there].astype(np.int32))
                    elif len(there):
                        weights = None if mask == 1 else value[there]
                        table[row, side, :size] += np.bincount(player[there], weights, minlength=size).astype(np.int32)

    def totals(self, player: int) -> tuple[int, dict[str, tuple[int, int]]]:
        """In how many hands a player was dealt in, and by the key of a rate how often they did it, and could have."""
        self.count()
        found: dict[str, tuple[int, int]] = {}
        for structure, table in self._rates.items():
            for rate, counts in zip(rates(structure), table[:, :, player : player + 1].tolist(), strict=True):
                before, (made, chances) = found.get(rate.key, (0, 0)), (sum(each) for each in counts)
                found[rate.key] = before[0] + made, before[1] + chances
        return int(self._hands[player]), found

    def usual(self, structure: BettingStructure, without: Collection[int], *, heads_up: bool) -> dict[str, UsualRate]:
        """The usual value of each rate among all players but some, as `pokermodel.learning.rates.Population` has it."""
        made, chances = self.counted(structure)
        keep = np.ones(made.shape[1], dtype=bool)
        keep[[each for each in without if each < len(keep)]] = False
        return usual_among(structure, made[:, keep], chances[:, keep], heads_up=heads_up)

    def counted(self, structure: BettingStructure) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How often each rate was done and could have been: int64 (rates, players), by the numbers of players.

        Of those about shown holdings columns have nothing.
        """
        self.count()
        table = self._rates.get(structure, np.zeros((len(rates(structure)), 2, 0), dtype=np.int32)).astype(np.int64)
        return table[:, 0], table[:, 1]


def _divided(net: NDArray[np.float64], of_hero: NDArray[Any], most: NDArray[Any]) -> NDArray[np.float64]:
    """What seats won from the hero: what is won in a hand is taken from those who lost, in proportion."""
    found = np.zeros(len(net))
    there = np.flatnonzero(net * of_hero < 0)
    found[there] = np.abs(of_hero[there]) * net[there] / most[there]
    return found


def _columns(bits: Mapping[str, int]) -> list[str]:
    pairs = range(max(bits.values()) // A_PAIR + 1)
    return ["acts", *(f"{which}_{pair}" for which in ("could", "did") for pair in pairs)]


def _parts(key: str, structure: BettingStructure, bits: Mapping[str, int]) -> list[list[Part]]:
    """Where what was done, and could have been, stands in the columns, by the key of a rate."""
    found = named(key, structure)
    assert found is not None
    return [parts_of(found[0], which, found[1], bits) for which in ("success", "opportunity")]
