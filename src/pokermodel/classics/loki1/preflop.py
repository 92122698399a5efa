"""Loki-1 before the flop: the expert system (Papp 1998, section 6.1 and Table B.1).

Its rules are functions of plain numbers, so that each can be tried alone. All amounts are in one unit, chips or bets.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal, TypeAlias

from pokermodel.cards import CardsLike
from pokermodel.evaluation.preflop import income_rate
from pokermodel.game import Act, Situation

__all__ = [
    "PREFLOP_THRESHOLDS",
    "Group",
    "Strategy",
    "Tightness",
    "expected_players",
    "in_small_blind",
    "player_group",
    "preflop_action",
    "preflop_strategy",
    "preflop_thresholds",
    "rate_players",
    "seats_paid",
]

Tightness: TypeAlias = Literal["tight", "moderate", "loose"]
Group: TypeAlias = Literal["two", "three to four", "five or more"]


class Strategy(IntEnum):
    """A player's plan before the flop."""

    MAKE0 = 0  #: check if free, else fold
    CALL1 = 1  #: call one bet
    MAKE1 = 2  #: bet if nobody has, call one bet
    CALL2 = 3  #: call whatever comes
    MAKE2 = 4  #: make it two bets
    MAKE4 = 5  #: raise to the cap


#: Threshold of Make1, Make2 and Make4 as (base, increment by position), in thousandths of a bet
#: (Papp 1998, Table B.1).
PREFLOP_THRESHOLDS: Mapping[Group, Mapping[Tightness, tuple[tuple[int, int], ...]]] = {
    "two": {
        "tight": ((-50, 50), (150, 50), (300, 0)),
        "moderate": ((-50, 50), (50, 50), (300, 0)),
        "loose": ((-50, 50), (0, 0), (300, 0)),
    },
    "three to four": {
        "tight": ((50, 50), (200, 50), (580, 0)),
        "moderate": ((50, 25), (200, 25), (580, 0)),
        "loose": ((50, 10), (200, 10), (580, 0)),
    },
    "five or more": {
        "tight": ((0, 70), (450, 50), (900, 0)),
        "moderate": ((0, 50), (450, 25), (900, 0)),
        "loose": ((0, 30), (450, 10), (900, 0)),
    },
}
#: Thresholds of Call1 and Call2 in the small blind, where they are not those of Make1 and Make2.
_SMALL_BLIND: Mapping[Group, tuple[int, int] | None] = {
    "two": None,
    "three to four": (-75, 200),
    "five or more": (0, 450),
}
#: The income-rate table of each group, by its number of players.
_GROUP_PLAYERS: Mapping[Group, int] = {"two": 2, "three to four": 4, "five or more": 7}


def seats_paid(situation: Situation) -> set[int]:
    """Seats that have put chips in, and the player's own."""
    return {seat for seat, chips in enumerate(situation.committed) if chips} | {situation.seat}


def in_small_blind(situation: Situation) -> bool:
    """Whether the player posted a blind that is not the largest."""
    blinds = situation.spec.blinds
    return 0 < blinds[situation.seat] < max(blinds)


def rate_players(group: Group) -> int:
    """Number of players of the income rates that a group goes by."""
    return _GROUP_PLAYERS[group]


def expected_players(guaranteed: int, in_pot: int) -> float:
    """Players to reckon with: ``guaranteed + 0.6*(in_pot - guaranteed)`` (Papp 1998, section 6.1).

    Parameters
    ----------
    guaranteed : int
        Players who have put chips in, blinds included, and oneself.
    in_pot : int
        Players who have not folded, oneself included.

    Examples
    --------
    >>> expected_players(3, 4)
    3.6
    """
    return guaranteed + 0.6 * (in_pot - guaranteed)


def player_group(guaranteed: int, in_pot: int) -> Group:
    """Which thresholds and income rates apply (Papp 1998, section 6.1)."""
    if in_pot < 2.5:
        return "two"
    return "five or more" if expected_players(guaranteed, in_pot) >= 4.5 else "three to four"


def preflop_thresholds(
    group: Group, tightness: Tightness, position: int, *, small_blind: bool = False, shift: float = 0.0
) -> dict[Strategy, float]:
    """Least income rate for each strategy above Make0, in thousandths of a bet.

    Parameters
    ----------
    group : {"two", "three to four", "five or more"}
        See `player_group`.
    tightness : {"tight", "moderate", "loose"}
        Style of play.
    position : int
        Players still in who act before the small blind's next turn; the button is 0.
    small_blind : bool
        Whether it is the small blind who acts.
    shift : float
        Added to every threshold.

    Raises
    ------
    ValueError
        If the group or tightness is unknown.
    """
    if group not in PREFLOP_THRESHOLDS:
        raise ValueError(f"unknown group {group!r}: expected one of {', '.join(PREFLOP_THRESHOLDS)}")
    if tightness not in PREFLOP_THRESHOLDS[group]:
        raise ValueError(f"unknown tightness {tightness!r}: expected 'tight', 'moderate' or 'loose'")
    make1, make2, make4 = (
        base + increment * position + shift for base, increment in PREFLOP_THRESHOLDS[group][tightness]
    )
    call1, call2 = make1, make2
    if small_blind and (own := _SMALL_BLIND[group]) is not None:
        call1, call2 = own[0] + shift, own[1] + shift
    return {
        Strategy.MAKE4: make4,
        Strategy.MAKE2: make2,
        Strategy.CALL2: call2,
        Strategy.MAKE1: make1,
        Strategy.CALL1: call1,
    }


def preflop_strategy(
    holding: CardsLike,
    *,
    guaranteed: int,
    in_pot: int,
    position: int,
    tightness: Tightness = "loose",
    small_blind: bool = False,
    shift: float = 0.0,
) -> Strategy:
    """The strategy for a holding: the first whose threshold its income rate reaches (Papp 1998, section 6.1).

    Parameters
    ----------
    holding : cards
        Two cards.
    guaranteed, in_pot
        As `expected_players`.
    position, tightness, small_blind, shift
        As `preflop_thresholds`.

    Raises
    ------
    ValueError
        If the holding is not two cards or the tightness is unknown.
    """
    group = player_group(guaranteed, in_pot)
    rate = income_rate(holding, _GROUP_PLAYERS[group])
    thresholds = preflop_thresholds(group, tightness, position, small_blind=small_blind, shift=shift)
    for strategy, least in thresholds.items():
        if rate >= least:
            return strategy
    return Strategy.MAKE0


def preflop_action(strategy: Strategy, *, to_call: float, bets_to_call: int, num_bets: int, bets_put_in: int) -> Act:
    """The action of a strategy now (Papp 1998, section 6.1). The caller turns a raise beyond the cap into a call.

    Parameters
    ----------
    strategy : Strategy
        Chosen at the first decision of the round.
    to_call : float
        The price of a call, in any unit.
    bets_to_call : int
        The same in bets, rounded up.
    num_bets : int
        Bets and raises of this round by anybody, the big blind being the first.
    bets_put_in : int
        Bets that the player put in voluntarily in this round.
    """
    if strategy == Strategy.MAKE4 or (strategy == Strategy.MAKE2 and num_bets < 2):
        return Act.RAISE
    if strategy >= Strategy.CALL2 or to_call == 0:
        return Act.RAISE if strategy == Strategy.MAKE1 and num_bets < 1 else Act.CALL
    if strategy == Strategy.MAKE0:
        return Act.FOLD
    return Act.CALL if bets_to_call < 2 or bets_put_in > 0 else Act.FOLD
