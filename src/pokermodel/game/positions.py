"""Where players sit, as they say it."""

from __future__ import annotations

from functools import cache

from pokermodel.game.spec import GameSpec

__all__ = ["POSITIONS", "SEATS", "TABLE_SIZES", "button", "position_names", "positions", "seat_names", "table_size"]

#: Where a player sits. Counted back from the button: the cutoff is the seat before it, the three before that are the
#: middle, and all before them early. Between two players the one with the button has the small blind.
POSITIONS = ("small blind", "big blind", "early", "middle", "cutoff", "button")
_SMALL_BLIND, _BIG_BLIND, _EARLY, _MIDDLE, _CUTOFF, _BUTTON = range(len(POSITIONS))
#: The names of seats that players of no limit and pot limit use, in the order in which they act before the flop. The
#: first to act of five players or more is UTG; the seats before the cutoff are the hijack and the lojack.
SEATS = ("UTG", *(f"UTG+{k}" for k in range(1, 17)), "LJ", "HJ", "CO", "BTN", "SB", "BB")
_LATE = ("BTN", "CO", "HJ", "LJ")
#: Kinds of tables, by how many players are dealt in: 2, 3 to 6, 7 and more.
TABLE_SIZES = ("heads-up", "6-max", "full ring")


def table_size(players: int) -> str:
    """Which of `TABLE_SIZES` so many players make."""
    return TABLE_SIZES[(players > 2) + (players > 6)]


def seat_names(where: tuple[int, ...]) -> tuple[str, ...]:
    """Names of the seats of a table, as players of no limit use them.

    Parameters
    ----------
    where : tuple of int
        As `positions` has it.

    Returns
    -------
    tuple of str
        Names of the positions by seat, each one of `SEATS`.

    Examples
    --------
    >>> seat_names(positions(GameSpec.no_limit(6, 50, 100)))
    ('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
    """
    return _seat_names(where)


@cache
def _seat_names(where: tuple[int, ...]) -> tuple[str, ...]:
    n = len(where)
    button = where.index(_BUTTON) if _BUTTON in where else n - 1
    others = [seat for k in range(n) if where[seat := (button - k) % n] not in (_SMALL_BLIND, _BIG_BLIND)]
    late = _LATE[: max(min(len(others) - 1, len(_LATE)), 2)]
    early = [f"UTG+{k}" if k else "UTG" for k in reversed(range(max(len(others) - len(late), 0)))]
    named = dict(zip(others, (*late, *early), strict=False))
    return tuple(named.get(seat, ("SB", "BB")[where[seat] == _BIG_BLIND]) for seat in range(n))


def position_names(spec: GameSpec) -> tuple[str, ...]:
    """The names of the seats of a game: in limit as in `POSITIONS`, outside it as in `SEATS`.

    Examples
    --------
    >>> position_names(GameSpec.no_limit(3, 50, 100)), position_names(GameSpec.heads_up(5, 10))
    (('SB', 'BB', 'BTN'), ('small blind', 'big blind'))
    """
    where = positions(spec)
    return tuple(POSITIONS[each] for each in where) if spec.structure.fixed else _seat_names(where)


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
    has_small = spec.blinds[small] or not spec.max_raises[0]  # in a bomb pot nobody has posted
    return _positions(n, first, big, small if has_small and (n == 2 or (big - first) % n) else -1)


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
