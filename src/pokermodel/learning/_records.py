"""The rows of the statistics as bytes and text: what a hand added, what is known of a player, sums.

All of them have checksums; what is not as it was written raises `DamageError`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from pokermodel._core.hand_counts import with_numbers, without_numbers
from pokermodel.game import Act
from pokermodel.learning._checksums import Sums, add_sums, checksum
from pokermodel.learning._database import DamageError, checked
from pokermodel.learning.order import sort_key
from pokermodel.learning.statistics import ACTIONS, HandCounts, action_of
from pokermodel.reading.frequencies import RECENT_ACTIONS, Context

__all__ = [
    *("PieceRow", "PlayerRow", "Record", "Totals"),
    *("LETTERS", "is_name_of", "is_whole", "letters", "newest"),
]

# ------------------------------------------------------------------------------------------------ what a hand added

_HEAD = struct.Struct("<BqHH")  # flags, time or number, lengths of place and stake
_WHOLE, _TIMED = 1, 2
_CRC = struct.Struct("<I")


class Record(NamedTuple):
    """What a hand added, as it is kept: when it was played, and `HandCounts.added` with a number before each player.

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
        _, added, time, place, stake = self.hand
        if place is None:
            head = _HEAD.pack(0, self.number, 0, 0)
        else:
            stakes = stake.encode()
            flags = _WHOLE if time is None else _WHOLE | _TIMED
            head = _HEAD.pack(flags, time or 0, len(place), len(stakes)) + place + stakes
        body = with_numbers(head, self.ids, added)
        return body + _CRC.pack(zlib.crc32(body, zlib.crc32(identity)))

    @classmethod
    def unpack(cls, identity: bytes, data: object) -> Self:
        """Read what `pack` made."""
        body = _body(identity, data)
        flags, time, place, stake = _HEAD.unpack_from(body)
        middle, start = _HEAD.size + place, _HEAD.size + place + stake
        ids, added = without_numbers(body, start)
        names = ("",) * len(ids)
        if not flags & _WHOLE:
            return cls(time, ids, HandCounts(names, added))
        return cls(
            0,
            ids,
            HandCounts(
                names,
                added,
                time if flags & _TIMED else None,
                body[_HEAD.size : middle],
                body[middle:start].decode(),
            ),
        )

    def named(self, names: Mapping[int, str]) -> HandCounts:
        """What the hand added, with names."""
        try:
            return self.hand._replace(names=tuple([names[id] for id in self.ids]))
        except KeyError as error:
            raise DamageError(f"there is no player of number {error}") from None


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
