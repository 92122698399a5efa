"""Loki-1's deceptive rules after the flop, which make GOM' of GOM and SOM' of SOM (Papp 1998, section 8.2).

They change what the other rules decide now and then, so that a check is not always weak and a bet not always strong. Of
their numbers, only those of the check-raise are printed: 60% of the time, with three players behind and an optimistic
effective strength (EHS') of .92 or more. That more than three players behind will do as well is ours, and so are the
other rules in this form:

- a check-raise without the strength for it, 5% of the time, with as many players behind and EHS' of .50 to .70;
- a bluff on the river, 15% of the time: a bet with EHS' of .10 or less against at most two opponents;
- a raise instead of a call of the first bet of a round, 10% of the time.

The rules are functions of plain numbers. One random number serves a decision, since no two of them apply to the same.
"""

from __future__ import annotations

from typing import NamedTuple

from pokermodel.game import Act

__all__ = ["Deceived", "balances", "bluffs_river", "checks_to_raise", "deceptive_action"]

#: Check-raises: how often, from which EHS', and with how many players behind (Papp 1998, section 8.2).
CHECK_RAISE, CHECK_RAISE_STRENGTH, CHECK_RAISE_BEHIND = 0.60, 0.92, 3
#: Check-raises without the strength for them: how often, and with which EHS' (ours).
FALSE_CHECK_RAISE, FALSE_STRENGTHS = 0.05, (0.50, 0.70)
#: River bluffs: how often, up to which EHS', and against how many opponents at most (ours).
RIVER_BLUFF, RIVER_BLUFF_STRENGTH, RIVER_BLUFF_OPPONENTS = 0.15, 0.10, 2
#: Raises instead of calls: how often (ours).
BALANCING_RAISE = 0.10


class Deceived(NamedTuple):
    """The result of the deceptive rules for a decision.

    Attributes
    ----------
    act : Act
        The act. A raise beyond the cap is for the caller to turn into a call.
    check_raise : bool
        Whether the player has checked in order to raise.
    reason : str
        The rule that decided; empty if the act is that of the other rules.
    """

    act: Act
    check_raise: bool
    reason: str


def checks_to_raise(strength: float, behind: int, chance: float) -> bool:
    """Whether a player who could bet checks in order to raise, which is the first half of a check-raise.

    Parameters
    ----------
    strength : float
        EHS'.
    behind : int
        Players who are still to act in this round.
    chance : float
        A random number of [0, 1).

    Examples
    --------
    >>> checks_to_raise(0.92, 3, 0.59), checks_to_raise(0.92, 3, 0.60), checks_to_raise(0.92, 2, 0.59)
    (True, False, False)
    """
    if behind < CHECK_RAISE_BEHIND:
        return False
    if strength >= CHECK_RAISE_STRENGTH:
        return chance < CHECK_RAISE
    low, high = FALSE_STRENGTHS
    return low <= strength <= high and chance < FALSE_CHECK_RAISE


def bluffs_river(strength: float, opponents: int, chance: float) -> bool:
    """Whether a player who could check on the river bets with next to nothing.

    Parameters
    ----------
    strength : float
        EHS', which on the river is the strength alone.
    opponents : int
        Opponents who have not folded.
    chance : float
        A random number of [0, 1).

    Examples
    --------
    >>> bluffs_river(0.1, 2, 0.14), bluffs_river(0.1, 3, 0.14), bluffs_river(0.1, 2, 0.15)
    (True, False, False)
    """
    return strength <= RIVER_BLUFF_STRENGTH and opponents <= RIVER_BLUFF_OPPONENTS and chance < RIVER_BLUFF


def balances(num_bets: int, chance: float) -> bool:
    """Whether a player who would call raises instead: the first bet of a round alone, as Loki-1 makes two at most.

    Parameters
    ----------
    num_bets : int
        Bets and raises of this round by all players.
    chance : float
        A random number of [0, 1).

    Examples
    --------
    >>> balances(1, 0.09), balances(2, 0.09), balances(1, 0.1)
    (True, False, False)
    """
    return num_bets == 1 and chance < BALANCING_RAISE


def deceptive_action(
    act: Act,
    *,
    strength: float,
    river: bool,
    to_call: float,
    num_bets: int,
    opponents: int,
    behind: int,
    check_raise: bool,
    chance: float,
) -> Deceived:
    """The action of a deceptive player after the flop.

    Parameters
    ----------
    act : Act
        The action by the other rules.
    strength : float
        EHS'.
    river : bool
        Whether it is the river.
    to_call : float
        Chips to call.
    num_bets : int
        Bets and raises of this round by all players.
    opponents : int
        Opponents who have not folded.
    behind : int
        Players who are still to act in an unbet round.
    check_raise : bool
        Whether the player has checked in this round in order to raise.
    chance : float
        A random number of [0, 1) for this decision.

    Returns
    -------
    Deceived
        A player who checked to raise raises the first bet at any strength. If the bet was raised before it comes back,
        the other rules decide.
    """
    if to_call == 0:
        if checks_to_raise(strength, behind, chance):
            return Deceived(Act.CALL, True, f"check to raise: EHS' {strength:.3f}")
        if river and act == Act.CALL and bluffs_river(strength, opponents, chance):
            return Deceived(Act.RAISE, False, f"river bluff: EHS' {strength:.3f}")
    elif check_raise and num_bets == 1:
        return Deceived(Act.RAISE, False, "check-raise")
    elif act == Act.CALL and balances(num_bets, chance):
        return Deceived(Act.RAISE, False, "raise instead of a call")
    return Deceived(act, False, "")
