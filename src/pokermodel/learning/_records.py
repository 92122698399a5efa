"""The rows of the statistics as bytes and text: what a hand added, what is known of a player, sums.

All of them have checksums; what is not as it was written raises `DamageError`.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from pokermodel._core.hand_counts import seats, with_numbers, without_numbers
from pokermodel.game import Act
from pokermodel.learning._checksums import Sums, add_sums, checksum
from pokermodel.learning._database import DamageError, checked
from pokermodel.learning.layout import Layout
from pokermodel.learning.order import sort_key
from pokermodel.learning.statistics import ACTIONS, Contribution, HandCounts, action_of, totals
from pokermodel.reading.frequencies import RECENT_ACTIONS, Context

__all__ = [
    *("PieceRow", "PlayerRow", "HandRecord", "Totals"),
    *("LETTERS", "acts_of", "full_name", "layout_number", "letters", "newest"),
]

# ------------------------------------------------------------------------------------------------ what a hand added

_HEAD = struct.Struct("<?IqHH")  # whether the time is known, number of the layout, time, lengths of place and stake
_CRC = struct.Struct("<I")


class HandRecord(NamedTuple):
    """What a hand added, as it is kept: when it was played, and `HandCounts.added` with a number before each player.

    Attributes
    ----------
    ids : sequence of int
        The numbers of the players, by seat.
    hand : HandCounts
        What it added, by the layout of the book. The names of players are no part of the record.
    """

    ids: Sequence[int]
    hand: HandCounts

    @property
    def key(self) -> bytes:
        """Bytes in whose order hands stand."""
        return sort_key(self.hand.time, self.hand.place)

    @property
    def seats(self) -> list[tuple[int, tuple[int, ...]]]:
        """What the hand added by seat, by the counters of the book: winnings, and counters."""
        return seats(self.hand.added)

    def totals(self, seat: int) -> Counter[int]:
        """By how much the counters of the book went up for the player in a seat."""
        return totals([Contribution("", *self.seats[seat])])

    def pack(self, identity: bytes) -> bytes:
        """Bytes for the row of the hand with this identity."""
        _, added, time, place, stake, layout = self.hand
        stakes = stake.encode()
        head = _HEAD.pack(time is not None, layout.number, time or 0, len(place), len(stakes)) + place + stakes
        body = with_numbers(head, self.ids, added)
        return body + _CRC.pack(zlib.crc32(body, zlib.crc32(identity)))

    @classmethod
    def unpack(cls, identity: bytes, data: object, layouts: Mapping[int, Layout]) -> Self:
        """Read what `pack` made, given the layouts of the book by their numbers."""
        body = _body(identity, data)
        timed, number, time, place, stake = _HEAD.unpack_from(body)
        first = _HEAD.size
        middle, start = first + place, first + place + stake
        ids, added = without_numbers(body, start)
        when, names = time if timed else None, ("",) * len(ids)
        hand = HandCounts(names, added, when, body[first:middle], body[middle:start].decode(), _layout(number, layouts))
        return cls(ids, hand)

    def named(self, names: Mapping[int, str]) -> HandCounts:
        """What the hand added, with names."""
        try:
            return self.hand._replace(names=tuple([names[id] for id in self.ids]))
        except KeyError as error:
            raise DamageError(f"there is no player of number {error}") from None


def _layout(number: int, layouts: Mapping[int, Layout]) -> Layout:
    try:
        return layouts[number]
    except KeyError:
        raise DamageError(f"there is no list of what was counted with number {number}") from None


def layout_number(identity: bytes, data: object) -> int:
    """The number of the layout by which a hand was counted."""
    number: int = _HEAD.unpack_from(_body(identity, data))[1]
    return number


def _body(identity: bytes, data: object) -> bytes:
    """The bytes of a record without their checksum."""
    content = checked(data, bytes, "what a hand added")
    body = content[: -_CRC.size]
    if len(body) < _HEAD.size or content[-_CRC.size :] != _CRC.pack(zlib.crc32(body, zlib.crc32(identity))):
        raise DamageError("what a hand added is not what was written")
    return body


# -------------------------------------------------------------------------------------------------- latest actions

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _letter(counter: int) -> str:
    """An action as a digit of base 36: round, bets to call, and act."""
    round, bets, act = action_of(counter)
    return _DIGITS[(round * 3 + bets) * 3 + act]


#: Counters of actions after the flop.
LETTERS = {counter: _letter(counter) for counter in range(ACTIONS // 4, ACTIONS)}


def letters(counters: Iterable[int]) -> str:
    """The actions after the flop among the counters of a hand, in order, a letter each."""
    return "".join(filter(None, map(LETTERS.get, counters)))


def newest(entries: Iterable[tuple[bytes, str]]) -> list[tuple[bytes, str]]:
    """Of hands with a player's actions in them, the latest that have enough."""
    ordered = sorted(entries)
    found = 0
    for place in range(len(ordered) - 1, 0, -1):
        found += len(ordered[place][1])
        if found >= RECENT_ACTIONS:
            return ordered[place:]
    return ordered


# -------------------------------------------------------------------------------------- what is known of a player

_CHECKS = struct.Struct("<QQQI")  # sums of the counters, and the checksum of the row


class PlayerRow(NamedTuple):
    """The row of a player.

    Attributes
    ----------
    id : int
    name : str
    site : str
        The poker site where they have this name; "" if that is not known, or it was none.
    recent : str
        The hands in which their latest actions after the flop were done, oldest first: for each the key by which hands
        are ordered, and a letter for each action.
    alias : int
        The number of the player of whom this is another name; 0: of none.
    sums : tuple of int
        Sums of their counters.
    """

    id: int
    name: str
    site: str = ""
    recent: str = ""
    alias: int = 0
    sums: Sums = (0, 0, 0)

    @classmethod
    def of(cls, id: object, name: object, site: object, recent: object, alias: object, checks: object) -> Self:
        """Read the columns of a row."""
        name = checked(name, str, "a player's name")
        *sums, written = _CHECKS.unpack(checked(checks, bytes, f"the checksums of {name!r}"))
        row = cls(
            checked(id, int, f"the number of {name!r}"),
            name,
            checked(site, str, f"the site of {name!r}"),
            checked(recent, str, f"what {name!r} did last"),
            checked(alias, int, f"whose name {name!r} is"),
            (sums[0], sums[1], sums[2]),
        )
        if row._checksum() != written:
            raise DamageError(f"what is known of {name!r} is not what was written")
        return row

    def _checksum(self) -> int:
        return checksum(self.id, self.name, self.site, self.recent, self.alias, *self.sums)

    @property
    def checks(self) -> bytes:
        """Sums and checksum, for the row."""
        return _CHECKS.pack(*self.sums, self._checksum())

    @property
    def full_name(self) -> str:
        """Name and site, see `full_name`."""
        return full_name(self.name, self.site)

    def after(self, entries: Iterable[tuple[bytes, str]], sums: Sums = (0, 0, 0)) -> Self:
        """The row after more hands.

        Parameters
        ----------
        entries : iterable of (bytes, str)
            Keys of the hands, and the actions.
        sums : tuple of int
            By how much the sums go up.
        """
        recent = " ".join(f"{key.hex()}:{done}" for key, done in newest([*self.entries(), *entries]))
        return self._replace(recent=recent, sums=add_sums(self.sums, sums))

    def entries(self) -> Iterator[tuple[bytes, str]]:
        """The hands of the latest actions: the key of each, and the actions."""
        for entry in self.recent.split():
            key, _, done = entry.partition(":")
            yield bytes.fromhex(key), done

    def acts(self) -> tuple[tuple[Context, Act], ...]:
        """The latest actions, at most 20, in the order in which they were done."""
        done = "".join(done for _, done in self.entries())[-RECENT_ACTIONS:]
        numbers = [int(letter, 36) for letter in done]
        return tuple((Context(*divmod(number // 3, 3)), Act(number % 3)) for number in numbers)


def acts_of(rows: Sequence[PlayerRow]) -> tuple[tuple[Context, Act], ...]:
    """The latest actions of a player who has several names."""
    if len(rows) == 1:
        return rows[0].acts()
    return PlayerRow(0, "").after([entry for row in rows for entry in row.entries()]).acts()


def full_name(name: str, site: str) -> str:
    """Name and site in one text: ``"Ann@pokerstars"``. No site has an ``@`` in its name, so that it is unique."""
    return f"{name}@{site}"


# ------------------------------------------------------------------------------------------------------------- sums

_TOTALS = struct.Struct("<QQQQQ")


class Totals(NamedTuple):
    """What the statistics have in all: the content of their piece of knowledge.

    Attributes
    ----------
    players : int
        How many players there are.
    names : int
        Sum of the checksums of their names.
    sums : tuple of int
        Sums of the counters of all players together.
    """

    players: int = 0
    names: int = 0
    sums: Sums = (0, 0, 0)

    def pack(self) -> bytes:
        """The content."""
        return _TOTALS.pack(self.players, self.names, *self.sums)

    @classmethod
    def unpack(cls, content: bytes) -> Self:
        """Read the content."""
        if len(content) != _TOTALS.size:
            raise DamageError("the sums of the statistics are not what was written")
        players, names, *sums = _TOTALS.unpack(content)
        return cls(players, names, (sums[0], sums[1], sums[2]))


# ------------------------------------------------------------------------------------------------- a piece


class PieceRow(NamedTuple):
    """The row of a piece.

    Attributes
    ----------
    id : int or None
        None before it is written for the first time.
    kind, name : str
    version : int
        Of the content.
    revision : int
        How often it was written.
    content : bytes
    hands : int
        How many hands it has learnt.
    identities : int
        Sum of their identities.
    """

    id: int | None
    kind: str
    name: str
    version: int = 0
    revision: int = 0
    content: bytes = b""
    hands: int = 0
    identities: int = 0

    @classmethod
    def of(cls, row: Any) -> Self:
        """Read the columns of a row."""
        id, kind, name, version, revision, content, hands, identities, checksum = row
        total = int.from_bytes(checked(identities, bytes, f"the sum of the hands of {kind!r}"), "little")
        content = checked(content, bytes, f"the content of {kind!r}")
        found = cls(id, kind, name, version, revision, content, hands, total)
        if found.checksum != checksum:
            raise DamageError(f"what is known of {kind!r} is not what was written")
        return found

    @property
    def checksum(self) -> int:
        """Checksum of all columns but the number."""
        return checksum(*self[1:5], self.content, self.hands, self.identities)

    def values(self) -> dict[str, Any]:
        """The columns but for number, kind and name."""
        return {
            "version": self.version,
            "revision": self.revision,
            "content": self.content,
            "hands": self.hands,
            "identities": self.identities.to_bytes(16, "little"),
            "checksum": self.checksum,
        }
