"""Rows of hands: what a book keeps of a hand, and of each seat in it, worked out for many hands at once.

What differs from hand to hand in kind (who sits there, how it was bet) is read from each hand; everything that is
reckoned is reckoned for all of them together. Amounts are whole millionths of a small bet, outside limit of a big
blind, so that sums do not depend on the order of hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.hand_words import WORDS, play
from pokermodel._core.rules import State
from pokermodel._support.checks import is_name
from pokermodel.cards import cards_text
from pokermodel.game import SEATS, BettingStructure, Hand, positions, seat_names
from pokermodel.game.places import stake_text
from pokermodel.histories import SITES
from pokermodel.histories._writing import ErrorSink
from pokermodel.learning.bet_sizes import size_numbers
from pokermodel.learning.definitions import registry
from pokermodel.learning.evidence import MOST_SMALL_BETS, check_hand
from pokermodel.library.bits import bits_of, mark
from pokermodel.reading.features import Replay

__all__ = [
    "ALL_IN_BLINDS",
    "BATCH",
    "BOMB",
    "MILLION",
    "HandRow",
    "Place",
    "Rows",
    "Stake",
    "acts_of",
    "rows_of",
    "words_of",
]

#: Hands that are worked out, and written in one transaction.
BATCH = 2000
#: Units of an amount in a small bet or big blind.
MILLION = 1_000_000
#: Kinds of pot: 0 walk, 1 limped, 2 raised, 3 and more by the number of bets; and these.
BOMB, ALL_IN_BLINDS = 100, 101
_ACTS_A_HAND, _SEAT = 16, "seat"
_NAIVE, _EPOCH, _SECOND = datetime(1970, 1, 1), datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)
_STRUCTURES = {structure: number for number, structure in enumerate(BettingStructure)}
_SEAT_CODES = {name: number for number, name in enumerate(SEATS)}


class Stake(NamedTuple):
    """The stake of a hand."""

    text: str  #: ``"0.5/1 USD"``.
    small_bet: float  #: The value of an amount of 1 in the money of the source.
    currency: str


class Place(NamedTuple):
    """Where a hand stands: the number of its file in a book, and the byte at which it begins; -1 if it is not known."""

    file: int | None = None
    at: int = -1


class HandRow(NamedTuple):
    """The data of a hand that is not numbers computed for many hands at once.

    Attributes
    ----------
    identity : bytes
        Its identity: 16 bytes.
    site, room, number : str
        The site that tells its players from those of others, "" if it is none that is known; where it was played, as
        the source has it; and its id there.
    time : int or None
        Seconds since the beginning of 1970 (UTC).
    hero : int
        The seat of the player whose history it is; -1 if it names none.
    board : str
        ``"KsKd5d9s5h"``; "" without one.
    line : str
        The betting, without folds before the flop: ``"o2.5 c / x b2.75 c"``, amounts in small bets or big blinds.
    players : tuple of str
        Names by seat.
    """

    identity: bytes
    place: Place
    site: str
    room: str
    number: str
    time: int | None
    table: str
    stake: Stake
    hero: int
    board: str
    line: str
    players: tuple[str, ...]


class Rows(NamedTuple):
    """The rows of some hands.

    Attributes
    ----------
    of_hands : dict of str to ndarray, shape (hands,)
        ``structure players street showdown pot kind raises rake seen``: the betting structure as an index into
        `BettingStructure`, the last round that was reached, what was matched, the kind of pot, raises before the flop,
        the rake in millionths (-1 if it is not stated), and how many saw the flop.
    lines : list of str
        The line of each seat, as `pokermodel._core.hand_words.play` has it.
    cards : list of str or None
        The cards of each seat, the higher one first.
    of_seats : dict of str to ndarray, shape (seats,)
        ``hand seat position name relative shown street net ev all_in rake depth acts made faced``. `relative` is 1 for
        the first to act after the flop of those who saw it, 3 for the last, 2 between. `all_in` is 1 for an all-in with
        cards to come, 2 where cards of one of its players are not known and `ev` is `net`; `depth` is in
        hundredths of a small bet, -1 if it is not known.
    details : list of bytes
        What each seat did, in numbers of two bytes, low byte first: in limit ``3*context + act`` of each act in turn,
        by the contexts of `pokermodel.reading.features.RICH`; otherwise the numbers of the sizes of its bets and
        raises, as `pokermodel.learning.bet_sizes.size_numbers` has them.
    could, did : ndarray of int64, shape (pairs, seats)
        See `pokermodel.library.bits`.
    """

    hands: list[HandRow]
    kept: list[int]
    of_hands: dict[str, NDArray[np.int64]]
    lines: list[str]
    cards: list[str | None]
    of_seats: dict[str, NDArray[np.int64]]
    details: list[bytes]
    could: NDArray[np.int64]
    did: NDArray[np.int64]


_stakes: dict[Any, Stake] = {}


def _stake(hand: Hand) -> Stake:
    """The stake of a hand, of which there are few."""
    spec, unit = hand.spec, hand.unit
    key = spec.structure, spec.bets, spec.blinds, unit.as_integer_ratio(), hand.currency
    found = _stakes.get(key)
    if found is None:
        if len(_stakes) > 4096:
            _stakes.clear()
        text = stake_text(*spec.stakes, unit, hand.currency)
        found = _stakes[key] = Stake(text, float(spec.bets[0] * unit), hand.currency)
    return found


@lru_cache(4096)
def _text(cards: tuple[int, ...]) -> str:
    return cards_text(cards)


@lru_cache(64)
def _names(where: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(_SEAT_CODES[name] for name in seat_names(where))


def rows_of(
    hands: Iterable[tuple[Hand, Place]],
    bits: Mapping[str, int] | None = None,
    skipped: ErrorSink | None = None,
) -> Rows:
    """Work out the rows of hands.

    Parameters
    ----------
    bits : mapping of str to int, optional
        Where each statistic stands; by default as in a new book.
    skipped : ErrorSink, optional
        Takes what is wrong with hands that break the rules, are not finished or cannot be paid out; None: raise it.

    Returns
    -------
    Rows
        Without the hands that were skipped.

    Raises
    ------
    ValueError
        Without `skipped`, at the first such hand.
    """
    found = _Reading(list(hands))
    for number, (hand, place) in enumerate(found.given):
        try:
            found.read(hand, place)
            found.kept.append(number)
        except ValueError as error:
            if skipped is None:
                raise
            skipped.append(error)
    return found.rows(bits if bits is not None else bits_of(registry()))


def acts_of(hand: Hand) -> NDArray[np.int64]:
    """The acts of a hand, a row for each in turn, as `words_of` reads them; `ValueError` as of `rows_of`."""
    found = _Reading([(hand, Place())])
    found.read(hand, Place())
    return found.acts[: found.n_acts]


def words_of(acts: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The words of definitions, given rows of acts: an array for each."""
    columns = dict(zip(WORDS, np.ascontiguousarray(acts.T), strict=True))
    return {word: column.astype(np.bool_) if word in _TRUE else column for word, column in columns.items()}


class _Reading:
    """Hands that are being read: lists with an entry for each hand, and for each seat."""

    def __init__(self, given: list[tuple[Hand, Place]]) -> None:
        self.given = given
        self.acts = np.zeros((_ACTS_A_HAND * len(given) + 64, len(WORDS)), dtype=np.int64)
        self.seats = np.zeros((sum(len(hand.players) for hand, _ in given), 4), dtype=np.int64)
        self.n_acts = self.n_seats = 0
        self.hands: list[HandRow] = []
        self.kept: list[int] = []
        self.firsts: list[int] = []  # of the seats
        self.facts: list[
            tuple[int, ...]
        ] = []  # structure, players, small bet, last round, bomb, showdown, first to act, rake, straddled
        self.lines: list[str] = []
        self.cards: list[str | None] = []
        self.of_seats: list[tuple[int, int, int]] = []  # position, name, shown
        self.net: list[float] = []
        self.payoffs: list[float] = []
        self.committed: list[int] = []
        self.antes: list[int] = []
        self.stacks: list[int] = []
        self.evs: list[tuple[int, float | None]] = []  # of seats that were all-in with cards to come
        self.paid: list[tuple[int, float]] = []  # rake
        self.details: list[list[int]] = []

    def read(self, hand: Hand, place: Place) -> None:
        """Read one hand; `ValueError` if it is not to be kept, with nothing of it in the lists."""
        spec, players = hand.spec, hand.players
        n = len(players)
        where = positions(spec)
        end, count, lines, line = self._play(hand, where)
        if not end.over:
            raise ValueError(f"hand {hand.id}: it is not finished")
        payoffs, net = hand.payoffs, hand.net_chips
        bet = spec.small_bet
        if not is_name("".join(players)) or max(map(abs, payoffs)) > MOST_SMALL_BETS * bet:
            check_hand(hand)  # says what is wrong
        showdown = end.showdown
        first = self.n_seats
        acts = self.acts[self.n_acts : self.n_acts + count]
        rake = hand.rake_chips
        last = int(acts[-1, 1]) if count else 0
        evs = hand._all_in_ev(last, net) if showdown else net
        committed = end.committed
        paid = self._rake(hand, rake, showdown, net) if rake else None
        details: list[list[int]] = [[] for _ in range(n)]
        if spec.structure.fixed:
            for seat, _, act, *_, context, _ in Replay.of(hand, None).counted[0]:
                details[seat].append(3 * context + act)
        # nothing is wrong with it
        shown = hand.shown if showdown else ()
        street = 3 if showdown else end.round
        time = hand.time
        self.hands.append(
            HandRow(
                _identity(hand, lines, acts),
                place,
                hand.source if hand.source in SITES else "",
                spec.site or hand.source,
                hand.id,
                None if time is None else (time - (_NAIVE if time.tzinfo is None else _EPOCH)) // _SECOND,
                hand.table or "",
                _stake(hand),
                -1 if hand.hero is None else players.index(hand.hero),
                _text(hand.board) if hand.board else "",
                line,
                players,
            )
        )
        self.firsts.append(first)
        self.facts.append(
            (
                *(_STRUCTURES[spec.structure], n, bet, street, not spec.max_raises[0], showdown, spec.first[1]),
                *(-1 if rake is None else round(rake * MILLION / bet), max(spec.blinds) > bet),
            )
        )
        self.lines += [each.decode() for each in lines]
        holdings, mucked = hand.holdings, hand.mucked
        cards: list[str | None] = [None] * n
        for seat, holding in holdings.items():
            cards[seat] = _text((max(holding), min(holding)))
        self.cards += cards
        names = _names(where)
        self.of_seats += [(where[seat], names[seat], seat in shown and seat not in mucked) for seat in range(n)]
        self.net += net
        self.payoffs += payoffs
        self.committed += committed
        self.antes += spec.antes or (0,) * n
        self.stacks += [-1 if stack is None else stack for stack in hand.stacks] if hand.stacks else [-1] * n
        self.details += details
        if evs is not net:
            self.evs += [(first + seat, evs[seat]) for seat in end.active]
        if paid is not None:
            self.paid += [(first + seat, part) for seat, part in enumerate(paid) if part]
        self.n_acts += count
        self.n_seats += n

    def _play(self, hand: Hand, where: tuple[int, ...]) -> tuple[State, int, list[bytes], str]:
        """Play a hand into the rows of acts; say what is wrong with one that breaks the rules."""
        spec = hand.spec
        end = hand._end
        needed = self.n_acts + len(hand.actions)
        if needed > len(self.acts):
            self.acts = np.resize(self.acts, (2 * needed, len(WORDS)))
        try:
            state = (
                end.begun(spec) if end is not None and end.stacks_before is hand.stacks else State(spec, hand.stacks)
            )
        except ValueError:
            state = State(spec, hand.stacks)
        count, lines, line = play(
            state, hand.actions, len(hand.board), where, self.acts, self.n_acts, self.seats, self.n_seats
        )
        if lines is None or line is None:
            for _ in hand.replay():
                pass
            raise ValueError(f"hand {hand.id}: it breaks the rules")
        if end is None:
            hand._played(state)
        return state, count, lines, line

    def _rake(self, hand: Hand, rake: float, showdown: bool, net: Sequence[float]) -> Sequence[float] | None:
        """What each seat paid of the rake, in chips."""
        left = () if showdown else hand._final().active
        if len(left) == 1:  # collected everything
            return [rake if seat in left else 0.0 for seat in range(len(net))]
        return hand.rake_paid_chips

    def rows(self, bits: Mapping[str, int]) -> Rows:
        """Reckon what is the same for all."""
        n = self.n_seats
        facts = np.array(self.facts, dtype=np.int64).reshape(len(self.hands), 9)
        structure, players, bet, street, bomb, showdown, begins, rake, straddled = facts.T
        hand = np.repeat(np.arange(len(self.hands)), players)
        firsts = np.array(self.firsts, dtype=np.int64)
        acts = words_of(self.acts[: self.n_acts])
        fold, packed, made, faced = np.ascontiguousarray(self.seats[:n].T)
        position, name, shown = np.array(self.of_seats, dtype=np.int64).reshape(n, 3).T
        unit = MILLION / bet[hand]
        net = np.rint(np.array(self.net, dtype=np.float64) * MILLION / bet[hand]).astype(np.int64)
        ev, all_in = net.copy(), np.zeros(n, dtype=np.int64)
        for seat, value in self.evs:
            all_in[seat] = 2 if value is None else 1
            if value is not None:
                ev[seat] = round(value * float(unit[seat]))
        paid = np.where(rake[hand] < 0, -1, 0)
        for seat, part in self.paid:
            paid[seat] = round(part * float(unit[seat]))
        preflop = acts["street"] == 0
        of_act = hand[acts["seat"]]
        raises, calls = (
            np.bincount(of_act[preflop & acts[what]], minlength=len(self.hands)) for what in ("raises", "calls")
        )
        folded = _sums(fold == 0, firsts)
        others = np.where(folded == players - 1, 0, ALL_IN_BLINDS)
        kind = np.where(raises > 0, raises + 1, np.where(calls > 0, 1, others))
        kind = np.where(bomb != 0, BOMB, kind)
        # who saw the flop, and won some of the pot: what comes back of a bet that nobody could call was not won
        reached = fold != 0
        saw = reached & (_sums(reached, firsts)[hand] > 1)
        place = np.arange(n) - firsts[hand]
        order = np.where(saw, (place - begins[hand]) % players[hand], -1)
        earliest = _least(np.where(saw, order, 99), firsts)[hand]
        relative = np.where(saw, 2 + (order == _most(order, firsts)[hand]) - (order == earliest), 0)
        committed = np.array(self.committed, dtype=np.int64)
        most, second = _two_largest(committed, firsts)
        payoffs = np.array(self.payoffs, dtype=np.float64)
        own = np.where(committed == most[hand], second[hand], committed)
        pot = np.rint(self._pots(firsts, committed, fold < 0) * (MILLION / bet)).astype(np.int64)
        won = saw & (payoffs + own > 1e-6)
        at_showdown = saw & (fold < 0) & (_sums(fold < 0, firsts)[hand] > 1)
        over = {
            "position": position,
            "players": players[hand],
            "preflop_raises": raises[hand],
            "saw_flop": saw,
            "showdown": at_showdown,
            "won": won,
        }
        sized = np.flatnonzero(acts["raises"] & (structure[of_act] != _STRUCTURES[BettingStructure.LIMIT]))
        if len(sized):
            self._sizes(acts, committed, sized, bet[of_act], straddled[of_act])
        could, did = mark(registry(), bits, structure[hand], acts, over)
        return Rows(
            self.hands,
            self.kept,
            {
                "structure": structure,
                "players": players,
                "street": street,
                "showdown": showdown,
                "pot": pot,
                "kind": kind,
                "raises": raises,
                "rake": rake,
                "seen": _sums(saw, firsts),
            },
            self.lines,
            self.cards,
            {
                "hand": hand,
                "seat": place,
                "position": position,
                "name": name,
                "relative": relative,
                "shown": shown,
                "street": np.where(fold >= 0, fold, street[hand]),
                "net": net,
                "ev": ev,
                "all_in": all_in,
                "rake": paid,
                "depth": self._depths(firsts, hand, bet),
                "acts": packed,
                "made": made,
                "faced": faced,
            },
            [np.array(each, dtype="<u2").tobytes() for each in self.details],
            could,
            did,
        )

    def _sizes(
        self,
        acts: Mapping[str, NDArray[Any]],
        committed: NDArray[np.int64],
        sized: NDArray[np.int64],
        bet: NDArray[np.int64],
        straddled: NDArray[np.int64],
    ) -> None:
        """Note the sizes of bets and raises, given which acts are some."""
        seat, put_in = acts["seat"], acts["put_in"]
        order = np.argsort(seat, kind="stable")
        sums = np.cumsum(put_in[order]) - put_in[order]
        ordered = seat[order]
        begins = np.searchsorted(ordered, ordered)  # where the acts of the same seat begin
        before = np.empty(len(order), dtype=np.int64)
        before[order] = sums - sums[begins]
        total = np.zeros(len(committed), dtype=np.int64)
        np.add.at(total, seat, put_in)
        before += (committed - total)[seat]  # blinds and antes
        stack, ante = np.array(self.stacks, dtype=np.int64)[seat], np.array(self.antes, dtype=np.int64)[seat]
        all_in = (stack >= 0) & (put_in == stack - before)
        ante = np.where(stack >= 0, np.minimum(ante, stack), ante)
        opens = (acts["street"] == 0) & acts["unopened"] & (straddled == 0)
        rows = zip(
            *(column[sized].tolist() for column in (seat, acts["street"], acts["bets"], opens, before - ante + put_in)),
            *(column[sized].tolist() for column in (put_in, acts["to_call"], acts["pot"], bet, all_in)),
            strict=True,
        )
        for who, street, bets, opening, to, put, to_call, pot, unit, whole in rows:
            self.details[who] += size_numbers(
                street,
                put - to_call,
                pot + to_call,
                raises=bets > 0,
                to=to if opening else None,
                unit=unit,
                all_in=whole,
            )

    def _pots(
        self, firsts: NDArray[np.int64], committed: NDArray[np.int64], left: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """What was matched: without a bet that nobody called, which goes back to a player who is left."""
        bets = np.maximum(committed - np.array(self.antes, dtype=np.int64), 0)
        most, second = _two_largest(bets, firsts)
        highest = bets == np.repeat(most, np.diff(firsts, append=len(bets)))
        back = np.where(_sums(highest & left, firsts) > 0, most - second, 0)
        return _sums(committed, firsts) - back

    def _depths(self, firsts: NDArray[np.int64], hand: NDArray[np.int64], bet: NDArray[np.int64]) -> NDArray[np.int64]:
        """How deep each player sits, as far as another one covers it."""
        stacks = np.array(self.stacks, dtype=np.int64)
        most, second = _two_largest(stacks, firsts)
        own, largest = stacks, most[hand]
        covered = np.where(own == largest, np.maximum(second, 0)[hand], largest)
        unknown = (own < 0) | ((covered < own) & (_sums(stacks < 0, firsts)[hand] > 0))
        depth = 100 * np.minimum(own, covered) // bet[hand]
        found: NDArray[np.int64] = np.where(unknown, -1, depth)
        return found


_TRUE = (
    *("folds", "calls", "raises", "can_raise", "unopened", "is_opener", "faces_steal", "raise_called", "leads"),
    *("faces_cbet", "checked", "last_raiser", "acted", "aggressor", "aggressor_behind", "aggressor_checked"),
    "checked_through",
)


def _sums(values: NDArray[Any], firsts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums over the seats of each hand, given where they begin."""
    if not len(firsts):
        return np.zeros(0, dtype=np.int64)
    found: NDArray[np.int64] = np.add.reduceat(values.astype(np.int64), firsts)
    return found


def _most(values: NDArray[np.int64], firsts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The largest value of each hand."""
    return np.maximum.reduceat(values, firsts) if len(firsts) else values


def _least(values: NDArray[np.int64], firsts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least value of each hand."""
    return np.minimum.reduceat(values, firsts) if len(firsts) else values


def _two_largest(values: NDArray[np.int64], firsts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The largest and the second largest value of each hand."""
    if not len(firsts):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    most = np.maximum.reduceat(values, firsts)
    counts = np.diff(firsts, append=len(values))
    is_most = values == np.repeat(most, counts)
    several = np.add.reduceat(is_most.astype(np.int64), firsts) > 1
    rest = np.maximum.reduceat(np.where(is_most, np.iinfo(np.int64).min, values), firsts)
    return most, np.where(several, most, rest)


def _identity(hand: Hand, lines: Sequence[bytes], acts: NDArray[np.int64]) -> bytes:
    """What tells a hand from all others; see `pokermodel.learning.identity`, whose rules these are."""
    if hand.source in SITES:
        names = hand.players if hand.source != "bovada" else ()
        content = f"{hand.source}\0{hand.id}\0{names}\0{hand.stacks}\0{hand.board}\0".encode("utf-8", "surrogatepass")
        return blake2b(content + b"|".join(lines) + acts[:, 5].tobytes(), digest_size=16).digest()
    from pokermodel.learning.identity import identity

    return identity(hand)
