"""The parameters of a game of limit hold'em."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GameSpec"]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The parameters of a game of limit hold'em, as an ACPC game definition gives them.

    Seats count from the first blind. All amounts are whole chips.

    Parameters
    ----------
    blinds : tuple of int
        What each seat posts before the cards are dealt, as a live bet; one entry a seat.
    bets : tuple of int
        Size of a bet or raise in each of the four rounds.
    first : tuple of int
        The seat that acts first in each round (the next live seat, where that one is out).
    max_raises : tuple of int
        Bets and raises allowed in each round; before the flop the blind is not one of them.
    antes : tuple of int, optional
        Dead money each seat puts in (antes, dead blinds): in the pot, not part of the bet. Empty: none.
    odd_chips : {"split", "first"}
        How a pot that does not divide is shared: into equal fractions of a chip, or in whole chips with
        the odd ones to the winners in the earliest seats.
    """

    blinds: tuple[int, ...]
    bets: tuple[int, int, int, int]
    first: tuple[int, int, int, int]
    max_raises: tuple[int, int, int, int] = (3, 4, 4, 4)
    antes: tuple[int, ...] = ()
    odd_chips: str = "split"
