"""The evidence of a finished hand of hold'em on the players who acted, for tables by class of holding.

1,326 holdings at each action of every hand would be too much to keep. Tables of classes cannot distinguish holdings
that were in the same class at every action. They are one row here, with their number, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from pokermodel._core import observed_hands as kernels
from pokermodel._core import situations
from pokermodel._support.arrays import Bytes, Floats, Integers
from pokermodel.classics.bpp.hidden_hands import HiddenHand, group_candidates
from pokermodel.classics.bpp.strength_buckets import BORDERS, PREFLOP_CLASSES
from pokermodel.evaluation import evaluate
from pokermodel.game import Decision, Hand
from pokermodel.reading.features import Features, Replay

__all__ = [
    "NOTHING",
    "HandArrays",
    "ObservedHand",
    "cells",
    "hidden_hands",
    "observe_hand",
]


def cells(features: Features) -> tuple[int, ...]:
    """The situation, and the contexts of it that corrections go by: five numbers.

    The contexts are the situation with the previous act; with players and who led; with the price and the bets made;
    and with the position, the acts and what was put in. They were chosen for the IRC database's April 1995.
    """
    return situations.cells(features)


class HandArrays(NamedTuple):
    """The content of an `ObservedHand`, as arrays.

    Attributes
    ----------
    actors : ndarray of intp, shape (actions,)
        Who did it, as an index of `ObservedHand.names`.
    rounds, acts : ndarray of intp, shape (actions,)
    cells : ndarray of intp, shape (actions, 5)
        As `cells`.
    legal : ndarray of float64, shape (actions, 3)
        1 for acts that were offered, else 0. Other actions are not in here.
    classes : ndarray of uint8, shape (candidates, rounds)
        For everything that somebody whose cards were never seen can have held, its classes round by round.
        Holdings of the same classes are one candidate.
    mass : ndarray of float64, shape (players who acted, candidates) or (1, candidates)
        How many holdings each candidate is: by player, if they differ.
    shown : ndarray of intp, shape (players who acted, rounds)
        The classes of those whose cards were seen; -1 of the others.
    """

    actors: Integers
    rounds: Integers
    acts: Integers
    cells: Integers
    legal: Floats
    classes: Bytes
    mass: Floats
    shown: Integers


class ObservedHand(NamedTuple):
    """The evidence of a finished hand on the players who acted.

    Attributes
    ----------
    names : tuple of str
        Names of the players who acted.
    content : bytes
        Their actions and possible holdings, as kernels read them; b"" if no player acted.
    """

    names: tuple[str, ...]
    content: bytes

    @property
    def arrays(self) -> HandArrays:
        """The hidden hand as new arrays. `ValueError` if no player acted."""
        return HandArrays(*kernels.unpack(self.content))


def observe_hand(
    hand: Hand, decisions: Iterable[Decision] | None = None, *, own: int | None = None
) -> ObservedHand | None:
    """Gather what a finished hand says.

    Parameters
    ----------
    hand : Hand
        Holdings that it knows of players who came to the showdown, and did not muck, are seen; others are not
        looked at.
    decisions : iterable of Decision, optional
        Its replay, if there is one already.
    own : int, optional
        A seat whose cards are known whether shown or not: the observer's.

    Returns
    -------
    ObservedHand or None
        None if the hand has no legal action.

    Raises
    ------
    ValueError
        If the hand breaks the rules, or the game is not limit.
    """
    hand.spec.require_limit("learning what players do with which holdings")
    replayed = Replay.of(hand, decisions)
    known = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    best = _best_shown(hand, known)
    if own is not None:
        known[own] = hand.holdings[own]
    found = kernels.observe(replayed, replayed.features, hand.board, known, hand.mucked, best, PREFLOP_CLASSES, BORDERS)
    if found is None:
        return None
    seats, content = found
    return ObservedHand(tuple([hand.players[seat] for seat in seats]), content)


def hidden_hands(found: ObservedHand) -> dict[str, HiddenHand]:
    """The evidence of a hand on each player, as the estimators of `pokermodel.classics.bpp.estimators` take it.

    They learn one table P(act | class, situation) for the player, with the twelve situations of `default_table` and
    without factors, as of a player who is observed alone and for long.

    Returns
    -------
    dict of str to HiddenHand
        By player. Their `HiddenHand.survival` is left to who knows it.
    """
    hidden = {}
    told = found.arrays
    for player, name in enumerate(found.names):
        actions = np.flatnonzero(told.actors == player)
        rounds = told.rounds[actions]
        classes = told.classes[:, rounds].astype(np.intp)
        mass = told.mass[min(player, len(told.mass) - 1)]
        shown = None
        if told.shown[player, 0] >= 0:
            classes = np.concatenate([classes, told.shown[player, rounds][None]])
            mass, shown = np.append(mass, 1.0), len(mass)
        grouped, prior, held = group_candidates(classes, mass, shown)
        hidden[name] = HiddenHand(told.cells[actions, 0], told.acts[actions], grouped, prior, held)
    return hidden


#: What a hand says in which nobody did anything that was offered.
NOTHING = ObservedHand((), b"")


def _best_shown(hand: Hand, shown: Mapping[int, tuple[int, ...]]) -> int:
    """The best rank that was shown to somebody who then mucked; 0 if nobody did, or it is not known."""
    if not hand.mucked or len(hand.board) != 5:
        return 0
    return max([evaluate(hand.board + holding) for holding in shown.values()], default=0)
