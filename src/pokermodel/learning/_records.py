"""The rows of the statistics as bytes and text: what a hand added, what is known of a player, sums.

All of them have checksums; what is not as it was written raises `DamageError`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Self

from pokermodel.game import Act
from pokermodel.learning._checksums import Sums, add_sums, checksum
from pokermodel.learning._database import DamageError, checked
from pokermodel.learning.order import sort_key
from pokermodel.learning.statistics import ACTIONS, Contribution, HandCounts, action_of
from pokermodel.reading.parts.frequencies import RECENT_ACTIONS, Context

__all__ = [
    *("PieceRow", "PlayerRow", "Record", "Totals"),
    *("is_name_of", "is_whole", "letters", "newest", "unpack_contributions"),
]

# ------------------------------------------------------------------------------------------------ what a hand added

_HEAD = struct.Struct("<BqHH")  # flags, time or number, lengths of place and stake
_WHOLE, _TIMED = 1, 2
_PLAYER = struct.Struct("<IqH")  # number of the player, winnings, number of counters
_CRC = struct.Struct("<I")


class Record(NamedTuple):
    """What a hand added, as it is kept.

    Attributes
    ----------
    number : int
        How many hands had been learnt before it, if its place was not kept; 0 otherwise.
    ids : sequence of int
        The numbers of the players, by seat.
    hand : HandCounts
        What it added. The names of players are no part of the record.
    """

    number: int
    ids: Sequence[int]
    hand: HandCounts

    @property
    def key(self) -> bytes:
        """Bytes in whose order hands stand."""
        return sort_key(self.hand.time, self.hand.place, self.number)

    def pack(self, identity: bytes) -> bytes:
        """Bytes for the row of the hand with this identity."""
        players, time, place, stake = self.hand
        if place is None:
            parts = [_HEAD.pack(0, self.number, 0, 0)]
        else:
            stakes = stake.encode()
            flags = _WHOLE if time is None else _WHOLE | _TIMED
            parts = [_HEAD.pack(flags, time or 0, len(place), len(stakes)), place, stakes]
        for id, (_, won, counters) in zip(self.ids, players, strict=True):
            size = len(counters)
            parts.append(_layout(size).pack(id, won, size, *counters))
        body = b"".join(parts)
        return body + _CRC.pack(zlib.crc32(body, zlib.crc32(identity)))

    @classmethod
    def unpack(cls, identity: bytes, data: object) -> Self:
        """Read what `pack` made."""
        body = _body(identity, data)
        flags, time, place, stake = _HEAD.unpack_from(body)
        middle, start = _HEAD.size + place, _HEAD.size + place + stake
        ids, players = unpack_contributions(body[start:])
        if not flags & _WHOLE:
            return cls(time, ids, HandCounts(players))
        hand = HandCounts(players, time if flags & _TIMED else None, body[_HEAD.size : middle])
        return cls(0, ids, hand._replace(stake=body[middle:start].decode()))

    def named(self, names: Mapping[int, str]) -> HandCounts:
        """What the hand added, with names."""
        try:
            players = [added._replace(name=names[id]) for id, added in zip(self.ids, self.hand.players, strict=True)]
        except KeyError as error:
            raise DamageError(f"there is no player of number {error}") from None
        return self.hand._replace(players=tuple(players))


def is_whole(identity: bytes, data: object) -> bool:
    """Whether the record of a hand has all that is counted."""
    return bool(_body(identity, data)[0] & _WHOLE)


def _body(identity: bytes, data: object) -> bytes:
    """The bytes of a record without their checksum."""
    content = checked(data, bytes, "what a hand added")
    body = content[: -_CRC.size]
    if len(body) < _HEAD.size or content[-_CRC.size :] != _CRC.pack(zlib.crc32(body, zlib.crc32(identity))):
        raise DamageError("what a hand added is not what was written")
    return body


@cache
def _layout(counters: int) -> struct.Struct:
    return struct.Struct(f"{_PLAYER.format}{counters}H")


def unpack_contributions(data: bytes) -> tuple[list[int], tuple[Contribution, ...]]:
    """Players and what was added to their counts, of a record or of the bytes that books before version 5 have."""
    ids: list[int] = []
    players: list[Contribution] = []
    start = 0
    while start < len(data):
        id, won, size = _PLAYER.unpack_from(data, start)
        start += _PLAYER.size
        ids.append(id)
        players.append(Contribution("", won, struct.unpack_from(f"<{size}H", data, start)))
        start += 2 * size
    return ids, tuple(players)


# -------------------------------------------------------------------------------------------------- latest actions

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _letter(counter: int) -> str:
    """An action as a digit of base 36: round, bets to call, and act."""
    round, bets, act = action_of(counter)
    return _DIGITS[(round * 3 + bets) * 3 + act]


#: Counters of actions after the flop.
_LETTERS = {counter: _letter(counter) for counter in range(ACTIONS // 4, ACTIONS)}


def letters(counters: Iterable[int]) -> str:
    """The actions after the flop among the counters of a hand, in order, a letter each."""
    return "".join(filter(None, map(_LETTERS.get, counters)))


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

_CHECKS = struct.Struct("<QQQII")  # sums of the counters; checksums of number and name, and of everything


class PlayerRow(NamedTuple):
    """The row of a player.

    Attributes
    ----------
    id : int
    name : str
    recent : str
        The hands in which their latest actions after the flop were done, oldest first: for each the key by which hands
        are ordered, and a letter for each action.
    sums : tuple of int
        Sums of their counters.
    """

    id: int
    name: str
    recent: str = ""
    sums: Sums = (0, 0, 0)

    @classmethod
    def of(cls, id: object, name: object, recent: object, checks: object) -> Self:
        """Read the columns of a row."""
        name = checked(name, str, "a player's name")
        *sums, named, everything = _CHECKS.unpack(checked(checks, bytes, f"the checksums of {name!r}"))
        row = cls(checked(id, int, f"the number of {name!r}"), name, checked(recent, str, f"what {name!r} did last"))
        row = row._replace(sums=(sums[0], sums[1], sums[2]))
        if (named, everything) != row._checksums():
            raise DamageError(f"what is known of {name!r} is not what was written")
        return row

    def _checksums(self) -> tuple[int, int]:
        return checksum(self.id, self.name), checksum(self.id, self.name, self.recent, *self.sums)

    @property
    def checks(self) -> bytes:
        """Sums and checksums, for the row."""
        return _CHECKS.pack(*self.sums, *self._checksums())

    def after(self, entries: Iterable[tuple[bytes, str]], gone: Iterable[bytes], sums: Sums) -> Self:
        """The row after more hands.

        Parameters
        ----------
        entries : iterable of (bytes, str)
            Keys of the hands, and the actions.
        gone : iterable of bytes
            Keys under which some of these hands stood before.
        sums : tuple of int
            By how much the sums go up.
        """
        before = dict.fromkeys(gone)
        kept = [entry for entry in self._entries() if entry[0] not in before]
        recent = " ".join(f"{key.hex()}:{done}" for key, done in newest([*kept, *entries]))
        return self._replace(recent=recent, sums=add_sums(self.sums, sums))

    def _entries(self) -> Iterator[tuple[bytes, str]]:
        for entry in self.recent.split():
            key, _, done = entry.partition(":")
            yield bytes.fromhex(key), done

    def acts(self) -> tuple[tuple[Context, Act], ...]:
        """The latest actions, at most 20, in the order in which they were done."""
        done = "".join(done for _, done in self._entries())[-RECENT_ACTIONS:]
        numbers = [int(letter, 36) for letter in done]
        return tuple((Context(*divmod(number // 3, 3)), Act(number % 3)) for number in numbers)


def is_name_of(id: int, name: str, checks: bytes) -> bool:
    """Whether number and name are those of a player's row, by its checksums."""
    return len(checks) == _CHECKS.size and bool(_CHECKS.unpack(checks)[3] == checksum(id, name))


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
        return cls.of_values(*row)

    @classmethod
    def of_values(
        cls,
        id: Any,
        kind: Any,
        name: Any,
        version: Any,
        revision: Any,
        content: Any,
        hands: Any,
        identities: Any,
        checksum: Any,
    ) -> Self:
        """Read the columns, in order."""
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
