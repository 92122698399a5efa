"""Filters over columns: which hands are meant, and which seats are the hero's in them.

The grammar, the keys and what they say of one hand are those of `pokermodel.histories.Filter`; here each key is an
operation on columns. Terms of the hand are evaluated for all hands, terms of the hero for the hero's seats alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import POSITIONS, ROUNDS, SEATS, BettingStructure
from pokermodel.histories.filter import Filter, fits_line, textures
from pokermodel.library.bits import named, parts_of
from pokermodel.library.columns import NO_TIME, Columns, SeatTable, Table
from pokermodel.library.rows import ALL_IN_BLINDS, BOMB, MILLION, Stake

__all__ = ["SESSION", "Names", "Selection", "among", "ends_of", "select", "sessions"]

#: Seconds without a hand of the hero after which a session is over.
SESSION = 30 * 60
Bools = NDArray[np.bool_]
Numbers = NDArray[np.int64]
_OPS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
_POTS = {"walk": 0, "limped": 1, "raised": 2, "bomb": BOMB, "all-in-blinds": ALL_IN_BLINDS}
_STRUCTURES = {structure.replace(" ", "-"): number for number, structure in enumerate(BettingStructure)}
_RELATIVE = {"first": 1, "between": 2, "last": 3}
_SEATS = {name: number for number, name in enumerate(SEATS)}
_PLACES = {name.replace(" ", "-"): number for number, name in enumerate(POSITIONS)}


class Names(Protocol):
    """The meaning of numbers in columns, and the data beside the rows."""

    def texts(self, kind: str) -> Mapping[int, str]:
        """The texts of a kind, by number."""

    def stakes(self) -> Mapping[int, Stake]:
        """The stakes, by number."""

    def players(self, names: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """The numbers of players of some names."""

    def hands(self, key: str, op: str, values: Sequence[Any]) -> Collection[int]:
        """The numbers of hands for which a term of ``id``, ``tag``, ``verdict`` or ``evlost`` holds."""


class Selection(NamedTuple):
    """The hands that a filter selects.

    Attributes
    ----------
    hands : ndarray of int64
        Rows of `Columns.hands`, in order.
    table : SeatTable or None
        Where the hero's seats are: `Columns.own` or `Columns.seats`; None where there is no hero.
    seats : ndarray of int64
        Rows of that table, one for each hand.
    """

    hands: Numbers
    table: SeatTable | None
    seats: Numbers

    def of_hands(self, hands: Table, name: str) -> NDArray[Any]:
        """A column of the hands."""
        return _taken(hands[name], self.hands)

    def column(self, name: str) -> NDArray[Any]:
        """A column of the hero's seats."""
        if self.table is None:
            raise ValueError(f"the column {name} is of a hero: expected hero=NAME in the filter")
        return _taken(self.table[name], self.seats)


def _taken(column: NDArray[Any], rows: Numbers) -> NDArray[Any]:
    """Some entries of a column; all of them where these are all."""
    return column if len(rows) == len(column) else column[rows]


def among(values: Numbers, rising: Numbers) -> Bools:
    """Which values are among some that rise."""
    at = np.searchsorted(rising, values)
    found = at < len(rising)
    found[found] = rising[at[found]] == values[found]
    return found


def select(columns: Columns, which: Filter, names: Names) -> Selection:
    """Evaluate a filter.

    Parameters
    ----------
    columns : Columns
        Up to date.
    which : Filter
        Without a hero, the hero of a hand is the player whose history it is; hands without one are not meant by terms
        about the hero.
    names : Names
    """
    evaluation = _Evaluation(columns, names)
    table, seats = evaluation.seats_of(which)
    meant = np.ones(len(columns.hands), dtype=bool)
    for term in which.terms:
        if term.key in _OF_HAND:
            meant &= evaluation.of_hand(term)
    if table is None:
        return Selection(np.flatnonzero(meant), None, np.zeros(0, dtype=np.int64))
    hand = _taken(table["hand"], seats)
    fits = _taken(meant, hand)
    for term in which.terms:
        if term.key not in _OF_HAND and term.key != "hero":
            fits = fits & evaluation.of_seat(term, table, seats, hand)
    return Selection(hand[fits].astype(np.int64), table, seats[fits])


class _Evaluation:
    def __init__(self, columns: Columns, names: Names) -> None:
        self._columns, self._names = columns, names
        self._hands = columns.hands

    def seats_of(self, which: Filter) -> tuple[SeatTable | None, Numbers]:
        """The hero's seats: where they are, and which."""
        columns = self._columns
        if which.hero == "" or (which.hero is None and not which.needs_hero):
            return None, np.zeros(0, dtype=np.int64)
        if which.hero is None:
            return columns.own, np.arange(len(columns.own))
        key = "seats of", which.hero
        if key not in columns.memo:
            ids = self._ids([which.hero])
            everywhere = np.flatnonzero(_among(columns.seats["player"], ids))
            own = np.flatnonzero(_among(columns.own["player"], ids))
            # mostly they are the player of all histories: then these seats are enough
            columns.memo[key] = (columns.own, own) if len(own) == len(everywhere) else (columns.seats, everywhere)
        table, seats = columns.memo[key]
        return table, seats

    def _ids(self, names: Sequence[str]) -> list[int]:
        return [number for numbers in self._names.players(names).values() for number in numbers]

    def _with_players(self, names: Sequence[str]) -> Bools:
        """Which hands have any of some players."""
        key = "with", tuple(names)
        memo = self._columns.memo
        if key not in memo:
            found = np.zeros(len(self._hands), dtype=bool)
            seats = self._columns.seats
            found[seats["hand"][_among(seats["player"], self._ids(names))]] = True
            memo[key] = found
        result: Bools = memo[key]
        return result

    # ------------------------------------------------------------------------------------------ terms of the hand

    def of_hand(self, term: Any) -> Bools:
        """For which hands a term of the hand holds."""
        values = [value.meant for value in term.values]
        hands = self._hands
        key = term.key
        if key == "player":
            return _negated(self._with_players(values), term.op)
        if key in ("id", "tag"):
            return _negated(self._by_number(self._names.hands(key, "=", values)), term.op)
        if key in ("since", "until"):
            time, (period,) = hands["time"], values
            fits: Bools = time >= _seconds(period.start) if key == "since" else time < _seconds(period.end)
            fits &= time != NO_TIME
            return fits
        if key == "size":
            return self._amount(hands["pot"], hands["stake"], None, term)
        if key in ("site", "table", "stake"):
            column = hands[{"site": "room", "table": "game_table", "stake": "stake"}[key]]
            return _negated(_among(column, self._numbers_of(key, values)), term.op)
        if key == "board":
            return _negated(self._textures(values), term.op)
        name, read = _HAND_COLUMNS[key]
        return _compared(hands[name], [read(value) for value in values], term.op, None)

    def _by_number(self, numbers: Collection[int]) -> Bools:
        """Which hands have these numbers."""
        found = np.zeros(len(self._hands), dtype=bool)
        wanted = np.array(sorted(numbers), dtype=np.int64)
        rows = np.searchsorted(self._hands["id"], wanted)
        there = rows < len(self._hands)
        rows, wanted = rows[there], wanted[there]
        found[rows[self._hands["id"][rows] == wanted]] = True
        return found

    def _numbers_of(self, key: str, values: Sequence[Any]) -> list[int]:
        """The numbers of sites, tables or stakes that are meant."""
        if key == "site":
            return [number for number, text in self._names.texts("site").items() if text.casefold() in values]
        if key == "table":
            return [number for number, text in self._names.texts("table").items() if text in values]
        found = []
        for number, stake in self._names.stakes().items():
            bets, _, currency = stake.text.partition(" ")
            small, big = map(Fraction, bets.split("/"))
            if any((small, big) == each[:2] and each.currency in ("", currency) for each in values):
                found.append(number)
        return found

    def _textures(self, words: Sequence[str]) -> Bools:
        """Which hands have a flop of one of these words: each of the 22,100 flops is looked up in a table."""
        key = "flops"
        memo = self._columns.memo
        if key not in memo:
            cards = [self._hands[name].astype(np.int64) for name in ("flop_1", "flop_2", "flop_3")]
            ranks = np.sort(np.stack([card >> 2 for card in cards]), axis=0)
            one, two, three = (card & 3 for card in cards)
            suits = np.where(
                (one == two) & (two == three), 1, np.where((one != two) & (two != three) & (one != three), 3, 2)
            )
            memo[key] = np.where(cards[0] < 0, 0, ((ranks[0] * 13 + ranks[1]) * 13 + ranks[2]) * 4 + suits)
        code = memo[key]
        table = np.zeros(13**3 * 4, dtype=bool)
        for high in range(13):
            for middle in range(high + 1):
                for low in range(middle + 1):
                    for suits_ in range(1, 4):
                        if not set(textures((low, middle, high), suits_)).isdisjoint(words):
                            table[((low * 13 + middle) * 13 + high) * 4 + suits_] = True
        found: Bools = table[code] & (self._hands["flop_1"] >= 0)
        return found

    # ------------------------------------------------------------------------------------------ terms of the hero

    def of_seat(self, term: Any, table: SeatTable, seats: Numbers, hand: Numbers) -> Bools:
        """For which seats a term of the hero holds."""
        values = [value.meant for value in term.values]
        key = term.key

        def column(name: str) -> NDArray[Any]:
            return _taken(table[name], seats)

        if key == "vs":
            others = list(values)
            there = np.zeros(len(seats), dtype=bool)
            for name in others:
                there |= _taken(self._with_players([name]), hand) & ~_among(column("player"), self._ids([name]))
            return _negated(there, term.op)
        if key == "seat":
            names = [_SEATS[text] for text in values if text in _SEATS]
            places = [_PLACES[text] for text in values if text in _PLACES]
            return _negated(_among(column("name"), names) | _among(column("position"), places), term.op)
        if key in ("won", "lost", "ev"):
            amount = column("ev" if key == "ev" else "net")
            known = column("all_in") != 2 if key == "ev" else None
            stake = _taken(self._hands["stake"], hand)
            return self._amount(-amount if key == "lost" else amount, stake, known, term)
        if key == "line":
            lines = self._names.texts("line")
            fits = [number for number, line in lines.items() if any(fits_line(line, pattern) for pattern in values)]
            return _negated(_among(column("line"), fits), term.op)
        if key == "cards":
            wanted = np.zeros(1327, dtype=bool)
            wanted[[number for value in values for number in value]] = True
            return _negated(wanted[column("cards")] & (column("cards") >= 0), term.op)
        if key in ("verdict", "evlost"):
            meant = [value.text for value in term.values] if key == "verdict" else list(map(float, values))
            op = "=" if term.op == "!=" else term.op
            return _negated(_taken(self._by_number(self._names.hands(key, op, meant)), hand), term.op)
        if key in ("chance", "did"):
            return _negated(self._statistics(key, values, column, _taken(self._hands["structure"], hand)), term.op)
        if key == "session":
            return self._session(values[0], column("player"), _taken(self._hands["time"], hand))
        name, read, least = _SEAT_COLUMNS[key]
        values_here = column(name)
        known = None if least is None else values_here >= least
        return _compared(values_here, [read(value) for value in values], term.op, known)

    def _statistics(
        self, key: str, names: Sequence[str], column: Callable[[str], NDArray[Any]], structures: NDArray[Any]
    ) -> Bools:
        """For which seats there was a chance of any of some statistics, or it was done."""
        which = "opportunity" if key == "chance" else "success"
        found = np.zeros(len(structures), dtype=bool)
        for name in names:
            of = [(number, named(name, structure)) for number, structure in enumerate(BettingStructure)]
            known = [(number, *rate) for number, rate in of if rate is not None]
            if not known:
                raise ValueError(
                    f"unknown statistic: {name!r}, expected a key and perhaps a round, as fold_to_cbet:flop"
                )
            for number, statistic, street in known:
                here = structures == number
                for part, shift, mask in parts_of(statistic, which, street, self._columns.bits) if here.any() else ():
                    found |= here & ((column(part) >> shift & mask) != 0)
        return found

    def _amount(self, amounts: Numbers, stakes: NDArray[Any], known: Bools | None, term: Any) -> Bools:
        """Compare amounts in millionths with those of a term, in money or in big blinds."""
        limits: list[Any] = []
        for value in term.values:
            if value.meant.bb:
                limits.append(round(value.meant.number * MILLION))
                continue
            of = self._names.stakes()
            limit = np.zeros(max(of, default=0) + 1, dtype=np.int64)
            for number, stake in of.items():
                limit[number] = round(float(value.meant.number) / stake.small_bet * MILLION) if stake.small_bet else 0
            limits.append(limit[stakes] if len(of) > 1 else limit[-1])
        return _compared(amounts, limits, term.op, known)

    def _session(self, period: Any, player: NDArray[Any], time: Numbers) -> Bools:
        number = sessions(player, time)
        first, last = ends_of(number, time)
        found: Bools = (number >= 0) & (first < _seconds(period.end)) & (last >= _seconds(period.start))
        return found


def sessions(player: NDArray[Any], time: Numbers) -> Numbers:
    """The number of the session of each seat: hands of one player less than 30 minutes apart; -1 without a time."""
    order = np.lexsort((time, player))
    apart = np.ones(len(order), dtype=bool)
    apart[1:] = (np.diff(player[order]) != 0) | (np.diff(time[order]) >= SESSION)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.cumsum(apart) - 1
    found[time == NO_TIME] = -1
    return found


def ends_of(number: Numbers, time: Numbers) -> tuple[Numbers, Numbers]:
    """When the session of each seat began, and when its last hand was played."""
    count = int(number.max(initial=-1)) + 1
    first, last = np.full(count + 1, 1 << 62), np.full(count + 1, NO_TIME)
    np.minimum.at(first, number, time)
    np.maximum.at(last, number, time)
    return first[number], last[number]


def _seconds(time: Any) -> int:
    """Whole seconds since 1970 of a time, rounded up: columns have whole ones."""
    found: float = time.timestamp()
    return int(found) + (found > int(found))


def _among(column: NDArray[Any], numbers: Sequence[int]) -> Bools:
    """Where a column has one of some numbers."""
    if not numbers:
        return np.zeros(len(column), dtype=bool)
    if len(numbers) <= 4:
        found: Bools = column == numbers[0]
        for number in numbers[1:]:
            found |= column == number
        return found
    table = np.zeros(max(int(column.max(initial=0)), *numbers) + 1, dtype=bool)
    table[list(numbers)] = True
    result: Bools = table[column]
    return result


def _negated(found: Bools, op: str) -> Bools:
    return ~found if op == "!=" else found


def _compared(column: NDArray[Any], values: Sequence[Any], op: str, known: Bools | None) -> Bools:
    """Compare a column with values, of which any may hold; what is not known is neither equal nor more nor less."""
    how = _OPS["=" if op == "!=" else op]
    found: Bools = how(column, values[0])
    for value in values[1:]:
        found = found | how(column, value)
    if known is not None:
        found = found & known
    return _negated(found, op)


def _pot(text: str) -> int:
    return _POTS[text] if text in _POTS else int(text.partition("-")[0])


def _same(value: Any) -> Any:
    return value


#: Of keys of the hand: the column, and what a value is in it.
_HAND_COLUMNS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "pot": ("kind", _pot),
    "street": ("street", _same),
    "showdown": ("showdown", ("no", "yes").index),
    "players": ("players", _same),
    "left": ("seen", _same),
    "structure": ("structure", _STRUCTURES.__getitem__),
}
#: The keys whose terms are of the hand.
_OF_HAND = frozenset(
    (*_HAND_COLUMNS, "player", "id", "tag", "since", "until", "size", "site", "table", "stake", "board")
)
#: Of keys of the hero: the column, what a value is in it, and from which number on it is known; None: it always is.
_SEAT_COLUMNS: Mapping[str, tuple[str, Callable[[Any], Any], int | None]] = {
    "reached": ("street", _same, None),
    "relative": ("relative", _RELATIVE.__getitem__, 1),
    "made": ("made", float, 1),
    "faced": ("faced", float, 1),
    "depth": ("depth", lambda value: round(float(value * 100), 7), 0),
}
assert len(ROUNDS) == 4
