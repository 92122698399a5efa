"""Where players sit, as they say it."""

from __future__ import annotations

from functools import cache

from pokermodel.game.spec import GameSpec

__all__ = ["POSITIONS", "button", "positions"]

#: Where a player sits. Counted back from the button: the cutoff is the seat before it, the three before that are the
#: middle, and all before them early. Between two players the one with the button has the small blind.
POSITIONS = ("small blind", "big blind", "early", "middle", "cutoff", "button")
_SMALL_BLIND, _BIG_BLIND, _EARLY, _MIDDLE, _CUTOFF, _BUTTON = range(len(POSITIONS))


def positions(spec: GameSpec) -> tuple[int, ...]:
    """Where each seat sits, as an index into `POSITIONS`.

    The blinds are those that were posted in turn; who posted out of turn, or straddled, has the position of their seat.

    Examples
    --------
    >>> three = GameSpec(blinds=(5, 10, 0), bets=(10, 10, 20, 20), first=(2, 0, 0, 0))
    >>> [POSITIONS[position] for position in positions(three)]
    ['small blind', 'big blind', 'button']
    >>> straddled = GameSpec((5, 10, 20, 0), (10, 10, 10, 10), (3, 0, 0, 0), structure="no limit")
    >>> [POSITIONS[position] for position in positions(straddled)]
    ['small blind', 'big blind', 'cutoff', 'button']
    """
    opener, first = spec.first[:2]
    n = len(spec.blinds)
    big = (opener - 1) % n
    if not spec.structure.fixed and spec.blinds[(big - 1) % n] >= spec.bets[0]:
        while spec.blinds[big] > spec.bets[0]:  # straddles
            big = (big - 1) % n
    small = (big - 1) % n
    return _positions(n, first, big, small if spec.blinds[small] and (n == 2 or (big - first) % n) else -1)


def button(spec: GameSpec) -> int:
    """The seat of the dealer: the one before the first to act after the flop; between two players the small blind."""
    return (spec.first[1] - 1) % spec.players


@cache  # there are few, since a game has at most 23 players
def _positions(n: int, first: int, big: int, small: int) -> tuple[int, ...]:
    found = []
    for seat in range(n):
        before_button = n - 1 - (seat - first) % n
        if seat == big:
            found.append(_BIG_BLIND)
        elif seat == small:
            found.append(_SMALL_BLIND)
        else:
            found.append((_BUTTON, _CUTOFF, _MIDDLE, _MIDDLE, _MIDDLE)[before_button] if before_button < 5 else _EARLY)
    return tuple(found)
