"""The parameters of a game of hold'em."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import index
from typing import Any, Literal, cast, get_args

from pokermodel._core.rules import MAX_CHIPS
from pokermodel.game.structure import NO_CAP, BettingStructure

__all__ = ["GameSpec"]

OddChips = Literal["split", "first"]
Reopening = Literal["any", "half", "whole", "full", "minimum"]
MinRaise = Literal["last", "cumulative"]
ShortAnte = Literal["whole", "matched"]
PerRound = tuple[int, int, int, int]

_MAX_PLAYERS = 23  # as many as a deck serves
_NO_CAP = 255  # what an ACPC game definition without maxRaises means
_MOST_IN = 2**53  # chips of one seat: pots of all seats stay far within 64 bits
_ROUNDS = 4
_USUAL: Any = None  # the default that the structure has

_HOLDEM = {
    "numRounds": (_ROUNDS,),
    "numSuits": (4,),
    "numRanks": (13,),
    "numHoleCards": (2,),
    "numBoardCards": (0, 3, 1, 1),
}
_ACPC_KEYS = (
    *("numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises"),
    *list(_HOLDEM)[1:],
)
_ACPC_STRUCTURES = {"limit": BettingStructure.LIMIT, "nolimit": BettingStructure.NO_LIMIT}


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
    """The parameters of a game of hold'em: those of an ACPC game definition, and the house rules.

    Seats count from 0, in the order of the source, from the first blind. Amounts are whole chips.

    Parameters
    ----------
    blinds : tuple of int
        The live bet that each seat posts before the deal; one entry a seat, 2 to 23 of them.
    bets : tuple of int
        In limit, the size of a bet or raise in each of the four rounds; otherwise the least bet, the big blind.
    first : tuple of int
        The seat that acts first in each round (the next one that can act, where that one cannot).
    max_raises : tuple of int
        Bets and raises allowed in each round; before the flop the blind is not one of them. Default: (3, 4, 4, 4) in
        limit, otherwise no cap, which is 1,000,000.
    antes : tuple of int, optional
        Dead money each seat puts in (antes, dead blinds): in the main pot, not part of the bet. Empty: none.
    odd_chips : {"split", "first"}
        How a pot that does not divide is shared: into equal fractions of a chip, or in whole chips with
        one odd chip each to the winners in the earliest seats.
    cap_heads_up : bool
        Whether `max_raises` also holds between the last two players.
    full_blind : bool
        Whether a blind whose stack does not cover it is still called in full.
    reopening : {"half", "whole", "minimum", "full", "any"}
        When an all-in bet or raise for less than a full one lets those who acted before raise again. Default: "half" in
        limit, otherwise "minimum".

        - "half": when they face at least half a bet; less than half a bet is not a raise, and the next raise completes
          it (Robert's Rules of Poker, limit play). In limit only.
        - "whole": the same, but half a bet or more stands for a whole one, so that the next raise goes to a number of
          whole bets (Bovada). In limit only.
        - "minimum": when they face at least a full bet or raise, be it by several all-ins (Tournament Directors
          Association 2022, rule 47). A straddle, which is a blind above the big blind, is then a bet: the least raise
          doubles it.
        - "full": when they face a bet as large as the largest so far in this round, which can be an all-in for less
          than the least bet (PokerKit).
        - "any": always (the ACPC dealer, the IRC server).

        With the last three an all-in raise of any size counts towards `max_raises`.
    structure : BettingStructure or {"limit", "pot limit", "no limit"}
        The betting structure: how large a bet or raise may be.
    min_raise : {"last", "cumulative"}
        What the least raise is outside limit. "last": a raise by as much as the largest bet or raise of this round, the
        rule of casinos and sites. "cumulative": the same, but a short all-in raise is a part of the next full one,
        which may complete it (the ACPC dealer).
    stacks : tuple of int, optional
        Chips of each seat at the beginning of every hand, where the hand does not say otherwise. Empty: not known.
    short_ante : {"whole", "matched"}
        What a player whose last chips were the ante can win of the antes of the others: all of them, as of any dead
        money, or of each as much as their own, which is the rule of sites.
    site : str
        Where it is played, as `Hand.source` names it; "" where that is not known, or no site. No rule goes by it.
    stake : str
        What it is played for, in money where that is known: ``"8/16 USD"``; "chips" in a tournament; "" if
        nothing is known. No rule goes by it. Games that differ in nothing but `site` and `stake` are equal.

    Raises
    ------
    ValueError
        If the number of entries does not fit, an amount is negative or no whole number, a bet or stack is 0, a seat
        could put in more than 2^53 chips in limit, a choice is not one of those named, or `reopening` does not fit
        the structure.
    """

    blinds: tuple[int, ...]
    bets: PerRound
    first: PerRound
    max_raises: PerRound = _USUAL
    antes: tuple[int, ...] = ()
    odd_chips: OddChips = "split"
    cap_heads_up: bool = True
    full_blind: bool = True
    reopening: Reopening = _USUAL
    structure: BettingStructure = BettingStructure.LIMIT
    min_raise: MinRaise = "last"
    stacks: tuple[int, ...] = ()
    short_ante: ShortAnte = "whole"
    site: str = field(default="", compare=False, repr=False)
    stake: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check everything, and make tuples of all sequences."""
        try:
            structure = BettingStructure(self.structure)
        except ValueError:
            names = ", ".join(BettingStructure)
            raise ValueError(f"structure must be one of {names}, got {self.structure!r}") from None
        blinds = _numbers(self.blinds, "blinds", 0, MAX_CHIPS)
        if not 2 <= len(blinds) <= _MAX_PLAYERS:
            raise ValueError(f"a game has 2 to {_MAX_PLAYERS} players, got {len(blinds)} blinds")
        antes = _numbers(self.antes, "antes", 0, MAX_CHIPS)
        stacks = _numbers(self.stacks, "stacks", 1, MAX_CHIPS)
        for what, amounts in ("antes", antes), ("stacks", stacks):
            if amounts and len(amounts) != len(blinds):
                raise ValueError(f"{what} must have one entry for each of {len(blinds)} players, got {len(amounts)}")
        max_raises = structure.max_raises if self.max_raises is None else self.max_raises
        clean: dict[str, object] = {
            "blinds": blinds,
            "bets": _numbers(self.bets, "bets", 1, MAX_CHIPS, _ROUNDS),
            "first": _numbers(self.first, "first", 0, len(blinds) - 1, _ROUNDS),
            "max_raises": _numbers(max_raises, "max_raises", 0, NO_CAP, _ROUNDS),
            "antes": antes if any(antes) else (),
            "reopening": structure.reopening if self.reopening is None else self.reopening,
            "structure": structure,
            "stacks": stacks,
        }
        for name, value in clean.items():
            object.__setattr__(self, name, value)
        choices = {
            "odd_chips": OddChips,
            "reopening": Reopening,
            "min_raise": MinRaise,
            "short_ante": ShortAnte,
        }
        for name, kinds in choices.items():
            if getattr(self, name) not in get_args(kinds):
                raise ValueError(f"{name} must be one of {', '.join(get_args(kinds))}, got {getattr(self, name)!r}")
        if self.reopening in ("half", "whole") and not structure.fixed:
            raise ValueError(f"reopening must be minimum, full or any in {structure}, got {self.reopening!r}")
        most = sum(bet * raises for bet, raises in zip(self.bets, self.max_raises, strict=True))
        if structure.fixed and most + max(blinds) + max(antes, default=0) > _MOST_IN:
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
        """Size of a bet before and on the flop; outside limit the big blind."""
        return self.bets[0]

    @property
    def stakes(self) -> tuple[int | Fraction, int]:
        """The name of a game: small and big bet in limit, otherwise the blinds.

        A missing small blind counts as half of the big blind.
        """
        if self.structure.fixed:
            return self.bets[0], self.bets[2]
        big = self.bets[0]
        return min((blind for blind in self.blinds if 0 < blind < big), default=Fraction(big, 2)), big

    def require_limit(self, what: str, why: str = "the published programs that it is based on played limit") -> None:
        """Raise `ValueError` unless the structure is limit. `what` needs it, and `why`, for the message."""
        if not self.structure.fixed:
            raise ValueError(f"{what} needs limit betting, got {self.structure}: {why}")

    @classmethod
    def ring(cls, players: int, small_blind: int, small_bet: int) -> GameSpec:
        """Return the usual game of limit: small blind first, big blind (a small bet) second, button last.

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
        blinds, first = _seating(players, small_blind, small_bet)
        return cls(blinds, (small_bet, small_bet, 2 * small_bet, 2 * small_bet), first)

    @classmethod
    def heads_up(cls, small_blind: int, small_bet: int, button: int = 0) -> GameSpec:
        """Return the game of two in limit: the button has the small blind, acts first pre-flop and last after it.

        Amounts and errors are those of `ring`. The button is seat 0 or 1. The ACPC and PHH list the big blind first: 1.
        """
        blinds, first = _seating(2, small_blind, small_bet, button)
        return cls(blinds, (small_bet, small_bet, 2 * small_bet, 2 * small_bet), first)

    @classmethod
    def no_limit(
        cls, players: int, small_blind: int, big_blind: int, *, stacks: Iterable[int] = (), button: int = 0
    ) -> GameSpec:
        """Return the usual game of no limit, with seats as in `ring` or, of two players, as in `heads_up`.

        Parameters
        ----------
        players : int
            2 to 23.
        small_blind, big_blind : int
            In chips. The big blind is the least bet of all rounds.
        stacks : iterable of int, optional
            Chips of each seat at the beginning of every hand. Default: not known.
        button : {0, 1}
            The seat with the button if there are two players; of more, it is the last one.

        Raises
        ------
        ValueError
            As the constructor does.

        Examples
        --------
        >>> from pokermodel.game import Act, State
        >>> state = State(GameSpec.no_limit(2, 50, 100, stacks=(2000, 3000)))
        >>> state.raise_range()
        (200, 2000)
        >>> state.act(Act.RAISE, 300)
        250
        """
        blinds, first = _seating(players, small_blind, big_blind, button)
        bets = (big_blind, big_blind, big_blind, big_blind)
        return cls(blinds, bets, first, structure=BettingStructure.NO_LIMIT, stacks=tuple(stacks))

    @classmethod
    def pot_limit(
        cls, players: int, small_blind: int, big_blind: int, *, stacks: Iterable[int] = (), button: int = 0
    ) -> GameSpec:
        """Return the usual game of pot limit; parameters and errors are those of `no_limit`."""
        usual = cls.no_limit(players, small_blind, big_blind, stacks=stacks, button=button)
        return replace(usual, structure=BettingStructure.POT_LIMIT)

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
            With the dealer's rules for short all-ins, ``reopening="any"`` and, in no limit, ``min_raise="cumulative"``.

        Raises
        ------
        ValueError
            If it is damaged, or not hold'em.
        """
        keys = {key.lower(): key for key in _ACPC_KEYS}
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
        if len(marks) != 3 or marks[1] not in _ACPC_STRUCTURES or marks[::2] != ["gamedef", "end gamedef"]:
            raise ValueError(f"game definition: expected the lines GAMEDEF, limit or nolimit, END GAMEDEF, got {marks}")
        structure = _ACPC_STRUCTURES[marks[1]]
        for key, expected in _HOLDEM.items():
            if found.get(key) != expected:
                raise ValueError(f"game definition: {key} must be {_words(expected)} for hold'em")
        if len(found.get("numPlayers", ())) != 1:
            raise ValueError("game definition: numPlayers must be one number")
        if structure.fixed and "raiseSize" not in found:
            raise ValueError("game definition: raiseSize is missing")
        if not structure.fixed and "raiseSize" in found:
            raise ValueError("game definition: raiseSize has no meaning in no limit, expected a game without")
        (players,) = found["numPlayers"]
        if not 2 <= players <= _MAX_PLAYERS:
            raise ValueError(f"game definition: numPlayers must be 2 to {_MAX_PLAYERS}, got {players}")
        blinds = found.get("blind", ())
        if len(blinds) > players:
            raise ValueError(f"game definition: blind has {len(blinds)} entries for {players} players")
        return cls(
            blinds + (0,) * (players - len(blinds)),
            cast("PerRound", found.get("raiseSize", (max((1, *blinds)),) * _ROUNDS)),
            cast("PerRound", tuple(seat - 1 for seat in found.get("firstPlayer", (1,) * _ROUNDS))),
            cast("PerRound", found.get("maxRaises", (_NO_CAP,) * _ROUNDS)),
            reopening="any",
            structure=structure,
            min_raise="last" if structure.fixed else "cumulative",
            stacks=found.get("stack", ()),
        )

    def to_acpc(self) -> str:
        """Write the game definition of the Annual Computer Poker Competition, from ``GAMEDEF`` to ``END GAMEDEF``.

        House rules about odd chips, all-ins and the least raise have no place in it. `ValueError` if the game is pot
        limit, has antes, no cap between the last two players, or a least bet other than the largest blind.
        """
        names = {structure: name for name, structure in _ACPC_STRUCTURES.items()}
        if self.structure not in names:
            raise ValueError(f"an ACPC game definition cannot be {self.structure}")
        if self.antes:
            raise ValueError("an ACPC game definition cannot have antes")
        if not self.cap_heads_up:
            raise ValueError("an ACPC game definition cannot lift the cap between two players")
        values = _HOLDEM | {
            "numPlayers": (self.players,),
            "stack": self.stacks,
            "blind": self.blinds,
            "firstPlayer": tuple(seat + 1 for seat in self.first),
            "maxRaises": self.max_raises,
        }
        if self.structure.fixed:
            values["raiseSize"] = self.bets
        elif set(self.bets) != {max((1, *self.blinds))}:
            raise ValueError(f"an ACPC game definition cannot have least bets of {_words(self.bets)} in no limit")
        elif min(self.max_raises) >= _NO_CAP:
            del values["maxRaises"]
        lines = [f"{key} = {_words(values[key])}" for key in _ACPC_KEYS if values.get(key)]
        return "\n".join(["GAMEDEF", names[self.structure], *lines, "END GAMEDEF", ""])


def _seating(players: int, small_blind: int, big_blind: int, button: int = 0) -> tuple[tuple[int, ...], PerRound]:
    """Blinds and the first to act of the usual game; `button` is looked at with two players."""
    if not 2 <= players <= _MAX_PLAYERS:
        raise ValueError(f"a game has 2 to {_MAX_PLAYERS} players, got {players}")
    if players > 2:
        return (small_blind, big_blind, *[0] * (players - 2)), (2, 0, 0, 0)
    if button not in (0, 1):
        raise ValueError(f"button must be seat 0 or 1, got {button!r}")
    other = 1 - button
    blinds = (big_blind, small_blind) if button else (small_blind, big_blind)
    return blinds, (button, other, other, other)


def _words(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
