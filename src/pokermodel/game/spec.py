"""The parameters of a game of limit hold'em."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import Literal, cast, get_args

from pokermodel._core.rules import MAX_CHIPS

__all__ = ["GameSpec"]

OddChips = Literal["split", "first"]
Reopening = Literal["any", "half", "whole", "full"]
PerRound = tuple[int, int, int, int]

_MAX_PLAYERS = 23  # as many as a deck serves
_NO_CAP = 255  # what an ACPC game definition without maxRaises means
_MOST_IN = 2**53  # chips of one seat: pots of all seats stay far within 64 bits
_ROUNDS = 4

_HOLDEM = {
    "numRounds": (_ROUNDS,),
    "numSuits": (4,),
    "numRanks": (13,),
    "numHoleCards": (2,),
    "numBoardCards": (0, 3, 1, 1),
}
_ACPC_KEYS = ("numPlayers", "numRounds", "blind", "raiseSize", "firstPlayer", "maxRaises", *list(_HOLDEM)[1:])


def _numbers(values: Iterable[int], what: str, low: int, high: int, count: int | None = None) -> tuple[int, ...]:
    try:
        numbers = tuple(index(value) for value in values)
    except TypeError:
        raise ValueError(f"{what} must be whole numbers, got {values!r}") from None
    if count is not None and len(numbers) != count:
        raise ValueError(f"{what} must have {count} entries, got {len(numbers)}")
    for number in numbers:
        if not low <= number <= high:
            raise ValueError(f"{what} must be {low} to {high}, got {number}")
    return numbers


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The parameters of a game of limit hold'em: those of an ACPC game definition, and the house rules.

    Seats count from 0, in the order of the source, from the first blind. Amounts are whole chips.

    Parameters
    ----------
    blinds : tuple of int
        What each seat posts before the cards are dealt, as a live bet; one entry a seat, 2 to 23 of them.
    bets : tuple of int
        Size of a bet or raise in each of the four rounds.
    first : tuple of int
        The seat that acts first in each round (the next one that can act, where that one cannot).
    max_raises : tuple of int
        Bets and raises allowed in each round; before the flop the blind is not one of them.
    antes : tuple of int, optional
        Dead money each seat puts in (antes, dead blinds): in the main pot, not part of the bet. Empty: none.
    odd_chips : {"split", "first"}
        How a pot that does not divide is shared: into equal fractions of a chip, or in whole chips with
        one odd chip each to the winners in the earliest seats.
    cap_heads_up : bool
        Whether `max_raises` also holds between the last two players.
    full_blind : bool
        Whether a blind whose stack does not cover it is still called in full.
    reopening : {"half", "whole", "full", "any"}
        When an all-in bet or raise for less than a full one lets those who acted before raise again.
        "half": when they face at least half a bet; less than half a bet is not a raise, and the next raise
        completes it (Robert's Rules of Poker, limit play). "whole": the same, but half a bet or more stands for
        a whole one, so that the next raise goes to a number of whole bets (Bovada). "full": when they face a bet
        as large as the largest so far in this round (PokerKit). "any": always (the ACPC dealer, the IRC server).
        With "full" and "any" an all-in raise counts towards `max_raises` whatever its size.

    Raises
    ------
    ValueError
        If the number of entries does not fit, an amount is negative or no whole number, a bet is 0, a seat could put
        in more than 2^53 chips, or a choice is not one of those named.
    """

    blinds: tuple[int, ...]
    bets: PerRound
    first: PerRound
    max_raises: PerRound = (3, 4, 4, 4)
    antes: tuple[int, ...] = ()
    odd_chips: OddChips = "split"
    cap_heads_up: bool = True
    full_blind: bool = True
    reopening: Reopening = "half"

    def __post_init__(self) -> None:
        """Check everything, and make tuples of whatever came."""
        blinds = _numbers(self.blinds, "blinds", 0, MAX_CHIPS)
        if not 2 <= len(blinds) <= _MAX_PLAYERS:
            raise ValueError(f"a game has 2 to {_MAX_PLAYERS} players, got {len(blinds)} blinds")
        antes = _numbers(self.antes, "antes", 0, MAX_CHIPS)
        if antes and len(antes) != len(blinds):
            raise ValueError(f"antes must have one entry for each of {len(blinds)} players, got {len(antes)}")
        clean: dict[str, object] = {
            "blinds": blinds,
            "bets": _numbers(self.bets, "bets", 1, MAX_CHIPS, _ROUNDS),
            "first": _numbers(self.first, "first", 0, len(blinds) - 1, _ROUNDS),
            "max_raises": _numbers(self.max_raises, "max_raises", 0, 1_000_000, _ROUNDS),
            "antes": antes if any(antes) else (),
        }
        for name, value in clean.items():
            object.__setattr__(self, name, value)
        for name, choices in ("odd_chips", get_args(OddChips)), ("reopening", get_args(Reopening)):
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} must be one of {', '.join(choices)}, got {getattr(self, name)!r}")
        most = sum(bet * raises for bet, raises in zip(self.bets, self.max_raises, strict=True))
        if most + max(blinds) + max(antes, default=0) > _MOST_IN:
            raise ValueError(f"a seat could put in more than {_MOST_IN:,} chips: expected smaller or fewer bets")
        for name in "cap_heads_up", "full_blind":
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, got {getattr(self, name)!r}")

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.blinds)

    @property
    def small_bet(self) -> int:
        """Size of a bet before and on the flop."""
        return self.bets[0]

    @classmethod
    def ring(cls, players: int, small_blind: int, small_bet: int) -> GameSpec:
        """Return the usual game: small blind first, big blind (a small bet) second, button last.

        Parameters
        ----------
        players : int
            2 to 23. Two play as in `heads_up`, with the button in seat 0.
        small_blind, small_bet : int
            In chips. The bets of turn and river are twice the small one.

        Raises
        ------
        ValueError
            As the constructor does.
        """
        if players == 2:
            return cls.heads_up(small_blind, small_bet)
        if not 2 < players <= _MAX_PLAYERS:
            raise ValueError(f"a game has 2 to {_MAX_PLAYERS} players, got {players}")
        blinds = (small_blind, small_bet, *[0] * (players - 2))
        return cls(blinds, (small_bet, small_bet, 2 * small_bet, 2 * small_bet), (2, 0, 0, 0))

    @classmethod
    def heads_up(cls, small_blind: int, small_bet: int, button: int = 0) -> GameSpec:
        """Return the game of two: the button has the small blind, acts first pre-flop and last after it.

        Parameters
        ----------
        small_blind, small_bet : int
            In chips. The bets of turn and river are twice the small one.
        button : {0, 1}
            The seat with the button. The ACPC and PHH list the big blind first: 1.

        Raises
        ------
        ValueError
            As the constructor does.
        """
        if button not in (0, 1):
            raise ValueError(f"button must be seat 0 or 1, got {button!r}")
        blinds = (small_bet, small_blind) if button else (small_blind, small_bet)
        other = 1 - button
        return cls(blinds, (small_bet, small_bet, 2 * small_bet, 2 * small_bet), (button, other, other, other))

    @classmethod
    def from_acpc(cls, text: str) -> GameSpec:
        """Read a game definition of the Annual Computer Poker Competition.

        Parameters
        ----------
        text : str
            From ``GAMEDEF`` to ``END GAMEDEF``; lines that start with ``#`` are skipped.

        Returns
        -------
        GameSpec
            With the dealer's rule for short all-ins, ``reopening="any"``.

        Raises
        ------
        ValueError
            If it is damaged, not limit betting, or not hold'em.
        """
        keys = {key.lower(): key for key in (*_ACPC_KEYS, "stack")}
        found: dict[str, tuple[int, ...]] = {}
        marks = []
        for line in text.splitlines():
            key, equals, value = (part.strip() for part in line.partition("="))
            if not key or key.startswith("#"):
                continue
            if not equals:
                marks.append(key.lower())
                continue
            if key.lower() not in keys:
                raise ValueError(f"game definition: unknown parameter {key!r}")
            try:
                found[keys[key.lower()]] = tuple(map(int, value.split()))
            except ValueError:
                raise ValueError(f"game definition: {key} must be whole numbers, got {value!r}") from None
        if "nolimit" in marks:
            raise ValueError("game definition: no-limit betting is not supported, expected 'limit'")
        if marks != ["gamedef", "limit", "end gamedef"]:
            raise ValueError(f"game definition: expected the lines GAMEDEF, limit, END GAMEDEF, got {marks}")
        for key, expected in _HOLDEM.items():
            if found.get(key) != expected:
                raise ValueError(f"game definition: {key} must be {_words(expected)} for hold'em")
        if "stack" in found:
            raise ValueError("game definition: stacks belong to a hand here, expected a game without")
        if len(found.get("numPlayers", ())) != 1:
            raise ValueError("game definition: numPlayers must be one number")
        if "raiseSize" not in found:
            raise ValueError("game definition: raiseSize is missing")
        (players,) = found["numPlayers"]
        if not 2 <= players <= _MAX_PLAYERS:
            raise ValueError(f"game definition: numPlayers must be 2 to {_MAX_PLAYERS}, got {players}")
        blinds = found.get("blind", ())
        if len(blinds) > players:
            raise ValueError(f"game definition: blind has {len(blinds)} entries for {players} players")
        return cls(
            blinds + (0,) * (players - len(blinds)),
            cast("PerRound", found["raiseSize"]),
            cast("PerRound", tuple(seat - 1 for seat in found.get("firstPlayer", (1,) * _ROUNDS))),
            cast("PerRound", found.get("maxRaises", (_NO_CAP,) * _ROUNDS)),
            reopening="any",
        )

    def to_acpc(self) -> str:
        """Write the game definition of the Annual Computer Poker Competition.

        House rules about odd chips and all-ins have no place in it.

        Returns
        -------
        str
            From ``GAMEDEF`` to ``END GAMEDEF`` and a line feed.

        Raises
        ------
        ValueError
            If the game has antes, or no cap between the last two players: neither can be said.
        """
        if self.antes:
            raise ValueError("an ACPC game definition cannot have antes")
        if not self.cap_heads_up:
            raise ValueError("an ACPC game definition cannot lift the cap between two players")
        values = _HOLDEM | {
            "numPlayers": (self.players,),
            "blind": self.blinds,
            "raiseSize": self.bets,
            "firstPlayer": tuple(seat + 1 for seat in self.first),
            "maxRaises": self.max_raises,
        }
        lines = [f"{key} = {_words(values[key])}" for key in _ACPC_KEYS]
        return "\n".join(["GAMEDEF", "limit", *lines, "END GAMEDEF", ""])


def _words(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
